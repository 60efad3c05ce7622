//! What instructions demand of stack and locals, and what they leave there.

use super::super::Checked;
use super::Context;
use super::flow::State;
use super::types::{Element, OBJECT, THROWABLE, Ty};
use crate::code::{Operand, implicit_local};
use crate::descriptor::{MethodDescriptor, parse_field};
use crate::opcode::*;
use crate::pool::Constant;
use std::rc::Rc;

impl Context<'_, '_, '_> {
    fn local_of(&self, n: usize) -> Option<(u8, usize)> {
        let insn = self.insns[n].insn;
        let (kind, index) = match (insn.opcode, insn.operand) {
            (ILOAD..=ALOAD, Operand::Local(index)) => (insn.opcode - ILOAD, index),
            (ISTORE..=ASTORE, Operand::Local(index)) => (insn.opcode - ISTORE, index),
            (ILOAD_0..=ALOAD_3, _) => ((insn.opcode - ILOAD_0) / 4, implicit_local(insn.opcode)?),
            (ISTORE_0..=ASTORE_3, _) => {
                ((insn.opcode - ISTORE_0) / 4, implicit_local(insn.opcode)?)
            }
            (IINC, Operand::Increment { local, .. }) => (0, local),
            (RET, Operand::Local(index)) => (5, index),
            _ => return None,
        };
        Some((kind, usize::from(index)))
    }

    pub fn is_init_call(&self, n: usize) -> bool {
        let insn = self.insns[n].insn;
        match (insn.opcode, insn.operand) {
            (INVOKESPECIAL, Operand::Constant(index)) => {
                self.class.pool.member(index).1 == b"<init>"
            }
            _ => false,
        }
    }

    /// Loads, `iinc` and `ret` find what they need.
    pub fn check_locals(&self, n: usize, state: &State) -> Checked<()> {
        let op = self.insns[n].insn.opcode;
        if matches!(op, ISTORE..=ASTORE_3) {
            return Ok(());
        }
        let Some((kind, index)) = self.local_of(n) else {
            return Ok(());
        };
        let locals = &state.locals;
        if kind == 1 || kind == 3 {
            let wanted = [[Ty::Long, Ty::Long2], [Ty::Double, Ty::Double2]][usize::from(kind / 2)];
            let next = index + 1;
            if next >= locals.len() {
                return Err(self.error(format!(
                    "Accessing value from uninitialized register pair {index}/{next}"
                )));
            }
            if locals[index..=next] != wanted {
                return Err(self.error(format!("Register pair {index}/{next} contains wrong type")));
            }
            return Ok(());
        }
        let Some(&found) = locals.get(index) else {
            let message = format!("Accessing value from uninitialized register {index}");
            return Err(self.error(message));
        };
        let right = match kind {
            0 => found == Ty::Integer,
            2 => found == Ty::Float,
            5 => matches!(found, Ty::Return(_)),
            _ => found.is_reference() || matches!(found, Ty::Init | Ty::New(_)),
        };
        if right {
            return Ok(());
        }
        Err(self.error(match found {
            Ty::Return(_) => format!("Cannot load return address from register {index}"),
            _ => format!("Register {index} contains wrong type"),
        }))
    }

    pub fn check_flags(&self, n: usize, state: &State) -> Checked<()> {
        let op = self.insns[n].insn.opcode;
        if op == RETURN && state.needs_constructor && !state.constructed {
            return Err(self.error("Constructor must call super() or this()"));
        }
        Ok(())
    }

    /// Pops, checks, changes locals and pushes.
    pub fn execute(&mut self, n: usize, before: &State, after: &mut State) -> Checked<()> {
        let insn = self.insns[n].insn;
        let op = insn.opcode;
        let named = self.insns[n].named;
        if let Some((pops, push)) = plain(op) {
            let mut machine = Stack::of(after);
            for &letter in pops.iter().rev() {
                self.pop(&mut machine, letter)?;
            }
            machine.store(after);
            return match push {
                Some(ty) => self.push(after, &[ty]),
                None => Ok(()),
            };
        }
        let mut stack = Stack::of(after);
        let mut pushes: Vec<Ty> = Vec::new();
        match (op, insn.operand) {
            (LDC | LDC_W | LDC2_W, Operand::Constant(index)) => {
                let name: &[u8] = match self.class.pool.get(index) {
                    Constant::Integer(_) => b"I",
                    Constant::Float(_) => b"F",
                    Constant::Long(_) => b"J",
                    Constant::Double(_) => b"D",
                    Constant::Class { .. } => b"Ljava/lang/Class;",
                    _ => b"Ljava/lang/String;",
                };
                pushes.extend(parse_field(name).map(|ty| self.classes.of_field(ty)));
            }
            (ILOAD..=ALOAD_3, _) => {
                if let Some((_, index)) = self.local_of(n) {
                    pushes.push(before.locals[index]);
                }
            }
            (ISTORE..=ASTORE_3, _) => {
                if let Some((kind, index)) = self.local_of(n) {
                    let ty = match kind {
                        4 => self.pop_stored(&mut stack)?,
                        _ => self.pop(&mut stack, b"ILFD"[usize::from(kind)])?,
                    };
                    set_local(after, index, ty);
                }
            }
            (IALOAD..=SALOAD, _) => {
                self.pop(&mut stack, b'I')?;
                let array = self.pop_array(&mut stack, b"ILFDABCS"[usize::from(op - IALOAD)])?;
                pushes.push(match op {
                    AALOAD => array.component(),
                    LALOAD => Ty::Long,
                    FALOAD => Ty::Float,
                    DALOAD => Ty::Double,
                    _ => Ty::Integer,
                });
            }
            (IASTORE..=SASTORE, _) => {
                let kind = usize::from(op - IASTORE);
                let value = self.pop(&mut stack, b"ILFDAIII"[kind])?;
                self.pop(&mut stack, b'I')?;
                let array = self.pop_array(&mut stack, b"ILFDABCS"[kind])?;
                if op == AASTORE {
                    if !value.is_reference() {
                        return Err(
                            self.error("Expecting reference type on operand stack in aastore")
                        );
                    }
                    if !array.component().is_reference() {
                        return Err(self.error(
                            "Component type of the array must be reference type in aastore",
                        ));
                    }
                }
            }
            (POP..=SWAP, _) => pushes = self.shuffle(op, &mut stack)?,
            (IRETURN..=RETURN, _) => self.return_value(op, &mut stack)?,
            (GETSTATIC..=PUTFIELD, Operand::Constant(index)) => {
                pushes.extend(self.field(n, index, &mut stack)?);
            }
            (INVOKEVIRTUAL..=INVOKEINTERFACE, _) => {
                pushes.extend(self.call_effect(n, &mut stack, after)?);
            }
            (NEW, _) => {
                let made = Ty::New(n as u32);
                if stack.items.contains(&made) {
                    return Err(self.error("Uninitialized object on stack at creating point"));
                }
                replace(&mut after.locals, made, Ty::Bogus);
                pushes.push(made);
            }
            (NEWARRAY | ANEWARRAY, _) => {
                self.pop(&mut stack, b'I')?;
                pushes.push(named);
            }
            (MULTIANEWARRAY, Operand::MultiArray { dimensions, .. }) => {
                for _ in 0..dimensions {
                    self.pop(&mut stack, b'I')?;
                }
                pushes.push(named);
            }
            (ARRAYLENGTH, _) => {
                self.pop_array(&mut stack, b'?')?;
                pushes.push(Ty::Integer);
            }
            (CHECKCAST, _) => {
                self.pop(&mut stack, b'A')?;
                pushes.push(named);
            }
            (INSTANCEOF, _) => {
                self.pop(&mut stack, b'A')?;
                pushes.push(Ty::Integer);
            }
            (ATHROW, _) => {
                let thrown = self.pop_item(&mut stack)?;
                if !thrown.is_reference() || thrown.dimensions() > 0 {
                    return Err(self.error("Expecting to find object on stack"));
                }
                if !self.classes.is_assignable(thrown, THROWABLE)? {
                    return Err(self.error("Can only throw Throwable objects"));
                }
            }
            (IFNULL | IFNONNULL, _) => {
                let ty = self.pop_item(&mut stack)?;
                if !ty.is_reference() && !matches!(ty, Ty::New(_) | Ty::Init) {
                    return Err(self.error("Expecting to find object/array on stack"));
                }
            }
            (JSR | JSR_W, Operand::Branch(target)) => {
                let entry = self.target(target);
                if before.is_inside(entry) {
                    return Err(self.error("Recursive call to jsr entry"));
                }
                pushes.push(Ty::Return(entry));
            }
            _ => {}
        }
        stack.store(after);
        self.push(after, &pushes)
    }

    fn push(&self, after: &mut State, pushes: &[Ty]) -> Checked<()> {
        if pushes.is_empty() {
            return Ok(());
        }
        let stack = Rc::make_mut(&mut after.stack);
        stack.extend_from_slice(pushes);
        let words: u32 = stack.iter().map(|ty| ty.slots()).sum();
        if words > u32::from(self.code.max_stack) {
            return Err(self.error("Stack size too large"));
        }
        Ok(())
    }

    fn pop_item(&self, stack: &mut Stack) -> Checked<Ty> {
        let popped = stack.items.pop();
        popped.ok_or_else(|| self.error("Unable to pop operand off an empty stack"))
    }

    fn pop(&self, stack: &mut Stack, letter: u8) -> Checked<Ty> {
        let ty = self.pop_item(stack)?;
        let (right, complaint) = match letter {
            b'I' => (ty == Ty::Integer, "Expecting to find integer on stack"),
            b'F' => (ty == Ty::Float, "Expecting to find float on stack"),
            b'L' => (ty == Ty::Long, "Expecting to find long on stack"),
            b'D' => (ty == Ty::Double, "Expecting to find double on stack"),
            _ => (ty.is_reference(), "Expecting to find object/array on stack"),
        };
        if right {
            Ok(ty)
        } else {
            Err(self.error(complaint))
        }
    }

    /// `astore` also takes what nothing else does.
    fn pop_stored(&self, stack: &mut Stack) -> Checked<Ty> {
        let ty = self.pop_item(stack)?;
        if ty.is_reference() || matches!(ty, Ty::New(_) | Ty::Init | Ty::Return(_)) {
            return Ok(ty);
        }
        Err(self.error("Expecting to find object/array on stack"))
    }

    /// With an own field, `this` may be uninitialized; as a value, that is
    /// found out later.
    fn pop_field_operand(&self, stack: &mut Stack, own: bool) -> Checked<Ty> {
        if own && stack.items.last() == Some(&Ty::Init) {
            return self.pop_item(stack);
        }
        self.pop(stack, b'A')
    }

    fn pop_array(&self, stack: &mut Stack, letter: u8) -> Checked<Ty> {
        let ty = self.pop_item(stack)?;
        let is = |letters: &[u8]| match ty {
            Ty::Reference(1, Element::Primitive(found)) => letters.contains(&found),
            _ => false,
        };
        let (right, what) = match letter {
            b'I' => (is(b"I"), "array of ints"),
            b'L' => (is(b"J"), "array of longs"),
            b'F' => (is(b"F"), "array of floats"),
            b'D' => (is(b"D"), "array of doubles"),
            b'B' => (is(b"BZ"), "array of bytes or Booleans"),
            b'C' => (is(b"C"), "array of chars"),
            b'S' => (is(b"S"), "array of shorts"),
            b'A' => (
                ty.dimensions() > 0 && !is(b"ZBCSIJFD"),
                "array of objects or arrays",
            ),
            _ => (ty.dimensions() > 0, "array"),
        };
        if right || ty == Ty::Null {
            return Ok(ty);
        }
        Err(self.error(format!("Expecting to find {what} on stack")))
    }

    /// `pop`, `pop2`, the dups and `swap`; gives what to push.
    fn shuffle(&self, op: u8, stack: &mut Stack) -> Checked<Vec<Ty>> {
        // How many words are repeated, how many lie below them.
        let (repeated, below) = match op {
            POP | DUP => (1, 0),
            POP2 | DUP2 => (2, 0),
            DUP_X1 | SWAP => (1, 1),
            DUP_X2 => (1, 2),
            DUP2_X1 => (2, 1),
            _ => (2, 2),
        };
        let top = self.pop_block(stack, repeated)?;
        let rest = self.pop_block(stack, below)?;
        Ok(match op {
            POP | POP2 => Vec::new(),
            SWAP => [top, rest].concat(),
            _ => [top.clone(), rest, top].concat(),
        })
    }

    /// Values of so many words, the lowest first.
    fn pop_block(&self, stack: &mut Stack, words: u32) -> Checked<Vec<Ty>> {
        let mut block = Vec::new();
        let mut left = words;
        while left > 0 {
            let ty = self.pop_item(stack)?;
            left = left
                .checked_sub(ty.slots())
                .ok_or_else(|| self.error("Attempt to split long or double on the stack"))?;
            block.insert(0, ty);
        }
        Ok(block)
    }

    fn return_value(&mut self, op: u8, stack: &mut Stack) -> Checked<()> {
        let right = match op {
            RETURN => self.result.is_none(),
            ARETURN => {
                let ty = self.pop(stack, b'A')?;
                match self.result {
                    Some(result) if result.is_reference() => {
                        self.classes.is_assignable(ty, result)?
                    }
                    _ => false,
                }
            }
            _ => {
                let kind = usize::from(op - IRETURN);
                let ty = self.pop(stack, b"ILFD"[kind])?;
                self.result == Some(ty)
            }
        };
        if right {
            return Ok(());
        }
        Err(self.error("Wrong return type in function"))
    }

    fn field(&mut self, n: usize, index: u16, stack: &mut Stack) -> Checked<Option<Ty>> {
        let op = self.insns[n].insn.opcode;
        let named = self.insns[n].named;
        let (class_name, name, desc) = self.class.pool.member(index);
        let Some(ty) = parse_field(desc).map(|ty| self.classes.of_field(ty)) else {
            return Ok(None);
        };
        // A constructor may set its own fields before it calls another.
        let own = op == PUTFIELD
            && class_name == self.class.name()
            && self.class.field(name, desc).is_some();
        let mut value = None;
        if op == PUTSTATIC || op == PUTFIELD {
            value = Some(match ty {
                Ty::Integer => self.pop(stack, b'I')?,
                Ty::Float => self.pop(stack, b'F')?,
                Ty::Long => self.pop(stack, b'L')?,
                Ty::Double => self.pop(stack, b'D')?,
                _ => self.pop_field_operand(stack, own)?,
            });
        }
        if op == GETFIELD || op == PUTFIELD {
            let mut object = self.pop_field_operand(stack, own)?;
            if object == Ty::Init {
                object = self.this;
            }
            if !self.classes.is_assignable(object, named)? {
                return Err(self.error("Incompatible type for getting or setting field"));
            }
            if self.insns[n].protected && !self.classes.is_assignable(object, self.this)? {
                return Err(self.error("Bad access to protected data"));
            }
        }
        match value {
            Some(value) => {
                if !self.classes.is_assignable(value, ty)? {
                    return Err(self.error("Bad type in putfield/putstatic"));
                }
                Ok(None)
            }
            None => Ok(Some(ty)),
        }
    }

    fn call_effect(
        &mut self,
        n: usize,
        stack: &mut Stack,
        after: &mut State,
    ) -> Checked<Option<Ty>> {
        let insn = self.insns[n].insn;
        let index = match insn.operand {
            Operand::Constant(index) | Operand::Interface { index, .. } => index,
            _ => return Ok(None),
        };
        let (_, name, desc) = self.class.pool.member(index);
        let Some(signature) = MethodDescriptor::parse(desc) else {
            return Ok(None);
        };
        let wanted: Vec<Ty> = signature
            .parameters()
            .map(|ty| self.classes.of_field(ty))
            .collect();
        let mut found = Vec::new();
        for ty in wanted.iter().rev() {
            let letter = match ty {
                Ty::Integer => b'I',
                Ty::Float => b'F',
                Ty::Long => b'L',
                Ty::Double => b'D',
                _ => b'A',
            };
            found.push(self.pop(stack, letter)?);
        }
        found.reverse();
        let init = name == b"<init>";
        let mut initialized = None;
        if insn.opcode != INVOKESTATIC {
            if init {
                initialized = Some(self.init_call(n, stack)?);
            } else {
                let object = self.pop(stack, b'A')?;
                self.check_receiver(n, object, name)?;
            }
        }
        for (&from, &to) in found.iter().zip(&wanted) {
            if to.is_reference() && !self.classes.is_assignable(from, to)? {
                return Err(self.error("Incompatible argument to function"));
            }
        }
        if let Some((old, new)) = initialized {
            for ty in stack.items.iter_mut().filter(|ty| **ty == old) {
                *ty = new;
            }
            replace(&mut after.locals, old, new);
            if old == Ty::Init {
                after.constructed = true;
            }
        }
        Ok(signature.result.map(|ty| self.classes.of_field(ty)))
    }

    /// Checks the call of a constructor; gives the type before and after.
    fn init_call(&mut self, n: usize, stack: &mut Stack) -> Checked<(Ty, Ty)> {
        let named = self.insns[n].named;
        let wrong = "Call to wrong initialization method";
        match self.pop_item(stack)? {
            made @ Ty::New(at) => {
                let target = self.insns[at as usize].named;
                if target != named {
                    return Err(self.error(wrong));
                }
                if self.insns[n].protected
                    && self.class.major >= 50
                    && !self.classes.is_assignable(target, self.this)?
                {
                    return Err(self.error("Bad access to protected data"));
                }
                Ok((made, target))
            }
            Ty::Init => {
                if named != self.this && Some(named) != self.super_class {
                    return Err(self.error(wrong));
                }
                Ok((Ty::Init, self.this))
            }
            _ => Err(self.error("Expecting to find unitialized object on stack")),
        }
    }

    fn check_receiver(&mut self, n: usize, object: Ty, name: &[u8]) -> Checked<()> {
        let step = &self.insns[n];
        let (named, protected, op) = (step.named, step.protected, step.insn.opcode);
        if !self.classes.is_assignable(object, named)? {
            return Err(self.error("Incompatible object argument for function call"));
        }
        if op == INVOKESPECIAL && !self.classes.is_assignable(object, self.this)? {
            return Err(self.error("Incompatible object argument for invokespecial"));
        }
        // Arrays seem to have a public clone().
        let clone = named == OBJECT && object.dimensions() > 0 && name == b"clone";
        if protected && !clone && !self.classes.is_assignable(object, self.this)? {
            return Err(self.error("Bad access to protected data"));
        }
        Ok(())
    }
}

