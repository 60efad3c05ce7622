//! How executions are counted.
//!
//! Appendix B of jreplay counts how often a bytecode *was about to be executed* since
//! the last `before` or `in`, and gives two examples: a thread that is switched to in
//! front of a `monitorenter`, fails, and is switched away from again has a count of 1; a
//! thread that executes the bytecode it stands before once and comes back has a count of
//! 2. One rule gives both: **the place where the running thread stands after an event
//! counts as its first time there.** It holds for `in` as well: a thread that is still
//! blocked where it was blocked at the last event has a count of 1.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// Counts how often the running thread came to each place since the last event.
///
/// Whoever records or replays calls [`came_to`](Counts::came_to) for each bytecode that
/// the running thread is about to execute (a bytecode that is tried again after it
/// blocked is not come to again) and [`event`](Counts::event) at each event, after the
/// actions that belong to it.
#[derive(Clone, Debug)]
pub struct Counts<P> {
    counts: HashMap<P, u64, BuildHasherDefault<Mix>>,
}

impl<P> Default for Counts<P> {
    fn default() -> Self {
        Counts {
            counts: HashMap::default(),
        }
    }
}

impl<P: Hash + Eq> Counts<P> {
    /// The running thread came to a place; how often it has now been there.
    pub fn came_to(&mut self, place: P) -> u64 {
        let count = self.counts.entry(place).or_insert(0);
        *count += 1;
        *count
    }

    /// How often the running thread came to a place since the last event.
    pub fn at(&self, place: &P) -> u64 {
        self.counts.get(place).copied().unwrap_or(0)
    }

    /// An event happened, and the thread that runs now stands at (before or in) this
    /// place; `None` if it has yet to begin.
    pub fn event(&mut self, stands_at: Option<P>) {
        self.counts.clear();
        if let Some(place) = stands_at {
            self.counts.insert(place, 1);
        }
    }
}

/// A hash for places, quick because it is asked for every bytecode of a run that is written
/// down. Places are the program's, nobody makes them up to collide.
#[derive(Clone, Copy, Debug, Default)]
struct Mix(u64);

impl Mix {
    fn add(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.add(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.add(u64::from(word));
    }

    fn write_i32(&mut self, word: i32) {
        self.add(word as u32 as u64);
    }

    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn a_failed_attempt_counts_one_and_a_round_trip_two() {
        let mut counts = Counts::default();
        assert_eq!(counts.came_to("monitorenter"), 1);
        counts.event(Some("monitorenter"));
        // Switched to, not able to go on, switched away from.
        assert_eq!(counts.at(&"monitorenter"), 1);
        counts.event(Some("monitorenter"));
        // Switched to, executes it, comes back.
        assert_eq!(counts.came_to("next"), 1);
        assert_eq!(counts.came_to("monitorenter"), 2);
    }

    #[test]
    fn a_thread_that_begins_has_been_nowhere() {
        let mut counts = Counts::default();
        counts.came_to(3);
        counts.event(None);
        assert_eq!(counts.at(&3), 0);
        assert_eq!(counts.came_to(3), 1);
    }
}
