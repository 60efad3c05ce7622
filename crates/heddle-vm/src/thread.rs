//! Threads as plain data: a stack of register windows and a state.

use crate::class::{ClassPtr, MethodPtr};
use crate::heap::{Ref, Region};
use crate::stack::{Reach, Stack};
use crate::waiting::Round;

pub use heddle_model::ThreadId;

/// Why a thread runs or does not. Closed: every way to wait is listed here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadState {
    /// Can run.
    Runnable,
    /// Wants the monitor of this object. Runnable again (to try once more) when it
    /// is released.
    Blocked(Ref),
    /// In the wait set of this object until notified, interrupted, or the deadline.
    Waiting {
        on: Ref,
        deadline: Option<u64>,
    },
    /// In `LockSupport.park`.
    Parked {
        deadline: Option<u64>,
    },
    Sleeping {
        deadline: u64,
    },
    /// Waits until another thread has initialized this class.
    Initializing(ClassPtr),
    /// Waits for ever in the VM: the reference handler.
    Idle,
    /// The initial thread, done with `main`: waits for the last non-daemon thread.
    Draining,
    Dead,
}

/// What a thread that stopped before an operation would have to wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Awaits {
    #[default]
    Nothing,
    /// The monitor of this object is free.
    Monitor(Ref),
    /// The thread of this java.lang.Thread has ended.
    Death(Ref),
    /// No other thread initializes this class.
    Class(ClassPtr),
    /// What is waited for at this object has happened (`gates.rs`).
    Gate(Ref),
    /// A place at which it looked in its present round has another value.
    Change,
    /// The same, and then the monitor of this object is free.
    ChangeThenMonitor(Ref),
}

impl Awaits {
    /// Whether it only looks around until something changes.
    pub fn is_change(self) -> bool {
        matches!(self, Awaits::Change | Awaits::ChangeThenMonitor(_))
    }
}

/// How a wait ended; the wait reads it when it is run again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wake {
    #[default]
    None,
    Notified,
    TimedOut,
    Interrupted,
    Unparked,
    Spurious,
}

/// The part of a thread that a mark saves by copying.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Control {
    pub state: ThreadState,
    pub wake: Wake,
    pub interrupted: bool,
    /// Token of `LockSupport.unpark`.
    pub permit: bool,
    /// `Thread.suspend` was called on it, on top of what it did (which it goes on with
    /// when resumed).
    pub suspended: bool,
    /// `Thread.stop`: thrown when it runs next; null if none.
    pub stop: Ref,
    /// The monitor for which it was blocked then: thrown when it has that; null if none.
    pub stop_within: Ref,
    pub region: Region,
    /// Threads started so far; numbers the next child in its spawn path.
    pub children: u32,
    /// Where it goes on: next instruction, frame, method. Valid while not running.
    pub pc: *const u64,
    pub fp: *mut u64,
    pub method: MethodPtr,
    pub reach: Reach,
    /// Exception on its way while the VM looks for a handler.
    pub pending: Ref,
    /// Calls of identityHashCode or similar counters that must not depend on others.
    pub counter: u64,
    /// It stopped before an operation (or before its first one) and does it when it is
    /// run again.
    pub at_operation: bool,
    /// The operation may be done now.
    pub granted: bool,
    /// What must be before it can go on from where it stopped.
    pub awaits: Awaits,
    /// It stands before a monitor in which it may wait, or has taken such a one and has only looked
    /// since: see `awaiting.rs`.
    pub may_wait: bool,
    pub looking: bool,
    /// A digest of what it has read where others can write.
    pub heard: u64,
    /// What it did lately, to tell loops that wait for a change.
    pub round: Round,
    /// How often it looked at the clock.
    pub looks: u64,
    pub counted: crate::state::Counted,
    /// Bytecodes executed since the search began.
    pub steps: u64,
    /// It is inside a call into trusted code that was granted as one operation.
    pub call_open: bool,
    /// Where on its stack the library has called the program, and what it did since.
    pub edge: crate::edge::Edge,
    /// Monitors that it has entered and not left since the search began, and those of them
    /// that objects of the library have.
    pub monitors: u16,
    pub crossings: u16,
    /// Frames from this address on do something for the VM that no program can tell: load
    /// a class, link a call.
    pub hidden_from: usize,
    /// The trusted call it is in has let other threads go on.
    pub released: bool,
    /// That it has come to the next watched bytecode was told already.
    pub arrived: bool,
    /// Whom its notification is to wake.
    pub chosen: Option<ThreadId>,
    /// What others were told of its status.
    pub told: crate::status::Whereabouts,
    /// What it has done so far, for those who ask for statistics of threads.
    pub record: crate::onlookers::Record,
}

impl PartialEq for crate::class::Class {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}
impl Eq for crate::class::Class {}
impl PartialEq for crate::class::Method {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// A thread.
pub struct Thread {
    pub id: ThreadId,
    /// Spawn path: which child of which child; the initial thread's is empty.
    pub path: Vec<u32>,
    /// The java.lang.Thread object.
    pub object: Ref,
    /// Its group, also when it has ended.
    pub group: Ref,
    pub daemon: bool,
    /// One of the library's own housekeeping threads, left out of schedules and of
    /// deadlock detection.
    pub system: bool,
    pub control: Control,
    pub stack: Stack,
    /// Epoch in which it was saved last; see `journal.rs`.
    pub saved_epoch: u32,
}
