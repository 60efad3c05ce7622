//! Compiles the Java library in `runtime/` and leaves its class files where `library.rs`
//! takes them into the binary. Java 8, because that is the oldest JVM it is for, and
//! without line numbers, so that a debugger that steps never stops in it.
//!
//! Without a Java compiler the crate is built all the same; it then says that it cannot
//! replay on a JVM.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=runtime");
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let classes = out.join("classes");
    let _ = fs::remove_dir_all(&classes);
    fs::create_dir_all(&classes).expect("the output directory can be written");
    let sources = files(Path::new("runtime"), "java");
    let mut command = Command::new(javac());
    command.args(["--release", "8", "-g:none", "-Xlint:-options", "-d"]);
    match command.arg(&classes).args(&sources).status() {
        Ok(status) if status.success() => {}
        Ok(_) => panic!("javac refuses the replay library"),
        Err(error) => {
            println!("cargo::warning=no javac ({error}): built without the replay library");
        }
    }
    let mut table = String::from("&[\n");
    for class in files(&classes, "class") {
        let name = class.strip_prefix(&classes).expect("it is inside");
        let name = name.to_str().expect("names are ASCII");
        writeln!(table, "({name:?}, include_bytes!({class:?}).as_slice()),").expect("a string");
    }
    table.push(']');
    fs::write(out.join("library.rs"), table).expect("the output directory can be written");
}

fn javac() -> PathBuf {
    match env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
        Some(home) => Path::new(&home).join("bin/javac"),
        None => PathBuf::from("javac"),
    }
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).expect("the folder can be read");
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}
