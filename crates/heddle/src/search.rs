//! The search of `heddle check`, with whatever strategy was named: a section of the program
//! or all of it, from the beginning or from where it was saved.

use crate::args::CheckArgs;
use crate::check::extra_stops;
use crate::save::{self, Question, Saved, Saver};
use crate::schedules;
use crate::start::Start;
use crate::terminal::Watch;
use crate::trace::Trace;
use heddle_detect::set::Fanout;
use heddle_explore::strategies::{self, STRATEGIES, Section, Settings, Use};
use heddle_explore::{Earlier, Limits, Outcome, explore_on};
use heddle_model::{Detector, Strategy};
use heddle_vm::vm::Vm;

/// Everything that a search needs.
pub struct Search<'a> {
    pub vm: &'a mut Vm,
    pub detectors: Fanout,
    pub trace: Option<Trace<'a>>,
    pub limits: Limits,
    pub watch: &'a mut Watch,
    pub args: &'a CheckArgs,
    pub earlier: Option<Saved>,
}

/// What came of it.
pub struct Explored {
    pub outcome: Outcome,
    /// Whether the section that was to be explored was ever entered.
    pub entered: bool,
}

/// Reads the search that is to go on, and sees to it that this one is saved.
pub fn earlier(
    args: &CheckArgs,
    start: &Start,
    watch: &mut Watch,
) -> Result<Option<Saved>, String> {
    let Some(file) = args.save.as_ref().or(args.resume.as_ref()) else {
        return Ok(None);
    };
    let question = question(args, start)?;
    let earlier = match &args.resume {
        Some(file) => Some(save::read(file, &question)?),
        None => None,
    };
    if let Some(earlier) = &earlier {
        watch.goes_on(earlier.elapsed);
    }
    let saver = Saver::new(file, question, earlier.as_ref())?;
    watch.saves(saver, args.save_every);
    Ok(earlier)
}

/// What makes it this search and not another one.
fn question(args: &CheckArgs, start: &Start) -> Result<Question, String> {
    let header = schedules::header(start, args)?;
    let mut search = vec![args.strategy.clone()];
    if strategies::is_sampling(&args.strategy) {
        search.push(format!("--seed={}", start.options().seed));
    }
    let depth = args.max_depth.map(|d| d.to_string());
    for (name, value) in [
        ("--from", args.from.clone()),
        ("--until", args.until.clone()),
        ("--max-depth", depth),
        ("--keep-going", args.keep_going.then(String::new)),
        ("--match-states", args.match_states.then(String::new)),
    ] {
        search.extend(value.map(|v| format!("{name}={v}")));
    }
    Ok(Question::new(&header, search))
}

impl Search<'_> {
    pub fn run(self, seed: u64) -> Result<Explored, String> {
        let name = &self.args.strategy;
        let settings = Settings {
            seed,
            match_states: self.args.match_states,
            stops: extra_stops(self.args),
            ..Settings::default()
        };
        strategies::named(name, &settings, self)
            .expect("heddle internal error: the strategy is listed")
    }

    fn explore<S: Strategy>(&mut self, strategy: &mut S) -> Result<Outcome, String> {
        let name = &self.args.strategy;
        let saves = self.args.save.is_some() || self.args.resume.is_some();
        if saves && strategy.frontier().is_none() {
            let all = STRATEGIES.iter().map(|(name, _)| *name);
            let others: Vec<&str> = all.filter(|n| can_go_on(n)).collect();
            return Err(format!(
                "a search by {name} cannot go on later, one by {} can",
                others.join(", ")
            ));
        }
        let mut earlier = Earlier::default();
        if let Some(saved) = self.earlier.take() {
            let frontier = saved.frontier.as_deref();
            if !frontier.is_none_or(|frontier| strategy.resume(frontier)) {
                return Err(format!("what was saved is not where {name} can go on"));
            }
            earlier = match saved.so_far.complete {
                true => Earlier::over(saved.so_far),
                false => Earlier::new(saved.so_far),
            };
        }
        let mut detectors: Vec<&mut dyn Detector> = Vec::new();
        detectors.extend(self.trace.as_mut().map(|t| t as &mut dyn Detector));
        detectors.push(&mut self.detectors);
        Ok(explore_on(
            self.vm,
            strategy,
            &mut detectors,
            &self.limits,
            self.watch,
            &earlier,
        ))
    }
}

impl Use for Search<'_> {
    type Result = Result<Explored, String>;

    fn with<S: Strategy>(mut self, mut strategy: S) -> Result<Explored, String> {
        let (from, until) = (self.args.from.clone(), self.args.until.clone());
        if from.is_none() && until.is_none() {
            return Ok(Explored {
                outcome: self.explore(&mut strategy)?,
                entered: true,
            });
        }
        // Through a pointer: the machine is compiled once more for all strategies, not once
        // for each.
        let mut section = Section::new(&mut strategy as &mut dyn Strategy, from, until);
        Ok(Explored {
            outcome: self.explore(&mut section)?,
            entered: section.entered(),
        })
    }
}

fn can_go_on(name: &str) -> bool {
    struct Asks;
    impl Use for Asks {
        type Result = bool;
        fn with<S: Strategy>(self, strategy: S) -> bool {
            strategy.frontier().is_some()
        }
    }
    strategies::named(name, &Settings::default(), Asks).unwrap_or(false)
}
