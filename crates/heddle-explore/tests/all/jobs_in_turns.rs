//! Several workers in orders that can be repeated, against one: the same classes, each once, and
//! nothing begun in vain, whoever is ahead of whom.
//!
//! `HEDDLE_PROGRAMS` is how many, `HEDDLE_SEED` which, `HEDDLE_TURNS` how many orders of each, and
//! `HEDDLE_FAILURES` after how many faults to stop.

use crate::common::generate::{Dice, Flavour, program};
use crate::common::shrink::shrink;
use crate::common::workers::{Together, alone, pooled};
use crate::common::*;
use heddle_explore::strategies::Dpor;
use heddle_explore::{Limits, Pool, explore};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn number(name: &str, default: u64) -> u64 {
    let set = std::env::var(name).ok().and_then(|n| n.parse().ok());
    set.unwrap_or(default)
}

/// An order in which workers go on.
#[derive(Clone, Copy, Debug)]
struct Order {
    jobs: usize,
    own: u64,
    seed: u64,
}

impl Order {
    fn nth(program: u64, nth: u64) -> Order {
        Order {
            jobs: 2 + nth as usize % 3,
            own: [1, 1, 1, 3][nth as usize / 3 % 4],
            seed: program * 1_000 + nth,
        }
    }
}

/// What several workers do that one does not.
fn fault(
    program: &Program,
    one: &Together,
    order: Order,
    new: fn() -> Dpor,
) -> Option<&'static str> {
    let pool = Pool::in_turns(order.jobs, order.own, order.seed);
    let run = || pooled(program, pool, order.jobs, |pool| new().sharing(pool));
    let Ok(many) = catch_unwind(AssertUnwindSafe(run)) else {
        return Some("a worker failed");
    };
    let (a, b) = (&one.outcome, &many.outcome);
    if one.finals != many.finals || findings(a) != findings(b) {
        Some("not what it can end in")
    } else if a.blocked != b.blocked {
        Some("begun in vain")
    } else if a.schedules != b.schedules {
        Some("another count")
    } else if one.classes != many.classes {
        Some("other classes")
    } else if (a.complete, &a.bounds) != (b.complete, &b.bounds) {
        Some("complete or not")
    } else {
        None
    }
}

/// What one worker finds, if that is not too much.
fn by_one(program: &Program, new: fn() -> Dpor) -> Option<Together> {
    let limits = Limits {
        schedules: Some(400),
        ..Limits::default()
    };
    let mut toy = Toy::new(program.clone());
    let outcome = explore(&mut toy, &mut Dpor::new(), &mut [], &limits, &mut ());
    outcome.complete.then(|| alone(program, new()))
}

/// Two programs, one after the other: there is more to share in them.
fn longer(dice: &mut Dice, flavour: &Flavour) -> Program {
    let mut first = program(dice, flavour);
    let second = program(dice, flavour);
    let bodies = first.threads.iter_mut().zip(&second.threads).skip(1);
    for (body, more) in bodies {
        if !more.iter().any(|op| matches!(op, Unpark(_) | Join(_))) {
            body.extend_from_slice(more);
        }
    }
    Program::new(first.threads)
}

fn compare(mut dice: Dice, wanted: u64, roll: fn(&mut Dice) -> Flavour, new: fn() -> Dpor) {
    let wanted = number("HEDDLE_PROGRAMS", wanted);
    let turns = number("HEDDLE_TURNS", 8);
    dice.0 ^= number("HEDDLE_SEED", 0);
    let (mut compared, mut schedules, mut faults) = (0, 0, 0);
    while compared < wanted {
        let flavour = roll(&mut dice);
        let program = longer(&mut dice, &flavour);
        let several = |one: &Together| one.outcome.schedules > 1;
        let Some(one) = by_one(&program, new).filter(several) else {
            continue;
        };
        compared += 1;
        schedules += one.outcome.schedules;
        let mut orders = (0..turns).map(|nth| Order::nth(compared, nth));
        let found = orders.find_map(|o| Some((o, fault(&program, &one, o, new)?)));
        let Some((order, fault)) = found else {
            continue;
        };
        println!("{fault}: program {compared}, {order:?}");
        tell(&program, order, fault, new);
        faults += 1;
        assert!(faults < number("HEDDLE_FAILURES", 1), "{fault}");
    }
    println!("{compared} programs, {schedules} schedules, {faults} faults");
    assert_eq!(faults, 0);
}

