//! The order of steps if locks ordered nothing, and what can be run without some of them.

use super::super::locks::Held;
use super::making::Use;
use super::{Making, NONE, Order, Reasons, Step, Thread, Trace, join, reached};

impl Trace {
    /// Finds the clock of the last step, and its races, as if locks ordered nothing.
    #[cold]
    pub(super) fn order_by_data(
        &mut self,
        (reasons, ends): (Reasons, Vec<u32>),
        order: Order,
    ) -> u32 {
        let mut before = std::mem::take(&mut self.before_by_data);
        before.clear();
        before.resize(self.threads.len(), 0);
        for reason in self.all_reasons(reasons).chain(ends) {
            if reason != NONE {
                join(&mut before, self.data_clock(reason));
            }
        }
        if order == Order::After {
            for thread in &self.threads {
                if thread.last != NONE {
                    join(&mut before, self.data_clock(thread.last));
                }
            }
        }
        let mut data = std::mem::take(&mut self.space.data);
        data.sort_unstable_by(|a, b| b.cmp(a));
        data.dedup();
        self.hidden.clear();
        for &earlier in &data {
            let step = &self.steps[earlier as usize];
            if reached(&before, step.thread) < step.number {
                join(&mut before, self.data_clock(earlier));
            }
        }
        // Two accesses may be unsynchronized even where data orders them.
        let mut hidden = std::mem::take(&mut self.hidden);
        let is_hidden = |b: &&u32| !self.races.contains(b) && !self.lives_order(**b, reasons);
        hidden.extend(data.iter().filter(is_hidden));
        self.hidden = hidden;
        // A race by a lock alone is none.
        self.races.retain(|r| data.contains(r));
        for link in self.space.links.drain(..) {
            self.locks.link(link);
        }
        let clock = self.clocks.len() as u32;
        self.clocks.extend_from_slice(&before);
        self.before_by_data = before;
        self.space.data = data;
        clock
    }

    /// Notes who has which locks after the last step.
    pub(super) fn note_locks(&mut self, making: &Making, first: Option<u32>, step: u32) {
        let thread = making.thread;
        for Use { lock, takes, site } in &making.locks {
            let lock = *lock;
            if !takes {
                self.locks.give(thread, lock);
                continue;
            }
            let held = Held { thread, lock, step };
            if first != Some(lock | 1) {
                self.locks.take_late(held);
            }
            self.locks.take(held, *site);
        }
    }

    fn data_clock(&self, step: u32) -> &[u32] {
        let step = &self.steps[step as usize];
        &self.clocks[step.data_clock as usize..(step.data_clock + step.width) as usize]
    }

    /// The steps between others that can be run without some that are left out, in the
    /// order of the path: whatever data orders after what is left out is left out as well,
    /// and so are those who want a lock that somebody would not give back.
    pub fn without(&self, left_out: &[u32], end: u32, kept: &mut Vec<u32>) -> Without {
        kept.clear();
        let first = left_out.iter().min().copied().unwrap_or(end);
        let start = self.steps.get(first as usize).map(|step| step.held);
        let mut without = Without {
            from: vec![u32::MAX; self.threads.len()],
            stopped: Vec::new(),
            held: match start {
                Some(held) => self.holdings.of(held).to_vec(),
                None => self.had.clone(),
            },
        };
        if start.is_none() {
            (0..first).for_each(|at| self.use_locks(at, &mut without));
        }
        for at in first..end {
            let comes = !left_out.contains(&at) && !without.precedes(self.data_clock(at));
            let stopped = comes.then(|| self.stopped_by(at, &without)).flatten();
            if comes && stopped.is_none() {
                kept.push(at);
                self.use_locks(at, &mut without);
            } else {
                without.stopped.extend(stopped.map(|held| (at, held)));
                let step = &self.steps[at as usize];
                let from = &mut without.from[step.thread as usize];
                *from = step.number.min(*from);
            }
        }
        without
    }

    pub(super) fn uses(&self, step: u32) -> &[Use] {
        let (from, to) = self.steps[step as usize].uses;
        &self.uses[from as usize..to as usize]
    }

