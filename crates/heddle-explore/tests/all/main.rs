//! All tests of this crate that need no more than its interface, as one program: the searches are
//! generic, and each program that holds them takes half a minute to compile.

mod common;

mod bounded;
mod counts;
mod dpor_counts;
mod dpor_generated;
mod dpor_lazy;
mod driver;
mod estimate;
mod figures;
mod generated;
mod jobs;
mod jobs_in_turns;
mod resume;
mod sampling;
mod shorten;
mod states;
