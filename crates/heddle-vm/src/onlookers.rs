//! What `java.lang.management` tells a thread of all others: who there is, what each waits for,
//! who is in a deadlock, what each has done.
//!
//! In a search whoever asks must be ordered with those who change the answer, as who asks for a
//! state is (`status.rs`), in a program that asks at all (`learned.rs`):
//!
//! - Who starts a thread writes a place that stands for the list of them, [`Vm::roll`], and who
//!   asks which threads there are reads it. That a thread has ended is told by the thread
//!   itself (`thread_end.rs`). How many there were at most depends on the order of starts and
//!   ends: where that is asked for, both write the list.
//! - Who asks what a thread waits for reads its status, what that follows from, and who has the
//!   lock.
//! - Who asks where a thread is, what it holds or what it has used depends on all that
//!   it does. So it writes the thread's course, as who stops one does.
//!
//! Threads are seen where a search stops them, never between two such places. How often a thread
//! was blocked is counted on every path, but what another thread did to make it so is not ordered:
//! not every count that is possible is found.

use crate::heap::Ref;
use crate::status::Whereabouts;
use crate::thread::{Thread, ThreadId, ThreadState};
use crate::vm::Vm;
use heddle_model::{EventKind, ObjectId, Place};

/// How many threads there are and were, those of the library and the initial one included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roll {
    pub alive: u32,
    /// The most that were alive at a time, since somebody began to count anew.
    pub peak: u32,
    pub started: u64,
}

/// What a thread has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Bytecodes, up to where it was given its last turn.
    pub bytecodes: u64,
    /// How often it found a monitor taken.
    pub blocked: u64,
    /// How often it waited, was parked or slept.
    pub waited: u64,
    /// It tries again to take the monitor of this object, which is no further time.
    again: Ref,
}

impl Record {
    /// It comes into a state.
    pub fn enter(&mut self, state: ThreadState) {
        match state {
            ThreadState::Blocked(on) => self.block(on),
            ThreadState::Waiting { .. }
            | ThreadState::Parked { .. }
            | ThreadState::Sleeping { .. } => self.waited += 1,
            _ => {}
        }
    }

    fn block(&mut self, on: Ref) {
        if self.again != on {
            self.blocked += 1;
        }
        self.again = on;
    }

    /// The monitor for which it is blocked is free.
    pub fn tries_again(&mut self, on: Ref) {
        self.again = on;
    }

    /// The monitor that it has found taken, and has not come into yet.
    pub fn tries(&self) -> Option<Ref> {
        (!self.again.is_null()).then_some(self.again)
    }

    /// It had its turn.
    pub fn ran(&mut self, bytecodes: u64, state: ThreadState) {
        self.bytecodes += bytecodes;
        if !matches!(state, ThreadState::Blocked(_)) {
            self.again = Ref::NULL;
        }
    }
}

/// What keeps a thread from going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Another thread has this monitor.
    Monitor(Ref),
    /// It waits to be notified here.
    Notification(Ref),
    /// It is parked, and gave this as the reason.
    Parked(Ref),
}

impl Obstacle {
    pub fn object(self) -> Ref {
        match self {
            Obstacle::Monitor(on) | Obstacle::Notification(on) | Obstacle::Parked(on) => on,
        }
    }
}

impl Vm {
    // ---- the list ---------------------------------------------------------------------

    /// What stands for the list of all threads: no field of a class object is there that a
    /// search would count.
    pub fn roll(&self) -> Place {
        Place::Field {
            object: ObjectId(self.known.thread.mirror.get().0),
            offset: self.known.thread_tid as u32,
        }
    }

    /// A thread is alive from now on.
    pub fn enters_roll(&mut self) {
        let roll = &mut self.globals.roll;
        roll.alive += 1;
        roll.started += 1;
        roll.peak = roll.peak.max(roll.alive);
        if self.learned.asks_for_threads {
            self.change_roll();
        }
    }

    /// Somebody wants to know the most that there are from now on.
    pub fn counts_anew(&mut self) {
        self.globals.roll.peak = self.globals.roll.alive;
        self.change_roll();
    }

    fn change_roll(&mut self) {
        let (place, value) = (self.roll(), 0);
        self.emit(EventKind::Write { place, value });
    }

    /// The running thread has ended.
    pub fn leaves_roll(&mut self) {
        self.globals.roll.alive -= 1;
        if self.learned.asks_for_peak {
            self.change_roll();
        }
    }

    /// Somebody asks which threads there are.
    pub fn look_at_roll(&mut self) {
        self.learn_onlooker();
        self.look_for_starts();
        for object in self.own_threads() {
            let place = self.life(object);
            self.emit(EventKind::Read { place, value: 0 });
        }
    }

    fn look_for_starts(&mut self) {
        let (place, value) = (self.roll(), 0);
        self.emit(EventKind::Read { place, value });
    }

    /// All threads that the program has started, and the initial one.
    fn own_threads(&self) -> Vec<Ref> {
        let own = self.threads.iter();
        let own = own.filter(|t| !t.system && !t.object.is_null());
        own.map(|t| t.object).collect()
    }

    /// All threads that are alive, in the order of their numbers.
    pub fn live_threads(&self) -> Vec<ThreadId> {
        let alive = |t: &&Thread| !t.object.is_null() && self.thread_of(t.object) == Some(t.id);
        let mut live: Vec<ThreadId> = self.threads.iter().filter(alive).map(|t| t.id).collect();
        live.sort_by_key(|t| self.number_of(*t));
        live
    }

