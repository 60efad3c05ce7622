//! From a [`heddle_model::report::Report`] to text: one file per format. Nothing here
//! prints, looks at the terminal or decides an exit code; the cli does.

#![forbid(unsafe_code)]

pub mod json;
mod relevant;
pub mod source;
pub mod text;
