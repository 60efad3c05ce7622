//! What tests on stock JVMs share: a scratch folder with compiled programs, the JVMs of this
//! machine, processes that cannot run for ever.

// Each test file uses its own part of it.
#![allow(dead_code)]

use heddle_conformance::launch::{Exit, Launch, quiet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

pub const HEDDLE: &str = env!("CARGO_BIN_EXE_heddle");

/// Longer than anything takes here, on a busy machine too.
const LIMIT: Duration = Duration::from_secs(240);

/// A folder of a test's own.
pub struct Bench(pub PathBuf);

/// What a process said, and how it ended.
#[derive(Debug)]
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Bench {
    pub fn new(name: &str) -> Bench {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Bench(folder)
    }

    /// Compiles sources (name and text) to the folder `classes`.
    pub fn compile(&self, sources: &[(&str, &str)], options: &[&str]) {
        let mut names = Vec::new();
        for (name, text) in sources {
            fs::write(self.0.join(name), text).expect("a source");
            names.push(*name);
        }
        let mut words = vec!["-nowarn", "-g", "-d", "classes"];
        words.extend(options);
        words.extend(names);
        let said = self.run("javac", &words);
        assert_eq!(said.code, Some(0), "javac: {}", said.err);
    }

    /// Compiles a program of `programs/check`; its arguments and options of `heddle check`.
    pub fn compile_corpus(&self, name: &str) -> (Vec<String>, Vec<String>) {
        self.compile_corpus_with(name, &[])
    }

    /// The same with these options of `javac`.
    pub fn compile_corpus_with(&self, name: &str, options: &[&str]) -> (Vec<String>, Vec<String>) {
        let folder = corpus().join(name);
        let entries = fs::read_dir(&folder).expect("the program");
        let sources: Vec<String> = entries
            .flatten()
            .map(|e| e.path())
            .filter(|p| p.extension().is_some_and(|e| e == "java"))
            .map(|p| p.to_str().expect("a plain name").to_string())
            .collect();
        let mut words = vec!["-nowarn", "-d", "classes"];
        words.extend(options);
        words.extend(sources.iter().map(String::as_str));
        let said = self.run("javac", &words);
        assert_eq!(said.code, Some(0), "javac: {}", said.err);
        let expect = fs::read_to_string(folder.join("expect")).expect("the file expect");
        let words = |key: &str| {
            let line = expect.lines().find_map(|l| l.strip_prefix(key));
            line.unwrap_or_default()
                .split_whitespace()
                .map(String::from)
                .collect()
        };
        (words("args:"), words("options:"))
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub fn command(&self, program: impl AsRef<Path>, words: &[&str]) -> Command {
        let mut command = quiet(program.as_ref(), &self.0);
        command.args(words).stdin(Stdio::null());
        command
    }

    /// Runs a program to its end, or panics when that does not come.
    pub fn run(&self, program: impl AsRef<Path>, words: &[&str]) -> Said {
        let launch = Launch {
            program: program.as_ref().to_path_buf(),
            args: words.iter().map(|w| w.to_string()).collect(),
            dir: self.0.clone(),
            stdin: None,
            limit: LIMIT,
        };
        let outcome = launch.run().expect("a process");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Said {
            code: match outcome.exit {
                Exit::Code(code) => Some(code),
                Exit::Signal => None,
                Exit::TimedOut => panic!("it does not end: {words:?}"),
            },
            out: text(&outcome.stdout),
            err: text(&outcome.stderr),
        }
    }

    pub fn heddle(&self, words: &[&str]) -> Said {
        self.run(HEDDLE, words)
    }

    /// The schedule files that `heddle check` wrote.
    pub fn schedules(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder");
        let mut names: Vec<String> = entries
            .flatten()
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".sched"))
            .collect();
        names.sort();
        names
    }
}

/// Two threads that add to a sum, each by reading it, adding, and writing it; the last
/// statement of `main` looks at the sum.
pub fn lost_update(package: &str, last: &str) -> String {
    format!(
        r#"{package}public class Till {{
    static int sum;

    public static void main(String[] args) throws InterruptedException {{
        Thread a = new Thread(() -> add(1), "a");
        Thread b = new Thread(() -> add(10), "b");
        a.start();
        b.start();
        a.join();
        b.join();
        {last}
    }}

    static void add(int amount) {{
        int seen = sum;
        int more = seen + amount;
        sum = more;
    }}
}}
"#
    )
}

pub fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/check")
}

pub fn java(home: &Path) -> PathBuf {
    home.join("bin/java")
}
