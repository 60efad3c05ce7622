//! Waits that are no steps. A thread that takes a lock, finds that what it waits for is not so, and
//! waits in the lock until it is notified, to look again, might as well have come later: nobody can tell
//! (`while (owner != null) wait();`). So such a thread is not run before it would find what it wants,
//! like one before a lock that is taken; whether it waited and how often are no differences between
//! schedules. (Jonsson, Lång, Sagonas: Awaiting for Godot: stateless model checking that avoids executions
//! where nothing happens, FMCAD 2022, do that for loops that read one place.)
//!
//! The machine says what a thread would see ([`heddle_model::View::awaits`]). What has to be done
//! here is to reverse races all the same. A thread that would wait because of what another one
//! did under the lock could have come before that. If it would have had to wait there too, it could
//! have come before the one because of whom, and so on. Whether it would have to wait is foreseen from what
//! it has seen elsewhere, and from what the machine says that it would see (`questions.rs`). Where that is
//! not foreseen it is tried, and the thread is not run: the order was begun in vain, and is
//! counted as such (`looks`).
//!
//! Only with lazy mutexes, and only if it makes no difference indeed. It does, and all is explored again
//! with waits as steps, if
//! - a thread could go on that nobody would have notified if it had waited: a lost wake-up,
//! - one thread is notified and not all, and more than one other may wait there,
//! - waits have a time, or are in the same lock for another reason,
//! - what is looked at is ever written without the lock, or is changed before it is shared,
//! - threads are interrupted.
//!
//! As for lazy mutexes, that nothing is lost is tested and not proved.

use super::awaited::Looks;
use super::trace::{NONE, Stands, Without};
use super::{Dpor, Ended};
use heddle_model::{Awaited, ChoicePoint, OpMask, Pause, PendingOp, View};

/// Ways that are looked for at most to let a thread come earlier. If there are more, waits are steps.
const WAYS: usize = 32;

impl Dpor {
    /// Looks at all threads that stand before locks in which they may wait.
    pub(super) fn follow_awaits(&mut self, view: &dyn View) {
        if !self.stops.has(OpMask::AWAITS) {
            return;
        }
        for thread in 0..self.trace.thread_count() {
            let Stands::Before(PendingOp::Lock(_)) = self.trace.thread(thread).stands else {
                continue;
            };
            let machine = self.trace.names.machine(thread);
            let is_there = (machine.0 as usize) < view.thread_count();
            if let Some(awaited) = view.awaits(machine).filter(|_| is_there) {
                self.follow_await(thread, awaited);
            }
        }
    }

    fn follow_await(&mut self, thread: u32, awaited: &Awaited) {
        if !self.trace.awaited.on {
            self.trace.awaited.on = true;
            self.begins_anew |= self.trace.len() > 0 || self.schedules > 0;
            self.is_for_one();
        }
        if self.begins_anew {
            // What was written before is not known.
            return;
        }
        self.trace.awaited.matters |= self.trace.interrupts;
        let looks = self.trace.meet_awaited(thread, awaited);
        let lock = self
            .trace
            .places
            .number(crate::strategies::word::monitor(awaited.lock));
        let places: Vec<u32> = looks.iter().map(|l| l.0).collect();
        // What others have done under the lock since then may let it come earlier, though it sees
        // the same.
        let seen = u64::from(self.trace.last_use(lock)) + 1;
        let before = *self.trace.thread(thread);
        let changed = before.seen != seen;
        if before.fails != awaited.fails || changed {
            self.trace.see(thread, awaited.fails, seen, awaited.key);
        }
        if !changed {
            return;
        }
        if awaited.fails {
            let last = self.trace.len().checked_sub(1);
            let last = last.map(|last| self.trace.step(last as u32).frame);
            if last.is_some_and(|frame| frame != NONE && self.replay.passes(frame as usize)) {
                // That was planned for before.
                return;
            }
            self.come_before_writers(thread, awaited.key, lock, looks);
            return;
        }
        self.must_be_notified(thread, awaited.key, lock, &places);
    }

