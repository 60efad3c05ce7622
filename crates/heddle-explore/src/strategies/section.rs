//! Explores only a section of a program: from the moment at which some thread first enters
//! one method until one enters another (Rivet's "test only a section").
//!
//! Outside the section there are no choices: the running thread goes on as long as it can,
//! then the first one that can. So the way to the section is always the same, and what comes
//! after it is followed to its end once for each path through the section, by one schedule.
//! The strategy inside sees only the choice points in between, with depths counted from the
//! first of them; the driver sees all.
//!
//! A path that never enters the section has nothing to explore: one of the program's own
//! schedules, which counts as none.

use heddle_model::{
    Awaited, ChoicePoint, Decision, Event, EventMask, Next, OpMask, Over, Pause, Pick, Site,
    Strategy, Supposed, View,
};

/// A strategy that is confined to a section.
#[derive(Clone, Debug)]
pub struct Section<S> {
    inner: S,
    from: Option<String>,
    until: Option<String>,
    /// Where the present path is.
    at: At,
    /// Depths of the choice points of the present path at which the strategy inside was
    /// asked, by its own depths.
    asked: Vec<usize>,
    /// Whether any path was in the section.
    entered: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum At {
    Before,
    Inside,
    /// Left at the choice point of this depth.
    Behind(usize),
}

impl<S: Strategy> Section<S> {
    /// Methods are `Class.method`; without one the section begins with the program, or ends
    /// with it.
    pub fn new(inner: S, from: Option<String>, until: Option<String>) -> Section<S> {
        let mut section = Section {
            inner,
            from,
            until,
            at: At::Before,
            asked: Vec::new(),
            entered: false,
        };
        section.begin();
        section
    }

    /// Whether any path has entered the section.
    pub fn entered(&self) -> bool {
        self.entered
    }

    fn begin(&mut self) {
        self.asked.clear();
        self.at = match self.from {
            Some(_) => At::Before,
            None => At::Inside,
        };
        self.entered |= self.at == At::Inside;
    }
}

fn is_entry(method: &Option<String>, site: Site, view: &dyn View) -> bool {
    let Some(method) = method else { return false };
    let frame = view.frame(site);
    site.bci == 0 && *method == format!("{}.{}", frame.class, frame.method)
}

/// The running thread if it can go on, else the first one.
fn straight_on(at: &ChoicePoint<'_>) -> Decision {
    let own = at.options.iter().position(|c| c.thread() == at.by);
    Decision::Last(Pick(own.unwrap_or(0)))
}

impl<S: Strategy> Strategy for Section<S> {
    fn stops(&self) -> OpMask {
        match self.at {
            At::Before => OpMask::ARRIVALS,
            At::Inside if self.until.is_some() => self.inner.stops().and(OpMask::ARRIVALS),
            At::Inside => self.inner.stops(),
            At::Behind(_) => OpMask::NONE,
        }
    }

    fn wants(&self) -> EventMask {
        self.inner.wants()
    }

    fn event(&mut self, event: &Event, view: &dyn View, _: usize) {
        if self.at == At::Inside {
            self.inner.event(event, view, self.asked.len());
        }
    }

    fn wonders(&mut self, view: &dyn View) -> Option<Supposed> {
        match self.at {
            At::Inside => self.inner.wonders(view),
            _ => None,
        }
    }

    fn told(&mut self, answer: Option<Awaited>) {
        self.inner.told(answer);
    }

    fn choose(&mut self, at: &ChoicePoint<'_>, view: &dyn View, depth: usize) -> Decision {
        if matches!(self.at, At::Behind(left) if depth <= left) {
            self.at = At::Inside;
        }
        let arrived = match at.pause {
            Pause::Arrived(site) => Some(site),
            _ => None,
        };
        let comes_to = |method| arrived.is_some_and(|site| is_entry(method, site, view));
        match self.at {
            At::Before if comes_to(&self.from) => {
                self.at = At::Inside;
                self.entered = true;
            }
            At::Inside if comes_to(&self.until) => self.at = At::Behind(depth),
            // Others are no choices of the strategy's: it did not ask to stop there.
            At::Inside if arrived.is_none() => {
                self.asked
                    .truncate(self.asked.partition_point(|d| *d < depth));
                let inner = self.asked.len();
                self.asked.push(depth);
                return self.inner.choose(at, view, inner);
            }
            _ => {}
        }
        straight_on(at)
    }

    fn next(&mut self, over: &Over) -> Next {
        if !self.entered {
            return Next::Done;
        }
        match self.inner.next(over) {
            Next::Backtrack { depth } => Next::Backtrack {
                depth: self.asked[depth],
            },
            Next::Restart => {
                self.begin();
                Next::Restart
            }
            Next::Done => Next::Done,
        }
    }

    fn schedules(&self) -> u64 {
        self.inner.schedules()
    }

    fn extra(&self) -> u64 {
        self.inner.extra()
    }

    fn blocked(&self) -> u64 {
        self.inner.blocked()
    }

    fn explored(&self) -> Option<f64> {
        self.inner.explored()
    }

    fn complete(&self) -> bool {
        self.entered && self.inner.complete()
    }

    fn frontier(&self) -> Option<Vec<u64>> {
        self.inner.frontier()
    }

    fn resume(&mut self, frontier: &[u64]) -> bool {
        self.inner.resume(frontier)
    }
}
