//! What several tests and examples need.

#![allow(dead_code, unused_imports)]

pub mod asm;
pub mod differential;
pub mod edit_mutants;
pub mod hotspot;
pub mod instrument;
pub mod jdk;
pub mod mutants;
pub mod rules;
pub mod world;

pub use jdk::{classes, image, jdk_home};
