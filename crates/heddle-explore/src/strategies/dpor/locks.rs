//! The order in which locks were taken on the present path, and which parts of it matter.
//!
//! Who gives a lock back comes before who takes it next: a *link*. That a link could be the
//! other way round is no reason by itself to try that. It becomes one
//! - when two steps touch the same data and only links keep them in their order (then all
//!   links between them do),
//! - when locks were nested in a cycle: then the links that kept the cycle from closing
//!   (see `nests`), and
//! - when a thread waits for anything but a lock while it has one, be it for the end of a
//!   thread: then all links of the path, since whoever wants a lock may be kept from waking
//!   it by any of them.
//! - when a call that may do other things elsewhere is in a race: then all links as well.
//!
//! Lies in stacks that shrink when the search goes back, as `trace` does.

use super::resume::{Reader, Writer};
use super::trace::{NONE, Trace};
use heddle_model::Site;
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default)]
pub struct Locks {
    links: Vec<Link>,
    held: Vec<Held>,
    log: Vec<Change>,
    /// Locks that calls took in their middle: if they are taken, others see half a call.
    late: Vec<Held>,
    /// One for each reason to turn all links.
    kept: Vec<()>,
    nests: Vec<Nest>,
    /// What was held at nests.
    outer: Vec<Held>,
    /// Pairs of locks that were nested anywhere in the search, and whether they are in a
    /// cycle.
    pairs: BTreeSet<(u32, u32)>,
    cyclic: bool,
    /// The places of cycles that a path has run into.
    confirmed: BTreeSet<Vec<Site>>,
}

/// A lock passed from one thread to another.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub lock: u32,
    /// The step before which the other thread could have come, and the one that gave the
    /// lock back.
    pub from: u32,
    pub freed: u32,
    /// The step that took the lock.
    pub to: u32,
}

/// A thread has a lock since a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    pub thread: u32,
    pub lock: u32,
    pub step: u32,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Took,
    Gave(u32, Held),
}

/// A thread took a lock, or wants one, while it had others.
#[derive(Clone, Copy, Debug)]
pub struct Nest {
    pub thread: u32,
    pub lock: u32,
    /// The step in which it took it; `NONE` if it never got it.
    pub step: u32,
    pub site: Site,
    outer: (u32, u32),
}

/// Threads that could stand before each other's locks.
#[derive(Clone, Debug, Default)]
pub struct Cycle {
    /// The steps that took the locks that they would want, and those that they would have.
    pub inner: Vec<u32>,
    pub outer: Vec<u32>,
    /// Which of them came in the other order.
    pub pairs: Vec<(u32, u32)>,
}

/// Heights of the stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LockTops {
    links: u32,
    log: u32,
    late: u32,
    kept: u32,
    nests: u32,
    outer: u32,
}

/// Steps after which the search for cycles is given up.
const BUDGET: u32 = 20_000;

impl Locks {
    pub fn tops(&self) -> LockTops {
        LockTops {
            links: self.links.len() as u32,
            log: self.log.len() as u32,
            late: self.late.len() as u32,
            kept: self.kept.len() as u32,
            nests: self.nests.len() as u32,
            outer: self.outer.len() as u32,
        }
    }

    pub fn back_to(&mut self, to: LockTops) {
        self.links.truncate(to.links as usize);
        while self.log.len() > to.log as usize {
            match self.log.pop() {
                Some(Change::Gave(at, held)) => self.held.insert(at as usize, held),
                _ => _ = self.held.pop(),
            }
        }
        self.late.truncate(to.late as usize);
        self.kept.truncate(to.kept as usize);
        self.nests.truncate(to.nests as usize);
        self.outer.truncate(to.outer as usize);
    }

    /// From now on every link is turned. Adds those up to now.
    pub fn keep(&mut self, out: &mut Vec<(u32, u32)>) {
        self.kept.push(());
        if self.kept.len() == 1 {
            out.extend(self.links.iter().map(|l| (l.from, l.to)));
        }
    }

    /// A call has taken a lock in its middle.
    pub fn take_late(&mut self, late: Held) {
        self.late.push(late);
    }

    /// Adds pairs of a step that takes locks and others that took them, if one of both did
    /// so in its middle.
    pub fn around_late(&self, thread: u32, step: u32, out: &mut Vec<(u32, u32)>) {
        for late in &self.late {
            if late.step == step {
                out.extend(self.before_held(late).map(|from| (from, step)));
            } else if late.thread != thread && self.links_to(step).any(|l| l.lock == late.lock) {
                out.push((late.step, step));
            }
        }
    }

