//! Replay on a stock JVM, after jreplay ("JVM Independent Replay in Java"): class files are
//! instrumented where a schedule needs it, and a small Java library (`runtime/`) lets one
//! thread run at a time, the one that the schedule says.

#![forbid(unsafe_code)]

pub mod calls;
pub mod class_path;
pub mod digest;
pub mod instrument;
pub mod launch;
pub mod library;
pub mod outcome;
pub mod output;
pub mod places;
pub mod program;
pub mod stretches;
mod survey;
pub mod visible;
