//! Shortest counterexamples against the fewest context switches among all schedules.

use crate::common::generate::{Dice, Flavour, program};
use crate::common::*;
use heddle_explore::strategies::{Dfs, Dpor, ExitBlockRw, Random, Replay};
use heddle_explore::toy::{Program, Toy};
use heddle_explore::{Budget, Limits, Outcome, explore, switches};
use heddle_model::*;
use std::collections::BTreeMap;

const AMPLE: Budget = Budget {
    points: 1 << 20,
    work: 1 << 40,
};

type Key = (FindingKind, String);

/// For every error, the fewest switches after which it shows; `None` if there are too many
/// schedules.
fn fewest(program: &Program) -> Option<BTreeMap<Key, usize>> {
    struct All {
        toy: Toy,
        fewest: BTreeMap<Key, usize>,
        runs: u32,
    }
    struct Ask(Findings);
    impl Observer for Ask {
        const WANTS: EventMask = EventMask::ALL;
        fn mask(&self) -> EventMask {
            Judge.wants()
        }
        fn event(&mut self, event: &Event, view: &dyn View) {
            Judge.event(event, view, &mut self.0);
        }
    }
    impl All {
        fn go(&mut self, spent: usize) -> Option<()> {
            self.runs += 1;
            if self.runs > 40_000 {
                return None;
            }
            let mut ask = Ask(Findings::default());
            let stop = self.toy.run(OpMask::VISIBLE.and(OpMask::NOTIFY), &mut ask);
            let mut found = ask.0;
            match &stop {
                Stop::Choice => Judge.pause(&self.toy.point(), &self.toy, &mut found),
                Stop::Ended(end) => Judge.end(end, &self.toy, &mut found),
                Stop::Unsupported(_) => {}
            }
            for finding in found.new {
                let least = self.fewest.entry((finding.kind, finding.message));
                let least = least.or_insert(spent);
                *least = (*least).min(spent);
            }
            if stop != Stop::Choice {
                return Some(());
            }
            let mark = self.toy.mark();
            let by = self.toy.point().by;
            let free = matches!(self.toy.point().pause, Pause::Notify(_));
            for (i, option) in self.toy.point().options.to_vec().iter().enumerate() {
                self.toy.rewind(mark);
                self.toy.take(Pick(i));
                self.go(spent + usize::from(!free && option.thread() != by))?;
            }
            self.toy.rewind(mark);
            self.toy.forget(mark);
            Some(())
        }
    }
    let mut all = All {
        toy: Toy::new(program.clone()),
        fewest: BTreeMap::new(),
        runs: 0,
    };
    all.go(0).map(|()| all.fewest)
}

fn search(program: &Program, strategy: &mut impl Strategy, shorten: Budget) -> Outcome {
    let limits = Limits {
        schedules: Some(50_000),
        shorten,
        ..Limits::default()
    };
    let mut toy = Toy::new(program.clone());
    explore(&mut toy, strategy, &mut [&mut Judge], &limits, &mut ())
}

fn lengths(outcome: &Outcome) -> BTreeMap<Key, usize> {
    let found = outcome.found.iter();
    let length = |f: &heddle_explore::Found| {
        let key = (f.finding.kind, f.finding.message.clone());
        (key, switches(&f.route, ThreadId(0)))
    };
    found.map(length).collect()
}

