//! A machine made of nothing: threads in states that a test sets, and a few lines to
//! tell a detector a story.

// Each file of tests uses its own part of it.
#![allow(dead_code)]

use heddle_model::{
    Choice, ChoicePoint, Detector, End, Event, EventKind, FieldName, Finding, Findings, Frame,
    InvariantResult, MethodId, ObjectId, Pause, Place, Site, ThreadId, ThreadPath, ThreadView,
    View,
};

#[derive(Default)]
pub struct Fake {
    pub threads: Vec<FakeThread>,
    pub owners: Vec<(ObjectId, ThreadId)>,
    pub invariants: Vec<InvariantResult>,
    pub volatile: Vec<Place>,
    /// Futures and the exceptions in them.
    pub thrown: Vec<(ObjectId, ObjectId)>,
    /// The trusted method that every thread's own frame has called; 0 for [`TRUSTED`].
    pub calls: u32,
}

#[derive(Clone)]
pub struct FakeThread {
    pub state: &'static str,
    pub waits_for: Option<ObjectId>,
    pub parked_on: Option<ObjectId>,
    pub daemon: bool,
    pub spins: bool,
    /// In a loop without a way out.
    pub endless: bool,
}

/// Objects from here on stand for threads: 100 for main, 101 for worker-1, …
pub const THREADS: u32 = 100;
/// Objects from here on are locks that are no monitors.
pub const SYNCHRONIZERS: u32 = 200;
/// Methods from here on are trusted.
pub const TRUSTED: u32 = 50;
/// Methods of the library that wait, in their ways: `park`, `Condition.await`, a latch.
pub const PARK: u32 = 51;
pub const AWAIT: u32 = 52;
pub const LATCH: u32 = 53;
/// The one that sets the owner of a lock, and one that only tries to take it.
pub const SET_OWNER: u32 = 54;
pub const TRY_LOCK: u32 = 55;
pub const LOCK: u32 = 56;
/// One that asks whether a future is done.
pub const IS_DONE: u32 = 57;
/// A method of a class that leaves it to its users to keep threads apart.
pub const UNGUARDED: u32 = 60;

impl Fake {
    pub fn new(threads: usize) -> Fake {
        let running = FakeThread {
            state: "RUNNABLE",
            waits_for: None,
            parked_on: None,
            daemon: false,
            spins: false,
            endless: false,
        };
        Fake {
            threads: vec![running; threads],
            ..Fake::default()
        }
    }

    pub fn set(&mut self, thread: u32, state: &'static str, waits_for: Option<u32>) {
        let thread = &mut self.threads[thread as usize];
        (thread.state, thread.waits_for) = (state, waits_for.map(ObjectId));
    }

    pub fn park(&mut self, thread: u32, on: Option<u32>) {
        self.set(thread, "WAITING", None);
        self.threads[thread as usize].parked_on = on.map(ObjectId);
    }

    pub fn own(&mut self, thread: u32, object: u32) {
        self.owners.push((ObjectId(object), ThreadId(thread)));
    }
}

impl View for Fake {
    fn thread_count(&self) -> usize {
        self.threads.len()
    }

    fn thread(&self, id: ThreadId) -> ThreadView {
        let thread = &self.threads[id.0 as usize];
        ThreadView {
            id,
            path: ThreadPath::default(),
            name: if id.0 == 0 {
                "main".into()
            } else {
                format!("worker-{}", id.0)
            },
            daemon: thread.daemon,
            state: thread.state,
            waits_for: thread.waits_for,
        }
    }

    fn stack(&self, id: ThreadId) -> Vec<Site> {
        vec![site(self.calls.max(TRUSTED)), site(id.0)]
    }

    fn frame(&self, site: Site) -> Frame {
        let own = format!("m{}", site.method.0);
        let (class, method) = match site.method.0 {
            TRUSTED => ("java.lang.Object", "wait"),
            PARK => ("java.util.concurrent.locks.LockSupport", "park"),
            AWAIT => ("java.util.concurrent.locks.Aqs$ConditionObject", "await"),
            LATCH => ("java.util.concurrent.CountDownLatch", "await"),
            SET_OWNER => (
                "java.util.concurrent.locks.AbstractOwnableSynchronizer",
                "setExclusiveOwnerThread",
            ),
            TRY_LOCK => ("java.util.concurrent.locks.ReentrantLock", "tryLock"),
            LOCK => ("java.util.concurrent.locks.ReentrantLock", "lock"),
            IS_DONE => ("java.util.concurrent.FutureTask", "isDone"),
            UNGUARDED => ("java.util.HashMap", "put"),
            _ => ("shop.Bank", own.as_str()),
        };
        Frame {
            class: class.into(),
            method: method.into(),
            file: Some("Bank.java".into()),
            line: Some(site.bci as u32),
        }
    }

    fn class_of(&self, object: ObjectId) -> String {
        match object.0 {
            7 => "java.lang.AssertionError".into(),
            8 => "java.lang.IllegalStateException".into(),
            9 => "java.lang.ThreadDeath".into(),
            10..20 => "java.util.concurrent.FutureTask".into(),
            _ => "shop.Account".into(),
        }
    }

