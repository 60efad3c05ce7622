//! The programs of `programs/check` under `heddle check`: verdicts, places, exact counts of
//! schedules, and blessed reports.
//!
//! A program is a folder with its sources and a file `expect`; `programs/check/README.md`
//! says what is in it. All are compiled by one process, and the class files kept in the
//! target directory until a source changes. Every program is explored with the strategy
//! that users get ([`STRATEGY`]), and once more with each that its counts name.

mod expect;
mod judge;
mod marks;
mod normal;

pub use expect::{Expectation, OneOf};
pub use judge::{Answer, Reported};
pub use marks::Marks;
pub use normal::normal;

use crate::compile::{Place, compile};
use crate::corpus::{self, Program};
use crate::launch::{Exit, Launch, Outcome};
use crate::toolchain::Jdk;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What every program is explored with.
pub const STRATEGY: &str = "dpor";

/// The name of a blessed report.
const REPORT: &str = "report.txt";

/// A program and what is expected of it.
#[derive(Clone, Debug)]
pub struct Subject {
    pub program: Program,
    pub folder: PathBuf,
    pub expectation: Expectation,
    pub marks: Marks,
}

/// How the programs are run.
#[derive(Clone, Debug)]
pub struct Settings {
    pub heddle: PathBuf,
    pub scratch: PathBuf,
    pub jobs: usize,
    /// For one search; longer means that something is wrong.
    pub limit: Duration,
    /// Accept what comes out: reports and counts are written instead of compared.
    pub bless: bool,
}

/// All programs below `root`. What is wrong with an `expect` is an error of its own.
pub fn discover(root: &Path) -> io::Result<Vec<Subject>> {
    let mut subjects = Vec::new();
    for folder in corpus::sorted(root)?.into_iter().filter(|p| p.is_dir()) {
        let mut program = corpus::read_folder("check", &folder)?;
        // Neither belongs to the program.
        program
            .resources
            .retain(|(_, inside)| inside != Path::new("expect") && inside != Path::new(REPORT));
        let file = folder.join("expect");
        let wrong =
            |e: &dyn std::fmt::Display| io::Error::other(format!("{}: {e}", file.display()));
        let text = fs::read_to_string(&file).map_err(|e| wrong(&e))?;
        let expectation = Expectation::read(&text).map_err(|e| wrong(&e))?;
        if let Some(twin) = &expectation.twin
            && !root.join(twin).is_dir()
        {
            return Err(wrong(&format!("its twin {twin} does not exist")));
        }
        subjects.push(Subject {
            marks: Marks::read(&program.sources)?,
            program,
            folder,
            expectation,
        });
    }
    Ok(subjects)
}

