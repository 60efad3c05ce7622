//! The shortest counterexample: the same error with the fewest context switches.
//!
//! First the route that was found is simplified: pieces of a thread are moved next to its
//! other pieces, or left out, and the result is followed as far as the program allows
//! (Jalbert, Sen: A trace simplification technique for effective debugging of concurrent
//! programs, FSE 2010). That is quick however long the route is. Then all schedules with no
//! switch, one switch, … up to one less than are left are searched, within a budget. If the
//! budget suffices nothing shorter exists.
//!
//! At last switches are moved out of the middle of what the library does ([`Stands::Within`]),
//! where that makes no difference: a JVM cannot be stopped there.
//!
//! An error is the same if it is of the same kind at the same lines, see
//! [`Finding::covers`]. A switch is where another thread goes on than the one that ran,
//! whether it had to or not.

use crate::strategies::{Bounded, Cost};
use crate::{Bound, Control, Found, Limits, OnError, Progress, Route, Tick, Worker, explore};
use heddle_model::schedule::record::Stands;
use heddle_model::{
    Choice, ChoicePoint, Decision, Detector, Finding, Machine, Mark, Next, OpMask, Over, Pause,
    Pick, Strategy, ThreadId, View,
};

/// What may be spent on one error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Choice points.
    pub points: u64,
    /// Instructions.
    pub work: u64,
}

impl Budget {
    /// The errors stay as they were found.
    pub const NONE: Budget = Budget { points: 0, work: 0 };

    pub(crate) fn times(self, n: u64) -> Budget {
        Budget {
            points: self.points.saturating_mul(n),
            work: self.work.saturating_mul(n),
        }
    }

    /// At least one point, so that everything ends.
    fn spend(&mut self, points: u64, work: u64) {
        self.points = self.points.saturating_sub(points.max(1));
        self.work = self.work.saturating_sub(work);
        if self.points == 0 || self.work == 0 {
            *self = Budget::NONE;
        }
    }
}

/// Shortens routes on a machine that can be brought back to its start.
pub(crate) struct Shortener<'a, 'd, M> {
    pub machine: &'a mut M,
    pub detectors: &'a mut [&'d mut dyn Detector],
    pub root: Mark,
    pub root_marks: &'a [Mark],
    pub limits: &'a Limits,
    pub control: &'a mut dyn Control,
}

impl<M: Machine> Shortener<'_, '_, M> {
    /// The same error by the shortest route that was found; as it was if there is none
    /// shorter.
    pub fn shorten(&mut self, found: &Found, total: &mut Budget) -> Found {
        let most = Budget {
            points: self.limits.shorten.points.min(total.points),
            work: self.limits.shorten.work.min(total.work),
        };
        let mut left = most;
        self.go_to_root();
        self.machine.run(found.route.first, &mut ());
        let initial = self.machine.point().by;
        let mut best = Best {
            switches: switches(&found.route, initial),
            found: found.clone(),
        };
        self.simplify(&mut best, initial, &mut left);
        if best.switches > 0 && left != Budget::NONE {
            let stops = OpMask::VISIBLE.and(self.limits.stops);
            let search = Bounded::new(Cost::Switches, best.switches as u32 - 1, stops);
            if let Some(shorter) = self.seek(&mut search.merging(), &found.finding, &mut left) {
                best.found = shorter;
            }
        }
        self.leave_outside(&mut best, initial, &mut left);
        total.spend(most.points - left.points, most.work - left.work);
        Found {
            index: found.index,
            times: found.times,
            ..best.found
        }
    }

    /// Lets threads that are left in the middle of what the library does go on to where that is
    /// over, or stop a few steps before it, if the error stays the same.
    fn leave_outside(&mut self, best: &mut Best, initial: ThreadId, left: &mut Budget) {
        let stops = stops(&best.found.route);
        let pieces = pieces(&best.found.route);
        let fewer = |at: usize| (1..=pieces[at].len().min(STEPS_BACK)).map(move |n| Some((at, n)));
        let earlier = (0..pieces.len()).flat_map(fewer);
        for earlier in std::iter::once(None).chain(earlier) {
            if *left == Budget::NONE || self.control.interrupted() {
                return;
            }
            let mut follow = Follow {
                plan: with_fewer_steps(&pieces, earlier),
                stops,
                running: initial,
                left: switches(&best.found.route, initial),
                within: Within::Avoided { met: false },
            };
            let shown = self.seek(&mut follow, &best.found.finding.clone(), left);
            if follow.within == (Within::Avoided { met: false }) && earlier.is_none() {
                return;
            }
            if let Some(shown) = shown {
                best.found = shown;
                return;
            }
        }
    }

