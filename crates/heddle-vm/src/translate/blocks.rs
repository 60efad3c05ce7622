//! The first pass: which bytecodes are reachable, where basic blocks start,
//! and what lies on the operand stack there.
//!
//! A walk from the entry and from every handler follows all edges once and
//! keeps only the *shape* of the stack: how many slots, and which of them hold
//! the second half of a long or double. A jump target remembers the shape that
//! the first jump to it brought; the second pass compares all others with it,
//! so this pass checks only what it needs to go on.
//!
//! A `goto` to a return instruction counts as that return: it is shorter, and
//! the value returned is then still known to the translator.

use heddle_classfile::code::{Operand, decode};
use heddle_classfile::descriptor::{FieldType, MethodDescriptor, parse_field};
use heddle_classfile::opcode::*;
use heddle_classfile::pool::tag;
use heddle_classfile::{Constant, ConstantPool, Handler};

use super::count::Position;
use super::hoist::Loop;
use super::{Fallible, fail};
use crate::places::Watched;

/// What is known about one byte of the bytecode.
#[derive(Clone, Copy)]
pub(super) struct At {
    /// First word of the translation; set by the second pass.
    pub word: u32,
    /// Where that is in terms of bytecodes.
    pub position: Position,
    /// Shape of the stack (index into `shapes`) where a block starts here.
    pub shape: u32,
    /// Calls: argument slots and result type, see [`Call`]; fields: the type.
    pub aux: u32,
    pub mark: Mark,
    /// Words in front of `word` that load the constants of the loop that
    /// begins here.
    pub before: u16,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Unseen,
    /// A reachable instruction starts here.
    Start,
    /// A reachable instruction covers this byte.
    Inside,
}

pub(super) const NO_SHAPE: u32 = u32::MAX;

const NOWHERE: At = At {
    word: u32::MAX,
    position: Position {
        count: 0,
        stretch: 0,
    },
    shape: NO_SHAPE,
    aux: 0,
    mark: Mark::Unseen,
    before: 0,
};

/// What a stack slot holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// A value, or the first half of a long or double.
    Value,
    /// The second half of the value below.
    Half,
}

/// The effect of a call, packed into [`At::aux`].
#[derive(Clone, Copy)]
pub(super) struct Call {
    /// Receiver included.
    pub args: u16,
    /// First letter of the descriptor of the result.
    pub result: u8,
}

impl Call {
    fn pack(self) -> u32 {
        u32::from(self.args) | u32::from(self.result) << 16
    }

    pub fn unpack(aux: u32) -> Call {
        Call {
            args: aux as u16,
            result: (aux >> 16) as u8,
        }
    }
}

/// Slots of a value whose descriptor starts with `letter`.
pub(super) fn slots_of(letter: u8) -> usize {
    match letter {
        b'V' => 0,
        b'J' | b'D' => 2,
        _ => 1,
    }
}

/// The first letter of a type's descriptor.
pub(super) fn letter(ty: Option<FieldType<'_>>) -> u8 {
    match ty {
        None => b'V',
        Some(FieldType::Boolean) => b'Z',
        Some(FieldType::Byte) => b'B',
        Some(FieldType::Char) => b'C',
        Some(FieldType::Short) => b'S',
        Some(FieldType::Int) => b'I',
        Some(FieldType::Long) => b'J',
        Some(FieldType::Float) => b'F',
        Some(FieldType::Double) => b'D',
        Some(FieldType::Object(_)) => b'L',
        Some(FieldType::Array(_)) => b'[',
    }
}

/// The result of the first pass; kept between methods for its buffers.
#[derive(Default)]
pub(super) struct Blocks {
    pub at: Vec<At>,
    /// Ranges of `slots`; number 0 is the empty stack.
    shapes: Vec<(u32, u32)>,
    slots: Vec<Slot>,
    work: Vec<u32>,
    stack: Vec<Slot>,
    /// All jumps: from, to.
    pub edges: Vec<(u32, u32)>,
    /// Where calls are, in no order.
    pub calls: Vec<u32>,
    pub has_subroutines: bool,
    /// See `hoist`.
    pub loops: Vec<Loop>,
    /// Bytecodes that must be come to one by one.
    pub watched: Watched,
}

impl Blocks {
    /// The stack at the start of a block.
    pub fn shape(&self, number: u32) -> &[Slot] {
        let (start, end) = self.shapes[number as usize];
        &self.slots[start as usize..end as usize]
    }

    /// Whether a `goto` to `target` is as good as a return.
    pub fn goes_to_return(&self, code: &[u8], target: i32) -> bool {
        let Ok(target) = usize::try_from(target) else {
            return false;
        };
        let returns = code
            .get(target)
            .is_some_and(|op| (IRETURN..=RETURN).contains(op));
        returns && !self.watched.has(target)
    }

