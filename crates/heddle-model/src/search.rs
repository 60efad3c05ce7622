//! What a search is made of: strategies that choose, detectors that judge.
//!
//! The driver (in `heddle-explore`) owns the machine, the strategy and the
//! detectors. At every choice point it marks machine and detectors, asks the
//! strategy, takes the option, and runs on. At the end of a path the strategy names
//! the depth to go back to; depth counts choice points from the start of the search.

use crate::{
    Awaited, ChoicePoint, End, Event, EventMask, MethodId, ObjectId, OpMask, Pause, Pick, Rewind,
    Site, Supposed, ThreadId, View,
};

/// Decides which schedules are explored. Outlives executions and is never rewound.
pub trait Strategy {
    /// Where the machine must stop. Asked before every run, so it may change within a path.
    fn stops(&self) -> OpMask;

    /// Which events it wants to be told.
    fn wants(&self) -> EventMask {
        EventMask::NONE
    }

    /// Something happened on the way to the choice point at `depth`.
    fn event(&mut self, _event: &Event, _view: &dyn View, _depth: usize) {}

    /// What it wants to know before it chooses. It is told ([`Strategy::told`]) and asked again, until
    /// there is nothing.
    fn wonders(&mut self, _view: &dyn View) -> Option<Supposed> {
        None
    }

    fn told(&mut self, _answer: Option<Awaited>) {}

    /// Which option to take at a choice point. Called again for the same depth after a
    /// backtrack to it.
    fn choose(&mut self, at: &ChoicePoint<'_>, view: &dyn View, depth: usize) -> Decision;

    /// A path is over; where to go on.
    fn next(&mut self, over: &Over) -> Next;

    /// Schedules explored so far, as this strategy counts them.
    fn schedules(&self) -> u64;

    /// Schedules explored beyond those that the strategy's published form explores.
    fn extra(&self) -> u64 {
        0
    }

    /// Paths that were begun in vain: everything that could follow had been explored.
    fn blocked(&self) -> u64 {
        0
    }

    /// Estimated share of what there is to explore that has been explored, 0 to 1.
    fn explored(&self) -> Option<f64> {
        None
    }

    /// How many branches are left at a depth of the present path, as far as is known; `None`
    /// if the search is no walk through a tree.
    fn left(&self, _depth: usize) -> Option<usize> {
        None
    }

    /// How many schedules there are in all, and the standard error of that, if the strategy
    /// itself can tell.
    fn size(&self) -> Option<(f64, f64)> {
        None
    }

    /// Whether all that it set out to explore has been explored, once `next` said `Done`.
    fn complete(&self) -> bool;

    /// What it needs to go on later from where it is now, in words of its own; `None` if
    /// it cannot.
    fn frontier(&self) -> Option<Vec<u64>> {
        None
    }

    /// Goes on from a frontier. Called before anything else; false if it is not one.
    fn resume(&mut self, _frontier: &[u64]) -> bool {
        false
    }

    /// Gives a part of what is left to explore to another worker of the same search, in
    /// words for [`Strategy::explore_part`]; `None` if there is nothing to give, or if it
    /// is given in another way. Called after `next` said where to go on.
    fn split(&mut self) -> Option<Vec<u64>> {
        None
    }

    /// Begins anew with a part of the search that another worker gave away, and nothing
    /// else; what it has counted is forgotten. False if it cannot.
    fn explore_part(&mut self, _part: &[u64]) -> bool {
        false
    }
}

/// One that is used through a pointer.
impl<S: Strategy + ?Sized> Strategy for &mut S {
    fn stops(&self) -> OpMask {
        (**self).stops()
    }
    fn wants(&self) -> EventMask {
        (**self).wants()
    }
    fn event(&mut self, event: &Event, view: &dyn View, depth: usize) {
        (**self).event(event, view, depth);
    }
    fn wonders(&mut self, view: &dyn View) -> Option<Supposed> {
        (**self).wonders(view)
    }
    fn told(&mut self, answer: Option<Awaited>) {
        (**self).told(answer);
    }
    fn choose(&mut self, at: &ChoicePoint<'_>, view: &dyn View, depth: usize) -> Decision {
        (**self).choose(at, view, depth)
    }
    fn next(&mut self, over: &Over) -> Next {
        (**self).next(over)
    }
    fn schedules(&self) -> u64 {
        (**self).schedules()
    }
    fn extra(&self) -> u64 {
        (**self).extra()
    }
    fn blocked(&self) -> u64 {
        (**self).blocked()
    }
    fn explored(&self) -> Option<f64> {
        (**self).explored()
    }
    fn left(&self, depth: usize) -> Option<usize> {
        (**self).left(depth)
    }
    fn size(&self) -> Option<(f64, f64)> {
        (**self).size()
    }
    fn complete(&self) -> bool {
        (**self).complete()
    }
    fn frontier(&self) -> Option<Vec<u64>> {
        (**self).frontier()
    }
    fn resume(&mut self, frontier: &[u64]) -> bool {
        (**self).resume(frontier)
    }
    fn split(&mut self) -> Option<Vec<u64>> {
        (**self).split()
    }
    fn explore_part(&mut self, part: &[u64]) -> bool {
        (**self).explore_part(part)
    }
}

/// Why a path is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Over {
    /// With this exit code.
    Exited(i32),
    /// No thread can run, now or later; why the last one stopped.
    Stuck(Pause),
    /// The strategy itself said [`Decision::Prune`].
    Pruned,
    /// A bound, or something that the machine lacks, ended it.
    Cut,
}

