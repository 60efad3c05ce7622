//! What is to be done to the code of one method.
//!
//! Places are given as in the code as it was; nothing moves until the class is
//! written. Around the instruction at `pc` the order is
//!
//! ```text
//!     snippets inserted before pc, jumps skip them     (in the order of the calls)
//! jumps to pc come here
//!     snippets inserted before pc, jumps run them
//!     the instruction, or the snippet that replaces it
//!     snippets inserted after pc
//! ```
//!
//! All of these lie within the same handlers as the instruction, except what
//! comes after a store that ends a handler's range: the store may change a
//! local that the handler relies on.

use super::error::EditErrorKind;
use super::snippet::Snippet;
use crate::class::{ClassFile, Code};
use crate::code::{Insn, Instructions};
use crate::opcode::*;
use std::ops::Range;

/// The edits of one method's code.
pub struct CodeEdit<'c> {
    pub(super) class: &'c ClassFile,
    /// The code as it was; a new method has none.
    pub(super) code: Option<&'c Code>,
    pub(super) insns: Vec<(u32, Insn<'c>)>,
    pub(super) inserts: Vec<Insert>,
    pub(super) entry: Vec<Snippet>,
    /// Runs last before each return, outside of the guards that end there.
    pub(super) exit: Option<Snippet>,
    pub(super) guards: Vec<Guard>,
    pub(super) max_locals: u32,
    /// Locals that hold a value of this type from entry to exit: index, class.
    pub(super) kept: Vec<(u16, Vec<u8>)>,
    pub(super) lines: LineStart,
    pub(super) fault: Option<EditErrorKind>,
}

/// Whether those who jump to an instruction run what is inserted before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jumps {
    Run,
    /// Only who falls through from the instruction before runs it; after a
    /// `goto`, a return or a throw that is nobody, and it is left out.
    Skip,
}

/// Which handlers are asked first when ranges overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// Before those that the method has.
    Innermost,
    /// After those that the method has.
    Outermost,
}

/// Where a source line starts that starts at an instruction with code
/// inserted before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineStart {
    /// At the inserted code: it has the line of its instruction.
    Inserted,
    /// At the instruction: a breakpoint stops behind the inserted code, which
    /// has the line before.
    Instruction,
}

/// A snippet at an instruction.
pub(super) struct Insert {
    /// Of the instruction.
    pub number: u32,
    pub slot: Slot,
    pub snippet: Snippet,
}

/// Where a snippet goes, in the order of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    Skipped,
    Before,
    Replaced,
    After,
}

pub(super) struct Guard {
    pub ranges: Vec<Guarded>,
    /// An index of the constant pool, 0 for everything.
    pub class: u16,
    pub handler: Snippet,
    pub nesting: Nesting,
}

/// The instructions from `start` up to `end`.
pub(super) struct Guarded {
    pub start: u32,
    pub end: u32,
    /// What is inserted before the instruction at `end` is guarded too.
    pub up_to_core: bool,
}

