//! That `heddle run`, where nobody looks, pays nothing for the hooks of observers and
//! searches: instructions counted by valgrind, against a build without the hooks.
//!
//! Times cannot show a difference of nothing; counts can. All hooks of the interpreter are
//! macros. The VM is built as it is and from a copy in which they are empty, both times
//! with one copy of the interpreter only (`examples/alone.rs` of `heddle-vm`), and both
//! binaries run the same programs, which are deterministic, under `callgrind`. What counts
//! are the instructions of the interpreter itself, which must be equal to the last one:
//! elsewhere the compiler inlines differently when another part of a crate changes. Because
//! of the builds, this group is measured only where it is asked for by name.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use heddle_conformance::toolchain::{target_dir, workspace_root};

use crate::measure::Bench;
use crate::report::Figure;

/// The interpreter, and its macros that are there for those who look.
const INTERPRETER: &str = "crates/heddle-vm/src/interp.rs";
const HOOKS: [&str; 9] = [
    "observe",
    "visible",
    "arrive",
    "left_monitor",
    "looked",
    "disturbed",
    "returned",
    "unlocked",
    "publish",
];

/// Programs that take no more than a second without valgrind.
const PROGRAMS: [&str; 4] = ["Hello", "Calls", "Strings", "Virtual"];

pub fn run(bench: &Bench) -> Result<Vec<Figure>, String> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        let figure = Figure::new("instructions for hooks", f64::NAN, "%");
        return Ok(vec![
            figure.with_note("not measured: valgrind is not installed".into()),
        ]);
    }
    let home = crate::inside::home(&bench.jdk)?;
    let hooked = build(&workspace_root(), &target_dir())?;
    let copy = copy_without_hooks()?;
    let bare = build(&copy, &copy.join("target"))?;
    let count = |binary: &Path, class| instructions(binary, &home, &bench.classes, class);
    let mut figures = Vec::new();
    for class in PROGRAMS.into_iter().filter(|class| bench.wants(class)) {
        let (with, without) = (count(&hooked, class)?, count(&bare, class)?);
        let more = with as f64 - without as f64;
        figures.push(
            Figure::new(&format!("{class}, instructions for hooks"), more, "")
                .at_most(0.0)
                .with_note(format!("{with} with hooks, {without} without")),
        );
    }
    Ok(figures)
}

/// What the interpreter takes in a run of a program.
fn instructions(binary: &Path, home: &Path, classes: &Path, class: &str) -> Result<u64, String> {
    let profile = target_dir().join("bench").join("callgrind.out");
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .args([binary, home, classes])
        .arg(class)
        .output()
        .map_err(|e| format!("valgrind: {e}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{class} under valgrind: {text}"));
    }
    let profile =
        fs::read_to_string(&profile).map_err(|e| format!("{}: {e}", profile.display()))?;
    match own_instructions(&profile, "heddle_vm::interp::") {
        0 => Err(format!("{class}: valgrind saw no interpreter")),
        count => Ok(count),
    }
}

/// The instructions of all functions with `part` in their names, without those that they
/// call, from a profile in callgrind's format.
fn own_instructions(profile: &str, part: &str) -> u64 {
    let mut names = HashMap::new();
    let mut counts = false;
    let mut of_a_call = false;
    let mut sum = 0;
    for line in profile.lines() {
        let function = line.strip_prefix("fn=");
        if let Some(named) = function.or_else(|| line.strip_prefix("cfn=")) {
            // `(12) name` the first time, `(12)` from then on.
            let (number, name) = named.split_once(' ').unwrap_or((named, ""));
            let ours = names.entry(number).or_insert_with(|| name.contains(part));
            if function.is_some() {
                counts = *ours;
            }
        } else if line.starts_with("calls=") {
            of_a_call = true;
        } else if line.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c)) {
            // The line after `calls=` is what the callee takes.
            if counts && !of_a_call {
                sum += cost(line);
            }
            of_a_call = false;
        }
    }
    sum
}

/// `LINE INSTRUCTIONS`, the line relative to the one before.
fn cost(line: &str) -> u64 {
    let count = line.split_ascii_whitespace().nth(1);
    count.and_then(|count| count.parse().ok()).unwrap_or(0)
}

/// Builds the example in a workspace; the binary.
fn build(workspace: &Path, target: &Path) -> Result<PathBuf, String> {
    let status = Command::new("cargo")
        .args(["build", "--release", "--package", "heddle-vm"])
        .args(["--example", "alone", "--target-dir"])
        .arg(target)
        .current_dir(workspace)
        .status()
        .map_err(|e| format!("cargo: {e}"))?;
    if !status.success() {
        return Err(format!("{}: the build failed", workspace.display()));
    }
    Ok(target.join("release").join("examples").join("alone"))
}

/// A copy of the workspace with empty hooks.
fn copy_without_hooks() -> Result<PathBuf, String> {
    let copy = target_dir().join("bench").join("without-hooks");
    let root = workspace_root();
    let failed = |e: std::io::Error| format!("{}: {e}", copy.display());
    if copy.join("crates").exists() {
        fs::remove_dir_all(copy.join("crates")).map_err(failed)?;
    }
    fs::create_dir_all(&copy).map_err(failed)?;
    let parts = [
        "crates",
        ".cargo",
        "Cargo.toml",
        "Cargo.lock",
        "rust-toolchain.toml",
    ];
    for part in parts {
        copy_all(&root.join(part), &copy.join(part)).map_err(failed)?;
    }
    let interpreter = copy.join(INTERPRETER);
    let source = fs::read_to_string(&interpreter).map_err(failed)?;
    fs::write(&interpreter, without_hooks(source)?).map_err(failed)?;
    Ok(copy)
}

fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    if from.is_file() {
        fs::copy(from, to)?;
    } else if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            copy_all(&from.join(&name), &to.join(&name))?;
        }
    }
    Ok(())
}

/// Empties the macros that are hooks.
fn without_hooks(mut source: String) -> Result<String, String> {
    for hook in HOOKS {
        let head = format!("macro_rules! {hook} {{");
        let start = source.find(&head).ok_or(format!("no macro {hook}"))?;
        let body = start + head.len();
        let mut depth = 1;
        let length = source[body..].find(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth == 0
        });
        let end = body + length.ok_or(format!("macro {hook} has no end"))?;
        source.replace_range(body..end, "\n($($hook:tt)*) => { () };\n");
    }
    Ok(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_function_does_itself_is_counted() {
        let profile = "fn=(1) a::interp::run\n16 100\n+1 20\ncfn=(2) a::heap::new\ncalls=3 9\n\
                       +2 5000\n* 3\nfn=(2)\n40 5000\nfn=(1)\n-4 7\ntotals: 5130\n";
        assert_eq!(own_instructions(profile, "a::interp::"), 130);
        assert_eq!(own_instructions(profile, "a::heap::"), 5000);
    }

    #[test]
    fn all_hooks_are_found_and_emptied() {
        let source = fs::read_to_string(workspace_root().join(INTERPRETER)).unwrap();
        let bare = without_hooks(source.clone()).unwrap();
        assert!(bare.len() < source.len());
        assert_eq!(bare.matches("=> { () };").count(), HOOKS.len());
        assert!(without_hooks("macro_rules! observe { ".into()).is_err());
    }
}
