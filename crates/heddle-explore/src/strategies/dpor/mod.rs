//! Optimal dynamic partial-order reduction: one schedule of every class of schedules that
//! differ only in the order of steps that do not touch each other (Abdulla, Aronis,
//! Jonsson, Sagonas: Source sets: a foundation for optimal dynamic partial order
//! reduction, JACM 2017).
//!
//! The machine stops before each visible operation. A step goes from one choice to the
//! next; what it did is known from the events it reported. Whenever a step conflicts with
//! an earlier one that it is not ordered with otherwise (a *race*), the sequence of steps
//! that leads to it without the earlier one is planned at the choice where the earlier one
//! was taken (`wakeup`). Threads that were run from a choice sleep in its other branches
//! until something meets what they did.
//!
//! ## Departures from the paper
//!
//! - Races are looked for when a step is done and not when the path is over: every step is
//!   looked at once instead of once per path. The sequences planned are shorter; that every
//!   thread that sleeps at their beginning has been woken at their end, which is what keeps
//!   searches from being started in vain, is checked for each of them all the same. What is
//!   missed by that where steps differ from path to path is made up for (`watch`, `repeat`).
//! - Steps may touch many places, and a call into trusted code other ones when it is run
//!   earlier than it was seen. Where a sequence was not planned because of what a call was
//!   seen to do, it is kept until the call has been run, and planned if the call does more
//!   (`kept`). Where a call turns out to do less, so that somebody still sleeps behind it, it is
//!   explored for the sequences that were left to it and for nothing else (`wakeup`). If there
//!   is none, it was planned in vain; that is foreseen (`memo`), else it is given up at once and
//!   counted ([`Strategy::blocked`]).
//! - A thread before a lock that is taken, or before the end of a thread that lives, is not
//!   run: it would do nothing. If a path ends with a thread that never got its lock, the
//!   step it would have made counts for races.
//! - Which thread a notification wakes is a choice within a step: all are explored, and no
//!   order follows from it. The same holds for timed waits that end because nobody else
//!   can run; what happens before and after such a moment is never exchanged.
//! - A step that ends the program conflicts with every step of others, be it one that does
//!   nothing else, such as the beginning of a thread. What it kept from happening is not on
//!   its path. So where it was not planned, a thread that it cut off is let run before it,
//!   whoever that is, as if nothing had been run there yet: one path on which the program
//!   goes on is enough for the races with its end to be found. (To run all of them instead
//!   explores what they do in every order.)
//! - A call that finds a lock taken before it has done anything has made no step.
//! - A thread that looks at several places in turn until one of them changes may look elsewhere first
//!   when one has. If it is let go on because the change is undone by the step that comes next, it
//!   goes on until it looks there, though others sleep until then (`on_its_way`).
//!
//! [`Dpor::new`] has plain mutexes, [`Dpor::lazy`] lazy ones, which users get unless they say
//! otherwise: see `lazy`.
//!
//! Where nothing is planned any thread may run. A new thread is, up to its first operation,
//! and then the one that started it, so that what schedules have in common comes first: threads
//! are dear to start. Else the one that ran before goes on, until after [`FAIR`] steps another
//! one's turn has come, so that loops that wait for others come to an end.

mod arrive;
mod awaited;
mod awaits;
mod back;
mod branch;
mod close;
mod gates;
mod kept;
mod lazy;
mod locks;
mod memo;
mod names;
mod part;
mod plan;
mod print;
mod questions;
mod repeat;
mod resume;
mod sequence;
mod share;
mod trace;
mod untold;
mod wakeup;
mod watch;

use heddle_model::{
    Awaited, ChoicePoint, Decision, Event, EventMask, Next, OpMask, Over, PendingOp, Strategy,
    Supposed, View,
};
use kept::Kept;
use locks::Cycle;
pub use share::SharedTree;
use trace::{Making, NONE, Tops, Trace, initialization};
use wakeup::{Forest, Sleeper};
use watch::Watch;