    /// A thread stands before a place: what is there is what others would find if they came first.
    pub(super) fn learn_value(&mut self, op: PendingOp, view: &dyn View) {
        if let PendingOp::Write(place) | PendingOp::Access { place, .. } = op
            && self.trace.awaited.on
            && let Some(value) = view.value(place)
        {
            self.trace.see_value(place, value);
        }
    }

    /// A step has taken a lock in which its thread might have had to wait, and has found what it
    /// wants.
    pub(super) fn took_awaited(&mut self, step: u32) {
        let Some(key) = self.trace.step(step).awaits else {
            return;
        };
        let Some(lock) = self.trace.lock_of(step) else {
            return;
        };
        let thread = self.trace.step(step).thread;
        let words = self.trace.print(step).words.iter();
        let places: Vec<u32> = words.filter(|w| **w & 1 == 0).copied().collect();
        self.must_be_notified(thread, key, lock, &places);
    }

    /// A thread can go on. If it had waited since before the last change of what it looks at, it would
    /// have to be notified by whoever made it.
    fn must_be_notified(&mut self, thread: u32, key: u64, lock: u32, places: &[u32]) {
        let Some(last) = self.trace.awaited.last_writer(places) else {
            return;
        };
        if self.trace.step(last).thread == thread {
            return;
        }
        let Some(from) = self.trace.section_of(last, lock) else {
            self.trace.awaited.matters = true;
            return;
        };
        let to = self.trace.end_of_section(from, lock);
        if !self.trace.awaited.is_signalled(lock, from..=to) {
            self.trace.awaited.suspect(key, lock, |s| s < from);
        }
    }

    /// A thread would have to wait: plans for it to come before what it would wait for the end of.
    fn come_before_writers(&mut self, thread: u32, key: u64, lock: u32, looks: Looks) {
        self.wish.clear();
        self.wish.push(lock | 1);
        self.wish.extend(looks.iter().map(|l| l.0));
        self.wish.sort_unstable();
        self.wish.dedup();
        let all = |_: u32| true;
        let Some(writers) = self.trace.awaited.fails_after(key, all) else {
            return;
        };
        for left_out in self.ways((thread, key), lock, writers) {
            let first = left_out[0];
            let frame = self.trace.step(first).frame;
            let end = self.trace.len() as u32;
            self.trace.without(&left_out, end, &mut self.steps);
            let stands = self.trace.imagine(thread);
            self.plan(frame, Ended::Imagined(thread, stands));
        }
    }

    /// What would have to be left out, so that a thread might not have to wait at its next step:
    /// the beginnings of critical sections, the first first. The thread waits for what was written in
    /// `writers`.
    fn ways(&mut self, (thread, key): (u32, u64), lock: u32, writers: Vec<u32>) -> Vec<Vec<u32>> {
        let end = self.trace.len() as u32;
        let begins = |dpor: &Dpor, without: &Without| dpor.trace.can_stand(thread, lock, without);
        self.ways_to(thread, key, lock, (end, writers), &begins)
    }

    /// The same for a step that the thread has made.
    fn ways_for(&mut self, step: u32, lock: u32, writers: Vec<u32>) -> Vec<Vec<u32>> {
        let thread = self.trace.step(step).thread;
        let key = self.trace.step(step).awaits.unwrap_or_default();
        let begins = |dpor: &Dpor, without: &Without| dpor.trace.comes_to(step, without);
        self.ways_to(thread, key, lock, (step, writers), &begins)
    }

