//! Searches in several parts: `--strategy auto`, and the look around that a search takes
//! when nobody has said how to search.
//!
//! A systematic search goes through a large space from one end, and an error at the other
//! end is out of its reach, though most schedules may show it. So, if the space turns out to
//! be large, a few seconds are spent on samples; then the search goes on where it was.
//! Samples add errors and nothing else: what is counted and what is proved is the search's.
//!
//! Loops that wait in a way that the machine does not recognize have endless paths and few
//! states, and so have programs whose threads meet again and again in the same way. So a large
//! space is explored state by state for a moment: if that comes to an end, everything was
//! explored. If it does not, the search goes on, and it is tried again for longer and longer.
//! Endless paths are most of their tree, so a search that has hardly left them seems to be nearly
//! done, and is believed only for as long as the rest would take then.
//! Loops that some schedule leaves are no livelocks then.
//!
//! If `dpor` has planned orders of steps that could not be run, which it says, nothing is
//! proved; then everything is explored without a reduction. That happens where threads wait
//! in loops, so what follows a state is explored only once.

use crate::check::SAMPLE;
use crate::save::Saved;
use crate::search::{Explored, Search, back_to_start};
use heddle_explore::{Bound, Earlier, Outcome};
use std::time::Duration;

/// The strategy that explores for a while and then samples, and what it does that with.
pub const AUTO: &str = "auto";
const EXPLORES: &str = "dpor";
const SAMPLES: &str = "pct";
/// How long it explores, unless the user says otherwise.
const BUDGET: f64 = 10.0;

/// What explores without a reduction.
const EVERYTHING: &str = "dfs --match-states";

/// After how long a search looks around, with what, and how long each time. So much later if
/// it is nearly done by then, or has come to so few choices that samples would not get anywhere,
/// either.
const LOOK_AFTER: Duration = Duration::from_secs(3);
const LATER: u32 = 4;
const HARDLY: u64 = 1000;
const LOOK_WITH: [&str; 3] = ["pos", "random", "pct"];
const LOOK_FOR: Duration = Duration::from_secs(1);
const FEW: u32 = 2;
/// How often a search state by state is tried, each time for so much longer than before: what
/// it remembers of states has to fit into memory.
const TRIES: u32 = 3;
const LONGER: u32 = 3;
/// A search that has explored this part of all schedules, as far as one can tell, is left
/// alone, for twice as long as it should take, and this.
const NEARLY: f64 = 0.25;
const AT_LEAST: Duration = Duration::from_millis(500);

/// A search that was ended by the depth of its paths before it had come to so many choices is made again, to
/// paths that are so much deeper: they are long, and not without an end.
const SOON: u64 = 3_000_000;
const DEEPER: usize = 10;

fn is_nearly_done(so_far: &Outcome) -> bool {
    so_far.explored.is_some_and(|part| part > NEARLY)
}

/// Until when a search that has taken so long can be believed to be nearly done.
fn believed_until(so_far: &Outcome, elapsed: Duration) -> Duration {
    let part = so_far.explored.unwrap_or(1.0);
    let left = elapsed.mul_f64((1.0 - part).max(0.0) / part);
    elapsed + AT_LEAST + 2 * left
}

