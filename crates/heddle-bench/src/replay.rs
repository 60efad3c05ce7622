//! What it costs to follow a schedule on a stock JVM: programs in the manner of the Java
//! Grande set (`bench/grande`), with 2, 4 and 8 threads, by schedules that the VM captured
//! (jreplay, section 5.2).
//!
//! As there, both run on one processor, the plain run by the JVM's own schedule: what is
//! measured is processor time, so that it does not matter how many processors there are and
//! who else uses them. Both start a JVM. Round robin switches wherever a slice ends, mostly
//! in the innermost loops. The schedules and the instrumented programs are made anew in each
//! run, which takes longer than the replays themselves.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use heddle_conformance::corpus::sorted;
use heddle_conformance::launch::quiet;
use heddle_conformance::toolchain::{jvms, target_dir, workspace_root};

use crate::measure::{Bench, charged};
use crate::report::{Figure, Row};

const PROGRAMS: [&str; 6] = [
    "GrandeBarrier",
    "GrandeSync",
    "GrandeLu",
    "GrandeCrypt",
    "GrandeSor",
    "GrandeSparse",
];
const THREADS: [u32; 3] = [2, 4, 8];
/// Bytecodes of a thread before the next one's turn.
const SLICE: &str = "100000";
const RUNS: usize = 5;

pub fn run(bench: &Bench) -> Result<Vec<Figure>, String> {
    let Some(heddle) = &bench.heddle else {
        return Ok(Vec::new());
    };
    let folder = target_dir().join("bench").join("replay");
    let classes = folder.join("classes");
    std::fs::create_dir_all(&classes).map_err(|e| e.to_string())?;
    let sources = sorted(&workspace_root().join("bench").join("grande"));
    let sources = sources.map_err(|e| e.to_string())?;
    let mut javac = quiet(&bench.jdk.javac, &classes);
    succeed(javac.args(["-d", "."]).args(sources))?;

    let mut figures = Vec::new();
    let mut ratios = Vec::new();
    for program in PROGRAMS.into_iter().filter(|p| bench.wants(p)) {
        for threads in THREADS {
            let row = measure(bench, heddle, &folder, program, threads)?;
            if let Some(problem) = row.problem {
                return Err(format!("{}: {problem}", row.name));
            }
            let figure = Figure::new(&row.name, row.ratio(), "x the plain run");
            let figure = figure.with_note(format!("{:.2} s plain", row.plain()));
            figures.push(match program {
                // Nothing but switches, which nobody expects to be cheap.
                "GrandeBarrier" => figure,
                _ => figure.at_most(10.0),
            });
            ratios.push(row.ratio());
        }
    }
    ratios.sort_by(f64::total_cmp);
    if let Some(median) = ratios.get(ratios.len() / 2) {
        figures.push(Figure::new("median", *median, "x the plain run").at_most(3.0));
    }
    if bench.wants("instrument") {
        figures.push(instrument(bench, heddle, &folder)?);
    }
    Ok(figures)
}

/// Captures, instruments, and times plain runs and replays in turn.
fn measure(
    bench: &Bench,
    heddle: &Path,
    folder: &Path,
    program: &str,
    threads: u32,
) -> Result<Row, String> {
    let name = format!("{program} {threads}");
    let threads = threads.to_string();
    let mut capture = quiet(heddle, folder);
    capture.args(["check", "--strategy", "rr", "--slice", SLICE]);
    capture.args(["--max-schedules", "1", "--schedule-dir", "none"]);
    capture.args(["--ignore", "race", "--record", "captured.sched"]);
    capture.args(["-cp", "classes", program, &threads]);
    let _ = capture.output().map_err(|e| e.to_string())?;
    let mut make = quiet(heddle, folder);
    make.args(["instrument", "--schedule", "captured.sched"]);
    succeed(make.args(["-cp", "classes", "-o", "instrumented"]))?;
    let java = |path: &str| {
        let mut command = quiet(&bench.jdk.java, folder);
        command.args(["-cp", path, program, &threads]);
        command
    };
    let mut row = Row::new(&name);
    for _ in 0..bench.runs(RUNS) {
        let (plain, expected) = charged(java("classes"))?;
        let (replayed, actual) = charged(java("instrumented"))?;
        if expected != actual {
            return Ok(row.with_problem("the outputs differ".into()));
        }
        row.java.push(plain);
        row.heddle.push(replayed);
    }
    Ok(row)
}

/// The time to instrument 1,000 classes at all visible operations: those of `javac`, which
/// are more; files are read and written.
fn instrument(bench: &Bench, heddle: &Path, folder: &Path) -> Result<Figure, String> {
    let home = jvms().remove(0);
    let unpacked = folder.join("javac");
    let _ = std::fs::remove_dir_all(&unpacked);
    let mut jmod = quiet(&home.join("bin/jmod"), folder);
    jmod.args(["extract", "--dir", "javac"]);
    succeed(jmod.arg(home.join("jmods/jdk.compiler.jmod")))?;
    let mut best = Duration::MAX;
    let mut classes = 1;
    for _ in 0..bench.runs(RUNS) {
        let mut make = quiet(heddle, folder);
        make.args(["instrument", "--record", "-cp", "javac/classes"]);
        let start = Instant::now();
        let said = succeed(make.args(["-o", "recording"]))?;
        best = best.min(start.elapsed());
        let number = said.split(' ').nth(2).and_then(|n| n.parse().ok());
        classes = number.ok_or("heddle does not say how many classes there are")?;
    }
    let seconds = best.as_secs_f64() * 1000.0 / f64::from(classes);
    let note = format!("{classes} classes in {:.2} s", best.as_secs_f64());
    let figure = Figure::new("instrument 1,000 classes", seconds, "s");
    Ok(figure.at_most(1.0).with_note(note))
}

fn succeed(command: &mut Command) -> Result<String, String> {
    let out = command.output().map_err(|e| e.to_string())?;
    match out.status.success() {
        true => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        false => Err(format!(
            "{command:?}: {}",
            String::from_utf8_lossy(&out.stderr)
        )),
    }
}
