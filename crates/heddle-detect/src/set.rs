//! All detectors by name, which of them are on, and several driven as one.

use crate::{
    ConditionDeadlock, Eraser, ExitCode, Invariant, Livelock, LockCycle, Race, Swallowed, Uncaught,
};
use heddle_model::{
    ChoicePoint, Detector, End, Event, EventMask, Finding, FindingKind, Findings, Mark, Rewind,
    View,
};
use std::fmt;

/// A detector, what it can find, and how it is made.
pub struct Entry {
    pub name: &'static str,
    pub kinds: &'static [FindingKind],
    pub make: fn() -> Box<dyn Detector + Send>,
}

/// Every detector; a new one is a file and a line here.
#[rustfmt::skip]
pub const DETECTORS: &[Entry] = &[
    Entry { name: "uncaught", kinds: &[FindingKind::Assertion, FindingKind::Exception], make: || Box::new(Uncaught::default()) },
    Entry { name: "exit-code", kinds: &[FindingKind::ExitCode], make: || Box::new(ExitCode::default()) },
    Entry { name: "swallowed", kinds: &[FindingKind::SwallowedException], make: || Box::new(Swallowed::default()) },
    Entry { name: "lock-cycle", kinds: &[FindingKind::LockCycle], make: || Box::new(LockCycle::default()) },
    Entry { name: "condition-deadlock", kinds: &[FindingKind::ConditionDeadlock, FindingKind::Deadlock], make: || Box::new(ConditionDeadlock::default()) },
    Entry { name: "race", kinds: &[FindingKind::Race], make: || Box::new(Race::default()) },
    Entry { name: "eraser", kinds: &[FindingKind::LockDiscipline], make: || Box::new(Eraser::default()) },
    Entry { name: "invariant", kinds: &[FindingKind::Invariant], make: || Box::new(Invariant::default()) },
    Entry { name: "livelock", kinds: &[FindingKind::Livelock], make: || Box::new(Livelock::default()) },
];

/// Which kinds of findings are wanted (`--only`, `--ignore`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filter {
    kinds: Vec<FindingKind>,
}

impl Default for Filter {
    fn default() -> Self {
        Filter {
            kinds: FindingKind::ALL.to_vec(),
        }
    }
}

impl Filter {
    /// From the names that the user gave. A name is a kind of finding, a detector, or
    /// `deadlock` for every kind of deadlock. An empty `only` means everything.
    pub fn new<S: AsRef<str>>(only: &[S], ignore: &[S]) -> Result<Filter, UnknownName> {
        let only = kinds_of(only)?;
        let ignore = kinds_of(ignore)?;
        let wanted = |k: &FindingKind| (only.is_empty() || only.contains(k)) && !ignore.contains(k);
        let kinds = FindingKind::ALL.iter().copied().filter(wanted).collect();
        Ok(Filter { kinds })
    }

    pub fn wants(&self, kind: FindingKind) -> bool {
        self.kinds.contains(&kind)
    }

    /// Drops what is not wanted of the findings from `from` on.
    #[cold]
    fn apply(&self, findings: &mut Vec<Finding>, from: usize) {
        let new = findings.split_off(from);
        findings.extend(new.into_iter().filter(|f| self.wants(f.kind)));
    }
}

fn kinds_of<S: AsRef<str>>(names: &[S]) -> Result<Vec<FindingKind>, UnknownName> {
    let mut kinds = Vec::new();
    for name in names.iter().map(AsRef::as_ref) {
        let detector = DETECTORS.iter().find(|d| d.name == name);
        match (name, FindingKind::named(name), detector) {
            ("deadlock", ..) => kinds.extend([
                FindingKind::Deadlock,
                FindingKind::LockCycle,
                FindingKind::ConditionDeadlock,
            ]),
            (_, Some(kind), _) => kinds.push(kind),
            (_, None, Some(detector)) => kinds.extend(detector.kinds),
            (_, None, None) => return Err(UnknownName(name.to_string())),
        }
    }
    Ok(kinds)
}

/// A name that is no kind of finding and no detector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownName(pub String);

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = FindingKind::ALL.iter().map(|k| k.name()).collect();
        write!(
            f,
            "unknown kind of error `{}`; expected one of {}",
            self.0,
            known.join(", ")
        )
    }
}

impl std::error::Error for UnknownName {}

