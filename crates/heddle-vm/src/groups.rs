//! Who is in a thread group, in a search of a program that asks.
//!
//! Every thread enters its group when it starts and leaves it when it ends, so the fields of
//! groups are bookkeeping (`bookkeeping.rs`): if they counted, all starts and ends would
//! depend on each other. But a program can ask who is in a group, or interrupt all that are.
//! In a program that does (`learned.rs`) this is told instead, where the library takes the
//! monitor of the group to do it:
//!
//! - who comes writes the members of the group, a place: in which order they came can be seen;
//! - who leaves writes what it writes anyway, whether it is alive (`thread_end.rs`), since all
//!   that can be seen is that it has left;
//! - who asks reads the members, and of everybody who came whether it is alive.
//!
//! So ends depend on those who ask, and on nothing else.

use crate::class::MethodPtr;
use crate::heap::Ref;
use crate::vm::Vm;
use heddle_model::{EventKind, ObjectId, Place};

/// What a method of the library does to the group whose monitor it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Membership {
    /// A thread or another group comes, or a group leaves.
    Changed,
    /// A thread leaves.
    Left,
    /// Whoever is in it makes a difference.
    Asked,
    /// Only settings of the group do, which are fields like others ([`SETTINGS`]).
    Unasked,
}

/// Fields of a group that say nothing of its members. They count in a program that asks, since
/// whoever sets them is among those that ask.
pub const SETTINGS: &[&[u8]] = &[b"maxPriority", b"destroyed", b"daemon"];

impl Vm {
    /// Whether an object is a group of threads.
    pub fn is_group(&self, object: Ref) -> bool {
        self.class_of(object).flags.quiet
    }

    /// What taking the monitor of `lock` in `method` means to the members of a group, if
    /// that makes a difference in this program.
    #[inline]
    pub fn membership(&mut self, lock: Ref, method: MethodPtr) -> Option<Membership> {
        let counts = self.learned.asks_for_members || self.learning;
        match counts && self.heap.tracking && self.is_group(lock) {
            true => self.membership_in(method),
            false => None,
        }
    }

    #[cold]
    fn membership_in(&mut self, method: MethodPtr) -> Option<Membership> {
        if method.class != self.known.thread_group {
            return None;
        }
        let of_thread = self.symbols.bytes(method.desc) == b"(Ljava/lang/Thread;)V";
        let what = match self.symbols.bytes(method.name) {
            b"add" | b"threadStartFailed" => Membership::Changed,
            b"remove" if !of_thread => Membership::Changed,
            b"remove" | b"threadTerminated" => Membership::Left,
            b"addUnstarted" | b"isDestroyed" => Membership::Unasked,
            _ => Membership::Asked,
        };
        self.learned.asks_for_members |= self.learning && what == Membership::Asked;
        self.learned.asks_for_members.then_some(what)
    }

    /// Tells what is done to a group. The running thread has its monitor.
    #[cold]
    pub fn tell_membership(&mut self, group: Ref, what: Membership) {
        match what {
            Membership::Changed => self.tell_written(group, self.known.group_size),
            // Whether it is the last one, with whom a daemon goes away, depends on who is
            // in the group, and on who is expected.
            Membership::Left if self.heap.get::<u8>(group, self.known.group_daemon) != 0 => {
                self.tell_written(group, self.known.group_size);
                self.tell_written(group, self.known.group_destroyed);
            }
            Membership::Left | Membership::Unasked => {}
            Membership::Asked => self.tell_asked(group),
        }
        // The library gives the monitor back, which ends an atomic block.
        self.running().control.released = true;
    }

    fn tell_asked(&mut self, group: Ref) {
        // Who asks again and again waits for one of these to change.
        for at in [self.known.group_size, self.known.group_groups] {
            self.note_look(group.at() + at, 4);
        }
        let place = group_field(group, self.known.group_size);
        self.emit(EventKind::Read { place, value: 0 });
        for at in 0..self.threads.len() {
            let thread = &self.threads[at];
            if thread.group == group {
                let thread = thread.object;
                let place = self.life(thread);
                self.emit(EventKind::Read { place, value: 0 });
                self.see_end(thread);
            }
        }
    }

    fn tell_written(&mut self, group: Ref, at: u64) {
        let place = group_field(group, at);
        self.emit(EventKind::Write { place, value: 0 });
    }

    /// The group that a thread is in, or was before it ended.
    pub fn note_group(&mut self, thread: usize) {
        let object = self.threads[thread].object;
        self.threads[thread].group = self.heap.get_ref(object, self.known.thread_group_field);
    }
}

fn group_field(group: Ref, at: u64) -> Place {
    Place::Field {
        object: ObjectId(group.0),
        offset: at as u32,
    }
}
