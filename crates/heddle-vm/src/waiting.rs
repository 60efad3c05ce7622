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
//! Taking a lock and giving it back is as good as looking: whoever finds it taken waits, and a
//! thread that wants to be in the way can be so in its first round. This holds for monitors, and
//! for `ReentrantLock` if the program never asks whether one is taken. A thread does not wait
//! inside a lock that its loop takes.
//!
//! A round starts at an operation before which the thread stops, and is compared with the
//! next times it stops. Where a loop looks at several places by one method of the library
//! (`while (a.get() == 0 && b.get() == 0)`), the thread comes to the same operation with other
//! stacks in between; so a round that began before the loop is told from one inside it by
//! patience that doubles each time (Brent's way to find cycles), and so is one that began at an
//! operation which does not come again. Writes and most natives begin a
//! new round; looks at the clock and changes of local variables make the stacks differ. What a
//! round has made for itself does not count (`litter.rs`). A round that looks at
//! more places than are kept begins anew: such a loop is not recognized.

use crate::heap::{Ref, mix};
use crate::interp::RunEnd;
use crate::thread::{Control, ThreadId};
use crate::vm::Vm;
use heddle_model::{Observer, Pause};

/// Looks that are kept, and writes.
const LOOKS: usize = 8;
const PUTS: usize = 4;
/// How often a thread looks before a round begins anew at another operation: at first, and at most.
const GLANCES: u8 = 6;
const MOST_GLANCES: u8 = 96;
/// Where one operation is done in several places of the loop.
const MOST_PATIENCE: u8 = 31;

/// The round that a thread is in.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Round {
    /// Nothing but looks since it began.
    pub pure: bool,
    /// Places that it has looked at with what was there, and how often it has looked.
    looks: u8,
    glances: u8,
    /// Doubles each time that a round begins anew elsewhere.
    doublings: u8,
    /// Monitors that it has entered and not left.
    inside: u8,
    /// How often the thread has come to the same operation with another stack, and how often
    /// it may before the round begins anew.
    misses: u8,
    patience: u8,
    /// How often the thread has gone on from a stop since then.
    steps: u8,
    /// Where it began: the instruction, its frame, and a digest of the stack.
    pc: usize,
    fp: usize,
    digest: u64,
    /// From where on the thread has allocated since then, if that is known.
    pub from: u64,
    /// Byte addresses, with the size in the highest byte.
    at: [u64; LOOKS],
    values: [u64; LOOKS],
    /// Fields of locks that were written to, and what was there before.
    puts: u8,
    put_at: [u64; PUTS],
    before: [u64; PUTS],
}

const SIZE_SHIFT: u32 = 56;

impl Round {
    /// Whether it is one that a look will end, or a round that begins anew at the next look,
    /// since it has more than are kept.
    pub fn has_looked(&self) -> bool {
        self.looks > 0 && (self.pure || self.looks as usize == LOOKS)
    }

    /// Whether it may begin anew elsewhere, since it has been long.
    fn is_long(&self) -> bool {
        self.glances >= (GLANCES << self.doublings).min(MOST_GLANCES)
    }

    /// One that begins where the thread is, and is not compared with anything.
    pub fn begun() -> Round {
        Round {
            pure: true,
            ..Round::default()
        }
    }

    /// What it saw where.
    pub fn seen(&self) -> (&[u64], &[u64]) {
        let looks = self.looks as usize;
        (&self.at[..looks], &self.values[..looks])
    }

    /// The thread entered a monitor.
    #[inline]
    pub fn enter(&mut self) {
        self.inside = self.inside.saturating_add(1);
    }

    /// The thread left a monitor. In one that was taken before the round began nobody may wait
    /// for a change that others make in it.
    #[inline]
    pub fn leave(&mut self) {
        self.pure &= self.inside > 0;
        self.inside = self.inside.saturating_sub(1);
    }

    /// The thread writes to a field of a lock.
    fn put(&mut self, at: u64, before: u64) {
        let next = self.puts as usize;
        if self.put_at[..next].contains(&at) {
            return;
        }
        if next == PUTS {
            self.pure = false;
            return;
        }
        self.put_at[next] = at;
        self.before[next] = before;
        self.puts += 1;
    }

