//! Follows a schedule file, and says in which line and why the program left it.
//!
//! The machine stops at every place that the schedule mentions and wherever the running
//! thread cannot go on; [`Guide`] keeps account. A thread is only run when it has to move:
//! commands about threads that stay where they are cost nothing, whatever state these are
//! in.
//!
//! Three things are not in the paper that the language comes from. A notification for
//! which the schedule names no thread wakes the one that the schedule switches to first. A
//! thread that is switched to in a timed wait has timed out. And a thread that was left
//! before a monitor tries to take it once nothing else is said about it: at `switch none`,
//! and at the end of a schedule, so that deadlocks are complete.
//!
//! A schedule of a livelock ends with an endless loop. If the state is the same after two
//! of its rounds, it has been shown ([`Follow::round_and_round`]).
//!
//! After `terminate` the running thread goes on as long as it can, then others do. After
//! a schedule without it, only the thread that was switched to last does.

use heddle_model::schedule::follow::Action;
use heddle_model::schedule::record::Stands;
use heddle_model::schedule::{CodePlace, Guide, LogLevel, Schedule, ScheduleError};
use heddle_model::{
    Choice, ChoicePoint, Decision, Next, OpMask, Over, Pause, PendingOp, Pick, Strategy, ThreadId,
    View,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How far to look for the thread that a notification is to wake.
const LOOK_AHEAD: usize = 10_000;

/// Hears the messages of `log`.
type Listener<'a> = Box<dyn FnMut(LogLevel, &str) + 'a>;

pub struct Follow<'a> {
    schedule: &'a Schedule,
    guide: Guide<'a>,
    phase: Phase,
    /// The stops after the schedule is over.
    after: OpMask,
    kinds: BTreeMap<CodePlace, PlaceKind>,
    /// Where each thread came last, as far as that is watched.
    at: BTreeMap<ThreadId, CodePlace>,
    /// Threads that have ended.
    ended: BTreeSet<ThreadId>,
    /// Threads that wait in a call, or did and have not come out of it.
    asleep: BTreeSet<ThreadId>,
    /// Number of the thread that the schedule lets run.
    running: Option<u32>,
    /// Actions of the present step that are still to be done.
    actions: VecDeque<(u32, Action<'a>)>,
    /// Whom the notifications of the running thread are to wake.
    wakes: VecDeque<u32>,
    /// The next run is to do nothing.
    at_once: bool,
    said: Listener<'a>,
    /// Where the last round of an endless loop began, if that is looked at.
    rounds: Option<Round>,
    left: Option<String>,
    schedules: u64,
}

/// The beginning of a round of an endless loop.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    /// The how many-th one it is.
    number: u64,
    depth: usize,
    state: Option<u128>,
}

/// How much of the schedule is left.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// The step that waits for its event, or whose actions are being done.
    Guided,
    /// The schedule is over. Of these, threads that stand before a monitor try to take it;
    /// then this one goes on.
    Settling {
        untried: BTreeSet<ThreadId>,
        then: ThreadId,
    },
    /// `switch none`: no thread is to go on. Each may try, and look around.
    Nobody { tries: u32 },
    /// The schedule is over, and this thread goes on alone.
    Alone(ThreadId),
    /// `terminate`: all threads run.
    Free,
}

/// What is known about the bytecode at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlaceKind {
    #[default]
    Unknown,
    /// A monitor may be taken there.
    Enters,
    /// The method is left there.
    Leaves,
    Other,
}

