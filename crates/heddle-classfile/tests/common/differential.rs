//! Compares our answers on damaged class files with those of the JVM on the path.

#![allow(dead_code)]

use super::mutants::{Rng, mutate, tangle};
use super::world::{Loader, World};
use heddle_classfile::verify::{VerifyFailure, verify_class};
use heddle_classfile::{ClassFile, ParseOptions};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

/// What became of a class: the Java error and its message, or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub error: String,
    pub message: String,
}

impl Outcome {
    pub fn first_line(&self) -> &str {
        self.message.lines().next().unwrap_or("")
    }
}

/// The answer of the JVM and whether the class was already defined by then.
pub struct Jvm {
    pub linking: bool,
    pub outcome: Outcome,
}

pub fn jvm(mutants: &[Vec<u8>]) -> Vec<Jvm> {
    let home = super::jdk_home();
    let harness = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/differential/Harness.java"
    );
    let mut child = Command::new(home.join("bin").join("java"))
        .args([
            "--add-modules",
            "ALL-SYSTEM",
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
        ])
        .args(["-XX:+UseSerialGC", harness])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("java starts");
    let mut input = child.stdin.take().expect("a pipe");
    let all: Vec<u8> = mutants
        .iter()
        .flat_map(|m| {
            (m.len() as u32)
                .to_be_bytes()
                .into_iter()
                .chain(m.iter().copied())
        })
        .collect();
    let writer = std::thread::spawn(move || input.write_all(&all));
    let output = child.wait_with_output().expect("java ends");
    let _ = writer.join();
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| {
            let mut fields = line.splitn(3, '\t');
            let linking = fields.next() != Some("define");
            let error = fields.next().unwrap_or("").to_owned();
            let message = unescape(fields.next().unwrap_or(""));
            Jvm {
                linking,
                outcome: Outcome { error, message },
            }
        })
        .collect()
}

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => out.push(match chars.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                other => other.unwrap_or('\\'),
            }),
            (c, false) => out.push(c),
        }
    }
    out
}

/// Our answer. The methods are looked at one by one, for HotSpot takes them in
/// an order of its own: all errors that it could have seen first.
pub fn ours(bytes: &[u8], world: &World) -> Vec<Outcome> {
    let accepted = Outcome {
        error: String::new(),
        message: String::new(),
    };
    let mut class = match ClassFile::parse(bytes.to_vec().into(), &ParseOptions::default()) {
        Ok(class) => class,
        Err(error) => {
            return vec![Outcome {
                error: error.kind.java_class().to_owned(),
                message: error.message,
            }];
        }
    };
    let mut outcomes = Vec::new();
    outcomes.extend(verify(&class, world));
    for method in std::mem::take(&mut class.methods) {
        class.methods = vec![method];
        outcomes.extend(verify(&class, world));
    }
    if outcomes.is_empty() {
        outcomes.push(accepted);
    }
    outcomes
}

fn verify(class: &ClassFile, world: &World) -> Option<Outcome> {
    let loader = Loader {
        world,
        class,
        same_loader: false,
    };
    match verify_class(class, &loader) {
        Ok(()) => None,
        Err(VerifyFailure::Needs(name)) => Some(Outcome {
            error: "java/lang/NoClassDefFoundError".to_owned(),
            message: String::from_utf8_lossy(&name).into_owned(),
        }),
        Err(VerifyFailure::Error { kind, message }) => Some(Outcome {
            error: kind.java_class().to_owned(),
            message,
        }),
    }
}

/// Errors that come from loading superclasses or from linking after
/// verification, which is not ours to do.
fn is_foreign(jvm: &Jvm) -> bool {
    match jvm.outcome.error.as_str() {
        "java/lang/ClassFormatError" | "java/lang/UnsupportedClassVersionError" => false,
        "java/lang/VerifyError" | "" => !jvm.linking,
        "java/lang/NoClassDefFoundError" => !jvm.linking,
        _ => true,
    }
}

