//! From the route of an execution to the schedule file that repeats it.
//!
//! The route is run once more on a machine that watches every bytecode of the program, and
//! each choice is written down at the bytecode that the running thread came to last (the
//! procedure of jreplay's appendix C; what is left out and how it is counted:
//! [`heddle_model::schedule::record`]).
//!
//! Between two bytecodes of the program only trusted code runs. Where a thread stops
//! there without being blocked, it has done nothing yet that others can notice, so it is
//! as good as before the bytecode; where it is blocked, it is in it. Where it has done
//! something and could do more, it is within it.
//!
//! That machine may see a little later that a thread spins (its registers are not the
//! same), so there spinning threads are options too.
//!
//! One thread can go on after its end: the initial one, which only waits until the last
//! other one is gone. What it does in between is nobody's business, so a choice of it is
//! kept back until it is known what follows.

use crate::Route;
use heddle_model::schedule::record::{Recorder, Stands, Took};
use heddle_model::schedule::{
    AccessEntry, AccessKind, CodeEntry, CodePlace, Header, Schedule, ThreadEntry,
};
use heddle_model::{
    Choice, End, Event, EventKind, EventMask, Machine, Mark, MethodId, Observer, OpMask, Pick,
    Site, Stop, ThreadId, ThreadPath, View,
};
use std::collections::{BTreeMap, BTreeSet};

/// What a schedule is written for, beyond the choices of its route.
pub enum Shows {
    /// What the program does by itself once they are made.
    TheRest,
    /// The two accesses of a race. Their places come in the order of the finding: the later
    /// one first.
    Race([(ThreadId, CodePlace); 2]),
    /// The state in which the machine stops next.
    State,
}

/// Runs a route from the start of the program and writes it down. The header is completed
/// with the threads and the code that the schedule mentions, and for a race with the two
/// accesses.
pub fn record<M: Machine>(
    machine: &mut M,
    start: Mark,
    route: &Route,
    header: Header,
    shows: Shows,
) -> Schedule {
    machine.rewind(start);
    let state = matches!(shows, Shows::State);
    let mut log = Log {
        race: match shows {
            Shows::Race(accesses) => Some(Race::new(accesses)),
            Shows::TheRest | Shows::State => None,
        },
        ..Log::default()
    };
    let mut stops = route.first;
    // How much was written down by then.
    let mut written = Vec::new();
    for taken in &route.taken {
        let stop = machine.run(stops.and(OpMask::SPINS), &mut log);
        if !log.follow(machine, stop, taken.choice) {
            panic!(
                "heddle internal error: the machine went another way when a route was written \
                 down: choice {} was {:?}, here there is {:?}",
                written.len(),
                taken.choice,
                machine.point(),
            );
        }
        written.push(log.recorder.taken().len());
        stops = taken.stops;
    }
    if let Some(since) = route.round {
        // From its first event on, once it comes there again, a round is the same as the next.
        let mut stop = machine.run(stops.and(OpMask::SPINS), &mut log);
        for (taken, written) in route.taken.iter().zip(&written).skip(since) {
            let before = log.recorder.taken().len();
            if !log.follow(machine, stop, taken.choice) {
                break;
            }
            if log.recorder.taken().len() > before {
                log.recorder.repeats(*written);
                break;
            }
            stop = machine.run(taken.stops.and(OpMask::SPINS), &mut log);
        }
    }
    let took = match route.end {
        Some(End::Exited(_)) => Some(Took::Exited),
        Some(End::Stuck) => Some(Took::Stuck),
        // What came next was not decided any more.
        Some(End::StepLimit(_) | End::Repeats(_)) | None => None,
    };
    if let Some(race) = &mut log.race {
        race.last_stretch = true;
    }
    if took.is_some() || state || log.race.is_some() {
        machine.run(stops, &mut log);
        log.count_within(machine);
    }
    // Nothing comes behind the later access, also where nobody had to choose any more.
    let shown = log.race.as_ref().is_some_and(Race::is_over);
    let took = took.filter(|_| !shown);
    let took = took.or_else(|| state.then(|| Took::Noted("the state to look at".to_string())));
    if let Some(took) = took {
        log.ended(machine, took);
    }
    log.schedule(machine, header)
}

/// Where threads are that have yet to come to a bytecode of the program.
const BEGIN: Site = Site {
    method: MethodId(u32::MAX),
    bci: 0,
};

#[derive(Default)]
struct Log {
    recorder: Recorder,
    /// Where each thread came last, but for the one that is there by `now`.
    at: BTreeMap<ThreadId, Site>,
    /// Who came somewhere last, and where: a thread comes to many places in a row.
    now: Option<(ThreadId, Site)>,
    /// Threads whose time was up since the last stop.
    time_up: Vec<ThreadId>,
    /// Threads that have ended.
    ended: BTreeSet<ThreadId>,
    /// Whom the last choice let run.
    chosen: Option<ThreadId>,
    /// Who made the choice that is kept back.
    kept: Option<Standing>,
    /// The methods that the schedule mentions.
    mentioned: BTreeSet<MethodId>,
    /// The accesses to look out for.
    race: Option<Race>,
}

