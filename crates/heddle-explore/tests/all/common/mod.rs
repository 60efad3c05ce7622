//! Programs and detectors that several tests share.
#![allow(dead_code)]

pub mod classes;
pub mod generate;
pub mod races;
pub mod shrink;
pub mod watched;
pub mod workers;

pub use heddle_explore::toy::{Op, Program, Toy};
use heddle_explore::{Limits, Outcome, explore};
use heddle_model::{
    ChoicePoint, Detector, End, Event, EventKind, EventMask, Finding, FindingKind, Findings, Mark,
    ObjectId, Pause, Rewind, Strategy, ThreadId, View,
};

pub use Op::*;

/// Each thread reads a number under a lock and writes it back under the lock taken again.
pub fn counter(threads: usize) -> Program {
    let body = vec![
        Lock(0),
        Read(0),
        Unlock(0),
        Lock(0),
        AssertSame(0),
        Store(0, 1),
        Unlock(0),
    ];
    started(vec![body; threads])
}

/// Rivet, figure 4.1: each of `threads` threads takes each of `locks` locks once.
pub fn performance(threads: u32, locks: u32) -> Program {
    let body: Vec<Op> = (0..locks).flat_map(|l| [Lock(l), Unlock(l)]).collect();
    started(vec![body; threads as usize])
}

/// Rivet, figure 4.8.
pub fn deadlock3() -> Program {
    let nest = |a, b| vec![Lock(a), Lock(b), Unlock(b), Unlock(a)];
    started(vec![nest(0, 1), nest(1, 2), nest(2, 0)])
}

/// An initial thread that starts the others and ends.
pub fn started(bodies: Vec<Vec<Op>>) -> Program {
    Program::started(bodies)
}

/// Reports what a path ends in, and assertions that fail on it.
#[derive(Default)]
pub struct Judge;

impl Rewind for Judge {
    fn mark(&mut self) -> Mark {
        Mark(0)
    }
    fn rewind(&mut self, _: Mark) {}
    fn forget(&mut self, _: Mark) {}
}

impl Detector for Judge {
    fn wants(&self) -> EventMask {
        EventMask::THROW
    }

    fn event(&mut self, event: &Event, _: &dyn View, out: &mut Findings) {
        if let EventKind::Throw { .. } = event.kind {
            let at = format!("T{} at {}", event.thread.0, event.site.bci);
            out.add(Finding::new(FindingKind::Assertion, at));
        }
    }

    fn pause(&mut self, at: &ChoicePoint<'_>, view: &dyn View, out: &mut Findings) {
        if let Pause::Blocked(_) = at.pause
            && let Some(cycle) = cycle(view)
        {
            out.add(Finding::new(FindingKind::LockCycle, format!("{cycle:?}")));
        }
    }

    fn end(&mut self, end: &End, view: &dyn View, out: &mut Findings) {
        if *end == End::Stuck {
            if let Some(cycle) = cycle(view) {
                out.add(Finding::new(FindingKind::LockCycle, format!("{cycle:?}")));
            } else {
                let states = all(view).map(|t| view.thread(t).state).collect::<Vec<_>>();
                out.add(Finding::new(
                    FindingKind::ConditionDeadlock,
                    states.join(" "),
                ));
            }
        }
    }
}

fn all(view: &dyn View) -> impl Iterator<Item = ThreadId> {
    (0..view.thread_count() as u32).map(ThreadId)
}

/// Threads that wait for each other's locks.
fn cycle(view: &dyn View) -> Option<Vec<u32>> {
    let next = |t: ThreadId| {
        let thread = view.thread(t);
        (thread.state == "BLOCKED")
            .then_some(thread.waits_for)
            .flatten()
            .and_then(|l| view.owner(l))
    };
    for first in all(view) {
        let mut cycle = vec![first.0];
        let mut at = first;
        while let Some(to) = next(at) {
            if to == first {
                cycle.sort();
                return Some(cycle);
            }
            if cycle.contains(&to.0) {
                break;
            }
            cycle.push(to.0);
            at = to;
        }
    }
    None
}

/// Explores without bounds.
pub fn run(program: &Program, strategy: &mut impl Strategy) -> Outcome {
    explore(
        &mut Toy::new(program.clone()),
        strategy,
        &mut [&mut Judge],
        &Limits::default(),
        &mut (),
    )
}

/// The findings as kind and message, sorted.
pub fn findings(outcome: &Outcome) -> Vec<(FindingKind, String)> {
    let mut all: Vec<_> = outcome
        .found
        .iter()
        .map(|f| (f.finding.kind, f.finding.message.clone()))
        .collect();
    all.sort();
    all
}
