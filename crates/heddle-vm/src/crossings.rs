//! Monitors that threads meet at inside the library, without noticing each other: those of
//! `System.out` and `System.err`, of thread groups, of whatever else the library has for
//! itself.
//!
//! Nobody can tell who came first, as long as all leave soon, so these monitors do not count.
//! But a program can hold one while it does things of its own: it takes it itself, or the
//! library calls it meanwhile (`printf` and a `toString`). Then whoever prints may have to
//! wait, for ever perhaps. In a program that does (`learned.rs`) the monitors of the standard
//! streams count as any other does, those of thread groups if it takes them, and others that it
//! was seen to hold (`System.getProperties().computeIfAbsent` calls the program with one).

use crate::class::MethodPtr;
use crate::heap::Ref;
use crate::vm::Vm;

impl Vm {
    /// Whether entering or leaving the monitor of `obj` in `method` is something that other
    /// threads can notice. Locks of the library's own objects are, where the program takes
    /// them.
    #[inline]
    pub fn lock_noticeable(&self, obj: Ref, method: MethodPtr) -> bool {
        !self.heap.tracking
            || self.heap.is_shared(obj) && !self.is_group(obj)
            || (self.of_library(obj) || self.is_group(obj)) && !method.flags.trusted
            || self.is_held_by_program(obj)
    }

    /// Whether the monitor of `obj` is one that threads meet at inside the library. A call
    /// stops before it takes one, not later: whoever stops holding it is in the way of others
    /// who are to know nothing of it.
    pub fn is_crossing(&self, obj: Ref) -> bool {
        self.of_library(obj)
            && !self.is_group(obj)
            && self
                .monitor_owner(obj)
                .is_none_or(|(owner, _)| owner != self.current)
    }

    /// Whether the library has the monitor of `obj` for itself: a call that holds it is not
    /// to stop.
    pub fn is_library_lock(&self, obj: Ref) -> bool {
        (self.of_library(obj) || self.is_group(obj)) && !self.is_held_by_program(obj)
    }

    /// Whether the monitor of `obj` counts, though the library uses it as if it were its own.
    fn is_held_by_program(&self, obj: Ref) -> bool {
        self.learned.held.contains(&obj)
            || self.learned.holds_streams && self.standard_streams.contains(&obj)
            || self.learned.holds_groups && self.is_group(obj)
            || self.learned.changes_hooks && self.halts(obj)
    }

    /// The program takes a monitor, perhaps that of a group or of a thread.
    #[cold]
    pub fn learn_lock(&mut self, obj: Ref) {
        self.learned.holds_groups |= self.is_group(obj);
        self.learned.holds_threads |= self.class_of(obj).is_subtype_of(self.known.thread);
    }

    /// A monitor is taken, perhaps one of the library.
    #[cold]
    pub fn learn_crossing(&mut self, obj: Ref) {
        if self.of_library(obj) && !self.is_group(obj) && !self.standard_streams.contains(&obj) {
            self.crossed.insert(obj);
        }
    }

    /// The program, not the library, is about to do something that others can notice, perhaps
    /// while it holds the monitor of a stream, or another one of the library.
    #[cold]
    pub fn learn_holding(&mut self) {
        let held = |lock: &&Ref| !lock.is_null() && self.holds_lock(self.current, **lock);
        let streams = self.standard_streams.iter().any(|stream| held(&stream));
        let others: Vec<Ref> = self.crossed.iter().filter(held).copied().collect();
        self.learned.holds_streams |= streams;
        self.learned.held.extend(others);
    }
}