    /// Moves pieces of threads together as long as that helps.
    fn simplify(&mut self, best: &mut Best, initial: ThreadId, left: &mut Budget) {
        let stops = stops(&best.found.route);
        // The search proper gets at least half.
        let keep = left.points / 2;
        'again: while best.switches > 0 {
            let pieces = pieces(&best.found.route);
            for plan in moves(&pieces) {
                if left.points <= keep || self.control.interrupted() {
                    return;
                }
                let mut follow = Follow {
                    plan,
                    stops,
                    running: initial,
                    left: best.switches - 1,
                    within: Within::Allowed,
                };
                let target = best.found.finding.clone();
                if let Some(shorter) = self.seek(&mut follow, &target, left) {
                    best.switches = switches(&shorter.route, initial);
                    best.found = shorter;
                    continue 'again;
                }
            }
            return;
        }
    }

    /// Runs a search until it finds the error.
    fn seek(
        &mut self,
        // Through a pointer: the machine is compiled once for all of them.
        strategy: &mut dyn Strategy,
        target: &Finding,
        left: &mut Budget,
    ) -> Option<Found> {
        self.go_to_root();
        let limits = Limits {
            schedules: None,
            errors: OnError::FirstOfEach,
            shorten: Budget::NONE,
            ..*self.limits
        };
        let work = self.machine.work();
        let mut seek = Seek {
            target,
            hit: None,
            budget: *left,
            work,
            control: self.control,
        };
        let outcome = explore(
            self.machine,
            &mut Worker::alone(strategy),
            self.detectors,
            &limits,
            &mut seek,
        );
        let hit = seek.hit.take();
        left.spend(outcome.choice_points, self.machine.work() - work);
        hit
    }

    fn go_to_root(&mut self) {
        self.machine.rewind(self.root);
        for (detector, mark) in self.detectors.iter_mut().zip(self.root_marks) {
            detector.rewind(*mark);
        }
    }
}

struct Best {
    found: Found,
    switches: usize,
}

/// How often another thread goes on than the one that ran, in a program whose initial thread
/// is this one.
pub fn switches(route: &Route, initial: ThreadId) -> usize {
    let mut running = initial;
    let mut switches = 0;
    for taken in &route.taken {
        switches += usize::from(is_switch(taken.choice, &mut running));
    }
    switches
}

/// Whether another thread goes on than the one that ran, which is the running one from then on.
fn is_switch(choice: Choice, running: &mut ThreadId) -> bool {
    match choice {
        Choice::Run(t) | Choice::Timeout(t) | Choice::Spurious(t) => {
            std::mem::replace(running, t) != t
        }
        Choice::Wake(_) | Choice::Stay(_) => false,
    }
}

/// Where the machine stops on a route.
fn stops(route: &Route) -> OpMask {
    let all = route.taken.iter().map(|taken| taken.stops);
    all.fold(route.first, OpMask::and)
}

/// How many steps a thread may stop earlier so as not to stand within a call.
const STEPS_BACK: usize = 4;

/// The plan to do it as it was, but for the last few steps of one piece.
fn with_fewer_steps(pieces: &[Vec<Choice>], fewer: Option<(usize, usize)>) -> Vec<Choice> {
    let pieces = pieces.iter().enumerate().rev();
    let steps = pieces.flat_map(|(at, piece)| {
        let skipped = fewer.filter(|(shorter, _)| *shorter == at);
        piece
            .iter()
            .rev()
            .skip(skipped.map_or(0, |(_, steps)| steps))
    });
    steps.copied().collect()
}

/// What one thread did without a break.
fn pieces(route: &Route) -> Vec<Vec<Choice>> {
    let mut pieces: Vec<Vec<Choice>> = Vec::new();
    let mut running = None;
    for taken in &route.taken {
        let wakes = matches!(taken.choice, Choice::Wake(_) | Choice::Stay(_));
        if pieces.is_empty() || !wakes && running != Some(taken.choice.thread()) {
            pieces.push(Vec::new());
            running = Some(taken.choice.thread());
        }
        pieces.last_mut().expect("a piece").push(taken.choice);
    }
    pieces
}

