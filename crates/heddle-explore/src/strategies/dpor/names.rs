//! Numbers for threads that are the same on every path.
//!
//! The machine numbers threads in the order in which they are started, which depends on
//! the schedule when several threads start others. Here a thread is the n-th child of its
//! parent, whenever that starts it.

use super::print::WordHasher;
use super::trace::NONE;
use crate::jobs::Pool;
use heddle_model::ThreadId;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Names {
    /// By parent and number of the child.
    numbers: HashMap<u64, u32, BuildHasherDefault<WordHasher>>,
    /// By the machine's number, as far as threads were started on the present path.
    known: Vec<u32>,
    /// By our number.
    machine: Vec<ThreadId>,
    daemons: Vec<Option<bool>>,
    /// Those who search with us use the same numbers.
    shared: Option<Arc<Pool>>,
}

impl Names {
    #[inline]
    pub fn number(&mut self, thread: ThreadId) -> u32 {
        match self.known.get(thread.0 as usize) {
            Some(&number) if number != NONE => number,
            _ => self.name(thread, u64::from(NONE) << 32 | u64::from(thread.0)),
        }
    }

    /// A thread was started as the n-th child of another.
    pub fn born(&mut self, parent: u32, nth: u32, child: ThreadId) -> u32 {
        self.name(child, u64::from(parent) << 32 | u64::from(nth))
    }

    /// Uses the numbers that all workers of a search use.
    pub fn share(&mut self, pool: Arc<Pool>) {
        self.shared = Some(pool);
    }

    fn name(&mut self, thread: ThreadId, key: u64) -> u32 {
        if let Some(pool) = &self.shared
            && !self.numbers.contains_key(&key)
        {
            let pool = pool.clone();
            let mut state = pool.lock();
            let keys = state.tree.threads().learn(key, self.machine.len());
            keys.iter().for_each(|key| self.restore(*key));
        }
        let next = self.machine.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.machine.push(thread);
            self.daemons.push(None);
        }
        let at = thread.0 as usize;
        if self.known.len() <= at {
            self.known.resize(at + 1, NONE);
        }
        self.known[at] = number;
        self.machine[number as usize] = thread;
        number
    }

    /// Parents and numbers of children, by our numbers: what gives the same numbers again.
    pub fn keys(&self) -> Vec<u64> {
        let mut keys = vec![0; self.machine.len()];
        for (key, number) in &self.numbers {
            keys[*number as usize] = *key;
        }
        keys
    }

    /// The next of [`Names::keys`].
    pub fn restore(&mut self, key: u64) {
        self.numbers.insert(key, self.machine.len() as u32);
        self.machine.push(ThreadId(NONE));
        self.daemons.push(None);
    }

    /// For a search that runs the program from its start again.
    pub fn anew(mut self) -> Names {
        self.known.clear();
        self
    }

    /// What the machine calls a thread on the present path.
    pub fn machine(&self, number: u32) -> ThreadId {
        self.machine[number as usize]
    }

    /// Whether the program does not wait for a thread; asked once.
    pub fn learn_daemon(&mut self, number: u32, ask: impl FnOnce() -> bool) {
        self.daemons[number as usize].get_or_insert_with(ask);
    }

    pub fn is_daemon(&self, number: u32) -> bool {
        self.daemons[number as usize] == Some(true)
    }

    pub fn any_daemon(&self) -> bool {
        self.daemons.contains(&Some(true))
    }
}
