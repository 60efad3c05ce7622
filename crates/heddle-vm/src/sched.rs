//! Thread states, the virtual clock, and who can run.

use crate::heap::Ref;
use crate::thread::{Thread, ThreadId, ThreadState, Wake};
use crate::vm::Vm;

/// `Thread.threadStatus` values (those of JVMTI).
pub fn status(state: ThreadState) -> i32 {
    match state {
        ThreadState::Runnable | ThreadState::Initializing(_) | ThreadState::Idle => 0x5,
        ThreadState::Draining => 0x5,
        ThreadState::Blocked(_) => 0x401,
        ThreadState::Waiting { deadline: None, .. } => 0x191,
        ThreadState::Waiting { .. } => 0x1a1,
        ThreadState::Parked { deadline: None } => 0x291,
        ThreadState::Parked { .. } => 0x2a1,
        ThreadState::Sleeping { .. } => 0xe1,
        ThreadState::Dead => 0x2,
    }
}

impl Vm {
    /// Changes a thread's state, and the status that Java sees.
    pub fn set_state(&mut self, id: ThreadId, state: ThreadState) {
        self.touch_thread(id);
        let thread = self.thread_mut(id);
        thread.control.state = state;
        thread.control.record.enter(state);
        let object = thread.object;
        if !object.is_null() {
            let at = self.known.thread_status;
            self.heap.put(object, at, status(state));
        }
    }

    /// The thread that a java.lang.Thread object stands for, while it is alive.
    pub fn thread_of(&self, object: Ref) -> Option<ThreadId> {
        let id: u64 = self.heap.get(object, self.known.thread_eetop);
        (id != 0).then(|| ThreadId(id as u32 - 1))
    }

    /// Wakes the threads whose deadline has come; these. As long as the clock stands still, that
    /// can only be the thread that has just run.
    pub fn expire(&mut self) -> Vec<ThreadId> {
        let now = self.globals.clock;
        let due = |t: &Thread| t.deadline().is_some_and(|deadline| deadline <= now);
        let stands = std::mem::replace(&mut self.globals.expired, now) == now;
        if stands && !due(&self.threads[self.current.0 as usize]) {
            return Vec::new();
        }
        let due = self.threads.iter().filter(|t| due(t));
        let due: Vec<ThreadId> = due.map(|t| t.id).collect();
        for thread in &due {
            self.wake(*thread, Wake::TimedOut);
        }
        due
    }

    /// The next deadline of a thread that is not one of the library's own.
    pub fn next_deadline(&self) -> Option<u64> {
        self.threads
            .iter()
            .filter(|t| !t.system)
            .filter_map(|t| t.deadline())
            .min()
    }

    /// Threads that can run, in the order of their numbers.
    pub fn runnable(&self) -> impl Iterator<Item = ThreadId> + '_ {
        self.threads.iter().filter(|t| t.can_run()).map(|t| t.id)
    }
}

impl Thread {
    pub fn has_ended(&self) -> bool {
        matches!(
            self.control.state,
            ThreadState::Dead | ThreadState::Draining
        )
    }

    pub fn can_run(&self) -> bool {
        self.control.state == ThreadState::Runnable && !self.control.suspended
    }

    /// Whether it waits for a notification that may come too early: `wait` and `park` may
    /// end without a reason.
    pub fn waits_in_vain(&self) -> bool {
        matches!(
            self.control.state,
            ThreadState::Waiting { .. } | ThreadState::Parked { .. }
        )
    }

    /// When its timed wait ends.
    pub fn deadline(&self) -> Option<u64> {
        match self.control.state {
            ThreadState::Waiting { deadline, .. } | ThreadState::Parked { deadline } => deadline,
            ThreadState::Sleeping { deadline } => Some(deadline),
            _ => None,
        }
    }
}
