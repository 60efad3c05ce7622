//! Jumps: compare and branch in one instruction, and loops that cost one jump
//! per round.
//!
//! Compilers put the test of a loop at its head, `H: if (!c) goto exit; …;
//! goto H`. Where the code at `H` up to the branch is short and cheap, the
//! `goto` becomes a copy of it with the condition turned around that jumps
//! behind the original. When the round ends with `i++`, the increment is fused
//! with that branch, too.
//!
//! Every cycle in the result contains a jump with a negative offset; that is
//! where the interpreter polls.

use heddle_classfile::opcode::*;

use super::emit::{Emitter, Place};
use super::stack::Entry;
use super::{Fallible, blocks::Mark};
use crate::disasm::{Field, fields};
use crate::isa::{Op, ext_words, insn};

/// Instructions before the branch that are copied to the end of a loop.
const MAX_COPIED: usize = 3;

/// Length of chains of `goto` that are followed (there are circular ones).
const MAX_FOLLOWED: usize = 4;

/// Methods with more handlers than this keep their loops as they are: every
/// copy would have to be compared with all ranges.
const MAX_HANDLERS: usize = 32;

/// `local++` or `local--` at the end of the code so far.
struct Increment {
    local: u16,
    up: bool,
    bci: u16,
}

impl Emitter<'_> {
    /// `if` and its kin, with one or two operands.
    pub(super) fn branch(&mut self, opcode: u8, target: usize) -> Fallible<()> {
        let right = self.operand(0, 1)?;
        let (cond, left) = match opcode {
            IFEQ..=IFLE => (opcode - IFEQ, None),
            IFNULL | IFNONNULL => (opcode - IFNULL, None),
            IF_ICMPEQ..=IF_ICMPLE => (opcode - IF_ICMPEQ, Some(self.operand(1, 1)?)),
            _ => (opcode - IF_ACMPEQ, Some(self.operand(1, 1)?)),
        };
        let cond = usize::from(cond);
        let (op, a, b);
        match left {
            None => {
                self.flush(right);
                self.load(right);
                (op, a, b) = (INT_CONST[cond], self.reg(right), 0);
                self.drop_to(right);
            }
            Some(left) => {
                self.flush(left);
                if let Some(constant) = self.small(right) {
                    self.load(left);
                    (op, a, b) = (INT_CONST[cond], self.reg(left), constant as u16);
                } else if let Some(constant) = self.small(left) {
                    self.load(right);
                    let swapped = [0, 1, 4, 5, 2, 3][cond];
                    (op, a, b) = (INT_CONST[swapped], self.reg(right), constant as u16);
                } else {
                    self.load(left);
                    self.load(right);
                    (op, a, b) = (INT[cond], self.reg(left), self.reg(right));
                }
                self.drop_to(left);
            }
        }
        self.jump_if(op, a, b, target)
    }

    /// `lcmp` and its kin, with the branch behind it if that takes the result.
    pub(super) fn compare(&mut self, opcode: u8) -> Fallible<()> {
        let slots = if matches!(opcode, FCMPL | FCMPG) {
            1
        } else {
            2
        };
        let right = self.operand(0, slots)?;
        let left = self.operand(slots, slots)?;
        let follower = self.code.get(self.next).copied().unwrap_or(NOP);
        let fusible = (IFEQ..=IFLE).contains(&follower)
            && !self.blocks.is_leader(self.next)
            && !self.blocks.watched.has(self.next);
        if !fusible {
            self.load(left);
            self.load(right);
            let dst = self.canonical(left);
            self.evict(dst, left);
            let op =
                [Op::LCmp, Op::FCmpL, Op::FCmpG, Op::DCmpL, Op::DCmpG][usize::from(opcode - LCMP)];
            self.emit(insn(op, dst, self.reg(left), self.reg(right)));
            self.drop_to(left);
            return self.push(Entry::Reg(dst), 1);
        }
        let cond = usize::from(follower - IFEQ);
        let op = match opcode {
            LCMP => LONG[cond],
            FCMPL => FLOAT_L[cond],
            FCMPG => FLOAT_G[cond],
            DCMPL => DOUBLE_L[cond],
            _ => DOUBLE_G[cond],
        };
        // The branch is decoded here; its offset was checked by the first pass.
        debug_assert!(self.blocks.at[self.next].mark == Mark::Start);
        let branch = self.next;
        let offset = i16::from_be_bytes([self.code[branch + 1], self.code[branch + 2]]);
        let target = (branch as i32 + i32::from(offset)) as usize;
        self.flush(left);
        self.load(left);
        self.load(right);
        let (a, b) = (self.reg(left), self.reg(right));
        self.drop_to(left);
        self.pc = branch;
        self.next = branch + 3;
        self.blocks.at[branch].word = self.here() as u32;
        self.jump_if(op, a, b, target)
    }

    /// Where control ends up that jumps to `target`: a `goto` there is followed.
    fn follow(&self, mut target: usize) -> usize {
        for _ in 0..MAX_FOLLOWED {
            if self.code[target] != GOTO || self.blocks.watched.has(target) {
                break;
            }
            let offset = i16::from_be_bytes([self.code[target + 1], self.code[target + 2]]);
            let next = target as i32 + i32::from(offset);
            // The first pass gave every other target a shape. And nobody
            // enters a loop past the constants in front of it.
            if self.blocks.goes_to_return(self.code, next) || self.blocks.is_loop_head(target) {
                break;
            }
            target = next as usize;
        }
        target
    }

    /// The target of the `goto` between here and `target`, if that is all there
    /// is and nobody jumps to it.
    fn skips_goto(&self, target: usize) -> Option<usize> {
        if target != self.next + 3
            || self.code[self.next] != GOTO
            || self.blocks.is_leader(self.next)
            || self.blocks.watched.has(self.next)
        {
            return None;
        }
        let offset = i16::from_be_bytes([self.code[self.next + 1], self.code[self.next + 2]]);
        let over = self.next as i32 + i32::from(offset);
        (!self.blocks.goes_to_return(self.code, over)).then_some(over as usize)
    }

    /// Emits a conditional jump; the stack is settled.
    fn jump_if(&mut self, op: Op, a: u16, b: u16, target: usize) -> Fallible<()> {
        self.edge(target)?;
        if let Some(over) = self.skips_goto(target) {
            // if (c) goto next; goto over; next: …
            self.edge(over)?;
            self.blocks.at[self.next].word = self.here() as u32;
            self.blocks.at[self.next].before = 0;
            self.next = target;
            return self.jump_if(inverted(op), a, b, over);
        }
        let target = self.follow(target);
        if self.long {
            self.emit(insn(inverted(op), a, b, 2));
            self.jump(target);
            return Ok(());
        }
        if target <= self.pc {
            let to = self.blocks.at[target].word as usize;
            if let Some(increment) = self.trailing_increment()
                && let Some((op, a, b)) = with_increment(op, a, b, &increment)
                && let Some(offset) = offset16(self.last, to)
                && self.is_fixed(to)
            {
                self.out.words[self.last] = insn(op, a, b, offset);
                return Ok(());
            }
        }
        self.emit(insn(op, a, b, 0));
        self.fixup(self.last, self.last, target, Place::C);
        Ok(())
    }

    pub(super) fn goto(&mut self, target: usize) -> Fallible<()> {
        self.flush(self.depth());
        self.edge(target)?;
        if target == self.next {
            return Ok(());
        }
        self.live = false;
        let target = self.follow(target);
        if target <= self.pc && !self.long && self.depth() == 0 && self.close_loop(target) {
            return Ok(());
        }
        self.jump(target);
        Ok(())
    }

    /// Ends a loop whose head is at `target` in a better way than by a jump
    /// to the head, if there is one.
    fn close_loop(&mut self, target: usize) -> bool {
        let head = self.blocks.at[target].word as usize;
        if !self.is_fixed(head) {
            return false;
        }
        if let Some((branch, exit)) = self.find_test(head) {
            let word = self.out.words[branch];
            let op = inverted(op_of(word));
            let (a, b) = ((word >> 16) as u16, (word >> 32) as u16);
            let fused = self.trailing_increment().and_then(|increment| {
                let fused = with_increment(op, a, b, &increment)?;
                // The copied code then runs before the increment.
                let independent = branch == head
                    || (!self.covered(usize::from(increment.bci))
                        && !self.covered(self.pc)
                        && !self.mentions(head, branch, increment.local));
                independent.then_some(fused)
            });
            let start = self.here() - usize::from(fused.is_some());
            let place = start + (branch - head);
            if let Some(offset) = offset16(place, branch + 1) {
                let increment = self.pc;
                if fused.is_some() {
                    self.unemit();
                }
                self.copy(head, branch);
                self.pc = usize::from(self.bci_of(branch));
                let (op, a, b) = fused.unwrap_or((op, a, b));
                self.emit(insn(op, a, b, offset));
                self.pc = increment;
                // Not taken: the loop is left.
                if exit == self.next {
                    self.live = true;
                } else {
                    self.jump(exit);
                }
                return true;
            }
        }
        self.increment_and_jump(head)
    }

    /// The first branch at or soon behind `head` and the bytecode it exits
    /// to, if all up to it may be copied to here.
    fn find_test(&self, head: usize) -> Option<(usize, usize)> {
        if self.handlers.len() > MAX_HANDLERS {
            return None;
        }
        let mut word = head;
        for _ in 0..=MAX_COPIED {
            let first = *self.out.words.get(word)?;
            let op = op_of(first);
            if is_conditional(op) {
                let fixups = &self.out.fixups;
                let at = fixups
                    .binary_search_by_key(&(word as u32), |f| f.insn)
                    .ok()?;
                let exit = fixups[at].target as usize;
                // Both ways from here the stack is as empty as at the head.
                let empty = self.blocks.at[exit].shape == 0;
                return (exit > self.pc && empty).then_some((word, exit));
            }
            if !is_cheap(op) || !self.same_handlers(usize::from(self.bci_of(word)), self.pc) {
                return None;
            }
            let ext = self.out.words.get(word + 1).copied().unwrap_or(0);
            word += 1 + ext_words(op, ext);
        }
        None
    }

    /// Copies the instructions from `head` up to `end`.
    fn copy(&mut self, head: usize, end: usize) {
        let pc = self.pc;
        let mut word = head;
        while word < end {
            self.pc = usize::from(self.bci_of(word));
            let ext = ext_words(op_of(self.out.words[word]), self.out.words[word + 1]);
            self.emit(self.out.words[word]);
            self.out.words.extend_from_within(word + 1..word + 1 + ext);
            word += 1 + ext;
        }
        self.pc = pc;
    }

    /// Whether an instruction between two words may read or write `local`.
    fn mentions(&self, head: usize, end: usize, local: u16) -> bool {
        let mut word = head;
        while word < end {
            let first = self.out.words[word];
            let registers = fields(op_of(first)).map(Field::is_register);
            if (0..3).any(|i| registers[i] && (first >> (16 * (i + 1))) as u16 == local) {
                return true;
            }
            word += 1 + ext_words(op_of(first), self.out.words[word + 1]);
        }
        false
    }

    /// `i++; goto H` in one instruction.
    fn increment_and_jump(&mut self, head: usize) -> bool {
        if self.last < self.barrier || self.last >= self.here() {
            return false;
        }
        let word = self.out.words[self.last];
        let (a, b, by) = (
            (word >> 16) as u16,
            (word >> 32) as u16,
            (word >> 48) as u16,
        );
        if op_of(word) != Op::IAddI || a != b {
            return false;
        }
        match offset16(self.last, head) {
            Some(offset) => {
                self.out.words[self.last] = insn(Op::IncJmp, a, by, offset);
                true
            }
            None => false,
        }
    }

    /// `i++` or `i--` as the newest instruction of this block.
    fn trailing_increment(&self) -> Option<Increment> {
        if self.last < self.barrier || self.last >= self.here() {
            return None;
        }
        let word = self.out.words[self.last];
        let (a, b, by) = (
            (word >> 16) as u16,
            (word >> 32) as u16,
            (word >> 48) as u16,
        );
        let up = match by as i16 {
            1 => true,
            -1 => false,
            _ => return None,
        };
        (op_of(word) == Op::IAddI && a == b).then(|| Increment {
            local: a,
            up,
            bci: self.bci_of(self.last),
        })
    }

    /// Takes the newest instruction (of one word) back.
    pub(super) fn unemit(&mut self) {
        self.out.words.pop();
        let here = self.here() as u32;
        if self.out.bcis.last().is_some_and(|&(word, _)| word >= here) {
            self.out.bcis.pop();
        }
    }

    /// The bytecode an emitted instruction came from.
    fn bci_of(&self, word: usize) -> u16 {
        let behind = self
            .out
            .bcis
            .partition_point(|&(start, _)| start as usize <= word);
        self.out.bcis[behind - 1].1
    }

    fn covered(&self, bci: usize) -> bool {
        self.handlers
            .iter()
            .any(|h| (usize::from(h.start)..usize::from(h.end)).contains(&bci))
    }

    /// Whether exceptions at two places go to the same handlers.
    fn same_handlers(&self, one: usize, other: usize) -> bool {
        self.handlers.iter().all(|h| {
            let range = usize::from(h.start)..usize::from(h.end);
            range.contains(&one) == range.contains(&other)
        })
    }
}

