//! The strategies that sample: what the papers promise, counted over many schedules with
//! fixed seeds.

use crate::common::*;
use heddle_explore::strategies::{LeastRecent, Pct, Pos, Random};
use heddle_explore::toy::{Op, Program, Toy};
use heddle_explore::{Bound, Limits, OnError, Outcome, explore};
use heddle_model::Strategy;

fn sample(program: &Program, strategy: &mut impl Strategy, schedules: u64) -> Outcome {
    let limits = Limits {
        schedules: Some(schedules),
        errors: OnError::Count,
        ..Limits::default()
    };
    explore(
        &mut Toy::new(program.clone()),
        strategy,
        &mut [&mut Judge],
        &limits,
        &mut (),
    )
}

/// The share of schedules with an error.
fn rate(outcome: &Outcome) -> f64 {
    let shown: u64 = outcome.found.iter().map(|f| f.times).sum();
    shown as f64 / outcome.schedules as f64
}

/// Errors that take d orders to happen, with steps around them that have nothing to do
/// with it.
fn of_depth(depth: u32, padding: usize) -> Program {
    let idle = |v: u32| vec![Write(v, 1); padding];
    let (mut one, mut other) = (idle(8), idle(9));
    match depth {
        // The other comes after the one.
        1 => {
            one.push(Write(0, 1));
            other.push(Assert(0, 0));
        }
        // It comes between the one's writes.
        2 => {
            one.extend([Write(0, 1), Write(0, 0)]);
            other.push(Assert(0, 0));
        }
        // And what it wrote itself before comes after the first and before the second.
        _ => {
            one.extend([Write(0, 1), Unless(1, 1, 2), Write(2, 1)]);
            other.extend([Unless(0, 1, 2), Write(1, 1), Assert(2, 0)]);
        }
    }
    one.extend(idle(8));
    other.extend(idle(9));
    started(vec![one, other, idle(10)])
}

#[test]
fn pct_keeps_its_promise() {
    const SCHEDULES: u64 = 40_000;
    for depth in 1..=3 {
        for padding in [0, 3] {
            let program = of_depth(depth, padding);
            let outcome = sample(&program, &mut Pct::new(11, depth), SCHEDULES);
            let (n, k) = (4.0, outcome.deepest as f64);
            let promised = 1.0 / (n * k.powi(depth as i32 - 1));
            let seen = rate(&outcome);
            assert!(
                seen >= promised * 0.9,
                "depth {depth}, padding {padding}: {seen} < {promised}"
            );
        }
    }
    // Priorities alone never show what needs a change of them.
    assert_eq!(
        rate(&sample(&of_depth(2, 3), &mut Pct::new(5, 1), 4_000)),
        0.0
    );
}

#[test]
fn pos_decides_a_race_by_two_draws() {
    const SCHEDULES: u64 = 30_000;
    for between in [0u32, 4, 13] {
        // The initial thread's write comes after everything that the other does.
        let mut other = vec![Write(1, 1); between as usize];
        other.push(Assert(0, 1));
        let program = Program::new(vec![vec![Op::Start(1), Write(0, 1)], other]);
        let steps = f64::from(between) + 2.0;
        let pos = rate(&sample(&program, &mut Pos::new(3), SCHEDULES));
        let exact = 1.0 / (steps + 1.0);
        assert!(
            (pos - exact).abs() < 0.1 * exact,
            "{between}: {pos}, {exact}"
        );
        let random = rate(&sample(&program, &mut Random::new(3), SCHEDULES));
        let exact = 0.5f64.powf(steps);
        assert!(
            (random - exact).abs() < 0.01,
            "{between}: {random}, {exact}"
        );
    }
}

/// Those that are in a race draw again: with one draw for all, the writes of the two would
/// come in one of two orders nearly always.
#[test]
fn pos_draws_again_after_a_race() {
    let program = started(vec![vec![Write(0, 1), Write(0, 1)], vec![Assert(0, 0)]]);
    let outcome = sample(&program, &mut Pos::new(9), 20_000);
    assert!(rate(&outcome) > 0.25, "{}", rate(&outcome));
}

