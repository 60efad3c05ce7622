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
use heddle_model::nests::{Budget, Level, Nests, Stack, Stacks, cycles_through};
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Want {
    stand: Stand,
    held: Stack,
}

impl Want {
    fn thread(&self) -> ThreadId {
        self.stand.choice.thread()
    }
}

/// Who wants what: the same cycle of threads and locks has the same key.
type Key = Vec<(ThreadId, ObjectId)>;

/// What was learned in the whole search, and what was tried.
#[derive(Clone, Debug, Default)]
pub struct LockCycles {
    held: HeldStacks,
    nested: Wants,
    known: BTreeSet<(ThreadId, Stack, ObjectId)>,
    suspected: BTreeSet<Key>,
    /// There are more cycles than could be noted.
    suspects_more: bool,
    confirmed: BTreeSet<Key>,
    /// Tried from the node at this depth.
    tried: BTreeSet<(usize, Key)>,
}

/// Steps after which no more cycles are noted: from then on the blocks of every node are
/// compared.
const NOTED: Budget = Budget::new(20_000);
/// Steps after which the comparison of the blocks of one node is given up.
const COMPARED: Budget = Budget::new(10_000_000);

impl LockCycles {
    /// Whether a block takes a lock while its thread holds another.
    #[inline]
    pub fn nests(locks: &[LockOp], held: &[(ThreadId, ObjectId)], thread: ThreadId) -> bool {
        if locks.is_empty() {
            return false;
        }
        let mut depth = held.iter().filter(|h| h.0 == thread).count() as i32;
        for op in locks {
            match op {
                LockOp::Enter(_) if depth > 0 => return true,
                LockOp::Enter(_) => depth += 1,
                LockOp::Leave(_) => depth -= 1,
            }
        }
        false
    }

    /// Remembers which locks a block nests.
    pub fn learn(&mut self, thread: ThreadId, held: &[(ThreadId, ObjectId)], locks: &[LockOp]) {
        for want in self.held.wants(Choice::Run(thread), held, locks) {
            if !self.known.insert((thread, want.held, want.stand.lock)) {
                continue;
            }
            let mut budget = NOTED;
            let (suspected, confirmed) = (&mut self.suspected, &self.confirmed);
            self.nested.cycles(&self.held, want, &mut budget, |_, key| {
                if !confirmed.contains(&key) {
                    suspected.insert(key);
                }
                false
            });
            self.suspects_more |= budget.is_used_up();
            self.nested.add(want);
        }
    }

    /// Whether there is a cycle that some node might have and that was not confirmed yet.
    #[inline]
    pub fn suspects(&self) -> bool {
        self.suspects_more || !self.suspected.is_empty()
    }

    /// A cycle among the blocks that leave the node at `depth`, the last one and others, not
    /// yet confirmed and not yet tried from there.
    pub fn find<'a>(
        &mut self,
        held: &[(ThreadId, ObjectId)],
        last: (Choice, &[LockOp]),
        others: impl Iterator<Item = (Choice, &'a [LockOp])>,
        depth: usize,
    ) -> Option<Cycle> {
        let mut wants = Wants::default();
        for (choice, locks) in others {
            for want in self.held.wants(choice, held, locks) {
                wants.add(want);
            }
        }
        let mut found = None;
        let mut budget = COMPARED;
        for want in self.held.wants(last.0, held, last.1) {
            let (confirmed, tried) = (&self.confirmed, &mut self.tried);
            wants.cycles(&self.held, want, &mut budget, |cycle, key| {
                if found.is_none() && !confirmed.contains(&key) && tried.insert((depth, key)) {
                    found = Some(cycle);
                }
                found.is_some()
            });
        }
        found
    }

    /// The search has gone back to `depth`.
    pub fn forget_below(&mut self, depth: usize) {
        if !self.tried.is_empty() {
            self.tried.split_off(&(depth + 1, Key::new()));
        }
    }

    /// A cycle was run into.
    pub fn confirm(&mut self, cycle: &Cycle) {
        let key = key(cycle);
        self.suspected.remove(&key);
        self.confirmed.insert(key);
    }

