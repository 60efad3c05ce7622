//! The present path as steps, with what each of them touched and what happened before it.
//!
//! A step is what a thread does from one choice to the next. Steps are ordered by
//! *happens-before*, kept as a vector clock per step: a thread's own steps in their order;
//! two steps that touch one place, one of them writing; what lets a thread go on (a start,
//! a notification, an unpark, the end of a thread that is joined) before what it does then.
//! A wait that ends because nobody else can run comes after everything.
//!
//! For each place the steps that touched it form a chain, from the last one back, so what
//! a new step conflicts with is found without looking at the rest of the path. Everything
//! lies in stacks that shrink when the search goes back.
//!
//! Locks are special in one way. A thread that wants a lock cannot come between the step
//! that takes it and the step that gives it back, so these two and what happens between
//! them are not in a race with the next one to take it, except the first: it is there that
//! the other could have come before. The initialization of a class is such a lock too, for
//! those who use the class: they come after the whole of it, or else begin it themselves.

mod born;
mod by_data;
mod conflicts;
mod held;
mod lives;
mod making;
mod round;
mod sections;

use super::super::word;
use super::awaited::{Awaited, AwaitedTops};
use super::gates::{GateTops, Gates, Opened};
use super::locks::{Link, LockTops, Locks};
use super::memo::Memo;
use super::names::Names;
use super::print::{Places, Print, Span, settle};
use conflicts::Record;
use heddle_model::{MethodId, ObjectId, PendingOp, Place, Site};
use making::Use;

pub use by_data::Without;
pub use making::{Making, Order};

/// No step, no record, no thread.
pub const NONE: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
pub struct Trace {
    pub places: Places,
    pub names: Names,
    pub locks: Locks,
    pub memo: Memo,
    pub awaited: Awaited,
    pub gates: Gates,
    /// Locks order nothing by themselves.
    pub lazy: bool,
    /// Some thread has interrupted, suspended or resumed another one.
    pub interrupts: bool,
    /// Locks that threads had before the first choice, as far as they were given back since.
    had: Vec<(u32, u32)>,
    steps: Vec<Step>,
    words: Vec<u32>,
    clocks: Vec<u32>,
    records: Vec<Record>,
    /// By the number of a place, the last record of it.
    heads: Vec<u32>,
    threads: Vec<Thread>,
    undo: Vec<(u32, Thread)>,
    /// The targets of notifications that steps chose, and the locks that they used.
    targets: Vec<u32>,
    uses: Vec<Use>,
    lives: lives::Lives,
    holdings: held::Holdings,
    pub making: Box<Making>,
    /// Stands in for it while the step is ended.
    spare: Option<Box<Making>>,
    /// What happened before the last step, without what it conflicts with; and if locks
    /// ordered nothing.
    before: Vec<u32>,
    before_by_data: Vec<u32>,
    /// The steps that the last one is in a race with, the last first.
    races: Vec<u32>,
    /// Those that it would be in a race with if locks ordered nothing.
    hidden: Vec<u32>,
    space: Space,
}

/// What a thread did from one choice to the next.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub thread: u32,
    /// Which step of its thread it is, from 1 on.
    pub number: u32,
    /// Where it was chosen.
    pub frame: u32,
    pub span: Span,
    clock: u32,
    /// The clock if locks ordered nothing.
    data_clock: u32,
    width: u32,
    targets: (u32, u32),
    uses: (u32, u32),
    life: lives::Life,
    held: held::Holding,
    reasons: Reasons,
    /// It may touch other places when other steps come before it.
    pub loose: bool,
    /// It came when nobody could run.
    at_rest: bool,
    /// The lock without which it cannot begin.
    needs: u32,
    /// See `memo`: what its thread stood at, and it.
    pub stands: u64,
    pub name: u64,
    /// The thread might have had to wait in the lock that it takes: see `awaits`.
    pub awaits: Option<u64>,
}

/// What had to happen before a step, whatever it touches: the thread's step before it, what let
/// the thread go on, the end of the thread that it joins; and what opened a gate.
#[derive(Clone, Copy, Debug)]
struct Reasons {
    steps: [u32; 3],
    opened: Opened,
}

