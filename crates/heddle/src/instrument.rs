//! `heddle instrument`: writes a program that runs under a schedule on any JVM.

use crate::args::Words;
use crate::{CANNOT_ANSWER, class_path, code, replay};
use heddle_model::Trust;
use heddle_model::schedule::words::Word;
use heddle_model::schedule::{Messages, Schedule};
use heddle_replay::class_path::ClassPath;
use heddle_replay::instrument::{Format, Instrumented, instrument, instrument_to_record};
use heddle_replay::output::{self, Extras, Purpose};
use heddle_replay::places;
use heddle_replay::program::Program;
use heddle_replay::{digest, stretches};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `heddle instrument`.
pub struct InstrumentArgs {
    /// The schedule to follow; `None`: the program is to record one.
    pub schedule: Option<String>,
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
  heddle instrument [options] --record -cp PATH -o DIR

Then `java -cp DIR Main` runs the program as the schedule says, or one thread at a time as a
seed says, and writes the schedule of that. Nothing but DIR is written.

Options:
  --schedule FILE     the schedule; docs/schedules.md says what is in it
  --record            make a program that records: `java -Dheddle.seed=N
                      -Dheddle.record=FILE -cp DIR Main` (default: 0, heddle-recorded.sched)
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
        let (mut release, mut force, mut record) = (17, false, false);
        let mut words = Words::new("instrument", words);
        while let Some(word) = words.next()? {
            let name = word.name.as_str();
            let mut value = || words.value(&word);
            match name {
                "--help" | "-h" => return Ok(None),
                "--force" => force = true,
                "--record" => record = true,
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
                _ => return words.unknown(&word),
            }
        }
        let missing = |what| format!("name {what}; try `heddle instrument --help`");
        if record == schedule.is_some() {
            return Err(missing("a schedule with --schedule FILE, or --record"));
        }
        Ok(Some(InstrumentArgs {
            schedule,
            class_path: path.ok_or(missing("the program with -cp PATH"))?,
            output: output.ok_or(missing("the folder to write with -o DIR"))?,
            release,
            force,
        }))
    }
}

/// Instruments and says what there is to say about it.
pub fn command(args: &InstrumentArgs) -> ExitCode {
    let made = match &args.schedule {
        Some(file) => read_script(file).and_then(|(schedule, messages)| {
            write(&Request {
                file,
                schedule: &schedule,
                messages: messages.as_ref(),
                class_path: &args.class_path,
                release: args.release,
                force: args.force,
                output: &args.output,
            })
        }),
        None => write_recorder(&args.class_path, args.release, &args.output),
    };
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

/// A schedule from a file, of either format, as switches.
pub fn read_schedule(file: &str) -> Result<Schedule, String> {
    read_script(file).map(|(schedule, _)| schedule)
}

/// A schedule from a file, and the messages if that is how the file has it.
pub fn read_script(file: &str) -> Result<(Schedule, Option<Messages>), String> {
    let bytes = std::fs::read(file).map_err(|e| format!("cannot read {file}: {e}"))?;
    if let Ok(text) = std::str::from_utf8(&bytes)
        && Messages::is_in(text)
    {
        let messages = Messages::parse(file, text).map_err(|e| e.to_string())?;
        let schedule = messages.switches().map_err(|e| format!("{file}: {e}"))?;
        return Ok((schedule, Some(messages)));
    }
    let schedule = Schedule::read(file, &bytes).map_err(|e| e.to_string())?;
    Ok((schedule, None))
}

/// What to instrument, and for what.
pub struct Request<'a> {
    pub file: &'a str,
    pub schedule: &'a Schedule,
    /// The same by messages, if threads are to run side by side.
    pub messages: Option<&'a Messages>,
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
    let mut places = places::resolve(file, schedule, &program).map_err(|e| e.to_string())?;
    let format = match request.messages {
        Some(_) => Format::Messages,
        None => Format::Switches,
    };
    if format == Format::Switches {
        stretches::share(&mut places, &program);
    }
    let instrumented = instrument(&program, &places, format)?;
    let table = places::table(&places, &program);
    let (schedule, digest) = match request.messages {
        Some(messages) => (messages.to_string(), None),
        None => {
            let text = schedule.to_string();
            let digest = digest::digest(&text, &places, &table).map_err(|e| e.to_string())?;
            (text, Some(digest))
        }
    };
    let extras = Extras {
        places: table,
        purpose: Purpose::Follow { schedule, digest },
    };
    let main = header.main.map(|m| m.class).filter(|c| !c.is_empty());
    put(request.output, &class_path, &instrumented, &extras, main)
}

/// Instruments a program to record, and writes it to a folder.
fn write_recorder(path: &str, release: u32, output: &Path) -> Result<Made, String> {
    let path = class_path::expand(path);
    let class_path = ClassPath::read(&path, release)?;
    let program = Program::new(&class_path, &Trust::library());
    let (instrumented, places) = instrument_to_record(&program)?;
    let digest = code::program_digest(&class_path);
    let extras = Extras {
        places: places::table(&places, &program),
        purpose: Purpose::Record {
            header: format!("program {digest}\noptions -cp {}\n", Word(&path)),
            code: places::digests(&places, &program),
        },
    };
    put(output, &class_path, &instrumented, &extras, None)
}

fn put(
    output: &Path,
    class_path: &ClassPath,
    instrumented: &Instrumented,
    extras: &Extras,
    main: Option<String>,
) -> Result<Made, String> {
    output::write(output, class_path, instrumented, extras)?;
    for note in &class_path.notes {
        eprintln!("heddle: note: {note}");
    }
    let is_class = |name: &&String| name.ends_with(".class");
    Ok(Made {
        classes: class_path.files.keys().filter(is_class).count(),
        changed: instrumented.classes.len(),
        needs_agent: instrumented.needs_agent,
        main,
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
