//! Planning: which orders of steps that a path has shown are to be reversed, and the
//! sequences that do it, which go into the wake-up trees of earlier choices.

use super::part::Link;
use super::print::{Bits, Print};
use super::sequence::{Last, Sequence, Touches};
use super::trace::{NONE, Stands, initialization};
use super::wakeup::{Forest, Sleeper};
use super::{Dpor, Ended, Frame, Ranges};
use crate::strategies::word;
use heddle_model::PendingOp;

impl Dpor {
    /// Others were not planned for because of what a step was seen to do elsewhere. Notes
    /// what the step does for those who planned for others.
    pub(super) fn check_promises(&mut self, frame: usize, step: u32) {
        let print = self.trace.print(step);
        let Frame { promise, .. } = &self.frames[frame];
        if let Some(origin) = self.frames.get(promise.origin as usize) {
            // Of a choice that is shared others know more.
            let broken = match (promise.origin as usize) < self.floor() {
                true => promise.exceeded_by(&print),
                false => promise.broken_by(&print, origin.others.words()),
            };
            self.frames[frame].all |= broken;
        }
        if !print.words.is_empty() {
            for &at in &self.loose {
                let frame = &mut self.frames[at as usize];
                if !self.trace.led_to(frame.tops.step(), step) {
                    frame.others.add(&print);
                }
            }
        }
    }

    /// Those who sleep on after a step: nothing that they did meets it.
    pub(super) fn inherit(&mut self, frame: usize, step: u32) {
        let Ranges { from, to, .. } = self.frames[frame].sleepers;
        if from == to || self.frames[frame].timeouts {
            return;
        }
        let print = self.trace.print(step);
        let thread = self.trace.step(step).thread;
        let words = self.trace.words();
        let start = self.sleepers.len();
        let mut woken = NONE;
        for i in from..to {
            let sleeper = self.sleepers[i as usize];
            if sleeper.thread == thread {
                continue;
            }
            if sleeper.span.print(words).meets(&print) {
                woken = sleeper.thread;
                for other in &mut self.sleepers[start..] {
                    other.partial |= other.thread == woken;
                }
                continue;
            }
            let partial = sleeper.partial || sleeper.thread == woken;
            self.sleepers.push(Sleeper { partial, ..sleeper });
        }
        if self.sleepers.len() > start && self.all_awake_after(frame) {
            self.give_back();
        }
    }

    /// Two steps are in a race: plans for the later one to come first.
    pub(super) fn reverse(&mut self, earlier: u32, later: u32) {
        let frame = self.trace.step(earlier).frame;
        if frame == NONE {
            return;
        }
        self.steps.clear();
        for step in earlier + 1..later {
            if !self.trace.before(earlier, step) {
                self.steps.push(step);
            }
        }
        self.plan_steps(frame, later);
    }

    /// Plans for the steps in `self.steps` and then one that was made later.
    pub(super) fn plan_steps(&mut self, frame: u32, later: u32) {
        let step = self.trace.step(later);
        if step.loose && !std::mem::replace(&mut self.frames[frame as usize].loose, true) {
            self.loose.push(frame);
            let Frame { tops, others, .. } = &mut self.frames[frame as usize];
            for step in later + 1..self.trace.len() as u32 {
                if !self.trace.led_to(tops.step(), step) {
                    others.add(&self.trace.print(step));
                }
            }
        }
        self.plan(frame, Ended::Seen(later));
    }

    /// Plans for the steps in `self.steps` and a last one at a choice, unless they are
    /// covered.
    pub(super) fn plan(&mut self, frame: u32, last: Ended) {
        let before = self.frames[frame as usize].tops.step();
        let last = match last {
            Ended::Seen(step) => {
                let print = self.trace.print(step);
                let step = *self.trace.step(step);
                let touches = match step.loose {
                    false => Touches::These(print),
                    true => match self.trace.foresee(step.stands, before, &self.steps) {
                        Some(print) => Touches::These(print),
                        None => Touches::Perhaps(print),
                    },
                };
                Last {
                    thread: step.thread,
                    stands: step.stands,
                    touches,
                }
            }
            Ended::Imagined(thread, stands) => Last {
                thread,
                stands,
                touches: match self.trace.foresee(stands, before, &self.steps) {
                    Some(print) => Touches::These(print),
                    None if self.wish.is_empty() => Touches::Anything,
                    None => Touches::These(Print {
                        words: &self.wish,
                        bits: Bits::of(&self.wish),
                    }),
                },
            },
        };
        let sequence = Sequence {
            trace: &self.trace,
            steps: &mut self.steps,
            last: Some(last),
            frame,
        };
        let link = self.share.as_deref();
        self.frames[frame as usize].plan(&mut self.forest, &self.sleepers, link, sequence);
    }

    /// Plans for the steps in `self.steps` and then one that a thread has not made.
    pub(super) fn imagine(&mut self, frame: u32, thread: u32) {
        let stands = self.trace.imagine(thread);
        let wish = match self.trace.thread(thread).stands {
            Stands::Before(PendingOp::Lock(lock)) => Some(word::monitor(lock) | 1),
            Stands::Before(op) if initialization(op).is_some() => None,
            Stands::Before(PendingOp::Read(place)) => Some(word::place(place)),
            Stands::Before(PendingOp::Write(place)) => Some(word::place(place) | 1),
            Stands::Before(PendingOp::Access { place, writes, .. }) => {
                Some(word::place(place) | u64::from(writes))
            }
            _ => None,
        };
        self.wish.clear();
        if let Some(place) = wish {
            let word = self.trace.places.number(place & !1) | (place & 1) as u32;
            self.wish.push(word);
        }
        self.plan(frame, Ended::Imagined(thread, stands));
    }

    /// Threads that never got their locks could have had them first.
    pub(super) fn wish_for_locks(&mut self) {
        for thread in 0..self.trace.thread_count() {
            self.wish_for_lock(thread);
        }
    }

    pub(super) fn wish_for_lock(&mut self, thread: u32) {
        let Some(lock) = self.trace.thread(thread).wants() else {
            return;
        };
        let Some(holder) = self.trace.holder(lock, thread) else {
            return;
        };
        let frame = self.trace.step(holder).frame;
        self.trace.imagine(thread);
        if frame == NONE || self.trace.before_the_last(holder) {
            let last = self.trace.thread(thread).last;
            if self.trace.lazy && frame != NONE && last != NONE {
                self.pass_locks(holder, last);
            }
            return;
        }
        self.steps.clear();
        for step in holder + 1..self.trace.len() as u32 {
            if !self.trace.before(holder, step) {
                self.steps.push(step);
            }
        }
        self.imagine(frame, thread);
    }
}

impl Frame {
    /// Plans for a sequence, unless it is covered.
    pub(super) fn plan(
        &mut self,
        forest: &mut Forest,
        sleepers: &[Sleeper],
        link: Option<&Link>,
        mut sequence: Sequence<'_>,
    ) {
        if sequence.covered_by(&sleepers[self.sleepers.all()]) {
            return;
        }
        match link.and_then(|link| Some((link, link.branch_at(sequence.frame as usize)?))) {
            None => (self.tree, _) = forest.add(self.tree, &mut sequence),
            Some((link, branch)) => link.plan(branch, &mut sequence),
        }
    }
}
