//! Exhaustive searches by an increasing bound: all schedules with no preemption, then those
//! with one, and so on (Musuvathi, Qadeer: Iterative context bounding, PLDI 2007); or with so
//! many delays of a deterministic scheduler (Emmi, Qadeer, Rakamarić: Delay-bounded
//! scheduling, POPL 2011); or with so many context switches, which is what the shortest
//! counterexamples are looked for with.
//!
//! A *preemption* takes the turn from a thread that could go on. A *delay* skips a thread
//! whose turn it is: the scheduler lets the running thread go on while it can, and then the
//! next one by number. A *switch* is whenever another thread goes on than the one that ran.
//! Which thread a notification wakes costs nothing.
//!
//! For each bound the search is a depth-first one, cheapest options first. With
//! [`Bounded::merging`] a state that was reached before in another order of steps that do not
//! depend on each other, at no higher cost, is not explored again (see `happens`); the table
//! of states has a limit, beyond which nothing is added. Without, every schedule is run, and
//! counted under the smallest bound that allows it.
//!
//! Departure: a schedule within a smaller bound is run again under each larger one. There
//! are many more of those with one more.

use super::happens::{Happened, Mixed, Moment};
use heddle_model::{
    Choice, ChoicePoint, Decision, Event, EventMask, Next, OpMask, Over, Pause, Pick, Strategy,
    View,
};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// The strategy.
#[derive(Clone, Debug)]
pub struct Bounded {
    stops: OpMask,
    cost: Cost,
    most: u32,
    /// The present bound.
    bound: u32,
    /// By depth.
    nodes: Vec<Node>,
    /// The options of the nodes that are within the bound, and what is spent with them.
    options: Vec<(u32, u32)>,
    /// What the present path has cost.
    spent: u32,
    /// Something was beyond the present bound.
    beyond: bool,
    merging: Option<Merging>,
    schedules: u64,
}

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cost {
    Preemptions,
    Delays,
    Switches,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The options of this node begin here; this one is taken.
    from: u32,
    taken: u32,
    moment: Option<Moment>,
}

/// States that were reached, by digest, and at what cost.
#[derive(Clone, Debug, Default)]
struct Merging {
    happened: Happened,
    reached: HashMap<u64, u32, BuildHasherDefault<Mixed>>,
}

/// States that are remembered.
const STATES: usize = 4 << 20;

impl Bounded {
    /// Every order of the steps between these stops, up to a cost.
    pub fn new(cost: Cost, most: u32, stops: OpMask) -> Bounded {
        Bounded {
            stops: stops.and(OpMask::NOTIFY),
            cost,
            most,
            bound: 0,
            nodes: Vec::new(),
            options: Vec::new(),
            spent: 0,
            beyond: false,
            merging: None,
            schedules: 0,
        }
    }

    /// States that were reached before are not explored again.
    pub fn merging(mut self) -> Bounded {
        self.merging = Some(Merging::default());
        self
    }

