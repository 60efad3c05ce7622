//! Which monitors the frames of a thread hold, for dumps of threads.
//!
//! Nobody keeps a list: a lock word says who has a monitor, not where it was taken. But a
//! synchronized method has that of its receiver or class, and around a `synchronized` block
//! compilers put a handler that gives back what a local variable holds.

use crate::class::MethodPtr;
use crate::frames::FrameInfo;
use crate::heap::Ref;
use crate::thread::ThreadId;
use crate::vm::Vm;
use heddle_classfile::code::{Operand, decode};
use heddle_classfile::opcode::{ALOAD, ALOAD_0, ASTORE, ASTORE_0, MONITOREXIT};

impl Vm {
    /// The monitors that a frame of a thread holds, the one that it took last first.
    pub fn monitors_in(&self, thread: ThreadId, frame: FrameInfo) -> Vec<Ref> {
        let method = frame.method;
        let locals = locked_locals(method, frame.bci());
        let locals = locals.iter().map(|at| Ref(frame.local(*at) as u32));
        let mut held: Vec<Ref> = locals.collect();
        if method.is_synchronized() {
            held.push(match method.is_static() {
                true => method.class.mirror.get(),
                false => Ref(frame.local(0) as u32),
            });
        }
        // One that it is about to take, or gave up to wait, is not its own.
        held.retain(|on| !on.is_null() && self.holds_lock(thread, *on));
        held
    }

    /// The locks of `java.util.concurrent` that a thread has to itself.
    pub fn synchronizers_of(&self, owner: Ref) -> Vec<Ref> {
        let owned = |lock: &Ref| {
            self.is_ownable(*lock) && self.heap.get_ref(*lock, self.known.ownable_owner) == owner
        };
        self.objects().filter(owned).collect()
    }
}

/// The local variables whose monitors a method holds at a bytecode. Handlers of inner blocks
/// come first.
fn locked_locals(method: MethodPtr, bci: i32) -> Vec<usize> {
    let code = method.info().and_then(|info| info.code.as_ref());
    let (Some(file), Some(code)) = (method.class.file.as_ref(), code) else {
        return Vec::new();
    };
    let bytes = file.code_bytes(code);
    let mut locals = Vec::new();
    for handler in &code.handlers {
        let covers = (i32::from(handler.start)..i32::from(handler.end)).contains(&bci);
        if let Some(local) = unlocks(bytes, handler.target.into()).filter(|_| covers)
            && !locals.contains(&local)
        {
            locals.push(local);
        }
    }
    locals
}

/// The local variable whose monitor a handler gives back before all else.
fn unlocks(bytes: &[u8], handler: usize) -> Option<usize> {
    let local = |at: usize, short: u8, long: u8| {
        let insn = decode(bytes, at).ok()?;
        let next = at + insn.length as usize;
        let local = match (insn.opcode, insn.operand) {
            (op, Operand::Local(local)) if op == long => local.into(),
            (op, _) if (short..=short + 3).contains(&op) => usize::from(op - short),
            _ => return None,
        };
        Some((local, next))
    };
    let (_, next) = local(handler, ASTORE_0, ASTORE)?;
    let (lock, next) = local(next, ALOAD_0, ALOAD)?;
    (bytes.get(next) == Some(&MONITOREXIT)).then_some(lock)
}
