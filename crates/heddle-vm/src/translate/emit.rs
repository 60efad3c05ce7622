//! The second pass: bytecode by bytecode, register instructions.
//!
//! Order is everything here. An instruction that can throw or has an effect is
//! emitted when its bytecode is met, so effects keep their order; only loads of
//! locals and constants are put off until somebody needs them. A store right
//! behind the instruction that computed the value makes that instruction write
//! the local itself (`forward`): the interpreter writes a destination last,
//! after everything that can throw.

use heddle_classfile::code::{Operand, decode, implicit_local};
use heddle_classfile::opcode::*;
use heddle_classfile::{ClassFile, Code, Constant, ConstantPool, Handler};

use super::blocks::{Blocks, Call, Mark, goes_to_return, is_class, loadable, slots_of};
use super::hoist::Hoist;
use super::stack::Entry;
use super::{Fallible, fail};
use crate::isa::{Body, BodyHandler, FRAME_HEADER, Op, insn, insn_imm};

/// Buffers of the second pass.
#[derive(Default)]
pub(super) struct Output {
    pub words: Vec<u64>,
    pub bcis: Vec<(u32, u16)>,
    /// In the order of `insn`.
    pub fixups: Vec<Fixup>,
    pub stack: Vec<Entry>,
}

/// An offset to be filled in when all words have their place.
#[derive(Clone, Copy)]
pub(super) struct Fixup {
    /// The jump: offsets count from here.
    pub insn: u32,
    /// The word that holds the offset.
    pub word: u32,
    /// Bytecode index of the target.
    pub target: u32,
    pub field: Field,
}

/// Where in a word an offset goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    /// The `c` of a conditional jump.
    C,
    Low32,
    High32,
}

