//! Which steps come before which by what threads do to each other alone: their own order, starts,
//! ends and wake-ups.
//!
//! That is told by clocks of its own. Threads rarely hear of each other in this way, so most
//! steps have the clock of the step before them in their thread; in it the thread's own
//! time is left out, which is the number of the step.

use super::{NONE, Reasons, Step, Trace, join};

/// The clock of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Life {
    at: u32,
    width: u32,
    /// The end of all clocks when the step was made.
    top: u32,
}

/// The clocks, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Lives {
    clocks: Vec<u32>,
}

impl Lives {
    fn of(&self, life: Life) -> &[u32] {
        &self.clocks[life.at as usize..(life.at + life.width) as usize]
    }

    /// Whether a thread whose clock this is has heard of a step of another one.
    #[inline]
    fn tell(&self, life: Life, step: &Step) -> bool {
        let known = self.of(life).get(step.thread as usize);
        known.is_some_and(|known| *known >= step.number)
    }

    /// Takes away what is younger than the last step of the path.
    pub fn back_to(&mut self, last: Option<&Step>) {
        let top = last.map_or(0, |step| step.life.top);
        self.clocks.truncate(top as usize);
    }
}

impl Trace {
    /// The clock of a new step of a thread, which had to come after these.
    pub(super) fn live(&mut self, thread: u32, reasons: Reasons) -> Life {
        let before = self.steps.get(reasons.steps[0] as usize);
        let mut life = before.map_or(Life::default(), |step| step.life);
        let lives = &mut self.lives;
        life.top = lives.clocks.len() as u32;
        let mut own = false;
        for reason in reasons.steps[1..]
            .iter()
            .chain(self.gates.reasons(reasons.opened))
        {
            let Some(step) = self.steps.get(*reason as usize) else {
                continue;
            };
            if step.thread == thread || lives.tell(life, step) {
                continue;
            }
            if !own {
                own = true;
                let range = life.at as usize..(life.at + life.width) as usize;
                (life.at, life.width) = (life.top, self.threads.len() as u32);
                lives.clocks.extend_from_within(range);
                life.top += life.width;
                lives.clocks.resize(life.top as usize, 0);
            }
            let (old, new) = lives.clocks.split_at_mut(life.at as usize);
            let theirs = step.life.at as usize..(step.life.at + step.life.width) as usize;
            join(new, &old[theirs]);
            let known = &mut new[step.thread as usize];
            *known = step.number.max(*known);
        }
        life
    }

    /// Whether a step comes before one that had to come after these.
    pub(super) fn lives_order(&self, earlier: u32, reasons: Reasons) -> bool {
        let earlier = &self.steps[earlier as usize];
        self.all_reasons(reasons).any(|reason| {
            let step = match reason {
                NONE => return false,
                reason => &self.steps[reason as usize],
            };
            match step.thread == earlier.thread {
                true => earlier.number <= step.number,
                false => self.lives.tell(step.life, earlier),
            }
        })
    }
}
