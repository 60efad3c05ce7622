//! Paths that are no part of the search: they run into a deadlock that it has seen
//! coming, so that the detectors see it too.

use super::super::lock_cycles::Cycle;
use super::{Blocks, Rule};
use heddle_model::{Choice, ChoicePoint, Decision, Next, Over, Pause, PendingOp, Pick};

/// What else a path can be for than the search itself.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Detour {
    None,
    /// Everybody is let run into the lock that stops him.
    Drain,
    /// A predicted cycle is waiting to be confirmed from the node at this depth.
    Planned(usize, Cycle),
    /// It is being confirmed: so many of the threads were brought before their locks, one by
    /// one. A call does not stop before a lock that is free, so one that wants it in a call
    /// has to come last, when it is taken: the cycle has been turned so many times.
    Approach(usize, Cycle, usize, usize),
    /// All are there, and so many have run into them.
    Close(Cycle, usize),
}

impl<R: Rule> Blocks<R> {
    pub(super) fn detour_choose(&mut self, at: &ChoicePoint<'_>, depth: usize) -> Decision {
        match &mut self.detour {
            Detour::None | Detour::Planned(..) => unreachable!("not on a detour"),
            Detour::Drain => match at.pause {
                Pause::Blocked(_) => Decision::Last(Pick(0)),
                _ => self.prune(),
            },
            Detour::Approach(from, cycle, reached, _) => {
                if depth > *from {
                    let wanted = cycle[*reached].lock;
                    match at.pause {
                        Pause::Before(PendingOp::Lock(lock) | PendingOp::LockWithin(lock))
                            if lock == wanted =>
                        {
                            *reached += 1
                        }
                        Pause::Blocked(lock) if lock == wanted => *reached += 1,
                        Pause::Before(_) | Pause::Slice => {}
                        Pause::Notify(_) => return Decision::Last(Pick(0)),
                        _ => return self.prune(),
                    }
                }
                if *reached == cycle.len() {
                    self.detour = Detour::Close(std::mem::take(cycle), 0);
                    return self.detour_choose(at, depth);
                }
                let stand = cycle[*reached];
                let begun = depth > *from && at.by == stand.choice.thread();
                let choice = if begun {
                    Choice::Run(at.by)
                } else {
                    stand.choice
                };
                self.take_or_prune(at, choice)
            }
            Detour::Close(cycle, closed) => {
                // Those that ran into a lock that was taken already cannot run any more.
                while let Some(stand) = cycle.get(*closed) {
                    *closed += 1;
                    let choice = Choice::Run(stand.choice.thread());
                    if let Some(pick) = at.options.iter().position(|c| *c == choice) {
                        return Decision::Last(Pick(pick));
                    }
                }
                let cycle = std::mem::take(cycle);
                if matches!(at.pause, Pause::Blocked(_)) {
                    self.cycles.confirm(&cycle);
                }
                self.prune()
            }
        }
    }

    pub(super) fn take_or_prune(&mut self, at: &ChoicePoint<'_>, choice: Choice) -> Decision {
        match at.options.iter().position(|c| *c == choice) {
            Some(pick) => Decision::Last(Pick(pick)),
            None => self.prune(),
        }
    }

    /// A detour is over; where the search goes on.
    pub(super) fn detour_over(&mut self, over: &Over) -> Next {
        let detour = std::mem::replace(&mut self.detour, Detour::None);
        match detour {
            Detour::Planned(depth, cycle) => {
                self.return_to(depth);
                self.detour = Detour::Approach(depth, cycle, 0, 0);
                Next::Backtrack { depth }
            }
            Detour::Approach(depth, mut cycle, _, turns) if turns + 1 < cycle.len() => {
                cycle.rotate_left(1);
                self.return_to(depth);
                self.detour = Detour::Approach(depth, cycle, 0, turns + 1);
                Next::Backtrack { depth }
            }
            Detour::Close(cycle, _) => {
                if matches!(over, Over::Stuck(Pause::Blocked(_))) {
                    self.cycles.confirm(&cycle);
                }
                self.back_up()
            }
            Detour::None | Detour::Drain | Detour::Approach(..) => self.back_up(),
        }
    }
}
