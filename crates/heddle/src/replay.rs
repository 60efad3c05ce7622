//! `heddle replay`: runs a program by a schedule file and reports what breaks, or says
//! where the program left the schedule and why.

use crate::args::{self, CheckArgs, ReplayArgs};
use crate::check;
use crate::instrument::read_schedule;
use crate::jdk::RELEASE;
use crate::start::Start;
use crate::story::Storyteller;
use crate::terminal::{self, Watch};
use crate::trace::Trace;
use crate::verdict;
use crate::{CANNOT_ANSWER, code, replay_jvm, stuck};
use heddle_detect::set::Fanout;
use heddle_explore::strategies::{self, Follow};
use heddle_explore::{Bound, Limits, OnError, Outcome, explore};
use heddle_model::report::{Report, Verdict, Worth};
use heddle_model::schedule::{Command, Header, Schedule};
use heddle_model::{Detector, OpMask};
use heddle_replay::class_path::ClassPath;
use heddle_replay::program::Program;
use heddle_vm::options::Options;
use heddle_vm::places::Places;
use heddle_vm::printing::Printing;
use heddle_vm::vm::{Stream, Vm};
use std::io::Write;
use std::process::ExitCode;

/// Follows the schedule; exit code 1 if something breaks, 0 if nothing does, 2 if a bound
/// ended it, 3 if the schedule cannot be followed.
pub fn replay(args: ReplayArgs) -> ExitCode {
    let code = match &args.jvm {
        Some(jvm) => replay_jvm::follow(&args, jvm),
        None => follow(&args),
    };
    match code {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            eprintln!("heddle: {message}");
            ExitCode::from(CANNOT_ANSWER)
        }
    }
}

fn follow(args: &ReplayArgs) -> Result<u8, String> {
    let file = &args.file;
    let mut schedule = read_schedule(file)?;
    let header = schedule.header.clone().unwrap_or_default();
    let shows = |kind| header.finding.as_ref().is_some_and(|(k, _)| k == kind);
    if shows("invariant") {
        leave_looking(&mut schedule);
    }
    let check = check_args(args, &header)?;
    let filter = check::filter(&check)?;
    let options = Options {
        // Here somebody reads it.
        printing: Printing::Shown,
        ..check::options(&check)?
    };
    let class_path = ClassPath::read(&options.class_path, RELEASE)?;
    let program = Program::new(&class_path, &options.trust);
    let same_program = compare(file, args.force, &header, &program)?;
    let placed = code::place(file, schedule, &program).map_err(|e| e.to_string())?;
    let places = placed.schedule.places().into_iter().cloned().collect();
    let mut watch = Watch::new(check.max_time);
    let start = Start::new(options, &watch)?;
    let mut vm = start.machine(Places::Only(places))?;
    let sources = check::sources(&check, start.options());
    let limits = Limits {
        errors: OnError::FirstOfEach,
        ..Limits::default()
    };
    watch.begins();
    let mut detectors = Fanout::new(filter);
    let mut trace = check
        .trace
        .then(|| Trace::new(terminal::layout(check.full, &sources)));
    let mut all: Vec<&mut dyn Detector> = Vec::new();
    all.extend(trace.as_mut().map(|t| t as &mut dyn Detector));
    all.push(&mut detectors);
    let verbosity = args.verbosity;
    let mut followed =
        Follow::new(&placed.schedule, placed.kinds, after(&header)).telling(|level, text| {
            if level.get() <= verbosity {
                println!("{text}");
            }
        });
    if shows("livelock") {
        followed = followed.round_and_round();
    }
    let outcome = explore(&mut vm, &mut followed, &mut all, &limits, &mut watch);
    watch.clear_line();
    if check.json.as_deref() != Some("-") {
        print_output(&mut vm);
    }
    if check.digest {
        println!("{}", check::digest(&vm));
    }
    if let Some(unsupported) = outcome.unsupported.first() {
        eprint!("{}", stuck::unsupported(&mut vm, &unsupported.what));
        return Ok(CANNOT_ANSWER);
    }
    if let Some(left) = followed.left(file) {
        let why = likely_reasons(&header, same_program);
        return Err(format!("{left}\nLikely because {why}."));
    }
    let exit = vm.globals.exit;
    let seconds = watch.elapsed().as_secs_f64();
    let report = report(&mut vm, &outcome, &header, seconds);
    check::show(&report, &check, &sources)?;
    conclude(&report, &header, followed.steps_done(), exit, &check)
}

/// A schedule of a broken invariant ends with the moment at which a JVM is to look at it. The
/// machine looks wherever it stops by itself, and does not go there.
fn leave_looking(schedule: &mut Schedule) {
    let last = |schedule: &Schedule| schedule.lines.last().and_then(|l| l.command.clone());
    if matches!(last(schedule), Some(Command::Log { .. })) {
        schedule.lines.pop();
        if matches!(
            last(schedule),
            Some(Command::Before(_) | Command::In(_) | Command::Within(_))
        ) {
            schedule.lines.pop();
        }
    }
}

/// Whether the class files are those that the schedule was written for; refuses if code
/// has changed that the schedule mentions.
pub fn compare(
    file: &str,
    force: bool,
    header: &Header,
    program: &Program<'_>,
) -> Result<bool, String> {
    let now = code::program_digest(program.class_path);
    if header.program.as_ref().is_none_or(|then| *then == now) {
        return Ok(true);
    }
    let changed = code::changed(header, program);
    let list = changed.join(", ");
    match (changed.is_empty(), force) {
        (true, _) => eprintln!(
            "heddle: note: the program has changed since {file} was written, the code that it mentions has not"
        ),
        (false, true) => {
            eprintln!("heddle: note: the code of {list} has changed since {file} was written");
        }
        (false, false) => {
            return Err(format!(
                "{file}: the code of {list} has changed since the schedule was written, and with it the \
                 places that it mentions; look for the error again with `heddle check`, or try the \
                 schedule nevertheless with --force"
            ));
        }
    }
    Ok(false)
}