/// Several detectors as one: each is told what it wants, and what nobody asked for is
/// dropped.
pub struct Fanout {
    members: Vec<Member>,
    /// By the bit of a kind of event: a bit for each of those who want it.
    listeners: [u32; u32::BITS as usize],
    /// Those who look at stops.
    lookers: Vec<usize>,
    wants: EventMask,
    filter: Filter,
    next: u64,
    live: Vec<Mark>,
    /// For each live mark, those of the members: one list, since marks are frequent.
    inner: Vec<Mark>,
}

type Member = Box<dyn Detector + Send>;

impl Fanout {
    /// The detectors that can find something of what is wanted.
    pub fn new(filter: Filter) -> Fanout {
        let chosen = DETECTORS
            .iter()
            .filter(|d| d.kinds.iter().any(|&k| filter.wants(k)));
        let detectors = chosen.map(|d| (d.make)()).collect();
        Fanout::of(detectors, filter)
    }

    /// These detectors, made elsewhere.
    pub fn of(detectors: Vec<Box<dyn Detector + Send>>, filter: Filter) -> Fanout {
        let all = detectors.iter().map(|d| d.wants());
        let wants = all.fold(EventMask::NONE, EventMask::and);
        assert!(detectors.len() <= u32::BITS as usize);
        let listeners = |kind: usize| {
            let kind = EventMask(1 << kind);
            let all = detectors.iter().enumerate();
            let all = all.filter(|(_, detector)| detector.wants().has(kind));
            all.fold(0, |all, (at, _)| all | 1 << at)
        };
        let lookers = (0..detectors.len()).filter(|at| detectors[*at].looks_at_stops());
        Fanout {
            listeners: std::array::from_fn(listeners),
            lookers: lookers.collect(),
            members: detectors,
            wants,
            filter,
            next: 0,
            live: Vec::new(),
            inner: Vec::new(),
        }
    }

    /// How many live marks are older than this one.
    fn find(&self, mark: Mark) -> usize {
        match self.live.binary_search(&mark) {
            Ok(at) => at,
            Err(_) => panic!("heddle internal error: {mark:?} is not live"),
        }
    }

    /// Lets members add findings, and drops those of kinds that are not wanted.
    fn each(&mut self, out: &mut Findings, mut tell: impl FnMut(&mut Member, &mut Findings)) {
        let before = out.new.len();
        for member in &mut self.members {
            tell(member, out);
        }
        self.drop_unwanted(before, out);
    }

    #[inline(always)]
    fn drop_unwanted(&self, before: usize, out: &mut Findings) {
        if out.new.len() > before {
            self.filter.apply(&mut out.new, before);
        }
    }
}

impl Rewind for Fanout {
    fn mark(&mut self) -> Mark {
        let marks = self.members.iter_mut().map(|m| m.mark());
        self.inner.extend(marks);
        let mark = Mark(self.next);
        self.next += 1;
        self.live.push(mark);
        mark
    }

    fn rewind(&mut self, to: Mark) {
        let at = self.find(to);
        self.live.truncate(at + 1);
        let from = at * self.members.len();
        self.inner.truncate(from + self.members.len());
        for (member, &mark) in self.members.iter_mut().zip(&self.inner[from..]) {
            member.rewind(mark);
        }
    }

    fn forget(&mut self, mark: Mark) {
        let at = self.find(mark);
        self.live.remove(at);
        let from = at * self.members.len();
        let marks = self.inner.drain(from..from + self.members.len());
        for (member, mark) in self.members.iter_mut().zip(marks) {
            member.forget(mark);
        }
    }
}

impl Detector for Fanout {
    fn wants(&self) -> EventMask {
        self.wants
    }

    fn event(&mut self, event: &Event, view: &dyn View, out: &mut Findings) {
        let before = out.new.len();
        let kind = event.kind.mask().0.trailing_zeros();
        let mut listeners = self.listeners[kind as usize];
        while listeners != 0 {
            let listener = listeners.trailing_zeros();
            listeners &= listeners - 1;
            self.members[listener as usize].event(event, view, out);
        }
        self.drop_unwanted(before, out);
    }

    fn looks_at_stops(&self) -> bool {
        !self.lookers.is_empty()
    }

    fn pause(&mut self, at: &ChoicePoint<'_>, view: &dyn View, out: &mut Findings) {
        let before = out.new.len();
        for &looker in &self.lookers {
            self.members[looker].pause(at, view, out);
        }
        self.drop_unwanted(before, out);
    }

    fn end(&mut self, end: &End, view: &dyn View, out: &mut Findings) {
        self.each(out, |member, out| member.end(end, view, out));
    }
}
