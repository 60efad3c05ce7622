//! That `heddle run`, where nobody looks, pays nothing for the hooks of observers and
//! searches: instructions counted by valgrind, against a build without the hooks.
//!
//! Times cannot show a difference of nothing; counts can. All hooks of the interpreter are
//! macros. The VM is built as it is and from a copy in which they are empty, both times
//! with one copy of the interpreter only (`examples/alone.rs` of `heddle-vm`), and both
//! binaries run the same programs, which are deterministic, under `callgrind`. Because of
//! the builds, this group is measured only where it is asked for by name.

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

/// Instructions that differ, in percent. The system's own start-up code is not the same
/// each time.
const NOISE: f64 = 0.01;

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
        let more = (with as f64 / without as f64 - 1.0) * 100.0;
        figures.push(
            Figure::new(&format!("{class}, instructions for hooks"), more, "%")
                .at_most(NOISE)
                .with_note(format!("{with} with hooks, {without} without")),
        );
    }
    Ok(figures)
}

/// What a run of a program takes.
fn instructions(binary: &Path, home: &Path, classes: &Path, class: &str) -> Result<u64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args([binary, home, classes])
        .arg(class)
        .output()
        .map_err(|e| format!("valgrind: {e}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let count = text
        .lines()
        .filter_map(|line| line.split_once("Collected : "))
        .filter_map(|(_, count)| count.trim().parse().ok())
        .next_back();
    count
        .filter(|_| output.status.success())
        .ok_or(format!("{class} under valgrind: {text}"))
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
    fn all_hooks_are_found_and_emptied() {
        let source = fs::read_to_string(workspace_root().join(INTERPRETER)).unwrap();
        let bare = without_hooks(source.clone()).unwrap();
        assert!(bare.len() < source.len());
        assert_eq!(bare.matches("=> { () };").count(), HOOKS.len());
        assert!(without_hooks("macro_rules! observe { ".into()).is_err());
    }
}