/// Prints the smallest program with the same fault.
fn tell(program: &Program, order: Order, wrong: &str, new: fn() -> Dpor) {
    let orders = |p: &Program| {
        let one = by_one(p, new)?;
        let mut orders = (0..60).map(|n| Order {
            seed: order.seed + n,
            ..order
        });
        orders.find(|o| fault(p, &one, *o, new) == Some(wrong))
    };
    let smallest = shrink(program, &|p| orders(p).is_some());
    for thread in &smallest.threads {
        println!("    vec!{thread:?},");
    }
    println!("{:?}", orders(&smallest));
}

#[test]
fn all_sorts() {
    compare(Dice(0x0007_0000_0011), 150, Flavour::roll, Dpor::new);
}

#[test]
fn calls() {
    compare(Dice(0x0007_0000_0012), 150, Flavour::calls, Dpor::new);
}

/// The end of the program is a race with everything.
#[test]
fn exits() {
    let roll = |dice: &mut Dice| Flavour {
        exits: true,
        ..Flavour::roll(dice)
    };
    compare(Dice(0x0007_0000_0013), 150, roll, Dpor::new);
}

#[test]
fn lazy_mutexes() {
    let roll = |dice: &mut Dice| Flavour {
        locks: 1 + dice.roll(3),
        sections: 3 + dice.roll(6),
        ..Flavour::roll(dice)
    };
    compare(Dice(0x0007_0000_0014), 150, roll, Dpor::lazy);
}

#[test]
fn lazy_mutexes_and_calls() {
    compare(Dice(0x0007_0000_0015), 150, Flavour::calls, Dpor::lazy);
}

/// What several workers explored with lazy mutexes was not what one does, in some orders.
#[test]
fn known_cases() {
    let programs = [
        // Sequences of who is ahead were planned before those that one worker finds first.
        vec![
            vec![Start(1), Start(2), Start(3)],
            vec![Lock(0), Read(0), Store(2, 1), Unlock(0)],
            vec![Store(2, 0), Lock(0), Unlock(0)],
            vec![Store(0, 1), Lock(0), Store(2, 1), Unlock(0)],
        ],
        // One that was left to the end of another was followed though nobody slept there.
        vec![
            vec![Start(1), Start(2), Write(1, 1)],
            vec![Unless(1, 0, 1), Lock(1), Unlock(1)],
            vec![Lock(1), Read(1), Unlock(1)],
        ],
        // One that leads to where its thread sleeps is in vain only if nothing else is to come.
        vec![
            vec![Start(1), Start(2), Start(3)],
            vec![Lock(0), Write(0, 0), Unlock(0)],
            vec![Lock(0), Unlock(0)],
            vec![Read(0), Lock(0), Unlock(0), Read(0)],
        ],
        vec![
            vec![Start(1), Start(2), Start(3)],
            vec![Lock(0), Assert(0, 0), Read(1), Unlock(0)],
            vec![Write(0, 1), Lock(0), Unlock(0)],
            vec![Lock(0), Store(1, 1), Unlock(0)],
        ],
        vec![
            vec![Start(1), Start(2), Start(3)],
            vec![Lock(0), Read(1), Unlock(0), Read(1)],
            vec![Lock(0), Unlock(0), Store(2, 0), Store(1, 0)],
            vec![Store(1, 0), Lock(0), Unlock(0), Read(2)],
        ],
        // A deadlock that has been run into is not looked for again.
        vec![
            vec![Start(1), Start(2)],
            vec![
                Enter,
                Unpark(1),
                Lock(1),
                Unlock(1),
                Leave,
                Lock(1),
                Lock(0),
                Unlock(0),
                Unlock(1),
            ],
            vec![Lock(1), Unlock(1), Lock(0), Lock(1), Unlock(1), Unlock(0)],
        ],
        // What a call does is foreseen by who has seen it.
        vec![
            vec![Start(1), Start(2), Start(3)],
            vec![Lock(0), Cas(0, 0, 1, 1), Unlock(0)],
            vec![Lock(0), Unlock(0), Unless(0, 1, 1)],
            vec![Store(0, 1), Lock(0), Unlock(0)],
        ],
    ];
    for (nth, threads) in (1..).zip(programs) {
        let program = Program::new(threads);
        let one = alone(&program, Dpor::lazy());
        for seed in 0..180 {
            let order = Order::nth(nth, seed);
            let fault = fault(&program, &one, order, Dpor::lazy);
            assert_eq!(fault, None, "{order:?}: {program:?}");
        }
    }
}
