//! What happens on a route, written down as it happens: ids, no names. Names are given at
//! the end, when everything that the program will call things by is there (`names.rs`).
//!
//! A call from the program into trusted code is one thing that happens, however many
//! fields it looks at; it is written down if others can notice it at all. What the library
//! does by itself (a worker of a pool between two tasks, the death of a thread) is not.

use heddle_model::schedule::record::Stands;
use heddle_model::{
    Choice, ChoicePoint, Datum, Event, EventKind, EventMask, Finding, FindingKind, MethodId,
    ObjectId, Observer, OwnFrame, Pause, PendingOp, Place, Site, ThreadId, View,
};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// One thing that happened.
#[derive(Clone, Debug)]
pub struct Happening {
    pub thread: ThreadId,
    /// Where in the program's own code.
    pub at: Option<Site>,
    pub what: What,
    /// The places that were read, and those that were written.
    pub touches: Vec<Touch>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    pub place: Place,
    pub value: u64,
    pub writes: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum What {
    Read { place: Place, value: u64 },
    Write { place: Place, value: u64 },
    Lock(ObjectId),
    Unlock(ObjectId),
    Wait(ObjectId),
    Notify { on: ObjectId, woken: Vec<ThreadId> },
    Joined(ObjectId),
    Interrupt(ThreadId),
    Start(ThreadId),
    End,
    Throw(ObjectId),
    Call(Call),
    Return(Call),
    TimeUp,
    Spurious,
    TaskDone,
    Switch { to: ThreadId, why: Why },
}

/// A call from the program into trusted code.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    pub method: MethodId,
    pub is_static: bool,
    /// The receiver first. `None` if they are not known.
    pub arguments: Option<Vec<Datum>>,
    pub result: Option<Datum>,
    /// It let another thread go on.
    pub unparks: bool,
}

/// Why another thread went on.
#[derive(Clone, PartialEq, Debug)]
pub enum Why {
    /// This thread could not go on.
    Waits(Waits),
    Ended,
    /// It could have: it was about to do this,
    Before(PendingOp),
    /// or had just done something.
    After,
    Slice,
    /// Somebody wrote it into a schedule.
    Schedule,
}

/// Why a thread cannot go on.
#[derive(Clone, PartialEq, Debug)]
pub enum Waits {
    Lock(ObjectId, Option<ThreadId>),
    End(ThreadId),
    Notification(ObjectId),
    /// In a call of the library, for the sake of this object, which that thread has.
    Library {
        call: Option<Call>,
        on: Option<ObjectId>,
        owner: Option<ThreadId>,
    },
    /// For a class that another thread initializes.
    Class(ObjectId),
    /// In a loop, for another value of what it reads there.
    Change,
    /// For somebody who resumes it.
    Resume,
}

/// How often somebody is asked who has no patience: a second or less of a thread that does not
/// stop.
const LONGEST: u32 = 20;

/// Writes down what happens.
#[derive(Default)]
pub struct Recorder {
    pub happenings: Vec<Happening>,
    /// Objects whose monitors were taken.
    pub locked: BTreeSet<ObjectId>,
    /// How often each place that may hold a reference was written.
    pub writes: BTreeMap<Place, u32>,
    /// What the library did of its own accord.
    pub unasked: Vec<(ThreadId, Touch)>,
    /// The calls that each thread is in, the innermost last.
    open: BTreeMap<ThreadId, Vec<Open>>,
    /// Who waits for a notification on what.
    waiting: Vec<(ThreadId, ObjectId)>,
    /// Whom the notification that is being made is to wake.
    chosen: Vec<ThreadId>,
    thrown: BTreeMap<ThreadId, ObjectId>,
    /// Accesses whose stacks are wanted, and the last stack of each.
    watched: Vec<(ThreadId, Site, Option<Vec<Site>>)>,
    /// How often it is to be asked before it gives up, if it may, and how often it was.
    patience: Option<u32>,
    asked: Cell<u32>,
    /// What is known of methods of the library.
    familiar: RefCell<BTreeMap<MethodId, Familiar>>,
}