pub(super) struct Emitter<'a> {
    pub blocks: &'a mut Blocks,
    pub out: &'a mut Output,
    pub code: &'a [u8],
    pub handlers: &'a [Handler],
    pool: &'a ConstantPool,
    pub max_stack: usize,
    max_locals: u16,
    /// The register of stack slot 0.
    pub base: u16,
    /// Conditional jumps span an unconditional one.
    pub long: bool,
    /// First letter of the return type.
    result: u8,
    synchronized: bool,
    /// The bytecode being translated.
    pub pc: usize,
    /// The bytecode behind it.
    pub next: usize,
    /// Entries of the stack below this are settled.
    pub clean: usize,
    /// First word of the newest instruction.
    pub last: usize,
    /// Instructions before this word belong to an earlier block.
    pub barrier: usize,
    /// Whether control reaches the next bytecode from this one.
    pub live: bool,
    /// The type of what the newest instruction put into a register, for types
    /// narrower than int: (words then, register, letter).
    pub narrow: (usize, u16, u8),
    pub hoist: Option<Hoist>,
    /// Index of the loop to come.
    pub next_loop: usize,
    /// Registers behind the stack that hold constants of loops.
    pub hoisted_registers: usize,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(
        blocks: &'a mut Blocks,
        out: &'a mut Output,
        class: &'a ClassFile,
        code: &'a Code,
        long: bool,
        result: u8,
        synchronized: bool,
    ) -> Emitter<'a> {
        out.words.clear();
        out.bcis.clear();
        out.fixups.clear();
        out.stack.clear();
        Emitter {
            blocks,
            out,
            code: class.code_bytes(code),
            handlers: &code.handlers,
            pool: &class.pool,
            max_stack: usize::from(code.max_stack),
            max_locals: code.max_locals,
            base: code.max_locals + FRAME_HEADER as u16,
            long,
            result,
            synchronized,
            pc: 0,
            next: 0,
            clean: 0,
            last: 0,
            barrier: 0,
            live: true,
            narrow: (0, 0, 0),
            hoist: None,
            next_loop: 0,
            hoisted_registers: 0,
        }
    }

    /// Translates the whole method; `None` if an offset does not fit.
    pub(super) fn run(mut self) -> Fallible<Option<Body>> {
        let mut pc = 0;
        while pc < self.code.len() {
            if self.blocks.at[pc].mark != Mark::Start {
                pc += 1;
                continue;
            }
            if self.blocks.is_leader(pc) {
                self.enter(pc)?;
                self.open_loop(pc);
            }
            self.pc = pc;
            let Ok(insn) = decode(self.code, pc) else {
                return fail(pc, "bad instruction");
            };
            self.next = pc + insn.length as usize;
            self.blocks.at[pc].word = self.here() as u32;
            self.blocks.at[pc].before = 0;
            self.live = true;
            self.bound_unsettled();
            self.bytecode(insn.opcode, insn.operand)?;
            self.close_hoist();
            pc = self.next;
        }
        if !self.patch() {
            return Ok(None);
        }
        let handlers = self.body_handlers()?;
        Ok(Some(Body {
            words: self.out.words.as_slice().into(),
            bcis: self.out.bcis.as_slice().into(),
            handlers,
            frame_words: self.canonical(self.max_stack) as u32 + 1 + self.hoisted_registers as u32,
        }))
    }

    /// Begins the block at `pc`.
    fn enter(&mut self, pc: usize) -> Fallible<()> {
        if self.live {
            // Attributed to the bytecode before, whose block it ends.
            self.flush(self.depth());
            if !self.fits(pc) {
                return fail(pc, "operand stacks differ where control meets");
            }
        }
        self.enter_shape(self.blocks.at[pc].shape);
        self.barrier = self.here();
        self.narrow = (usize::MAX, 0, 0);
        Ok(())
    }

    /// Index of the next word.
    pub(super) fn here(&self) -> usize {
        self.out.words.len()
    }

    /// Emits the first word of an instruction.
    pub(super) fn emit(&mut self, word: u64) {
        self.last = self.here();
        let bci = self.pc as u16;
        if self.out.bcis.last().is_none_or(|&(_, last)| last != bci) {
            self.out.bcis.push((self.last as u32, bci));
        }
        self.out.words.push(word);
    }

    fn bytecode(&mut self, opcode: u8, operand: Operand<'_>) -> Fallible<()> {
        match opcode {
            NOP => {}
            ACONST_NULL => self.push(Entry::Int(0), 1)?,
            ICONST_M1..=ICONST_5 => self.push(Entry::Int(i32::from(opcode) - 3), 1)?,
            LCONST_0 | LCONST_1 => self.push(Entry::Long(i64::from(opcode - LCONST_0)), 2)?,
            FCONST_0..=FCONST_2 => {
                let value = f32::from(opcode - FCONST_0);
                self.push(Entry::Int(value.to_bits() as i32), 1)?;
            }
            DCONST_0 | DCONST_1 => {
                let value = f64::from(opcode - DCONST_0);
                self.push(Entry::Long(value.to_bits() as i64), 2)?;
            }
            BIPUSH | SIPUSH => match operand {
                Operand::Int(value) => self.push(Entry::Int(value), 1)?,
                _ => return self.bad(),
            },
            LDC | LDC_W | LDC2_W => self.ldc(index(operand))?,
            ILOAD..=ALOAD => self.load_local(local(operand), wide(opcode - ILOAD))?,
            ILOAD_0..=ALOAD_3 => {
                let kind = (opcode - ILOAD_0) / 4;
                self.load_local(implicit_local(opcode).unwrap_or(0), wide(kind))?;
            }
            IALOAD..=SALOAD => self.array_load(opcode)?,
            ISTORE..=ASTORE => self.store_local(local(operand), wide(opcode - ISTORE))?,
            ISTORE_0..=ASTORE_3 => {
                let kind = (opcode - ISTORE_0) / 4;
                self.store_local(implicit_local(opcode).unwrap_or(0), wide(kind))?;
            }
            IASTORE..=SASTORE => self.array_store(opcode)?,
            POP => {
                let slot = self.operand(0, 1)?;
                self.drop_to(slot);
            }
            POP2 => {
                let Some(slot) = self.depth().checked_sub(2) else {
                    return fail(self.pc, "operand stack underflow");
                };
                self.whole_from(slot)?;
                self.drop_to(slot);
            }
            DUP => self.dup(1, 0)?,
            DUP_X1 => self.dup(1, 1)?,
            DUP_X2 => self.dup(1, 2)?,
            DUP2 => self.dup(2, 0)?,
            DUP2_X1 => self.dup(2, 1)?,
            DUP2_X2 => self.dup(2, 2)?,
            SWAP => self.swap()?,
            IADD..=DREM => self.arithmetic(opcode)?,
            INEG => self.unary(Op::INeg, 1, 1)?,
            LNEG => self.unary(Op::LNeg, 2, 2)?,
            FNEG => self.unary(Op::FNeg, 1, 1)?,
            DNEG => self.unary(Op::DNeg, 2, 2)?,
            ISHL..=LUSHR => self.shift(opcode)?,
            IAND..=LXOR => self.logic(opcode)?,
            IINC => match operand {
                Operand::Increment { local, by } => {
                    self.check_local(local, 1)?;
                    self.evict(local, self.depth());
                    self.emit(insn(Op::IAddI, local, local, by as u16));
                }
                _ => return self.bad(),
            },
            I2L..=I2S => self.convert(opcode)?,
            LCMP..=DCMPG => self.compare(opcode)?,
            IFEQ..=IF_ACMPNE | IFNULL | IFNONNULL => match operand {
                Operand::Branch(target) => self.branch(opcode, target as usize)?,
                _ => return self.bad(),
            },
            GOTO | GOTO_W => match operand {
                Operand::Branch(target) if goes_to_return(self.code, target) => {
                    self.pc = target as usize;
                    self.ret(self.code[self.pc])?;
                }
                Operand::Branch(target) => self.goto(target as usize)?,
                _ => return self.bad(),
            },
            JSR | JSR_W => match operand {
                Operand::Branch(target) => self.jsr(target as usize)?,
                _ => return self.bad(),
            },
            RET => {
                let local = local(operand);
                self.check_local(local, 1)?;
                self.emit(insn(Op::RetSub, local, 0, 0));
                self.live = false;
            }
            TABLESWITCH | LOOKUPSWITCH => self.switch(operand)?,
            IRETURN..=RETURN => self.ret(opcode)?,
            GETSTATIC..=PUTFIELD => self.field(opcode, index(operand))?,
            INVOKEVIRTUAL..=INVOKEDYNAMIC => self.invoke(opcode, index(operand))?,
            NEW => {
                self.check_class(index(operand))?;
                self.define(0, 1, |e, dst| {
                    e.emit(insn(Op::NewU, dst, 0, index(operand)));
                    e.out.words.push(0);
                })?;
            }
            NEWARRAY => match operand {
                Operand::ArrayType(code @ 4..=11) => {
                    let length = self.operand(0, 1)?;
                    self.load(length);
                    self.define(1, 1, |e, dst| {
                        let length = e.reg(length);
                        e.emit(insn(Op::NewArray, dst, length, u16::from(code)));
                    })?;
                }
                _ => return fail(self.pc, "bad array type"),
            },
            ANEWARRAY | INSTANCEOF => {
                let class = index(operand);
                self.check_class(class)?;
                let slot = self.operand(0, 1)?;
                self.load(slot);
                let op = if opcode == ANEWARRAY {
                    Op::ANewArrayU
                } else {
                    Op::InstanceOfU
                };
                self.define(1, 1, |e, dst| {
                    let operand = e.reg(slot);
                    e.emit(insn(op, dst, operand, class));
                    e.out.words.push(0);
                })?;
                if opcode == INSTANCEOF {
                    self.note_narrow(b'Z');
                }
            }
            ARRAYLENGTH => self.unary(Op::ArrayLen, 1, 1)?,
            ATHROW => {
                let slot = self.operand(0, 1)?;
                self.load(slot);
                self.emit(insn(Op::Throw, self.reg(slot), 0, 0));
                self.live = false;
            }
            CHECKCAST => {
                let class = index(operand);
                self.check_class(class)?;
                let slot = self.operand(0, 1)?;
                // null passes whatever the class is, without resolving it.
                if self.entry(slot) != Entry::Int(0) {
                    self.load(slot);
                    self.emit(insn(Op::CheckCastU, self.reg(slot), 0, class));
                    self.out.words.push(0);
                }
            }
            MONITORENTER | MONITOREXIT => {
                let slot = self.operand(0, 1)?;
                self.load(slot);
                let op = if opcode == MONITORENTER {
                    Op::MonitorEnter
                } else {
                    Op::MonitorExit
                };
                self.emit(insn(op, self.reg(slot), 0, 0));
                self.drop_to(slot);
            }
            MULTIANEWARRAY => match operand {
                Operand::MultiArray {
                    index,
                    dimensions: count @ 1..,
                } => {
                    self.check_class(index)?;
                    let first = self.gather(usize::from(count))?;
                    self.drop_to(first);
                    let dst = self.canonical(first);
                    self.emit(insn(Op::MultiNewArray, dst, u16::from(count), index));
                    self.push(Entry::Reg(dst), 1)?;
                }
                _ => return fail(self.pc, "array without dimensions"),
            },
            _ => return self.bad(),
        }
        Ok(())
    }

    fn bad<T>(&self) -> Fallible<T> {
        fail(self.pc, "bad instruction")
    }

    fn check_local(&self, local: u16, slots: u16) -> Fallible<()> {
        if u32::from(local) + u32::from(slots) > u32::from(self.max_locals) {
            return fail(self.pc, "no such local");
        }
        Ok(())
    }

    fn check_class(&self, index: u16) -> Fallible<()> {
        if !is_class(self.pool, index) {
            return fail(self.pc, "constant is no class");
        }
        Ok(())
    }

    /// Emits an instruction that replaces the top `pops` slots, whose operands
    /// are loaded, by a result of `slots` slots.
    fn define(
        &mut self,
        pops: usize,
        slots: usize,
        emit: impl FnOnce(&mut Self, u16),
    ) -> Fallible<()> {
        let slot = self.depth() - pops;
        let dst = self.canonical(slot);
        // While the operands are still on the stack, so that they move along.
        self.evict(dst, slot);
        emit(self, dst);
        self.drop_to(slot);
        self.push(Entry::Reg(dst), slots)
    }

    fn unary(&mut self, op: Op, from: usize, to: usize) -> Fallible<()> {
        let slot = self.operand(0, from)?;
        self.load(slot);
        self.define(from, to, |e, dst| {
            let operand = e.reg(slot);
            e.emit(insn(op, dst, operand, 0));
        })
    }

    /// a ← b op c, all in registers.
    fn binary(&mut self, op: Op, left: usize, right: usize, slots: usize) -> Fallible<()> {
        self.load(left);
        self.load(right);
        self.define(self.depth() - left, slots, |e, dst| {
            let (b, c) = (e.reg(left), e.reg(right));
            e.emit(insn(op, dst, b, c));
        })
    }

    /// a ← b op constant; the operands are the top of the stack from `bottom`
    /// on.
    fn immediate(
        &mut self,
        op: Op,
        bottom: usize,
        operand: usize,
        constant: i16,
        slots: usize,
    ) -> Fallible<()> {
        self.load(operand);
        self.define(self.depth() - bottom, slots, |e, dst| {
            let b = e.reg(operand);
            e.emit(insn(op, dst, b, constant as u16));
        })
    }

    /// The constant in a slot, if it fits an immediate operand.
    pub(super) fn small(&self, slot: usize) -> Option<i16> {
        match self.entry(slot) {
            Entry::Int(value) => i16::try_from(value).ok(),
            Entry::Long(value) => i16::try_from(value).ok(),
            _ => None,
        }
    }

    /// The negated constant in a slot, if that fits.
    fn small_negated(&self, slot: usize) -> Option<i16> {
        match self.entry(slot) {
            Entry::Int(value) => i16::try_from(value.checked_neg()?).ok(),
            Entry::Long(value) => i16::try_from(value.checked_neg()?).ok(),
            _ => None,
        }
    }

    fn arithmetic(&mut self, opcode: u8) -> Fallible<()> {
        use Op::*;
        const OPS: [[Op; 4]; 5] = [
            [IAdd, LAdd, FAdd, DAdd],
            [ISub, LSub, FSub, DSub],
            [IMul, LMul, FMul, DMul],
            [IDiv, LDiv, FDiv, DDiv],
            [IRem, LRem, FRem, DRem],
        ];
        let n = opcode - IADD;
        let op = OPS[usize::from(n / 4)][usize::from(n % 4)];
        let slots = wide(n);
        let right = self.operand(0, slots)?;
        let left = self.operand(slots, slots)?;
        let with_right = match op {
            IAdd => self.small(right).map(|c| (IAddI, c)),
            ISub => self.small_negated(right).map(|c| (IAddI, c)),
            IMul => self.small(right).map(|c| (IMulI, c)),
            IDiv => self.small(right).filter(|&c| c != 0).map(|c| (IDivI, c)),
            IRem => self.small(right).filter(|&c| c != 0).map(|c| (IRemI, c)),
            LAdd => self.small(right).map(|c| (LAddI, c)),
            LSub => self.small_negated(right).map(|c| (LAddI, c)),
            LMul => self.small(right).map(|c| (LMulI, c)),
            _ => None,
        };
        if let Some((op, constant)) = with_right {
            return self.immediate(op, left, left, constant, slots);
        }
        let with_left = match op {
            IAdd => Some(IAddI),
            IMul => Some(IMulI),
            LAdd => Some(LAddI),
            LMul => Some(LMulI),
            _ => None,
        };
        if let (Some(op), Some(constant)) = (with_left, self.small(left)) {
            return self.immediate(op, left, right, constant, slots);
        }
        self.binary(op, left, right, slots)
    }

    fn logic(&mut self, opcode: u8) -> Fallible<()> {
        use Op::*;
        let (op, with, slots) = match opcode {
            IAND => (IAnd, Some(IAndI), 1),
            LAND => (LAnd, Some(LAndI), 2),
            IOR => (IOr, Some(IOrI), 1),
            LOR => (LOr, None, 2),
            IXOR => (IXor, Some(IXorI), 1),
            _ => (LXor, None, 2),
        };
        let right = self.operand(0, slots)?;
        let left = self.operand(slots, slots)?;
        for (operand, constant) in [(left, right), (right, left)] {
            if let (Some(op), Some(constant)) = (with, self.small(constant)) {
                return self.immediate(op, left, operand, constant, slots);
            }
            if op == IAnd && self.entry(constant) == Entry::Int(0xFFFF) {
                return self.immediate(I2C, left, operand, 0, 1);
            }
        }
        self.binary(op, left, right, slots)
    }

    fn shift(&mut self, opcode: u8) -> Fallible<()> {
        use Op::*;
        let (op, with, slots, mask) = match opcode {
            ISHL => (IShl, IShlI, 1, 31),
            LSHL => (LShl, LShlI, 2, 63),
            ISHR => (IShr, IShrI, 1, 31),
            LSHR => (LShr, LShrI, 2, 63),
            IUSHR => (IUshr, IUshrI, 1, 31),
            _ => (LUshr, LUshrI, 2, 63),
        };
        let count = self.operand(0, 1)?;
        let left = self.operand(1, slots)?;
        if let Entry::Int(value) = self.entry(count) {
            return self.immediate(with, left, left, (value & mask) as i16, slots);
        }
        self.binary(op, left, count, slots)
    }

    fn convert(&mut self, opcode: u8) -> Fallible<()> {
        use Op::*;
        const OPS: [(Op, u8, u8); 15] = [
            (I2L, 1, 2),
            (I2F, 1, 1),
            (I2D, 1, 2),
            (L2I, 2, 1),
            (L2F, 2, 1),
            (L2D, 2, 2),
            (F2I, 1, 1),
            (F2L, 1, 2),
            (F2D, 1, 2),
            (D2I, 2, 1),
            (D2L, 2, 2),
            (D2F, 2, 1),
            (I2B, 1, 1),
            (I2C, 1, 1),
            (I2S, 1, 1),
        ];
        let (op, from, to) = OPS[usize::from(opcode - heddle_classfile::opcode::I2L)];
        let (from, to) = (usize::from(from), usize::from(to));
        let slot = self.operand(0, from)?;
        let folded = match (op, self.entry(slot)) {
            (I2L, Entry::Int(v)) => Some(Entry::Long(i64::from(v))),
            (I2F, Entry::Int(v)) => Some(Entry::Int((v as f32).to_bits() as i32)),
            (I2D, Entry::Int(v)) => Some(Entry::Long(f64::from(v).to_bits() as i64)),
            (I2B, Entry::Int(v)) => Some(Entry::Int(i32::from(v as i8))),
            (I2C, Entry::Int(v)) => Some(Entry::Int(i32::from(v as u16))),
            (I2S, Entry::Int(v)) => Some(Entry::Int(i32::from(v as i16))),
            (L2I, Entry::Long(v)) => Some(Entry::Int(v as i32)),
            (L2D, Entry::Long(v)) => Some(Entry::Long((v as f64).to_bits() as i64)),
            _ => None,
        };
        if let Some(entry) = folded {
            self.drop_to(slot);
            return self.push(entry, to);
        }
        self.unary(op, from, to)?;
        match op {
            I2B => self.note_narrow(b'B'),
            I2C => self.note_narrow(b'C'),
            I2S => self.note_narrow(b'S'),
            _ => {}
        }
        Ok(())
    }

    fn load_local(&mut self, local: u16, slots: usize) -> Fallible<()> {
        self.check_local(local, slots as u16)?;
        self.push(Entry::Reg(local), slots)
    }

    fn store_local(&mut self, local: u16, slots: usize) -> Fallible<()> {
        self.check_local(local, slots as u16)?;
        let slot = self.operand(0, slots)?;
        if let Entry::Reg(reg) = self.entry(slot) {
            if reg == local || self.forward(reg, local, slot) {
                self.drop_to(slot);
                return Ok(());
            }
        }
        self.evict(local, slot);
        self.emit_value(local, self.entry(slot));
        self.drop_to(slot);
        Ok(())
    }

    /// Lets the newest instruction, if it is the one that computed `reg`,
    /// write `local` instead. Other entries that refer to `reg` (after a
    /// `dup`) refer to the local from then on.
    fn forward(&mut self, reg: u16, local: u16, slot: usize) -> bool {
        if reg < self.base || self.last < self.barrier || self.last >= self.here() {
            return false;
        }
        let word = self.out.words[self.last];
        let op = Op::ALL[usize::from(word as u16)];
        if (word >> 16) as u16 != reg || !writes_a_last(op) {
            return false;
        }
        let aliases = |e: &Entry| *e == Entry::Reg(local);
        if self.out.stack[self.clean..slot].iter().any(aliases) {
            return false;
        }
        self.out.words[self.last] = word & !(0xFFFF << 16) | u64::from(local) << 16;
        let own = usize::from(reg - self.base);
        for other in self.clean.min(own)..slot {
            if self.entry(other) == Entry::Reg(reg) {
                self.out.stack[other] = Entry::Reg(local);
                self.clean = self.clean.min(other);
            }
        }
        true
    }

    fn ldc(&mut self, index: u16) -> Fallible<()> {
        let slots = slots_of(loadable(self.pool, index));
        match self.pool.get(index) {
            Constant::Integer(value) => self.push(Entry::Int(value), 1),
            Constant::Float(bits) => self.push(Entry::Int(bits as i32), 1),
            Constant::Long(value) => self.push(Entry::Long(value), 2),
            Constant::Double(bits) => self.push(Entry::Long(bits as i64), 2),
            _ if slots != 0 => self.define(0, slots, |e, dst| {
                e.emit(insn(Op::LdcU, dst, 0, index));
                e.out.words.push(0);
            }),
            _ => fail(self.pc, "constant of the wrong kind"),
        }
    }

    fn array_load(&mut self, opcode: u8) -> Fallible<()> {
        let (op, slots, narrow) = match opcode {
            IALOAD | FALOAD => (Op::ALoadW, 1, b'I'),
            LALOAD | DALOAD => (Op::ALoadL, 2, b'J'),
            AALOAD => (Op::ALoadA, 1, b'L'),
            BALOAD => (Op::ALoadB, 1, b'B'),
            CALOAD => (Op::ALoadC, 1, b'C'),
            _ => (Op::ALoadS, 1, b'S'),
        };
        let index = self.operand(0, 1)?;
        let array = self.operand(1, 1)?;
        self.binary(op, array, index, slots)?;
        self.note_narrow(narrow);
        Ok(())
    }

    fn array_store(&mut self, opcode: u8) -> Fallible<()> {
        let (op, slots) = match opcode {
            IASTORE | FASTORE => (Op::AStoreW, 1),
            LASTORE | DASTORE => (Op::AStoreL, 2),
            AASTORE => (Op::AStoreA, 1),
            BASTORE => (Op::AStoreB, 1),
            _ => (Op::AStoreC, 1),
        };
        let value = self.operand(0, slots)?;
        let index = self.operand(slots, 1)?;
        let array = self.operand(slots + 1, 1)?;
        self.load(array);
        self.load(index);
        self.load(value);
        let (a, b, c) = (self.reg(value), self.reg(array), self.reg(index));
        self.emit(insn(op, a, b, c));
        self.drop_to(array);
        Ok(())
    }

    fn field(&mut self, opcode: u8, index: u16) -> Fallible<()> {
        let ty = self.blocks.at[self.pc].aux as u8;
        let slots = slots_of(ty);
        match opcode {
            GETSTATIC => {
                self.define(0, slots, |e, dst| {
                    e.emit(insn(Op::GetStaticU, dst, 0, index));
                    e.out.words.push(0);
                })?;
                self.note_narrow(ty);
            }
            PUTSTATIC => {
                let value = self.operand(0, slots)?;
                self.load(value);
                self.emit(insn(Op::PutStaticU, self.reg(value), 0, index));
                self.out.words.push(0);
                self.drop_to(value);
            }
            GETFIELD => {
                let object = self.operand(0, 1)?;
                self.load(object);
                self.define(1, slots, |e, dst| {
                    let object = e.reg(object);
                    e.emit(insn(Op::GetFieldU, dst, object, index));
                })?;
                self.note_narrow(ty);
            }
            _ => {
                let value = self.operand(0, slots)?;
                let object = self.operand(slots, 1)?;
                self.load(object);
                self.load(value);
                let (a, b) = (self.reg(value), self.reg(object));
                self.emit(insn(Op::PutFieldU, a, b, index));
                self.drop_to(object);
            }
        }
        Ok(())
    }

    /// Puts the top `count` slots into their canonical registers, one behind
    /// the other; the first of them.
    fn gather(&mut self, count: usize) -> Fallible<usize> {
        let Some(first) = self.depth().checked_sub(count) else {
            return fail(self.pc, "operand stack underflow");
        };
        self.whole_from(first)?;
        for slot in first..self.depth() {
            let before = self.last;
            self.settle(slot);
            self.pair_moves(before);
        }
        Ok(first)
    }

    /// Makes one instruction of the newest two, the older one at `before`, if
    /// both are moves to neighbouring registers.
    fn pair_moves(&mut self, before: usize) {
        if before < self.barrier || before + 1 != self.last || self.last + 1 != self.here() {
            return;
        }
        let (one, two) = (self.out.words[before], self.out.words[self.last]);
        let op = |word: u64| Op::ALL[usize::from(word as u16)];
        let (to, next) = ((one >> 16) as u16, (two >> 16) as u16);
        if op(one) == Op::Move && op(two) == Op::Move && next == to + 1 {
            self.unemit();
            let (b, c) = ((one >> 32) as u16, (two >> 32) as u16);
            self.out.words[before] = insn(Op::Move2, to, b, c);
            self.last = before;
        }
    }

    fn invoke(&mut self, opcode: u8, index: u16) -> Fallible<()> {
        let call = Call::unpack(self.blocks.at[self.pc].aux);
        let first = self.gather(usize::from(call.args))?;
        let dst = self.canonical(first);
        // The callee's frame begins at its arguments.
        self.evict_from(dst, first);
        let (op, ext) = match opcode {
            INVOKEVIRTUAL => (Op::InvokeVirtualU, 2),
            INVOKESPECIAL => (Op::InvokeSpecialU, 2),
            INVOKESTATIC => (Op::InvokeStaticU, 2),
            INVOKEINTERFACE => (Op::InvokeInterfaceU, 3),
            _ => (Op::InvokeDynamicU, 2),
        };
        self.drop_to(first);
        self.emit(insn(op, dst, call.args, index));
        self.out.words.extend([0; 3].iter().take(ext));
        match slots_of(call.result) {
            0 => {}
            slots => self.push(Entry::Reg(dst), slots)?,
        }
        self.note_narrow(call.result);
        Ok(())
    }

    /// The newest instruction has a result of the type `letter`.
    fn note_narrow(&mut self, letter: u8) {
        if let Some(&Entry::Reg(reg)) = self.out.stack.last() {
            self.narrow = (self.here(), reg, letter);
        }
    }

    fn ret(&mut self, opcode: u8) -> Fallible<()> {
        self.live = false;
        let (plain, value) = match self.synchronized {
            false => (Op::Ret, Op::RetV),
            true => (Op::RetSync, Op::RetVSync),
        };
        if opcode == RETURN {
            if self.result != b'V' {
                return fail(self.pc, "return without a value");
            }
            self.emit(insn(plain, 0, self.max_locals, 0));
            return Ok(());
        }
        let slots = wide(opcode - IRETURN);
        if slots_of(self.result) != slots {
            return fail(self.pc, "return of the wrong size");
        }
        let slot = self.operand(0, slots)?;
        if opcode == IRETURN {
            self.narrow_result(slot)?;
        }
        let slot = self.operand(0, slots)?;
        if !matches!(self.entry(slot), Entry::Reg(_)) {
            self.settle(slot);
        }
        self.emit(insn(value, self.reg(slot), self.max_locals, 0));
        Ok(())
    }

    /// Truncates an int to the return type, unless it surely fits.
    fn narrow_result(&mut self, slot: usize) -> Fallible<()> {
        let (op, range) = match self.result {
            b'Z' => (Op::IAndI, 0..=1),
            b'B' => (Op::I2B, -128..=127),
            b'C' => (Op::I2C, 0..=0xFFFF),
            b'S' => (Op::I2S, -0x8000..=0x7FFF),
            _ => return Ok(()),
        };
        let fits = match self.entry(slot) {
            Entry::Int(value) => range.contains(&value),
            Entry::Reg(reg) => {
                let (words, narrow, ty) = self.narrow;
                words == self.here()
                    && narrow == reg
                    && (ty == self.result || (ty == b'B' && self.result == b'S'))
            }
            _ => false,
        };
        if fits {
            return Ok(());
        }
        let mask = if op == Op::IAndI { 1 } else { 0 };
        self.immediate(op, slot, slot, mask, 1)
    }

    fn jsr(&mut self, target: usize) -> Fallible<()> {
        self.flush(self.depth());
        if !self.fits(self.next) {
            return fail(self.pc, "operand stacks differ where control meets");
        }
        let dst = self.canonical(self.depth());
        self.push(Entry::Reg(dst), 1)?;
        if !self.fits(target) {
            return fail(self.pc, "operand stacks differ where control meets");
        }
        self.emit(insn(Op::Jsr, dst, 0, 0));
        self.out.words.push(0);
        self.fixup(self.last, self.last + 1, target, Field::Low32);
        self.live = false;
        Ok(())
    }

    fn switch(&mut self, operand: Operand<'_>) -> Fallible<()> {
        let slot = self.operand(0, 1)?;
        self.flush(slot);
        self.load(slot);
        let reg = self.reg(slot);
        self.drop_to(slot);
        self.live = false;
        match operand {
            Operand::Table(switch) => {
                self.emit(insn(Op::TableSwitch, reg, 0, 0));
                let base = self.last;
                let targets = switch.targets();
                let count = targets.len() as u64;
                self.out
                    .words
                    .push(u64::from(switch.low as u32) | count << 32);
                for (i, target) in std::iter::once(switch.default).chain(targets).enumerate() {
                    let field = if i % 2 == 0 {
                        self.out.words.push(0);
                        Field::Low32
                    } else {
                        Field::High32
                    };
                    self.edge(target as usize)?;
                    self.fixup(base, base + 2 + i / 2, target as usize, field);
                }
            }
            Operand::Lookup(switch) => {
                self.emit(insn(Op::LookupSwitch, reg, 0, 0));
                let base = self.last;
                let pairs = switch.pairs();
                self.out.words.push(pairs.len() as u64);
                self.edge(switch.default as usize)?;
                self.fixup(base, base + 1, switch.default as usize, Field::High32);
                let mut previous = None;
                for (i, (key, target)) in pairs.enumerate() {
                    if previous.is_some_and(|p| p >= key) {
                        return fail(self.pc, "keys of a switch not sorted");
                    }
                    previous = Some(key);
                    self.out.words.push(u64::from(key as u32));
                    self.edge(target as usize)?;
                    self.fixup(base, base + 2 + i, target as usize, Field::High32);
                }
            }
            _ => return self.bad(),
        }
        Ok(())
    }

    /// Checks the stack against what the block at `target` expects.
    pub(super) fn edge(&self, target: usize) -> Fallible<()> {
        if !self.fits(target) {
            return fail(self.pc, "operand stacks differ where control meets");
        }
        Ok(())
    }

    pub(super) fn fixup(&mut self, insn: usize, word: usize, target: usize, field: Field) {
        self.out.fixups.push(Fixup {
            insn: insn as u32,
            word: word as u32,
            target: target as u32,
            field,
        });
    }

    /// Fills in all offsets; fails if one does not fit.
    fn patch(&mut self) -> bool {
        for fixup in &self.out.fixups {
            let at = &self.blocks.at[fixup.target as usize];
            let target = match fixup.insn < at.word {
                true => at.entry_word(),
                false => at.word,
            };
            let offset = target as i32 - fixup.insn as i32;
            let word = &mut self.out.words[fixup.word as usize];
            match fixup.field {
                Field::C => match i16::try_from(offset) {
                    Ok(offset) => *word |= u64::from(offset as u16) << 48,
                    Err(_) => return false,
                },
                Field::Low32 => *word |= u64::from(offset as u32),
                Field::High32 => *word |= u64::from(offset as u32) << 32,
            }
        }
        true
    }

    fn body_handlers(&mut self) -> Fallible<Box<[BodyHandler]>> {
        if self.handlers.is_empty() {
            return Ok(Box::default());
        }
        // Bytes that are no start of a reachable instruction stand for the
        // next one.
        let mut word = self.here() as u32;
        for at in self.blocks.at.iter_mut().rev() {
            match at.mark {
                Mark::Start => word = at.entry_word(),
                _ => at.word = word,
            }
        }
        let place = |bci: u16, end: bool| -> Fallible<u32> {
            match self.blocks.at.get(usize::from(bci)) {
                Some(at) if at.mark == Mark::Inside => {
                    fail(usize::from(bci), "handler range splits an instruction")
                }
                Some(at) => Ok(at.entry_word()),
                None if end && usize::from(bci) == self.code.len() => Ok(self.here() as u32),
                None => fail(usize::from(bci), "handler range exceeds the code"),
            }
        };
        let mut handlers = Vec::with_capacity(self.handlers.len());
        for handler in self.handlers {
            if handler.start >= handler.end {
                return fail(usize::from(handler.start), "empty handler range");
            }
            if handler.catch_type != 0 {
                self.check_class(handler.catch_type)?;
            }
            let (start, end) = (place(handler.start, false)?, place(handler.end, true)?);
            // Empty when nothing in the range is reachable.
            if start < end {
                handlers.push(BodyHandler {
                    start,
                    end,
                    target: place(handler.target, false)?,
                    register: self.base,
                    catch_type: handler.catch_type,
                });
            }
        }
        Ok(handlers.into())
    }

    /// Emits an unconditional jump.
    pub(super) fn jump(&mut self, target: usize) {
        self.emit(insn_imm(Op::Jmp, 0, 0));
        self.fixup(self.last, self.last, target, Field::High32);
    }
}

/// Whether `a` of the instruction is only ever written, and last: then another
/// register can take its place.
fn writes_a_last(op: Op) -> bool {
    use Op::*;
    let n = op as u16;
    (n >= Move as u16 && n <= DCmpG as u16)
        || (n >= ALoadB as u16 && n <= ALoadA as u16)
        || matches!(
            op,
            GetFieldU | GetStaticU | ArrayLen | NewU | NewArray | ANewArrayU | InstanceOfU
        )
}

/// Slots of the n-th type in the order int, long, float, double, reference.
fn wide(n: u8) -> usize {
    if n % 4 == 1 || n % 4 == 3 { 2 } else { 1 }
}

fn local(operand: Operand<'_>) -> u16 {
    match operand {
        Operand::Local(local) => local,
        _ => u16::MAX,
    }
}

/// The constant-pool index of an instruction; 0, which is never usable, for
/// instructions that have none.
fn index(operand: Operand<'_>) -> u16 {
    match operand {
        Operand::Constant(index)
        | Operand::Interface { index, .. }
        | Operand::Dynamic { index, .. } => index,
        _ => 0,
    }
}
