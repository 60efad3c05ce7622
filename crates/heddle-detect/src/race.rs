//! Data races: two accesses to one place, at least one of them a write, that nothing orders.
//!
//! FastTrack (Flanagan and Freund): happens-before by vector clocks ([`crate::clocks`]), one
//! epoch per place as long as that is enough ([`crate::shadow`]). What orders threads:
//!
//! - a monitor given back, or waited on, and entered after that;
//! - a write and a later read of a volatile field, or the same in volatile, acquire or
//!   release mode of a field that is not; class initialization, the interrupt flag and the
//!   death of a thread are told as such accesses;
//! - starting a thread and all it does; `unpark` and the return from `park` after it.
//!
//! An object that one thread alone could reach was not watched. When it becomes reachable
//! its thread counts as having written all of it there and then: a reader that does not
//! come after that is in a race even if every access to the reference itself is ordered by
//! nothing we see. Final fields are never told, so they are never reported.
//!
//! Deviations from FastTrack: a write ends the reads before it also when there was one
//! only; a read by the thread that wrote last, at the same time, is not remembered; after a
//! race the search goes on as if the accesses had been ordered.
//!
//! Looked at are the program's own accesses, and those of library classes that leave it to
//! their users to keep threads apart (`HashMap`, `ArrayList`, `StringBuilder`, …: see
//! [`crate::code`]); these are told where the program called them. All other trusted code
//! only orders. Since its plain reads are made safe by fences that are not told, they
//! count as acquires where somebody released in another mode.
//!
//! Left out: plain accesses through a `VarHandle`, which are trusted code like the others;
//! optimistic reads under a `StampedLock` of fields that are not volatile are reported,
//! validated or not, since the memory model calls them races.

use crate::clocks::{Clocks, Stamp};
use crate::code::{Code, Codes, is_cache};
use crate::shadow::{Access, Reads, Shadow};
use crate::table::SavedTable;
use crate::wording::{name, place};
use heddle_model::{
    Detector, Event, EventKind, EventMask, Finding, FindingKind, Findings, Mark, ObjectId, Place,
    Rewind, Site, ThreadId, View,
};

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Race {
    clocks: Clocks,
    cells: SavedTable<Cell>,
    reads: Reads,
    codes: Codes,
}

/// What is known of a place, a lock or an object, by its key.
#[derive(Clone, Copy, Debug)]
enum Cell {
    Data(Shadow),
    /// Accesses order threads.
    Sync(Stamp),
    /// An object became reachable for others here.
    Published(Access),
}

/// Keys: the object, and what of it. Offsets and indices use 31 bits.
const MODES: u64 = 1 << 31;
const MONITOR: u64 = 0xFFFF_FFFF;
const PUBLICATION: u64 = 0xFFFF_FFFE;

impl Rewind for Race {
    fn mark(&mut self) -> Mark {
        // All are marked and rewound together, so their marks have the same numbers.
        self.clocks.mark();
        self.reads.mark();
        self.cells.mark()
    }

    fn rewind(&mut self, to: Mark) {
        self.clocks.rewind(to);
        self.reads.rewind(to);
        self.cells.rewind(to);
    }

    fn forget(&mut self, mark: Mark) {
        self.clocks.forget(mark);
        self.reads.forget(mark);
        self.cells.forget(mark);
    }
}

impl Detector for Race {
    fn wants(&self) -> EventMask {
        let accesses = EventMask::READ.and(EventMask::WRITE);
        let locks = EventMask::LOCK.and(EventMask::UNLOCK).and(EventMask::WAIT);
        let others = EventMask::PARK.and(EventMask::THREAD);
        let all = accesses.and(locks).and(others);
        all.and(EventMask::PUBLISH)
    }

    fn event(&mut self, event: &Event, view: &dyn View, out: &mut Findings) {
        let thread = event.thread;
        // Whatever it does: it goes on after the `park` that was heard of last.
        self.clocks.now(thread);
        match event.kind {
            // The memory model knows nothing of files.
            EventKind::Read { place, .. } | EventKind::Write { place, .. }
                if place.file_number().is_some() => {}
            EventKind::Read { place, .. } => {
                self.read(place, event, view, out);
                if event.orders {
                    self.acquire(place.word() | MODES, thread);
                }
            }
            EventKind::Write { place, .. } => {
                self.write(place, event, view, out);
                if event.orders {
                    self.release(place.word() | MODES, thread);
                }
            }
            EventKind::Lock { object } => self.acquire(key(object) | MONITOR, thread),
            EventKind::Unlock { object } | EventKind::Wait { object } => {
                let stamp = self.clocks.release(thread);
                self.set(key(object) | MONITOR, Cell::Sync(stamp));
            }
            EventKind::SeesEnd { place, .. } => self.acquire(place.word(), thread),
            EventKind::Park => self.clocks.park(thread),
            EventKind::Unpark { target } => self.clocks.unpark(thread, target),
            EventKind::ThreadStart { child } => self.clocks.start(thread, child),
            EventKind::Publish { object } => self.publish(object, event, view),
            _ => {}
        }
        if self.clocks.crowded() {
            let stamps = self.cells.young().filter_map(|cell| match cell {
                Cell::Sync(stamp) => Some(stamp),
                _ => None,
            });
            self.clocks.squeeze(stamps);
        }
    }
}

