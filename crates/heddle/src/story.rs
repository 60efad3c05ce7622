//! The story of an error: its route is run once more, and what happens is written down
//! in the program's own terms.

use heddle_explore::{Found, Route};
use heddle_model::report::{Act, Deed, Error, ThreadStory};
use heddle_model::{
    Choice, Event, EventKind, EventMask, Frame, Machine, Mark, ObjectId, Observer, Pause,
    PendingOp, Place, Rewind, Site, Stop, ThreadId, View,
};
use heddle_vm::vm::Vm;
use std::collections::BTreeSet;

/// A machine at the start of the program, to run routes on.
pub struct Storyteller<'a> {
    vm: &'a mut Vm,
    start: Mark,
}

impl<'a> Storyteller<'a> {
    /// The machine may be anywhere on a path of a search that is over; its oldest mark is
    /// the start of the program.
    pub fn new(vm: &'a mut Vm) -> Storyteller<'a> {
        let start = vm
            .journal
            .oldest()
            .expect("heddle internal error: the search marked its start");
        Storyteller { vm, start }
    }

    /// The error with its story.
    pub fn error(&mut self, found: &Found) -> Error {
        let mut recorder = Recorder::default();
        self.follow(&found.route, &mut recorder);
        let threads = self.threads(&recorder);
        let sites = found.finding.sites.iter();
        let view: &dyn View = self.vm;
        let places = sites.map(|site| view.frame(*site)).collect();
        Error {
            kind: found.finding.kind,
            message: found.finding.message.clone(),
            potential: found.finding.potential || !found.confirmed,
            schedule_index: found.index + 1,
            schedule_file: None,
            replay: None,
            on_jvm: None,
            places,
            threads,
            trace: recorder.acts,
        }
    }

    /// The Java stack of the running thread at the end of a route.
    pub fn stack_at(&mut self, route: &Route) -> Vec<Frame> {
        self.follow(route, &mut Recorder::default());
        let view: &dyn View = self.vm;
        let current = self.vm.current;
        view.stack(current)
            .into_iter()
            .map(|site| view.frame(site))
            .collect()
    }

    fn follow(&mut self, route: &Route, recorder: &mut Recorder) {
        self.vm.rewind(self.start);
        let mut stop = self.vm.run(route.first, recorder);
        for taken in &route.taken {
            if stop != Stop::Choice {
                break;
            }
            recorder.paused(self.vm, taken.choice);
            self.vm.take(taken.pick);
            stop = self.vm.run(taken.stops, recorder);
        }
    }

    fn threads(&self, recorder: &Recorder) -> Vec<ThreadStory> {
        let view: &dyn View = self.vm;
        let program = self.vm.threads.iter().filter(|t| !t.system);
        program
            .map(|t| {
                let seen = view.thread(t.id);
                let wants = seen.waits_for.or_else(|| view.parked_on(t.id));
                let held = recorder
                    .locked
                    .iter()
                    .filter(|o| view.owner(**o) == Some(t.id));
                ThreadStory {
                    path: seen.path,
                    name: seen.name,
                    state: seen.state.to_string(),
                    holds: held.map(|o| view.object_name(*o)).collect(),
                    wants: wants.map(|o| view.object_name(o)),
                    stack: view
                        .stack(t.id)
                        .into_iter()
                        .map(|s| view.frame(s))
                        .collect(),
                }
            })
            .collect()
    }
}

/// The events that a story is made of.
pub const TOLD: EventMask = EventMask::READ
    .and(EventMask::WRITE)
    .and(EventMask::LOCK)
    .and(EventMask::UNLOCK)
    .and(EventMask::WAIT)
    .and(EventMask::NOTIFY)
    .and(EventMask::INTERRUPT)
    .and(EventMask::THROW)
    .and(EventMask::THREAD);

/// Writes down what happens.
#[derive(Default)]
struct Recorder {
    acts: Vec<Act>,
    locked: BTreeSet<ObjectId>,
    last: Option<ThreadId>,
}

impl Recorder {
    /// A switch to another thread, and why.
    fn paused(&mut self, vm: &Vm, choice: Choice) {
        let point = vm.point();
        let next = match choice {
            Choice::Wake(_) => return,
            other => other.thread(),
        };
        if next == point.by {
            return;
        }
        let view: &dyn View = vm;
        let from = view.thread(point.by).name;
        let why = match point.pause {
            Pause::Blocked(on) => format!("{from} wants {}", view.object_name(on)),
            Pause::Waiting => format!("{from} waits"),
            Pause::ThreadEnd => format!("{from} has ended"),
            Pause::BlockEnd | Pause::Before(_) | Pause::Slice | Pause::Notify(_) => {
                "the scheduler's choice".to_string()
            }
            Pause::Arrived(_) => "the schedule says so".to_string(),
        };
        // A thread that was switched to and did nothing has no part in the story.
        let (mut thread, mut why) = (index(vm, point.by), why);
        if let Some(Act {
            deed: Deed::Switch { why: earlier, .. },
            thread: from,
            ..
        }) = self.acts.last()
        {
            (thread, why) = (*from, earlier.clone());
            self.acts.pop();
            if thread == index(vm, next) {
                return;
            }
        }
        self.acts.push(Act {
            thread,
            at: None,
            deed: Deed::Switch {
                to: view.thread(next).name,
                why,
            },
        });
    }
}

/// Index of a thread among those of the program.
fn index(vm: &Vm, thread: ThreadId) -> usize {
    let before = vm.threads[..thread.0 as usize].iter();
    before.filter(|t| !t.system).count()
}

impl Observer for Recorder {
    const WANTS: EventMask = EventMask::ALL;
    const STOPS: bool = true;

