//! The differential conformance harness: the same Java program under `java`
//! and under `heddle run`, compared by stdout, exit code and the first line of
//! stderr.
//!
//! The programs live in `programs/run`; `corpus` says what a program is.
//! `generate` writes random programs and compares them in batches. `check` holds the reports
//! of `heddle check` on the programs in `programs/check` against what is expected. Nothing in
//! this crate knows the VM: Heddle is one more launcher on the command line.
//! Stack traces below the first line of stderr are left out of the comparison
//! on purpose; programs that care print them to stdout.

#![forbid(unsafe_code)]

pub mod check;
pub mod compare;
pub mod compile;
pub mod corpus;
pub mod generate;
pub mod launch;
pub mod suite;
pub mod toolchain;
