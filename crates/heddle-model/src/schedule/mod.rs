//! Schedule files: which thread runs until where, as a text that people can read,
//! write and keep beside a test.
//!
//! The language is that of jreplay (sections 3.3 and appendix B of its paper), one
//! command per line: an *event* says when (`before`, `in`), *actions* say what happens
//! then (`switch`, `notify`, `timeout`, `die`, `terminate`, `log`), `loopbegin` and
//! `loopend` repeat. `docs/schedules.md` has the grammar.
//!
//! Ours differs in four ways. A file may open with a header that names the program, how
//! the schedule was found, and the threads by their path of spawns. A method may be
//! named instead of counted. `spurious` ends a wait without a reason. And where the
//! paper's two descriptions of the count disagree (appendix C clears the counts only at
//! a switch, appendix B at every event), we follow B; see [`Counts`].
//!
//! - [`parse`](Schedule::parse) and [`Display`](std::fmt::Display): text to value and back.
//! - [`record`]: what a run did, to the few commands that make another run do it again.
//! - [`Messages`]: the message-based format, and conversion both ways.
//! - [`follow`]: commands to a stream of orders for a machine, loops unrolled; [`Guide`]
//!   keeps account of how far a machine has come with them.

mod count;
mod error;
pub mod follow;
mod guide;
mod messages;
mod parse;
mod print;
pub mod record;
pub mod words;

pub use count::Counts;
pub use error::ScheduleError;
pub use guide::Guide;
pub use messages::{Messages, Order, Sequence};

use crate::{ClassName, ThreadPath};

/// A schedule: a header, if the file has one, and the commands in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Schedule {
    pub header: Option<Header>,
    pub lines: Vec<Line>,
}

/// The newest format this code reads and the one it writes.
pub const VERSION: u32 = 1;

/// What a schedule belongs to. Everything may be missing in a file written by hand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// Comments above or between the lines of the header.
    pub comments: Vec<String>,
    /// Digest of the program's class files, in hexadecimal.
    pub program: Option<String>,
    pub main: Option<Main>,
    /// Options of the command line that change what the program does or where it stops.
    pub options: Vec<String>,
    pub strategy: Option<String>,
    pub seed: Option<u64>,
    /// What the schedule shows: the name of a kind of finding, and its sentence.
    pub finding: Option<(String, String)>,
    /// The accesses that a data race is about, the earlier one first.
    pub accesses: Vec<AccessEntry>,
    pub threads: Vec<ThreadEntry>,
    /// Digests of the methods that the commands mention.
    pub code: Vec<CodeEntry>,
}

/// The class whose `main` is run, and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Main {
    pub class: ClassName,
    pub arguments: Vec<String>,
}

/// A thread's number in the commands: 0 is the initial thread, others count in the order
/// of creation. The path says which thread it is where the order differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadEntry {
    pub number: u32,
    pub path: ThreadPath,
    pub name: String,
}

/// One access of a data race, and what it read or wrote. The later one comes right after the
/// schedule's last event, the earlier one is the last of its thread there before that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessEntry {
    pub thread: u32,
    pub kind: AccessKind,
    pub place: CodePlace,
    /// As reports write it; `None` for a call.
    pub value: Option<String>,
}

/// How a bytecode accesses something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    Read,
    Write,
    /// A call of trusted code that does.
    Call,
}

impl AccessKind {
    pub const ALL: [AccessKind; 3] = [AccessKind::Read, AccessKind::Write, AccessKind::Call];

    /// As a schedule writes it.
    pub fn name(self) -> &'static str {
        match self {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Call => "call",
        }
    }
}

/// What a method's code was when the schedule was written. A program may be recompiled
/// as long as these stay the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeEntry {
    pub class: ClassName,
    pub method: MethodName,
    pub digest: String,
}

