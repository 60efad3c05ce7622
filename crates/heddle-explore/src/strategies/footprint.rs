//! What atomic blocks did: the places they read and wrote, what they did to wait sets and
//! other threads, and the locks they took, in stacks that shrink when the search goes
//! back.

use super::word::{bit, place as pack, thread, wait_set};
use heddle_model::{Event, EventKind, EventMask, ObjectId, ThreadId};
use std::ops::Range;

/// The stacks. A block owns a range of each.
#[derive(Clone, Debug, Default)]
pub struct Footprints {
    /// Places, packed, the lowest bit set for a write. Sorted within a finished block.
    accesses: Vec<u64>,
    /// Accesses below this belong to other blocks than the present one.
    floor: usize,
    /// Wait sets and threads that were acted on.
    signals: Vec<u64>,
    locks: Vec<LockOp>,
}

/// Heights of the stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Top {
    accesses: u32,
    signals: u32,
    locks: u32,
}

/// What one block did: ranges of the stacks.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Block {
    pub from: Top,
    pub to: Top,
    /// One bit per hash of a place: all, and the written ones.
    touched: u64,
    written: u64,
    /// One bit per hash of a wait set or thread.
    signalled: u64,
    /// It ends with a lock that it has taken.
    keeps: bool,
    /// It ended the program, so it cannot be swapped with anything.
    pub exits: bool,
}

/// A lock entered (again for good) or given back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockOp {
    Enter(ObjectId),
    Leave(ObjectId),
}

impl Footprints {
    /// The events that [`Footprints::record`] understands, without reads and writes.
    pub const SYNC: EventMask = EventMask(
        EventMask::LOCK.0
            | EventMask::UNLOCK.0
            | EventMask::WAIT.0
            | EventMask::NOTIFY.0
            | EventMask::PARK.0
            | EventMask::INTERRUPT.0,
    );

    pub fn top(&self) -> Top {
        Top {
            accesses: self.accesses.len() as u32,
            signals: self.signals.len() as u32,
            locks: self.locks.len() as u32,
        }
    }

    /// Begins a block.
    pub fn begin(&mut self) -> Top {
        self.floor = self.accesses.len();
        self.top()
    }

    pub fn cut(&mut self, to: Top) {
        self.accesses.truncate(to.accesses as usize);
        self.signals.truncate(to.signals as usize);
        self.locks.truncate(to.locks as usize);
    }

    /// Like [`Footprints::cut`], but keeps the accesses: they were sorted since `to` was
    /// taken, and what follows is going to do the same ones again.
    pub fn cut_but_accesses(&mut self, to: Top) {
        self.floor = self.accesses.len();
        self.signals.truncate(to.signals as usize);
        self.locks.truncate(to.locks as usize);
    }

    #[inline]
    pub fn record(&mut self, event: &Event) {
        match event.kind {
            EventKind::Read { place, .. } => self.access(pack(place)),
            EventKind::Write { place, .. } => self.access(pack(place) | 1),
            EventKind::Lock { object } => self.locks.push(LockOp::Enter(object)),
            EventKind::Unlock { object } => self.locks.push(LockOp::Leave(object)),
            EventKind::Wait { object } => {
                self.locks.push(LockOp::Leave(object));
                self.signals.push(wait_set(object));
                self.signals.push(thread(event.thread.0));
            }
            EventKind::Notify { object, .. } | EventKind::Leave { object } => {
                self.signals.push(wait_set(object));
            }
            EventKind::Park => self.signals.push(thread(event.thread.0)),
            EventKind::Unpark { target } | EventKind::Interrupt { target } => {
                self.signals.push(thread(target.0));
            }
            _ => {}
        }
    }

    /// The running thread wants a lock that it cannot have.
    pub fn record_attempt(&mut self, lock: ObjectId) {
        self.locks.push(LockOp::Enter(lock));
    }

    #[inline]
    fn access(&mut self, access: u64) {
        // Loops touch the same place again and again.
        if self.accesses.len() == self.floor || self.accesses.last() != Some(&access) {
            self.accesses.push(access);
        }
    }

    /// Ends the block that began at `from`.
    pub fn finish(&mut self, from: Top) -> Block {
        let start = from.accesses as usize;
        if self.accesses.len() > start + 1 {
            self.accesses[start..].sort_unstable();
            let mut kept = start + 1;
            for i in start + 1..self.accesses.len() {
                if self.accesses[i] != self.accesses[kept - 1] {
                    self.accesses[kept] = self.accesses[i];
                    kept += 1;
                }
            }
            self.accesses.truncate(kept);
        }
        let (mut touched, mut written) = (0, 0);
        for access in &self.accesses[start..] {
            let bit = bit(access >> 1);
            touched |= bit;
            if access & 1 != 0 {
                written |= bit;
            }
        }
        let signals = &self.signals[from.signals as usize..];
        let signalled = signals.iter().fold(0, |all, s| all | bit(*s));
        let locks = &self.locks[from.locks as usize..];
        let keeps = (0..locks.len()).any(|i| kept(locks, i));
        Block {
            from,
            to: self.top(),
            touched,
            written,
            signalled,
            keeps,
            exits: false,
        }
    }

