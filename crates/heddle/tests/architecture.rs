//! The rules of the house that a compiler does not check: who may use whom, where
//! unsafe code may be, what the VM must not ask the host, and how files begin.
//!
//! Works on the text of manifests and sources; a rule that is broken is reported with
//! file and line. `docs/architecture.md` gives the reasons.

use std::fs;
use std::path::{Path, PathBuf};

/// The table of the design: a crate and the crates of ours that it may use. The
/// crates at the end serve development only, and may use all.
const MAY_USE: &[(&str, &[&str])] = &[
    ("heddle-classfile", &[]),
    ("heddle-model", &[]),
    ("heddle-vm", &["heddle-classfile", "heddle-model"]),
    ("heddle-explore", &["heddle-model"]),
    ("heddle-detect", &["heddle-model"]),
    ("heddle-replay", &["heddle-classfile", "heddle-model"]),
    ("heddle-report", &["heddle-model"]),
    ("heddle", ALL),
    ("heddle-conformance", ALL),
    ("heddle-bench", ALL),
];

const ALL: &[&str] = &[
    "heddle-classfile",
    "heddle-model",
    "heddle-vm",
    "heddle-explore",
    "heddle-detect",
    "heddle-replay",
    "heddle-report",
    "heddle-conformance",
    "heddle",
];

/// Files with unsafe code, and why they cannot do without.
const UNSAFE: &[(&str, &str)] = &[
    ("heddle-vm/src/arena.rs", "guest memory is raw memory"),
    (
        "heddle-vm/src/interp.rs",
        "registers and code are reached through pointers",
    ),
    (
        "heddle-vm/src/frames.rs",
        "walks the frames that the interpreter made",
    ),
    (
        "heddle-vm/src/journal.rs",
        "saves and restores stacks and patched code",
    ),
    ("heddle-vm/src/digest.rs", "reads the live part of stacks"),
    (
        "heddle-vm/src/native.rs",
        "arguments and scratch words of native frames",
    ),
    ("heddle-vm/src/trap.rs", "pushes and pops frames"),
    (
        "heddle-vm/src/stack.rs",
        "maps the memory of stacks, and copies it",
    ),
    (
        "heddle-vm/src/boot.rs",
        "maps the JDK's image; pushes a thread's first frame",
    ),
    (
        "heddle-vm/src/make_class.rs",
        "classes and methods live for ever, shared by pointer",
    ),
    (
        "heddle-vm/src/natives/unsafe_memory.rs",
        "sun.misc.Unsafe is what its name says",
    ),
    ("heddle/src/signals.rs", "installs signal handlers"),
];

/// What would make a run differ from the last one, or from the one on another host.
const HOST: &[&str] = &[
    "SystemTime::",
    "Instant::",
    "std::env",
    "RandomState",
    "DefaultHasher",
    "HashMap<",
    "HashMap::",
    "HashSet<",
    "HashSet::",
    "thread_rng",
    "getrandom",
    "process::id",
    "thread::spawn",
];

/// Where the VM may name it all the same.
const HOST_ALLOWED: &[(&str, &str, &str)] = &[
    ("hash.rs", "HashMap<", "the alias with the fixed hash"),
    ("hash.rs", "HashSet<", "the alias with the fixed hash"),
    (
        "natives/system_props.rs",
        "std::env",
        "constants of the build: the architecture",
    ),
    (
        "natives/process.rs",
        "process::id",
        "ProcessHandle.pid(), which the program asked for",
    ),
    (
        "files.rs",
        "std::env",
        "a default for tests; the cli names the directory",
    ),
    ("files/tests.rs", "std::env", "a test's scratch directory"),
    (
        "files/tests.rs",
        "process::id",
        "a test's scratch directory",
    ),
];

#[test]
fn dependencies_go_down_only() {
    let mut wrong = Vec::new();
    for manifest in files(&crates(), "toml") {
        let text = read(&manifest);
        let Some(name) = value(&text, "name") else {
            continue;
        };
        let Some((_, allowed)) = MAY_USE.iter().find(|(known, _)| *known == name) else {
            wrong.push(format!("{name}: not in the table of crates"));
            continue;
        };
        for used in dependencies(&text) {
            if used.starts_with("heddle") && !allowed.contains(&used.as_str()) {
                wrong.push(format!("{name} must not use {used}"));
            }
        }
    }
    assert_none(wrong);
}

