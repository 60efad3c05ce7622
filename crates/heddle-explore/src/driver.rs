//! The search loop: runs the machine from choice to choice, asks the strategy, lets the
//! detectors judge, and goes back where the strategy says.
//!
//! The machine and the detectors are marked at choice points and rewound together. A
//! strategy names depths and never sees a mark: where none was kept (it did not expect to
//! come back, marks are thinned out, or a confirmation run ended them) the driver rewinds
//! to the last one that was and runs the picks from there again, with the strategy not
//! listening and the findings thrown away.
//!
//! A finding is reported only after its route was run once more from the very start and
//! gave it again. The confirmation ends in the state in which the path was interrupted,
//! so the path simply goes on.
//!
//! Where nothing can happen but that waits end without a reason, the detectors are asked as at
//! the end of a path on which nobody can go on: no wait has to end like that.
//!
//! Nothing here reads a clock: time is a matter of [`Control::tick`]. Memory does not
//! grow with the number of schedules, only with the length of a path and the number of
//! different errors.

use crate::alone::Alone;
use crate::estimate::Levels;
use crate::shorten::Shortener;
use crate::{
    Bound, Budget, Control, Earlier, Estimate, Found, Limits, OnError, Outcome, Progress, Route,
    Taken, Tick, Unsupported,
};
use heddle_model::{
    Choice, Decision, Detector, End, Event, EventMask, Finding, Findings, Machine, Mark, Next,
    Observer, OpMask, Over, Pick, Stop, Strategy, View,
};
use std::cell::Cell;

/// Explores the schedules of a program that stands at its start.
pub fn explore<M: Machine, S: Strategy>(
    machine: &mut M,
    strategy: &mut S,
    detectors: &mut [&mut dyn Detector],
    limits: &Limits,
    control: &mut dyn Control,
) -> Outcome {
    let nothing = Earlier::default();
    explore_on(machine, strategy, detectors, limits, control, &nothing)
}

/// Goes on with a search: the strategy was told where, and this is what had been found out
/// by then.
pub fn explore_on<M: Machine, S: Strategy>(
    machine: &mut M,
    strategy: &mut S,
    detectors: &mut [&mut dyn Detector],
    limits: &Limits,
    control: &mut dyn Control,
    earlier: &Earlier,
) -> Outcome {
    let detector_wants: Vec<EventMask> = detectors.iter().map(|d| d.wants()).collect();
    let union = detector_wants
        .iter()
        .fold(EventMask::NONE, |all, one| all.and(*one));
    let placed = control.wanted().filter(|f| !f.lines.is_empty());
    let only = placed.map(|f| (f.kind, f.lines.clone()));
    let mut search = Search {
        strategy_wants: strategy.wants(),
        detector_wants,
        union,
        root: machine.mark(),
        root_marks: detectors.iter_mut().map(|d| d.mark()).collect(),
        marks: Vec::new(),
        detector_marks: Vec::new(),
        route: Route::default(),
        findings: Findings {
            only,
            ..Findings::default()
        },
        outcome: earlier.so_far.clone(),
        work_before: earlier.so_far.work,
        levels: Levels::default(),
        alone: Alone::new(),
        path_work: 0,
        shown: Vec::new(),
        gave_up: false,
        since_tick: 0,
        work_at_tick: 0,
        machine,
        strategy,
        detectors,
        limits,
        control,
    };
    search.recall(&earlier.found);
    if !earlier.over {
        search.run();
    }
    search.shorten();
    search.outcome
}

/// Choice points between two ticks, and instructions. What a strategy does at the end of a path
/// may take longer than many of them.
const TICK_POINTS: u32 = 512;
const POINTS_PER_PATH: u32 = 8;
const TICK_WORK: u64 = 5_000_000;

