//! What is wrong with a schedule file, and where.

use std::fmt;

/// One mistake: the file, the line, what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScheduleError {
    pub file: String,
    /// From 1; 0 when the file as a whole is meant.
    pub line: u32,
    pub message: String,
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message),
            line => write!(f, "{}:{}: {}", self.file, line, self.message),
        }
    }
}

impl std::error::Error for ScheduleError {}
