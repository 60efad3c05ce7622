//! Searches by an increasing bound against all schedules, each with its cost, found by a
//! plain recursion.

use crate::common::generate::{Dice, Flavour, program};
use crate::common::watched::Watched;
use crate::common::*;
use heddle_explore::strategies::{Bounded, Cost};
use heddle_explore::toy::{Program, Toy};
use heddle_explore::{Limits, Outcome, explore};
use heddle_model::*;
use std::collections::{BTreeMap, BTreeSet};

const COSTS: [Cost; 3] = [Cost::Preemptions, Cost::Delays, Cost::Switches];

/// For each cost: how many schedules, and what they end in.
type Table = BTreeMap<u32, (u64, BTreeSet<Vec<u32>>)>;

/// All schedules; `None` if there are too many.
fn all(program: &Program, cost: Cost, stops: OpMask) -> Option<Table> {
    struct All {
        toy: Toy,
        cost: Cost,
        stops: OpMask,
        table: Table,
        runs: u64,
    }
    impl All {
        fn go(&mut self, spent: u32) -> Option<()> {
            self.runs += 1;
            if self.runs > 8_000 {
                return None;
            }
            if let Stop::Ended(_) = self.toy.run(self.stops, &mut ()) {
                let (count, ends) = self.table.entry(spent).or_default();
                *count += 1;
                ends.insert(self.toy.summary());
                return Some(());
            }
            let mark = self.toy.mark();
            let (by, pause) = (self.toy.point().by, self.toy.point().pause);
            let options = self.toy.point().options.to_vec();
            for (i, option) in options.iter().enumerate() {
                let could = options.contains(&Choice::Run(by));
                let other = option.thread() != by;
                let cost = match self.cost {
                    _ if matches!(pause, Pause::Notify(_)) => 0,
                    Cost::Preemptions => u32::from(could && other),
                    Cost::Switches => u32::from(other),
                    Cost::Delays => {
                        // Count the turns that are skipped.
                        let mut line: Vec<usize> = (0..options.len()).collect();
                        let turns = |o: &usize| (options[*o].thread().0 + 1000 - by.0) % 1000;
                        let late = |o: &usize| matches!(options[*o], Choice::Timeout(_));
                        line.sort_by_key(|o| (late(o), turns(o)));
                        line.iter().position(|o| *o == i).unwrap() as u32
                    }
                };
                self.toy.rewind(mark);
                self.toy.take(Pick(i));
                self.go(spent + cost)?;
            }
            self.toy.rewind(mark);
            self.toy.forget(mark);
            Some(())
        }
    }
    let mut all = All {
        toy: Toy::new(program.clone()),
        cost,
        stops,
        table: Table::new(),
        runs: 0,
    };
    all.go(0).map(|()| all.table)
}

fn bounded(program: &Program, mut strategy: Bounded) -> (Outcome, BTreeSet<Vec<u32>>) {
    let mut machine = Watched::new(program);
    let outcome = explore(
        &mut machine,
        &mut strategy,
        &mut [&mut Judge],
        &Limits::default(),
        &mut (),
    );
    let ends = machine.exits.into_iter().chain(machine.others);
    (outcome, ends.collect())
}

fn compare(program: &Program, stops: OpMask) -> bool {
    for cost in COSTS {
        let Some(table) = all(program, cost, stops.and(OpMask::NOTIFY)) else {
            return false;
        };
        let highest = *table.keys().last().unwrap();
        let (mut count, mut ends) = (0, BTreeSet::new());
        for bound in 0..=highest + 1 {
            if let Some((n, new)) = table.get(&bound) {
                count += n;
                ends.extend(new.iter().cloned());
            }
            let name = format!("{cost:?} {bound}: {program:?}");
            let (outcome, seen) = bounded(program, Bounded::new(cost, bound, stops));
            assert_eq!((outcome.schedules, &seen), (count, &ends), "{name}");
            assert_eq!(outcome.complete, bound >= highest, "{name}");
            let (merged, seen) = bounded(program, Bounded::new(cost, bound, stops).merging());
            assert_eq!(seen, ends, "merging {name}");
            assert_eq!(findings(&merged), findings(&outcome), "merging {name}");
            assert!(merged.choice_points <= outcome.choice_points);
        }
    }
    true
}

#[test]
fn programs_by_chance() {
    let mut dice = Dice(0x5eed_0b0d);
    let mut compared = 0;
    while compared < 80 {
        let flavour = Flavour::roll(&mut dice);
        let program = program(&mut dice, &flavour);
        compared += u32::from(compare(&program, OpMask::VISIBLE));
        compare(&program, OpMask::BLOCK_END);
    }
}

#[test]
fn merging_saves() {
    let program = started(vec![
        vec![Write(0, 1), Write(1, 1), Write(2, 1)],
        vec![Write(3, 1), Write(4, 1), Write(5, 1)],
    ]);
    let every = bounded(
        &program,
        Bounded::new(Cost::Preemptions, 4, OpMask::VISIBLE),
    );
    let merging = Bounded::new(Cost::Preemptions, 4, OpMask::VISIBLE).merging();
    let merged = bounded(&program, merging);
    assert_eq!(every.1, merged.1);
    assert!(merged.0.choice_points * 2 < every.0.choice_points);
}
