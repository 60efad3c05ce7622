//! Compiles programs and caches the class files and the results of `java`.
//!
//! Every program has one directory below the scratch space: `classes`, `work`
//! (the directory it runs in, emptied before each run), `expected.*` and `key`.
//! The key is the digest of the program and of the JDK; when it differs, the
//! directory is made anew.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::corpus::Program;
use crate::launch::{Exit, Outcome, quiet};
use crate::toolchain::{Digest, Jdk};

/// Raised when the layout of the cache changes.
const FORMAT: &[u8] = b"2";

const COMPILE_ALL: &str = include_str!("../java/CompileAll.java");

/// The directory of one program in the scratch space.
#[derive(Clone, Debug)]
pub struct Place(PathBuf);

impl Place {
    pub fn of(scratch: &Path, program: &Program) -> Place {
        Place(scratch.join(&program.name))
    }

    pub fn classes(&self) -> PathBuf {
        self.0.join("classes")
    }

    /// An empty directory beside `classes` to run in.
    pub fn fresh_work(&self) -> io::Result<PathBuf> {
        let dir = self.0.join("work");
        if dir.exists() {
            fs::remove_dir_all(&dir)?;
        }
        fs::create_dir_all(&dir)?;
        Ok(dir)
    }

    /// What `java` did with this program, when that is already known.
    pub fn expected(&self) -> Option<Outcome> {
        let code = fs::read_to_string(self.0.join("expected.code")).ok()?;
        Some(Outcome {
            stdout: fs::read(self.0.join("expected.stdout")).ok()?,
            stderr: fs::read(self.0.join("expected.stderr")).ok()?,
            exit: Exit::Code(code.trim().parse().ok()?),
            elapsed: Default::default(),
        })
    }

    /// Keeps a result; time-outs and signals are not worth remembering.
    pub fn keep_expected(&self, outcome: &Outcome) -> io::Result<()> {
        let Exit::Code(code) = outcome.exit else {
            return Ok(());
        };
        fs::write(self.0.join("expected.stdout"), &outcome.stdout)?;
        fs::write(self.0.join("expected.stderr"), &outcome.stderr)?;
        fs::write(self.0.join("expected.code"), code.to_string())
    }
}

/// Compiles what is not in the cache; returns the programs that do not compile.
pub fn compile(
    programs: &[Program],
    scratch: &Path,
    jdk: &Jdk,
) -> io::Result<Vec<(String, String)>> {
    let mut pending = Vec::new();
    let mut failed = Vec::new();
    for program in programs {
        let place = Place::of(scratch, program);
        let key = key(program, jdk);
        if fs::read_to_string(place.0.join("key")).is_ok_and(|old| old == key) {
            continue;
        }
        if place.0.exists() {
            fs::remove_dir_all(&place.0)?;
        }
        fs::create_dir_all(place.classes())?;
        for (from, inside) in &program.resources {
            let to = place.classes().join(inside);
            fs::create_dir_all(to.parent().expect("a resource lies in a directory"))?;
            fs::copy(from, to)?;
        }
        if program.build.is_empty() {
            pending.push((program, place, key));
            continue;
        }
        match run_build_lines(program, &place, jdk)? {
            Some(message) => failed.push((program.name.clone(), message)),
            None => fs::write(place.0.join("key"), key)?,
        }
    }
    if pending.is_empty() {
        return Ok(failed);
    }
    let mut input = String::new();
    for (program, place, _) in &pending {
        input.push_str(&place.classes().to_string_lossy());
        for flag in &program.javac {
            input.push('\t');
            input.push_str(flag);
        }
        input.push('\t');
        for source in &program.sources {
            input.push('\t');
            input.push_str(&source.to_string_lossy());
        }
        input.push('\n');
    }
    let answers = compile_all(scratch, jdk, &input)?;
    for ((program, place, key), answer) in pending.iter().zip(answers.lines()) {
        match answer.strip_prefix("failed\t") {
            Some(message) => failed.push((program.name.clone(), message.replace('\t', "\n"))),
            None => fs::write(place.0.join("key"), key)?,
        }
    }
    Ok(failed)
}

fn key(program: &Program, jdk: &Jdk) -> String {
    let mut digest: Digest = program.digest.clone();
    digest.add(jdk.version.as_bytes());
    digest.add(FORMAT);
    digest.text()
}

fn run_build_lines(program: &Program, place: &Place, jdk: &Jdk) -> io::Result<Option<String>> {
    for line in &program.build {
        let tool = match line[0].as_str() {
            "javac" => &jdk.javac,
            "jar" => &jdk.jar,
            other => {
                return Ok(Some(format!(
                    "{other}: a build line starts with javac or jar"
                )));
            }
        };
        let out = quiet(tool, &place.classes())
            .args(&line[1..])
            .stdin(Stdio::null())
            .output()?;
        if !out.status.success() {
            let all = [out.stdout, out.stderr].concat();
            return Ok(Some(String::from_utf8_lossy(&all).into_owned()));
        }
    }
    Ok(None)
}

/// Feeds the compiler process; the answers have one line per line of input.
pub(crate) fn compile_all(scratch: &Path, jdk: &Jdk, input: &str) -> io::Result<String> {
    let driver = scratch.join("CompileAll.java");
    if fs::read(&driver).ok().as_deref() != Some(COMPILE_ALL.as_bytes()) {
        // Another thread or process may be reading it: replace it in one step.
        let fresh = tempfile_beside(&driver);
        fs::write(&fresh, COMPILE_ALL)?;
        fs::rename(&fresh, &driver)?;
    }
    let mut child = quiet(&jdk.java, scratch)
        .args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"])
        .arg(&driver)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let input = input.to_string();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let out = child.wait_with_output()?;
    writer
        .join()
        .map_err(|_| io::Error::other("the writer thread died"))??;
    if !out.status.success() {
        return Err(io::Error::other("the compiler process failed"));
    }
    String::from_utf8(out.stdout).map_err(io::Error::other)
}

fn tempfile_beside(path: &Path) -> PathBuf {
    let thread = format!("{:?}", std::thread::current().id()).replace(['(', ')'], "");
    path.with_extension(format!("{}-{thread}", std::process::id()))
}
