//! Deadlocks by locks alone: each thread of a cycle holds what the one before it wants.
//!
//! *Happened*: when a thread finds a lock taken, the chain of owners and what they want
//! is followed; if it comes back, the deadlock is there. Monitors and the locks of
//! `java.util.concurrent` that know their owner count alike.
//!
//! *Predicted*: ExitBlock rarely runs into a lock cycle itself, since a thread takes an
//! inner lock in the same atomic block as the outer one. Rivet (section 2.5.1) finds what
//! would have happened by *reverse lock chain analysis*: when a thread wants a lock, look
//! at its owner's last lock, that lock's owner, and so on. We keep the order of locks
//! instead: what each thread held when it took a lock, or wanted it in vain. A cycle of
//! such takings by different threads, each of a lock that the one before it held, is a
//! possible deadlock unless
//! - two of them held a common lock (a gate) that keeps them from meeting, or
//! - one was over before another one's thread was started, or that thread had waited for
//!   its end (`join`).
//!
//! This contains Rivet's analysis: its chains are such cycles of length any, and the
//! locks held need not be the *last* ones. And it is stricter in one way: Rivet's last lock
//! may have been taken and released before the outer lock was, which it takes for nested
//! (`x` then `l` in one thread, `l` inside `x` in the other is reported, though it cannot
//! deadlock). What is predicted is marked potential; a schedule must confirm it.
//!
//! The search for cycles ends after so many steps; what happens is found all the same.
//!
//! Left out: what keeps threads apart and is no lock: a semaphore, a latch, a flag.

use crate::clocks::{Clocks, Stamp};
use crate::held::Held;
use crate::ownable::Ownable;
use crate::table::{SavedList, SavedTable};
use crate::waits::{Chain, Wait, only_locks, wait_of};
use crate::wording::{name, whereabouts};
use heddle_model::nests::{Budget, Level, Nests, Stack, Stacks, cycles_through};
use heddle_model::{
    ChoicePoint, Detector, End, Event, EventKind, EventMask, Finding, FindingKind, Findings, Mark,
    ObjectId, Pause, PendingOp, Rewind, Site, ThreadId, View,
};

const BUDGET: Budget = Budget::new(100_000);

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct LockCycle {
    held: Held,
    order: Order,
    /// Cycles reported, and whether they had happened.
    reported: SavedList<(bool, Wants)>,
    ownable: Ownable,
}

/// The threads of a cycle and what each wants, sorted.
type Wants = Vec<(ThreadId, ObjectId)>;

/// In which order locks were taken on this path.
#[derive(Clone, Debug, Default)]
struct Order {
    takings: SavedList<Taking>,
    /// By lock: the last taking of it, plus 1.
    of: SavedTable<usize>,
    /// Threads know of each other by `start` and `join` alone.
    clocks: Clocks,
    /// What those who have ended knew.
    ended: SavedTable<Stamp>,
}

/// A thread took a lock while it held others.
#[derive(Clone, Copy, Debug)]
struct Taking {
    thread: ThreadId,
    lock: ObjectId,
    /// Where it took it.
    site: Site,
    /// All it held then.
    held: Stack,
    /// What it knew then.
    knew: Stamp,
    /// Another taking of the same lock, plus 1.
    next: usize,
}

impl Rewind for LockCycle {
    fn mark(&mut self) -> Mark {
        // All are marked and rewound together, so their marks have the same numbers.
        self.order.mark();
        self.reported.mark();
        self.held.mark()
    }

    fn rewind(&mut self, to: Mark) {
        self.order.rewind(to);
        self.reported.rewind(to);
        self.held.rewind(to);
    }

    fn forget(&mut self, mark: Mark) {
        self.order.forget(mark);
        self.reported.forget(mark);
        self.held.forget(mark);
    }
}

impl Detector for LockCycle {
    fn wants(&self) -> EventMask {
        let locks = EventMask::LOCK.and(EventMask::UNLOCK).and(EventMask::WAIT);
        locks.and(EventMask::THREAD).and(EventMask::WRITE)
    }

    fn event(&mut self, event: &Event, view: &dyn View, out: &mut Findings) {
        match event.kind {
            EventKind::Lock { object } => self.takes(object, event, view, out),
            // `wait` gives the monitor back; taking it again is another `Lock`.
            EventKind::Unlock { object } | EventKind::Wait { object } => {
                self.held.give_back(event.thread, object);
            }
            EventKind::Write { place, value }
                if self.ownable.sets_owner(event.site.method, view) =>
            {
                match value {
                    0 => self.held.give_back(event.thread, place.object()),
                    _ => self.takes(place.object(), event, view, out),
                }
            }
            EventKind::ThreadStart { child } => self.order.clocks.start(event.thread, child),
            EventKind::SeesEnd { of, .. } => self.order.joins(event.thread, of),
            EventKind::ThreadEnd => {
                self.order.ends(event.thread);
                // Only locks that are no monitors can be left behind.
                self.held.give_back_all(event.thread);
            }
            _ => {}
        }
    }

