//! The Java library that goes with instrumented programs, as `build.rs` compiled it from
//! `runtime/`.

/// Its class files: path and content. Empty if there was no Java compiler.
pub const CLASSES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/library.rs"));
