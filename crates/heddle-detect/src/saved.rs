//! State that goes back with the search.
//!
//! Marks are frequent, one for each choice, and most detectors have nothing to say in
//! between. So a mark is a number; what is needed to go back to it is noted with the first
//! change after it ([`Marks`]).
//!
//! [`Saved`] is for small state, which is copied then. For more there is [`crate::table`].
//! [`rewinds_by!`](crate::rewinds_by) makes a detector rewind by one field of it.

use heddle_model::{Mark, Rewind};

/// Marks, and what is needed to go back to those after which something has changed.
#[derive(Clone, Debug)]
pub struct Marks<P> {
    next: u64,
    /// With the last mark before the change. After a rewind that may be one that is no more:
    /// it is younger than all that are, and that is enough.
    noted: Vec<(Mark, P)>,
    /// A mark was taken or gone back to since.
    due: bool,
}

impl<P> Default for Marks<P> {
    fn default() -> Self {
        Marks {
            next: 0,
            noted: Vec::new(),
            due: false,
        }
    }
}

impl<P> Marks<P> {
    #[inline]
    pub fn mark(&mut self) -> Mark {
        let mark = Mark(self.next);
        self.next += 1;
        self.due = true;
        mark
    }

    /// Whether the next change is the first one since a mark, and is to be noted before.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.due
    }

    /// Notes what is needed to undo all changes from now on.
    pub fn note(&mut self, point: P) {
        self.noted.push((Mark(self.next - 1), point));
        self.due = false;
    }

    /// Ends the marks taken after this one. What was noted with the first change after it,
    /// if anything has changed.
    #[inline]
    pub fn back_to(&mut self, mark: Mark) -> Option<P> {
        self.due = true;
        let mut first = None;
        while let Some((_, point)) = self.noted.pop_if(|(noted, _)| *noted >= mark) {
            first = Some(point);
        }
        first
    }
}

/// A small value, copied when it is first changed after a mark.
#[derive(Clone, Debug, Default)]
pub struct Saved<T> {
    now: T,
    marks: Marks<T>,
}

impl<T: Clone> Saved<T> {
    pub fn new(value: T) -> Self {
        Saved {
            now: value,
            marks: Marks::default(),
        }
    }

    pub fn get(&self) -> &T {
        &self.now
    }

    /// The value, to change it.
    pub fn change(&mut self) -> &mut T {
        if self.marks.is_due() {
            self.marks.note(self.now.clone());
        }
        &mut self.now
    }
}

impl<T: Clone> Rewind for Saved<T> {
    fn mark(&mut self) -> Mark {
        self.marks.mark()
    }

    fn rewind(&mut self, to: Mark) {
        if let Some(value) = self.marks.back_to(to) {
            self.now = value;
        }
    }

    fn forget(&mut self, _: Mark) {}
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