/// A thread and where it stands.
#[derive(Clone)]
struct Standing {
    by: ThreadPath,
    at: Site,
    stands: Stands,
}

impl Observer for Log {
    const WANTS: EventMask = EventMask::ALL;

    fn mask(&self) -> EventMask {
        let always = EventMask::ARRIVE.and(EventMask::TIME_UP);
        match &self.race {
            Some(race) if !race.is_over() => always.and(EventMask::READ).and(EventMask::WRITE),
            _ => always,
        }
    }

    fn event(&mut self, event: &Event, view: &dyn View) {
        match event.kind {
            EventKind::Arrive => {
                self.recorder.came_to(event.site);
                match &mut self.now {
                    Some((thread, site)) if *thread == event.thread => *site = event.site,
                    now => {
                        self.at.extend(*now);
                        *now = Some((event.thread, event.site));
                    }
                }
            }
            EventKind::TimeUp if view.is_system(event.thread) => {}
            EventKind::TimeUp => self.time_up.push(event.thread),
            EventKind::Read { .. } | EventKind::Write { .. } => {
                let arrived = self.site(event.thread);
                let race = self.race.as_mut();
                let later = race.is_some_and(|race| race.access(event, arrived, view));
                if later {
                    self.note(event.thread, view);
                }
            }
            _ => {}
        }
    }
}

impl Log {
    /// Makes a choice once more, where the machine has stopped; whether there is such a one.
    fn follow<M: Machine>(&mut self, machine: &mut M, stop: Stop, choice: Choice) -> bool {
        let pick = machine.point().options.iter().position(|c| *c == choice);
        let Some(pick) = pick.filter(|_| stop == Stop::Choice) else {
            return false;
        };
        self.stopped(machine);
        self.took(machine, choice);
        machine.take(Pick(pick));
        true
    }

    /// The race is about to happen: the running thread stands before the later access.
    fn note(&mut self, thread: ThreadId, view: &dyn View) {
        let standing = Standing {
            by: view.thread(thread).path,
            at: self.site(thread),
            stands: Stands::Before,
        };
        let what = Took::Noted("the later access of the race".to_string());
        self.write(view, &standing, what, (standing.at, standing.stands));
    }

    fn site(&self, thread: ThreadId) -> Site {
        let now = self.now.filter(|(running, _)| *running == thread);
        let site = now.map(|(_, site)| site);
        site.or_else(|| self.at.get(&thread).copied())
            .unwrap_or(BEGIN)
    }

    /// Who has made the choices of this stop: the thread that ran, or the one whose choice
    /// was kept back.
    fn standing<M: Machine>(&self, machine: &M) -> Standing {
        let by = machine.point().by;
        self.kept.clone().unwrap_or_else(|| Standing {
            by: machine.thread(by).path,
            at: self.site(by),
            stands: machine.stands(by),
        })
    }

    /// The machine stopped, perhaps in the middle of what the library does.
    fn count_within<M: Machine>(&mut self, machine: &M) {
        let by = machine.point().by;
        if machine.stands(by) == Stands::Within {
            self.recorder.is_within(self.site(by));
        }
    }

    /// The machine stopped.
    fn stopped<M: Machine>(&mut self, machine: &M) {
        self.count_within(machine);
        let by = machine.point().by;
        if machine.stands(by) == Stands::Ended {
            self.ended.insert(by);
        } else if let Some(kept) = self.kept.take() {
            // It is not over after all.
            let path = machine.thread(by).path;
            let next_at = (self.site(by), machine.stands(by));
            self.write(machine, &kept, Took::Run(path), next_at);
        }
        for thread in std::mem::take(&mut self.time_up) {
            let standing = self.standing(machine);
            let path = machine.thread(thread).path;
            let next_at = (standing.at, standing.stands);
            self.write(machine, &standing, Took::TimeUp(path), next_at);
        }
    }

    fn took<M: Machine>(&mut self, machine: &M, choice: Choice) {
        let thread = choice.thread();
        self.chosen = Some(thread);
        let standing = self.standing(machine);
        if choice == Choice::Run(thread) && self.ended.contains(&thread) {
            self.kept = Some(standing);
            return;
        }
        self.kept = None;
        let path = machine.thread(thread).path;
        let next_at = (self.site(thread), machine.stands(thread));
        let (took, next_at) = match choice {
            Choice::Run(_) => (Took::Run(path), next_at),
            Choice::Timeout(_) => (Took::Timeout(path), next_at),
            Choice::Spurious(_) => (Took::Spurious(path), next_at),
            Choice::Wake(_) => (Took::Wake(path), (standing.at, standing.stands)),
            Choice::Stay(_) => return,
        };
        self.write(machine, &standing, took, next_at);
    }

