//! Threads that the library runs: workers of a pool, timers. The library is at the bottom of
//! their stacks and calls the program now and then.
//!
//! What it does between two such calls is not one operation: `FutureTask.run` sets the result,
//! and whoever waits for that may go on before the worker counts the task as done and looks for
//! the next one. Where one operation ends and the next begins is taken from the stack. The frame
//! that called the program belongs to the task; with its return an operation ends, and so with the
//! return of its caller, and of that one's caller. The thread stops there before it does
//! anything else that others can notice.
//!
//! An exception that leaves such frames ends an operation if the library catches it. One that
//! nobody catches does not: the thread is at its end.
//!
//! A thread whose outermost frame is the program's, but for `Thread.run`, has nothing to do
//! behind it and stops nowhere else than before.

use crate::class::MethodPtr;
use crate::thread::Control;
use crate::vm::Vm;

/// Classes, and why no operation ends where a method returns to their code.
const GOES_ON: &[(&[u8], &str)] = &[
    (
        b"java/util/concurrent/ForkJoinTask",
        "a task with a result is done only when it says so",
    ),
    (
        b"java/util/concurrent/ForkJoinPool",
        "a worker looks for its next task in the queue where it found the last one, then in \
         all others: who adds a task meanwhile cannot tell which",
    ),
    (
        b"java/util/concurrent/ForkJoinWorkerThread",
        "a worker that has nothing left to do tells its pool",
    ),
];

/// To this one a worker of a fork/join pool returns when its task is done, to look for the next.
/// That it looks when the result is there already makes a difference only to programs that ask
/// what workers do or that can tell them apart; others are spared the search.
const LOOKS_FOR_TASKS: &[u8] = b"java/util/concurrent/ForkJoinPool$WorkQueue";

impl Vm {
    /// Whether no operation ends where a method returns to code of a class of the library.
    pub fn goes_on(&self, class: &[u8]) -> bool {
        GOES_ON.iter().any(|entry| entry.0 == class)
            || class == LOOKS_FOR_TASKS && !self.learned.asks_for_workers
    }
}

/// The frame of a thread whose end matters: the outermost one of the program or, as long as there
/// is none, the one of the library that called it last or what is left of those below.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Edge {
    /// Its address; 0 if the program has not been called yet.
    pub frame: usize,
    pub of_program: bool,
    pub rest: Rest,
}

/// What the library has done since the program's code ran last, or since its last operation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rest {
    /// Nothing that others can notice.
    #[default]
    Nothing,
    /// Something; the operation is under way.
    Worked,
    /// Something, and then the operation ended. The next one is still to begin.
    Between,
}

impl Control {
    /// The program's code runs again: a call into the library is over.
    #[inline]
    pub fn back_in_program(&mut self) {
        self.call_open = false;
        self.edge.rest = Rest::Nothing;
    }

    /// The program's code is called; `frame` is its frame.
    #[inline]
    pub fn enter_program(&mut self, frame: *const u64) {
        self.back_in_program();
        if !self.edge.of_program {
            self.edge.frame = frame as usize;
            self.edge.of_program = true;
        }
    }

    /// The frame whose end matters has returned to this one of its caller.
    #[cold]
    #[inline(never)]
    pub fn leave_edge(&mut self, frame: *const u64, caller: MethodPtr) {
        self.move_edge(frame, caller);
        self.end_operation(caller);
    }

    /// The frame whose end matters is gone, and this one of its caller comes next.
    pub fn move_edge(&mut self, frame: *const u64, caller: MethodPtr) {
        self.edge.frame = frame as usize;
        self.edge.of_program = caller.flags.own;
    }

    /// What the library does next, in `method`, is another operation than what it did so far.
    pub fn end_operation(&mut self, method: MethodPtr) {
        // Who holds a monitor that threads meet at without noticing is not to stop.
        let may_end = self.crossings == 0 && !method.class.flags.goes_on;
        if self.edge.rest == Rest::Worked && may_end {
            self.edge.rest = Rest::Between;
            self.call_open = false;
        }
    }

    /// Whether the library has ended an operation and is to begin the next one, with no code of
    /// the program in between.
    #[inline]
    pub fn is_between(&self) -> bool {
        self.edge.rest == Rest::Between
    }
}
