//! Runs a set of programs under a launcher and sums up.
//!
//! What `java` does with a program that has threads is a set of behaviours, of which one run
//! shows one; Heddle's is right if it is in the set. So where Heddle differs, `java` is asked
//! again, up to `ASKED_AT_MOST` times in all, and a program passes if one of the answers is
//! Heddle's. Programs are still meant to have one behaviour under every timing: those that
//! needed a second answer are counted and named (`Case::asked`), so that they can be mended.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::compare::{Verdict, judge};
use crate::compile::{Place, compile};
use crate::corpus::Program;
use crate::launch::{Launch, Outcome};
use crate::toolchain::Jdk;

/// How often `java` is run for one comparison, a result from the cache included.
pub const ASKED_AT_MOST: u32 = 3;

/// Who is compared with `java`.
#[derive(Clone, Debug)]
pub enum Subject {
    Heddle(PathBuf),
    /// The same, marking and rewinding at random points from this seed: no program may
    /// notice, and after every rewind the whole state is compared.
    Rehearsal(PathBuf, u64),
    /// `java` itself, once as usual and once with `-Xint` and other identity hash
    /// codes: finds programs that are not deterministic.
    Java,
}

impl Subject {
    /// The binary and the words before the program's own; `None` for `java`.
    pub fn heddle(&self) -> Option<(&Path, Vec<String>)> {
        let words = |flags: &[&str]| flags.iter().map(|f| f.to_string()).collect();
        match self {
            Subject::Heddle(path) => Some((path, words(&["run"]))),
            Subject::Rehearsal(path, seed) => {
                let seed = seed.to_string();
                let flags = ["run", "--slice", "3000", "--rehearse", &seed];
                Some((path, words(&flags)))
            }
            Subject::Java => None,
        }
    }
}

/// How to run a suite.
#[derive(Clone, Debug)]
pub struct Settings {
    pub scratch: PathBuf,
    pub subject: Subject,
    pub jobs: usize,
    pub limit: Duration,
}

/// The result of one program.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub verdict: Verdict,
    /// How many results of `java` it took to come to the verdict: 1 where the first one agreed.
    pub asked: u32,
    pub elapsed: Duration,
}

/// The names of the programs that passed, but not by the first answer of `java`.
pub fn asked_again(cases: &[Case]) -> Vec<&str> {
    cases
        .iter()
        .filter(|c| c.verdict == Verdict::Passed && c.asked > 1)
        .map(|c| c.name.as_str())
        .collect()
}

/// Compiles and runs all programs; `on_case` sees every result as it comes.
pub fn run(
    programs: &[Program],
    jdk: &Jdk,
    settings: &Settings,
    on_case: &(dyn Fn(&Case) + Sync),
) -> io::Result<Vec<Case>> {
    std::fs::create_dir_all(&settings.scratch)?;
    let broken = compile(programs, &settings.scratch, jdk)?;
    let next = AtomicUsize::new(0);
    let cases = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..settings.jobs.max(1) {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let case = match broken.iter().find(|(name, _)| *name == program.name) {
                        Some((_, message)) => {
                            failure(program, format!("  does not compile:\n{message}"))
                        }
                        None => run_one(program, jdk, settings)
                            .unwrap_or_else(|e| failure(program, format!("  harness: {e}\n"))),
                    };
                    on_case(&case);
                    cases.lock().expect("no case panics").push(case);
                }
            });
        }
    });
    let mut cases = cases.into_inner().expect("no case panics");
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cases)
}

fn failure(program: &Program, report: String) -> Case {
    Case {
        name: program.name.clone(),
        verdict: Verdict::Failed(report),
        asked: 0,
        elapsed: Duration::ZERO,
    }
}

fn run_one(program: &Program, jdk: &Jdk, settings: &Settings) -> io::Result<Case> {
    let place = Place::of(&settings.scratch, program);
    let launch = |tool: &Path, before: &[&str]| -> io::Result<Outcome> {
        let mut args: Vec<String> = before.iter().map(|s| s.to_string()).collect();
        args.extend(program.arguments());
        let dir = place.fresh_work()?;
        let stdin = program.stdin.clone();
        Launch {
            program: tool.to_path_buf(),
            args,
            dir,
            stdin,
            limit: settings.limit,
        }
        .run()
    };
    let expected = match place.expected() {
        Some(outcome) => outcome,
        None => {
            let outcome = launch(&jdk.java, &[])?;
            place.keep_expected(&outcome)?;
            outcome
        }
    };
    let mut asked = 1;
    let (verdict, elapsed) = match settings.subject.heddle() {
        Some((heddle, flags)) => {
            let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
            let actual = launch(heddle, &flags)?;
            // The report of a failure shows the difference from the first answer.
            let mut verdict = judge(&expected, &actual);
            while matches!(verdict, Verdict::Failed(_)) && asked < ASKED_AT_MOST {
                asked += 1;
                if judge(&launch(&jdk.java, &[])?, &actual) == Verdict::Passed {
                    verdict = Verdict::Passed;
                }
            }
            (verdict, actual.elapsed)
        }
        None => {
            let first = launch(&jdk.java, &[])?;
            // The last flag gives every object the same identity hash code.
            let same_hash = ["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2"];
            let second = launch(&jdk.java, &["-Xint", same_hash[0], same_hash[1]])?;
            let verdict = match judge(&expected, &first) {
                Verdict::Passed => judge(&expected, &second),
                other => other,
            };
            (verdict, second.elapsed)
        }
    };
    Ok(Case {
        name: program.name.clone(),
        verdict,
        asked,
        elapsed,
    })
}