    fn looks_at_stops(&self) -> bool {
        true
    }

    fn pause(&mut self, at: &ChoicePoint<'_>, view: &dyn View, out: &mut Findings) {
        let stops = match at.pause {
            Pause::Blocked(_) | Pause::Waiting => true,
            Pause::Before(PendingOp::Lock(on) | PendingOp::LockWithin(on)) => {
                view.owner(on).is_some_and(|o| o != at.by)
            }
            _ => false,
        };
        if stops
            && !self.happened(at.by, view, out)
            && let Some(Wait::Lock(object, _)) = wait_of(view, at.by)
            && let Some(site) = whereabouts(view, at.by)
        {
            self.wants_lock(at.by, object, site, view, out);
        }
    }

    fn end(&mut self, end: &End, view: &dyn View, out: &mut Findings) {
        if matches!(end, End::Stuck) {
            for id in 0..view.thread_count() {
                self.happened(ThreadId(id as u32), view, out);
            }
        }
    }
}

impl LockCycle {
    fn takes(&mut self, lock: ObjectId, event: &Event, view: &dyn View, out: &mut Findings) {
        let thread = event.thread;
        if self.held.by(thread) != Stack::EMPTY {
            match view.trusted(event.site.method) {
                false => self.wants_lock(thread, lock, event.site, view, out),
                true => {
                    let own = view.own_frame(thread);
                    // Who only tries does not wait.
                    if let Some(own) = own.filter(|own| !self.ownable.only_tries(own.calls, view))
                        && !self.ownable.library_tries(thread, view)
                    {
                        self.wants_lock(thread, lock, own.site, view, out);
                    }
                }
            }
        }
        self.held.take(thread, lock);
    }

    /// Whether a thread is stuck in a cycle of locks; reports each cycle once per path.
    fn happened(&mut self, thread: ThreadId, view: &dyn View, out: &mut Findings) -> bool {
        let Some(cycle) = Chain::from(view, thread).cycle().filter(|c| only_locks(c)) else {
            return false;
        };
        let wants: Vec<(ThreadId, ObjectId)> = cycle
            .iter()
            .filter_map(|&(thread, wait)| match wait {
                Wait::Lock(object, _) => Some((thread, object)),
                _ => None,
            })
            .collect();
        let sites = wants.iter().filter_map(|w| whereabouts(view, w.0));
        let sites: Vec<Site> = sites.collect();
        if self.is_new(&wants, true)
            && let Some(lines) = out.news(view, FindingKind::LockCycle, false, &sites)
        {
            let object_name = view.object_names();
            // What each holds is what the one before it in the cycle wants.
            let clause = |i: usize| {
                let (thread, object) = wants[i];
                let (_, holds) = wants[(i + wants.len() - 1) % wants.len()];
                let (owner, _) = wants[(i + 1) % wants.len()];
                format!(
                    "{} holds {} and wants {}, held by {}",
                    name(view, thread),
                    object_name(holds),
                    object_name(object),
                    name(view, owner)
                )
            };
            let clauses: Vec<String> = (0..wants.len()).map(clause).collect();
            let message = format!("Deadlock: {}", clauses.join("; "));
            let finding = Finding {
                sites,
                lines,
                ..finding(message, &wants, false)
            };
            out.add(finding.calling(view));
        }
        true
    }

    /// A thread takes a lock, or would if it could: notes the order, and reports the
    /// cycles that it completes.
    fn wants_lock(
        &mut self,
        thread: ThreadId,
        to: ObjectId,
        site: Site,
        view: &dyn View,
        out: &mut Findings,
    ) {
        let held = self.held.by(thread);
        let taking = Taking {
            thread,
            lock: to,
            site,
            held,
            knew: self.order.clocks.look(thread),
            next: 0,
        };
        if held == Stack::EMPTY || self.held.has(held, to.0) || self.order.has(&taking) {
            return;
        }
        self.order.add(taking);
        let nests = Takings {
            order: &self.order,
            held: &self.held,
        };
        let mut cycles = Vec::new();
        let mut budget = BUDGET;
        cycles_through(&nests, taking, &mut budget, |cycle| {
            cycles.push(cycle.to_vec());
            true
        });
        for cycle in cycles.into_iter().rev() {
            self.predicted(cycle, view, out);
        }
    }

