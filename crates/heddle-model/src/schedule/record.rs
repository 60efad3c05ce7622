//! From a run to the schedule that repeats it.
//!
//! Follows appendix C of jreplay: an event and its actions are written where a thread
//! other than the running one goes on, where a notification had a choice, where a wait
//! ended by time, where a thread ended, and at the end. A run that merely could have
//! gone another way leaves no trace, so schedules stay short. Two departures: counts
//! begin anew at every event (see [`Counts`]), and a wait can end without a reason.
//!
//! Loops are not looked for; they are for people and for model checkers. But a search that
//! knows that a run comes back to where it was can say so ([`Recorder::repeats`]).

use super::{
    CodePlace, Command, Counts, Header, Line, LogLevel, Point, Schedule, ThreadEntry, Times,
};
use crate::{Site, ThreadPath};

/// What was decided at one point of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The thread that ran.
    pub by: ThreadPath,
    /// Where it stood.
    pub at: CodePlace,
    pub stands: Stands,
    /// How often it came there (or, if it is within, came to be that) since the last decision
    /// that [`is_event`], as [`Counts`] counts.
    pub count: u64,
    pub took: Took,
}

/// How a thread stands at a bytecode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stands {
    /// It is about to execute it, or was not able to (a monitor that is not free).
    Before,
    /// It is blocked inside: `wait`, `join`, `sleep`, `park`, or a trusted call that does.
    In,
    /// It is in the middle of what the library does there: a call holds a lock and is about to
    /// take another one, or a task of the program is over and the library, which had called it,
    /// has done one thing and is about to do the next.
    Within,
    /// It was its last one.
    Ended,
}

/// What happened next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Took {
    /// This thread goes on.
    Run(ThreadPath),
    /// The notification wakes this thread; the running one goes on.
    Wake(ThreadPath),
    /// The timed wait of this thread is over, and it goes on.
    Timeout(ThreadPath),
    /// The timed wait of this thread is over; the running one goes on.
    TimeUp(ThreadPath),
    /// The wait of this thread is over without a reason, and it goes on.
    Spurious(ThreadPath),
    /// Nothing: no thread can run.
    Stuck,
    /// The program is over.
    Exited,
    /// Nothing is decided; this is worth a word.
    Noted(String),
}

/// Whether a decision is written down: not if the running thread simply goes on.
pub fn is_event(by: &ThreadPath, stands: Stands, took: &Took) -> bool {
    !matches!(took, Took::Run(to) if to == by && stands != Stands::Ended)
}

/// The schedule of a run. Threads get the numbers they have in the header; those that
/// are missing there are added.
pub fn schedule(header: Header, taken: &[Taken]) -> Schedule {
    write(header, taken, None)
}

/// What is taken from `round` on goes on for ever.
fn write(header: Header, taken: &[Taken], round: Option<usize>) -> Schedule {
    let mut writer = Writer {
        header,
        lines: Vec::new(),
        stands: None,
    };
    for (at, one) in taken.iter().enumerate() {
        if round == Some(at) {
            writer.lines.push(Command::LoopBegin.into());
            // Every round has to say where it begins.
            writer.stands = None;
        }
        if is_event(&one.by, one.stands, &one.took) {
            writer.write(one);
        }
    }
    if round.is_some_and(|at| at < taken.len()) {
        let end = Command::LoopEnd(Times::Forever);
        writer.lines.push(end.into());
    }
    Schedule {
        header: Some(writer.header),
        lines: writer.lines,
    }
}

/// Counts and notes down while a program runs.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    counts: Counts<Site>,
    /// How often the running thread was within a bytecode.
    within: Counts<Site>,
    taken: Vec<Taken>,
    /// The first of those that are taken for ever.
    round: Option<usize>,
}

impl Recorder {
    /// The running thread is about to execute this bytecode (not: to try it again).
    pub fn came_to(&mut self, site: Site) {
        self.counts.came_to(site);
    }

    /// The running thread has stopped within this bytecode.
    pub fn is_within(&mut self, site: Site) {
        self.within.came_to(site);
    }

