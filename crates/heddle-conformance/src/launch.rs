//! Runs one process with a time limit and keeps what it printed.
//!
//! Both launchers get the same small environment: a fixed time zone and
//! locale, and none of the variables that make `java` print extra lines.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Output beyond this is cut: a runaway program must not fill the memory.
const OUTPUT_LIMIT: usize = 32 << 20;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Code(i32),
    Signal,
    TimedOut,
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "exit code {code}"),
            Exit::Signal => write!(f, "killed by a signal"),
            Exit::TimedOut => write!(f, "time limit reached"),
        }
    }
}

/// Everything that is observed of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub exit: Exit,
    pub elapsed: Duration,
}

/// A command, as seen from the directory it runs in.
#[derive(Clone, Debug)]
pub struct Launch {
    pub program: PathBuf,
    pub args: Vec<String>,
    pub dir: PathBuf,
    pub stdin: Option<PathBuf>,
    pub limit: Duration,
}

impl Launch {
    pub fn run(&self) -> io::Result<Outcome> {
        let stdin = match &self.stdin {
            Some(path) => Stdio::from(File::open(path)?),
            None => Stdio::null(),
        };
        let start = Instant::now();
        let mut child = quiet(&self.program, &self.dir)
            .args(&self.args)
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let stdout = collect(child.stdout.take());
        let stderr = collect(child.stderr.take());
        let exit = wait(&mut child, start, self.limit)?;
        let elapsed = start.elapsed();
        if exit != Exit::TimedOut {
            // After a kill a grandchild could hold the pipes open: then take what is there.
            let _ = (stdout.0.join(), stderr.0.join());
        }
        let stdout = stdout.1.lock().expect("no reader panics").clone();
        let stderr = stderr.1.lock().expect("no reader panics").clone();
        Ok(Outcome {
            stdout,
            stderr,
            exit,
            elapsed,
        })
    }
}

/// A command with the environment that both launchers share.
pub fn quiet(program: &Path, dir: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(dir)
        .env("TZ", "UTC")
        .env("LC_ALL", "C.UTF-8");
    for name in [
        "JAVA_TOOL_OPTIONS",
        "JDK_JAVA_OPTIONS",
        "_JAVA_OPTIONS",
        "CLASSPATH",
    ] {
        command.env_remove(name);
    }
    command
}

type Collected = (thread::JoinHandle<()>, Arc<Mutex<Vec<u8>>>);

fn collect<R: Read + Send + 'static>(source: Option<R>) -> Collected {
    let bytes = Arc::new(Mutex::new(Vec::new()));
    let shared = Arc::clone(&bytes);
    let reader = thread::spawn(move || {
        let Some(mut source) = source else { return };
        let mut chunk = [0; 8192];
        // A broken pipe ends the output; what came before it is kept.
        while let Ok(n @ 1..) = source.read(&mut chunk) {
            let mut bytes = shared.lock().expect("no reader panics");
            if bytes.len() < OUTPUT_LIMIT {
                bytes.extend_from_slice(&chunk[..n]);
            }
        }
    });
    (reader, bytes)
}

fn wait(child: &mut Child, start: Instant, limit: Duration) -> io::Result<Exit> {
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code().map_or(Exit::Signal, Exit::Code));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(Exit::TimedOut);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(8));
    }
}
