//! From bytecode to register code.
//!
//! Purely syntactic: it needs a parsed class file, loads no class and knows
//! nothing of the VM. Two passes over the bytecode:
//!
//! 1. `blocks` finds what is reachable, where blocks start and the shape of
//!    the operand stack there.
//! 2. `emit` (with `arith` and `memory`) runs over the reachable code in the order of the class file with
//!    an abstract operand stack (`stack`) whose entries are registers or
//!    constants. Pushing a local or a constant emits nothing; an instruction
//!    takes its operands from wherever they are. `fuse` turns the ends of loops
//!    and blocks into fewer instructions; `hoist` loads constants before loops;
//!    `count` knows how many bytecodes all that stands for.
//!
//! Where blocks meet, every stack entry is in its own register (the
//! *canonical* one of its slot), so blocks can be translated one by one.
//!
//! The input need not have been verified: whatever the second pass relies on
//! it checks, and answers with a [`TranslateError`]. It does not check types
//! beyond one or two slots; that is the verifier's job.
//!
//! Left out: constant folding beyond conversions, any knowledge that spans
//! blocks, inlining.

mod arith;
mod blocks;
mod count;
mod emit;
mod fuse;
mod hoist;
mod memory;
mod stack;

use heddle_classfile::{ClassFile, Method, access, descriptor::MethodDescriptor};

use crate::isa::{Body, FRAME_HEADER};
use crate::places::Watched;
use blocks::Blocks;
use emit::{Emitter, Leaves, Output};

/// Bytecode that cannot be translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranslateError {
    /// Bytecode index of the offending instruction.
    pub bci: u32,
    pub reason: &'static str,
}

impl std::fmt::Display for TranslateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "bytecode {}: {}", self.bci, self.reason)
    }
}

impl std::error::Error for TranslateError {}

type Fallible<T> = Result<T, TranslateError>;

#[cold]
fn fail<T>(bci: usize, reason: &'static str) -> Fallible<T> {
    Err(TranslateError {
        bci: bci as u32,
        reason,
    })
}

/// Translates methods; keeps its buffers from one to the next.
#[derive(Default)]
pub struct Translator {
    blocks: Blocks,
    output: Output,
    only_far_jumps: bool,
}

impl Translator {
    pub fn new() -> Translator {
        Translator::default()
    }

    /// One that treats every method like those too large for 16-bit offsets,
    /// for tests.
    pub fn with_far_jumps() -> Translator {
        Translator {
            only_far_jumps: true,
            ..Translator::default()
        }
    }

    /// Translates the code of `method`, a method of `class`, so that the bytecodes that are
    /// watched are come to one by one.
    pub fn translate(
        &mut self,
        class: &ClassFile,
        method: &Method,
        watched: Watched,
    ) -> Fallible<Body> {
        self.blocks.watched = watched;
        let Some(code) = &method.code else {
            return fail(0, "no code");
        };
        let Some(desc) = MethodDescriptor::parse(class.pool.utf8(method.desc)) else {
            return fail(0, "bad method descriptor");
        };
        let receiver = u16::from(!method.is_static());
        if desc.slots.saturating_add(receiver) > code.max_locals {
            return fail(0, "arguments do not fit into the locals");
        }
        let frame_words =
            usize::from(code.max_locals) + FRAME_HEADER + usize::from(code.max_stack) + 1;
        // Registers for constants of loops come on top.
        if frame_words > usize::from(u16::MAX - 64) {
            return fail(0, "frame too large");
        }
        let bytes = class.code_bytes(code);
        if bytes.len() > usize::from(u16::MAX) {
            return fail(0, "code too large");
        }
        self.blocks
            .analyze(bytes, &class.pool, &code.handlers, code.max_stack)?;
        let result = blocks::letter(desc.result);
        let synchronized = method.access & access::SYNCHRONIZED != 0;
        // The monitor that such a method gives back is that of register 0.
        let keeps_receiver = synchronized && !method.is_static() && blocks::stores_first(bytes);
        let leaves = Leaves {
            result,
            synchronized,
            keeps_receiver,
        };
        // Offsets of conditional jumps have 16 bits, and tolls 8, which nearly always
        // suffices; a method where they do not is translated again, with the jumps in
        // question spanning a long one. They are more each time.
        self.output.far.clear();
        loop {
            let emitter = Emitter::new(
                &mut self.blocks,
                &mut self.output,
                class,
                code,
                self.only_far_jumps,
                leaves,
            );
            if let Some(body) = emitter.run()? {
                return Ok(body);
            }
        }
    }
}

/// Translates one method with buffers of its own; see [`Translator`].
pub fn translate(class: &ClassFile, method: &Method) -> Result<Body, TranslateError> {
    Translator::new().translate(class, method, Watched::Nothing)
}