    fn ended<M: Machine>(&mut self, machine: &M, took: Took) {
        let by = machine.point().by;
        let last = self.chosen.filter(|chosen| *chosen != by);
        let standing = match last {
            // The initial thread, which had ended, was woken by the end of the last other one.
            Some(last) if self.kept.is_none() && self.ended.contains(&by) => Standing {
                by: machine.thread(last).path,
                at: self.site(last),
                stands: machine.stands(last),
            },
            _ => self.standing(machine),
        };
        self.write(machine, &standing, took, (standing.at, standing.stands));
    }

    fn write(&mut self, view: &dyn View, standing: &Standing, took: Took, next_at: (Site, Stands)) {
        let Standing { by, at, stands } = standing;
        let mentioned = &mut self.mentioned;
        self.recorder
            .took(by, (*at, *stands), took, Some(next_at), |site| {
                if site == BEGIN {
                    return CodePlace::begin();
                }
                mentioned.insert(site.method);
                view.code_place(site)
            });
    }

    fn schedule(self, view: &dyn View, mut header: Header) -> Schedule {
        let threads = (0..view.thread_count() as u32).map(ThreadId);
        header.threads = threads
            .filter_map(|id| {
                let number = view.thread_number(id)?;
                let seen = view.thread(id);
                Some(ThreadEntry {
                    number,
                    path: seen.path,
                    name: seen.name,
                })
            })
            .collect();
        header.threads.sort_by_key(|t| t.number);
        if let Some(race) = self.race {
            header.accesses = race.entries(view);
        }
        let code = self.mentioned.iter().filter_map(|&method| {
            let digest = view.code_digest(method)?;
            let CodePlace { class, method, .. } = view.code_place(Site { method, bci: 0 });
            Some(CodeEntry {
                class,
                method,
                digest,
            })
        });
        header.code = code.collect();
        header
            .code
            .sort_by(|a, b| (&a.class, &a.method).cmp(&(&b.class, &b.method)));
        self.recorder.schedule(header)
    }
}

/// Looks out for the two accesses of a race.
struct Race {
    earlier: Access,
    later: Access,
    /// The route's last choice is behind us: the next access of the later thread is it.
    last_stretch: bool,
}

/// One access of a race.
struct Access {
    thread: ThreadId,
    place: CodePlace,
    /// What the machine calls the place, once it has been met.
    site: Option<Site>,
    seen: Option<(AccessKind, Option<String>)>,
}

impl Race {
    fn new([later, earlier]: [(ThreadId, CodePlace); 2]) -> Race {
        let access = |(thread, place)| Access {
            thread,
            place,
            site: None,
            seen: None,
        };
        Race {
            earlier: access(earlier),
            later: access(later),
            last_stretch: false,
        }
    }

    fn is_over(&self) -> bool {
        self.later.seen.is_some()
    }

    /// Something is read or written by a thread that came here last; whether it is the later
    /// access.
    fn access(&mut self, event: &Event, arrived: Site, view: &dyn View) -> bool {
        if self.is_over() {
            return false;
        }
        if event.thread == self.earlier.thread {
            self.earlier.look(event, arrived, view);
        } else if self.last_stretch && event.thread == self.later.thread {
            self.later.look(event, arrived, view);
        }
        self.is_over()
    }

    /// Both accesses for the header, if both were met.
    fn entries(self, view: &dyn View) -> Vec<AccessEntry> {
        let both = [self.earlier, self.later].map(|access| {
            let (kind, value) = access.seen?;
            Some(AccessEntry {
                thread: view.thread_number(access.thread)?,
                kind,
                place: access.place,
                value,
            })
        });
        match both {
            [Some(earlier), Some(later)] => vec![earlier, later],
            _ => Vec::new(),
        }
    }
}

impl Access {
    fn look(&mut self, event: &Event, arrived: Site, view: &dyn View) {
        // What trusted code does was done where the program called it, which is where it came
        // last, unless that called something of the program in between. A method reference is
        // called by the library, and a JVM can tell when.
        let own = view.own_frame(event.thread);
        let called = own.as_ref().is_some_and(|own| own.calls.is_some());
        let trusted = view.trusted(event.site.method) || called;
        let there = own.filter(|own| own.by_reference || own.site == arrived);
        let site = match trusted {
            true => there.map(|own| own.site),
            false => Some(event.site),
        };
        let Some(site) = site.filter(|s| s.bci as usize == usize::from(self.place.index)) else {
            return;
        };
        if self.site.is_none() && view.code_place(site) == self.place {
            self.site = Some(site);
        }
        if self.site != Some(site) {
            return;
        }
        self.seen = match event.kind {
            _ if trusted => Some((AccessKind::Call, None)),
            EventKind::Read { place, value } => {
                Some((AccessKind::Read, Some(view.value_text(place, value))))
            }
            EventKind::Write { place, value } => {
                Some((AccessKind::Write, Some(view.value_text(place, value))))
            }
            _ => return,
        };
    }
}