fn op_of(word: u64) -> Op {
    Op::ALL[usize::from(word as u16)]
}

fn offset16(from: usize, to: usize) -> Option<u16> {
    i16::try_from(to as i64 - from as i64)
        .ok()
        .map(|o| o as u16)
}

// The conditions in the order of the opcodes: eq, ne, lt, ge, gt, le.
const INT: [Op; 6] = [Op::JEq, Op::JNe, Op::JLt, Op::JGe, Op::JGt, Op::JLe];
const INT_CONST: [Op; 6] = [Op::JEqI, Op::JNeI, Op::JLtI, Op::JGeI, Op::JGtI, Op::JLeI];
const LONG: [Op; 6] = [Op::JLEq, Op::JLNe, Op::JLLt, Op::JLGe, Op::JLGt, Op::JLLe];
// `fcmpl` makes NaN count as less, so `iflt` and `ifle` jump for it …
const FLOAT_L: [Op; 6] = [Op::JFEq, Op::JFNe, Op::JFNge, Op::JFGe, Op::JFGt, Op::JFNgt];
// … and `fcmpg` as greater, so `ifgt` and `ifge` do.
const FLOAT_G: [Op; 6] = [Op::JFEq, Op::JFNe, Op::JFLt, Op::JFNlt, Op::JFNle, Op::JFLe];
const DOUBLE_L: [Op; 6] = [Op::JDEq, Op::JDNe, Op::JDNge, Op::JDGe, Op::JDGt, Op::JDNgt];
const DOUBLE_G: [Op; 6] = [Op::JDEq, Op::JDNe, Op::JDLt, Op::JDNlt, Op::JDNle, Op::JDLe];

