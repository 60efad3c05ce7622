//! Locks within locks: cycles of threads that each want what the next one holds.
//!
//! What a thread holds is a [`Stack`]: a lock on top of another stack. So a note of all
//! that was held costs a word however much that is: programs nest thousands of locks, and
//! take note of each of them. Whoever has stacks says what they consist of ([`Stacks`]).
//!
//! A [*nest*](Nests) is a lock that was wanted on top of a stack. Cycles are searched for
//! from a nest backwards, by those that wanted what it has: of a lock there are few nests,
//! whereas it may be held at many.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// The locks that a thread holds, in the order in which it took them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Stack(pub u32);

impl Stack {
    pub const EMPTY: Stack = Stack(0);
}

/// The top of a stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    pub lock: u32,
    pub below: Stack,
    /// How many locks it has.
    pub height: u32,
}

/// What stacks consist of.
pub trait Stacks {
    /// The top of a stack, if it is not empty.
    fn top(&self, stack: Stack) -> Option<Level>;

    /// A stack and those below it.
    fn levels(&self, stack: Stack) -> impl Iterator<Item = (Stack, Level)> {
        let level = |stack: Stack| self.top(stack).map(|level| (stack, level));
        std::iter::successors(level(stack), move |(_, l)| level(l.below))
    }

    /// The locks of a stack, the last one first.
    fn locks(&self, stack: Stack) -> impl Iterator<Item = u32> {
        self.levels(stack).map(|(_, level)| level.lock)
    }

    fn has(&self, stack: Stack, lock: u32) -> bool {
        self.locks(stack).any(|held| held == lock)
    }

    fn height(&self, stack: Stack) -> u32 {
        self.top(stack).map_or(0, |level| level.height)
    }
}

/// Locks that were wanted by threads that held others.
pub trait Nests: Stacks {
    type Nest: Copy;

    /// The lock that was wanted.
    fn lock(&self, nest: Self::Nest) -> u32;

    /// What was held then.
    fn held(&self, nest: Self::Nest) -> Stack;

    /// The nests in which a lock was wanted.
    fn of(&self, lock: u32) -> impl Iterator<Item = Self::Nest>;

    /// Whether two threads can be there at the same time, for all but what they hold.
    fn can_meet(&self, a: Self::Nest, b: Self::Nest) -> bool;
}

/// How much of a search for cycles may be done before it is given up: there may be more of
/// them than anybody can count.
#[derive(Clone, Copy, Debug)]
pub struct Budget(u32);

impl Budget {
    pub const fn new(steps: u32) -> Budget {
        Budget(steps)
    }

    pub fn is_used_up(self) -> bool {
        self.0 == 0
    }
}

/// Calls `found` with the cycles through a nest. Each of a cycle wants what the next one
/// holds, and the last what the first one does. Where `found` says true, the other cycles
/// in which somebody wants the same lock of the first one are passed over.
pub fn cycles_through<N: Nests>(
    nests: &N,
    first: N::Nest,
    budget: &mut Budget,
    mut found: impl FnMut(&[N::Nest]) -> bool,
) {
    let held = nests.held(first);
    let mut search = Search {
        nests,
        path: vec![(first, Sought::new(held))],
        budget,
    };
    for lock in nests.locks(held) {
        search.extend(lock, &mut found);
        search.path.truncate(1);
    }
}

struct Search<'a, N: Nests> {
    nests: &'a N,
    /// Each wants what the one before it holds.
    path: Vec<(N::Nest, Sought)>,
    budget: &'a mut Budget,
}

impl<N: Nests> Search<'_, N> {
    fn extend(&mut self, lock: u32, found: &mut dyn FnMut(&[N::Nest]) -> bool) -> bool {
        let nests = self.nests;
        let goal = nests.lock(self.path[0].0);
        for nest in nests.of(lock) {
            self.budget.0 = self.budget.0.saturating_sub(1);
            if self.budget.is_used_up() {
                return false;
            }
            let held = nests.held(nest);
            let fits = |(other, sought): &(N::Nest, Sought)| {
                nests.can_meet(*other, nest) && !sought.meets(nests, held)
            };
            if !self.path.iter().all(fits) {
                continue;
            }
            self.path.push((nest, Sought::new(held)));
            let done = match nests.has(held, goal) {
                true => {
                    let (first, others) = self.path.split_at(1);
                    let cycle = first.iter().chain(others.iter().rev());
                    found(&cycle.map(|(nest, _)| *nest).collect::<Vec<_>>())
                }
                false => nests.locks(held).any(|lock| self.extend(lock, found)),
            };
            if done {
                return true;
            }
            self.path.pop();
        }
        false
    }
}

/// A stack whose locks are looked for many times.
pub struct Sought {
    stack: Stack,
    /// Where it is high.
    high: OnceCell<Box<High>>,
}

struct High {
    locks: BTreeSet<u32>,
    /// Of other high stacks: whether they have one of the locks.
    met: RefCell<BTreeMap<Stack, bool>>,
}

impl Sought {
    /// How many locks are looked through one by one.
    const FEW: u32 = 8;

    pub fn new(stack: Stack) -> Sought {
        Sought {
            stack,
            high: OnceCell::new(),
        }
    }

    pub fn has(&self, stacks: &impl Stacks, lock: u32) -> bool {
        match stacks.height(self.stack) <= Self::FEW {
            true => stacks.has(self.stack, lock),
            false => self.high(stacks).locks.contains(&lock),
        }
    }

