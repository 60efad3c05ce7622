//! Thousands of small generated programs: `dpor` reaches what `dfs` reaches, in as many
//! schedules as there are classes of them, counted by looking at every schedule, and begins
//! none in vain.
//!
//! `HEDDLE_PROGRAMS` is how many, `HEDDLE_SEED` which, and `HEDDLE_FAILURES` after how many
//! faults to stop.

use crate::common::classes::Recorded;
use crate::common::generate::{Dice, Flavour, program};
use crate::common::shrink::shrink;
use crate::common::*;
use heddle_explore::strategies::{Dfs, Dpor};
use heddle_explore::{Limits, Outcome, explore};
use heddle_model::Strategy;

/// Every schedule of a program and those of `dpor`.
struct Compared {
    dfs: (Outcome, Recorded),
    dpor: (Outcome, Recorded),
    astray: u64,
}

impl Compared {
    /// `None` if there are too many schedules to look at each.
    fn new(program: &Program, mark_every: usize) -> Option<Compared> {
        Compared::within(3_000, program, mark_every)
    }

    fn within(schedules: u64, program: &Program, mark_every: usize) -> Option<Compared> {
        let limits = Limits {
            schedules: Some(schedules),
            ..Limits::default()
        };
        let mut toy = Toy::new(program.clone());
        if !explore(&mut toy, &mut Dfs::new(), &mut [], &limits, &mut ()).complete {
            return None;
        }
        let dfs = search(program, &mut Dfs::new(), &limits);
        let limits = Limits {
            mark_every,
            ..limits
        };
        let mut strategy = Dpor::new();
        Some(Compared {
            dfs,
            dpor: search(program, &mut strategy, &limits),
            astray: strategy.astray(),
        })
    }

    /// What is wrong.
    fn fault(&self) -> Option<&'static str> {
        let ((all, expected), (some, found)) = (&self.dfs, &self.dpor);
        if found.finals != expected.finals || findings(some) != findings(all) {
            Some("lost what it can end in")
        } else if found.classes != expected.classes {
            Some("lost a class")
        } else if some.schedules > expected.classes.len() as u64 {
            Some("a class came twice")
        } else if self.astray > 0 || !some.complete {
            Some("astray")
        } else if some.blocked > 0 {
            Some("begun in vain")
        } else {
            None
        }
    }

    /// Which schedules are missing or came twice.
    fn text(&self) -> String {
        let ((_, expected), (_, found)) = (&self.dfs, &self.dpor);
        let mut text = String::new();
        for (class, path) in expected.paths.iter() {
            if !found.classes.contains(class) {
                text += &format!("missing {path}\n");
            }
        }
        for path in &found.again {
            text += &format!("again   {path}\n");
        }
        for path in found.paths.values() {
            text += &format!("        {path}\n");
        }
        text
    }
}

fn search(program: &Program, strategy: &mut impl Strategy, limits: &Limits) -> (Outcome, Recorded) {
    let mut machine = Recorded::new(Toy::new(program.clone()));
    machine.show = true;
    let outcome = explore(&mut machine, strategy, &mut [&mut Judge], limits, &mut ());
    (outcome, machine)
}

fn number(name: &str, default: u64) -> u64 {
    let set = std::env::var(name).ok().and_then(|n| n.parse().ok());
    set.unwrap_or(default)
}

fn compare(mut dice: Dice, wanted: u64, roll: fn(&mut Dice) -> Flavour) {
    let wanted = number("HEDDLE_PROGRAMS", wanted);
    dice.0 ^= number("HEDDLE_SEED", 0);
    let (mut compared, mut total, mut all) = (0, 0, 0);
    let (mut errors, mut several, mut faults, mut in_vain) = (0, 0, 0, 0);
    while compared < wanted {
        let flavour = roll(&mut dice);
        let program = program(&mut dice, &flavour);
        // Few have more than one class and few enough schedules to look at each.
        if run(&program, &mut Dpor::new()).schedules == 1 && !dice.one_in(20) {
            continue;
        }
        // Marks at every other depth only, so that prefixes are run again as well.
        let mark_every = 1 + compared as usize % 2;
        let Some(both) = Compared::new(&program, mark_every) else {
            continue;
        };
        if let Some(fault) = both.fault() {
            let fails = |p: &Program| {
                let both = Compared::new(p, mark_every);
                both.is_some_and(|c| c.fault() == Some(fault))
            };
            let smallest = shrink(&program, &fails);
            println!("{fault}");
            for thread in &smallest.threads {
                println!("    vec!{thread:?},");
            }
            let both = Compared::new(&smallest, mark_every).expect("it fails");
            println!("{}", both.text());
            faults += 1;
            assert!(faults < number("HEDDLE_FAILURES", 1), "{fault}");
        }
        compared += 1;
        if compared % 1000 == 0 {
            println!("{compared} programs");
        }
        let ((dfs, _), (dpor, _)) = (&both.dfs, &both.dpor);
        total += dpor.schedules;
        all += dfs.schedules;
        in_vain += dpor.blocked;
        errors += u64::from(!dpor.found.is_empty());
        several += u64::from(dpor.schedules > 1);
    }
    println!(
        "{compared} programs, {several} with more than one class, {errors} with errors: \
         {total} schedules of {all}, {in_vain} begun in vain, {faults} faults"
    );
    assert_eq!(faults, 0);
    assert!(several > wanted / 2 && errors > wanted / 10);
}

#[test]
fn each_class_once() {
    compare(Dice(0x5eed_1234_abcd_0001), 2_000, Flavour::roll);
}

