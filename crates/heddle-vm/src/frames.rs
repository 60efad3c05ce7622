//! Walking a thread's frames.
//!
//! A frame is found from its method: the header (caller's pc, frame pointer,
//! method) follows the locals. The pc that a call saves is the word after the
//! call; one that is to be run again is saved exactly and tagged with bit 0.

use crate::class::MethodPtr;
use crate::disasm::op_of;
use crate::heap::Ref;
use crate::isa::{Body, FRAME_HEADER, Op};
use crate::native::Frame;
use crate::thread::{Thread, ThreadId};
use crate::vm::Vm;

/// Tag of a saved pc that points at the instruction itself.
pub const EXACT: u64 = 1;

/// One frame of a walk.
#[derive(Clone, Copy)]
pub struct FrameInfo {
    pub method: MethodPtr,
    pub fp: *mut u64,
    /// Word in the body that was being executed.
    pub pc: *const u64,
}

impl FrameInfo {
    /// Bytecode index, or -1 in natives and stubs. It has to be looked up.
    pub fn bci(&self) -> i32 {
        bci_at(self.method, self.pc)
    }

    /// The instruction at which the frame stands, and what is in the register that it names
    /// first; none in natives and stubs, and where nothing was translated yet.
    pub fn instruction(&self) -> Option<(Op, Ref)> {
        let (body, at) = word_at(self.method, self.pc)?;
        let word = body.words[at];
        let register = (word >> 16) as u16;
        if u32::from(register) >= self.method.frame_words.get() {
            return Some((op_of(word), Ref::NULL));
        }
        // SAFETY: a register of a live frame, as below.
        let value = unsafe { *self.fp.add(usize::from(register)) };
        Some((op_of(word), Ref(value as u32)))
    }

    /// The frame of a native, as the native sees it.
    pub fn native(&self) -> Frame {
        assert!(self.method.is_native());
        // SAFETY: a live frame, as below.
        unsafe { Frame::new(self.fp, self.method) }
    }

    /// The raw value of a local variable (arguments first).
    pub fn local(&self, index: usize) -> u64 {
        assert!(index < self.method.max_locals as usize);
        // SAFETY: a register of a live frame: infos are used before the thread runs on.
        unsafe { *self.fp.add(index) }
    }
}

/// Iterator over the frames of a thread, innermost first, stubs included.
pub struct Walk {
    next: Option<(MethodPtr, *mut u64, u64)>,
}

impl Thread {
    /// The frames of a thread that is not running (or whose position was saved).
    pub fn frames(&self) -> Walk {
        let c = &self.control;
        let next = (!c.fp.is_null()).then_some((c.method, c.fp, c.pc as u64 | EXACT));
        Walk { next }
    }

    /// The method of the library that the innermost frame of the program called.
    pub fn called(&self) -> Option<MethodPtr> {
        let inside = self.frames().take_while(|f| !f.method.flags.own);
        let methods = inside.map(|f| f.method);
        methods.filter(|m| !m.flags.vm_stub).last()
    }

    /// The part of the stack that is in use.
    pub fn live(&self) -> &[u64] {
        // SAFETY: within the thread's own stack.
        unsafe { std::slice::from_raw_parts(self.stack.base(), self.live_words()) }
    }

    /// Words of the stack in use.
    pub fn live_words(&self) -> usize {
        let c = &self.control;
        if c.fp.is_null() {
            return 0;
        }
        // SAFETY: both pointers are into the thread's stack.
        let below = unsafe { c.fp.offset_from(self.stack.base()) } as usize;
        if std::ptr::eq(c.pc, crate::make_class::TRANSLATE.as_ptr()) {
            // Not translated yet: the size of the frame is not known, and only what the
            // call put there is live.
            return below + c.method.max_locals as usize + FRAME_HEADER;
        }
        below + c.method.frame_words.get() as usize
    }
}

impl Iterator for Walk {
    type Item = FrameInfo;

    fn next(&mut self) -> Option<FrameInfo> {
        let (method, fp, saved) = self.next?;
        // SAFETY: headers of live frames are intact; the bottom frame has a null pointer.
        let (pc, up, caller) = unsafe {
            let header = fp.add(method.max_locals as usize);
            (*header, *header.add(1), *header.add(2))
        };
        self.next = (up != 0).then(|| {
            // SAFETY: written by a call from a method that lives for ever.
            let caller: MethodPtr = unsafe { &*(caller as *const crate::class::Method) };
            (caller, up as *mut u64, pc)
        });
        let exact = saved & EXACT != 0;
        let pc = (saved & !7) as *const u64;
        // A call saved the word behind it: its last word still belongs to it.
        let pc = if exact { pc } else { pc.wrapping_sub(1) };
        Some(FrameInfo { method, fp, pc })
    }
}

/// Bytecode index of a word of a method's body; -1 if it has none.
pub fn bci_at(method: MethodPtr, pc: *const u64) -> i32 {
    if method.body.get().is_none() || method.is_native() {
        return -1;
    }
    // Without an origin: a synchronized method that has not entered its body yet.
    word_at(method, pc)
        .and_then(|(body, word)| body.origin(word))
        .map_or(0, |o| o.bci.into())
}

/// What a thread at `pc` has paid for already: the bytecodes from there to the end of
/// the stretch.
pub fn ahead(method: MethodPtr, pc: *const u64) -> i64 {
    word_at(method, pc)
        .and_then(|(body, word)| body.origin(word))
        .map_or(0, |o| o.ahead.into())
}

/// The instruction of the present stretch before which `left` more bytecodes are done;
/// none if that is where the stretch ends, or later.
pub fn after(method: MethodPtr, pc: *const u64, left: i64) -> Option<*const u64> {
    let (body, word) = word_at(method, pc)?;
    let here = i64::from(body.origin(word)?.ahead);
    let next = body.origins[body.behind(word)..]
        .iter()
        .find(|o| i64::from(o.ahead) <= here - left)?;
    Some(&raw const body.words[next.word as usize])
}

/// The body that `pc` points into, and where.
fn word_at(method: MethodPtr, pc: *const u64) -> Option<(&'static Body, usize)> {
    let body = method.body.get()?;
    let word = (pc as usize).wrapping_sub(body.words.as_ptr() as usize) / 8;
    (word < body.words.len()).then_some((body, word))
}

impl Vm {
    /// Java-visible frames of a thread: no stubs of the VM. Hidden methods are included.
    pub fn java_frames(&self, thread: ThreadId) -> Vec<FrameInfo> {
        self.thread(thread)
            .frames()
            .filter(|f| !f.method.flags.vm_stub)
            .collect()
    }

    /// Source line of a bytecode index.
    pub fn line(&self, method: MethodPtr, bci: i32) -> Option<u16> {
        let file = method.class.file.as_ref()?;
        let code = method.info()?.code.as_ref()?;
        if bci < 0 {
            return None;
        }
        file.line_of(code, bci as u16)
    }
}

/// The header's size, for those who push frames.
pub const HEADER: usize = FRAME_HEADER;