/// A call that has not returned.
struct Open {
    call: Call,
    site: Site,
    /// Frames of the thread without the callee's.
    depth: usize,
    /// Where it was written down.
    told: Option<usize>,
    kind: Familiar,
}

/// Calls that have events, or words, of their own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Familiar {
    No,
    /// What happens inside says it all: `Thread.start`, `Object.notify` …
    Event,
    Join,
}

impl Observer for Recorder {
    const WANTS: EventMask = EventMask::ALL;
    const STOPS: bool = true;

    fn mask(&self) -> EventMask {
        EventMask::INTERACTION
            .and(EventMask::THROW)
            .and(EventMask::CALL)
            .and(EventMask::RETURN)
            .and(EventMask::TIME_UP)
    }

    fn gives_up(&self) -> bool {
        self.asked.set(self.asked.get().saturating_add(1));
        self.has_given_up()
    }

    fn event(&mut self, event: &Event, view: &dyn View) {
        match event.kind {
            EventKind::Call { method } => {
                let by = event.site.method;
                let site = match view.trusted(by) {
                    true => view.written_at(by),
                    false => Some(event.site),
                };
                if let Some(site) = site.filter(|_| view.trusted(method)) {
                    self.called(event.thread, site, method, view);
                }
                return;
            }
            EventKind::Return { method, value } => {
                let top = self.open.get(&event.thread).and_then(|open| open.last());
                if top.is_some_and(|top| top.call.method == method) {
                    self.returned(event.thread, view.result(method, value), view);
                }
                return;
            }
            EventKind::Lock { object } => {
                self.locked.insert(object);
            }
            EventKind::Write { place, .. } => *self.writes.entry(place).or_insert(0) += 1,
            _ => {}
        }
        if view.is_system(event.thread) {
            return;
        }
        if let EventKind::Read { place, .. } | EventKind::Write { place, .. } = event.kind
            && view.is_imagined(place)
        {
            return;
        }
        let what = match event.kind {
            EventKind::ThreadEnd => {
                self.open.remove(&event.thread);
                return self.add(event.thread, None, What::End);
            }
            EventKind::TimeUp => {
                self.waiting.retain(|(t, _)| *t != event.thread);
                let at = view.own_frame(event.thread).map(|own| own.site);
                return self.add(event.thread, at, What::TimeUp);
            }
            EventKind::ThreadStart { child } if view.is_system(child) => return,
            EventKind::ThreadStart { child } => What::Start(child),
            EventKind::Interrupt { target } => {
                self.waiting.retain(|(t, _)| *t != target);
                What::Interrupt(target)
            }
            EventKind::Read { place, value } => What::Read { place, value },
            EventKind::Write { place, value } => What::Write { place, value },
            EventKind::Lock { object } => {
                self.waiting.retain(|w| *w != (event.thread, object));
                What::Lock(object)
            }
            EventKind::Unlock { object } => What::Unlock(object),
            EventKind::Wait { object } => {
                self.waiting.push((event.thread, object));
                What::Wait(object)
            }
            EventKind::Notify { object, .. } => {
                let mut woken = self.woken(object, view);
                // Also who was interrupted before.
                for thread in std::mem::take(&mut self.chosen) {
                    if thread != event.thread && !woken.contains(&thread) {
                        woken.push(thread);
                    }
                }
                What::Notify { on: object, woken }
            }
            EventKind::Throw { exception } => {
                // Rethrown by a `finally`, or on its way through the library.
                if self.thrown.insert(event.thread, exception) == Some(exception) {
                    return;
                }
                What::Throw(exception)
            }
            EventKind::Park | EventKind::Unpark { .. } => return self.within(event, view, None),
            _ => return,
        };
        match view.trusted(event.site.method) {
            true => self.within(event, view, Some(what)),
            false => self.by_program(event, what, view),
        }
    }
}

