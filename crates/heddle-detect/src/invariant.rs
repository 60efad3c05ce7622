//! Invariants: static boolean methods of the program that hold wherever the machine
//! stops (J-Serializer's idea, `--invariant Class.method`).
//!
//! The machine evaluates them, this file only judges. Before it returns from `run` the
//! machine marks itself, calls each method on a thread of its own, notes the outcome,
//! and rewinds; [`View::invariants`] gives the outcomes. A method that cannot be
//! evaluated where the machine stopped ([`Outcome::Unknown`]) says nothing.
//!
//! A broken invariant is reported once per path, where it is first seen broken: at the place
//! where the thread that ran stopped before, since what it stopped for is what it did.

use crate::saved::Saved;
use crate::wording::{name, place, whereabouts};
use heddle_model::{
    ChoicePoint, Detector, End, Event, EventMask, Finding, FindingKind, Findings, Outcome, Site,
    ThreadId, View,
};

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Invariant {
    path: Saved<Path>,
}

#[derive(Clone, Debug, Default)]
struct Path {
    /// Those reported on this path, by their number.
    broken: Vec<usize>,
    /// Where threads stopped last.
    stood: Vec<(ThreadId, Site)>,
}

crate::rewinds_by!(Invariant, path);

impl Detector for Invariant {
    fn wants(&self) -> EventMask {
        EventMask::NONE
    }

    fn event(&mut self, _: &Event, _: &dyn View, _: &mut Findings) {}

    fn looks_at_stops(&self) -> bool {
        true
    }

    fn pause(&mut self, at: &ChoicePoint<'_>, view: &dyn View, out: &mut Findings) {
        if view.invariants().is_empty() {
            return;
        }
        self.judge(Some(at.by), view, out);
        if let Some(site) = whereabouts(view, at.by) {
            let stood = &mut self.path.change().stood;
            stood.retain(|(thread, _)| *thread != at.by);
            stood.push((at.by, site));
        }
    }

    fn end(&mut self, _: &End, view: &dyn View, out: &mut Findings) {
        self.judge(None, view, out);
    }
}

impl Invariant {
    fn judge(&mut self, by: Option<ThreadId>, view: &dyn View, out: &mut Findings) {
        for (number, invariant) in view.invariants().iter().enumerate() {
            let how = match &invariant.outcome {
                Outcome::Holds | Outcome::Unknown => continue,
                Outcome::Broken => "no longer holds".to_string(),
                Outcome::Threw(exception) => format!("fails with {exception}"),
            };
            if self.path.get().broken.contains(&number) {
                continue;
            }
            self.path.change().broken.push(number);
            let stood = &self.path.get().stood;
            let site = stood.iter().find(|s| Some(s.0) == by).map(|s| s.1);
            let when = match (site, by) {
                (Some(site), _) => format!("after {}", place(view, site)),
                (None, Some(thread)) => format!("after {} ran", name(view, thread)),
                (None, None) => "at the end".to_string(),
            };
            // Without lines: one that breaks at the line of another one is another error.
            let message = format!("Invariant {} {how} {when}", invariant.name);
            out.add(Finding {
                threads: by.into_iter().collect(),
                sites: site.into_iter().collect(),
                ..Finding::new(FindingKind::Invariant, message)
            });
        }
    }
}
