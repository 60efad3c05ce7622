//! Calls that wait for what happens once and for good ([`OpMask::GATES`]): a latch is open, a future is done.
//!
//! A thread before such a call is not run before it need not wait. What it waited for has
//! happened before, then: all who counted the latch down, or the step that completed the
//! future. That is no race, since the thread could not have come before any of them.
//!
//! Those who count a latch down do not depend on each other: nobody can tell in which order they came. Who looks
//! at the count in another way depends on all of them. In terms of places, counting down reads the
//! count, and looking at it writes it; a thread that comes through an open latch does
//! neither.
//!
//! That holds as long as a latch is not counted down more often than it has to be, since it is a difference which
//! of the counts was one too many, and as long as nobody waits inside the latch (for a limited time, say),
//! who is woken by the last. Where that is seen, all is explored again, with the count of that latch as a place
//! like any other.
//!
//! With lazy mutexes only: without them every call is what the library does.
//!
//! [`OpMask::GATES`]: heddle_model::OpMask::GATES

use super::super::word;
use super::trace::{Stands, Trace};
use heddle_model::{EventKind, GateField, ObjectId, PendingOp, Place};
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default)]
pub struct Gates {
    /// What happened on the present path.
    openers: Vec<Opener>,
    /// Of the steps on the path that came through gates, those who opened them.
    reasons: Vec<u32>,
    /// The latches whose counts are places like any other.
    pub(super) kept: BTreeSet<u32>,
    /// Another one was found, and all is to be explored again.
    pub grew: bool,
}

/// A step had a part in opening a gate.
#[derive(Clone, Copy, Debug)]
struct Opener {
    gate: u32,
    step: u32,
    /// It is open then.
    last: bool,
}

/// How a step touches the count of a latch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touch {
    Not,
    Reads,
    Writes,
}

/// Heights of the stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GateTops {
    openers: u32,
    reasons: u32,
}

/// A stretch of `Gates::reasons`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Opened {
    from: u32,
    to: u32,
}

impl Gates {
    pub fn tops(&self) -> GateTops {
        GateTops {
            openers: self.openers.len() as u32,
            reasons: self.reasons.len() as u32,
        }
    }

    pub fn back_to(&mut self, to: GateTops) {
        self.openers.truncate(to.openers as usize);
        self.reasons.truncate(to.reasons as usize);
    }

    /// Nothing has happened; what was learned is kept.
    pub fn anew(self) -> Gates {
        Gates {
            kept: self.kept,
            ..Gates::default()
        }
    }

    /// The steps that opened the gate which a step came through.
    pub fn reasons(&self, opened: Opened) -> &[u32] {
        &self.reasons[opened.from as usize..opened.to as usize]
    }

    /// A step has a part in opening gates, or shows that counts of latches are places like any other.
    pub fn note(&mut self, step: u32, opens: &[(u32, bool)], keeps: &[u32]) {
        for gate in keeps {
            self.grew |= self.kept.insert(*gate);
        }
        for &(gate, last) in opens {
            let is_open = self.openers.iter().any(|o| o.gate == gate && o.last);
            if !is_open {
                self.openers.push(Opener { gate, step, last });
            }
        }
    }
}

impl Trace {
    /// The steps that opened the gate before which a thread stands.
    pub(super) fn opened(&mut self, thread: u32) -> Opened {
        let from = self.gates.reasons.len() as u32;
        if let Stands::Before(PendingOp::Gate { object, .. }) = self.thread(thread).stands {
            let gate = self.places.number(word::monitor(object));
            let Gates {
                openers, reasons, ..
            } = &mut self.gates;
            let its = openers.iter().filter(|o| o.gate == gate);
            reasons.extend(its.map(|o| o.step));
        }
        let to = self.gates.reasons.len() as u32;
        Opened { from, to }
    }

    /// A field of a latch or a future is read or written. `Some` if that is not what it is elsewhere:
    /// how the step touches the place then, if it does.
    #[cold]
    pub(super) fn gate(
        &mut self,
        (place, field): (Place, GateField),
        access: EventKind,
    ) -> Option<Touch> {
        let (value, writes) = match access {
            EventKind::Read { value, .. } => (value, false),
            EventKind::Write { value, .. } => (value, true),
            _ => return None,
        };
        let object = place.object();
        let gate = self.places.number(word::monitor(object));
        let opens = field.opens(value);
        if writes && (opens || matches!(field, GateField::Count { .. })) {
            self.making.opens.push((gate, opens));
        }
        let is_kept = self.gates.kept.contains(&gate);
        let keeps = match field {
            GateField::Count { .. } if self.comes_through(object) => return Some(Touch::Not),
            _ if is_kept => false,
            GateField::Count { counts_down: false } => return Some(Touch::Writes),
            GateField::Count { .. } if writes => return Some(Touch::Reads),
            GateField::Count { .. } if value != 0 => return Some(Touch::Not),
            GateField::Queue if !writes => return Some(Touch::Not),
            // It is counted down too often, or somebody is about to wait inside.
            GateField::Count { .. } | GateField::Queue => true,
            GateField::Progress | GateField::Outcome => false,
        };
        if keeps {
            self.making.keeps.push(gate);
        }
        None
    }

    /// Whether the step comes through the gate that this object is.
    fn comes_through(&self, at: ObjectId) -> bool {
        let stands = self.thread(self.making.thread).stands;
        matches!(stands, Stands::Before(PendingOp::Gate { object, .. }) if object == at)
    }
}
