//! The vocabulary that Heddle's parts share, and the traits between them.
//!
//! Nothing here runs Java or searches; the VM, the strategies, the detectors and
//! the reports meet in these types and know nothing else of each other.

#![forbid(unsafe_code)]

mod choice;
mod event;
mod ids;
mod machine;
mod rewind;

pub use choice::{Choice, ChoicePoint, Pick};
pub use event::{Event, EventKind, EventMask, Observer, Place, Watch};
pub use ids::{ClassName, MethodId, ObjectId, Site, ThreadId, ThreadPath};
pub use machine::{End, Frame, Machine, OpMask, Step, Stop, ThreadView, View};
pub use rewind::{Mark, Rewind};