    fn mask(&self) -> EventMask {
        TOLD
    }

    fn event(&mut self, event: &Event, view: &dyn View) {
        self.last = Some(event.thread);
        if let EventKind::Lock { object } = event.kind {
            self.locked.insert(object);
        }
        let Some(act) = act(event, view) else {
            return;
        };
        let call = matches!(act.deed, Deed::Call(_));
        if !call || self.acts.last() != Some(&act) {
            self.acts.push(act);
        }
    }
}

/// What an event is in the program's own terms, if it matters.
pub fn act(event: &Event, view: &dyn View) -> Option<Act> {
    let name = |o: ObjectId| view.object_name(o);
    let deed = match event.kind {
        EventKind::Read { place, value } => Deed::Read {
            place: view.place_name(place),
            value: value_text(view, place, value),
        },
        EventKind::Write { place, value } => Deed::Write {
            place: view.place_name(place),
            value: value_text(view, place, value),
        },
        EventKind::Lock { object } => Deed::Lock(name(object)),
        EventKind::Unlock { object } => Deed::Unlock(name(object)),
        EventKind::Wait { object } => Deed::Wait(name(object)),
        EventKind::Notify { object, woken } => Deed::Notify {
            object: name(object),
            woken: vec![format!(
                "{woken} thread{}",
                if woken == 1 { "" } else { "s" }
            )],
        },
        EventKind::Interrupt { target } => Deed::Interrupt(view.thread(target).name),
        EventKind::Throw { exception } => Deed::Throw(view.exception_text(exception)),
        EventKind::ThreadStart { child } => Deed::Start(view.thread(child).name),
        EventKind::ThreadEnd => Deed::End,
        _ => return None,
    };
    // What trusted code does belongs to the line of the program that called it; what it
    // reads and writes on the way is its own business: the call is what happened.
    let stack = view.stack(event.thread);
    let own = stack.iter().position(|s| !view.trusted(s.method));
    let trusted = view.trusted(event.site.method);
    let access = matches!(deed, Deed::Read { .. } | Deed::Write { .. });
    let (site, deed) = match own {
        // A worker of a pool between two tasks.
        None if trusted && access => return None,
        Some(own) if trusted => {
            let callee = stack[own.saturating_sub(1)];
            let called = view.frame(callee);
            let call = Deed::Call(format!("{}.{}", simple(&called.class), called.method));
            (stack[own], if access { call } else { deed })
        }
        _ => (event.site, deed),
    };
    let before = (0..event.thread.0)
        .filter(|t| !view.is_system(ThreadId(*t)))
        .count();
    Some(Act {
        thread: before,
        at: Some(view.frame(site)),
        deed,
    })
}

/// A class name without its package.
fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

fn value_text(view: &dyn View, place: Place, value: u64) -> String {
    view.value_text(place, value)
}

/// What a thread is about to do.
pub fn operation(op: PendingOp, view: &dyn View) -> String {
    match op {
        PendingOp::Read(place) => format!("read {}", view.place_name(place)),
        PendingOp::Write(place) => format!("write {}", view.place_name(place)),
        PendingOp::Lock(on) => format!("lock {}", view.object_name(on)),
        PendingOp::Unlock(on) => format!("unlock {}", view.object_name(on)),
        PendingOp::Call(method) => {
            let called = view.frame(Site { method, bci: 0 });
            format!("call {}.{}", simple(&called.class), called.method)
        }
        PendingOp::Join(thread) => format!("wait for the end of {}", view.thread(thread).name),
        PendingOp::Begin => "begin".to_string(),
    }
}