    /// Whether a block starts at `pc`.
    pub fn is_leader(&self, pc: usize) -> bool {
        self.at[pc].shape != NO_SHAPE
    }

    pub fn analyze(
        &mut self,
        code: &[u8],
        pool: &ConstantPool,
        handlers: &[Handler],
        max_stack: u16,
    ) -> Fallible<()> {
        self.at.clear();
        self.at.resize(code.len(), NOWHERE);
        self.slots.clear();
        self.shapes.clear();
        self.shapes.push((0, 0));
        self.work.clear();
        self.stack.clear();
        self.edges.clear();
        self.calls.clear();
        self.has_subroutines = false;
        if code.is_empty() {
            return fail(0, "no code");
        }
        // The entry is not a block of its own unless something jumps to it:
        // nothing is known there that a jump could contradict.
        let mut walk = Walk {
            blocks: self,
            code,
            pool,
            max_stack: usize::from(max_stack),
            pc: 0,
        };
        walk.run(0)?;
        for handler in handlers {
            walk.pc = usize::from(handler.target);
            walk.blocks.stack.clear();
            walk.push(1)?;
            walk.enter(i32::from(handler.target))?;
        }
        while let Some(start) = walk.blocks.work.pop() {
            let start = start as usize;
            if walk.blocks.at[start].mark != Mark::Start {
                let (from, to) = walk.blocks.shapes[walk.blocks.at[start].shape as usize];
                walk.blocks.stack.clear();
                let shape = &walk.blocks.slots[from as usize..to as usize];
                walk.blocks.stack.extend_from_slice(shape);
                walk.run(start)?;
            }
        }
        self.find_loops(handlers);
        Ok(())
    }
}

struct Walk<'a> {
    blocks: &'a mut Blocks,
    code: &'a [u8],
    pool: &'a ConstantPool,
    max_stack: usize,
    pc: usize,
}

