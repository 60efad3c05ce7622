//! Steps that depend on each other by something that nobody tells.
//!
//! What the library keeps for itself does not count: its statics, and objects that are older than
//! the program. Mostly nobody can tell. But a call may find something there that another one
//! has put there, and touch it; and what is touched counts. Then the two are in a race, and when the
//! call is run first it does not find that thing, and does not touch it. So it does not meet the
//! other, which would sleep on, and the schedule would be given up: in vain, and wrongly so, since the
//! call has done something that it has not done yet.
//!
//! This can be told. A step in a race with an earlier one comes after nothing that comes
//! after that one, or there would be no race. So if it is run without the earlier one, it finds
//! everything else as it was; and if it does other things then, it is because of the
//! earlier one. If it looked at what that one writes, they meet. If they do not, they depend on each
//! other all the same, and the other is awake.

use super::Dpor;
use super::sequence::Touches;
use super::trace::NONE;

impl Dpor {
    /// The thread that made the step which one at the end of a sequence is to come before, if
    /// it met that one and may do something else now.
    pub(super) fn rival(&self, earlier: u32, touches: &Touches<'_>) -> u32 {
        match touches {
            Touches::Perhaps(seen) if seen.meets(&self.trace.print(earlier)) => {
                self.trace.step(earlier).thread
            }
            _ => NONE,
        }
    }
}
