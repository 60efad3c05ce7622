//! What happens in an execution, for those who watch.
//!
//! To add a kind of event: a variant of [`EventKind`], a bit in [`EventMask`] with
//! its line in [`EventKind::mask`], and one place in the VM that reports it, behind
//! the test of that bit. Events nobody wants are not built.

use crate::{MethodId, ObjectId, Site, ThreadId, View};

/// Something that one thread did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Event {
    pub thread: ThreadId,
    /// Where it did it: for a call, the place of the call.
    pub site: Site,
    pub kind: EventKind,
    /// An access in volatile, acquire or release mode to a place that is not volatile itself: a
    /// read sees what was done before such a write.
    pub orders: bool,
}

impl Event {
    pub fn new(thread: ThreadId, site: Site, kind: EventKind) -> Event {
        Event {
            thread,
            site,
            kind,
            orders: false,
        }
    }
}

/// What was done. Reads carry the value read, writes the value written, as raw bits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum EventKind {
    Read {
        place: Place,
        value: u64,
    },
    Write {
        place: Place,
        value: u64,
    },
    /// A monitor was entered for the first time (not a nested entry).
    Lock {
        object: ObjectId,
    },
    /// A monitor was given up.
    Unlock {
        object: ObjectId,
    },
    /// `wait` has begun: the monitor is free and the thread in the wait set.
    Wait {
        object: ObjectId,
    },
    /// A thread was interrupted in the wait set of this object, or is out of it after that.
    Leave {
        object: ObjectId,
    },
    /// `notify`, or `notifyAll` if `all`: how many threads it woke.
    Notify {
        object: ObjectId,
        woken: u32,
        all: bool,
    },
    /// `park`: the thread takes its permit, or waits for one.
    Park,
    Unpark {
        target: ThreadId,
    },
    /// `interrupt`, and the deprecated `stop`, `suspend` and `resume`.
    Interrupt {
        target: ThreadId,
    },
    /// An object that only this thread could reach can be reached by others from now on.
    Publish {
        object: ObjectId,
    },
    Call {
        method: MethodId,
    },
    Return {
        method: MethodId,
        /// 0 if there is none.
        value: u64,
    },
    Throw {
        exception: ObjectId,
    },
    /// No frame of the thread catches this, so the thread ends by it; or somebody caught it only
    /// to call the handler for such exceptions; or that handler threw it itself. The site is
    /// where it was thrown.
    Uncaught {
        exception: ObjectId,
        /// A handler of the program takes it.
        handled: bool,
    },
    Allocate {
        object: ObjectId,
    },
    /// A class was defined; the object is its mirror.
    ClassLoad {
        mirror: ObjectId,
    },
    ThreadStart {
        child: ThreadId,
    },
    ThreadEnd,
    /// It has seen, at the place that tells of that, that another thread has ended.
    SeesEnd {
        of: ThreadId,
        place: Place,
    },
    /// It is about to execute a bytecode that somebody asked the machine to watch.
    Arrive,
    /// Its timed wait is over because its time had come.
    TimeUp,
}

/// Offsets that no field has, but which fit into 31 bits.
const OUTSIDE: u32 = 1 << 30;
const MONITOR: u32 = (1 << 31) - 1;

/// What a read or write touches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Place {
    /// A field, by byte offset; statics are fields of the class mirror.
    Field {
        object: ObjectId,
        offset: u32,
    },
    Element {
        array: ObjectId,
        index: u32,
    },
}

impl Place {
    /// The object or array that it is in.
    pub fn object(self) -> ObjectId {
        match self {
            Place::Field { object, .. } => object,
            Place::Element { array, .. } => array,
        }
    }

    /// The state of a class's initialization: 0 is written when a thread begins it and 1
    /// when it is over. In between it is a lock of that thread. Where the header of the
    /// class mirror is, no field can be.
    pub fn initialization(mirror: ObjectId) -> Place {
        let (object, offset) = (mirror, 0);
        Place::Field { object, offset }
    }

    /// Whether it is what [`Place::initialization`] gives.
    pub fn is_initialization(self) -> bool {
        matches!(self, Place::Field { offset: 0, .. })
    }

    /// Something outside the heap: a file, known by a number below 2^30, as if it were a
    /// field of this object that lies behind all fields. Number 0 is where the object, a
    /// stream, is in its file.
    pub fn file(object: ObjectId, number: u32) -> Place {
        let offset = OUTSIDE | number;
        Place::Field { object, offset }
    }

    /// The number of a file, for what [`Place::file`] gives.
    pub fn file_number(self) -> Option<u32> {
        match self {
            Place::Field { offset, .. } if offset >= OUTSIDE && offset != MONITOR => {
                Some(offset - OUTSIDE)
            }
            _ => None,
        }
    }

    /// Who has the monitor of an object. It is read by who looks at that without taking the
    /// monitor; what writes it are events of their own.
    pub fn monitor(object: ObjectId) -> Place {
        let offset = MONITOR;
        Place::Field { object, offset }
    }

    /// Whether it is what [`Place::monitor`] gives.
    pub fn is_monitor(self) -> bool {
        matches!(
            self,
            Place::Field {
                offset: MONITOR,
                ..
            }
        )
    }

    /// A number of its own: no object has both fields and elements.
    pub fn word(self) -> u64 {
        let (Place::Field { offset: at, .. } | Place::Element { index: at, .. }) = self;
        u64::from(self.object().0) << 32 | u64::from(at)
    }
}

