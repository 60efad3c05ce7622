//! The vocabulary that Heddle's parts share, and the traits between them.

#![forbid(unsafe_code)]

mod rewind;

pub use rewind::{Mark, Rewind};
