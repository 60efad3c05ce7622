//! Races with a call whose reversal has been explored, planned with the call once more behind it.
//!
//! A call *q* is in a race with a later step *o*, and *o* without *q* is covered: a thread *e*
//! sleeps where *q* was taken, and nothing up to *o* is in its way. What begins with *e* and *o*
//! has been explored. But *q* may have met *e*, so that *o*, *q*, *e* is none of that. If the call
//! always did the same, the race of *e* and *q* would have been seen where *e* came first, with *o*
//! between them or after them, and planned for. But after *e* it may not touch what it has in common
//! with *o*. In the paper the sequence that reverses the race of *e* and *q* has everything in it that
//! does not come after *e*, up to the end of the path, so *o* comes before *q* there. Ours end
//! at the race. So the sequence is planned here, where it is seen what the two have in common.
//!
//! What *o* does before *q* is known (`memo`), or else *e* could not have covered it; unless that
//! is being explored by another worker. Then it is taken to do what it was seen to do.

use super::Dpor;
use super::kept::Kept;
use super::print::Print;
use super::sequence::{Last, Sequence, Touches};
use super::trace::NONE;

impl Dpor {
    /// Plans for the steps in `self.steps`, then a later step, then a call that it is in a race
    /// with.
    pub(super) fn repeat_behind(&mut self, frame: u32, call: u32, later: u32) {
        let before = self.frames[frame as usize].tops.step();
        let step = *self.trace.step(later);
        if !self.trace.targets(later).is_empty() {
            return;
        }
        let print = match step.loose {
            false => self.trace.print(later),
            true => match self.trace.foresee(step.stands, before, &self.steps) {
                Some(print) => print,
                None => self.trace.print(later),
            },
        };
        let words = &print.words.to_vec();
        let bits = print.bits;
        let there = |s: u32| s < before || self.steps.binary_search(&s).is_ok();
        let name = self.trace.name_there(step.stands, words, there);
        let mut kept = Kept::of(&Sequence {
            source: &self.trace,
            steps: &mut self.steps,
            last: None,
            frame,
        });
        let after = self.which_lead_to(later);
        kept.push(step.thread, name, &Print { words, bits }, &after);
        self.steps.push(later);
        let held_up = self.trace.is_held_up(call, &self.steps);
        self.steps.pop();
        if held_up {
            return;
        }
        let mut after = self.which_lead_to(call);
        after.push(false);
        let step = *self.trace.step(call);
        let between = (&words[..], name);
        let foreseen = self
            .trace
            .foresee_behind(step.stands, before, &self.steps, between);
        let last = Last {
            thread: step.thread,
            stands: step.stands,
            touches: match foreseen {
                Some(print) => Touches::These(print),
                None => Touches::Perhaps(self.trace.print(call)),
            },
            rival: NONE,
        };
        kept.end_with(&last, &after);
        self.plan_left(frame as usize, vec![kept]);
    }

    /// Which of the steps in `self.steps` have to come before the thread of a step comes to it.
    fn which_lead_to(&mut self, step: u32) -> Vec<bool> {
        self.trace.imagine_again(step);
        let leads = |s: &u32| self.trace.before_the_last(*s);
        self.steps.iter().map(leads).collect()
    }
}
