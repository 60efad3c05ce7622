//! What a search is told from outside: its bounds, what to do about errors, and when to end
//! or to save what it has.

use crate::{Bound, Budget, Found, Outcome, Progress};
use heddle_model::{Finding, OpMask};

/// Bounds of a search, and what to do about errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    pub schedules: Option<u64>,
    /// Choice points of one path.
    pub depth: Option<usize>,
    /// Instructions of one path.
    pub steps: Option<u64>,
    pub errors: OnError,
    /// Where the machine must stop besides where the strategy says.
    pub stops: OpMask,
    /// Marks are kept at every so many-th depth.
    pub mark_every: usize,
    /// What may be spent on each error to find a shorter way to it, and four times that on
    /// all of them.
    pub shorten: Budget,
}

impl Default for Limits {
    fn default() -> Self {
        let errors = OnError::FirstOfEach;
        Limits {
            schedules: None,
            depth: None,
            steps: None,
            errors,
            stops: OpMask::NONE,
            mark_every: 1,
            shorten: Budget::NONE,
        }
    }
}

/// What an error does to the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnError {
    /// Ends it.
    Stop,
    /// Nothing; the first of each kind and place is kept.
    FirstOfEach,
    /// Nothing; the first of each is kept, and the paths that show it are counted.
    Count,
}

/// Somebody who watches a search and may end it.
pub trait Control {
    /// Called every now and then: the place for clocks and progress lines.
    fn tick(&mut self, _progress: &Progress) -> Tick {
        Tick::GoOn
    }

    /// Asked at every choice point, so it must be cheap.
    fn interrupted(&self) -> bool {
        false
    }

    /// Asked now and then in the middle of a path: whether the search is to end now.
    fn time_is_up(&self) -> bool {
        self.interrupted()
    }

    /// The one error that is looked for; the others need not be reported.
    fn wanted(&self) -> Option<&Finding> {
        None
    }

    /// An error that has just been confirmed.
    fn found(&mut self, _found: &Found) {}

    /// Whether [`Control::save`] is to be called now; asked at the end of every path.
    fn wants_save(&self) -> bool {
        false
    }

    /// Where the search could go on later, and what it has found out so far.
    fn save(&mut self, _frontier: &[u64], _so_far: &Outcome) {}
}

/// Lets a search run to its end.
impl Control for () {}

/// The answer of [`Control::tick`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tick {
    GoOn,
    /// The search ends, for this reason.
    Stop(Bound),
}
