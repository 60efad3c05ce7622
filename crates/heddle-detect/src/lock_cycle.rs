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
//! instead: an edge from each lock a thread holds to the one it takes, or wants in vain.
//! A cycle of edges of different threads is a possible deadlock unless
//! - two of them hold a common lock (a gate) that keeps them from meeting, or
//! - one of the edges was over before another one's thread was started, or that thread had
//!   waited for its end (`join`).
//!
//! This contains Rivet's analysis: its chains are such cycles of length any, and the
//! edges need not be the *last* ones. And it is stricter in one way: Rivet's last lock
//! may have been taken and released before the outer lock was, which it takes for nested
//! (`x` then `l` in one thread, `l` inside `x` in the other is reported, though it cannot
//! deadlock). What is predicted is marked potential; a schedule must confirm it.
//!
//! Left out: what keeps threads apart and is no lock: a semaphore, a latch, a flag.

use crate::clocks::{Clocks, Stamp};
use crate::ownable::Ownable;
use crate::saved::Saved;
use crate::table::{SavedList, SavedTable};
use crate::waits::{Chain, Wait, only_locks, wait_of};
use crate::wording::{name, whereabouts};
use heddle_model::{
    ChoicePoint, Detector, End, Event, EventKind, EventMask, Finding, FindingKind, Findings, Mark,
    ObjectId, Pause, PendingOp, Place, Rewind, Site, ThreadId, View,
};

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct LockCycle {
    /// Who holds what; changes with every lock.
    held: Saved<Vec<(ThreadId, ObjectId)>>,
    order: Order,
    /// Cycles reported: their threads and wants, sorted.
    reported: Saved<Vec<Vec<(ThreadId, ObjectId)>>>,
    ownable: Ownable,
}

/// In which order locks were taken on this path.
#[derive(Clone, Debug, Default)]
struct Order {
    edges: SavedList<Edge>,
    /// By the lock that was held: the last such edge, plus 1.
    from: SavedTable<usize>,
    /// Threads know of each other by `start` and `join` alone.
    clocks: Clocks,
    /// What those who have ended knew.
    ended: SavedTable<Stamp>,
}

/// A thread took `to` while it held `from`.
#[derive(Clone, Debug)]
struct Edge {
    thread: ThreadId,
    from: ObjectId,
    to: ObjectId,
    /// Where it took `to`.
    site: Site,
    /// All it held then, `from` included.
    held: Vec<ObjectId>,
    /// What it knew then.
    knew: Stamp,
    /// Another edge from the same lock, plus 1.
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
        let threads = EventMask::THREAD.and(EventMask::ORDER);
        locks.and(threads).and(EventMask::WRITE)
    }

    fn event(&mut self, event: &Event, view: &dyn View, out: &mut Findings) {
        match event.kind {
            EventKind::Lock { object } => self.takes(object, event, view, out),
            // `wait` gives the monitor back; taking it again is another `Lock`.
            EventKind::Unlock { object } | EventKind::Wait { object } => {
                self.gives_back(event.thread, object);
            }
            EventKind::Write { place, value }
                if self.ownable.sets_owner(event.site.method, view) =>
            {
                match value {
                    0 => self.gives_back(event.thread, place.object()),
                    _ => self.takes(place.object(), event, view, out),
                }
            }
            EventKind::ThreadStart { child } => self.order.clocks.start(event.thread, child),
            EventKind::Release { place } => self.order.ends(event.thread, place, view),
            EventKind::Acquire { place } => self.order.joins(event.thread, place, view),
            EventKind::ThreadEnd => {
                // Only locks that are no monitors can be left behind.
                let thread = event.thread;
                if self.held.get().iter().any(|(t, _)| *t == thread) {
                    self.held.change().retain(|(t, _)| *t != thread);
                }
            }
            _ => {}
        }
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
        if self.held.get().iter().any(|(t, _)| *t == thread) {
            match view.trusted(event.site.method) {
                false => self.wants_lock(thread, lock, event.site, view, out),
                true => {
                    let own = view.own_frame(thread);
                    // Who only tries does not wait.
                    if let Some(own) = own.filter(|own| !self.ownable.only_tries(own.calls, view)) {
                        self.wants_lock(thread, lock, own.site, view, out);
                    }
                }
            }
        }
        self.held.change().push((thread, lock));
    }

    fn gives_back(&mut self, thread: ThreadId, lock: ObjectId) {
        let held = self.held.get();
        if let Some(at) = held.iter().rposition(|&l| l == (thread, lock)) {
            self.held.change().remove(at);
        }
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
        if self.is_new(&wants)
            && let Some(lines) = out.news(view, FindingKind::LockCycle, false, &sites)
        {
            // What each holds is what the one before it in the cycle wants.
            let clause = |i: usize| {
                let (thread, object) = wants[i];
                let (_, holds) = wants[(i + wants.len() - 1) % wants.len()];
                let (owner, _) = wants[(i + 1) % wants.len()];
                format!(
                    "{} holds {} and wants {}, held by {}",
                    name(view, thread),
                    view.object_name(holds),
                    view.object_name(object),
                    name(view, owner)
                )
            };
            let clauses: Vec<String> = (0..wants.len()).map(clause).collect();
            let message = format!("Deadlock: {}", clauses.join("; "));
            out.add(Finding {
                sites,
                lines,
                ..finding(message, &wants, false)
            });
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
        let mine = self.held.get().iter().filter(|(t, _)| *t == thread);
        let held: Vec<ObjectId> = mine.map(|(_, o)| *o).collect();
        if held.contains(&to) {
            return;
        }
        let knew = self.order.clocks.look(thread);
        for &from in &held {
            let edge = Edge {
                thread,
                from,
                to,
                site,
                held: held.clone(),
                knew,
                next: 0,
            };
            if self.order.has(&edge) {
                continue;
            }
            let mut path = vec![edge.clone()];
            if self.order.close(&mut path) {
                self.predicted(&path, view, out);
            }
            self.order.add(edge);
        }
    }

    fn predicted(&mut self, cycle: &[Edge], view: &dyn View, out: &mut Findings) {
        let mut cycle = cycle.to_vec();
        let first = (0..cycle.len())
            .min_by_key(|&i| cycle[i].thread)
            .unwrap_or(0);
        cycle.rotate_left(first);
        let wants: Vec<_> = cycle.iter().map(|e| (e.thread, e.to)).collect();
        let sites: Vec<Site> = cycle.iter().map(|e| e.site).collect();
        if !self.is_new(&wants) {
            return;
        }
        let Some(lines) = out.news(view, FindingKind::LockCycle, true, &sites) else {
            return;
        };
        let clause = |e: &Edge| {
            let (from, to) = (view.object_name(e.from), view.object_name(e.to));
            format!("{} takes {to} while it holds {from}", name(view, e.thread))
        };
        let clauses: Vec<String> = cycle.iter().map(clause).collect();
        let message = format!("Deadlock is possible: {}", clauses.join("; "));
        out.add(Finding {
            sites,
            lines,
            ..finding(message, &wants, true)
        });
    }

    fn is_new(&mut self, wants: &[(ThreadId, ObjectId)]) -> bool {
        let mut key = wants.to_vec();
        key.sort();
        if self.reported.get().contains(&key) {
            return false;
        }
        self.reported.change().push(key);
        true
    }
}

