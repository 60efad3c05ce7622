//! Which locks steps take and give back, for threads that wait in loops under them.

use super::making::{Making, Use};
use super::{NONE, Trace};

impl Trace {
    /// Keeps what a step has written and whom it has notified. To be called before it is noted
    /// which locks the thread has afterwards.
    #[cold]
    pub(super) fn note_awaited(&mut self, making: &Making, step: u32) {
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
            self.awaited.notify(step, making.thread, (*lock, *all));
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

    /// The step in which the thread of another step took a lock that it has in that one.
    pub fn section_of(&self, step: u32, lock: u32) -> Option<u32> {
        let thread = self.step(step).thread;
        let mut own = (0..=step).rev().filter(|s| self.step(*s).thread == thread);
        own.find(|s| self.takes_lock(*s, lock))
    }

    /// The last step of the critical section that begins with this one, as far as the path goes.
    pub fn end_of_section(&self, from: u32, lock: u32) -> u32 {
        let thread = self.step(from).thread;
        let end = self.len() as u32 - 1;
        let mut own = (from..=end).filter(|s| self.step(*s).thread == thread);
        own.find(|s| self.gives_lock(*s, lock)).unwrap_or(end)
    }
}