#[derive(Clone, Copy, Debug)]
pub struct Thread {
    /// Its last step.
    pub last: u32,
    pub count: u32,
    /// The step that let it go on, and whether that changed what it looks at again and again.
    enabler: u32,
    changed: bool,
    pub suspended: bool,
    /// The step in which it ended.
    pub ended: u32,
    /// How many threads it has started.
    children: u32,
    pub stands: Stands,
    /// Where it stands before a lock while it has others.
    pub site: Site,
    /// It stands before a lock in which it would only wait; when the lock was used last; and the
    /// key by which it is known whether it would wait: see `awaits`.
    pub fails: bool,
    pub seen: u64,
    pub awaits: Option<u64>,
}

/// Where a thread has stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stands {
    Begin,
    Before(PendingOp),
    /// It has found this lock taken, in the middle of something.
    Wants(ObjectId),
    /// It waits, perhaps in the wait set of this object.
    Waits(Option<ObjectId>),
    /// It looks again and again, from before this, at what does not change.
    Spins(PendingOp),
    /// It may go on, perhaps once it has this lock back.
    Woken(Option<ObjectId>),
    Over,
}

/// Heights of the stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tops {
    steps: u32,
    clocks: u32,
    records: u32,
    targets: u32,
    uses: u32,
    undo: u32,
    locks: LockTops,
    awaited: AwaitedTops,
    gates: GateTops,
}

/// Lists that are reused from step to step.
#[derive(Clone, Debug, Default)]
struct Space {
    /// Steps that conflict and that could have come later.
    candidates: Vec<u32>,
    /// Steps that conflict, and those that do so by more than a lock.
    conflicts: Vec<u32>,
    data: Vec<u32>,
    /// Locks that the step gets from others.
    links: Vec<Link>,
    /// The records in which locks that the step takes were given back.
    freed: Vec<u32>,
    reach: Vec<u32>,
}

impl Tops {
    /// The step that comes next.
    pub fn step(self) -> u32 {
        self.steps
    }
}

impl Thread {
    const UNKNOWN: Thread = Thread {
        last: NONE,
        count: 0,
        enabler: NONE,
        changed: false,
        suspended: false,
        ended: NONE,
        children: 0,
        stands: Stands::Begin,
        site: Site {
            method: MethodId(0),
            bci: -1,
        },
        fails: false,
        seen: 0,
        awaits: None,
    };

    /// The lock that it needs to go on, as a place.
    pub fn wants(&self) -> Option<u64> {
        match self.stands {
            Stands::Before(PendingOp::Lock(lock) | PendingOp::LockWithin(lock))
            | Stands::Wants(lock) => Some(word::monitor(lock)),
            Stands::Woken(lock) => lock.map(word::monitor),
            Stands::Before(op) => initialization(op).map(word::place),
            _ => None,
        }
    }

    /// Whether its next step may touch other places when other steps come before it.
    pub fn is_loose(&self) -> bool {
        match self.stands {
            Stands::Begin => false,
            Stands::Before(
                PendingOp::Call(_)
                | PendingOp::Gate { .. }
                | PendingOp::LockWithin(_)
                | PendingOp::JoinUnborn(_),
            ) => true,
            // It reads if it comes late, and writes if it comes first.
            Stands::Before(op) => initialization(op).is_some(),
            _ => true,
        }
    }
}

impl Trace {
    /// For a search that runs the program from its start again: nothing has happened, and
    /// what has been learned is kept.
    pub fn anew(self) -> Trace {
        Trace {
            places: self.places,
            names: self.names.anew(),
            memo: self.memo,
            awaited: self.awaited.anew(),
            gates: self.gates.anew(),
            lazy: self.lazy,
            ..Trace::default()
        }
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    #[inline]
    pub fn step(&self, step: u32) -> &Step {
        &self.steps[step as usize]
    }

    #[inline]
    pub fn print(&self, step: u32) -> Print<'_> {
        self.steps[step as usize].span.print(&self.words)
    }

    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The targets of notifications that a step chose.
    pub fn targets(&self, step: u32) -> &[u32] {
        let (from, to) = self.steps[step as usize].targets;
        &self.targets[from as usize..to as usize]
    }

    pub fn thread(&self, thread: u32) -> &Thread {
        self.threads
            .get(thread as usize)
            .unwrap_or(&Thread::UNKNOWN)
    }

    pub fn thread_count(&self) -> u32 {
        self.threads.len() as u32
    }