impl Race {
    fn read(&mut self, at: Place, event: &Event, view: &dyn View, out: &mut Findings) {
        let key = at.word();
        let known = self.find(key);
        if let Some((_, Cell::Sync(stamp))) = known {
            return self.clocks.acquire(event.thread, stamp);
        }
        let code = self.codes.of(event.site.method, view);
        if code.is_trusted() {
            self.acquire(key | MODES, event.thread);
            if !is_lent(at, known, code) {
                return;
            }
        }
        let epoch = self.clocks.now(event.thread);
        let (cell, shadow) = match known {
            Some((_, Cell::Data(shadow))) if shadow.has_read(epoch) => return,
            Some((cell, Cell::Data(shadow))) => (Some(cell), shadow),
            // Nobody has written it yet.
            _ if is_volatile(at, view) => return,
            _ => (None, self.fresh(at)),
        };
        let Some((site, indirect)) = self.own_site(code, event, view) else {
            return;
        };
        let by = Access {
            epoch,
            site,
            indirect,
        };
        if !self.clocks.knows(event.thread, shadow.write.epoch) {
            let found = [(by, "reads"), (shadow.write, "writes")];
            self.report(at, found, view, out);
        }
        let shadow = shadow.read(by, &self.clocks, &mut self.reads);
        self.put(cell, key, Cell::Data(shadow));
    }

    fn write(&mut self, at: Place, event: &Event, view: &dyn View, out: &mut Findings) {
        let key = at.word();
        let known = self.find(key);
        let volatile = match known {
            None => is_volatile(at, view),
            Some((_, cell)) => matches!(cell, Cell::Sync(_)),
        };
        if volatile {
            return self.release(key, event.thread);
        }
        let code = self.codes.of(event.site.method, view);
        if code.is_trusted() && !is_lent(at, known, code) {
            return;
        }
        let epoch = self.clocks.now(event.thread);
        let (cell, shadow) = match known {
            Some((_, Cell::Data(shadow))) if shadow.write.epoch == epoch => return,
            Some((cell, Cell::Data(shadow))) => (Some(cell), shadow),
            _ => (None, self.fresh(at)),
        };
        let Some((site, indirect)) = self.own_site(code, event, view) else {
            return;
        };
        let by = Access {
            epoch,
            site,
            indirect,
        };
        if !self.clocks.knows(event.thread, shadow.write.epoch) {
            let found = [(by, "writes"), (shadow.write, "writes")];
            self.report(at, found, view, out);
        }
        for read in shadow.unknown_reads(event.thread, &self.clocks, &self.reads) {
            let found = [(by, "writes"), (read, "reads")];
            self.report(at, found, view, out);
        }
        let shadow = shadow.written(by, &mut self.reads);
        self.put(cell, key, Cell::Data(shadow));
    }

    /// Where trusted code hands an object over it is trusted to do so in order.
    fn publish(&mut self, object: ObjectId, event: &Event, view: &dyn View) {
        let epoch = self.clocks.now(event.thread);
        let code = self.codes.of(event.site.method, view);
        if code == Code::Trusted {
            return;
        }
        if let Some((site, indirect)) = self.own_site(code, event, view) {
            let published = Cell::Published(Access {
                epoch,
                site,
                indirect,
            });
            self.set(key(object) | PUBLICATION, published);
        }
    }

    fn acquire(&mut self, key: u64, thread: ThreadId) {
        if let Some((_, Cell::Sync(stamp))) = self.find(key) {
            self.clocks.acquire(thread, stamp);
        }
    }

    /// A release that does not undo those of threads that this one knows nothing of.
    fn release(&mut self, key: u64, thread: ThreadId) {
        let (cell, before) = match self.find(key) {
            Some((cell, Cell::Sync(stamp))) => (Some(cell), stamp),
            _ => (None, Stamp::default()),
        };
        let stamp = self.clocks.release_to(thread, before);
        self.put(cell, key, Cell::Sync(stamp));
    }