impl Walk<'_> {
    /// Walks on from `pc` until control leaves or known ground is reached.
    fn run(&mut self, mut pc: usize) -> Fallible<()> {
        loop {
            self.pc = pc;
            match self.blocks.at[pc].mark {
                Mark::Start => return Ok(()),
                Mark::Inside => return self.fail("jump into an instruction"),
                Mark::Unseen => {}
            }
            let Ok(insn) = decode(self.code, pc) else {
                return self.fail("bad instruction");
            };
            let next = pc + insn.length as usize;
            self.blocks.at[pc].mark = Mark::Start;
            for at in &mut self.blocks.at[pc + 1..next] {
                if at.mark == Mark::Start || at.shape != NO_SHAPE {
                    return fail(pc, "jump into an instruction");
                }
                at.mark = Mark::Inside;
            }
            if !self.step(insn.opcode, insn.operand, next)? {
                return Ok(());
            }
            if next >= self.code.len() {
                return self.fail("control falls off the end of the code");
            }
            pc = next;
        }
    }

    /// The effect of one instruction; whether control goes on to the next.
    fn step(&mut self, opcode: u8, operand: Operand<'_>, next: usize) -> Fallible<bool> {
        let (pops, pushes) = EFFECT[usize::from(opcode)];
        self.pop(usize::from(pops))?;
        match (opcode, operand) {
            (LDC | LDC_W | LDC2_W, Operand::Constant(index)) => {
                let letter = loadable(self.pool, index);
                let wide = slots_of(letter) == 2;
                if letter == b'V' || wide != (opcode == LDC2_W) {
                    return self.fail("constant of the wrong kind");
                }
                self.push(if wide { 2 } else { 1 })?;
            }
            (DUP, _) => self.dup(1, 0)?,
            (DUP_X1, _) => self.dup(1, 1)?,
            (DUP_X2, _) => self.dup(1, 2)?,
            (DUP2, _) => self.dup(2, 0)?,
            (DUP2_X1, _) => self.dup(2, 1)?,
            (DUP2_X2, _) => self.dup(2, 2)?,
            (GOTO | GOTO_W, Operand::Branch(target)) => {
                if !self.blocks.goes_to_return(self.code, target) {
                    self.edge(target)?;
                }
                return Ok(false);
            }
            (JSR | JSR_W, Operand::Branch(target)) => {
                // A subroutine leaves the stack as it was, return address
                // aside: compilers never made others.
                self.blocks.has_subroutines = true;
                self.push(1)?;
                self.edge(target)?;
                self.pop(1)?;
                if next >= self.code.len() {
                    return self.fail("control falls off the end of the code");
                }
                self.edge(next as i32)?;
                return Ok(false);
            }
            (_, Operand::Branch(target)) => self.edge(target)?,
            (_, Operand::Table(switch)) => {
                self.edge(switch.default)?;
                for target in switch.targets() {
                    self.edge(target)?;
                }
                return Ok(false);
            }
            (_, Operand::Lookup(switch)) => {
                self.edge(switch.default)?;
                for (_, target) in switch.pairs() {
                    self.edge(target)?;
                }
                return Ok(false);
            }
            (RET | IRETURN..=RETURN | ATHROW, _) => return Ok(false),
            (GETSTATIC..=PUTFIELD, Operand::Constant(index)) => {
                let Some(ty) = field_type(self.pool, index) else {
                    return self.fail("constant is no field");
                };
                self.blocks.at[self.pc].aux = u32::from(ty);
                if opcode == PUTSTATIC || opcode == PUTFIELD {
                    self.pop(slots_of(ty))?;
                }
                if opcode == GETFIELD || opcode == PUTFIELD {
                    self.pop(1)?;
                }
                if opcode == GETSTATIC || opcode == GETFIELD {
                    self.push(slots_of(ty))?;
                }
            }
            (
                INVOKEVIRTUAL..=INVOKEDYNAMIC,
                Operand::Constant(index)
                | Operand::Interface { index, .. }
                | Operand::Dynamic { index, .. },
            ) => {
                let Some(call) = call(self.pool, opcode, index) else {
                    return self.fail("constant is no method, or takes too many arguments");
                };
                self.blocks.at[self.pc].aux = call.pack();
                self.blocks.calls.push(self.pc as u32);
                self.pop(usize::from(call.args))?;
                self.push(slots_of(call.result))?;
            }
            (MULTIANEWARRAY, Operand::MultiArray { dimensions, .. }) => {
                self.pop(usize::from(dimensions))?;
                self.push(1)?;
            }
            _ => self.push(usize::from(pushes))?,
        }
        Ok(true)
    }

    /// Notes that control may jump to `target` with the present stack.
    fn edge(&mut self, target: i32) -> Fallible<()> {
        self.enter(target)?;
        self.blocks.edges.push((self.pc as u32, target as u32));
        Ok(())
    }

    fn enter(&mut self, target: i32) -> Fallible<()> {
        let Some(at) = usize::try_from(target)
            .ok()
            .and_then(|t| self.blocks.at.get(t).copied())
        else {
            return self.fail("jump out of the code");
        };
        if at.mark == Mark::Inside {
            return self.fail("jump into an instruction");
        }
        if at.shape == NO_SHAPE {
            let shape = self.present_shape();
            self.blocks.at[target as usize].shape = shape;
            if at.mark == Mark::Unseen {
                self.blocks.work.push(target as u32);
            }
        }
        Ok(())
    }

    /// A number for the present stack; neighbours often share one.
    fn present_shape(&mut self) -> u32 {
        let blocks = &mut *self.blocks;
        if blocks.stack.is_empty() {
            return 0;
        }
        let newest = blocks.shapes.len() as u32 - 1;
        if blocks.shape(newest) != blocks.stack {
            let start = blocks.slots.len() as u32;
            blocks.slots.extend_from_slice(&blocks.stack);
            blocks.shapes.push((start, blocks.slots.len() as u32));
            return newest + 1;
        }
        newest
    }

    fn dup(&mut self, count: usize, under: usize) -> Fallible<()> {
        let depth = self.blocks.stack.len();
        if depth < count + under {
            return self.fail("operand stack underflow");
        }
        if depth + count > self.max_stack {
            return self.fail("operand stack overflow");
        }
        let from = depth - count - under;
        // … under top → … top under top
        self.blocks.stack.extend_from_within(depth - count..);
        self.blocks.stack[from..depth].rotate_right(count);
        Ok(())
    }

    fn pop(&mut self, count: usize) -> Fallible<()> {
        let depth = self.blocks.stack.len();
        if depth < count {
            return self.fail("operand stack underflow");
        }
        self.blocks.stack.truncate(depth - count);
        Ok(())
    }

    /// Pushes one value of that many slots.
    fn push(&mut self, slots: usize) -> Fallible<()> {
        if self.blocks.stack.len() + slots > self.max_stack {
            return self.fail("operand stack overflow");
        }
        if slots > 0 {
            self.blocks.stack.push(Slot::Value);
        }
        if slots > 1 {
            self.blocks.stack.push(Slot::Half);
        }
        Ok(())
    }

    fn fail<T>(&self, reason: &'static str) -> Fallible<T> {
        fail(self.pc, reason)
    }
}

/// Whether the code stores to local 0.
pub(super) fn stores_first(code: &[u8]) -> bool {
    let mut pc = 0;
    while let Ok(insn) = decode(code, pc) {
        let first = match (insn.opcode, insn.operand) {
            (ISTORE..=ASTORE, Operand::Local(local)) => local == 0,
            (ISTORE_0 | LSTORE_0 | FSTORE_0 | DSTORE_0 | ASTORE_0, _) => true,
            _ => false,
        };
        if first {
            return true;
        }
        pc += insn.length as usize;
    }
    false
}