struct Search<'a, 'd, M: Machine, S: Strategy> {
    machine: &'a mut M,
    strategy: &'a mut S,
    detectors: &'a mut [&'d mut dyn Detector],
    limits: &'a Limits,
    control: &'a mut dyn Control,

    strategy_wants: EventMask,
    detector_wants: Vec<EventMask>,
    /// What any of the detectors wants.
    union: EventMask,

    /// The state before the first run.
    root: Mark,
    root_marks: Vec<Mark>,
    /// By growing depth.
    marks: Vec<Kept>,
    /// For each of `marks`, one of each detector.
    detector_marks: Vec<Mark>,

    route: Route,
    findings: Findings,
    outcome: Outcome,
    levels: Levels,
    alone: Alone,
    /// Instructions of earlier parts of the search.
    work_before: u64,
    /// Instructions of the present path.
    path_work: u64,
    /// The findings of the present path, and the depths at which it came to them.
    shown: Vec<(usize, usize)>,
    /// The last run was left in its middle, since the search is to end.
    gave_up: bool,
    since_tick: u32,
    work_at_tick: u64,
}

struct Kept {
    depth: usize,
    mark: Mark,
    path_work: u64,
}

/// What the search does after a stop.
enum Then {
    Run,
    PathOver(Over),
    End(Bound),
}

impl<M: Machine, S: Strategy> Search<'_, '_, M, S> {
    fn run(&mut self) {
        let mut stop = self.begin();
        loop {
            let then = self.judge(stop);
            let then = match then {
                Some(then) => then,
                None => self.choose(),
            };
            stop = match then {
                Then::Run => self.go(),
                Then::End(bound) => return self.finish(Some(bound)),
                Then::PathOver(over) => match self.path_over(over) {
                    Some(stop) => stop,
                    None => return,
                },
            };
        }
    }

    /// From the very start to the first stop.
    fn begin(&mut self) -> Stop {
        self.route.taken.clear();
        self.shown.clear();
        self.path_work = 0;
        self.route.first = self.strategy.stops().and(self.limits.stops);
        self.run_machine(self.route.first, true)
    }

    /// On from a choice that was taken to the next stop.
    fn go(&mut self) -> Stop {
        let mut stops = self.strategy.stops().and(self.limits.stops);
        if self.alone.asks_for_state(self.route.taken.len()) {
            stops = stops.and(OpMask::STATE);
        }
        let last = self.route.taken.last_mut().expect("a choice was taken");
        last.stops = stops;
        self.run_machine(stops, true)
    }

    fn run_machine(&mut self, stops: OpMask, listening: bool) -> Stop {
        let before = self.machine.work();
        let strategy_wants = if listening {
            self.strategy_wants
        } else {
            EventMask::NONE
        };
        let mut fan = Fan {
            mask: strategy_wants.and(self.union),
            strategy: self.strategy,
            strategy_wants,
            detectors: self.detectors,
            detector_wants: &self.detector_wants,
            union: self.union,
            findings: &mut self.findings,
            depth: self.route.taken.len(),
            control: &*self.control,
            known: !listening,
            gave_up: Cell::new(false),
        };
        let stop = self.machine.run(stops, &mut fan);
        self.gave_up |= fan.gave_up.get();
        self.path_work += self.machine.work() - before;
        stop
    }

    /// Lets the detectors look at a stop, and sees to what they found. `None` if it is a
    /// choice that the strategy has to make.
    fn judge(&mut self, stop: Stop) -> Option<Then> {
        if self.gave_up {
            // It stopped just anywhere, where it will not stop again.
            return Some(Then::End(match self.control.interrupted() {
                true => Bound::Interrupt,
                false => Bound::Time,
            }));
        }
        self.route.end = self.end_at(&stop);
        self.show(&stop);
        if !(self.findings.new.is_empty() && self.findings.again.is_empty())
            && let Some(bound) = self.sort_findings()
        {
            return Some(Then::End(bound));
        }
        match stop {
            Stop::Choice => {}
            Stop::Ended(End::Exited(code)) => return Some(Then::PathOver(Over::Exited(code))),
            Stop::Ended(End::Repeats(_)) => return Some(Then::PathOver(Over::Pruned)),
            Stop::Ended(End::StepLimit(_)) => {
                self.hit(Bound::Steps);
                return Some(Then::PathOver(Over::Cut));
            }
            Stop::Ended(End::Stuck) => {
                let pause = self.machine.point().pause;
                return Some(Then::PathOver(Over::Stuck(pause)));
            }
            Stop::Unsupported(what) => {
                if self.outcome.unsupported.iter().all(|u| u.what != what) {
                    let route = self.route.clone();
                    self.outcome.unsupported.push(Unsupported { what, route });
                }
                return Some(Then::PathOver(Over::Cut));
            }
        }
        let depth = self.route.taken.len();
        self.outcome.choice_points += 1;
        self.outcome.deepest = self.outcome.deepest.max(depth + 1);
        if let Some(bound) = self.tick(1) {
            return Some(Then::End(bound));
        }
        if let Some(then) = self.look_for_rounds() {
            return Some(then);
        }
        if self.limits.depth.is_some_and(|most| depth >= most) {
            self.hit(Bound::Depth);
            return Some(Then::PathOver(Over::Cut));
        }
        if self.limits.steps.is_some_and(|most| self.path_work > most) {
            self.hit(Bound::Steps);
            return Some(Then::PathOver(Over::Cut));
        }
        None
    }

