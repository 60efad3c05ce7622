//! Translates all of `java.base` and tells how long that took and how large
//! the code became. `--ops` lists the operations by frequency, `--show
//! Class.method` the code of a method.

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::Instant;

use heddle_vm::disasm::{instructions, listing};
use heddle_vm::isa::Op;
use heddle_vm::translate::Translator;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let classes = if args.len() > 3 {
        vec![common::parse_trusted(std::fs::read(&args[3]).unwrap())]
    } else {
        common::classes("java.base")
    };
    let mut translator = Translator::new();
    if args.get(1).is_some_and(|a| a == "--show") {
        for class in &classes {
            for method in class.methods.iter() {
                let class_name = String::from_utf8_lossy(class.name());
                let name = String::from_utf8_lossy(class.pool.utf8(method.name));
                let Some(code) = &method.code else { continue };
                if format!("{class_name}.{name}") == args[2] || args[2] == "*" {
                    println!("{class_name}.{name}");
                    match translator.translate(class, method, heddle_vm::places::Watched::Nothing) {
                        Ok(body) => print!("{}", listing(&body, code.max_locals)),
                        Err(error) => println!("{error}"),
                    }
                }
            }
        }
        return;
    }
    let mut best = f64::MAX;
    let (mut methods, mut bytecodes, mut words, mut insns) = (0u32, 0, 0, 0);
    let mut counts = vec![0u32; Op::ALL.len()];
    for round in 0..5 {
        let start = Instant::now();
        let mut bodies = Vec::new();
        for class in &classes {
            for method in class.methods.iter().filter(|m| m.code.is_some()) {
                bodies.push(
                    translator
                        .translate(class, method, heddle_vm::places::Watched::Nothing)
                        .unwrap(),
                );
            }
        }
        best = best.min(start.elapsed().as_secs_f64());
        if round > 0 {
            continue;
        }
        for body in &bodies {
            methods += 1;
            words += body.words.len();
            for (_, op, _) in instructions(body) {
                insns += 1;
                counts[op as usize] += 1;
            }
        }
        for class in &classes {
            for code in class.methods.iter().filter_map(|m| m.code.as_ref()) {
                bytecodes += class.instructions(code).count();
            }
        }
    }
    println!(
        "{methods} methods, {:.2} µs each; {:.1} bytecodes, {:.2} instructions and {:.2} words per bytecode",
        best * 1e6 / f64::from(methods),
        bytecodes as f64 / f64::from(methods),
        f64::from(insns) / bytecodes as f64,
        words as f64 / bytecodes as f64,
    );
    if args.get(1).is_some_and(|a| a == "--ops") {
        let mut order: Vec<usize> = (0..counts.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(counts[i]));
        for i in order {
            if counts[i] > 0 {
                println!("{:8} {:?}", counts[i], Op::ALL[i]);
            }
        }
    }
}
