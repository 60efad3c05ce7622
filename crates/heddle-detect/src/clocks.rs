//! Vector clocks: what each thread knows of the others.
//!
//! A thread's time is a number that grows with each release (Flanagan and Freund,
//! *FastTrack*, section 3). What a thread did at a time happens before what another one
//! does if the other one's clock has come to that time.
//!
//! The clock of a thread is kept in two parts: its own time, and an immutable list of the
//! times that it knows of the others. So a release costs no copy: a [`Stamp`] is the list,
//! and the thread with its time beside it. It is enough to know that time of that thread
//! to know the whole stamp, so most acquires cost one comparison; a stamp that several
//! threads have released to without knowing of each other is the exception.
//!
//! The lists lie one after the other in one vector, which a rewind cuts back. Where a path
//! is long, lists that nobody refers to any more are squeezed out of its young end.

use crate::saved::Marks;
use crate::table::SavedList;
use heddle_model::{Mark, Rewind, ThreadId};

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Clocks {
    threads: SavedList<Known>,
    times: Vec<u32>,
    /// Lengths of `times`.
    marks: Marks<usize>,
    /// Length of `times` at the last mark: what is older stays where it is.
    old: usize,
    /// How many young times make it worth to squeeze.
    full: usize,
}

/// What one thread did until one of its times.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Epoch {
    pub thread: u32,
    /// 0 for never.
    pub time: u32,
}

/// What a thread knew when it released something.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stamp {
    others: Times,
    by: Epoch,
    /// Holds what `by` did not know of.
    joined: bool,
}

/// A list of times by thread; zero from its end on.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    at: u32,
    len: u32,
}

impl Times {
    fn range(self) -> std::ops::Range<usize> {
        self.at as usize..(self.at + self.len) as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Known {
    others: Times,
    time: u32,
    /// What those knew who gave it a permit (`unpark`).
    permit: Stamp,
    /// It asked for a permit, and has done nothing since.
    parked: bool,
}

impl Stamp {
    /// Who released it, and when.
    pub fn by(self) -> Epoch {
        self.by
    }
}

impl Default for Known {
    fn default() -> Self {
        Known {
            others: Times::default(),
            time: 1,
            permit: Stamp::default(),
            parked: false,
        }
    }
}

/// Below this many times nothing is squeezed.
const FEW: usize = 1 << 16;

impl Clocks {
    /// The present of a thread.
    #[inline]
    pub fn now(&mut self, thread: ThreadId) -> Epoch {
        let (thread, at) = (thread.0, thread.0 as usize);
        if at >= self.threads.len() {
            self.meet(at);
        }
        let known = self.threads.get(at);
        let time = known.time;
        if known.parked {
            self.goes_on(at);
        }
        Epoch { thread, time }
    }

    /// Whether a thread that we have met knows what was done until an epoch.
    #[inline]
    pub fn knows(&self, thread: ThreadId, epoch: Epoch) -> bool {
        epoch.thread == thread.0 || epoch.time <= self.known(thread, epoch.thread)
    }

    /// The thread gives what it knows to those who acquire the stamp; what was released
    /// before is overwritten. Right for locks: whoever releases one has acquired it.
    pub fn release(&mut self, thread: ThreadId) -> Stamp {
        let by = self.now(thread);
        let known = self.threads.change(thread.0 as usize);
        known.time += 1;
        Stamp {
            others: known.others,
            by,
            joined: false,
        }
    }

    /// What a thread knows now, its own present included; nobody acquires it.
    pub fn look(&mut self, thread: ThreadId) -> Stamp {
        let by = self.now(thread);
        Stamp {
            others: self.threads.get(thread.0 as usize).others,
            by,
            joined: false,
        }
    }

    /// Whether what one stamp's thread did until then was known when the other was made.
    pub fn before(&self, first: Stamp, then: Stamp) -> bool {
        self.time(then.others, first.by.thread) >= first.by.time
    }

    /// The same, added to what was released before.
    pub fn release_to(&mut self, thread: ThreadId, before: Stamp) -> Stamp {
        let stamp = self.release(thread);
        if self.knows_stamp(thread, before) {
            return stamp;
        }
        let others = self.join(stamp.others, before);
        Stamp {
            others,
            by: stamp.by,
            joined: true,
        }
    }

    /// The thread learns what a stamp knows.
    pub fn acquire(&mut self, thread: ThreadId, stamp: Stamp) {
        self.now(thread);
        if self.knows_stamp(thread, stamp) {
            return;
        }
        let own = self.threads.get(thread.0 as usize).others;
        let others = self.join(own, stamp);
        self.threads.change(thread.0 as usize).others = others;
    }

    /// A thread begins with what its parent knows.
    pub fn start(&mut self, parent: ThreadId, child: ThreadId) {
        let stamp = self.release(parent);
        self.now(child);
        *self.threads.change(child.0 as usize) = Known::default();
        self.acquire(child, stamp);
    }

    /// A thread asks for its permit. If it has to wait for it, it is the last that is
    /// heard of the thread until it has got it.
    pub fn park(&mut self, thread: ThreadId) {
        self.now(thread);
        let at = thread.0 as usize;
        self.acquire(thread, self.threads.get(at).permit);
        self.threads.change(at).parked = true;
    }

    /// A thread gives another one its permit.
    pub fn unpark(&mut self, thread: ThreadId, target: ThreadId) {
        if target.0 as usize >= self.threads.len() {
            self.meet(target.0 as usize);
        }
        let before = self.threads.get(target.0 as usize).permit;
        let stamp = self.release_to(thread, before);
        self.threads.change(target.0 as usize).permit = stamp;
    }

    /// Whether lists should be squeezed, with all the stamps that are kept.
    #[inline]
    pub fn crowded(&self) -> bool {
        self.times.len() - self.old > self.full.max(FEW)
    }

    /// Drops the lists that no thread and none of these stamps refer to, as far as they are
    /// younger than the last mark. Older stamps are left alone: so are their lists.
    pub fn squeeze<'a>(&mut self, stamps: impl Iterator<Item = &'a mut Stamp>) {
        let threads = self.threads.young();
        let threads = threads.flat_map(|known| [&mut known.others, &mut known.permit.others]);
        let stamps = stamps.map(|stamp| &mut stamp.others);
        let mut young: Vec<&mut Times> = threads.chain(stamps).collect();
        young.retain(|times| times.len > 0 && times.at as usize >= self.old);
        young.sort_by_key(|times| times.at);
        let mut top = self.old;
        let mut moved = (usize::MAX, 0);
        for times in young {
            let from = times.at as usize;
            if from != moved.0 {
                self.times.copy_within(from..from + times.len as usize, top);
                moved = (from, top);
                top += times.len as usize;
            }
            times.at = moved.1 as u32;
        }
        self.times.truncate(top);
        self.full = 2 * (top - self.old);
    }

    #[inline]
    fn known(&self, thread: ThreadId, of: u32) -> u32 {
        self.time(self.threads.get(thread.0 as usize).others, of)
    }

    #[inline]
    fn time(&self, times: Times, of: u32) -> u32 {
        match of < times.len {
            true => self.times[(times.at + of) as usize],
            false => 0,
        }
    }

    fn knows_stamp(&self, thread: ThreadId, stamp: Stamp) -> bool {
        let all = |times: Times| {
            (0..times.len).all(|of| {
                let time = self.times[(times.at + of) as usize];
                self.knows(thread, Epoch { thread: of, time })
            })
        };
        self.knows(thread, stamp.by) && (!stamp.joined || all(stamp.others))
    }

    /// A new list: these times, or those of a stamp where they are later.
    fn join(&mut self, own: Times, stamp: Stamp) -> Times {
        let Stamp { others, by, .. } = stamp;
        let len = own.len.max(others.len).max(by.thread + 1);
        if self.marks.is_due() {
            self.marks.note(self.times.len());
        }
        let at = self.times.len();
        self.times.extend_from_within(own.range());
        self.times.resize(at + len as usize, 0);
        let (before, new) = self.times.split_at_mut(at);
        for (known, time) in new.iter_mut().zip(&before[others.range()]) {
            *known = (*known).max(*time);
        }
        let of_by = &mut new[by.thread as usize];
        *of_by = by.time.max(*of_by);
        let at = at as u32;
        Times { at, len }
    }

    #[cold]
    fn meet(&mut self, thread: usize) {
        while self.threads.len() <= thread {
            self.threads.push(Known::default());
        }
    }

    #[cold]
    fn goes_on(&mut self, thread: usize) {
        self.threads.change(thread).parked = false;
        let permit = self.threads.get(thread).permit;
        self.acquire(ThreadId(thread as u32), permit);
    }
}

impl Rewind for Clocks {
    fn mark(&mut self) -> Mark {
        // Both are marked and rewound together, so their marks have the same numbers.
        self.threads.mark();
        self.old = self.times.len();
        self.marks.mark()
    }

