//! The strategies, one file each, and their names.
//!
//! To add one: a file, and a line in [`STRATEGIES`] and in [`named`].

mod blocks;
mod bounded;
mod dfs;
mod dpor;
mod exit_block;
mod exit_block_rw;
mod follow;
mod footprint;
mod happens;
mod lock_cycles;
mod lru;
mod pct;
mod pos;
mod random;
mod replay;
mod rr;
mod sampling;
mod section;
mod states;
mod word;

pub use blocks::Blocks;
pub use bounded::{Bounded, Cost};
pub use dfs::Dfs;
pub use dpor::Dpor;
pub use exit_block::{EveryOrder, ExitBlock};
pub use exit_block_rw::{DependentOrders, ExitBlockRw};
pub use follow::{Follow, PlaceKind};
pub use lru::LeastRecent;
pub use pct::Pct;
pub use pos::Pos;
pub use random::Random;
pub use replay::{Diverged, Replay};
pub use rr::RoundRobin;
pub use section::Section;
pub use states::States;

use heddle_model::{OpMask, Strategy};

/// The names of the strategies that need nothing but settings, and what they explore.
pub const STRATEGIES: &[(&str, &str)] = &[
    (
        "dpor",
        "one order of visible operations for each that makes a difference",
    ),
    ("exitblock", "every order of atomic blocks"),
    (
        "exitblock-rw",
        "orders of atomic blocks that depend on each other",
    ),
    ("dfs", "every order of visible operations"),
    (
        "dfs-blocks",
        "every order of atomic blocks, without undoing blocked ones",
    ),
    (
        "random",
        "random orders of visible operations, until a bound is hit",
    ),
    (
        "pct",
        "random priorities that change a few times, until a bound is hit",
    ),
    (
        "pos",
        "random priorities of operations, drawn again after a race, until a bound is hit",
    ),
    ("rr", "one schedule: round robin"),
    (
        "lru",
        "one schedule: always the thread that has not run for the longest time",
    ),
];

/// Whether a strategy looks at a sample of the schedules only.
pub fn is_sampling(name: &str) -> bool {
    matches!(name, "random" | "pct" | "pos" | "rr" | "lru")
}

/// What a strategy may be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    pub seed: u64,
    /// States that were met before are not explored again.
    pub match_states: bool,
    /// Where the machine stops besides where the strategy says.
    pub stops: OpMask,
    /// The depth of the errors that `pct` looks for.
    pub pct_depth: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            match_states: false,
            seed: 0,
            stops: OpMask::NONE,
            pct_depth: 3,
        }
    }
}

/// Somebody who uses a strategy without knowing which one, compiled for each of them: a
/// call per event through a pointer would cost more than what most strategies do there.
pub trait Use {
    type Result;
    fn with<S: Strategy>(self, strategy: S) -> Self::Result;
}

/// Uses the strategy of this name; `None` if there is none.
pub fn named<U: Use>(name: &str, settings: &Settings, user: U) -> Option<U::Result> {
    Some(match name {
        "dpor" if settings.stops.has(OpMask::TIMEOUTS) => {
            user.with(Dpor::new().with_early_timeouts())
        }
        "dpor" => user.with(Dpor::new()),
        "exitblock" => user.with(ExitBlock::new()),
        "exitblock-rw" => user.with(ExitBlockRw::new()),
        "dfs" if settings.match_states => user.with(States::new()),
        "dfs-blocks" if settings.match_states => user.with(States::of_blocks()),
        "dfs" => user.with(Dfs::new()),
        "dfs-blocks" => user.with(Dfs::of_blocks()),
        "random" => user.with(Random::new(settings.seed)),
        "pct" => user.with(Pct::new(settings.seed, settings.pct_depth)),
        "pos" => user.with(Pos::new(settings.seed)),
        "rr" => user.with(RoundRobin::new()),
        "lru" => user.with(LeastRecent::new()),
        _ => return None,
    })
}

/// Where the machine stops under the strategy of this name, when it begins.
pub fn stops(name: &str) -> Option<OpMask> {
    struct Stops;
    impl Use for Stops {
        type Result = OpMask;
        fn with<S: Strategy>(self, strategy: S) -> OpMask {
            strategy.stops()
        }
    }
    named(name, &Settings::default(), Stops)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl Use for Nothing {
        type Result = ();
        fn with<S: Strategy>(self, _: S) {}
    }

    #[test]
    fn every_name_is_known() {
        for (name, _) in STRATEGIES {
            assert!(
                named(name, &Settings::default(), Nothing).is_some(),
                "{name}"
            );
        }
        assert!(named("quantum", &Settings::default(), Nothing).is_none());
    }
}
