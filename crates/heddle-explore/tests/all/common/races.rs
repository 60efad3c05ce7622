//! Data races of the toy machine by full vector clocks: two accesses that are not atomic,
//! one of them a write, with no lock, start or atomic access between them that orders them.
//!
//! Shares nothing with the strategies, and copies all it knows at every mark.

use super::*;
use heddle_explore::toy::thread_object;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub struct Races {
    program: Option<Program>,
    now: Known,
    marks: Vec<(Mark, Known)>,
    next: u64,
}

#[derive(Clone, Default)]
struct Known {
    clocks: BTreeMap<u32, Clock>,
    /// Of locks and of variables that are accessed atomically.
    released: BTreeMap<ObjectId, Clock>,
    accesses: BTreeMap<ObjectId, BTreeSet<Access>>,
}

type Clock = BTreeMap<u32, u32>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Access {
    thread: u32,
    time: u32,
    at: i32,
    writes: bool,
}

impl Races {
    pub fn new(program: &Program) -> Races {
        Races {
            program: Some(program.clone()),
            ..Races::default()
        }
    }

    fn is_atomic(&self, event: &Event) -> bool {
        let program = self.program.as_ref().expect("a program");
        let code = &program.threads[event.thread.0 as usize];
        matches!(code[event.site.bci as usize], Add(..) | Cas(..))
    }
}

impl Known {
    fn clock(&mut self, thread: u32) -> &mut Clock {
        let clock = self.clocks.entry(thread).or_default();
        clock.entry(thread).or_insert(1);
        clock
    }

    fn acquire(&mut self, thread: u32, object: ObjectId) {
        let released = self.released.get(&object).cloned().unwrap_or_default();
        join(self.clock(thread), &released);
    }

    fn release(&mut self, thread: u32, object: ObjectId) {
        let clock = self.clock(thread).clone();
        join(self.released.entry(object).or_default(), &clock);
        self.tick(thread);
    }

    fn tick(&mut self, thread: u32) {
        *self.clock(thread).entry(thread).or_default() += 1;
    }

    fn access(&mut self, event: &Event, object: ObjectId, writes: bool, out: &mut Findings) {
        let thread = event.thread.0;
        let clock = self.clock(thread).clone();
        let seen = self.accesses.entry(object).or_default();
        for other in seen.iter() {
            let ordered = clock.get(&other.thread).is_some_and(|t| *t >= other.time);
            if !ordered && (writes || other.writes) {
                let mut pair = [(thread, event.site.bci), (other.thread, other.at)];
                pair.sort();
                out.add(Finding::new(FindingKind::Race, format!("{pair:?}")));
            }
        }
        seen.insert(Access {
            thread,
            time: clock[&thread],
            at: event.site.bci,
            writes,
        });
    }
}

fn join(clock: &mut Clock, other: &Clock) {
    for (thread, time) in other {
        let mine = clock.entry(*thread).or_default();
        *mine = (*mine).max(*time);
    }
}

impl Detector for Races {
    fn wants(&self) -> EventMask {
        EventMask::ALL
    }

    fn event(&mut self, event: &Event, _: &dyn View, out: &mut Findings) {
        let thread = event.thread.0;
        let atomic = |place: heddle_model::Place| (place.object(), self.is_atomic(event));
        match event.kind {
            EventKind::Read { place, .. } | EventKind::Write { place, .. } => {
                let writes = matches!(event.kind, EventKind::Write { .. });
                match atomic(place) {
                    (object, true) => {
                        self.now.acquire(thread, object);
                        self.now.release(thread, object);
                    }
                    (object, false) => self.now.access(event, object, writes, out),
                }
            }
            EventKind::Lock { object } => self.now.acquire(thread, object),
            EventKind::Unlock { object } | EventKind::Wait { object } => {
                self.now.release(thread, object);
            }
            EventKind::ThreadEnd => self.now.release(thread, thread_object(thread)),
            EventKind::SeesEnd { place, .. } => self.now.acquire(thread, place.object()),
            EventKind::ThreadStart { child } => {
                let clock = self.now.clock(thread).clone();
                join(self.now.clock(child.0), &clock);
                self.now.tick(thread);
            }
            _ => {}
        }
    }
}

impl Rewind for Races {
    fn mark(&mut self) -> Mark {
        self.next += 1;
        self.marks.push((Mark(self.next), self.now.clone()));
        Mark(self.next)
    }

    fn rewind(&mut self, to: Mark) {
        while self.marks.last().is_some_and(|m| m.0 > to) {
            self.marks.pop();
        }
        self.now = self.marks.last().expect("a live mark").1.clone();
    }

    fn forget(&mut self, mark: Mark) {
        self.marks.retain(|m| m.0 != mark);
    }
}
