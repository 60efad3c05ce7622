//! Classes of schedules, counted by looking at every schedule: a machine that writes down
//! what happens on it, and at the end of each path the order of what depends on each other.
//!
//! Shares nothing with the strategies but the events.

use heddle_explore::toy::{Toy, thread_object};
use heddle_model::*;
use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;

/// What is watched.
pub trait Subject: Machine {
    /// The state at the end of a path, as far as it can be told.
    fn ending(&self) -> Vec<u32>;
    /// The program was ended while threads were running.
    fn ended_early(&self) -> bool;
    /// The object stands for a thread whose end is waited for.
    fn is_joined(object: ObjectId) -> bool;
    /// A number of a thread that does not depend on which ones were started before it.
    fn name_of(&self, thread: u32) -> u32 {
        thread
    }
}

impl Subject for Toy {
    fn ending(&self) -> Vec<u32> {
        let mut summary = self.summary();
        if self.ended_early() {
            // Nobody can tell how far the threads had come.
            let threads = 4 * self.thread_count() + 2 * self.program().locks as usize;
            summary = summary.split_off(threads);
        }
        summary
    }

    fn ended_early(&self) -> bool {
        Toy::ended_early(self)
    }

    fn is_joined(object: ObjectId) -> bool {
        object.0 >= thread_object(0).0
    }
}

/// A machine that keeps what it ends in, and the classes of its paths.
pub struct Recorded<M = Toy> {
    pub machine: M,
    /// How paths ended, and the state then.
    pub finals: BTreeSet<(bool, Vec<u32>)>,
    pub classes: BTreeSet<Vec<u64>>,
    steps: Vec<Step>,
    /// Timed waits may end at any moment.
    early: bool,
    /// The steps at a mark: how many, and the last one.
    marks: Vec<(Mark, usize, Option<Step>)>,
    /// Keep a path of each class, and those that came twice.
    pub show: bool,
    pub print: bool,
    pub paths: BTreeMap<Vec<u64>, String>,
    pub again: Vec<String>,
}

/// What happened between two choices.
#[derive(Clone, Debug)]
struct Step {
    thread: u32,
    /// The timed wait of the thread ended.
    timeout: bool,
    /// And that because nobody could run.
    at_rest: bool,
    targets: Vec<u32>,
    touched: BTreeSet<(Thing, bool)>,
    exit: bool,
    /// It has found out that it cannot go on, and nothing else.
    in_vain: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Thing {
    Place(Place),
    Monitor(ObjectId),
    WaitSet(ObjectId),
    Permit(ThreadId),
}

impl<M: Subject> Recorded<M> {
    pub fn new(machine: M) -> Recorded<M> {
        Recorded {
            machine,
            finals: BTreeSet::new(),
            classes: BTreeSet::new(),
            steps: Vec::new(),
            early: false,
            marks: Vec::new(),
            show: false,
            print: false,
            paths: BTreeMap::new(),
            again: Vec::new(),
        }
    }

