//! Objects that a step lets others reach.
//!
//! Nobody else can have touched such an object before, and nobody comes in between until the step
//! is over. So what the step does to it is as private as what was done to it before: who finds
//! the object later depends on where it was put, and not on what was done to it first. Only a
//! monitor that is still held when the step is over is there for others to see.
//!
//! Where it was put need not be a place that counts: the library makes tables and caches when they
//! are first needed, and keeps them in statics of its own. If what is done to them while they are
//! made counted, whoever uses them later would come after the one that made them. But he
//! can as well come first and make them himself, as objects of his own. So the two are in no order.

use super::{Making, Trace};
use crate::strategies::word;
use heddle_model::{EventKind, ObjectId};

impl Making {
    /// The step lets others reach an object.
    pub(super) fn publish(&mut self, object: ObjectId) {
        self.born.insert(u64::from(object.0));
    }

    /// Whether something that the step does is seen by nobody else.
    pub(super) fn is_private(&self, kind: EventKind) -> bool {
        let (EventKind::Read { place, .. } | EventKind::Write { place, .. }) = kind else {
            return false;
        };
        !self.born.is_empty() && self.born.contains(&u64::from(place.object().0))
    }
}

impl Trace {
    /// Forgets the monitors of new objects that the step has taken and given back.
    pub(super) fn forget_private_locks(&self, making: &mut Making) {
        if making.born.is_empty() || making.locks.is_empty() {
            return;
        }
        let places = self.places.all();
        let new = |lock: u32| {
            let place = places[lock as usize >> 1];
            word::is_monitor(place) && making.born.contains(&word::object(place))
        };
        let free = |lock: u32| {
            let last = making.locks.iter().rfind(|u| u.lock == lock);
            last.is_some_and(|u| !u.takes)
        };
        let mut forgotten: Vec<u32> = making.locks.iter().map(|u| u.lock).collect();
        forgotten.retain(|lock| new(*lock) && free(*lock));
        making.locks.retain(|u| !forgotten.contains(&u.lock));
        making.words.retain(|w| !forgotten.contains(&(w & !1)));
    }
}
