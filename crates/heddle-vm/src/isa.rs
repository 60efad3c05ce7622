//! The register code that the interpreter runs: instructions of one or more
//! 8-byte words.
//!
//! A method's frame is a window of 8-byte registers. Register `i` below
//! `max_locals` is local variable `i`; three words of frame header follow
//! (the caller's pc, frame pointer and method); after them come the registers
//! of the operand stack, numbered as the class file numbers stack *slots*
//! (a long or double takes two slots, its value sits in the first). Arguments
//! of a call are therefore already the callee's first locals: a call moves
//! nothing.
//!
//! Values: `int`, `float` and references use the low 32 bits, zero-extended;
//! `long` and `double` use all 64. Instructions are typed, registers are not.
//!
//! First word: `op | toll << 8 | a << 16 | b << 32 | c << 48`: 8 bits for the operation, 8
//! for the toll of a jump (see below), 16 each for the others. Further words (`ext`) belong
//! to the instruction and follow it. Branch offsets are in
//! words, relative to the first word of the branch itself.
//!
//! Forms whose name ends in `U` are unresolved: `c` is a constant-pool index.
//! Executing one resolves the entry and patches the instruction in place
//! (through the journal, so a rewind takes the patch back). They have no
//! effect before the resolution has succeeded and are simply run again when
//! it needed Java code (class loading, initialization).
//!
//! **Counting bytecodes.** A slice is a number of bytecodes, and instructions stand
//! for one bytecode, several or none. Code is divided into *stretches*, which end with a
//! call or with a jump that is always taken. Who enters a stretch pays for the bytecodes
//! up to its end (`Origin::ahead`) and has them back if a conditional jump leaves it
//! earlier. So nothing is counted on the way: jumps have a *toll*, what they add to the
//! thread's budget when they are taken (a refund less the price of the stretch they lead
//! to), calls the price of the stretch behind them, and methods that of their first.

use std::cell::{Cell, OnceCell};

/// Words of frame header between the locals and the operand stack.
pub const FRAME_HEADER: usize = 3;

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// An operation; the doc comment of each says what `a`, `b`, `c` and
        /// the extension words are.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Op { $($(#[$doc])* $name),* }

        impl Op {
            /// Every operation, in the order of its number.
            pub const ALL: &'static [Op] = &[$(Op::$name),*];
        }
    };
}

