//! How many bytecodes the code stands for: stretches and tolls (see `isa`).
//!
//! The second pass counts the bytecodes that it passes on its straight way through the
//! method. A [`Position`] is such a count, together with the number of the stretch it
//! lies in; where stretches end is known when all is emitted, and so are the tolls.
//!
//! Bytecodes that have no instruction of their own (a load of a local, a jump to a jump)
//! count on every way that would meet them. What a loop's end copies from its head is
//! counted again there.

use super::emit::{Emitter, Fixup, Part, Place, Target, Toll};
use crate::isa::{Op, insn_imm};

/// A stretch this long is ended by hand, so that what is ahead fits into 16 bits.
const LONGEST: u32 = 60_000;

/// A place on the straight way through a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Position {
    /// Bytecodes before it.
    pub count: u32,
    /// Ends of stretches before it.
    pub stretch: u32,
}

impl Emitter<'_> {
    /// Ends a stretch that is getting too long by a jump to the next instruction.
    pub(super) fn bound_stretch(&mut self) {
        let start = self.out.ends.last().copied().unwrap_or(0);
        if self.position.count - start >= LONGEST {
            self.emit(insn_imm(Op::JmpFar, 0, 2));
            self.out.words.push(0);
            self.filled(self.behind_call(), Part::Whole.of(self.last + 1));
            self.end_stretch();
        }
    }

    /// The toll of the newest instruction, whose target needs no offset.
    pub(super) fn filled(&mut self, target: Position, toll: Toll) {
        self.out.fixups.push(Fixup {
            insn: self.last as u32,
            word: self.last as u32,
            target: Target::Behind(target),
            place: Place::Filled,
            by: self.pc as u16,
            from: self.position,
            followed: 0,
            toll,
        });
    }

    /// The position behind the call that ends the present stretch.
    pub(super) fn behind_call(&self) -> Position {
        Position {
            stretch: self.position.stretch + 1,
            ..self.position
        }
    }

    /// What was emitted last is a call or a jump that is always taken.
    pub(super) fn end_stretch(&mut self) {
        self.out.ends.push(self.position.count);
        self.position.stretch += 1;
        self.settled = self.position;
    }

    /// Bytecodes from a position to the end of its stretch.
    pub(super) fn ahead(&self, at: Position) -> u32 {
        let end = self.out.ends.get(at.stretch as usize);
        end.map_or(0, |end| end - at.count)
    }

    /// What a jump adds to the budget of the thread that takes it.
    pub(super) fn toll(&self, fixup: &Fixup) -> i64 {
        let to = match fixup.target {
            Target::Bytecode(pc) => self.blocks.at[pc as usize].position,
            Target::Behind(position) => position,
        };
        i64::from(self.ahead(fixup.from)) - i64::from(self.ahead(to)) - i64::from(fixup.followed)
    }

    /// Where the thread is, in terms of bytecodes, before the instruction at `word`.
    pub(super) fn position_of(&self, word: usize) -> Position {
        let behind = self.out.origins.partition_point(|o| o.0 as usize <= word);
        self.out.origins[behind - 1].2
    }
}
