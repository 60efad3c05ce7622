//! Lazy mutexes: two critical sections that share no data are not tried
//! in both orders for their own sake (Thomson, Donaldson: The lazy happens-before relation,
//! PPoPP 2015). The order of steps, sleepers and what covers what stay as they are: what is
//! explored is a part of what is explored with plain mutexes. What differs is which races
//! are planned for. That a lock passes from one thread to another is a *link*. A race by a
//! link alone is left as it is; a race by data that links hide is found by a second clock
//! that locks do not advance, and planned for with everything on the path up to it that
//! data does not order after what is to come later, and that can have its locks.
//!
//! Claim: whatever execution there is, one is explored that contains it up to the order of
//! links. An execution in which all threads end is then explored up to that order, which
//! no thread can observe: its final state, its output and its failed assertions are found.
//! Observations of links are treated as what they are, and turn links as data does:
//! accesses that are synchronized by them (races; also where data orders them in another
//! way), locks nested in a cycle (deadlocks; the threads are sent to where they stand before
//! each other's locks, all at once, and that is a schedule like any other), waiting for
//! something else with a lock in hand, and calls that stop in their middle because a lock is
//! taken. `locks` has the list. Where a path ends stuck, who else was blocked by it may be
//! found in fewer variants than there are.
//!
//! The claim is tested and not proved. Its symptom is known, though: a sequence that leads
//! to where everybody sleeps. Then all is explored again with plain mutexes
//! (see [`Dpor::is_lazy`]), and what was explored before does not count.
//!
//! Which classes are explored depends on the order in which sequences are planned. Several workers
//! keep to that of one (`share`). Two things they cannot know in time: what calls did in parts that come
//! before theirs (`memo`), and which cycles have been run into there, which are not tried again. Where a
//! search comes to that, one worker explores it: all at once if nothing has been shared yet, which
//! is the rule, else from the beginning.

use super::locks::Cycle;
use super::sequence::Sequence;
use super::trace::NONE;
use super::{Dpor, Ended};
use heddle_model::OpMask;

impl Dpor {
    /// Looks whether a new step gives a reason to pass locks in another order. What is
    /// `known` was planned for before.
    #[cold]
    pub(super) fn turn_links(&mut self, step: u32, nests: usize, known: bool) {
        let in_race = !self.trace.races().is_empty() || !self.trace.hidden().is_empty();
        if self.trace.step(step).loose && in_race {
            self.trace.locks.keep(&mut self.pairs);
        }
        if known {
            self.pairs.clear();
            return;
        }
        let trace = &self.trace;
        let locks = &trace.locks;
        self.pairs.extend(trace.hidden().iter().map(|b| (*b, step)));
        locks.after_kept(step, &mut self.pairs);
        locks.around_late(trace.step(step).thread, step, &mut self.pairs);
        let mut all = true;
        for nest in nests..locks.nest_count() {
            all &= locks.cycles(nest, trace, &mut self.cycles);
        }
        if !all {
            self.trace.locks.keep(&mut self.pairs);
        }
        self.turn();
    }

    /// A thread is about to wait for something else than a lock.
    pub(super) fn keep_locks(&mut self, thread: u32) {
        if self.trace.lazy && self.trace.locks.holds(thread) {
            self.trace.keep_awaited();
            self.trace.locks.keep(&mut self.pairs);
            self.turn();
        }
    }

