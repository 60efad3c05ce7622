//! Every error that `heddle check` finds in `programs/check` happens on stock JVMs too, by
//! the schedule that it wrote: the same exception at the same line, the same deadlock, the
//! two accesses of a race in their order with their values.
//!
//! By default each kind of error of a program is replayed once, on the JVMs in turn.
//! `cargo test --release -p heddle-conformance --test on_jvms -- --ignored` replays every
//! schedule 20 times (`HEDDLE_REPLAYS`) on each JVM and prints a table. Which JVMs:
//! `toolchain::jvms`.

use heddle_conformance::check::{self, Subject};
use heddle_conformance::compile::{Place, compile};
use heddle_conformance::corpus::sorted;
use heddle_conformance::launch::{Exit, Launch};
use heddle_conformance::toolchain::{Jdk, find_heddle, jvms, target_dir, workspace_root};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// What a newer JVM says to a program that suspends threads.
const GONE: &str = "NoSuchMethodError: 'void java.lang.Thread.suspend()'";

/// Kinds of errors that a JVM cannot show: the schedule is followed to its end.
const INVISIBLE: &[&str] = &["lock-discipline", "swallowed-exception"];

#[test]
fn every_kind_of_error_carries_over() {
    run("test-jvms", 1, |_, index, jvms| vec![index % jvms], true);
}

#[test]
#[ignore = "hours: every schedule, 20 times, on every JVM"]
fn every_error_carries_over_every_time() {
    let replays = std::env::var("HEDDLE_REPLAYS").ok();
    let replays = replays.map_or(20, |n| n.parse().expect("HEDDLE_REPLAYS is a number"));
    run(
        "test-jvms-all",
        replays,
        |_, _, jvms| (0..jvms).collect(),
        false,
    );
}

/// A schedule to replay on a JVM.
struct Task<'a> {
    subject: &'a Subject,
    dir: PathBuf,
    file: PathBuf,
    kind: String,
    jvm: usize,
}

/// Replays the schedules of all programs; `jvms_for` says on which JVMs the n-th one.
fn run(
    scratch: &str,
    replays: u32,
    jvms_for: fn(&str, usize, usize) -> Vec<usize>,
    first_of_kind: bool,
) {
    let homes = jvms();
    if homes.len() < 2 {
        eprintln!("only one JVM here: set HEDDLE_NEWER_JDK to the home of a newer one");
    }
    let root = workspace_root().join("programs").join("check");
    let subjects = check::discover(&root).expect("programs and expectations");
    let broken: Vec<Subject> = subjects.into_iter().filter(|s| !s.expectation.ok).collect();
    let scratch = target_dir().join("conformance").join(scratch);
    std::fs::create_dir_all(&scratch).expect("scratch space");
    let programs: Vec<_> = broken.iter().map(|s| s.program.clone()).collect();
    let refused = compile(&programs, &scratch, &Jdk::find().expect("a JDK")).expect("javac runs");
    assert!(refused.is_empty(), "{refused:?}");
    let heddle = find_heddle().expect("a heddle binary");

    let found = each(&broken, |subject| search(subject, &heddle, &scratch));
    let mut tasks = Vec::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    for (subject, found) in broken.iter().zip(found) {
        let (dir, files) = match found {
            Ok(found) => found,
            Err(message) => {
                wrong.push(message);
                continue;
            }
        };
        let mut kinds = Vec::new();
        for file in files {
            let kind = kind(&file);
            if first_of_kind && kinds.contains(&kind) {
                continue;
            }
            kinds.push(kind.clone());
            for jvm in jvms_for(&kind, count, homes.len()) {
                tasks.push(Task {
                    subject,
                    dir: dir.clone(),
                    file: file.clone(),
                    kind: kind.clone(),
                    jvm,
                });
            }
            count += 1;
        }
    }
    assert!(count >= 80, "only {count} schedules");

    let results = each(&tasks, |task| replay(task, &heddle, &homes, replays));
    let mut table: BTreeMap<(&str, usize, &str), u32> = BTreeMap::new();
    for (task, result) in tasks.iter().zip(results) {
        let how = match result {
            Ok(how) => how,
            Err(message) => {
                wrong.push(message);
                "not confirmed"
            }
        };
        *table.entry((&task.kind, task.jvm, how)).or_default() += 1;
    }
    println!("schedules by kind and JVM, each replayed {replays} times:");
    for ((kind, jvm, how), count) in &table {
        println!("{count:5} {kind:22} {how:14} {}", homes[*jvm].display());
    }
    let (count, list) = (wrong.len(), wrong.join("\n\n"));
    assert!(wrong.is_empty(), "{count} wrong:\n{list}");
}