impl Recorder {
    /// One that also remembers with which stacks a race happened.
    pub fn watching(finding: &Finding) -> Recorder {
        let race = matches!(
            finding.kind,
            FindingKind::Race | FindingKind::LockDiscipline
        );
        let sites = finding.threads.iter().zip(&finding.sites).filter(|_| race);
        Recorder {
            watched: sites.map(|(t, s)| (*t, *s, None)).collect(),
            ..Recorder::default()
        }
    }

    /// One for a route that need not end.
    pub fn impatient() -> Recorder {
        Recorder {
            patience: Some(LONGEST),
            ..Recorder::default()
        }
    }

    /// Whether a thread has run for so long that the rest is not worth it.
    pub fn has_given_up(&self) -> bool {
        self.patience.is_some_and(|most| self.asked.get() >= most)
    }

    /// The stack of a thread when it did what is watched.
    pub fn stack_at_access(&self, thread: ThreadId) -> Option<&[Site]> {
        let watched = self.watched.iter().find(|w| w.0 == thread)?;
        watched.2.as_deref()
    }

    /// The machine stopped, and this is what comes next.
    pub fn paused(&mut self, at: &ChoicePoint<'_>, choice: Choice, view: &dyn View) {
        let next = choice.thread();
        if let Choice::Wake(thread) = choice {
            self.chosen.push(thread);
        }
        if matches!(choice, Choice::Wake(_) | Choice::Stay(_)) {
            return;
        }
        if next != at.by {
            let lock_comes = matches!(at.pause, Pause::Before(PendingOp::LockWithin(_)));
            let task_done = view.stands(at.by) == Stands::Within && !lock_comes;
            if task_done {
                self.add(at.by, None, What::TaskDone);
            }
            let why = match (self.waits(at.by, view), at.pause) {
                (_, Pause::ThreadEnd) => Why::Ended,
                (Some(waits), _) => Why::Waits(waits),
                (None, Pause::Before(op)) if !task_done => Why::Before(op),
                (None, Pause::Slice) => Why::Slice,
                (None, Pause::Arrived(_)) => Why::Schedule,
                (None, _) => Why::After,
            };
            self.add(at.by, None, What::Switch { to: next, why });
        }
        let ends = match choice {
            Choice::Timeout(_) => What::TimeUp,
            Choice::Spurious(_) => What::Spurious,
            _ => return,
        };
        self.waiting.retain(|(t, _)| *t != next);
        let own = view.own_frame(next).map(|own| own.site);
        self.add(next, own, ends);
    }

    /// Why a thread cannot go on, if it cannot.
    pub fn waits(&self, thread: ThreadId, view: &dyn View) -> Option<Waits> {
        let seen = view.thread(thread);
        match (seen.state, seen.waits_for) {
            ("BLOCKED", Some(lock)) => Some(Waits::Lock(lock, view.owner(lock))),
            ("WAITING" | "TIMED_WAITING", Some(on)) => match view.thread_of(on) {
                Some(other) if self.joins(thread, view) => Some(Waits::End(other)),
                _ => Some(Waits::Notification(on)),
            },
            ("WAITING" | "TIMED_WAITING", None) => {
                let on = view.parked_on(thread);
                Some(Waits::Library {
                    call: self.current_call(thread, view),
                    on,
                    owner: on.and_then(|on| view.synchronizer_owner(on)),
                })
            }
            _ if view.is_suspended(thread) => Some(Waits::Resume),
            ("RUNNABLE", Some(class)) => Some(Waits::Class(class)),
            ("RUNNABLE", None) if view.spins(thread) => Some(Waits::Change),
            _ => None,
        }
    }

    fn joins(&self, thread: ThreadId, view: &dyn View) -> bool {
        let calls = view.own_frame(thread).and_then(|own| own.calls);
        calls.is_some_and(|method| self.familiar(method, view) == Familiar::Join)
    }

