//! Keeps account of how far a machine has come with a schedule, and says in which line
//! and why it left it.

use super::follow::{Action, Step, Steps};
use super::record::Stands;
use super::{CodePlace, Schedule, ScheduleError};

/// A schedule being followed.
///
/// The machine runs the thread of [`step`](Guide::step), tells each time that thread
/// comes to the awaited place, does the actions when it is time, and calls
/// [`next`](Guide::next). At the end the last thread goes on freely.
#[derive(Clone, Debug)]
pub struct Guide<'a> {
    schedule: &'a Schedule,
    steps: Steps<'a>,
    step: Option<Step<'a>>,
    /// How often the running thread came to the awaited place, or to be within it if that is
    /// awaited, since the last event.
    seen: u64,
    /// The steps done so far.
    done: u64,
}

impl<'a> Guide<'a> {
    pub fn new(schedule: &'a Schedule) -> Guide<'a> {
        let mut steps = schedule.steps();
        let step = steps.next();
        Guide {
            schedule,
            steps,
            step,
            seen: 0,
            done: 0,
        }
    }

    /// The present step: who runs until where, and what happens then. `None`: the
    /// schedule is over.
    pub fn step(&self) -> Option<&Step<'a>> {
        self.step.as_ref()
    }

    /// How many steps were done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// How often an endless loop of the schedule has begun again: the step behind the
    /// present one may be in the next round already.
    pub fn turns(&self) -> u64 {
        self.steps.turns()
    }

    /// The running thread came to a place and is about to execute what is there. (Trying
    /// again after it could not is not coming again.) Whether it is time for the actions.
    pub fn came_to(&mut self, place: &CodePlace) -> bool {
        if self.awaits(place) && !self.awaits_within() {
            self.seen += 1;
        }
        self.is_time(place, Stands::Before)
    }

    /// The running thread is blocked in what it came to. Whether it is time.
    pub fn is_blocked_in(&self, place: &CodePlace) -> bool {
        self.is_time(place, Stands::In)
    }

    /// The running thread has stopped in the middle of what it came to. Whether it is time.
    pub fn is_within(&mut self, place: &CodePlace) -> bool {
        if self.awaits(place) && self.awaits_within() {
            self.seen += 1;
        }
        self.is_time(place, Stands::Within)
    }

    /// The actions of the present step were done; on to the next one. `stands_at` is where
    /// the thread stands that runs now, `None` if it has yet to begin. Whether it is time
    /// for the next actions too: the thread is not to move at all before them.
    pub fn next(&mut self, stands_at: Option<(&CodePlace, Stands)>) -> bool {
        self.step = self.steps.next();
        self.done += 1;
        self.seen = 0;
        let Some((place, stands)) = stands_at else {
            return false;
        };
        if self.awaits(place) && (stands == Stands::Within || !self.awaits_within()) {
            self.seen = 1;
        }
        self.is_time(place, stands)
    }

    /// The program does not do what the schedule says: in which line, what was expected,
    /// and what happened instead (`found`, as in "main ends").
    pub fn diverged(&self, file: &str, found: &str) -> ScheduleError {
        let Some(step) = &self.step else {
            return ScheduleError {
                file: file.to_string(),
                line: 0,
                message: format!("after the end of the schedule {found}"),
            };
        };
        let who = match step.thread {
            None => "no thread".to_string(),
            Some(number) => self.name(number),
        };
        let expected = match &step.until {
            None => format!("{who} to run"),
            Some(until) => {
                let place = &until.point.place;
                let stand = match until.stands {
                    Stands::In => "be blocked in",
                    Stands::Within => "be in the middle of",
                    Stands::Before | Stands::Ended => "come to",
                };
                format!(
                    "{who} to {stand} {place} ({} of {} times so far)",
                    self.seen.min(until.point.count),
                    until.point.count
                )
            }
        };
        ScheduleError {
            file: file.to_string(),
            line: step.line,
            message: format!("the program leaves the schedule: expected {expected}, but {found}"),
        }
    }

    /// What a report calls a thread of this schedule.
    pub fn name(&self, number: u32) -> String {
        let entry = self.schedule.thread(number);
        let name = entry.map(|t| &t.name).filter(|n| !n.is_empty());
        name.map_or_else(|| format!("thread {number}"), |name| name.clone())
    }

    /// Whether the running thread came to the awaited place as often as it was to.
    pub fn has_come(&self) -> bool {
        let until = self.step.as_ref().and_then(|s| s.until.as_ref());
        until.is_none_or(|until| self.seen >= until.point.count)
    }

    /// Whether the running thread is to end in this step.
    pub fn dies(&self) -> bool {
        let actions = self.step.iter().flat_map(|s| &s.then);
        actions
            .into_iter()
            .any(|(_, a)| matches!(a, Action::Die(_)))
    }

    /// Whether the program ends in this step: its event names the last bytecode of the thread,
    /// which may stand in the middle of it already.
    fn terminates(&self) -> bool {
        let actions = self.step.iter().flat_map(|s| &s.then);
        actions
            .into_iter()
            .any(|(_, a)| matches!(a, Action::Terminate))
    }

    fn awaits(&self, place: &CodePlace) -> bool {
        let until = self.step.as_ref().and_then(|s| s.until.as_ref());
        until.is_some_and(|until| same(&until.point.place, place))
    }

    fn awaits_within(&self) -> bool {
        let until = self.step.as_ref().and_then(|s| s.until.as_ref());
        until.is_some_and(|until| until.stands == Stands::Within)
    }

    fn is_time(&self, place: &CodePlace, stands: Stands) -> bool {
        let Some(step) = &self.step else {
            return false;
        };
        let Some(until) = &step.until else {
            return true;
        };
        let there = until.stands == stands || until.stands == Stands::Before && self.terminates();
        there && self.seen >= until.point.count && same(&until.point.place, place)
    }
}

/// Whether a place of a schedule is this place of a program. Only a descriptor may be
/// missing in the schedule; a machine that follows positions must name methods by them.
fn same(written: &CodePlace, real: &CodePlace) -> bool {
    use super::MethodName::{Named, Position};
    let methods = match (&written.method, &real.method) {
        (Position(a), Position(b)) => a == b,
        (
            Named { name, descriptor },
            Named {
                name: real_name,
                descriptor: real_descriptor,
            },
        ) => name == real_name && (descriptor.is_none() || descriptor == real_descriptor),
        _ => false,
    };
    methods && written.index == real.index && written.class == real.class
}
