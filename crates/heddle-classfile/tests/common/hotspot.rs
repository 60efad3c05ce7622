//! Edited classes in the place of the JDK's own, on a JVM that verifies everything.

#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of classes for `--patch-module`, by module.
pub struct Patches {
    folder: PathBuf,
    names: Vec<String>,
    modules: Vec<String>,
}

/// What the JVM made of them.
#[derive(Debug)]
pub struct Linked {
    pub classes: usize,
    /// How often inserted code ran while it did.
    pub calls: i64,
    /// One line each: class, error, message.
    pub failures: Vec<String>,
}

impl Patches {
    /// An empty folder below the one for temporary files of tests.
    pub fn new(name: &str) -> Patches {
        let folder = scratch(name);
        let _ = std::fs::remove_dir_all(&folder);
        let patches = Patches {
            folder,
            names: Vec::new(),
            modules: Vec::new(),
        };
        let probe = patches.folder.join("java.base");
        compile(&[source("Probe.java")], &probe, &[]);
        compile(
            &[source("Linker.java")],
            &patches.folder.join("linker"),
            &[],
        );
        patches
    }

    pub fn add(&mut self, module: &str, name: &str, bytes: &[u8]) {
        let path = self.folder.join(module).join(format!("{name}.class"));
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("can write");
        std::fs::write(path, bytes).expect("can write");
        self.names.push(name.replace('/', "."));
        if self.modules.last().is_none_or(|m| m != module) {
            self.modules.push(module.to_owned());
        }
    }

    /// Links all classes that were added.
    pub fn link(&self) -> Linked {
        let mut modules = self.modules.clone();
        modules.sort();
        modules.dedup();
        let list = self.folder.join("names");
        std::fs::write(&list, self.names.join("\n")).expect("can write");
        let mut java = Command::new(super::jdk_home().join("bin").join("java"));
        java.args(["-Xverify:all", "-Xshare:off", "-XX:+UseSerialGC"]);
        java.args(["-XX:TieredStopAtLevel=1", "-Xmx1g"]);
        java.args(["--add-modules", "ALL-SYSTEM", "--add-exports"]);
        java.arg("java.base/heddle.probe=ALL-UNNAMED");
        for module in modules.iter().map(String::as_str).chain(["java.base"]) {
            if module != "java.base" {
                java.arg("--add-exports");
                java.arg(format!("java.base/heddle.probe={module}"));
                let folder = self.folder.join(module);
                java.arg("--patch-module");
                java.arg(format!("{module}={}", folder.display()));
            }
        }
        let base = self.folder.join("java.base");
        java.arg("--patch-module");
        java.arg(format!("java.base={}", base.display()));
        java.arg("-cp").arg(self.folder.join("linker"));
        java.arg("Linker").arg(&list).current_dir(&self.folder);
        let output = java.output().expect("java starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        // The JVM itself may have something to say in between.
        let failures = text.lines().filter(|line| line.contains('\t'));
        let failures: Vec<String> = failures.map(str::to_owned).collect();
        let last = text.lines().last().unwrap_or_default();
        let mut numbers = last
            .split(|c: char| !c.is_ascii_digit() && c != '-')
            .filter_map(|word| word.parse::<i64>().ok());
        let (linked, all, calls) = (numbers.next(), numbers.next(), numbers.next());
        assert!(
            all == Some(self.names.len() as i64),
            "the JVM came to no end: {text} {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Linked {
            classes: linked.unwrap_or(0) as usize,
            calls: calls.unwrap_or(-1),
            failures,
        }
    }
}

impl Drop for Patches {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A folder of our own among the temporary files of tests.
pub fn scratch(name: &str) -> PathBuf {
    let base = option_env!("CARGO_TARGET_TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
    base.join(format!("{name}-{}", std::process::id()))
}

/// A source file of these tests.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/edit")
        .join(name)
}

pub fn compile(sources: &[PathBuf], into: &Path, options: &[&str]) {
    let mut javac = Command::new(super::jdk_home().join("bin").join("javac"));
    javac.args(["-nowarn", "-proc:none", "-d"]).arg(into);
    let output = javac.args(options).args(sources).output();
    let output = output.expect("javac starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "javac: {text}");
}
