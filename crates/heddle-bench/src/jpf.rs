//! Transitions per second against Java PathFinder: the same class files, the same machine,
//! one after the other.
//!
//! Java PathFinder is not part of Heddle: `--jpf DIR` or `$JPF_HOME` says where one is
//! installed (a directory of jpf-core with `bin/jpf` or `build/RunJPF.jar`); without it the
//! group is left out, with a message. What it did is read off the statistics that it prints
//! at its end, `states: new=…,visited=…,backtracked=…,end=…`: every transition leads to a
//! state that is new or was visited before. Both tools search depth first and are stopped
//! by a bound; time is that of the processor, less what a search that ends at once takes.
//!
//! The class files are compiled for Java 8, which every Java PathFinder reads.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use heddle_conformance::launch::quiet;
use heddle_conformance::toolchain::target_dir;

use crate::measure::Bench;
use crate::report::Figure;
use crate::search::{children, compile, search};

/// Programs and arguments, and what the figure is called.
const PROGRAMS: [(&str, &[&str], &str); 2] = [
    (
        "DiningLeftHanded",
        &["4", "2"],
        "left-handed philosophers, 4",
    ),
    ("Performance", &["4", "4"], "Performance 4 4"),
];
/// Where either search is stopped, if it has not come to its end.
const STATES: u64 = 200_000;
const SCHEDULES: u64 = 300_000;
const RATIO: f64 = 30.0;

pub fn run(bench: &Bench) -> Result<Vec<Figure>, String> {
    let Some(heddle) = &bench.heddle else {
        return Ok(Vec::new());
    };
    let Some(home) = &bench.jpf else {
        eprintln!("jpf: left out: no Java PathFinder (--jpf DIR, or $JPF_HOME)");
        return Ok(Vec::new());
    };
    let jpf = Jpf::at(home, &bench.jdk.java)?;
    let classes = target_dir().join("bench").join("jpf");
    let mut figures = Vec::new();
    for (class, arguments, name) in PROGRAMS.iter().filter(|p| bench.wants(p.0)) {
        compile(bench, &classes, &[class], &["--release", "8"])?;
        let theirs = jpf.rate(&classes, class, arguments)?;
        let ours = |schedules| search(heddle, &classes, "dfs", class, arguments, schedules);
        let (start, done) = (ours(1)?, ours(SCHEDULES)?);
        let ours = done.transitions_per_second(&start);
        let note = format!("transitions/s: {ours:.0} against {theirs:.0}");
        let figure = Figure::new(name, ours / theirs, "x").at_least(RATIO);
        figures.push(figure.with_note(note));
    }
    Ok(figures)
}

/// An installed Java PathFinder.
struct Jpf {
    /// What starts it: a program and its first arguments.
    program: PathBuf,
    first: Vec<PathBuf>,
}

impl Jpf {
    fn at(home: &Path, java: &Path) -> Result<Jpf, String> {
        let (script, jar) = (home.join("bin/jpf"), home.join("build/RunJPF.jar"));
        if script.is_file() {
            let first = Vec::new();
            return Ok(Jpf {
                program: script,
                first,
            });
        }
        if !jar.is_file() {
            return Err(format!(
                "{}: no Java PathFinder: neither bin/jpf nor build/RunJPF.jar is there",
                home.display()
            ));
        }
        Ok(Jpf {
            program: java.into(),
            first: vec!["-jar".into(), jar],
        })
    }

    /// Transitions per second of the processor's time.
    fn rate(&self, classes: &Path, class: &str, arguments: &[&str]) -> Result<f64, String> {
        let start = self.search(classes, class, arguments, 1)?;
        let done = self.search(classes, class, arguments, STATES)?;
        let transitions = done.0.transitions().saturating_sub(start.0.transitions());
        Ok(transitions as f64 / (done.1 - start.1).max(0.01))
    }

