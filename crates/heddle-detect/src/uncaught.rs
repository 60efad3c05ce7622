//! An exception that no frame of a thread catches, a failed assertion among them. One that is
//! caught only to be handed to the library's handler for such exceptions, as workers of fork/join
//! pools do, or that a handler throws itself, is as good as that.
//!
//! `AssertionError` and its subclasses (JUnit's, AssertJ's) are assertions. `ThreadDeath`
//! is how a thread is asked to end and no error. What an `UncaughtExceptionHandler` of the
//! program takes is a warning, unless it is a failed assertion: it was foreseen. What an executor catches on behalf of a
//! future is [`crate::swallowed`]'s.

use crate::saved::Saved;
use crate::wording::{name, place};
use heddle_model::{Detector, Event, EventKind, EventMask, Finding, FindingKind, Findings, View};

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Uncaught {
    nothing: Saved<()>,
}

crate::rewinds_by!(Uncaught, nothing);

impl Detector for Uncaught {
    fn wants(&self) -> EventMask {
        EventMask::UNCAUGHT
    }

    fn event(&mut self, event: &Event, view: &dyn View, out: &mut Findings) {
        let EventKind::Uncaught { exception, handled } = event.kind else {
            return;
        };
        if view.instance_of(exception, "java.lang.ThreadDeath") {
            return;
        }
        let kind = match view.instance_of(exception, "java.lang.AssertionError") {
            true => FindingKind::Assertion,
            false if handled => FindingKind::SwallowedException,
            false => FindingKind::Exception,
        };
        let Some(lines) = out.news(view, kind, false, &[event.site]) else {
            return;
        };
        let thread = name(view, event.thread);
        let text = view.exception_text(exception);
        let at = place(view, event.site);
        let message = if kind == FindingKind::Assertion {
            // The usual class adds nothing to the word.
            let text = text
                .strip_prefix("java.lang.AssertionError")
                .unwrap_or(&text);
            let text = text.strip_prefix(": ").unwrap_or(text);
            let gap = if text.is_empty() { "" } else { ": " };
            format!("Assertion fails in {thread} at {at}{gap}{text}")
        } else if handled {
            format!("{thread} ends by an exception at {at}, which a handler takes: {text}")
        } else {
            format!("{thread} ends by an exception at {at}: {text}")
        };
        out.add(Finding {
            threads: vec![event.thread],
            sites: vec![event.site],
            lines,
            objects: vec![exception],
            ..Finding::new(kind, message)
        });
    }
}