    /// The call into trusted code that a thread is in.
    fn current_call(&self, thread: ThreadId, view: &dyn View) -> Option<Call> {
        let own = view.own_frame(thread)?;
        let method = own.calls?;
        let open = self.open.get(&thread).and_then(|open| open.last());
        match open {
            Some(open) if open.call.method == method && open.site == own.site => {
                Some(open.call.clone())
            }
            _ => Some(unknown(method, view)),
        }
    }

    /// A thread never returns from the call that it is in, so that was not told yet.
    pub fn ends_in_call(&mut self, thread: ThreadId, view: &dyn View) {
        let own = view.own_frame(thread);
        if let Some((own, call)) = own.zip(self.current_call(thread, view)) {
            self.add(thread, Some(own.site), What::Call(call));
        }
    }

    fn add(&mut self, thread: ThreadId, at: Option<Site>, what: What) {
        let touches = Vec::new();
        self.happenings.push(Happening {
            thread,
            at,
            what,
            touches,
        });
    }

    /// The program's own code did something.
    fn by_program(&mut self, event: &Event, what: What, view: &dyn View) {
        let touch = touch(&what);
        if touch.is_some_and(|t| is_initialization(t.place, view)) {
            return;
        }
        for (thread, site, stack) in &mut self.watched {
            if (*thread, *site) == (event.thread, event.site) {
                *stack = Some(view.stack(event.thread));
            }
        }
        self.add(event.thread, Some(event.site), what);
        let last = self.happenings.last_mut().expect("it was just added");
        last.touches.extend(touch);
    }

    /// Trusted code did something, on behalf of the program or by itself.
    fn within(&mut self, event: &Event, view: &dyn View, what: Option<What>) {
        let thread = event.thread;
        let stack = view.stack(thread);
        let asked = |own: &OwnFrame| own.calls.is_some() || event.site.bci >= 0;
        let Some(own) = view.own_frame(thread).filter(asked) else {
            // Nobody asked for it, as for a change of its status; but that a thread was started is worth telling.
            match what {
                Some(what @ What::Start(_)) => self.add(thread, None, what),
                Some(what) => self.unasked.extend(touch(&what).map(|t| (thread, t))),
                None => {}
            }
            return;
        };
        let (site, depth) = (own.site, stack.len() - own.above);
        if matches!(what, Some(What::Read { .. } | What::Write { .. })) {
            let mut watched = self.watched.iter_mut();
            if let Some(at) = watched.find(|w| (w.0, w.1) == (thread, site)) {
                at.2 = Some(stack.clone());
            }
        }
        let callee = own.calls.unwrap_or(event.site.method);
        let kind = self.familiar(callee, view);
        let open = self.open.entry(thread).or_default();
        open.retain(|open| open.depth <= depth);
        if open
            .last()
            .is_none_or(|o| o.depth != depth || o.call.method != callee)
        {
            open.push(Open {
                call: unknown(callee, view),
                site,
                depth,
                told: None,
                kind,
            });
        }
        let open = open.last_mut().expect("it was just added");
        match &what {
            Some(What::Start(_) | What::Wait(_) | What::Notify { .. } | What::Interrupt(_))
                if open.kind == Familiar::Event =>
            {
                self.add(thread, Some(site), what.expect("it is there"));
                return;
            }
            _ if open.kind == Familiar::Event => return,
            Some(What::Throw(_)) => {
                return self.add(thread, Some(site), what.expect("it is there"));
            }
            _ => {}
        }
        let at = match open.told {
            Some(at) => at,
            None => {
                let at = self.happenings.len();
                open.told = Some(at);
                let receiver = open.call.arguments.as_ref().and_then(|a| a.first());
                let what = match (open.kind, receiver) {
                    (Familiar::Join, Some(Datum::Object(joined))) => What::Joined(*joined),
                    _ => What::Call(open.call.clone()),
                };
                self.add(thread, Some(site), what);
                at
            }
        };
        if let Some(What::Call(call)) = self.happenings.get_mut(at).map(|h| &mut h.what) {
            call.unparks |= matches!(event.kind, EventKind::Unpark { .. });
        }
        match what {
            Some(what @ What::Start(_)) => self.add(thread, Some(site), what),
            Some(What::Lock(object)) => self.happenings[at].touches.push(Touch {
                // A monitor is a place that whoever takes it changes.
                place: Place::Field { object, offset: 4 },
                value: 0,
                writes: true,
            }),
            Some(what) => self.happenings[at].touches.extend(touch(&what)),
            None => {}
        }
    }

