//! Where control goes: instruction starts, branches, switches, handlers.

use super::Checked;
use super::frame::{Mismatch, View, fits};
use super::method::MethodVerifier;
use super::report::{Fault, Origin, Place};
use super::types::{THROWABLE, Type};
use crate::code::{Operand, decode};
use crate::opcode::*;

impl<'a> MethodVerifier<'a> {
    /// Marks the starts of all instructions.
    pub fn find_instructions(&mut self) -> Checked<()> {
        self.starts.clear();
        self.starts.resize(self.bytes.len(), false);
        let mut pc = 0;
        while pc < self.bytes.len() {
            let length = decode(self.bytes, pc).map_or(0, |insn| insn.length as usize);
            let length = match self.bytes[pc] {
                // HotSpot wants a byte behind the count of pairs.
                LOOKUPSWITCH if pc + length == self.bytes.len() && length <= 12 => 0,
                _ if length != 0 => length,
                op => super::internal::length(op),
            };
            if length == 0 || pc + length > self.bytes.len() {
                return Err(self.error(Fault::Code(pc as u32), "Bad instruction"));
            }
            self.starts[pc] = true;
            pc += length;
        }
        Ok(())
    }

    fn is_start(&self, pc: u32) -> bool {
        self.starts.get(pc as usize).is_some_and(|&start| start)
    }

    pub fn check_handlers(&mut self) -> Checked<()> {
        let length = self.bytes.len() as u32;
        let mut covered = length..0;
        for handler in &self.code.handlers {
            let (start, end) = (u32::from(handler.start), u32::from(handler.end));
            for (what, pc, legal) in [
                ("start_pc", start, self.is_start(start)),
                ("end_pc", end, end == length || self.is_start(end)),
                (
                    "handler_pc",
                    handler.target.into(),
                    self.is_start(handler.target.into()),
                ),
            ] {
                if !legal {
                    return Err(self.bad_format(format!("Illegal exception table {what} {pc}")));
                }
            }
            if handler.catch_type != 0 {
                self.check_catch_type(handler.catch_type, handler.target)?;
            }
            covered.start = covered.start.min(start);
            covered.end = covered.end.max(end);
        }
        self.covered = covered;
        Ok(())
    }

    fn check_catch_type(&self, index: u16, target: u16) -> Checked<()> {
        let ty = Type::of_name(self.class.pool.class_name(index));
        let throwable = Type::Class(THROWABLE);
        if throwable.accepts(ty, self.env)? {
            return Ok(());
        }
        let fault = Fault::Type {
            at: u32::from(target),
            found: Origin::pool(index, ty),
            wanted: Some(Origin::implicit(throwable)),
        };
        let message =
            format!("Catch type is not a subclass of Throwable in exception handler {target}");
        Err(self.error(fault, message))
    }

    pub fn check_local_variables(&self) -> Checked<()> {
        let code_length = self.bytes.len() as u32;
        for variable in self.class.local_variables(self.code) {
            let (start, length) = (variable.start, variable.length);
            if !self.is_start(u32::from(start)) {
                let message = format!("Illegal local variable table start_pc {start}");
                return Err(self.bad_format(message));
            }
            let end = u32::from(start) + u32::from(length);
            if end != code_length && !self.is_start(end) {
                let message = format!("Illegal local variable table length {length}");
                return Err(self.bad_format(message));
            }
        }
        Ok(())
    }

    /// Compares the current frame with the map at this place, if there is one,
    /// and goes on with the map's. Gives the next frame of the map to look at.
    pub fn arrive(&mut self, next_map: usize) -> Checked<usize> {
        let pc = self.frame.offset;
        if next_map >= self.maps.len() {
            if self.dead {
                return Err(self.bad_code("Expecting a stack map frame"));
            }
            return Ok(next_map);
        }
        let offset = self.maps.offset(next_map);
        if self.dead && offset > pc {
            return Err(self.error(Fault::MissingMap(pc), "Expecting a stack map frame"));
        }
        if offset < pc {
            return Err(self.bad_format(format!("Bad stack map offset {offset}")));
        }
        if offset > pc {
            return Ok(next_map);
        }
        let map = self.maps.view(next_map);
        if !self.dead {
            let stack = &self.frame.stack[..self.frame.height];
            let flags = self.frame.this_uninitialized;
            if let Some(mismatch) = fits(&self.frame.locals, stack, flags, map, self.env)? {
                let fault = mismatch_fault(mismatch, self.frame.view(), stack, map);
                return Err(self.error(fault, "Instruction type does not match stack map"));
            }
        }
        self.frame.become_view(map);
        Ok(next_map + 1)
    }