/// The operand stack while an instruction works on it.
struct Stack {
    items: Vec<Ty>,
    shared: Rc<Vec<Ty>>,
}

impl Stack {
    fn of(state: &State) -> Stack {
        Stack {
            items: state.stack.to_vec(),
            shared: state.stack.clone(),
        }
    }

    fn store(self, state: &mut State) {
        if self.items != *self.shared {
            state.stack = Rc::new(self.items);
        }
    }
}

fn set_local(state: &mut State, index: usize, ty: Ty) {
    let words = ty.slots() as usize;
    let known = state.locals.get(index) == Some(&ty)
        && (words == 1 || state.locals.get(index + 1) == ty.second().as_ref());
    if known {
        return;
    }
    let locals = Rc::make_mut(&mut state.locals);
    if locals.len() < index + words {
        locals.resize(index + words, Ty::Bogus);
    }
    if matches!(locals[index], Ty::Long2 | Ty::Double2) && index > 0 {
        locals[index - 1] = Ty::Bogus;
    }
    let last = index + words - 1;
    // After a subroutine, halves of a pair can be apart.
    let split = locals[last].second();
    if split.is_some() && locals.get(last + 1).copied() == split {
        locals[last + 1] = Ty::Bogus;
    }
    locals[index] = ty;
    if let Some(second) = ty.second() {
        locals[index + 1] = second;
    }
}

