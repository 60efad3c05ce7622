//! The order in which locks were taken on the present path, and which parts of it matter.
//!
//! Who gives a lock back comes before who takes it next: a *link*. That a link could be the
//! other way round is no reason by itself to try that. It becomes one
//! - when two steps touch the same data and only links keep them in their order (then all
//!   links between them do),
//! - when locks were nested in a cycle: then the links that kept the cycle from closing
//!   (all of them, where cycles are too many to be searched for), and
//! - when a thread waits for anything but a lock while it has one, be it for the end of a
//!   thread: then all links of the path, since whoever wants a lock may be kept from waking
//!   it by any of them.
//! - when a call that may do other things elsewhere is in a race: then all links as well.
//!
//! Lies in stacks that shrink when the search goes back, as `trace` does.

use super::resume::{Reader, Writer};
use super::trace::{NONE, Trace};
use heddle_model::Site;
use heddle_model::nests::{Budget, Level, Nests, Stack, Stacks, cycles_through};
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default)]
pub struct Locks {
    links: Vec<Link>,
    held: Vec<Held>,
    /// What threads have, or had: their stacks are these places, plus 1.
    levels: Vec<HeldLevel>,
    /// By thread.
    stacks: Vec<Stack>,
    log: Vec<Change>,
    /// Locks that calls took in their middle: if they are taken, others see half a call.
    late: Vec<Held>,
    /// One for each reason to turn all links.
    kept: Vec<()>,
    nests: Vec<Nest>,
    /// By lock: the last nest in which it was wanted, plus 1.
    last_nests: Vec<u32>,
    /// Pairs of locks that were nested anywhere in the search, one right within the other,
    /// and whether they are in a cycle.
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
struct HeldLevel {
    level: Level,
    /// The step that took the lock.
    step: u32,
}

/// With the thread and the stack that it had before.
#[derive(Clone, Copy, Debug)]
enum Change {
    Took(u32, Stack),
    Gave(u32, Held, Stack),
}

/// A thread took a lock, or wants one, while it had others.
#[derive(Clone, Copy, Debug)]
pub struct Nest {
    pub thread: u32,
    pub lock: u32,
    /// The step in which it took it; `NONE` if it never got it.
    pub step: u32,
    pub site: Site,
    held: Stack,
    /// Another nest with the same lock, plus 1.
    next: u32,
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
    levels: u32,
}

/// Steps after which the search for cycles is given up: all links are turned then.
const BUDGET: Budget = Budget::new(100_000);

impl Locks {
    pub fn tops(&self) -> LockTops {
        LockTops {
            links: self.links.len() as u32,
            log: self.log.len() as u32,
            late: self.late.len() as u32,
            kept: self.kept.len() as u32,
            nests: self.nests.len() as u32,
            levels: self.levels.len() as u32,
        }
    }

    pub fn back_to(&mut self, to: LockTops) {
        self.links.truncate(to.links as usize);
        while self.log.len() > to.log as usize {
            match self.log.pop() {
                Some(Change::Gave(at, held, stack)) => {
                    self.held.insert(at as usize, held);
                    self.stacks[held.thread as usize] = stack;
                }
                Some(Change::Took(thread, stack)) => {
                    self.held.pop();
                    self.stacks[thread as usize] = stack;
                }
                None => {}
            }
        }
        self.late.truncate(to.late as usize);
        self.kept.truncate(to.kept as usize);
        while self.nests.len() > to.nests as usize
            && let Some(nest) = self.nests.pop()
        {
            self.last_nests[nest.lock as usize] = nest.next;
        }
        self.levels.truncate(to.levels as usize);
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
        let before = self.stack(held.thread);
        self.log.push(Change::Took(held.thread, before));
        self.held.push(held);
        let stack = self.push(before, held.lock, held.step);
        self.set_stack(held.thread, stack);
    }

    pub fn give(&mut self, thread: u32, lock: u32) {
        let is_it = |h: &Held| h.thread == thread && h.lock == lock;
        if let Some(at) = self.held.iter().rposition(is_it) {
            let held = self.held.remove(at);
            let before = self.stack(thread);
            self.log.push(Change::Gave(at as u32, held, before));
            let after = self.without(before, lock);
            self.set_stack(thread, after);
        }
    }

    fn stack(&self, thread: u32) -> Stack {
        let stack = self.stacks.get(thread as usize);
        stack.copied().unwrap_or_default()
    }

    fn set_stack(&mut self, thread: u32, stack: Stack) {
        let at = thread as usize;
        if at >= self.stacks.len() {
            self.stacks.resize(at + 1, Stack::EMPTY);
        }
        self.stacks[at] = stack;
    }

    fn held_level(&self, stack: Stack) -> Option<HeldLevel> {
        let at = stack.0.checked_sub(1)?;
        Some(self.levels[at as usize])
    }

    fn push(&mut self, below: Stack, lock: u32, step: u32) -> Stack {
        let height = self.height(below) + 1;
        let level = Level {
            lock,
            below,
            height,
        };
        self.levels.push(HeldLevel { level, step });
        Stack(self.levels.len() as u32)
    }

    /// A stack without the last one of a lock.
    fn without(&mut self, stack: Stack, lock: u32) -> Stack {
        let mut above = Vec::new();
        let mut at = stack;
        while let Some(HeldLevel { level, step }) = self.held_level(at) {
            at = level.below;
            if level.lock == lock {
                break;
            }
            above.push((level.lock, step));
        }
        above
            .into_iter()
            .rev()
            .fold(at, |below, (lock, step)| self.push(below, lock, step))
    }

