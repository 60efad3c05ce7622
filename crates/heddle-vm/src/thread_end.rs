//! The end of a thread: what it leaves behind, and who is told.
//!
//! Before a thread dies, the library's `Thread.exit()` takes it out of its group and clears its
//! fields. In a search threads end all the time, and most of what a short thread runs would
//! be that method. So where it is trusted, and has nothing to do but the usual, the same is
//! done here in one step ([`Vm::takes_leave`]); else the Java code runs.
//!
//! The end of a thread is one operation, a write of `eetop`, the field that says whether it
//! is alive. It stands for the writes of all fields that are cleared: whoever uses one of
//! those of another thread is told to read `eetop`, too ([`Vm::is_cleared`]).

use crate::groups::Membership;
use crate::heap::Ref;
use crate::native::{Frame, Res};
use crate::vm::Vm;
use heddle_model::{EventKind, ObjectId, OpMask, Place};

/// Phases of the stubs at the bottom of stacks in which the program's part is over.
pub const RUN_OVER: u32 = 1;
pub const MAIN_OVER: u32 = 21;

impl Vm {
    /// Whether a thread, at the bottom of its stack, does nothing more than end: its `run` or
    /// `main` returned, or its exception was taken.
    pub fn is_over(&self, f: Frame) -> bool {
        let over = match f.method() == self.stubs().main {
            true => MAIN_OVER,
            false => RUN_OVER,
        };
        let returned = f.phase() == over && f.exception().is_null();
        self.heap.tracking && (returned || f.phase() == over + 1)
    }

    /// Whether threads end without a stop: nobody can tell when, since all that is done with
    /// their ends is to wait for them. The end then belongs to the last operation before it.
    pub fn ends_quietly(&self) -> bool {
        let learned = &self.learned;
        let watched = learned.asks_for_lives
            || learned.holds_threads
            || learned.asks_for_members
            || learned.interrupts
            || learned.stops;
        // What the last operation has broken is told before the thread is gone.
        let judged = !self.options.invariants.is_empty();
        self.stops.has(OpMask::QUIET_ENDS) && !watched && !judged
    }

    /// Does what `Thread.exit()` of the running thread would do, unless that is more than
    /// can be done here: values of thread-locals may have to be closed, somebody may use the
    /// group at the moment or wait for it to become empty, or it goes away with its last thread.
    pub fn takes_leave(&mut self, thread: Ref) -> bool {
        let known = &self.known;
        let group = self.heap.get_ref(thread, known.thread_group_field);
        let usual = self.heap.tracking
            && !self.learned.holds_groups
            && self.known_method(known.thread_exit).flags.trusted
            && self.heap.get_ref(thread, known.thread_locals).is_null()
            && (group.is_null()
                || self.heap.lock_word(group) == 0
                    && self.heap.get::<u8>(group, known.group_daemon) == 0);
        if !usual {
            return false;
        }
        let cleared = [
            known.thread_group_field,
            known.thread_target,
            known.thread_inheritable_locals,
            known.thread_access_control,
            known.thread_blocker,
            known.thread_handler,
        ];
        if !group.is_null() {
            self.leave_group(group, thread);
            if self.learned.asks_for_members {
                self.tell_membership(group, Membership::Left);
            }
        }
        for field in cleared {
            self.heap.put_ref(thread, field, Ref::NULL);
        }
        true
    }

    /// `ThreadGroup.remove(Thread)`: those behind it move up.
    fn leave_group(&mut self, group: Ref, thread: Ref) {
        let known = &self.known;
        if self.heap.get::<u8>(group, known.group_destroyed) != 0 {
            return;
        }
        let threads = self.heap.get_ref(group, known.group_threads);
        let (at, size) = (
            known.group_size,
            self.heap.get::<u32>(group, known.group_size),
        );
        let Some(place) = (0..size).find(|&i| self.heap.element(threads, i) == thread) else {
            return;
        };
        let (from, behind) = (self.heap.element_offset(place), size - place - 1);
        let bytes = 4 * u64::from(behind);
        self.heap.barrier_range(threads, from, bytes + 4);
        let from = threads.at() + from;
        self.heap.arena.copy(from + 4, from, bytes as usize);
        self.heap.set_element(threads, size - 1, Ref::NULL);
        self.heap.put(group, at, size - 1);
    }

    /// Whether a field of `object` belongs to a thread, not the running one, that clears it
    /// when it ends.
    #[inline]
    pub fn is_cleared(&self, object: Ref, offset: u64) -> bool {
        let known = &self.known;
        let fields = [
            known.thread_group_field,
            known.thread_blocker,
            known.thread_handler,
        ];
        fields.contains(&offset)
            && object != self.threads[self.current.0 as usize].object
            && self.class_of(object).is_subtype_of(known.thread)
    }

    /// What is written by those who stop, suspend and resume a thread, and read by all that
    /// it does, in a program that does such things: the field that says that it was stopped.
    pub fn course(&self, thread: Ref) -> Place {
        Place::Field {
            object: ObjectId(thread.0),
            offset: self.known.thread_stillborn as u32,
        }
    }

    /// The field of a thread that says whether it is alive.
    pub fn life(&self, thread: Ref) -> Place {
        Place::Field {
            object: ObjectId(thread.0),
            offset: self.known.thread_eetop as u32,
        }
    }

    /// The running thread has looked whether another one lives: it comes after all that one did
    /// if it does not.
    pub fn see_end(&mut self, thread: Ref) {
        if self.thread_of(thread).is_none()
            && let Some(of) = self.thread_with(thread)
        {
            let place = self.life(thread);
            self.emit(EventKind::SeesEnd { of, place });
        }
    }

    /// The last act of a thread: joiners wake up. Under the thread's own monitor, since
    /// `join` looks and waits under it: without that, the death could fall in between.
    pub fn thread_died(&mut self, thread: Ref) -> Res<()> {
        self.monitor_enter(thread)?;
        let object = ObjectId(thread.0);
        if self.learned.holds_threads {
            self.emit(EventKind::Lock { object });
        }
        let at = self.known.thread_eetop;
        self.heap.put(thread, at, 0u64);
        self.leaves_roll();
        let status = self.known.thread_status;
        self.heap.put(thread, status, 2i32);
        let woken = self.waiters(thread).len() as u32;
        self.notify_all(thread);
        let place = self.life(thread);
        let write = EventKind::Write { place, value: 0 };
        let notify = EventKind::Notify {
            object,
            woken,
            all: true,
        };
        self.emit_all([write, notify], false);
        if self.learned.holds_threads {
            self.emit(EventKind::Unlock { object });
        }
        self.monitor_exit(thread)
    }
}
