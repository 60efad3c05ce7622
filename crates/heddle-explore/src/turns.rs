//! Workers that take turns, so that what they do together can be repeated.
//!
//! All that the workers of a search have in common is behind the lock of their pool. So what they
//! do depends on nothing but the order in which they get that lock. Here the order comes from a seed:
//! only one of them runs at a time, and before it asks for the lock it may have to let another
//! one run. That is slow, and for tests: what goes wrong with one seed goes wrong with it again.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::ThreadId;

#[derive(Debug)]
pub(crate) struct Turns {
    state: Mutex<State>,
    change: Condvar,
}

#[derive(Debug)]
struct State {
    /// How many are still to come.
    awaited: usize,
    here: Vec<ThreadId>,
    /// Whose turn it is.
    turn: Option<ThreadId>,
    random: u64,
    /// A turn is over at one of so many occasions.
    patience: u64,
}

/// The place of a worker among those who take turns.
#[derive(Debug)]
pub(crate) struct Seat {
    turns: Arc<Turns>,
    thread: ThreadId,
}

impl Turns {
    pub fn new(workers: usize, seed: u64) -> Arc<Turns> {
        let state = State {
            awaited: workers,
            here: Vec::new(),
            turn: None,
            random: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            patience: 1 << (2 * (seed % 4)),
        };
        Arc::new(Turns {
            state: Mutex::new(state),
            change: Condvar::new(),
        })
    }

    /// A worker takes part. It waits until all do.
    pub fn sit_down(self: &Arc<Turns>, first: bool) -> Seat {
        let thread = std::thread::current().id();
        let mut state = self.lock();
        state.awaited -= 1;
        match first {
            true => {
                state.here.insert(0, thread);
                state.turn = Some(thread);
            }
            false => state.here.push(thread),
        }
        self.change.notify_all();
        while state.awaited > 0 || state.turn != Some(thread) {
            state = self.wait(state);
        }
        Seat {
            turns: self.clone(),
            thread,
        }
    }

    /// Whoever has the turn may have to give it to another one, and surely if it waits for
    /// something.
    pub fn pass(&self, waits: bool) {
        let thread = std::thread::current().id();
        let mut state = self.lock();
        if !state.here.contains(&thread) {
            return;
        }
        let patience = state.patience;
        if waits || state.roll(patience) == 0 {
            state.give(waits.then_some(thread));
            self.change.notify_all();
        }
        while state.turn != Some(thread) {
            state = self.wait(state);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let wait = self.change.wait(state);
        wait.unwrap_or_else(|e| e.into_inner())
    }
}

impl State {
    fn roll(&mut self, sides: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 20) % sides
    }

    /// Gives the turn to somebody, but not to this one if there are others.
    fn give(&mut self, but: Option<ThreadId>) {
        let others = self.here.iter().copied().filter(|t| Some(*t) != but);
        let others: Vec<ThreadId> = others.collect();
        self.turn = match others.len() {
            0 => but,
            count => Some(others[self.roll(count as u64) as usize]),
        };
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut state = self.turns.lock();
        state.here.retain(|t| *t != self.thread);
        if state.turn == Some(self.thread) {
            state.give(None);
        }
        self.turns.change.notify_all();
    }
}