    pub fn confirmed(&self) -> usize {
        self.confirmed.len()
    }
}

/// Wants, to be found by what is wanted.
#[derive(Clone, Debug, Default)]
struct Wants {
    all: Vec<Want>,
    of: BTreeMap<u32, Vec<u32>>,
}

impl Wants {
    fn add(&mut self, want: Want) {
        let of = self.of.entry(want.stand.lock.0).or_default();
        of.push(self.all.len() as u32);
        self.all.push(want);
    }

    /// Calls `found` with the cycles of one more want and these, as [`cycles_through`].
    fn cycles(
        &self,
        held: &HeldStacks,
        first: Want,
        budget: &mut Budget,
        mut found: impl FnMut(Cycle, Key) -> bool,
    ) {
        let nests = Nested { wants: self, held };
        cycles_through(&nests, first, budget, |cycle| {
            let cycle: Cycle = cycle.iter().map(|w| w.stand).collect();
            let key = key(&cycle);
            found(cycle, key)
        });
    }
}

fn key(cycle: &Cycle) -> Key {
    let mut key: Key = cycle.iter().map(|s| (s.choice.thread(), s.lock)).collect();
    key.sort_unstable();
    key
}

/// Wants with the stacks that they refer to.
struct Nested<'a> {
    wants: &'a Wants,
    held: &'a HeldStacks,
}

impl Stacks for Nested<'_> {
    fn top(&self, stack: Stack) -> Option<Level> {
        self.held.top(stack)
    }
}

impl Nests for Nested<'_> {
    type Nest = Want;

    fn lock(&self, want: Want) -> u32 {
        want.stand.lock.0
    }

    fn held(&self, want: Want) -> Stack {
        want.held
    }

    fn of(&self, lock: u32) -> impl Iterator<Item = Want> {
        let of = self.wants.of.get(&lock).into_iter().flatten();
        of.map(|at| self.wants.all[*at as usize])
    }

    fn can_meet(&self, a: Want, b: Want) -> bool {
        a.thread() != b.thread()
    }
}

/// All stacks of locks that were ever held. Equal ones have the same number.
#[derive(Clone, Debug, Default)]
struct HeldStacks {
    levels: Vec<Level>,
    known: BTreeMap<(Stack, u32), Stack>,
}

impl HeldStacks {
    /// The locks that a block wants while its thread holds something.
    fn wants(
        &mut self,
        choice: Choice,
        held: &[(ThreadId, ObjectId)],
        locks: &[LockOp],
    ) -> Vec<Want> {
        let before = held.iter().filter(|h| h.0 == choice.thread());
        let before = before.map(|h| h.1.0);
        let mut held = before.fold(Stack::EMPTY, |stack, lock| self.push(stack, lock));
        let mut wants = Vec::new();
        for op in locks {
            match *op {
                LockOp::Enter(lock) => {
                    if held != Stack::EMPTY {
                        let stand = Stand { choice, lock };
                        wants.push(Want { stand, held });
                    }
                    held = self.push(held, lock.0);
                }
                LockOp::Leave(lock) => held = self.without(held, lock.0),
            }
        }
        wants
    }

    fn push(&mut self, below: Stack, lock: u32) -> Stack {
        let height = self.height(below) + 1;
        *self.known.entry((below, lock)).or_insert_with(|| {
            self.levels.push(Level {
                lock,
                below,
                height,
            });
            Stack(self.levels.len() as u32)
        })
    }

    /// A stack without a lock, which may lie anywhere in it.
    fn without(&mut self, stack: Stack, lock: u32) -> Stack {
        match self.top(stack) {
            None => stack,
            Some(level) if level.lock == lock => level.below,
            Some(_) => {
                let mut kept: Vec<u32> = self.locks(stack).filter(|l| *l != lock).collect();
                kept.reverse();
                kept.into_iter().fold(Stack::EMPTY, |s, l| self.push(s, l))
            }
        }
    }
}

impl Stacks for HeldStacks {
    fn top(&self, stack: Stack) -> Option<Level> {
        let at = stack.0.checked_sub(1)?;
        Some(self.levels[at as usize])
    }
}
