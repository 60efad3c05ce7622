//! Least recently run: one schedule, in which at every visible operation the thread goes on
//! that has not run for the longest time (J-Serializer's list of strategies).
//!
//! A thread that has never run comes before all that have; among those, the one with the
//! smallest number.

use heddle_model::{
    ChoicePoint, Decision, Next, OpMask, Over, Pause, Pick, Strategy, ThreadId, View,
};

#[derive(Clone, Debug, Default)]
pub struct LeastRecent {
    /// By thread: the step in which it ran last, counted from 1.
    ran: Vec<u64>,
    step: u64,
    schedules: u64,
    /// There was a choice that could have been made in another way.
    chose: bool,
}

impl LeastRecent {
    pub fn new() -> LeastRecent {
        LeastRecent::default()
    }

    fn last_run(&self, thread: ThreadId) -> u64 {
        self.ran.get(thread.0 as usize).copied().unwrap_or(0)
    }
}

impl Strategy for LeastRecent {
    fn stops(&self) -> OpMask {
        OpMask::VISIBLE.and(OpMask::NOTIFY)
    }

    fn choose(&mut self, at: &ChoicePoint<'_>, _: &dyn View, _: usize) -> Decision {
        self.chose |= at.options.len() > 1;
        let slice = at.pause == Pause::Slice;
        let own = at.options.iter().position(|c| c.thread() == at.by);
        let pick = own.filter(|_| slice).unwrap_or_else(|| {
            let options = at.options.iter().enumerate();
            let age = |c: &heddle_model::Choice| (self.last_run(c.thread()), c.thread());
            let oldest = options.min_by_key(|(_, c)| age(c));
            oldest.expect("options are never empty").0
        });
        if !matches!(at.pause, Pause::Notify(_)) {
            let thread = at.options[pick].thread().0 as usize;
            if self.ran.len() <= thread {
                self.ran.resize(thread + 1, 0);
            }
            self.step += 1;
            self.ran[thread] = self.step;
        }
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
}
