//! How native methods are written: the frame they see and what they answer.
//!
//! A native is a plain function that runs in one step. When it needs Java code
//! (a class to be loaded or initialized, a method to be called) or must wait, it
//! answers with a [`Trap`]; the interpreter does what the trap says and then
//! *calls the native again*. So a native must not have changed anything before it
//! answers `Load`, `Init` or a blocking trap, unless it has recorded how far it
//! is with [`Frame::set_phase`]. Because no Rust frame is held while Java runs,
//! a thread can be marked and rewound in the middle of any native.

use crate::class::{ClassPtr, MethodPtr};
use crate::heap::Ref;
use crate::isa::FRAME_HEADER;
use crate::symbol::Symbol;
use crate::vm::Vm;

/// A native method. The result is the raw register value (see `isa.rs`); 0 for void.
pub type NativeFn = fn(&mut Vm, Frame) -> Res<u64>;

/// What a VM operation answers: a value, or why it could not go on.
pub type Res<T> = Result<T, Box<Trap>>;

/// Why a native or an instruction did not finish.
#[derive(Debug)]
pub enum Trap {
    /// This exception object is thrown.
    Throw(Ref),
    /// An exception of this class is made (its constructor runs in Java) and thrown.
    ThrowNew {
        class: &'static str,
        message: Option<String>,
        cause: Ref,
    },
    /// Call a method, then run the native again; it finds the result in
    /// [`Frame::result`]. With `catch`, an exception does not propagate but is
    /// found in [`Frame::take_exception`]. From natives only: set the phase first.
    Call {
        method: MethodPtr,
        args: Vec<u64>,
        catch: bool,
    },
    /// Let `loader` load a class, then try again. `wrap`: a ClassNotFoundException
    /// becomes a NoClassDefFoundError, as resolution wants it.
    Load {
        loader: Ref,
        name: Symbol,
        wrap: bool,
    },
    /// Initialize a class, then try again.
    Init(ClassPtr),
    /// The thread's state says what it waits for; try again when it is runnable.
    Block,
    /// Let other threads run, then try again.
    Yield,
    /// A choice is due; try again when it was made.
    Pause(heddle_model::Pause),
    /// Something that Heddle lacks; named.
    Unsupported(String),
    /// The program ends with this code.
    Exit(i32),
    /// The thread is over.
    ThreadEnd,
    /// Pop this native frame and call a method with these arguments in its place.
    TailCall { method: MethodPtr, args: Vec<u64> },
}

/// Words of scratch space in a native's frame.
pub const SCRATCH: usize = 9;
const PHASE: usize = 0;
const EXCEPTION: usize = 1;
const CATCH: usize = 2;
const SLOTS: usize = 3;
/// Scratch index at which the arguments of calls into Java start, and results arrive.
pub const OUTGOING: usize = 8;

/// The frame of a native method: its arguments and a few words that survive traps.
#[derive(Clone, Copy)]
pub struct Frame {
    fp: *mut u64,
    scratch: *mut u64,
    method: MethodPtr,
}

impl Frame {
    /// The frame of `method` at `fp`.
    ///
    /// # Safety
    /// `fp` must be the frame pointer of a live frame of `method`.
    pub unsafe fn new(fp: *mut u64, method: MethodPtr) -> Frame {
        // SAFETY: the frame has `frame_words` words, scratch included.
        let scratch = unsafe { fp.add(method.max_locals as usize + FRAME_HEADER) };
        Frame {
            fp,
            scratch,
            method,
        }
    }

    pub fn method(&self) -> MethodPtr {
        self.method
    }

    /// Raw argument in slot `i` (longs and doubles take two slots).
    #[inline(always)]
    pub fn raw(&self, i: usize) -> u64 {
        debug_assert!(i < self.method.max_locals as usize);
        // SAFETY: arguments are the first registers of the frame.
        unsafe { *self.fp.add(i) }
    }
    /// Overwrites an argument slot (natives that loop over a call use it as state).
    pub fn set_raw(&self, i: usize, value: u64) {
        debug_assert!(i < self.method.max_locals as usize);
        // SAFETY: as above.
        unsafe { *self.fp.add(i) = value }
    }
    #[inline(always)]
    pub fn int(&self, i: usize) -> i32 {
        self.raw(i) as i32
    }
    #[inline(always)]
    pub fn bool(&self, i: usize) -> bool {
        self.raw(i) as u32 != 0
    }
    #[inline(always)]
    pub fn long(&self, i: usize) -> i64 {
        self.raw(i) as i64
    }
    #[inline(always)]
    pub fn float(&self, i: usize) -> f32 {
        f32::from_bits(self.raw(i) as u32)
    }
    #[inline(always)]
    pub fn double(&self, i: usize) -> f64 {
        f64::from_bits(self.raw(i))
    }
    #[inline(always)]
    pub fn reference(&self, i: usize) -> Ref {
        Ref(self.raw(i) as u32)
    }