fn is_conditional(op: Op) -> bool {
    (Op::JEq as u16..=Op::JDNle as u16).contains(&(op as u16))
}

/// The conditional jump that is taken exactly when `op` is not.
fn inverted(op: Op) -> Op {
    use Op::*;
    let group = |first: Op| {
        let n = op as u16 - first as u16;
        Op::ALL[usize::from(first as u16 + (n ^ 1))]
    };
    // The forms for lt, ge, gt, le and their `N` counterparts.
    let float = |first: Op| {
        let n = op as u16 - first as u16;
        Op::ALL[usize::from(first as u16 + (n + 4) % 8)]
    };
    match op {
        JFEq => JFNe,
        JFNe => JFEq,
        JDEq => JDNe,
        JDNe => JDEq,
        JEq | JNe | JLt | JGe | JGt | JLe => group(JEq),
        JEqI | JNeI | JLtI | JGeI | JGtI | JLeI => group(JEqI),
        JLEq | JLNe | JLLt | JLGe | JLGt | JLLe => group(JLEq),
        JFLt | JFGe | JFGt | JFLe | JFNlt | JFNge | JFNgt | JFNle => float(JFLt),
        JDLt | JDGe | JDGt | JDLe | JDNlt | JDNge | JDNgt | JDNle => float(JDLt),
        _ => panic!("heddle internal error: {op:?} has no inverse"),
    }
}