    pub fn branch(&mut self, op: u8, target: i32) -> Checked<()> {
        self.pop_condition(op)?;
        self.jump(target)
    }

    /// What a branch takes from the stack.
    pub fn pop_condition(&mut self, op: u8) -> Checked<()> {
        match op {
            IFEQ..=IFLE => {
                self.pop(Type::Integer)?;
            }
            IF_ICMPEQ..=IF_ICMPLE => {
                self.pop(Type::Integer)?;
                self.pop(Type::Integer)?;
            }
            IF_ACMPEQ | IF_ACMPNE => {
                self.pop(Type::AnyReference)?;
                self.pop(Type::AnyReference)?;
            }
            IFNULL | IFNONNULL => {
                self.pop(Type::AnyReference)?;
            }
            _ => self.dead = true,
        }
        Ok(())
    }

    /// The current frame must fit the map at the target.
    fn jump(&self, target: i32) -> Checked<()> {
        let Some(map) = self.maps.at(i64::from(target)) else {
            let pc = self.frame.offset;
            let offset = i64::from(target) - i64::from(pc);
            if offset.abs() > 0xFFFF {
                let message =
                    format!("Illegal target of jump or branch (bci {pc} + offset {offset})");
                return Err(self.error(Fault::MapFrame(self.frame.view()), message));
            }
            let message = format!("Expecting a stackmap frame at branch target {target}");
            return Err(self.error(Fault::MissingMap(pc), message));
        };
        let stack = &self.frame.stack[..self.frame.height];
        let flags = self.frame.this_uninitialized;
        match fits(&self.frame.locals, stack, flags, map, self.env)? {
            None => Ok(()),
            Some(mismatch) => {
                let fault = mismatch_fault(mismatch, self.frame.view(), stack, map);
                let message = format!("Inconsistent stackmap frames at branch target {target}");
                Err(self.error(fault, message))
            }
        }
    }

    pub fn switch(&mut self, operand: Operand<'a>) -> Checked<()> {
        let (padding_is_zero, default) = match operand {
            Operand::Table(s) => (s.padding_is_zero, s.default),
            Operand::Lookup(s) => (s.padding_is_zero, s.default),
            _ => return Ok(()),
        };
        if self.class.major < 51 && !padding_is_zero {
            return Err(self.bad_code("Nonzero padding byte in lookupswitch or tableswitch"));
        }
        self.pop(Type::Integer)?;
        if let Operand::Lookup(s) = operand {
            let keys = || s.pairs().map(|(key, _)| key);
            if keys().zip(keys().skip(1)).any(|(a, b)| a >= b) {
                return Err(self.bad_code("Bad lookupswitch instruction"));
            }
        }
        self.jump(default)?;
        match operand {
            Operand::Table(s) => {
                for target in s.targets() {
                    self.jump(target)?;
                }
            }
            Operand::Lookup(s) => {
                for (_, target) in s.pairs() {
                    self.jump(target)?;
                }
            }
            _ => {}
        }
        self.dead = true;
        Ok(())
    }

