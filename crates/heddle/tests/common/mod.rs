//! Directories with compiled programs, and `heddle` and `java` run in them.

// Not every test uses all of it.
#![allow(dead_code)]

use heddle_conformance::launch::quiet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub const HEDDLE: &str = env!("CARGO_BIN_EXE_heddle");

/// A fresh directory with a few compiled programs in it.
pub struct Place(pub PathBuf);

impl Place {
    pub fn new(name: &str) -> Place {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).expect("a directory");
        Place(dir)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Place {
        fs::write(self.0.join(name), content).expect("a file");
        self
    }

    pub fn compile(&self, class: &str, source: &str) -> &Place {
        let file = format!("{class}.java");
        self.write(&file, source);
        let out = self.run("javac", &[&file]);
        assert!(out.status.success(), "javac: {}", text(&out.stderr));
        fs::remove_file(self.0.join(file)).expect("the source");
        self
    }

    pub fn run(&self, program: &str, args: &[&str]) -> Output {
        self.command(program, args)
            .output()
            .unwrap_or_else(|e| panic!("{program}: {e}"))
    }

    pub fn command(&self, program: &str, args: &[&str]) -> Command {
        let mut command = quiet(Path::new(program), &self.0);
        command.args(args).stdin(Stdio::null());
        command
    }

    pub fn heddle(&self, args: &[&str]) -> Output {
        let before = self.listing();
        let out = self.run(HEDDLE, args);
        assert_eq!(before, self.listing(), "something was left behind");
        out
    }

    pub fn listing(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the directory");
        let mut names: Vec<String> = entries
            .map(|e| e.expect("an entry").file_name().to_string_lossy().into())
            .collect();
        names.sort();
        names
    }

    /// Heddle prints one sentence that contains `part` and exits with 3.
    pub fn refuses(&self, args: &[&str], part: &str) {
        let out = self.heddle(args);
        assert_refusal(&out, part);
    }

    /// Heddle behaves as `java` does, which is not to run the program.
    pub fn as_java(&self, args: &[&str]) {
        let mut run = vec!["run"];
        run.extend(args);
        let (expected, actual) = (self.run("java", args), self.heddle(&run));
        assert!(!expected.status.success(), "{args:?} is meant to fail");
        assert_eq!(text(&actual.stderr), text(&expected.stderr), "{args:?}");
        assert_eq!(actual.status.code(), expected.status.code(), "{args:?}");
        assert_eq!(text(&actual.stdout), text(&expected.stdout), "{args:?}");
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub fn assert_refusal(out: &Output, part: &str) {
    let message = text(&out.stderr);
    assert_eq!(out.status.code(), Some(3), "{message}");
    assert!(message.starts_with("heddle: "), "{message}");
    assert!(message.contains(part), "{message}");
    assert_eq!(message.lines().count(), 1, "one sentence, not: {message}");
    assert!(out.stdout.is_empty());
}