/// One line: a command, a comment, or both.
#[derive(Clone, Debug, Default)]
pub struct Line {
    pub command: Option<Command>,
    pub comment: Option<String>,
    /// Its number in the file, from 1; 0 if it comes from no file. Two lines are equal
    /// wherever they stand.
    pub number: u32,
}

impl PartialEq for Line {
    fn eq(&self, other: &Line) -> bool {
        self.command == other.command && self.comment == other.comment
    }
}

impl Eq for Line {}

/// A command of the language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Go on when the running thread is about to execute this bytecode.
    Before(Point),
    /// Go on when the running thread is blocked in this bytecode.
    In(Point),
    /// Go on when the running thread is in the middle of a call of the library in this
    /// bytecode, holds a monitor, and is about to take another one. (Not in jreplay.)
    Within(Point),
    /// Another thread runs; `None`: no thread does.
    Switch(Option<u32>),
    /// The notification that is under way wakes this thread.
    Notify(u32),
    /// The timed wait of this thread is over.
    Timeout(u32),
    /// The wait of this thread ends without a reason. (Not in jreplay.)
    Spurious(u32),
    /// The running thread ends; then another one runs.
    Die(Option<u32>),
    /// The schedule is over; all threads run freely.
    Terminate,
    Log {
        level: LogLevel,
        message: String,
    },
    LoopBegin,
    LoopEnd(Times),
}

/// A moment: a bytecode, and for the how many-th time since the last event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    pub place: CodePlace,
    /// From 1; [`Counts`] says what is counted.
    pub count: u64,
}

/// A bytecode, named so that other JVMs and later builds find it again.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CodePlace {
    pub class: ClassName,
    pub method: MethodName,
    /// Offset of the bytecode in its method.
    pub index: u16,
}

impl CodePlace {
    /// Where a thread stands that has come to no bytecode of the program yet.
    pub fn begin() -> CodePlace {
        CodePlace {
            class: "java.lang.Thread".to_string(),
            method: MethodName::Named {
                name: "run".to_string(),
                descriptor: Some("()V".to_string()),
            },
            index: 0,
        }
    }
}

/// How a schedule names a method.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum MethodName {
    /// Its position in the class file, from 0, as in jreplay.
    Position(u32),
    /// By name; the descriptor may be left out where the name is unique in its class.
    Named {
        name: String,
        descriptor: Option<String>,
    },
}

/// How important a message is: 1 (always shown but at verbosity 0) to 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LogLevel(u8);

impl LogLevel {
    pub fn new(level: u8) -> Option<LogLevel> {
        (1..=4).contains(&level).then_some(LogLevel(level))
    }

    pub fn get(self) -> u8 {
        self.0
    }
}

/// How often a loop is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Times {
    /// From 1 to Java's `Long.MAX_VALUE`.
    Count(u64),
    Forever,
}

impl Schedule {
    /// The entry of a thread in the header's table.
    pub fn thread(&self, number: u32) -> Option<&ThreadEntry> {
        let threads = &self.header.as_ref()?.threads;
        threads.iter().find(|t| t.number == number)
    }

    /// The bytecodes that events mention, each once. A machine that follows the schedule
    /// needs to say when its running thread comes to one of these, and no others.
    pub fn places(&self) -> Vec<&CodePlace> {
        let points = self.commands().filter_map(|(_, command)| match command {
            Command::Before(point) | Command::In(point) | Command::Within(point) => {
                Some(&point.place)
            }
            _ => None,
        });
        let mut places: Vec<&CodePlace> = points.collect();
        places.sort();
        places.dedup();
        places
    }

    /// The commands, with the numbers of their lines.
    pub fn commands(&self) -> impl Iterator<Item = (u32, &Command)> {
        let lines = self.lines.iter();
        lines.filter_map(|l| Some((l.number, l.command.as_ref()?)))
    }
}

impl From<Command> for Line {
    fn from(command: Command) -> Line {
        Line {
            command: Some(command),
            ..Line::default()
        }
    }
}
