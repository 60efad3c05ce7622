//! Choices: every source of non-determinism comes in this one form.

use crate::ThreadId;

/// One thing that can happen next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Choice {
    /// This thread goes on.
    Run(ThreadId),
    /// Nobody can run: time passes until this thread's wait is over.
    Timeout(ThreadId),
}

/// A point where the execution can go on in more than one way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChoicePoint<'a> {
    /// The thread that ran last.
    pub by: ThreadId,
    /// Never empty, and always in the same order for the same state.
    pub options: &'a [Choice],
}

/// Index of the option taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Pick(pub usize);