/// Explores all programs; what is wrong, in words, one entry per program.
pub fn run(subjects: &[Subject], jdk: &Jdk, settings: &Settings) -> io::Result<Vec<String>> {
    fs::create_dir_all(&settings.scratch)?;
    let programs: Vec<Program> = subjects.iter().map(|s| s.program.clone()).collect();
    let broken = compile(&programs, &settings.scratch, jdk)?;
    let wrong = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..settings.jobs.max(1) {
            scope.spawn(|| {
                while let Some(subject) = subjects.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let name = &subject.program.name;
                    let complaints = match broken.iter().find(|(b, _)| b == name) {
                        Some((_, message)) => vec![format!("does not compile:\n{message}")],
                        None => subject
                            .check(settings)
                            .unwrap_or_else(|e| vec![format!("harness: {e}")]),
                    };
                    if !complaints.is_empty() {
                        let entry = format!("{name}: {}", complaints.join("\n    "));
                        wrong.lock().expect("no program panics").push(entry);
                    }
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().expect("no program panics");
    wrong.sort();
    Ok(wrong)
}

impl Subject {
    /// Explores the program; what is wrong.
    fn check(&self, settings: &Settings) -> io::Result<Vec<String>> {
        let place = Place::of(&settings.scratch, &self.program);
        let dir = place.fresh_work()?;
        let mut wrong = Vec::new();
        let (outcome, answer) = match self.explore(STRATEGY, &dir, settings)? {
            Ok(both) => both,
            Err(message) => return Ok(vec![message]),
        };
        wrong.extend(answer.judge(&self.expectation, &self.marks));
        wrong.extend(answer.exit_code(&outcome));
        let report = normal(&String::from_utf8_lossy(&outcome.stdout));
        wrong.extend(self.report(&report, settings)?);
        for error in &answer.errors {
            wrong.extend(self.replay(error, &dir, settings)?);
        }

        let mut counts = Vec::new();
        for (strategy, expected) in &self.expectation.counts {
            let again;
            let answer = match strategy == STRATEGY {
                true => &answer,
                false => match self.explore(strategy, &dir, settings)? {
                    Ok((_, answer)) => {
                        again = answer;
                        &again
                    }
                    Err(message) => {
                        wrong.push(message);
                        continue;
                    }
                },
            };
            counts.push((strategy.clone(), answer.schedules));
            if !answer.complete {
                wrong.push(format!("{strategy} did not explore everything"));
            } else if answer.schedules != *expected && !settings.bless {
                let found = answer.schedules;
                wrong.push(format!(
                    "{strategy} explores {found} schedules, not {expected}"
                ));
            }
        }
        if settings.bless && counts != self.expectation.counts {
            let file = self.folder.join("expect");
            let text = fs::read_to_string(&file)?;
            fs::write(&file, expect::with_counts(&text, &counts))?;
        }
        Ok(wrong)
    }

    /// One search. The inner error is one of the program's or of Heddle's.
    fn explore(
        &self,
        strategy: &str,
        dir: &Path,
        settings: &Settings,
    ) -> io::Result<Result<(Outcome, Answer), String>> {
        let mut args = ["check", "--strategy", strategy].map(String::from).to_vec();
        args.extend(["--src".to_string(), self.folder.display().to_string()]);
        args.extend(self.expectation.options.iter().cloned());
        if strategy == STRATEGY {
            args.extend(self.expectation.bounds.iter().cloned());
        }
        args.extend(["-cp", "../classes", &self.program.main].map(String::from));
        args.extend(self.expectation.args.iter().cloned());
        ask(strategy, args, dir, settings)
    }

    /// Replays an error; what is wrong.
    fn replay(
        &self,
        error: &Reported,
        dir: &Path,
        settings: &Settings,
    ) -> io::Result<Option<String>> {
        let Some(file) = &error.schedule else {
            return Ok(Some(format!(
                "no schedule was written for {}",
                error.message
            )));
        };
        let args = vec!["replay".to_string(), file.clone()];
        let answer = ask("replay", args, dir, settings)?;
        Ok(match answer {
            Ok((_, answer)) => answer.repeats(error),
            Err(message) => Some(message),
        })
    }

    /// Compares the report with the blessed one, if there is one; blessing writes one for
    /// every program with errors.
    fn report(&self, report: &str, settings: &Settings) -> io::Result<Option<String>> {
        let file = self.folder.join(REPORT);
        if self.expectation.ok && !file.exists() {
            return Ok(None);
        }
        if settings.bless {
            fs::write(&file, report)?;
            return Ok(None);
        }
        // Some reports depend on the order of hash tables, and that on where objects lie;
        // they have none.
        let Ok(blessed) = fs::read_to_string(&file) else {
            return Ok(None);
        };
        if blessed == report {
            return Ok(None);
        }
        let differs = |(a, b): &(&str, &str)| a != b;
        let mut pairs = blessed.lines().zip(report.lines());
        let (old, new) = pairs.find(differs).unwrap_or(("(its end)", "(its end)"));
        Ok(Some(format!(
            "another report than the blessed one:\n      - {old}\n      + {new}"
        )))
    }
}

/// Runs heddle for a report. The inner error is one of the program's or of Heddle's; `what`
/// tells it apart from others.
fn ask(
    what: &str,
    mut args: Vec<String>,
    dir: &Path,
    settings: &Settings,
) -> io::Result<Result<(Outcome, Answer), String>> {
    let json = dir.join(format!("{what}.json"));
    args.splice(1..1, ["--json".to_string(), json.display().to_string()]);
    let outcome = Launch {
        program: settings.heddle.clone(),
        args,
        dir: dir.to_path_buf(),
        stdin: None,
        limit: settings.limit,
    }
    .run()?;
    let told = String::from_utf8_lossy(&outcome.stderr).into_owned();
    if matches!(outcome.exit, Exit::Signal | Exit::TimedOut) {
        return Ok(Err(format!("{what}: {}\n{told}", outcome.exit)));
    }
    let answer = fs::read_to_string(&json)
        .map_err(|_| format!("{what}: no report, {}\n{told}", outcome.exit))
        .and_then(|text| Answer::read(&text).map_err(|e| format!("{what}: {e}")));
    Ok(answer.map(|answer| (outcome, answer)))
}
