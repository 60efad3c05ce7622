//! Lists and tables that go back with the search, for state that changes with every event.
//!
//! To go back to a mark takes two lengths. Entries that are younger than the last mark vanish
//! with a rewind; an older one is saved when it changes for the first time after it. Keys
//! are words, found by open addressing: keys only ever leave in the reverse order in which
//! they came, so taking one out is to empty its slot.

use crate::saved::Marks;
use heddle_model::{Mark, Rewind};

/// A list whose entries go back.
#[derive(Clone, Debug)]
pub struct SavedList<T> {
    entries: Vec<Entry<T>>,
    /// What entries were before they changed, and which.
    log: Vec<(u32, Entry<T>)>,
    marks: Marks<Point>,
    /// The last point that was noted; nothing is older than none.
    last: Point,
}

#[derive(Clone, Debug)]
struct Entry<T> {
    value: T,
    /// The length of the log when it was last saved; 0 if it never was.
    saved: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Point {
    entries: usize,
    log: usize,
}

impl<T> Default for SavedList<T> {
    fn default() -> Self {
        SavedList {
            entries: Vec::new(),
            log: Vec::new(),
            marks: Marks::default(),
            last: Point::default(),
        }
    }
}

impl<T: Clone> SavedList<T> {
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    #[inline]
    pub fn get(&self, at: usize) -> &T {
        &self.entries[at].value
    }

    /// To come before every change.
    #[inline]
    fn changes(&mut self) {
        if self.marks.is_due() {
            self.last = Point {
                entries: self.entries.len(),
                log: self.log.len(),
            };
            self.marks.note(self.last);
        }
    }

    /// An entry, to change it.
    #[inline]
    pub fn change(&mut self, at: usize) -> &mut T {
        self.changes();
        let entry = &mut self.entries[at];
        if at < self.last.entries && entry.saved as usize <= self.last.log {
            self.log.push((at as u32, entry.clone()));
            entry.saved = self.log.len() as u32;
        }
        &mut entry.value
    }

    /// Adds an entry; its index.
    pub fn push(&mut self, value: T) -> usize {
        self.changes();
        self.entries.push(Entry { value, saved: 0 });
        self.entries.len() - 1
    }

    /// All entries, for changes that concern only what is younger than the last mark.
    pub fn young(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().map(|e| &mut e.value)
    }

    /// Goes back to a mark, with a look at the entries that vanish, the youngest first.
    #[inline]
    fn rewind_with(&mut self, to: Mark, mut vanishes: impl FnMut(usize, &T)) {
        let Some(point) = self.marks.back_to(to) else {
            return;
        };
        for (at, before) in self.log.drain(point.log..).rev() {
            // Some of them may vanish: those that came after the mark and before another one.
            self.entries[at as usize] = before;
        }
        for at in (point.entries..self.entries.len()).rev() {
            vanishes(at, &self.entries[at].value);
        }
        self.entries.truncate(point.entries);
        self.last = point;
    }
}

impl<T: Clone> Rewind for SavedList<T> {
    fn mark(&mut self) -> Mark {
        self.marks.mark()
    }

    fn rewind(&mut self, to: Mark) {
        self.rewind_with(to, |_, _| {});
    }

