//! Locks of the library that a search takes as it takes monitors: `ReentrantLock`.
//!
//! A call into trusted code is run until it has to wait. A thread that calls `lock()` while another
//! one has the lock would so come into the queue of the lock, and the order there would count: three
//! threads that take a lock twice each have 13,176 schedules, and 90 with `synchronized`. A strategy
//! that asks for it ([`OpMask::MUTEXES`]) gets the call as [`PendingOp::Lock`], and the thread is not
//! run while the lock is taken.
//!
//! Nothing is missed by that. Between the beginning of such a call and its end the thread does
//! nothing but get into the queue and out of it again, and lets nobody go on. So if it is stopped
//! before the call instead, and runs when it has the lock at once, all others can do as before: that
//! they find a shorter queue makes a difference only to whom they wake when they give the lock back,
//! and who is woken without getting the lock waits again. And to stop a thread before a call is a
//! schedule like any other. Where nobody can go on any more, or threads stand before each other's
//! locks, those who stand before such locks are options all the same: sent into them, they show what
//! they wait for.
//!
//! That holds for locks that are not fair; one that is lets nobody in who comes behind those in its
//! queue (they may have been put there by a condition). It does not hold
//! - for who asks about the queue, or for the states of threads;
//! - for who parks threads: while a thread is in a queue, it uses up the permit that
//!   another one gives it for something else;
//! - for who asks whether another thread is interrupted: one in a queue is not, until it has the
//!   lock;
//! - for who stops threads.
//!
//! A trial run tells whether a program does any of that (`learned.rs`). Then these calls are calls.
//! So are all others: `tryLock` does something where the lock is taken, `lockInterruptibly` can be
//! left without the lock, and what a method of the library does with its own locks is its business.

use crate::class::{ClassPtr, Touches};
use crate::heap::Ref;
use crate::symbol::Symbol;
use crate::thread::{Awaits, Thread, ThreadId, ThreadState};
use crate::vm::Vm;
use heddle_model::{MutexField, ObjectId, OpMask, PendingOp, Place};

const CLASS: &[u8] = b"java/util/concurrent/locks/ReentrantLock";
const NOT_FAIR: &[u8] = b"java/util/concurrent/locks/ReentrantLock$NonfairSync";

impl Vm {
    /// Whether a method takes a lock, and does nothing else.
    pub fn only_locks(&self, class: ClassPtr, name: Symbol) -> Touches {
        let names = (self.symbols.bytes(class.name), self.symbols.bytes(name));
        match names == (CLASS, b"lock") {
            true => Touches::Lock,
            false => Touches::Nothing,
        }
    }

    /// The lock that a call takes whose first access is `first`, if a search may take it for
    /// a monitor.
    pub fn mutex_of(&self, first: PendingOp) -> Option<Ref> {
        let learned = &self.learned;
        let told_apart = learned.asks_for_queues
            || learned.asks_for_states
            || learned.asks_for_interrupts && learned.interrupts
            || learned.stops;
        if !self.stops.has(OpMask::MUTEXES) || told_apart {
            return None;
        }
        let lock = Ref(self.place_of(first)?.object().0);
        let is_it = self.symbols.bytes(self.class_of(lock).name) == NOT_FAIR;
        is_it.then_some(lock)
    }

    /// Whether an object is the lock inside a `ReentrantLock`.
    pub fn is_mutex(&self, object: Ref) -> bool {
        self.class_of(object).chain.contains(&self.known.mutex)
    }

    /// Who has a lock, if the object is one.
    pub fn mutex_owner(&self, object: Ref) -> Option<ThreadId> {
        if !self.is_mutex(object) {
            return None;
        }
        self.thread_with(self.heap.get_ref(object, self.known.ownable_owner))
    }

    /// What a field says of the lock that it is in.
    pub fn mutex_field_at(&self, place: Place) -> Option<MutexField> {
        let Place::Field { object, offset } = place else {
            return None;
        };
        let field = match u64::from(offset) {
            at if at == self.known.ownable_owner => MutexField::Owner,
            at if at == self.known.synchronizer_state => MutexField::Count,
            _ => return None,
        };
        // Only where all that is done to it is one operation do the fields belong together.
        let known = &self.known;
        let classes = [known.mutex, known.synchronizer, known.ownable];
        let whole = classes.iter().all(|c| c.flags.trusted);
        (whole && self.is_mutex(Ref(object.0))).then_some(field)
    }

    /// Whether a thread stands before a lock that another one has.
    pub fn is_before_mutex(&self, thread: &Thread) -> bool {
        match thread.control.awaits {
            Awaits::Monitor(on) => self.is_mutex(on) && self.is_taken(on, thread.id),
            _ => false,
        }
    }

    /// Whether it will stand there for ever, since who has the lock wants another one, and so
    /// on, until somebody wants what it has itself. Others may go on and end the program.
    pub fn is_in_cycle(&self, thread: &Thread) -> bool {
        let mut at = thread;
        for _ in 0..self.threads.len() {
            let owner = self.wants_lock(at).and_then(|lock| self.lock_owner(lock));
            match owner {
                Some(owner) if owner == at.id => return false,
                Some(owner) if owner == thread.id => return true,
                Some(owner) => at = self.thread(owner),
                None => return false,
            }
        }
        false
    }

    /// The lock without which a thread does not go on, whatever happens.
    fn wants_lock(&self, thread: &Thread) -> Option<Ref> {
        match (thread.control.state, thread.control.awaits) {
            (ThreadState::Runnable, Awaits::Monitor(on)) | (ThreadState::Blocked(on), _) => {
                Some(on)
            }
            (ThreadState::Parked { deadline: None }, _) => {
                let sent = thread
                    .called()
                    .is_some_and(|m| m.touches.get() == Touches::Lock);
                self.park_blocker(thread.id).filter(|_| sent)
            }
            _ => None,
        }
    }

    /// The running thread stops before a call that takes a lock.
    pub fn stop_before_mutex(&mut self, lock: Ref) -> PendingOp {
        self.running().control.awaits = Awaits::Monitor(lock);
        PendingOp::Lock(ObjectId(lock.0))
    }
}
