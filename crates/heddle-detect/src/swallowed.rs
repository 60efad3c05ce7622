//! Exceptions that end in a future that nobody asks: a warning, since a program may not want
//! to know.
//!
//! A `FutureTask` (what executors make of a task), what a fork/join pool makes of a task that is
//! submitted, or a `CompletableFuture` that was completed by an exception is noted; whoever reads its outcome after that has asked, be it `get`,
//! `join`, or a dependent stage that passes the exception on and is then the one to be
//! asked. `isDone` is no question. A stage of `whenComplete` whose action has seen the
//! exception has no need to be asked either. What is left at the end of a path is told.
//!
//! Futures that only one thread could ever reach are not seen.

use crate::facts::Facts;
use crate::table::SavedTable;
use crate::wording::{name, place};
use heddle_model::{
    Detector, End, Event, EventKind, EventMask, Finding, FindingKind, Findings, ObjectId, Place,
    Site, ThreadId, View,
};

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Swallowed {
    failed: SavedTable<Failed>,
    futures: Facts<bool>,
}

crate::rewinds_by!(Swallowed, failed);

/// A future that was completed by an exception.
#[derive(Clone, Copy, Debug)]
struct Failed {
    future: ObjectId,
    exception: ObjectId,
    by: ThreadId,
    asked: bool,
}

const FUTURES: [&str; 6] = [
    "java.util.concurrent.FutureTask",
    "java.util.concurrent.CompletableFuture",
    "java.util.concurrent.ForkJoinTask$AdaptedRunnable",
    "java.util.concurrent.ForkJoinTask$AdaptedRunnableAction",
    "java.util.concurrent.ForkJoinTask$AdaptedCallable",
    "java.util.concurrent.ForkJoinTask$AdaptedInterruptibleCallable",
];
/// Where those keep the exception.
const OUTCOMES: [&str; 3] = ["outcome", "result", "aux"];
/// Methods that look there without a word of it to their caller.
const SILENT: [&str; 3] = ["isDone", "trySetThrown", "signalWaiters"];

impl Detector for Swallowed {
    fn wants(&self) -> EventMask {
        EventMask::READ.and(EventMask::WRITE)
    }

    fn event(&mut self, event: &Event, view: &dyn View, _: &mut Findings) {
        match event.kind {
            EventKind::Write { place, .. } => self.written(place.object(), event.thread, view),
            EventKind::Read { place, .. } if !self.failed.is_empty() => {
                self.read(place, event.site, view);
            }
            _ => {}
        }
    }

    fn end(&mut self, end: &End, view: &dyn View, out: &mut Findings) {
        if !matches!(end, End::StepLimit(_) | End::Repeats(_)) {
            for failed in self.failed.values().filter(|f| !f.asked) {
                failed.warn(view, out);
            }
        }
    }
}

impl Swallowed {
    fn written(&mut self, object: ObjectId, by: ThreadId, view: &dyn View) {
        if !self.is_future(object, view) || self.failed.find(key(object)).is_some() {
            return;
        }
        let Some(exception) = view.thrown_into(object) else {
            return;
        };
        let seen = |site: Site| view.frame(site).method == "uniWhenComplete";
        self.failed.insert(
            key(object),
            Failed {
                future: object,
                exception,
                by,
                asked: view.stack(by).into_iter().any(seen),
            },
        );
    }

    fn read(&mut self, place: Place, site: Site, view: &dyn View) {
        let Some(at) = self.failed.find(key(place.object())) else {
            return;
        };
        let field = view.field(place).map(|f| f.name);
        if !self.failed.at(at).asked
            && field.is_some_and(|field| OUTCOMES.contains(&&*field))
            && !SILENT.contains(&&*view.frame(site).method)
        {
            self.failed.change(at).asked = true;
        }
    }

    fn is_future(&mut self, object: ObjectId, view: &dyn View) -> bool {
        let ask = || FUTURES.iter().any(|class| view.instance_of(object, class));
        match view.class_number(object) {
            Some(class) => self.futures.of(class, ask),
            None => ask(),
        }
    }
}

impl Failed {
    fn warn(&self, view: &dyn View, out: &mut Findings) {
        let site = view.thrown_at(self.exception);
        let sites: Vec<Site> = site.into_iter().collect();
        let kind = FindingKind::SwallowedException;
        let Some(lines) = out.news(view, kind, false, &sites) else {
            return;
        };
        let at = site.map_or(String::new(), |site| format!(" at {}", place(view, site)));
        let message = format!(
            "An exception is lost: {} in {}{at} is kept in {}, which nobody asks",
            view.exception_text(self.exception),
            name(view, self.by),
            view.object_name(self.future),
        );
        out.add(Finding {
            threads: vec![self.by],
            sites,
            lines,
            objects: vec![self.exception, self.future],
            ..Finding::new(kind, message)
        });
    }
}

fn key(object: ObjectId) -> u64 {
    u64::from(object.0)
}