    fn finish(&mut self, end: &End) {
        let exited = matches!(end, End::Exited(_));
        self.finals.insert((exited, self.machine.ending()));
        if exited && let Some(last) = self.steps.last_mut() {
            last.exit = self.machine.ended_early();
        }
        let class = class(&self.steps, |thread| self.machine.name_of(thread));
        let new = self.classes.insert(class.clone());
        if self.print {
            println!(
                "{} {}",
                if new { "new  " } else { "AGAIN" },
                path(&self.steps)
            );
        }
        if self.show && new {
            self.paths.insert(class, path(&self.steps));
        } else if self.show {
            self.again.push(path(&self.steps));
        }
    }
}

/// The steps of each thread, and for each step those before it that it depends on. That says
/// all: what a step does follows from what came before it in its thread and from these.
fn class(steps: &[Step], name_of: impl Fn(u32) -> u32) -> Vec<u64> {
    let mut count = vec![0u32; 64];
    let mut named = Vec::new();
    for step in steps.iter().filter(|s| !s.in_vain) {
        let number = count[step.thread as usize];
        count[step.thread as usize] += 1;
        named.push(((name_of(step.thread), number), step));
    }
    let mut lines: Vec<(u32, u32, Vec<u64>)> = Vec::new();
    for (i, (name, step)) in named.iter().enumerate() {
        let mut line = vec![u64::from(step.timeout) << 1 | u64::from(step.exit)];
        line.extend(
            step.targets
                .iter()
                .map(|t| u64::from(name_of(*t)) | 1 << 40),
        );
        line.push(u64::MAX);
        let mut before: Vec<u64> = named[..i]
            .iter()
            .filter(|(other, earlier)| other.0 != name.0 && depend(earlier, step))
            .map(|(other, _)| u64::from(other.0) << 32 | u64::from(other.1))
            .collect();
        before.sort();
        line.extend(before);
        lines.push((name.0, name.1, line));
    }
    lines.sort();
    lines
        .into_iter()
        .flat_map(|(t, n, line)| [u64::MAX - 1, t.into(), n.into()].into_iter().chain(line))
        .collect()
}

fn path(steps: &[Step]) -> String {
    let step = |s: &Step| {
        let things = s.touched.iter().map(|(thing, write)| {
            let w = if *write { "w" } else { "r" };
            match thing {
                Thing::Place(Place::Field { object, .. }) => format!("{w}v{}", object.0 & 0xffff),
                Thing::Place(Place::Element { index, .. }) => format!("{w}e{index}"),
                Thing::Monitor(object) => format!("{w}m{}", object.0 & 0xffff),
                Thing::WaitSet(object) => format!("{w}s{:x}", object.0),
                Thing::Permit(thread) => format!("{w}p{}", thread.0),
            }
        });
        let things: Vec<String> = things.collect();
        let targets: Vec<String> = s.targets.iter().map(|t| format!(">{t}")).collect();
        let end = if s.exit { "!" } else { "" };
        let timeout = if s.timeout { "~" } else { "" };
        format!(
            "{}{timeout}({}{}){end}",
            s.thread,
            things.join(" "),
            targets.concat()
        )
    };
    steps.iter().map(step).collect::<Vec<_>>().join(" ")
}

fn depend(a: &Step, b: &Step) -> bool {
    let all = |s: &Step| s.at_rest || s.exit;
    all(a)
        || all(b)
        || a.touched
            .iter()
            .any(|(thing, write)| b.touched.iter().any(|(t, w)| t == thing && (*w || *write)))
}

struct Scribe<'a, O, M> {
    observer: &'a mut O,
    step: Option<&'a mut Step>,
    subject: PhantomData<M>,
}

impl<O: Observer, M: Subject> Observer for Scribe<'_, O, M> {
    const WANTS: EventMask = EventMask::ALL;

    fn mask(&self) -> EventMask {
        EventMask::ALL
    }

    fn event(&mut self, event: &Event, view: &dyn View) {
        if self.observer.mask().has(event.kind.mask()) {
            self.observer.event(event, view);
        }
        let Some(step) = &mut self.step else { return };
        if let EventKind::Read { place, .. } | EventKind::Write { place, .. } = event.kind
            && let Some(field) = view.mutex_field(place)
        {
            // One place, as a monitor is. How often its owner has it is nobody else's business:
            // others find it taken, once or several times.
            let writes = matches!(event.kind, EventKind::Write { .. });
            if !writes || field == MutexField::Owner {
                let lock = Thing::Monitor(place.object());
                step.touched.insert((lock, writes));
            }
            return;
        }
        match event.kind {
            EventKind::Read { place, .. } if place.is_monitor() => {
                step.touched.insert((Thing::Monitor(place.object()), false));
            }
            EventKind::Read { place, .. } => {
                step.touched.insert((Thing::Place(place), false));
            }
            EventKind::Write { place, .. } => {
                step.touched.insert((Thing::Place(place), true));
            }
            EventKind::Lock { object } | EventKind::Unlock { object } => {
                step.touched.insert((Thing::Monitor(object), true));
            }
            EventKind::Wait { object } if !M::is_joined(object) => {
                step.touched.insert((Thing::Monitor(object), true));
                step.touched.insert((Thing::WaitSet(object), true));
            }
            EventKind::Leave { object } => {
                step.touched.insert((Thing::WaitSet(object), true));
            }
            EventKind::Notify { object, woken, .. } => {
                step.touched.insert((Thing::WaitSet(object), woken > 0));
            }
            EventKind::Park => {
                step.touched.insert((Thing::Permit(event.thread), true));
            }
            EventKind::Unpark { target } | EventKind::Interrupt { target } => {
                step.touched.insert((Thing::Permit(target), true));
            }
            _ => {}
        }
    }
}

