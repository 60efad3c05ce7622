//! Search over states: on generated programs it reaches what `dfs` reaches, and programs that
//! can run for ever come to an end.

use crate::common::generate::{Dice, Flavour, program};
use crate::common::*;
use heddle_explore::strategies::{Dfs, Dpor, ExitBlock, States};
use heddle_explore::{Limits, Outcome, explore};
use heddle_model::{
    Detector, End, Event, EventMask, Findings, Mark, Rewind, Strategy, ThreadId, View,
};
use std::collections::BTreeSet;

/// How the paths of a search end.
#[derive(Default)]
struct Ends {
    states: BTreeSet<u128>,
    loops: BTreeSet<Vec<ThreadId>>,
}

impl Rewind for Ends {
    fn mark(&mut self) -> Mark {
        Mark(0)
    }
    fn rewind(&mut self, _: Mark) {}
    fn forget(&mut self, _: Mark) {}
}

impl Detector for Ends {
    fn wants(&self) -> EventMask {
        EventMask::NONE
    }

    fn event(&mut self, _: &Event, _: &dyn View, _: &mut Findings) {}

    fn end(&mut self, end: &End, view: &dyn View, _: &mut Findings) {
        match end {
            End::Repeats(threads) => drop(self.loops.insert(threads.clone())),
            _ => drop(
                self.states
                    .insert(view.state().expect("the toy knows its state")),
            ),
        }
    }
}

fn search(program: &Program, strategy: &mut impl Strategy, limits: &Limits) -> (Outcome, Ends) {
    let mut ends = Ends::default();
    let mut toy = Toy::new(program.clone());
    let outcome = explore(
        &mut toy,
        strategy,
        &mut [&mut Judge, &mut ends],
        limits,
        &mut (),
    );
    (outcome, ends)
}

#[test]
fn states_reach_what_schedules_reach() {
    let mut dice = Dice(0x57a7_0001);
    let (mut compared, mut schedules, mut paths, mut errors) = (0, 0, 0, 0);
    while compared < 2_000 {
        let flavour = Flavour::roll(&mut dice);
        let program = program(&mut dice, &flavour);
        let limits = Limits {
            schedules: Some(5_000),
            ..Limits::default()
        };
        let (dfs, expected) = search(&program, &mut Dfs::new(), &limits);
        if !dfs.complete || dfs.schedules == 1 {
            continue;
        }
        // Marks at every other depth only, so that prefixes are run again as well.
        let limits = Limits {
            mark_every: 1 + compared % 2,
            ..Limits::default()
        };
        let (states, ends) = search(&program, &mut States::new(), &limits);
        assert!(states.complete, "{program:?}");
        assert_eq!(findings(&states), findings(&dfs), "{program:?}");
        assert_eq!(ends.states, expected.states, "{program:?}");
        assert!(ends.loops.is_empty(), "{program:?}");
        assert!(states.schedules <= dfs.schedules);
        compared += 1;
        schedules += dfs.schedules;
        paths += states.paths;
        errors += dfs.found.len();
    }
    println!(
        "{compared} programs: {schedules} schedules, {paths} paths over states, {errors} errors"
    );
    assert!(errors > 200 && paths < schedules);
}

fn loops(bodies: Vec<Vec<Op>>) -> (Outcome, Vec<Vec<u32>>) {
    let program = started(bodies);
    let (outcome, ends) = search(&program, &mut States::new(), &Limits::default());
    let numbers = |threads: Vec<ThreadId>| threads.iter().map(|t| t.0).collect();
    (outcome, ends.loops.into_iter().map(numbers).collect())
}

#[test]
fn a_loop_that_somebody_ends_is_none() {
    // while (x != 1) ;   and   x = 1
    let (outcome, loops) = loops(vec![vec![Unless(0, 1, 0)], vec![Write(0, 1)]]);
    assert!(outcome.complete);
    assert_eq!(loops, Vec::<Vec<u32>>::new());
    assert!(outcome.schedules > 0);
}

#[test]
fn two_that_give_way_to_each_other_for_ever() {
    // Each hands the spoon to the other one when it has it, and neither ever stops.
    let give = |me, other| vec![Unless(0, me, 0), Write(0, other), Jump(-2)];
    let (outcome, loops) = loops(vec![give(0, 1), give(1, 0)]);
    assert!(outcome.complete);
    assert_eq!(loops, [[1, 2]]);
}

/// One lets a flag up and down until it is told to stop, the other one waits to see it up. With
/// bad luck it never does, but no loop keeps them.
#[test]
fn loops_that_can_be_left_are_not_inevitable() {
    let blinks = vec![Write(0, 1), Write(0, 0), Unless(1, 1, -2)];
    let waits = vec![Unless(0, 1, 0), Write(1, 1)];
    let program = started(vec![blinks, waits]);
    // A fair scheduler could stay, though no single round shows it.
    let (all, _) = search(&program, &mut States::new(), &Limits::default());
    assert!(!all.complete);
    let mut strategy = States::new().inevitable();
    let (all, ends) = search(&program, &mut strategy, &Limits::default());
    assert!(all.complete && ends.loops.is_empty(), "{:?}", ends.loops);

    let give = |me, other| vec![Unless(0, me, 0), Write(0, other), Jump(-2)];
    let program = started(vec![give(0, 1), give(1, 0), vec![Read(2)]]);
    let mut strategy = States::new().inevitable();
    let (all, ends) = search(&program, &mut strategy, &Limits::default());
    assert!(all.complete);
    assert_eq!(ends.loops, BTreeSet::from([vec![ThreadId(1), ThreadId(2)]]));
}

#[test]
fn a_loop_that_a_thread_makes_alone_while_the_others_have_ended() {
    let (outcome, loops) = loops(vec![vec![Unless(0, 1, 0)], vec![Write(0, 2)]]);
    assert!(outcome.complete);
    assert_eq!(loops, [[1]]);
}

/// Where nobody has a choice any more, every strategy tells that a path goes round for ever.
#[test]
fn paths_without_a_choice_go_round() {
    let endless = started(vec![vec![Lock(0), Unlock(0), Jump(-2)]]);
    let loops = BTreeSet::from([vec![ThreadId(1)]]);
    let limits = Limits::default();
    let (blocks, ends) = search(&endless, &mut ExitBlock::new(), &limits);
    assert!(blocks.complete, "{:?}", blocks.bounds);
    assert_eq!(ends.loops, loops);
    let (orders, ends) = search(&endless, &mut Dpor::new(), &limits);
    assert!(orders.complete, "{:?}", orders.bounds);
    assert_eq!(ends.loops, loops);
}
