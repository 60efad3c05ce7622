//! Thousands of small generated programs: `dpor` reaches what `dfs` reaches, in as many
//! schedules as there are classes of them, counted by looking at every schedule.

mod common;

use common::classes::Recorded;
use common::generate::{Dice, Flavour, program};
use common::*;
use heddle_explore::strategies::{Dfs, Dpor};
use heddle_explore::{Limits, Outcome, explore};
use heddle_model::Strategy;

fn search(program: &Program, strategy: &mut impl Strategy, limits: &Limits) -> (Outcome, Recorded) {
    let mut machine = Recorded::new(Toy::new(program.clone()));
    let outcome = explore(&mut machine, strategy, &mut [&mut Judge], limits, &mut ());
    (outcome, machine)
}

/// The program, and which schedules are missing or came twice.
fn difference(flavour: &Flavour, program: &Program) -> String {
    let watch = |strategy: &mut dyn FnMut(&mut Recorded)| {
        let mut machine = Recorded::new(Toy::new(program.clone()));
        machine.show = true;
        strategy(&mut machine);
        machine
    };
    let limits = Limits::default();
    let dfs = watch(&mut |m| {
        explore(m, &mut Dfs::new(), &mut [&mut Judge], &limits, &mut ());
    });
    let dpor = watch(&mut |m| {
        explore(m, &mut Dpor::with_plain_mutexes(), &mut [&mut Judge], &limits, &mut ());
    });
    let mut text = format!("{flavour:?}\n");
    for thread in &program.threads {
        text += &format!("    vec!{thread:?},\n");
    }
    for (class, path) in dfs.paths.iter() {
        if !dpor.classes.contains(class) {
            text += &format!("missing {path}\n");
        }
    }
    for path in &dpor.again {
        text += &format!("again   {path}\n");
    }
    for path in dpor.paths.values() {
        text += &format!("        {path}\n");
    }
    text
}

#[test]
fn each_class_once() {
    let number = |name: &str, default: u64| {
        let set = std::env::var(name).ok().and_then(|n| n.parse().ok());
        set.unwrap_or(default)
    };
    let wanted = number("HEDDLE_PROGRAMS", 2_500);
    let mut dice = Dice(0x5eed_1234_abcd_0001 ^ number("HEDDLE_SEED", 0));
    let (mut compared, mut total, mut all, mut in_vain) = (0, 0, 0, 0);
    let (mut errors, mut several) = (0, 0);
    while compared < wanted {
        let flavour = Flavour::roll(&mut dice);
        let program = program(&mut dice, &flavour);
        let limits = Limits {
            schedules: Some(3_000),
            ..Limits::default()
        };
        // Few have more than one class and few enough schedules to look at each.
        if run(&program, &mut Dpor::with_plain_mutexes()).schedules == 1 && !dice.one_in(20) {
            continue;
        }
        let mut toy = Toy::new(program.clone());
        if !explore(&mut toy, &mut Dfs::new(), &mut [], &limits, &mut ()).complete {
            continue;
        }
        let (dfs, expected) = search(&program, &mut Dfs::new(), &limits);
        // Marks at every other depth only, so that prefixes are run again as well.
        let limits = Limits {
            mark_every: 1 + compared as usize % 2,
            ..Limits::default()
        };
        let mut strategy = Dpor::with_plain_mutexes();
        let (dpor, found) = search(&program, &mut strategy, &limits);
        let context = || difference(&flavour, &program);
        assert_eq!(strategy.astray(), 0, "{}", context());
        assert_eq!(found.finals, expected.finals, "{}", context());
        assert_eq!(findings(&dpor), findings(&dfs), "{}", context());
        assert_eq!(
            (dpor.schedules, found.classes.len()),
            (expected.classes.len() as u64, expected.classes.len()),
            "{}",
            context()
        );
        assert!(dpor.complete, "{}", context());
        // Only calls that do other things elsewhere, and the end of the program on purpose,
        // make it begin something in vain.
        if !flavour.atomics && !flavour.trusted && !flavour.permits && !flavour.exits {
            assert_eq!(dpor.blocked, 0, "{}", context());
        }
        compared += 1;
        if compared % 1000 == 0 {
            println!("{compared} programs");
        }
        total += dpor.schedules;
        all += dfs.schedules;
        in_vain += dpor.blocked;
        errors += u64::from(!dpor.found.is_empty());
        several += u64::from(dpor.schedules > 1);
    }
    println!(
        "{compared} programs, {several} with more than one class, {errors} with errors: \
         {total} schedules, {in_vain} begun in vain, of {all}"
    );
    assert!(several > wanted / 2 && errors > wanted / 10);
}