/// Why a program may leave a schedule.
fn likely_reasons(header: &Header, same_program: bool) -> String {
    match (&header.program, same_program) {
        (None, _) => {
            "the schedule is not one of this program's (`javap -c -p` shows its bytecodes)"
        }
        (Some(_), false) => "the program has changed since the schedule was written",
        (Some(_), true) => {
            "the program depends on something that is not in the schedule: its input, files, \
             environment variables, properties, or the release of the JDK"
        }
    }
    .to_string()
}

/// Says what became of the error that the schedule was written for; the exit code.
fn conclude(
    report: &Report,
    header: &Header,
    steps: u64,
    exit: Option<i32>,
    check: &CheckArgs,
) -> Result<u8, String> {
    let quiet = check.json.as_deref() == Some("-");
    let say = |text: String| {
        if !quiet {
            println!("{text}");
        }
    };
    let steps = match steps {
        1 => "1 step".to_string(),
        n => format!("{n} steps"),
    };
    if report.errors.is_empty() && report.warnings.is_empty() {
        say(format!("The schedule was followed to its end, {steps}."));
        if let Some((kind, message)) = &header.finding {
            say(format!(
                "What it was written for did not happen: {kind}: {message}"
            ));
        }
    }
    match exit {
        Some(code) if code != 0 && report.errors.is_empty() => {
            say(format!("The program ended with exit code {code}."));
            Ok(1)
        }
        _ => Ok(verdict::exit_code(report)),
    }
}

/// The command line that the header stands for, with what was given here instead.
pub fn check_args(args: &ReplayArgs, header: &Header) -> Result<CheckArgs, String> {
    let file = &args.file;
    let mut words = header.options.clone();
    let jar = words.iter().position(|w| w == "-jar").map(|at| {
        let rest = words.split_off(at);
        words.extend(rest.iter().skip(2).cloned());
        rest.into_iter().take(2).collect::<Vec<String>>()
    });
    words.extend(header.seed.map(|seed| format!("--seed={seed}")));
    words.extend(args.options.iter().cloned());
    match (&header.main, jar) {
        _ if !args.main.is_empty() => words.extend(args.main.iter().cloned()),
        (Some(main), Some(jar)) => words.extend(jar.into_iter().chain(main.arguments.clone())),
        (Some(main), None) => {
            words.push(main.class.clone());
            words.extend(main.arguments.iter().cloned());
        }
        (None, _) => {
            return Err(format!(
                "{file} names no main class; expected one behind the file, or a line `main` in its header"
            ));
        }
    }
    match args::parse_check(&words).map_err(|e| format!("{file}: {e}"))? {
        args::Command::Check(check) => Ok(*check),
        _ => Err(format!("{file}: its options ask for help")),
    }
}

/// Where to stop once the schedule is over: where the search did that found it.
fn after(header: &Header) -> OpMask {
    let name = header.strategy.as_deref().unwrap_or("dfs");
    strategies::stops(name).unwrap_or(OpMask::VISIBLE.and(OpMask::NOTIFY))
}

fn print_output(vm: &mut Vm) {
    for (stream, bytes) in vm.output.bytes.iter() {
        let _ = match stream {
            Stream::Out => std::io::stdout().write_all(bytes),
            Stream::Err => std::io::stderr().write_all(bytes),
        };
    }
}

fn report(vm: &mut Vm, outcome: &Outcome, header: &Header, seconds: f64) -> Report {
    let mut storyteller = Storyteller::new(vm);
    // The error that the schedule was written for comes first, and alone if it is there.
    let wanted = |kind: &str, message: &str| {
        let finding = header.finding.as_ref();
        finding.is_some_and(|(k, m)| k == kind && m == message)
    };
    let same = outcome
        .found
        .iter()
        .find(|f| wanted(f.finding.kind.name(), &f.finding.message));
    let found = match same {
        Some(found) => std::slice::from_ref(found),
        None => &outcome.found[..],
    };
    let all = found.iter().map(|f| storyteller.error(f));
    let (warnings, errors): (Vec<_>, Vec<_>) = all.partition(|e| e.kind.is_warning());
    let bounds = outcome.bounds.iter().filter(|b| **b != Bound::Error);
    let bounds: Vec<String> = bounds.map(|b| verdict::bound_text(*b)).collect();
    Report {
        version: env!("CARGO_PKG_VERSION").into(),
        verdict: match (errors.is_empty(), bounds.is_empty()) {
            (false, _) => Verdict::Error,
            (true, true) => Verdict::Ok,
            (true, false) => Verdict::Incomplete,
        },
        worth: Worth::Sampled,
        strategy: "replay".into(),
        seed: header.seed,
        schedules: outcome.schedules,
        extra: outcome.extra,
        blocked: outcome.blocked,
        choice_points: outcome.choice_points,
        bytecodes: outcome.work,
        seconds,
        complete: false,
        explored: None,
        scope: None,
        assumptions: Vec::new(),
        bounds,
        notes: Vec::new(),
        unsupported: Vec::new(),
        errors,
        warnings,
    }
}
