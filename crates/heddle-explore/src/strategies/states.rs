//! Depth-first search over states (`--strategy dfs --match-states`): what follows a state is
//! explored once, however many schedules lead to it.
//!
//! Programs that run for ever over finitely many states come to an end here. A path that
//! comes back to a state of its own has gone round a cycle. The cycle is a livelock if a
//! scheduler that forgets nobody can stay in it: every thread that could go on somewhere on
//! the way round does so at least once. (The others starve a thread, for instance one that
//! wants a lock and never gets the turn while it is free; no scheduler that leaves anything
//! to chance does that for ever.)
//!
//! A cycle may be fair only when it is put together from several that are not. So the
//! strongly connected components are kept too, by Tarjan's algorithm: if one as a whole is
//! fair although no round in it was, the search says that it is not complete.
//!
//! Many such loops come to an end sooner or later, if threads take their turns by chance: two
//! that try to take two locks each and give way to each other. Who asks for *inevitable* ones
//! only ([`States::inevitable`]) is told of components that nothing leads out of. Whether one is
//! such is known when it has been explored, so then it is explored once more.
//!
//! Sound for whatever depends on the state alone: outputs aside, the ends of the program,
//! its exceptions, deadlocks, invariants. Detectors that look at how a state came about
//! (races, lock orders, lock discipline) only see the paths that are run.

use heddle_model::{
    ChoicePoint, Decision, Next, OpMask, Over, Pause, Pick, Strategy, ThreadId, View,
};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// See the module.
#[derive(Debug)]
pub struct States {
    stops: OpMask,
    /// The present path.
    nodes: Vec<Node>,
    seen: HashMap<u128, Place, BuildHasherDefault<AsItIs>>,
    /// States whose component is not complete, in the order in which they were found.
    open: Vec<u128>,
    found: u32,
    schedules: u64,
    /// Components in which a fair scheduler can stay, without a round that shows it.
    unshown: u64,
    /// Only components that nothing leads out of count, and the first state of the one that is
    /// explored once more.
    inevitable: bool,
    again: Option<u128>,
}

/// Where a state is that was met before.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// When it was found.
    number: u32,
    /// Its depth, while it is on the path.
    depth: Option<u32>,
    /// Its component is not complete.
    open: bool,
}

#[derive(Debug)]
struct Node {
    pick: u32,
    /// The pick that it began with.
    first: u32,
    options: u32,
    /// Who goes on with each of the options.
    threads: Box<[ThreadId]>,
    state: u128,
    number: u32,
    /// The earliest open state that can be reached.
    low: u32,
    /// What is known of its component: who moves in it, who can go on somewhere, and
    /// whether a livelock was reported.
    moves: Vec<ThreadId>,
    can: Vec<ThreadId>,
    shown: bool,
    /// Something leads out of it.
    leads_out: bool,
}

impl States {
    /// Over the states before visible operations.
    pub fn new() -> States {
        States::with(OpMask::VISIBLE)
    }

    /// Over the states between atomic blocks.
    pub fn of_blocks() -> States {
        States::with(OpMask::BLOCK_END)
    }

    /// Loops are told only if no schedule leaves them.
    pub fn inevitable(mut self) -> States {
        self.inevitable = true;
        self
    }

    /// Whether a fair round is to be told.
    fn tells(&self) -> bool {
        !self.inevitable || self.again.is_some()
    }

    fn with(stops: OpMask) -> States {
        States {
            stops: stops.and(OpMask::NOTIFY).and(OpMask::STATE),
            nodes: Vec::new(),
            seen: HashMap::default(),
            open: Vec::new(),
            found: 0,
            schedules: 0,
            unshown: 0,
            inevitable: false,
            again: None,
        }
    }

    /// A state that nobody has been in.
    fn enter(&mut self, state: u128, at: &ChoicePoint<'_>) {
        let slice = at.pause == Pause::Slice;
        let own = at.options.iter().position(|c| c.thread() == at.by);
        let (pick, options) = match (slice, own) {
            // A used-up slice is no choice of the program's.
            (true, Some(own)) => (own as u32, own as u32 + 1),
            _ => (0, at.options.len() as u32),
        };
        let threads: Box<[ThreadId]> = at.options.iter().map(|c| c.thread()).collect();
        let place = Place {
            number: self.found,
            depth: Some(self.nodes.len() as u32),
            open: true,
        };
        self.seen.insert(state, place);
        self.open.push(state);
        self.nodes.push(Node {
            pick,
            first: pick,
            options,
            can: threads.to_vec(),
            threads,
            state,
            number: self.found,
            low: self.found,
            moves: Vec::new(),
            shown: false,
            leads_out: false,
        });
        self.found += 1;
    }

