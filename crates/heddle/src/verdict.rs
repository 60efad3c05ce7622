//! From the outcome of a search to its report: the verdict, what it is worth, what it
//! rests on.

use crate::args::CheckArgs;
use crate::search::Explored;
use crate::story::Storyteller;
use crate::terminal::Watch;
use heddle_explore::{Bound, Found, Outcome, Route, strategies};
use heddle_model::report::{Error, Missing, Report, Verdict, Worth};
use heddle_model::{Finding, FindingKind};
use heddle_vm::options::Options;
use heddle_vm::vm::Vm;
use std::sync::atomic::Ordering::Relaxed;

/// Bytecodes of a schedule up to which the report tells what threads have in common: every
/// access of one schedule is kept for that.
const LONGEST_SCOPE: u64 = 5_000_000;

/// The report of a search that is over; the machine is where the search left it.
pub fn report(
    vm: &mut Vm,
    args: &CheckArgs,
    explored: &Explored,
    options: &Options,
    watch: &Watch,
) -> Report {
    let outcome = &explored.outcome;
    // What follows is no part of the search.
    let seconds = watch.elapsed().as_secs_f64();
    let mut storyteller = Storyteller::new(vm);
    let tell = told(outcome)
        .into_iter()
        .map(|found| storyteller.error(found));
    let (warnings, errors): (Vec<Error>, Vec<Error>) = tell.partition(|e| e.kind.is_warning());
    let unsupported = outcome.unsupported.iter().map(|u| Missing {
        what: u.what.clone(),
        stack: storyteller.stack_at(&u.route),
    });
    let unsupported: Vec<Missing> = unsupported.collect();
    let mut parts = explored.parts.iter().map(|(name, _)| name);
    let by = parts.find(|name| !strategies::is_sampling(name));
    let by = by.unwrap_or(&args.strategy);
    let first = strategies::stops(by).unwrap_or_default();
    let long = outcome.work / outcome.schedules.max(1) > LONGEST_SCOPE;
    let scope = match long {
        true => None,
        false => storyteller.scope(&Route {
            first,
            ..Route::default()
        }),
    };
    Report {
        version: env!("CARGO_PKG_VERSION").into(),
        verdict: verdict(explored),
        worth: worth(explored),
        strategy: strategy(explored, args),
        seed: explored.sampled().then_some(options.seed),
        schedules: outcome.schedules,
        extra: outcome.extra,
        blocked: outcome.blocked,
        choice_points: outcome.choice_points,
        bytecodes: outcome.work,
        seconds,
        complete: outcome.complete,
        explored: outcome
            .explored
            .filter(|_| !outcome.complete && !cuts(explored, args)),
        scope,
        assumptions: assumptions(args, options, explored.matched_states()),
        bounds: bounds(explored, args),
        notes: notes(explored, args, watch),
        unsupported,
        errors,
        warnings,
    }
}

/// Whether a bound has cut off what follows from somewhere: how large that is nobody knows, and so nobody
/// knows which share of all was explored.
fn cuts(explored: &Explored, args: &CheckArgs) -> bool {
    let bounds = &explored.outcome.bounds;
    let cut = |bound: &Bound| matches!(bound, Bound::Depth | Bound::Steps);
    bounds.iter().any(cut) || args.preemptions.is_some() || args.delays.is_some()
}

/// Which strategy the verdict is of.
fn strategy(explored: &Explored, args: &CheckArgs) -> String {
    match explored.parts.last() {
        Some((last, _)) if !explored.sampled() => last.clone(),
        _ => args.strategy.clone(),
    }
}

/// What is told of what was found: errors, then what is only likely, then warnings. Deadlocks
/// that were predicted cannot happen if every schedule was run and none came to them.
pub fn told(outcome: &Outcome) -> Vec<&Found> {
    let shown = |found: &&Found| !(outcome.complete && is_prediction(&found.finding));
    let mut told: Vec<&Found> = outcome.found.iter().filter(shown).collect();
    told.sort_by_key(|f| (f.finding.kind.is_warning(), f.finding.potential));
    told
}

/// A deadlock that was predicted and that no schedule has confirmed. It is shown, and no
/// error as long as it stays that.
fn is_prediction(finding: &Finding) -> bool {
    finding.kind == FindingKind::LockCycle && finding.potential
}

/// Whether a program that shows it is wrong.
pub fn is_error(finding: &Finding) -> bool {
    !is_prediction(finding) && !finding.kind.is_warning()
}

fn verdict(explored: &Explored) -> Verdict {
    let outcome = &explored.outcome;
    if outcome.found.iter().any(|f| is_error(&f.finding)) {
        Verdict::Error
    } else if !outcome.unsupported.is_empty() || !explored.entered {
        Verdict::Unsupported
    } else if outcome.complete {
        Verdict::Ok
    } else {
        Verdict::Incomplete
    }
}

fn worth(explored: &Explored) -> Worth {
    let outcome = &explored.outcome;
    if !outcome.unsupported.is_empty() || !explored.entered {
        Worth::Blind
    } else if outcome.complete {
        Worth::Proved
    } else if explored.sampled() {
        Worth::Sampled
    } else {
        Worth::Bounded
    }
}