    /// Whether the two have a lock in common.
    pub fn meets(&self, stacks: &impl Stacks, other: Stack) -> bool {
        if stacks.height(other) <= Self::FEW {
            return stacks.locks(other).any(|lock| self.has(stacks, lock));
        }
        // High stacks stand on each other: what is known of one is true of all that
        // were walked down to it.
        let mut met = self.high(stacks).met.borrow_mut();
        let mut walked = Vec::new();
        let mut answer = false;
        for (stack, level) in stacks.levels(other) {
            if let Some(&known) = met.get(&stack) {
                answer = known;
                break;
            }
            walked.push(stack);
            if self.has(stacks, level.lock) {
                answer = true;
                break;
            }
        }
        met.extend(walked.into_iter().map(|stack| (stack, answer)));
        answer
    }

    fn high(&self, stacks: &impl Stacks) -> &High {
        self.high.get_or_init(|| {
            Box::new(High {
                locks: stacks.locks(self.stack).collect(),
                met: RefCell::default(),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads and what they nest, all by number.
    #[derive(Default)]
    struct Model {
        levels: Vec<Level>,
        nests: Vec<(u32, Stack, u32)>,
    }

    impl Model {
        fn stack(&mut self, locks: &[u32]) -> Stack {
            locks.iter().fold(Stack::EMPTY, |below, &lock| {
                let height = self.height(below) + 1;
                self.levels.push(Level {
                    lock,
                    below,
                    height,
                });
                Stack(self.levels.len() as u32)
            })
        }

        /// A thread takes locks, each on top of the others.
        fn nest(&mut self, thread: u32, locks: &[u32]) {
            for i in 1..locks.len() {
                let held = self.stack(&locks[..i]);
                self.nests.push((thread, held, locks[i]));
            }
        }

        /// All cycles, by the threads and what they want.
        fn cycles(&self) -> BTreeSet<Vec<(u32, u32)>> {
            let mut all = BTreeSet::new();
            for first in 0..self.nests.len() {
                let mut budget = Budget::new(1_000_000);
                cycles_through(self, first, &mut budget, |cycle| {
                    for (i, nest) in cycle.iter().enumerate() {
                        let next = cycle[(i + 1) % cycle.len()];
                        assert!(self.has(self.nests[next].1, self.nests[*nest].2));
                    }
                    let wants = cycle.iter().map(|n| (self.nests[*n].0, self.nests[*n].2));
                    let mut wants: Vec<_> = wants.collect();
                    wants.sort_unstable();
                    all.insert(wants);
                    false
                });
            }
            all
        }
    }

    impl Stacks for Model {
        fn top(&self, stack: Stack) -> Option<Level> {
            let at = stack.0.checked_sub(1)?;
            Some(self.levels[at as usize])
        }
    }

    impl Nests for Model {
        type Nest = usize;

        fn lock(&self, nest: usize) -> u32 {
            self.nests[nest].2
        }

        fn held(&self, nest: usize) -> Stack {
            self.nests[nest].1
        }

        fn of(&self, lock: u32) -> impl Iterator<Item = usize> {
            (0..self.nests.len()).filter(move |n| self.nests[*n].2 == lock)
        }

        fn can_meet(&self, a: usize, b: usize) -> bool {
            self.nests[a].0 != self.nests[b].0
        }
    }

    fn cycles(threads: &[&[u32]]) -> Vec<Vec<(u32, u32)>> {
        let mut model = Model::default();
        for (thread, locks) in threads.iter().enumerate() {
            model.nest(thread as u32, locks);
        }
        model.cycles().into_iter().collect()
    }

    #[test]
    fn who_wants_what_the_next_one_holds() {
        assert_eq!(cycles(&[&[1, 2], &[2, 1]]), [[(0, 2), (1, 1)]]);
        assert_eq!(cycles(&[&[1, 2], &[1, 2]]), [[]; 0]);
        let three = [(0, 2), (1, 3), (2, 1)];
        assert_eq!(cycles(&[&[1, 2], &[2, 3], &[3, 1]]), [three]);
        // A common lock keeps them apart, and one thread is no two.
        assert_eq!(cycles(&[&[9, 1, 2], &[9, 2, 1]]), [[]; 0]);
        assert_eq!(cycles(&[&[1, 2], &[8, 2, 9, 1]]), [[(0, 2), (1, 1)]]);
    }

    /// Of locks nested by two threads in opposite orders each neighbours are a cycle.
    #[test]
    fn high_stacks() {
        let up: Vec<u32> = (1..=40).collect();
        let down: Vec<u32> = (1..=40).rev().collect();
        assert_eq!(cycles(&[&up, &down]).len(), 39);
        assert_eq!(cycles(&[&up, &up]).len(), 0);
    }

    #[test]
    fn low_and_high_stacks_have_locks_in_common() {
        let mut model = Model::default();
        let heights = [0, 1, 2, 7, 8, 9, 30, 60];
        let lists = heights.iter().flat_map(|&height| {
            [1, 2, 3, 31].map(|step| (0..height).map(|n| 100 + n * step % 97).collect())
        });
        let lists: Vec<Vec<u32>> = lists.collect();
        let stacks: Vec<Stack> = lists.iter().map(|list| model.stack(list)).collect();
        for (a, ours) in lists.iter().enumerate() {
            let sought = Sought::new(stacks[a]);
            for (b, theirs) in lists.iter().enumerate() {
                let expected = theirs.iter().any(|lock| ours.contains(lock));
                assert_eq!(sought.meets(&model, stacks[b]), expected);
            }
        }
    }
}
