//! Random programs, compared in batches and shrunk when they differ.
//!
//! `program` writes one program for a seed. Here many of them share one
//! compilation and one run: a driver prints a header before each, so that the
//! outputs can be told apart. A program that differs is run alone, then loses
//! statements as long as it still differs.
//!
//! `java` runs with `-Xint`: the compiler of HotSpot may throw exceptions
//! without a message once a place has thrown often, which is no behaviour to
//! compare with.

mod expressions;
mod program;
mod rng;
mod statements;
mod types;
mod writer;

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::compare::{Verdict, judge};
use crate::compile::compile_all;
use crate::launch::{Launch, Outcome};
use crate::suite::Settings;
use crate::toolchain::Jdk;
use program::Program;

/// At most so many differences are shrunk in one call.
const SHRUNK: u64 = 3;
/// At most so many deletions are tried for one program.
const ATTEMPTS: usize = 60;

/// Which programs to make.
#[derive(Clone, Debug)]
pub struct Plan {
    pub seed: u64,
    pub count: u64,
    /// Programs that share one compilation and one run.
    pub batch: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            seed: 1,
            count: 200,
            batch: 100,
        }
    }
}

/// What the comparison gave.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub equal: u64,
    pub different: u64,
    /// Batches in which Heddle lacked something.
    pub unsupported: u64,
}

/// The text of the program with this seed.
pub fn source(seed: u64) -> String {
    Program::generate(seed).render(&HashSet::new())
}

/// Generates, runs and compares; `log` gets every difference.
pub fn run(
    plan: &Plan,
    jdk: &Jdk,
    settings: &Settings,
    log: &(dyn Fn(&str) + Sync),
) -> io::Result<Tally> {
    fs::create_dir_all(&settings.scratch)?;
    let batches = plan.count.div_ceil(plan.batch);
    let next = AtomicU64::new(0);
    let shrunk = AtomicU64::new(0);
    let total = Mutex::new((Tally::default(), None));
    thread::scope(|scope| {
        for _ in 0..settings.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let batch = next.fetch_add(1, Ordering::Relaxed);
                    if batch >= batches {
                        break;
                    }
                    let first = plan.seed + batch * plan.batch;
                    let end = (first + plan.batch).min(plan.seed + plan.count);
                    let seeds: Vec<u64> = (first..end).collect();
                    let result = run_batch(&seeds, jdk, settings, &shrunk, log);
                    let mut total = total.lock().expect("no batch panics");
                    match result {
                        Ok(tally) => {
                            total.0.equal += tally.equal;
                            total.0.different += tally.different;
                            total.0.unsupported += tally.unsupported;
                        }
                        Err(error) => total.1 = Some(error),
                    }
                }
            });
        }
    });
    match total.into_inner().expect("no batch panics") {
        (_, Some(error)) => Err(error),
        (tally, None) => Ok(tally),
    }
}

fn run_batch(
    seeds: &[u64],
    jdk: &Jdk,
    settings: &Settings,
    shrunk: &AtomicU64,
    log: &(dyn Fn(&str) + Sync),
) -> io::Result<Tally> {
    let sources: Vec<(String, String)> = seeds
        .iter()
        .map(|&seed| (format!("G{seed}"), source(seed)))
        .collect();
    let dir = settings.scratch.join(format!("batch-{}", seeds[0]));
    let place = Place::new(dir, &sources)?;
    if let Some(message) = place.compile(jdk, &settings.scratch)? {
        return Err(io::Error::other(format!(
            "a generated program does not compile:\n{message}"
        )));
    }
    let expected = place.java(jdk, settings, &[])?;
    let actual = place.subject(jdk, settings, &[])?;
    let mut tally = Tally::default();
    let expected_sections = sections(&expected);
    let actual_sections = sections(&actual);
    let verdict = judge(&expected, &actual);
    if let Verdict::Unsupported(what) = &verdict {
        log(&format!("batch of seed {}: {what}", seeds[0]));
        tally.unsupported += 1;
    }
    let unsupported = tally.unsupported > 0;
    for (class, _) in &sources {
        let want = expected_sections.iter().find(|(name, _)| name == class);
        let got = actual_sections.iter().find(|(name, _)| name == class);
        if want.is_some() && want == got {
            tally.equal += 1;
        } else if !unsupported || got.is_some() {
            tally.different += 1;
            if shrunk.fetch_add(1, Ordering::Relaxed) < SHRUNK {
                log(&explain(class, jdk, settings)?);
            } else {
                log(&format!("{class} differs"));
            }
        }
    }
    if tally.different + tally.unsupported == 0 {
        fs::remove_dir_all(&place.0)?;
        if verdict != Verdict::Passed {
            log(&format!(
                "batch of seed {}: equal outputs, but {verdict:?}",
                seeds[0]
            ));
            tally.different += 1;
        }
    }
    Ok(tally)
}

