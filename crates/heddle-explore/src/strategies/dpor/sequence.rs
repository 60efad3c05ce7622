//! Sequences of steps that are to be explored from a choice, and what covers them.
//!
//! The steps are those of the present path but for the last, which may be one that has only
//! been imagined. `wakeup` keeps the sequences that are not covered.

use super::print::Print;
use super::trace::{NONE, Trace};
use super::wakeup::{Forest, Sleeper};

/// What is known of the steps of sequences.
pub trait Steps {
    fn thread(&self, step: u32) -> u32;
    fn print(&self, step: u32) -> Print<'_>;
    /// Whether it meets a print.
    fn meets(&self, step: u32, print: &Print<'_>) -> bool {
        print.meets(&self.print(step))
    }
    /// The targets of notifications that it chose.
    fn targets(&self, step: u32) -> &[u32];
    fn name(&self, step: u32) -> u64;
    /// Whether a step has to come before another one that comes later.
    fn before(&self, earlier: u32, later: u32) -> bool;
    /// Whether a step has to come before the thread of the last one comes to it.
    fn before_last(&self, step: u32) -> bool;
}

impl Steps for Trace {
    fn thread(&self, step: u32) -> u32 {
        self.step(step).thread
    }

    fn print(&self, step: u32) -> Print<'_> {
        Trace::print(self, step)
    }

    #[inline]
    fn meets(&self, step: u32, print: &Print<'_>) -> bool {
        self.step(step).span.meets(self.words(), print)
    }

    fn targets(&self, step: u32) -> &[u32] {
        Trace::targets(self, step)
    }

    fn name(&self, step: u32) -> u64 {
        self.step(step).name
    }

    fn before(&self, earlier: u32, later: u32) -> bool {
        Trace::before(self, earlier, later)
    }

    fn before_last(&self, step: u32) -> bool {
        self.before_the_last(step)
    }
}

/// Steps in their order, and one more step after them.
pub struct Sequence<'a, S: Steps = Trace> {
    pub source: &'a S,
    pub steps: &'a mut Vec<u32>,
    pub last: Option<Last<'a>>,
    /// Where it is planned.
    pub frame: u32,
}

/// The step at the end of a sequence.
#[derive(Clone, Copy)]
pub struct Last<'a> {
    pub thread: u32,
    /// Where it stands; 0 if that is not known.
    pub stands: u64,
    pub touches: Touches<'a>,
    /// The thread whose step it was seen to meet and is to come before, if it may do other things
    /// then; see `untold`.
    pub rival: u32,
}

/// What is known of it.
#[derive(Clone, Copy)]
pub enum Touches<'a> {
    /// It touches this wherever it is run.
    These(Print<'a>),
    /// It was seen to touch this.
    Perhaps(Print<'a>),
    /// It has never been run.
    Anything,
}

impl<S: Steps> Sequence<'_, S> {
    /// Whether a thread that was run from here covers the sequence; `words` has what those
    /// threads touched.
    pub fn covered_by(&self, sleepers: &[Sleeper], words: &[u32]) -> bool {
        let mut at = 0;
        while at < sleepers.len() {
            let thread = sleepers[at].thread;
            let rest = &sleepers[at..];
            let group = &rest[..rest.iter().take_while(|s| s.thread == thread).count()];
            at += group.len();
            if self.covered_by_group(thread, group, words) {
                return true;
            }
        }
        false
    }

    fn covered_by_group(&self, thread: u32, group: &[Sleeper], words: &[u32]) -> bool {
        let steps = &self.steps;
        let own = steps.iter().position(|s| self.source.thread(*s) == thread);
        if let Some(own) = own {
            let target = self.source.targets(steps[own]).first().copied();
            let same = |s: &&Sleeper| s.target == NONE || Some(s.target) == target;
            let Some(sleeper) = group.iter().find(same) else {
                return false;
            };
            let print = sleeper.span.print(words);
            return steps[..own].iter().all(|s| !self.source.meets(*s, &print));
        }
        if group.iter().any(|s| s.partial) {
            return false;
        }
        group.iter().all(|sleeper| {
            let print = sleeper.span.print(words);
            let free = self.steps.iter().all(|s| !self.source.meets(*s, &print));
            free && !self.last_meets(thread, &print)
        })
    }

    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.last.is_none()
    }

    /// Whether a step of a thread that touches this could begin the sequence.
    pub fn can_begin(&self, thread: u32, print: &Print<'_>) -> bool {
        let free = |step: &u32| !self.source.meets(*step, print);
        let own = self
            .steps
            .iter()
            .position(|s| self.source.thread(*s) == thread);
        match own {
            Some(own) => self.steps[..own].iter().all(free),
            None => self.steps.iter().all(free) && !self.last_meets(thread, print),
        }
    }

    /// Whether the last step, if it is another thread's, meets a print.
    fn last_meets(&self, thread: u32, print: &Print<'_>) -> bool {
        match self.last {
            Some(last) if last.thread != thread => match last.touches {
                Touches::These(these) | Touches::Perhaps(these) => these.meets(print),
                Touches::Anything => true,
            },
            _ => false,
        }
    }

    /// Whether a planned step can come first: `Some` with its place in the sequence, or
    /// the length if it is not one of the steps.
    pub fn begins_with(&self, forest: &Forest, at: u32) -> Option<usize> {
        let source = self.source;
        let node = forest.node(at);
        let own = self
            .steps
            .iter()
            .position(|s| source.thread(*s) == node.thread);
        if let Some(own) = own {
            let step = self.steps[own];
            let print = source.print(step);
            let free = self.steps[..own]
                .iter()
                .all(|s| !source.before(*s, step) && !source.meets(*s, &print));
            return free.then_some(own);
        }
        let is_last = self.last.is_some_and(|last| last.thread == node.thread);
        let print = forest.print(at);
        let hindered = self
            .steps
            .iter()
            .any(|s| source.meets(*s, &print) || is_last && source.before_last(*s));
        if hindered || self.last_meets(node.thread, &print) {
            return None;
        }
        Some(self.steps.len())
    }
}
