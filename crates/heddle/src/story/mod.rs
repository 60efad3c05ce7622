//! The story of an error: its route is run once more, and what happens is written down
//! (`record.rs`), given names (`names.rs`), sorted by what matters (`relevant.rs`) and summed
//! up (`why.rs`).

pub mod names;
mod record;
mod relevant;
mod why;

use heddle_explore::{Found, Route};
use heddle_model::report::{Act, Deed, Error, Scope, StackFrame, ThreadStory};
use heddle_model::{
    Choice, Datum, Finding, FindingKind, Machine, Mark, Pick, Rewind, Site, Stop, ThreadId, View,
};
use heddle_vm::vm::Vm;
use names::Names;
use record::{Happening, Recorder, Waits, What};
use relevant::Common;
use std::collections::BTreeMap;

/// Choices that a thread makes in a row before another one gets its turn, and most of all
/// threads, where nobody says what to take.
const PATIENCE: u32 = 1_000;
const MOST_CHOICES: u32 = 100_000;

/// A machine at the start of the program, to run routes on.
pub struct Storyteller<'a> {
    vm: &'a mut Vm,
    start: Mark,
}

impl<'a> Storyteller<'a> {
    /// The machine may be anywhere on a path of a search that is over; its oldest mark is
    /// the start of the program.
    pub fn new(vm: &'a mut Vm) -> Storyteller<'a> {
        let start = vm
            .journal
            .oldest()
            .expect("heddle internal error: the search marked its start");
        Storyteller { vm, start }
    }

    /// The error with its story.
    pub fn error(&mut self, found: &Found) -> Error {
        let finding = &found.finding;
        let mut recorder = Recorder::watching(finding);
        self.follow(&found.route, &mut recorder);
        let view: &dyn View = self.vm;
        if finding.kind == FindingKind::ExitCode {
            let exits = finding.threads.iter();
            exits.for_each(|thread| recorder.ends_in_call(*thread, view));
        }
        let names = Names::new(view, &recorder.happenings, &recorder.writes);
        let mentioned = names::mentioned(&recorder.happenings);
        let threads = program_threads(view);
        let waits = |t: &ThreadId| (*t, recorder.waits(*t, view));
        let stuck: Vec<(ThreadId, Option<Waits>)> = threads.iter().map(waits).collect();
        let advice = why::advice(finding, &recorder.happenings, &stuck, &names, view);
        let mut trace = Acts::new(&threads, &names, view).told(&recorder.happenings, finding);
        trace.extend(last_acts(&stuck, &trace, finding, &names, view));
        Error {
            kind: finding.kind,
            message: names.in_sentence(finding, &mentioned),
            cause: advice.cause,
            hint: advice.hint,
            places: finding.sites.iter().map(|s| view.frame(*s)).collect(),
            potential: finding.potential || !found.confirmed,
            schedule_index: found.index + 1,
            times: (found.times > 1).then_some(found.times),
            schedule_file: None,
            replay: None,
            on_jvm: None,
            threads: thread_stories(&stuck, &recorder, finding, &names, view),
            trace,
        }
    }

    /// The Java stack of the running thread at the end of a route.
    pub fn stack_at(&mut self, route: &Route) -> Vec<StackFrame> {
        self.follow(route, &mut Recorder::default());
        let view: &dyn View = self.vm;
        frames(view, view.stack(self.vm.current))
    }

    /// What threads have in common, seen on one route: an empty one leads through a schedule
    /// in which every thread runs as long as it can, unless it seems to wait for others in a
    /// loop. `None` if that does not end.
    pub fn scope(&mut self, route: &Route) -> Option<Scope> {
        let mut recorder = Recorder::impatient();
        let mut stop = self.follow(route, &mut recorder);
        let (mut patience, mut left) = (PATIENCE, MOST_CHOICES);
        while stop == Stop::Choice {
            if recorder.has_given_up() {
                return None;
            }
            left = left.checked_sub(1)?;
            let point = self.vm.point();
            let own = |c: &Choice| c.thread() == point.by;
            let stays = point.options.iter().position(own);
            let pick = match stays {
                Some(at) if patience > 0 => {
                    patience -= 1;
                    at
                }
                _ => {
                    patience = PATIENCE;
                    let later = point.options.iter().position(|c| c.thread() > point.by);
                    later.unwrap_or(0)
                }
            };
            recorder.paused(&point, point.options[pick], self.vm);
            self.vm.take(Pick(pick));
            stop = self.vm.run(route.first, &mut recorder);
        }
        let view: &dyn View = self.vm;
        let names = Names::new(view, &recorder.happenings, &recorder.writes);
        let mut common = Common::new(&recorder.happenings);
        for (thread, touch) in &recorder.unasked {
            common.note(*thread, touch);
        }
        let later = recorder.happenings.iter().skip(common.first_start);
        let met = later.filter_map(|happening| match &happening.what {
            What::Lock(on) => common.is_common(*on).then(|| names.object(*on)),
            _ if !happening.touches.iter().any(|t| common.contested(t.place)) => None,
            What::Read { place, .. } | What::Write { place, .. } => Some(names.place(*place)),
            What::Call(call) => match call.arguments.as_ref().and_then(|a| a.first()) {
                Some(Datum::Object(on)) if !call.is_static => Some(names.object(*on)),
                _ => Some(names.call(call)),
            },
            _ => None,
        });
        let mut shared: Vec<String> = met.collect();
        shared.sort();
        shared.dedup();
        let threads = program_threads(view).into_iter();
        Some(Scope {
            threads: threads.map(|t| names.thread(t)).collect(),
            shared,
        })
    }

    fn follow(&mut self, route: &Route, recorder: &mut Recorder) -> Stop {
        self.vm.rewind(self.start);
        let mut stop = self.vm.run(route.first, recorder);
        for taken in &route.taken {
            if stop != Stop::Choice {
                break;
            }
            recorder.paused(&self.vm.point(), taken.choice, self.vm);
            self.vm.take(taken.pick);
            stop = self.vm.run(taken.stops, recorder);
        }
        stop
    }
}

/// The program's threads by number.
fn program_threads(view: &dyn View) -> Vec<ThreadId> {
    let all = (0..view.thread_count() as u32).map(ThreadId);
    all.filter(|t| !view.is_system(*t)).collect()
}

fn frames(view: &dyn View, sites: Vec<Site>) -> Vec<StackFrame> {
    let frame = |site: Site| StackFrame {
        frame: view.frame(site),
        trusted: view.trusted(site.method),
    };
    sites.into_iter().map(frame).collect()
}

fn thread_stories(
    stuck: &[(ThreadId, Option<Waits>)],
    recorder: &Recorder,
    finding: &Finding,
    names: &Names<'_>,
    view: &dyn View,
) -> Vec<ThreadStory> {
    let thrown = match finding.kind {
        FindingKind::Assertion | FindingKind::Exception | FindingKind::ExitCode => {
            finding.threads.first().zip(finding.objects.first())
        }
        FindingKind::SwallowedException if finding.is_handled() => {
            finding.threads.first().zip(finding.objects.first())
        }
        _ => None,
    };
    let story = |(id, waits): &(ThreadId, Option<Waits>)| {
        let seen = view.thread(*id);
        let thrown = thrown.filter(|(thread, _)| *thread == id).map(|(_, e)| *e);
        let sites = match (thrown, recorder.stack_at_access(*id)) {
            (Some(exception), _) => view.throw_stack(exception),
            (None, Some(stack)) => stack.to_vec(),
            (None, None) => view.stack(*id),
        };
        let locked = recorder.locked.iter();
        let held = locked.filter(|lock| view.owner(**lock) == Some(*id));
        ThreadStory {
            path: seen.path,
            name: seen.name,
            named: finding.threads.contains(id),
            state: seen.state.to_string(),
            holds: held.map(|lock| names.object(*lock)).collect(),
            wants: waits.as_ref().map(|w| names.waited_for(w)),
            threw: thrown.map(|e| view.exception_text(e)),
            stack: frames(view, sites),
        }
    };
    stuck.iter().map(story).collect()
}

/// Happenings as acts.
struct Acts<'a, 'v> {
    index: BTreeMap<ThreadId, usize>,
    names: &'a Names<'v>,
    view: &'a dyn View,
}

impl<'a, 'v> Acts<'a, 'v> {
    fn new(threads: &[ThreadId], names: &'a Names<'v>, view: &'a dyn View) -> Acts<'a, 'v> {
        let index = threads.iter().enumerate().map(|(i, t)| (*t, i)).collect();
        Acts { index, names, view }
    }

