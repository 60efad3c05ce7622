//! The nodes of the search tree, and the threads that can be run from them.

use super::super::footprint::{LockOp, Top};
use heddle_model::{Choice, ObjectId, ThreadId};

/// A choice point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// First slot, first held lock.
    pub(super) slots: u32,
    pub(super) held: u32,
    /// The slot that is being run.
    pub(super) current: u32,
    /// Blocks that were run from here to their end.
    pub(super) ran: u32,
    /// Where the footprints end that belong to it and to those above.
    pub(super) top: Top,
    /// Where the block began that is being run.
    pub(super) began: Top,
    pub(super) blocks: u32,
    /// Reached by a schedule that the published algorithm does not explore.
    pub(super) extra: bool,
    /// Its path was counted.
    pub(super) counted: bool,
    /// No other thread is to be run from here.
    pub(super) closed: bool,
    /// Another worker runs the others.
    pub(super) given: bool,
    /// Lock cycles are looked for when all choices within the present block were made.
    pub(super) late: bool,
    /// The slot to run next, whatever the order.
    pub(super) redo: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A thread is chosen.
    Schedule,
    /// The target of a notification is chosen; so many there are, this is the present one.
    Notify { targets: u32, present: u32 },
    /// No choice.
    Forced,
}

/// One option of a scheduling node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) choice: Choice,
    pub(super) pick: u32,
    /// What it did when it was run last.
    pub(super) block: u32,
    pub(super) state: State,
    /// To be run although the published algorithm does not.
    pub(super) extra: bool,
    /// It was left at the lock that stopped it, and all that follows was explored.
    pub(super) stayed: bool,
}

pub(super) const NO_BLOCK: u32 = u32::MAX;

/// The pick of a choice that cannot be taken at present.
pub(super) const ABSENT: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Enabled,
    Delayed,
    Blocked(ObjectId),
}

impl Slot {
    pub(super) fn fresh(choice: Choice) -> Slot {
        let state = State::Enabled;
        Slot {
            choice,
            pick: ABSENT,
            block: NO_BLOCK,
            state,
            extra: false,
            stayed: false,
        }
    }

    /// The pick, and whether the thread is to stay where it is stopped.
    pub(super) fn code(&self) -> u32 {
        self.pick | (self.stayed as u32) << 31
    }
}

/// Brings the locks held up to date, those from `from` on.
pub(super) fn hold(
    held: &mut Vec<(ThreadId, ObjectId)>,
    from: usize,
    thread: ThreadId,
    ops: &[LockOp],
) {
    for op in ops {
        match *op {
            LockOp::Enter(lock) => held.push((thread, lock)),
            LockOp::Leave(lock) => {
                if let Some(i) = held[from..].iter().rposition(|h| *h == (thread, lock)) {
                    held.remove(from + i);
                }
            }
        }
    }
}