impl<'a> Follow<'a> {
    /// Follows a schedule whose places all have names and descriptors. `after` says where
    /// to stop when the schedule is over.
    pub fn new(
        schedule: &'a Schedule,
        kinds: BTreeMap<CodePlace, PlaceKind>,
        after: OpMask,
    ) -> Follow<'a> {
        let mut follow = Follow {
            schedule,
            guide: Guide::new(schedule),
            phase: Phase::Guided,
            after,
            kinds,
            at: BTreeMap::new(),
            ended: BTreeSet::new(),
            asleep: BTreeSet::new(),
            running: Some(0),
            actions: VecDeque::new(),
            wakes: VecDeque::new(),
            at_once: false,
            said: Box::new(|_, _| {}),
            rounds: None,
            left: None,
            schedules: 0,
        };
        if follow.guide.step().is_none_or(|s| s.until.is_none()) {
            follow.begin_actions();
            follow.at_once = true;
        }
        follow
    }

    /// Who is told what `log` says.
    pub fn telling(mut self, said: impl FnMut(LogLevel, &str) + 'a) -> Follow<'a> {
        self.said = Box::new(said);
        self
    }

    /// Whether an endless loop of the schedule comes back to the same state is looked at.
    pub fn round_and_round(mut self) -> Follow<'a> {
        self.rounds = Some(Round::default());
        self
    }

    /// A round of an endless loop begins: whether it began like this before.
    fn returns(&mut self, view: &dyn View, depth: usize) -> Option<Decision> {
        let last = self.rounds.as_mut()?;
        let number = self.guide.turns();
        if number == last.number {
            return None;
        }
        let state = view.state();
        let (since, before) = (last.depth, last.state);
        *last = Round {
            number,
            depth,
            state,
        };
        let same = state.is_some() && state == before;
        same.then_some(Decision::Cycle { since })
    }

    /// Steps of the schedule that came true.
    pub fn steps_done(&self) -> u64 {
        self.guide.done()
    }

    /// Whether all of the schedule came true.
    pub fn is_done(&self) -> bool {
        self.left.is_none() && self.phase != Phase::Guided
    }

    /// Where and why the program left the schedule, if it did.
    pub fn left(&self, file: &str) -> Option<ScheduleError> {
        let found = self.left.as_ref()?;
        Some(self.guide.diverged(file, found))
    }

    /// The thread of this number, once it was started.
    fn find(&self, view: &dyn View, number: u32) -> Option<ThreadId> {
        let path = self.schedule.thread(number).map(|entry| &entry.path);
        let mut threads = (0..view.thread_count() as u32).map(ThreadId);
        threads.find(|&id| match (view.thread_number(id), path) {
            (None, _) => false,
            (Some(_), Some(path)) => view.thread(id).path == *path,
            (Some(own), None) => own == number,
        })
    }

    fn place(&self, thread: ThreadId) -> CodePlace {
        let known = self.at.get(&thread).cloned();
        known.unwrap_or_else(CodePlace::begin)
    }

    /// Notes what happened since the last choice. Whether it is time for the actions of
    /// the present step.
    fn arrived(&mut self, at: &ChoicePoint<'_>, view: &dyn View) -> bool {
        if let Pause::Arrived(site) = at.pause {
            let place = view.code_place(site);
            self.at.insert(at.by, place.clone());
            self.asleep.remove(&at.by);
            let time = self.guide.came_to(&place);
            return time && !self.guide.dies();
        }
        if at.pause == Pause::Waiting {
            self.asleep.insert(at.by);
        }
        match view.stands(at.by) {
            Stands::Ended => {
                self.ended.insert(at.by);
                self.guide.dies() && self.guide.has_come()
            }
            Stands::In => {
                let place = self.place(at.by);
                self.guide.is_blocked_in(&place) && self.is_in(view, at.by, &place)
            }
            Stands::Within => {
                let place = self.place(at.by);
                self.guide.is_within(&place) && self.is_in(view, at.by, &place)
            }
            Stands::Before => false,
        }
    }

    /// Whether a thread that is blocked can be so in this bytecode: the innermost frame of
    /// the program stands there, or was left there.
    fn is_in(&self, view: &dyn View, thread: ThreadId, place: &CodePlace) -> bool {
        let stack = view.stack(thread);
        let innermost = stack.iter().find(|site| !view.trusted(site.method));
        let stands = innermost.is_none_or(|site| view.code_place(*site) == *place);
        let left = matches!(
            kind(&self.kinds, place),
            PlaceKind::Leaves | PlaceKind::Unknown
        );
        stands || left || *place == CodePlace::begin()
    }

    /// Does the actions of the present step and of those that follow without that anybody
    /// moves. `None` if a thread has to run now.
    fn act(&mut self, at: &ChoicePoint<'_>, view: &dyn View) -> Option<Decision> {
        loop {
            while let Some((line, action)) = self.actions.pop_front() {
                if let Some(decision) = self.action(at, view, line, action) {
                    return Some(decision);
                }
                if self.phase != Phase::Guided {
                    return None;
                }
            }
            let stands = self
                .running
                .and_then(|number| self.find(view, number))
                .map(|thread| (self.place(thread), view.stands(thread)));
            let begin = || (CodePlace::begin(), Stands::Before);
            let (place, stands) = stands.unwrap_or_else(begin);
            let time = self.guide.next(Some((&place, stands)));
            if self.guide.step().is_none() {
                self.over(view);
                return None;
            }
            if !time || self.guide.dies() {
                return None;
            }
            self.begin_actions();
        }
    }

    fn begin_actions(&mut self) {
        self.wakes.clear();
        let step = self.guide.step();
        self.actions = step.map(|s| s.then.clone()).unwrap_or_default().into();
    }

    fn action(
        &mut self,
        at: &ChoicePoint<'_>,
        view: &dyn View,
        line: u32,
        action: Action<'a>,
    ) -> Option<Decision> {
        match action {
            Action::Log(level, message) => (self.said)(level, message),
            Action::Notify(whom) => self.wakes.push_back(whom),
            Action::Timeout(whom) => return self.end_wait(at, view, line, whom, Choice::Timeout),
            Action::Spurious(whom) => return self.end_wait(at, view, line, whom, Choice::Spurious),
            Action::Switch(Some(to)) | Action::Die(Some(to)) => {
                if self.find(view, to).is_none() {
                    return Some(self.unborn(line, to));
                }
                self.running = Some(to);
            }
            Action::Switch(None) | Action::Die(None) => self.phase = Phase::Nobody { tries: 0 },
            Action::Terminate => self.phase = Phase::Free,
        }
        None
    }

    /// Ends the wait of a thread without that it moves.
    fn end_wait(
        &mut self,
        at: &ChoicePoint<'_>,
        view: &dyn View,
        line: u32,
        whom: u32,
        how: impl Fn(ThreadId) -> Choice,
    ) -> Option<Decision> {
        let name = self.guide.name(whom);
        let Some(thread) = self.find(view, whom) else {
            return Some(self.unborn(line, whom));
        };
        match position(at, how(thread)) {
            Some(pick) => {
                self.at_once = true;
                Some(Decision::Last(pick))
            }
            None => {
                let state = standing(view, thread, &self.place(thread));
                Some(self.leave(format!("{name}, whose wait line {line} ends, {state}")))
            }
        }
    }

    /// The schedule is over without `terminate`. Who waits in a call does not stand before a
    /// monitor, also if it was woken or its time is up at the same moment as that of the
    /// thread that goes on: it would do the rest of its call, and perhaps fail first. Nor does
    /// one that is in the middle of what the library does: a lock that it is to take there is free.
    fn over(&mut self, view: &dyn View) {
        match self.running.and_then(|number| self.find(view, number)) {
            Some(then) => {
                let others = (0..view.thread_count() as u32).map(ThreadId);
                let others = others.filter(|id| *id != then && !self.asleep.contains(id));
                let others = others.filter(|id| view.stands(*id) != Stands::Within);
                self.phase = Phase::Settling {
                    untried: others.collect(),
                    then,
                };
            }
            None => self.phase = Phase::Nobody { tries: 0 },
        }
    }

    /// Lets the thread of the present step run.
    fn run(&mut self, at: &ChoicePoint<'_>, view: &dyn View) -> Decision {
        let step = self.guide.step().expect("a step is being followed");
        let Some(number) = step.thread else {
            return self.leave("no thread runs after `switch none`".to_string());
        };
        let name = self.guide.name(number);
        let Some(thread) = self.find(view, number) else {
            return self.leave(format!("{name} was not started"));
        };
        let timed_out = || position(at, Choice::Timeout(thread));
        if let Some(pick) = position(at, Choice::Run(thread)).or_else(timed_out) {
            return Decision::Last(pick);
        }
        let state = standing(view, thread, &self.place(thread));
        self.leave(format!("{name} {state}"))
    }

    /// Whom a notification is to wake.
    fn wake(&mut self, at: &ChoicePoint<'_>, view: &dyn View) -> Decision {
        if let Some(whom) = self.wakes.pop_front() {
            let thread = self.find(view, whom);
            let pick = thread.and_then(|thread| position(at, Choice::Wake(thread)));
            return match pick {
                Some(pick) => Decision::Last(pick),
                None => {
                    let name = self.guide.name(whom);
                    self.leave(format!(
                        "{name}, which is to be notified, does not wait there"
                    ))
                }
            };
        }
        Decision::Last(self.first_to_run(at, view).unwrap_or(Pick(0)))
    }

    /// The option about the thread that the schedule switches to first.
    fn first_to_run(&self, at: &ChoicePoint<'_>, view: &dyn View) -> Option<Pick> {
        let done = self.guide.done() as usize;
        let ahead = self.schedule.steps().skip(done).take(LOOK_AHEAD);
        let mut to = ahead
            .flat_map(|step| step.then)
            .filter_map(|(_, a)| match a {
                Action::Switch(to) | Action::Die(to) => to,
                _ => None,
            });
        // Not one that was interrupted, unless the schedule says so.
        let waits = |thread: &ThreadId| view.thread(*thread).state.ends_with("WAITING");
        to.find_map(|number| {
            let thread = self.find(view, number).filter(waits)?;
            position(at, Choice::Wake(thread))
        })
    }

    fn unborn(&mut self, line: u32, number: u32) -> Decision {
        let name = self.guide.name(number);
        self.leave(format!("{name}, of line {line}, was not started"))
    }

    fn leave(&mut self, found: String) -> Decision {
        self.left = Some(found);
        Decision::Prune
    }

    /// `again`: nothing has happened since the last choice.
    fn guided(&mut self, at: &ChoicePoint<'_>, view: &dyn View, again: bool) -> Decision {
        if matches!(at.pause, Pause::Notify(_)) {
            return self.wake(at, view);
        }
        if !again {
            if !self.arrived(at, view) {
                return self.waiting(at, view);
            }
            self.begin_actions();
        }
        match self.act(at, view) {
            Some(decision) => decision,
            None if self.phase == Phase::Guided => self.run(at, view),
            None => self.stay(at),
        }
    }

    /// It is not time yet: the running thread goes on, if it can.
    fn waiting(&mut self, at: &ChoicePoint<'_>, view: &dyn View) -> Decision {
        if view.stands(at.by) == Stands::Ended {
            let name = view.thread(at.by).name;
            return self.leave(format!("{name} has ended"));
        }
        self.run(at, view)
    }

    /// The machine is asked again what can happen, now that the schedule is over.
    fn stay(&mut self, at: &ChoicePoint<'_>) -> Decision {
        match position(at, Choice::Stay(at.by)) {
            Some(pick) => {
                self.at_once = true;
                Decision::Last(pick)
            }
            None => Decision::Prune,
        }
    }

    /// Lets each thread try to go on. One that has to wait is no option any more; that one
    /// only looks at what does not change, and perhaps sleeps in between, takes a while to
    /// tell.
    fn nobody(&mut self, at: &ChoicePoint<'_>, view: &dyn View, tries: u32) -> Decision {
        const MOST: u32 = 10_000;
        let thread = match at.options.first().copied() {
            Some(Choice::Run(thread) | Choice::Timeout(thread)) => thread,
            _ => return Decision::Prune,
        };
        let looks = match at.pause {
            _ if at.by != thread || tries == 0 => true,
            // Locks that are given back, and writes that change nothing, are part of looking.
            Pause::Before(op) => !matches!(op, PendingOp::Begin | PendingOp::Join(_)),
            Pause::Waiting => true,
            _ => false,
        };
        if looks && tries < MOST {
            self.phase = Phase::Nobody { tries: tries + 1 };
            return Decision::Last(Pick(0));
        }
        let name = view.thread(thread).name;
        self.leave(format!("{name} can go on"))
    }

    /// Lets a thread that stands before a monitor try to take it.
    fn settling(&mut self, at: &ChoicePoint<'_>, view: &dyn View) -> Decision {
        let Phase::Settling { untried, then } = &mut self.phase else {
            unreachable!("threads settle");
        };
        let then = *then;
        for (pick, option) in at.options.iter().enumerate() {
            let Choice::Run(thread) = *option else {
                continue;
            };
            let place = self.at.get(&thread);
            let kind = place.map_or(PlaceKind::Other, |place| kind(&self.kinds, place));
            let enters = matches!(kind, PlaceKind::Enters | PlaceKind::Unknown);
            let tries = enters || self.ended.contains(&thread);
            if tries && untried.remove(&thread) {
                return Decision::Last(Pick(pick));
            }
        }
        self.phase = Phase::Alone(then);
        self.choose(at, view, 0)
    }
}

