//! The analysis itself: states of instructions, and how they spread.

use super::super::Checked;
use super::Context;
use super::types::Ty;
use crate::code::{Operand, implicit_local};
use crate::descriptor::MethodDescriptor;
use crate::opcode::*;
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many types may be copied or compared for one method.
const MAX_WORK: usize = 1 << 27;
/// How many types of locals may be kept for one method.
const MAX_KEPT: usize = 1 << 24;

/// What is known before an instruction.
#[derive(Clone)]
pub(super) struct State {
    pub stack: Rc<Vec<Ty>>,
    pub locals: Rc<Vec<Ty>>,
    /// The subroutines that we are in, and the locals that each used.
    masks: Rc<Vec<Mask>>,
    /// Some way here may need another constructor's call.
    pub needs_constructor: bool,
    /// On all ways here another constructor was called.
    pub constructed: bool,
}

#[derive(Clone, PartialEq, Eq)]
struct Mask {
    entry: u32,
    used: BTreeSet<u16>,
}

impl State {
    /// Is this code of the subroutine that starts there?
    pub fn is_inside(&self, entry: u32) -> bool {
        self.masks.iter().any(|mask| mask.entry == entry)
    }
}

/// The analysis of one method.
pub(super) struct Analysis {
    states: Vec<Option<State>>,
    changed: Vec<bool>,
    /// The `ret` of the subroutine that starts at an instruction.
    rets: Vec<Option<u32>>,
    work: usize,
    kept: usize,
}