/// An increment and then `op`, in one instruction.
fn with_increment(op: Op, a: u16, b: u16, increment: &Increment) -> Option<(Op, u16, u16)> {
    let Increment { local, up, .. } = *increment;
    // i <= 9 is i < 10, and i > 0 is i >= 1.
    let following = || (b as i16).checked_add(1).map(|b| b as u16);
    match op {
        Op::JLt if up && a == local && b != local => Some((Op::IncJLt, a, b)),
        Op::JGt if up && b == local && a != local => Some((Op::IncJLt, b, a)),
        Op::JLe if up && a == local && b != local => Some((Op::IncJLe, a, b)),
        Op::JGe if up && b == local && a != local => Some((Op::IncJLe, b, a)),
        Op::JLtI if up && a == local => Some((Op::IncJLtI, a, b)),
        Op::JLeI if up && a == local => Some((Op::IncJLtI, a, following()?)),
        Op::JGeI if !up && a == local => Some((Op::DecJGeI, a, b)),
        Op::JGtI if !up && a == local => Some((Op::DecJGeI, a, following()?)),
        _ => None,
    }
}

/// Instructions worth running from a second place: no calls, nothing that is
/// long. Allocation and monitors stay unique, too.
fn is_cheap(op: Op) -> bool {
    use Op::*;
    let n = op as u16;
    (n >= Move as u16 && n <= DCmpG as u16 && op != LdcU)
        || (n >= ALoadB as u16 && n <= ALoadA as u16)
        || matches!(op, GetFieldU | GetStaticU | ArrayLen)
}