    /// The current locals must fit the maps of all handlers of this place.
    pub fn check_handler_frames(&self, this_was_uninitialized: bool) -> Checked<()> {
        let pc = self.frame.offset;
        for handler in &self.code.handlers {
            if !(u32::from(handler.start)..u32::from(handler.end)).contains(&pc) {
                continue;
            }
            let thrown = match handler.catch_type {
                0 => Type::Class(THROWABLE),
                index => Type::of_name(self.class.pool.class_name(index)),
            };
            let flags = self.frame.this_uninitialized || this_was_uninitialized;
            let mut view = View {
                offset: pc,
                this_uninitialized: flags,
                locals: &self.frame.locals[..self.frame.locals_size],
                stack: &[],
            };
            if self.code.max_stack == 0 {
                let fault = Fault::Overflow {
                    at: pc,
                    frame: view,
                };
                return Err(self.error(fault, "Operand stack overflow"));
            }
            let stack = [thrown];
            view.stack = &stack;
            let target = handler.target;
            let Some(map) = self.maps.at(i64::from(target)) else {
                let message = format!("Expecting a stackmap frame at branch target {target}");
                return Err(self.error(Fault::MissingMap(pc), message));
            };
            if let Some(mismatch) = fits(view.locals, &stack, flags, map, self.env)? {
                let fault = mismatch_fault(mismatch, view, &stack, map);
                let message =
                    format!("Stack map does not match the one at exception handler {target}");
                return Err(self.error(fault, message));
            }
        }
        Ok(())
    }

    /// Do all ways from here end in `athrow` or in a loop? Like HotSpot, this
    /// follows handlers and looks beyond a switch at the next instruction.
    pub fn ends_in_athrow(&self, start: u16) -> bool {
        let mut seen = vec![false; self.bytes.len()];
        let mut todo = vec![i64::from(start)];
        while let Some(target) = todo.pop() {
            let Some(visited) = usize::try_from(target).ok().and_then(|pc| seen.get_mut(pc)) else {
                return false;
            };
            if std::mem::replace(visited, true) {
                continue;
            }
            let pc = target as usize;
            let Ok(insn) = decode(self.bytes, pc) else {
                return false;
            };
            let covered = |h: &&crate::class::Handler| {
                (usize::from(h.start)..usize::from(h.end)).contains(&pc)
            };
            let handlers = self.code.handlers.iter().filter(covered);
            todo.extend(handlers.map(|h| i64::from(h.target)));
            let next = (pc + insn.length as usize) as i64;
            match (insn.opcode, insn.operand) {
                (RETURN, _) => return false,
                (ATHROW, _) => {}
                (GOTO | GOTO_W, Operand::Branch(target)) => todo.push(target.into()),
                (_, Operand::Branch(target)) => todo.extend([i64::from(target), next]),
                (_, Operand::Table(s)) => {
                    todo.extend(s.targets().map(i64::from));
                    todo.extend([i64::from(s.default), next]);
                }
                (_, Operand::Lookup(s)) => {
                    todo.extend(s.pairs().map(|(_, target)| i64::from(target)));
                    todo.extend([i64::from(s.default), next]);
                }
                _ => todo.push(next),
            }
        }
        true
    }
}

/// `stack` is what was compared; the view shows the one before the instruction.
fn mismatch_fault<'f, 'a>(
    mismatch: Mismatch,
    found: View<'f, 'a>,
    stack: &[Type<'a>],
    wanted: View<'f, 'a>,
) -> Fault<'f, 'a> {
    let at = wanted.offset;
    let origin = |ty, place, frame| Origin {
        ty,
        place,
        frame: Some(frame),
    };
    match mismatch {
        Mismatch::Height => Fault::Height {
            at: found.offset,
            found,
            wanted,
        },
        Mismatch::Flags => Fault::Flags { at, found, wanted },
        Mismatch::Local(i) => {
            let ty = found.locals.get(i).copied().unwrap_or(Type::Top);
            Fault::Type {
                at,
                found: origin(ty, Place::Local(i), found),
                wanted: Some(origin(wanted.locals[i], Place::MapLocal(i), wanted)),
            }
        }
        Mismatch::Stack(i) => Fault::Type {
            at,
            found: origin(stack[i], Place::Stack(i), found),
            wanted: Some(origin(wanted.stack[i], Place::MapStack(i), wanted)),
        },
    }
}
