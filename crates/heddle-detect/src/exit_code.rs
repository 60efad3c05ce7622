//! A program that ends with an exit code that is not 0: so it says that it failed. Drivers
//! of tests call `System.exit` with one when they have caught what went wrong.
//!
//! A program whose `main` ends by an exception has the code 1, also if a handler takes the exception:
//! that keeps `java` from printing it, and no more. Where nobody takes it, that is
//! [`crate::uncaught`]'s, and so is a failed assertion.

use crate::saved::Saved;
use crate::wording::{name, place};
use heddle_model::{
    Detector, End, Event, EventKind, EventMask, Finding, FindingKind, Findings, ObjectId, Site,
    ThreadId, View,
};

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct ExitCode {
    /// The exception that `main` has ended by and that is no finding, where it was thrown, and whether
    /// a handler took it.
    taken: Saved<Option<(ObjectId, Site, bool)>>,
}

crate::rewinds_by!(ExitCode, taken);

impl Detector for ExitCode {
    fn wants(&self) -> EventMask {
        EventMask::UNCAUGHT
    }

    fn event(&mut self, event: &Event, view: &dyn View, _: &mut Findings) {
        let EventKind::Uncaught { exception, handled } = event.kind else {
            return;
        };
        let is = |class: &str| view.instance_of(exception, class);
        let quiet = is("java.lang.ThreadDeath") || handled && !is("java.lang.AssertionError");
        if event.thread == ThreadId(0) && quiet {
            *self.taken.change() = Some((exception, event.site, handled));
        }
    }

    fn end(&mut self, end: &End, view: &dyn View, out: &mut Findings) {
        let End::Exited(code) = *end else {
            return;
        };
        if code == 0 {
            return;
        }
        let mut threads = (0..view.thread_count() as u32).map(ThreadId);
        if let Some(thread) = threads.find(|&thread| halts(view, thread)) {
            let site = view.own_frame(thread).map(|own| own.site);
            let ends = |at: &str| {
                let who = name(view, thread);
                format!("{who} ends the program with exit code {code}{at}")
            };
            report(thread, site, &[], ends, view, out);
        } else if let Some((exception, site, handled)) = *self.taken.get() {
            let thread = ThreadId(0);
            let ends = |at: &str| {
                let (who, text) = (name(view, thread), view.exception_text(exception));
                let taken = if handled {
                    ", which a handler takes"
                } else {
                    ""
                };
                format!(
                    "The program ends with exit code {code}, since {who} ends by an exception{at}{taken}: {text}"
                )
            };
            report(thread, Some(site), &[exception], ends, view, out);
        }
    }
}

fn report(
    thread: ThreadId,
    site: Option<Site>,
    objects: &[ObjectId],
    message: impl Fn(&str) -> String,
    view: &dyn View,
    out: &mut Findings,
) {
    let sites: Vec<Site> = site.into_iter().collect();
    let kind = FindingKind::ExitCode;
    let Some(lines) = out.news(view, kind, false, &sites) else {
        return;
    };
    let at = site.map_or(String::new(), |site| format!(" at {}", place(view, site)));
    out.add(Finding {
        threads: vec![thread],
        sites,
        lines,
        objects: objects.to_vec(),
        ..Finding::new(kind, message(&at))
    });
}

/// Whether a thread has stopped all others, and itself.
fn halts(view: &dyn View, thread: ThreadId) -> bool {
    view.stack(thread).first().is_some_and(|site| {
        let frame = view.frame(*site);
        frame.class == "java.lang.Shutdown" && frame.method == "halt0"
    })
}
