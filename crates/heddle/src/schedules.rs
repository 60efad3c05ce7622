//! Schedule files of `heddle check`: one for each error, written so that `heddle replay`
//! needs nothing else.
//!
//! The route of an error is run once more on a machine of its own, which watches every
//! bytecode of the program. The class path, the options that change what the program does
//! and the number of processors it sees go into the header.

use crate::args::CheckArgs;
use crate::code;
use crate::jdk::RELEASE;
use crate::start::Start;
use heddle_explore::{Found, Route, Shows, record};
use heddle_model::schedule::{CodePlace, Header, Main, Schedule};
use heddle_model::{FindingKind, Mark, Rewind, simple_name};
use heddle_replay::class_path::{ClassPath, main_of_jar};
use heddle_vm::options;
use heddle_vm::places::Places;
use heddle_vm::vm::Vm;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Writes schedule files.
pub struct Scribe {
    vm: Vm,
    start: Mark,
    header: Header,
    dir: PathBuf,
    /// How many files were written for a kind of error.
    numbers: BTreeMap<&'static str, u32>,
}

impl Scribe {
    pub fn new(start: &Start, args: &CheckArgs, dir: &str) -> Result<Scribe, String> {
        let mut vm = start.machine(Places::All)?;
        Ok(Scribe {
            start: vm.mark(),
            vm,
            header: header(start, args)?,
            dir: PathBuf::from(dir),
            numbers: BTreeMap::new(),
        })
    }

    /// Writes the schedule of a route to this file.
    pub fn record(&mut self, route: &Route, file: &str) -> Result<(), String> {
        let header = self.header.clone();
        let schedule = record(&mut self.vm, self.start, route, header, Shows::TheRest);
        save(Path::new(file), &schedule)
    }

    /// Writes the schedule of an error; the name of its file. `places` are those of the
    /// finding's sites, whose numbers belong to the machine that searched.
    pub fn write(&mut self, found: &Found, places: &[CodePlace]) -> Result<String, String> {
        let kind = found.finding.kind.name();
        let mut header = self.header.clone();
        header.finding = Some((kind.to_string(), found.finding.message.clone()));
        let shows = match (found.finding.kind, &found.finding.threads[..], places) {
            (FindingKind::Race, &[later, earlier], [there, before]) => {
                Shows::Race([(later, there.clone()), (earlier, before.clone())])
            }
            (FindingKind::Invariant, ..) => Shows::State,
            _ => Shows::TheRest,
        };
        let schedule = record(&mut self.vm, self.start, &found.route, header, shows);
        let number = self.numbers.entry(kind).or_insert(0);
        *number += 1;
        let main = self.header.main.as_ref().map(|m| simple_name(&m.class));
        let name = format!("{}-{kind}-{number}.sched", main.unwrap_or("program"));
        let file = self.dir.join(name);
        save(&file, &schedule)?;
        Ok(file.display().to_string())
    }
}

fn save(file: &Path, schedule: &Schedule) -> Result<(), String> {
    let dir = file.parent().map_or(Ok(()), std::fs::create_dir_all);
    dir.and_then(|()| std::fs::write(file, schedule.to_string()))
        .map_err(|e| format!("cannot write the schedule {}: {e}", file.display()))
}

/// What all schedules of a search have in common.
pub fn header(start: &Start, args: &CheckArgs) -> Result<Header, String> {
    let options = start.options();
    let mut kept = args.kept.clone();
    let given = |names: &[&str]| args.kept.iter().any(|w| names.contains(&w.as_str()));
    let class = match &options.main {
        options::Main::Jar(jar) => {
            kept.extend(["-jar".to_string(), jar.clone()]);
            main_of_jar(Path::new(jar))?
        }
        options::Main::Class(name) => {
            if !given(&["-cp", "-classpath", "--class-path"]) {
                kept.extend(["-cp".to_string(), options.class_path.clone()]);
            }
            name.clone()
        }
    };
    if !given(&["--processors"]) {
        kept.extend(["--processors".to_string(), options.processors.to_string()]);
    }
    // Without it the schedule is as good; only a change goes unnoticed.
    let class_path = ClassPath::read(&options.class_path, RELEASE).ok();
    Ok(Header {
        program: class_path.as_ref().map(code::program_digest),
        main: Some(Main {
            class,
            arguments: options.args.clone(),
        }),
        options: kept,
        strategy: Some(args.strategy.clone()),
        seed: Some(options.seed).filter(|seed| *seed != 0),
        ..Header::default()
    })
}