    fn forget(&mut self, _: Mark) {}
}

/// A table of words to values. Its order is nobody's business.
#[derive(Clone, Debug)]
pub struct SavedTable<T> {
    list: SavedList<(u64, T)>,
    /// Indices into the list plus 1, in a power of two of slots; at most half are taken.
    slots: Vec<u32>,
}

impl<T> Default for SavedTable<T> {
    fn default() -> Self {
        SavedTable {
            list: SavedList::default(),
            slots: vec![0; 64],
        }
    }
}

impl<T: Clone> SavedTable<T> {
    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Where the value of a key is, for `at` and `change`.
    #[inline]
    pub fn find(&self, key: u64) -> Option<usize> {
        let mut slot = self.slot(key);
        loop {
            let at = (self.slots[slot] as usize).checked_sub(1)?;
            if self.list.get(at).0 == key {
                return Some(at);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    #[inline]
    pub fn at(&self, at: usize) -> &T {
        &self.list.get(at).1
    }

    #[inline]
    pub fn change(&mut self, at: usize) -> &mut T {
        &mut self.list.change(at).1
    }

    pub fn get(&self, key: u64) -> Option<&T> {
        self.find(key).map(|at| self.at(at))
    }

    /// Adds a key that is not there yet; where its value is.
    pub fn insert(&mut self, key: u64, value: T) -> usize {
        if 2 * self.list.len() >= self.slots.len() {
            self.grow();
        }
        let at = self.list.push((key, value));
        self.enter(key, at);
        at
    }

    /// The value of a key, to change it; a new one if there is none.
    pub fn entry(&mut self, key: u64, new: T) -> &mut T {
        match self.find(key) {
            Some(at) => self.change(at),
            None => {
                let at = self.insert(key, new);
                self.change(at)
            }
        }
    }

    /// All values, in the order in which their keys came.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        (0..self.list.len()).map(|at| self.at(at))
    }

    /// As [`SavedList::young`].
    pub fn young(&mut self) -> impl Iterator<Item = &mut T> {
        self.list.young().map(|(_, value)| value)
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        slot_of(key, &self.slots)
    }

    fn enter(&mut self, key: u64, at: usize) {
        let mut slot = self.slot(key);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = at as u32 + 1;
    }

    /// Keys are entered in the order in which they came, so that each is found without
    /// passing by one that came later.
    #[cold]
    fn grow(&mut self) {
        self.slots = vec![0; self.slots.len() * 2];
        for at in 0..self.list.len() {
            let key = self.list.get(at).0;
            self.enter(key, at);
        }
    }
}

/// Where a key is looked for first.
#[inline]
fn slot_of(key: u64, slots: &[u32]) -> usize {
    let mixed = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (64 - slots.len().trailing_zeros())) as usize
}

impl<T: Clone> Rewind for SavedTable<T> {
    fn mark(&mut self) -> Mark {
        self.list.mark()
    }

    fn rewind(&mut self, to: Mark) {
        let SavedTable { list, slots } = self;
        list.rewind_with(to, |at, (key, _)| {
            let mut slot = slot_of(*key, slots);
            while slots[slot] != at as u32 + 1 {
                slot = (slot + 1) & (slots.len() - 1);
            }
            slots[slot] = 0;
        });
    }

    fn forget(&mut self, mark: Mark) {
        self.list.forget(mark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Random changes, marks, rewinds and forgotten marks, against copies of a plain map.
    #[test]
    fn a_table_goes_back_as_a_copy_would() {
        let mut state = 0x1234_5678_9abc_def1u64;
        let mut random = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        for keys in [3, 40, 5000] {
            let mut table = SavedTable::default();
            let mut model: HashMap<u64, u64> = HashMap::new();
            let mut marks: Vec<(Mark, HashMap<u64, u64>)> = Vec::new();
            for step in 0..20_000 {
                match random(20) {
                    0 => marks.push((table.mark(), model.clone())),
                    1 if !marks.is_empty() => {
                        let at = random(marks.len() as u64) as usize;
                        marks.truncate(at + 1);
                        table.rewind(marks[at].0);
                        model = marks[at].1.clone();
                    }
                    2 if !marks.is_empty() => {
                        let at = random(marks.len() as u64) as usize;
                        table.forget(marks.remove(at).0);
                    }
                    _ => {
                        let key = random(keys);
                        match table.find(key) {
                            Some(at) => *table.change(at) = step,
                            None => _ = table.insert(key, step),
                        }
                        model.insert(key, step);
                    }
                }
                let key = random(keys);
                assert_eq!(table.get(key), model.get(&key));
            }
            assert_eq!(table.len(), model.len());
            for (key, value) in &model {
                assert_eq!(table.get(*key), Some(value));
            }
        }
    }
}
