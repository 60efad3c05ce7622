//! State that goes back with the search.
//!
//! [`Saved`] is for small state: a mark costs a reference count, and the first change
//! after it a copy. For more there is [`crate::table`].
//! [`rewinds_by!`](crate::rewinds_by) makes a detector rewind by one field of it.

use heddle_model::{Mark, Rewind};
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

    /// What was kept for the last mark.
    pub fn newest(&self) -> Option<&P> {
        self.live.last().map(|(_, point)| point)
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
}