impl Strategy for Follow<'_> {
    fn stops(&self) -> OpMask {
        let stops = match self.phase {
            Phase::Guided if self.rounds.is_some() => {
                OpMask::GUIDED.and(OpMask::NOTIFY).and(OpMask::STATE)
            }
            Phase::Guided => OpMask::GUIDED.and(OpMask::NOTIFY),
            Phase::Settling { .. } | Phase::Nobody { .. } => OpMask::VISIBLE.and(OpMask::NOTIFY),
            Phase::Alone(_) | Phase::Free => self.after,
        };
        match self.at_once {
            true => stops.and(OpMask::AT_ONCE),
            false => stops,
        }
    }

    fn choose(&mut self, at: &ChoicePoint<'_>, view: &dyn View, depth: usize) -> Decision {
        if let Some(cycle) = self.returns(view, depth) {
            return cycle;
        }
        let again = std::mem::take(&mut self.at_once);
        match self.phase {
            Phase::Guided => self.guided(at, view, again),
            Phase::Settling { .. } => self.settling(at, view),
            Phase::Nobody { tries } => self.nobody(at, view, tries),
            Phase::Alone(thread) => match at.pause {
                Pause::Notify(_) => self.wake(at, view),
                _ => position(at, Choice::Run(thread)).map_or(Decision::Prune, Decision::Last),
            },
            Phase::Free => match at.pause {
                Pause::Notify(_) => self.wake(at, view),
                _ => Decision::Last(position(at, Choice::Run(at.by)).unwrap_or(Pick(0))),
            },
        }
    }

    fn next(&mut self, over: &Over) -> Next {
        self.schedules += 1;
        if self.phase == Phase::Guided && self.left.is_none() && self.guide.step().is_some() {
            self.left = match over {
                Over::Exited(code) => Some(format!("the program ended with exit code {code}")),
                Over::Stuck(_) => Some("no thread can go on".to_string()),
                Over::Cut => {
                    Some("a bound was hit, perhaps that on the steps of a thread".to_string())
                }
                Over::Pruned => None,
            };
        }
        Next::Done
    }

    fn schedules(&self) -> u64 {
        self.schedules
    }

    fn complete(&self) -> bool {
        false
    }
}