    fn told(&self, happenings: &[Happening], finding: &Finding) -> Vec<Act> {
        let named = named(happenings, finding);
        let matters = relevant::relevant(happenings, finding, &named, self.view);
        let acts = happenings.iter().enumerate().filter_map(|(at, happening)| {
            Some(Act {
                thread: *self.index.get(&happening.thread)?,
                at: happening.at.map(|site| self.view.frame(site)),
                deed: self.deed(happening),
                matters: matters[at],
                named: named.contains(&at),
            })
        });
        acts.collect()
    }

    fn deed(&self, happening: &Happening) -> Deed {
        let names = self.names;
        match &happening.what {
            What::Read { place, value } => Deed::Read {
                place: names.place(*place),
                value: names.value(*place, *value),
            },
            What::Write { place, value } => Deed::Write {
                place: names.place(*place),
                value: names.value(*place, *value),
            },
            What::Lock(on) => Deed::Lock(names.object(*on)),
            What::Unlock(on) => Deed::Unlock(names.object(*on)),
            What::Wait(on) => Deed::Wait(names.object(*on)),
            What::Notify { on, woken } => Deed::Notify {
                object: names.object(*on),
                woken: woken.iter().map(|t| names.thread(*t)).collect(),
            },
            What::Joined(thread) => Deed::Joined(match self.view.thread_of(*thread) {
                Some(thread) => names.thread(thread),
                None => names.object(*thread),
            }),
            What::Interrupt(whom) => Deed::Interrupt(names.thread(*whom)),
            What::Start(whom) => Deed::Start(names.thread(*whom)),
            What::End => Deed::End,
            What::Throw(exception) => Deed::Throw(self.view.exception_text(*exception)),
            What::Call(call) => Deed::Call {
                call: names.call(call),
                result: names.result(call),
            },
            What::Return(call) => Deed::Return {
                call: names.call(call),
                result: names.result(call),
            },
            What::TimeUp => Deed::TimeUp,
            What::Spurious => Deed::Spurious,
            What::TaskDone => Deed::TaskDone,
            What::Switch { to, why } => Deed::Switch {
                to: names.thread(*to),
                why: names.why(&names.thread(happening.thread), why),
            },
        }
    }
}

/// The happenings that the error is about: the last access of each thread at its site, and
/// the exception that nobody caught.
fn named(happenings: &[Happening], finding: &Finding) -> Vec<usize> {
    let sites = finding.threads.iter().zip(&finding.sites);
    let at = |(thread, site): (&ThreadId, &Site)| {
        let here = |h: &Happening| {
            let said = !matches!(h.what, What::Switch { .. } | What::Throw(_));
            let counts = !h.touches.is_empty() || finding.kind == FindingKind::ExitCode;
            h.thread == *thread && h.at == Some(*site) && said && counts
        };
        happenings.iter().rposition(here)
    };
    let thrown = |h: &Happening| matches!(h.what, What::Throw(e) if finding.objects.contains(&e));
    let mut named: Vec<usize> = sites.filter_map(at).collect();
    named.extend(happenings.iter().rposition(thrown));
    named
}

/// How those threads stand at the end that cannot go on, if the story has not said it.
fn last_acts(
    stuck: &[(ThreadId, Option<Waits>)],
    trace: &[Act],
    finding: &Finding,
    names: &Names<'_>,
    view: &dyn View,
) -> Vec<Act> {
    let mut acts = Vec::new();
    let waiting = matches!(
        finding.kind,
        FindingKind::Deadlock | FindingKind::LockCycle | FindingKind::ConditionDeadlock
    );
    let loops = finding.kind == FindingKind::Livelock;
    for (index, (thread, waits)) in stuck.iter().enumerate() {
        let concerned = waiting || loops && finding.threads.contains(thread);
        if !concerned {
            continue;
        }
        let deed = match waits {
            Some(Waits::Lock(lock, owner)) => Deed::Blocked {
                lock: names.object(*lock),
                owner: owner.map(|o| names.thread(o)),
            },
            Some(Waits::End(other)) => Deed::Joins(names.thread(*other)),
            Some(
                waits @ (Waits::Library { .. } | Waits::Class(_) | Waits::Change | Waits::Resume),
            ) => Deed::Stuck(names.waits(waits)),
            Some(Waits::Notification(_)) | None => continue,
        };
        // It has nothing to do, and nobody waits for it.
        let idle = matches!(waits, Some(Waits::Library { call: None, .. }));
        if idle && !finding.threads.contains(thread) {
            continue;
        }
        let is_switch = |act: &&Act| !matches!(act.deed, Deed::Switch { .. });
        let mut own = trace.iter().filter(|a| a.thread == index);
        let last = own.rfind(is_switch);
        // It is in the call that was told last.
        if let (Deed::Stuck(_), Some(Deed::Call { call, .. })) = (&deed, last.map(|a| &a.deed))
            && let Some(Waits::Library { call: Some(c), .. }) = waits
            && names.call(c) == *call
            && last.is_some_and(|l| l.matters)
        {
            continue;
        }
        acts.push(Act {
            thread: index,
            at: view.own_frame(*thread).map(|own| view.frame(own.site)),
            deed,
            matters: true,
            named: finding.threads.contains(thread),
        });
    }
    acts
}
