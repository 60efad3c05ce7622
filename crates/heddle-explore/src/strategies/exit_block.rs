//! ExitBlock: every order of atomic blocks (Rivet, sections 2.3 and 2.5; with the lock
//! cycles and condition deadlocks that Rivet calls ExitBlock-DD).
//!
//! A delayed thread is enabled again after one block of another: it was delayed only so
//! that the same order is not explored twice. What the two algorithms share, the
//! deviations from Rivet included, is in `blocks`.
//!
//! Reads and writes are not looked at, so a blocked thread is tried again after every
//! block.

use super::blocks::{Blocks, Rule, Wake};
use super::footprint::{Block, Footprints};
use heddle_model::EventMask;

pub type ExitBlock = Blocks<EveryOrder>;

/// The rule of ExitBlock.
#[derive(Clone, Copy, Debug)]
pub struct EveryOrder;

impl Rule for EveryOrder {
    const ACCESSES: EventMask = EventMask::NONE;

    fn wake(_: &Footprints, _: &Block, _: &Block) -> Wake {
        Wake::Yes
    }

    fn retry(_: &Footprints, _: &Block, _: &Block) -> bool {
        true
    }
}
