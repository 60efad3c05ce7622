//! Follows a route that was recorded, and says where the program went another way.
//!
//! Past the end of the route the first option is taken, the running thread's own if it
//! has one: what is left to happen after an error is not part of its route.

use crate::{Route, Taken};
use heddle_model::{Choice, ChoicePoint, Decision, Next, OpMask, Over, Pick, Strategy, View};

#[derive(Clone, Debug)]
pub struct Replay {
    route: Route,
    /// Choices followed.
    at: usize,
    /// Whether to go on past the end of the route.
    beyond: bool,
    diverged: Option<Diverged>,
    schedules: u64,
}

/// Where the program went another way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diverged {
    /// Which choice of the route it was.
    pub depth: usize,
    /// What was to be taken.
    pub wanted: Taken,
    /// What there was instead; nothing if the program had ended.
    pub options: Vec<Choice>,
}

impl Replay {
    /// Follows a route to its end, and the program to its own if `beyond`.
    pub fn new(route: Route, beyond: bool) -> Replay {
        Replay {
            route,
            at: 0,
            beyond,
            diverged: None,
            schedules: 0,
        }
    }

    pub fn diverged(&self) -> Option<&Diverged> {
        self.diverged.as_ref()
    }
}

impl Strategy for Replay {
    fn stops(&self) -> OpMask {
        match self.at.checked_sub(1) {
            None => self.route.first,
            Some(last) => self.route.taken.get(last).map_or(OpMask::NONE, |t| t.stops),
        }
    }

    fn choose(&mut self, at: &ChoicePoint<'_>, _: &dyn View, depth: usize) -> Decision {
        self.at = depth + 1;
        let Some(wanted) = self.route.taken.get(depth) else {
            if !self.beyond {
                return Decision::Prune;
            }
            let own = at.options.iter().position(|c| *c == Choice::Run(at.by));
            return Decision::Last(Pick(own.unwrap_or(0)));
        };
        match at.options.iter().position(|c| *c == wanted.choice) {
            Some(pick) => Decision::Last(Pick(pick)),
            None => {
                let options = at.options.to_vec();
                self.diverged = Some(Diverged {
                    depth,
                    wanted: *wanted,
                    options,
                });
                Decision::Prune
            }
        }
    }

    fn next(&mut self, over: &Over) -> Next {
        self.schedules += 1;
        if *over != Over::Pruned && self.at < self.route.taken.len() && self.diverged.is_none() {
            let wanted = self.route.taken[self.at];
            self.diverged = Some(Diverged {
                depth: self.at,
                wanted,
                options: Vec::new(),
            });
        }
        Next::Done
    }

    fn schedules(&self) -> u64 {
        self.schedules
    }

    fn complete(&self) -> bool {
        false
    }
}