    /// The last step led to a state that was met before.
    fn meet(&mut self, place: Place) -> Decision {
        let fair = self.tells() && place.depth.is_some_and(|since| self.is_fair(since));
        let last = self.nodes.last_mut().expect("the first state is new");
        if place.open {
            last.low = last.low.min(place.number);
            last.moves_in(last.threads[last.pick as usize]);
            last.shown |= fair;
        } else {
            last.leads_out = true;
        }
        match place.depth {
            Some(since) if fair => Decision::Cycle {
                since: since as usize,
            },
            _ => Decision::Prune,
        }
    }

    /// Whether everybody who can go on somewhere on the way round from this depth does so.
    fn is_fair(&self, since: u32) -> bool {
        let round = &self.nodes[since as usize..];
        let moves = |thread| round.iter().any(|n| n.threads[n.pick as usize] == thread);
        let mut can = round.iter().flat_map(|n| n.threads.iter());
        can.all(|&thread| moves(thread))
    }

    /// All that follows the last state of the path was explored. Whether it is to be explored
    /// once more.
    fn leave(&mut self) -> bool {
        let mut node = self.nodes.pop().expect("a state to leave");
        if let Some(place) = self.seen.get_mut(&node.state) {
            place.depth = None;
        }
        if node.low < node.number {
            let above = self.nodes.last_mut().expect("an earlier state is open");
            above.low = above.low.min(node.low);
            above.shown |= node.shown;
            above.leads_out |= node.leads_out;
            above.moves_in(above.threads[above.pick as usize]);
            node.moves.iter().for_each(|&t| above.moves_in(t));
            for thread in node.can {
                if !above.can.contains(&thread) {
                    above.can.push(thread);
                }
            }
            return false;
        }
        let fair = node.can.iter().all(|t| node.moves.contains(t));
        let stays = !node.moves.is_empty() && fair;
        let counts = stays && !(self.inevitable && node.leads_out);
        let more = counts && !self.tells();
        if counts && self.tells() && !node.shown {
            self.unshown += 1;
        }
        while let Some(state) = self.open.pop() {
            if more {
                self.seen.remove(&state);
            } else if let Some(place) = self.seen.get_mut(&state) {
                place.open = false;
            }
            if state == node.state {
                break;
            }
        }
        if let Some(above) = self.nodes.last_mut() {
            above.leads_out = true;
        }
        if self.again == Some(node.state) {
            self.again = None;
        } else if more {
            self.again = Some(node.state);
            let place = Place {
                number: node.number,
                depth: Some(self.nodes.len() as u32),
                open: true,
            };
            self.seen.insert(node.state, place);
            self.open.push(node.state);
            node.pick = node.first;
            (node.low, node.shown) = (node.number, false);
            node.moves.clear();
            self.nodes.push(node);
        }
        more
    }
}

impl Node {
    fn moves_in(&mut self, thread: ThreadId) {
        if !self.moves.contains(&thread) {
            self.moves.push(thread);
        }
    }
}

impl Default for States {
    fn default() -> Self {
        States::new()
    }
}

impl Strategy for States {
    fn stops(&self) -> OpMask {
        self.stops
    }

    fn choose(&mut self, at: &ChoicePoint<'_>, view: &dyn View, depth: usize) -> Decision {
        if depth == self.nodes.len() {
            let state = view.state();
            let state = state.expect("heddle internal error: the machine knows no states");
            match self.seen.get(&state) {
                Some(&place) => return self.meet(place),
                None => self.enter(state, at),
            }
        }
        let node = &self.nodes[depth];
        let pick = Pick(node.pick as usize);
        match node.pick + 1 < node.options {
            true => Decision::Take(pick),
            false => Decision::Last(pick),
        }
    }

    fn next(&mut self, over: &Over) -> Next {
        if *over != Over::Pruned {
            self.schedules += 1;
            if let Some(last) = self.nodes.last_mut() {
                last.leads_out = true;
            }
        }
        while let Some(node) = self.nodes.last_mut() {
            let more = node.pick + 1 < node.options;
            node.pick += u32::from(more);
            if more || self.leave() {
                return Next::Backtrack {
                    depth: self.nodes.len() - 1,
                };
            }
        }
        Next::Done
    }

    fn schedules(&self) -> u64 {
        self.schedules
    }

    fn complete(&self) -> bool {
        self.unshown == 0
    }
}

/// States are hashes already.
#[derive(Clone, Copy, Debug, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut word = [0; 8];
        let length = bytes.len().min(8);
        word[..length].copy_from_slice(&bytes[..length]);
        self.0 = u64::from_le_bytes(word);
    }
}
