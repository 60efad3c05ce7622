//! The second pass: bytecode by bytecode, register instructions.
//!
//! Order is everything here. An instruction that can throw or has an effect is
//! emitted when its bytecode is met, so effects keep their order; only loads of
//! locals and constants are put off until somebody needs them. A store right
//! behind the instruction that computed the value makes that instruction write
//! the local itself (`forward`): the interpreter writes a destination last,
//! after everything that can throw. How bytecodes are counted: `count`.

use heddle_classfile::code::{Operand, decode, implicit_local};
use heddle_classfile::opcode::*;
use heddle_classfile::{ClassFile, Code, ConstantPool, Handler};
use std::cell::{Cell, OnceCell};

use super::blocks::{Blocks, Mark, is_class};
use super::count::Position;
use super::hoist::Hoist;
use super::stack::Entry;
use super::{Fallible, fail};
use crate::isa::{Body, BodyHandler, FRAME_HEADER, Op, Origin, insn, insn_imm};

/// Buffers of the second pass.
#[derive(Default)]
pub(super) struct Output {
    pub words: Vec<u64>,
    /// Word, bytecode index, and the position before the word.
    pub origins: Vec<(u32, u16, Position)>,
    /// Counts at which stretches end.
    pub ends: Vec<u32>,
    /// Bytecodes whose jumps have tolls that do not fit into an instruction; found by
    /// an earlier attempt.
    pub far: Vec<u16>,
    /// In the order of `insn`.
    pub fixups: Vec<Fixup>,
    pub stack: Vec<Entry>,
}

/// A jump, or the way back from a call: what is to be filled in when all words have
/// their place.
#[derive(Clone, Copy)]
pub(super) struct Fixup {
    /// The jump: offsets count from here.
    pub insn: u32,
    /// The word that holds the offset.
    pub word: u32,
    pub target: Target,
    pub place: Place,
    /// Bytecode index of the jump.
    pub by: u16,
    /// The position behind the jump.
    pub from: Position,
    /// Bytecodes `goto` between here and the target that are skipped.
    pub followed: u32,
    pub toll: Toll,
}

/// Where a jump leads to.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// A bytecode.
    Bytecode(u32),
    /// A place behind some other instruction, whose offset is filled in already.
    Behind(Position),
}

/// Where the toll of a jump goes.
#[derive(Clone, Copy)]
pub(super) struct Toll {
    pub word: u32,
    pub part: Part,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Beside the operation: 8 bits.
    Byte,
    /// The field `a`.
    A,
    Low,
    High,
    Whole,
}

impl Part {
    pub(super) fn of(self, word: usize) -> Toll {
        Toll {
            word: word as u32,
            part: self,
        }
    }

    /// The bits of a toll in their place, if they fit.
    fn place(self, toll: i64) -> Option<u64> {
        Some(match self {
            Part::Byte => u64::from(i8::try_from(toll).ok()? as u8) << 8,
            Part::A => u64::from(i16::try_from(toll).ok()? as u16) << 16,
            Part::Low => u64::from(toll as u32),
            Part::High => (toll as u64) << 32,
            Part::Whole => toll as u64,
        })
    }
}

/// Where in a word an offset goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The `c` of a conditional jump.
    C,
    Low32,
    High32,
    /// It is there already.
    Filled,
}

pub(super) struct Emitter<'a> {
    pub blocks: &'a mut Blocks,
    pub out: &'a mut Output,
    pub code: &'a [u8],
    pub handlers: &'a [Handler],
    pub pool: &'a ConstantPool,
    pub max_stack: usize,
    pub max_locals: u16,
    /// The register of stack slot 0.
    pub base: u16,
    /// The register of local 0.
    pub first: u16,
    /// Every jump is a long one: conditional ones span an unconditional one.
    pub long: bool,
    /// First letter of the return type.
    pub result: u8,
    pub synchronized: bool,
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
    /// Behind the bytecode being translated.
    pub position: Position,
    /// Behind the newest instruction.
    pub settled: Position,
    /// The type of what the newest instruction put into a register, for types
    /// narrower than int: (words then, register, letter).
    pub narrow: (usize, u16, u8),
    pub hoist: Option<Hoist>,
    /// Index of the loop to come.
    pub next_loop: usize,
    /// Registers behind the stack that hold constants of loops.
    pub hoisted_registers: usize,
}

