//! Programs whose class files were edited everywhere behave as they did, on a
//! JVM that verifies all of them.
//!
//! The ways to edit are those of the class-file crate's own tests. Classes in
//! jar files stay as they are.

#[path = "../../heddle-classfile/tests/common/instrument.rs"]
mod instrument;

use heddle_classfile::edit::EditErrorKind;
use heddle_classfile::{ClassFile, ParseOptions};
use heddle_conformance::compare::{Verdict, judge};
use heddle_conformance::compile::{Place, compile};
use heddle_conformance::corpus::{self, Program};
use heddle_conformance::launch::Launch;
use heddle_conformance::toolchain::{Jdk, target_dir, workspace_root};
use instrument::{VARIANTS, Variant};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use std::{fs, io};

/// Programs that can tell that their class files are others, in these variants or
/// in all, and how.
const NOTICES: [(&str, &[Variant], &str); 4] = [
    (
        "load/C02Damaged",
        &VARIANTS,
        "looks for instructions in its own class file",
    ),
    (
        "threads/D01Receiver",
        &VARIANTS,
        "changes instructions of its own class file",
    ),
    (
        "reflect/B01Annotations",
        &VARIANTS,
        "shows members in the order in which HotSpot keeps methods, by the addresses of their names",
    ),
    (
        "handles/B05HiddenClasses",
        &[
            Variant::Branch,
            Variant::Around,
            Variant::Body,
            Variant::Far,
        ],
        "in a hidden class that takes an object of the class that it is a copy of, no frame can name both",
    ),
];

/// Those whose result can run: `Calls` invents methods.
fn runnable() -> Vec<Variant> {
    let mut variants = VARIANTS.to_vec();
    variants.retain(|v| *v != Variant::Calls);
    variants
}

/// Half of the programs with a call before every instruction, which is what
/// most resembles the real use, the others in turn.
#[test]
fn edited_programs_behave_as_before() {
    let variants = runnable();
    all("edited", |i| match i % 2 {
        0 => vec![Variant::Before],
        _ => vec![variants[i / 2 % variants.len()]],
    });
}

#[test]
#[ignore = "takes many minutes"]
fn programs_behave_when_every_instruction_is_counted() {
    all("edited-counted", |_| vec![Variant::Before]);
}

#[test]
#[ignore = "takes an hour"]
fn programs_behave_when_edited_in_every_way() {
    all("edited-all", |_| runnable());
}

