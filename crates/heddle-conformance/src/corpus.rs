//! What a program of the corpus is, and how it is found on disk.
//!
//! `programs/run/<topic>/<Name>.java` is a program of one file;
//! `programs/run/<topic>/<Name>/` is a program of one folder (all its `.java`
//! files are compiled, everything else is copied as a resource). The main class
//! is `<Name>` unless a sidecar says otherwise. Sidecars stand beside the file,
//! or inside the folder:
//!
//! - `Name.args`: arguments, separated by white space;
//! - `Name.stdin`: standard input;
//! - `Name.jvm`: flags for both launchers (`-ea`, `-Dkey=value`);
//! - `Name.javac`: flags for the compiler (`-g`, `-parameters`);
//! - `Name.main`: the main class;
//! - `Name.build`: tool calls (`javac …`, `jar …`), one a line, run in the
//!   class directory instead of the default compilation;
//! - `Name.launch`: replaces `-cp ../classes Name` (say, `-jar ../classes/a.jar`).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::toolchain::Digest;

const SIDECARS: [&str; 7] = ["args", "stdin", "jvm", "javac", "main", "build", "launch"];

/// One Java program and how to run it.
#[derive(Clone, Debug)]
pub struct Program {
    /// `topic/Name`, unique in the corpus.
    pub name: String,
    pub main: String,
    /// Files to be compiled, in a fixed order.
    pub sources: Vec<PathBuf>,
    /// Other files, with the path at which the program finds them.
    pub resources: Vec<(PathBuf, PathBuf)>,
    pub args: Vec<String>,
    pub stdin: Option<PathBuf>,
    pub jvm: Vec<String>,
    pub javac: Vec<String>,
    pub build: Vec<Vec<String>>,
    pub launch: Option<Vec<String>>,
    /// Changes whenever anything above changes.
    pub digest: Digest,
}

impl Program {
    /// The arguments after `java` or `heddle run`, in a directory beside `classes`.
    pub fn arguments(&self) -> Vec<String> {
        let mut all = self.jvm.clone();
        match &self.launch {
            Some(launch) => all.extend(launch.iter().cloned()),
            None => all.extend(["-cp".into(), "../classes".into(), self.main.clone()]),
        }
        all.extend(self.args.iter().cloned());
        all
    }
}

/// All programs below `root`, sorted by name.
pub fn discover(root: &Path) -> io::Result<Vec<Program>> {
    let mut programs = Vec::new();
    for topic in sorted(root)?.into_iter().filter(|p| p.is_dir()) {
        for entry in sorted(&topic)? {
            let topic = file_name(&topic);
            if entry.is_dir() {
                programs.push(read_folder(&topic, &entry)?);
            } else if entry.extension().is_some_and(|e| e == "java") {
                programs.push(read_file(&topic, &entry)?);
            }
        }
    }
    Ok(programs)
}

fn read_file(topic: &str, source: &Path) -> io::Result<Program> {
    let name = source
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let dir = source.parent().unwrap_or(source);
    read(topic, &name, dir, vec![source.to_path_buf()], Vec::new())
}

/// A program of one folder.
pub(crate) fn read_folder(topic: &str, folder: &Path) -> io::Result<Program> {
    let name = file_name(folder);
    let mut sources = Vec::new();
    let mut resources = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(dir) = pending.pop() {
        for entry in sorted(&dir)? {
            let inside = entry
                .strip_prefix(folder)
                .expect("entries lie in the folder")
                .to_path_buf();
            let is_sidecar = SIDECARS
                .iter()
                .any(|s| inside == Path::new(&format!("{name}.{s}")));
            if entry.is_dir() {
                pending.push(entry);
            } else if entry.extension().is_some_and(|e| e == "java") {
                sources.push(entry);
            } else if !is_sidecar {
                resources.push((entry, inside));
            }
        }
    }
    sources.sort();
    resources.sort();
    let mut program = read(topic, &name, folder, sources, resources)?;
    if !program.build.is_empty() {
        // The build lines name their sources by path, so these are copied too.
        for source in std::mem::take(&mut program.sources) {
            let inside = source
                .strip_prefix(folder)
                .expect("sources lie in the folder")
                .to_path_buf();
            program.resources.push((source, inside));
        }
    }
    Ok(program)
}

fn read(
    topic: &str,
    name: &str,
    dir: &Path,
    sources: Vec<PathBuf>,
    resources: Vec<(PathBuf, PathBuf)>,
) -> io::Result<Program> {
    let mut digest = Digest::default();
    for path in sources.iter().chain(resources.iter().map(|(path, _)| path)) {
        digest.add(
            path.strip_prefix(dir)
                .unwrap_or(path)
                .to_string_lossy()
                .as_bytes(),
        );
        digest.add(&fs::read(path)?);
    }
    let mut sidecar = |suffix: &str| -> io::Result<Option<String>> {
        let path = dir.join(format!("{name}.{suffix}"));
        if !path.exists() {
            return Ok(None);
        }
        let bytes = fs::read(&path)?;
        digest.add(suffix.as_bytes());
        digest.add(&bytes);
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    };
    let args = words(sidecar("args")?);
    let jvm = words(sidecar("jvm")?);
    let javac = words(sidecar("javac")?);
    let main = words(sidecar("main")?)
        .pop()
        .unwrap_or_else(|| name.to_string());
    let build = sidecar("build")?.unwrap_or_default();
    let launch = sidecar("launch")?;
    let stdin = sidecar("stdin")?.map(|_| dir.join(format!("{name}.stdin")));
    Ok(Program {
        name: format!("{topic}/{name}"),
        main,
        sources,
        resources,
        args,
        stdin,
        jvm,
        javac,
        build: build
            .lines()
            .map(|l| words(Some(l.into())))
            .filter(|w| !w.is_empty())
            .collect(),
        launch: launch.map(|l| words(Some(l))),
        digest,
    })
}

fn words(text: Option<String>) -> Vec<String> {
    text.unwrap_or_default()
        .split_whitespace()
        .map(String::from)
        .collect()
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

pub fn sorted(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all: Vec<PathBuf> = fs::read_dir(dir)?
        .map(|e| e.map(|e| e.path()))
        .collect::<io::Result<_>>()?;
    all.sort();
    Ok(all)
}
