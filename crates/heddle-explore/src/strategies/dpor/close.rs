//! The end of a step: its races are planned for, and those who sleep after it are found.

use super::trace::{NONE, Stands};
use super::{Dpor, Frame, Kind, Ranges};
use heddle_model::{Pause, PendingOp};

impl Dpor {
    /// The step that was run is over: its races are planned for, and the sleepers of the
    /// next choice found.
    pub(super) fn close(&mut self, pause: Option<Pause>) {
        if !self.trace.making.active {
            // What ran before the first choice is nobody's step.
            return;
        }
        let frame = self.trace.making.frame as usize;
        let thread = self.trace.making.thread;
        if let Some(Pause::Blocked(lock)) = pause {
            let silent = self.draining || self.trace.nothing_done();
            if !matches!(
                self.trace.thread(thread).stands,
                Stands::Before(PendingOp::Lock(_) | PendingOp::LockWithin(_))
            ) {
                self.trace.stand(thread, Stands::Wants(lock));
            }
            if silent {
                return self.close_in_vain(frame);
            }
            self.trace.in_vain(lock);
        }
        if self.draining {
            return self.close_in_vain(frame);
        }
        let nests = self.trace.locks.nest_count();
        let step = self.trace.finish();
        let known = self.replay.passes(frame);
        if std::mem::take(&mut self.trace.gates.grew) {
            self.begins_anew = true;
            self.is_for_one();
        }
        self.took_awaited(step);
        if self.trace.step(step).loose {
            self.watch_races(step);
            if !known && frame >= self.floor() {
                self.drop_covered_by(frame, step);
            }
        }
        for i in 0..self.trace.races().len() {
            let earlier = self.trace.races()[i];
            match known {
                // What is not covered is planned, and is not planned again because of it.
                true => self.watch_sleepers(earlier, step),
                false => self.reverse(earlier, step),
            }
        }
        if !known {
            self.meet_watches(step);
        }
        if self.trace.lazy && self.trace.locks.any_links() {
            self.turn_links(step, nests, known);
        }
        self.step_closed(frame, step);
        self.inherit(frame, step);
        if std::mem::take(&mut self.plan_if_asleep) {
            self.drop_plan_if_awake(frame);
        }
        if !self.left.is_empty() {
            self.settle_left(frame, step);
        }
        // If nothing was known of the step and it was nothing, what was wanted is to come.
        self.absorbed |= self.unknown && self.trace.step(step).span.bits.are_silent();
    }

    /// A step that was to be explored for all that can follow has been made. If somebody sleeps
    /// all the same, because it has done less than was expected, it is explored for what was left
    /// to it, as far as that wakes everybody.
    fn drop_plan_if_awake(&mut self, frame: usize) {
        let asleep = self.frames[frame].sleepers.to as usize..self.sleepers.len();
        let asleep = &self.sleepers[asleep];
        if asleep.iter().all(|s| s.partial) {
            self.forest
                .drop_all(std::mem::replace(&mut self.plan, NONE));
        }
        for sleeper in asleep.iter().filter(|s| !s.partial && s.target == NONE) {
            let print = sleeper.span.print(self.trace.words());
            self.plan = self.forest.drop_covered(self.plan, sleeper.thread, &print);
        }
    }

    /// Nothing has happened but that a thread ran into a lock: the choice is still the same.
    fn close_in_vain(&mut self, frame: usize) {
        self.trace.abandon();
        let Ranges { from, to, .. } = self.frames[frame].sleepers;
        for i in from..to {
            self.sleepers.push(self.sleepers[i as usize]);
        }
        if self.frames[frame].kind == Kind::Forced {
            // Nobody has chosen it, and what is planned is to come.
            return;
        }
        self.plan_if_asleep = false;
        let left = std::mem::take(&mut self.left);
        self.plan_left(frame, left);
        self.absorbed = true;
        let rest = std::mem::replace(&mut self.frames[frame].tree, NONE);
        if frame < self.floor() {
            self.shared_in_vain(frame);
        }
        self.forest.drop_all(self.plan);
        self.plan = rest;
        let Frame { taken, in_vain, .. } = &mut self.frames[frame];
        *in_vain = std::mem::replace(taken, NONE);
    }
}
