//! What a search or a replay has to say, ready to be written in any format.
//!
//! Everything is in the program's own terms already: names instead of ids, source lines
//! instead of sites. Whoever fills this has run the schedule of each error a second time
//! and watched; `heddle-report` only lays out.

use crate::{FindingKind, Frame, ThreadPath};

/// The whole answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Heddle's own.
    pub version: String,
    pub verdict: Verdict,
    pub strategy: String,
    pub seed: Option<u64>,
    pub schedules: u64,
    pub choice_points: u64,
    pub bytecodes: u64,
    pub seconds: f64,
    /// Whether every behaviour within the assumptions was explored.
    pub complete: bool,
    /// Estimated share of what there is to explore, 0 to 1.
    pub explored: Option<f64>,
    /// What the verdict rests on.
    pub assumptions: Vec<String>,
    /// The bounds that ended the search or cut paths short.
    pub bounds: Vec<String>,
    /// What the machine lacked on some path, named, with the Java stack.
    pub unsupported: Vec<Missing>,
    pub errors: Vec<Error>,
}

/// The verdict in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Ok,
    Error,
    /// Nothing found, but not everything was explored.
    Incomplete,
    /// The question could not be answered.
    Unsupported,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Ok => "ok",
            Verdict::Error => "error",
            Verdict::Incomplete => "incomplete",
            Verdict::Unsupported => "unsupported",
        }
    }
}

/// Something the machine cannot do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    pub what: String,
    pub stack: Vec<Frame>,
}

/// An error of the program and its story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    pub kind: FindingKind,
    pub message: String,
    /// Predicted, and not confirmed by a schedule.
    pub potential: bool,
    /// Which of the schedules explored showed it first, from 1.
    pub schedule_index: u64,
    pub schedule_file: Option<String>,
    /// The command that shows it again.
    pub replay: Option<String>,
    /// What a stock JVM has to say about it, as in "confirmed on HotSpot 17.0.9".
    pub on_jvm: Option<String>,
    /// The places in the source that the error is about.
    pub places: Vec<Frame>,
    /// All threads at the end, in the order of their numbers.
    pub threads: Vec<ThreadStory>,
    pub trace: Vec<Act>,
}

/// A thread when the story ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadStory {
    pub path: ThreadPath,
    pub name: String,
    /// One of `Thread.State`'s names.
    pub state: String,
    pub holds: Vec<String>,
    pub wants: Option<String>,
    /// Innermost frame first.
    pub stack: Vec<Frame>,
}

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    /// Index into [`Error::threads`].
    pub thread: usize,
    /// Where; `None` for a switch.
    pub at: Option<Frame>,
    pub deed: Deed,
}

/// What a thread did. Objects, places, threads and values are named as the program would.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Deed {
    Read {
        place: String,
        value: String,
    },
    Write {
        place: String,
        value: String,
    },
    Lock(String),
    Unlock(String),
    /// Wants a lock that another thread holds.
    Blocked {
        lock: String,
        owner: String,
    },
    Wait(String),
    Notify {
        object: String,
        woken: Vec<String>,
    },
    Park,
    Unpark(String),
    Interrupt(String),
    Start(String),
    End,
    Call(String),
    Return(String),
    Throw(String),
    Print(String),
    /// Another thread goes on, and why.
    Switch {
        to: String,
        why: String,
    },
}