    fn use_locks(&self, step: u32, without: &mut Without) {
        let thread = self.steps[step as usize].thread;
        for Use { lock, takes, .. } in self.uses(step) {
            match takes {
                true => without.held.push((*lock, thread)),
                false => without.held.retain(|h| *h != (*lock, thread)),
            }
        }
    }

    /// A lock that a step wants and that is not given back, and who has it.
    fn stopped_by(&self, step: u32, without: &Without) -> Option<(u32, u32)> {
        let thread = self.steps[step as usize].thread;
        let mut wanted = self.uses(step).iter().filter(|u| u.takes);
        wanted.find_map(|u| without.other_holder(u.lock, thread))
    }

    /// The beginnings of the critical sections in which threads keep locks that others want who lead up to
    /// what is to come after the steps that are kept; or who have the lock without which that cannot
    /// begin.
    pub fn sections_in_the_way(
        &self,
        without: &Without,
        (thread, lock): (u32, u32),
        end: u32,
    ) -> Vec<u32> {
        let wanted = without.other_holder(lock, thread).map(|held| (end, held));
        let in_the_way = without.stopped.iter().copied().chain(wanted);
        let sections = in_the_way.filter_map(|(at, (lock, holder))| {
            let mut own = (0..at).rev().filter(|s| self.step(*s).thread == holder);
            own.find(|s| self.takes_lock(*s, lock))
        });
        sections.collect()
    }

    /// Whether the thread of a step comes to it without what is left out, and can begin it.
    pub fn comes_to(&self, step: u32, without: &Without) -> bool {
        let Step {
            reasons, at_rest, ..
        } = self.steps[step as usize];
        let mut known = self.all_reasons(reasons).filter(|r| *r != NONE);
        !at_rest
            && !known.any(|r| without.precedes(self.data_clock(r)))
            && self.stopped_by(step, without).is_none()
    }

    /// Whether a thread comes to where it stands without what is left out, and could have a lock.
    pub fn can_stand(&self, thread: u32, lock: u32, without: &Without) -> bool {
        let Thread { last, enabler, .. } = *self.thread(thread);
        let mut known = [last, enabler].into_iter().filter(|r| *r != NONE);
        !known.any(|r| without.precedes(self.data_clock(r)))
            && without.other_holder(lock, thread).is_none()
    }

    /// Whether a step happened before the thread of a later one came to it, if locks
    /// ordered nothing.
    pub fn before_by_data(&self, earlier: u32, later: u32) -> bool {
        let reasons = self.steps[later as usize].reasons;
        self.all_reasons(reasons).any(|r| self.led_to(earlier, r))
    }

    pub(super) fn all_reasons(&self, reasons: Reasons) -> impl Iterator<Item = u32> {
        let opened = self.gates.reasons(reasons.opened).iter().copied();
        reasons.steps.into_iter().chain(opened)
    }

    /// Whether a step happened before a thread came to where it stands, if locks ordered
    /// nothing.
    pub fn reached_by_data(&self, earlier: u32, thread: u32) -> bool {
        let Thread { last, enabler, .. } = *self.thread(thread);
        self.led_to(earlier, last) || self.led_to(earlier, enabler)
    }

    /// Whether a step happened before a later one, if locks ordered nothing where they are
    /// lazy.
    pub fn led_to(&self, earlier: u32, later: u32) -> bool {
        let earlier = &self.steps[earlier as usize];
        later != NONE && reached(self.data_clock(later), earlier.thread) >= earlier.number
    }
}

/// Steps that are left out of a path: of each thread, all from one on.
pub struct Without {
    from: Vec<u32>,
    /// The steps that could come, were it not for a lock that another one keeps: which, and who.
    stopped: Vec<(u32, (u32, u32))>,
    /// The locks that are held at the end, and by whom.
    held: Vec<(u32, u32)>,
}

impl Without {
    /// A lock and who has it, if that is another thread.
    fn other_holder(&self, lock: u32, thread: u32) -> Option<(u32, u32)> {
        let mut held = self.held.iter().copied();
        held.find(|(held, holder)| *held == lock && *holder != thread)
    }

    /// Whether any of them happened before.
    fn precedes(&self, clock: &[u32]) -> bool {
        clock.iter().zip(&self.from).any(|(c, from)| c >= from)
    }
}
