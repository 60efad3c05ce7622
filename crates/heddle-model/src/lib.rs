//! The vocabulary that Heddle's parts share, and the traits between them.
//!
//! Nothing here runs Java or explores schedules; the VM, the strategies, the detectors and
//! the reports meet in these types and know nothing else of each other.

#![forbid(unsafe_code)]

mod choice;
mod event;
mod ids;
mod machine;
pub mod nests;
pub mod report;
mod rewind;
pub mod schedule;
mod search;
mod trust;

pub use choice::{Choice, ChoicePoint, Pause, PendingOp, Pick, are_at_rest};
pub use event::{Event, EventKind, EventMask, Observer, Place, Watch};
pub use ids::{ClassName, MethodId, ObjectId, Site, ThreadId, ThreadPath, simple_name};
pub use machine::{
    Awaited, Datum, End, FieldName, Frame, GateField, InvariantResult, Link, Machine, MutexField,
    OpMask, Outcome, OwnFrame, Step, Stop, Supposed, ThreadView, View,
};
pub use rewind::{Mark, Rewind};
pub use search::{Decision, Detector, Finding, FindingKind, Findings, Line, Next, Over, Strategy};
pub use trust::Trust;