ops! {
    /// Never emitted: a zero word is a bug.
    Invalid,
    /// a ← b (all 64 bits)
    Move,
    /// a ← imm32 (low half b, high half c), zero-extended: ints, floats, null
    ConstI,
    /// a ← ext (64 bits): longs and doubles
    ConstL,
    /// a ← constant c of the pool (String, Class, MethodHandle, MethodType, Dynamic of
    /// any type); one ext word, unused until resolved. Becomes `ConstL`.
    LdcU,

    // int arithmetic: a ← b op c
    IAdd, ISub, IMul, IDiv, IRem, IAnd, IOr, IXor, IShl, IShr, IUshr,
    /// a ← -b
    INeg,
    // a ← b op (c as i16)
    IAddI, IMulI, IAndI, IOrI, IXorI, IShlI, IShrI, IUshrI,
    // divisor is a non-zero constant
    IDivI, IRemI,
    // long arithmetic: a ← b op c (shift counts are ints)
    LAdd, LSub, LMul, LDiv, LRem, LAnd, LOr, LXor, LShl, LShr, LUshr,
    LNeg,
    // a ← b op (c as i16 as i64)
    LAddI, LMulI, LAndI, LShlI, LShrI, LUshrI,
    FAdd, FSub, FMul, FDiv, FRem, FNeg,
    DAdd, DSub, DMul, DDiv, DRem, DNeg,
    // a ← convert(b)
    I2L, I2F, I2D, L2I, L2F, L2D, F2I, F2L, F2D, D2I, D2L, D2F, I2B, I2C, I2S,
    // a ← compare(b, c) as -1, 0, 1
    LCmp, FCmpL, FCmpG, DCmpL, DCmpG,

    // if a op b jump by (c as i16); ints (JEq and JNe serve references too)
    JEq, JNe, JLt, JGe, JGt, JLe,
    // if a op (b as i16) jump by (c as i16)
    JEqI, JNeI, JLtI, JGeI, JGtI, JLeI,
    // longs: if a op b jump by (c as i16)
    JLEq, JLNe, JLLt, JLGe, JLGt, JLLe,
    // floats and doubles; `N` forms jump also when an operand is NaN
    // (JDNlt jumps if not a < b)
    JFEq, JFNe, JFLt, JFGe, JFGt, JFLe, JFNlt, JFNge, JFNgt, JFNle,
    JDEq, JDNe, JDLt, JDGe, JDGt, JDLe, JDNlt, JDNge, JDNgt, JDNle,
    /// jump by imm32 (low half b, high half c); the toll is a (i16)
    Jmp,
    /// a ← a + (b as i16), then jump by (c as i16): the end of a counting loop
    IncJmp,
    /// a ← a + 1, then if a < b jump by (c as i16): a counting loop whose test
    /// was copied to its end
    IncJLt,
    /// switch on a; ext 1: low as u32 | count << 32; then count + 1 words
    /// offset as u32 | toll << 32, the default first
    TableSwitch,
    /// switch on a; ext 1: count | default offset << 32; then `count` words
    /// key as u32 | offset << 32, sorted by key (signed); then count + 1 tolls
    /// (i32), two to a word, the default first
    LookupSwitch,

    /// return nothing; b = max_locals
    Ret,
    /// return register a; b = max_locals
    RetV,
    // synchronized methods release their monitor: a, b as above; c: 1 if the return is
    // watched
    RetSync, RetVSync,

    // instance fields: get a ← b.[c], put b.[c] ← a
    GetFieldU, PutFieldU,
    GetB, GetZ, GetC, GetS, GetW, GetL,
    PutB, PutZ, PutC, PutW, PutL,
    // statics: a is the register; c pool index when unresolved;
    // ext 1: reference that holds the field (a class mirror) | byte offset << 32
    GetStaticU, PutStaticU,
    GetStB, GetStZ, GetStC, GetStS, GetStW, GetStL,
    PutStB, PutStZ, PutStC, PutStW, PutStL,

    // arrays: load a ← b[c], store b[c] ← a. B: byte and boolean, W: int and
    // float, A: references, L: long and double
    ALoadB, ALoadC, ALoadS, ALoadW, ALoadL, ALoadA,
    AStoreB, AStoreC, AStoreW, AStoreL, AStoreA,
    /// a ← b.length
    ArrayLen,

    /// a ← new instance of pool class c; ext 1 unused until resolved
    NewU,
    /// ext 1: pointer to the class, initialized
    New,
    /// a ← new primitive array of length b, c = class-file type code (4 … 11)
    NewArray,
    /// a ← new array of pool class c with length b; ext 1 unused until resolved
    ANewArrayU,
    /// ext 1: pointer to the array class
    ANewArray,
    /// a ← new array; b = dimensions given, lengths in registers a …;
    /// c pool index of the array class
    MultiNewArray,
    /// a is checked against pool class c; ext 1 unused until resolved
    CheckCastU,
    /// ext 1: pointer to the class
    CheckCast,
    /// a ← b instanceof pool class c; ext 1 unused until resolved
    InstanceOfU,
    InstanceOf,

    /// throw a
    Throw,
    /// take the monitor of a
    MonitorEnter,
    /// release the monitor of a
    MonitorExit,

    // Calls. a = register of the first argument (the receiver, if any), where
    // the result goes too; b = argument slots, receiver included; c = pool
    // index when unresolved. Two ext words, three for interface calls. The upper half
    // of the last one is the toll for coming back; the rest is zero until resolved.
    InvokeStaticU, InvokeSpecialU, InvokeVirtualU, InvokeInterfaceU, InvokeDynamicU,
    /// ext 1: pointer to the method
    InvokeStatic,
    /// as InvokeStatic, after a null check of register a
    InvokeSpecial,
    /// c: vtable index; ext 2: class id last seen, ext 1: its method
    InvokeVirtual,
    /// ext 3: class id last seen, ext 2: its method, ext 1: the interface method
    InvokeInterface,
    /// a call site or a signature-polymorphic call, linked: ext 1: pointer to
    /// the linker method, ext 2: appendix reference (0: none), passed as last
    /// argument, c: 1 where the receiver must not be null, 2 if moreover the linker
    /// method is a guard (`guards.rs`)
    InvokeLinked,

    // Code that the VM makes: the whole body of a method of a special kind.
    /// the method has not been translated yet
    Translate,
    /// run the native function of the method in this frame
    Native,
    // signature-polymorphic intrinsics of MethodHandle
    InvokeBasic, LinkToStatic, LinkToVirtual, LinkToSpecial, LinkToInterface,
    /// an abstract method was called: AbstractMethodError
    Abstract,
    /// the bottom frame of a thread: its run method has returned
    ThreadEnd,
    /// jsr: a ← return address (word index of the next instruction), jump by
    /// the lower half of ext 1, toll in the upper half; class files before
    /// version 50 only
    Jsr,
    /// ret: jump to the word index in a
    RetSub,
    /// no operation
    Nop,

    // Fused pairs that the translator emits for frequent code.
    /// a ← b, then a + 1 ← c: two arguments of a call
    Move2,
    /// a ← a + 1, then if a ≤ b jump by (c as i16)
    IncJLe,
    /// a ← a + 1, then if a < (b as i16) jump by (c as i16)
    IncJLtI,
    /// a ← a - 1, then if a ≥ (b as i16) jump by (c as i16)
    DecJGeI,

    /// b.[c] ← a, a reference
    PutA,
    /// a static reference; as PutStW
    PutStA,
    /// clear the scratch words of a native's frame; `Native` follows
    NativeEnter,
    /// take the monitor of a synchronized method, then go to its body
    EnterSync,
    /// return at once if nobody reads what the method prints, else go to its body
    EnterPrint,
    /// tell that the library is about to see to an exception, then go to the method's body
    EnterHandler,
    /// as Jmp, with the toll in ext 1
    JmpFar,
    /// stands, for a moment, in place of the instruction before which the slice
    /// of the running thread ends
    Break,
    /// a thread has come to the bytecode b, which is watched; see `places.rs`
    Arrive,
    /// as `Arrive`, in front of `EnterSync`: where the library calls a synchronized method
    /// whose first bytecode is watched
    ArriveSync,
}

