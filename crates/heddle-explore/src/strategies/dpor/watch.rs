//! Races with calls, looked at once more when the path has gone on.
//!
//! A call *q* is in a race with an earlier step *e*, and without *e* it has been run before:
//! its thread sleeps where *e* was taken. So nothing is planned. But without *e* the call did
//! more than with it (a look at what *e* wrote sends it another way), and something that
//! comes later on the path, and does not come after *e*, meets just that. It has to be seen
//! before the call as well, and nowhere else will that be found out: here the two do not
//! meet, and where the call did more, the other orders may have been left to this branch.
//!
//! In the paper a sequence contains whatever does not happen after *e* up to the end of the
//! path, so it is found there. Here sequences end where the race is seen. That is enough for
//! steps that always do the same: what meets the one that sleeps meets the one in the race,
//! and comes after it. For calls such a pair is kept, with what the call did elsewhere and
//! not here, and when a step meets that, the sequence is planned with it.

use super::promise::exceeding;
use super::trace::NONE;
use super::{Dpor, Ended};

/// A race that is covered as far as the path goes.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    /// The step that came first, and the call.
    pub earlier: u32,
    pub later: u32,
    /// What the call did without the other step, beyond what it did now.
    more: Vec<u32>,
}

impl Dpor {
    /// Keeps the races of a call that has been run without the other step and did more then.
    pub(super) fn watch_races(&mut self, step: u32) {
        let thread = self.trace.step(step).thread;
        for &earlier in self.trace.races() {
            let frame = self.trace.step(earlier).frame;
            if frame == NONE {
                continue;
            }
            let asleep = self.frames[frame as usize].sleepers.all();
            let words = self.trace.words();
            let here = self.trace.print(step);
            let mut more = Vec::new();
            for sleeper in &self.sleepers[asleep] {
                if sleeper.thread == thread && !sleeper.partial {
                    more.extend(exceeding(&sleeper.span.print(words), &here));
                }
            }
            if !more.is_empty() {
                self.watches.push(Watch {
                    earlier,
                    later: step,
                    more,
                });
            }
        }
    }

    /// Plans for calls that meet a new step elsewhere to come after it.
    pub(super) fn meet_watches(&mut self, step: u32) {
        for at in 0..self.watches.len() {
            let Watch {
                earlier,
                later,
                ref more,
            } = self.watches[at];
            let words = self.trace.print(step).words;
            let meets = words.iter().any(|word| {
                let same = more.iter().find(|w| **w >> 1 == word >> 1);
                same.is_some_and(|w| (w | word) & 1 != 0)
            });
            if later == step || !meets || self.trace.before(earlier, step) {
                continue;
            }
            self.steps.clear();
            for kept in earlier + 1..=step {
                if !self.trace.before(earlier, kept) {
                    self.steps.push(kept);
                }
            }
            self.trace.imagine_again(later);
            let frame = self.trace.step(earlier).frame;
            self.plan(frame, Ended::Seen(later));
        }
    }
}
