//! Lock cycles that lie within atomic blocks: predicted, then confirmed by a schedule.
//!
//! A thread takes several nested locks in one atomic block, so that a search over blocks
//! never stops it between two of them. Let an execution end in a lock cycle: each thread
//! `i` holds `h(i)` and wants `w(i)`, which is the `h` of the next. Take every thread of
//! the cycle back to where its present block began. No lock was given back since, so by
//! the locking discipline nobody saw what it did since, and the state *S* so reached lies
//! between blocks. In *S* the next block of each of them takes locks, or has taken them
//! before, and then wants `w(i)`.
//!
//! - ExitBlock visits every such *S* and runs every thread from it, so it sees all these
//!   blocks leave one node.
//! - ExitBlock-RW, with its extra schedules, is a search with sleep sets: it prunes
//!   transitions and visits every state that can be reached. A thread that is not run from
//!   *S* is delayed there, with a block that would do the same again: nothing that it
//!   reads was written since.
//!
//! So at every node it is enough to compare the blocks that leave it: a cycle of threads
//! with pairwise disjoint sets of locks held (which takes care of locks that guard the
//! cycle) such that each wants what the next one holds. That needs neither Rivet's
//! failure to take a lock nor its last lock held, and costs nothing where no thread nests
//! locks: the blocks are compared only while locks that were nested anywhere in the
//! search are in a cycle that has not been confirmed yet.
//!
//! Each cycle found is tried at once from *S*: its threads are run one by one until they
//! stand before the locks they want, then into them. If that fails (the program breaks
//! the discipline, or the lock of a delayed thread is no longer free) nothing is
//! reported, and the same cycle is tried again from other nodes.

use super::footprint::LockOp;
use heddle_model::{Choice, ObjectId, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// The threads of a cycle, with the lock that each is to stop at.
pub type Cycle = Vec<Stand>;

/// One thread of a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stand {
    /// How the thread is set going.
    pub choice: Choice,
    /// The lock that it wants.
    pub lock: ObjectId,
}

/// A thread that wants a lock while it holds others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Want {
    stand: Stand,
    holds: Vec<ObjectId>,
    /// It belongs to the block that was run last.
    first: bool,
}

/// Who wants what: the same cycle of threads and locks has the same key.
type Key = Vec<(ThreadId, ObjectId)>;

/// What was learned in the whole search, and what was tried.
#[derive(Clone, Debug, Default)]
pub struct LockCycles {
    nested: Vec<(ThreadId, Want)>,
    /// Indices of `nested`, by hash.
    index: BTreeMap<u64, Vec<u32>>,
    suspected: BTreeSet<Key>,
    confirmed: BTreeSet<Key>,
    /// Tried from the node at this depth.
    tried: Vec<(usize, Key)>,
}

/// Steps after which the search for cycles in one set of blocks is given up.
const BUDGET: u32 = 20_000;

impl Want {
    /// Adds what a block wants while its thread holds something.
    pub fn of(
        choice: Choice,
        held: &[(ThreadId, ObjectId)],
        locks: &[LockOp],
        first: bool,
        out: &mut Vec<Want>,
    ) {
        each(choice.thread(), held, locks, |holds, lock| {
            let stand = Stand { choice, lock };
            out.push(Want {
                stand,
                holds: holds.to_vec(),
                first,
            });
        });
    }

    fn thread(&self) -> ThreadId {
        self.stand.choice.thread()
    }
}

impl LockCycles {
    /// Whether a block may take a lock within another.
    #[inline]
    pub fn nests(locks: &[LockOp], held: &[(ThreadId, ObjectId)], thread: ThreadId) -> bool {
        match locks.len() {
            0 => false,
            1 => held.iter().any(|h| h.0 == thread) && matches!(locks[0], LockOp::Enter(_)),
            _ => true,
        }
    }

    /// Remembers which locks a block nests.
    pub fn learn(&mut self, thread: ThreadId, held: &[(ThreadId, ObjectId)], locks: &[LockOp]) {
        each(thread, held, locks, |holds, lock| {
            let known = self.index.entry(hash(thread, holds, lock)).or_default();
            let same = |i: &u32| {
                let (t, want) = &self.nested[*i as usize];
                *t == thread && want.stand.lock == lock && want.holds == holds
            };
            if known.iter().any(same) {
                return;
            }
            known.push(self.nested.len() as u32);
            let stand = Stand {
                choice: Choice::Run(thread),
                lock,
            };
            let want = Want {
                stand,
                holds: holds.to_vec(),
                first: true,
            };
            for (_, other) in &mut self.nested {
                other.first = false;
            }
            self.nested.push((thread, want));
            let all: Vec<Want> = self.nested.iter().map(|n| n.1.clone()).collect();
            let (suspected, confirmed) = (&mut self.suspected, &self.confirmed);
            search(&all, &mut |_, key| {
                if !confirmed.contains(&key) {
                    suspected.insert(key);
                }
                false
            });
        });
    }

