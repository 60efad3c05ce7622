//! Which state a search is in: a digest that is equal for states from which the same can
//! follow ([`heddle_model::View::state`]).
//!
//! It is kept incrementally. Memory is a sum (`heap/sum.rs`) and so are the states of
//! classes; of the stacks only that of threads that ran is hashed anew. Addresses depend on
//! what the thread did that allocated, not on the interleaving, so equal states of different
//! schedules have equal digests, as long as threads are started in the same order and
//! literals and lambdas were linked by the same thread.
//!
//! What is in it: memory, with all objects that were ever made, so that a loop that
//! allocates never comes back to a state; the stacks, with registers that are dead; what
//! threads wait for, deadlines as seen from now; the clock, once the program has looked
//! at it; class initialization; wait sets; files, once one was touched; input and random
//! numbers used up. What is not: output, steps, what was resolved and translated.

use crate::class::InitState;
use crate::hash::FastHasher;
use crate::heap::sum::Sum;
use crate::heap::{Region, mix};
use crate::thread::{Awaits, Thread, ThreadState};
use crate::vm::Vm;
use heddle_model::Pause;
use std::hash::{Hash, Hasher};

/// The digest and what it is made from, saved with every mark.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    pub digest: u128,
    memory: Sum,
    /// Of the classes' states; see [`Vm::count_class_state`].
    classes: u64,
}

impl State {
    /// The part that is memory.
    pub fn memory(&self) -> u128 {
        self.memory.value
    }
}

/// The part of a thread that a digest is made from.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Counted {
    /// Where it allocated when memory was summed up last.
    region: Region,
}

impl Vm {
    /// Brings the digest up to date.
    pub fn update_state(&mut self) {
        let pairs: Vec<(Region, Region)> = self
            .threads
            .iter()
            .map(|t| (t.control.counted.region, t.control.region))
            .collect();
        for at in 0..self.threads.len() {
            let control = &self.threads[at].control;
            if control.counted.region != control.region {
                let id = self.threads[at].id;
                self.touch_thread(id);
                let control = &mut self.threads[at].control;
                control.counted.region = control.region;
            }
        }
        for thread in &mut self.threads {
            thread.sum_up();
        }
        let mut memory = self.globals.state.memory;
        self.heap.update_sum(&mut memory, &pairs);
        self.globals.state.memory = memory;
        self.globals.state.digest = memory.value.wrapping_add(self.rest_of_state());
        self.start_epoch();
    }

    /// A class changes its state.
    pub fn count_class_state(&mut self, class: u32, old: InitState, new: InitState) {
        let of = |state: InitState| match state {
            InitState::Loaded => 0,
            InitState::Linked => 1,
            InitState::Running(thread) => 4 + u64::from(thread.0),
            InitState::Initialized => 2,
            InitState::Failed => 3,
        };
        // That a class is linked makes no difference to a program.
        let hash = |state| match of(state) {
            0 | 1 => 0,
            number => mix(u64::from(class) << 32 | number),
        };
        let sum = &mut self.globals.state.classes;
        *sum = sum.wrapping_sub(hash(old)).wrapping_add(hash(new));
    }

    /// All but memory.
    fn rest_of_state(&self) -> u128 {
        let globals = &self.globals;
        let mut hasher = FastHasher::default();
        let (exit, random, input) = (globals.exit, globals.random, globals.input);
        (exit, random, input, globals.live, globals.state.classes).hash(&mut hasher);
        if self.threads.iter().any(|t| t.control.looks > 0) {
            globals.clock.hash(&mut hasher);
        }
        match self.pause {
            Pause::Notify(on) => (on.0, self.current.0).hash(&mut hasher),
            _ => 0u64.hash(&mut hasher),
        }
        for (object, monitor) in &self.monitors {
            let mut waiting = monitor.waiting.clone();
            waiting.sort();
            (object.0, waiting, &monitor.leaving).hash(&mut hasher);
        }
        if self.journal.touched_files() {
            self.files.digest().hash(&mut hasher);
        }
        let others = hasher.finish();
        let threads = self.threads.iter();
        let threads = threads.filter(|t| t.control.state != ThreadState::Dead);
        threads.fold(wide(others), |sum, thread| {
            sum.wrapping_add(self.of_thread(thread))
        })
    }

    fn of_thread(&self, thread: &Thread) -> u128 {
        let control = &thread.control;
        // When the library's own threads look around next makes no difference.
        let from_now = |deadline: u64| match thread.system {
            true => 0,
            false => deadline.saturating_sub(self.globals.clock),
        };
        let state = match control.state {
            ThreadState::Runnable => (0, 0, None),
            ThreadState::Blocked(on) => (1, on.0, None),
            ThreadState::Waiting { on, deadline } => (2, on.0, deadline.map(from_now)),
            ThreadState::Parked { deadline } => (3, 0, deadline.map(from_now)),
            ThreadState::Sleeping { deadline } => (4, 0, Some(from_now(deadline))),
            ThreadState::Initializing(class) => (5, class.id.0, None),
            ThreadState::Idle => (6, 0, None),
            ThreadState::Draining => (7, 0, None),
            ThreadState::Dead => (8, 0, None),
        };
        let awaits = match control.awaits {
            Awaits::Nothing => (0, 0),
            Awaits::Monitor(on) => (1, on.0),
            Awaits::Death(on) => (2, on.0),
            Awaits::Class(class) => (3, class.id.0),
            Awaits::Change => (4, 0),
            Awaits::ChangeThenMonitor(on) => (5, on.0),
            Awaits::Gate(on) => (6, on.0),
        };
        let mut hasher = FastHasher::default();
        (thread.id.0, thread.object.0, state, awaits).hash(&mut hasher);
        if control.awaits.is_change() {
            control.round.seen().hash(&mut hasher);
        }
        let flags = [
            control.interrupted,
            control.permit,
            control.suspended,
            control.at_operation,
            control.granted,
            control.call_open,
            control.released,
            thread.daemon,
            control.edge.of_program,
        ];
        (flags, control.wake as u8, control.chosen.map(|t| t.0)).hash(&mut hasher);
        let edge = (control.edge.frame as u64).wrapping_sub(thread.stack.base() as u64);
        let called = control.edge.frame != 0;
        (called.then_some(edge), control.edge.rest as u8).hash(&mut hasher);
        (control.stop.0, control.stop_within.0).hash(&mut hasher);
        (control.pending.0, control.children).hash(&mut hasher);
        (control.counter, control.looks, control.pc as usize).hash(&mut hasher);
        // A thread's stack may lie elsewhere after a rewind: its frame counts from the base.
        let frame = (control.fp as u64).wrapping_sub(thread.stack.base() as u64);
        let own = mix(frame ^ hasher.finish());
        let sum = thread.sum();
        let (high, low) = (sum.high ^ own, sum.low ^ mix(!own));
        u128::from(mix(high)) << 64 | u128::from(mix(low))
    }
}

fn wide(hash: u64) -> u128 {
    u128::from(mix(hash)) << 64 | u128::from(mix(!hash))
}