    /// Nobody can run, for now or at all: whoever waits for something else than a lock
    /// could have had his locks first. Who waits for a lock in vain is in cycles, or
    /// perhaps in some.
    pub(super) fn turn_at_rest(&mut self) {
        if !self.trace.lazy {
            return;
        }
        let trace = &mut self.trace;
        trace.keep_awaited();
        let mut locks = std::mem::take(&mut trace.locks);
        let (tops, nests) = (locks.tops(), locks.nests());
        for thread in 0..trace.thread_count() {
            let wants = trace.thread(thread).wants();
            if let Some(lock) = wants {
                let lock = trace.places.number(lock);
                locks.nest(thread, lock, NONE, trace.thread(thread).site);
            }
        }
        let confirmed = locks.confirm(nests);
        for nest in nests..locks.nests() {
            if !locks.cycles(nest, trace, &mut self.cycles) {
                locks.keep(&mut self.pairs);
                break;
            }
        }
        for held in locks.held() {
            let mut thread = held.thread;
            for _ in 0..trace.thread_count() {
                let Some(lock) = trace.thread(thread).wants() else {
                    let last = trace.thread(held.thread).last;
                    let before = locks.before_held(held);
                    self.pairs.extend(before.map(|from| (from, last)));
                    break;
                };
                let lock = trace.places.number(lock);
                match locks.holder(lock) {
                    Some(holder) => thread = holder,
                    None => break,
                }
            }
        }
        locks.back_to(tops);
        trace.locks = locks;
        if confirmed {
            self.is_for_one();
        }
        self.turn();
    }

    /// Plans for pairs of steps to come in the other order, and for cycles to close.
    fn turn(&mut self) {
        for (earlier, later) in std::mem::take(&mut self.pairs) {
            // The links are turned even where that is not needed for the other order: in
            // the same order without them nothing is synchronized any more.
            self.pass_locks(earlier, later);
        }
        for cycle in std::mem::take(&mut self.cycles) {
            if !self.plan_cycle(&cycle) {
                for (earlier, later) in cycle.pairs {
                    self.pass_locks(earlier, later);
                }
            }
        }
    }

    /// The locks that are passed on between two steps are to be passed the other way.
    pub(super) fn pass_locks(&mut self, earlier: u32, later: u32) {
        for start in self.trace.locks.between(earlier, later, &self.trace) {
            if self.plan_without(start, later) {
                continue;
            }
            // It needs what was done under the lock. The lock itself may pass the other way
            // all the same, and then nothing synchronizes the two.
            let locks = &self.trace.locks;
            for to in locks.taken_after(start, later, &self.trace) {
                self.plan_without(start, to);
            }
        }
    }

    /// Plans for a step to come before an earlier one, if it can.
    fn plan_without(&mut self, earlier: u32, later: u32) -> bool {
        let frame = self.trace.step(earlier).frame;
        if frame == NONE {
            return false;
        }
        let without = self.trace.without(&[earlier], later, &mut self.steps);
        if !self.trace.comes_to(later, &without) || !self.meets_any(earlier, later) {
            return false;
        }
        if self.comes_too_early(earlier, later) {
            return true;
        }
        self.trace.imagine_again(later);
        self.plan(frame, Ended::Seen(later));
        true
    }

    /// Whether a step meets any of those in `self.steps`, or the one behind them. If not, it
    /// could as well come first: what follows from there is explored, or will be.
    fn meets_any(&self, earlier: u32, last: u32) -> bool {
        let print = self.trace.print(earlier);
        let meets = |step: &u32| self.trace.print(*step).meets(&print);
        meets(&last) || self.steps.iter().any(meets)
    }

    /// Plans for threads to stand before each other's locks, if they can.
    fn plan_cycle(&mut self, cycle: &Cycle) -> bool {
        let Some(first) = cycle.inner.iter().min() else {
            return false;
        };
        let frame = self.trace.step(*first).frame;
        let end = self.trace.len() as u32;
        self.trace.without(&cycle.inner, end, &mut self.steps);
        let there = |s: &u32| s < first || self.steps.contains(s);
        if frame == NONE || !cycle.outer.iter().all(there) {
            return false;
        }
        let sequence = Sequence {
            source: &self.trace,
            steps: &mut self.steps,
            last: None,
            frame,
        };
        let link = self.share.as_deref();
        let asleep = (&self.sleepers[..], self.trace.words());
        self.frames[frame as usize].plan(&mut self.forest, asleep, link, sequence);
        true
    }

    /// Something was begun in vain, which the argument for lazy mutexes does not allow for:
    /// explores all again without them.
    pub(super) fn begin_anew(&mut self) {
        let plain = Dpor {
            stops: self.stops.without(OpMask::AWAITS).without(OpMask::GATES),
            ..Dpor::new()
        };
        *self = plain;
    }
}
