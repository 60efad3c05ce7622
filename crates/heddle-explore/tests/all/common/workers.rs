//! A search of the toy machine by several workers, or by one.

use super::classes::Recorded;
use super::*;
use heddle_explore::strategies::Dfs;
use heddle_explore::{Control, Earlier, OnError, Pool, Worker, explore_on, merge};
use std::collections::BTreeSet;
use std::sync::Arc;

pub struct Together {
    pub outcome: Outcome,
    pub finals: BTreeSet<(bool, Vec<u32>)>,
    pub classes: BTreeSet<Vec<u64>>,
    /// How many of the workers had something to do.
    pub busy: usize,
}

struct Watch(Arc<Pool>);

impl Control for Watch {
    fn interrupted(&self) -> bool {
        self.0.stopped()
    }
}

fn work<S: Strategy>(
    program: &Program,
    mut worker: Worker<S>,
    pool: &Arc<Pool>,
) -> (Outcome, Recorded) {
    let mut machine = Recorded::new(Toy::new(program.clone()));
    let mut watch = Watch(pool.clone());
    let limits = Limits {
        errors: OnError::Count,
        ..Limits::default()
    };
    let outcome = explore(
        &mut machine,
        &mut worker,
        &mut [&mut Judge],
        &limits,
        &mut watch,
    );
    (outcome, machine)
}

pub fn together<S: Strategy>(
    program: &Program,
    jobs: usize,
    most: Option<u64>,
    new: impl Fn(Arc<Pool>) -> S + Sync,
) -> Together {
    // As often as they can.
    giving(program, jobs, most, 1, new)
}

pub fn giving<S: Strategy>(
    program: &Program,
    jobs: usize,
    most: Option<u64>,
    own: u64,
    new: impl Fn(Arc<Pool>) -> S + Sync,
) -> Together {
    pooled(program, Pool::giving(jobs, most, own), jobs, new)
}

/// The same by a pool.
pub fn pooled<S: Strategy>(
    program: &Program,
    pool: Arc<Pool>,
    jobs: usize,
    new: impl Fn(Arc<Pool>) -> S + Sync,
) -> Together {
    let results: Vec<Option<(Outcome, Recorded)>> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..jobs)
            .map(|_| {
                scope.spawn(|| {
                    let worker = Worker::other(new(pool.clone()), pool.clone())?;
                    Some(work(program, worker, &pool))
                })
            })
            .collect();
        let first = Worker::first(new(pool.clone()), pool.clone());
        let first = work(program, first, &pool);
        let others = others.into_iter().map(|o| o.join().unwrap());
        std::iter::once(Some(first)).chain(others).collect()
    });
    let mut together = Together {
        outcome: Outcome::default(),
        finals: BTreeSet::new(),
        classes: BTreeSet::new(),
        busy: 0,
    };
    let mut outcomes = Vec::new();
    for (outcome, machine) in results.into_iter().flatten() {
        together.busy += 1;
        outcomes.push(outcome);
        together.finals.extend(machine.finals);
        together.classes.extend(machine.classes);
    }
    let earlier: Earlier = merge(&pool, outcomes);
    together.outcome = explore_on(
        &mut Toy::new(program.clone()),
        &mut Dfs::new(),
        &mut [&mut Judge],
        &Limits::default(),
        &mut (),
        &earlier,
    );
    together
}

pub fn alone<S: Strategy>(program: &Program, strategy: S) -> Together {
    let pool = Pool::new(1, None);
    let (outcome, machine) = work(program, Worker::alone(strategy), &pool);
    Together {
        outcome,
        finals: machine.finals,
        classes: machine.classes,
        busy: 1,
    }
}
