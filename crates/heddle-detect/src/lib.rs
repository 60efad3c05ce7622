//! Detectors: each judges executions by the events it is told and by looking at the
//! machine where it stops, and says what is wrong in the program's own terms.
//!
//! A detector is one file and one line in [`set::DETECTORS`]. All of them rewind with
//! the machine ([`saved`] makes that easy), so they may be kept through a whole search;
//! none remembers what it reported on a path that was taken back.

#![forbid(unsafe_code)]

mod clocks;
mod code;
pub mod condition_deadlock;
pub mod eraser;
pub mod exit_code;
mod facts;
mod held;
pub mod invariant;
pub mod livelock;
pub mod lock_cycle;
mod ownable;
pub mod race;
pub mod saved;
pub mod set;
mod shadow;
pub mod swallowed;
pub mod table;
pub mod uncaught;
mod waits;
mod wording;

pub use condition_deadlock::ConditionDeadlock;
pub use eraser::Eraser;
pub use exit_code::ExitCode;
pub use invariant::Invariant;
pub use livelock::Livelock;
pub use lock_cycle::LockCycle;
pub use race::Race;
pub use set::{Fanout, Filter};
pub use swallowed::Swallowed;
pub use uncaught::Uncaught;
