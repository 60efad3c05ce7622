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
//! A strategy that returns [`Next::Restart`] wants all to be explored once more, in another way. Then
//! all workers stop, what they have counted is forgotten, and a new *era* begins with the whole
//! tree.
//!
//! Counts are the sums over the workers, and the same as with one. An error may be found by
//! several of them; [`merge`] leaves it to a machine to tell which are the same, since
//! machines may number methods differently.

use crate::strategies::SharedTree;
use crate::turns::{Seat, Turns};
use crate::{Bound, Earlier, Outcome};
use heddle_model::{
    Awaited, ChoicePoint, Decision, Event, EventMask, Next, OpMask, Over, Strategy, Supposed, View,
};
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
    /// What is being explored is of no use.
    stale: AtomicBool,
    schedules: AtomicU64,
    most: Option<u64>,
    /// Paths that a worker runs before it gives anything away.
    own: u64,
    /// The order in which the workers get the lock, if it is not left to the host.
    turns: Option<Arc<Turns>>,
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
    /// All is to be explored once more, for which all have to stop first; how often that was.
    anew: bool,
    era: u32,
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
        Arc::new(Pool::with_turns(workers, most, own, None))
    }

    /// The same, whose workers take turns by this seed, so that they always do the same.
    pub fn in_turns(workers: usize, own: u64, seed: u64) -> Arc<Pool> {
        let turns = Turns::new(workers, seed);
        Arc::new(Pool::with_turns(workers, None, own, Some(turns)))
    }

    fn with_turns(workers: usize, most: Option<u64>, own: u64, turns: Option<Arc<Turns>>) -> Pool {
        let state = State {
            workers,
            ..State::default()
        };
        Pool {
            state: Mutex::new(state),
            change: Condvar::new(),
            hungry: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            stale: AtomicBool::new(false),
            schedules: AtomicU64::new(0),
            most,
            own,
            turns,
        }
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

    /// All that was explored is to be explored once more, in another way.
    fn begin_anew(&self) {
        self.lock().anew = true;
        self.stale.store(true, Ordering::Relaxed);
        self.change.notify_all();
    }

    fn is_stale(&self) -> bool {
        self.stale.load(Ordering::Relaxed)
    }

    /// Whether somebody waits for a part.
    #[inline]
    fn is_hungry(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        if let Some(turns) = &self.turns {
            turns.pass(false);
        }
        self.lock_at_once()
    }

    fn lock_at_once(&self) -> MutexGuard<'_, State> {
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

    /// Waits for a part; `None` when there will not be any more. And the era that has come.
    fn take(&self) -> (Option<Vec<u64>>, u32) {
        let mut state = self.lock();
        state.idle += 1;
        loop {
            if state.over {
                self.change.notify_all();
                return (None, state.era);
            }
            let all_idle = state.idle == state.workers;
            let part = match state.anew {
                true if all_idle => Some(self.enter_era(&mut state)),
                true => None,
                false => state.parts.pop().or_else(|| state.tree.take()),
            };
            if part.is_some() {
                state.idle -= 1;
                self.tell_of_hunger(&state);
                return (part, state.era);
            }
            if all_idle {
                assert!(
                    state.tree.is_explored(),
                    "heddle internal error: a part of the search was left to nobody"
                );
                state.over = true;
                continue;
            }
            self.tell_of_hunger(&state);
            state = self.wait(state);
        }
    }

    fn tell_of_hunger(&self, state: &State) {
        let hungry = match state.tree.is_for_one() {
            true => 0,
            false => state.idle,
        };
        self.hungry.store(hungry, Ordering::Relaxed);
    }

    /// Nobody is at work any more. Who comes last begins at the root.
    fn enter_era(&self, state: &mut State) -> Vec<u64> {
        state.tree.clear_all();
        state.parts.clear();
        state.anew = false;
        state.era += 1;
        self.stale.store(false, Ordering::Relaxed);
        self.schedules.store(0, Ordering::Relaxed);
        Vec::new()
    }

    fn wait<'a>(&'a self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        if let Some(turns) = &self.turns {
            drop(state);
            turns.pass(true);
            return self.lock_at_once();
        }
        let wait = self.change.wait_timeout(state, Duration::from_millis(50));
        let (state, _) = wait.expect("heddle internal error: a worker of the search has failed");
        state
    }

    fn sit_down(&self, first: bool) -> Option<Seat> {
        self.turns.as_ref().map(|turns| turns.sit_down(first))
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
    era: u32,
    /// Kept for as long as there is anything to do.
    seat: Option<Seat>,
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
            era: 0,
            seat: None,
        }
    }

    /// One that begins at the root of the tree.
    pub fn first(inner: S, pool: Arc<Pool>) -> Worker<S> {
        let seat = pool.sit_down(true);
        Worker {
            seat,
            pool: Some(pool),
            ..Worker::alone(inner)
        }
    }

    /// One that waits for a part; `None` if it gets none.
    pub fn other(inner: S, pool: Arc<Pool>) -> Option<Worker<S>> {
        let mut worker = Worker {
            seat: pool.sit_down(false),
            pool: Some(pool.clone()),
            ..Worker::alone(inner)
        };
        worker.begin(&pool).then_some(worker)
    }

    pub fn inner(&self) -> &S {
        &self.inner
    }

    fn begin(&mut self, pool: &Pool) -> bool {
        let (part, era) = pool.take();
        if era != self.era {
            self.era = era;
            self.explore_part(&[]);
            (self.schedules, self.extra, self.blocked) = (0, 0, 0);
            (self.complete, self.counted) = (true, 0);
        }
        if let Some(part) = part.as_ref().filter(|part| !part.is_empty()) {
            self.explore_part(part);
        }
        part.is_some()
    }

    fn explore_part(&mut self, part: &[u64]) {
        assert!(
            self.inner.explore_part(part),
            "heddle internal error: a part of the search was not understood"
        );
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
        if next == Next::Restart {
            pool.begin_anew();
        }
        if next != Next::Done && !pool.is_stale() {
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
        let era = self.era;
        match self.begin(pool) {
            true => Next::Restart,
            false => {
                if era == self.era {
                    // What it counted is in the sums now.
                    self.schedules -= self.inner.schedules();
                    self.extra -= self.inner.extra();
                    self.blocked -= self.inner.blocked();
                }
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

    fn wonders(&mut self, view: &dyn View) -> Option<Supposed> {
        self.inner.wonders(view)
    }

    fn told(&mut self, answer: Option<Awaited>) {
        self.inner.told(answer);
    }

    #[inline]
    fn choose(&mut self, at: &ChoicePoint<'_>, view: &dyn View, depth: usize) -> Decision {
        self.inner.choose(at, view, depth)
    }

    fn next(&mut self, over: &Over) -> Next {
        let next = self.inner.next(over);
        match self.pool.clone() {
            None => next,
            Some(pool) => {
                let next = self.among_others(next, &pool);
                if next == Next::Done {
                    self.seat = None;
                }
                next
            }
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
