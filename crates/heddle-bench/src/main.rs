//! Benchmarks of Heddle, as ratios to a stock JVM measured in the same run.
//!
//! Each group of benchmarks is one module and one line in `GROUPS`: `cpu`
//! (CPU-bound programs against `java -Xint`) and `startup` (Hello World) compare
//! with a stock JVM; only their ratios are results, the times beside them depend on
//! the machine. `marks` and `observe` measure the VM from inside, `search` what `heddle check`
//! costs, `jpf` compares that with Java PathFinder where there is one, `replay` what it costs to
//! follow a schedule on a stock JVM (`FIGURES`); `hooks` counts instructions and needs a build of
//! its own (`ON_REQUEST`).

#![forbid(unsafe_code)]

mod cpu;
mod hooks;
mod inside;
mod jpf;
mod marks;
mod measure;
mod observe;
mod replay;
mod report;
mod search;
mod startup;

use std::path::PathBuf;
use std::process::ExitCode;

use heddle_conformance::toolchain::{Jdk, find_heddle};
use measure::Bench;
use report::{Figure, Row};

const USAGE: &str = "\
usage: heddle-bench [--only NAME]… [--runs N] [--group cpu|startup|marks|observe|replay|search|jpf|hooks]…
                    [--against java] [--jpf DIR] [--long] [--json]

NAME is a part of a program's name. Heddle is $HEDDLE, else the binary in the target directory.
--against java measures java against itself: the noise of the machine.
--jpf DIR is an installed Java PathFinder to compare with (else $JPF_HOME, else none).
--long explores ten million schedules to look at the memory of a search.";

/// A group measures what the filter lets through.
type Group = fn(&Bench) -> Result<Vec<Row>, String>;

const GROUPS: [(&str, Group); 2] = [("cpu", cpu::run), ("startup", startup::run)];

/// A group of figures that are not ratios to a stock JVM.
type Figures = fn(&Bench) -> Result<Vec<Figure>, String>;

const FIGURES: [(&str, Figures); 5] = [
    ("marks", marks::run),
    ("observe", observe::run),
    ("replay", replay::run),
    ("search", search::run),
    ("jpf", jpf::run),
];

/// Those that have to be asked for by name.
const ON_REQUEST: [(&str, Figures); 1] = [("hooks", hooks::run)];

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(3)
        }
    }
}

fn run(mut args: impl Iterator<Item = String>) -> Result<bool, String> {
    let (mut only, mut groups, mut runs) = (Vec::new(), Vec::new(), None);
    let (mut json, mut against_java, mut long) = (false, false, false);
    let mut jpf = std::env::var_os("JPF_HOME").map(PathBuf::from);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value\n{USAGE}"));
        match arg.as_str() {
            "--only" => only.push(value()?),
            "--group" => groups.push(value()?),
            "--runs" => {
                let text = value()?;
                let n: usize = text
                    .parse()
                    .map_err(|_| format!("--runs: {text} is no number\n{USAGE}"))?;
                runs = Some(n.max(1));
            }
            "--against" if value()? == "java" => against_java = true,
            "--jpf" => jpf = Some(value()?.into()),
            "--long" => long = true,
            "--json" => json = true,
            _ => return Err(USAGE.into()),
        }
    }
    let jdk = Jdk::find()?;
    let heddle = if against_java {
        None
    } else {
        Some(find_heddle()?)
    };
    let mut bench = Bench::new(jdk, heddle, only, runs, !json)?;
    bench.long = long;
    bench.jpf = jpf;
    let asked = |name: &str| groups.is_empty() || groups.iter().any(|g| g == name);
    let mut all = Vec::new();
    for (name, group) in GROUPS {
        if asked(name) {
            all.push((name, group(&bench)?));
        }
    }
    let mut figures = Vec::new();
    for (name, group) in FIGURES {
        if asked(name) {
            figures.push((name, group(&bench)?));
        }
    }
    for (name, group) in ON_REQUEST {
        if groups.iter().any(|g| g == name) {
            figures.push((name, group(&bench)?));
        }
    }
    if json {
        println!("{}", report::json(&all, &figures));
    } else {
        print!("{}{}", report::table(&all), report::figures(&figures));
    }
    Ok(all
        .iter()
        .all(|(_, rows)| rows.iter().all(|r| r.problem.is_none())))
}
