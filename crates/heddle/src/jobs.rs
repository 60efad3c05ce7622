//! `--jobs N`: one search by several workers, each with a machine and detectors of its own,
//! in a thread of its own. The first one works on the machine that the report is made with,
//! and finds the errors of the others again there.

use crate::search::{Explored, Search, back_to_start};
use crate::signals;
use crate::terminal::Watch;
use heddle_detect::set::{Fanout, Filter};
use heddle_explore::strategies::{self, Settings, Use};
use heddle_explore::{
    Bound, Budget, Control, Earlier, Found, Limits, Outcome, Pool, Progress, Tick, Worker, explore,
    explore_on, merge,
};
use heddle_model::{Next, OpMask, Over, Strategy};
use heddle_vm::places::Places;
use heddle_vm::vm::Vm;
use std::sync::Arc;

/// Explores with `--jobs` workers.
pub fn explore_together(search: &mut Search<'_>, settings: &Settings) -> Result<Explored, String> {
    let jobs = search.args.jobs;
    let pool = Pool::new(jobs, search.limits.schedules);
    let settings = Settings {
        pool: Some(pool.clone()),
        ..settings.clone()
    };
    let limits = Limits {
        schedules: None,
        shorten: Budget::NONE,
        ..search.limits
    };
    let (name, start, filter) = (&search.name, search.start, &search.filter);
    let (vm, watch) = (&mut *search.vm, &mut *search.watch);
    let outcomes: Result<Vec<Outcome>, String> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..jobs)
            .map(|_| {
                scope.spawn(|| {
                    let boots = start.machine(Places::None);
                    let mut vm = boots.inspect_err(|_| pool.stop(Bound::Interrupt))?;
                    let job = Job {
                        vm: &mut vm,
                        watch: None,
                        filter,
                        limits,
                        pool: pool.clone(),
                    };
                    Ok::<_, String>(strategies::named(name, &settings, job).flatten())
                })
            })
            .collect();
        let first = Job {
            vm,
            watch: Some(watch),
            filter,
            limits,
            pool: pool.clone(),
        };
        let mut outcomes = vec![strategies::named(name, &settings, first).flatten()];
        for other in others {
            let joined = other.join();
            outcomes.push(joined.expect("heddle internal error: a worker has failed")?);
        }
        Ok(outcomes.into_iter().flatten().collect())
    });
    let earlier = merge(&pool, outcomes?);
    Ok(Explored {
        outcome: sum_up(search, &earlier),
        entered: true,
        parts: Vec::new(),
        by_states: false,
    })
}

/// Finds all errors again on the first machine.
fn sum_up(search: &mut Search<'_>, earlier: &Earlier) -> Outcome {
    back_to_start(search.vm);
    let mut fanout = Fanout::new(search.filter.clone());
    explore_on(
        search.vm,
        &mut Worker::alone(&mut Nothing as &mut dyn Strategy),
        &mut [&mut fanout],
        &search.limits,
        search.watch,
        earlier,
    )
}

/// One worker.
struct Job<'a> {
    vm: &'a mut Vm,
    /// The first worker's.
    watch: Option<&'a mut Watch>,
    filter: &'a Filter,
    limits: Limits,
    pool: Arc<Pool>,
}

impl Use for Job<'_> {
    type Result = Option<Outcome>;

    fn with<S: Strategy>(self, strategy: S) -> Option<Outcome> {
        let pool = self.pool.clone();
        let mut worker = match self.watch {
            Some(_) => Worker::first(strategy, pool),
            None => Worker::other(strategy, pool)?,
        };
        let mut control = Among {
            watch: self.watch,
            pool: self.pool,
        };
        let mut fanout = Fanout::new(self.filter.clone());
        Some(explore(
            self.vm,
            &mut worker,
            &mut [&mut fanout],
            &self.limits,
            &mut control,
        ))
    }
}

/// Ends a worker with the others, and tells how far all are.
struct Among<'a> {
    watch: Option<&'a mut Watch>,
    pool: Arc<Pool>,
}

impl Control for Among<'_> {
    fn tick(&mut self, progress: &Progress) -> Tick {
        let Some(watch) = &mut self.watch else {
            return Tick::GoOn;
        };
        let all = Progress {
            schedules: self.pool.schedules(),
            ..*progress
        };
        let tick = watch.tick(&all);
        if let Tick::Stop(bound) = tick {
            self.pool.stop(bound);
        }
        tick
    }

    fn time_is_up(&self) -> bool {
        let late = |watch: &&mut Watch| watch.time_is_up();
        self.interrupted() || self.watch.as_ref().is_some_and(late)
    }

    fn found(&mut self, found: &Found) {
        if let Some(watch) = &mut self.watch {
            watch.found(found);
        }
    }

    fn interrupted(&self) -> bool {
        if signals::pending() && !self.pool.stopped() {
            self.pool.stop(Bound::Interrupt);
        }
        self.pool.stopped()
    }
}

/// Explores nothing.
struct Nothing;

impl Strategy for Nothing {
    fn stops(&self) -> OpMask {
        OpMask::NONE
    }

    fn choose(
        &mut self,
        _: &heddle_model::ChoicePoint<'_>,
        _: &dyn heddle_model::View,
        _: usize,
    ) -> heddle_model::Decision {
        heddle_model::Decision::Prune
    }

    fn next(&mut self, _: &Over) -> Next {
        Next::Done
    }

    fn schedules(&self) -> u64 {
        0
    }

    fn complete(&self) -> bool {
        true
    }
}
