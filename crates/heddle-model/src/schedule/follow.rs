//! From a schedule to what a machine must do, one step after the other.
//!
//! A step reads: *this thread runs until it is there for the n-th time; then do these
//! things*. Loops are unrolled as the steps are asked for, so an endless one costs
//! nothing. Whoever follows decides what a step that does not come true means.

use super::record::Stands;
use super::{Command, LogLevel, Point, Schedule, Times};

impl Schedule {
    /// The steps of this schedule, in their order; endless where a loop is.
    pub fn steps(&self) -> Steps<'_> {
        Steps {
            commands: Unrolled::new(self),
            pending: None,
            running: Some(0),
            over: false,
        }
    }
}

/// Until when a thread runs, and what happens then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step<'a> {
    /// The line of the event; of the first action if there is no event.
    pub line: u32,
    /// Number of the thread that runs; `None` after `switch none`.
    pub thread: Option<u32>,
    /// `None`: at once. Only at the beginning of a schedule.
    pub until: Option<Until<'a>>,
    pub then: Vec<(u32, Action<'a>)>,
}

/// The moment that a step waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Until<'a> {
    pub point: &'a Point,
    /// [`Stands::Before`] or [`Stands::In`]; with a [`Action::Die`], the last bytecode of
    /// the thread, which is executed before the next thread runs.
    pub stands: Stands,
}

/// What happens at an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action<'a> {
    Switch(Option<u32>),
    Notify(u32),
    Timeout(u32),
    Spurious(u32),
    Die(Option<u32>),
    Terminate,
    Log(LogLevel, &'a str),
}

/// See [`Schedule::steps`].
#[derive(Clone, Debug)]
pub struct Steps<'a> {
    commands: Unrolled<'a>,
    pending: Option<(u32, &'a Command)>,
    running: Option<u32>,
    over: bool,
}

impl<'a> Iterator for Steps<'a> {
    type Item = Step<'a>;

    fn next(&mut self) -> Option<Step<'a>> {
        if self.over {
            return None;
        }
        let (line, command) = self.pending.take().or_else(|| self.commands.next())?;
        let thread = self.running;
        let mut step = Step {
            line,
            thread,
            until: None,
            then: Vec::new(),
        };
        match until(command) {
            Some(until) => step.until = Some(until),
            None => self.act(line, command, &mut step),
        }
        while !self.over
            && let Some((line, command)) = self.commands.next()
        {
            if until(command).is_some() {
                self.pending = Some((line, command));
                break;
            }
            self.act(line, command, &mut step);
        }
        Some(step)
    }
}

impl<'a> Steps<'a> {
    /// How often an endless loop has begun again, as far as it was looked at.
    pub fn turns(&self) -> u64 {
        self.commands.turns
    }

    fn act(&mut self, line: u32, command: &'a Command, step: &mut Step<'a>) {
        let action = match command {
            Command::Switch(to) => Action::Switch(*to),
            Command::Die(to) => Action::Die(*to),
            Command::Notify(whom) => Action::Notify(*whom),
            Command::Timeout(whom) => Action::Timeout(*whom),
            Command::Spurious(whom) => Action::Spurious(*whom),
            Command::Terminate => Action::Terminate,
            Command::Log { level, message } => Action::Log(*level, message),
            Command::Before(_)
            | Command::In(_)
            | Command::Within(_)
            | Command::LoopBegin
            | Command::LoopEnd(_) => {
                return;
            }
        };
        match action {
            Action::Switch(to) | Action::Die(to) => self.running = to,
            Action::Terminate => self.over = true,
            _ => {}
        }
        step.then.push((line, action));
    }
}

fn until(command: &Command) -> Option<Until<'_>> {
    match command {
        Command::Before(point) => Some(Until {
            point,
            stands: Stands::Before,
        }),
        Command::In(point) => Some(Until {
            point,
            stands: Stands::In,
        }),
        Command::Within(point) => Some(Until {
            point,
            stands: Stands::Within,
        }),
        _ => None,
    }
}

/// The commands without the loops, each as often as the loops say.
#[derive(Clone, Debug)]
struct Unrolled<'a> {
    commands: Vec<(u32, &'a Command)>,
    at: usize,
    /// How often an endless loop began again.
    turns: u64,
    open: Vec<Open>,
}

#[derive(Clone, Debug)]
struct Open {
    body: usize,
    rounds: u64,
    /// Whether this round held a command; a loop without one is over.
    moved: bool,
}

impl<'a> Unrolled<'a> {
    fn new(schedule: &'a Schedule) -> Self {
        Unrolled {
            commands: schedule.commands().collect(),
            at: 0,
            turns: 0,
            open: Vec::new(),
        }
    }
}

impl<'a> Iterator for Unrolled<'a> {
    type Item = (u32, &'a Command);

    fn next(&mut self) -> Option<(u32, &'a Command)> {
        loop {
            let &(line, command) = self.commands.get(self.at)?;
            self.at += 1;
            match command {
                Command::LoopBegin => self.open.push(Open {
                    body: self.at,
                    rounds: 0,
                    moved: false,
                }),
                Command::LoopEnd(times) => {
                    // The parser lets no unmatched one through.
                    let Some(open) = self.open.last_mut() else {
                        continue;
                    };
                    open.rounds += 1;
                    let done = match times {
                        Times::Count(times) => open.rounds >= *times,
                        Times::Forever => false,
                    };
                    if done || !open.moved {
                        self.open.pop();
                    } else {
                        open.moved = false;
                        self.at = open.body;
                        self.turns += u64::from(*times == Times::Forever);
                    }
                }
                _ => {
                    self.open.iter_mut().for_each(|open| open.moved = true);
                    return Some((line, command));
                }
            }
        }
    }
}
