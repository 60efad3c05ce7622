//! Depth-first search over all choices, without any reduction.
//!
//! Nothing is left out and nothing is clever: it is the oracle for the other strategies.
//! By default the machine stops before every visible operation; [`Dfs::of_blocks`] stops
//! it at the ends of atomic blocks instead.

use heddle_model::{ChoicePoint, Decision, Next, OpMask, Over, Pause, Pick, Strategy, View};

#[derive(Clone, Debug)]
pub struct Dfs {
    stops: OpMask,
    /// By depth: the option taken, and how many there are.
    nodes: Vec<(u32, u32)>,
    schedules: u64,
}

impl Dfs {
    /// Every order of visible operations.
    pub fn new() -> Dfs {
        Dfs::with(OpMask::VISIBLE)
    }

    /// Every order of atomic blocks.
    pub fn of_blocks() -> Dfs {
        Dfs::with(OpMask::BLOCK_END)
    }

    fn with(stops: OpMask) -> Dfs {
        Dfs {
            stops: stops.and(OpMask::NOTIFY),
            nodes: Vec::new(),
            schedules: 0,
        }
    }
}

impl Default for Dfs {
    fn default() -> Self {
        Dfs::new()
    }
}

impl Strategy for Dfs {
    fn stops(&self) -> OpMask {
        self.stops
    }

    fn choose(&mut self, at: &ChoicePoint<'_>, _: &dyn View, depth: usize) -> Decision {
        if depth == self.nodes.len() {
            // A used-up slice is no choice of the program's.
            let slice = at.pause == Pause::Slice;
            let own = at.options.iter().position(|c| c.thread() == at.by);
            match (slice, own) {
                (true, Some(own)) => self.nodes.push((own as u32, own as u32 + 1)),
                _ => self.nodes.push((0, at.options.len() as u32)),
            }
        }
        let node = &mut self.nodes[depth];
        node.1 = node.1.min(at.options.len() as u32);
        let (pick, options) = *node;
        let pick = Pick(pick as usize);
        if pick.0 + 1 < options as usize {
            Decision::Take(pick)
        } else {
            Decision::Last(pick)
        }
    }

    fn next(&mut self, _: &Over) -> Next {
        self.schedules += 1;
        while let Some((pick, options)) = self.nodes.last_mut() {
            if *pick + 1 < *options {
                *pick += 1;
                return Next::Backtrack {
                    depth: self.nodes.len() - 1,
                };
            }
            self.nodes.pop();
        }
        Next::Done
    }

    fn schedules(&self) -> u64 {
        self.schedules
    }

    fn complete(&self) -> bool {
        true
    }

    fn left(&self, depth: usize) -> Option<usize> {
        let node = self.nodes.get(depth);
        Some(node.map_or(0, |(pick, options)| (options - pick - 1) as usize))
    }

    fn frontier(&self) -> Option<Vec<u64>> {
        let mut words = vec![FRONTIER, self.schedules];
        words.extend(self.nodes.iter().map(|n| (n.0 as u64) << 32 | n.1 as u64));
        Some(words)
    }

    fn resume(&mut self, frontier: &[u64]) -> bool {
        let [FRONTIER, schedules, nodes @ ..] = frontier else {
            return false;
        };
        self.schedules = *schedules;
        self.nodes = nodes
            .iter()
            .map(|w| ((w >> 32) as u32, *w as u32))
            .collect();
        true
    }

    /// All that is left at the first choice that has anything left.
    fn split(&mut self) -> Option<Vec<u64>> {
        // The last one is where it goes on itself.
        let before = self.nodes.len().checked_sub(1)?;
        let left = |(pick, options): &(u32, u32)| pick + 1 < *options;
        let at = self.nodes[..before].iter().position(left)?;
        let mut words = vec![FRONTIER, 0];
        let above = self.nodes[..at].iter();
        words.extend(above.map(|n| (n.0 as u64) << 32 | (n.0 + 1) as u64));
        let (pick, options) = &mut self.nodes[at];
        words.push(u64::from(*pick + 1) << 32 | u64::from(*options));
        *options = *pick + 1;
        Some(words)
    }

    fn explore_part(&mut self, part: &[u64]) -> bool {
        self.resume(part)
    }
}

/// The first word of a frontier of this search.
const FRONTIER: u64 = 0xdf50_0001;