/// Runs one program alone, shrinks it, and says where the small one is.
fn explain(class: &str, jdk: &Jdk, settings: &Settings) -> io::Result<String> {
    let seed: u64 = class[1..]
        .parse()
        .expect("the class is named after its seed");
    let program = Program::generate(seed);
    let dir = settings.scratch.join(format!("shrunk-{seed}"));
    let mut deleted = HashSet::new();
    let Some(mut report) = differs(&program, &deleted, &dir, jdk, settings)? else {
        return Ok(format!("{class} differs in its batch, but not alone"));
    };
    let mut tried = 0;
    let mut progress = true;
    while progress && tried < ATTEMPTS {
        progress = false;
        for group in program.groups() {
            if tried >= ATTEMPTS || group.iter().all(|id| deleted.contains(id)) {
                continue;
            }
            tried += 1;
            let mut fewer = deleted.clone();
            fewer.extend(group);
            if let Some(smaller) = differs(&program, &fewer, &dir, jdk, settings)? {
                (report, deleted, progress) = (smaller, fewer, true);
            }
        }
    }
    let _ = differs(&program, &deleted, &dir, jdk, settings)?;
    let file = dir.join("src").join(format!("{class}.java"));
    Ok(format!(
        "{class} differs; {} of {} statements left in {}\n{report}",
        program.statements - deleted.len(),
        program.statements,
        file.display()
    ))
}

fn differs(
    program: &Program,
    deleted: &HashSet<usize>,
    dir: &Path,
    jdk: &Jdk,
    settings: &Settings,
) -> io::Result<Option<String>> {
    let sources = [(program.class.clone(), program.render(deleted))];
    let place = Place::new(dir.to_path_buf(), &sources)?;
    if place.compile(jdk, &settings.scratch)?.is_some() {
        return Ok(None);
    }
    let expected = place.java(jdk, settings, &[])?;
    let actual = place.subject(jdk, settings, &[])?;
    Ok(match judge(&expected, &actual) {
        Verdict::Passed => None,
        Verdict::Unsupported(what) => Some(format!("  {what}\n")),
        Verdict::Failed(report) => Some(report),
    })
}

/// The directory of a batch: `src`, `classes`, `work`.
struct Place(PathBuf);

impl Place {
    fn new(dir: PathBuf, sources: &[(String, String)]) -> io::Result<Place> {
        if dir.exists() {
            fs::remove_dir_all(&dir)?;
        }
        for sub in ["src", "classes", "work"] {
            fs::create_dir_all(dir.join(sub))?;
        }
        for (class, text) in sources {
            fs::write(dir.join("src").join(format!("{class}.java")), text)?;
        }
        fs::write(dir.join("src").join("Driver.java"), driver(sources))?;
        Ok(Place(dir))
    }

    fn compile(&self, jdk: &Jdk, scratch: &Path) -> io::Result<Option<String>> {
        let mut input = self.0.join("classes").to_string_lossy().into_owned();
        input.push('\t');
        for entry in fs::read_dir(self.0.join("src"))? {
            input.push('\t');
            input.push_str(&entry?.path().to_string_lossy());
        }
        input.push('\n');
        let answer = compile_all(scratch, jdk, &input)?;
        Ok(answer
            .strip_prefix("failed\t")
            .map(|m| m.replace('\t', "\n")))
    }

    fn java(&self, jdk: &Jdk, settings: &Settings, flags: &[&str]) -> io::Result<Outcome> {
        let mut all = vec!["-Xint", "-XX:+UseSerialGC"];
        all.extend(flags);
        self.launch(&jdk.java, &all, settings)
    }

    fn subject(&self, jdk: &Jdk, settings: &Settings, flags: &[&str]) -> io::Result<Outcome> {
        match settings.subject.heddle() {
            Some((path, words)) => {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                self.launch(path, &words, settings)
            }
            None => self.java(jdk, settings, flags),
        }
    }

    fn launch(&self, tool: &Path, before: &[&str], settings: &Settings) -> io::Result<Outcome> {
        let mut args: Vec<String> = before.iter().map(|s| s.to_string()).collect();
        args.extend(["-cp".into(), "../classes".into(), "Driver".into()]);
        let dir = self.0.join("work");
        let program = tool.to_path_buf();
        Launch {
            program,
            args,
            dir,
            stdin: None,
            limit: settings.limit,
        }
        .run()
    }
}

fn driver(sources: &[(String, String)]) -> String {
    let mut text =
        String::from("public class Driver {\n    public static void main(String[] args) {\n");
    for (class, _) in sources {
        text.push_str(&format!(
            "        System.out.println(\"== {class}\");\n        try {{ {class}.run(); }} catch (Throwable t) {{ System.out.println(t); }}\n"
        ));
    }
    text.push_str("    }\n}\n");
    text
}

fn sections(outcome: &Outcome) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(&outcome.stdout);
    let mut all: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("== ") {
            Some(class) => all.push((class.into(), String::new())),
            None => {
                if let Some((_, section)) = all.last_mut() {
                    section.push_str(line);
                    section.push('\n');
                }
            }
        }
    }
    all
}
