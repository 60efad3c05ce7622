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

mod awaited;
mod awaits;
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

use super::word;
use heddle_model::{
    Awaited, Choice, ChoicePoint, Decision, Event, EventMask, Next, OpMask, Over, Pause, PendingOp,
    Pick, Strategy, Supposed, View,
};
use kept::Kept;
use locks::Cycle;
pub use share::SharedTree;
use trace::{Making, NONE, Order, Stands, Tops, Trace, initialization};
use wakeup::{Branch, Forest, Sleeper};
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

    // Arriving at a choice.

    fn arrive(&mut self, at: &ChoicePoint<'_>, view: &dyn View, depth: usize) -> Decision {
        let running = self.trace.making.active;
        match at.pause {
            Pause::Notify(_) if running => return self.arrive_at_targets(at, depth),
            Pause::Slice if running && !self.draining => {
                let own = at.options.iter().position(|c| c.thread() == at.by);
                if let Some(own) = own {
                    self.push(depth, Kind::Forced);
                    return Decision::Last(Pick(own));
                }
            }
            _ => {}
        }
        self.close(Some(at.pause));
        if std::mem::take(&mut self.gave_back) || self.trace.awaited.matters || self.begins_anew {
            return Decision::Prune;
        }
        let by = self.trace.names.number(at.by);
        match at.pause {
            Pause::Before(_) if self.draining && self.only_looks(by) => {
                // It is on its way into its lock, to wait there.
                if let Some(own) = at.options.iter().position(|c| c.thread() == at.by) {
                    let frame = self.push(depth, Kind::Forced);
                    self.trace.begin(by, frame as u32);
                    return Decision::Last(Pick(own));
                }
            }
            Pause::Before(op) => {
                // If it cannot go on, and not for a lock, an initialization or the end of a
                // thread, it waits for a change that another thread makes.
                let stands = match op {
                    _ if can_be_in_the_way(op) => Stands::Before(op),
                    _ if at.options.iter().any(|c| c.thread() == at.by) => Stands::Before(op),
                    _ => Stands::Spins(op),
                };
                self.trace.stand(by, stands);
                self.learn_value(op, view);
                if let Some(steps) = view.came_round(at.by) {
                    self.trace.come_round(by, steps);
                }
                self.spins |= matches!(stands, Stands::Spins(_));
                self.polls |= matches!(op, PendingOp::Poll(_));
                if let PendingOp::Lock(_) | PendingOp::LockWithin(_) = op
                    && self.trace.locks.holds(by)
                {
                    let site = match op {
                        PendingOp::Lock(_) => view.own_frame(at.by).map(|own| own.site),
                        _ => view.stack(at.by).first().copied(),
                    };
                    site.into_iter().for_each(|s| self.trace.stand_at(by, s));
                }
                self.unborn |= matches!(op, PendingOp::JoinUnborn(_));
                if let PendingOp::Join(_) | PendingOp::Gate { .. } = op {
                    self.keep_locks(by);
                }
            }
            Pause::Waiting if !self.draining => {
                self.waits_otherwise(at);
                let on = self.trace.ends_in_wait_set();
                self.trace.stand(by, Stands::Waits(on));
                self.keep_locks(by);
            }
            _ => {}
        }
        self.draining = false;
        self.arrive_at_threads(at, view, depth)
    }

    fn arrive_at_threads(
        &mut self,
        at: &ChoicePoint<'_>,
        view: &dyn View,
        depth: usize,
    ) -> Decision {
        self.lost_timeouts(at);
        self.end_polls(view);
        self.follow_suspensions(view);
        self.follow_starts(view);
        self.follow_awaits(view);
        let from = self.enabled.len() as u32;
        let mut in_vain = None;
        for (pick, option) in at.options.iter().enumerate() {
            let thread = self.trace.names.number(option.thread());
            let machine = option.thread();
            let is_daemon = || view.thread(machine).daemon;
            self.trace.names.learn_daemon(thread, is_daemon);
            let timeout = matches!(option, Choice::Timeout(_) | Choice::Spurious(_));
            if !timeout && !self.can_run(thread, view) {
                in_vain = in_vain.or(Some((thread, pick)));
                continue;
            }
            self.enabled.push(Enabled { thread, timeout });
        }
        if self.enabled.len() > from as usize
            && let Some((thread, pick)) = in_vain
            && let Stands::Before(PendingOp::Lock(_)) = self.trace.thread(thread).stands
        {
            // It would be no option if it were not stuck for ever, though others are not.
            self.enabled.truncate(from as usize);
            let frame = self.push(depth, Kind::Forced);
            self.trace.begin(thread, frame as u32);
            self.draining = true;
            return Decision::Last(Pick(pick));
        }
        self.lost_changes(from as usize);
        let frame = self.push(depth, Kind::Threads);
        let to = self.enabled.len() as u32;
        self.frames[frame].enabled = (from, to);
        if from == to {
            self.astray += u64::from(self.is_on_the_way() && self.stray());
            let lost = std::mem::replace(&mut self.frames[frame].tree, NONE);
            self.astray += u64::from(lost != NONE);
            self.forest.drop_all(lost);
            // Everybody is before a lock that is taken or a thread that lives. They are
            // sent there, so that the machine can say what happens then.
            self.frames[frame].kind = Kind::Forced;
            let thread = self.trace.names.number(at.options[0].thread());
            self.trace.begin(thread, frame as u32);
            self.draining = true;
            return Decision::Last(Pick(0));
        }
        let enabled = &self.enabled[from as usize..];
        if enabled.iter().all(|e| e.timeout) && !self.stops.has(OpMask::TIMEOUTS) {
            self.frames[frame].timeouts = true;
            self.turn_at_rest();
            if self.is_on_a_route() {
                return self.enter(at, frame);
            }
            if self.is_on_the_way() {
                self.stray();
            }
            let enabled = &self.enabled[from as usize..];
            let mut tree = NONE;
            for enabled in enabled {
                let leaf = self.forest.leaf(enabled.thread, false);
                tree = self.forest.append(tree, leaf);
            }
            self.frames[frame].tree = tree;
        }
        self.enter(at, frame)
    }

    /// Notes who was suspended or resumed by the last step. Who was suspended could have made
    /// its next step before: nothing else on the path shows that, since the one that lets it
    /// go on comes after.
    fn follow_suspensions(&mut self, view: &dyn View) {
        if !self.trace.interrupts {
            return;
        }
        for thread in 0..self.trace.thread_count() {
            let machine = self.trace.names.machine(thread);
            let is_there = (machine.0 as usize) < view.thread_count();
            let suspended = is_there && view.is_suspended(machine);
            if suspended && !self.trace.thread(thread).suspended {
                self.lost_step(thread);
            }
            self.trace.suspend(thread, suspended);
        }
    }

    /// Threads that stand before the end of another one, which the last step has started, have
    /// to wait for it now. They could have gone on before.
    fn follow_starts(&mut self, view: &dyn View) {
        if !self.unborn {
            return;
        }
        for thread in 0..self.trace.thread_count() {
            if let Stands::Before(PendingOp::JoinUnborn(object)) = self.trace.thread(thread).stands
                && let Some(other) = view.thread_of(object)
            {
                self.lost_step(thread);
                let stands = Stands::Before(PendingOp::Join(other));
                self.trace.stand(thread, stands);
                self.keep_locks(thread);
            }
        }
    }

    /// A thread cannot go on because of the last step, and could before it.
    fn lost_step(&mut self, thread: u32) {
        let Some(last) = self.trace.len().checked_sub(1) else {
            return;
        };
        let last = *self.trace.step(last as u32);
        if last.frame == NONE || last.thread == thread {
            return;
        }
        let (from, to) = self.frames[last.frame as usize].enabled;
        let could = self.enabled[from as usize..to as usize]
            .iter()
            .any(|e| e.thread == thread && !e.timeout);
        if could {
            self.steps.clear();
            // Whatever it does, it does it while it may.
            self.imagine_with(last.frame, thread, Some(word::thread(thread)));
        }
    }

    /// Threads that look around again and again under a lock, and for which the last step has
    /// changed something, want the lock now.
    fn end_polls(&mut self, view: &dyn View) {
        if !self.polls {
            return;
        }
        for thread in 0..self.trace.thread_count() {
            let spins = || view.spins(self.trace.names.machine(thread));
            match self.trace.thread(thread).stands {
                Stands::Before(PendingOp::Poll(lock)) if !spins() => {
                    self.trace.end_poll(thread, lock);
                }
                // All is as it was again: see `lost_changes`.
                Stands::Before(PendingOp::Lock(lock)) if spins() => {
                    self.lost_change(thread);
                    self.wish_for_lock(thread);
                    let stands = Stands::Before(PendingOp::Poll(lock));
                    self.trace.stand(thread, stands);
                }
                _ => {}
            }
        }
    }

    /// Whether a thread would get on if it were run; notes if it was woken.
    fn can_run(&mut self, thread: u32, view: &dyn View) -> bool {
        match self.trace.thread(thread).stands {
            Stands::Before(PendingOp::Lock(lock) | PendingOp::LockWithin(lock)) => {
                let me = self.trace.names.machine(thread);
                let free = view.owner(lock).is_none_or(|owner| owner == me);
                free && !self.only_looks(thread)
            }
            Stands::Before(PendingOp::Join(other)) => {
                let other = self.trace.names.number(other);
                self.trace.thread(other).ended != NONE
            }
            Stands::Before(PendingOp::Gate { object, .. }) => !view.is_shut(object),
            Stands::Waits(lock) => {
                self.trace.wake(thread, lock);
                true
            }
            Stands::Spins(op) => {
                self.trace.end_spin(thread, op);
                true
            }
            _ => true,
        }
    }

    /// Timed waits that the last step has ended could have ended by themselves before it. To be
    /// asked while these threads still stand where they waited.
    fn lost_timeouts(&mut self, at: &ChoicePoint<'_>) {
        if !self.stops.has(OpMask::TIMEOUTS) || self.depth == 0 || self.trace.len() == 0 {
            return;
        }
        let last = *self.trace.step(self.trace.len() as u32 - 1);
        if last.frame == NONE {
            return;
        }
        let (from, to) = self.frames[last.frame as usize].enabled;
        for i in from..to {
            let Enabled { thread, timeout } = self.enabled[i as usize];
            let machine = self.trace.names.machine(thread);
            let ends = [Choice::Timeout(machine), Choice::Spurious(machine)];
            let still = at.options.iter().any(|option| ends.contains(option));
            if timeout && !still && thread != last.thread {
                self.steps.clear();
                self.imagine(last.frame, thread);
            }
        }
    }

    /// Threads that spin could go on before the last step, which has put back what they look at.
    /// They could have looked before it: nothing else on the path shows that, since what lets
    /// them go on later, if anything does, comes after it.
    fn lost_changes(&mut self, now: usize) {
        if !self.spins {
            return;
        }
        let Some(last) = self.trace.len().checked_sub(1) else {
            return;
        };
        let last = *self.trace.step(last as u32);
        let Some(frame) = self.frames[..self.depth].get(last.frame as usize) else {
            return;
        };
        for i in frame.enabled.0..frame.enabled.1 {
            let Enabled { thread, timeout } = self.enabled[i as usize];
            if timeout || thread == last.thread {
                continue;
            }
            let Stands::Before(op) = self.trace.thread(thread).stands else {
                continue;
            };
            let can_go_on = self.enabled[now..].iter().any(|e| e.thread == thread);
            if !can_go_on && !can_be_in_the_way(op) {
                self.lost_change(thread);
                self.trace.stand(thread, Stands::Spins(op));
            }
        }
    }

    /// Plans for a thread to go on before the last step, if it could.
    fn lost_change(&mut self, thread: u32) {
        let last = self.trace.step(self.trace.len() as u32 - 1).frame;
        if last == NONE || self.replay.passes(last as usize) {
            return;
        }
        let (from, to) = self.frames[last as usize].enabled;
        let enabled = &self.enabled[from as usize..to as usize];
        if enabled.iter().any(|e| e.thread == thread && !e.timeout) {
            self.steps.clear();
            self.imagine(last, thread);
        }
    }

    fn arrive_at_targets(&mut self, at: &ChoicePoint<'_>, depth: usize) -> Decision {
        let making = self.trace.making.clone();
        let nested = self.outer_targets(depth, making.frame).is_some();
        let owner = self.frames[making.frame as usize].sleepers;
        let from = self.sleepers.len() as u32;
        // What was run was run for targets of the first notification of the step.
        for i in owner.from..owner.to {
            let sleeper = self.sleepers[i as usize];
            if sleeper.thread == making.thread && sleeper.target != NONE && !nested {
                self.sleepers.push(sleeper);
            }
        }
        let to = self.sleepers.len() as u32;
        if std::mem::take(&mut self.plan_if_asleep) {
            // What was left to a step goes on behind its targets.
            self.forest
                .drop_all(std::mem::replace(&mut self.plan, NONE));
            (self.plan_open, self.absorbed) = (true, true);
        }
        let open = self.plan_open || self.plan == NONE || nested;
        let frame = self.push(depth, Kind::Targets);
        self.astray += u64::from(self.is_on_the_way() && self.stray());
        let pushed = &mut self.frames[frame];
        pushed.sleepers = Ranges { from, own: to, to };
        pushed.targets = at.options.len() as u32;
        pushed.open = open;
        pushed.saved = Some(making);
        self.enter(at, frame)
    }

    /// The choice of a target before this depth that belongs to the same step, which was taken at
    /// `frame`.
    fn outer_targets(&self, depth: usize, frame: u32) -> Option<usize> {
        let within = frame as usize + 1..depth;
        within.rev().find(|f| self.frames[*f].kind == Kind::Targets)
    }

    /// A new frame for a choice, which inherits what is planned.
    fn push(&mut self, depth: usize, kind: Kind) -> usize {
        if self.frames.len() == depth {
            self.frames.push(Frame::default());
        }
        self.depth = depth + 1;
        let top = self.sleepers.len() as u32;
        let before = depth.checked_sub(1).map(|d| self.frames[d].sleepers.to);
        let from = before.unwrap_or(0);
        let frame = &mut self.frames[depth];
        frame.kind = kind;
        frame.tops = self.trace.tops();
        frame.words = self.trace.words_top();
        frame.sleepers = Ranges {
            from,
            own: top,
            to: top,
        };
        let enabled = self.enabled.len() as u32;
        frame.enabled = (enabled, enabled);
        frame.tree = NONE;
        if kind != Kind::Forced {
            frame.tree = std::mem::replace(&mut self.plan, NONE);
        }
        frame.taken = NONE;
        frame.in_vain = NONE;
        frame.noted = false;
        frame.open = false;
        frame.timeouts = false;
        frame.saved = None;
        frame.rival = NONE;
        frame.all = false;
        frame.watchful = self.absorbed;
        frame.streak = 0;
        self.come_to();
        depth
    }

    // Branching.

    /// Goes on from a new choice: where the search was before, or to something new.
    fn enter(&mut self, at: &ChoicePoint<'_>, frame: usize) -> Decision {
        if let Some((taken, step)) = self.replay(frame) {
            (self.plan, self.plan_open) = (step.plan, step.plan_open);
            self.plan_if_asleep = step.plan_if_asleep;
            self.left = step.left;
            (self.absorbed, self.unknown) = (step.absorbed, step.unknown);
            if let Some(pick) = self.option(at, frame, taken) {
                return self.take(at, frame, taken, pick);
            }
            self.forest.drop_all(self.plan);
            self.astray += 1;
        }
        self.branch(at, frame)
    }

    /// Takes what is to be explored next at a choice.
    fn branch(&mut self, at: &ChoicePoint<'_>, frame: usize) -> Decision {
        if frame < self.floor() {
            return self.branch_shared(at, frame);
        }
        let fresh = self.frames[frame].tree == NONE && self.frames[frame].taken == NONE;
        let mut looks = false;
        while self.frames[frame].tree != NONE {
            let (branch, left) = self.forest.take(self.frames[frame].tree);
            let Branch {
                thread,
                target,
                absorbed,
                unknown,
                perhaps,
                open,
                rival,
                below,
                rest,
            } = branch;
            (self.frames[frame].tree, self.frames[frame].rival) = (rest, rival);
            let taken = match self.frames[frame].kind {
                Kind::Targets => target,
                _ => thread,
            };
            if self.frames[frame].kind == Kind::Threads && self.sleeps(frame, thread) {
                // A call before it did less than it was seen to, so this was explored.
                self.forest.drop_all(below);
                self.plan_left(frame, left);
                continue;
            }
            if let Some(pick) = self.option(at, frame, taken) {
                (self.plan, self.plan_open) = (below, open || below == NONE);
                self.plan_if_asleep = perhaps;
                self.left = left;
                (self.absorbed, self.unknown) = (absorbed, unknown);
                return self.take(at, frame, taken, pick);
            }
            if below == NONE && self.only_looks(thread) {
                looks = true;
                continue;
            }
            self.astray += 1;
            self.forest.drop_all(below);
        }
        (self.plan, self.plan_open) = (NONE, true);
        self.plan_if_asleep = false;
        (self.absorbed, self.unknown) = (false, false);
        let free = match self.frames[frame].kind {
            Kind::Targets => self.free_target(at, frame),
            _ if fresh => self.free_thread(at, frame),
            _ => None,
        };
        let Some((taken, pick)) = free else {
            // Whoever could run was run before, in another branch.
            if self.frames[frame].watchful {
                self.wish_for_locks();
            }
            self.looks += u64::from(looks);
            self.blocked += u64::from(!looks && !self.only_ends(frame));
            self.pop();
            return Decision::Prune;
        };
        self.take(at, frame, taken, pick)
    }

    /// The option that stands for a thread that can run, or for a target.
    fn option(&self, at: &ChoicePoint<'_>, frame: usize, wanted: u32) -> Option<usize> {
        let frame = &self.frames[frame];
        if frame.kind == Kind::Threads {
            let (from, to) = frame.enabled;
            let enabled = &self.enabled[from as usize..to as usize];
            if !enabled.iter().any(|e| e.thread == wanted) {
                return None;
            }
        }
        let wanted = self.trace.names.machine(wanted);
        at.options.iter().position(|c| c.thread() == wanted)
    }

    /// A thread to run where nothing is planned: the one that ran, or the next one.
    fn free_thread(&mut self, at: &ChoicePoint<'_>, frame: usize) -> Option<(u32, usize)> {
        let Ranges { from, to, .. } = self.frames[frame].sleepers;
        let asleep = &self.sleepers[from as usize..to as usize];
        if asleep.iter().any(|s| !s.partial) {
            let on_its_way = self.on_its_way(at, frame);
            return on_its_way.or_else(|| self.awake_thread(at, frame));
        }
        let before = frame.checked_sub(1).map_or(0, |f| self.frames[f].streak);
        let own = Choice::Run(at.by);
        let (from, to) = self.frames[frame].enabled;
        let enabled = &self.enabled[from as usize..to as usize];
        let newborn = |e: &&Enabled| self.trace.thread(e.thread).stands == Stands::Begin;
        if let Some(newborn) = enabled.iter().find(newborn) {
            let thread = newborn.thread;
            return Some((thread, self.option(at, frame, thread)?));
        }
        let by = self.trace.names.number(at.by);
        if self.trace.thread(by).count == 1
            && let Some(before) = frame.checked_sub(2).map(|f| &self.frames[f])
            && before.kind == Kind::Threads
        {
            let starter = enabled.iter().find(|e| e.thread == before.taken);
            let thread = starter.unwrap_or(&enabled[0]).thread;
            return Some((thread, self.option(at, frame, thread)?));
        }
        let stays = enabled.iter().any(|e| e.thread == by) && at.options.contains(&own);
        let alone = enabled.len() == 1;
        let thread = if stays && (before < FAIR || alone) {
            self.frames[frame].streak = before + 1;
            by
        } else {
            let later = enabled.iter().find(|e| e.thread > by);
            later.unwrap_or(&enabled[0]).thread
        };
        let pick = self.option(at, frame, thread)?;
        Some((thread, pick))
    }

    /// The thread that ran, if it goes round because something has changed, and has looked at other places
    /// only. It was let go on before the change is undone (see `lost_change`), to see it.
    fn on_its_way(&self, at: &ChoicePoint<'_>, frame: usize) -> Option<(u32, usize)> {
        let last = (self.trace.len() as u32).checked_sub(1)?;
        let by = self.trace.step(last).thread;
        let goes_on = self.trace.is_on_its_way(by) && !self.sleeps(frame, by);
        goes_on.then_some(())?;
        Some((by, self.option(at, frame, by)?))
    }

    /// A thread to run where some sleep: nobody, unless sequences were left out because
    /// this one was planned. Then everybody who is awake.
    fn awake_thread(&mut self, at: &ChoicePoint<'_>, frame: usize) -> Option<(u32, usize)> {
        let before = frame
            .checked_sub(1)
            .is_some_and(|f| self.frames[f].watchful);
        if !self.frames[frame].watchful && !before {
            return None;
        }
        self.frames[frame].watchful = true;
        self.frames[frame].all = true;
        let (from, to) = self.frames[frame].enabled;
        let enabled = &self.enabled[from as usize..to as usize];
        let awake = |e: &&Enabled| !self.sleeps(frame, e.thread);
        let thread = enabled.iter().find(awake)?.thread;
        let pick = self.option(at, frame, thread)?;
        Some((thread, pick))
    }

    /// Whether a thread was run before, and nothing met what it did since.
    fn sleeps(&self, frame: usize, thread: u32) -> bool {
        let Ranges { from, to, .. } = self.frames[frame].sleepers;
        let asleep = &self.sleepers[from as usize..to as usize];
        asleep.iter().any(|s| s.thread == thread && !s.partial)
    }

    /// A target that was not explored yet, if all are to be.
    fn free_target(&mut self, at: &ChoicePoint<'_>, frame: usize) -> Option<(u32, usize)> {
        let frame = &self.frames[frame];
        if !frame.open {
            return None;
        }
        let Ranges { from, to, .. } = frame.sleepers;
        let explored = &self.sleepers[from as usize..to as usize];
        for (pick, option) in at.options.iter().enumerate() {
            let target = self.trace.names.number(option.thread());
            if explored.iter().all(|s| s.target != target) {
                return Some((target, pick));
            }
        }
        None
    }

    fn take(&mut self, at: &ChoicePoint<'_>, frame: usize, taken: u32, pick: usize) -> Decision {
        self.frames[frame].taken = taken;
        let options = match self.frames[frame].kind {
            Kind::Targets => {
                self.trace.choose_target(taken);
                at.options.len()
            }
            _ => {
                self.trace.begin(taken, frame as u32);
                if matches!(at.options[pick], Choice::Timeout(_) | Choice::Spurious(_)) {
                    self.trace.begin_with_timeout();
                }
                if self.frames[frame].timeouts {
                    self.trace.making.order = Order::After;
                }
                let (from, to) = self.frames[frame].enabled;
                (to - from) as usize
            }
        };
        match options {
            1 => Decision::Last(Pick(pick)),
            _ => Decision::Take(Pick(pick)),
        }
    }

    // Ending a step.

    /// The step that was run is over: its races are planned for, and the sleepers of the
    /// next choice found.
    fn close(&mut self, pause: Option<Pause>) {
        if !self.trace.making.active {
            // What ran before the first choice is nobody's step.
            return;
        }
        let frame = self.trace.making.frame as usize;
        let thread = self.trace.making.thread;
        if let Some(Pause::Blocked(lock)) = pause {
            let silent = self.draining || self.trace.nothing_done();
            if !matches!(
                self.trace.thread(thread).stands,
                Stands::Before(PendingOp::Lock(_) | PendingOp::LockWithin(_))
            ) {
                self.trace.stand(thread, Stands::Wants(lock));
            }
            if silent {
                return self.close_in_vain(frame);
            }
            self.trace.in_vain(lock);
        }
        if self.draining {
            return self.close_in_vain(frame);
        }
        let nests = self.trace.locks.nest_count();
        let step = self.trace.finish();
        let known = self.replay.passes(frame);
        if std::mem::take(&mut self.trace.gates.grew) {
            self.begins_anew = true;
            self.is_for_one();
        }
        self.took_awaited(step);
        if self.trace.step(step).loose {
            self.watch_races(step);
            if !known && frame >= self.floor() {
                self.drop_covered_by(frame, step);
            }
        }
        for i in 0..self.trace.races().len() {
            let earlier = self.trace.races()[i];
            match known {
                // What is not covered is planned, and is not planned again because of it.
                true => self.watch_sleepers(earlier, step),
                false => self.reverse(earlier, step),
            }
        }
        if !known {
            self.meet_watches(step);
        }
        if self.trace.lazy && self.trace.locks.any_links() {
            self.turn_links(step, nests, known);
        }
        self.step_closed(frame, step);
        self.inherit(frame, step);
        if std::mem::take(&mut self.plan_if_asleep) {
            self.drop_plan_if_awake(frame);
        }
        if !self.left.is_empty() {
            self.settle_left(frame, step);
        }
        // If nothing was known of the step and it was nothing, what was wanted is to come.
        self.absorbed |= self.unknown && self.trace.step(step).span.bits.are_silent();
    }

    /// A step that was to be explored for all that can follow has been made. If somebody sleeps
    /// all the same, because it has done less than was expected, it is explored for what was left
    /// to it, as far as that wakes everybody.
    fn drop_plan_if_awake(&mut self, frame: usize) {
        let asleep = self.frames[frame].sleepers.to as usize..self.sleepers.len();
        let asleep = &self.sleepers[asleep];
        if asleep.iter().all(|s| s.partial) {
            self.forest
                .drop_all(std::mem::replace(&mut self.plan, NONE));
        }
        for sleeper in asleep.iter().filter(|s| !s.partial && s.target == NONE) {
            let print = sleeper.span.print(self.trace.words());
            self.plan = self.forest.drop_covered(self.plan, sleeper.thread, &print);
        }
    }

    /// Nothing has happened but that a thread ran into a lock: the choice is still the same.
    fn close_in_vain(&mut self, frame: usize) {
        self.trace.abandon();
        let Ranges { from, to, .. } = self.frames[frame].sleepers;
        for i in from..to {
            self.sleepers.push(self.sleepers[i as usize]);
        }
        if self.frames[frame].kind == Kind::Forced {
            // Nobody has chosen it, and what is planned is to come.
            return;
        }
        self.plan_if_asleep = false;
        let left = std::mem::take(&mut self.left);
        self.plan_left(frame, left);
        self.absorbed = true;
        let rest = std::mem::replace(&mut self.frames[frame].tree, NONE);
        if frame < self.floor() {
            self.shared_in_vain(frame);
        }
        self.forest.drop_all(self.plan);
        self.plan = rest;
        let Frame { taken, in_vain, .. } = &mut self.frames[frame];
        *in_vain = std::mem::replace(taken, NONE);
    }

    // The end of a path.

    fn end(&mut self, over: &Over) {
        let running = self.trace.making.active;
        let (frame, thread) = (self.trace.making.frame, self.trace.making.thread);
        let nothing = self.trace.making.order == Order::Nothing;
        if matches!(over, Over::Exited(_)) && running && nothing {
            if !self.trace.ends_thread() {
                self.trace.making.order = Order::Last;
            } else if self.trace.names.any_daemon() {
                self.trace.making.order = Order::LastButDaemons;
            }
        }
        let order = self.trace.making.order;
        let pause = match over {
            Over::Stuck(pause) => Some(*pause),
            _ => None,
        };
        if running {
            self.close(pause);
        }
        let drained = std::mem::take(&mut self.draining);
        if running && matches!(order, Order::Last | Order::LastButDaemons) {
            self.outlive(frame as usize, thread);
        }
        match over {
            Over::Stuck(Pause::Waiting) if running && !drained => {
                self.trace.stand(thread, Stands::Waits(None));
            }
            Over::Stuck(Pause::Before(op)) if running && can_be_in_the_way(*op) => {
                self.trace.stand(thread, Stands::Before(*op));
            }
            _ => {}
        }
        self.wish_for_locks();
        if let Over::Stuck(_) = over {
            self.turn_at_rest();
        }
        self.forest
            .drop_all(std::mem::replace(&mut self.plan, NONE));
    }

    /// A thread has ended the program. Where that was not planned, another one is let run
    /// before it, whoever it is: the rest follows from races with the end.
    fn outlive(&mut self, frame: usize, thread: u32) {
        if !self.only_ends(frame) {
            return;
        }
        let (from, to) = self.frames[frame].enabled;
        let mut others = self.enabled[from as usize..to as usize].iter();
        let other = others.find(|e| e.thread != thread && !self.sleeps(frame, e.thread));
        let Some(other) = other.map(|e| e.thread) else {
            return;
        };
        if let Some(link) = self.share.as_ref()
            && link.runs_as_well(frame, other)
        {
            return;
        }
        let leaf = self.forest.leaf(other, true);
        let Frame { tree, .. } = &mut self.frames[frame];
        *tree = self.forest.append(*tree, leaf);
    }

    /// Whether nobody sleeps at a choice but those who end the program there.
    fn only_ends(&self, frame: usize) -> bool {
        let Ranges { from, to, .. } = self.frames[frame].sleepers;
        let asleep = &self.sleepers[from as usize..to as usize];
        asleep.iter().all(|s| s.partial || s.span.bits.are_an_end())
    }

    /// Goes back to the last choice that has something left to explore.
    fn back_up(&mut self) -> Next {
        if self.begin_anew_with_waits() {
            return Next::Restart;
        }
        if self.share.is_none() && self.is_in_doubt() {
            self.begin_anew();
            return Next::Restart;
        }
        if self.begin_anew_together(self.is_in_doubt()) {
            return Next::Restart;
        }
        while self.depth > 0 {
            let frame = self.depth - 1;
            let more = match frame < self.floor() {
                true => self.leave_shared(frame),
                false => {
                    self.leave(frame);
                    self.has_more(frame)
                }
            };
            if more {
                return Next::Backtrack { depth: frame };
            }
            self.pop();
        }
        match self.begin_anew_together(self.is_in_doubt()) {
            true => Next::Restart,
            false => Next::Done,
        }
    }

    /// Something was begun in vain, which the argument for lazy mutexes does not allow for.
    fn is_in_doubt(&self) -> bool {
        self.trace.lazy && (self.blocked > 0 || self.astray > 0)
    }

    /// Whether locks are reordered only where that can make a difference; `false` too if
    /// the search has been begun anew without that.
    pub fn is_lazy(&self) -> bool {
        self.trace.lazy
    }

    /// Forgets what was run from a choice but for what it did there.
    fn leave(&mut self, at: usize) {
        let frame = &mut self.frames[at];
        let step = frame.tops.step();
        let ran = frame.taken != NONE && !frame.noted && self.trace.len() > step as usize;
        self.sleepers.truncate(frame.sleepers.to as usize);
        if ran && !frame.timeouts && frame.kind != Kind::Forced {
            let step = self.trace.step(step);
            frame.words = step.span.end;
            let targets = frame.kind == Kind::Targets;
            self.sleepers.push(Sleeper {
                thread: step.thread,
                target: if targets { frame.taken } else { NONE },
                partial: targets,
                span: step.span,
            });
            frame.sleepers.to += 1;
            let silent = step.span.bits.are_silent();
            if !targets && (silent || step.loose || self.forest.any_answered()) {
                // It has done less than it was planned for, perhaps, or others will.
                let print = step.span.print(self.trace.words());
                frame.tree = self.forest.drop_covered(frame.tree, step.thread, &print);
                frame.all &= !silent;
            }
            self.look_again = frame.tree != NONE && self.forest.any_loose();
        }
        (frame.taken, frame.in_vain) = (NONE, NONE);
        frame.noted = false;
        self.enabled.truncate(frame.enabled.1 as usize);
        self.trace.back_to(frame.tops);
        self.trace.cut_words(frame.words);
        self.trace.abandon();
        if let Some(saved) = &frame.saved {
            self.trace.making.clone_from(saved);
        }
        self.cut_watches(self.trace.len() as u32);
        if std::mem::take(&mut self.look_again) {
            self.drop_foreseen(at);
        }
    }

    /// A call has done less than it was planned for, perhaps: what is planned beside it may be
    /// covered by it. That is looked at before anything that it does not cover is left to the
    /// same sequences.
    fn drop_covered_by(&mut self, at: usize, step: u32) {
        let frame = &mut self.frames[at];
        if frame.kind == Kind::Threads
            && !frame.timeouts
            && frame.tree != NONE
            && self.trace.targets(step).is_empty()
        {
            let thread = self.trace.step(step).thread;
            let print = self.trace.print(step);
            frame.tree = self.forest.drop_covered(frame.tree, thread, &print);
        }
    }

    /// Calls that are planned may have been seen by now, and with that to be in vain.
    fn drop_foreseen(&mut self, at: usize) {
        if self.frames[at].kind == Kind::Threads {
            let tree = self.frames[at].tree;
            self.frames[at].tree = self.without_foreseen(at, tree);
        }
    }

    /// A list of trees that is planned at a choice, without what is known by now to be in vain.
    fn without_foreseen(&mut self, at: usize, mut tree: u32) -> u32 {
        if self.forest.foresee(tree, &mut Vec::new(), &self.trace) {
            for sleeper in &self.sleepers[self.frames[at].sleepers.all()] {
                if !sleeper.partial && sleeper.target == NONE {
                    let print = sleeper.span.print(self.trace.words());
                    tree = self.forest.drop_covered(tree, sleeper.thread, &print);
                }
            }
        }
        tree
    }

    fn has_more(&mut self, at: usize) -> bool {
        let frame = &mut self.frames[at];
        if frame.tree != NONE {
            return true;
        }
        match frame.kind {
            Kind::Forced => false,
            Kind::Targets => {
                let Ranges { from, to, .. } = frame.sleepers;
                frame.open && to - from < frame.targets
            }
            Kind::Threads => std::mem::take(&mut frame.all) && self.expand(at),
        }
    }

    /// Plans to run everybody: sequences were left out that may be needed after all.
    fn expand(&mut self, at: usize) -> bool {
        let (from, to) = self.frames[at].enabled;
        for i in from..to {
            let thread = self.enabled[i as usize].thread;
            if !self.sleeps(at, thread) {
                let leaf = self.forest.leaf(thread, true);
                self.frames[at].tree = self.forest.append(self.frames[at].tree, leaf);
            }
        }
        self.frames[at].tree != NONE
    }

    /// Takes the last frame away.
    fn pop(&mut self) {
        self.depth -= 1;
        let frame = &mut self.frames[self.depth];
        let Ranges { from, own, to } = frame.sleepers;
        self.enabled.truncate(frame.enabled.0 as usize);
        if frame.kind == Kind::Targets && own < to {
            let (open, words) = (frame.open, frame.words);
            let owner = frame.saved.take().expect("a notification").frame;
            let ran = own as usize..to as usize;
            for sleeper in &mut self.sleepers[ran.clone()] {
                sleeper.partial = !open;
            }
            let outer = self.outer_targets(self.depth, owner);
            let owner = &mut self.frames[outer.unwrap_or(owner as usize)];
            if outer.is_some() {
                // All targets of a later notification of a step are explored together.
                let last = Sleeper {
                    target: owner.taken,
                    partial: true,
                    ..self.sleepers[ran.end - 1]
                };
                self.sleepers[owner.sleepers.to as usize] = last;
                owner.sleepers.to += 1;
            } else {
                self.sleepers.copy_within(ran, owner.sleepers.to as usize);
                owner.sleepers.to += to - own;
            }
            self.sleepers.truncate(owner.sleepers.to as usize);
            owner.words = words;
            owner.noted = true;
        } else {
            self.sleepers.truncate(from as usize);
        }
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
