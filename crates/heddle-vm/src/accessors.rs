//! Methods of the library that are one access to one place, always the same way.
//!
//! A call into trusted code is one operation, and what it touches is known when it is done:
//! on another path it may touch other places. Of these methods it is known before, so a
//! search treats calls of them as it treats accesses of the program's own. Compare-and-set is
//! not among them, since it writes only if it succeeds, nor is get-and-set, which does no more than
//! look if it puts what is there already (spin locks are made of that), and neither are methods
//! that call functions of the program.

use crate::class::{Basic, ClassKind, ClassPtr, Touches};
use crate::heap::{ELEMENTS, Ref};
use crate::symbol::Symbol;
use crate::vm::Vm;
use heddle_model::{ObjectId, PendingOp, Place};

const CLASSES: &[&[u8]] = &[
    b"AtomicBoolean",
    b"AtomicInteger",
    b"AtomicIntegerArray",
    b"AtomicLong",
    b"AtomicLongArray",
    b"AtomicReference",
    b"AtomicReferenceArray",
];

const READS: &[&[u8]] = &[
    b"get",
    b"getAcquire",
    b"getOpaque",
    b"getPlain",
    b"intValue",
    b"longValue",
];

const WRITES: &[&[u8]] = &[
    b"addAndGet",
    b"decrementAndGet",
    b"getAndAdd",
    b"getAndDecrement",
    b"getAndIncrement",
    b"incrementAndGet",
    b"lazySet",
    b"set",
    b"setOpaque",
    b"setPlain",
    b"setRelease",
];

impl Vm {
    /// Whether a method is one access, and of which kind.
    pub fn single_access(&self, class: ClassPtr, name: Symbol) -> Touches {
        let class = self.symbols.bytes(class.name);
        let atomic = class.strip_prefix(b"java/util/concurrent/atomic/");
        if !atomic.is_some_and(|class| CLASSES.contains(&class)) {
            return Touches::Nothing;
        }
        let name = self.symbols.bytes(name);
        match (READS.contains(&name), WRITES.contains(&name)) {
            (true, _) => Touches::Reads,
            (_, true) => Touches::Writes,
            _ => Touches::Nothing,
        }
    }

    /// The place of an access that the running thread, whose position is saved, is about to
    /// make, itself or by `Unsafe`.
    pub fn place_of(&self, first: PendingOp) -> Option<Place> {
        if let PendingOp::Read(place) | PendingOp::Write(place) = first {
            return Some(place);
        }
        let control = &self.thread(self.current).control;
        let touches = control.method.touches.get();
        if !matches!(touches, Touches::Slot1 | Touches::Slot1Volatile) {
            return None;
        }
        let frame = self.thread(self.current).frames().next()?.native();
        let object = frame.reference(1);
        (!object.is_null()).then(|| self.place_at(object, frame.long(2) as u64))
    }

    /// The field or element at this offset.
    pub fn place_at(&self, object: Ref, offset: u64) -> Place {
        let id = ObjectId(object.0);
        match self.class_of(object).kind {
            ClassKind::Array { shift, .. } => Place::Element {
                array: id,
                index: (offset.saturating_sub(ELEMENTS) >> shift) as u32,
            },
            _ => Place::Field {
                object: id,
                offset: offset as u32,
            },
        }
    }

    /// Where in which object a place is, and what is there.
    fn contents_of(&self, place: Place) -> Option<(Ref, u64, Basic)> {
        match place {
            Place::Field { object, offset } => {
                let object = Ref(object.0);
                let field = self.field_at(object, offset)?;
                Some((object, offset.into(), field.basic))
            }
            Place::Element { array, index } => {
                let array = Ref(array.0);
                let ClassKind::Array { element, shift } = self.class_of(array).kind else {
                    return None;
                };
                let basic = match element.kind {
                    ClassKind::Primitive(basic) => basic,
                    _ => Basic::Reference,
                };
                let offset = ELEMENTS + (u64::from(index) << shift);
                (index < self.heap.length(array)).then_some((array, offset, basic))
            }
        }
    }

    /// What is in a place, as instructions read it.
    pub fn value_of(&self, place: Place) -> Option<u64> {
        let (object, offset, basic) = self.contents_of(place)?;
        let heap = &self.heap;
        Some(match basic {
            Basic::Boolean => heap.get::<u8>(object, offset).into(),
            Basic::Byte => heap.get::<i8>(object, offset) as i32 as u32 as u64,
            Basic::Char => heap.get::<u16>(object, offset).into(),
            Basic::Short => heap.get::<i16>(object, offset) as i32 as u32 as u64,
            Basic::Long | Basic::Double => heap.get(object, offset),
            _ => heap.get::<u32>(object, offset).into(),
        })
    }

    /// Puts a value there that an instruction has read from or written to a place.
    pub fn put_value(&mut self, place: Place, value: u64) {
        let Some((object, offset, basic)) = self.contents_of(place) else {
            return;
        };
        match basic {
            Basic::Boolean | Basic::Byte => self.heap.put(object, offset, value as u8),
            Basic::Char | Basic::Short => self.heap.put(object, offset, value as u16),
            Basic::Long | Basic::Double => self.heap.put(object, offset, value),
            _ => self.heap.put(object, offset, value as u32),
        }
    }
}