    /// How the execution ended at a stop, or may have.
    fn end_at(&self, stop: &Stop) -> Option<End> {
        let rests = *stop == Stop::Choice && self.machine.point().is_at_rest();
        rests.then_some(End::Stuck).or_else(|| stop.end())
    }

    /// Shows a stop to the detectors.
    fn show(&mut self, stop: &Stop) {
        for detector in self.detectors.iter_mut() {
            match stop {
                Stop::Choice => {
                    let view: &dyn View = &*self.machine;
                    let point = self.machine.point();
                    detector.pause(&point, view, &mut self.findings);
                    if point.is_at_rest() {
                        detector.end(&End::Stuck, view, &mut self.findings);
                    }
                }
                Stop::Ended(end) => detector.end(end, &*self.machine, &mut self.findings),
                Stop::Unsupported(_) => {}
            }
        }
    }

    /// Asks the strategy at a choice point.
    fn choose(&mut self) -> Then {
        let depth = self.route.taken.len();
        while let Some(supposed) = self.strategy.wonders(&*self.machine) {
            let answer = self.machine.suppose(&supposed);
            self.strategy.told(answer);
        }
        let point = self.machine.point();
        let (pick, returns) = match self.strategy.choose(&point, &*self.machine, depth) {
            Decision::Prune => return Then::PathOver(Over::Pruned),
            Decision::Cycle { since } => return self.cycle(since),
            Decision::Take(pick) => (pick, true),
            Decision::Last(pick) => (pick, false),
        };
        let choice = point.options[pick.0];
        if returns && self.marks.last().is_none_or(|m| m.depth < depth) {
            self.keep(depth);
            self.levels.enter(depth);
        }
        self.take(pick, choice);
        Then::Run
    }

    /// Whether nobody has a choice any more, and the path goes round for ever.
    fn look_for_rounds(&mut self) -> Option<Then> {
        let depth = self.route.taken.len();
        if self.machine.point().options.len() > 1 {
            self.alone.begins(depth + 1);
            return None;
        }
        let asks = self.alone.asks_for_state(depth);
        let state = asks.then(|| self.machine.state()).flatten();
        let length = self.alone.meets(depth, state)?;
        let since = self.first_round(length);
        match self.cycle(since) {
            Then::PathOver(_) => Some(Then::PathOver(Over::Cut)),
            then => Some(then),
        }
    }

    /// The depth at which the first of the rounds of this length begins that the path ends
    /// with; the others are taken off the path.
    fn first_round(&mut self, length: usize) -> usize {
        let from = self.alone.since;
        let stretch = self.route.taken[from..].to_vec();
        let shown = self.shown.clone();
        self.go_back(from);
        let mut states = vec![self.machine.state()];
        for (at, taken) in (from..).zip(stretch) {
            self.route.taken.push(Taken {
                stops: taken.stops.and(OpMask::STATE),
                ..taken
            });
            self.again(Some(at));
            states.push(self.machine.state());
            let before = states.len().checked_sub(1 + length);
            let state = self.machine.state();
            if state.is_some() && before.is_some_and(|before| states[before] == state) {
                break;
            }
        }
        self.shown = shown;
        self.route.taken.len() - length
    }

    /// The path has come back to where it was at this depth.
    fn cycle(&mut self, since: usize) -> Then {
        let mut threads: Vec<_> = self.route.taken[since..]
            .iter()
            .map(|taken| taken.choice.thread())
            .collect();
        threads.sort();
        threads.dedup();
        let stop = Stop::Ended(End::Repeats(threads));
        self.route.round = Some(since);
        let then = self.judge(stop);
        self.route.round = None;
        then.unwrap_or(Then::PathOver(Over::Pruned))
    }