    /// Whether a step happened before another one that came later, or is it.
    #[inline]
    pub fn before(&self, earlier: u32, later: u32) -> bool {
        let [earlier, later] = [earlier, later].map(|step| &self.steps[step as usize]);
        self.follows(later, earlier)
    }

    /// Whether a step comes after another one, or is it.
    #[inline]
    fn follows(&self, step: &Step, earlier: &Step) -> bool {
        // Threads beyond the clock were not there yet.
        earlier.thread < step.width
            && self.clocks[(step.clock + earlier.thread) as usize] >= earlier.number
    }

    /// The steps between two that do not come after the first.
    pub fn beside(&self, earlier: u32, later: u32) -> impl Iterator<Item = u32> {
        let first = &self.steps[earlier as usize];
        let between = (earlier + 1..).zip(&self.steps[earlier as usize + 1..later as usize]);
        let beside = between.filter(|(_, step)| !self.follows(step, first));
        beside.map(|(at, _)| at)
    }

    /// The steps that the last one is in a race with: each is unordered with it but for a
    /// conflict, and could have come later. The last first.
    pub fn races(&self) -> &[u32] {
        &self.races
    }

    /// The steps that touch the same data as the last one and that only locks keep before it.
    pub fn hidden(&self) -> &[u32] {
        &self.hidden
    }

    /// Whether a step happened before the thread of the last one came to it.
    #[inline]
    pub fn before_the_last(&self, earlier: u32) -> bool {
        let earlier = &self.steps[earlier as usize];
        reached(&self.before, earlier.thread) >= earlier.number
    }

    pub fn tops(&self) -> Tops {
        Tops {
            steps: self.steps.len() as u32,
            clocks: self.clocks.len() as u32,
            records: self.records.len() as u32,
            targets: self.targets.len() as u32,
            uses: self.uses.len() as u32,
            undo: self.undo.len() as u32,
            locks: self.locks.tops(),
            awaited: self.awaited.tops(),
            gates: self.gates.tops(),
        }
    }

    /// Goes back. The words of steps stay until [`Trace::cut_words`] takes them away: they
    /// are needed as long as the search remembers where it has been.
    pub fn back_to(&mut self, to: Tops) {
        while self.records.len() > to.records as usize {
            let record = self.records.pop().expect("there are more");
            self.heads[record.place as usize >> 1] = record.previous;
        }
        self.steps.truncate(to.steps as usize);
        self.clocks.truncate(to.clocks as usize);
        self.targets.truncate(to.targets as usize);
        self.uses.truncate(to.uses as usize);
        self.lives.back_to(self.steps.last());
        self.holdings.back_to(self.steps.last());
        while self.undo.len() > to.undo as usize {
            let (thread, was) = self.undo.pop().expect("there are more");
            self.threads[thread as usize] = was;
        }
        self.locks.back_to(to.locks);
        self.awaited.back_to(to.awaited);
        self.gates.back_to(to.gates);
    }

    pub fn words_top(&self) -> u32 {
        self.words.len() as u32
    }

    /// Keeps the words of a step that is not on the path.
    pub fn keep_words(&mut self, print: &Print<'_>) -> Span {
        let start = self.words.len() as u32;
        self.words.extend_from_slice(print.words);
        let end = self.words.len() as u32;
        let bits = print.bits;
        Span { start, end, bits }
    }

    pub fn cut_words(&mut self, to: u32) {
        self.words.truncate(to as usize);
    }

    // Threads.

    fn change(&mut self, thread: u32) -> &mut Thread {
        while self.threads.len() <= thread as usize {
            self.threads.push(Thread::UNKNOWN);
        }
        let changed = &mut self.threads[thread as usize];
        self.undo.push((thread, *changed));
        changed
    }

    pub fn stand(&mut self, thread: u32, stands: Stands) {
        self.change(thread).stands = stands;
    }

    /// Whether a thread would have to wait in the lock that it stands before.
    pub fn see(&mut self, thread: u32, fails: bool, seen: u64, key: u64) {
        let changed = self.change(thread);
        (changed.fails, changed.seen, changed.awaits) = (fails, seen, Some(key));
    }

    pub fn stand_at(&mut self, thread: u32, site: Site) {
        self.change(thread).site = site;
    }

    /// A thread that waited can go on, thanks to the last step.
    pub fn wake(&mut self, thread: u32, lock: Option<ObjectId>) {
        self.enable(thread, Stands::Woken(lock));
    }