#[derive(Default, Debug)]
pub struct Tally {
    pub mutants: usize,
    /// Refused by the JVM for reasons beyond parsing and verifying.
    pub foreign: usize,
    pub accepted: usize,
    pub same_line: usize,
    /// Of those, the whole message too.
    pub same_text: usize,
    pub differences: Vec<Difference>,
    /// How often each kind of damage was done.
    pub kinds: BTreeMap<&'static str, usize>,
}

#[derive(Debug)]
pub struct Difference {
    pub what: &'static str,
    pub seed: String,
    pub bytes: Vec<u8>,
    pub jvm: Outcome,
    pub ours: Vec<Outcome>,
    /// Only the text behind the first line differs.
    pub details: bool,
}

/// Classes that a foreign loader can define: not in `java.*`, with public supertypes.
pub fn seeds(world: &World) -> Vec<&ClassFile> {
    let mut seeds: Vec<&ClassFile> = world
        .classes
        .values()
        .filter(|c| {
            let mut interfaces = c.interfaces.iter().map(|&i| c.pool.class_name(i));
            !c.name().starts_with(b"java/")
                && c.bytes().len() < 8000
                && c.super_name().is_some_and(|s| s.starts_with(b"java/"))
                && interfaces.all(|i| i.starts_with(b"java/"))
        })
        .collect();
    seeds.sort_by_key(|c| c.name());
    seeds
}

/// Damages `count` class files and compares.
pub fn run(world: &World, count: usize, seed: u64) -> Tally {
    let mut rng = Rng(seed | 1);
    // Classes that the JVM refuses undamaged would only hide differences.
    let mut candidates = Vec::new();
    let all = seeds(world);
    for _ in 0..(count / 8).clamp(50, 2000) {
        candidates.push(all[rng.below(all.len())]);
    }
    let intact: Vec<Vec<u8>> = candidates.iter().map(|c| c.bytes().to_vec()).collect();
    let good: Vec<&ClassFile> = jvm(&intact)
        .iter()
        .zip(candidates)
        .filter(|(j, _)| j.outcome.error.is_empty())
        .map(|(_, c)| c)
        .collect();
    assert!(!good.is_empty(), "the JVM accepts some classes of the JDK");
    let mut tally = Tally::default();
    let mut left = count;
    while left > 0 {
        let batch = left.min(5000);
        left -= batch;
        let (mut mutants, mut about) = (Vec::new(), Vec::new());
        for _ in 0..batch {
            let class = good[rng.below(good.len())];
            if rng.below(20) == 0 {
                mutants.push(tangle(&mut rng));
                about.push(("tangle", "T".to_owned()));
                continue;
            }
            let (mut bytes, mut what) = mutate(class, &mut rng);
            if rng.below(8) == 0
                && let Ok(again) = ClassFile::parse(bytes.clone().into(), &ParseOptions::default())
            {
                (bytes, what) = mutate(&again, &mut rng);
            }
            mutants.push(bytes);
            about.push((what, String::from_utf8_lossy(class.name()).into_owned()));
        }
        let answers = jvm(&mutants);
        assert_eq!(answers.len(), mutants.len(), "the JVM answers each");
        for ((bytes, answer), (what, seed)) in mutants.into_iter().zip(answers).zip(about) {
            tally.add(world, bytes, answer, what, seed);
        }
    }
    tally
}

impl Tally {
    fn add(&mut self, world: &World, bytes: Vec<u8>, jvm: Jvm, what: &'static str, seed: String) {
        self.mutants += 1;
        *self.kinds.entry(what).or_default() += 1;
        if is_foreign(&jvm) {
            self.foreign += 1;
            return;
        }
        let ours = ours(&bytes, world);
        let jvm = jvm.outcome;
        let same = |o: &&Outcome| o.error == jvm.error && o.first_line() == jvm.first_line();
        let details = match ours.iter().find(same) {
            Some(_) if jvm.error.is_empty() => {
                self.accepted += 1;
                return;
            }
            Some(_) => {
                self.same_line += 1;
                if ours.contains(&jvm) {
                    self.same_text += 1;
                    return;
                }
                true
            }
            None => false,
        };
        self.differences.push(Difference {
            what,
            seed,
            bytes,
            jvm,
            ours,
            details,
        });
    }
}
