//! What a search costs: schedules per second of `exitblock-rw` on the seed programs, memory
//! while it goes on, and what a long start-up of the program adds to each schedule.
//!
//! Measured from outside, with `heddle check` as users run it. Time is that of the processor,
//! less what a search of one schedule takes, so that a busy machine does not count. Memory
//! is looked at while the search runs: it has to be small, and to stay what it is. `--long`
//! explores ten million schedules for that instead of one.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use heddle_conformance::launch::quiet;
use heddle_conformance::toolchain::{target_dir, workspace_root};
use serde_json::Value;

use crate::measure::Bench;
use crate::report::Figure;

/// Programs, their arguments, and the name that the figure gets. None of them has fewer
/// schedules than are explored, except `Performance` and `LongStart`.
const PROGRAMS: [(&str, &[&str], &str); 3] = [
    ("DiningPhilosophers", &["5", "2"], "philosophers, 5"),
    ("Performance", &["6", "5"], "Performance 6 5"),
    ("BufferIf", &["4", "4", "4"], "BufferIf 4 4 4"),
];
/// Schedules that are explored for a rate, and for a look at the memory.
const SCHEDULES: u64 = 1_000_000;
const MANY: u64 = 1_000_000;
const VERY_MANY: u64 = 10_000_000;
/// Rounds of a loop that one thread runs before it starts others.
const START_UP: [u64; 2] = [1_000, 10_000_000];

pub fn run(bench: &Bench) -> Result<Vec<Figure>, String> {
    let Some(heddle) = &bench.heddle else {
        return Ok(Vec::new());
    };
    let classes = target_dir().join("bench").join("search");
    let programs = PROGRAMS.iter().map(|p| p.0).chain(["LongStart"]);
    compile(bench, &classes, &programs.collect::<Vec<_>>(), &[])?;
    let search = |class: &str, arguments: &[&str], schedules: u64| -> Result<Search, String> {
        search(
            heddle,
            &classes,
            "exitblock-rw",
            class,
            arguments,
            schedules,
        )
    };
    let mut figures = Vec::new();
    for (class, arguments, name) in PROGRAMS.iter().filter(|p| bench.wants(p.0)) {
        let mut best: f64 = 0.0;
        for _ in 0..bench.runs(3) {
            let start = search(class, arguments, 1)?;
            best = best.max(search(class, arguments, SCHEDULES)?.rate(&start));
        }
        figures.push(Figure::new(name, best / 1e3, "thousand schedules/s").at_least(100.0));
    }
    if bench.wants("memory") {
        let many = if bench.long { VERY_MANY } else { MANY };
        let (class, arguments, _) = PROGRAMS[0];
        let done = search(class, arguments, many)?;
        let note = format!("over {} schedules of {class}", done.schedules);
        figures.push(
            Figure::new("memory, most", done.most(), "MB")
                .at_most(300.0)
                .with_note(note),
        );
        figures.push(
            Figure::new("memory, last tenth against first", done.growth(), "x").at_most(1.05),
        );
    }
    if bench.wants("LongStart") {
        let mut times = [f64::INFINITY; 2];
        for _ in 0..bench.runs(3) {
            for (time, rounds) in times.iter_mut().zip(START_UP) {
                let rounds = rounds.to_string();
                let start = search("LongStart", &[&rounds], 1)?;
                let done = search("LongStart", &[&rounds], SCHEDULES)?;
                *time = time.min(1e6 / done.rate(&start));
            }
        }
        let note = format!(
            "µs per schedule: {:.2} with {} rounds before the first thread, {:.2} with {}",
            times[0], START_UP[0], times[1], START_UP[1]
        );
        figures.push(
            Figure::new("a long start-up, per schedule", times[1] / times[0], "x")
                .at_most(1.2)
                .with_note(note),
        );
    }
    Ok(figures)
}

