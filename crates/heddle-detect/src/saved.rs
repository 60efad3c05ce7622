//! State that goes back with the search.
//!
//! [`Saved`] is for small state: a mark costs a reference count, and the first change
//! after it a copy. [`SavedMap`] is for large tables: a mark costs nothing, and each
//! change the entry that was there before. [`rewinds_by!`](crate::rewinds_by) makes a
//! detector rewind by one field of it.

use heddle_model::{Mark, Rewind};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::Arc;

/// The live marks, each with what is needed to go back to it.
#[derive(Clone, Debug)]
pub struct Marks<P> {
    next: u64,
    live: Vec<(Mark, P)>,
}

impl<P> Default for Marks<P> {
    fn default() -> Self {
        Marks {
            next: 0,
            live: Vec::new(),
        }
    }
}

impl<P> Marks<P> {
    pub fn push(&mut self, point: P) -> Mark {
        let mark = Mark(self.next);
        self.next += 1;
        self.live.push((mark, point));
        mark
    }

    /// Ends the marks taken after this one, and gives what was kept for it.
    pub fn back_to(&mut self, mark: Mark) -> &P {
        let at = self.find(mark);
        self.live.truncate(at + 1);
        &self.live[at].1
    }

    /// Ends one mark, and gives what was kept for it.
    pub fn forget(&mut self, mark: Mark) -> P {
        let at = self.find(mark);
        self.live.remove(at).1
    }

    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// How many live marks are older than this one.
    pub fn find(&self, mark: Mark) -> usize {
        match self.live.binary_search_by_key(&mark, |(m, _)| *m) {
            Ok(at) => at,
            Err(_) => panic!("heddle internal error: {mark:?} is not live"),
        }
    }
}

/// A small value, copied when it is first changed after a mark.
#[derive(Clone, Debug, Default)]
pub struct Saved<T> {
    now: Arc<T>,
    marks: Marks<Arc<T>>,
}

impl<T: Clone> Saved<T> {
    pub fn new(value: T) -> Self {
        Saved {
            now: Arc::new(value),
            marks: Marks::default(),
        }
    }

    pub fn get(&self) -> &T {
        &self.now
    }

    /// The value, to change it.
    pub fn change(&mut self) -> &mut T {
        Arc::make_mut(&mut self.now)
    }
}

impl<T: Clone> Rewind for Saved<T> {
    fn mark(&mut self) -> Mark {
        self.marks.push(self.now.clone())
    }

    fn rewind(&mut self, to: Mark) {
        self.now = self.marks.back_to(to).clone();
    }

    fn forget(&mut self, mark: Mark) {
        self.marks.forget(mark);
    }
}

/// A table that logs what it loses while there is a mark. Its order is nobody's
/// business: it can be asked for keys, not listed.
#[derive(Clone, Debug)]
pub struct SavedMap<K, V> {
    map: HashMap<K, V, BuildHasherDefault<WordHasher>>,
    log: Vec<(K, Option<V>)>,
    marks: Marks<usize>,
}

impl<K, V> Default for SavedMap<K, V> {
    fn default() -> Self {
        SavedMap {
            map: HashMap::default(),
            log: Vec::new(),
            marks: Marks::default(),
        }
    }
}

impl<K: Copy + Eq + Hash, V> SavedMap<K, V> {
    pub fn get(&self, key: K) -> Option<&V> {
        self.map.get(&key)
    }

    pub fn insert(&mut self, key: K, value: V) {
        let before = self.map.insert(key, value);
        if !self.marks.is_empty() {
            self.log.push((key, before));
        }
    }
}

impl<K: Copy + Eq + Hash, V> Rewind for SavedMap<K, V> {
    fn mark(&mut self) -> Mark {
        self.marks.push(self.log.len())
    }

    fn rewind(&mut self, to: Mark) {
        let length = *self.marks.back_to(to);
        for (key, before) in self.log.drain(length..).rev() {
            match before {
                Some(value) => self.map.insert(key, value),
                None => self.map.remove(&key),
            };
        }
    }

    fn forget(&mut self, mark: Mark) {
        self.marks.forget(mark);
        if self.marks.is_empty() {
            self.log.clear();
        }
    }
}

/// For keys that are a few small numbers: multiply and rotate.
#[derive(Clone, Debug, Default)]
pub struct WordHasher(u64);

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.write_u64(u64::from(b)));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }
}

/// Makes a type rewind by one of its fields.
#[macro_export]
macro_rules! rewinds_by {
    ($type:ty, $field:tt) => {
        impl heddle_model::Rewind for $type {
            fn mark(&mut self) -> heddle_model::Mark {
                self.$field.mark()
            }

            fn rewind(&mut self, to: heddle_model::Mark) {
                self.$field.rewind(to);
            }

            fn forget(&mut self, mark: heddle_model::Mark) {
                self.$field.forget(mark);
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_goes_back_any_number_of_times() {
        let mut list = Saved::new(vec![1]);
        let first = list.mark();
        list.change().push(2);
        let second = list.mark();
        list.change().push(3);
        list.rewind(second);
        assert_eq!(list.get(), &[1, 2]);
        list.change().push(4);
        list.rewind(first);
        assert_eq!(list.get(), &[1]);
        list.change().push(5);
        list.rewind(first);
        assert_eq!(list.get(), &[1]);
    }

    #[test]
    fn a_table_goes_back_over_forgotten_marks() {
        let mut table = SavedMap::default();
        table.insert(1u32, 'a');
        let first = table.mark();
        table.insert(1, 'b');
        let second = table.mark();
        table.insert(1, 'c');
        table.insert(2, 'd');
        table.forget(second);
        table.rewind(first);
        assert_eq!((table.get(1), table.get(2)), (Some(&'a'), None));
        table.insert(3, 'e');
        table.forget(first);
        assert_eq!(table.get(3), Some(&'e'));
        assert!(table.log.is_empty());
    }
}