    fn word(&self, i: usize) -> u64 {
        // SAFETY: scratch space of the frame.
        unsafe { *self.scratch.add(i) }
    }
    fn set_word(&self, i: usize, value: u64) {
        // SAFETY: as above.
        unsafe { *self.scratch.add(i) = value }
    }

    /// How far the native got: 0 when it is called first.
    pub fn phase(&self) -> u32 {
        self.word(PHASE) as u32
    }
    pub fn set_phase(&self, phase: u32) {
        self.set_word(PHASE, phase as u64);
    }
    /// Result of the last call.
    pub fn result(&self) -> u64 {
        self.word(OUTGOING)
    }
    pub fn result_ref(&self) -> Ref {
        Ref(self.result() as u32)
    }
    /// Exception that ended the last call made with `catch`; null if none.
    pub fn take_exception(&self) -> Ref {
        let thrown = Ref(self.word(EXCEPTION) as u32);
        self.set_word(EXCEPTION, 0);
        thrown
    }
    /// The same, which stays there.
    pub fn exception(&self) -> Ref {
        Ref(self.word(EXCEPTION) as u32)
    }
    pub(crate) fn set_exception(&self, thrown: Ref) {
        self.set_word(EXCEPTION, thrown.0 as u64);
    }
    pub(crate) fn catches(&self) -> bool {
        self.word(CATCH) != 0
    }
    pub(crate) fn set_catches(&self, catch: bool) {
        self.set_word(CATCH, catch as u64);
    }
    pub(crate) fn clear(&self) {
        for i in 0..SCRATCH {
            self.set_word(i, 0);
        }
    }
    /// Five words of the native's own, kept over traps; zero at first.
    pub fn slot(&self, i: usize) -> u64 {
        assert!(i < OUTGOING - SLOTS);
        self.word(SLOTS + i)
    }
    pub fn set_slot(&self, i: usize, value: u64) {
        assert!(i < OUTGOING - SLOTS);
        self.set_word(SLOTS + i, value);
    }
    pub fn slot_ref(&self, i: usize) -> Ref {
        Ref(self.slot(i) as u32)
    }
    /// Where arguments of a call into Java go.
    pub(crate) fn outgoing(&self) -> *mut u64 {
        // SAFETY: the last word of the scratch space; the callee's frame goes on from it.
        unsafe { self.scratch.add(OUTGOING) }
    }
}

/// Register values from Rust values.
pub fn from_int(value: i32) -> u64 {
    value as u32 as u64
}
pub fn from_bool(value: bool) -> u64 {
    value as u64
}
pub fn from_ref(value: Ref) -> u64 {
    value.0 as u64
}
pub fn from_float(value: f32) -> u64 {
    value.to_bits() as u64
}
pub fn from_double(value: f64) -> u64 {
    value.to_bits()
}

/// `Err` with an exception to be made: class and message.
pub fn throw<T>(class: &'static str, message: impl Into<String>) -> Res<T> {
    Err(Box::new(Trap::ThrowNew {
        class,
        message: Some(message.into()),
        cause: Ref::NULL,
    }))
}

/// As [`throw`], without a message.
pub fn throw_bare<T>(class: &'static str) -> Res<T> {
    Err(Box::new(Trap::ThrowNew {
        class,
        message: None,
        cause: Ref::NULL,
    }))
}

/// `Err` with the NullPointerException that natives throw.
pub fn throw_null<T>() -> Res<T> {
    throw_bare("java/lang/NullPointerException")
}

/// `Err` that names what Heddle lacks.
pub fn unsupported<T>(what: impl Into<String>) -> Res<T> {
    Err(Box::new(Trap::Unsupported(what.into())))
}

/// `Err` that calls Java and comes back to this native.
pub fn call<T>(method: MethodPtr, args: Vec<u64>) -> Res<T> {
    Err(Box::new(Trap::Call {
        method,
        args,
        catch: false,
    }))
}

/// As [`call`]; exceptions come back too.
pub fn call_catching<T>(method: MethodPtr, args: Vec<u64>) -> Res<T> {
    Err(Box::new(Trap::Call {
        method,
        args,
        catch: true,
    }))
}

/// One entry of a native class's table: `name(descriptor)` and the function.
pub type Entry = (&'static str, NativeFn);

/// A class with natives: its internal name and its entries.
pub type Table = (&'static str, &'static [Entry]);