    /// Searches until there are so many states; what it did, and the seconds it took.
    fn search(
        &self,
        classes: &Path,
        class: &str,
        arguments: &[&str],
        states: u64,
    ) -> Result<(Statistics, f64), String> {
        let mut command = self.command(classes);
        command
            .arg("+classpath=.")
            .arg("+search.multiple_errors=true")
            .arg("+listener=gov.nasa.jpf.listener.BudgetChecker")
            .arg(format!("+budget.max_state={states}"))
            .arg(class)
            .args(arguments);
        let before = children()?;
        let out = command.output().map_err(|e| format!("jpf: {e}"))?;
        let seconds = children()? - before;
        let text = String::from_utf8_lossy(&out.stdout);
        let statistics = Statistics::read(&text)
            .ok_or_else(|| format!("jpf printed no statistics for {class}: {}", out.status))?;
        Ok((statistics, seconds))
    }

    fn command(&self, classes: &Path) -> Command {
        let mut command = quiet(&self.program, classes);
        command.args(&self.first).stdin(Stdio::null());
        command
    }
}

/// What Java PathFinder says of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Statistics {
    new: u64,
    visited: u64,
}

impl Statistics {
    /// From its output; `None` if there are none in it.
    fn read(output: &str) -> Option<Statistics> {
        let states = output
            .lines()
            .find_map(|line| line.trim().strip_prefix("states:"))?;
        let count = |name: &str| {
            let mut parts = states.split(',').filter_map(|p| p.trim().split_once('='));
            parts.find(|p| p.0 == name)?.1.parse().ok()
        };
        Some(Statistics {
            new: count("new")?,
            visited: count("visited")?,
        })
    }

    fn transitions(self) -> u64 {
        self.new + self.visited
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    /// A directory with a `bin/jpf` that runs these lines.
    fn stand_in(name: &str, script: &str) -> PathBuf {
        let home = std::env::temp_dir().join(format!("heddle-{name}-{}", std::process::id()));
        fs::create_dir_all(home.join("bin")).unwrap();
        let path = home.join("bin/jpf");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        home
    }

    fn searched(home: &Path, states: u64) -> Result<Statistics, String> {
        let jpf = Jpf::at(home, Path::new("java"))?;
        let found = jpf.search(home, "Racer", &["3"], states);
        found.map(|(statistics, _)| statistics)
    }

    /// It is told the class, its arguments and the bound, and its statistics are understood.
    #[test]
    fn a_search_by_a_stand_in() {
        let home = stand_in(
            "jpf",
            r#"for last; do :; done
for a; do case "$a" in +budget.max_state=*) most=${a#*=};; Racer) class=$a;; esac; done
[ "$class $last" = "Racer 3" ] || exit 9
echo "====================================================== results"
echo "no errors detected"
echo "====================================================== statistics"
echo "elapsed time:       00:00:02"
echo "states:             new=$most,visited=217,backtracked=1216,end=4"
echo "search:             maxDepth=20,constraints=0"
echo "heap:               new=353,released=11,maxLive=343,gcCycles=7"
echo "instructions:       3254""#,
        );
        let found = searched(&home, 1000).unwrap();
        let expected = Statistics {
            new: 1000,
            visited: 217,
        };
        assert_eq!(found, expected);
        assert_eq!(found.transitions(), 1217);
        let jpf = Jpf::at(&home, Path::new("java")).unwrap();
        let rate = jpf.rate(&home, "Racer", &["3"]).unwrap();
        // Both searches took no time to speak of: the least that is divided by.
        assert!(rate > 0.0 && rate <= (STATES - 1) as f64 / 0.01, "{rate}");
        fs::remove_dir_all(home).unwrap();
    }

    #[test]
    fn no_statistics_is_no_result() {
        let home = stand_in("jpf-fails", "echo 'states of the art'; exit 1");
        let problem = searched(&home, 1).unwrap_err();
        assert!(
            problem.starts_with("jpf printed no statistics for Racer"),
            "{problem}"
        );
        fs::remove_dir_all(home).unwrap();
    }

    #[test]
    fn a_directory_without_it() {
        let problem = searched(&std::env::temp_dir(), 1).unwrap_err();
        assert!(problem.contains("neither bin/jpf nor build/RunJPF.jar"));
    }

    #[test]
    fn statistics_as_documented() {
        let of = |line: &str| Statistics::read(line);
        let full = "states:             new=9,visited=1,backtracked=4,end=2";
        assert_eq!(of(full), Some(Statistics { new: 9, visited: 1 }));
        assert_eq!(of("states: new=9,backtracked=4"), None);
        assert_eq!(of("heap: new=353,visited=1"), None);
        assert_eq!(of(""), None);
    }
}