    pub fn held(&self) -> &[Held] {
        &self.held
    }

    pub fn holds(&self, thread: u32) -> bool {
        self.stack(thread) != Stack::EMPTY
    }

    pub fn holder(&self, lock: u32) -> Option<u32> {
        let holder = self.held.iter().find(|h| h.lock == lock);
        holder.map(|h| h.thread)
    }

    /// Notes a nest, if the thread has locks.
    pub fn nest(&mut self, thread: u32, lock: u32, step: u32, site: Site) {
        let held = self.stack(thread);
        let Some(Level { lock: outer, .. }) = self.top(held) else {
            return;
        };
        self.add_pair((outer, lock));
        let at = lock as usize;
        if at >= self.last_nests.len() {
            self.last_nests.resize(at + 1, 0);
        }
        self.nests.push(Nest {
            thread,
            lock,
            step,
            site,
            held,
            next: self.last_nests[at],
        });
        self.last_nests[at] = self.nests.len() as u32;
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

    /// Pairs further apart would be in the same cycles: what a thread had when it took the
    /// outer lock leads to that one.
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

    pub fn nests(&self) -> usize {
        self.nests.len()
    }

    /// How many nests there are that may be in cycles.
    pub fn nest_count(&self) -> usize {
        if self.cyclic { self.nests.len() } else { 0 }
    }

    /// Adds the cycles through a nest and ones before it that no path has run into. Whether
    /// these are all.
    pub fn cycles(&self, last: usize, trace: &Trace, out: &mut Vec<Cycle>) -> bool {
        let mut budget = BUDGET;
        if self.cyclic {
            let nests = Before {
                last: last as u32,
                locks: self,
                trace,
            };
            cycles_through(&nests, last as u32, &mut budget, |chain| {
                self.close(chain, out);
                false
            });
        }
        !budget.is_used_up()
    }

    fn close(&self, chain: &[u32], out: &mut Vec<Cycle>) {
        if self.confirmed.contains(&self.places(chain)) {
            return;
        }
        let mut cycle = Cycle::default();
        for (i, at) in chain.iter().enumerate() {
            let inner = &self.nests[*at as usize];
            let next = &self.nests[chain[(i + 1) % chain.len()] as usize];
            let mut held = self.levels(next.held);
            let outer = held.find(|(_, level)| level.lock == inner.lock);
            let outer = outer.and_then(|(stack, _)| self.held_level(stack));
            let outer = outer
                .expect("heddle internal error: a cycle that is none")
                .step;
            cycle
                .inner
                .extend((inner.step != NONE).then_some(inner.step));
            cycle.outer.push(outer);
            if inner.step < outer {
                cycle.pairs.push((inner.step, outer));
            }
        }
        out.push(cycle);
    }

    fn places(&self, chain: &[u32]) -> Vec<Site> {
        let mut places: Vec<Site> = chain
            .iter()
            .map(|at| self.nests[*at as usize].site)
            .collect();
        places.sort_unstable_by_key(|s| (s.method.0, s.bci));
        places
    }

    /// The path has run into the cycles that the nests from `first` on form: threads that
    /// want locks and do not get them. Whether there are any.
    pub fn confirm(&mut self, first: usize) -> bool {
        let mut any = false;
        for start in first as u32..self.nests.len() as u32 {
            let mut chain = vec![start];
            loop {
                let wanted = self.nests[chain[chain.len() - 1] as usize].lock;
                let owner = self.holder(wanted);
                let mut next = self.nests[first..].iter();
                let next = next.position(|nest| Some(nest.thread) == owner);
                match next.map(|at| (first + at) as u32) {
                    Some(next) if next == start => {
                        let places = self.places(&chain);
                        self.confirmed.insert(places);
                        any = true;
                        break;
                    }
                    Some(next) if !chain.contains(&next) => chain.push(next),
                    _ => break,
                }
            }
        }
        any
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

impl Stacks for Locks {
    fn top(&self, stack: Stack) -> Option<Level> {
        self.held_level(stack).map(|held| held.level)
    }
}

/// A nest and those before it.
struct Before<'a> {
    last: u32,
    locks: &'a Locks,
    trace: &'a Trace,
}

impl Stacks for Before<'_> {
    fn top(&self, stack: Stack) -> Option<Level> {
        self.locks.top(stack)
    }
}

impl Nests for Before<'_> {
    type Nest = u32;

    fn lock(&self, nest: u32) -> u32 {
        self.locks.nests[nest as usize].lock
    }

    fn held(&self, nest: u32) -> Stack {
        self.locks.nests[nest as usize].held
    }

    fn of(&self, lock: u32) -> impl Iterator<Item = u32> {
        let last = self.locks.last_nests.get(lock as usize);
        let before = |nest: &u32| nest.checked_sub(1);
        let all = std::iter::successors(last.and_then(before), move |nest| {
            before(&self.locks.nests[*nest as usize].next)
        });
        all.filter(|nest| *nest < self.last)
    }

    /// By the order of data: what locks order can come otherwise.
    fn can_meet(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|nest| &self.locks.nests[nest as usize]);
        let before = |a: &Nest, b: &Nest| match (a.step, b.step) {
            (NONE, _) => false,
            (a, NONE) => self.trace.reached_by_data(a, b.thread),
            (a, b) => self.trace.before_by_data(a, b),
        };
        a.thread != b.thread && !before(a, b) && !before(b, a)
    }
}