#[test]
fn samples_depend_on_the_seed_alone() {
    fn same<S: Strategy>(new: impl Fn(u64) -> S) {
        let program = of_depth(2, 2);
        let go = |seed| sample(&program, &mut new(seed), 300);
        assert_eq!(go(1), go(1));
        assert_ne!(go(1), go(2));
        // And they go on where they were left.
        let whole = go(7);
        let first = sample(&program, &mut new(7), 120);
        let mut rest = new(0);
        assert!(rest.resume(&first.frontier.expect("it can be resumed")));
        let second = sample(&program, &mut rest, 300);
        assert_eq!(second.schedules, whole.schedules);
        assert_eq!(
            first.choice_points + second.choice_points,
            whole.choice_points
        );
        assert_eq!(whole.last, second.last);
        assert!(!new(0).resume(&[1, 2, 3]));
    }
    same(Random::new);
    same(|seed| Pct::new(seed, 3));
    same(Pos::new);
}

#[test]
fn a_program_without_choices_is_complete() {
    let alone = Program::new(vec![vec![Lock(0), Write(0, 1), Unlock(0)]]);
    for outcome in [
        sample(&alone, &mut Random::new(1), 10),
        sample(&alone, &mut Pct::new(1, 3), 10),
        sample(&alone, &mut Pos::new(1), 10),
        sample(&alone, &mut LeastRecent::new(), 10),
    ] {
        assert_eq!((outcome.schedules, outcome.complete), (1, true));
    }
}

/// The one that looks has to come while another one is between its writes and none has made its
/// second. With the threads started one by one among those that run already, the first ones are
/// over by then.
#[test]
fn many_threads_begin_together_in_every_other_schedule() {
    let mut bodies = vec![vec![Write(0, 1), Write(1, 1)]; 40];
    bodies.push(vec![Unless(0, 1, 1), Assert(1, 1)]);
    let starts = (1..=bodies.len()).map(|t| Op::Start(t as u32)).collect();
    bodies.insert(0, starts);
    let program = Program::new(bodies);
    const SCHEDULES: u64 = 20_000;
    let pure = sample(&program, &mut Random::new(3), SCHEDULES);
    let other = sample(&program, &mut Random::new(3).starters_first(), SCHEDULES);
    assert_eq!(rate(&pure), 0.0);
    assert!(rate(&other) > 0.001, "{}", rate(&other));
    // The estimate of all schedules is of those alone in which each option was as likely.
    let few = started(vec![vec![Write(0, 1)], vec![Write(0, 1)]]);
    let size = |strategy: Random| {
        let mut strategy = strategy;
        sample(&few, &mut strategy, 5_000);
        strategy.size().expect("an estimate").0
    };
    let (pure, other) = (size(Random::new(3)), size(Random::new(3).starters_first()));
    assert!((pure - other).abs() < 0.05 * pure, "{pure}, {other}");
}

/// Whoever ran takes the end of the line.
#[test]
fn least_recently_run() {
    let bodies = vec![vec![Write(0, 1), Write(0, 1), Write(0, 1)]; 3];
    let outcome = sample(&started(bodies), &mut LeastRecent::new(), 10);
    let order: Vec<u32> = outcome
        .last
        .taken
        .iter()
        .map(|t| t.choice.thread().0)
        .collect();
    assert_eq!((outcome.schedules, outcome.complete), (1, false));
    assert_eq!(order, [0, 1, 0, 2, 1, 0, 3, 2, 1, 3, 2, 1, 3, 2, 3]);
}

/// A loop that waits for another thread, and one that nobody ends and that counts, so that it
/// never comes back to a state.
#[test]
fn loops_end() {
    let waits = started(vec![vec![Unless(0, 1, 0)], vec![Write(0, 1)]]);
    let endless = started(vec![vec![Read(0), Add(1, 1), Jump(-2)], vec![Write(0, 1)]]);
    fn go<S: Strategy>(program: &Program, mut strategy: S) -> Outcome {
        let limits = Limits {
            schedules: Some(20),
            steps: Some(100_000),
            ..Limits::default()
        };
        let mut toy = Toy::new(program.clone());
        explore(&mut toy, &mut strategy, &mut [&mut Judge], &limits, &mut ())
    }
    for seed in 0..3 {
        for depth in 1..4 {
            let outcome = go(&waits, Pct::new(seed, depth));
            assert_eq!(outcome.bounds, [Bound::Schedules], "depth {depth}");
        }
        let both = [Bound::Schedules, Bound::Steps];
        assert_eq!(go(&endless, Pct::new(seed, 3)).bounds, both);
        assert_eq!(go(&endless, Random::new(seed)).bounds, both);
        assert_eq!(go(&endless, Pos::new(seed)).bounds, both);
    }
    assert_eq!(go(&endless, LeastRecent::new()).bounds, [Bound::Steps]);
}