impl Search<'_> {
    /// Explores for a while, and samples if that was not enough.
    pub fn auto(&mut self) -> Result<Explored, String> {
        let half = self.args.max_time.map(|most| most / 2.0);
        let budget = self.args.budget.or(half).unwrap_or(BUDGET);
        let whole = self.watch.limit_to(Duration::from_secs_f64(budget));
        let first = self.by(match self.args.spurious {
            true => EVERYTHING,
            false => EXPLORES,
        })?;
        self.watch.set_limit(whole);
        let in_time = !first.outcome.bounds.contains(&Bound::Time);
        if in_time || self.watch.is_over() {
            return Ok(first);
        }
        back_to_start(self.vm);
        if self.args.max_schedules.is_none() && self.args.max_time.is_none() {
            self.limits.schedules = Some(SAMPLE);
        }
        self.before = Earlier::new(first.outcome.clone());
        let mut explored = self.by(SAMPLES)?;
        explored.outcome.add_counts(&first.outcome);
        explored.parts.splice(0..0, first.parts);
        Ok(explored)
    }

    /// Whether the user has left open how to search, and nothing stands against samples.
    pub fn is_left_to_it(&self) -> bool {
        let args = self.args;
        let all = args.from.is_none() && args.until.is_none() && args.jobs == 1;
        let kept = args.save.is_some() || args.resume.is_some() || args.record.is_some();
        let bounded = args.preemptions.is_some() || args.delays.is_some() || args.match_states;
        let watched = args.trace || args.digest || args.keep_going;
        let named = args.strategy_named || args.max_schedules.is_some();
        all && !kept && !bounded && !watched && !named
    }

    /// Explores everything: again, and deeper, if nothing but the depth of its paths has ended the
    /// search, and that soon.
    pub fn deep_enough(
        &mut self,
        explore: impl Fn(&mut Self) -> Result<Explored, String>,
    ) -> Result<Explored, String> {
        let saves = self.args.save.is_some() || self.args.resume.is_some();
        let bound_by_user = self.args.max_depth.is_some() || saves;
        loop {
            let explored = explore(self)?;
            let outcome = &explored.outcome;
            let too_deep = outcome.bounds == [Bound::Depth] && outcome.unsupported.is_empty();
            let soon = outcome.choice_points < SOON && !self.watch.is_over();
            match self.limits.depth {
                Some(depth) if too_deep && soon && !bound_by_user => {
                    self.limits.depth = Some(depth * DEEPER);
                }
                _ => return Ok(explored),
            }
            back_to_start(self.vm);
            let mut before = explored.outcome;
            before.bounds.clear();
            self.before = Earlier::new(before);
        }
    }

    /// Explores as nobody has said how: with a look around, and if some of the orders that a
    /// reduction planned could not be run, without one.
    pub fn as_it_sees_fit(&mut self, name: &str) -> Result<Explored, String> {
        let first = self.with_a_look_around(name)?;
        let outcome = &first.outcome;
        let ended = outcome.complete || !outcome.bounds.is_empty();
        if ended || !outcome.unsupported.is_empty() || name == EVERYTHING {
            return Ok(first);
        }
        back_to_start(self.vm);
        self.before = Earlier::new(first.outcome);
        let mut explored = self.by(EVERYTHING)?;
        explored.parts.splice(0..0, first.parts);
        Ok(explored)
    }

    /// Explores, and takes a few samples in between if it takes long.
    fn with_a_look_around(&mut self, name: &str) -> Result<Explored, String> {
        let first = self.until_it_takes_long(name)?;
        let in_time = !first.outcome.bounds.contains(&Bound::Time);
        let frontier = first.outcome.frontier.clone().filter(|_| !in_time);
        let bounds = &first.outcome.bounds;
        let endless = |b: &Bound| matches!(b, Bound::Depth | Bound::Steps);
        let cut = !bounds.is_empty() && bounds.iter().all(endless);
        if (frontier.is_some() || cut)
            && let Some(mut whole) = self.state_by_state(&first.outcome, LOOK_FOR)?
        {
            whole.parts.splice(0..0, first.parts);
            return Ok(whole);
        }
        let Some(frontier) = frontier.filter(|_| !self.watch.is_over()) else {
            return Ok(first);
        };
        let explored = first.outcome.schedules;
        // A sample is of a few schedules at least, if it is known how long one takes.
        let look_for = match explored {
            0 => LOOK_FOR,
            some => LOOK_FOR.max(self.watch.elapsed().div_f64(some as f64) * FEW),
        };
        let (mut so_far, mut parts) = self.look_around(first.outcome, look_for)?;
        let mut frontier = frontier;
        let mut time = look_for;
        for _ in 1..TRIES {
            time *= LONGER;
            self.go_on(so_far, frontier);
            let whole = self.watch.limit_to(self.watch.elapsed() + time);
            let mut next = self.by(name)?;
            self.watch.set_limit(whole);
            let in_time = !next.outcome.bounds.contains(&Bound::Time);
            match next.outcome.frontier.clone() {
                Some(left) if !in_time && !self.watch.is_over() => frontier = left,
                _ => {
                    next.parts.splice(0..0, parts);
                    return Ok(next);
                }
            }
            let explored = next.outcome.schedules;
            so_far = next.outcome;
            if is_nearly_done(&so_far) {
                continue;
            }
            if let Some(mut whole) = self.state_by_state(&so_far, time)? {
                parts.insert(0, (name.to_string(), explored));
                whole.parts.splice(0..0, parts);
                return Ok(whole);
            }
            let more;
            (so_far, more) = self.look_around(so_far, time / LONGER)?;
            parts.extend(more);
        }
        self.go_on(so_far, frontier);
        let mut explored = self.by(name)?;
        explored.parts.splice(0..0, parts);
        Ok(explored)
    }

    /// Takes samples, other ones each time, for so long with each way to draw them.
    fn look_around(
        &mut self,
        mut so_far: Outcome,
        time: Duration,
    ) -> Result<(Outcome, Vec<(String, u64)>), String> {
        let mut parts = Vec::new();
        for sampling in LOOK_WITH {
            if self.watch.is_over() {
                break;
            }
            back_to_start(self.vm);
            let whole = self.watch.limit_to(self.watch.elapsed() + time);
            self.before = Earlier::new(so_far);
            let sample = self.by(sampling)?;
            self.watch.set_limit(whole);
            so_far = sample.outcome;
            parts.extend(sample.parts);
        }
        self.looks += 1;
        Ok((so_far, parts))
    }

    /// Explores until it is time to look around, or to the end: longer than usual if it may
    /// soon be there, or has hardly begun with its first schedule.
    fn until_it_takes_long(&mut self, name: &str) -> Result<Explored, String> {
        let mut after = LOOK_AFTER;
        loop {
            let whole = self.watch.limit_to(after);
            let part = self.by(name)?;
            self.watch.set_limit(whole);
            let outcome = &part.outcome;
            let begins = outcome.schedules == 0 && outcome.choice_points < HARDLY;
            let waits = begins || is_nearly_done(outcome) && after == LOOK_AFTER;
            let in_time = !outcome.bounds.contains(&Bound::Time);
            match outcome.frontier.clone() {
                Some(frontier) if waits && !in_time && !self.watch.is_over() => {
                    after *= LATER;
                    if !begins {
                        after = after.min(believed_until(outcome, self.watch.elapsed()));
                    }
                    self.go_on(part.outcome, frontier);
                }
                _ => return Ok(part),
            }
        }
    }

    /// The next search goes on from a frontier.
    fn go_on(&mut self, mut so_far: Outcome, frontier: Vec<u64>) {
        back_to_start(self.vm);
        so_far.complete = false;
        self.earlier = Some(Saved {
            so_far,
            frontier: Some(frontier),
            elapsed: self.watch.elapsed(),
        });
    }

    /// Explores each state once, for so long; `None` if that is not enough.
    fn state_by_state(
        &mut self,
        so_far: &Outcome,
        time: Duration,
    ) -> Result<Option<Explored>, String> {
        if self.watch.is_over() {
            return Ok(None);
        }
        back_to_start(self.vm);
        let whole = self.watch.limit_to(self.watch.elapsed() + time);
        let mut before = so_far.clone();
        // What cut other paths short is nothing to this search.
        before.bounds.clear();
        self.before = Earlier::new(before);
        let mut explored = self.by(EVERYTHING)?;
        self.watch.set_limit(whole);
        explored.by_states = true;
        Ok(explored.outcome.complete.then_some(explored))
    }
}
