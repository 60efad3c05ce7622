//! The first pass of the data-flow verifier: instruction by instruction,
//! without regard to what is on the stack.

use super::super::{Checked, Member, VerifyErrorKind};
use super::types::{Element, THROWABLE, Ty};
use super::{Catch, Context, Step};
use crate::bytes::u4_at;
use crate::code::{CodeErrorKind, Operand, decode, implicit_local};
use crate::descriptor::MethodDescriptor;
use crate::opcode::*;
use crate::pool::tag;

impl Context<'_, '_, '_> {
    pub fn scan(&mut self) -> Checked<()> {
        self.decode_all()?;
        for n in 0..self.insns.len() {
            self.operands(n)?;
        }
        self.exception_table()
    }

    fn decode_all(&mut self) -> Checked<()> {
        self.numbers = vec![None; self.bytes.len()];
        let mut pc = 0;
        while pc < self.bytes.len() {
            let insn = match decode(self.bytes, pc) {
                Ok(insn) => insn,
                Err(CodeErrorKind::Truncated) if !self.switch_is_illegal(pc) => {
                    return Err(self.error(format!(
                        "Code stops in the middle of instruction  starting at offset {pc}"
                    )));
                }
                Err(_) => {
                    let message = format!("Illegal instruction found at offset {pc}");
                    return Err(self.error(message));
                }
            };
            self.numbers[pc] = Some(self.insns.len() as u32);
            pc += insn.length as usize;
            self.insns.push(Step {
                insn,
                named: Ty::Bogus,
                protected: false,
            });
        }
        Ok(())
    }

    /// A switch or `wide` whose length cannot be told, as against one that is cut off.
    fn switch_is_illegal(&self, pc: usize) -> bool {
        let aligned = (pc + 4) & !3;
        let word = |i: usize| {
            let raw = self.bytes.get(aligned + i * 4..aligned + i * 4 + 4)?;
            Some(i64::from(u4_at(raw, 0) as i32))
        };
        let count = match self.bytes[pc] {
            TABLESWITCH => word(2).zip(word(1)).map(|(high, low)| high - low),
            LOOKUPSWITCH => word(1),
            WIDE => return pc + 1 >= self.bytes.len(),
            _ => return false,
        };
        !count.is_some_and(|count| (0..=65535).contains(&count))
    }

    fn number(&self, target: i32) -> Option<u32> {
        let at = usize::try_from(target).ok()?;
        self.numbers.get(at).copied().flatten()
    }

    /// The number of the instruction at a target that was checked.
    pub fn target(&self, target: i32) -> u32 {
        self.number(target)
            .expect("heddle internal error: branch targets were checked")
    }

    fn pool_kind(&self, index: u16, kinds: &[u8]) -> Checked<()> {
        if index == 0 || index >= self.class.pool.len() {
            return Err(self.error("Illegal constant pool index"));
        }
        if !kinds.contains(&self.class.pool.tag(index)) {
            return Err(self.error("Illegal type in constant pool"));
        }
        Ok(())
    }

    fn operands(&mut self, n: usize) -> Checked<()> {
        let insn = self.insns[n].insn;
        let op = insn.opcode;
        match insn.operand {
            Operand::Branch(target) => {
                if self.number(target).is_none() {
                    return Err(self.error("Illegal target of jump or branch"));
                }
            }
            Operand::Table(_) | Operand::Lookup(_) => self.switch(insn.operand)?,
            Operand::Constant(index) => self.constant(n, op, index)?,
            Operand::Interface { index, .. } | Operand::Dynamic { index, .. } => {
                self.call(n, op, index)?;
            }
            Operand::MultiArray { index, dimensions } => {
                self.pool_kind(index, &[tag::CLASS])?;
                let ty = self.classes.of_name(self.class.pool.class_name(index));
                if dimensions > ty.dimensions() || dimensions == 0 {
                    return Err(self.error("Illegal dimension argument"));
                }
                self.insns[n].named = ty;
            }
            Operand::ArrayType(code) => {
                let Some(&letter) = b"ZCFDBSIJ".get(usize::from(code).wrapping_sub(4)) else {
                    return Err(self.error("Bad type passed to newarray"));
                };
                self.insns[n].named = Ty::Reference(1, Element::Primitive(letter));
            }
            Operand::Local(index) | Operand::Increment { local: index, .. } => {
                self.local(op, index)?;
            }
            Operand::None => {
                if let Some(index) = implicit_local(op) {
                    self.local(op, index)?;
                }
            }
            Operand::Int(_) => {}
        }
        Ok(())
    }

    fn local(&self, op: u8, index: u16) -> Checked<()> {
        let wide = match op {
            LLOAD | DLOAD | LSTORE | DSTORE => true,
            ILOAD_0..=ALOAD_3 => matches!((op - ILOAD_0) / 4, 1 | 3),
            ISTORE_0..=ASTORE_3 => matches!((op - ISTORE_0) / 4, 1 | 3),
            _ => false,
        };
        if u32::from(index) + u32::from(wide) >= u32::from(self.code.max_locals) {
            return Err(self.error("Illegal local variable number"));
        }
        Ok(())
    }

    fn constant(&mut self, n: usize, op: u8, index: u16) -> Checked<()> {
        match op {
            LDC | LDC_W => {
                let mut kinds = vec![tag::INTEGER, tag::FLOAT, tag::STRING];
                if self.class.major >= 49 {
                    kinds.push(tag::CLASS);
                }
                self.pool_kind(index, &kinds)
            }
            LDC2_W => self.pool_kind(index, &[tag::LONG, tag::DOUBLE]),
            GETSTATIC..=PUTFIELD => {
                self.pool_kind(index, &[tag::FIELD_REF])?;
                let (class, name, desc) = self.class.pool.member(index);
                self.insns[n].named = self.classes.of_name(class);
                if op == GETFIELD || op == PUTFIELD {
                    self.set_protected(n, class, Member::Field(name, desc))?;
                }
                Ok(())
            }
            INVOKEVIRTUAL..=INVOKESTATIC => self.call(n, op, index),
            _ => {
                self.pool_kind(index, &[tag::CLASS])?;
                let ty = self.classes.of_name(self.class.pool.class_name(index));
                if op == NEW && ty.dimensions() > 0 {
                    return Err(self.error("Illegal creation of multi-dimensional array"));
                }
                let Ty::Reference(dimensions, element) = ty else {
                    return Ok(());
                };
                self.insns[n].named = ty;
                if op == ANEWARRAY {
                    let Some(dimensions) = dimensions.checked_add(1) else {
                        return Err(self.error("Array with too many dimensions"));
                    };
                    self.insns[n].named = Ty::Reference(dimensions, element);
                }
                Ok(())
            }
        }
    }

    fn set_protected(&mut self, n: usize, class: &[u8], member: Member<'_>) -> Checked<()> {
        let env = self.classes.env;
        if env.has_superclass(class) && env.is_protected_elsewhere(class, member)? {
            self.insns[n].protected = true;
        }
        Ok(())
    }

    fn call(&mut self, n: usize, op: u8, index: u16) -> Checked<()> {
        match op {
            INVOKEINTERFACE => self.pool_kind(index, &[tag::INTERFACE_METHOD_REF])?,
            INVOKEDYNAMIC => {
                return Err(self
                    .error("invokedynamic bytecode is not supported in this class file version"));
            }
            _ => self.pool_kind(index, &[tag::METHOD_REF])?,
        }
        let (class, name, desc) = self.class.pool.member(index);
        let named = self.classes.of_name(class);
        self.insns[n].named = named;
        if name == b"<init>" {
            if op != INVOKESPECIAL {
                return Err(self.error("Must call initializers using invokespecial"));
            }
        } else if name.first() == Some(&b'<') {
            return Err(self.error("Illegal call to internal method"));
        } else if op == INVOKESPECIAL
            && named != self.this
            && Some(named) != self.super_class
            && !self.classes.env.has_superclass(class)
        {
            return Err(self.error("Illegal use of nonvirtual function call"));
        }
        if let Operand::Interface { count, zero, .. } = self.insns[n].insn.operand {
            let slots = MethodDescriptor::parse(desc).map_or(0, |d| d.slots);
            if u16::from(count) != slots + 1 {
                return Err(self.error("Inconsistent args_size for invokeinterface"));
            }
            if zero != 0 {
                return Err(self.error("Fourth operand byte of invokeinterface must be zero"));
            }
        }
        if op == INVOKEVIRTUAL || op == INVOKESPECIAL {
            self.set_protected(n, class, Member::Method(name, desc))?;
        }
        Ok(())
    }

    fn switch(&self, operand: Operand<'_>) -> Checked<()> {
        let (padding_is_zero, default) = match operand {
            Operand::Table(s) => (s.padding_is_zero, s.default),
            Operand::Lookup(s) => (s.padding_is_zero, s.default),
            _ => return Ok(()),
        };
        if self.class.major < 51 && !padding_is_zero {
            return Err(self.error("Non zero padding bytes in switch"));
        }
        if let Operand::Lookup(s) = operand {
            let keys = || s.pairs().map(|(key, _)| key);
            if keys().zip(keys().skip(1)).any(|(a, b)| a >= b) {
                return Err(self.error("Unsorted lookup switch"));
            }
        }
        if self.number(default).is_none() {
            return Err(self.error("Illegal default target in switch"));
        }
        let legal = match operand {
            Operand::Table(s) => s.targets().all(|t| self.number(t).is_some()),
            Operand::Lookup(s) => s.pairs().all(|(_, t)| self.number(t).is_some()),
            _ => true,
        };
        if !legal {
            return Err(self.error("Illegal branch in tableswitch"));
        }
        Ok(())
    }

    fn exception_table(&mut self) -> Checked<()> {
        let format = VerifyErrorKind::ClassFormatError;
        for handler in &self.code.handlers {
            let start = self.number(handler.start.into());
            let end = if usize::from(handler.end) == self.bytes.len() {
                Some(self.insns.len() as u32)
            } else {
                self.number(handler.end.into())
            };
            let (Some(start), Some(end)) = (start, end) else {
                return Err(self.fault(format, "Illegal exception table range"));
            };
            // HotSpot's library refuses a handler at the very start.
            let target = self.number(handler.target.into()).filter(|&t| t > 0);
            let Some(target) = target else {
                return Err(self.fault(format, "Illegal exception table handler"));
            };
            let mut thrown = THROWABLE;
            if handler.catch_type != 0 {
                let name = self.class.pool.class_name(handler.catch_type);
                thrown = self.classes.of_name(name);
                if !self.classes.is_assignable(thrown, THROWABLE)? {
                    return Err(self.error("catch_type not a subclass of Throwable"));
                }
            }
            self.handlers.push(Catch {
                start,
                end,
                target,
                thrown,
            });
        }
        Ok(())
    }
}
