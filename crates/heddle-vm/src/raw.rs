//! Memory that is used by address and length, for the search: outside of objects (direct and
//! mapped buffers), where every eight bytes are a place, or the elements of an array.

use crate::class::ClassKind;
use crate::files::Spot;
use crate::heap::{ELEMENTS, Ref};
use crate::vm::Vm;
use heddle_model::{EventKind, EventMask, ObjectId, Place};

/// Bytes that are one place.
const GRAIN: u64 = 8;

impl Vm {
    /// Whether others can notice what is done to memory: in an object, or outside of all.
    pub fn memory_noticeable(&self, object: Ref) -> bool {
        self.heap.tracking && (object.is_null() || self.heap.is_shared(object))
    }

    /// Reports that a range of memory was read or written. The values are left out.
    pub fn tell_memory(&mut self, object: Ref, at: u64, len: u64, write: bool) {
        let wanted = EventMask::READ.and(EventMask::WRITE);
        if len == 0 || !self.wanted.has(wanted) || !self.memory_noticeable(object) {
            return;
        }
        if object.is_null() {
            let all = ObjectId(self.known.object.mirror.get().0);
            for grain in at / GRAIN..=(at + len - 1) / GRAIN {
                self.tell_place(Place::file(all, Spot::Memory(grain).place()), write);
            }
        } else if let ClassKind::Array { shift, .. } = self.class_of(object).kind {
            let from = (at - object.at()).saturating_sub(ELEMENTS);
            let array = ObjectId(object.0);
            for index in from >> shift..=(from + len - 1) >> shift {
                let index = index as u32;
                self.tell_place(Place::Element { array, index }, write);
            }
        }
    }

    fn tell_place(&mut self, place: Place, write: bool) {
        let value = 0;
        self.emit(match write {
            true => EventKind::Write { place, value },
            false => EventKind::Read { place, value },
        });
    }
}
