//! Loops that wait for a change: `while (!ready) { }`.
//!
//! A thread that comes back to the same operation with the same stack, and has done
//! nothing on the way but look at shared places, will do so for ever unless one of them
//! changes. Running it again is in vain, so in a search it waits (`Awaits::Change`) until
//! one has another value than the thread saw: programs that spin have finitely many
//! schedules. What may go unnoticed is only a value that changed and changed back while
//! the thread was not chosen, and then it might as well have looked later. A thread that
//! does not even look (`while (true) Thread.yield();`) waits for ever.
//!
//! A round starts at an operation before which the thread stops, and is compared with the
//! next times it stops. Where a loop looks at several places by one method of the library
//! (`while (a.get() == 0 && b.get() == 0)`), the thread comes to the same operation with other
//! stacks in between; so a round that began before the loop is told from one inside it by
//! patience that doubles each time (Brent's way to find cycles). Writes, locks and most natives begin a new round; allocations,
//! looks at the clock and changes of local variables make the stacks differ. A round with
//! more looks than are kept begins anew: such a loop is not recognized.

use crate::heap::Ref;
use crate::interp::RunEnd;
use crate::thread::{Awaits, Control, ThreadId};
use crate::vm::Vm;
use heddle_model::{Observer, Pause};

/// Looks that are kept.
const LOOKS: usize = 6;

/// The round that a thread is in.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Round {
    /// Nothing but looks since it began.
    pub pure: bool,
    looks: u8,
    /// How often the thread has come to the same operation with another stack, and how often
    /// it may before the round begins anew.
    misses: u8,
    patience: u8,
    /// Where it began: the instruction, its frame, and a digest of the stack.
    pc: usize,
    fp: usize,
    digest: u64,
    /// Byte addresses, with the size in the highest byte.
    at: [u64; LOOKS],
    values: [u64; LOOKS],
}

const SIZE_SHIFT: u32 = 56;

impl Round {
    /// Whether it is one that a look will end.
    pub fn has_looked(&self) -> bool {
        self.pure && self.looks > 0
    }

    /// What it saw where.
    pub fn seen(&self) -> (&[u64], &[u64]) {
        let looks = self.looks as usize;
        (&self.at[..looks], &self.values[..looks])
    }

    /// The thread looked at a shared place. The value has the width of the place.
    #[inline]
    pub fn look(&mut self, at: u64, size: usize, value: u64) {
        let next = self.looks as usize;
        if !self.pure || next == LOOKS {
            self.pure = false;
            return;
        }
        self.at[next] = at | (size as u64) << SIZE_SHIFT;
        self.values[next] = value;
        self.looks += 1;
    }
}

/// Bytecodes that a thread runs on its own before it is watched for a while.
const UNWATCHED: u64 = 1_000_000;
const WATCHED: u64 = 20_000;
/// Bytecodes after which somebody is asked whether to go on.
const PATIENCE: u64 = 5_000_000;

impl Control {
    /// The thread may do what it stopped before.
    pub fn grant(&mut self) {
        self.granted = std::mem::take(&mut self.at_operation);
        if std::mem::take(&mut self.awaits) == Awaits::Change {
            self.round.pure = false;
        }
    }
}

impl Vm {
    /// Runs to the next stop or to the end of the slice. A thread that is alone does not
    /// stop before operations, since nobody could come in between; but if it runs for long
    /// it may wait for a change that nobody is left to make, so now and then it is watched.
    pub fn run_to_stop<O: Observer>(&mut self, observer: &mut O) -> RunEnd {
        let mut stretch = 0;
        loop {
            let steps = self.running().control.steps;
            let left = self.step_limit().saturating_sub(steps);
            let slice = self.options.slice.min(left.saturating_add(1));
            self.watched = self.globals.live <= 1 && stretch >= UNWATCHED;
            let most = match (self.globals.live <= 1, self.watched) {
                (true, false) => UNWATCHED,
                (true, true) => WATCHED,
                (false, _) => slice.min(PATIENCE),
            };
            let most = slice.min(most);
            let end = self.run_thread(most as i64, observer);
            // They are counted anew once there is a second thread.
            let used = self.running().control.steps.saturating_sub(steps);
            match end {
                RunEnd::Slice
                    if used < slice
                        && (used >= most || self.globals.live <= 1)
                        && !observer.gives_up() =>
                {
                    stretch = if self.watched { 0 } else { stretch + used };
                }
                RunEnd::Paused
                    if self.watched
                        && !matches!(self.pause, Pause::Arrived(_))
                        && !self.only_waits(self.current) =>
                {
                    self.running().control.grant();
                }
                end => {
                    self.watched = false;
                    return end;
                }
            }
        }
    }

    /// The running thread, whose position is saved, stops before an operation: whether it
    /// only waits for a change.
    pub fn waits_for_change(&mut self) -> bool {
        let control = &self.running().control;
        let (pc, fp) = (control.pc as usize, control.fp as usize);
        let round = control.round;
        let same = round.pure && (round.pc, round.fp) == (pc, fp);
        if round.pure && !same && round.looks as usize != LOOKS && round.pc != 0 {
            return false;
        }
        let digest = self.stack_digest();
        if same && round.digest == digest {
            return true;
        }
        if same && round.misses < round.patience {
            self.running().control.round.misses += 1;
            return false;
        }
        let patience = if same { 2 * round.patience + 1 } else { 0 };
        self.running().control.round = Round {
            pure: true,
            // No round has more looks than that.
            patience: patience.min(LOOKS as u8),
            pc,
            fp,
            digest,
            ..Round::default()
        };
        false
    }

    /// Whether one of the places that a thread looked at has changed.
    pub fn sees_change(&self, thread: ThreadId) -> bool {
        let round = &self.thread(thread).control.round;
        let looks = round.at.iter().zip(&round.values);
        looks.take(round.looks as usize).any(|(&at, &value)| {
            let (size, at) = (at >> SIZE_SHIFT, at & ((1 << SIZE_SHIFT) - 1));
            let arena = &self.heap.arena;
            let now = match size {
                1 => arena.read::<u8>(at) as u64,
                2 => arena.read::<u16>(at) as u64,
                4 => arena.read::<u32>(at) as u64,
                _ => arena.read::<u64>(at),
            };
            now != value
        })
    }

    /// Notes that the running thread looked at a shared place.
    pub fn note_look(&mut self, at: u64, size: usize) {
        let arena = &self.heap.arena;
        let value = match size {
            1 => arena.read::<u8>(at) as u64,
            2 => arena.read::<u16>(at) as u64,
            4 => arena.read::<u32>(at) as u64,
            _ => arena.read::<u64>(at),
        };
        self.running().control.round.look(at, size, value);
    }

    /// What the running thread does next depends on this alone, as long as it only looks
    /// at shared places: its stack, and how much it allocated and looked at the clock.
    fn stack_digest(&mut self) -> u64 {
        let thread = self.running();
        let mut digest = thread.control.region.top ^ thread.control.looks.rotate_left(32);
        for &word in thread.live() {
            digest = (digest.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        digest
    }

    /// A thread that waits for a change may go on: one has come, or it was told to stop.
    pub fn change_came(&self, thread: ThreadId) -> bool {
        let stop = self.thread(thread).control.stop;
        stop != Ref::NULL || self.sees_change(thread)
    }

    /// Whether a thread only waits for a change that has not come.
    pub fn only_waits(&self, thread: ThreadId) -> bool {
        let control = &self.thread(thread).control;
        control.awaits == Awaits::Change && !self.change_came(thread)
    }
}