    /// Whether there is a cycle that some node might have and that was not confirmed yet.
    #[inline]
    pub fn suspects(&self) -> bool {
        !self.suspected.is_empty()
    }

    /// A cycle among the blocks that leave the node at `depth`, not yet confirmed and not
    /// yet tried from there.
    pub fn find(&mut self, wants: &[Want], depth: usize) -> Option<Cycle> {
        let mut found = None;
        let (confirmed, tried) = (&self.confirmed, &mut self.tried);
        search(wants, &mut |cycle, key| {
            if confirmed.contains(&key) || tried.iter().any(|t| t.0 == depth && t.1 == key) {
                return false;
            }
            tried.push((depth, key));
            found = Some(cycle);
            true
        });
        found
    }

    /// The search has gone back to `depth`.
    pub fn forget_below(&mut self, depth: usize) {
        if !self.tried.is_empty() {
            self.tried.retain(|t| t.0 <= depth);
        }
    }

    /// A cycle was run into.
    pub fn confirm(&mut self, cycle: &Cycle) {
        let mut key: Key = cycle.iter().map(|s| (s.choice.thread(), s.lock)).collect();
        key.sort_unstable();
        self.suspected.remove(&key);
        self.confirmed.insert(key);
    }

    pub fn confirmed(&self) -> usize {
        self.confirmed.len()
    }
}

/// Calls `f` with each lock that the block wants and what its thread holds then, if it
/// holds anything.
fn each(
    thread: ThreadId,
    held: &[(ThreadId, ObjectId)],
    locks: &[LockOp],
    mut f: impl FnMut(&[ObjectId], ObjectId),
) {
    let mut holds: Vec<ObjectId> = Vec::new();
    holds.extend(held.iter().filter(|h| h.0 == thread).map(|h| h.1));
    for op in locks {
        match *op {
            LockOp::Enter(lock) => {
                if !holds.is_empty() {
                    f(&holds, lock);
                }
                holds.push(lock);
            }
            LockOp::Leave(lock) => holds.retain(|l| *l != lock),
        }
    }
}

/// Calls `found` with every cycle through one of the first wants, until it says true.
fn search(wants: &[Want], found: &mut dyn FnMut(Cycle, Key) -> bool) {
    let mut budget = BUDGET;
    let mut chain = Vec::new();
    for want in wants.iter().filter(|w| w.first) {
        chain.push(want);
        let done = extend(wants, &mut chain, found, &mut budget);
        chain.pop();
        if done {
            return;
        }
    }
}

fn extend<'a>(
    wants: &'a [Want],
    chain: &mut Vec<&'a Want>,
    found: &mut dyn FnMut(Cycle, Key) -> bool,
    budget: &mut u32,
) -> bool {
    let wanted = chain.last().expect("a chain").stand.lock;
    if chain.len() > 1 && chain[0].holds.contains(&wanted) {
        let cycle: Cycle = chain.iter().map(|w| w.stand).collect();
        let mut key: Key = cycle.iter().map(|s| (s.choice.thread(), s.lock)).collect();
        key.sort_unstable();
        return found(cycle, key);
    }
    for next in wants {
        *budget = budget.saturating_sub(1);
        if *budget == 0 {
            return true;
        }
        let fits = next.holds.contains(&wanted)
            && chain.iter().all(|w| {
                w.thread() != next.thread() && !w.holds.iter().any(|l| next.holds.contains(l))
            });
        if fits {
            chain.push(next);
            let done = extend(wants, chain, found, budget);
            chain.pop();
            if done {
                return true;
            }
        }
    }
    false
}

fn hash(thread: ThreadId, holds: &[ObjectId], lock: ObjectId) -> u64 {
    let words = holds.iter().map(|l| l.0).chain([lock.0, thread.0]);
    words.fold(0xcbf2_9ce4_8422_2325, |h, w| {
        (h ^ w as u64).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
