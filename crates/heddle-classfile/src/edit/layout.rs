//! The new code of a method: order, places, branches.
//!
//! Old instructions and snippets become one list of [`Node`]s. Places are
//! computed with short branches first; those that do not reach become long
//! (`goto_w`, or the inverted branch over a `goto_w`), which moves others, until
//! all reach. Branches never become short again, so this ends. [`emit`] writes the
//! instructions.
//!
//! [`emit`]: super::emit

use super::code::{CodeEdit, Insert, Slot};
use super::emit::size;
use super::error::EditErrorKind;
use super::snippet::{Body, Label, Op, Snippet, To};
use crate::class::Handler;
use crate::code::{Insn, Operand};
use crate::opcode::*;

/// The nodes of a method and where they are.
pub(super) struct Layout<'e> {
    old: &'e [u8],
    pub insns: &'e [(u32, Insn<'e>)],
    pub nodes: Vec<Node<'e>>,
    /// One per node and one for the end.
    pub places: Vec<u32>,
    /// One per old instruction and one for their end.
    spots: Vec<Spots>,
    /// The number of the instruction that starts at an old place.
    numbers: Vec<u32>,
    /// The node that each label of each inserted snippet is before.
    labels: Vec<u32>,
    catches: Vec<NewCatch>,
    /// Nodes behind snippets that do not go on, and the number of the old
    /// instruction that each belongs to.
    orphans: Vec<(u32, u32)>,
    /// Extra stack that snippets need, and the least that handlers do.
    pub extra_stack: u32,
    pub least_stack: u32,
    pub locals: u32,
    pub handlers: Vec<Handler>,
    /// Where each old handler went among `handlers`.
    pub old_handlers: Vec<Option<u16>>,
    /// The indexes of the others.
    new_handlers: Vec<usize>,
}

/// Node numbers around an old instruction, in their order.
#[derive(Clone, Copy, Default)]
struct Spots {
    /// What belongs to the instruction starts.
    start: u32,
    /// Jumps come here.
    target: u32,
    /// The instruction starts, or what replaces it.
    core: u32,
    /// The instruction itself; behind `core` if a snippet contains it, `GONE`
    /// if it was dropped.
    itself: u32,
    /// Behind the instruction or its replacement.
    end: u32,
}

const GONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
pub(super) enum Node<'e> {
    Bytes(&'e [u8]),
    Branch {
        op: u8,
        to: Goal,
        far: bool,
    },
    /// An old `tableswitch` or `lookupswitch`, by its number.
    Switch {
        number: u32,
    },
}

#[derive(Clone, Copy)]
pub(super) enum Goal {
    Old(i32),
    Label(u32),
}

/// A snippet that was added.
struct Added {
    /// The node of the original instruction, if the snippet contains it.
    original: Option<u32>,
    /// Control reaches its end.
    falls: bool,
}

struct NewCatch {
    /// Nodes.
    start: u32,
    end: u32,
    target: u32,
    class: u16,
    outermost: bool,
}