    /// A thread that looks around under a lock again and again can take it once more, thanks to
    /// the last step.
    pub fn end_poll(&mut self, thread: u32, lock: ObjectId) {
        self.enable(thread, Stands::Before(PendingOp::Lock(lock)));
        self.threads[thread as usize].changed = true;
    }

    /// What a thread looked at again and again has changed, by the last step.
    pub fn end_spin(&mut self, thread: u32, op: PendingOp) {
        self.enable(thread, Stands::Before(op));
        self.threads[thread as usize].changed = true;
    }

    /// Whether a thread is suspended; if it no longer is, it can go on thanks to the last step.
    pub fn suspend(&mut self, thread: u32, suspended: bool) {
        let stands = self.thread(thread).stands;
        if self.thread(thread).suspended && !suspended {
            self.enable(thread, stands);
        }
        if self.thread(thread).suspended != suspended {
            self.change(thread).suspended = suspended;
        }
    }

    fn enable(&mut self, thread: u32, stands: Stands) {
        let last = (self.steps.len() as u32).wrapping_sub(1);
        let enabled = self.change(thread);
        enabled.stands = stands;
        enabled.enabler = last;
        enabled.changed = false;
    }

    // The step that is being run.

    /// Ends the step and finds its place in the order and the races it is in.
    pub fn finish(&mut self) -> u32 {
        let spare = self.spare.take().unwrap_or_default();
        let mut making = std::mem::replace(&mut self.making, spare);
        self.forget_private_locks(&mut making);
        let first = making.words.first().copied();
        settle(&mut making.words);
        let (thread, index) = (making.thread, self.steps.len() as u32);
        let bits = self.bits(&making);
        let words = &making.words;
        let span = self.keep_words(&Print { words, bits });
        let targets = self.targets.len() as u32;
        self.targets.extend_from_slice(&making.targets);
        let uses = self.uses.len() as u32;
        self.uses.extend_from_slice(&making.locks);
        self.change(thread);
        let before = *self.thread(thread);

        let reasons = self.happened_before(thread, making.order);
        let stands = self.place_of(thread, reasons.steps);
        let name = self.name_of_new(stands, &making);
        if making.loose {
            self.keep_call(stands, &making, bits);
        }
        let takes_first = |u: &&Use| u.takes && first == Some(u.lock | 1);
        let needs = making.locks.first().filter(takes_first);
        let needs = needs.map_or(NONE, |u| u.lock);
        self.find_conflicts(&making, first);
        self.find_races();
        let number = before.count + 1;
        let clock = self.clocks.len() as u32;
        let width = self.before.len() as u32;
        self.clocks.extend_from_slice(&self.before);
        for i in 0..self.space.conflicts.len() {
            let step = &self.steps[self.space.conflicts[i] as usize];
            let (old, new) = self.clocks.split_at_mut(clock as usize);
            if reached(new, step.thread) < step.number {
                join(
                    new,
                    &old[step.clock as usize..(step.clock + step.width) as usize],
                );
            }
        }
        self.clocks[clock as usize + thread as usize] = number;
        let mut data_clock = clock;
        if self.lazy && (self.locks.any_links() || !self.space.links.is_empty()) {
            let ends = match before.stands {
                Stands::Over => self.ends(),
                _ => Vec::new(),
            };
            data_clock = self.order_by_data((reasons, ends), making.order);
            self.clocks[data_clock as usize + thread as usize] = number;
        }
        let (mut life, mut held) = Default::default();
        if self.lazy {
            (life, held) = (self.live(thread, reasons), self.hold());
        }
        self.steps.push(Step {
            thread,
            number,
            frame: making.frame,
            span,
            clock,
            data_clock,
            width,
            targets: (targets, self.targets.len() as u32),
            uses: (uses, self.uses.len() as u32),
            life,
            held,
            reasons,
            loose: making.loose,
            at_rest: making.order == Order::After,
            needs,
            stands,
            name,
            awaits: making.awaits,
        });
        if self.awaited.on {
            self.note_awaited(&making, index);
        }
        self.gates.note(index, &making.opens, &making.keeps);
        self.record(&making, first, index);
        if self.lazy {
            self.note_locks(&making, first, index);
        }

        let ran = &mut self.threads[thread as usize];
        ran.last = index;
        ran.count = number;
        (ran.fails, ran.seen, ran.awaits) = (false, 0, None);
        ran.children += making.started.len() as u32;
        if making.ended {
            ran.ended = index;
            ran.stands = Stands::Over;
        }
        for child in &making.started {
            let child = self.change(*child);
            child.enabler = index;
            child.changed = false;
            child.stands = Stands::Begin;
        }
        making.active = false;
        self.spare = Some(std::mem::replace(&mut self.making, making));
        index
    }