    /// A step has taken locks: adds the links by which it got them, if they are to be turned.
    pub fn after_kept(&self, step: u32, out: &mut Vec<(u32, u32)>) {
        if !self.kept.is_empty() {
            out.extend(self.links_to(step).map(|l| (l.from, step)));
        }
    }

    /// Whether any lock has passed from one thread to another.
    pub fn any_links(&self) -> bool {
        !self.links.is_empty()
    }

    pub fn link(&mut self, link: Link) {
        self.links.push(link);
    }

    /// A thread takes a lock in a step.
    pub fn take(&mut self, held: Held, site: Site) {
        self.nest(held.thread, held.lock, held.step, site);
        self.held.push(held);
        self.log.push(Change::Took);
    }

    pub fn give(&mut self, thread: u32, lock: u32) {
        let is_it = |h: &Held| h.thread == thread && h.lock == lock;
        if let Some(at) = self.held.iter().rposition(is_it) {
            let held = self.held.remove(at);
            self.log.push(Change::Gave(at as u32, held));
        }
    }

    pub fn held(&self) -> &[Held] {
        &self.held
    }

    pub fn holds(&self, thread: u32) -> bool {
        self.held.iter().any(|h| h.thread == thread)
    }

    pub fn holder(&self, lock: u32) -> Option<u32> {
        let holder = self.held.iter().find(|h| h.lock == lock);
        holder.map(|h| h.thread)
    }

    /// Notes a nest, if the thread has locks.
    pub fn nest(&mut self, thread: u32, lock: u32, step: u32, site: Site) {
        if !self.holds(thread) {
            return;
        }
        let from = self.outer.len() as u32;
        let mine = self.held.iter().filter(|h| h.thread == thread);
        self.outer.extend(mine);
        for at in from as usize..self.outer.len() {
            self.add_pair((self.outer[at].lock, lock));
        }
        self.nests.push(Nest {
            thread,
            lock,
            step,
            site,
            outer: (from, self.outer.len() as u32),
        });
    }

    /// What was nested, for a search that goes on later. Which cycles were confirmed is left
    /// out: their places have other numbers in another process, and to confirm them again is
    /// only more work.
    pub(super) fn save(&self, out: &mut Writer) {
        out.push(self.pairs.len());
        for (outer, inner) in &self.pairs {
            out.words(&[*outer, *inner]);
        }
    }

    pub(super) fn restore(&mut self, from: &mut Reader<'_>) -> Option<()> {
        for _ in 0..from.number()? {
            let pair = from.words()?;
            self.add_pair((*pair.first()?, *pair.get(1)?));
        }
        Some(())
    }

    fn add_pair(&mut self, pair: (u32, u32)) {
        if self.pairs.insert(pair) && !self.cyclic {
            self.cyclic = self.leads_back(pair);
        }
    }