    fn take(&mut self, pick: Pick, choice: Choice) {
        self.machine.take(pick);
        self.route.taken.push(Taken {
            pick,
            choice,
            stops: OpMask::NONE,
        });
    }

    fn keep(&mut self, depth: usize) {
        if depth.is_multiple_of(self.limits.mark_every.max(1)) {
            let mark = self.machine.mark();
            self.marks.push(Kept {
                depth,
                mark,
                path_work: self.path_work,
            });
            self.detector_marks
                .extend(self.detectors.iter_mut().map(|d| d.mark()));
        }
    }

    /// Goes where the strategy says; the next stop to look at, or `None` at the end of the
    /// search.
    fn path_over(&mut self, mut over: Over) -> Option<Stop> {
        loop {
            self.outcome.paths += 1;
            if over != Over::Pruned {
                self.levels.leaf();
            }
            let before = self.done();
            let next = self.strategy.next(&over);
            self.count_shown(before);
            if next == Next::Done {
                self.finish(None);
                return None;
            }
            if self
                .limits
                .schedules
                .is_some_and(|most| self.done() >= most)
            {
                self.finish(Some(Bound::Schedules));
                return None;
            }
            if let Some(bound) = self.tick(POINTS_PER_PATH) {
                self.finish(Some(bound));
                return None;
            }
            if self.control.wants_save()
                && let Some(frontier) = self.strategy.frontier()
            {
                self.sum_up();
                self.control.save(&frontier, &self.outcome);
            }
            let Next::Backtrack { depth } = next else {
                self.alone.begins(0);
                self.go_to_root();
                return Some(self.begin());
            };
            self.alone.begins(depth);
            self.levels.back(depth);
            self.go_back(depth);
            match self.choose() {
                Then::PathOver(again) => over = again,
                Then::Run | Then::End(_) => return Some(self.go()),
            }
        }
    }

    /// The present path shows one of the findings.
    fn shows(&mut self, at: usize) {
        if self.shown.iter().all(|(_, shown)| *shown != at) {
            self.shown.push((self.route.taken.len(), at));
        }
    }

    /// Schedules that the strategy has counted.
    fn done(&self) -> u64 {
        self.strategy.schedules() + self.strategy.extra()
    }

    /// Counts the path that is over for each of its findings, if the strategy has counted it: others
    /// are a part of one that is counted elsewhere. Where all is counted anew, these are, too.
    fn count_shown(&mut self, before: u64) {
        let done = self.done();
        if done < before {
            self.outcome.found.iter_mut().for_each(|f| f.times = 0);
        }
        if self.limits.errors == OnError::Count && done > before {
            for (_, at) in &self.shown {
                self.outcome.found[*at].times += 1;
            }
        }
    }

    /// Brings the machine back to the choice point at `depth` of the present route.
    fn go_back(&mut self, depth: usize) {
        while self.marks.last().is_some_and(|m| m.depth > depth) {
            self.marks.pop();
        }
        self.detector_marks
            .truncate(self.marks.len() * self.detectors.len());
        let mut at = match self.marks.last() {
            Some(kept) => {
                self.machine.rewind(kept.mark);
                self.path_work = kept.path_work;
                let first = self.detector_marks.len() - self.detectors.len();
                for (detector, mark) in self.detectors.iter_mut().zip(&self.detector_marks[first..])
                {
                    detector.rewind(*mark);
                }
                kept.depth
            }
            None => {
                self.go_to_root();
                self.path_work = 0;
                self.again(None);
                0
            }
        };
        while at < depth {
            self.again(Some(at));
            at += 1;
        }
        self.route.taken.truncate(depth);
        self.shown.retain(|(shown, _)| *shown <= depth);
    }

    /// Runs once more what was run after the choice at `at` (or at the very start).
    fn again(&mut self, at: Option<usize>) {
        let stops = match at {
            None => self.route.first,
            Some(at) => {
                self.machine.take(self.route.taken[at].pick);
                self.route.taken[at].stops
            }
        };
        let stop = self.run_machine(stops, false);
        self.show(&stop);
        self.findings.new.clear();
        self.findings.again.clear();
        assert!(
            stop == Stop::Choice,
            "heddle internal error: a prefix that was run again ended with {stop:?}"
        );
    }

