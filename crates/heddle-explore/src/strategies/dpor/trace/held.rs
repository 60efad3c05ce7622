//! The locks that threads held before each step of the path, and who: kept with the steps, so that
//! whoever leaves out a step from a path need not follow the locks from its beginning.

use super::{Step, Trace};

/// What was held before a step: a range of [`Holdings`].
pub(super) type Holding = (u32, u32);

/// Locks and who held them. A step after one that used no lock has the range of that one.
#[derive(Clone, Debug, Default)]
pub(super) struct Holdings {
    all: Vec<(u32, u32)>,
}

impl Holdings {
    pub fn of(&self, (from, to): Holding) -> &[(u32, u32)] {
        &self.all[from as usize..to as usize]
    }

    /// Takes away what is younger than the last step of the path.
    pub fn back_to(&mut self, last: Option<&Step>) {
        let top = last.map_or(0, |step| step.held.1);
        self.all.truncate(top as usize);
    }
}

impl Trace {
    /// What is held before the step that comes next.
    pub(super) fn hold(&mut self) -> Holding {
        self.hold_after(self.steps.len())
    }

    /// What is held after so many steps.
    fn hold_after(&mut self, steps: usize) -> Holding {
        let all = &mut self.holdings.all;
        let from = all.len();
        let Some(last) = steps.checked_sub(1).map(|at| &self.steps[at]) else {
            all.extend_from_slice(&self.had);
            return (from as u32, all.len() as u32);
        };
        let (first_use, end) = last.uses;
        if first_use == end {
            return last.held;
        }
        all.extend_from_within(last.held.0 as usize..last.held.1 as usize);
        for used in &self.uses[first_use as usize..end as usize] {
            let holds = (used.lock, last.thread);
            if used.takes {
                all.push(holds);
                continue;
            }
            let mut kept = from;
            for at in from..all.len() {
                if all[at] != holds {
                    all[kept] = all[at];
                    kept += 1;
                }
            }
            all.truncate(kept);
        }
        (from as u32, all.len() as u32)
    }

    /// Follows the locks of the path anew: it was found out that one had been held before its
    /// beginning.
    #[cold]
    pub(super) fn hold_again(&mut self) {
        self.holdings.all.clear();
        for at in 0..self.steps.len() {
            self.steps[at].held = self.hold_after(at);
        }
    }
}
