//! A program that ends itself with an exit code that is not 0: so it says that it failed. Drivers
//! of tests do that when they have caught what went wrong.
//!
//! The code 1 of a program whose `main` ends by an exception is [`crate::uncaught`]'s.

use crate::saved::Saved;
use crate::wording::{name, place};
use heddle_model::{
    Detector, End, Event, EventMask, Finding, FindingKind, Findings, Site, ThreadId, View,
};

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct ExitCode {
    nothing: Saved<()>,
}

crate::rewinds_by!(ExitCode, nothing);

impl Detector for ExitCode {
    fn wants(&self) -> EventMask {
        EventMask::NONE
    }

    fn event(&mut self, _: &Event, _: &dyn View, _: &mut Findings) {}

    fn end(&mut self, end: &End, view: &dyn View, out: &mut Findings) {
        let End::Exited(code) = *end else {
            return;
        };
        let threads = (0..view.thread_count() as u32).map(ThreadId);
        let halts = |&thread: &ThreadId| halts(view, thread);
        let Some(thread) = threads.filter(|_| code != 0).find(halts) else {
            return;
        };
        let site = view.own_frame(thread).map(|own| own.site);
        let sites: Vec<Site> = site.into_iter().collect();
        let kind = FindingKind::ExitCode;
        let Some(lines) = out.news(view, kind, false, &sites) else {
            return;
        };
        let at = site.map_or(String::new(), |site| format!(" at {}", place(view, site)));
        let who = name(view, thread);
        let message = format!("{who} ends the program with exit code {code}{at}");
        out.add(Finding {
            threads: vec![thread],
            sites,
            lines,
            ..Finding::new(kind, message)
        });
    }
}

/// Whether a thread has stopped all others, and itself.
fn halts(view: &dyn View, thread: ThreadId) -> bool {
    view.stack(thread).first().is_some_and(|site| {
        let frame = view.frame(*site);
        frame.class == "java.lang.Shutdown" && frame.method == "halt0"
    })
}
