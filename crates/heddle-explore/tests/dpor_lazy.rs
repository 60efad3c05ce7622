//! Locks that order nothing by themselves: fewer schedules, and nothing is lost. Thousands
//! of small generated programs: the final states of what comes to an end, failed
//! assertions, races and deadlocks are those of `dfs`.

mod common;

use common::classes::Recorded;
use common::generate::{Dice, Flavour, program};
use common::races::Races;
use common::*;
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
#[derive(PartialEq, Eq)]
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
    /// Explores a program with lazy mutexes; `most` is what it takes without.
    fn compare(&mut self, program: &Program, expected: &Found, most: u64) {
        let mut strategy = Dpor::lazy();
        let limits = Limits {
            mark_every: 1 + self.programs as usize % 2,
            ..Limits::default()
        };
        let (dpor, machine) = search(program, &mut strategy, &limits);
        let found = Found::new(&dpor, &machine);
        let complete = strategy.astray() == 0 && dpor.complete;
        // Calls that stop in their middle may be planned for in vain.
        let calls = program.threads.iter().flatten().any(|op| *op == Enter);
        let too_many = strategy.is_lazy() && !calls && dpor.schedules > most;
        if !complete || found != *expected || too_many {
            for thread in &program.threads {
                println!("    vec!{thread:?},");
            }
            println!(
                "astray {}, {} schedules of {most}, ends {} of {}\n{:?}\n{:?}",
                strategy.astray(),
                dpor.schedules,
                found.ends.len(),
                expected.ends.len(),
                found.findings,
                expected.findings
            );
            self.wrong += 1;
            assert!(
                self.wrong < number("HEDDLE_FAILURES", 1),
                "something is lost"
            );
        }
        self.programs += 1;
        if self.programs.is_multiple_of(1000) {
            println!("{} programs", self.programs);
        }
        let has = |kind| u64::from(found.findings.iter().any(|f| f.0 == kind));
        self.races += has(FindingKind::Race);
        self.cycles += has(FindingKind::LockCycle);
        self.again += u64::from(!strategy.is_lazy());
        self.lazy += dpor.schedules;
        self.plain += most;
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
        let most = run(&program, &mut Dpor::new()).schedules;
        let limits = Limits {
            schedules: Some(5_000),
            ..Limits::default()
        };
        let mut toy = Toy::new(program.clone());
        if most == 1 || !explore(&mut toy, &mut Dfs::new(), &mut [], &limits, &mut ()).complete {
            continue;
        }
        let (dfs, machine) = search(&program, &mut Dfs::new(), &limits);
        tally.compare(&program, &Found::new(&dfs, &machine), most);
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
        let limits = Limits {
            schedules: Some(1_000),
            ..Limits::default()
        };
        let mut toy = Toy::new(program.clone());
        let mut plain = Dpor::new();
        let outcome = explore(&mut toy, &mut plain, &mut [], &limits, &mut ());
        if outcome.schedules < 3 || !outcome.complete {
            continue;
        }
        let (plain, machine) = search(&program, &mut Dpor::new(), &limits);
        tally.compare(&program, &Found::new(&plain, &machine), outcome.schedules);
    }
    tally.check();
    assert!(tally.cycles > wanted / 50);
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
