//! Locks that order nothing by themselves: fewer schedules, and nothing is lost. Thousands
//! of small generated programs: the final states of what comes to an end, failed
//! assertions, races and deadlocks are those of `dfs`.

use crate::common::classes::Recorded;
use crate::common::generate::{Dice, Flavour, guarded, program};
use crate::common::races::Races;
use crate::common::shrink::shrink;
use crate::common::*;
use heddle_explore::strategies::{Dfs, Dpor};
use heddle_explore::toy::programs;
use heddle_explore::{Limits, Outcome, explore};
use heddle_model::{FindingKind, Strategy};
use std::collections::BTreeSet;

fn search(program: &Program, strategy: &mut impl Strategy, limits: &Limits) -> (Outcome, Recorded) {
    let mut machine = Recorded::new(Toy::new(program.clone()));
    let mut races = Races::new(program);
    let outcome = explore(
        &mut machine,
        strategy,
        &mut [&mut Judge, &mut races],
        limits,
        &mut (),
    );
    (outcome, machine)
}

/// The states of executions that come to an end.
fn ends(machine: &Recorded) -> BTreeSet<Vec<u32>> {
    let ended = machine.finals.iter().filter(|(exited, _)| *exited);
    ended.map(|(_, state)| state.clone()).collect()
}

fn number(name: &str, default: u64) -> u64 {
    let set = std::env::var(name).ok().and_then(|n| n.parse().ok());
    set.unwrap_or(default)
}

/// What a search found, for comparison.
#[derive(PartialEq, Eq, Debug)]
struct Found {
    ends: BTreeSet<Vec<u32>>,
    findings: Vec<(FindingKind, String)>,
}

impl Found {
    fn new(outcome: &Outcome, machine: &Recorded) -> Found {
        Found {
            ends: ends(machine),
            findings: findings(outcome),
        }
    }
}

/// What lazy mutexes are compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Against {
    Dfs,
    Plain,
}

/// A search with lazy mutexes beside one that is trusted.
struct Compared {
    expected: Found,
    found: Found,
    outcome: Outcome,
    /// Schedules with plain mutexes.
    plain: u64,
    complete: bool,
    lazy: bool,
}

impl Compared {
    /// `None` if there is too little or too much to compare.
    fn new(program: &Program, against: Against, mark_every: usize) -> Option<Compared> {
        let limits = |schedules| Limits {
            schedules: Some(schedules),
            ..Limits::default()
        };
        let (limits, fewest) = match against {
            Against::Dfs => (limits(5_000), 2),
            Against::Plain => (limits(1_000), 3),
        };
        let mut toy = Toy::new(program.clone());
        let plain = explore(&mut toy, &mut Dpor::new(), &mut [], &limits, &mut ());
        if plain.schedules < fewest || !plain.complete {
            return None;
        }
        let mut toy = Toy::new(program.clone());
        let (all, machine) = match against {
            Against::Dfs => {
                if !explore(&mut toy, &mut Dfs::new(), &mut [], &limits, &mut ()).complete {
                    return None;
                }
                search(program, &mut Dfs::new(), &limits)
            }
            Against::Plain => search(program, &mut Dpor::new(), &limits),
        };
        let expected = Found::new(&all, &machine);
        let limits = Limits {
            mark_every,
            ..Limits::default()
        };
        let mut strategy = Dpor::lazy();
        let (outcome, machine) = search(program, &mut strategy, &limits);
        Some(Compared {
            expected,
            found: Found::new(&outcome, &machine),
            plain: plain.schedules,
            complete: strategy.astray() == 0 && outcome.complete,
            lazy: strategy.is_lazy(),
            outcome,
        })
    }

    fn fault(&self, program: &Program) -> Option<&'static str> {
        // Calls that stop in their middle may be planned for in vain.
        let calls = program.threads.iter().flatten().any(|op| *op == Enter);
        if !self.complete {
            Some("astray")
        } else if self.found.ends != self.expected.ends {
            Some("an end is lost")
        } else if self.found != self.expected {
            Some("a finding is lost")
        } else if self.lazy && !calls && self.outcome.schedules > self.plain {
            Some("more than with plain mutexes")
        } else if self.lazy && !calls && self.outcome.blocked > 0 {
            Some("begun in vain")
        } else {
            None
        }
    }
}

/// Programs that were compared.
#[derive(Default)]
struct Tally {
    programs: u64,
    wrong: u64,
    races: u64,
    cycles: u64,
    again: u64,
    lazy: u64,
    plain: u64,
}

impl Tally {
    fn compare(&mut self, program: &Program, against: Against) {
        let mark_every = 1 + self.programs as usize % 2;
        let Some(both) = Compared::new(program, against, mark_every) else {
            return;
        };
        if let Some(fault) = both.fault(program) {
            self.wrong += 1;
            tell(program, against, mark_every, fault);
            assert!(self.wrong < number("HEDDLE_FAILURES", 1), "{fault}");
        }
        self.programs += 1;
        if self.programs.is_multiple_of(1000) {
            println!("{} programs", self.programs);
        }
        let has = |kind| u64::from(both.found.findings.iter().any(|f| f.0 == kind));
        self.races += has(FindingKind::Race);
        self.cycles += has(FindingKind::LockCycle);
        self.again += u64::from(!both.lazy);
        self.lazy += both.outcome.schedules;
        self.plain += both.plain;
    }

    fn check(&self) {
        println!(
            "{} programs, {} with races, {} with lock cycles, {} explored again: \
             {} schedules, {} with plain mutexes",
            self.programs, self.races, self.cycles, self.again, self.lazy, self.plain
        );
        assert_eq!(self.wrong, 0);
        assert!(self.races > self.programs / 5 && self.again < self.programs / 5);
    }
}