/// Compiles programs of `programs/check` or `bench/search`.
pub fn compile(
    bench: &Bench,
    classes: &Path,
    programs: &[&str],
    flags: &[&str],
) -> Result<(), String> {
    std::fs::create_dir_all(classes).map_err(|e| e.to_string())?;
    let root = workspace_root();
    for class in programs {
        let file = format!("{class}.java");
        let ours = root.join("bench").join("search").join(&file);
        let source = match ours.is_file() {
            true => ours,
            false => root.join("programs").join("check").join(class).join(file),
        };
        let mut javac = quiet(&bench.jdk.javac, classes);
        let javac = javac.args(["-nowarn", "-d", "."]).args(flags).arg(&source);
        // Old releases of Java make it talk.
        let done = javac.stderr(Stdio::null()).status();
        if !done.is_ok_and(|status| status.success()) {
            return Err(format!("javac failed on {}", source.display()));
        }
    }
    Ok(())
}

/// What one search came to.
pub struct Search {
    schedules: u64,
    /// Choices that were made.
    transitions: u64,
    /// Of the processor.
    seconds: f64,
    /// Resident memory in MB, at equal intervals.
    memory: Vec<f64>,
}

impl Search {
    /// Schedules per second after the first one.
    fn rate(&self, first: &Search) -> f64 {
        self.schedules as f64 / (self.seconds - first.seconds).max(0.01)
    }

    /// The same for choices.
    pub fn transitions_per_second(&self, first: &Search) -> f64 {
        let transitions = self.transitions - first.transitions.min(self.transitions);
        transitions as f64 / (self.seconds - first.seconds).max(0.01)
    }

    fn most(&self) -> f64 {
        self.memory.iter().copied().fold(0.0, f64::max)
    }

    /// Memory after nine tenths of the time against that after one: at the very end a search
    /// that has found an error works on its story.
    fn growth(&self) -> f64 {
        let after = |tenths| self.memory.get(self.memory.len() * tenths / 10);
        match (after(1), after(9)) {
            (Some(early), Some(late)) => late / early,
            _ => f64::NAN,
        }
    }
}

/// Searches by a strategy until there are so many schedules.
pub fn search(
    heddle: &Path,
    classes: &Path,
    strategy: &str,
    class: &str,
    arguments: &[&str],
    schedules: u64,
) -> Result<Search, String> {
    let json = classes.join("report.json");
    let mut command = quiet(heddle, classes);
    command
        .args(["check", "--strategy", strategy])
        .args(["--schedule-dir", "none", "--json", "report.json"])
        .args(["--max-schedules", &schedules.to_string()])
        .args(["-cp", ".", class])
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let before = children()?;
    let mut child = command.spawn().map_err(|e| format!("heddle: {e}"))?;
    let mut memory = Vec::new();
    loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            // The verdict does not matter here.
            Some(status) if matches!(status.code(), Some(0..=2)) => break,
            Some(status) => return Err(format!("heddle check {class}: {status}")),
            None => memory.extend(resident(&child)),
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let text = std::fs::read_to_string(&json).map_err(|e| e.to_string())?;
    let report: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let number = |key: &str| report[key].as_u64().ok_or(format!("no {key}"));
    Ok(Search {
        schedules: number("schedules")? + number("extra_schedules")?,
        transitions: number("choice_points")?,
        seconds: children()? - before,
        memory,
    })
}

/// Processor time of the processes that this one has waited for, in seconds.
pub fn children() -> Result<f64, String> {
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").map_err(|e| e.to_string())?;
    // Behind the name, which may contain anything: user and system time of children.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let mut times = fields.split_whitespace().skip(13).take(2);
    let mut next = || times.next().and_then(|t| t.parse::<f64>().ok());
    let (user, system) = next().zip(next()).ok_or("/proc/self/stat is strange")?;
    Ok((user + system) / TICKS)
}

/// Resident memory of a process in MB, where the system tells.
fn resident(child: &Child) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
