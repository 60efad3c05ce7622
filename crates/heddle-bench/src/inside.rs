//! The VM inside this process, for what cannot be seen from outside.

use std::path::Path;
use std::time::{Duration, Instant};

use heddle_conformance::toolchain::{Jdk, workspace_root};
use heddle_model::Observer;
use heddle_vm::interp::RunEnd;
use heddle_vm::options::Options;
use heddle_vm::thread::ThreadId;
use heddle_vm::vm::Vm;

/// Bytecodes in a slice, as in `heddle run`.
pub const SLICE: i64 = 20_000;

/// A machine before its first instruction. Fixed start time and seed: every machine
/// does the same.
pub fn machine(jdk: &Jdk, classes: &Path, class: &str) -> Result<Vm, String> {
    let options = Options {
        slice: SLICE as u64,
        directory: workspace_root(),
        ..Options::plain(home(jdk)?, classes, class)
    };
    Vm::new(options).map_err(|e| e.0)
}

/// Runs slices round robin until `stop` says so; `Err` if the program ends before, in
/// another way than with code 0.
pub fn run_until<O: Observer>(
    vm: &mut Vm,
    observer: &mut O,
    mut stop: impl FnMut(&mut Vm) -> bool,
) -> Result<(), String> {
    loop {
        match vm.run_thread(SLICE, observer) {
            RunEnd::Exit(0) => return Ok(()),
            RunEnd::Exit(code) => return Err(format!("exit code {code}")),
            RunEnd::Unsupported(what) => return Err(format!("unsupported: {what}")),
            _ => {}
        }
        if stop(vm) {
            return Ok(());
        }
        vm.expire();
        let next = next(vm).ok_or("all threads are stuck")?;
        vm.current = next;
    }
}

/// Whether the program has printed anything (at the end of a slice).
pub fn has_printed(vm: &mut Vm) -> bool {
    vm.output.total > 0
}

/// How long `work` takes: the best of `runs`, because noise only ever adds.
pub fn best(
    runs: usize,
    mut work: impl FnMut() -> Result<Duration, String>,
) -> Result<Duration, String> {
    let mut best = Duration::MAX;
    for _ in 0..runs {
        best = best.min(work()?);
    }
    Ok(best)
}

pub fn timed(work: impl FnOnce() -> Result<(), String>) -> Result<Duration, String> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

fn next(vm: &Vm) -> Option<ThreadId> {
    let after = vm.runnable().find(|id| *id > vm.current);
    after.or_else(|| vm.runnable().next())
}

/// The home of the JDK whose `java` is used.
pub fn home(jdk: &Jdk) -> Result<std::path::PathBuf, String> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<_> = std::env::split_paths(&paths)
        .map(|p| p.join(&jdk.java))
        .collect();
    places.insert(0, jdk.java.clone());
    let java = places.iter().find_map(|place| place.canonicalize().ok());
    let home = java
        .as_deref()
        .and_then(Path::parent)
        .and_then(Path::parent);
    home.map(Path::to_path_buf)
        .ok_or_else(|| "no home of java found".into())
}