impl<'e> Layout<'e> {
    pub fn of(edit: &'e CodeEdit<'_>) -> Result<Layout<'e>, EditErrorKind> {
        let old = edit
            .code
            .map_or(&[][..], |code| edit.class.code_bytes(code));
        let mut layout = Layout {
            old,
            insns: &edit.insns,
            nodes: Vec::with_capacity(edit.insns.len() + edit.inserts.len()),
            places: Vec::new(),
            spots: Vec::with_capacity(edit.insns.len() + 1),
            numbers: vec![GONE; old.len() + 1],
            labels: Vec::new(),
            catches: Vec::new(),
            orphans: Vec::new(),
            extra_stack: 0,
            least_stack: 0,
            locals: edit.max_locals,
            handlers: Vec::new(),
            old_handlers: Vec::new(),
            new_handlers: Vec::new(),
        };
        layout.order(edit)?;
        // Files without stack maps may end in code that nobody reaches and
        // that goes on. A label behind it must still be a place.
        if edit.class.major <= 50 && layout.labels.contains(&layout.next()) {
            layout.push(Node::Bytes(&[NOP]));
        }
        layout.relax()?;
        layout.exception_table(edit)?;
        Ok(layout)
    }

    fn order(&mut self, edit: &'e CodeEdit<'_>) -> Result<(), EditErrorKind> {
        let mut rest = &edit.inserts[..];
        self.snippets(edit.entry.iter(), 0)?;
        let mut falls = true;
        for (number, (pc, insn)) in self.insns.iter().enumerate() {
            self.numbers[*pc as usize] = number as u32;
            let here = rest.partition_point(|insert| insert.number as usize <= number);
            let (own, later) = rest.split_at(here);
            rest = later;
            let mut spots = Spots {
                start: self.next(),
                ..Spots::default()
            };
            if falls {
                self.snippets(at(own, Slot::Skipped), number)?;
            }
            spots.target = self.next();
            self.snippets(at(own, Slot::Before), number)?;
            spots.core = self.next();
            if let Some(exit) = &edit.exit
                && matches!(insn.opcode, IRETURN..=RETURN)
            {
                self.snippet(exit, None)?;
            }
            let went_on = falls_through(insn);
            (spots.itself, falls) = match at(own, Slot::Replaced).last() {
                Some(snippet) => {
                    let added = self.snippet(snippet, Some(number as u32))?;
                    (added.original.unwrap_or(GONE), added.falls)
                }
                None => (self.original(number as u32), went_on),
            };
            if went_on && !falls {
                self.orphans.push((self.next(), number as u32 + 1));
            }
            spots.end = self.next();
            self.spots.push(spots);
            if falls {
                falls = self.snippets(at(own, Slot::After), number + 1)?;
            }
        }
        let end = self.next();
        self.spots.push(Spots {
            start: end,
            target: end,
            core: end,
            itself: end,
            end,
        });
        *self.numbers.last_mut().expect("one more than the code") = self.insns.len() as u32;
        self.guards(edit)
    }

    /// Adds snippets that come before the instruction with this number, or in
    /// general before a place with its types. Whether the last goes on.
    fn snippets(
        &mut self,
        list: impl Iterator<Item = &'e Snippet>,
        number: usize,
    ) -> Result<bool, EditErrorKind> {
        let mut falls = true;
        for snippet in list {
            falls = self.snippet(snippet, None)?.falls;
            if !falls {
                self.orphans.push((self.next(), number as u32));
            }
        }
        Ok(falls)
    }

    fn guards(&mut self, edit: &'e CodeEdit<'_>) -> Result<(), EditErrorKind> {
        for guard in &edit.guards {
            let ranges: Vec<(u32, u32)> = guard
                .ranges
                .iter()
                .map(|range| {
                    let start = self.spot(range.start).map_or(0, |spots| spots.start);
                    let end = match range.up_to_core {
                        true => self.spot(range.end).map_or(0, |spots| spots.core),
                        false => self.range_end(range.end),
                    };
                    (start, end)
                })
                .filter(|(start, end)| start < end)
                .collect();
            // Where nothing is guarded, nobody gets to the handler.
            if ranges.is_empty() {
                continue;
            }
            let target = self.next();
            self.snippet(&guard.handler, None)?;
            self.least_stack = self.least_stack.max(1 + u32::from(guard.handler.0.peak));
            self.catches
                .extend(ranges.into_iter().map(|(start, end)| NewCatch {
                    start,
                    end,
                    target,
                    class: guard.class,
                    outermost: guard.nesting == super::Nesting::Outermost,
                }));
        }
        Ok(())
    }

    /// Adds a snippet, which may contain the old instruction with this number.
    /// What cannot be reached in it, such as code behind an original that is a
    /// return, is left out: stack maps could not describe it.
    fn snippet(
        &mut self,
        snippet: &'e Snippet,
        original: Option<u32>,
    ) -> Result<Added, EditErrorKind> {
        let body: &'e Body = &snippet.0;
        if let Some(why) = body.fault {
            return Err(EditErrorKind::BadSnippet(why));
        }
        self.extra_stack = self.extra_stack.max(body.peak.into());
        self.locals = self.locals.max(body.locals);
        let base = self.labels.len();
        self.labels.resize(base + usize::from(body.labels), GONE);
        let mut reached = vec![false; body.labels.into()];
        let mut added = Added {
            original: None,
            falls: true,
        };
        for op in &body.ops {
            match *op {
                Op::Bind(label) => {
                    let label = usize::from(label.0);
                    self.labels[base + label] = self.next();
                    added.falls |= reached[label] || self.is_handler(body, base, label);
                }
                _ if !added.falls => {}
                Op::Code { start, end, ends } => {
                    let bytes = &body.bytes[start as usize..end as usize];
                    self.push(Node::Bytes(bytes));
                    added.falls = !ends;
                }
                Op::Branch { op, to } => {
                    let to = match to {
                        To::Label(label) => {
                            reached[usize::from(label.0)] = true;
                            Goal::Label(base as u32 + u32::from(label.0))
                        }
                        To::Instruction(pc) => Goal::Old(pc as i32),
                    };
                    self.push(Node::Branch { op, to, far: false });
                    added.falls = op != GOTO;
                }
                Op::Original => {
                    let Some(number) = original else {
                        let why = "there is no original instruction here";
                        return Err(EditErrorKind::BadSnippet(why));
                    };
                    if added.original.is_some() {
                        let why = "the original instruction appears twice";
                        return Err(EditErrorKind::BadSnippet(why));
                    }
                    added.original = Some(self.original(number));
                    added.falls = falls_through(&self.insns[number as usize].1);
                }
            }
        }
        for catch in &body.catches {
            let node = |label: Label| self.labels[base + usize::from(label.0)];
            let catch = NewCatch {
                start: node(catch.start),
                end: node(catch.end),
                target: node(catch.target),
                class: catch.class,
                outermost: false,
            };
            self.catches.push(catch);
        }
        Ok(added)
    }

    /// Whether a label is the target of a handler that covers something, or
    /// that may still do so.
    fn is_handler(&self, body: &Body, base: usize, label: usize) -> bool {
        let node = |label: Label| self.labels[base + usize::from(label.0)];
        let mut catches = body.catches.iter();
        catches.any(|c| usize::from(c.target.0) == label && node(c.start) != node(c.end))
    }

    fn original(&mut self, number: u32) -> u32 {
        let (pc, insn) = self.insns[number as usize];
        let node = self.next();
        self.push(match insn.operand {
            Operand::Branch(target) => Node::Branch {
                op: insn.opcode,
                to: Goal::Old(target),
                far: false,
            },
            Operand::Table(_) | Operand::Lookup(_) => Node::Switch { number },
            _ => {
                let start = pc as usize;
                Node::Bytes(&self.old[start..start + insn.length as usize])
            }
        });
        node
    }

    fn push(&mut self, node: Node<'e>) {
        self.nodes.push(node);
    }

    fn next(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Gives every node its place.
    fn relax(&mut self) -> Result<(), EditErrorKind> {
        self.places = vec![0; self.nodes.len() + 1];
        loop {
            let mut at = 0usize;
            for (node, place) in self.nodes.iter().zip(&mut self.places) {
                *place = at as u32;
                at += size(node, at, self.insns);
            }
            if at > 65535 {
                return Err(EditErrorKind::CodeTooLong { bytes: at });
            }
            *self.places.last_mut().expect("one more than nodes") = at as u32;
            if at <= 32767 {
                // Whatever is wrong with a goal is found when it is written.
                return Ok(());
            }
            let mut changed = false;
            for i in 0..self.nodes.len() {
                let Node::Branch { op, to, far: false } = self.nodes[i] else {
                    continue;
                };
                if op == GOTO_W || op == JSR_W {
                    continue;
                }
                let distance = i64::from(self.goal(to)?) - i64::from(self.places[i]);
                if i16::try_from(distance).is_err() {
                    self.nodes[i] = Node::Branch { op, to, far: true };
                    changed = true;
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// The place that a branch leads to.
    pub fn goal(&self, to: Goal) -> Result<u32, EditErrorKind> {
        match to {
            Goal::Old(pc) => {
                let spots = u32::try_from(pc).ok().and_then(|pc| self.spot(pc));
                let spots = spots.filter(|_| (pc as usize) < self.old.len());
                let spots = spots.ok_or(EditErrorKind::NoInstruction { pc: pc as u32 })?;
                Ok(self.places[spots.target as usize])
            }
            Goal::Label(label) => {
                let node = self.labels[label as usize];
                Ok(self.places[node as usize])
            }
        }
    }

    fn exception_table(&mut self, edit: &CodeEdit<'_>) -> Result<(), EditErrorKind> {
        for outermost in [false, true] {
            for catch in self.catches.iter().filter(|c| c.outermost == outermost) {
                let place = |node: u32| self.places[node as usize];
                if place(catch.start) < place(catch.end) {
                    self.new_handlers.push(self.handlers.len());
                    self.handlers.push(Handler {
                        start: place(catch.start) as u16,
                        end: place(catch.end) as u16,
                        target: place(catch.target) as u16,
                        catch_type: catch.class,
                    });
                }
            }
            if outermost {
                break;
            }
            for handler in edit.code.iter().flat_map(|code| &code.handlers) {
                let moved = self.moved_handler(handler)?;
                let index = moved.map(|_| self.handlers.len() as u16);
                self.old_handlers.push(index);
                self.handlers.extend(moved);
            }
        }
        if self.handlers.len() > 65535 {
            return Err(EditErrorKind::TooMany("exception handlers"));
        }
        Ok(())
    }

    /// `None` if nothing is left of its range.
    fn moved_handler(&self, handler: &Handler) -> Result<Option<Handler>, EditErrorKind> {
        let spot = |pc: u16| {
            let pc = u32::from(pc);
            self.spot(pc).ok_or(EditErrorKind::NoInstruction { pc })
        };
        let start = spot(handler.start)?.start;
        spot(handler.end)?;
        let end = self.range_end(handler.end.into());
        let target = self.goal(Goal::Old(handler.target.into()))?;
        let (start, end) = (self.places[start as usize], self.places[end as usize]);
        Ok((start < end).then_some(Handler {
            start: start as u16,
            end: end as u16,
            target: target as u16,
            catch_type: handler.catch_type,
        }))
    }

    /// The node before which a range ends that ended at `pc`. Behind a store
    /// the locals may not be what the handler expects.
    fn range_end(&self, pc: u32) -> u32 {
        let number = self.numbers.get(pc as usize).copied().unwrap_or(GONE);
        let before = number
            .checked_sub(1)
            .and_then(|n| self.insns.get(n as usize));
        match before {
            Some((_, insn)) if matches!(insn.opcode, ISTORE..=ASTORE_3) => {
                self.spots[number as usize - 1].end
            }
            _ => self.spot(pc).map_or(0, |spots| spots.start),
        }
    }

    /// The spots of the instruction that starts at an old place, or of the end.
    fn spot(&self, pc: u32) -> Option<&Spots> {
        let number = *self.numbers.get(pc as usize)?;
        self.spots.get(number as usize)
    }

    /// The same for any old place: of the instruction that it is in.
    fn spot_around(&self, pc: u32) -> Option<&Spots> {
        if pc as usize > self.old.len() {
            return None;
        }
        let number = match self.insns.binary_search_by_key(&pc, |&(at, _)| at) {
            Ok(number) => number,
            Err(_) if pc as usize == self.old.len() => self.insns.len(),
            Err(next) => next.checked_sub(1)?,
        };
        self.spots.get(number)
    }
}

/// Questions about the new code.
impl Layout<'_> {
    /// Of the old code, in bytes.
    pub fn old_length(&self) -> u32 {
        self.old.len() as u32
    }

    /// Of the new code, in bytes.
    pub fn length(&self) -> u32 {
        *self.places.last().expect("one more than nodes")
    }

    /// Where jumps to the instruction at an old place go.
    pub fn target(&self, pc: u32) -> Option<u32> {
        self.spot(pc)
            .map(|spots| self.places[spots.target as usize])
    }

    /// Where the instruction itself is now.
    pub fn itself(&self, pc: u32) -> Option<u32> {
        let node = self.spot(pc)?.itself;
        (node != GONE).then(|| self.places[node as usize])
    }

    /// The first place of what belongs to the instruction that an old place is in.
    pub fn start_around(&self, pc: u32) -> Option<u32> {
        self.spot_around(pc)
            .map(|spots| self.places[spots.start as usize])
    }

    /// The place of the instruction, or what replaces it, that an old place is in.
    pub fn core_around(&self, pc: u32) -> Option<u32> {
        self.spot_around(pc)
            .map(|spots| self.places[spots.core as usize])
    }

    /// New places that nobody falls into any more, and the old instructions
    /// whose types they have.
    pub fn orphans(&self) -> Vec<(u32, u32)> {
        let known = |&(node, number): &(u32, u32)| {
            let (pc, _) = self.insns.get(number as usize)?;
            Some((self.places[node as usize], *pc))
        };
        self.orphans.iter().filter_map(known).collect()
    }

    /// The new handlers, in the new code.
    pub fn new_handlers(&self) -> impl Iterator<Item = Handler> + '_ {
        self.new_handlers.iter().map(|&i| self.handlers[i])
    }

    /// Places that need a frame of the stack map and may have none yet, sorted.
    pub fn needed_frames(&self) -> Vec<u32> {
        let mut needed = Vec::new();
        for (i, node) in self.nodes.iter().enumerate() {
            let Node::Branch { op, to, far } = *node else {
                continue;
            };
            let conditional = !matches!(op, GOTO | GOTO_W | JSR | JSR_W);
            if far && conditional {
                needed.push(self.places[i + 1]);
            }
            // Old branches go where frames are; those of snippets may go anywhere.
            needed.extend(self.goal(to).ok());
        }
        needed.extend(self.new_handlers().map(|h| u32::from(h.target)));
        needed.sort_unstable();
        needed.dedup();
        needed
    }
}

/// The snippets of one place among those of an instruction.
fn at(inserts: &[Insert], slot: Slot) -> impl Iterator<Item = &Snippet> {
    let inserts = inserts.iter().filter(move |insert| insert.slot == slot);
    inserts.map(|insert| &insert.snippet)
}

fn falls_through(insn: &Insn<'_>) -> bool {
    !matches!(
        insn.opcode,
        GOTO | GOTO_W | RET | TABLESWITCH | LOOKUPSWITCH | IRETURN..=RETURN | ATHROW
    )
}
