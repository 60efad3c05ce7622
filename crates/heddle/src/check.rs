//! `heddle check`: explores the schedules of a program and reports what breaks it.

use crate::args::CheckArgs;
use crate::schedules::Scribe;
use crate::start::{ENDLESS, Start};
use crate::story::Storyteller;
use crate::trace::Trace;
use crate::{CANNOT_ANSWER, replay_jvm, run, signals};
use heddle_detect::set::{Fanout, Filter};
use heddle_explore::strategies::{self, STRATEGIES, Settings, Use};
use heddle_explore::{Bound, Control, Limits, OnError, Outcome, Progress, Tick, explore};
use heddle_model::report::{Missing, Report, Verdict};
use heddle_model::{Detector, Finding, FindingKind, OpMask, Strategy};
use heddle_report::{json, source::Sources, text};
use heddle_vm::places::Places;
use heddle_vm::vm::{Options, Vm};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Packages whose code is not explored.
pub const TRUSTED: [&str; 4] = ["java.", "javax.", "jdk.", "sun."];
/// Bytecodes of a thread on one path, unless the user says otherwise.
const MAX_STEPS: u64 = 100_000_000;

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
    if !STRATEGIES.iter().any(|(name, _)| *name == args.strategy) {
        let known: Vec<&str> = STRATEGIES.iter().map(|(name, _)| *name).collect();
        let known = known.join(", ");
        return Err(format!(
            "unknown strategy '{}'; there are {known}",
            args.strategy
        ));
    }
    let filter = filter(&args)?;
    let start = Start::new(options(&args)?)?;
    let seed = start.options().seed;
    // Slices are measured in instructions, and watched code has more of them.
    let places = match args.strategy == "rr" {
        true => Places::All,
        false => Places::None,
    };
    let mut vm = start.machine(places)?;
    let limits = Limits {
        schedules: args.max_schedules,
        depth: args.max_depth.map(|d| d as usize),
        steps: None,
        errors: if args.keep_going {
            OnError::Count
        } else {
            OnError::FirstOfEach
        },
        stops: extra_stops(&args),
        ..Limits::default()
    };
    let sources = Sources::new(args.sources.iter().map(Into::into).collect());
    let mut watch = Watch::new(args.max_time);
    let user = Exploration {
        vm: &mut vm,
        detectors: Fanout::new(filter),
        trace: args.trace.then(|| Trace::new(layout(&args, &sources))),
        limits,
        watch: &mut watch,
    };
    let settings = Settings {
        seed,
        stops: extra_stops(&args),
        plain_mutexes: args.plain_mutexes,
    };
    let mut outcome = strategies::named(&args.strategy, &settings, user)
        .expect("heddle internal error: the strategy is listed");
    if outcome.complete {
        // No schedule runs into them: what was predicted cannot happen.
        outcome.found.retain(|found| !is_prediction(&found.finding));
    }
    watch.clear_line();
    if args.digest {
        println!("{}", digest(&vm));
    }
    let trusted = start.options().trust.join(",");
    let elapsed = watch.started.elapsed();
    let mut report = report(&mut vm, &args, &outcome, seed, elapsed, &trusted);
    drop(vm);
    keep_schedules(&start, &args, &outcome, &mut report)?;
    if let Some(jvm) = &args.confirm {
        replay_jvm::confirm(&mut report.errors, &args, jvm);
    }
    show(&report, &args, &sources)?;
    Ok(exit_code(&report))
}

/// Writes a schedule file for each error, and what else is to be recorded. That a file
/// cannot be written does not make the errors any less true.
fn keep_schedules(
    start: &Start,
    args: &CheckArgs,
    outcome: &Outcome,
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
    for (found, error) in outcome.found.iter().zip(&mut report.errors) {
        match scribe.write(found) {
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
    let trust = args.trust.clone();
    options.trust = trust.unwrap_or_else(|| TRUSTED.map(String::from).to_vec());
    if args.strategy != "rr" {
        options.slice = ENDLESS;
    }
    options.max_steps = args.max_steps.unwrap_or(MAX_STEPS);
    options.invariants = args.invariants.clone();
    options.start_millis = 1_767_225_600_000;
    Ok(options)
}

/// What the options add to the choices.
fn extra_stops(args: &CheckArgs) -> OpMask {
    let mut stops = OpMask::NONE;
    if args.timeouts_any {
        stops = stops.and(OpMask::TIMEOUTS);
    }
    if args.spurious {
        stops = stops.and(OpMask::SPURIOUS);
    }
    stops
}

/// Runs the search with whatever strategy was named.
struct Exploration<'a> {
    vm: &'a mut Vm,
    detectors: Fanout,
    trace: Option<Trace<'a>>,
    limits: Limits,
    watch: &'a mut Watch,
}

impl Use for Exploration<'_> {
    type Result = Outcome;

    fn with<S: Strategy>(mut self, mut strategy: S) -> Outcome {
        let mut detectors: Vec<&mut dyn Detector> = Vec::new();
        detectors.extend(self.trace.as_mut().map(|t| t as &mut dyn Detector));
        detectors.push(&mut self.detectors);
        explore(
            self.vm,
            &mut strategy,
            &mut detectors,
            &self.limits,
            self.watch,
        )
    }
}

