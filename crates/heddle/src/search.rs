//! The search of `heddle check`, with whatever strategy was named: a section of the program
//! or all of it, from the beginning or from where it was saved.

use crate::args::CheckArgs;
use crate::check::extra_stops;
use crate::jobs;
use crate::phases::AUTO;
use crate::save::{self, Question, Saved, Saver};
use crate::schedules;
use crate::start::Start;
use crate::terminal::Watch;
use crate::trace::Trace;
use heddle_detect::set::{Fanout, Filter};
use heddle_explore::strategies::{self, Cost, STRATEGIES, Section, Settings, Use};
use heddle_explore::{Earlier, Limits, Outcome, Worker, explore_on};
use heddle_model::{Detector, Rewind, Strategy};
use heddle_vm::vm::Vm;

/// Everything that a search needs.
pub struct Search<'a> {
    /// Where further machines come from.
    pub start: &'a Start,
    pub vm: &'a mut Vm,
    pub filter: Filter,
    pub trace: Option<Trace<'a>>,
    pub limits: Limits,
    pub watch: &'a mut Watch,
    pub args: &'a CheckArgs,
    pub earlier: Option<Saved>,
    /// What came before in the same search.
    pub before: Earlier,
    /// The strategy at work.
    pub name: String,
    /// How often it has looked around: each time draws samples of its own.
    pub looks: u64,
}

/// Behind the name of a strategy: what follows a state is explored only once.
const MATCHING: &str = " --match-states";

/// What came of it.
pub struct Explored {
    pub outcome: Outcome,
    /// Whether the section that was to be explored was ever entered.
    pub entered: bool,
    /// By which strategies, one after the other, and how many schedules of each.
    pub parts: Vec<(String, u64)>,
    /// The last of them took over because there are few states.
    pub by_states: bool,
}

impl Explored {
    /// Whether the search ended with a sample.
    pub fn sampled(&self) -> bool {
        self.parts
            .last()
            .is_some_and(|(name, _)| strategies::is_sampling(name))
    }

    /// Whether what follows a state was explored only once, without having been asked for.
    pub fn matched_states(&self) -> bool {
        self.parts.iter().any(|(name, _)| name.ends_with(MATCHING))
    }
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
        ("--pct-depth", args.pct_depth.map(|d| d.to_string())),
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
    pub fn run(mut self) -> Result<Explored, String> {
        match self.args.strategy.as_str() {
            AUTO => self.auto(),
            name if self.is_left_to_it() => self.deep_enough(|search| search.as_it_sees_fit(name)),
            name if strategies::is_sampling(name) => self.by(name),
            name => self.deep_enough(|search| search.by(name)),
        }
    }

    /// Explores or samples with one strategy.
    pub fn by(&mut self, name: &str) -> Result<Explored, String> {
        self.name = name.to_string();
        let (plain, matching) = match name.strip_suffix(MATCHING) {
            Some(plain) => (plain, true),
            None => (name, self.args.match_states),
        };
        let settings = Settings {
            match_states: matching,
            // A loop that is left sooner or later is no error unless somebody asks for loops.
            inevitable: !self.args.match_states,
            ..self.settings()
        };
        let explored = match self.args.jobs > 1 && strategies::can_be_shared(name) {
            true => jobs::explore_together(self, &settings),
            false => strategies::named(plain, &settings, &mut *self)
                .expect("heddle internal error: the strategy is listed"),
        };
        let mut explored = explored?;
        let schedules = explored.outcome.schedules;
        explored.parts = vec![(name.to_string(), schedules)];
        Ok(explored)
    }

    fn settings(&self) -> Settings {
        let preemptions = self.args.preemptions.map(|n| (Cost::Preemptions, n));
        let delays = self.args.delays.map(|n| (Cost::Delays, n));
        let standard = Settings::default();
        Settings {
            seed: self.start.options().seed.wrapping_add(self.looks),
            match_states: false,
            inevitable: false,
            // Who asks for states sees in which order threads come to a lock.
            lazy_mutexes: self
                .args
                .lazy_mutexes
                .unwrap_or(!self.start.options().learned.asks_for_states),
            stops: extra_stops(self.args),
            pct_depth: self.args.pct_depth.unwrap_or(standard.pct_depth),
            bound: preemptions.or(delays),
            pool: None,
        }
    }

    fn explore<S: Strategy>(&mut self, strategy: &mut S) -> Result<Outcome, String> {
        let name = &self.name;
        let saves = self.args.save.is_some() || self.args.resume.is_some();
        if saves && strategy.frontier().is_none() {
            let all = STRATEGIES.iter().map(|(name, _)| *name);
            let others: Vec<&str> = all.filter(|n| can_go_on(n)).collect();
            return Err(format!(
                "a search by {name} cannot go on later, one by {} can",
                others.join(", ")
            ));
        }
        let mut earlier = std::mem::take(&mut self.before);
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
        let mut fanout = Fanout::new(self.filter.clone());
        detectors.extend(self.trace.as_mut().map(|t| t as &mut dyn Detector));
        detectors.push(&mut fanout);
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

impl Use for &mut Search<'_> {
    type Result = Result<Explored, String>;

    fn with<S: Strategy>(self, mut strategy: S) -> Result<Explored, String> {
        let (from, until) = (self.args.from.clone(), self.args.until.clone());
        if from.is_none() && until.is_none() {
            return Ok(Explored {
                outcome: self.explore(&mut Worker::alone(strategy))?,
                entered: true,
                parts: Vec::new(),
                by_states: false,
            });
        }
        // Through a pointer: the machine is compiled once more for all strategies, not once
        // for each.
        let mut section = Section::new(&mut strategy as &mut dyn Strategy, from, until);
        Ok(Explored {
            outcome: self.explore(&mut section)?,
            entered: section.entered(),
            parts: Vec::new(),
            by_states: false,
        })
    }
}

/// Brings a machine that has been searched on back to the start of the program.
pub fn back_to_start(vm: &mut Vm) {
    if let Some(start) = vm.journal.oldest() {
        vm.rewind(start);
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
