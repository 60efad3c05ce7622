//! The abstract operand stack of the second pass.
//!
//! An entry says where the value of a stack slot is at this moment: in a
//! register (the slot's own *canonical* one, a local, or the canonical one of
//! another slot after a `dup` or `swap`) or nowhere yet, because it is a
//! constant. Loads, constants and the `dup` family only move entries about.
//!
//! The one rule: before a register is written, every entry that still refers
//! to it is *settled*, that is, copied to its own canonical register. That may
//! in turn overwrite a register others refer to, so settling is a parallel
//! move; a cycle (`swap`) goes through the spare register behind the stack.
//!
//! Entries below `clean` are known to be settled and are never searched, which
//! keeps deep stacks cheap.

use super::blocks::Slot;
use super::emit::Emitter;
use super::{Fallible, fail};
use crate::isa::{Op, insn, insn_imm};

/// Where the value of a stack slot is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    Reg(u16),
    /// An int, the bits of a float, or null.
    Int(i32),
    /// A long or the bits of a double.
    Long(i64),
    /// The second half of the entry below.
    Half,
}

/// More unsettled entries than any compiler leaves; beyond that they are
/// settled, which bounds the recursion and the searches.
const MAX_UNSETTLED: usize = 64;

impl Emitter<'_> {
    pub(super) fn depth(&self) -> usize {
        self.out.stack.len()
    }

    /// The canonical register of a slot.
    pub(super) fn canonical(&self, slot: usize) -> u16 {
        self.base + slot as u16
    }

    pub(super) fn entry(&self, slot: usize) -> Entry {
        self.out.stack[slot]
    }

    /// The slot of an operand that takes `slots` slots and has `above` slots
    /// above it.
    pub(super) fn operand(&self, above: usize, slots: usize) -> Fallible<usize> {
        let Some(slot) = self.depth().checked_sub(above + slots) else {
            return fail(self.pc, "operand stack underflow");
        };
        let halves = self.entry(slot) != Entry::Half
            && (slots == 1 || self.entry(slot + 1) == Entry::Half)
            && self.out.stack.get(slot + slots) != Some(&Entry::Half);
        if !halves {
            return fail(self.pc, "operand of the wrong size");
        }
        Ok(slot)
    }

    /// Sees to it that the value of a slot is in some register; constants are
    /// loaded into the canonical one, or before the loop. May settle other entries: ask for all operands with
    /// this before asking for their registers.
    pub(super) fn load(&mut self, slot: usize) {
        let entry = self.entry(slot);
        if !matches!(entry, Entry::Reg(_)) {
            match self.hoisted(entry) {
                Some(reg) => self.out.stack[slot] = Entry::Reg(reg),
                None => self.settle(slot),
            }
        }
    }

    /// The register of an operand that was loaded.
    pub(super) fn reg(&self, slot: usize) -> u16 {
        match self.entry(slot) {
            Entry::Reg(reg) => reg,
            other => panic!("heddle internal error: operand {other:?} was not loaded"),
        }
    }

    pub(super) fn push(&mut self, entry: Entry, slots: usize) -> Fallible<()> {
        if self.depth() + slots > self.max_stack {
            return fail(self.pc, "operand stack overflow");
        }
        self.out.stack.push(entry);
        if slots == 2 {
            self.out.stack.push(Entry::Half);
        }
        Ok(())
    }

    /// Drops all entries from `slot` on.
    pub(super) fn drop_to(&mut self, slot: usize) {
        self.out.stack.truncate(slot);
        self.clean = self.clean.min(slot);
    }

    /// Copies the top `count` slots below `under` further ones.
    pub(super) fn dup(&mut self, count: usize, under: usize) -> Fallible<()> {
        let depth = self.depth();
        let Some(from) = depth.checked_sub(count + under) else {
            return fail(self.pc, "operand stack underflow");
        };
        if depth + count > self.max_stack {
            return fail(self.pc, "operand stack overflow");
        }
        self.whole_from(from)?;
        self.whole_from(depth - count)?;
        self.out.stack.extend_from_within(depth - count..);
        self.out.stack[from..depth].rotate_right(count);
        self.clean = self.clean.min(from);
        Ok(())
    }

    pub(super) fn swap(&mut self) -> Fallible<()> {
        let upper = self.operand(0, 1)?;
        let lower = self.operand(1, 1)?;
        self.out.stack.swap(upper, lower);
        self.clean = self.clean.min(lower);
        Ok(())
    }

    /// Checks that no value straddles the lower border of `slot`.
    pub(super) fn whole_from(&self, slot: usize) -> Fallible<()> {
        if self.out.stack.get(slot) == Some(&Entry::Half) {
            return fail(self.pc, "long or double split in two");
        }
        Ok(())
    }

    /// Settles the entries below `limit` that refer to `reg`, which is about
    /// to be written.
    pub(super) fn evict(&mut self, reg: u16, limit: usize) {
        for slot in self.clean..limit {
            if self.entry(slot) == Entry::Reg(reg) && self.canonical(slot) != reg {
                self.settle(slot);
            }
        }
    }

    /// Settles the entries below `limit` that refer to registers from `first`
    /// on, which a call is about to overwrite.
    pub(super) fn evict_from(&mut self, first: u16, limit: usize) {
        for slot in self.clean..limit {
            if matches!(self.entry(slot), Entry::Reg(reg) if reg >= first) {
                self.settle(slot);
            }
        }
    }

    /// Settles all entries below `limit`.
    pub(super) fn flush(&mut self, limit: usize) {
        for slot in self.clean..limit {
            self.settle(slot);
        }
        self.clean = self.clean.max(limit);
    }

    pub(super) fn bound_unsettled(&mut self) {
        if self.depth() - self.clean > MAX_UNSETTLED {
            self.flush(self.depth());
        }
    }

    /// Puts the value of a slot into its canonical register.
    pub(super) fn settle(&mut self, slot: usize) {
        let entry = self.entry(slot);
        if entry != Entry::Half && entry != Entry::Reg(self.canonical(slot)) {
            self.settle_within(slot, slot);
        }
    }

    /// `root` is where the present chain of settling began. Every other entry
    /// on the chain refers to the register of the one before it, so only the
    /// root can close a cycle.
    fn settle_within(&mut self, slot: usize, root: usize) {
        let reg = self.canonical(slot);
        for other in self.clean..self.depth() {
            if other == slot || self.entry(other) != Entry::Reg(reg) {
                continue;
            }
            if other == root {
                let spare = self.canonical(self.max_stack);
                self.emit(insn(Op::Move, spare, reg, 0));
                self.out.stack[root] = Entry::Reg(spare);
            } else {
                self.settle_within(other, root);
            }
        }
        self.emit_value(reg, self.entry(slot));
        self.out.stack[slot] = Entry::Reg(reg);
    }

    /// reg ← the value of an entry
    pub(super) fn emit_value(&mut self, reg: u16, entry: Entry) {
        match entry {
            Entry::Reg(from) => self.emit(insn(Op::Move, reg, from, 0)),
            Entry::Int(value) => self.emit(insn_imm(Op::ConstI, reg, value as u32)),
            Entry::Long(value) => {
                self.emit(insn(Op::ConstL, reg, 0, 0));
                self.out.words.push(value as u64);
            }
            Entry::Half => panic!("heddle internal error: half a value"),
        }
    }

    /// Begins a block: every entry in its canonical register.
    pub(super) fn enter_shape(&mut self, shape: u32) {
        self.out.stack.clear();
        for (slot, kind) in self.blocks.shape(shape).iter().enumerate() {
            self.out.stack.push(match kind {
                Slot::Value => Entry::Reg(self.base + slot as u16),
                Slot::Half => Entry::Half,
            });
        }
        self.clean = self.depth();
    }

    /// Whether the stack has the shape that the block at `pc` expects.
    pub(super) fn fits(&self, pc: usize) -> bool {
        let shape = self.blocks.shape(self.blocks.at[pc].shape);
        shape.len() == self.depth()
            && shape
                .iter()
                .zip(&self.out.stack)
                .all(|(&kind, &entry)| (kind == Slot::Half) == (entry == Entry::Half))
    }
}