    fn predicted(&mut self, mut cycle: Vec<Taking>, view: &dyn View, out: &mut Findings) {
        let first = (0..cycle.len()).min_by_key(|&i| cycle[i].thread);
        cycle.rotate_left(first.unwrap_or(0));
        let wants: Vec<_> = cycle.iter().map(|t| (t.thread, t.lock)).collect();
        let sites: Vec<Site> = cycle.iter().map(|t| t.site).collect();
        if !self.is_new(&wants, false) {
            return;
        }
        let Some(lines) = out.news(view, FindingKind::LockCycle, true, &sites) else {
            return;
        };
        let object_name = view.object_names();
        let clause = |i: usize| {
            let (thread, to) = wants[i];
            let (_, from) = wants[(i + wants.len() - 1) % wants.len()];
            let (from, to) = (object_name(from), object_name(to));
            format!("{} takes {to} while it holds {from}", name(view, thread))
        };
        let clauses: Vec<String> = (0..wants.len()).map(clause).collect();
        let message = format!("Deadlock is possible: {}", clauses.join("; "));
        let finding = Finding {
            sites,
            lines,
            ..finding(message, &wants, true)
        };
        out.add(finding.calling(view));
    }

    /// Whether a cycle was not reported yet. That one was predicted does not keep it from
    /// happening later on the same path.
    fn is_new(&mut self, wants: &[(ThreadId, ObjectId)], happened: bool) -> bool {
        let mut key = wants.to_vec();
        key.sort();
        let known = (0..self.reported.len()).any(|at| {
            let (before, wants) = self.reported.get(at);
            *before >= happened && *wants == key
        });
        if !known {
            self.reported.push((happened, key));
        }
        !known
    }
}

impl Order {
    /// The takings of a lock.
    fn of(&self, lock: ObjectId) -> impl Iterator<Item = &Taking> {
        let last = self.of.get(u64::from(lock.0)).copied().unwrap_or(0);
        let taking = |number: usize| number.checked_sub(1).map(|at| self.takings.get(at));
        std::iter::successors(taking(last), move |t| taking(t.next))
    }

    /// Whether there is a taking that says no less: what it knew then can only have been
    /// less than what it knows now.
    fn has(&self, taking: &Taking) -> bool {
        self.of(taking.lock).any(|t| {
            t.thread == taking.thread
                && t.site == taking.site
                && t.held == taking.held
                && t.knew.by() == taking.knew.by()
        })
    }

    fn add(&mut self, mut taking: Taking) {
        let key = u64::from(taking.lock.0);
        let known = self.of.find(key);
        taking.next = known.map_or(0, |at| *self.of.at(at));
        let number = self.takings.push(taking) + 1;
        match known {
            Some(at) => *self.of.change(at) = number,
            None => _ = self.of.insert(key, number),
        }
    }

    fn ends(&mut self, thread: ThreadId) {
        let knew = self.clocks.release(thread);
        self.ended.insert(u64::from(thread.0), knew);
    }

    /// A thread sees the end of another one, and comes after it.
    fn joins(&mut self, thread: ThreadId, other: ThreadId) {
        if let Some(&knew) = self.ended.get(u64::from(other.0)) {
            self.clocks.acquire(thread, knew);
        }
    }
}

/// The takings with the stacks that they refer to.
struct Takings<'a> {
    order: &'a Order,
    held: &'a Held,
}

impl Stacks for Takings<'_> {
    fn top(&self, stack: Stack) -> Option<Level> {
        self.held.top(stack)
    }
}

impl Nests for Takings<'_> {
    type Nest = Taking;

    fn lock(&self, nest: Taking) -> u32 {
        nest.lock.0
    }

    fn held(&self, nest: Taking) -> Stack {
        nest.held
    }

    fn of(&self, lock: u32) -> impl Iterator<Item = Taking> {
        self.order.of(ObjectId(lock)).copied()
    }

    fn can_meet(&self, a: Taking, b: Taking) -> bool {
        let clocks = &self.order.clocks;
        let comes_before = |a: Taking, b: Taking| clocks.before(a.knew, b.knew);
        a.thread != b.thread && !comes_before(a, b) && !comes_before(b, a)
    }
}

impl Rewind for Order {
    fn mark(&mut self) -> Mark {
        self.takings.mark();
        self.of.mark();
        self.clocks.mark();
        self.ended.mark()
    }

    fn rewind(&mut self, to: Mark) {
        self.takings.rewind(to);
        self.of.rewind(to);
        self.clocks.rewind(to);
        self.ended.rewind(to);
    }

    fn forget(&mut self, mark: Mark) {
        self.takings.forget(mark);
        self.of.forget(mark);
        self.clocks.forget(mark);
        self.ended.forget(mark);
    }
}

fn finding(message: String, wants: &[(ThreadId, ObjectId)], potential: bool) -> Finding {
    Finding {
        threads: wants.iter().map(|w| w.0).collect(),
        objects: wants.iter().map(|w| w.1).collect(),
        potential,
        ..Finding::new(FindingKind::LockCycle, message)
    }
}
