//! Round robin: one schedule, in which each thread runs for a slice and the next one, by
//! number, follows (JNuke, section 5.1).
//!
//! The machine measures the slices. A thread goes on where it stops for another reason
//! and can.

use heddle_model::{
    ChoicePoint, Decision, Next, OpMask, Over, Pause, Pick, Strategy, ThreadId, View,
};

#[derive(Clone, Debug, Default)]
pub struct RoundRobin {
    schedules: u64,
    /// There was a choice that could have been made in another way.
    chose: bool,
}

impl RoundRobin {
    pub fn new() -> RoundRobin {
        RoundRobin::default()
    }
}

impl Strategy for RoundRobin {
    fn stops(&self) -> OpMask {
        OpMask::NONE
    }

    fn choose(&mut self, at: &ChoicePoint<'_>, _: &dyn View, _: usize) -> Decision {
        self.chose |= at.options.len() > 1;
        let from = match at.pause {
            Pause::Slice | Pause::Waiting | Pause::ThreadEnd | Pause::Blocked(_) => {
                ThreadId(at.by.0 + 1)
            }
            Pause::BlockEnd | Pause::Before(_) | Pause::Arrived(_) => at.by,
            Pause::Notify(_) => ThreadId(0),
        };
        let later = at
            .options
            .iter()
            .enumerate()
            .filter(|(_, c)| c.thread() >= from);
        let next = later.min_by_key(|(_, c)| c.thread());
        let first = || {
            at.options
                .iter()
                .enumerate()
                .min_by_key(|(_, c)| c.thread())
        };
        let (pick, _) = next.or_else(first).expect("options are never empty");
        Decision::Last(Pick(pick))
    }

    fn next(&mut self, _: &Over) -> Next {
        self.schedules += 1;
        Next::Done
    }

    fn schedules(&self) -> u64 {
        self.schedules
    }

    fn complete(&self) -> bool {
        !self.chose
    }

    /// There is nowhere to go on but at the beginning.
    fn frontier(&self) -> Option<Vec<u64>> {
        Some(vec![FRONTIER])
    }

    fn resume(&mut self, frontier: &[u64]) -> bool {
        frontier == [FRONTIER]
    }
}

/// The only word of a frontier of this search.
const FRONTIER: u64 = 0x0002_0001;