/// Looks for the errors of a program; its schedule files.
fn search(
    subject: &Subject,
    heddle: &Path,
    scratch: &Path,
) -> Result<(PathBuf, Vec<PathBuf>), String> {
    let name = &subject.program.name;
    let dir = Place::of(scratch, &subject.program).fresh_work();
    let dir = dir.map_err(|e| format!("{name}: {e}"))?;
    let mut args: Vec<String> = ["check", "--max-time", "30s"].map(String::from).to_vec();
    args.extend(subject.expectation.options.iter().cloned());
    args.extend(subject.expectation.bounds.iter().cloned());
    args.extend(["-cp", "../classes", &subject.program.main].map(String::from));
    args.extend(subject.expectation.args.iter().cloned());
    let outcome = launch(heddle, args, &dir)?;
    let files = sorted(&dir.join("heddle-schedules")).unwrap_or_default();
    match (outcome.exit, files.is_empty()) {
        (Exit::Code(1), false) => Ok((dir, files)),
        _ => Err(format!(
            "{name}: no error was found, {}\n{}",
            outcome.exit,
            String::from_utf8_lossy(&outcome.stderr)
        )),
    }
}

/// Replays a schedule; how it came out.
fn replay(
    task: &Task,
    heddle: &Path,
    homes: &[PathBuf],
    replays: u32,
) -> Result<&'static str, String> {
    let file = task.file.display().to_string();
    let home = homes[task.jvm].display();
    let args = vec![
        "replay".to_string(),
        format!("--jvm={home}"),
        format!("--runs={replays}"),
        file.clone(),
    ];
    let outcome = launch(heddle, args, &task.dir)?;
    let told = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let errors = String::from_utf8_lossy(&outcome.stderr).into_owned();
    let line = |start: &str| told.lines().any(|l| l.starts_with(start));
    let how = match outcome.exit {
        Exit::Code(1) if line("Confirmed on ") => "confirmed",
        Exit::Code(1) if line("Followed on ") => "followed",
        Exit::Code(3) if errors.contains("cannot be stopped in the middle") => "refused",
        Exit::Code(3) if errors.contains(GONE) => "gone",
        _ => "not confirmed",
    };
    let deadlock = task.kind.contains("deadlock") || task.kind == "lock-cycle";
    let potential = subject_of(task).contains("is possible");
    let right = match how {
        "confirmed" => !deadlock || errors.contains("no thread can go on"),
        "followed" => potential || INVISIBLE.contains(&task.kind.as_str()),
        // Between two locks of one call of the library.
        "refused" => text_of(task).contains("\nwithin "),
        "gone" => task.jvm > 0,
        _ => false,
    };
    match right {
        true => Ok(how),
        false => Err(format!(
            "{file} of {} on {home}: {how}, {}\n{told}{errors}",
            task.subject.program.name, outcome.exit
        )),
    }
}

fn text_of(task: &Task) -> String {
    std::fs::read_to_string(&task.file).unwrap_or_default()
}

/// What a schedule file says it shows.
fn subject_of(task: &Task) -> String {
    let text = text_of(task);
    let finding = text.lines().find(|l| l.starts_with("finding "));
    finding.unwrap_or_default().to_string()
}

/// Of a file such as `Main-lock-cycle-2.sched`.
fn kind(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let parts: Vec<&str> = stem.split('-').collect();
    parts[1..parts.len() - 1].join("-")
}

fn launch(
    heddle: &Path,
    args: Vec<String>,
    dir: &Path,
) -> Result<heddle_conformance::launch::Outcome, String> {
    let launch = Launch {
        program: heddle.to_path_buf(),
        args,
        dir: dir.to_path_buf(),
        stdin: None,
        limit: Duration::from_secs(600),
    };
    launch.run().map_err(|e| e.to_string())
}

/// Does something for each of these, two at a time.
fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else {
                        break;
                    };
                    let result = work(item);
                    done.lock().expect("nobody panics").push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("nobody panics");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}
