//! Deadlocks in which somebody waits to be woken (Rivet, section 2.5.2): no thread can
//! run, and at least one is in a wait set, parked, or joins another.
//!
//! It is a *condition deadlock* if the program itself called `Object.wait` or
//! `Condition.await`. Then the reason is told apart for each thread:
//! - it waits for a notify that was already sent: the last one on its object came before
//!   it waited and found nobody (a lost wake-up);
//! - a notify did come while it waited, and woke another thread;
//! - it waits while it holds a lock that a thread needs to get to the notify;
//! - nobody is left to wake it.
//!
//! Everything else is a plain deadlock: who waits inside the library (a latch, a queue, a
//! future) or for a permit, cycles with a `join` in them, locks whose owner has ended, and
//! what we cannot explain at all.
//!
//! Workers of a pool that have nothing to do wait as well. They are an error only where nobody else
//! waits: nobody has shut their pool down. Else they are named in passing.
//!
//! A thread that waits only because others are in a cycle of locks, or in a loop that never
//! ends, is no case of its own: see [`crate::lock_cycle`] and [`crate::livelock`]. What
//! `signal` did to a `Condition` is not known: it moves threads from one queue of the library
//! to another.

use crate::table::SavedTable;
use crate::waits::{Chain, Manner, Wait, goes_round, is_alive, is_idle, only_locks, wait_of};
use crate::wording::{list, name, place, whereabouts};
use heddle_model::{
    Detector, End, Event, EventKind, EventMask, Finding, FindingKind, Findings, Mark, Place,
    Rewind, Site, ThreadId, View,
};

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct ConditionDeadlock {
    /// Counts waits and notifies, and never goes back: it only has to grow along a path.
    now: u64,
    /// By object, the last notifies on it.
    notifies: SavedTable<Notifies>,
    /// By thread, since when it waits; stale once it goes on.
    waits: SavedTable<u64>,
}

impl Rewind for ConditionDeadlock {
    fn mark(&mut self) -> Mark {
        // Both are marked and rewound together, so their marks have the same numbers.
        self.notifies.mark();
        self.waits.mark()
    }

    fn rewind(&mut self, to: Mark) {
        self.notifies.rewind(to);
        self.waits.rewind(to);
    }

    fn forget(&mut self, mark: Mark) {
        self.notifies.forget(mark);
        self.waits.forget(mark);
    }
}

/// The last notifies on an object: that woke nobody, and that woke somebody.
#[derive(Clone, Copy, Debug, Default)]
struct Notifies {
    missed: Option<Sent>,
    heard: Option<Sent>,
}

/// A notify: when, by whom, where.
#[derive(Clone, Copy, Debug)]
struct Sent {
    at: u64,
    by: ThreadId,
    site: Site,
}

impl Detector for ConditionDeadlock {
    fn wants(&self) -> EventMask {
        EventMask::WAIT.and(EventMask::NOTIFY)
    }