    /// Whether a pair of locks closes a cycle of pairs.
    fn leads_back(&self, (goal, from): (u32, u32)) -> bool {
        let mut seen = BTreeSet::from([from]);
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            if at == goal {
                return true;
            }
            for &(_, to) in self.pairs.range((at, 0)..=(at, u32::MAX)) {
                if seen.insert(to) {
                    todo.push(to);
                }
            }
        }
        false
    }

    fn outer(&self, nest: &Nest) -> &[Held] {
        &self.outer[nest.outer.0 as usize..nest.outer.1 as usize]
    }

    pub fn nests(&self) -> usize {
        self.nests.len()
    }

    /// How many nests there are that may be in cycles.
    pub fn nest_count(&self) -> usize {
        if self.cyclic { self.nests.len() } else { 0 }
    }

    /// Adds the cycles through a nest and ones before it that no path has run into.
    pub fn cycles(&self, last: usize, trace: &Trace, out: &mut Vec<Cycle>) {
        if self.cyclic {
            let mut budget = BUDGET;
            self.extend(&mut vec![last], last, trace, &mut budget, out);
        }
    }

    fn extend(
        &self,
        chain: &mut Vec<usize>,
        last: usize,
        trace: &Trace,
        budget: &mut u32,
        out: &mut Vec<Cycle>,
    ) {
        let lock = self.nests[chain[chain.len() - 1]].lock;
        let first = self.outer(&self.nests[chain[0]]);
        if chain.len() > 1 && first.iter().any(|h| h.lock == lock) {
            self.close(chain, out);
            return;
        }
        for at in 0..last {
            *budget = budget.saturating_sub(1);
            if *budget == 0 {
                return;
            }
            let next = &self.nests[at];
            let holds = self.outer(next).iter().any(|h| h.lock == lock);
            if holds
                && chain
                    .iter()
                    .all(|i| self.can_meet(&self.nests[*i], next, trace))
            {
                chain.push(at);
                self.extend(chain, last, trace, budget, out);
                chain.pop();
            }
        }
    }

    /// Whether two threads can stand before their inner locks at the same time.
    fn can_meet(&self, a: &Nest, b: &Nest, trace: &Trace) -> bool {
        let gate = |h: &Held| self.outer(b).iter().any(|o| o.lock == h.lock);
        let before = |a: &Nest, b: &Nest| match (a.step, b.step) {
            (NONE, _) => false,
            (a, NONE) => trace.reached_by_data(a, b.thread),
            (a, b) => trace.before_by_data(a, b),
        };
        a.thread != b.thread && !self.outer(a).iter().any(gate) && !before(a, b) && !before(b, a)
    }

    fn close(&self, chain: &[usize], out: &mut Vec<Cycle>) {
        if self.confirmed.contains(&self.places(chain)) {
            return;
        }
        let mut cycle = Cycle::default();
        for (i, at) in chain.iter().enumerate() {
            let inner = &self.nests[*at];
            let next = &self.nests[chain[(i + 1) % chain.len()]];
            let mut outer = self.outer(next).iter();
            let outer = outer.find(|h| h.lock == inner.lock).expect("a cycle");
            cycle
                .inner
                .extend((inner.step != NONE).then_some(inner.step));
            cycle.outer.push(outer.step);
            if inner.step < outer.step {
                cycle.pairs.push((inner.step, outer.step));
            }
        }
        out.push(cycle);
    }

    fn places(&self, chain: &[usize]) -> Vec<Site> {
        let mut places: Vec<Site> = chain.iter().map(|at| self.nests[*at].site).collect();
        places.sort_unstable_by_key(|s| (s.method.0, s.bci));
        places
    }

    /// The path has run into the cycles that the nests from `first` on form: threads that
    /// want locks and do not get them.
    pub fn confirm(&mut self, first: usize) {
        for start in first..self.nests.len() {
            let mut chain = vec![start];
            loop {
                let wanted = self.nests[chain[chain.len() - 1]].lock;
                let owner = self.holder(wanted);
                let next = (first..self.nests.len()).find(|n| Some(self.nests[*n].thread) == owner);
                match next {
                    Some(next) if next == start => {
                        let places = self.places(&chain);
                        self.confirmed.insert(places);
                        break;
                    }
                    Some(next) if !chain.contains(&next) => chain.push(next),
                    _ => break,
                }
            }
        }
    }

    /// The links that keep one step before another, as the steps before which the other
    /// thread could have come. A link between steps that something else orders too is there
    /// because of others.
    pub fn between(&self, earlier: u32, later: u32, trace: &Trace) -> Vec<u32> {
        let mut starts = vec![earlier];
        let mut seen = vec![false; self.links.len()];
        let mut known = 0;
        while known < starts.len() {
            let start = starts[known];
            known += 1;
            for (i, link) in self.links.iter().enumerate() {
                let lies_between = !seen[i]
                    && link.to <= later
                    && start <= link.freed
                    && trace.before(start, link.freed)
                    && trace.before(link.to, later);
                if lies_between {
                    seen[i] = true;
                    starts.push(link.from);
                }
            }
        }
        starts.sort_unstable();
        starts.dedup();
        starts
    }

    /// The steps before another that got a lock from who took it in this one.
    pub fn taken_after(&self, from: u32, later: u32, trace: &Trace) -> Vec<u32> {
        let links = self.links.iter().filter(|l| l.from == from);
        let before = links.filter(|l| l.to < later && trace.before(l.to, later));
        before.map(|l| l.to).collect()
    }

    /// The locks that a step got from others.
    pub fn links_to(&self, step: u32) -> impl Iterator<Item = &Link> {
        let first = self.links.partition_point(|l| l.to < step);
        self.links[first..].iter().take_while(move |l| l.to == step)
    }

    /// The steps in which a lock was taken, before somebody got it, by those who passed it
    /// on to others.
    pub fn before_held(&self, held: &Held) -> impl Iterator<Item = u32> {
        let Held { lock, step, .. } = *held;
        let links = self.links.iter();
        let before = links.filter(move |l| l.lock == lock && l.to <= step);
        before.map(|l| l.from)
    }
}
