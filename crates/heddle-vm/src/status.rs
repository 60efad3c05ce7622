//! What `Thread.getState` sees, in a search of a program that calls it.
//!
//! A thread that stops before a lock which another one holds has not tried to take it yet;
//! for the program it is blocked. The same goes for `join`. And each change of a status is
//! told as a write, by the thread that ran when it changed: who looks at it depends on that.
//! Programs that never ask pay nothing.

use crate::heap::Ref;
use crate::sched::status;
use crate::thread::{Awaits, Thread, ThreadState};
use crate::vm::Vm;
use heddle_model::{Event, EventKind, EventMask, MethodId, ObjectId, Observer, Place, Site};

impl Vm {
    /// Brings all statuses up to date after a thread has run, and tells what changed.
    pub fn update_statuses<O: Observer>(&mut self, observer: &mut O) {
        if !self.learned.asks_for_states || !self.heap.tracking {
            return;
        }
        for at in 0..self.threads.len() {
            let thread = &self.threads[at];
            let (object, id) = (thread.object, thread.id);
            if thread.system || object.is_null() {
                continue;
            }
            let (now, told) = (self.status_of(thread), thread.control.told);
            let offset = self.known.thread_status;
            if now != self.heap.get::<i32>(object, offset) {
                self.heap.put(object, offset, now);
            }
            if now != told {
                self.touch_thread(id);
                self.thread_mut(id).control.told = now;
                self.tell_status(object, offset, now, observer);
            }
        }
    }

    fn status_of(&self, thread: &Thread) -> i32 {
        let waits = thread.control.state == ThreadState::Runnable && !self.ready(thread);
        match thread.control.awaits {
            Awaits::Monitor(on) if waits => status(ThreadState::Blocked(on)),
            Awaits::Death(on) if waits => status(ThreadState::Waiting { on, deadline: None }),
            _ if self.thread_of(thread.object).is_none() => status(ThreadState::Dead),
            _ => status(thread.control.state),
        }
    }

    fn tell_status<O: Observer>(&self, object: Ref, at: u64, now: i32, observer: &mut O) {
        if self.wanted.has(EventMask::WRITE) && self.heap.is_shared(object) {
            let place = Place::Field {
                object: ObjectId(object.0),
                offset: at as u32,
            };
            // Nobody's bytecode does it.
            let site = Site {
                method: MethodId(self.stubs().thread.id),
                bci: -1,
            };
            let (thread, value) = (self.current, now as u64);
            let kind = EventKind::Write { place, value };
            observer.event(&Event { thread, site, kind }, self);
        }
    }
}