    /// A decision was taken while `by` stood at `site`. `next_at` is where and how the thread
    /// stands that runs next, `None` if it has yet to begin; `name` names places, and is
    /// only asked when it must.
    pub fn took(
        &mut self,
        by: &ThreadPath,
        (site, stands): (Site, Stands),
        took: Took,
        next_at: Option<(Site, Stands)>,
        name: impl FnOnce(Site) -> CodePlace,
    ) {
        if is_event(by, stands, &took) {
            let counts = match stands {
                Stands::Within => &self.within,
                Stands::Before | Stands::In | Stands::Ended => &self.counts,
            };
            self.taken.push(Taken {
                by: by.clone(),
                at: name(site),
                stands,
                // A thread blocked in the entry of its first method came nowhere yet.
                count: counts.at(&site).max(1),
                took,
            });
            let within = next_at.filter(|(_, stands)| *stands == Stands::Within);
            self.within.event(within.map(|(site, _)| site));
            self.counts.event(next_at.map(|(site, _)| site));
        }
    }

    pub fn taken(&self) -> &[Taken] {
        &self.taken
    }

    /// The run is where it was when it had taken this many decisions, and so on for ever.
    pub fn repeats(&mut self, since: usize) {
        self.round = Some(since);
    }

    pub fn schedule(&self, header: Header) -> Schedule {
        write(header, &self.taken, self.round)
    }
}

struct Writer {
    header: Header,
    lines: Vec<Line>,
    /// Where the running thread stood at the last event, unless it was switched from.
    stands: Option<(CodePlace, Stands)>,
}

impl Writer {
    fn write(&mut self, taken: &Taken) {
        let here = (taken.at.clone(), taken.stands);
        // As long as the thread has not moved, more actions join the event above.
        if taken.count != 1 || self.stands.as_ref() != Some(&here) {
            let place = taken.at.clone();
            let point = Point {
                place,
                count: taken.count,
            };
            let event = match taken.stands {
                Stands::Before | Stands::Ended => Command::Before(point),
                Stands::In => Command::In(point),
                Stands::Within => Command::Within(point),
            };
            self.lines.push(event.into());
        }
        self.stands = Some(here);
        match &taken.took {
            Took::Run(to) => self.go(taken, to),
            Took::Wake(whom) => self.about(Command::Notify, whom),
            Took::TimeUp(whom) => self.about(Command::Timeout, whom),
            Took::Timeout(whom) => {
                self.about(Command::Timeout, whom);
                self.go(taken, whom);
            }
            Took::Spurious(whom) => {
                self.about(Command::Spurious, whom);
                self.go(taken, whom);
            }
            Took::Stuck => {
                let none = match taken.stands {
                    Stands::Ended => Command::Die(None),
                    Stands::Before | Stands::In | Stands::Within => Command::Switch(None),
                };
                self.lines.push(none.into());
            }
            Took::Exited => self.lines.push(Command::Terminate.into()),
            Took::Noted(message) => {
                let level = LogLevel::new(2).expect("heddle internal error: 2 is a level");
                let message = message.clone();
                self.lines.push(Command::Log { level, message }.into());
            }
        }
    }

    /// A thread goes on; it is told only if it is another.
    fn go(&mut self, taken: &Taken, to: &ThreadPath) {
        if taken.stands == Stands::Ended {
            self.about(|to| Command::Die(Some(to)), to);
        } else if *to != taken.by {
            self.about(|to| Command::Switch(Some(to)), to);
        }
        self.stands = None;
    }

    fn about(&mut self, command: impl Fn(u32) -> Command, whom: &ThreadPath) {
        let ThreadEntry { number, name, .. } = self.entry(whom).clone();
        self.lines.push(Line {
            command: Some(command(number)),
            comment: Some(name).filter(|n| !n.is_empty()),
            number: 0,
        });
    }

    fn entry(&mut self, path: &ThreadPath) -> &ThreadEntry {
        let threads = &mut self.header.threads;
        let at = threads.iter().position(|t| t.path == *path);
        let at = at.unwrap_or_else(|| {
            let number = threads.iter().map(|t| t.number + 1).max().unwrap_or(0);
            threads.push(ThreadEntry {
                number,
                path: path.clone(),
                name: String::new(),
            });
            threads.len() - 1
        });
        &threads[at]
    }
}
