//! The end of a program in a search of one that adds or removes shutdown hooks.
//!
//! `System.exit` begins by closing the list of hooks and ends by halting. In between, other
//! threads run, and whoever adds a hook is refused. To other programs this is one operation: nobody
//! can tell where in it others come to an end. In those that mention hooks (`learned.rs`)
//! the list counts as if it were the program's, and so do the monitor of a thread that exits and
//! the one that it takes to halt: a call that holds a monitor stops before it takes another one.
//! Where the program ends by itself, its initial thread stands there once more, if there are
//! daemons: nobody waits for them, and they run until it halts.

use crate::heap::Ref;
use crate::vm::Vm;
use heddle_model::{ObjectId, OpMask, Pause, PendingOp};

/// The class whose static is the list.
pub const LIST: &[u8] = b"java/lang/ApplicationShutdownHooks";

/// Methods that change it.
pub const CHANGING: &[&[u8]] = &[b"addShutdownHook", b"removeShutdownHook"];

impl Vm {
    /// Whether what the initial thread does when all others have ended counts: it starts hooks,
    /// be they the library's (loggers have one).
    pub fn ends_with_hooks(&self) -> bool {
        self.heap.tracking && (self.learned.changes_hooks || self.has_shutdown_hooks())
    }

    /// Whether somebody has to be called when the program ends. A class that was not
    /// even initialized knows of nobody.
    pub fn has_shutdown_hooks(&self) -> bool {
        let shutdown = self.known.shutdown;
        if !shutdown.is_initialized() {
            return false;
        }
        let hooks = self
            .heap
            .get_ref(shutdown.mirror.get(), self.known.shutdown_hooks);
        (0..self.heap.length(hooks)).any(|i| !self.heap.element(hooks, i).is_null())
    }

    /// Whether somebody may be there whom it refuses a hook: a daemon, for which nobody waits.
    /// One that has ended counts, too, or the end would be another one when both are reordered.
    pub fn refuses_hooks(&self) -> bool {
        let mut threads = self.threads.iter();
        let counts = self.heap.tracking && self.learned.changes_hooks;
        counts && threads.any(|t| t.daemon && !t.system)
    }

    /// The initial thread, which has waited for the others, sees all that they did.
    pub fn see_ends(&mut self) {
        let ended = self.threads.iter().filter(|t| !t.system && t.has_ended());
        let ended: Vec<Ref> = ended.map(|t| t.object).collect();
        for thread in ended {
            self.see_end(thread);
        }
    }

    /// The initial thread has run the hooks and stands before the end of the program: in the
    /// middle of something, like one that exits and is about to take the monitor to halt.
    pub fn pause_before_halt(&mut self) -> Pause {
        let named = self.stops.has(OpMask::VISIBLE) || self.stops.has(OpMask::GUIDED);
        let control = &mut self.running().control;
        control.at_operation = true;
        control.call_open = true;
        control.released = false;
        match named {
            true => Pause::Before(PendingOp::LockWithin(ObjectId(self.halting[1].0))),
            false => Pause::BlockEnd,
        }
    }

    /// The monitors that a thread holds when it exits, and takes to halt. A class that was not
    /// initialized before `main` has none yet, and those that it makes later count anyway.
    pub fn note_halting(&mut self) {
        let shutdown = self.known.shutdown;
        if self.learned.changes_hooks && shutdown.is_initialized() {
            let (mirror, lock) = (shutdown.mirror.get(), self.known.shutdown_halt_lock);
            self.halting = [mirror, self.heap.get_ref(mirror, lock)];
        }
    }

    /// Whether the running thread holds the first of them and is about to take the second.
    pub fn is_about_to_halt(&self, op: PendingOp) -> bool {
        let [exits, halts] = self.halting;
        op == PendingOp::Lock(ObjectId(halts.0)) && self.holds_lock(self.current, exits)
    }

    /// Whether the monitor of `obj` is one of them.
    pub fn halts(&self, obj: Ref) -> bool {
        self.halting.contains(&obj)
    }
}
