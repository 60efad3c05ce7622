//! Times two commands alternately, so that a change of the machine's speed
//! during the run touches both.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use heddle_conformance::launch::quiet;
use heddle_conformance::toolchain::{Jdk, target_dir, workspace_root};

use crate::report::Row;

/// What every group needs.
pub struct Bench {
    pub jdk: Jdk,
    /// None: `java` is measured against itself.
    pub heddle: Option<PathBuf>,
    only: Vec<String>,
    runs: Option<usize>,
    progress: bool,
    /// Take the time that it takes.
    pub long: bool,
    /// Where Java PathFinder is installed.
    pub jpf: Option<PathBuf>,
    pub classes: PathBuf,
}

impl Bench {
    /// Compiles all programs of `bench/java`.
    pub fn new(
        jdk: Jdk,
        heddle: Option<PathBuf>,
        only: Vec<String>,
        runs: Option<usize>,
        progress: bool,
    ) -> Result<Bench, String> {
        let classes = target_dir().join("bench").join("classes");
        fs::create_dir_all(&classes).map_err(|e| format!("{}: {e}", classes.display()))?;
        let out = quiet(&jdk.javac, &classes)
            .args(["-nowarn", "-d", "."])
            .args(sources()?)
            .output()
            .map_err(|e| format!("javac: {e}"))?;
        if !out.status.success() {
            return Err(format!(
                "javac failed:\n{}",
                String::from_utf8_lossy(&out.stderr)
            ));
        }
        Ok(Bench {
            jdk,
            heddle,
            only,
            runs,
            progress,
            long: false,
            jpf: None,
            classes,
        })
    }

    /// How often to measure, unless the user said it.
    pub fn runs(&self, default: usize) -> usize {
        self.runs.unwrap_or(default)
    }

    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|o| name.contains(o.as_str()))
    }

    /// Runs one class under `java` with these flags and under Heddle.
    pub fn compare(&self, class: &str, java_flags: &[&str], default_runs: usize) -> Row {
        let java = || {
            let mut command = quiet(&self.jdk.java, &self.classes);
            command.args(java_flags).args(["-cp", ".", class]);
            command
        };
        let heddle = || match &self.heddle {
            Some(path) => {
                let mut command = quiet(path, &self.classes);
                command.args(["run", "-cp", ".", class]);
                command
            }
            None => java(),
        };
        let mut row = Row::new(class);
        for _ in 0..self.runs.unwrap_or(default_runs) {
            let (java_time, expected) = match timed(java()) {
                Ok(result) => result,
                Err(problem) => return row.with_problem(format!("java: {problem}")),
            };
            let (heddle_time, actual) = match timed(heddle()) {
                Ok(result) => result,
                Err(problem) => return row.with_problem(format!("heddle: {problem}")),
            };
            if expected != actual {
                return row.with_problem("the outputs differ".into());
            }
            row.java.push(java_time);
            row.heddle.push(heddle_time);
        }
        if self.progress {
            eprintln!("{:<16}{:>7.2}x", class, row.ratio());
        }
        row
    }
}

/// The names of the CPU-bound programs: all of `bench/java` but Hello.
pub fn programs() -> Result<Vec<String>, String> {
    let names = sources()?.into_iter().filter_map(|p| {
        let name = p.file_stem()?.to_string_lossy().into_owned();
        (name != "Hello").then_some(name)
    });
    Ok(names.collect())
}

fn sources() -> Result<Vec<PathBuf>, String> {
    let dir = workspace_root().join("bench").join("java");
    let read = |dir: &Path| -> std::io::Result<Vec<PathBuf>> {
        let mut all = Vec::new();
        for entry in fs::read_dir(dir)? {
            let path = entry?.path();
            if path.extension().is_some_and(|e| e == "java") {
                all.push(path);
            }
        }
        all.sort();
        Ok(all)
    };
    read(&dir).map_err(|e| format!("{}: {e}", dir.display()))
}

/// As [`timed`], but the processor time that the command took, with all its threads: on a
/// machine with one processor that nobody else uses it would take as long. In ticks of a
/// hundredth of a second.
pub fn charged(command: Command) -> Result<(Duration, Vec<u8>), String> {
    let before = children()?;
    let (_, out) = timed(command)?;
    Ok((children()? - before, out))
}

/// Processor time of all processes that this one has started and waited for.
fn children() -> Result<Duration, String> {
    let stat = fs::read_to_string("/proc/self/stat").map_err(|e| e.to_string())?;
    // Behind the name, which may hold anything: field 3 and so on (proc_pid_stat(5)).
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let field = |number: usize| {
        fields
            .split_whitespace()
            .nth(number - 3)?
            .parse::<u64>()
            .ok()
    };
    let ticks = field(16).zip(field(17)).map(|(user, system)| user + system);
    let ticks = ticks.ok_or("cannot read /proc/self/stat")?;
    Ok(Duration::from_millis(10 * ticks))
}

pub fn timed(mut command: Command) -> Result<(Duration, Vec<u8>), String> {
    let start = Instant::now();
    let out = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| e.to_string())?;
    let elapsed = start.elapsed();
    if out.status.success() {
        return Ok((elapsed, out.stdout));
    }
    let stderr = String::from_utf8_lossy(&out.stderr);
    Err(format!(
        "{}: {}",
        out.status,
        stderr.lines().next().unwrap_or_default()
    ))
}
