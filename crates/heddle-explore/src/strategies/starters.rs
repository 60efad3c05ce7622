//! Who starts others goes on until it has to wait: for every other schedule of a sample.
//!
//! Programs with many threads mostly have one that starts all of them. If at every start one of
//! those who are there already is as likely to come next, the first ones are over long before the last one is
//! there, in nearly every schedule, and what needs many of them at once is never seen. If the one
//! that starts goes on first, they all begin together. What it does itself beside the others comes
//! early then, so every other schedule is drawn without that, as the papers have it.

use heddle_model::{Choice, ChoicePoint, Event, EventKind, ThreadId};

/// Steps after which a thread is drawn like any other: it may be in a loop that waits for others.
const FAIR: u32 = 10_000;

/// The threads that have started others in the present schedule.
#[derive(Clone, Debug, Default)]
pub struct Starters {
    wanted: bool,
    threads: Vec<ThreadId>,
    steps: u32,
}

impl Starters {
    /// For every other schedule, where they are not by themselves.
    pub fn wanted() -> Starters {
        Starters {
            wanted: true,
            ..Starters::default()
        }
    }

    pub fn begin(&mut self) {
        self.threads.clear();
        self.steps = 0;
    }

    /// Whether they go first in the schedule of this number.
    pub fn come_first(&self, schedule: u64) -> bool {
        self.wanted && schedule % 2 == 1
    }

    pub fn event(&mut self, event: &Event) {
        if let EventKind::ThreadStart { .. } = event.kind
            && !self.threads.contains(&event.thread)
        {
            self.threads.push(event.thread);
        }
    }

    /// The option of the thread that ran last, if it is one of them and can go on.
    pub fn goes_on(&mut self, at: &ChoicePoint<'_>) -> Option<usize> {
        if self.steps >= FAIR || !self.threads.contains(&at.by) {
            return None;
        }
        self.steps += 1;
        let own = |c: &Choice| *c == Choice::Run(at.by);
        at.options.iter().position(own)
    }
}
