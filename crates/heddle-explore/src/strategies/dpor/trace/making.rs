//! The step that is being run: what it does, as its thread tells of it.

use super::super::super::word;
use super::super::gates::Touch;
use super::super::print::{Bits, WordHasher};
use super::{Stands, Thread, Trace};
use heddle_model::{Event, EventKind, MutexField, ObjectId, PendingOp, Site, ThreadId, View};
use std::collections::HashSet;
use std::hash::BuildHasherDefault;

/// The step that is being run.
#[derive(Clone, Debug, Default)]
pub struct Making {
    pub active: bool,
    pub thread: u32,
    pub frame: u32,
    pub loose: bool,
    pub order: Order,
    pub(super) words: Vec<u32>,
    pub(super) locks: Vec<Use>,
    pub(super) started: Vec<u32>,
    pub(super) targets: Vec<u32>,
    /// The objects that others can reach because of it.
    pub(super) born: HashSet<u64, BuildHasherDefault<WordHasher>>,
    pub(super) ended: bool,
    pub(super) waits: Option<ObjectId>,
    /// It takes a lock in which the thread might have had to wait.
    pub awaits: Option<u64>,
    /// Gates that it has a part in opening, and whether they are open then.
    pub(in super::super) opens: Vec<(u32, bool)>,
    /// Latches that it shows to be counted down too often, or to be waited inside.
    pub(in super::super) keeps: Vec<u32>,
    /// Places with what was written there, and locks in which all or one were notified. Only
    /// while there are threads that wait in loops.
    pub(in super::super) written: Vec<(u32, u64)>,
    pub(super) notified: Vec<(u32, bool)>,
}

/// A lock is taken or given back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) lock: u32,
    pub(super) takes: bool,
    pub(super) site: Site,
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

impl Making {
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    pub fn targets(&self) -> &[u32] {
        &self.targets
    }
}

impl Trace {
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

    /// The step was no step.
    pub fn abandon(&mut self) {
        self.making.active = false;
    }

    pub(super) fn bits(&self, making: &Making) -> Bits {
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
}
