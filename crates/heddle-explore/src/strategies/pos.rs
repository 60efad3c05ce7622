//! POS: the next operation of every thread has a random priority, the highest one is made,
//! and the operations that were in a race with it draw again (Yuan, Yang, Gu: Partial order
//! aware concurrency sampling, CAV 2018).
//!
//! So each race is decided by two draws, however many operations lie between.
//!
//! Departures: what a call into trusted code touches is known when it is done; two calls
//! count as a race. A thread's next operation is known once it has come to it, not before.

use super::sampling::{Dice, Policy, Sampling};
use super::word;
use heddle_model::{ChoicePoint, Event, EventKind, EventMask, Pause, PendingOp};

/// The strategy.
pub type Pos = Sampling<Races>;

impl Pos {
    pub fn new(seed: u64) -> Pos {
        Sampling::with(Races::default(), seed)
    }
}

/// Which operation comes first.
#[derive(Clone, Debug, Default)]
pub struct Races {
    threads: Vec<Thread>,
    /// What the step that is being run touched, as words; the lowest bit for a write.
    touched: Vec<u64>,
    /// It touched more than is kept.
    much: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Thread {
    priority: Option<u64>,
    next: Option<PendingOp>,
}

/// Places of one step that are told apart.
const KEPT: usize = 1 << 12;

impl Races {
    fn touch(&mut self, word: u64) {
        if self.touched.last() == Some(&word) {
            return;
        }
        match self.touched.len() < KEPT {
            true => self.touched.push(word),
            false => self.much = true,
        }
    }

    fn thread(&mut self, thread: u32) -> &mut Thread {
        let at = thread as usize;
        if self.threads.len() <= at {
            self.threads.resize(at + 1, Thread::default());
        }
        &mut self.threads[at]
    }

    /// Whether what the last step touched is in a race with an operation.
    fn meets(&self, op: PendingOp, call: bool) -> bool {
        let any = |wanted: u64| {
            let meets = |word: &u64| word >> 1 == wanted >> 1 && (word | wanted) & 1 != 0;
            self.much || self.touched.iter().any(meets)
        };
        match op {
            PendingOp::Read(place) => any(word::place(place)),
            PendingOp::Write(place) => any(word::place(place) | 1),
            PendingOp::Access { place, writes, .. } => any(word::place(place) | u64::from(writes)),
            PendingOp::Lock(lock) | PendingOp::Poll(lock) | PendingOp::Unlock(lock) => {
                any(word::monitor(lock) | 1)
            }
            PendingOp::LockWithin(lock) => call || any(word::monitor(lock) | 1),
            PendingOp::Call(_) | PendingOp::JoinUnborn(_) => call,
            PendingOp::Join(_) | PendingOp::Gate { .. } | PendingOp::Begin => false,
        }
    }
}

impl Policy for Races {
    const FRONTIER: u64 = 0x9050_0001;

    fn wants(&self) -> EventMask {
        EventMask::READ
            .and(EventMask::WRITE)
            .and(EventMask::LOCK)
            .and(EventMask::UNLOCK)
            .and(EventMask::WAIT)
    }

    fn event(&mut self, event: &Event) {
        match event.kind {
            EventKind::Read { place, .. } => self.touch(word::place(place)),
            EventKind::Write { place, .. } => self.touch(word::place(place) | 1),
            EventKind::Lock { object }
            | EventKind::Unlock { object }
            | EventKind::Wait { object } => self.touch(word::monitor(object) | 1),
            _ => {}
        }
    }

    fn begin(&mut self, _: &mut Dice) {
        self.threads.clear();
        self.touched.clear();
        self.much = false;
    }

    fn pick(&mut self, at: &ChoicePoint<'_>, dice: &mut Dice) -> usize {
        let call = matches!(
            self.thread(at.by.0).next,
            Some(PendingOp::Call(_) | PendingOp::Access { .. })
        );
        let next = match at.pause {
            Pause::Before(op) => Some(op),
            Pause::Blocked(lock) => Some(PendingOp::Lock(lock)),
            _ => None,
        };
        let priority = None;
        *self.thread(at.by.0) = Thread { priority, next };
        for i in 0..self.threads.len() {
            let Thread { next, priority } = self.threads[i];
            if priority.is_some() && next.is_some_and(|op| self.meets(op, call)) {
                self.threads[i].priority = None;
            }
        }
        self.touched.clear();
        self.much = false;
        let mut best = (0, 0);
        for (i, option) in at.options.iter().enumerate() {
            let thread = self.thread(option.thread().0);
            let priority = *thread.priority.get_or_insert_with(|| dice.word() | 1);
            if priority > best.0 {
                best = (priority, i);
            }
        }
        best.1
    }
}