/// What a method does when it is left.
#[derive(Clone, Copy, Debug)]
pub struct Leaves {
    /// The letter of what it returns.
    pub result: u8,
    pub synchronized: bool,
    /// The receiver whose monitor it gives back is kept in a register of its own.
    pub keeps_receiver: bool,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(
        blocks: &'a mut Blocks,
        out: &'a mut Output,
        class: &'a ClassFile,
        code: &'a Code,
        long: bool,
        leaves: Leaves,
    ) -> Emitter<'a> {
        let keeps_receiver = leaves.keeps_receiver;
        let behind_header = code.max_locals + FRAME_HEADER as u16;
        out.words.clear();
        out.origins.clear();
        out.ends.clear();
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
            base: behind_header + u16::from(keeps_receiver),
            first: if keeps_receiver { behind_header } else { 0 },
            long,
            result: leaves.result,
            synchronized: leaves.synchronized,
            pc: 0,
            next: 0,
            clean: 0,
            last: 0,
            barrier: 0,
            live: true,
            position: Position::default(),
            settled: Position::default(),
            narrow: (0, 0, 0),
            hoist: None,
            next_loop: 0,
            hoisted_registers: 0,
        }
    }

    /// Translates the whole method; `None` if an offset does not fit.
    pub(super) fn run(mut self) -> Fallible<Option<Body>> {
        let mut pc = 0;
        if self.first != 0 {
            self.emit(insn(Op::Move, self.first, 0, 0));
            self.barrier = self.here();
        }
        while pc < self.code.len() {
            if self.blocks.at[pc].mark != Mark::Start {
                pc += 1;
                continue;
            }
            self.bound_stretch();
            if self.blocks.is_leader(pc) {
                self.enter(pc)?;
                self.open_loop(pc);
            }
            self.pc = pc;
            let Ok(insn) = decode(self.code, pc) else {
                return fail(pc, "bad instruction");
            };
            self.next = pc + insn.length as usize;
            self.begin(pc);
            self.live = true;
            self.bound_unsettled();
            if self.blocks.watched.has(pc) {
                // All before it is done, even where no instruction says so.
                self.settled = self.blocks.at[pc].position;
                self.emit(insn_imm(Op::Arrive, 0, pc as u32));
            }
            self.bytecode(insn.opcode, insn.operand)?;
            if !self.live || (INVOKEVIRTUAL..=INVOKEDYNAMIC).contains(&insn.opcode) {
                self.end_stretch();
            }
            self.close_hoist();
            pc = self.next;
        }
        if !self.patch() {
            return Ok(None);
        }
        let handlers = self.body_handlers()?;
        let origins = self
            .out
            .origins
            .iter()
            .map(|&(word, bci, position)| Origin {
                word,
                bci,
                ahead: self.ahead(position) as u16,
            });
        Ok(Some(Body {
            words: self.out.words.as_slice().into(),
            origins: origins.collect(),
            handlers,
            watched: self.blocks.watched.clone(),
            frame_words: self.canonical(self.max_stack) as u32 + 1 + self.hoisted_registers as u32,
            behind: OnceCell::new(),
            asked: Cell::new(0),
        }))
    }

    /// Begins the bytecode at `pc`: its instructions come here.
    pub(super) fn begin(&mut self, pc: usize) {
        let at = &mut self.blocks.at[pc];
        at.word = self.out.words.len() as u32;
        at.before = 0;
        at.position = self.position;
        self.position.count += 1;
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
        self.settled = self.position;
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
        let newest = self.out.origins.last();
        if newest.is_none_or(|o| o.1 != bci || o.2.stretch != self.settled.stretch) {
            let origin = (self.last as u32, bci, self.settled);
            self.out.origins.push(origin);
        }
        self.settled = self.position;
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
                    let local = self.local(local, 1)?;
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
                Operand::Branch(target) if self.blocks.goes_to_return(self.code, target) => {
                    self.pc = target as usize;
                    self.position.count += 1;
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
                let local = self.local(local(operand), 1)?;
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

    /// The register of a local variable.
    pub(super) fn local(&self, local: u16, slots: u16) -> Fallible<u16> {
        if u32::from(local) + u32::from(slots) > u32::from(self.max_locals) {
            return fail(self.pc, "no such local");
        }
        Ok(if local == 0 { self.first } else { local })
    }

    pub(super) fn check_class(&self, index: u16) -> Fallible<()> {
        if !is_class(self.pool, index) {
            return fail(self.pc, "constant is no class");
        }
        Ok(())
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
        let toll = Part::High.of(self.last + 1);
        self.fixup(self.last, self.last + 1, target, Place::Low32, toll);
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
                    self.out.words.push(0);
                    self.edge(target as usize)?;
                    let (word, target) = (base + 2 + i, target as usize);
                    self.fixup(base, word, target, Place::Low32, Part::High.of(word));
                }
            }
            Operand::Lookup(switch) => {
                self.emit(insn(Op::LookupSwitch, reg, 0, 0));
                let base = self.last;
                let pairs = switch.pairs();
                let count = pairs.len();
                self.out.words.push(count as u64);
                // Tolls come two to a word behind the pairs.
                let toll = |i: usize| {
                    let part = if i.is_multiple_of(2) {
                        Part::Low
                    } else {
                        Part::High
                    };
                    part.of(base + 2 + count + i / 2)
                };
                let default = switch.default as usize;
                self.edge(default)?;
                self.fixup(base, base + 1, default, Place::High32, toll(0));
                let mut previous = None;
                for (i, (key, target)) in pairs.enumerate() {
                    if previous.is_some_and(|p| p >= key) {
                        return fail(self.pc, "keys of a switch not sorted");
                    }
                    previous = Some(key);
                    self.out.words.push(u64::from(key as u32));
                    let (word, target) = (base + 2 + i, target as usize);
                    self.edge(target)?;
                    self.fixup(base, word, target, Place::High32, toll(i + 1));
                }
                self.out.words.resize(base + 2 + count + (count + 2) / 2, 0);
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

    pub(super) fn fixup(
        &mut self,
        insn: usize,
        word: usize,
        target: usize,
        place: Place,
        toll: Toll,
    ) {
        self.out.fixups.push(Fixup {
            insn: insn as u32,
            word: word as u32,
            target: Target::Bytecode(target as u32),
            place,
            by: self.pc as u16,
            from: self.position,
            followed: 0,
            toll,
        });
    }

    /// Fills in all offsets and tolls; fails if one does not fit.
    fn patch(&mut self) -> bool {
        let far = self.out.far.len();
        for n in 0..self.out.fixups.len() {
            let fixup = self.out.fixups[n];
            match fixup.toll.part.place(self.toll(&fixup)) {
                Some(bits) => self.out.words[fixup.toll.word as usize] |= bits,
                None => self.out.far.push(fixup.by),
            }
            let Target::Bytecode(target) = fixup.target else {
                continue;
            };
            let at = &self.blocks.at[target as usize];
            // Jumps forward come from outside of the loop that may begin here.
            let target = if fixup.insn < at.word {
                at.entry_word()
            } else {
                at.word
            };
            let offset = target as i32 - fixup.insn as i32;
            let word = &mut self.out.words[fixup.word as usize];
            match fixup.place {
                Place::C => match i16::try_from(offset) {
                    Ok(offset) => *word |= u64::from(offset as u16) << 48,
                    Err(_) => self.out.far.push(fixup.by),
                },
                Place::Low32 => *word |= u64::from(offset as u32),
                Place::High32 => *word |= u64::from(offset as u32) << 32,
                Place::Filled => {}
            }
        }
        self.out.far.len() == far
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

    /// Whether the jumps of the present bytecode are to be long ones.
    pub(super) fn is_far(&self) -> bool {
        self.long || self.out.far.contains(&(self.pc as u16))
    }

    /// Emits an unconditional jump past `followed` others.
    pub(super) fn jump(&mut self, target: usize, followed: u32) {
        if self.is_far() {
            self.emit(insn_imm(Op::JmpFar, 0, 0));
            self.out.words.push(0);
            let toll = Part::Whole.of(self.last + 1);
            self.finish_jump(target, Place::High32, followed, toll);
        } else {
            self.emit(insn_imm(Op::Jmp, 0, 0));
            let toll = Part::A.of(self.last);
            self.finish_jump(target, Place::High32, followed, toll);
        }
    }

    /// The newest instruction is a jump past `followed` others.
    pub(super) fn finish_jump(&mut self, target: usize, place: Place, followed: u32, toll: Toll) {
        self.fixup(self.last, self.last, target, place, toll);
        if let Some(fixup) = self.out.fixups.last_mut() {
            fixup.followed = followed;
        }
    }
}

/// Slots of the n-th type in the order int, long, float, double, reference.
pub(super) fn wide(n: u8) -> usize {
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