/// Runs every program as it is and in the variants that its number gets.
fn all(folder: &str, variants: impl Fn(usize) -> Vec<Variant> + Sync) {
    let root = workspace_root();
    let mut programs = corpus::discover(&root.join("programs").join("run")).expect("programs");
    let jdk = Jdk::find().expect("a JDK");
    let scratch = target_dir().join("conformance").join(folder);
    fs::create_dir_all(&scratch).expect("can write");
    let broken = compile(&programs, &scratch, &jdk).expect("the compiler runs");
    // The tools of another JDK may refuse what those of one accept.
    assert!(broken.len() <= 2, "{broken:?}");
    programs.retain(|p| broken.iter().all(|(name, _)| *name != p.name));
    let probe = compile_probe(&scratch, &jdk);
    let (next, runs, classes) = (
        AtomicUsize::new(0),
        AtomicUsize::new(0),
        AtomicUsize::new(0),
    );
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(program) = programs.get(number) else {
                        break;
                    };
                    for variant in variants(number) {
                        if notices(program, variant) {
                            continue;
                        }
                        let subject = Subject {
                            program,
                            jdk: &jdk,
                            scratch: &scratch,
                            probe: &probe,
                        };
                        let outcome = subject.run(variant).expect("files can be written");
                        runs.fetch_add(1, Ordering::Relaxed);
                        classes.fetch_add(outcome.classes, Ordering::Relaxed);
                        if outcome.verdict != Verdict::Passed {
                            let line =
                                format!("{variant:?} {}: {:?}", program.name, outcome.verdict);
                            wrong.lock().expect("no run panics").push(line);
                        }
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no run panics");
    println!(
        "{} runs of {} programs, {} classes edited, {} differences",
        runs.into_inner(),
        programs.len(),
        classes.into_inner(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn notices(program: &Program, variant: Variant) -> bool {
    let mut known = NOTICES.iter();
    known.any(|(name, variants, _)| *name == program.name && variants.contains(&variant))
}

struct Subject<'a> {
    program: &'a Program,
    jdk: &'a Jdk,
    scratch: &'a Path,
    probe: &'a Path,
}

struct Outcome {
    verdict: Verdict,
    classes: usize,
}

impl Subject<'_> {
    /// Both runs happen in the same place, since programs may print it; the
    /// classes as they were compiled are kept beside it.
    fn run(&self, variant: Variant) -> io::Result<Outcome> {
        let place = Place::of(self.scratch, self.program);
        let classes = place.classes();
        let plain = classes.with_file_name("plain");
        if !plain.exists() {
            let half = classes.with_file_name("half");
            copy(&classes, &half, &mut |_, bytes| bytes)?;
            fs::rename(&half, &plain)?;
        }
        let as_compiled = || {
            fs::remove_dir_all(&classes)?;
            copy(&plain, &classes, &mut |_, bytes| bytes)?;
            self.launch(place.fresh_work()?)
        };
        let expected = match place.expected() {
            Some(outcome) => outcome,
            None => {
                let outcome = as_compiled()?;
                place.keep_expected(&outcome)?;
                outcome
            }
        };
        fs::remove_dir_all(&classes)?;
        let mut count = 0;
        copy(&plain, &classes, &mut |path, bytes| {
            edited(path, bytes, variant, &mut count)
        })?;
        let actual = self.launch(place.fresh_work()?)?;
        let mut verdict = judge(&expected, &actual);
        // HotSpot is free in some things, such as the order of reflection, and may decide
        // otherwise each time: what it does as compiled on another try is right too.
        for _ in 0..2 {
            if verdict != Verdict::Passed && judge(&as_compiled()?, &actual) == Verdict::Passed {
                verdict = Verdict::Passed;
            }
        }
        Ok(Outcome {
            verdict,
            classes: count,
        })
    }

    fn launch(&self, dir: PathBuf) -> io::Result<heddle_conformance::launch::Outcome> {
        let boot = format!("-Xbootclasspath/a:{}", self.probe.display());
        let flags = ["-Xverify:all", "-Xshare:auto", &boot].map(str::to_owned);
        let launch = Launch {
            program: self.jdk.java.clone(),
            args: flags.into_iter().chain(self.program.arguments()).collect(),
            dir,
            stdin: self.program.stdin.clone(),
            limit: Duration::from_secs(120),
        };
        launch.run()
    }
}

/// Copies a folder, with every file changed on the way.
fn copy(
    from: &Path,
    to: &Path,
    change: &mut dyn FnMut(&Path, Vec<u8>) -> Vec<u8>,
) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().expect("entries have names"));
        if path.is_dir() {
            copy(&path, &target, change)?;
        } else {
            fs::write(target, change(&path, fs::read(&path)?))?;
        }
    }
    Ok(())
}

/// An edited class file; what is none stays as it is, and so does a class with
/// a method that would become too long.
fn edited(path: &Path, bytes: Vec<u8>, variant: Variant, count: &mut usize) -> Vec<u8> {
    let options = ParseOptions {
        max_major: 69,
        ..ParseOptions::default()
    };
    let Ok(class) = ClassFile::parse(bytes.clone().into(), &options) else {
        return bytes;
    };
    match instrument::instrument(&class, variant) {
        Ok(new) => {
            *count += 1;
            new.to_vec()
        }
        Err(error) => {
            let too_long = matches!(error.kind, EditErrorKind::CodeTooLong { .. });
            assert!(too_long, "{}: {error}", path.display());
            bytes
        }
    }
}

/// What inserted code calls, for the boot loader: every class can see it.
fn compile_probe(scratch: &Path, jdk: &Jdk) -> PathBuf {
    let source = workspace_root().join("crates/heddle-classfile/tests/edit/Probe.java");
    let into = scratch.join("probe");
    let mut javac = Command::new(&jdk.javac);
    let status = javac.arg("-d").arg(&into).arg(source).status();
    assert!(status.expect("javac starts").success());
    into
}
