//! The driver: bounds, confirmation, replay, prefixes that are run again.

use crate::common::*;
use heddle_explore::strategies::{
    Dfs, ExitBlock, ExitBlockRw, Random, Replay, RoundRobin, Settings, Use, named,
};
use heddle_explore::toy::{Program, Toy};
use heddle_explore::{Bound, Control, Found, Limits, OnError, Outcome, Progress, Tick, explore};
use heddle_model::{FindingKind, Strategy};

fn search(
    program: &Program,
    strategy: &mut impl Strategy,
    limits: Limits,
    control: &mut dyn Control,
) -> Outcome {
    explore(
        &mut Toy::new(program.clone()),
        strategy,
        &mut [&mut Judge],
        &limits,
        control,
    )
}

#[test]
fn marks_do_not_change_the_search() {
    let every = |mark_every| {
        let limits = Limits {
            mark_every,
            ..Limits::default()
        };
        let mut outcome = search(&counter(3), &mut ExitBlockRw::new(), limits, &mut ());
        outcome.work = 0;
        outcome
    };
    let all = every(1);
    assert!(all.complete && all.found.len() == 3, "{:?}", findings(&all));
    assert_eq!(all, every(3));
    assert_eq!(all, every(1_000));
}

#[test]
fn bounds_are_named() {
    let program = counter(3);
    let limits = Limits {
        schedules: Some(10),
        ..Limits::default()
    };
    let outcome = search(&program, &mut ExitBlock::new(), limits, &mut ());
    assert_eq!((outcome.schedules, outcome.complete), (10, false));
    assert_eq!(outcome.bounds, [Bound::Schedules]);

    let limits = Limits {
        depth: Some(6),
        ..Limits::default()
    };
    let outcome = search(&program, &mut ExitBlock::new(), limits, &mut ());
    assert_eq!(
        (outcome.bounds.as_slice(), outcome.complete),
        (&[Bound::Depth][..], false)
    );
    assert!(outcome.deepest <= 7);

    // It counts, so it never comes back to a state.
    let endless = started(vec![vec![Lock(0), Add(0, 1), Unlock(0), Jump(-3)]]);
    for rw in [false, true] {
        let limits = Limits {
            steps: Some(1_000),
            ..Limits::default()
        };
        let outcome = match rw {
            false => search(&endless, &mut ExitBlock::new(), limits, &mut ()),
            true => search(&endless, &mut ExitBlockRw::new(), limits, &mut ()),
        };
        assert_eq!(
            (outcome.bounds.as_slice(), outcome.complete),
            (&[Bound::Steps][..], false)
        );
    }

    let limits = Limits {
        errors: OnError::Stop,
        ..Limits::default()
    };
    let outcome = search(&program, &mut ExitBlock::new(), limits, &mut ());
    assert_eq!(
        (outcome.bounds.as_slice(), outcome.found.len()),
        (&[Bound::Error][..], 1)
    );
    assert!(outcome.found[0].confirmed);
}

struct Watch {
    ticks: u32,
    interrupt: bool,
    found: usize,
}

impl Control for Watch {
    fn tick(&mut self, progress: &Progress) -> Tick {
        assert!(progress.choice_points > 0);
        self.ticks += 1;
        if self.ticks == 3 && !self.interrupt {
            Tick::Stop(Bound::Time)
        } else {
            Tick::GoOn
        }
    }
    fn interrupted(&self) -> bool {
        self.interrupt && self.ticks == 2
    }
    fn found(&mut self, found: &Found) {
        assert!(found.confirmed);
        self.found += 1;
    }
}

#[test]
fn time_and_interrupts() {
    for (interrupt, bound) in [(false, Bound::Time), (true, Bound::Interrupt)] {
        let mut watch = Watch {
            ticks: 0,
            interrupt,
            found: 0,
        };
        let outcome = search(
            &counter(4),
            &mut ExitBlock::new(),
            Limits::default(),
            &mut watch,
        );
        assert_eq!(
            (outcome.bounds.as_slice(), outcome.complete),
            (&[bound][..], false)
        );
        assert_eq!(watch.found, outcome.found.len());
    }
}

#[test]
fn findings_replay() {
    let outcome = run(&deadlock3(), &mut ExitBlockRw::new());
    let programs = [
        (deadlock3(), outcome),
        (counter(2), run(&counter(2), &mut Dfs::new())),
    ];
    for (program, outcome) in &programs {
        assert!(!outcome.found.is_empty());
        for found in &outcome.found {
            let mut replay = Replay::new(found.route.clone(), false);
            let again = run(program, &mut replay);
            assert!(replay.diverged().is_none());
            assert!(again.found.iter().any(|f| f.finding == found.finding));
        }
    }
    // Another program goes another way.
    let route = programs[0].1.found[0].route.clone();
    let mut replay = Replay::new(route, true);
    run(&performance(1, 1), &mut replay);
    assert!(replay.diverged().is_some());
}

#[test]
fn counting_every_path_with_an_error() {
    let limits = Limits {
        errors: OnError::Count,
        ..Limits::default()
    };
    let outcome = search(&counter(2), &mut ExitBlock::new(), limits, &mut ());
    assert!(outcome.found.iter().all(|f| f.times > 1));
}

#[test]
fn random_is_reproducible_and_finds_errors() {
    let limits = Limits {
        schedules: Some(200),
        ..Limits::default()
    };
    let go = |seed| search(&counter(2), &mut Random::new(seed), limits, &mut ());
    assert_eq!(go(7), go(7));
    assert!(go(7).choice_points != go(8).choice_points);
    assert!(
        go(7)
            .found
            .iter()
            .any(|f| f.finding.kind == FindingKind::Assertion)
    );
    assert!(!go(7).complete);
}

#[test]
fn round_robin_is_one_schedule() {
    let outcome = run(&counter(2), &mut RoundRobin::new());
    assert_eq!((outcome.schedules, outcome.complete), (1, false));
    let alone = Program::new(vec![vec![Lock(0), Unlock(0)]]);
    assert!(run(&alone, &mut RoundRobin::new()).complete);
}

/// Orders that can be counted by hand.
#[test]
fn dfs_counts_every_order() {
    struct Count(Program);
    impl Use for Count {
        type Result = u64;
        fn with<S: Strategy>(self, mut strategy: S) -> u64 {
            run(&self.0, &mut strategy).schedules
        }
    }
    // Each of the two makes three steps: up to its first write, to its second, to its end.
    // Main's last step starts the second of them, whose steps all come after it; before it
    // come 0, 1, 2 or 3 steps of the first: (6 over 3) + (5 over 3) + (4 over 3) + 1.
    let writes = started(vec![vec![Write(0, 1), Write(0, 2)]; 2]);
    let settings = Settings::default();
    assert_eq!(named("dfs", &settings, Count(writes)), Some(35));
}