/// Plans with a piece moved to another one of its thread, or left out.
fn moves(pieces: &[Vec<Choice>]) -> impl Iterator<Item = Vec<Choice>> {
    let thread = |i: usize| pieces[i][0].thread();
    // From the last choice to the first.
    let order = |order: Vec<usize>| {
        let pieces = order.into_iter().rev().map(|i| &pieces[i]);
        pieces
            .flat_map(|piece| piece.iter().rev().copied())
            .collect::<Vec<Choice>>()
    };
    let all = 0..pieces.len();
    let moved = all.clone().rev().flat_map(move |late| {
        let early = (0..late).rev().find(|i| thread(*i) == thread(late));
        let mut plans = Vec::new();
        if let Some(early) = early {
            let mut up: Vec<usize> = (0..pieces.len()).filter(|i| *i != late).collect();
            up.insert(early + 1, late);
            plans.push(order(up));
            let mut down: Vec<usize> = (0..pieces.len()).filter(|i| *i != early).collect();
            down.insert(late - 1, early);
            plans.push(order(down));
        }
        plans
    });
    let out = all.rev();
    let left_out = out.map(move |i| order((0..pieces.len()).filter(|j| *j != i).collect()));
    moved.chain(left_out)
}

/// Ends a search when it has found one error, or spent what it may.
struct Seek<'a> {
    target: &'a Finding,
    hit: Option<Found>,
    budget: Budget,
    work: u64,
    control: &'a mut dyn Control,
}

impl Control for Seek<'_> {
    fn tick(&mut self, progress: &Progress) -> Tick {
        let spent = progress.choice_points >= self.budget.points
            || progress.work - self.work >= self.budget.work;
        match spent {
            true => Tick::Stop(Bound::Time),
            false => Tick::GoOn,
        }
    }

    fn interrupted(&self) -> bool {
        self.hit.is_some() || self.control.interrupted()
    }

    fn time_is_up(&self) -> bool {
        self.hit.is_some() || self.control.time_is_up()
    }

    fn wanted(&self) -> Option<&Finding> {
        Some(self.target)
    }

    fn found(&mut self, found: &Found) {
        if self.hit.is_none() && found.confirmed && found.finding.covers(self.target) {
            self.hit = Some(found.clone());
        }
    }
}

/// Follows a plan as far as the program allows, and as long as it has switches left: what
/// cannot be taken when its turn comes is taken as soon as it can.
struct Follow {
    /// From the last to the first.
    plan: Vec<Choice>,
    stops: OpMask,
    running: ThreadId,
    left: usize,
    within: Within,
}

/// Switches from a thread that stands within a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Within {
    Allowed,
    /// The thread goes on instead; whether there was one.
    Avoided {
        met: bool,
    },
}

/// How far ahead in its plan it looks for something that can be taken.
const AHEAD: usize = 1_000;

impl Strategy for Follow {
    fn stops(&self) -> OpMask {
        self.stops
    }

    fn choose(&mut self, at: &ChoicePoint<'_>, view: &dyn View, _: usize) -> Decision {
        let own = at.options.iter().position(|c| *c == Choice::Run(at.by));
        if let (Pause::Slice, Some(own)) = (at.pause, own) {
            return Decision::Last(Pick(own));
        }
        let planned = self.plan.last().map(|c| c.thread());
        if let (Within::Avoided { met }, Some(own)) = (&mut self.within, own)
            && planned != Some(at.by)
            && view.stands(at.by) == Stands::Within
        {
            *met = true;
            return Decision::Last(Pick(own));
        }
        let ahead = self.plan.iter().rev().take(AHEAD);
        let place = |c: &Choice| at.options.iter().position(|o| o == c);
        let next = ahead.enumerate().find_map(|(i, c)| Some((i, place(c)?)));
        let pick = match next {
            Some((ahead, pick)) => {
                let planned = self.plan.len() - 1 - ahead;
                self.plan.remove(planned);
                pick
            }
            None => own.unwrap_or(0),
        };
        if is_switch(at.options[pick], &mut self.running) {
            match self.left.checked_sub(1) {
                Some(left) => self.left = left,
                None => return Decision::Prune,
            }
        }
        Decision::Last(Pick(pick))
    }

    fn next(&mut self, _: &Over) -> Next {
        Next::Done
    }

    fn schedules(&self) -> u64 {
        0
    }

    fn complete(&self) -> bool {
        false
    }
}
