//! A search by several workers, each with a machine of its own.
//!
//! Who has nothing to do waits at the [`Pool`]; whoever is at work sees that and gives a part
//! of its own tree away: a prefix of a schedule, and what is left to explore behind it. The
//! parts are as large as can be, since they are taken as near to the root as there is
//! anything left. Depth-first searches give whole branches ([`Strategy::split`]). Under dpor
//! what is explored in one branch may call for others beside it and above it, so there the
//! workers share the choices that they have in common, and what is planned at them
//! (`dpor/share.rs`).
//!
//! Counts are the sums over the workers, and the same as with one. An error may be found by
//! several of them; [`merge`] leaves it to a machine to tell which are the same, since
//! machines may number methods differently.

use crate::strategies::SharedTree;
use crate::{Bound, Earlier, Outcome};
use heddle_model::{ChoicePoint, Decision, Event, EventMask, Next, OpMask, Over, Strategy, View};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// What the workers of one search share.
#[derive(Debug)]
pub struct Pool {
    state: Mutex<State>,
    change: Condvar,
    /// Workers that wait, and more than there is for them.
    hungry: AtomicUsize,
    stopped: AtomicBool,
    schedules: AtomicU64,
    most: Option<u64>,
    /// Paths that a worker runs before it gives anything away.
    own: u64,
}

/// What [`Pool::own`] is.
const OWN: u64 = 64;

#[derive(Debug, Default)]
pub(crate) struct State {
    parts: Vec<Vec<u64>>,
    /// What workers under dpor have in common.
    pub(crate) tree: SharedTree,
    workers: usize,
    idle: usize,
    /// What ended the search early.
    bound: Option<Bound>,
    over: bool,
}

impl Pool {
    /// For so many workers, and at most so many schedules.
    pub fn new(workers: usize, most: Option<u64>) -> Arc<Pool> {
        Pool::giving(workers, most, OWN)
    }

    /// The same, whose workers run so many paths of their own before they give anything
    /// away.
    pub fn giving(workers: usize, most: Option<u64>, own: u64) -> Arc<Pool> {
        let state = State {
            workers,
            ..State::default()
        };
        Arc::new(Pool {
            state: Mutex::new(state),
            change: Condvar::new(),
            hungry: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            schedules: AtomicU64::new(0),
            most,
            own,
        })
    }

    /// Schedules that all workers have explored.
    pub fn schedules(&self) -> u64 {
        self.schedules.load(Ordering::Relaxed)
    }

    /// Ends the search.
    pub fn stop(&self, bound: Bound) {
        let mut state = self.lock();
        state.bound.get_or_insert(bound);
        state.over = true;
        self.stopped.store(true, Ordering::Relaxed);
        self.change.notify_all();
    }

    /// Whether somebody has ended the search.
    pub fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether somebody waits for a part.
    #[inline]
    fn is_hungry(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("heddle internal error: a worker of the search has failed")
    }

    /// There may be something for those who wait.
    pub(crate) fn offer(&self, state: &State) {
        let nothing = state.parts.is_empty() && state.tree.is_explored();
        if state.idle > 0 && !nothing {
            self.hungry.store(0, Ordering::Relaxed);
            self.change.notify_all();
        }
    }

    fn give(&self, part: Vec<u64>) {
        let mut state = self.lock();
        state.parts.push(part);
        self.offer(&state);
    }

    /// Waits for a part; `None` when there will not be any more.
    fn take(&self) -> Option<Vec<u64>> {
        let mut state = self.lock();
        state.idle += 1;
        loop {
            if state.over {
                self.change.notify_all();
                return None;
            }
            let part = state.parts.pop().or_else(|| state.tree.take());
            if part.is_some() {
                state.idle -= 1;
                self.hungry.store(state.idle, Ordering::Relaxed);
                return part;
            }
            if state.idle == state.workers {
                assert!(
                    state.tree.is_explored(),
                    "heddle internal error: a part of the search was left to nobody"
                );
                state.over = true;
                continue;
            }
            self.hungry.store(state.idle, Ordering::Relaxed);
            let wait = self.change.wait_timeout(state, Duration::from_millis(50));
            (state, _) = wait.expect("heddle internal error: a worker of the search has failed");
        }
    }
}

/// A strategy as one of several workers has it.
#[derive(Debug)]
pub struct Worker<S> {
    inner: S,
    pool: Option<Arc<Pool>>,
    /// Of the parts that are done.
    schedules: u64,
    extra: u64,
    blocked: u64,
    complete: bool,
    counted: u64,
    /// Paths since something was given away.
    since: u64,
}

impl<S: Strategy> Worker<S> {
    /// The only worker.
    pub fn alone(inner: S) -> Worker<S> {
        Worker {
            inner,
            pool: None,
            schedules: 0,
            extra: 0,
            blocked: 0,
            complete: true,
            counted: 0,
            since: 0,
        }
    }

    /// One that begins at the root of the tree.
    pub fn first(inner: S, pool: Arc<Pool>) -> Worker<S> {
        let pool = Some(pool);
        Worker {
            pool,
            ..Worker::alone(inner)
        }
    }

