//! What `Thread.getState` sees, in a search of a program that calls it.
//!
//! A thread that stops before a lock which another one holds has not tried to take it yet;
//! for the program it is blocked. The same goes for `join`. And each change of a status is
//! told as a write, by the thread that ran when it changed: who looks at it depends on that.
//! Programs that never ask pay nothing.
//!
//! Who follows a schedule stops threads before bytecodes, not before operations: there the
//! bytecode says which monitor comes next.

use crate::class::MethodPtr;
use crate::heap::Ref;
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
            let (now, told) = (self.status_of(thread), thread.control.told);
            let offset = self.known.thread_status;
            if now != self.heap.get::<i32>(object, offset) {
                self.heap.put(object, offset, now);
            }
            if now != told {
                self.touch_thread(id);
                self.thread_mut(id).control.told = now;
                self.tell_status(object, offset, now, observer);
            }
        }
    }

    fn status_of(&self, thread: &Thread) -> i32 {
        let runnable = thread.control.state == ThreadState::Runnable;
        let waits = runnable && !self.ready(thread);
        let stands = runnable && self.stops.has(OpMask::GUIDED);
        if let Some(on) = stands.then(|| self.about_to_enter(thread)).flatten()
            && self.monitor_owner(on).is_some_and(|(o, _)| o != thread.id)
        {
            return status(ThreadState::Blocked(on));
        }
        match thread.control.awaits {
            Awaits::ChangeThenMonitor(on) if self.is_taken(on, thread.id) => {
                status(ThreadState::Blocked(on))
            }
            Awaits::Monitor(on) if waits => status(ThreadState::Blocked(on)),
            Awaits::Death(on) if waits => status(ThreadState::Waiting { on, deadline: None }),
            _ if self.thread_of(thread.object).is_none() => status(ThreadState::Dead),
            _ => status(thread.control.state),
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
            observer.event(&Event { thread, site, kind }, self);
        }
    }
}
