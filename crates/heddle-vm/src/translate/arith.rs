//! The second pass: arithmetic and conversions.
//!
//! Constants that fit 16 bits become part of the instruction.

use heddle_classfile::opcode::*;

use super::Fallible;
use super::emit::{Emitter, wide};
use super::stack::Entry;
use crate::isa::{Op, insn};

impl Emitter<'_> {
    /// Emits an instruction that replaces the top `pops` slots, whose operands
    /// are loaded, by a result of `slots` slots.
    pub(super) fn define(
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

    pub(super) fn unary(&mut self, op: Op, from: usize, to: usize) -> Fallible<()> {
        let slot = self.operand(0, from)?;
        self.load(slot);
        self.define(from, to, |e, dst| {
            let operand = e.reg(slot);
            e.emit(insn(op, dst, operand, 0));
        })
    }

    /// a ← b op c, all in registers.
    pub(super) fn binary(
        &mut self,
        op: Op,
        left: usize,
        right: usize,
        slots: usize,
    ) -> Fallible<()> {
        self.load(left);
        self.load(right);
        self.define(self.depth() - left, slots, |e, dst| {
            let (b, c) = (e.reg(left), e.reg(right));
            e.emit(insn(op, dst, b, c));
        })
    }

    /// a ← b op constant; the operands are the top of the stack from `bottom`
    /// on.
    pub(super) fn immediate(
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

    pub(super) fn arithmetic(&mut self, opcode: u8) -> Fallible<()> {
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

    pub(super) fn logic(&mut self, opcode: u8) -> Fallible<()> {
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

    pub(super) fn shift(&mut self, opcode: u8) -> Fallible<()> {
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

    pub(super) fn convert(&mut self, opcode: u8) -> Fallible<()> {
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
}