/// The clock, Ctrl-C and the progress line.
pub struct Watch {
    pub started: Instant,
    limit: Option<Duration>,
    terminal: bool,
    shown: Instant,
}

impl Watch {
    pub fn new(limit: Option<f64>) -> Watch {
        signals::watch();
        let now = Instant::now();
        Watch {
            started: now,
            limit: limit.map(Duration::from_secs_f64),
            terminal: std::io::stderr().is_terminal(),
            shown: now,
        }
    }

    pub fn clear_line(&self) {
        if self.terminal {
            eprint!("\r\x1b[K");
        }
    }
}

impl Control for Watch {
    fn tick(&mut self, progress: &Progress) -> Tick {
        if self
            .limit
            .is_some_and(|limit| self.started.elapsed() >= limit)
        {
            return Tick::Stop;
        }
        if self.terminal && self.shown.elapsed() > Duration::from_millis(200) {
            self.shown = Instant::now();
            let seconds = self.started.elapsed().as_secs_f64();
            let rate = progress.schedules as f64 / seconds;
            eprint!(
                "\r\x1b[K{} schedules, {rate:.0}/s, depth {}, {} errors",
                progress.schedules, progress.depth, progress.found
            );
        }
        Tick::GoOn
    }

    fn interrupted(&self) -> bool {
        signals::pending()
    }
}

fn report(
    vm: &mut Vm,
    args: &CheckArgs,
    outcome: &Outcome,
    seed: u64,
    elapsed: Duration,
    trusted: &str,
) -> Report {
    let verdict = if outcome.found.iter().any(|f| !is_prediction(&f.finding)) {
        Verdict::Error
    } else if !outcome.unsupported.is_empty() {
        Verdict::Unsupported
    } else if outcome.complete {
        Verdict::Ok
    } else {
        Verdict::Incomplete
    };
    let mut assumptions =
        vec!["one input, and memory as if accesses happened one after the other".to_string()];
    if !trusted.is_empty() {
        assumptions.push(format!(
            "code of {trusted} is correct: a call into it is one operation"
        ));
    }
    if args.strategy.starts_with("exitblock") {
        assumptions.push("shared data is protected by locks".into());
    }
    let mut storyteller = Storyteller::new(vm);
    let errors = outcome
        .found
        .iter()
        .map(|found| storyteller.error(found))
        .collect();
    let unsupported = outcome.unsupported.iter().map(|u| Missing {
        what: u.what.clone(),
        stack: storyteller.stack_at(&u.route),
    });
    Report {
        version: env!("CARGO_PKG_VERSION").into(),
        verdict,
        strategy: args.strategy.clone(),
        seed: (args.strategy == "random").then_some(seed),
        schedules: outcome.schedules,
        choice_points: outcome.choice_points,
        bytecodes: outcome.work,
        seconds: elapsed.as_secs_f64(),
        complete: outcome.complete,
        explored: None,
        assumptions,
        bounds: outcome
            .bounds
            .iter()
            .map(|b| bound_text(*b).to_string())
            .collect(),
        unsupported: unsupported.collect(),
        errors,
    }
}

/// A deadlock that was predicted and that no schedule has confirmed. It is shown, and no
/// error as long as it stays that.
fn is_prediction(finding: &Finding) -> bool {
    finding.kind == FindingKind::LockCycle && finding.potential
}

pub fn bound_text(bound: Bound) -> &'static str {
    match bound {
        Bound::Schedules => "the number of schedules (--max-schedules)",
        Bound::Time => "the time (--max-time)",
        Bound::Depth => "the depth of a path (--max-depth)",
        Bound::Steps => "the steps of a path (--max-steps)",
        Bound::Interrupt => "interrupted",
        Bound::Error => "an error was found",
    }
}

pub fn show(report: &Report, args: &CheckArgs, sources: &Sources) -> Result<(), String> {
    if let Some(file) = &args.json {
        let json = json::json(report);
        if file == "-" {
            println!("{json}");
            return Ok(());
        }
        std::fs::write(file, json + "\n").map_err(|e| format!("cannot write {file}: {e}"))?;
    }
    let text = text::text(report, &layout(args, sources));
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    Ok(())
}

pub fn layout<'a>(args: &CheckArgs, sources: &'a Sources) -> text::Layout<'a> {
    let terminal = std::io::stdout().is_terminal();
    text::Layout {
        colours: terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
        width: if terminal { terminal_width() } else { 120 },
        full: args.full,
        sources,
    }
}

fn terminal_width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    columns.unwrap_or(100)
}

pub fn exit_code(report: &Report) -> u8 {
    match report.verdict {
        Verdict::Ok => 0,
        Verdict::Error => 1,
        Verdict::Incomplete => 2,
        Verdict::Unsupported => CANNOT_ANSWER,
    }
}
