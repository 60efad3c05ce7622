//! `Thread.stop`: when the thread that is stopped throws the error.
//!
//! At once, wherever it is, and a wait ends; but who is blocked before a monitor stays so
//! until it has the monitor, and throws the error in it (as HotSpot does). In a search a thread that
//! stands before a monitor which another one has is blocked, as for who asks for its state
//! (`status.rs`); that it was about to come there and the monitor taken already is left out.
//! So who stops a thread looks at the monitor before which that one stands.

use crate::heap::Ref;
use crate::interp::{Next, RunEnd};
use crate::native::Trap;
use crate::status::Whereabouts;
use crate::thread::{ThreadId, ThreadState, Wake};
use crate::vm::Vm;
use heddle_model::{EventKind, ObjectId, Observer, Place};

/// Instructions in which a thread that has been woken before a monitor takes it: `monitorenter`
/// or a call, and before it, where somebody watches, the arrival there.
const ATTEMPTS: usize = 3;

impl Vm {
    /// Another thread is to throw an error.
    pub fn stop_thread(&mut self, id: ThreadId, error: Ref) {
        let before = self.monitor_before(id);
        if let Some(on) = before {
            let (place, value) = (Place::monitor(ObjectId(on.0)), 0);
            self.emit(EventKind::Read { place, value });
        }
        let taken = before.filter(|on| self.is_taken(*on, id));
        self.touch_thread(id);
        let control = &mut self.thread_mut(id).control;
        control.stop = error;
        control.stop_within = taken.unwrap_or(Ref::NULL);
        if taken.is_none() {
            self.wake(id, Wake::Interrupted);
        }
    }

    /// The monitor that a thread is about to take, or to take back after a wait.
    fn monitor_before(&self, id: ThreadId) -> Option<Ref> {
        let thread = self.thread(id);
        if let ThreadState::Blocked(on) = thread.control.state {
            return Some(on);
        }
        let tries = thread.control.record.tries();
        if tries.is_some() || !self.heap.tracking {
            return tries;
        }
        match self.whereabouts(thread) {
            Whereabouts::Before(on) => Some(on),
            _ => None,
        }
    }

    /// The running thread throws the error that it was stopped with, if it is time. The end of
    /// its run, if that comes first.
    pub fn throw_stop<O: Observer>(&mut self, observer: &mut O) -> Option<RunEnd> {
        if self.ends_wait() {
            // `wait` throws it when it has the monitor.
            return None;
        }
        let (stop, within) = self.take_stop();
        for _ in 0..ATTEMPTS {
            if within.is_null() || self.holds_lock(self.current, within) {
                break;
            }
            let end = self.run_thread(1, observer);
            if !matches!(end, RunEnd::Slice) {
                let control = &mut self.running().control;
                (control.stop, control.stop_within) = (stop, within);
                return Some(end);
            }
        }
        match self.handle_trap(Trap::Throw(stop)) {
            Next::End(end) => Some(end),
            Next::Continue => None,
        }
    }

    /// The error that the running thread was stopped with and has not thrown yet, and the monitor in
    /// which it is to throw it.
    pub fn take_stop(&mut self) -> (Ref, Ref) {
        let control = &mut self.running().control;
        let stop = std::mem::take(&mut control.stop);
        (stop, std::mem::take(&mut control.stop_within))
    }

    /// Whether the running thread comes out of `Object.wait`, for which it needs the monitor
    /// first, whatever else is to happen then.
    fn ends_wait(&mut self) -> bool {
        let object = self.known.object;
        let mut frames = self.running().frames();
        frames
            .next()
            .filter(|f| f.method.is_native() && f.method.class == object && !f.method.flags.vm_stub)
            .is_some_and(|f| f.native().phase() != 0)
    }
}