#[test]
fn every_dependency_is_explained() {
    let explained = read(&root().join("docs/dependencies.md"));
    let mut wrong = Vec::new();
    for manifest in files(&crates(), "toml") {
        for used in dependencies(&read(&manifest)) {
            if !used.starts_with("heddle") && !explained.contains(&format!("`{used}`")) {
                wrong.push(format!(
                    "{used} ({}) is not in docs/dependencies.md",
                    shown(&manifest)
                ));
            }
        }
    }
    assert_none(wrong);
}

#[test]
fn every_file_says_what_it_is() {
    let sources = files(&crates(), "rs");
    let silent = sources
        .iter()
        .filter(|file| !read(file).starts_with("//! "));
    assert_none(
        silent
            .map(|file| format!("{} does not open with //!", shown(file)))
            .collect(),
    );
}

#[test]
fn unsafe_code_is_where_it_belongs() {
    let mut wrong = Vec::new();
    for file in files(&crates(), "rs")
        .into_iter()
        .filter(|f| !f.ends_with("architecture.rs"))
    {
        let name = shown(&file);
        if UNSAFE.iter().any(|(allowed, _)| *allowed == name) {
            continue;
        }
        for (number, line) in code(&read(&file)) {
            let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            if words.into_iter().any(|word| word == "unsafe") {
                wrong.push(format!("{name}:{number}: unsafe code"));
            }
        }
    }
    for (name, _) in UNSAFE {
        if !crates().join(name).is_file() {
            wrong.push(format!("{name} is gone: take it off the list"));
        }
    }
    assert_none(wrong);
}

#[test]
fn the_vm_asks_the_host_nothing() {
    let source = crates().join("heddle-vm/src");
    let mut wrong = Vec::new();
    for file in files(&source, "rs") {
        let name = file
            .strip_prefix(&source)
            .expect("inside")
            .display()
            .to_string();
        for (number, line) in code(&read(&file)) {
            for word in HOST.iter().filter(|word| line.contains(**word)) {
                if !HOST_ALLOWED.iter().any(|(f, w, _)| *f == name && w == word) {
                    wrong.push(format!("heddle-vm/src/{name}:{number}: {word}"));
                }
            }
        }
    }
    assert_none(wrong);
}

#[test]
fn the_map_names_every_crate_and_file() {
    let map = read(&root().join("docs/architecture.md"));
    let mut wrong = Vec::new();
    for file in files(&crates(), "rs") {
        let name = shown(&file);
        let Some((owner, path)) = name.split_once("/src/") else {
            continue;
        };
        if !map.contains(&format!("`{owner}`")) {
            wrong.push(format!(
                "docs/architecture.md does not name the crate {owner}"
            ));
        }
        // Of folders the map names the folder, or its files where that helps.
        let folder = path.split('/').next().unwrap_or(path);
        let named = map.contains(&format!("`{path}`")) || map.contains(&format!("`{folder}/`"));
        if !named && !matches!(path, "lib.rs" | "main.rs") {
            wrong.push(format!(
                "docs/architecture.md does not name {owner}/src/{path}"
            ));
        }
    }
    assert_none(wrong);
}

/// The lines of a source file that are not comments, numbered.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
    lines.map(|(i, line)| (i, line.split("//").next().unwrap_or(line)))
}

/// Names in the sections of a manifest that list dependencies.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            inside = section.ends_with("dependencies");
            if let Some((_, name)) = section.split_once("dependencies.") {
                found.push(name.to_string());
            }
        } else if inside && !line.is_empty() && !line.starts_with('#') {
            let name = line.split(['=', '.', ' ']).next().unwrap_or(line);
            found.push(name.trim_matches('"').to_string());
        }
    }
    found
}

fn value(manifest: &str, key: &str) -> Option<String> {
    let line = manifest
        .lines()
        .find(|l| l.starts_with(&format!("{key} =")))?;
    Some(line.split('"').nth(1)?.to_string())
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace")
}

fn crates() -> PathBuf {
    root().join("crates")
}

fn shown(file: &Path) -> String {
    file.strip_prefix(crates())
        .unwrap_or(file)
        .display()
        .to_string()
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

fn assert_none(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