    /// One that waits for a part; `None` if it gets none.
    pub fn other(inner: S, pool: Arc<Pool>) -> Option<Worker<S>> {
        let mut worker = Worker::first(inner, pool.clone());
        worker.begin(&pool).then_some(worker)
    }

    pub fn inner(&self) -> &S {
        &self.inner
    }

    fn begin(&mut self, pool: &Pool) -> bool {
        let Some(part) = pool.take() else {
            return false;
        };
        assert!(
            self.inner.explore_part(&part),
            "heddle internal error: a part of the search was not understood"
        );
        true
    }

    /// After a path: counts it, gives, or goes on with another part.
    #[cold]
    fn among_others(&mut self, next: Next, pool: &Pool) -> Next {
        let done = self.schedules() + self.extra();
        let new = done - self.counted;
        self.counted = done;
        let all = pool.schedules.fetch_add(new, Ordering::Relaxed) + new;
        if pool.most.is_some_and(|most| all >= most) && next != Next::Done {
            pool.stop(Bound::Schedules);
        }
        if pool.stopped() {
            return Next::Done;
        }
        if next != Next::Done {
            self.since += 1;
            if pool.is_hungry() && self.since >= pool.own {
                self.since = 0;
                if let Some(part) = self.inner.split() {
                    pool.give(part);
                }
            }
            return next;
        }
        self.schedules += self.inner.schedules();
        self.extra += self.inner.extra();
        self.blocked += self.inner.blocked();
        self.complete &= self.inner.complete();
        match self.begin(pool) {
            true => Next::Restart,
            false => {
                // What it counted is in the sums now.
                (self.schedules, self.extra, self.blocked) = (
                    self.schedules - self.inner.schedules(),
                    self.extra - self.inner.extra(),
                    self.blocked - self.inner.blocked(),
                );
                Next::Done
            }
        }
    }
}

impl<S: Strategy> Strategy for Worker<S> {
    fn stops(&self) -> OpMask {
        self.inner.stops()
    }

    fn wants(&self) -> EventMask {
        self.inner.wants()
    }

    #[inline]
    fn event(&mut self, event: &Event, view: &dyn View, depth: usize) {
        self.inner.event(event, view, depth);
    }

    #[inline]
    fn choose(&mut self, at: &ChoicePoint<'_>, view: &dyn View, depth: usize) -> Decision {
        self.inner.choose(at, view, depth)
    }

    fn next(&mut self, over: &Over) -> Next {
        let next = self.inner.next(over);
        match self.pool.clone() {
            None => next,
            Some(pool) => self.among_others(next, &pool),
        }
    }

    fn schedules(&self) -> u64 {
        self.schedules + self.inner.schedules()
    }

    fn extra(&self) -> u64 {
        self.extra + self.inner.extra()
    }

    fn blocked(&self) -> u64 {
        self.blocked + self.inner.blocked()
    }

    fn explored(&self) -> Option<f64> {
        self.inner.explored().filter(|_| self.pool.is_none())
    }

    fn left(&self, depth: usize) -> Option<usize> {
        match self.pool {
            Some(_) => None,
            None => self.inner.left(depth),
        }
    }

    fn size(&self) -> Option<(f64, f64)> {
        self.inner.size()
    }

    fn complete(&self) -> bool {
        self.complete && self.inner.complete()
    }

    fn frontier(&self) -> Option<Vec<u64>> {
        self.inner.frontier().filter(|_| self.pool.is_none())
    }

    fn resume(&mut self, frontier: &[u64]) -> bool {
        self.inner.resume(frontier)
    }
}

/// What the workers of a search have found out together. The errors are to be found again
/// by one of them (`explore_on`), which keeps one of each.
pub fn merge(pool: &Pool, outcomes: Vec<Outcome>) -> Earlier {
    let mut outcomes = outcomes.into_iter();
    let mut all = outcomes.next().unwrap_or_default();
    for one in outcomes {
        all.schedules += one.schedules;
        all.extra += one.extra;
        all.blocked += one.blocked;
        all.choice_points += one.choice_points;
        all.paths += one.paths;
        all.work += one.work;
        all.deepest = all.deepest.max(one.deepest);
        all.complete &= one.complete;
        all.bounds.extend(one.bounds);
        all.found.extend(one.found);
        for unsupported in one.unsupported {
            if all.unsupported.iter().all(|u| u.what != unsupported.what) {
                all.unsupported.push(unsupported);
            }
        }
    }
    // Whoever was told to stop says that somebody interrupted it.
    let bound = pool.lock().bound;
    if bound.is_some_and(|b| b != Bound::Interrupt) {
        all.bounds.retain(|b| *b != Bound::Interrupt);
    }
    all.bounds.extend(bound);
    all.bounds.sort();
    all.bounds.dedup();
    all.complete &= all.bounds.is_empty() && all.unsupported.is_empty();
    all.explored = None;
    all.frontier = None;
    // The first that was found comes first.
    all.found.sort_by_key(|f| f.index);
    Earlier {
        found: std::mem::take(&mut all.found),
        so_far: all,
        over: true,
    }
}
