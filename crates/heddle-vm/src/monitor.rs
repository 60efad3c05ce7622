//! Monitors: the lock word in an object's header, and what does not fit there.
//!
//! Lock word: 0 is free; otherwise the owner (thread id + 1) in bits 0–15 and the
//! number of further entries in bits 16–30. Bit 31 says that there is a [`Monitor`]: threads
//! wait or are blocked, or there are more entries than fit. A thread that finds a monitor taken becomes
//! `Blocked` and tries again when it is released: who gets it is the scheduler's
//! choice, which is what exploration needs.

use crate::heap::Ref;
use crate::native::{Res, Trap, throw_bare};
use crate::thread::{Awaits, ThreadId, ThreadState, Wake};
use crate::vm::{Vm, trap};
use heddle_model::{EventKind, ObjectId};

/// Waiting and blocked threads of one object's monitor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Monitor {
    /// In `wait`, in the order of arrival.
    pub waiting: Vec<ThreadId>,
    /// Interrupted in `wait`, and not back yet. One that is notified before it has left the wait
    /// set may return as if it had not been interrupted (JLS 17.2.4); whether it has left is
    /// decided where that makes a difference, by who notifies.
    pub leaving: Vec<ThreadId>,
    /// Wants to enter.
    pub blocked: Vec<ThreadId>,
    /// Entries that do not fit into the lock word, in chunks of [`CHUNK`].
    pub chunks: u16,
}

impl Monitor {
    fn is_empty(&self) -> bool {
        self.waiting.is_empty()
            && self.leaving.is_empty()
            && self.blocked.is_empty()
            && self.chunks == 0
    }
}

const OWNER: u32 = 0xffff;
const COUNT_SHIFT: u32 = 16;
const COUNT: u32 = 0x7fff_0000;
const CROWDED: u32 = 1 << 31;
/// What is taken out of a count that is full, as bits of the lock word.
const CHUNK: u32 = 0x4000 << COUNT_SHIFT;

impl Vm {
    /// Takes the monitor of `obj` for the running thread, or blocks it.
    #[inline]
    pub fn monitor_enter(&mut self, obj: Ref) -> Res<()> {
        let word = self.heap.lock_word(obj);
        let me = self.current.0 + 1;
        if word == 0 {
            self.heap.set_lock_word(obj, me);
            return Ok(());
        }
        self.monitor_enter_slow(obj, word, me)
    }

    fn monitor_enter_slow(&mut self, obj: Ref, word: u32, me: u32) -> Res<()> {
        let owner = word & OWNER;
        if owner == 0 {
            self.heap.set_lock_word(obj, word | me);
            return Ok(());
        }
        if owner == me {
            let mut word = word;
            if word & COUNT == COUNT {
                self.touch_monitor(obj);
                self.monitors.entry(obj).or_default().chunks += 1;
                word = (word - CHUNK) | CROWDED;
            }
            self.heap.set_lock_word(obj, word + (1 << COUNT_SHIFT));
            return Ok(());
        }
        let current = self.current;
        self.touch_monitor(obj);
        let monitor = self.monitors.entry(obj).or_default();
        if !monitor.blocked.contains(&current) {
            monitor.blocked.push(current);
        }
        self.heap.set_lock_word(obj, word | CROWDED);
        self.set_state(current, ThreadState::Blocked(obj));
        trap(Trap::Block)
    }

    /// Gives the monitor of `obj` back once.
    #[inline]
    pub fn monitor_exit(&mut self, obj: Ref) -> Res<()> {
        let word = self.heap.lock_word(obj);
        if word == self.current.0 + 1 {
            self.heap.set_lock_word(obj, 0);
            return Ok(());
        }
        if word & OWNER != self.current.0 + 1 {
            return throw_bare("java/lang/IllegalMonitorStateException");
        }
        if word & COUNT != 0 {
            self.heap.set_lock_word(obj, word - (1 << COUNT_SHIFT));
            return Ok(());
        }
        if self.crowd(obj).is_some_and(|m| m.chunks > 0) {
            self.touch_monitor(obj);
            let monitor = self.monitors.entry(obj).or_default();
            monitor.chunks -= 1;
            let empty = monitor.is_empty();
            let mut word = word + CHUNK - (1 << COUNT_SHIFT);
            if empty {
                self.monitors.remove(&obj);
                word &= !CROWDED;
            }
            self.heap.set_lock_word(obj, word);
            return Ok(());
        }
        self.release(obj);
        Ok(())
    }

    /// The running thread gives the monitor up altogether; returns the count that
    /// [`Vm::monitor_restore`] takes, chunks in the place of the owner.
    fn release(&mut self, obj: Ref) -> u32 {
        let word = self.heap.lock_word(obj);
        let mut count = word & COUNT;
        if word & CROWDED == 0 {
            self.heap.set_lock_word(obj, 0);
            return count;
        }
        self.touch_monitor(obj);
        let monitor = self
            .monitors
            .get_mut(&obj)
            .expect("heddle internal error: crowded monitor");
        count |= u32::from(std::mem::take(&mut monitor.chunks));
        let blocked = std::mem::take(&mut monitor.blocked);
        let crowded = !monitor.is_empty();
        if !crowded {
            self.monitors.remove(&obj);
        }
        self.heap
            .set_lock_word(obj, if crowded { CROWDED } else { 0 });
        for thread in blocked {
            self.set_state(thread, ThreadState::Runnable);
            self.thread_mut(thread).control.record.tries_again(obj);
        }
        count
    }

    /// What does not fit into the lock word, if there is anything: most monitors are not looked up.
    #[inline]
    fn crowd(&self, obj: Ref) -> Option<&Monitor> {
        let crowded = self.heap.lock_word(obj) & CROWDED != 0;
        crowded.then(|| self.monitors.get(&obj)).flatten()
    }

