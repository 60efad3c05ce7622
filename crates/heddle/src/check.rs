//! `heddle check`: explores the schedules of a program and reports what breaks it.

use crate::agree::agree;
use crate::args::CheckArgs;
use crate::jdk::RELEASE;
use crate::schedules::Scribe;
use crate::search::{self, Search};
use crate::start::{ENDLESS, Start};
use crate::terminal::{self, Watch};
use crate::trace::Trace;
use crate::{CANNOT_ANSWER, replay_jvm, run, verdict};
use heddle_classfile::access;
use heddle_detect::set::Filter;
use heddle_explore::strategies;
use heddle_explore::{Budget, Earlier, Limits, OnError, Outcome};
use heddle_model::report::Report;
use heddle_model::schedule::CodePlace;
use heddle_model::{OpMask, View};
use heddle_replay::class_path::ClassPath;
use heddle_replay::program::Program;
use heddle_report::source::{self, Sources};
use heddle_report::{json, text};
use heddle_vm::options::{Main, Options};
use heddle_vm::places::Places;
use heddle_vm::printing::Printing;
use heddle_vm::vm::Vm;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// Schedules of a sample, unless the user says otherwise.
pub const SAMPLE: u64 = 10_000;

/// What is spent on an error to find the shortest way to it: about a second.
const SHORTEN: Budget = Budget {
    points: 150_000,
    work: 50_000_000,
};

/// Bytecodes of a thread on one path, unless the user says otherwise.
const MAX_STEPS: u64 = 100_000_000;
/// The same before the program starts its first thread: minutes.
const MAX_START: u64 = 20_000_000_000;
/// Processors that the program sees, unless the user says otherwise.
const PROCESSORS: u32 = 2;
/// Choice points of a path, unless the user says otherwise: a program that runs for ever is
/// not to take all memory.
const MAX_DEPTH: usize = 100_000;

/// Explores and reports; see DESIGN's exit codes.
pub fn check(args: CheckArgs) -> ExitCode {
    match explore_program(args) {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            eprintln!("heddle: {message}");
            ExitCode::from(CANNOT_ANSWER)
        }
    }
}

fn explore_program(args: CheckArgs) -> Result<u8, String> {
    agree(&args)?;
    let filter = filter(&args)?;
    let options = options(&args)?;
    find_invariants(&args, &options)?;
    let mut watch = Watch::new(args.max_time);
    if let Some(bytes) = args.max_memory {
        watch.limit_memory_to(bytes);
    }
    let start = Start::new(options, &watch)?;
    let mut vm = start.machine(places(&args)?)?;
    let sources = sources(&args, start.options());
    watch.begins();
    if !args.keep_going {
        watch.is_patient_for(PATIENCE);
    }
    let earlier = search::earlier(&args, &start, &mut watch)?;
    let result = Search {
        start: &start,
        vm: &mut vm,
        filter,
        trace: args
            .trace
            .then(|| Trace::new(terminal::layout(args.full, &sources))),
        limits: limits(&args),
        watch: &mut watch,
        args: &args,
        earlier,
        before: Earlier::default(),
        name: String::new(),
        looks: 0,
    }
    .run()?;
    watch.clear_line();
    watch.ended(&result.outcome);
    if args.digest {
        println!("{}", digest(&vm));
    }
    let mut report = verdict::report(&mut vm, &args, &result, start.options(), &watch);
    let places: Vec<_> = verdict::told(&result.outcome)
        .into_iter()
        .map(|found| {
            found
                .finding
                .sites
                .iter()
                .map(|s| vm.code_place(*s))
                .collect()
        })
        .collect();
    drop(vm);
    keep_schedules(&start, &args, &result.outcome, &places, &mut report)?;
    if let Some(jvm) = &args.confirm {
        replay_jvm::confirm(&mut report.errors, &args, jvm);
    }
    show(&report, &args, &sources)?;
    Ok(verdict::exit_code(&report))
}

/// How long a search goes on after an error that was the last one.
const PATIENCE: Duration = Duration::from_secs(10);

/// Writes a schedule file for each error, and what else is to be recorded. That a file
/// cannot be written does not make the errors any less true.
fn keep_schedules(
    start: &Start,
    args: &CheckArgs,
    outcome: &Outcome,
    places: &[Vec<CodePlace>],
    report: &mut Report,
) -> Result<(), String> {
    let dir = args.schedule_dir.as_deref().filter(|d| *d != "none");
    let dir = dir.filter(|_| !outcome.found.is_empty());
    if dir.is_none() && args.record.is_none() {
        return Ok(());
    }
    let mut scribe = Scribe::new(start, args, dir.unwrap_or("."))?;
    if let Some(file) = &args.record {
        scribe.record(&outcome.last, file)?;
    }
    if dir.is_none() {
        return Ok(());
    }
    let stories = report.errors.iter_mut().chain(&mut report.warnings);
    let told = verdict::told(outcome).into_iter().zip(places);
    for ((found, places), error) in told.zip(stories) {
        match scribe.write(found, places) {
            Ok(file) => {
                error.replay = Some(format!("heddle replay {}", shell_word(&file)));
                error.schedule_file = Some(file);
            }
            Err(message) => eprintln!("heddle: {message}"),
        }
    }
    Ok(())
}