/// The type of what `ldc` of an entry pushes, `V` if it cannot.
pub(super) fn loadable(pool: &ConstantPool, index: u16) -> u8 {
    match pool.get(index) {
        Constant::Integer(_) => b'I',
        Constant::Float(_) => b'F',
        Constant::Long(_) => b'J',
        Constant::Double(_) => b'D',
        Constant::String { .. }
        | Constant::Class { .. }
        | Constant::MethodHandle { .. }
        | Constant::MethodType { .. } => b'L',
        Constant::Dynamic { nat, .. } => parse_field(pool.name_and_type(nat).1)
            .map(|ty| letter(Some(ty)))
            .unwrap_or(b'V'),
        _ => b'V',
    }
}

fn field_type(pool: &ConstantPool, index: u16) -> Option<u8> {
    let Constant::FieldRef { nat, .. } = pool.get(index) else {
        return None;
    };
    Some(letter(Some(parse_field(pool.name_and_type(nat).1)?)))
}

fn call(pool: &ConstantPool, opcode: u8, index: u16) -> Option<Call> {
    let (nat, receiver) = match (opcode, pool.get(index)) {
        (INVOKEVIRTUAL, Constant::MethodRef { nat, .. }) => (nat, 1),
        (
            INVOKESPECIAL,
            Constant::MethodRef { nat, .. } | Constant::InterfaceMethodRef { nat, .. },
        ) => (nat, 1),
        (
            INVOKESTATIC,
            Constant::MethodRef { nat, .. } | Constant::InterfaceMethodRef { nat, .. },
        ) => (nat, 0),
        (INVOKEINTERFACE, Constant::InterfaceMethodRef { nat, .. }) => (nat, 1),
        (INVOKEDYNAMIC, Constant::InvokeDynamic { nat, .. }) => (nat, 0),
        _ => return None,
    };
    let desc = MethodDescriptor::parse(pool.name_and_type(nat).1)?;
    let args = desc.slots.checked_add(receiver).filter(|&n| n <= 255)?;
    Some(Call {
        args,
        result: letter(desc.result),
    })
}

pub(super) fn is_class(pool: &ConstantPool, index: u16) -> bool {
    pool.tag(index) == tag::CLASS
}

/// Slots popped and pushed by each opcode, where that depends on nothing else.
static EFFECT: [(u8, u8); 256] = {
    let mut table = [(0, 0); 256];
    let mut opcode = 0;
    while opcode < 256 {
        table[opcode] = effect(opcode as u8);
        opcode += 1;
    }
    table
};

const fn effect(opcode: u8) -> (u8, u8) {
    match opcode {
        LCONST_0 | LCONST_1 | DCONST_0 | DCONST_1 => (0, 2),
        LLOAD | DLOAD | LLOAD_0..=LLOAD_3 | DLOAD_0..=DLOAD_3 => (0, 2),
        ACONST_NULL..=SIPUSH | ILOAD..=ALOAD_3 | NEW => (0, 1),
        LALOAD | DALOAD => (2, 2),
        IALOAD..=SALOAD => (2, 1),
        LSTORE | DSTORE | LSTORE_0..=LSTORE_3 | DSTORE_0..=DSTORE_3 => (2, 0),
        ISTORE..=ASTORE_3 => (1, 0),
        LASTORE | DASTORE => (4, 0),
        IASTORE..=SASTORE => (3, 0),
        POP => (1, 0),
        POP2 => (2, 0),
        SWAP => (0, 0),
        IADD..=DREM => match opcode & 1 {
            0 => (2, 1),
            _ => (4, 2),
        },
        INEG | FNEG => (1, 1),
        LNEG | DNEG => (2, 2),
        LSHL | LSHR | LUSHR => (3, 2),
        LAND | LOR | LXOR => (4, 2),
        ISHL..=IXOR => (2, 1),
        I2L | I2D | F2L | F2D => (1, 2),
        L2I | L2F | D2I | D2F => (2, 1),
        L2D | D2L => (2, 2),
        I2F | F2I | I2B | I2C | I2S => (1, 1),
        FCMPL | FCMPG => (2, 1),
        LCMP | DCMPL | DCMPG => (4, 1),
        IFEQ..=IFLE | IFNULL | IFNONNULL | TABLESWITCH | LOOKUPSWITCH => (1, 0),
        IF_ICMPEQ..=IF_ACMPNE => (2, 0),
        IRETURN | FRETURN | ARETURN | ATHROW | MONITORENTER | MONITOREXIT => (1, 0),
        LRETURN | DRETURN => (2, 0),
        NEWARRAY | ANEWARRAY | ARRAYLENGTH | CHECKCAST | INSTANCEOF => (1, 1),
        _ => (0, 0),
    }
}