impl Order {
    /// The edges from a lock.
    fn from(&self, lock: ObjectId) -> impl Iterator<Item = &Edge> {
        let last = self.from.get(u64::from(lock.0)).copied().unwrap_or(0);
        let edge = |number: usize| number.checked_sub(1).map(|at| self.edges.get(at));
        std::iter::successors(edge(last), move |e| edge(e.next))
    }

    /// Whether there is an edge that says no less: what it knew then can only have been
    /// less than what it knows now.
    fn has(&self, edge: &Edge) -> bool {
        self.from(edge.from).any(|e| {
            e.thread == edge.thread
                && e.to == edge.to
                && e.site == edge.site
                && e.held == edge.held
                && e.knew.by() == edge.knew.by()
        })
    }

    fn add(&mut self, mut edge: Edge) {
        let key = u64::from(edge.from.0);
        let known = self.from.find(key);
        edge.next = known.map_or(0, |at| *self.from.at(at));
        let number = self.edges.push(edge) + 1;
        match known {
            Some(at) => *self.from.change(at) = number,
            None => _ = self.from.insert(key, number),
        }
    }

    /// Completes a path of edges to a cycle, if it can be.
    fn close(&self, path: &mut Vec<Edge>) -> bool {
        let (goal, at) = (path[0].from, path[path.len() - 1].to);
        if goal == at {
            return true;
        }
        for edge in self.from(at) {
            if path.iter().all(|other| self.can_meet(edge, other)) {
                path.push(edge.clone());
                if self.close(path) {
                    return true;
                }
                path.pop();
            }
        }
        false
    }

    /// Whether two threads can be inside these edges at the same time.
    fn can_meet(&self, a: &Edge, b: &Edge) -> bool {
        a.thread != b.thread
            && !a.held.iter().any(|lock| b.held.contains(lock))
            && !self.clocks.before(a.knew, b.knew)
            && !self.clocks.before(b.knew, a.knew)
    }

    /// A thread releases something: its own death, if it is that.
    fn ends(&mut self, thread: ThreadId, place: Place, view: &dyn View) {
        let key = u64::from(thread.0);
        if view.thread_of(place.object()) == Some(thread) && self.ended.find(key).is_none() {
            let knew = self.clocks.release(thread);
            self.ended.insert(key, knew);
        }
    }

    /// A thread acquires something: if it is the death of another, it comes after it.
    fn joins(&mut self, thread: ThreadId, place: Place, view: &dyn View) {
        let of = view.thread_of(place.object());
        if let Some(&knew) = of.and_then(|of| self.ended.get(u64::from(of.0))) {
            self.clocks.acquire(thread, knew);
        }
    }
}

impl Rewind for Order {
    fn mark(&mut self) -> Mark {
        self.edges.mark();
        self.from.mark();
        self.clocks.mark();
        self.ended.mark()
    }

    fn rewind(&mut self, to: Mark) {
        self.edges.rewind(to);
        self.from.rewind(to);
        self.clocks.rewind(to);
        self.ended.rewind(to);
    }

    fn forget(&mut self, mark: Mark) {
        self.edges.forget(mark);
        self.from.forget(mark);
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
