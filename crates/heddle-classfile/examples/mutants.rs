//! Damages class files and compares our verifier's answers with the JVM's.
//!
//! Arguments: how many, a seed, and a folder to leave the files in on which
//! the answers differ.

#[path = "../tests/common/mod.rs"]
mod common;

use common::differential;
use common::world::World;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default| args.get(i).and_then(|a| a.parse().ok()).unwrap_or(default);
    let world = World::new(&common::image());
    let tally = differential::run(&world, number(0, 20_000) as usize, number(1, 1));
    let mut shown = std::collections::BTreeMap::new();
    for (i, d) in tally.differences.iter().enumerate() {
        if let Some(folder) = args.get(2) {
            let path = std::path::Path::new(folder).join(format!("{i}.class"));
            std::fs::write(path, &d.bytes).expect("the folder can be written to");
        }
        let key = |o: &differential::Outcome| {
            let line = o.first_line();
            let line = match line.split_once(") ") {
                Some((start, rest)) if start.starts_with("(class") => rest,
                _ => line,
            };
            let words = line
                .split(' ')
                .filter(|w| !w.starts_with(|c: char| c.is_ascii_digit()));
            words.take(8).collect::<Vec<_>>().join(" ")
        };
        let group = (d.details, key(&d.jvm), key(&d.ours[0]));
        let times = shown.entry(group).or_insert(0);
        *times += 1;
        if *times <= 2 {
            println!(
                "#{i} {} ({}){}",
                d.seed,
                d.what,
                if d.details { " details" } else { "" }
            );
            if d.details {
                let ours = d.ours.iter().find(|o| o.first_line() == d.jvm.first_line());
                let ours = ours.map_or("", |o| &o.message);
                for (theirs, ours) in d.jvm.message.lines().zip(ours.lines()) {
                    if theirs != ours {
                        println!("  jvm:  {theirs:?}\n  ours: {ours:?}");
                    }
                }
            } else {
                println!("  jvm:  {} {:?}", d.jvm.error, d.jvm.first_line());
                for o in &d.ours {
                    println!("  ours: {} {:?}", o.error, o.first_line());
                }
            }
        }
    }
    for (group, times) in shown {
        println!("{times:6} {group:?}");
    }
    let other = tally.differences.iter().filter(|d| !d.details).count();
    println!(
        "{} mutants: {} accepted by both, {} refused alike (whole text: {}), {} beyond the verifier, \
         {other} differences",
        tally.mutants, tally.accepted, tally.same_line, tally.same_text, tally.foreign
    );
}