impl Context<'_, '_, '_> {
    /// Finds the states of all instructions that can be reached.
    pub fn run(&mut self) -> Checked<Vec<Option<State>>> {
        let count = self.insns.len();
        if count == 0 {
            return Err(self.error("Empty code"));
        }
        let mut a = Analysis {
            states: vec![None; count],
            changed: vec![false; count],
            rets: vec![None; count],
            work: 0,
            kept: 0,
        };
        a.states[0] = Some(self.entry());
        a.changed[0] = true;
        loop {
            let mut idle = true;
            for n in 0..count {
                if std::mem::take(&mut a.changed[n]) {
                    idle = false;
                    self.visit(&mut a, n)?;
                }
            }
            if idle {
                return Ok(a.states);
            }
        }
    }

    fn entry(&mut self) -> State {
        let pool = &self.class.pool;
        let mut locals = Vec::new();
        let mut needs_constructor = false;
        if !self.method.is_static() {
            let constructor = pool.utf8(self.method.name) == b"<init>";
            needs_constructor = constructor && self.class.name() != b"java/lang/Object";
            locals.push(if needs_constructor {
                Ty::Init
            } else {
                self.this
            });
        }
        if let Some(desc) = MethodDescriptor::parse(pool.utf8(self.method.desc)) {
            for parameter in desc.parameters() {
                let ty = self.classes.of_field(parameter);
                locals.push(ty);
                locals.extend(ty.second());
            }
            self.result = desc.result.map(|ty| self.classes.of_field(ty));
        }
        locals.truncate(usize::from(self.code.max_locals));
        State {
            stack: Rc::default(),
            locals: Rc::new(locals),
            masks: Rc::default(),
            needs_constructor,
            constructed: false,
        }
    }

    fn visit(&mut self, a: &mut Analysis, n: usize) -> Checked<()> {
        let Some(before) = a.states[n].clone() else {
            return Ok(());
        };
        let mut after = before.clone();
        self.check_locals(n, &before)?;
        self.check_flags(n, &before)?;
        a.work += 1 + before.stack.len();
        self.execute(n, &before, &mut after)?;
        self.note_use(n, &before, &mut after);
        self.spread(a, n, &before, after)
    }

    /// Every local that is read or written in a subroutine is its own.
    fn note_use(&self, n: usize, before: &State, after: &mut State) {
        if before.masks.is_empty() {
            return;
        }
        let insn = self.insns[n].insn;
        let (index, wide) = match insn.operand {
            Operand::Local(index) => (
                index,
                matches!(insn.opcode, LLOAD | DLOAD | LSTORE | DSTORE),
            ),
            Operand::Increment { local, .. } => (local, false),
            Operand::None => match implicit_local(insn.opcode) {
                Some(index) => {
                    let base = if insn.opcode >= ISTORE_0 {
                        ISTORE_0
                    } else {
                        ILOAD_0
                    };
                    (index, matches!((insn.opcode - base) / 4, 1 | 3))
                }
                None => return,
            },
            _ => return,
        };
        for mask in Rc::make_mut(&mut after.masks) {
            mask.used.insert(index);
            if wide {
                mask.used.insert(index.saturating_add(1));
            }
        }
    }

    fn spread(&mut self, a: &mut Analysis, n: usize, before: &State, after: State) -> Checked<()> {
        let insn = self.insns[n].insn;
        let next = n as u32 + 1;
        let mut after = after;
        if matches!(insn.opcode, JSR | JSR_W | RET) {
            // Objects that are not initialized do not cross a subroutine's border.
            for types in [&mut after.stack, &mut after.locals] {
                for ty in Rc::make_mut(types).iter_mut() {
                    if matches!(ty, Ty::New(_) | Ty::Init) {
                        *ty = Ty::Bogus;
                    }
                }
            }
        }
        let successors: Vec<u32> = match (insn.opcode, insn.operand) {
            (GOTO | GOTO_W, Operand::Branch(target)) => vec![self.target(target)],
            (JSR | JSR_W, Operand::Branch(target)) => {
                let entry = self.target(target);
                enter_subroutine(a, entry, &mut after);
                vec![entry]
            }
            (_, Operand::Branch(target)) => vec![next, self.target(target)],
            (_, Operand::Table(s)) => {
                let targets = s.targets().chain([s.default]);
                targets.map(|t| self.target(t)).collect()
            }
            (_, Operand::Lookup(s)) => {
                let targets = s.pairs().map(|(_, t)| t).chain([s.default]);
                targets.map(|t| self.target(t)).collect()
            }
            (RET, Operand::Local(index)) => {
                self.spread_to_handlers(a, n, before, &after)?;
                return self.return_from_subroutine(a, n, index, before, &after);
            }
            (IRETURN..=RETURN | ATHROW, _) => Vec::new(),
            _ => vec![next],
        };
        if successors.iter().any(|&s| s as usize >= self.insns.len()) {
            return Err(self.error("Falling off the end of the code"));
        }
        self.spread_to_handlers(a, n, before, &after)?;
        for successor in successors {
            self.join(a, successor, &after)?;
        }
        Ok(())
    }

    fn spread_to_handlers(
        &mut self,
        a: &mut Analysis,
        n: usize,
        before: &State,
        after: &State,
    ) -> Checked<()> {
        for i in 0..self.handlers.len() {
            let handler = &self.handlers[i];
            if !(handler.start..handler.end).contains(&(n as u32)) {
                continue;
            }
            let (target, stack) = (handler.target, Rc::new(vec![handler.thrown]));
            let mut state = State {
                stack,
                needs_constructor: before.needs_constructor || after.needs_constructor,
                constructed: before.constructed && after.constructed,
                ..before.clone()
            };
            self.join(a, target, &state)?;
            // Whether the object is initialized by then cannot be told.
            if self.is_init_call(n) {
                state.locals = after.locals.clone();
                self.join(a, target, &state)?;
            }
        }
        Ok(())
    }

    fn return_from_subroutine(
        &mut self,
        a: &mut Analysis,
        n: usize,
        index: u16,
        before: &State,
        after: &State,
    ) -> Checked<()> {
        let Some(Ty::Return(entry)) = before.locals.get(usize::from(index)).copied() else {
            return Err(self.error("Illegal return from subroutine"));
        };
        match a.rets[entry as usize] {
            None => a.rets[entry as usize] = Some(n as u32),
            Some(other) if other != n as u32 => {
                return Err(self.error("Multiple returns to single jsr"));
            }
            Some(_) => {}
        }
        let Some(depth) = before.masks.iter().position(|m| m.entry == entry) else {
            return Err(self.error("Illegal return from subroutine"));
        };
        let used = after.masks[depth].used.clone();
        for call in 0..self.insns.len() {
            let insn = self.insns[call].insn;
            let Operand::Branch(target) = insn.operand else {
                continue;
            };
            if !matches!(insn.opcode, JSR | JSR_W) || self.target(target) != entry {
                continue;
            }
            if call + 1 >= self.insns.len() {
                return Err(self.error("Falling off the end of the code"));
            }
            // Calls that were not reached yet come back by themselves.
            let Some(at_call) = a.states[call].clone() else {
                continue;
            };
            let length = after.locals.len().max(at_call.locals.len());
            a.work += length;
            let locals = (0..length).map(|i| {
                let own = u16::try_from(i).is_ok_and(|i| used.contains(&i));
                let from = if own { &after.locals } else { &at_call.locals };
                match from.get(i).copied().unwrap_or(Ty::Bogus) {
                    Ty::New(_) | Ty::Init => Ty::Bogus,
                    ty => ty,
                }
            });
            let state = State {
                locals: Rc::new(locals.collect()),
                masks: Rc::new(after.masks[..depth].to_vec()),
                ..after.clone()
            };
            self.join(a, call as u32 + 1, &state)?;
        }
        Ok(())
    }

    /// Merges what is known after one instruction into what is known before another.
    fn join(&mut self, a: &mut Analysis, n: u32, new: &State) -> Checked<()> {
        a.work += 1;
        if a.work > MAX_WORK || a.kept > MAX_KEPT {
            return Err(self.error("Code too complex to be verified without stack maps"));
        }
        let n = n as usize;
        let Some(old) = a.states[n].take() else {
            a.states[n] = Some(new.clone());
            a.changed[n] = true;
            return Ok(());
        };
        let mut merged = old;
        let mut changed = false;
        if !Rc::ptr_eq(&merged.stack, &new.stack) {
            if merged.stack.len() != new.stack.len()
                || merged.stack.iter().map(|t| t.slots()).sum::<u32>()
                    != new.stack.iter().map(|t| t.slots()).sum::<u32>()
            {
                let height = |s: &State| s.stack.iter().map(|t| t.slots()).sum::<u32>();
                let (new, old) = (height(new), height(&merged));
                if new == old {
                    return Err(self.error("Mismatched stack types"));
                }
                return Err(self.error(format!("Inconsistent stack height {new} != {old}")));
            }
            for i in 0..new.stack.len() {
                let (from, to) = (new.stack[i], merged.stack[i]);
                if from == to {
                    continue;
                }
                let ty = self.classes.merge(from, to, false)?;
                if ty == Ty::Bogus {
                    return Err(self.error("Mismatched stack types"));
                }
                if ty != to {
                    Rc::make_mut(&mut merged.stack)[i] = ty;
                    changed = true;
                }
            }
        }
        changed |= self.join_locals(a, &mut merged, new)?;
        if !Rc::ptr_eq(&merged.masks, &new.masks) {
            changed |= join_masks(&mut merged.masks, &new.masks);
        }
        if new.needs_constructor && !merged.needs_constructor {
            merged.needs_constructor = true;
            changed = true;
        }
        if merged.constructed && !new.constructed {
            merged.constructed = false;
            changed = true;
        }
        a.states[n] = Some(merged);
        a.changed[n] |= changed;
        Ok(())
    }

    fn join_locals(&mut self, a: &mut Analysis, merged: &mut State, new: &State) -> Checked<bool> {
        if Rc::ptr_eq(&merged.locals, &new.locals) {
            return Ok(false);
        }
        let mut changed = false;
        let count = merged.locals.len().min(new.locals.len());
        a.work += count;
        if merged.locals.len() > count {
            a.kept += count;
            Rc::make_mut(&mut merged.locals).truncate(count);
            changed = true;
        }
        for i in 0..count {
            let (from, to) = (new.locals[i], merged.locals[i]);
            if from == to || to == Ty::Bogus {
                continue;
            }
            let ty = self.classes.merge(from, to, false)?;
            if ty != to {
                if Rc::strong_count(&merged.locals) > 1 {
                    a.kept += count;
                }
                Rc::make_mut(&mut merged.locals)[i] = ty;
                changed = true;
            }
        }
        // Locals at the end that are of no use count as never set.
        if changed {
            let kept = merged.locals.iter().rposition(|&ty| ty != Ty::Bogus);
            Rc::make_mut(&mut merged.locals).truncate(kept.map_or(0, |last| last + 1));
        }
        Ok(changed)
    }
}

fn enter_subroutine(a: &mut Analysis, entry: u32, after: &mut State) {
    Rc::make_mut(&mut after.masks).push(Mask {
        entry,
        used: BTreeSet::new(),
    });
    // A `ret` that was seen already returns here as well.
    if let Some(ret) = a.rets[entry as usize] {
        a.changed[ret as usize] = true;
    }
}

/// Keeps the subroutines that both are in, and all locals that either used.
fn join_masks(old: &mut Rc<Vec<Mask>>, new: &[Mask]) -> bool {
    let mut merged: Vec<Mask> = Vec::new();
    for mask in old.iter() {
        if let Some(other) = new.iter().find(|m| m.entry == mask.entry) {
            merged.push(Mask {
                entry: mask.entry,
                used: mask.used.union(&other.used).copied().collect(),
            });
        }
    }
    let changed = merged != **old;
    if changed {
        *old = Rc::new(merged);
    }
    changed
}
