//! `heddle instrument`: writes a program that runs under a schedule on any JVM.

use crate::{CANNOT_ANSWER, class_path, replay};
use heddle_model::Trust;
use heddle_model::schedule::Schedule;
use heddle_replay::class_path::ClassPath;
use heddle_replay::instrument::instrument;
use heddle_replay::output::{self, Extras};
use heddle_replay::places;
use heddle_replay::program::Program;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `heddle instrument`.
pub struct InstrumentArgs {
    pub schedule: String,
    pub class_path: String,
    pub output: PathBuf,
    /// The release of Java for which multi-release jars are unpacked.
    pub release: u32,
    /// Do it although the code has changed.
    pub force: bool,
}

pub const HELP: &str = "\
heddle instrument: writes a program that runs under a schedule on any JVM, for any debugger.

Usage:
  heddle instrument [options] --schedule FILE -cp PATH -o DIR

Then `java -cp DIR Main` runs the program as the schedule says. Nothing but DIR is written.

Options:
  --schedule FILE     the schedule; docs/schedules.md says what is in it
  -cp, -classpath, --class-path PATH   directories and jars of the program
  -o, --output DIR    a new folder, or one that heddle wrote before
  --release N         the release of Java to unpack multi-release jars for (default: 17)
  --force             do it although methods that the schedule mentions have changed

Exit code: 0, or 3 if the program cannot be instrumented.
";

impl InstrumentArgs {
    /// Reads the words behind `instrument`; `None` if help is asked for.
    pub fn parse(words: &[String]) -> Result<Option<InstrumentArgs>, String> {
        let (mut schedule, mut path, mut output) = (None, None, None);
        let (mut release, mut force) = (17, false);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let (name, inline) = match word.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value.to_string())),
                _ => (word.as_str(), None),
            };
            let value = || {
                let next = inline.or_else(|| words.next().cloned());
                next.ok_or(format!(
                    "{name} needs a value; try `heddle instrument --help`"
                ))
            };
            match name {
                "--help" | "-h" => return Ok(None),
                "--force" => force = true,
                "--schedule" => schedule = Some(value()?),
                "-cp" | "-classpath" | "--class-path" => path = Some(value()?),
                "-o" | "--output" => output = Some(PathBuf::from(value()?)),
                "--release" => {
                    let text = value()?;
                    let number = text.parse().ok().filter(|&n| n >= 8);
                    release = number.ok_or(format!(
                        "--release takes a release of Java from 8 on, not '{text}'"
                    ))?;
                }
                _ => {
                    return Err(format!(
                        "unknown option '{word}'; try `heddle instrument --help`"
                    ));
                }
            }
        }
        let missing = |what| format!("name {what}; try `heddle instrument --help`");
        Ok(Some(InstrumentArgs {
            schedule: schedule.ok_or(missing("a schedule with --schedule FILE"))?,
            class_path: path.ok_or(missing("the program with -cp PATH"))?,
            output: output.ok_or(missing("the folder to write with -o DIR"))?,
            release,
            force,
        }))
    }
}

/// Instruments and says what there is to say about it.
pub fn command(args: &InstrumentArgs) -> ExitCode {
    let made = read_schedule(&args.schedule).and_then(|schedule| {
        write(&Request {
            file: &args.schedule,
            schedule: &schedule,
            class_path: &args.class_path,
            release: args.release,
            force: args.force,
            output: &args.output,
        })
    });
    match made {
        Ok(made) => {
            println!(
                "{} of {} classes instrumented; run: java -cp {} {}",
                made.changed,
                made.classes,
                args.output.display(),
                made.main.unwrap_or("MAIN".into())
            );
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("heddle: {message}");
            ExitCode::from(CANNOT_ANSWER)
        }
    }
}

/// A schedule from a file.
pub fn read_schedule(file: &str) -> Result<Schedule, String> {
    let bytes = std::fs::read(file).map_err(|e| format!("cannot read {file}: {e}"))?;
    Schedule::read(file, &bytes).map_err(|e| e.to_string())
}

/// What to instrument, and for what.
pub struct Request<'a> {
    pub file: &'a str,
    pub schedule: &'a Schedule,
    pub class_path: &'a str,
    pub release: u32,
    pub force: bool,
    pub output: &'a Path,
}

/// What was made.
pub struct Made {
    pub classes: usize,
    pub changed: usize,
    pub needs_agent: bool,
    /// The main class, if the schedule names it.
    pub main: Option<String>,
}

/// Instruments a program for a schedule and writes it to a folder. Says what is not as it
/// was.
pub fn write(request: &Request) -> Result<Made, String> {
    let Request { file, schedule, .. } = request;
    let class_path = ClassPath::read(&class_path::expand(request.class_path), request.release)?;
    let trust = trust(schedule);
    let program = Program::new(&class_path, &trust);
    let header = schedule.header.clone().unwrap_or_default();
    replay::compare(file, request.force, &header, &program)?;
    let places = places::resolve(file, schedule, &program).map_err(|e| e.to_string())?;
    let instrumented = instrument(&program, &places)?;
    let extras = Extras {
        schedule: schedule.to_string(),
        places: places::table(&places, &program),
    };
    output::write(request.output, &class_path, &instrumented, &extras)?;
    for note in &class_path.notes {
        eprintln!("heddle: note: {note}");
    }
    let is_class = |name: &&String| name.ends_with(".class");
    Ok(Made {
        classes: class_path.files.keys().filter(is_class).count(),
        changed: instrumented.classes.len(),
        needs_agent: instrumented.needs_agent,
        main: header.main.map(|m| m.class).filter(|c| !c.is_empty()),
    })
}

/// The packages whose code is trusted: as the schedule was found, else as always.
fn trust(schedule: &Schedule) -> Trust {
    let options = schedule.header.as_ref().map_or(&[][..], |h| &h.options);
    let mut trust = Trust::library();
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let (name, inline) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word.as_str(), None),
        };
        if !matches!(name, "--trust" | "--distrust") {
            continue;
        }
        let value = inline.or_else(|| words.next().map(String::as_str));
        match name {
            "--trust" => trust.trust(value.unwrap_or_default()),
            _ => trust.distrust(value.unwrap_or_default()),
        }
    }
    trust
}
