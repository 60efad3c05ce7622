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
//! - one of the threads was started only after another one of the edges was over.
//!
//! This contains Rivet's analysis: its chains are such cycles of length any, and the
//! edges need not be the *last* ones. And it is stricter in one way: Rivet's last lock
//! may have been taken and released before the outer lock was, which it takes for nested
//! (`x` then `l` in one thread, `l` inside `x` in the other is reported, though it cannot
//! deadlock). What is predicted is marked potential; a schedule must confirm it.
//!
//! Left out: the order that `join` gives. A prediction across a join is never confirmed.

use crate::saved::Saved;
use crate::waits::{Chain, Wait, only_locks};
use crate::wording::name;
use heddle_model::{
    ChoicePoint, Detector, End, Event, EventKind, EventMask, Finding, FindingKind, Findings, Mark,
    ObjectId, Pause, Rewind, Site, ThreadId, View,
};

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct LockCycle {
    held: Saved<Held>,
    order: Saved<Order>,
}

/// Who holds what; changes with every lock.
#[derive(Clone, Debug, Default)]
struct Held(Vec<(ThreadId, ObjectId)>);

/// What was learned on this path; changes rarely.
#[derive(Clone, Debug, Default)]
struct Order {
    edges: Vec<Edge>,
    starts: Vec<Start>,
    /// Cycles reported: their threads and wants, sorted.
    reported: Vec<Vec<(ThreadId, ObjectId)>>,
}

/// A thread took `to` while it held `from`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Edge {
    thread: ThreadId,
    from: ObjectId,
    to: ObjectId,
    /// Where it took `to`.
    site: Site,
    /// All it held then, `from` included.
    held: Vec<ObjectId>,
    /// How many threads had been started in all by then.
    era: usize,
}

#[derive(Clone, Copy, Debug)]
struct Start {
    parent: ThreadId,
    child: ThreadId,
}

impl Rewind for LockCycle {
    fn mark(&mut self) -> Mark {
        // Both are marked and rewound together, so their marks have the same numbers.
        self.order.mark();
        self.held.mark()
    }

    fn rewind(&mut self, to: Mark) {
        self.order.rewind(to);
        self.held.rewind(to);
    }

    fn forget(&mut self, mark: Mark) {
        self.order.forget(mark);
        self.held.forget(mark);
    }
}

impl Detector for LockCycle {
    fn wants(&self) -> EventMask {
        let locks = EventMask::LOCK.and(EventMask::UNLOCK);
        locks.and(EventMask::WAIT).and(EventMask::THREAD)
    }

    fn event(&mut self, event: &Event, view: &dyn View, out: &mut Findings) {
        match event.kind {
            EventKind::Lock { object } => {
                self.wants_lock(event.thread, object, event.site, view, out);
                self.held.change().0.push((event.thread, object));
            }
            // `wait` gives the monitor back; taking it again is another `Lock`.
            EventKind::Unlock { object } | EventKind::Wait { object } => {
                let lock = (event.thread, object);
                if let Some(at) = self.held.get().0.iter().rposition(|&l| l == lock) {
                    self.held.change().0.remove(at);
                }
            }
            EventKind::ThreadStart { child } => {
                let parent = event.thread;
                self.order.change().starts.push(Start { parent, child });
            }
            EventKind::ThreadEnd => {
                // Only locks that are no monitors can be left behind.
                let thread = event.thread;
                if self.held.get().0.iter().any(|(t, _)| *t == thread) {
                    self.held.change().0.retain(|(t, _)| *t != thread);
                }
            }
            _ => {}
        }
    }

    fn pause(&mut self, at: &ChoicePoint<'_>, view: &dyn View, out: &mut Findings) {
        let stops = matches!(at.pause, Pause::Blocked(_) | Pause::Waiting);
        let happened = stops && self.happened(at.by, view, out);
        if let Pause::Blocked(object) = at.pause
            && !happened
            && let Some(site) = view.stack(at.by).first()
        {
            self.wants_lock(at.by, object, *site, view, out);
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
        let stands = |(thread, _): &(ThreadId, ObjectId)| view.stack(*thread).first().copied();
        let sites: Vec<Site> = wants.iter().filter_map(stands).collect();
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
        let mine = self.held.get().0.iter().filter(|(t, _)| *t == thread);
        let held: Vec<ObjectId> = mine.map(|(_, o)| *o).collect();
        if held.contains(&to) {
            return;
        }
        for &from in &held {
            let era = self.order.get().starts.len();
            let held = held.clone();
            let edge = Edge {
                thread,
                from,
                to,
                site,
                held,
                era,
            };
            let same = |e: &Edge| {
                e.thread == thread
                    && e.from == from
                    && e.to == to
                    && e.site == site
                    && e.held == edge.held
                    && e.era == era
            };
            if self.order.get().edges.iter().any(same) {
                continue;
            }
            let mut path = vec![edge.clone()];
            if self.order.get().close(&mut path) {
                self.predicted(&path, view, out);
            }
            self.order.change().edges.push(edge);
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
        if self.order.get().reported.contains(&key) {
            return false;
        }
        self.order.change().reported.push(key);
        true
    }
}

impl Order {
    /// Completes a path of edges to a cycle, if it can be.
    fn close(&self, path: &mut Vec<Edge>) -> bool {
        let (goal, at) = (path[0].from, path[path.len() - 1].to);
        if goal == at {
            return true;
        }
        for edge in self.edges.iter().filter(|e| e.from == at) {
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
            && !self.before(a, b.thread)
            && !self.before(b, a.thread)
    }

    /// Whether an edge was over before a thread, or one that led to it, was started by
    /// the edge's thread.
    fn before(&self, edge: &Edge, thread: ThreadId) -> bool {
        let mut child = thread;
        // Each thread is started once, by one that was there before it.
        while let Some(at) = self.starts.iter().position(|s| s.child == child) {
            if self.starts[at].parent == edge.thread {
                return edge.era <= at;
            }
            child = self.starts[at].parent;
        }
        false
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