/// Prints the smallest program with the same fault.
fn tell(program: &Program, against: Against, mark_every: usize, fault: &str) {
    let shows = |p: &Program| {
        let both = Compared::new(p, against, mark_every);
        both.is_some_and(|both| both.fault(p) == Some(fault))
    };
    let smallest = shrink(program, &shows);
    println!("{fault}");
    for thread in &smallest.threads {
        println!("    vec!{thread:?},");
    }
    let both = Compared::new(&smallest, against, mark_every).expect("it has the fault");
    println!("{} schedules of {}", both.outcome.schedules, both.plain);
    println!("{:?}\n{:?}", both.found, both.expected);
}

#[test]
fn nothing_is_lost() {
    let wanted = number("HEDDLE_PROGRAMS", 1_000);
    let mut dice = Dice(0x5eed_1234_abcd_0002 ^ number("HEDDLE_SEED", 0));
    let mut tally = Tally::default();
    while tally.programs < wanted {
        let mut flavour = Flavour::roll(&mut dice);
        flavour.locks = 1 + dice.roll(3);
        flavour.sections = 3 + dice.roll(6);
        let program = program(&mut dice, &flavour);
        tally.compare(&program, Against::Dfs);
    }
    tally.check();
}

/// The same for programs that are too long for `dfs`, against plain mutexes.
#[test]
fn nothing_is_lost_against_plain_mutexes() {
    let wanted = number("HEDDLE_PROGRAMS", 1_500);
    let mut dice = Dice(0x5eed_1234_abcd_0003 ^ number("HEDDLE_SEED", 0));
    let mut tally = Tally::default();
    while tally.programs < wanted {
        let mut flavour = Flavour::roll(&mut dice);
        flavour.locks = 1 + dice.roll(4);
        flavour.sections = 3 + dice.roll(6);
        flavour.nested |= dice.one_in(2);
        let program = program(&mut dice, &flavour);
        tally.compare(&program, Against::Plain);
    }
    tally.check();
    assert!(tally.cycles > wanted / 50);
}

/// Threads that wait in loops are not run before they would find what they wait for, if nobody can
/// tell.
#[test]
fn nothing_is_lost_by_waits_that_are_no_steps() {
    let wanted = number("HEDDLE_PROGRAMS", 3_000);
    let mut dice = Dice(0x5eed_1234_abcd_0004 ^ number("HEDDLE_SEED", 0));
    let mut tally = Tally::default();
    while tally.programs < wanted {
        let program = guarded(&mut dice);
        tally.compare(&program, Against::Dfs);
    }
    println!(
        "{} programs: {} schedules, {} with plain mutexes",
        tally.programs, tally.lazy, tally.plain
    );
    assert_eq!(tally.wrong, 0);
}

/// To come before the other one's critical section, a thread needs a lock that this one has around it.
#[test]
fn a_wait_behind_a_lock_around_it() {
    let program = started(vec![
        vec![Lock(0), Lock(1), Add(2, 1), Unlock(1), Unlock(0)],
        vec![
            Lock(0),
            Unlock(0),
            Lock(1),
            Unless(2, 0, 2),
            Jump(3),
            Wait(1),
            Jump(-3),
            Unlock(1),
        ],
    ]);
    let both = Compared::new(&program, Against::Dfs, 1).expect("a small program");
    assert_eq!(both.fault(&program), None);
}

/// Of two threads that wait for each other, one is all: they may notify one or all.
#[test]
fn one_that_is_notified_is_all() {
    // while (0 != mine) wait(); 0 = other; notify();
    let turn = |mine: u32, notify: Op| {
        let wait = [Lock(0), Unless(0, mine, 2), Jump(3), Wait(0), Jump(-3)];
        let pass = [Write(0, 1 - mine), notify, Unlock(0)];
        wait.into_iter().chain(pass).collect::<Vec<Op>>()
    };
    let passes = |threads: &[u32], notify: Op| {
        let rounds = |mine: &u32| [turn(*mine, notify), turn(*mine, notify)].concat();
        started(threads.iter().map(rounds).collect())
    };
    for notify in [Notify(0), NotifyAll(0)] {
        let outcome = run(&passes(&[0, 1], notify), &mut Dpor::lazy());
        assert_eq!((outcome.schedules, outcome.found.len()), (1, 0));
    }
    // A third one may be woken in the other one's place.
    let three = [turn(0, Notify(0)), turn(1, Notify(0)), turn(1, Notify(0))];
    let three = started(three.to_vec());
    let [lazy, plain] = [Dpor::lazy(), Dpor::new()].map(|mut dpor| run(&three, &mut dpor));
    assert_eq!(lazy.found.len(), plain.found.len());
    assert!(lazy.schedules > 1, "{}", lazy.schedules);
}

/// What a lock synchronizes only if it is taken in one of two orders.
#[test]
fn a_race_behind_a_lock() {
    let program = started(vec![
        vec![Lock(0), Write(1, 1), Unlock(0), Store(0, 1)],
        vec![Lock(0), Unlock(0), Unless(0, 1, 2), Assert(1, 0)],
    ]);
    let both = Compared::new(&program, Against::Dfs, 1).expect("a small program");
    assert_eq!(both.fault(&program), None);
}

#[test]
fn locks_without_data() {
    for (threads, locks) in [(2, 1), (2, 100), (3, 50), (5, 2), (12, 1)] {
        let outcome = run(&performance(threads, locks), &mut Dpor::lazy());
        assert_eq!(outcome.schedules, 1, "Performance {threads} {locks}");
        assert!(outcome.complete);
    }
    let outcome = run(&programs::philosophers(8, 2, true), &mut Dpor::lazy());
    assert_eq!((outcome.schedules, outcome.complete), (1, true));
    assert!(outcome.found.is_empty());
}