    /// Back to the state before the first run.
    fn go_to_root(&mut self) {
        self.marks.clear();
        self.detector_marks.clear();
        self.machine.rewind(self.root);
        for (detector, mark) in self.detectors.iter_mut().zip(&self.root_marks) {
            detector.rewind(*mark);
        }
    }

    /// Keeps what is new among the findings of the last run. The bound to end with, if
    /// the search is to end at an error.
    fn sort_findings(&mut self) -> Option<Bound> {
        for at in std::mem::take(&mut self.findings.again) {
            self.shows(at);
        }
        for finding in std::mem::take(&mut self.findings.new) {
            let confirmed = self.confirm(&finding);
            let index = self.done();
            let route = self.route.clone();
            let predicted = self.findings.known.iter().position(|f| finding.covers(f));
            let found = Found {
                finding: finding.clone(),
                route,
                index,
                confirmed,
                times: predicted.map_or(0, |at| self.outcome.found[at].times),
            };
            self.control.found(&found);
            self.shows(predicted.unwrap_or(self.outcome.found.len()));
            match predicted {
                Some(at) => {
                    self.outcome.found[at] = found;
                    self.findings.known[at] = finding;
                }
                None => {
                    self.outcome.found.push(found);
                    self.findings.known.push(finding);
                }
            }
            if self.limits.errors == OnError::Stop {
                return Some(Bound::Error);
            }
        }
        None
    }

    /// Whether the present route, run from the start, gives the finding again. The machine
    /// ends up where it was.
    fn confirm(&mut self, finding: &Finding) -> bool {
        let found = self.run_route();
        let found =
            found.expect("heddle internal error: the machine went another way on a known route");
        found.iter().any(|f| f.covers(finding))
    }

    /// Runs the present route from the start; what was found on it, or `None` if the
    /// machine goes another way.
    fn run_route(&mut self) -> Option<Vec<Finding>> {
        self.go_to_root();
        let known = std::mem::take(&mut self.findings.known);
        let path_work = self.path_work;
        let mut stop = self.run_machine(self.route.first, false);
        self.show(&stop);
        let mut same = true;
        for at in 0..self.route.taken.len() {
            let Taken {
                pick,
                choice,
                stops,
            } = self.route.taken[at];
            same =
                stop == Stop::Choice && self.machine.point().options.get(pick.0) == Some(&choice);
            if !same {
                break;
            }
            self.machine.take(pick);
            stop = self.run_machine(stops, false);
            self.show(&stop);
        }
        if let Some(end @ End::Repeats(_)) = &self.route.end {
            self.show(&Stop::Ended(end.clone()));
        }
        self.path_work = path_work;
        self.route.end = self.end_at(&stop);
        let found = std::mem::take(&mut self.findings.new);
        self.findings.again.clear();
        self.findings.known = known;
        same.then_some(found)
    }

    /// Finds again what an earlier part of the search found: numbers of methods and objects
    /// are another process's, and routes are not.
    fn recall(&mut self, earlier: &[Found]) {
        for found in earlier {
            self.route = found.route.clone();
            let again = self.run_route().unwrap_or_default();
            let is_it =
                |f: &&Finding| f.kind == found.finding.kind && f.message == found.finding.message;
            let finding = again.iter().find(is_it);
            let finding = finding.cloned().unwrap_or_else(|| found.finding.clone());
            let known = self.findings.known.iter().position(|f| f.covers(&finding));
            if let Some(known) = known {
                // Several workers have found it.
                self.outcome.found[known].times += found.times;
                continue;
            }
            self.findings.known.push(finding.clone());
            self.outcome.found.push(Found {
                finding,
                route: self.route.clone(),
                ..found.clone()
            });
        }
        if !earlier.is_empty() {
            self.go_to_root();
        }
    }

    /// Looks for shorter ways to the errors.
    fn shorten(&mut self) {
        let mut left = self.limits.shorten.times(4);
        for at in 0..self.outcome.found.len() {
            let found = &self.outcome.found[at];
            if !found.confirmed || found.finding.potential || left == Budget::NONE {
                continue;
            }
            let mut shortener = Shortener {
                machine: self.machine,
                detectors: self.detectors,
                root: self.root,
                root_marks: &self.root_marks,
                limits: self.limits,
                control: self.control,
            };
            self.outcome.found[at] = shortener.shorten(found, &mut left);
        }
    }