/// Packs the first word of an instruction.
#[inline(always)]
pub const fn insn(op: Op, a: u16, b: u16, c: u16) -> u64 {
    op as u64 | (a as u64) << 16 | (b as u64) << 32 | (c as u64) << 48
}

/// Packs an instruction whose `b` and `c` together are a 32-bit immediate.
#[inline(always)]
pub const fn insn_imm(op: Op, a: u16, imm: u32) -> u64 {
    op as u64 | (a as u64) << 16 | (imm as u64) << 32
}

/// How many extension words follow the first word of `op`; the switches say
/// so themselves, in their first extension word.
pub fn ext_words(op: Op, first_ext: u64) -> usize {
    use Op::*;
    match op {
        ConstL | LdcU | GetStaticU | PutStaticU | GetStB | GetStZ | GetStC | GetStS | GetStW
        | GetStL | PutStB | PutStZ | PutStC | PutStW | PutStL | PutStA | NewU | New
        | ANewArrayU | ANewArray | CheckCastU | CheckCast | InstanceOfU | InstanceOf | Jsr
        | JmpFar => 1,
        InvokeStaticU | InvokeSpecialU | InvokeVirtualU | InvokeDynamicU | InvokeStatic
        | InvokeSpecial | InvokeVirtual | InvokeLinked => 2,
        InvokeInterfaceU | InvokeInterface => 3,
        TableSwitch => 2 + (first_ext >> 32) as usize,
        LookupSwitch => {
            let count = (first_ext as u32) as usize;
            1 + count + (count + 2) / 2
        }
        _ => 0,
    }
}

/// A translated method body.
#[derive(Default)]
pub struct Body {
    /// The instructions. Boxed and never moved: frames point into it.
    pub words: Box<[u64]>,
    /// Where instructions came from, sorted by word.
    pub origins: Box<[Origin]>,
    /// Exception handlers in the class file's order.
    pub handlers: Box<[BodyHandler]>,
    /// The bytecodes that have an `Arrive` in front of them.
    pub watched: crate::places::Watched,
    /// Registers of the whole frame: locals, header, operand stack (one more
    /// than the class file says, for appendices and as a spare), constants of
    /// loops. Code that runs while an instruction is resolved must get a frame
    /// behind all of them; only calls may overlap, from their arguments on.
    pub frame_words: u32,
    /// By word, the index of the first origin behind it, and how often it was asked for one: a
    /// list is made where that is often.
    pub behind: OnceCell<Box<[u32]>>,
    pub asked: Cell<u8>,
}

/// How often a body is asked for origins before it gets a list of them.
const OFTEN: u8 = 100;

impl Body {
    /// The origin of the instruction at a word.
    #[inline]
    pub fn origin(&self, word: usize) -> Option<&Origin> {
        self.origins.get(self.behind(word).wrapping_sub(1))
    }

    /// The index of the first origin behind `word`. Every event and every stop of a search
    /// asks for it.
    #[inline]
    pub fn behind(&self, word: usize) -> usize {
        match self.behind.get() {
            Some(behind) => behind[word] as usize,
            None => self.search_behind(word),
        }
    }

    #[cold]
    fn search_behind(&self, word: usize) -> usize {
        let asked = self.asked.get();
        self.asked.set(asked.saturating_add(1));
        if asked == OFTEN {
            let _ = self.behind.set(self.find_behind());
        }
        self.origins.partition_point(|o| o.word as usize <= word)
    }

    fn find_behind(&self) -> Box<[u32]> {
        let mut at = 0;
        let behind = |word: usize| {
            while self
                .origins
                .get(at)
                .is_some_and(|o| o.word as usize <= word)
            {
                at += 1;
            }
            at as u32
        };
        (0..self.words.len()).map(behind).collect()
    }
}

/// Where the instructions from a word on came from, up to the next such entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    pub word: u32,
    /// Bytecode index; ascending as far as the translation is linear.
    pub bci: u16,
    /// Bytecodes from here to the end of the stretch.
    pub ahead: u16,
}

/// An exception handler over a range of words.
#[derive(Clone, Copy, Debug)]
pub struct BodyHandler {
    /// First word covered.
    pub start: u32,
    /// First word no longer covered.
    pub end: u32,
    /// Word index of the handler.
    pub target: u32,
    /// Register that receives the exception (the first stack register).
    pub register: u16,
    /// Pool index of the class caught, 0 for all.
    pub catch_type: u16,
}
