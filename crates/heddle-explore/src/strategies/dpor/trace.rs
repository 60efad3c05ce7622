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
mod held;
mod lives;
mod round;

use super::super::word;
use super::awaited::{Awaited, AwaitedTops};
use super::gates::{GateTops, Gates, Opened, Touch};
use super::locks::{Link, LockTops, Locks};
use super::memo::Memo;
use super::names::Names;
use super::print::{Bits, Places, Print, Span, WordHasher, settle};
use heddle_model::{
    Event, EventKind, MethodId, MutexField, ObjectId, PendingOp, Place, Site, ThreadId, View,
};
use std::collections::HashSet;
use std::hash::BuildHasherDefault;

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

/// The step that is being run.
#[derive(Clone, Debug, Default)]
pub struct Making {
    pub active: bool,
    pub thread: u32,
    pub frame: u32,
    pub loose: bool,
    pub order: Order,
    words: Vec<u32>,
    locks: Vec<Use>,
    started: Vec<u32>,
    targets: Vec<u32>,
    /// The objects that others can reach because of it.
    born: HashSet<u64, BuildHasherDefault<WordHasher>>,
    ended: bool,
    waits: Option<ObjectId>,
    /// It takes a lock in which the thread might have had to wait.
    pub awaits: Option<u64>,
    /// Gates that it has a part in opening, and whether they are open then.
    pub(super) opens: Vec<(u32, bool)>,
    /// Latches that it shows to be counted down too often, or to be waited inside.
    pub(super) keeps: Vec<u32>,
    /// Places with what was written there, and locks in which all or one were notified. Only
    /// while there are threads that wait in loops.
    pub(super) written: Vec<(u32, u64)>,
    notified: Vec<(u32, bool)>,
}

/// What had to happen before a step, whatever it touches: the thread's step before it, what let
/// the thread go on, the end of the thread that it joins; and what opened a gate.
#[derive(Clone, Copy, Debug)]
struct Reasons {
    steps: [u32; 3],
    opened: Opened,
}

/// A lock is taken or given back.
#[derive(Clone, Copy, Debug)]
struct Use {
    lock: u32,
    takes: bool,
    site: Site,
}

/// What a step is ordered with beyond what it touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    #[default]
    Nothing,
    /// It comes after everything before it: nobody could run.
    After,
    /// It ends the program: everything else comes before or not at all.
    Last,
    /// It was the last thread that the program waits for: what daemons do comes before or
    /// not at all.
    LastButDaemons,
}

/// One place that a step touched.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// Twice the number of the place.
    place: u32,
    step: u32,
    /// The record of the same place before, and the last one that wrote.
    previous: u32,
    written: u32,
    writes: bool,
    /// Of monitors: it is taken without being given back first; it is held afterwards, if by
    /// another thread; neither, but given back.
    takes: bool,
    holds: bool,
    gives: bool,
    /// Of monitors: it was not what the step touched first.
    late: bool,
}