    /// The program calls trusted code.
    fn called(&mut self, thread: ThreadId, site: Site, method: MethodId, view: &dyn View) {
        let depth = view.stack(thread).len();
        let kind = self.familiar(method, view);
        let open = self.open.entry(thread).or_default();
        // Calls that an exception has ended.
        open.retain(|open| open.depth < depth);
        open.push(Open {
            call: Call {
                arguments: Some(view.arguments()),
                ..unknown(method, view)
            },
            site,
            depth,
            told: None,
            kind,
        });
    }

    fn returned(&mut self, thread: ThreadId, result: Option<Datum>, view: &dyn View) {
        let depth = view.stack(thread).len();
        let calls = self.open.get_mut(&thread).expect("there is one");
        if calls.last().is_none_or(|open| open.depth + 1 != depth) {
            return;
        }
        let open = calls.pop().expect("it is there");
        let Some(told) = open.told else { return };
        let since = &self.happenings[told + 1..];
        let interrupted = since.iter().any(|h| h.thread != thread);
        let What::Call(call) = &mut self.happenings[told].what else {
            return;
        };
        if !interrupted {
            call.result = result;
            return;
        }
        let call = Call {
            result,
            ..call.clone()
        };
        self.add(thread, Some(open.site), What::Return(call));
        let touches = self.happenings[told].touches.clone();
        let last = self.happenings.last_mut().expect("it was just added");
        last.touches = touches;
    }

    fn familiar(&self, method: MethodId, view: &dyn View) -> Familiar {
        let known = || {
            let frame = view.frame(Site { method, bci: 0 });
            match (frame.class.as_str(), frame.method.as_str()) {
                ("java.lang.Thread", "start" | "interrupt") => Familiar::Event,
                ("java.lang.Object", "wait" | "notify" | "notifyAll") => Familiar::Event,
                ("java.lang.Thread", "join") => Familiar::Join,
                _ => Familiar::No,
            }
        };
        let mut familiar = self.familiar.borrow_mut();
        *familiar.entry(method).or_insert_with(known)
    }

    /// Who waits on an object no more.
    fn woken(&mut self, object: ObjectId, view: &dyn View) -> Vec<ThreadId> {
        let waits = |t: ThreadId| {
            let seen = view.thread(t);
            seen.state.ends_with("WAITING") && seen.waits_for == Some(object)
        };
        let mut woken = Vec::new();
        self.waiting.retain(|&(thread, on)| {
            let gone = on == object && !waits(thread);
            if gone {
                woken.push(thread);
            }
            !gone
        });
        woken
    }
}

fn unknown(method: MethodId, view: &dyn View) -> Call {
    Call {
        method,
        is_static: view.is_static(method),
        arguments: None,
        result: None,
        unparks: false,
    }
}

fn touch(what: &What) -> Option<Touch> {
    match *what {
        What::Read { place, value } => Some(Touch {
            place,
            value,
            writes: false,
        }),
        What::Write { place, value } => Some(Touch {
            place,
            value,
            writes: true,
        }),
        _ => None,
    }
}

/// Whether a place is not one of the program's but stands for the state of a class.
fn is_initialization(place: Place, view: &dyn View) -> bool {
    match place {
        Place::Field { object, .. } if place.is_initialization() => {
            view.class_of(object) == "java.lang.Class"
        }
        _ => false,
    }
}
