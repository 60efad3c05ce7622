//! Races that are covered, looked at once more when the path has gone on.
//!
//! In the paper a sequence contains whatever does not happen after the first step of a race, up to
//! the end of the path. Ours end where the race is seen. Two things are missed by that.
//!
//! While a sequence that was planned is followed, threads sleep that its end will wake. A race that
//! is seen on the way is covered by them: what begins with such a thread has been explored. What
//! has not is that the two steps come in the other order and the thread comes only after what
//! wakes it. So the race is kept, and planned for when a step has woken the thread, with that.
//!
//! And calls may do other things when they come first.
//! A call *q* is in a race with an earlier step *e*, and without *e* it has been run before:
//! its thread sleeps where *e* was taken. So nothing is planned. But without *e* the call did
//! more than with it (a look at what *e* wrote sends it another way), and something that
//! comes later on the path, and does not come after *e*, meets just that. It has to be seen
//! before the call as well, and nowhere else will that be found out: here the two do not
//! meet, and where the call did more, the other orders may have been left to this branch.
//!
//! For steps that always do the same, sequences that end at the race are enough there: what meets
//! the one that sleeps meets the one in the race, and comes after it. For calls such a pair is
//! kept, with what the call did elsewhere and not here, and when a step meets that, the sequence is
//! planned with it.

use super::print::{Bits, Print, settle};
use super::trace::NONE;
use super::wakeup::Sleeper;
use super::{Dpor, Ended};

/// A race that is covered as far as the path goes.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    /// The step that came first, and the other one.
    pub earlier: u32,
    pub later: u32,
    /// What those did who sleep, or what a call did without the other step, beyond what it did
    /// now.
    more: Vec<u32>,
    bits: Bits,
    /// When nobody covers it any more and it has been planned for, that is all: what would be
    /// planned later begins with that.
    once: bool,
    planned: bool,
}

impl Watch {
    fn new(earlier: u32, later: u32, mut more: Vec<u32>, once: bool) -> Watch {
        settle(&mut more);
        Watch {
            earlier,
            later,
            bits: Bits::of(&more).of_places(),
            more,
            once,
            planned: false,
        }
    }

    fn met_by(&self, print: &Print<'_>) -> bool {
        let (words, bits) = (&self.more[..], self.bits);
        print.meets(&Print { words, bits })
    }
}

impl Dpor {
    /// Keeps a race that is covered where the earlier step was taken, with what those did who
    /// sleep there and still do.
    pub(super) fn watch_sleepers(&mut self, earlier: u32, later: u32) {
        let frames = [earlier, later].map(|step| self.trace.step(step).frame as usize);
        if frames[0] == NONE as usize || self.frames[frames[1]].sleepers.all().is_empty() {
            return;
        }
        let asleep = |frame: usize| {
            let all = self.sleepers[self.frames[frame].sleepers.all()].iter();
            all.filter(|s| !s.partial)
        };
        let same = |a: &Sleeper, b: &Sleeper| a.thread == b.thread && a.span == b.span;
        let words = self.trace.words();
        let mut more = Vec::new();
        for sleeper in asleep(frames[0]) {
            if asleep(frames[1]).any(|later| same(later, sleeper)) {
                more.extend_from_slice(sleeper.span.print(words).words);
            }
        }
        if !more.is_empty() {
            self.watches.push(Watch::new(earlier, later, more, true));
        }
    }

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
                self.watches.push(Watch::new(earlier, step, more, false));
            }
        }
    }

    /// Plans again for races that are kept if a new step meets what covered them.
    pub(super) fn meet_watches(&mut self, step: u32) {
        for at in 0..self.watches.len() {
            let watch = &self.watches[at];
            let Watch { earlier, later, .. } = *watch;
            let met = !watch.planned && watch.met_by(&self.trace.print(step));
            if !met || later == step || self.trace.before(earlier, step) {
                continue;
            }
            self.steps.clear();
            self.steps.extend(self.trace.beside(earlier, step + 1));
            self.trace.imagine_again(later);
            let frame = self.trace.step(earlier).frame;
            let covered = self.plan(frame, Ended::Seen(later));
            if !covered && self.watches[at].once {
                self.watches[at].planned = true;
                self.met.push((step, at));
            }
        }
    }

    /// The path ends before this step now.
    pub(super) fn cut_watches(&mut self, left: u32) {
        while let Some((_, at)) = self.met.pop_if(|(step, _)| *step >= left) {
            self.watches[at].planned = false;
        }
        while self.watches.last().is_some_and(|w| w.later >= left) {
            self.watches.pop();
        }
    }
}

/// What one step touches beyond another.
fn exceeding<'a>(more: &Print<'a>, less: &Print<'a>) -> impl Iterator<Item = u32> + 'a {
    let less = less.words;
    let new = move |word: &u32| find(less, *word).is_none_or(|known| known < *word);
    more.words.iter().copied().filter(new)
}

/// The word of the same place.
fn find(words: &[u32], word: u32) -> Option<u32> {
    let at = words.partition_point(|w| w >> 1 < word >> 1);
    words.get(at).copied().filter(|w| w >> 1 == word >> 1)
}