/// The answer of [`Strategy::choose`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    Take(Pick),
    /// The same, and the strategy does not expect to come back to this point, so that a
    /// mark is not worth its cost. It may come back nevertheless.
    Last(Pick),
    /// This path need not be followed any further.
    Prune,
    /// The state is the one that the path was in at this depth; everybody who could go on
    /// has done so since, so the program can run like that for ever.
    Cycle {
        since: usize,
    },
}

/// The answer of [`Strategy::next`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Go back to the choice point at this depth and choose again.
    Backtrack {
        depth: usize,
    },
    /// Begin anew.
    Restart,
    Done,
}

/// Judges executions. Rewinds with the machine, so it never remembers a future that did
/// not happen.
pub trait Detector: Rewind {
    fn wants(&self) -> EventMask;
    fn event(&mut self, event: &Event, view: &dyn View, out: &mut Findings);
    /// Whether it has anything to do where threads stop. Asked once, by whoever drives several.
    fn looks_at_stops(&self) -> bool {
        false
    }
    /// The running thread stopped at a choice point; for those who look at stops.
    fn pause(&mut self, _at: &ChoicePoint<'_>, _view: &dyn View, _out: &mut Findings) {}
    fn end(&mut self, _end: &End, _view: &dyn View, _out: &mut Findings) {}
}

/// Errors found on the present path since the driver looked last.
///
/// A search meets the same error on many paths. What it knows already is only counted,
/// since to put a sentence together one may have to look at the whole heap.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    pub new: Vec<Finding>,
    /// What the driver knows.
    pub known: Vec<Finding>,
    /// Indices into `known`: those that were met again.
    pub again: Vec<usize>,
    /// If somebody looks for one error, its kind and lines: no other is worth a sentence.
    pub only: Option<(FindingKind, Vec<Line>)>,
}

impl Findings {
    /// Whether an error at these sites is new; then `add` it, with the lines that this gives.
    pub fn news(
        &mut self,
        view: &dyn View,
        kind: FindingKind,
        potential: bool,
        sites: &[Site],
    ) -> Option<Vec<Line>> {
        let line = |&site: &Site| Line {
            method: site.method,
            number: view.line(site),
        };
        let mut lines: Vec<Line> = sites.iter().map(line).collect();
        lines.sort();
        let other = |only: &(FindingKind, Vec<Line>)| (only.0, &only.1) != (kind, &lines);
        if self.only.as_ref().is_some_and(other) {
            return None;
        }
        let is_it = |f: &Finding| f.kind == kind && f.potential <= potential && f.lines == lines;
        if let Some(at) = self.known.iter().position(is_it) {
            self.again.push(at);
            return None;
        }
        (!self.new.iter().any(is_it)).then_some(lines)
    }

