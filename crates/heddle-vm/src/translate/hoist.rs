//! Constants of loops, loaded once before the loop.
//!
//! Most constants fit into instructions. Those that do not (an array index, a
//! value to store, a large factor) cost an instruction each time. Inside a loop
//! they get a register of their own behind the operand stack, loaded where the
//! loop is entered.
//!
//! A call's frame covers the caller's registers from its first argument on, so
//! only loops without calls qualify; they are the ones where it pays. (Code
//! that runs while an instruction is resolved gets a frame behind all registers
//! of this one.) A loop qualifies, further, only if it is entered at its head
//! and nowhere else.
//!
//! Which constants a loop needs is known at its end. The words in front of it
//! are then inserted, and what lies behind moves; offsets within the loop stay
//! valid, all others are filled in later.

use heddle_classfile::Handler;

use super::blocks::{At, Blocks, Mark};
use super::emit::Emitter;
use super::stack::Entry;
use crate::isa::{Op, insn, insn_imm};

/// Constants per loop that get a register.
const MAX_CONSTANTS: usize = 8;

/// Bounds on the work of finding loops; larger methods go without.
const MAX_LOOPS: usize = 256;
const MAX_WORK: usize = 50_000;

/// A loop: the bytecodes from `head` to the last jump back to it, at `end`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    pub head: u32,
    pub end: u32,
}

/// The loop being translated and the constants it asked for.
pub(super) struct Hoist {
    end: usize,
    head: usize,
    /// First word of the head, where the constants go.
    pub start: usize,
    constants: [Entry; MAX_CONSTANTS],
    count: usize,
}

impl Blocks {
    /// Finds the outermost loops that qualify, in order.
    pub(super) fn find_loops(&mut self, handlers: &[Handler]) {
        self.loops.clear();
        if self.has_subroutines {
            return;
        }
        for &(from, to) in &self.edges {
            if to <= from {
                if let Some(known) = self.loops.iter_mut().find(|l| l.head == to) {
                    known.end = known.end.max(from);
                } else if self.loops.len() < MAX_LOOPS {
                    self.loops.push(Loop {
                        head: to,
                        end: from,
                    });
                } else {
                    return self.loops.clear();
                }
            }
        }
        let items = self.edges.len() + self.calls.len() + handlers.len();
        if self.loops.len() * items > MAX_WORK {
            return self.loops.clear();
        }
        let (edges, calls) = (&self.edges, &self.calls);
        self.loops.retain(|&Loop { head, end }| {
            let inside = |pc: u32| (head..=end).contains(&pc);
            let middle = |pc: u32| pc > head && pc <= end;
            !calls.iter().any(|&pc| inside(pc))
                && edges.iter().all(|&(from, to)| !middle(to) || inside(from))
                && handlers.iter().all(|h| {
                    let (start, last) = (u32::from(h.start), u32::from(h.end.max(1)) - 1);
                    // The last jump is three bytes long.
                    !middle(u32::from(h.target)) || inside(start) && last <= end + 2
                })
        });
        self.loops
            .sort_unstable_by_key(|l| (l.head, std::cmp::Reverse(l.end)));
        let mut covered = None;
        self.loops.retain(|l| {
            let outermost = covered.is_none_or(|end| l.head > end);
            if outermost {
                covered = Some(l.end);
            }
            outermost
        });
    }
}

impl Blocks {
    /// Whether constants may be loaded in front of the code at `pc`.
    pub(super) fn is_loop_head(&self, pc: usize) -> bool {
        self.loops
            .binary_search_by_key(&(pc as u32), |l| l.head)
            .is_ok()
    }
}

impl Emitter<'_> {
    /// Notes that the next instruction is the head of a loop, if it is.
    pub(super) fn open_loop(&mut self, pc: usize) {
        if let Some(l) = self.blocks.loops.get(self.next_loop)
            && l.head as usize == pc
        {
            self.next_loop += 1;
            self.hoist = Some(Hoist {
                end: l.end as usize,
                head: pc,
                start: self.here(),
                constants: [Entry::Half; MAX_CONSTANTS],
                count: 0,
            });
        }
    }

    /// The register of a constant, if it gets one.
    pub(super) fn hoisted(&mut self, entry: Entry) -> Option<u16> {
        let first = self.canonical(self.max_stack) + 1;
        let hoist = self.hoist.as_mut()?;
        let known = &hoist.constants[..hoist.count];
        let n = match known.iter().position(|&c| c == entry) {
            Some(n) => n,
            None if hoist.count < MAX_CONSTANTS => {
                hoist.constants[hoist.count] = entry;
                hoist.count += 1;
                hoist.count - 1
            }
            None => return None,
        };
        self.hoisted_registers = self.hoisted_registers.max(n + 1);
        Some(first + n as u16)
    }

    /// Inserts the constants in front of the loop that ends here, if one does.
    pub(super) fn close_hoist(&mut self) {
        let Some(hoist) = self.hoist.take_if(|h| self.next > h.end) else {
            return;
        };
        let first = self.canonical(self.max_stack) + 1;
        let mut words = [0; 2 * MAX_CONSTANTS];
        let mut count = 0;
        let mut add = |word: u64| {
            words[count] = word;
            count += 1;
        };
        for (n, &constant) in hoist.constants[..hoist.count].iter().enumerate() {
            let reg = first + n as u16;
            match constant {
                Entry::Int(value) => add(insn_imm(Op::ConstI, reg, value as u32)),
                Entry::Long(value) => {
                    add(insn(Op::ConstL, reg, 0, 0));
                    add(value as u64);
                }
                other => panic!("heddle internal error: {other:?} is no constant"),
            }
        }
        if count == 0 {
            return;
        }
        let start = hoist.start;
        let out = &mut *self.out;
        out.words
            .splice(start..start, words[..count].iter().copied());
        let behind = out.origins.partition_point(|o| (o.0 as usize) < start);
        for (word, ..) in &mut out.origins[behind..] {
            *word += count as u32;
        }
        let position = self.blocks.at[hoist.head].position;
        let origin = (start as u32, hoist.head as u16, position);
        out.origins.insert(behind, origin);
        let behind = out.fixups.partition_point(|f| (f.insn as usize) < start);
        for fixup in &mut out.fixups[behind..] {
            fixup.insn += count as u32;
            fixup.word += count as u32;
            fixup.toll.word += count as u32;
        }
        for at in &mut self.blocks.at[hoist.head..self.next] {
            if at.mark == Mark::Start {
                at.word += count as u32;
            }
        }
        self.blocks.at[hoist.head].before = count as u16;
        self.last += count;
        self.barrier += count;
        self.narrow.0 = usize::MAX;
    }

    /// Whether an offset from here to `word` stays as it is.
    pub(super) fn is_fixed(&self, word: usize) -> bool {
        self.hoist.as_ref().is_none_or(|h| word >= h.start)
    }
}

impl At {
    /// Where control enters that comes from outside of a loop.
    pub(super) fn entry_word(&self) -> u32 {
        self.word - u32::from(self.before)
    }
}
