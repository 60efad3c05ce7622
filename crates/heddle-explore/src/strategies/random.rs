//! Random schedules: at every visible operation each option is as likely as any other.
//!
//! The schedule with number *n* depends on the seed and *n* alone, so a search can be
//! resumed, or shared among processes, by number. It ends when a bound ends it. It is
//! complete only if there was nothing to choose.

use heddle_model::{ChoicePoint, Decision, Next, OpMask, Over, Pick, Strategy, View};

#[derive(Clone, Debug)]
pub struct Random {
    stops: OpMask,
    seed: u64,
    state: u64,
    schedules: u64,
    chose: bool,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        let stops = OpMask::VISIBLE.and(OpMask::NOTIFY);
        let mut random = Random {
            stops,
            seed,
            state: 0,
            schedules: 0,
            chose: false,
        };
        random.begin();
        random
    }

    fn begin(&mut self) {
        self.state = self.seed ^ mix(self.schedules.wrapping_add(1));
    }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    fn draw(&mut self, below: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (((mix(self.state) as u128) * below as u128) >> 64) as usize
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Strategy for Random {
    fn stops(&self) -> OpMask {
        self.stops
    }

    fn choose(&mut self, at: &ChoicePoint<'_>, _: &dyn View, _: usize) -> Decision {
        let options = at.options.len();
        if options == 1 {
            return Decision::Last(Pick(0));
        }
        self.chose = true;
        Decision::Last(Pick(self.draw(options)))
    }

    fn next(&mut self, _: &Over) -> Next {
        self.schedules += 1;
        self.begin();
        if self.chose {
            Next::Restart
        } else {
            Next::Done
        }
    }

    fn schedules(&self) -> u64 {
        self.schedules
    }

    fn complete(&self) -> bool {
        !self.chose
    }

    fn frontier(&self) -> Option<Vec<u64>> {
        Some(vec![FRONTIER, self.seed, self.schedules])
    }

    fn resume(&mut self, frontier: &[u64]) -> bool {
        let [FRONTIER, seed, schedules] = *frontier else {
            return false;
        };
        (self.seed, self.schedules) = (seed, schedules);
        self.begin();
        true
    }
}

/// The first word of a frontier of this search.
const FRONTIER: u64 = 0x7a9d_0001;