/// The strategy.
#[derive(Clone, Debug)]
pub struct Dpor {
    stops: OpMask,
    trace: Trace,
    forest: Forest,
    /// One per choice of the present path; those beyond `depth` are kept for their space.
    frames: Vec<Frame>,
    depth: usize,
    sleepers: Vec<Sleeper>,
    enabled: Vec<Enabled>,
    /// What is planned after the step that is being run, and whether all targets of it are.
    plan: u32,
    plan_open: bool,
    /// It is to be explored only if anybody sleeps after the step.
    plan_if_asleep: bool,
    /// What was left to that step.
    left: Vec<Kept>,
    /// Other sequences were not planned because of the step that is being run.
    absorbed: bool,
    /// Nothing was known of the step that is being run.
    unknown: bool,
    /// The thread that runs is sent into a lock or a join that stops it.
    draining: bool,
    /// Some thread has looked around again and again, or has done so under a lock.
    spins: bool,
    polls: bool,
    /// Some thread has stood before the end of one that was not started yet.
    unborn: bool,
    watches: Vec<Watch>,
    /// Those that were planned for, and the steps with which that was done.
    met: Vec<(u32, usize)>,
    /// What is left at the choice that is gone back to may be in vain by now.
    look_again: bool,
    /// A sequence in the making.
    steps: Vec<u32>,
    wish: Vec<u32>,
    /// Pairs of steps that are to be tried in the other order, and cycles to be closed.
    pairs: Vec<(u32, u32)>,
    cycles: Vec<Cycle>,
    replay: resume::Replay,
    /// What it has in common with other workers.
    share: Option<Box<part::Link>>,
    /// The present path is not ours any more.
    gave_back: bool,
    /// All is to be explored again, with what is known by now: see `awaits`.
    begins_anew: bool,
    schedules: u64,
    blocked: u64,
    astray: u64,
    /// Threads that were planned to run and would have had to wait: see `awaits`.
    looks: u64,
}

/// The step at the end of a sequence.
#[derive(Clone, Copy, Debug)]
enum Ended {
    /// One of the present path.
    Seen(u32),
    /// One of the present path that is in a race with the step that came first.
    InRace(u32),
    /// One that this thread has not made from where it stands; what it would touch is in
    /// `wish`.
    Imagined(u32, u64),
}

/// Steps after which a thread lets another one run.
pub const FAIR: u32 = 1_000;

/// A thread that could run at a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Enabled {
    thread: u32,
    /// By the end of a timed wait.
    timeout: bool,
}

/// A choice.
#[derive(Clone, Debug, Default)]
struct Frame {
    kind: Kind,
    tops: Tops,
    /// The words below this are needed while the frame is.
    words: u32,
    /// Those who sleep, and behind them those who were run from here.
    sleepers: Ranges,
    enabled: (u32, u32),
    /// What is still to be explored.
    tree: u32,
    /// The thread or target that is being explored.
    taken: u32,
    /// The thread that was run from here in vain, and nobody since.
    in_vain: u32,
    /// What was explored has been noted already.
    noted: bool,
    /// How many targets there are, and whether all are to be explored.
    targets: u32,
    open: bool,
    /// Nobody could run, so timed waits end.
    timeouts: bool,
    /// The step as it was before its notification.
    saved: Option<Box<Making>>,
    /// Who will not sleep behind the step that is being explored, whatever it does: see `untold`.
    rival: u32,
    /// All are to be run.
    all: bool,
    /// Some sleep, but others may be worth running all the same.
    watchful: bool,
    /// Steps that its thread made without a break.
    streak: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Kind {
    /// Which thread runs.
    #[default]
    Threads,
    /// Which thread is notified.
    Targets,
    /// There is nothing to choose.
    Forced,
}

/// From the first that sleeps to the first that was run from here, and to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Ranges {
    from: u32,
    own: u32,
    to: u32,
}

impl Ranges {
    fn all(self) -> std::ops::Range<usize> {
        self.from as usize..self.to as usize
    }
}

impl Dpor {
    /// With locks that are reordered only where that can make a difference.
    pub fn lazy() -> Dpor {
        let mut dpor = Dpor::new();
        dpor.trace.lazy = true;
        dpor.stops = dpor.stops.and(OpMask::AWAITS).and(OpMask::GATES);
        dpor
    }