fn replace(types: &mut Rc<Vec<Ty>>, old: Ty, new: Ty) {
    if types.contains(&old) {
        for ty in Rc::make_mut(types).iter_mut().filter(|ty| **ty == old) {
            *ty = new;
        }
    }
}

/// Instructions that pop values by letter, the last one first, and push one.
fn plain(op: u8) -> Option<(&'static [u8], Option<Ty>)> {
    use Ty::{Double as D, Float as F, Integer as I, Long as J};
    Some(match op {
        NOP | IINC | GOTO | GOTO_W | RET => (b"", None),
        ACONST_NULL => (b"", Some(Ty::Null)),
        ICONST_M1..=ICONST_5 | BIPUSH | SIPUSH => (b"", Some(I)),
        LCONST_0 | LCONST_1 => (b"", Some(J)),
        FCONST_0..=FCONST_2 => (b"", Some(F)),
        DCONST_0 | DCONST_1 => (b"", Some(D)),
        IADD | ISUB | IMUL | IDIV | IREM | ISHL | ISHR | IUSHR | IAND | IOR | IXOR => {
            (b"II", Some(I))
        }
        LADD | LSUB | LMUL | LDIV | LREM | LAND | LOR | LXOR => (b"LL", Some(J)),
        FADD | FSUB | FMUL | FDIV | FREM => (b"FF", Some(F)),
        DADD | DSUB | DMUL | DDIV | DREM => (b"DD", Some(D)),
        LSHL | LSHR | LUSHR => (b"LI", Some(J)),
        INEG | I2B | I2C | I2S => (b"I", Some(I)),
        LNEG => (b"L", Some(J)),
        FNEG => (b"F", Some(F)),
        DNEG => (b"D", Some(D)),
        I2L => (b"I", Some(J)),
        I2F => (b"I", Some(F)),
        I2D => (b"I", Some(D)),
        L2I => (b"L", Some(I)),
        L2F => (b"L", Some(F)),
        L2D => (b"L", Some(D)),
        F2I => (b"F", Some(I)),
        F2L => (b"F", Some(J)),
        F2D => (b"F", Some(D)),
        D2I => (b"D", Some(I)),
        D2L => (b"D", Some(J)),
        D2F => (b"D", Some(F)),
        LCMP => (b"LL", Some(I)),
        FCMPL | FCMPG => (b"FF", Some(I)),
        DCMPL | DCMPG => (b"DD", Some(I)),
        IFEQ..=IFLE | TABLESWITCH | LOOKUPSWITCH => (b"I", None),
        IF_ICMPEQ..=IF_ICMPLE => (b"II", None),
        IF_ACMPEQ | IF_ACMPNE => (b"AA", None),
        MONITORENTER | MONITOREXIT => (b"A", None),
        _ => return None,
    })
}