    fn owner(&self, object: ObjectId) -> Option<ThreadId> {
        let monitors = self.owners.iter().filter(|o| o.0.0 < SYNCHRONIZERS);
        monitors.clone().find(|o| o.0 == object).map(|o| o.1)
    }

    fn synchronizer_owner(&self, object: ObjectId) -> Option<ThreadId> {
        let locks = self.owners.iter().filter(|o| o.0.0 >= SYNCHRONIZERS);
        locks.clone().find(|o| o.0 == object).map(|o| o.1)
    }

    fn can_end(&self, thread: ThreadId) -> bool {
        !self.threads[thread.0 as usize].endless
    }

    fn spins(&self, thread: ThreadId) -> bool {
        self.threads[thread.0 as usize].spins
    }

    fn parked_on(&self, thread: ThreadId) -> Option<ObjectId> {
        self.threads[thread.0 as usize].parked_on
    }

    fn thrown_into(&self, future: ObjectId) -> Option<ObjectId> {
        let thrown = self.thrown.iter().find(|t| t.0 == future);
        thrown.map(|t| t.1)
    }

    fn thrown_at(&self, exception: ObjectId) -> Option<Site> {
        Some(site(exception.0))
    }

    fn field(&self, place: Place) -> Option<FieldName> {
        let class = self.class_of(place.object());
        let future = class.starts_with("java.util.concurrent.");
        future.then(|| FieldName {
            class,
            name: "outcome".into(),
        })
    }

    fn thread_of(&self, object: ObjectId) -> Option<ThreadId> {
        let number = object.0.checked_sub(THREADS)?;
        (number < self.threads.len() as u32).then_some(ThreadId(number))
    }

    fn trusted(&self, method: MethodId) -> bool {
        method.0 >= TRUSTED
    }

    fn is_volatile(&self, place: Place) -> bool {
        self.volatile.contains(&place)
    }

    fn exception_text(&self, exception: ObjectId) -> String {
        format!("{}: empty", self.class_of(exception))
    }

    fn invariants(&self) -> &[InvariantResult] {
        &self.invariants
    }
}

pub fn site(number: u32) -> Site {
    Site {
        method: MethodId(number),
        bci: number as i32 + 10,
    }
}

/// A detector and what it found so far.
pub struct Story<D> {
    pub detector: D,
    pub found: Findings,
}

impl<D: Detector + Default> Default for Story<D> {
    fn default() -> Self {
        Story {
            detector: D::default(),
            found: Findings::default(),
        }
    }
}

impl<D: Detector> Story<D> {
    /// A thread did something, at the site of its own number.
    pub fn event(&mut self, view: &dyn View, thread: u32, kind: EventKind) {
        let event = match is_ordering(kind) {
            true => Event {
                orders: true,
                ..Event::new(ThreadId(thread), site(TRUSTED), kind)
            },
            false => Event::new(ThreadId(thread), site(thread), kind),
        };
        if self.detector.wants().has(kind.mask()) {
            self.detector.event(&event, view, &mut self.found);
        }
    }

    pub fn events(&mut self, view: &dyn View, thread: u32, kinds: &[EventKind]) {
        kinds
            .iter()
            .for_each(|&kind| self.event(view, thread, kind));
    }

    pub fn pause(&mut self, view: &dyn View, by: u32, pause: Pause) {
        let options = [Choice::Run(ThreadId(by))];
        let at = ChoicePoint {
            by: ThreadId(by),
            pause,
            options: &options,
        };
        self.detector.pause(&at, view, &mut self.found);
    }

    pub fn end(&mut self, view: &dyn View, end: End) {
        self.detector.end(&end, view, &mut self.found);
    }

    /// What was found since the last call.
    pub fn take(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.found.new)
    }

    pub fn messages(&mut self) -> Vec<String> {
        self.take().into_iter().map(|f| f.message).collect()
    }
}

pub fn lock(object: u32) -> EventKind {
    EventKind::Lock {
        object: ObjectId(object),
    }
}

pub fn unlock(object: u32) -> EventKind {
    EventKind::Unlock {
        object: ObjectId(object),
    }
}

pub fn wait(object: u32) -> EventKind {
    EventKind::Wait {
        object: ObjectId(object),
    }
}

pub fn notify(object: u32, woken: u32) -> EventKind {
    EventKind::Notify {
        object: ObjectId(object),
        woken,
        all: woken != 1,
    }
}

pub fn field(object: u32) -> Place {
    Place::Field {
        object: ObjectId(object),
        offset: 8,
    }
}

/// The place that the library's atomics use in these stories.
pub const ATOMIC: u32 = 30;

/// Whether it is an access to [`ATOMIC`].
pub fn is_ordering(kind: EventKind) -> bool {
    kind == read(ATOMIC) || kind == write(ATOMIC)
}

pub fn read(object: u32) -> EventKind {
    EventKind::Read {
        place: field(object),
        value: 0,
    }
}

pub fn write(object: u32) -> EventKind {
    EventKind::Write {
        place: field(object),
        value: 0,
    }
}
