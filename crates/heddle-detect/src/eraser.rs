//! Lock discipline: is there a lock that is held at every access to a place?
//!
//! The Eraser algorithm (Savage et al.) as Rivet uses it (figure 2.1): a place is
//! *virgin*, then *exclusive* to its first thread, then *shared* (read by others) or
//! *shared-modified*; from the second thread on its candidate locks are those held at
//! every access, and when none is left in shared-modified, nothing protects the place.
//! Read-write locks are left out, as there.
//!
//! Looked at: fields and elements that the program's own code touches. Volatile fields
//! order their accesses themselves and are left alone. What is found is potential: a
//! place handed over by `start`, `join` or a queue needs no lock, and Eraser does not
//! know. Each place is reported once per path.

use crate::held::Held;
use crate::table::SavedTable;
use crate::wording::{name, place};
use heddle_model::nests::Stack;
use heddle_model::{
    Detector, Event, EventKind, EventMask, Finding, FindingKind, Findings, Mark, Place, Rewind,
    Site, ThreadId, View,
};

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Eraser {
    places: SavedTable<Guard>,
    held: Held,
}

/// What is known of a place. One that is not in the table is virgin.
#[derive(Clone, Copy, Debug)]
struct Guard {
    state: State,
    /// The access that brought it into its state.
    by: ThreadId,
    site: Site,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Exclusive,
    /// With the locks that were held at every access.
    Shared(Stack),
    SharedModified(Stack),
    Reported,
}

impl Rewind for Eraser {
    fn mark(&mut self) -> Mark {
        // Both are marked and rewound together, so their marks have the same numbers.
        self.places.mark();
        self.held.mark()
    }

    fn rewind(&mut self, to: Mark) {
        self.places.rewind(to);
        self.held.rewind(to);
    }

    fn forget(&mut self, mark: Mark) {
        self.places.forget(mark);
        self.held.forget(mark);
    }
}

impl Detector for Eraser {
    fn wants(&self) -> EventMask {
        let accesses = EventMask::READ.and(EventMask::WRITE);
        let locks = EventMask::LOCK.and(EventMask::UNLOCK);
        accesses.and(locks).and(EventMask::WAIT)
    }

    fn event(&mut self, event: &Event, view: &dyn View, out: &mut Findings) {
        match event.kind {
            // No lock in the heap is expected to guard a file.
            EventKind::Read { place, .. } | EventKind::Write { place, .. }
                if place.file_number().is_some() => {}
            EventKind::Read { place, .. } => self.access(place, false, event, view, out),
            EventKind::Write { place, .. } => self.access(place, true, event, view, out),
            EventKind::Lock { object } => self.held.take(event.thread, object),
            EventKind::Unlock { object } | EventKind::Wait { object } => {
                self.held.give_back(event.thread, object);
            }
            _ => {}
        }
    }
}

impl Eraser {
    fn access(
        &mut self,
        at: Place,
        write: bool,
        event: &Event,
        view: &dyn View,
        out: &mut Findings,
    ) {
        let (by, site) = (event.thread, event.site);
        if view.trusted(site.method) {
            return;
        }
        let cell = self.places.find(at.word());
        let guard = cell.map(|cell| *self.places.at(cell));
        let next = match guard.map(|g| (g.state, g.by)) {
            None if view.is_volatile(at) => State::Reported,
            None => State::Exclusive,
            Some((State::Reported, _)) => return,
            Some((State::Exclusive, owner)) if owner == by => return,
            Some((State::Exclusive, _)) if write => State::SharedModified(self.held.by(by)),
            Some((State::Exclusive, _)) => State::Shared(self.held.by(by)),
            Some((State::Shared(locks), _)) => match (write, self.refine(locks, by)) {
                (true, refined) => State::SharedModified(refined),
                (false, refined) => State::Shared(refined),
            },
            Some((State::SharedModified(locks), _)) => {
                State::SharedModified(self.refine(locks, by))
            }
        };
        if guard.is_some_and(|g| g.state == next) {
            return;
        }
        let broken = next == State::SharedModified(Stack::EMPTY);
        let state = match broken {
            true => State::Reported,
            false => next,
        };
        let sites = guard.map_or(vec![], |before| match before.by == by {
            true => vec![site],
            false => vec![site, before.site],
        });
        if broken
            && let Some(before) = guard
            && let Some(lines) = out.news(view, FindingKind::LockDiscipline, true, &sites)
        {
            let verb = if write { "writes" } else { "reads" };
            let mut message = format!(
                "No lock protects {}: {} {verb} it at {}",
                view.place_name(at),
                name(view, by),
                place(view, site),
            );
            let mut threads = vec![by];
            if before.by != by {
                let (other, there) = (name(view, before.by), place(view, before.site));
                message += &format!(" and shares no lock with {other}, which used it at {there}");
                threads.push(before.by);
            }
            let finding = Finding {
                threads,
                sites,
                lines,
                objects: vec![at.object()],
                potential: true,
                ..Finding::new(FindingKind::LockDiscipline, message)
            };
            out.add(finding.calling(view));
        }
        let guard = Guard { state, by, site };
        match cell {
            Some(cell) => *self.places.change(cell) = guard,
            None => _ = self.places.insert(at.word(), guard),
        }
    }

    /// The candidates that are held, too.
    fn refine(&mut self, candidates: Stack, by: ThreadId) -> Stack {
        let held = self.held.by(by);
        self.held.common(candidates, held)
    }
}