    /// Whether one of two blocks writes what the other reads or writes.
    #[inline]
    pub fn conflict(&self, a: &Block, b: &Block) -> bool {
        (a.written & b.touched | b.written & a.touched) != 0 && self.same_place(a, b)
    }

    fn same_place(&self, a: &Block, b: &Block) -> bool {
        let (mut a, mut b) = (self.accesses(a).iter(), self.accesses(b).iter());
        let (mut left, mut right) = (a.next(), b.next());
        while let (Some(x), Some(y)) = (left, right) {
            match (x >> 1).cmp(&(y >> 1)) {
                std::cmp::Ordering::Equal if (x | y) & 1 != 0 => return true,
                // A read and a write of one place lie side by side, the read first.
                std::cmp::Ordering::Equal | std::cmp::Ordering::Less => {
                    if x >> 1 == y >> 1 {
                        let later = b.clone().next();
                        if later.is_some_and(|z| z >> 1 == x >> 1) {
                            return true;
                        }
                    }
                    left = a.next();
                }
                std::cmp::Ordering::Greater => right = b.next(),
            }
        }
        false
    }

    /// Whether two blocks act on the same wait set or thread.
    #[inline]
    pub fn signals_meet(&self, a: &Block, b: &Block) -> bool {
        a.signalled & b.signalled != 0 && self.same_signal(a, b)
    }

    fn same_signal(&self, a: &Block, b: &Block) -> bool {
        let a = &self.signals[a.from.signals as usize..a.to.signals as usize];
        let b = &self.signals[b.from.signals as usize..b.to.signals as usize];
        a.iter().any(|signal| b.contains(signal))
    }

    /// Whether `keeper` ends with a lock that it took and `user` takes.
    #[inline]
    pub fn shuts_out(&self, keeper: &Block, user: &Block) -> bool {
        keeper.keeps && self.takes_kept(keeper, user)
    }

    fn takes_kept(&self, keeper: &Block, user: &Block) -> bool {
        let (locks, used) = (self.locks(keeper), self.locks(user));
        (0..locks.len()).any(|i| used.contains(&locks[i]) && kept(locks, i))
    }

    /// Whether a block that ran into a lock had taken others before.
    pub fn took_before_it_stopped(&self, tried: &Block) -> bool {
        let locks = self.locks(tried);
        let taken = &locks[..locks.len().saturating_sub(1)];
        (0..taken.len()).any(|i| kept(taken, i))
    }

    /// Whether a block takes a lock of `held` after it has taken others.
    pub fn takes_after_others(&self, block: &Block, held: &[(ThreadId, ObjectId)]) -> bool {
        let mut took = false;
        self.locks(block).iter().any(|op| {
            let LockOp::Enter(lock) = *op else {
                return false;
            };
            std::mem::replace(&mut took, true) && held.iter().any(|h| h.1 == lock)
        })
    }

    pub fn locks(&self, block: &Block) -> &[LockOp] {
        &self.locks[range(block.from.locks, block.to.locks)]
    }

    /// The lock operations since `from`.
    pub fn locks_since(&self, from: Top) -> &[LockOp] {
        &self.locks[from.locks as usize..]
    }

    fn accesses(&self, block: &Block) -> &[u64] {
        &self.accesses[range(block.from.accesses, block.to.accesses)]
    }
}

/// Whether an operation takes a lock that none of those after it gives back.
fn kept(locks: &[LockOp], i: usize) -> bool {
    match locks[i] {
        LockOp::Enter(lock) => !locks[i + 1..].contains(&LockOp::Leave(lock)),
        LockOp::Leave(_) => false,
    }
}

fn range(from: u32, to: u32) -> Range<usize> {
    from as usize..to as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_model::{MethodId, Place, Site};

    fn block(all: &mut Footprints, accesses: &[(u32, bool)]) -> Block {
        let from = all.begin();
        for (at, write) in accesses {
            let place = Place::Field {
                object: ObjectId(7),
                offset: *at,
            };
            let kind = match write {
                true => EventKind::Write { place, value: 0 },
                false => EventKind::Read { place, value: 0 },
            };
            let site = Site {
                method: MethodId(0),
                bci: 0,
            };
            all.record(&Event::new(ThreadId(0), site, kind));
        }
        all.finish(from)
    }

    /// Every pair of blocks over three places, against the definition.
    #[test]
    fn conflicts_as_defined() {
        let sets: Vec<Vec<(u32, bool)>> = (0..64)
            .map(|bits| {
                (0..6)
                    .filter(|b| bits >> b & 1 != 0)
                    .map(|b| (b / 2, b % 2 == 1))
                    .collect()
            })
            .collect();
        for a in &sets {
            for b in &sets {
                let mut all = Footprints::default();
                let (x, y) = (block(&mut all, a), block(&mut all, b));
                let defined = a
                    .iter()
                    .any(|p| b.iter().any(|q| p.0 == q.0 && (p.1 || q.1)));
                assert_eq!(all.conflict(&x, &y), defined, "{a:?} {b:?}");
                assert_eq!(all.conflict(&y, &x), defined, "{b:?} {a:?}");
            }
        }
    }
}