    /// The thread looked at a shared place. The value has the width of the place.
    #[inline]
    pub fn look(&mut self, at: u64, size: usize, value: u64) {
        let next = self.looks as usize;
        if self.put_at[..self.puts as usize].contains(&at) {
            return;
        }
        self.glances = self.glances.saturating_add(1);
        let at = at | (size as u64) << SIZE_SHIFT;
        if (0..next).any(|i| (self.at[i], self.values[i]) == (at, value)) {
            return;
        }
        if !self.pure || next == LOOKS {
            self.pure = false;
            return;
        }
        self.at[next] = at;
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
    /// The thread entered a monitor, perhaps one of an object that the library has for itself.
    #[inline]
    pub fn enter_monitor(&mut self, of_library: bool) {
        self.monitors = self.monitors.saturating_add(1);
        self.crossings += u16::from(of_library);
        self.round.enter();
    }

    #[inline]
    pub fn leave_monitor(&mut self, of_library: bool) {
        self.monitors = self.monitors.saturating_sub(1);
        self.crossings = self.crossings.saturating_sub(u16::from(of_library));
        self.round.leave();
    }

    /// Whether it is in a call into trusted code and holds monitors, but none at which threads
    /// meet without noticing.
    #[inline]
    pub fn holds_in_call(&self) -> bool {
        self.call_open && self.monitors > 0 && self.crossings == 0
    }

    /// The thread may do what it stopped before.
    pub fn grant(&mut self) {
        self.granted = std::mem::take(&mut self.at_operation);
        (self.may_wait, self.looking) = (false, false);
        self.round.steps = self.round.steps.saturating_add(1);
        if std::mem::take(&mut self.awaits).is_change() {
            self.round.pure = false;
        }
    }
}

impl Vm {
    /// Runs to the next stop or to the end of the slice. A thread that is alone does not
    /// stop before operations, since nobody could come in between; but if it runs for long
    /// it may wait for a change that nobody is left to make, so now and then it is watched.
    pub fn run_to_stop<O: Observer>(&mut self, observer: &mut O) -> RunEnd {
        // Bytecodes since it was last decided whether to watch it.
        let mut stretch = 0;
        self.watched = false;
        loop {
            let alone = self.globals.live <= 1;
            self.watched &= alone;
            let most = match (alone, self.watched) {
                (true, false) => UNWATCHED,
                (true, true) => WATCHED,
                (false, _) => PATIENCE,
            };
            if stretch >= most {
                if observer.gives_up() {
                    self.watched = false;
                    return RunEnd::Slice;
                }
                self.watched = alone && !self.watched;
                stretch = 0;
                continue;
            }
            let steps = self.running().control.steps;
            let left = self.step_limit().saturating_sub(steps);
            let slice = self.options.slice.min(left.saturating_add(1));
            let end = self.run_thread(slice.min(most - stretch) as i64, observer);
            // They are counted anew once there is a second thread.
            let used = self.running().control.steps.saturating_sub(steps);
            stretch += used;
            match end {
                RunEnd::Slice if used < slice && (stretch >= most || alone) => {}
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
        let round = &control.round;
        let same = round.pure && (round.pc, round.fp) == (pc, fp);
        if round.pure && !same && !round.is_long() && round.pc != 0 {
            return false;
        }
        // What is left of the last round is known where it began.
        let from = if same { round.from } else { 0 };
        let digest = self.stack_digest(from);
        let round = &self.thread(self.current).control.round;
        if same && round.digest == digest && self.leaves_no_trace(round) {
            return true;
        }
        let (misses, patience) = (round.misses, round.patience);
        if same && misses < patience {
            self.running().control.round.misses += 1;
            return false;
        }
        let patience = if same { 2 * patience + 1 } else { 0 };
        let doublings = match round.pure {
            true => round.doublings + u8::from(round.is_long()),
            false => 0,
        };
        let from = self.running().control.region.top;
        self.running().control.round = Round {
            pure: true,
            patience: patience.min(MOST_PATIENCE),
            doublings: doublings.min(4),
            pc,
            fp,
            digest,
            from,
            ..Round::default()
        };
        false
    }

    /// Whether a round has left all locks as they were.
    fn leaves_no_trace(&self, round: &Round) -> bool {
        let puts = round.put_at.iter().zip(&round.before);
        let mut puts = puts.take(round.puts as usize);
        // The fields of a lock that count are 32 bits wide.
        round.inside == 0
            && puts.all(|(&at, &before)| u64::from(self.heap.arena.read::<u32>(at)) == before)
    }

    /// The running thread writes to a field, perhaps one of a lock that it takes or gives back.
    /// What is there already is no more than looked at.
    #[cold]
    pub fn disturb(&mut self, object: Ref, offset: u64, size: usize, (old, new): (u64, u64)) {
        if self.is_of_round(object) {
            return;
        }
        let at = object.at() + offset;
        if old == new {
            return self.running().control.round.look(at, size, old);
        }
        let is_lock = self.class_of(object).chain.contains(&self.known.mutex);
        let owner = offset == self.known.ownable_owner;
        let tolerated = is_lock && !self.learned.asks_for_locks;
        let round = &mut self.running().control.round;
        match (tolerated, owner) {
            (false, _) => return round.pure = false,
            (true, true) if new == 0 => round.leave(),
            (true, true) => round.enter(),
            (true, false) => {}
        }
        round.put(at, old);
    }

    /// Whether one of the places that a thread looked at has changed.
    pub fn sees_change(&self, thread: ThreadId) -> bool {
        let round = &self.thread(thread).control.round;
        let looks = round.at.iter().zip(&round.values);
        let mut looks = looks.take(round.looks as usize);
        looks.any(|(&at, &value)| self.value_at(at) != value)
    }

    /// What is at an address that has the size in its highest byte.
    pub fn value_at(&self, at: u64) -> u64 {
        let (size, at) = (at >> SIZE_SHIFT, at & ((1 << SIZE_SHIFT) - 1));
        let arena = &self.heap.arena;
        match size {
            1 => arena.read::<u8>(at) as u64,
            2 => arena.read::<u16>(at) as u64,
            4 => arena.read::<u32>(at) as u64,
            _ => arena.read::<u64>(at),
        }
    }

    /// Notes that the running thread looked at a shared place.
    pub fn note_look(&mut self, at: u64, size: usize) {
        let value = self.value_at(at | (size as u64) << SIZE_SHIFT);
        self.running().control.hear(value);
        self.running().control.round.look(at, size, value);
    }

    /// What the running thread does next depends on this alone, as long as it only looks
    /// at shared places: its stack, what it allocated, and how much it looked at the clock.
    fn stack_digest(&mut self, from: u64) -> u64 {
        let litter = self.litter(from);
        if !litter.is_empty() {
            return self.digest_with(&litter);
        }
        let thread = self.running();
        thread.sum_up();
        let own = thread.control.region.top ^ thread.control.looks.rotate_left(32);
        mix(thread.own_sum() ^ mix(own))
    }

    /// A thread that waits for a change may go on: one has come, or it was told to stop.
    pub fn change_came(&self, thread: ThreadId) -> bool {
        let stop = self.thread(thread).control.stop;
        stop != Ref::NULL || self.sees_change(thread)
    }

    /// In how many steps a thread has come round, if a change lets it go on.
    pub fn steps_of_round(&self, thread: ThreadId) -> Option<u32> {
        let control = &self.thread(thread).control;
        let goes_on = control.awaits.is_change() && self.sees_change(thread);
        let steps = control.round.steps;
        (goes_on && steps < u8::MAX).then_some(steps.into())
    }

    /// Whether a thread only waits for a change that has not come.
    pub fn only_waits(&self, thread: ThreadId) -> bool {
        let control = &self.thread(thread).control;
        control.awaits.is_change() && !self.change_came(thread)
    }
}
