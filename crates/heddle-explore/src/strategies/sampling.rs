//! What the strategies that sample have in common: schedules that are drawn one after the
//! other, until a bound ends the search.
//!
//! How a schedule is drawn is a [`Policy`], one file each. All that is random comes from
//! the [`Dice`]; those of the schedule with number *n* depend on the seed and *n* alone, so
//! the same seed gives the same search, and it can be resumed by number. A sample is
//! complete only if there was never anything to choose.

use super::starters::Starters;
use crate::Probes;
use heddle_model::{
    ChoicePoint, Decision, Event, EventMask, Next, OpMask, Over, Pause, Pick, Strategy, View,
};

/// How schedules are drawn.
pub trait Policy {
    /// The first word of a frontier of this search.
    const FRONTIER: u64;
    /// Whether every option is as likely as any other.
    const UNIFORM: bool = false;

    fn wants(&self) -> EventMask {
        EventMask::NONE
    }

    fn event(&mut self, _event: &Event) {}

    /// A schedule begins.
    fn begin(&mut self, _dice: &mut Dice) {}

    /// The option to take at a choice of who runs, which may be the only one.
    fn pick(&mut self, at: &ChoicePoint<'_>, dice: &mut Dice) -> usize;

    /// The schedule is over.
    fn end(&mut self) {}

    /// What it has learned from earlier schedules, one word.
    fn learned(&self) -> u64 {
        0
    }

    fn learn(&mut self, _learned: u64) {}
}

/// Draws schedules by a policy.
#[derive(Clone, Debug)]
pub struct Sampling<P> {
    policy: P,
    seed: u64,
    dice: Dice,
    schedules: u64,
    chose: bool,
    probes: Probes,
    starters: Starters,
}

impl<P: Policy> Sampling<P> {
    pub fn with(policy: P, seed: u64) -> Sampling<P> {
        let mut sampling = Sampling {
            policy,
            seed,
            dice: Dice(0),
            schedules: 0,
            chose: false,
            probes: Probes::default(),
            starters: Starters::default(),
        };
        sampling.begin();
        sampling
    }

    /// In every other schedule who starts others goes on until it has to wait.
    pub fn starters_first(mut self) -> Sampling<P> {
        self.starters = Starters::wanted();
        self
    }

    fn begin(&mut self) {
        self.dice = Dice(self.seed ^ mix(self.schedules.wrapping_add(1)));
        self.policy.begin(&mut self.dice);
        self.probes.begin();
        self.starters.begin();
    }
}

impl<P: Policy> Strategy for Sampling<P> {
    fn stops(&self) -> OpMask {
        OpMask::VISIBLE.and(OpMask::NOTIFY)
    }

    fn wants(&self) -> EventMask {
        self.policy.wants().and(EventMask::THREAD)
    }

    fn event(&mut self, event: &Event, _: &dyn View, _: usize) {
        self.starters.event(event);
        self.policy.event(event);
    }

    fn choose(&mut self, at: &ChoicePoint<'_>, _: &dyn View, _: usize) -> Decision {
        self.chose |= at.options.len() > 1;
        let own = at.options.iter().position(|c| c.thread() == at.by);
        let starters = self.starters.come_first(self.schedules);
        let goes_on = at.pause == Pause::Slice && own.is_some();
        if !starters && !goes_on {
            self.probes.choice(at.options.len());
        }
        let pick = match (at.pause, own) {
            // Which thread a notification wakes has nothing to do with who runs.
            (Pause::Notify(_), _) => self.dice.below(at.options.len()),
            // A used-up slice is no step of the program's.
            (Pause::Slice, Some(own)) => own,
            _ => {
                let pick = self.policy.pick(at, &mut self.dice);
                let goes_on = starters.then(|| self.starters.goes_on(at)).flatten();
                goes_on.unwrap_or(pick)
            }
        };
        Decision::Last(Pick(pick))
    }

    fn next(&mut self, _: &Over) -> Next {
        self.policy.end();
        if !self.starters.come_first(self.schedules) {
            self.probes.end();
        }
        self.schedules += 1;
        self.begin();
        match self.chose {
            true => Next::Restart,
            false => Next::Done,
        }
    }

    fn schedules(&self) -> u64 {
        self.schedules
    }

    fn size(&self) -> Option<(f64, f64)> {
        let estimate = self.probes.estimate().filter(|_| P::UNIFORM)?;
        Some((estimate.size, estimate.error))
    }

    fn complete(&self) -> bool {
        !self.chose
    }

    fn frontier(&self) -> Option<Vec<u64>> {
        Some(vec![
            P::FRONTIER,
            self.seed,
            self.schedules,
            self.policy.learned(),
        ])
    }

    fn resume(&mut self, frontier: &[u64]) -> bool {
        let [first, seed, schedules, learned] = *frontier else {
            return false;
        };
        if first != P::FRONTIER {
            return false;
        }
        (self.seed, self.schedules) = (seed, schedules);
        self.policy.learn(learned);
        self.begin();
        true
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Dice(pub u64);

impl Dice {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below another, each as likely.
    pub fn below(&mut self, limit: usize) -> usize {
        (((self.word() as u128) * limit as u128) >> 64) as usize
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
