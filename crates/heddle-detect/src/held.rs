//! The locks that threads hold. Equal stacks are kept once and have the same number.

use crate::table::{SavedList, SavedTable};
use heddle_model::nests::{Level, Sought, Stack, Stacks};
use heddle_model::{Mark, ObjectId, Rewind, ThreadId};

/// See the module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Held {
    /// By lock and the stack below; their places plus 1 are the numbers of stacks.
    levels: SavedTable<Level>,
    /// By thread.
    of: SavedList<Stack>,
}

impl Held {
    /// All that a thread holds.
    pub fn by(&self, thread: ThreadId) -> Stack {
        match (thread.0 as usize) < self.of.len() {
            true => *self.of.get(thread.0 as usize),
            false => Stack::EMPTY,
        }
    }

    pub fn take(&mut self, thread: ThreadId, lock: ObjectId) {
        let stack = self.push(self.by(thread), lock.0);
        self.set(thread, stack);
    }

    /// Takes a lock from where it was last put, wherever that is in the stack.
    pub fn give_back(&mut self, thread: ThreadId, lock: ObjectId) {
        let mut above = Vec::new();
        let mut at = self.by(thread);
        while let Some(level) = self.top(at) {
            at = level.below;
            if level.lock == lock.0 {
                let stack = self.push_all(at, above.into_iter().rev());
                self.set(thread, stack);
                return;
            }
            above.push(level.lock);
        }
    }

    pub fn give_back_all(&mut self, thread: ThreadId) {
        if self.by(thread) != Stack::EMPTY {
            self.set(thread, Stack::EMPTY);
        }
    }

    /// The locks of one stack that are in another, too.
    pub fn common(&mut self, stack: Stack, other: Stack) -> Stack {
        let other = Sought::new(other);
        if self.locks(stack).all(|lock| other.has(self, lock)) {
            return stack;
        }
        let kept = self.locks(stack).filter(|&lock| other.has(self, lock));
        let kept: Vec<u32> = kept.collect();
        self.push_all(Stack::EMPTY, kept.into_iter().rev())
    }

    fn push(&mut self, below: Stack, lock: u32) -> Stack {
        let key = u64::from(below.0) << 32 | u64::from(lock);
        let at = self.levels.find(key).unwrap_or_else(|| {
            let height = self.height(below) + 1;
            let level = Level {
                lock,
                below,
                height,
            };
            self.levels.insert(key, level)
        });
        Stack(at as u32 + 1)
    }

    fn push_all(&mut self, below: Stack, locks: impl Iterator<Item = u32>) -> Stack {
        locks.fold(below, |stack, lock| self.push(stack, lock))
    }

    fn set(&mut self, thread: ThreadId, stack: Stack) {
        while self.of.len() <= thread.0 as usize {
            self.of.push(Stack::EMPTY);
        }
        *self.of.change(thread.0 as usize) = stack;
    }
}

impl Stacks for Held {
    fn top(&self, stack: Stack) -> Option<Level> {
        let at = stack.0.checked_sub(1)?;
        Some(*self.levels.at(at as usize))
    }
}

impl Rewind for Held {
    fn mark(&mut self) -> Mark {
        // Both are marked and rewound together, so their marks have the same numbers.
        self.levels.mark();
        self.of.mark()
    }

    fn rewind(&mut self, to: Mark) {
        self.levels.rewind(to);
        self.of.rewind(to);
    }

    fn forget(&mut self, mark: Mark) {
        self.levels.forget(mark);
        self.of.forget(mark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: ThreadId = ThreadId(1);

    fn locks(held: &Held, stack: Stack) -> Vec<u32> {
        let mut locks: Vec<u32> = held.locks(stack).collect();
        locks.reverse();
        locks
    }

    #[test]
    fn locks_leave_in_any_order_and_come_back_with_a_rewind() {
        let mut held = Held::default();
        for lock in [5, 6, 7] {
            held.take(ME, ObjectId(lock));
        }
        let before = held.by(ME);
        let mark = held.mark();
        held.give_back(ME, ObjectId(6));
        assert_eq!(locks(&held, held.by(ME)), [5, 7]);
        held.give_back(ME, ObjectId(6));
        assert_eq!(locks(&held, held.by(ME)), [5, 7]);
        held.rewind(mark);
        assert_eq!(held.by(ME), before);
        held.give_back(ME, ObjectId(7));
        held.take(ME, ObjectId(7));
        assert_eq!(held.by(ME), before, "the same stack has the same number");
        held.give_back_all(ME);
        assert_eq!(held.by(ME), Stack::EMPTY);
    }

    #[test]
    fn what_two_stacks_have_in_common() {
        let mut held = Held::default();
        let lists = [&[1, 2, 3][..], &[3, 1], &[4], &[1, 2, 3, 4], &[]];
        let stacks = lists.map(|list| held.push_all(Stack::EMPTY, list.iter().copied()));
        for (a, ours) in lists.iter().enumerate() {
            for (b, theirs) in lists.iter().enumerate() {
                let common = held.common(stacks[a], stacks[b]);
                let kept = ours.iter().copied().filter(|lock| theirs.contains(lock));
                assert_eq!(locks(&held, common), kept.collect::<Vec<u32>>());
            }
        }
    }
}