impl Making {
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    pub fn targets(&self) -> &[u32] {
        &self.targets
    }
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
        self.enable(thread, Stands::Woken(lock), false);
    }

    /// A thread that looks around under a lock again and again can take it once more, thanks to
    /// the last step.
    pub fn end_poll(&mut self, thread: u32, lock: ObjectId) {
        self.enable(thread, Stands::Before(PendingOp::Lock(lock)), true);
    }

    /// What a thread looked at again and again has changed, by the last step.
    pub fn end_spin(&mut self, thread: u32, op: PendingOp) {
        self.enable(thread, Stands::Before(op), true);
    }

    /// Whether a thread is suspended; if it no longer is, it can go on thanks to the last step.
    pub fn suspend(&mut self, thread: u32, suspended: bool) {
        let stands = self.thread(thread).stands;
        if self.thread(thread).suspended && !suspended {
            self.enable(thread, stands, false);
        }
        if self.thread(thread).suspended != suspended {
            self.change(thread).suspended = suspended;
        }
    }

    fn enable(&mut self, thread: u32, stands: Stands, changed: bool) {
        let last = (self.steps.len() as u32).wrapping_sub(1);
        let enabled = self.change(thread);
        enabled.stands = stands;
        enabled.enabler = last;
        enabled.changed = changed;
    }

    // The step that is being run.

    pub fn begin(&mut self, thread: u32, frame: u32) {
        let stands = *self.thread(thread);
        let making = &mut self.making;
        making.active = true;
        making.thread = thread;
        making.frame = frame;
        making.loose = stands.is_loose();
        making.order = Order::Nothing;
        making.words.clear();
        making.locks.clear();
        making.started.clear();
        making.targets.clear();
        making.born.clear();
        making.ended = false;
        making.waits = None;
        making.awaits = stands.awaits;
        making.opens.clear();
        making.keeps.clear();
        making.written.clear();
        making.notified.clear();
    }

    /// The step begins with the end of a timed wait.
    pub fn begin_with_timeout(&mut self) {
        let thread = self.making.thread;
        if let Stands::Waits(Some(object)) = self.thread(thread).stands {
            // First, since it does not begin while another thread has the monitor.
            self.touch(word::monitor(object), true);
            self.touch(word::wait_set(object), true);
        }
        self.touch(word::thread(thread), true);
        self.making.loose = true;
    }

    fn touch(&mut self, place: u64, writes: bool) {
        let word = self.places.number(place) | u32::from(writes);
        // Loops touch the same place again and again.
        if self.making.words.last() != Some(&word) {
            self.making.words.push(word);
        }
    }

    /// A monitor, or the initialization of a class.
    fn lock(&mut self, place: u64, takes: bool, site: Site) {
        let lock = self.places.number(place);
        self.making.words.push(lock | 1);
        self.making.locks.push(Use { lock, takes, site });
    }

    /// A field of a lock of the library is read or written: one place, as the monitor of an
    /// object is. What its owner does with the count nobody else can tell.
    #[cold]
    fn mutex(&mut self, lock: ObjectId, field: MutexField, event: &Event) {
        let Thread { stands, site, .. } = *self.thread(self.making.thread);
        let before = stands == Stands::Before(PendingOp::Lock(lock));
        let place = word::monitor(lock);
        match (event.kind, field) {
            (EventKind::Write { value: 0, .. }, MutexField::Owner) => {
                self.lock(place, false, event.site);
            }
            (EventKind::Write { .. }, MutexField::Owner) if before => self.lock(place, true, site),
            (EventKind::Write { .. }, MutexField::Owner) => {
                // It can be run while the lock is taken, and would find that out.
                self.touch(place, false);
                self.lock(place, true, event.site);
            }
            (EventKind::Read { .. }, _) if !before && !self.making.is_private(event.kind) => {
                self.touch(place, false);
            }
            _ => {}
        }
    }

    #[inline]
    pub fn event(&mut self, event: &Event, view: &dyn View) {
        if !self.making.active {
            // What happens before the first choice is nobody's step, but threads get their
            // numbers there too.
            if let EventKind::ThreadStart { child } = event.kind {
                let parent = self.names.number(event.thread);
                let nth = self.thread(parent).children;
                self.names.born(parent, nth, child);
                self.change(parent).children += 1;
            }
            return;
        }
        if let EventKind::Read { place, .. } | EventKind::Write { place, .. } = event.kind
            && let Some(field) = view.mutex_field(place)
        {
            return self.mutex(place.object(), field, event);
        }
        if self.making.is_private(event.kind) {
            return;
        }
        if self.lazy
            && let EventKind::Read { place, .. } | EventKind::Write { place, .. } = event.kind
            && let Some(field) = view.gate_field(place)
            && let Some(touch) = self.gate((place, field), event.kind)
        {
            if touch != Touch::Not {
                self.touch(word::place(place), touch == Touch::Writes);
            }
            return self.see_access(event.kind);
        }
        match event.kind {
            EventKind::Read { place, .. } => {
                self.touch(word::place(place), false);
                self.see_access(event.kind);
            }
            EventKind::Write { place, value } if place.is_initialization() => {
                self.lock(word::place(place), value == 0, event.site);
            }
            EventKind::Write { place, .. } => {
                self.touch(word::place(place), true);
                self.see_access(event.kind);
            }
            EventKind::Lock { object } => self.lock(word::monitor(object), true, event.site),
            EventKind::Unlock { object } => self.lock(word::monitor(object), false, event.site),
            EventKind::Wait { object } => {
                self.lock(word::monitor(object), false, event.site);
                self.touch(word::wait_set(object), true);
                self.making.waits = Some(object);
            }
            EventKind::Leave { object } => self.touch(word::wait_set(object), true),
            // Where nobody waits, notifying is looking.
            EventKind::Notify { object, woken, all } => {
                self.touch(word::wait_set(object), woken > 0);
                if woken > 0 {
                    self.end_waits(object);
                }
                if self.awaited.on {
                    let lock = self.places.number(word::monitor(object));
                    self.making.notified.push((lock, all));
                }
            }
            EventKind::Park => {
                self.touch(word::thread(self.making.thread), true);
                self.making.waits = None;
            }
            EventKind::Unpark { target } | EventKind::Interrupt { target } => {
                let target = self.names.number(target);
                self.touch(word::thread(target), true);
                if let EventKind::Interrupt { .. } = event.kind {
                    self.touch(word::waits(target), false);
                }
                self.interrupts = true;
            }
            EventKind::Publish { object } => self.making.publish(object),
            EventKind::ThreadStart { child } => self.start(child),
            EventKind::ThreadEnd => self.making.ended = true,
            _ => {}
        }
    }

    /// Keeps what is read or written while there are threads that wait in loops.
    #[inline]
    fn see_access(&mut self, access: EventKind) {
        if !self.awaited.on {
            return;
        }
        match access {
            EventKind::Read { place, value } => self.see_value(place, value),
            EventKind::Write { place, value } => {
                let place = self.places.number(word::place(place));
                self.making.written.push((place, value));
                self.awaited.questions.have(place, value);
            }
            _ => {}
        }
    }

    /// Those who wait in a wait set are notified, or one of them. An interrupt finds them in it or
    /// not, however late it comes; in the wait set itself it changes something only in the first case.
    fn end_waits(&mut self, object: ObjectId) {
        for thread in 0..self.thread_count() {
            if self.thread(thread).stands == Stands::Waits(Some(object)) {
                self.touch(word::waits(thread), true);
            }
        }
    }

    fn start(&mut self, child: ThreadId) {
        let parent = self.making.thread;
        let nth = self.thread(parent).children + self.making.started.len() as u32;
        let child = self.names.born(parent, nth, child);
        self.making.started.push(child);
    }

    /// A notification in the step wakes this thread.
    pub fn choose_target(&mut self, target: u32) {
        self.making.targets.push(target);
    }

    /// The step has found a lock taken.
    pub fn in_vain(&mut self, lock: ObjectId) {
        self.touch(word::monitor(lock), false);
    }

    /// Whether the thread of the step has ended in it.
    pub fn ends_thread(&self) -> bool {
        self.making.ended
    }

    /// Whether the step has done nothing so far that anybody could notice.
    pub fn nothing_done(&self) -> bool {
        let making = &self.making;
        making.words.is_empty()
            && making.targets.is_empty()
            && making.started.is_empty()
            && making.born.is_empty()
            && !making.ended
            && making.order == Order::Nothing
    }

    /// The object whose wait set the step ends in.
    pub fn ends_in_wait_set(&self) -> Option<ObjectId> {
        self.making.waits
    }

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

    /// Keeps what a step has written and whom it has notified. To be called before it is noted
    /// which locks the thread has afterwards.
    #[cold]
    fn note_awaited(&mut self, making: &Making, step: u32) {
        if let Some(Use { lock, .. }) = making.locks.first()
            && making.awaits.is_some()
        {
            let looks = making.words.iter().filter(|w| **w & 1 == 0);
            looks.for_each(|place| self.awaited.look(*place, *lock));
        }
        let held = self.locks.held().iter();
        let held = held.filter(|h| h.thread == making.thread).map(|h| h.lock);
        let taken = making.locks.iter().filter(|u| u.takes).map(|u| u.lock);
        let held: Vec<u32> = held.chain(taken).collect();
        for written in &making.written {
            self.awaited.write(step, *written, &held);
        }
        for (lock, all) in &making.notified {
            self.awaited.notify(step, *lock, *all);
        }
    }

    /// The last step that had to do with a lock.
    pub fn last_use(&self, lock: u32) -> u32 {
        let head = self.heads.get(lock as usize >> 1).copied();
        let record = head.and_then(|at| self.records.get(at as usize));
        record.map_or(NONE, |r| r.step)
    }

    /// The lock that a step takes first.
    pub fn lock_of(&self, step: u32) -> Option<u32> {
        let lock = self.step(step).needs;
        (lock != NONE).then_some(lock)
    }

    /// Whether a step takes a lock, or gives it back.
    pub fn takes_lock(&self, step: u32, lock: u32) -> bool {
        self.uses(step).iter().any(|u| u.takes && u.lock == lock)
    }

    pub fn gives_lock(&self, step: u32, lock: u32) -> bool {
        self.uses(step).iter().any(|u| !u.takes && u.lock == lock)
    }

    fn bits(&self, making: &Making) -> Bits {
        match making.order {
            Order::Last => Bits::ALL,
            Order::LastButDaemons => Bits::of(&making.words).ending_daemons(),
            _ => self.bits_of(making.thread, &making.words),
        }
    }

    /// Of a step of a thread that touches this and does not end the program.
    pub fn bits_of(&self, thread: u32, words: &[u32]) -> Bits {
        match self.names.is_daemon(thread) {
            true => Bits::of(words).of_daemon(),
            false => Bits::of(words),
        }
    }

    /// The step was no step.
    pub fn abandon(&mut self) {
        self.making.active = false;
    }

    /// The steps on the path, of those that are there, that one which touches a place now
    /// depends on by that.
    pub(super) fn for_each_before(
        &self,
        word: u32,
        there: impl Fn(u32) -> bool,
        mut each: impl FnMut(u32),
    ) {
        let mut at = self.heads.get(word as usize >> 1).copied().unwrap_or(NONE);
        while at != NONE {
            let record = &self.records[at as usize];
            let there = there(record.step);
            if there && (record.writes || word & 1 != 0) {
                each(record.step);
            }
            at = match (record.writes && there, word & 1) {
                (true, _) => NONE,
                // One that reads has nothing to do with others, of which there may be many.
                (false, 0) => record.written,
                (false, _) => record.previous,
            };
        }
    }

    /// The steps on the path that wrote a place, the last first, until one is found.
    pub(super) fn find_writer(&self, word: u32, mut found: impl FnMut(u32) -> bool) {
        let mut at = self.heads.get(word as usize >> 1).copied().unwrap_or(NONE);
        while at != NONE {
            let record = &self.records[at as usize];
            if record.writes && found(record.step) {
                return;
            }
            at = record.written;
        }
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

    /// Finds the steps that a step conflicts with; `first` is what it touched first.
    fn find_conflicts(&mut self, making: &Making, first: Option<u32>) {
        let Space {
            candidates,
            conflicts,
            data,
            links,
            freed,
            ..
        } = &mut self.space;
        candidates.clear();
        conflicts.clear();
        data.clear();
        links.clear();
        freed.clear();
        for word in &making.words {
            let number = *word as usize >> 1;
            let Some(&head) = self.heads.get(number) else {
                continue;
            };
            if head == NONE {
                continue;
            }
            let last = &self.records[head as usize];
            if word & 1 == 0 {
                let written = if last.writes { head } else { last.written };
                if written != NONE {
                    let record = &self.records[written as usize];
                    conflicts.push(record.step);
                    let mut from = record.step;
                    if record.gives && !word::is_monitor(self.places.all()[number]) {
                        // Whoever uses a class comes after its initialization as a whole, or
                        // begins it himself.
                        freed.push(written);
                        let Some(taken) = taken_in(&self.records, record.written) else {
                            continue;
                        };
                        from = taken.step;
                    }
                    candidates.push(from);
                    data.push(from);
                }
                continue;
            }
            // A call that does other things before it takes a lock can be run while the
            // lock is held: it stops then in its middle.
            let is_lock = making.locks.iter().any(|l| l.lock == word & !1);
            let takes = is_lock && takes(&making.locks, *word);
            let late = takes && first != Some(*word);
            let takes = takes && !late;
            let mut at = head;
            while at != NONE {
                let record = &self.records[at as usize];
                conflicts.push(record.step);
                let mut from = record.step;
                if takes && record.gives {
                    // It gives the lock back; the race is with the step that took it, if
                    // that was one.
                    freed.push(at);
                    let Some(taken) = taken_in(&self.records, record.written) else {
                        break;
                    };
                    from = taken.step;
                }
                candidates.push(from);
                if !is_lock || !record.writes || late || record.takes && record.late {
                    data.push(from);
                } else if self.steps[record.step as usize].thread != making.thread {
                    links.push(Link {
                        lock: word & !1,
                        from,
                        freed: record.step,
                        to: self.steps.len() as u32,
                    });
                }
                if record.writes {
                    break;
                }
                at = record.previous;
            }
        }
        let all = making.order == Order::Last;
        if all || making.order == Order::LastButDaemons {
            for (t, other) in self.threads.iter().enumerate() {
                let meets = all || self.names.is_daemon(t as u32);
                if meets && t != making.thread as usize && other.last != NONE {
                    conflicts.push(other.last);
                    candidates.push(other.last);
                    data.push(other.last);
                }
            }
        }
    }

    fn find_races(&mut self) {
        self.races.clear();
        self.hidden.clear();
        if self.space.candidates.is_empty() {
            return;
        }
        let mut candidates = std::mem::take(&mut self.space.candidates);
        let mut reach = std::mem::take(&mut self.space.reach);
        candidates.sort_unstable_by(|a, b| b.cmp(a));
        candidates.dedup();
        reach.clear();
        reach.extend_from_slice(&self.before);
        for &candidate in &candidates {
            let step = &self.steps[candidate as usize];
            if reached(&reach, step.thread) >= step.number {
                continue;
            }
            let mut freed = self.space.freed.iter();
            if freed.any(|f| self.is_needed_for(candidate, *f)) {
                continue;
            }
            self.races.push(candidate);
            if Some(&candidate) != candidates.last() {
                let clock = &self.clocks[step.clock as usize..(step.clock + step.width) as usize];
                join(&mut reach, clock);
            }
        }
        self.space.candidates = candidates;
        self.space.reach = reach;
    }

    /// Whether a lock that was given back at last in this record would be held by somebody
    /// without the step and what comes after it.
    fn is_needed_for(&self, step: u32, freed: u32) -> bool {
        let mut at = freed;
        while let Some(record) = self.records.get(at as usize) {
            if record.step < step || !self.before(step, record.step) {
                return false;
            }
            // It may have been taken before the first choice.
            let taken = taken_in(&self.records, record.written);
            let stays = |taken: &Record| taken.step < step || !self.before(step, taken.step);
            if record.gives && taken.is_none_or(stays) {
                return true;
            }
            at = record.written;
        }
        false
    }

    fn record(&mut self, making: &Making, first: Option<u32>, step: u32) {
        if self.heads.len() < self.places.len() {
            self.heads.resize(self.places.len(), NONE);
        }
        let had = self.had.len();
        for word in &making.words {
            let head = &mut self.heads[*word as usize >> 1];
            let previous = *head;
            *head = self.records.len() as u32;
            let written = match self.records.get(previous as usize) {
                Some(record) if !record.writes => record.written,
                _ => previous,
            };
            let mut uses = making.locks.iter().filter(|l| l.lock == word & !1);
            let first_use = uses.next();
            let takes = first_use.is_some_and(|l| l.takes);
            let holds = match (uses.next_back().or(first_use), word & 1) {
                (Some(last), _) => last.takes,
                // The end of a timed wait, say, for which somebody has the lock.
                (None, 0) => false,
                (None, _) => self.records.get(written as usize).is_some_and(|r| r.holds),
            };
            let held = (word & !1, making.thread);
            if first_use.is_some() && !takes && written == NONE && !self.had.contains(&held) {
                self.had.push(held);
            }
            self.records.push(Record {
                place: word & !1,
                step,
                previous,
                written,
                writes: word & 1 != 0,
                takes,
                holds,
                gives: first_use.is_some() && !takes && !holds,
                late: first != Some(*word),
            });
        }
        if self.lazy && self.had.len() > had {
            self.hold_again();
        }
    }

    /// The step that took a lock that is held at the end of the path by another thread.
    pub fn holder(&mut self, lock: u64, thread: u32) -> Option<u32> {
        let word = self.places.number(lock);
        let head = *self.heads.get(word as usize >> 1)?;
        let last = self.records.get(head as usize)?;
        let written = if last.writes { head } else { last.written };
        let holds = self.records.get(written as usize)?.holds;
        let taken = taken_in(&self.records, written).filter(|_| holds)?;
        let other = self.steps[taken.step as usize].thread != thread;
        other.then_some(taken.step)
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

/// The record in which the lock was taken that is held in this one. A step that gives it back and
/// takes it again had it before: nobody can have it in its place.
fn taken_in(records: &[Record], at: u32) -> Option<&Record> {
    let mut record = records.get(at as usize)?;
    while record.holds && !record.takes {
        record = records.get(record.written as usize)?;
    }
    Some(record)
}

/// Whether the first thing that a step does with a monitor is to take it.
fn takes(locks: &[Use], word: u32) -> bool {
    let first = locks.iter().find(|l| l.lock == word & !1);
    first.is_some_and(|l| l.takes)
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
