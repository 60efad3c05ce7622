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
    /// How much the verdict is worth.
    pub worth: Worth,
    pub strategy: String,
    pub seed: Option<u64>,
    pub schedules: u64,
    /// Schedules explored beyond those that the strategy counts by its definition.
    pub extra: u64,
    /// Schedules begun in vain: they turned out to be the same as others.
    pub blocked: u64,
    pub choice_points: u64,
    pub bytecodes: u64,
    pub seconds: f64,
    /// Whether every behaviour within the assumptions was explored.
    pub complete: bool,
    /// Estimated share of what there is to explore, 0 to 1.
    pub explored: Option<f64>,
    /// What there was to explore.
    pub scope: Option<Scope>,
    /// What the verdict rests on.
    pub assumptions: Vec<String>,
    /// The bounds that ended the search or cut paths short.
    pub bounds: Vec<String>,
    /// What the user should know besides.
    pub notes: Vec<String>,
    /// What the machine lacked on some path, named, with the Java stack.
    pub unsupported: Vec<Missing>,
    pub errors: Vec<Error>,
    /// What was found that is worth to be told and does not count.
    pub warnings: Vec<Error>,
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

/// What a verdict is worth, errors aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// Every behaviour within the assumptions was explored.
    Proved,
    /// Every behaviour up to a bound.
    Bounded,
    /// Some behaviours, by chance or by order.
    Sampled,
    /// Some behaviours could not be looked at at all.
    Blind,
}

impl Worth {
    pub fn name(self) -> &'static str {
        match self {
            Worth::Proved => "proved",
            Worth::Bounded => "bounded",
            Worth::Sampled => "sampled",
            Worth::Blind => "blind",
        }
    }
}

/// What threads have in common, seen on one schedule. If they have nothing in common there,
/// they have in none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scope {
    /// The threads of the program, the initial one included.
    pub threads: Vec<String>,
    /// Places and locks that more than one of them uses, and one changes.
    pub shared: Vec<String>,
}

/// Something the machine cannot do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    pub what: String,
    pub stack: Vec<StackFrame>,
}

/// An error of the program and its story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    pub kind: FindingKind,
    pub message: String,
    /// What the story comes down to, in a sentence.
    pub cause: Option<String>,
    /// What could be done about it.
    pub hint: Option<String>,
    /// Predicted, and not confirmed by a schedule.
    pub potential: bool,
    /// Which of the schedules explored showed it first, from 1.
    pub schedule_index: u64,
    /// How many schedules showed it, if they were counted.
    pub times: Option<u64>,
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
    /// The error is about it.
    pub named: bool,
    /// One of `Thread.State`'s names.
    pub state: String,
    pub holds: Vec<String>,
    /// What it waits for: `Account@2, held by worker-2`, `the end of worker-1`.
    pub wants: Option<String>,
    /// The exception that the error is about, if it threw one.
    pub threw: Option<String>,
    /// Innermost frame first: where it is, or where it threw or did what the error is about.
    pub stack: Vec<StackFrame>,
}

/// A frame of a stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackFrame {
    pub frame: Frame,
    /// It belongs to trusted code: how the library does it, not what the program does.
    pub trusted: bool,
}

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    /// Index into [`Error::threads`].
    pub thread: usize,
    /// Where; `None` for a switch.
    pub at: Option<Frame>,
    pub deed: Deed,
    /// It has to do with the error; the rest would be the same in any schedule.
    pub matters: bool,
    /// The error is about this.
    pub named: bool,
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
        owner: Option<String>,
    },
    Wait(String),
    Notify {
        object: String,
        woken: Vec<String>,
    },
    /// Waits for the end of a thread, in vain until the story ends,
    Joins(String),
    /// or has seen it.
    Joined(String),
    /// Cannot go on for another reason.
    Stuck(String),
    Interrupt(String),
    Start(String),
    End,
    /// A call into trusted code that other threads can notice.
    Call {
        call: String,
        result: Option<String>,
    },
    /// Such a call returns after others have run.
    Return {
        call: String,
        result: Option<String>,
    },
    Throw(String),
    Print(String),
    /// A timed wait is over.
    TimeUp,
    /// A wait is over, and nobody ended it.
    Spurious,
    /// The library has called the program, as a pool calls its tasks, and is not done with what
    /// comes after it.
    TaskDone,
    /// Another thread goes on, and why.
    Switch {
        to: String,
        why: String,
    },
}
