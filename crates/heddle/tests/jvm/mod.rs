//! What tests on stock JVMs share: a scratch folder with compiled programs, the JVMs of this
//! machine, processes that cannot run for ever.

// Each test file uses its own part of it.
#![allow(dead_code)]

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

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
        let folder = corpus().join(name);
        let entries = fs::read_dir(&folder).expect("the program");
        let sources: Vec<String> = entries
            .flatten()
            .map(|e| e.path())
            .filter(|p| p.extension().is_some_and(|e| e == "java"))
            .map(|p| p.to_str().expect("a plain name").to_string())
            .collect();
        let mut words = vec!["-nowarn", "-d", "classes"];
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

    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(words)
            .current_dir(&self.0)
            .stdin(Stdio::null());
        for name in [
            "JAVA_TOOL_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "_JAVA_OPTIONS",
            "CLASSPATH",
        ] {
            command.env_remove(name);
        }
        command
    }

    /// Runs a program to its end, or panics when that does not come.
    pub fn run(&self, program: impl AsRef<std::ffi::OsStr>, words: &[&str]) -> Said {
        let mut command = self.command(program, words);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a process");
        let out = drain(child.stdout.take().expect("a pipe"));
        let err = drain(child.stderr.take().expect("a pipe"));
        let code = wait(&mut child, words);
        Said {
            code,
            out: out.join().expect("a reader"),
            err: err.join().expect("a reader"),
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

fn drain(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn wait(child: &mut Child, what: &[&str]) -> Option<i32> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        if start.elapsed() > LIMIT {
            let _ = child.kill();
            panic!("it does not end: {what:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/check")
}

/// The JVMs of this machine: the one of `java`, and those that are installed beside it.
pub fn jvms() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let home = std::env::split_paths(&path).find_map(|folder| {
        let java = folder.join("java").canonicalize().ok()?;
        Some(java.parent()?.parent()?.to_path_buf())
    });
    let home = home.expect("a java on the PATH");
    let beside = home.parent().and_then(|p| fs::read_dir(p).ok());
    let mut homes = vec![home];
    for entry in beside.into_iter().flatten().flatten() {
        if let Ok(other) = entry.path().canonicalize()
            && other.join("bin/java").is_file()
            && !homes.contains(&other)
        {
            homes.push(other);
        }
    }
    homes
}

pub fn java(home: &Path) -> PathBuf {
    home.join("bin/java")
}
