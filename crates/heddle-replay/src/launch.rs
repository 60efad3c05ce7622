//! Runs an instrumented program on a JVM and brings back what happened.

use crate::outcome::Outcome;
use crate::output::AGENT;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// A JVM on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jvm {
    home: PathBuf,
    /// The release of Java it is for: 8, 17.
    pub release: u32,
}

/// What to run, and how.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// Options of `java`, such as `-ea`.
    pub options: Vec<String>,
    pub main: String,
    pub arguments: Vec<String>,
    pub needs_agent: bool,
    /// Wait for a debugger on this port.
    pub suspend: Option<u16>,
    /// When to end the program; by itself if nothing is said.
    pub until: Option<Until>,
    /// Throw away what the program prints.
    pub silent: bool,
    /// Which messages of `log` are shown.
    pub verbosity: u8,
    /// Asked now and then: whether to end the JVM, because whoever wants it is to end.
    pub stopped: Option<fn() -> bool>,
    /// After which it is ended.
    pub limit: Option<Duration>,
}

/// What a run is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// What the schedule shows was seen.
    Finding,
    /// The schedule was done; what it shows cannot be seen on a JVM.
    Done,
}

impl Jvm {
    /// The JVM in a home directory.
    pub fn at(home: &Path) -> Result<Jvm, String> {
        let shown = home.display();
        if !home.join("bin/java").is_file() {
            return Err(format!("there is no JVM in {shown} (no bin/java)"));
        }
        let release = fs::read_to_string(home.join("release")).unwrap_or_default();
        let version = release
            .lines()
            .find_map(|l| l.strip_prefix("JAVA_VERSION="));
        let version = version.unwrap_or("17").trim_matches('"');
        let mut parts = version.split(['.', '-', '+']);
        let first = parts.next().unwrap_or_default();
        // Up to 8 releases were called 1.8 and the like.
        let feature = if first == "1" {
            parts.next().unwrap_or_default()
        } else {
            first
        };
        let release = feature
            .parse()
            .map_err(|_| format!("{shown} has a version that makes no sense: {version}"))?;
        Ok(Jvm {
            home: home.to_path_buf(),
            release,
        })
    }

    /// Runs the program that was written to a folder.
    pub fn run(&self, folder: &Path, launch: &Launch) -> Result<Outcome, String> {
        let scratch = Scratch::new("report")?;
        let report = scratch.path().join("report");
        let mut command = Command::new(self.home.join("bin/java"));
        if launch.needs_agent {
            let mut agent = std::ffi::OsString::from("-javaagent:");
            agent.push(folder.join(AGENT));
            command.arg(agent);
        }
        if let Some(port) = launch.suspend {
            let at = if self.release < 9 {
                port.to_string()
            } else {
                format!("localhost:{port}")
            };
            command.arg(format!(
                "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address={at}"
            ));
        }
        // It ends when this process is gone; see `Watchdog.java`.
        command.arg("-Dheddle.awaited=true");
        let mut property = std::ffi::OsString::from("-Dheddle.report=");
        property.push(&report);
        command.arg(property);
        command.arg(format!("-Dheddle.verbosity={}", launch.verbosity));
        match launch.until {
            Some(Until::Finding) => _ = command.arg("-Dheddle.until=finding"),
            Some(Until::Done) => _ = command.arg("-Dheddle.until=schedule"),
            None => {}
        }
        command.args(&launch.options).arg("-cp").arg(folder);
        command.arg(&launch.main).args(&launch.arguments);
        if launch.silent {
            command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
        }
        let status = wait(&mut command, launch)
            .map_err(|e| format!("cannot run {}: {e}", self.home.join("bin/java").display()))??;
        let text = fs::read_to_string(&report).unwrap_or_default();
        Ok(Outcome {
            code: status.code(),
            ..Outcome::parse(&text)
        })
    }
}

/// Runs a command to its end, or until it is to be stopped; why it was, if so.
fn wait(command: &mut Command, launch: &Launch) -> io::Result<Result<ExitStatus, String>> {
    let mut child = command.spawn()?;
    let begun = Instant::now();
    let stopped = || launch.stopped.is_some_and(|stopped| stopped());
    let why = loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ok(status));
        }
        if stopped() {
            break "it was interrupted".to_string();
        }
        if let Some(limit) = launch.limit.filter(|limit| begun.elapsed() >= *limit) {
            break format!("the JVM had not ended after {} s", limit.as_secs_f64());
        }
        thread::sleep(LOOK);
    };
    child.kill()?;
    child.wait()?;
    Ok(Err(why))
}

/// How often it is looked whether a JVM has ended, or should.
const LOOK: Duration = Duration::from_millis(5);

/// A folder that is gone when this is.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(purpose: &str) -> Result<Scratch, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("heddle-{purpose}-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).map_err(|e| format!("cannot make {}: {e}", path.display()))?;
        Ok(Scratch(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