#[test]
fn nothing_is_shorter() {
    let mut dice = Dice(0x51_0e7e57);
    let (mut errors, mut shortened) = (0, 0);
    while errors < 150 {
        let flavour = Flavour::roll(&mut dice);
        let program = program(&mut dice, &flavour);
        let Some(fewest) = fewest(&program).filter(|f| !f.is_empty()) else {
            continue;
        };
        let before = search(&program, &mut Dfs::new(), Budget::NONE);
        let after = search(&program, &mut Dfs::new(), AMPLE);
        assert_eq!(findings(&before), findings(&after));
        assert_eq!(lengths(&after), fewest, "{program:?}");
        for found in &after.found {
            assert!(found.confirmed);
            let mut replay = Replay::new(found.route.clone(), false);
            let again = run(&program, &mut replay);
            assert!(replay.diverged().is_none());
            assert!(again.found.iter().any(|f| f.finding == found.finding));
        }
        errors += after.found.len();
        let shorter = lengths(&before)
            .iter()
            .filter(|(k, n)| fewest[*k] < **n)
            .count();
        shortened += shorter;
        // Whoever found it, it is as short.
        let sampled = search(&program, &mut Dpor::new(), AMPLE);
        for (error, length) in lengths(&sampled) {
            assert_eq!(Some(&length), fewest.get(&error), "{error:?} {program:?}");
        }
    }
    assert!(shortened > errors / 4, "{shortened} of {errors}");
}

/// A schedule with hundreds of switches, of which one matters.
#[test]
fn long_schedules_become_short() {
    let idle = |v: u32| vec![Write(v, 1); 60];
    let mut one = idle(1);
    one.extend([Write(0, 1), Write(0, 0)]);
    let mut other = idle(2);
    other.push(Assert(0, 0));
    let program = started(vec![one, other, idle(3), idle(4)]);
    let budget = Budget {
        points: 400_000,
        work: 1 << 40,
    };
    let mut shown = 0;
    for seed in 0..40 {
        let limits = |shorten| Limits {
            schedules: Some(20),
            shorten,
            ..Limits::default()
        };
        let go = |shorten| {
            explore(
                &mut Toy::new(program.clone()),
                &mut Random::new(seed),
                &mut [&mut Judge],
                &limits(shorten),
                &mut (),
            )
        };
        let long = go(Budget::NONE);
        if long.found.is_empty() {
            continue;
        }
        shown += 1;
        let short = go(budget);
        let length = |o: &Outcome| *lengths(o).values().next().unwrap();
        assert!(length(&long) > 60);
        // Main ends, the first comes between its writes, then the second asserts.
        assert_eq!(length(&short), 2, "{:?}", short.found[0].route);
    }
    assert!(shown > 5, "{shown}");
}

#[test]
fn blocks_are_shortened_too() {
    let nest = |a, b| vec![Lock(a), Lock(b), Unlock(b), Unlock(a)];
    for program in [started(vec![nest(0, 1), nest(1, 0)]), counter()] {
        let fewest = fewest(&program).expect("a small program");
        let after = search(&program, &mut ExitBlockRw::new(), AMPLE);
        for (error, length) in lengths(&after) {
            assert!(length <= fewest[&error], "{error:?}");
        }
        assert!(!after.found.is_empty());
    }
}

fn counter() -> Program {
    let body = [
        Lock(0),
        Read(0),
        Unlock(0),
        Lock(0),
        AssertSame(0),
        Unlock(0),
    ];
    let mut writes = body.to_vec();
    writes.insert(5, Store(0, 1));
    started(vec![writes; 2])
}

#[test]
fn budgets_are_kept() {
    let idle = |v: u32| vec![Write(v, 1); 30];
    let mut last = idle(3);
    last.push(Assert(0, 0));
    let program = started(vec![[idle(1), vec![Write(0, 1)]].concat(), idle(2), last]);
    let small = Budget {
        points: 2_000,
        work: 1 << 40,
    };
    let mut toy = Toy::new(program.clone());
    let before = toy.work();
    let limits = Limits {
        schedules: Some(30),
        shorten: small,
        ..Limits::default()
    };
    let outcome = explore(
        &mut toy,
        &mut Random::new(4),
        &mut [&mut Judge],
        &limits,
        &mut (),
    );
    assert!(!outcome.found.is_empty());
    // 30 schedules of about a hundred steps, and no more than four budgets beyond.
    assert!(toy.work() - before < 40_000, "{}", toy.work() - before);
}