impl<'c> CodeEdit<'c> {
    pub(super) fn new(class: &'c ClassFile, code: &'c Code) -> Result<CodeEdit<'c>, EditErrorKind> {
        let insns: Result<Vec<_>, _> = Instructions::new(class.code_bytes(code)).collect();
        Ok(CodeEdit {
            code: Some(code),
            insns: insns.map_err(EditErrorKind::BadCode)?,
            max_locals: code.max_locals.into(),
            ..CodeEdit::fresh(class, 0)
        })
    }

    /// Of a new method whose parameters take so many locals.
    pub(super) fn fresh(class: &'c ClassFile, parameters: u32) -> CodeEdit<'c> {
        CodeEdit {
            class,
            code: None,
            insns: Vec::new(),
            inserts: Vec::new(),
            entry: Vec::new(),
            exit: None,
            guards: Vec::new(),
            max_locals: parameters,
            kept: Vec::new(),
            lines: LineStart::Inserted,
            fault: None,
        }
    }

    /// The instructions as they were, with their places.
    pub fn instructions(&self) -> &[(u32, Insn<'c>)] {
        &self.insns
    }

    /// Inserts code before an instruction; jumps to the instruction run it.
    pub fn before(&mut self, pc: u32, snippet: &Snippet) {
        self.before_with(pc, Jumps::Run, snippet);
    }

    pub fn before_with(&mut self, pc: u32, jumps: Jumps, snippet: &Snippet) {
        let slot = match jumps {
            Jumps::Run => Slot::Before,
            Jumps::Skip => Slot::Skipped,
        };
        self.insert(pc, slot, snippet);
    }

    /// Inserts code behind an instruction, for when it ends normally and does
    /// not jump. After one that never goes on to the next it is left out.
    pub fn after(&mut self, pc: u32, snippet: &Snippet) {
        self.insert(pc, Slot::After, snippet);
    }

    /// Puts a snippet in the place of an instruction. It must leave the stack
    /// as the instruction would, and may contain the instruction
    /// ([`SnippetBuilder::original`]). The last call counts.
    ///
    /// [`SnippetBuilder::original`]: super::SnippetBuilder::original
    pub fn replace(&mut self, pc: u32, snippet: &Snippet) {
        self.insert(pc, Slot::Replaced, snippet);
    }

    /// Inserts code that runs once per call, before all else. It lies outside
    /// of all handlers; jumps to the first instruction do not run it.
    pub fn at_entry(&mut self, snippet: &Snippet) {
        self.entry.push(snippet.clone());
    }

    /// Inserts code before every return instruction.
    pub fn at_returns(&mut self, snippet: &Snippet) {
        for pc in self.returns() {
            self.before(pc, snippet);
        }
    }

    /// The places of all return instructions.
    pub fn returns(&self) -> Vec<u32> {
        let returns = self.insns.iter();
        returns
            .filter(|(_, insn)| matches!(insn.opcode, IRETURN..=RETURN))
            .map(|&(pc, _)| pc)
            .collect()
    }

    /// What is thrown by the instructions from `range.start` up to `range.end`
    /// (or the end of the code), or by what is inserted around them, and is a
    /// `class` (an index from [`Constants::class`], 0 for everything) goes to
    /// the handler, which comes behind the method's code. It finds the thrown
    /// object alone on the stack and must not run off its end. Guards that
    /// were added earlier are inside of later ones.
    ///
    /// [`Constants::class`]: super::Constants::class
    pub fn guard(&mut self, range: Range<u32>, class: u16, nesting: Nesting, handler: &Snippet) {
        self.guard_all(vec![range], class, nesting, handler);
    }

    /// The same for several ranges with one handler.
    pub fn guard_all(
        &mut self,
        ranges: Vec<Range<u32>>,
        class: u16,
        nesting: Nesting,
        handler: &Snippet,
    ) {
        let guarded = |range: Range<u32>| Guarded {
            start: range.start,
            end: range.end,
            up_to_core: false,
        };
        let ranges = ranges.into_iter().map(guarded).collect();
        self.add_guard(ranges, class, nesting, handler);
    }

    pub(super) fn add_guard(
        &mut self,
        ranges: Vec<Guarded>,
        class: u16,
        nesting: Nesting,
        handler: &Snippet,
    ) {
        let end = self.code.map_or(0, |code| code.bytes.len() as u32);
        for range in &ranges {
            for pc in [range.start, range.end] {
                if pc != end && !self.is_instruction(pc) {
                    self.fault
                        .get_or_insert(EditErrorKind::NoInstruction { pc });
                }
            }
        }
        if handler.falls_through() {
            let why = "a handler runs off its end";
            self.fault.get_or_insert(EditErrorKind::BadSnippet(why));
        }
        self.guards.push(Guard {
            ranges,
            class,
            handler: handler.clone(),
            nesting,
        });
    }

    /// A local variable for snippets: `slots` of one or two words. Nothing is
    /// known of it where paths meet, so it serves within one snippet, or from
    /// one to the next in straight code. The same one may serve many snippets.
    pub fn scratch_local(&mut self, slots: u16) -> u16 {
        let local = self.max_locals;
        self.max_locals += u32::from(slots);
        local.min(65535) as u16
    }

    /// A local variable that holds a reference to `class` (a name as in a
    /// class constant) from the end of the code at entry, which must set it,
    /// to the end of the call: every frame of the stack map has it.
    pub fn kept_local(&mut self, class: impl AsRef<[u8]>) -> u16 {
        let local = self.scratch_local(1);
        self.kept.push((local, class.as_ref().to_vec()));
        local
    }

    pub fn set_line_start(&mut self, lines: LineStart) {
        self.lines = lines;
    }

    pub(super) fn is_unchanged(&self) -> bool {
        self.inserts.is_empty()
            && self.entry.is_empty()
            && self.exit.is_none()
            && self.guards.is_empty()
            && self.fault.is_none()
    }

    /// Brings what was asked for into the order of the code. What was inserted
    /// in the same place keeps its order.
    pub(super) fn sort(&mut self) {
        let key = |insert: &Insert| (insert.number, insert.slot);
        if !self.inserts.is_sorted_by_key(key) {
            self.inserts.sort_by_key(key);
        }
    }

    fn is_instruction(&self, pc: u32) -> bool {
        self.number(pc).is_some()
    }

    fn number(&self, pc: u32) -> Option<u32> {
        let found = self.insns.binary_search_by_key(&pc, |&(at, _)| at);
        found.ok().map(|number| number as u32)
    }

    fn insert(&mut self, pc: u32, slot: Slot, snippet: &Snippet) {
        match self.number(pc) {
            Some(number) => self.inserts.push(Insert {
                number,
                slot,
                snippet: snippet.clone(),
            }),
            None => {
                let fault = EditErrorKind::NoInstruction { pc };
                self.fault.get_or_insert(fault);
            }
        }
    }
}