    fn event(&mut self, event: &Event, _: &dyn View, _: &mut Findings) {
        match event.kind {
            EventKind::Wait { .. } => {
                self.now += 1;
                *self.waits.entry(event.thread.0.into(), 0) = self.now;
            }
            EventKind::Notify { object, woken, .. } => {
                self.now += 1;
                let sent = Some(Sent {
                    at: self.now,
                    by: event.thread,
                    site: event.site,
                });
                let last = self.notifies.entry(object.0.into(), Notifies::default());
                match woken {
                    0 => last.missed = sent,
                    _ => last.heard = sent,
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, end: &End, view: &dyn View, out: &mut Findings) {
        if matches!(end, End::Stuck) {
            self.judge(view, out);
        }
    }
}

impl ConditionDeadlock {
    fn judge(&self, view: &dyn View, out: &mut Findings) {
        let all = (0..view.thread_count()).map(|id| ThreadId(id as u32));
        // Daemon threads may wait for ever; they count where others depend on them.
        let victims = all.filter(|&id| is_alive(view, id) && !view.is_daemon(id));
        let mut waiting = Case::default();
        let mut joining = Case::default();
        let mut unknown = Case::default();
        // What others explain: cycles of locks, loops without end.
        let mut elsewhere = false;
        for victim in victims {
            let chain = Chain::from(view, victim);
            match (chain.cycle(), chain.end) {
                (Some(cycle), _) if only_locks(&cycle) => elsewhere = true,
                (Some(cycle), _) => joining.add(&cycle),
                (None, None) => waiting.add(&chain.links),
                (None, Some(end)) if goes_round(view, end) => elsewhere = true,
                (None, Some(end)) => {
                    unknown.add(&chain.links);
                    unknown.end(end);
                }
            }
        }
        waiting.rest(view);
        // Those who wait to be woken first; the others are stuck behind them.
        waiting
            .links
            .sort_by_key(|&(thread, wait)| (wait.on().is_some(), thread));
        if !waiting.links.is_empty() {
            let on_condition = |&(thread, wait): &(ThreadId, Wait)| {
                matches!(wait, Wait::Notify(_) | Wait::Park(_))
                    && Manner::of(view, thread) == Manner::Condition
            };
            let (kind, title) = match waiting.links.iter().any(on_condition) {
                true => (FindingKind::ConditionDeadlock, "Condition deadlock"),
                false => (FindingKind::Deadlock, "Deadlock"),
            };
            let clauses = || self.clauses(&waiting, view);
            waiting.report(kind, title, clauses, view, out);
        }
        if !joining.links.is_empty() {
            let clauses = || self.clauses(&joining, view);
            joining.report(FindingKind::Deadlock, "Deadlock", clauses, view, out);
        }
        // If something else explains why nothing moves, it explains these too.
        let explained = elsewhere || !waiting.links.is_empty() || !joining.links.is_empty();
        if !explained && (!unknown.links.is_empty() || !unknown.ends.is_empty()) {
            let clauses = || self.clauses(&unknown, view);
            unknown.report(FindingKind::Deadlock, "Deadlock", clauses, view, out);
        }
    }

    fn clauses(&self, case: &Case, view: &dyn View) -> Vec<String> {
        if case.links.iter().all(|(thread, _)| is_idle(view, *thread)) && case.ends.is_empty() {
            let idle: Vec<ThreadId> = case.links.iter().map(|link| link.0).collect();
            let whom = if idle.len() == 1 { "it" } else { "them" };
            return vec![format!(
                "{}, and nobody is left to give {whom} any or to end {whom}",
                wait_for_work(&idle, view)
            )];
        }
        let left = case.links.len().saturating_sub(MOST_CLAUSES);
        let shown = case.links.iter().take(MOST_CLAUSES);
        let links = shown.map(|link| self.clause(link, case, view));
        let left = (left > 0).then(|| format!("{left} more are stuck"));
        let stuck = case.ends.iter().filter(|&&end| is_alive(view, end));
        let ends = stuck.map(|&end| {
            let at = whereabouts(view, end).map(|site| place(view, site));
            let at = at.map_or(String::new(), |at| format!(" at {at}"));
            match view.is_suspended(end) {
                true => format!("{} is suspended{at}", name(view, end)),
                false => format!("{} cannot go on{at}", name(view, end)),
            }
        });
        let idle = (!case.idle.is_empty()).then(|| wait_for_work(&case.idle, view));
        links.chain(left).chain(ends).chain(idle).collect()
    }

    /// What one thread waits for and why that does not come.
    fn clause(&self, &(thread, wait): &(ThreadId, Wait), case: &Case, view: &dyn View) -> String {
        let who = name(view, thread);
        match wait {
            Wait::Notify(_) | Wait::Park(_) => {
                let on = match wait {
                    Wait::Notify(object) | Wait::Park(Some(object)) => {
                        format!(" on {}", view.object_name(object))
                    }
                    _ => String::new(),
                };
                let how = match (Manner::of(view, thread), wait) {
                    (Manner::Library { method, at }, _) => format!("waits in {method} at {at}"),
                    (Manner::Condition, _) | (_, Wait::Notify(_)) => format!("waits{on}"),
                    _ => format!("is parked{on}"),
                };
                let behind = case.behind(thread, view);
                let why = behind.unwrap_or_else(|| self.why(thread, wait, view));
                format!("{who} {how} {why}")
            }
            Wait::Lock(object, Some(owner)) => {
                let (object, owner_name) = (view.object_name(object), name(view, owner));
                let owner_does = match wait_of(view, owner) {
                    _ if !is_alive(view, owner) => ", which has ended",
                    Some(Wait::Notify(_) | Wait::Park(_)) => ", which waits",
                    _ => "",
                };
                format!("{who} wants {object}, held by {owner_name}{owner_does}")
            }
            Wait::Lock(object, None) => {
                format!(
                    "{who} wants {}, which nobody holds",
                    view.object_name(object)
                )
            }
            Wait::Class(class, by) => {
                let class = view.place_name(Place::initialization(class));
                let class = class.split(".<").next().unwrap_or_default();
                let by = name(view, by);
                format!("{who} needs class {class}, which {by} is initializing")
            }
            Wait::Join(joined) if joined == thread => format!("{who} waits for its own end"),
            Wait::Join(joined) => format!("{who} waits for the end of {}", name(view, joined)),
        }
    }

    /// Why nobody wakes a thread.
    fn why(&self, thread: ThreadId, wait: Wait, view: &dyn View) -> String {
        let nobody = "and nobody is left to wake it".to_string();
        let Wait::Notify(object) = wait else {
            return nobody;
        };
        let since = self.waits.get(thread.0.into()).copied();
        let noted = self.notifies.get(object.0.into());
        let (Some(since), Some(noted)) = (since, noted) else {
            return nobody;
        };
        // A thread notifies, at its end, whoever waits on it: that is no code of anybody's.
        let sent = |s: &Sent| match view.frame(s.site).method.as_str() {
            "<thread>" | "<main>" => format!("the end of {}", name(view, s.by)),
            _ => format!("{} at {}", name(view, s.by), place(view, s.site)),
        };
        match (noted.missed, noted.heard) {
            (_, Some(heard)) if heard.at > since => {
                format!("and the notify of {} woke another thread", sent(&heard))
            }
            (Some(missed), _) if missed.at < since && missed.by != thread => {
                format!("for a notify that was already sent, by {}", sent(&missed))
            }
            _ => nobody,
        }
    }
}

/// Threads that are stuck together.
#[derive(Default)]
struct Case {
    links: Vec<(ThreadId, Wait)>,
    ends: Vec<ThreadId>,
    /// Those that have nothing to do, beside others that are stuck.
    idle: Vec<ThreadId>,
}

/// What each of so many threads waits for is said; in a crowd most wait for the same.
const MOST_CLAUSES: usize = 8;

/// `worker-1 and worker-2 wait for work`.
fn wait_for_work(idle: &[ThreadId], view: &dyn View) -> String {
    const MOST: usize = 3;
    let mut names: Vec<String> = idle.iter().map(|&t| name(view, t)).collect();
    if names.len() > MOST + 1 {
        let left = names.split_off(MOST).len();
        names.push(format!("{left} more"));
    }
    let wait = if idle.len() == 1 { "waits" } else { "wait" };
    format!("{} {wait} for work", list(&names))
}

impl Case {
    /// Leaves those aside that have nothing to do, unless they are all.
    fn rest(&mut self, view: &dyn View) {
        let idles =
            |&(thread, wait): &(ThreadId, Wait)| wait.on().is_none() && is_idle(view, thread);
        if !self.links.iter().all(idles) {
            let (idle, links): (Vec<_>, _) =
                std::mem::take(&mut self.links).into_iter().partition(idles);
            self.links = links;
            self.idle = idle.into_iter().map(|link| link.0).collect();
        }
    }

    fn add(&mut self, links: &[(ThreadId, Wait)]) {
        for link in links {
            if !self.links.contains(link) {
                self.links.push(*link);
            }
        }
    }

    fn end(&mut self, thread: ThreadId) {
        if !self.ends.contains(&thread) {
            self.ends.push(thread);
        }
    }

    /// If a thread that waits holds locks that others want: says so.
    fn behind(&self, thread: ThreadId, view: &dyn View) -> Option<String> {
        let mut locks: Vec<String> = Vec::new();
        let mut blocked: Vec<String> = Vec::new();
        for &(other, wait) in &self.links {
            if let Wait::Lock(object, Some(owner)) = wait
                && owner == thread
            {
                let lock = view.object_name(object);
                if !locks.contains(&lock) {
                    locks.push(lock);
                }
                blocked.push(name(view, other));
            }
        }
        if locks.is_empty() {
            return None;
        }
        let want = if blocked.len() == 1 { "wants" } else { "want" };
        Some(format!(
            "while it holds {}, which {} {want}",
            list(&locks),
            list(&blocked)
        ))
    }

    fn report(
        &self,
        kind: FindingKind,
        title: &str,
        clauses: impl FnOnce() -> Vec<String>,
        view: &dyn View,
        out: &mut Findings,
    ) {
        let mut threads: Vec<ThreadId> = self.links.iter().map(|l| l.0).collect();
        threads.extend(&self.ends);
        let places = threads.iter().filter_map(|&t| whereabouts(view, t));
        let sites: Vec<Site> = places.collect();
        let Some(lines) = out.news(view, kind, false, &sites) else {
            return;
        };
        let mut objects = Vec::new();
        for (_, wait) in &self.links {
            if let Wait::Notify(object) | Wait::Lock(object, _) | Wait::Park(Some(object)) = wait
                && !objects.contains(object)
            {
                objects.push(*object);
            }
        }
        out.add(Finding {
            threads,
            sites,
            lines,
            objects,
            ..Finding::new(kind, format!("{title}: {}", clauses().join("; ")))
        });
    }
}