    /// With every lock a place that is written when it is taken.
    pub fn new() -> Dpor {
        Dpor {
            stops: OpMask::VISIBLE
                .and(OpMask::NOTIFY)
                .and(OpMask::QUIET_ENDS)
                .and(OpMask::MUTEXES),
            trace: Trace::default(),
            forest: Forest::default(),
            frames: Vec::new(),
            depth: 0,
            sleepers: Vec::new(),
            enabled: Vec::new(),
            plan: NONE,
            plan_open: true,
            plan_if_asleep: false,
            left: Vec::new(),
            absorbed: false,
            unknown: false,
            draining: false,
            spins: false,
            polls: false,
            unborn: false,
            watches: Vec::new(),
            met: Vec::new(),
            look_again: false,
            steps: Vec::new(),
            wish: Vec::new(),
            pairs: Vec::new(),
            cycles: Vec::new(),
            replay: resume::Replay::default(),
            share: None,
            gave_back: false,
            begins_anew: false,
            schedules: 0,
            blocked: 0,
            astray: 0,
            looks: 0,
        }
    }

    /// Timed waits may end at any moment.
    pub fn with_early_timeouts(mut self) -> Dpor {
        self.stops = self.stops.and(OpMask::TIMEOUTS);
        self
    }

    /// Sequences that could not be followed; a machine that is not deterministic.
    pub fn astray(&self) -> u64 {
        self.astray
    }
}

/// Whether a thread can find that another one has what the operation needs.
fn can_be_in_the_way(op: PendingOp) -> bool {
    let waits = matches!(
        op,
        PendingOp::Lock(_)
            | PendingOp::LockWithin(_)
            | PendingOp::Poll(_)
            | PendingOp::Gate { .. }
            | PendingOp::Join(_)
            | PendingOp::JoinUnborn(_)
    );
    waits || initialization(op).is_some()
}

impl Default for Dpor {
    fn default() -> Self {
        Dpor::new()
    }
}

impl Strategy for Dpor {
    fn stops(&self) -> OpMask {
        self.stops
    }

    fn wants(&self) -> EventMask {
        EventMask::INTERACTION.and(EventMask::PUBLISH)
    }

    #[inline]
    fn event(&mut self, event: &Event, view: &dyn View, _: usize) {
        self.trace.event(event, view);
    }

    fn wonders(&mut self, view: &dyn View) -> Option<Supposed> {
        self.question(view)
    }

    fn told(&mut self, answer: Option<Awaited>) {
        self.answer(answer);
    }

    fn choose(&mut self, at: &ChoicePoint<'_>, view: &dyn View, depth: usize) -> Decision {
        if depth == self.depth {
            self.arrive(at, view, depth)
        } else {
            self.branch(at, depth)
        }
    }

    fn next(&mut self, over: &Over) -> Next {
        self.end_of_the_way();
        if *over != Over::Pruned {
            self.end(over);
            if !std::mem::take(&mut self.gave_back) {
                self.schedules += 1;
            }
        }
        self.back_up()
    }

    fn schedules(&self) -> u64 {
        self.schedules
    }

    fn blocked(&self) -> u64 {
        self.blocked + self.looks
    }

    fn left(&self, depth: usize) -> Option<usize> {
        let Some(frame) = self.frames[..self.depth].get(depth) else {
            return Some(0);
        };
        let mut left = 0;
        let mut at = frame.tree;
        while at != NONE {
            left += 1;
            at = self.forest.node(at).next;
        }
        Some(left)
    }

    fn complete(&self) -> bool {
        self.astray == 0 && (self.schedules > 0 || self.share.is_some())
    }

    fn frontier(&self) -> Option<Vec<u64>> {
        Some(self.save())
    }

    fn resume(&mut self, frontier: &[u64]) -> bool {
        self.restore(frontier).is_some()
    }

    fn split(&mut self) -> Option<Vec<u64>> {
        if self.share.is_some() {
            self.offer();
        }
        None
    }

    fn explore_part(&mut self, part: &[u64]) -> bool {
        self.begin_part(part).is_some()
    }
}
