//! The second pass: what moves values: locals, constants, arrays, fields, calls
//! and returns.

use heddle_classfile::Constant;
use heddle_classfile::opcode::*;

use super::blocks::{Call, loadable, slots_of};
use super::emit::{Emitter, Part, wide};
use super::stack::Entry;
use super::{Fallible, fail};
use crate::disasm::op_of;
use crate::isa::{Op, insn};

impl Emitter<'_> {
    pub(super) fn load_local(&mut self, local: u16, slots: usize) -> Fallible<()> {
        let local = self.local(local, slots as u16)?;
        self.push(Entry::Reg(local), slots)
    }

    pub(super) fn store_local(&mut self, local: u16, slots: usize) -> Fallible<()> {
        let local = self.local(local, slots as u16)?;
        let slot = self.operand(0, slots)?;
        if let Entry::Reg(reg) = self.entry(slot)
            && (reg == local || self.forward(reg, local, slot))
        {
            self.drop_to(slot);
            return Ok(());
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
        let op = op_of(word);
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

    pub(super) fn ldc(&mut self, index: u16) -> Fallible<()> {
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

    pub(super) fn array_load(&mut self, opcode: u8) -> Fallible<()> {
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

    pub(super) fn array_store(&mut self, opcode: u8) -> Fallible<()> {
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

    pub(super) fn field(&mut self, opcode: u8, index: u16) -> Fallible<()> {
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
    pub(super) fn gather(&mut self, count: usize) -> Fallible<usize> {
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
        let (to, next) = ((one >> 16) as u16, (two >> 16) as u16);
        if op_of(one) == Op::Move && op_of(two) == Op::Move && next == to + 1 {
            self.unemit();
            let (b, c) = ((one >> 32) as u16, (two >> 32) as u16);
            self.out.words[before] = insn(Op::Move2, to, b, c);
            self.last = before;
        }
    }

    pub(super) fn invoke(&mut self, opcode: u8, index: u16) -> Fallible<()> {
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
        self.filled(self.behind_call(), Part::High.of(self.last + ext));
        match slots_of(call.result) {
            0 => {}
            slots => self.push(Entry::Reg(dst), slots)?,
        }
        self.note_narrow(call.result);
        Ok(())
    }

    /// The newest instruction has a result of the type `letter`.
    pub(super) fn note_narrow(&mut self, letter: u8) {
        if let Some(&Entry::Reg(reg)) = self.out.stack.last() {
            self.narrow = (self.here(), reg, letter);
        }
    }

    pub(super) fn ret(&mut self, opcode: u8) -> Fallible<()> {
        self.live = false;
        let (plain, value) = match self.synchronized {
            false => (Op::Ret, Op::RetV),
            true => (Op::RetSync, Op::RetVSync),
        };
        let told = u16::from(self.synchronized && self.blocks.watched.has(self.pc));
        if opcode == RETURN {
            if self.result != b'V' {
                return fail(self.pc, "return without a value");
            }
            self.emit(insn(plain, 0, self.max_locals, told));
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
        self.emit(insn(value, self.reg(slot), self.max_locals, told));
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