/// A set of kinds of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EventMask(pub u32);

impl EventMask {
    pub const NONE: EventMask = EventMask(0);
    pub const READ: EventMask = EventMask(1);
    pub const WRITE: EventMask = EventMask(1 << 1);
    pub const LOCK: EventMask = EventMask(1 << 2);
    pub const UNLOCK: EventMask = EventMask(1 << 3);
    pub const WAIT: EventMask = EventMask(1 << 4);
    pub const NOTIFY: EventMask = EventMask(1 << 5);
    pub const PARK: EventMask = EventMask(1 << 6);
    pub const INTERRUPT: EventMask = EventMask(1 << 7);
    pub const CALL: EventMask = EventMask(1 << 8);
    pub const RETURN: EventMask = EventMask(1 << 9);
    pub const THROW: EventMask = EventMask(1 << 10);
    pub const ALLOCATE: EventMask = EventMask(1 << 11);
    pub const CLASS_LOAD: EventMask = EventMask(1 << 12);
    pub const THREAD: EventMask = EventMask(1 << 13);
    pub const UNCAUGHT: EventMask = EventMask(1 << 14);
    pub const PUBLISH: EventMask = EventMask(1 << 15);
    pub const ARRIVE: EventMask = EventMask(1 << 16);
    pub const TIME_UP: EventMask = EventMask(1 << 17);
    pub const ALL: EventMask = EventMask((1 << 18) - 1);
    /// What threads do to each other: accesses, locks, waits, wake-ups, starts and ends.
    pub const INTERACTION: EventMask = EventMask::READ
        .and(EventMask::WRITE)
        .and(EventMask::LOCK)
        .and(EventMask::UNLOCK)
        .and(EventMask::WAIT)
        .and(EventMask::NOTIFY)
        .and(EventMask::PARK)
        .and(EventMask::INTERRUPT)
        .and(EventMask::THREAD);

    /// Whether it has a kind in common with `other`.
    #[inline(always)]
    pub const fn has(self, other: EventMask) -> bool {
        self.0 & other.0 != 0
    }

    pub const fn and(self, other: EventMask) -> EventMask {
        EventMask(self.0 | other.0)
    }
}

impl EventKind {
    /// The bit of this kind.
    pub fn mask(&self) -> EventMask {
        match self {
            EventKind::Read { .. } => EventMask::READ,
            EventKind::Write { .. } => EventMask::WRITE,
            EventKind::Lock { .. } => EventMask::LOCK,
            EventKind::Unlock { .. } => EventMask::UNLOCK,
            EventKind::Wait { .. } | EventKind::Leave { .. } => EventMask::WAIT,
            EventKind::Notify { .. } => EventMask::NOTIFY,
            EventKind::Park | EventKind::Unpark { .. } => EventMask::PARK,
            EventKind::Interrupt { .. } => EventMask::INTERRUPT,
            EventKind::Publish { .. } => EventMask::PUBLISH,
            EventKind::Call { .. } => EventMask::CALL,
            EventKind::Return { .. } => EventMask::RETURN,
            EventKind::Throw { .. } => EventMask::THROW,
            EventKind::Uncaught { .. } => EventMask::UNCAUGHT,
            EventKind::Allocate { .. } => EventMask::ALLOCATE,
            EventKind::ClassLoad { .. } => EventMask::CLASS_LOAD,
            EventKind::ThreadStart { .. } | EventKind::ThreadEnd | EventKind::SeesEnd { .. } => {
                EventMask::THREAD
            }
            EventKind::Arrive => EventMask::ARRIVE,
            EventKind::TimeUp => EventMask::TIME_UP,
        }
    }
}

/// Somebody who watches an execution. The machine is compiled once for `()`, which
/// wants nothing and costs nothing, and once for those who want something.
pub trait Observer {
    /// Everything this type of observer may ever want, known when compiling.
    const WANTS: EventMask;

    /// Whether the machine has to stop where `run` is told to; without, it only stops
    /// where a thread cannot go on, and pays nothing for the question.
    const STOPS: bool = true;

    /// What this one wants now.
    fn mask(&self) -> EventMask {
        Self::WANTS
    }

    fn event(&mut self, event: &Event, view: &dyn View);

    /// Asked now and then while a thread runs for long: whether to stop where it is, since
    /// nobody waits for the rest.
    fn gives_up(&self) -> bool {
        false
    }
}

/// Nobody.
impl Observer for () {
    const WANTS: EventMask = EventMask::NONE;
    const STOPS: bool = false;

    fn event(&mut self, _: &Event, _: &dyn View) {}
}

/// Several at once, or one chosen at run time.
impl Observer for Vec<&mut dyn Watch> {
    const WANTS: EventMask = EventMask::ALL;
    const STOPS: bool = true;

    fn mask(&self) -> EventMask {
        self.iter()
            .fold(EventMask::NONE, |all, one| all.and(one.wants()))
    }

    fn event(&mut self, event: &Event, view: &dyn View) {
        for one in self.iter_mut() {
            if one.wants().has(event.kind.mask()) {
                one.event(event, view);
            }
        }
    }

    fn gives_up(&self) -> bool {
        self.iter().any(|one| one.gives_up())
    }
}

/// An observer behind a pointer.
pub trait Watch {
    fn wants(&self) -> EventMask;
    fn event(&mut self, event: &Event, view: &dyn View);

    /// See [`Observer::gives_up`].
    fn gives_up(&self) -> bool {
        false
    }
}