impl<M: Subject> Machine for Recorded<M> {
    fn run<O: Observer>(&mut self, stops: OpMask, observer: &mut O) -> Stop {
        self.early = stops.has(OpMask::TIMEOUTS);
        let mut scribe = Scribe::<O, M> {
            observer,
            step: self.steps.last_mut(),
            subject: PhantomData,
        };
        let stop = self.machine.run(stops, &mut scribe);
        if let Some(step) = self.steps.last_mut() {
            let nothing = step.touched.is_empty() && step.targets.is_empty() && !step.timeout;
            match self.machine.point().pause {
                Pause::Blocked(_) | Pause::Waiting if nothing => step.in_vain = true,
                Pause::Blocked(object) => {
                    step.touched.insert((Thing::Monitor(object), false));
                }
                _ => {}
            }
        }
        if let Stop::Ended(end) = &stop {
            self.finish(end);
        }
        stop
    }

    fn point(&self) -> ChoicePoint<'_> {
        self.machine.point()
    }

    fn suppose(&mut self, that: &Supposed) -> Option<Awaited> {
        self.machine.suppose(that)
    }

    fn take(&mut self, pick: Pick) -> heddle_model::Step {
        let choice = self.machine.point().options[pick.0];
        match choice {
            Choice::Wake(thread) => {
                let step = self.steps.last_mut().expect("the notification");
                step.targets.push(thread.0);
            }
            _ => {
                let timeout = matches!(choice, Choice::Timeout(_));
                let mut touched = BTreeSet::new();
                if timeout && self.early {
                    touched.insert((Thing::Permit(choice.thread()), true));
                    if let Some(object) = self.machine.thread(choice.thread()).waits_for {
                        touched.insert((Thing::WaitSet(object), true));
                    }
                }
                self.steps.push(Step {
                    thread: choice.thread().0,
                    timeout,
                    at_rest: timeout && !self.early,
                    targets: Vec::new(),
                    touched,
                    exit: false,
                    in_vain: false,
                });
            }
        }
        self.machine.take(pick)
    }
}

impl<M: Subject> Rewind for Recorded<M> {
    fn mark(&mut self) -> Mark {
        let mark = self.machine.mark();
        let last = self.steps.last().cloned();
        self.marks.push((mark, self.steps.len(), last));
        mark
    }
    fn rewind(&mut self, to: Mark) {
        self.machine.rewind(to);
        while self.marks.last().is_some_and(|m| m.0 > to) {
            self.marks.pop();
        }
        let (_, steps, last) = self.marks.last().expect("a live mark");
        self.steps.truncate(*steps);
        if let Some(last) = last {
            self.steps[*steps - 1].clone_from(last);
        }
    }
    fn forget(&mut self, mark: Mark) {
        self.machine.forget(mark);
        self.marks.retain(|m| m.0 != mark);
    }
}

impl<M: Subject> View for Recorded<M> {
    fn awaits(&self, thread: ThreadId) -> Option<&Awaited> {
        self.machine.awaits(thread)
    }
    fn value(&self, place: Place) -> Option<u64> {
        self.machine.value(place)
    }
    fn thread_count(&self) -> usize {
        self.machine.thread_count()
    }
    fn thread(&self, id: ThreadId) -> ThreadView {
        self.machine.thread(id)
    }
    fn stack(&self, id: ThreadId) -> Vec<Site> {
        self.machine.stack(id)
    }
    fn frame(&self, site: Site) -> Frame {
        self.machine.frame(site)
    }
    fn class_of(&self, object: ObjectId) -> String {
        self.machine.class_of(object)
    }
    fn owner(&self, object: ObjectId) -> Option<ThreadId> {
        self.machine.owner(object)
    }
    fn thread_of(&self, object: ObjectId) -> Option<ThreadId> {
        self.machine.thread_of(object)
    }
    fn is_volatile(&self, place: Place) -> bool {
        self.machine.is_volatile(place)
    }
    fn is_system(&self, thread: ThreadId) -> bool {
        self.machine.is_system(thread)
    }
    fn mutex_field(&self, place: Place) -> Option<MutexField> {
        self.machine.mutex_field(place)
    }
    fn is_suspended(&self, thread: ThreadId) -> bool {
        self.machine.is_suspended(thread)
    }
    fn came_round(&self, thread: ThreadId) -> Option<u32> {
        self.machine.came_round(thread)
    }
    fn gate_field(&self, place: Place) -> Option<GateField> {
        self.machine.gate_field(place)
    }
    fn is_shut(&self, object: ObjectId) -> bool {
        self.machine.is_shut(object)
    }
    fn spins(&self, thread: ThreadId) -> bool {
        self.machine.spins(thread)
    }
    fn trusted(&self, method: MethodId) -> bool {
        self.machine.trusted(method)
    }
}