    fn rewind(&mut self, to: Mark) {
        self.threads.rewind(to);
        if let Some(length) = self.marks.back_to(to) {
            self.times.truncate(length);
        }
        self.old = self.times.len();
    }

    fn forget(&mut self, mark: Mark) {
        self.threads.forget(mark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long path over a few locks, squeezed now and then, against plain vectors.
    #[test]
    fn long_paths_stay_small_and_right() {
        const THREADS: usize = 5;
        let mut clocks = Clocks::default();
        let mut stamps = [Stamp::default(); 4];
        let mut model = [[0u32; THREADS]; THREADS];
        let mut released = [[0u32; THREADS]; 4];
        let mut state = 0x2545_f491_4f6c_dd1du64;
        let mut random = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as usize % below
        };
        (0..THREADS).for_each(|t| model[t][t] = clocks.now(ThreadId(t as u32)).time);
        clocks.mark();
        for step in 0..300_000 {
            let (t, lock) = (random(THREADS), random(4));
            let thread = ThreadId(t as u32);
            clocks.acquire(thread, stamps[lock]);
            for (known, time) in model[t].iter_mut().zip(released[lock]) {
                *known = time.max(*known);
            }
            released[lock] = model[t];
            stamps[lock] = clocks.release(thread);
            model[t][t] += 1;
            if clocks.crowded() {
                clocks.squeeze(stamps.iter_mut());
            }
            if step % 1000 == 0 {
                for (of, &time) in model[t].iter().enumerate().filter(|(of, _)| *of != t) {
                    let thread_of = of as u32;
                    let knows = |time| {
                        let thread_epoch = Epoch {
                            thread: thread_of,
                            time,
                        };
                        clocks.knows(thread, thread_epoch)
                    };
                    assert!(knows(time) && !knows(time + 1), "step {step}");
                }
            }
        }
        assert!(clocks.times.len() <= FEW + 2 * THREADS);
    }
}
