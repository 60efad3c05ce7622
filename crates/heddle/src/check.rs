//! `heddle check`: explores the schedules of a program and reports what breaks it.

use crate::args::CheckArgs;
use crate::story::Storyteller;
use crate::{CANNOT_ANSWER, run, signals};
use heddle_detect::set::{Fanout, Filter};
use heddle_explore::strategies::{self, STRATEGIES, Settings, Use};
use heddle_explore::{Bound, Control, Limits, OnError, Outcome, Progress, Tick, explore};
use heddle_model::report::{Missing, Report, Verdict};
use heddle_model::{Strategy, ThreadId};
use heddle_report::{json, source::Sources, text};
use heddle_vm::interp::RunEnd;
use heddle_vm::vm::{Options, Vm};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Packages whose code is not explored.
pub const TRUSTED: [&str; 4] = ["java.", "javax.", "jdk.", "sun."];
/// Bytecodes of the trial run that finds out which library classes the program needs.
const TRIAL: u64 = 50_000_000;

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

fn explore_program(mut args: CheckArgs) -> Result<u8, String> {
    if !STRATEGIES.iter().any(|(name, _)| *name == args.strategy) {
        let known: Vec<&str> = STRATEGIES.iter().map(|(name, _)| *name).collect();
        let known = known.join(", ");
        return Err(format!(
            "unknown strategy '{}'; there are {known}",
            args.strategy
        ));
    }
    // The lock discipline is a heuristic: it is reported where somebody asks for it.
    if args.only.is_empty() {
        args.ignore.push("lock-discipline".into());
    }
    let filter = Filter::new(&args.only, &args.ignore).map_err(|e| e.to_string())?;
    let seed = args.run.seed.unwrap_or(0);
    let mut options = run::options(std::mem::take(&mut args.run))?;
    let trust = args.trust.clone();
    options.trust = trust.unwrap_or_else(|| TRUSTED.map(String::from).to_vec());
    options.slice = 1 << 40;
    options.start_millis = 1_767_225_600_000;
    let trusted = options.trust.join(",");
    let mut vm = at_start(options)?;
    let limits = Limits {
        schedules: args.max_schedules,
        depth: args.max_depth.map(|d| d as usize),
        steps: args.max_steps,
        errors: if args.keep_going {
            OnError::Count
        } else {
            OnError::FirstOfEach
        },
        ..Limits::default()
    };
    let mut watch = Watch::new(args.max_time);
    let user = Exploration {
        vm: &mut vm,
        detectors: Fanout::new(filter),
        limits,
        watch: &mut watch,
    };
    let settings = Settings { seed };
    let outcome = strategies::named(&args.strategy, &settings, user)
        .expect("heddle internal error: the strategy is listed");
    watch.clear_line();
    let report = report(
        &mut vm,
        &args,
        &outcome,
        seed,
        watch.started.elapsed(),
        &trusted,
    );
    show(&report, &args)?;
    Ok(exit_code(&report))
}

/// A machine at the beginning of the program, the library classes it needs loaded.
fn at_start(mut options: Options) -> Result<Vm, String> {
    options.stop_at_main = true;
    let mut trial = Vm::new(Options {
        stop_at_main: false,
        ..options.clone()
    })
    .map_err(|e| e.0)?;
    trial.files.keep_inside();
    while trial.work < TRIAL {
        match trial.run_thread(100_000, &mut ()) {
            RunEnd::Exit(_) | RunEnd::Unsupported(_) => break,
            _ => {}
        }
        trial.expire();
        match run::next_thread(&trial) {
            Some(next) => trial.current = next,
            None => match trial.next_deadline() {
                Some(deadline) => {
                    trial.globals.clock = deadline;
                    trial.expire();
                }
                None => break,
            },
        }
    }
    options.preload = trial.preload_list();
    drop(trial);
    let mut vm = Vm::new(options).map_err(|e| e.0)?;
    vm.files.keep_inside();
    loop {
        match vm.run_thread(1 << 40, &mut ()) {
            RunEnd::Exit(code) => {
                print_output(&mut vm);
                return Err(format!(
                    "the program ended with exit code {code} before its main method"
                ));
            }
            RunEnd::Unsupported(what) => return Err(format!("unsupported: {what}")),
            _ => {}
        }
        if vm.globals.main_started && vm.current == ThreadId(0) {
            break;
        }
        vm.current = run::next_thread(&vm).ok_or("the library's initialization is stuck")?;
    }
    // The library's own threads settle down before the program begins.
    let system: Vec<ThreadId> = vm
        .threads
        .iter()
        .filter(|t| t.system)
        .map(|t| t.id)
        .collect();
    for id in system {
        vm.current = id;
        while vm.runnable().any(|t| t == id) {
            vm.run_thread(100_000, &mut ());
        }
    }
    vm.current = ThreadId(0);
    vm.track_sharing();
    vm.output.take();
    Ok(vm)
}

fn print_output(vm: &mut Vm) {
    for (_, bytes) in vm.output.take() {
        let _ = std::io::stderr().write_all(&bytes);
    }
}

/// Runs the search with whatever strategy was named.
struct Exploration<'a> {
    vm: &'a mut Vm,
    detectors: Fanout,
    limits: Limits,
    watch: &'a mut Watch,
}

impl Use for Exploration<'_> {
    type Result = Outcome;

    fn with<S: Strategy>(mut self, mut strategy: S) -> Outcome {
        let detectors: &mut [&mut dyn heddle_model::Detector] = &mut [&mut self.detectors];
        explore(self.vm, &mut strategy, detectors, &self.limits, self.watch)
    }
}

/// The clock, Ctrl-C and the progress line.
struct Watch {
    started: Instant,
    limit: Option<Duration>,
    terminal: bool,
    shown: Instant,
}

impl Watch {
    fn new(limit: Option<f64>) -> Watch {
        signals::watch();
        let now = Instant::now();
        Watch {
            started: now,
            limit: limit.map(Duration::from_secs_f64),
            terminal: std::io::stderr().is_terminal(),
            shown: now,
        }
    }

    fn clear_line(&self) {
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
    let verdict = if !outcome.found.is_empty() {
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

fn bound_text(bound: Bound) -> &'static str {
    match bound {
        Bound::Schedules => "the number of schedules (--max-schedules)",
        Bound::Time => "the time (--max-time)",
        Bound::Depth => "the depth of a path (--max-depth)",
        Bound::Steps => "the steps of a path (--max-steps)",
        Bound::Interrupt => "interrupted",
        Bound::Error => "an error was found",
    }
}

fn show(report: &Report, args: &CheckArgs) -> Result<(), String> {
    if let Some(file) = &args.json {
        let json = json::json(report);
        if file == "-" {
            println!("{json}");
            return Ok(());
        }
        std::fs::write(file, json + "\n").map_err(|e| format!("cannot write {file}: {e}"))?;
    }
    let out = std::io::stdout();
    let terminal = out.is_terminal();
    let sources = Sources::new(args.sources.iter().map(Into::into).collect());
    let layout = text::Layout {
        colours: terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
        width: if terminal { terminal_width() } else { 120 },
        full: args.full,
        sources: &sources,
    };
    let _ = out.lock().write_all(text::text(report, &layout).as_bytes());
    Ok(())
}

fn terminal_width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    columns.unwrap_or(100)
}

fn exit_code(report: &Report) -> u8 {
    match report.verdict {
        Verdict::Ok => 0,
        Verdict::Error => 1,
        Verdict::Incomplete => 2,
        Verdict::Unsupported => CANNOT_ANSWER,
    }
}
