//! The strategies, one file each, and their names.
//!
//! To add one: a file, and a line in [`STRATEGIES`] and in [`named`].

mod blocks;
mod dfs;
mod dpor;
mod exit_block;
mod exit_block_rw;
mod follow;
mod footprint;
mod lock_cycles;
mod random;
mod replay;
mod rr;
mod word;

pub use blocks::Blocks;
pub use dfs::Dfs;
pub use dpor::Dpor;
pub use exit_block::{EveryOrder, ExitBlock};
pub use exit_block_rw::{DependentOrders, ExitBlockRw};
pub use follow::{Follow, PlaceKind};
pub use random::Random;
pub use replay::{Diverged, Replay};
pub use rr::RoundRobin;

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
    ("rr", "one schedule: round robin"),
];

/// What a strategy may be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    pub seed: u64,
    /// Where the machine stops besides where the strategy says.
    pub stops: OpMask,
    /// For `dpor`: critical sections are tried in every order.
    pub plain_mutexes: bool,
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
        "dpor" => {
            let dpor = match settings.plain_mutexes {
                true => Dpor::with_plain_mutexes(),
                false => Dpor::new(),
            };
            match settings.stops.has(OpMask::TIMEOUTS) {
                true => user.with(dpor.with_early_timeouts()),
                false => user.with(dpor),
            }
        }
        "exitblock" => user.with(ExitBlock::new()),
        "exitblock-rw" => user.with(ExitBlockRw::new()),
        "dfs" => user.with(Dfs::new()),
        "dfs-blocks" => user.with(Dfs::of_blocks()),
        "random" => user.with(Random::new(settings.seed)),
        "rr" => user.with(RoundRobin::new()),
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
