//! Planning: which orders of steps that a path has shown are to be reversed, and the
//! sequences that do it, which go into the wake-up trees of earlier choices.

use super::kept::Kept;
use super::part::Link;
use super::print::Print;
use super::sequence::{Last, Sequence, Steps, Touches};
use super::trace::{NONE, Stands, initialization};
use super::wakeup::{Forest, Sleeper};
use super::{Dpor, Ended, Frame, Ranges};
use crate::strategies::word;
use heddle_model::PendingOp;

impl Dpor {
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
        let rival = self.frames[frame].rival;
        let mut woken = NONE;
        for i in from..to {
            let sleeper = self.sleepers[i as usize];
            if sleeper.thread == thread {
                continue;
            }
            if sleeper.thread == rival || sleeper.span.meets(words, &print) {
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
        self.steps.extend(self.trace.beside(earlier, later));
        let covered = self.plan(frame, Ended::InRace(later));
        if covered {
            self.watch_sleepers(earlier, later);
        }
        if covered && self.trace.step(earlier).loose {
            self.repeat_behind(frame, earlier, later);
        }
    }

    /// Plans for the steps in `self.steps` and a last one at a choice, unless they are
    /// covered; whether a thread that sleeps there covers them.
    pub(super) fn plan(&mut self, frame: u32, last: Ended) -> bool {
        let before = self.frames[frame as usize].tops.step();
        let in_race = matches!(last, Ended::InRace(_));
        let foresees = match last {
            Ended::Seen(step) | Ended::InRace(step) => self.trace.step(step).loose,
            Ended::Imagined(..) => !self.trace.memo.is_empty(),
        };
        if foresees {
            self.is_for_one();
        }
        let last = match last {
            Ended::Seen(step) | Ended::InRace(step) => {
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
                    rival: match in_race {
                        true => self.rival(before, &touches),
                        false => NONE,
                    },
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
                        bits: self.trace.bits_of(thread, &self.wish),
                    }),
                },
                rival: NONE,
            },
        };
        let sequence = Sequence {
            source: &self.trace,
            steps: &mut self.steps,
            last: Some(last),
            frame,
        };
        let link = self.share.as_deref();
        let asleep = (&self.sleepers[..], self.trace.words());
        self.frames[frame as usize].plan(&mut self.forest, asleep, link, sequence)
    }

    /// What was left to a step that has been made: it begins with the step, or it is planned
    /// after all.
    pub(super) fn settle_left(&mut self, frame: usize, step: u32) {
        let thread = self.trace.step(step).thread;
        let print = self.trace.print(step);
        let words = self.trace.words();
        let after = &self.sleepers[self.frames[frame].sleepers.to as usize..];
        let all_awake = after.iter().all(|s| s.partial);
        for left in std::mem::take(&mut self.left) {
            let mut steps = left.all();
            let mut sequence = left.sequence(&mut steps, frame as u32);
            if !sequence.can_begin(thread, &print) {
                let link = self.share.as_deref();
                let asleep = (&self.sleepers[..], words);
                self.frames[frame].plan(&mut self.forest, asleep, link, sequence);
                continue;
            }
            if sequence.last.is_some_and(|last| last.thread == thread) {
                sequence.last = None;
            }
            if all_awake || sequence.is_empty() || sequence.covered_by(after, words) {
                continue;
            }
            if self.trace.targets(step).is_empty() {
                (self.plan, _) = self.forest.add(self.plan, &mut sequence);
            } else {
                self.absorbed = true;
            }
        }
    }

    /// What was left to a step that cannot be made now is planned after all.
    pub(super) fn plan_left(&mut self, frame: usize, left: Vec<Kept>) {
        for left in left {
            let mut steps = left.all();
            let sequence = left.sequence(&mut steps, frame as u32);
            let link = self.share.as_deref();
            let asleep = (&self.sleepers[..], self.trace.words());
            self.frames[frame].plan(&mut self.forest, asleep, link, sequence);
        }
    }

    /// Plans for the steps in `self.steps` and then one that a thread has not made.
    pub(super) fn imagine(&mut self, frame: u32, thread: u32) {
        self.imagine_with(frame, thread, None);
    }

    /// The same, where it is known what else the step would read.
    pub(super) fn imagine_with(&mut self, frame: u32, thread: u32, reads: Option<u64>) {
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
            for place in [Some(place), reads].into_iter().flatten() {
                let word = self.trace.places.number(place & !1) | (place & 1) as u32;
                self.wish.push(word);
            }
            self.wish.sort_unstable();
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
        let end = self.trace.len() as u32;
        self.steps.extend(self.trace.beside(holder, end));
        self.imagine(frame, thread);
    }
}

impl Frame {
    /// Plans for a sequence, unless it is covered; whether a thread that sleeps covers it.
    pub(super) fn plan(
        &mut self,
        forest: &mut Forest,
        (sleepers, words): (&[Sleeper], &[u32]),
        link: Option<&Link>,
        mut sequence: Sequence<'_, impl Steps>,
    ) -> bool {
        if sequence.covered_by(&sleepers[self.sleepers.all()], words) {
            return true;
        }
        match link.filter(|link| link.shares(sequence.frame as usize)) {
            None => (self.tree, _) = forest.add(self.tree, &mut sequence),
            Some(link) => link.plan(&mut sequence),
        }
        false
    }
}
