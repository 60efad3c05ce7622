//! Invariants: static boolean methods of the program that hold wherever the machine
//! stops (J-Serializer's idea, `--invariant Class.method`).
//!
//! The machine evaluates them, this file only judges. Before it returns from `run` the
//! machine marks itself, calls each method on a thread of its own, notes the outcome,
//! and rewinds; [`View::invariants`] gives the outcomes. A method that cannot be
//! evaluated where the machine stopped ([`Outcome::Unknown`]) says nothing.
//!
//! A broken invariant is reported once per path, where it is first seen broken.

use crate::saved::Saved;
use crate::wording::{name, place, whereabouts};
use heddle_model::{
    ChoicePoint, Detector, End, Event, EventMask, Finding, FindingKind, Findings, Outcome,
    ThreadId, View,
};

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Invariant {
    /// Those reported on this path, by their number.
    broken: Saved<Vec<usize>>,
}

crate::rewinds_by!(Invariant, broken);

impl Detector for Invariant {
    fn wants(&self) -> EventMask {
        EventMask::NONE
    }

    fn event(&mut self, _: &Event, _: &dyn View, _: &mut Findings) {}

    fn pause(&mut self, at: &ChoicePoint<'_>, view: &dyn View, out: &mut Findings) {
        self.judge(Some(at.by), view, out);
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
            if self.broken.get().contains(&number) {
                continue;
            }
            self.broken.change().push(number);
            let when = match by {
                Some(thread) => {
                    let at = whereabouts(view, thread).map(|site| place(view, site));
                    let at = at.map_or(String::new(), |at| format!(" at {at}"));
                    format!("after {} ran{at}", name(view, thread))
                }
                None => "at the end".to_string(),
            };
            let message = format!("Invariant {} {how} {when}", invariant.name);
            out.add(Finding {
                threads: by.into_iter().collect(),
                ..Finding::new(FindingKind::Invariant, message)
            });
        }
    }
}