#[test]
fn each_class_once_with_calls() {
    compare(Dice(0x5eed_1234_abcd_0004), 1_000, Flavour::calls);
}

/// Larger programs, of which all schedules are too many to look at.
#[test]
fn none_in_vain() {
    let mut dice = Dice(0x5eed_1234_abcd_0007 ^ number("HEDDLE_SEED", 0));
    let blocked = |program: &Program| {
        let limits = Limits {
            schedules: Some(5_000),
            ..Limits::default()
        };
        let mut toy = Toy::new(program.clone());
        explore(&mut toy, &mut Dpor::new(), &mut [], &limits, &mut ()).blocked > 0
    };
    for _ in 0..number("HEDDLE_PROGRAMS", 2_000) {
        // A machine stops before a lock that a call takes while it has another one.
        let flavour = Flavour {
            nested: false,
            exits: false,
            ..Flavour::calls(&mut dice)
        };
        let mut program = program(&mut dice, &flavour);
        let more = crate::common::generate::program(&mut dice, &flavour);
        let bodies = program.threads.iter_mut().zip(&more.threads).skip(1);
        for (body, more) in bodies {
            if !more.iter().any(|op| matches!(op, Unpark(_) | Join(_))) {
                body.extend_from_slice(more);
            }
        }
        let program = Program::new(program.threads);
        if blocked(&program) {
            let smallest = shrink(&program, &|smaller| {
                let smaller = smaller.clone();
                // Without a jump a lock may be given back that nobody has.
                std::panic::catch_unwind(|| blocked(&smaller)).unwrap_or(false)
            });
            panic!("begun in vain: {:#?}", smallest.threads);
        }
    }
}

/// Programs that were once explored in part or too often.
#[test]
fn known_cases() {
    let programs = [
        // A call finds a lock taken after it has read what another thread then changes.
        vec![
            vec![Start(1), Start(2), Start(3)],
            vec![Add(1, 1)],
            vec![
                Assert(1, 1),
                Enter,
                Unless(1, 0, 4),
                Lock(0),
                Assert(1, 0),
                Unlock(0),
                Leave,
                Lock(0),
                Unlock(0),
            ],
            vec![Lock(0), Unlock(0)],
        ],
        // A call that writes or not, as another thread has it, and a third that writes too.
        vec![
            vec![Start(1), Start(2), Write(0, 1)],
            vec![Enter, Unless(0, 0, 2), Store(1, 0), Leave, Assert(1, 1)],
            vec![Store(1, 1)],
        ],
        // Two threads end the program.
        vec![
            vec![Start(1), Start(2), Exit],
            vec![Lock(0), Add(2, 1), Exit, Unlock(0)],
            vec![Lock(0), Unlock(0), Read(2)],
        ],
        vec![
            vec![Start(1), Start(2), Enter, Lock(0), Unlock(0), Leave],
            vec![Lock(0), Exit, Unlock(0)],
            vec![],
        ],
        vec![
            vec![Start(1), Start(2), Join(1)],
            vec![Lock(0), Exit, Unlock(0)],
            vec![Lock(0), Unlock(0)],
        ],
        // A call notifies twice, and has a choice of whom both times.
        vec![
            vec![
                Start(1),
                Start(2),
                Start(3),
                Enter,
                Lock(0),
                Notify(0),
                Notify(0),
                Unlock(0),
                Leave,
            ],
            vec![Enter, Lock(0), Wait(0), Unlock(0), Leave],
            vec![Enter, Lock(0), Wait(0), Unlock(0), Leave],
            vec![Enter, Lock(0), Wait(0), Unlock(0), Leave],
        ],
        // A call needs a lock whose holder waits for nobody but comes after another step.
        vec![
            vec![
                Start(1),
                Start(2),
                Enter,
                Lock(0),
                Store(1, 0),
                Unlock(0),
                Leave,
            ],
            vec![Write(1, 0)],
            vec![Lock(0), Assert(1, 1), Unlock(0)],
        ],
        // A timed wait ends while another thread has the monitor for ever, which a third one wants.
        vec![
            vec![Start(1), Start(2), Start(3)],
            vec![Lock(0), TimedWait(0), Write(0, 1), Unlock(0)],
            vec![Lock(0), Park, Unlock(0)],
            vec![Lock(0), Notify(0), Unlock(0)],
        ],
        // A call does less than it was planned for, and others were left to it.
        vec![
            vec![Start(1), Start(2), Start(3)],
            vec![Write(2, 1), Read(2)],
            vec![Cas(2, 1, 2, 1), Read(0)],
            vec![Unless(2, 0, 1)],
        ],
        // A call does more than it was planned for.
        vec![
            vec![Start(1), Start(2), Start(3), Read(1)],
            vec![Read(2)],
            vec![Write(2, 1), Store(1, 0), Add(1, 1)],
            vec![Cas(1, 0, 1, 1)],
        ],
        // What a call does in the other order is met by what comes later.
        vec![
            vec![Start(1), Start(2), Start(3)],
            vec![Enter, Unless(0, 0, 2), Read(1), Leave],
            vec![Lock(0), Store(1, 1), Unlock(0)],
            vec![Lock(0), Unlock(0), Store(0, 1)],
        ],
        vec![
            vec![Start(1), Start(2), Start(3)],
            vec![Enter, Write(1, 1), Leave],
            vec![Enter, Unless(1, 1, 2), Write(0, 1), Leave],
            vec![Store(1, 0), Read(0)],
        ],
    ];
    for threads in programs {
        let program = Program::new(threads);
        let both = Compared::within(100_000, &program, 1).expect("a small program");
        assert_eq!(both.fault(), None, "{}", both.text());
    }
}
