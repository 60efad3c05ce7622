//! PCT: threads have random priorities, and the running one loses its own at a few random
//! moments (Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with
//! probabilistic guarantees of finding bugs, ASPLOS 2010).
//!
//! Of n threads that make k steps together, a schedule shows an error that d ordering
//! constraints make happen with a probability of at least 1/(n·k^(d-1)).
//!
//! Departures: nobody tells k; it is the length of the longest schedule drawn so far, so the
//! first one has no change of priority. Threads get their priorities when they are first
//! seen. A thread that has run for [`FAIR`] steps while others could have falls behind all
//! of them, so that loops which wait for others come to an end.

use super::sampling::{Dice, Policy, Sampling};
use heddle_model::{ChoicePoint, ThreadId};

/// The strategy.
pub type Pct = Sampling<Priorities>;

/// Steps after which a thread lets the others run.
pub const FAIR: u32 = 10_000;

impl Pct {
    /// For errors of this depth; 1 means no change of priority.
    pub fn new(seed: u64, depth: u32) -> Pct {
        let policy = Priorities {
            depth: depth.max(1),
            longest: 0,
            changes: Vec::new(),
            step: 0,
            threads: Vec::new(),
            lowest: 0,
            streak: 0,
            ran: None,
        };
        Sampling::with(policy, seed)
    }
}

/// Who comes before whom.
#[derive(Clone, Debug)]
pub struct Priorities {
    depth: u32,
    /// Steps of the longest schedule.
    longest: u64,
    /// The steps before which the running thread loses its priority, the last one first.
    changes: Vec<u64>,
    step: u64,
    /// By thread; the highest runs. Drawn ones are positive.
    threads: Vec<Option<i64>>,
    /// What the next one to lose its priority gets, minus one.
    lowest: i64,
    streak: u32,
    ran: Option<ThreadId>,
}

impl Priorities {
    fn priority(&mut self, thread: ThreadId, dice: &mut Dice) -> i64 {
        let at = thread.0 as usize;
        if self.threads.len() <= at {
            self.threads.resize(at + 1, None);
        }
        *self.threads[at].get_or_insert_with(|| (dice.word() >> 2) as i64)
    }

    fn lower(&mut self, thread: ThreadId) {
        self.lowest -= 1;
        if let Some(priority) = self.threads.get_mut(thread.0 as usize) {
            *priority = Some(self.lowest);
        }
    }

    fn highest(&mut self, at: &ChoicePoint<'_>, dice: &mut Dice) -> usize {
        let mut best = (i64::MIN, 0);
        for (i, option) in at.options.iter().enumerate() {
            let priority = self.priority(option.thread(), dice);
            if priority > best.0 {
                best = (priority, i);
            }
        }
        best.1
    }
}

impl Policy for Priorities {
    const FRONTIER: u64 = 0x9c70_0001;

    fn begin(&mut self, dice: &mut Dice) {
        self.threads.clear();
        (self.step, self.lowest, self.streak, self.ran) = (0, 0, 0, None);
        self.changes.clear();
        if self.longest > 0 {
            for _ in 1..self.depth {
                self.changes.push(dice.below(self.longest as usize) as u64);
            }
            self.changes.sort_by(|a, b| b.cmp(a));
        }
    }

    fn pick(&mut self, at: &ChoicePoint<'_>, dice: &mut Dice) -> usize {
        let mut pick = self.highest(at, dice);
        while self.changes.last().is_some_and(|step| *step <= self.step) {
            self.changes.pop();
            self.lower(at.options[pick].thread());
            pick = self.highest(at, dice);
        }
        if self.streak >= FAIR {
            self.streak = 0;
            self.lower(at.options[pick].thread());
            pick = self.highest(at, dice);
        }
        let thread = at.options[pick].thread();
        self.streak = match self.ran == Some(thread) && at.options.len() > 1 {
            true => self.streak + 1,
            false => 0,
        };
        self.ran = Some(thread);
        self.step += 1;
        pick
    }

    fn end(&mut self) {
        self.longest = self.longest.max(self.step);
    }

    fn learned(&self) -> u64 {
        self.longest
    }

    fn learn(&mut self, learned: u64) {
        self.longest = learned;
    }
}
