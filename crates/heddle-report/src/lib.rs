//! From a [`heddle_model::report::Report`] to text: one file per format. Nothing here
//! prints, looks at the terminal or decides an exit code; the cli does.

#![forbid(unsafe_code)]

mod columns;
pub mod json;
mod page;
pub mod source;
mod stacks;
pub mod text;
mod words;