    pub fn add(&mut self, finding: Finding) {
        match self.known.iter().position(|f| f.covers(&finding)) {
            Some(at) => self.again.push(at),
            None => self.new.push(finding),
        }
    }
}

/// One error of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    pub kind: FindingKind,
    /// One sentence in the program's own terms.
    pub message: String,
    /// The threads concerned, the guilty one first.
    pub threads: Vec<ThreadId>,
    /// Where they did it, in the same order.
    pub sites: Vec<Site>,
    /// The lines of the sites, sorted. They make the error, whichever objects and threads
    /// came together there; without any, the message does.
    pub lines: Vec<Line>,
    /// The objects concerned.
    pub objects: Vec<ObjectId>,
    /// What the sentence calls them, if that was before the thread came to a stop: what it makes until
    /// then may change the numbers of others.
    pub called: Vec<String>,
    /// Predicted from another schedule and not yet confirmed by one of its own.
    pub potential: bool,
}

impl Finding {
    /// An error that is told by its message alone.
    pub fn new(kind: FindingKind, message: String) -> Finding {
        Finding {
            kind,
            message,
            threads: Vec::new(),
            sites: Vec::new(),
            lines: Vec::new(),
            objects: Vec::new(),
            called: Vec::new(),
            potential: false,
        }
    }

    /// The same, with what its objects are called now.
    pub fn calling(mut self, view: &dyn View) -> Finding {
        let name = view.object_names();
        self.called = self.objects.iter().map(|object| name(*object)).collect();
        drop(name);
        self
    }

    /// Whether it is an exception that ended a thread and was taken by a handler of the
    /// program, not by a future.
    pub fn is_handled(&self) -> bool {
        self.kind == FindingKind::SwallowedException && self.objects.len() == 1
    }

    /// Whether the other one is the same error, or a prediction of it.
    pub fn covers(&self, other: &Finding) -> bool {
        let placed = !self.lines.is_empty();
        self.kind == other.kind
            && self.potential <= other.potential
            && self.lines == other.lines
            && (placed || self.message == other.message)
    }
}

/// A line of the program's source. Methods without line numbers count as one line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Line {
    pub method: MethodId,
    pub number: Option<u32>,
}

/// The kinds of errors; `name` is what the reports and `--only` call them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FindingKind {
    Assertion,
    Exception,
    ExitCode,
    LockCycle,
    ConditionDeadlock,
    Deadlock,
    Race,
    LockDiscipline,
    Invariant,
    Livelock,
    SwallowedException,
}

impl FindingKind {
    pub const ALL: &[FindingKind] = &[
        FindingKind::Assertion,
        FindingKind::Exception,
        FindingKind::ExitCode,
        FindingKind::LockCycle,
        FindingKind::ConditionDeadlock,
        FindingKind::Deadlock,
        FindingKind::Race,
        FindingKind::LockDiscipline,
        FindingKind::Invariant,
        FindingKind::Livelock,
        FindingKind::SwallowedException,
    ];

    /// Whether it is worth to be told and no error: the verdict does not depend on it.
    pub fn is_warning(self) -> bool {
        self == FindingKind::SwallowedException
    }

    /// The kind of this name.
    pub fn named(name: &str) -> Option<FindingKind> {
        FindingKind::ALL.iter().copied().find(|k| k.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            FindingKind::Assertion => "assertion",
            FindingKind::Exception => "exception",
            FindingKind::ExitCode => "exit-code",
            FindingKind::LockCycle => "lock-cycle",
            FindingKind::ConditionDeadlock => "condition-deadlock",
            FindingKind::Deadlock => "deadlock",
            FindingKind::Race => "race",
            FindingKind::LockDiscipline => "lock-discipline",
            FindingKind::Invariant => "invariant",
            FindingKind::Livelock => "livelock",
            FindingKind::SwallowedException => "swallowed-exception",
        }
    }
}
