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
mod starters;
mod states;
mod word;

pub use blocks::Blocks;
pub use bounded::{Bounded, Cost};
pub use dfs::Dfs;
pub use dpor::Dpor;
pub(crate) use dpor::SharedTree;
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

use crate::Pool;
use heddle_model::{OpMask, Strategy};
use std::sync::Arc;

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
#[derive(Clone, Debug)]
pub struct Settings {
    pub seed: u64,
    /// States that were met before are not explored again.
    pub match_states: bool,
    /// Of loops over states, only those are told that no schedule leaves.
    pub inevitable: bool,
    /// Where the machine stops besides where the strategy says.
    pub stops: OpMask,
    /// For `dpor`: critical sections that share no data are left in one order.
    pub lazy_mutexes: bool,
    /// The depth of the errors that `pct` looks for.
    pub pct_depth: u32,
    /// Explore by an increasing bound of this, up to so many.
    pub bound: Option<(Cost, u32)>,
    /// What several workers share.
    pub pool: Option<Arc<Pool>>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            match_states: false,
            inevitable: false,
            lazy_mutexes: false,
            seed: 0,
            stops: OpMask::NONE,
            pct_depth: 3,
            bound: None,
            pool: None,
        }
    }
}

/// Somebody who uses a strategy without knowing which one, compiled for each of them: a
/// call per event through a pointer would cost more than what most strategies do there.
pub trait Use {
    type Result;
    fn with<S: Strategy>(self, strategy: S) -> Self::Result;
}

/// Uses the strategy of this name; `None` if there is none, or none with such a bound.
///
/// Those that are told of few events are used through a pointer: their users are compiled
/// once for all of them.
pub fn named<U: Use>(name: &str, settings: &Settings, user: U) -> Option<U::Result> {
    let seed = settings.seed;
    if let Some((cost, most)) = settings.bound {
        let bounded = |stops| Bounded::new(cost, most, stops);
        let mut strategy = match name {
            "dpor" => bounded(OpMask::VISIBLE).merging(),
            "dfs" => bounded(OpMask::VISIBLE),
            "dfs-blocks" => bounded(OpMask::BLOCK_END),
            _ => return None,
        };
        return Some(user.with(&mut strategy as &mut dyn Strategy));
    }
    Some(match name {
        "dpor" => {
            let mut strategy = match settings.lazy_mutexes {
                true => Dpor::lazy(),
                false => Dpor::new(),
            };
            if settings.stops.has(OpMask::TIMEOUTS) {
                strategy = strategy.with_early_timeouts();
            }
            if let Some(pool) = &settings.pool {
                strategy = strategy.sharing(pool.clone());
            }
            user.with(strategy)
        }
        "exitblock" => user.with(ExitBlock::new()),
        "exitblock-rw" => user.with(ExitBlockRw::new()),
        "dfs" if settings.match_states && settings.inevitable => {
            user.with(&mut States::new().inevitable() as &mut dyn Strategy)
        }
        "dfs" if settings.match_states => user.with(&mut States::new() as &mut dyn Strategy),
        "dfs-blocks" if settings.match_states => {
            user.with(&mut States::of_blocks() as &mut dyn Strategy)
        }
        "dfs" => user.with(Dfs::new()),
        "dfs-blocks" => user.with(Dfs::of_blocks()),
        "random" => user.with(&mut Random::new(seed).starters_first() as &mut dyn Strategy),
        "pct" => {
            user.with(&mut Pct::new(seed, settings.pct_depth).starters_first() as &mut dyn Strategy)
        }
        "pos" => user.with(&mut Pos::new(seed).starters_first() as &mut dyn Strategy),
        "rr" => user.with(&mut RoundRobin::new() as &mut dyn Strategy),
        "lru" => user.with(&mut LeastRecent::new() as &mut dyn Strategy),
        _ => return None,
    })
}

/// Whether several workers can share a search by the strategy of this name.
pub fn can_be_shared(name: &str) -> bool {
    matches!(
        name,
        "dpor" | "exitblock" | "exitblock-rw" | "dfs" | "dfs-blocks"
    )
}

/// Whether the strategy of this name has a variant by an increasing bound.
pub fn can_be_bounded(name: &str) -> bool {
    matches!(name, "dpor" | "dfs" | "dfs-blocks")
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