    #[inline]
    fn tick(&mut self, points: u32) -> Option<Bound> {
        if self.control.interrupted() {
            return Some(Bound::Interrupt);
        }
        self.since_tick += points;
        let due =
            self.since_tick >= TICK_POINTS || self.machine.work() - self.work_at_tick >= TICK_WORK;
        if !due {
            return None;
        }
        let points = std::mem::take(&mut self.since_tick);
        self.work_at_tick = self.machine.work();
        let progress = self.progress(points as usize);
        match self.control.tick(&progress) {
            Tick::GoOn => None,
            Tick::Stop(bound) => Some(bound),
        }
    }

    fn progress(&mut self, points: usize) -> Progress {
        let size = self.told_size().or_else(|| {
            let left = |depth| self.strategy.left(depth);
            self.levels.estimate_now_and_then(points, left)
        });
        Progress {
            schedules: self.strategy.schedules(),
            extra: self.strategy.extra(),
            blocked: self.strategy.blocked(),
            choice_points: self.outcome.choice_points,
            depth: self.route.taken.len(),
            work: self.machine.work(),
            found: self.outcome.found.len(),
            size,
            explored: self.explored(size),
        }
    }

    /// How many schedules there seem to be in all, if the strategy knows.
    fn told_size(&self) -> Option<Estimate> {
        let told = self.strategy.size();
        told.map(|(size, error)| Estimate { size, error })
    }

    /// The share of them that was explored.
    fn explored(&self, size: Option<Estimate>) -> Option<f64> {
        let share = |size: Estimate| self.strategy.schedules() as f64 / size.size.max(1.0);
        let share = self.strategy.explored().or_else(|| size.map(share));
        share.map(|share| share.min(1.0))
    }

    fn hit(&mut self, bound: Bound) {
        if let Err(at) = self.outcome.bounds.binary_search(&bound) {
            self.outcome.bounds.insert(at, bound);
        }
    }

    /// Brings the counts of the outcome up to date.
    fn sum_up(&mut self) {
        self.outcome.schedules = self.strategy.schedules();
        self.outcome.extra = self.strategy.extra();
        self.outcome.blocked = self.strategy.blocked();
        self.outcome.work = self.work_before + self.machine.work();
        let left = |depth| self.strategy.left(depth);
        let size = self.told_size().or_else(|| self.levels.estimate(left));
        self.outcome.explored = self.explored(size);
    }

    fn finish(&mut self, bound: Option<Bound>) {
        if let Some(bound) = bound {
            self.hit(bound);
            self.outcome.frontier = self.strategy.frontier();
        }
        self.sum_up();
        self.outcome.last = std::mem::take(&mut self.route);
        self.outcome.complete = self.outcome.bounds.is_empty()
            && self.outcome.unsupported.is_empty()
            && self.strategy.complete();
    }
}

/// Tells the strategy and the detectors what happens.
struct Fan<'a, 'd, S> {
    mask: EventMask,
    strategy: &'a mut S,
    strategy_wants: EventMask,
    detectors: &'a mut [&'d mut dyn Detector],
    detector_wants: &'a [EventMask],
    union: EventMask,
    findings: &'a mut Findings,
    depth: usize,
    control: &'a dyn Control,
    /// A route that was run before is run again: it has to stop where it did then.
    known: bool,
    gave_up: Cell<bool>,
}

impl<S: Strategy> Observer for Fan<'_, '_, S> {
    const WANTS: EventMask = EventMask::ALL;

    fn mask(&self) -> EventMask {
        self.mask
    }

    fn gives_up(&self) -> bool {
        let gives_up = !self.known && self.control.time_is_up();
        self.gave_up.set(gives_up);
        gives_up
    }

    #[inline]
    fn event(&mut self, event: &Event, view: &dyn View) {
        let kind = event.kind.mask();
        if self.strategy_wants.has(kind) {
            self.strategy.event(event, view, self.depth);
        }
        if self.union.has(kind) {
            for (detector, wants) in self.detectors.iter_mut().zip(self.detector_wants) {
                if wants.has(kind) {
                    detector.event(event, view, self.findings);
                }
            }
        }
    }
}
