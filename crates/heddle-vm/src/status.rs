//! What `Thread.getState` sees, in a search of a program that calls it.
//!
//! A thread that stops before a lock which another one holds has not tried to take it yet;
//! for the program it is blocked. The same goes for `join`. Who looks at a status depends on
//! what it follows from: on where the thread is, and if that is before a monitor, on who has it,
//! or before the end of another thread, on that. So a write of the status is told when the
//! thread comes somewhere else ([`Whereabouts`]), and not when somebody takes the monitor before
//! which it stands, or else what that one does would depend on who stands there. Who reads the
//! status is told to read the rest as well. Programs that never ask pay nothing.
//!
//! Who follows a schedule stops threads before bytecodes, not before operations: there the
//! bytecode says which monitor comes next.

use crate::class::MethodPtr;
use crate::heap::{Ref, mix};
use crate::isa::Op;
use crate::places::is_program;
use crate::sched::status;
use crate::thread::{Awaits, Thread, ThreadState};
use crate::vm::Vm;
use heddle_classfile::code::{Operand, decode};
use heddle_classfile::opcode::{INVOKEINTERFACE, INVOKESPECIAL, INVOKESTATIC, INVOKEVIRTUAL};
use heddle_model::{
    Event, EventKind, EventMask, MethodId, ObjectId, Observer, OpMask, Place, Site,
};

/// What the status of a thread follows from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Whereabouts {
    /// From nothing else.
    Status(i32),
    /// It is before a monitor.
    Before(Ref),
    /// It is about to wait for the end of a thread.
    Joins(Ref),
}

impl Whereabouts {
    /// Bits of the status that no state is told from. Who looks at a status again and again
    /// waits until it has changed; with these it does when the thread comes before a `join`, be
    /// the state the same. Else it would depend on several places at once whether such a thread can
    /// go on, in an order that nothing on the path shows: who comes there is waiting if the
    /// other one lives, and not if that has ended first.
    fn mark(self) -> i32 {
        let Whereabouts::Joins(on) = self else {
            return 0;
        };
        let short = (mix(u64::from(on.0)) >> 50) as i32;
        short << UNUSED | 1 << 30
    }
}

/// The first of the bits that are left.
const UNUSED: u32 = 16;

impl Default for Whereabouts {
    fn default() -> Whereabouts {
        Whereabouts::Status(0)
    }
}

impl Vm {
    /// Brings all statuses up to date after a thread has run, and tells what changed.
    pub fn update_statuses<O: Observer>(&mut self, observer: &mut O) {
        if !self.learned.asks_for_states || !self.heap.tracking {
            return;
        }
        for at in 0..self.threads.len() {
            let thread = &self.threads[at];
            let (object, id) = (thread.object, thread.id);
            if thread.system || object.is_null() {
                continue;
            }
            let (there, told) = (self.whereabouts(thread), thread.control.told);
            let now = self.status_at(thread, there);
            let offset = self.known.thread_status;
            if now != self.heap.get::<i32>(object, offset) {
                self.heap.put(object, offset, now);
                self.note_obstacle(id, there != told);
            }
            if there != told {
                self.touch_thread(id);
                self.thread_mut(id).control.told = there;
                self.tell_status(object, offset, now, observer);
            }
        }
    }

    pub fn whereabouts(&self, thread: &Thread) -> Whereabouts {
        let runnable = thread.control.state == ThreadState::Runnable;
        let stands = runnable && self.stops.has(OpMask::GUIDED);
        if let Some(on) = stands.then(|| self.about_to_enter(thread)).flatten() {
            return Whereabouts::Before(on);
        }
        match thread.control.awaits {
            Awaits::ChangeThenMonitor(on) | Awaits::Monitor(on) if runnable => {
                Whereabouts::Before(on)
            }
            Awaits::Death(on) if runnable => Whereabouts::Joins(on),
            _ if self.thread_of(thread.object).is_none() => {
                Whereabouts::Status(status(ThreadState::Dead))
            }
            _ => Whereabouts::Status(status(thread.control.state)),
        }
    }

    fn status_at(&self, thread: &Thread, there: Whereabouts) -> i32 {
        let status = match there {
            Whereabouts::Before(on) if self.is_taken(on, thread.id) => {
                status(ThreadState::Blocked(on))
            }
            Whereabouts::Joins(on) if !self.ready(thread) => {
                status(ThreadState::Waiting { on, deadline: None })
            }
            Whereabouts::Status(status) => status,
            _ => status(thread.control.state),
        };
        status | there.mark()
    }

    /// What else is looked at by who looks at the status of a thread.
    #[cold]
    pub fn behind_status(&self, object: Ref) -> Option<Place> {
        if !self.learned.asks_for_states || !self.heap.tracking {
            return None;
        }
        let thread = self.thread(self.thread_of(object)?);
        match thread.control.told {
            Whereabouts::Before(on) => Some(Place::monitor(ObjectId(on.0))),
            Whereabouts::Joins(on) => Some(self.life(on)),
            Whereabouts::Status(_) => None,
        }
    }

    /// The monitor that the next bytecode of a thread takes: that of `monitorenter`, or of a
    /// synchronized method that it calls.
    fn about_to_enter(&self, thread: &Thread) -> Option<Ref> {
        let frame = thread.frames().next().filter(|f| is_program(f.method))?;
        let (op, first) = frame.instruction()?;
        if op == Op::MonitorEnter {
            return Some(first);
        }
        let file = frame.method.class.file.as_ref()?;
        let code = file.code_bytes(frame.method.info()?.code.as_ref()?);
        let insn = decode(code, usize::try_from(frame.bci()).ok()?).ok()?;
        let (Operand::Constant(index) | Operand::Interface { index, .. }) = insn.operand else {
            return None;
        };
        let (class, on) = match insn.opcode {
            INVOKEVIRTUAL | INVOKESPECIAL | INVOKEINTERFACE if !first.is_null() => {
                (self.class_of(first), first)
            }
            INVOKESTATIC => {
                let name = self.symbols.find(file.pool.member(index).0)?;
                let class = *self.dictionary.get(&(frame.method.class.loader, name))?;
                (class, class.mirror.get())
            }
            _ => return None,
        };
        let (_, name, desc) = file.pool.member(index);
        let named = |m: &&MethodPtr| {
            self.symbols.bytes(m.name) == name && self.symbols.bytes(m.desc) == desc
        };
        let mut chain = class.chain.iter().rev();
        let called = chain.find_map(|c| c.methods().iter().find(named))?;
        called.is_synchronized().then_some(on)
    }

    fn tell_status<O: Observer>(&self, object: Ref, at: u64, now: i32, observer: &mut O) {
        if self.wanted.has(EventMask::WRITE) && self.heap.is_shared(object) {
            let place = Place::Field {
                object: ObjectId(object.0),
                offset: at as u32,
            };
            // Nobody's bytecode does it.
            let site = Site {
                method: MethodId(self.stubs().thread.id),
                bci: -1,
            };
            let (thread, value) = (self.current, now as u64);
            let kind = EventKind::Write { place, value };
            observer.event(&Event::new(thread, site, kind), self);
        }
    }
}
