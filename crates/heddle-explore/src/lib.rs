//! Searches the schedules of a program.
//!
//! [`explore`] runs a [`heddle_model::Machine`] under a [`heddle_model::Strategy`] and
//! lets detectors judge every path; [`strategies`] holds the strategies, one file each;
//! [`toy`] is a small machine on which they are tested. Nothing here knows Java.

#![forbid(unsafe_code)]

mod alone;
mod control;
mod driver;
mod estimate;
mod jobs;
mod outcome;
mod record;
mod shorten;
pub mod strategies;
pub mod toy;
mod turns;

pub use control::{Control, Limits, OnError, Tick};
pub use driver::{explore, explore_on};
pub use estimate::{Estimate, Probes};
pub use jobs::{Pool, Worker, merge};
pub use outcome::{Bound, Earlier, Found, Outcome, Progress, Route, Taken, Unsupported};
pub use record::{Shows, record};
pub use shorten::{Budget, switches};