    /// Who owns the monitor, and how often it was entered.
    #[inline]
    pub fn monitor_owner(&self, obj: Ref) -> Option<(ThreadId, u32)> {
        let word = self.heap.lock_word(obj);
        match word & OWNER {
            0 => None,
            owner => {
                let chunks = self.crowd(obj).map_or(0, |m| m.chunks);
                let more = ((word & COUNT) >> COUNT_SHIFT) + u32::from(chunks) * 0x4000;
                Some((ThreadId(owner - 1), more + 1))
            }
        }
    }

    /// Who has a monitor, or another lock that a search takes for one.
    pub fn lock_owner(&self, obj: Ref) -> Option<ThreadId> {
        let owner = self.monitor_owner(obj).map(|(owner, _)| owner);
        owner.or_else(|| self.mutex_owner(obj))
    }

    /// Whether another thread than this one has it.
    pub fn is_taken(&self, obj: Ref, thread: ThreadId) -> bool {
        self.lock_owner(obj).is_some_and(|owner| owner != thread)
    }

    /// Whether the running thread, which has just entered, was not inside before.
    #[inline(always)]
    pub fn entered_anew(&self, obj: Ref) -> bool {
        self.heap.lock_word(obj) & COUNT == 0
    }

    pub fn holds_lock(&self, thread: ThreadId, obj: Ref) -> bool {
        self.monitor_owner(obj)
            .is_some_and(|(owner, _)| owner == thread)
    }

    /// Starts waiting: releases the monitor and joins the wait set. The caller must own
    /// the monitor; returns the entry count to be restored.
    pub fn wait_begin(&mut self, obj: Ref, deadline: Option<u64>) -> u32 {
        let current = self.current;
        self.touch_monitor(obj);
        self.monitors.entry(obj).or_default().waiting.push(current);
        let word = self.heap.lock_word(obj);
        self.heap.set_lock_word(obj, word | CROWDED);
        let count = self.release(obj);
        self.set_state(current, ThreadState::Waiting { on: obj, deadline });
        self.running().control.wake = Wake::None;
        count
    }

    /// Takes the monitor again after a wait, with the count of before, or blocks.
    pub fn monitor_restore(&mut self, obj: Ref, count: u32) -> Res<()> {
        self.monitor_enter(obj)?;
        let mut word = self.heap.lock_word(obj) & !COUNT | count & COUNT;
        if count & OWNER != 0 {
            self.touch_monitor(obj);
            self.monitors.entry(obj).or_default().chunks = (count & OWNER) as u16;
            word |= CROWDED;
        }
        self.heap.set_lock_word(obj, word);
        Ok(())
    }

    /// The threads in the wait set of an object, in the order of arrival.
    pub fn waiters(&self, obj: Ref) -> &[ThreadId] {
        self.crowd(obj).map_or(&[], |m| &m.waiting)
    }

    /// The threads that were interrupted in the wait set of an object and may still be there.
    pub fn leaving(&self, obj: Ref) -> &[ThreadId] {
        self.crowd(obj).map_or(&[], |m| &m.leaving)
    }

    /// Interrupts the wait of a thread on a monitor.
    pub fn interrupt_wait(&mut self, thread: ThreadId, obj: Ref) {
        self.wake(thread, Wake::Interrupted);
        self.touch_monitor(obj);
        self.monitors.entry(obj).or_default().leaving.push(thread);
        let word = self.heap.lock_word(obj);
        self.heap.set_lock_word(obj, word | CROWDED);
        self.emit_leave(obj);
    }

    /// An interrupted thread is in the wait set no longer.
    pub fn leave_wait_set(&mut self, thread: ThreadId, obj: Ref) {
        if !self.leaving(obj).contains(&thread) {
            return;
        }
        self.touch_monitor(obj);
        if let Some(monitor) = self.monitors.get_mut(&obj) {
            monitor.leaving.retain(|t| *t != thread);
        }
        self.drop_empty(obj);
        self.emit_leave(obj);
    }

    /// Notifies one thread in the wait set of an object, which may have been interrupted.
    pub fn notify_one(&mut self, thread: ThreadId, obj: Ref) {
        if self.leaving(obj).contains(&thread) {
            self.leave_wait_set(thread, obj);
            self.touch_thread(thread);
            self.thread_mut(thread).control.wake = Wake::Notified;
        } else {
            self.wake(thread, Wake::Notified);
        }
    }

    fn emit_leave(&mut self, obj: Ref) {
        let object = ObjectId(obj.0);
        self.emit(EventKind::Leave { object });
    }

    /// Forgets a monitor that nobody waits for or in.
    fn drop_empty(&mut self, obj: Ref) {
        if self.monitors.get(&obj).is_some_and(Monitor::is_empty) {
            self.monitors.remove(&obj);
            let word = self.heap.lock_word(obj);
            self.heap.set_lock_word(obj, word & !CROWDED);
        }
    }

    /// Ends the wait of a thread (on a monitor, parked or asleep).
    pub fn wake(&mut self, thread: ThreadId, how: Wake) {
        self.touch_thread(thread);
        if let ThreadState::Waiting { on, .. } = self.thread(thread).control.state {
            self.touch_monitor(on);
            if let Some(monitor) = self.monitors.get_mut(&on) {
                monitor.waiting.retain(|t| *t != thread);
            }
            self.drop_empty(on);
        }
        let awaits = match self.thread(thread).control.state {
            ThreadState::Waiting { on, .. } => Awaits::Monitor(on),
            _ => Awaits::Nothing,
        };
        self.set_state(thread, ThreadState::Runnable);
        let control = &mut self.thread_mut(thread).control;
        control.wake = how;
        control.awaits = awaits;
    }
}