fn assumptions(args: &CheckArgs, options: &Options, matched_states: bool) -> Vec<String> {
    let mut model = "one input; memory as if accesses happened one after the other".to_string();
    if !args.timeouts_any {
        model += "; time-outs only when nothing else can happen (--timeouts any)";
    }
    if !args.spurious {
        model += "; no spurious wake-ups (--spurious)";
    }
    let mut assumptions = vec![model];
    if !options.trust.is_empty() {
        assumptions.push(format!(
            "code of {} is correct: a call into it is one operation",
            options.trust
        ));
    }
    if options.asked_for_processors.load(Relaxed) {
        let count = options.processors;
        assumptions.push(match count {
            1 => "1 processor (-XX:ActiveProcessorCount=N)".to_string(),
            _ => format!("{count} processors (-XX:ActiveProcessorCount=N)"),
        });
    }
    match (&args.from, &args.until) {
        (None, None) => {}
        (Some(from), None) => assumptions.push(format!("one schedule until {from} is entered")),
        (None, Some(until)) => assumptions.push(format!("one schedule once {until} is entered")),
        (Some(from), Some(until)) => assumptions.push(format!(
            "one schedule until {from} is entered, and one once {until} is"
        )),
    }
    let replaced = args.replaced.as_ref().unwrap_or(&args.strategy);
    if replaced.starts_with("exitblock") {
        assumptions.push("shared data is protected by locks".into());
    }
    if args.match_states || matched_states {
        assumptions.push(
            "races, lock orders and lock discipline are judged on the paths that were run".into(),
        );
    }
    if matched_states && !args.match_states {
        assumptions.push("a loop that can be left is left sooner or later".into());
    }
    assumptions
}

/// Everything that kept the search from being complete.
fn bounds(explored: &Explored, args: &CheckArgs) -> Vec<String> {
    let outcome = &explored.outcome;
    let mut bounds: Vec<String> = outcome.bounds.iter().map(|b| bound_text(*b)).collect();
    let blind = worth(explored) == Worth::Blind;
    let explained = outcome.complete || !bounds.is_empty() || blind;
    let most = [("preemptions", args.preemptions), ("delays", args.delays)];
    let most = most.iter().find_map(|(name, n)| Some((name, (*n)?)));
    if let Some((name, n)) = most.filter(|_| !explained) {
        bounds.push(format!("the number of {name} (--{name} {n})"));
    } else if !explained && !explored.sampled() {
        bounds.push(format!(
            "{} itself: some of the orders that it planned could not be run (--strategy dfs can)",
            args.strategy
        ));
    }
    bounds
}

/// How many schedules there were by each strategy.
fn add_up(parts: Vec<&(String, u64)>) -> Vec<(&str, u64)> {
    let mut sums: Vec<(&str, u64)> = Vec::new();
    for (name, schedules) in parts {
        match sums.iter_mut().find(|(known, _)| known == name) {
            Some((_, sum)) => *sum += schedules,
            None => sums.push((name, *schedules)),
        }
    }
    sums
}

fn notes(explored: &Explored, args: &CheckArgs, watch: &Watch) -> Vec<String> {
    let mut notes = Vec::new();
    let rehearsed = watch.rehearsed().as_secs_f64();
    if explored.outcome.bounds.contains(&Bound::Time) && rehearsed >= 1.0 {
        notes.push(format!(
            "{rehearsed:.2} s of the time were spent on runs before the search"
        ));
    }
    match explored.parts.as_slice() {
        [(explores, some), (samples, more)] if explored.sampled() => notes.push(format!(
            "explored by {explores} until its time was up ({some} schedules), then sampled by {samples} ({more})"
        )),
        _ => {
            let (samples, searches): (Vec<_>, Vec<_>) = explored
                .parts
                .iter()
                .partition(|(name, _)| strategies::is_sampling(name));
            if !samples.is_empty() && !searches.is_empty() {
                let samples = add_up(samples).into_iter();
                let samples = samples.map(|(name, schedules)| format!("{schedules} by {name}"));
                let samples: Vec<String> = samples.collect();
                notes.push(format!(
                    "samples were drawn besides, to look for errors far off: {}",
                    samples.join(", ")
                ));
            }
            if let [(first, some), (second, _)] = searches.as_slice() {
                notes.push(match explored.by_states {
                    true => format!(
                        "{first} came to no end ({some} schedules), but there are few states: {second} took over"
                    ),
                    false => format!(
                        "some of the orders that {first} planned could not be run ({some} schedules), so {second} took over"
                    ),
                });
            }
        }
    }
    match explored.outcome.blocked {
        0 => {}
        1 => notes.push("one schedule was begun in vain".into()),
        more => notes.push(format!("{more} schedules were begun in vain")),
    }
    if let Some(replaced) = &args.replaced {
        notes.push(format!(
            "{replaced} leaves out states in which all threads wait (--spurious), so {} took over",
            args.strategy
        ));
    }
    if !explored.entered {
        let from = args.from.as_deref().unwrap_or_default();
        notes.push(format!(
            "no thread entered {from}, where the search was to begin (--from): nothing was explored"
        ));
    }
    notes
}

/// What ended a search early.
pub fn bound_text(bound: Bound) -> String {
    let text = match bound {
        Bound::Schedules => "the number of schedules (--max-schedules)",
        Bound::Time => "the time (--max-time)",
        Bound::Depth => {
            "the depth of a path (--max-depth); for a program that runs for ever see --match-states"
        }
        Bound::Steps => "the steps of a path (--max-steps)",
        Bound::Memory => "the memory that it used (--max-memory)",
        Bound::Interrupt => "you, with a signal",
        Bound::Error => "an error was found, and no other for a while (--keep-going goes on)",
    };
    text.to_string()
}

/// The exit code that a verdict stands for; their sum if there are two answers: an error,
/// and paths that could not be run.
pub fn exit_code(report: &Report) -> u8 {
    match report.verdict {
        Verdict::Ok => 0,
        Verdict::Error if !report.unsupported.is_empty() => 1 + crate::CANNOT_ANSWER,
        Verdict::Error => 1,
        Verdict::Incomplete => 2,
        Verdict::Unsupported => crate::CANNOT_ANSWER,
    }
}