fn position(at: &ChoicePoint<'_>, choice: Choice) -> Option<Pick> {
    at.options.iter().position(|c| *c == choice).map(Pick)
}

fn kind(kinds: &BTreeMap<CodePlace, PlaceKind>, place: &CodePlace) -> PlaceKind {
    kinds.get(place).copied().unwrap_or_default()
}

/// What keeps a thread from going on.
fn standing(view: &dyn View, thread: ThreadId, last: &CodePlace) -> String {
    let seen = view.thread(thread);
    let stack = view.stack(thread);
    let own = stack.iter().find(|site| !view.trusted(site.method));
    let place = own.map_or_else(|| last.clone(), |site| view.code_place(*site));
    let line = own
        .map(|site| view.frame(*site))
        .and_then(|frame| Some(format!(" ({}:{})", frame.file?, frame.line?)));
    let place = format!("{place}{}", line.unwrap_or_default());
    match (view.stands(thread), seen.waits_for) {
        (Stands::Ended, _) => "has ended".to_string(),
        (Stands::Before, Some(lock)) => {
            let holder = view.owner(lock).map(|owner| view.thread(owner).name);
            let holder = holder.map_or(String::new(), |name| format!(", which {name} holds"));
            let lock = view.object_name(lock);
            format!("stands before {place} and wants {lock}{holder}")
        }
        (Stands::Before, None) => format!("stands before {place}"),
        (Stands::Within, _) => format!("is in the middle of {place}"),
        (Stands::In, _) => format!("is blocked in {place} and nothing has woken it"),
    }
}
