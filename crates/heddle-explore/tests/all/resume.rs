//! Searches that are left, between two paths or in the middle of one, and go on later: the same
//! schedules, errors and verdict as without a break.

use crate::common::generate::{Dice, Flavour, guarded, program};
use crate::common::*;
use heddle_explore::strategies::{Dfs, Dpor, ExitBlock, ExitBlockRw};
use heddle_explore::{Control, Earlier, Limits, Outcome, explore, explore_on};
use heddle_model::Strategy;
use std::cell::Cell;

/// Saves at every path.
#[derive(Default)]
struct Saver(Vec<(Vec<u64>, Outcome)>);

impl Control for Saver {
    fn wants_save(&self) -> bool {
        true
    }
    fn save(&mut self, frontier: &[u64], so_far: &Outcome) {
        self.0.push((frontier.to_vec(), so_far.clone()));
    }
}

/// Interrupts a search when it has asked this often.
struct After(Cell<u64>);

impl Control for After {
    fn interrupted(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left == 0
    }
}

/// A program and a strategy, and what they come to without a break.
struct Subject<'a, S> {
    name: &'a str,
    program: &'a Program,
    new: fn() -> S,
    whole: Outcome,
}

impl<'a, S: Strategy> Subject<'a, S> {
    fn new(name: &'a str, program: &'a Program, new: fn() -> S) -> Subject<'a, S> {
        let whole = run(program, &mut new());
        Subject {
            name,
            program,
            new,
            whole,
        }
    }

    fn left_by(&self, control: &mut dyn Control) -> Outcome {
        explore(
            &mut Toy::new(self.program.clone()),
            &mut (self.new)(),
            &mut [&mut Judge],
            &Limits::default(),
            control,
        )
    }

    /// Goes on from where a search was left to the same end.
    fn goes_on(&self, frontier: &[u64], so_far: &Outcome, when: &str) {
        let mut strategy = (self.new)();
        assert!(strategy.resume(frontier));
        let rest = explore_on(
            &mut Toy::new(self.program.clone()),
            &mut strategy,
            &mut [&mut Judge],
            &Limits::default(),
            &mut (),
            &Earlier::new(so_far.clone()),
        );
        let counts = |o: &Outcome| (findings(o), o.schedules, o.extra, o.blocked, o.complete);
        let what = || format!("{} left {when}: {:?}", self.name, self.program);
        assert_eq!(counts(&rest), counts(&self.whole), "{}", what());
        assert!(rest.found.iter().all(|f| f.confirmed), "{}", what());
    }

    fn resumes(&self) {
        let mut saver = Saver::default();
        self.left_by(&mut saver);
        let every = (saver.0.len() / 40).max(1);
        for (frontier, so_far) in saver.0.iter().step_by(every) {
            self.goes_on(frontier, so_far, "between two paths");
        }
        let choices = self.whole.choice_points;
        let every = (choices / 60).max(1) as usize;
        for at in (0..choices).step_by(every) {
            self.resumes_after(at);
        }
        assert!(!(self.new)().resume(&[1, 2, 3]));
    }

    fn resumes_after(&self, choices: u64) {
        let left = self.left_by(&mut After(Cell::new(choices)));
        let frontier = left.frontier.as_ref().expect("it can be resumed");
        let when = format!("after {choices} of {} choices", self.whole.choice_points);
        self.goes_on(frontier, &left, &when);
    }
}

#[test]
fn searches_resume_where_they_were_left() {
    let mut signals = vec![vec![Lock(0), Wait(0), Unlock(0)]; 2];
    signals.push([Lock(0), Notify(0), Unlock(0)].repeat(2));
    let nested: Vec<Op> = vec![
        Lock(0),
        Lock(1),
        Unlock(1),
        Lock(2),
        Assert(0, 0),
        Unlock(2),
        Unlock(0),
    ];
    let kept = vec![
        nested,
        vec![Lock(0), Unlock(0), Lock(2), Write(0, 1), Unlock(2)],
    ];
    for program in [counter(3), deadlock3(), started(signals), started(kept)] {
        Subject::new("exitblock", &program, ExitBlock::new).resumes();
        Subject::new("exitblock-rw", &program, ExitBlockRw::new).resumes();
        Subject::new("dfs", &program, Dfs::of_blocks).resumes();
        Subject::new("dpor", &program, Dpor::new).resumes();
        Subject::new("lazy dpor", &program, Dpor::lazy).resumes();
    }
}

/// Programs with everything that the toy machine can do; `HEDDLE_PROGRAMS` is how many.
#[test]
fn generated_searches_resume() {
    let wanted = std::env::var("HEDDLE_PROGRAMS").ok();
    let wanted = wanted.map_or(500, |n| n.parse().expect("HEDDLE_PROGRAMS is a number"));
    let mut dice = Dice(0x5eed_0f2e);
    for _ in 0..wanted {
        let flavour = Flavour::roll(&mut dice);
        let program = program(&mut dice, &flavour);
        let dpor = Subject::new("dpor", &program, Dpor::new);
        if dpor.whole.choice_points <= 3_000 {
            dpor.resumes();
            Subject::new("lazy dpor", &program, Dpor::lazy).resumes();
            Subject::new("exitblock-rw", &program, ExitBlockRw::new).resumes();
        }
    }
}

/// The same where waits are no steps, or turn out to be.
#[test]
fn generated_waits_resume() {
    let wanted = std::env::var("HEDDLE_PROGRAMS").ok();
    let wanted = wanted.map_or(500, |n| n.parse().expect("HEDDLE_PROGRAMS is a number"));
    let mut dice = Dice(0x5eed_0f2e);
    for _ in 0..wanted {
        let program = guarded(&mut dice);
        let waits = Subject::new("lazy dpor", &program, Dpor::lazy);
        if waits.whole.choice_points <= 3_000 {
            waits.resumes();
        }
    }
}
