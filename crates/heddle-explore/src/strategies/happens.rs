//! A digest of what has happened on a path that is the same for all orders of steps that
//! do not depend on each other (the happens-before graph of Musuvathi and Qadeer: Iterative
//! context bounding, PLDI 2007, section 4).
//!
//! A step goes from one choice to the next. Its digest is made of that of the step that its
//! thread made before and of those that it depends on through what it touches; the digest of
//! a path is the sum over its steps. Two paths with the same digest have led to the same
//! state. A thread is what its parent's step was when it was started, so it does not matter
//! what number it got.
//!
//! Orders that the machine enforces anyway (who joins comes after who ended) need no edge.
//! Everything is kept in stacks that shrink when the search goes back.

use super::word;
use heddle_model::{Choice, Event, EventKind, EventMask, ThreadId};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// What has happened so far.
#[derive(Clone, Debug, Default)]
pub struct Happened {
    /// What the steps touched, as words, the lowest bit for a write.
    touched: Vec<u64>,
    /// Where those of the step that is being run begin.
    from: usize,
    /// Choices within the step that is being run, and who was started in it.
    within: u64,
    born: u64,
    /// By place: the last write, and the sum of the reads since.
    places: HashMap<u64, (u64, u64), BuildHasherDefault<Mixed>>,
    /// By the machine's number: the last step, or the birth.
    threads: Vec<u64>,
    /// The sum over the steps.
    sum: u64,
    /// Steps that touched more than is kept: the digest says nothing any more.
    lost: u32,
    undo: Vec<Undo>,
}

/// Places of one step that are kept.
const KEPT: usize = 1 << 16;

#[derive(Clone, Copy, Debug)]
enum Undo {
    Place(u64, (u64, u64)),
    Thread(u32, u64),
    Lost,
}

/// A moment to go back to.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    touched: usize,
    from: usize,
    within: u64,
    born: u64,
    sum: u64,
    undo: usize,
}

impl Happened {
    pub const WANTS: EventMask = EventMask(
        EventMask::READ.0
            | EventMask::WRITE.0
            | EventMask::LOCK.0
            | EventMask::UNLOCK.0
            | EventMask::WAIT.0
            | EventMask::NOTIFY.0
            | EventMask::PARK.0
            | EventMask::INTERRUPT.0
            | EventMask::THREAD.0,
    );

    pub fn event(&mut self, event: &Event) {
        match event.kind {
            EventKind::Read { place, .. } => self.touch(word::place(place)),
            EventKind::Write { place, .. } => self.touch(word::place(place) | 1),
            EventKind::Lock { object } | EventKind::Unlock { object } => {
                self.touch(word::monitor(object) | 1);
            }
            EventKind::Wait { object } => {
                self.touch(word::monitor(object) | 1);
                self.touch(word::wait_set(object) | 1);
                self.touch(word::thread(event.thread.0) | 1);
            }
            EventKind::Notify { object, .. } | EventKind::Leave { object } => {
                self.touch(word::wait_set(object) | 1);
            }
            EventKind::Park => self.touch(word::thread(event.thread.0) | 1),
            EventKind::Unpark { target } | EventKind::Interrupt { target } => {
                self.touch(word::thread(target.0) | 1);
            }
            EventKind::ThreadStart { child } => {
                self.born += 1;
                let birth = mix(self.last(event.thread), self.born);
                self.set_thread(child, birth);
            }
            _ => {}
        }
    }

    fn touch(&mut self, word: u64) {
        let step = &self.touched[self.from..];
        if step.last() == Some(&word) {
            return;
        }
        if step.len() < KEPT {
            self.touched.push(word);
        } else if step.len() == KEPT {
            self.touched.push(word);
            self.lost += 1;
            self.undo.push(Undo::Lost);
        }
    }

    /// The machine has come to a choice of who runs: the step of this thread is over.
    pub fn step(&mut self, thread: ThreadId) {
        let mut digest = mix(self.last(thread), self.within);
        for &word in &self.touched[self.from..] {
            let (write, reads) = self.places.get(&(word >> 1)).copied().unwrap_or_default();
            digest = mix(digest, word);
            digest = mix(digest, write);
            if word & 1 != 0 {
                digest = mix(digest, reads);
            }
        }
        for i in self.from..self.touched.len() {
            let word = self.touched[i];
            let place = self.places.entry(word >> 1).or_default();
            self.undo.push(Undo::Place(word >> 1, *place));
            match word & 1 {
                0 => place.1 = place.1.wrapping_add(mix(digest, 1)),
                _ => *place = (digest, 0),
            }
        }
        self.set_thread(thread, digest);
        self.sum = self.sum.wrapping_add(mix(digest, 2));
        self.from = self.touched.len();
        (self.within, self.born) = (0, 0);
    }

    /// Something else than a thread was chosen, or a thread by the end of its wait: that
    /// makes a difference to all.
    pub fn choose(&mut self, choice: Choice) {
        match choice {
            Choice::Run(_) | Choice::Stay(_) => {}
            Choice::Wake(thread) => self.within = mix(self.within, self.last(thread)),
            Choice::Timeout(thread) => self.within = mix(self.sum, self.last(thread)),
            Choice::Spurious(thread) => {
                self.within = mix(mix(self.sum, self.last(thread)), 1);
            }
        }
    }

    /// What two paths that lead to the same state, with the same thread running last, have
    /// in common. `None` if that cannot be told.
    pub fn digest(&self, by: ThreadId) -> Option<u64> {
        (self.lost == 0).then(|| mix(self.sum, self.last(by)))
    }

    pub fn now(&self) -> Moment {
        Moment {
            touched: self.touched.len(),
            from: self.from,
            within: self.within,
            born: self.born,
            sum: self.sum,
            undo: self.undo.len(),
        }
    }

    pub fn back_to(&mut self, moment: Moment) {
        while self.undo.len() > moment.undo {
            match self.undo.pop() {
                Some(Undo::Place(word, place)) => {
                    // A place that nobody has touched needs no entry.
                    if place == (0, 0) {
                        self.places.remove(&word);
                    } else {
                        self.places.insert(word, place);
                    }
                }
                Some(Undo::Thread(thread, last)) => self.threads[thread as usize] = last,
                Some(Undo::Lost) => self.lost -= 1,
                None => {}
            }
        }
        self.touched.truncate(moment.touched);
        self.from = moment.from;
        (self.within, self.born, self.sum) = (moment.within, moment.born, moment.sum);
    }

    fn last(&self, thread: ThreadId) -> u64 {
        self.threads.get(thread.0 as usize).copied().unwrap_or(0)
    }

    fn set_thread(&mut self, thread: ThreadId, digest: u64) {
        let at = thread.0 as usize;
        if self.threads.len() <= at {
            self.threads.resize(at + 1, 0);
        }
        self.undo.push(Undo::Thread(thread.0, self.threads[at]));
        self.threads[at] = digest;
    }
}

fn mix(a: u64, b: u64) -> u64 {
    let mut z = a
        .rotate_left(25)
        .wrapping_add(b)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(0x1234_5678_9abc_def1);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// For keys that are mixed already, or need little of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
