//! Jumps: compare and branch in one instruction, and loops that cost one jump
//! per round.
//!
//! Compilers put the test of a loop at its head, `H: if (!c) goto exit; …;
//! goto H`. Where the code at `H` up to the branch is short and cheap, the
//! `goto` becomes a copy of it with the condition turned around that jumps
//! behind the original. When the round ends with `i++`, the increment is fused
//! with that branch, too.
//!
//! Every jump polls: the interpreter looks at the budget wherever one is taken.

use heddle_classfile::opcode::*;

use super::emit::{Emitter, Fixup, Part, Place, Target};
use super::stack::Entry;
use super::{Fallible, blocks::Mark};
use crate::disasm::{Field, fields, op_of};
use crate::isa::{Op, ext_words, insn};

/// Instructions before the branch that are copied to the end of a loop.
const MAX_COPIED: usize = 3;

/// Length of chains of `goto` that are followed (there are circular ones).
const MAX_FOLLOWED: u32 = 4;

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
        self.jump_if(op, a, b, target, 0)
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
        self.begin(branch);
        self.jump_if(op, a, b, target, 0)
    }

    /// Where control ends up that jumps to `target`: a `goto` there is followed. And how
    /// many were.
    fn follow(&self, mut target: usize) -> (usize, u32) {
        for followed in 0..MAX_FOLLOWED {
            if self.code[target] != GOTO || self.blocks.watched.has(target) {
                return (target, followed);
            }
            let offset = i16::from_be_bytes([self.code[target + 1], self.code[target + 2]]);
            let next = target as i32 + i32::from(offset);
            // The first pass gave every other target a shape. And nobody
            // enters a loop past the constants in front of it.
            if self.blocks.goes_to_return(self.code, next) || self.blocks.is_loop_head(target) {
                return (target, followed);
            }
            target = next as usize;
        }
        (target, MAX_FOLLOWED)
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

    /// Emits a conditional jump past `gotos` other bytecodes; the stack is settled.
    fn jump_if(&mut self, op: Op, a: u16, b: u16, target: usize, gotos: u32) -> Fallible<()> {
        self.edge(target)?;
        if let Some(over) = self.skips_goto(target) {
            // if (c) goto next; goto over; next: …
            self.edge(over)?;
            self.blocks.at[self.next].word = self.here() as u32;
            self.blocks.at[self.next].before = 0;
            self.next = target;
            return self.jump_if(inverted(op), a, b, over, gotos + 1);
        }
        let (target, followed) = self.follow(target);
        let gotos = gotos + followed;
        if self.is_far() {
            // Over the far jump; nothing is skipped that way.
            self.emit(insn(inverted(op), a, b, 3));
            self.jump(target, gotos);
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
                self.finish_fused(target, gotos);
                return Ok(());
            }
        }
        self.emit(insn(op, a, b, 0));
        self.finish_jump(target, Place::C, gotos, Part::Byte.of(self.last));
        Ok(())
    }

    pub(super) fn goto(&mut self, target: usize) -> Fallible<()> {
        self.flush(self.depth());
        self.edge(target)?;
        if target == self.next {
            return Ok(());
        }
        self.live = false;
        let (target, followed) = self.follow(target);
        if target <= self.pc
            && !self.is_far()
            && self.depth() == 0
            && self.close_loop(target, followed)
        {
            return Ok(());
        }
        self.jump(target, followed);
        Ok(())
    }

    /// Ends a loop whose head is at `target` in a better way than by a jump
    /// to the head, if there is one.
    fn close_loop(&mut self, target: usize, followed: u32) -> bool {
        let head = self.blocks.at[target].word as usize;
        if !self.is_fixed(head) {
            return false;
        }
        if let Some((test, exit)) = self.find_test(head) {
            let branch = test.insn as usize;
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
                // The bytecodes of the head count here as they do there.
                self.position.count += followed;
                let before = self.position.count - self.blocks.at[target].position.count;
                self.copy(head, branch, before);
                self.position.count = before + test.from.count;
                self.pc = usize::from(self.bci_of(branch));
                let (op, a, b) = fused.unwrap_or((op, a, b));
                self.emit(insn(op, a, b, offset));
                self.pc = increment;
                self.filled(test.from, Part::Byte.of(self.last));
                // Not taken: the loop is left.
                if exit == self.next {
                    self.position.count += test.followed;
                    self.live = true;
                } else {
                    self.jump(exit, test.followed);
                }
                return true;
            }
        }
        self.increment_and_jump(target, followed)
    }

    /// The first branch at or soon behind `head` and the bytecode it exits
    /// to, if all up to it may be copied to here.
    fn find_test(&self, head: usize) -> Option<(Fixup, usize)> {
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
                let Target::Bytecode(exit) = fixups[at].target else {
                    return None;
                };
                let exit = exit as usize;
                // Both ways from here the stack is as empty as at the head.
                let empty = self.blocks.at[exit].shape == 0;
                return (exit > self.pc && empty).then_some((fixups[at], exit));
            }
            if !is_cheap(op) || !self.same_handlers(usize::from(self.bci_of(word)), self.pc) {
                return None;
            }
            let ext = self.out.words.get(word + 1).copied().unwrap_or(0);
            word += 1 + ext_words(op, ext);
        }
        None
    }

    /// Copies the instructions from `head` up to `end`, where `before` more bytecodes were
    /// passed than there.
    fn copy(&mut self, head: usize, end: usize, before: u32) {
        let pc = self.pc;
        let mut word = head;
        while word < end {
            self.pc = usize::from(self.bci_of(word));
            let ext = ext_words(op_of(self.out.words[word]), self.out.words[word + 1]);
            self.position.count = before + self.position_of(word + 1 + ext).count;
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

    /// `i++; goto H` in one instruction, past `followed` others.
    fn increment_and_jump(&mut self, target: usize, followed: u32) -> bool {
        let head = self.blocks.at[target].word as usize;
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
                self.finish_fused(target, followed);
                true
            }
            None => false,
        }
    }

    /// As `finish_jump`, for one that took the place of the increment before it.
    fn finish_fused(&mut self, target: usize, gotos: u32) {
        self.settled = self.position;
        let toll = Part::Byte.of(self.last);
        self.finish_jump(target, Place::Filled, gotos, toll);
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
        if let Some((.., position)) = self.out.origins.pop_if(|o| o.0 >= here) {
            self.settled = position;
        }
    }

    /// The bytecode an emitted instruction came from.
    fn bci_of(&self, word: usize) -> u16 {
        let behind = self.out.origins.partition_point(|o| o.0 as usize <= word);
        self.out.origins[behind - 1].1
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