    fn ways_to(
        &mut self,
        thread: u32,
        key: u64,
        lock: u32,
        (end, writers): (u32, Vec<u32>),
        begins: &dyn Fn(&Dpor, &Without) -> bool,
    ) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        let mut seen = self.more_left_out(thread, lock, &[], &writers);
        let mut next = 0;
        while next < seen.len() {
            if seen.len() > WAYS {
                self.trace.awaited.matters = true;
                break;
            }
            let left_out = seen[next].clone();
            next += 1;
            let first = left_out[0];
            if self.trace.step(first).frame == NONE {
                continue;
            }
            let mut kept = Vec::new();
            let without = self.trace.without(&left_out, end, &mut kept);
            if !begins(self, &without) {
                // Who is in a critical section there may have another lock that is needed first.
                let trace = &self.trace;
                let more = trace.sections_in_the_way(&without, (thread, lock), end);
                add(&mut seen, with_each(&left_out, more.into_iter()));
                continue;
            }
            let there = |step: u32| step < first || kept.binary_search(&step).is_ok();
            let Some(writers) = self.trace.awaited.fails_after(key, there) else {
                found.push(left_out);
                continue;
            };
            let more = self.more_left_out(thread, lock, &left_out, &writers);
            add(&mut seen, more);
        }
        found
    }

    /// What is left out, and beyond it the critical section of one of these writers.
    fn more_left_out(
        &self,
        thread: u32,
        lock: u32,
        left_out: &[u32],
        writers: &[u32],
    ) -> Vec<Vec<u32>> {
        let others = writers
            .iter()
            .filter(|w| self.trace.step(**w).thread != thread);
        let sections = others.filter_map(|w| self.trace.section_of(*w, lock));
        with_each(left_out, sections)
    }

    /// A step is to come before an earlier one, and has to wait there, as is known: plans for it to come
    /// still earlier. Whether that is so.
    pub(super) fn comes_too_early(&mut self, earlier: u32, later: u32) -> bool {
        let Some(key) = self.trace.step(later).awaits else {
            return false;
        };
        let Some(lock) = self.trace.lock_of(later) else {
            return false;
        };
        let steps = &self.steps;
        let there = |step: u32| step < earlier || steps.binary_search(&step).is_ok();
        let Some(writers) = self.trace.awaited.fails_after(key, there) else {
            return false;
        };
        for left_out in self.ways_for(later, lock, writers) {
            let frame = self.trace.step(left_out[0]).frame;
            self.trace.without(&left_out, later, &mut self.steps);
            self.trace.imagine_again(later);
            self.plan(frame, Ended::Seen(later));
        }
        true
    }

    /// How often a thread was brought to a lock to see whether it would have to wait there.
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// Whether a planned thread is not run because it would have to wait.
    pub(super) fn only_looks(&self, thread: u32) -> bool {
        self.trace.thread(thread).fails
    }

    /// A thread has come to wait. If it was not sent there, others may be able to tell.
    pub(super) fn waits_otherwise(&mut self, at: &ChoicePoint<'_>) {
        if let Pause::Waiting = at.pause
            && self.trace.awaited.on
            && let Some(object) = self.trace.ends_in_wait_set()
        {
            let lock = self
                .trace
                .places
                .number(crate::strategies::word::monitor(object));
            self.trace.awaited.wait_otherwise(lock);
        }
    }

    /// If waits make a difference, they are steps from now on.
    pub(super) fn forget_awaited(&mut self) {
        if self.trace.awaited.matters {
            self.stops = self.stops.without(OpMask::AWAITS);
            self.trace.awaited = Default::default();
        }
    }

    /// Explores all again with waits as steps, if they make a difference, or with what is known of
    /// them by now.
    pub(super) fn begin_anew_with_waits(&mut self) -> bool {
        let matters = self.trace.awaited.matters;
        if !matters && !self.begins_anew {
            return false;
        }
        if self.share.is_some() {
            // It begins with the root again: see `begin_part`.
            self.goes_on_alone();
            return true;
        }
        let mut again = Dpor {
            stops: self.stops,
            ..Dpor::lazy()
        };
        again.trace = std::mem::take(&mut self.trace).anew();
        again.forget_awaited();
        *self = again;
        true
    }
}

/// What is left out, and each of these steps beyond it.
fn with_each(left_out: &[u32], more: impl Iterator<Item = u32>) -> Vec<Vec<u32>> {
    let more = more.filter(|from| !left_out.contains(from)).map(|from| {
        let mut more = [left_out, &[from]].concat();
        more.sort_unstable();
        more
    });
    more.collect()
}

/// Adds what is not there yet.
fn add(seen: &mut Vec<Vec<u32>>, more: Vec<Vec<u32>>) {
    for one in more {
        if !seen.contains(&one) {
            seen.push(one);
        }
    }
}