/// A digest of what the program can see in the present state, and how many of its threads
/// have not ended. Two runs of one schedule end with the same, unless a thread that has not
/// ended stands at different places in the library.
pub fn digest(vm: &Vm) -> String {
    const SEEN: [&str; 6] = [
        "objects", "mirrors", "monitors", "strings", "output", "files",
    ];
    let alive = vm
        .threads
        .iter()
        .filter(|t| !t.system && !t.has_ended())
        .count();
    let parts = vm.digest();
    let seen = parts.iter().filter(|(name, _)| SEEN.contains(name));
    let parts: Vec<String> = seen
        .map(|(name, digest)| format!("{name} {digest:016x}"))
        .collect();
    format!("digest: {}, {alive} threads alive", parts.join(", "))
}

/// A word as a shell takes it.
fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// The kinds of errors to look for.
pub fn filter(args: &CheckArgs) -> Result<Filter, String> {
    let mut ignore = args.ignore.clone();
    // The lock discipline is a heuristic: it is reported where somebody asks for it.
    if args.only.is_empty() {
        ignore.push("lock-discipline".into());
    }
    Filter::new(&args.only, &ignore).map_err(|e| e.to_string())
}

/// How the program is run in a search.
pub fn options(args: &CheckArgs) -> Result<Options, String> {
    let mut options = run::options(args.run.clone())?;
    options.trust = args.trust.clone();
    if args.strategy != "rr" {
        options.slice = ENDLESS;
    }
    options.max_steps = args.max_steps.unwrap_or(MAX_STEPS);
    options.max_start = args.max_steps.unwrap_or(MAX_START);
    options.printing = match args.order_output {
        true => Printing::Ordered,
        false => Printing::Swallowed,
    };
    options.invariants = args.invariants.clone();
    // What is found must not depend on the machine on which it is looked for.
    options.start_millis = 1_767_225_600_000;
    options.processors = args.run.processors.unwrap_or(PROCESSORS);
    Ok(options)
}

/// An invariant that does not exist would never be broken.
fn find_invariants(args: &CheckArgs, options: &Options) -> Result<(), String> {
    if args.invariants.is_empty() {
        return Ok(());
    }
    let class_path = ClassPath::read(class_path(options), RELEASE)?;
    let program = Program::new(&class_path, &args.trust);
    for name in &args.invariants {
        let Some((class, method)) = name.rsplit_once('.') else {
            return Err(format!("--invariant takes Class.method, not '{name}'"));
        };
        let slashed = class.replace('.', "/");
        let Some(file) = program.class(&slashed) else {
            return Err(format!("--invariant {name}: {}", program.problem(&slashed)));
        };
        let found = file.method(method.as_bytes(), b"()Z");
        if found.is_none_or(|m| m.access & access::STATIC == 0) {
            return Err(format!(
                "--invariant {name}: {class} has no method static boolean {method}()"
            ));
        }
    }
    Ok(())
}

/// Where the classes of the program are.
fn class_path(options: &Options) -> &str {
    match &options.main {
        Main::Jar(jar) => jar,
        Main::Class(_) => &options.class_path,
    }
}

/// Where the sources are: where the user says, and where builds usually have them.
pub fn sources(args: &CheckArgs, options: &Options) -> Sources {
    let given = args.sources.iter().map(Into::into);
    let entries = class_path(options).split(':').map(Path::new);
    Sources::new(given.chain(source::beside(entries)).collect())
}

/// The code that has to be watched.
fn places(args: &CheckArgs) -> Result<Places, String> {
    let section = args.from.iter().chain(&args.until);
    let section: Vec<String> = section.cloned().collect();
    // Slices are measured in instructions, and watched code has more of them.
    match (args.strategy == "rr", section.is_empty()) {
        (true, true) => Ok(Places::All),
        (true, false) => Err("--from and --until need a strategy that chooses, not rr".into()),
        (false, true) => Ok(Places::None),
        (false, false) => Ok(Places::Entries(section)),
    }
}

fn limits(args: &CheckArgs) -> Limits {
    let bounded = args.max_schedules.is_some() || args.max_time.is_some();
    let sample = strategies::is_sampling(&args.strategy) && !bounded;
    Limits {
        schedules: args.max_schedules.or(sample.then_some(SAMPLE)),
        depth: Some(args.max_depth.map_or(MAX_DEPTH, |d| d as usize)),
        errors: match args.keep_going {
            true => OnError::Count,
            false => OnError::FirstOfEach,
        },
        stops: extra_stops(args),
        // The digest is of the state in which the search ended.
        shorten: if args.digest { Budget::NONE } else { SHORTEN },
        ..Limits::default()
    }
}

/// What the options add to the choices.
pub fn extra_stops(args: &CheckArgs) -> OpMask {
    let mut stops = OpMask::NONE;
    if args.timeouts_any {
        stops = stops.and(OpMask::TIMEOUTS);
    }
    if args.spurious {
        stops = stops.and(OpMask::SPURIOUS);
    }
    stops
}

/// Shows a report on standard output, and in a file if that was asked for.
pub fn show(report: &Report, args: &CheckArgs, sources: &Sources) -> Result<(), String> {
    if let Some(file) = &args.json {
        let json = json::json(report);
        if file == "-" {
            let _ = std::io::stdout().lock().write_all(json.as_bytes());
            return Ok(());
        }
        std::fs::write(file, json).map_err(|e| format!("cannot write {file}: {e}"))?;
    }
    let text = text::text(report, &terminal::layout(args.full, sources));
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    Ok(())
}
