//! Random schedules: at every visible operation each option is as likely as any other.
//!
//! No schedule is as likely as another: one with many choices is rarer. What the other
//! samplers do about it is in `pct.rs` and `pos.rs`.

use super::sampling::{Dice, Policy, Sampling};
use heddle_model::ChoicePoint;

/// The strategy.
pub type Random = Sampling<Walk>;

/// Each option is as likely as any other.
#[derive(Clone, Copy, Debug)]
pub struct Walk;

impl Random {
    pub fn new(seed: u64) -> Random {
        Sampling::with(Walk, seed)
    }
}

impl Policy for Walk {
    const FRONTIER: u64 = 0x7a9d_0002;
    const UNIFORM: bool = true;

    fn pick(&mut self, at: &ChoicePoint<'_>, dice: &mut Dice) -> usize {
        dice.below(at.options.len())
    }
}