    /// What happened before a thread came to its next step, into `before`, and why.
    fn happened_before(&mut self, thread: u32, order: Order) -> Reasons {
        let ran = self.threads[thread as usize];
        let mut steps = [ran.last, ran.enabler, NONE];
        if let Stands::Before(PendingOp::Join(other)) = ran.stands {
            let other = self.names.number(other);
            steps[2] = self.thread(other).ended;
        }
        let opened = self.opened(thread);
        let reasons = Reasons { steps, opened };
        self.before.clear();
        if let Some(last) = self.steps.get(ran.last as usize) {
            let clock = &self.clocks[last.clock as usize..(last.clock + last.width) as usize];
            self.before.extend_from_slice(clock);
        }
        self.before.resize(self.threads.len(), 0);
        self.reach_back_to(reasons);
        if order == Order::After {
            for t in 0..self.threads.len() {
                self.reach_back(self.threads[t].last);
            }
        }
        if ran.stands == Stands::Over {
            for end in self.ends() {
                self.reach_back(end);
            }
        }
        reasons
    }

    /// The steps in which threads have ended that the initial one waits for when it has ended
    /// itself and is to shut the program down.
    fn ends(&self) -> Vec<u32> {
        let threads = self.threads.iter().enumerate();
        let awaited = threads.filter(|(t, _)| !self.names.is_daemon(*t as u32));
        awaited.map(|(_, thread)| thread.ended).collect()
    }

    fn reach_back_to(&mut self, reasons: Reasons) {
        for reason in &reasons.steps[1..] {
            self.reach_back(*reason);
        }
        for i in 0..self.gates.reasons(reasons.opened).len() {
            self.reach_back(self.gates.reasons(reasons.opened)[i]);
        }
    }

    fn reach_back(&mut self, step: u32) {
        if step != NONE {
            let step = &self.steps[step as usize];
            if reached(&self.before, step.thread) >= step.number {
                // With a step everything is known that happened before it.
                return;
            }
            let clock = &self.clocks[step.clock as usize..(step.clock + step.width) as usize];
            join(&mut self.before, clock);
        }
    }

    /// Whether somebody would hold the lock that a step needs to begin with, after others.
    pub fn is_held_up(&self, step: u32, kept: &[u32]) -> bool {
        let Step { needs, thread, .. } = *self.step(step);
        let mut uses = kept
            .iter()
            .rev()
            .filter(|k| self.step(**k).thread != thread);
        let last = uses.find_map(|k| self.uses(*k).iter().rfind(|u| u.lock == needs));
        last.is_some_and(|last| last.takes)
    }

    /// Prepares [`Trace::before_the_last`] for a step of the path.
    pub fn imagine_again(&mut self, step: u32) {
        self.before.clear();
        self.before.resize(self.threads.len(), 0);
        let reasons = self.steps[step as usize].reasons;
        self.reach_back(reasons.steps[0]);
        self.reach_back_to(reasons);
    }

    /// Prepares [`Trace::before_the_last`] for a step that a thread would make now; where it
    /// stands.
    pub fn imagine(&mut self, thread: u32) -> u64 {
        let tops = self.gates.tops();
        let reasons = self.happened_before(thread, Order::Nothing);
        self.gates.back_to(tops);
        self.place_of(thread, reasons.steps)
    }
}

/// The class that is to be initialized, or to be used once it is.
pub fn initialization(op: PendingOp) -> Option<Place> {
    match op {
        PendingOp::Read(place) | PendingOp::Write(place) => {
            place.is_initialization().then_some(place)
        }
        _ => None,
    }
}

#[inline]
fn reached(clock: &[u32], thread: u32) -> u32 {
    clock.get(thread as usize).copied().unwrap_or(0)
}

/// Every entry becomes the larger of two; `clock` is at least as long as `other`.
#[inline]
fn join(clock: &mut [u32], other: &[u32]) {
    for (mine, theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}
