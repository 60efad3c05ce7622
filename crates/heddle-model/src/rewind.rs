//! Going back: what the VM, detectors and recorders have in common.

/// Names a state to go back to. Numbers are never used twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mark(pub u64);

/// State that can be marked and rewound.
///
/// Marks nest: the live ones form a stack. Rewinding to one ends those taken
/// after it and leaves it live, so it can be rewound to any number of times.
pub trait Rewind {
    /// Marks the present state.
    fn mark(&mut self) -> Mark;

    /// Goes back to a live mark.
    fn rewind(&mut self, to: Mark);

    /// Ends a mark without going back. What changed since counts as changed since
    /// the mark before it.
    fn forget(&mut self, mark: Mark);
}
