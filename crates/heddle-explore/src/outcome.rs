//! What a search returns: counts, the bounds that were hit, and the errors with the
//! routes that lead to them.

use crate::Estimate;
use heddle_model::{Choice, End, Finding, OpMask, Pick};

/// What a search has found out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outcome {
    /// As the strategy counts them.
    pub schedules: u64,
    /// Schedules beyond those of the strategy's published form.
    pub extra: u64,
    /// Paths that were begun in vain.
    pub blocked: u64,
    /// Choice points reached, again after a rewind not counted.
    pub choice_points: u64,
    /// Paths that were run to an end, a bound or a pruning.
    pub paths: u64,
    /// Instructions, as the machine counts them.
    pub work: u64,
    /// The longest path, in choice points.
    pub deepest: usize,
    /// Every behaviour that the strategy stands for has been explored: no bound was hit
    /// and nothing was unsupported.
    pub complete: bool,
    /// Each bound that was hit, once.
    pub bounds: Vec<Bound>,
    pub found: Vec<Found>,
    pub unsupported: Vec<Unsupported>,
    /// Estimated share of what there is to explore, 0 to 1.
    pub explored: Option<f64>,
    /// The path that was run last, as far as it was.
    pub last: Route,
    /// Where to go on later, if the search was ended early and the strategy can.
    pub frontier: Option<Vec<u64>>,
}

impl Outcome {
    /// Adds what another search of the same program has counted, as far as strategies count.
    pub fn add_counts(&mut self, other: &Outcome) {
        self.schedules += other.schedules;
        self.extra += other.extra;
        self.blocked += other.blocked;
    }
}

/// What an earlier part of a search has found out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Earlier {
    /// Counts and bounds; without the errors.
    pub(crate) so_far: Outcome,
    pub(crate) found: Vec<Found>,
    pub(crate) over: bool,
}

impl Earlier {
    /// The bounds that ended it do not end what follows; those that cut paths short do
    /// count.
    pub fn new(mut outcome: Outcome) -> Earlier {
        let found = std::mem::take(&mut outcome.found);
        let cuts = |bound: &Bound| matches!(bound, Bound::Depth | Bound::Steps);
        outcome.bounds.retain(cuts);
        outcome.frontier = None;
        Earlier {
            so_far: outcome,
            found,
            over: false,
        }
    }

    /// A search with nothing left to explore: only its errors are found again.
    pub fn over(outcome: Outcome) -> Earlier {
        Earlier {
            over: true,
            ..Earlier::new(outcome)
        }
    }
}

/// An error and how to get there.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    pub finding: Finding,
    pub route: Route,
    /// Schedules explored when it was found.
    pub index: u64,
    /// The route was run again from the start and gave the same error.
    pub confirmed: bool,
    /// How many of the schedules that were counted showed it, if the search keeps going.
    pub times: u64,
}

/// Something that the machine lacks, met on some path.
#[derive(Clone, PartialEq, Debug)]
pub struct Unsupported {
    pub what: String,
    pub route: Route,
}

/// A path from the start of the program: where the machine had to stop, and what was
/// taken there. Running it again gives the same execution.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Route {
    /// The stops of the run before the first choice.
    pub first: OpMask,
    pub taken: Vec<Taken>,
    /// How the execution ended after that; `None` if there was another choice.
    pub end: Option<End>,
    /// Where it came back to in the end: the choices from this one on may be taken again
    /// and again.
    pub round: Option<usize>,
}

/// One choice of a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    pub pick: Pick,
    /// What that option was.
    pub choice: Choice,
    /// The stops of the run after it.
    pub stops: OpMask,
}

/// What can end a search, or a path, early.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Bound {
    Schedules,
    Time,
    Depth,
    Steps,
    /// There is not enough for what the search has to remember.
    Memory,
    /// The user interrupted it.
    Interrupt,
    /// An error was found and the search was to end there.
    Error,
}

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Progress {
    pub schedules: u64,
    pub extra: u64,
    pub blocked: u64,
    pub choice_points: u64,
    pub depth: usize,
    pub work: u64,
    pub found: usize,
    /// Estimated number of schedules in all.
    pub size: Option<Estimate>,
    /// Estimated share of what there is to explore, 0 to 1.
    pub explored: Option<f64>,
}