    /// The bound that is being explored.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    fn arrive(&mut self, at: &ChoicePoint<'_>) -> bool {
        let within = matches!(at.pause, Pause::Notify(_));
        let mut moment = None;
        if let Some(Merging { happened, reached }) = &mut self.merging {
            if !within {
                happened.step(at.by);
                if let Some(digest) = happened.digest(at.by) {
                    let room = reached.len() < STATES;
                    match reached.get_mut(&digest) {
                        Some(least) if *least <= self.spent => return false,
                        Some(least) => *least = self.spent,
                        None if room => drop(reached.insert(digest, self.spent)),
                        None => {}
                    }
                }
            }
            moment = Some(happened.now());
        }
        let from = self.options.len() as u32;
        self.list(at);
        self.nodes.push(Node {
            from,
            taken: from,
            moment,
        });
        true
    }

    /// Lists the options that are within the bound, the cheapest first.
    fn list(&mut self, at: &ChoicePoint<'_>) {
        let from = self.options.len();
        let own = at.options.iter().position(|c| *c == Choice::Run(at.by));
        if let (Pause::Slice, Some(own)) = (at.pause, own) {
            // A used-up slice is no choice of the program's.
            return self.options.push((own as u32, self.spent));
        }
        let free = matches!(at.pause, Pause::Notify(_));
        for (i, option) in at.options.iter().enumerate() {
            let cost = match self.cost {
                _ if free => 0,
                Cost::Preemptions => u32::from(own.is_some_and(|own| own != i)),
                Cost::Switches => u32::from(option.thread() != at.by),
                Cost::Delays => turn(at, i),
            };
            match self.spent + cost <= self.bound {
                true => self.options.push((i as u32, self.spent + cost)),
                false => self.beyond = true,
            }
        }
        self.options[from..].sort_by_key(|(_, spent)| *spent);
    }

    fn back_up(&mut self) -> Next {
        while let Some(node) = self.nodes.last_mut() {
            if (node.taken as usize) + 1 < self.options.len() {
                node.taken += 1;
                if let (Some(merging), Some(moment)) = (&mut self.merging, node.moment) {
                    merging.happened.back_to(moment);
                }
                let depth = self.nodes.len() - 1;
                return Next::Backtrack { depth };
            }
            self.options.truncate(node.from as usize);
            self.nodes.pop();
        }
        if !self.beyond || self.bound >= self.most {
            return Next::Done;
        }
        self.bound += 1;
        self.beyond = false;
        self.spent = 0;
        if let Some(merging) = &mut self.merging {
            *merging = Merging::default();
        }
        Next::Restart
    }
}

/// How many come before an option when the running thread goes first and the others follow
/// by number.
fn turn(at: &ChoicePoint<'_>, option: usize) -> u32 {
    let rank = |c: &Choice| {
        let late = matches!(c, Choice::Timeout(_) | Choice::Spurious(_));
        (late, c.thread().0.wrapping_sub(at.by.0))
    };
    let mine = rank(&at.options[option]);
    at.options.iter().filter(|c| rank(c) < mine).count() as u32
}

impl Strategy for Bounded {
    fn stops(&self) -> OpMask {
        self.stops
    }

    fn wants(&self) -> EventMask {
        match self.merging {
            Some(_) => Happened::WANTS,
            None => EventMask::NONE,
        }
    }

    fn event(&mut self, event: &Event, _: &dyn View, _: usize) {
        if let Some(merging) = &mut self.merging {
            merging.happened.event(event);
        }
    }

    fn choose(&mut self, at: &ChoicePoint<'_>, _: &dyn View, depth: usize) -> Decision {
        if depth == self.nodes.len() && !self.arrive(at) {
            return Decision::Prune;
        }
        let node = self.nodes[depth];
        let last = node.taken as usize + 1 == self.options.len();
        let Some(&(pick, spent)) = self.options.get(node.taken as usize) else {
            // Every way on costs more than there is.
            return Decision::Prune;
        };
        self.spent = spent;
        if let Some(merging) = &mut self.merging {
            merging.happened.choose(at.options[pick as usize]);
        }
        match last {
            true => Decision::Last(Pick(pick as usize)),
            false => Decision::Take(Pick(pick as usize)),
        }
    }

    fn next(&mut self, over: &Over) -> Next {
        if *over != Over::Pruned && self.spent == self.bound {
            self.schedules += 1;
        }
        self.back_up()
    }

    fn schedules(&self) -> u64 {
        self.schedules
    }

    fn left(&self, depth: usize) -> Option<usize> {
        let Some(node) = self.nodes.get(depth) else {
            return Some(0);
        };
        let next = self.nodes.get(depth + 1);
        let end = next.map_or(self.options.len(), |n| n.from as usize);
        Some(end.saturating_sub(node.taken as usize + 1))
    }

    /// Nothing was beyond the last bound.
    fn complete(&self) -> bool {
        !self.beyond
    }
}
