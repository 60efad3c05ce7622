//! What a virtual machine is made for: the program, and how to run it.

use crate::learned::Learned;
use crate::places::Places;
use crate::preload::Preload;
use crate::printing::Printing;
use crate::stack::STACK_BYTES;
use heddle_model::Trust;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How the program is to be run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The JDK's home directory.
    pub java_home: PathBuf,
    /// `java.class.path`.
    pub class_path: String,
    /// `-D` properties, in order.
    pub properties: Vec<(String, String)>,
    /// All options of `java` as they were given, for programs that ask for them.
    pub given: Vec<String>,
    /// What to run: a main class, or a jar.
    pub main: Main,
    pub args: Vec<String>,
    /// `-ea`, `-da`, `-esa`, `-dsa`.
    pub assertions: Assertions,
    /// Bytes the heap may grow to.
    pub heap_limit: u64,
    /// Bytes of the stack of a thread that asks for none.
    pub stack: usize,
    /// Whether class files with preview features of this release are accepted.
    pub preview: bool,
    /// Wall-clock time at the start, milliseconds since 1970.
    pub start_millis: i64,
    /// Processors to report.
    pub processors: u32,
    /// Whether the program has asked for them, in any machine with these options: what it did
    /// then may depend on their number.
    pub asked_for_processors: Arc<AtomicBool>,
    /// Environment variables, in order.
    pub environment: Vec<(String, String)>,
    /// Seed of everything that is random to the program.
    pub seed: u64,
    /// Classes to load before the program begins.
    pub preload: Preload,
    /// What a trial run has found out about the program.
    pub learned: Learned,
    /// Stop before the program begins.
    pub stop_at_main: bool,
    /// Whose code is one operation of its caller's.
    pub trust: Trust,
    /// Methods of the program that must hold wherever a search stops, as `Class.method`.
    pub invariants: Vec<String>,
    /// Bytecodes that a thread may execute on one path of a search, from the first start of
    /// a thread on.
    pub max_steps: u64,
    /// Bytecodes that the program may execute before that.
    pub max_start: u64,
    /// What becomes of what the program prints.
    pub printing: Printing,
    /// Bytecodes that somebody wants to be told about.
    pub places: Places,
    /// Bytecodes a thread runs before others get their turn.
    pub slice: u64,
    /// Working directory.
    pub directory: PathBuf,
}

impl Options {
    /// A program that nobody has given options to: the same every time, with nothing of
    /// the host's in it but the files.
    pub fn plain(java_home: PathBuf, class_path: &Path, main: &str) -> Options {
        Options {
            java_home,
            class_path: class_path.display().to_string(),
            properties: Vec::new(),
            given: Vec::new(),
            main: Main::Class(main.into()),
            args: Vec::new(),
            assertions: Assertions::default(),
            heap_limit: 4 << 30,
            stack: STACK_BYTES,
            preview: false,
            start_millis: 1_700_000_000_000,
            processors: 1,
            asked_for_processors: Default::default(),
            environment: Vec::new(),
            seed: 0,
            preload: Default::default(),
            learned: Default::default(),
            stop_at_main: false,
            trust: Trust::library(),
            invariants: Vec::new(),
            max_steps: u64::MAX,
            max_start: u64::MAX,
            printing: Printing::Shown,
            places: Default::default(),
            slice: 20_000,
            directory: class_path.to_path_buf(),
        }
    }
}

/// What to run.
#[derive(Clone, Debug)]
pub enum Main {
    Class(String),
    Jar(String),
}

/// Assertion switches in command-line order: enable?, and a class or package
/// (`…` suffix as `java` has it); `None` is the general switch.
#[derive(Clone, Debug, Default)]
pub struct Assertions {
    pub user: Vec<(bool, Option<String>)>,
    pub system: bool,
}