    /// What `Thread.getId` says.
    fn number_of(&self, thread: ThreadId) -> i64 {
        self.heap
            .get(self.thread(thread).object, self.known.thread_tid)
    }

    /// The live thread of a number. Whether there is one depends on its start and its end; who
    /// finds it asks no less than who does not.
    pub fn look_for(&mut self, number: i64) -> Option<ThreadId> {
        self.learn_onlooker();
        self.look_for_starts();
        let has_it = |t: &&Thread| !t.object.is_null() && self.number_of(t.id) == number;
        let found = self.threads.iter().find(has_it).map(|t| t.id)?;
        let object = self.thread(found).object;
        if !self.thread(found).system {
            let place = self.life(object);
            self.emit(EventKind::Read { place, value: 0 });
        }
        self.thread_of(object)
    }

    // ---- one thread -------------------------------------------------------------------

    /// Somebody asks for the state of a thread and for what it waits for.
    pub fn look_at_state(&mut self, thread: ThreadId) {
        self.learn_onlooker();
        if self.thread(thread).system {
            return;
        }
        let object = self.thread(thread).object;
        let status = Place::Field {
            object: ObjectId(object.0),
            offset: self.known.thread_status as u32,
        };
        let lock = match self.obstacle(thread) {
            Some(Obstacle::Parked(on)) if self.is_ownable(on) => Some(Place::Field {
                object: ObjectId(on.0),
                offset: self.known.ownable_owner as u32,
            }),
            Some(Obstacle::Monitor(on) | Obstacle::Notification(on)) => {
                Some(Place::monitor(ObjectId(on.0)))
            }
            _ => None,
        };
        let behind = self.behind_status(object);
        for place in [Some(status), behind, lock].into_iter().flatten() {
            self.emit(EventKind::Read { place, value: 0 });
        }
    }

    /// Somebody asks how far a thread is.
    pub fn look_at_course(&mut self, thread: ThreadId) {
        self.learned.stops |= self.learning;
        let thread = self.thread(thread);
        if self.learned.stops && !thread.system && thread.id != self.current {
            let (place, value) = (self.course(thread.object), 0);
            self.emit(EventKind::Write { place, value });
        }
    }

    /// What a thread waits for. One that a search has stopped before a lock waits if the lock is
    /// taken, as for its status.
    pub fn obstacle(&self, thread: ThreadId) -> Option<Obstacle> {
        let control = &self.thread(thread).control;
        match (control.state, control.told) {
            (ThreadState::Blocked(on), _) => Some(Obstacle::Monitor(on)),
            (ThreadState::Waiting { on, .. }, _) => Some(Obstacle::Notification(on)),
            (ThreadState::Parked { .. }, _) => self.park_blocker(thread).map(Obstacle::Parked),
            (ThreadState::Runnable, Whereabouts::Before(on)) if self.is_taken(on, thread) => {
                Some(Obstacle::Monitor(on))
            }
            (ThreadState::Runnable, Whereabouts::Joins(on)) if !self.ready(self.thread(thread)) => {
                Some(Obstacle::Notification(on))
            }
            _ => None,
        }
    }

    /// Who has what a thread waits for.
    pub fn owner_of(&self, obstacle: Obstacle) -> Option<ThreadId> {
        match obstacle {
            Obstacle::Monitor(on) | Obstacle::Notification(on) => {
                self.monitor_owner(on).map(|(owner, _)| owner)
            }
            Obstacle::Parked(on) => self.exclusive_owner(on),
        }
    }

    /// Whether an object is a lock of `java.util.concurrent` that has an owner.
    pub fn is_ownable(&self, object: Ref) -> bool {
        self.is_instance(object, self.known.ownable)
    }

    /// A thread has come before a monitor that is taken, in a search, or the one before which it
    /// stands was taken.
    pub fn note_obstacle(&mut self, thread: ThreadId, moved: bool) {
        if let Some(Obstacle::Monitor(on)) = self.obstacle(thread) {
            self.touch_thread(thread);
            let record = &mut self.thread_mut(thread).control.record;
            if moved {
                record.again = Ref::NULL;
            }
            record.block(on);
        }
    }

    // ---- deadlocks --------------------------------------------------------------------

    /// The threads that wait for each other in a circle: for monitors, and if `locks` says
    /// so, for locks of `java.util.concurrent`.
    pub fn deadlocked(&mut self, locks: bool) -> Vec<ThreadId> {
        let live = self.live_threads();
        for thread in &live {
            self.look_at_state(*thread);
        }
        let is_stuck = |thread: &ThreadId| {
            let mut at = *thread;
            for _ in 0..live.len() {
                match self.waits_for(at, locks) {
                    Some(next) if next == *thread => return true,
                    Some(next) => at = next,
                    None => return false,
                }
            }
            false
        };
        live.iter().copied().filter(is_stuck).collect()
    }

    /// The thread that has to do something before this one goes on.
    fn waits_for(&self, thread: ThreadId, locks: bool) -> Option<ThreadId> {
        let obstacle = self.obstacle(thread)?;
        let counts = match obstacle {
            Obstacle::Monitor(_) => true,
            Obstacle::Parked(_) => locks,
            Obstacle::Notification(_) => false,
        };
        let owner = self.owner_of(obstacle).filter(|_| counts)?;
        (owner != thread).then_some(owner)
    }
}