    #[inline]
    fn find(&self, key: u64) -> Option<(usize, Cell)> {
        let at = self.cells.find(key)?;
        Some((at, *self.cells.at(at)))
    }

    fn set(&mut self, key: u64, value: Cell) {
        let cell = self.cells.find(key);
        self.put(cell, key, value);
    }

    fn put(&mut self, cell: Option<usize>, key: u64, value: Cell) {
        match cell {
            Some(cell) => *self.cells.change(cell) = value,
            None => _ = self.cells.insert(key, value),
        }
    }

    /// A place that nobody touched since its object could be reached.
    fn fresh(&self, at: Place) -> Shadow {
        let published = self.cells.get(key(at.object()) | PUBLICATION);
        Shadow::new(match published {
            Some(Cell::Published(access)) => *access,
            _ => Access::NEVER,
        })
    }

    /// Where the program made an access, and whether it called the library for something else;
    /// `None` if it is not one of the program's.
    fn own_site(&mut self, code: Code, event: &Event, view: &dyn View) -> Option<(Site, bool)> {
        if code == Code::Own {
            return Some((event.site, false));
        }
        let own = view.own_frame(event.thread)?;
        let serves = match own.calls {
            Some(called) => self.codes.of(called, view).serves_its_caller(),
            // Handles are called without a frame in between.
            None => code == Code::Accessor,
        };
        match code {
            // Whoever in the library uses such an object: the program may have handed it over.
            Code::Unguarded => {
                // A method reference stands for the program where the library calls it.
                let direct = serves
                    && (own.by_reference || !self.goes_through_library(event, own.site, view));
                Some((own.site, !direct))
            }
            // Of an array that the program has lent.
            Code::Trusted => Some((own.site, true)),
            Code::Accessor if serves => Some((own.site, false)),
            Code::Form => {
                let called = own.calls.map(|called| self.codes.of(called, view));
                (called == Some(Code::Accessor)).then_some((own.site, false))
            }
            _ => None,
        }
    }

    /// Whether code that is trusted to do right lies between the program's frame and what a
    /// thread is in: the loader of services that opens a jar, say, keeps threads apart at the
    /// library's own tables.
    fn goes_through_library(&mut self, event: &Event, own: Site, view: &dyn View) -> bool {
        let inside = view.stack(event.thread).into_iter();
        let inside = inside.take_while(|site| *site != own);
        let mut codes = inside.map(|site| self.codes.of(site.method, view));
        codes.any(|code| code == Code::Trusted)
    }

    /// Reports an access and one before it.
    fn report(
        &self,
        at: Place,
        [(later, does), (earlier, did)]: [(Access, &str); 2],
        view: &dyn View,
        out: &mut Findings,
    ) {
        // Between two uses that the program did not ask for the library keeps threads apart.
        if later.indirect && earlier.indirect {
            return;
        }
        let sites = [later.site, earlier.site];
        let Some(lines) = out.news(view, FindingKind::Race, false, &sites) else {
            return;
        };
        if view.field(at).is_some_and(|f| is_cache(&f.class, &f.name)) {
            return;
        }
        let object = at.object();
        let who = |access: Access| name(view, ThreadId(access.epoch.thread));
        let (first, there) = (who(earlier), place(view, earlier.site));
        let (second, here) = (who(later), place(view, later.site));
        let published = self.fresh(at).write == earlier;
        let what = view.place_name(at);
        let message = match published {
            true => format!(
                "Data race on {what}: {first} makes {} visible to other threads at {there}, and \
                 {second} {does} the field at {here}; nothing orders them",
                view.object_name(object)
            ),
            false => format!(
                "Data race on {what}: {first} {did} at {there} while {second} {does} at {here}; \
                 nothing orders them"
            ),
        };
        let thread = |access: Access| ThreadId(access.epoch.thread);
        let finding = Finding {
            threads: vec![thread(later), thread(earlier)],
            sites: sites.to_vec(),
            lines,
            objects: vec![object],
            ..Finding::new(FindingKind::Race, message)
        };
        out.add(finding.calling(view));
    }
}

/// Whether trusted code uses an element of an array that the program uses itself: `new
/// String(chars)`, `out.write(bytes)`.
fn is_lent(at: Place, known: Option<(usize, Cell)>, code: Code) -> bool {
    let used = matches!(known, Some((_, Cell::Data(_))));
    used && code == Code::Trusted && matches!(at, Place::Element { .. })
}

fn key(object: ObjectId) -> u64 {
    u64::from(object.0) << 32
}

/// The state of a class's initialization is where its mirror has no field: at offset 0.
fn is_volatile(place: Place, view: &dyn View) -> bool {
    place.is_initialization() || view.is_volatile(place)
}
