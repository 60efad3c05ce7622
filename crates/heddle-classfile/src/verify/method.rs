//! Type checking of one method (JVMS 4.10.1.6, 4.10.1.9): the walk over its
//! instructions and all instructions that need neither members nor branches.

use super::frame::{Access, Frame};
use super::report::{self, Fault, Origin, Place};
use super::stack_map::{self, Limits, MapError, StackMaps};
use super::types::{Element, THROWABLE, Type};
use super::{Checked, Hierarchy, Reject, VerifyErrorKind};
use crate::class::{ClassFile, Code, Method};
use crate::code::{Insn, Operand, decode, implicit_local};
use crate::descriptor::{self, MethodDescriptor};
use crate::opcode::*;
use crate::pool::{Constant, tag};

/// Memory that one method leaves to the next.
#[derive(Default)]
pub(super) struct Scratch<'a> {
    frame: Frame<'a>,
    maps: StackMaps<'a>,
    starts: Vec<bool>,
}

pub(super) fn verify<'a>(
    class: &'a ClassFile,
    env: &'a dyn Hierarchy,
    method: &'a Method,
    code: &'a Code,
    scratch: &mut Scratch<'a>,
) -> Checked<()> {
    let mut v = MethodVerifier::new(class, env, method, code, class.code_bytes(code), scratch);
    let outcome = v.run();
    scratch.frame = v.frame;
    scratch.maps = v.maps;
    scratch.starts = v.starts;
    outcome
}

pub(super) struct MethodVerifier<'a> {
    pub class: &'a ClassFile,
    pub env: &'a dyn Hierarchy,
    pub method: &'a Method,
    pub code: &'a Code,
    pub bytes: &'a [u8],
    /// The class itself, initialized.
    pub this: Type<'a>,
    /// What the method returns.
    pub result: Type<'a>,
    pub frame: Frame<'a>,
    pub maps: StackMaps<'a>,
    /// Where instructions start.
    pub starts: Vec<bool>,
    /// From the first to the last instruction that any handler covers.
    pub covered: std::ops::Range<u32>,
    /// Control does not flow on to the next instruction.
    pub dead: bool,
    /// The current instruction called another constructor on `this`.
    pub this_initialized_here: bool,
}

impl<'a> MethodVerifier<'a> {
    pub fn new(
        class: &'a ClassFile,
        env: &'a dyn Hierarchy,
        method: &'a Method,
        code: &'a Code,
        bytes: &'a [u8],
        scratch: &mut Scratch<'a>,
    ) -> MethodVerifier<'a> {
        MethodVerifier {
            class,
            env,
            method,
            code,
            bytes,
            this: Type::Class(class.name()),
            result: Type::Top,
            frame: std::mem::take(&mut scratch.frame),
            maps: std::mem::take(&mut scratch.maps),
            starts: std::mem::take(&mut scratch.starts),
            covered: 0..0,
            dead: false,
            this_initialized_here: false,
        }
    }

    fn run(&mut self) -> Checked<()> {
        self.enter();
        self.find_instructions()?;
        self.check_handlers()?;
        self.check_local_variables()?;
        self.read_maps()?;
        let mut next_map = 0;
        let mut pc = 0;
        while pc < self.bytes.len() {
            self.frame.offset = pc as u32;
            self.frame.mark = self.frame.height;
            next_map = self.arrive(next_map)?;
            self.frame.mark = self.frame.height;
            let Ok(insn) = decode(self.bytes, pc) else {
                let message = format!("Bad instruction: {:02x}", self.bytes[pc]);
                return Err(self.bad_code(message));
            };
            self.this_initialized_here = false;
            let covered = self.covered.contains(&(pc as u32));
            // A store changes the locals that its handlers may see.
            let store = matches!(insn.opcode, ISTORE..=ASTORE_3);
            if covered && store {
                self.check_handler_frames(self.this_initialized_here)?;
            }
            self.dead = false;
            self.step(&insn)?;
            if covered && !store {
                self.check_handler_frames(self.this_initialized_here)?;
            }
            pc += insn.length as usize;
        }
        if !self.dead {
            let end = self.bytes.len() as u32;
            return Err(self.error(Fault::Code(end), "Control flow falls through code end"));
        }
        Ok(())
    }

    /// The frame on entry, and the result.
    pub fn enter(&mut self) {
        self.frame.reset(self.code.max_locals, self.code.max_stack);
        let pool = &self.class.pool;
        let mut locals = 0;
        let mut set = |ty: Type<'a>| {
            // The parser made room, unless it trusted the class.
            if let Some(slot) = self.frame.locals.get_mut(locals) {
                *slot = ty;
                locals += 1;
            }
        };
        if !self.method.is_static() {
            let constructor = pool.utf8(self.method.name) == b"<init>";
            if constructor && self.class.name() != super::types::OBJECT {
                set(Type::UninitializedThis);
                self.frame.this_uninitialized = true;
            } else {
                set(self.this);
            }
        }
        if let Some(desc) = MethodDescriptor::parse(pool.utf8(self.method.desc)) {
            for parameter in desc.parameters() {
                let ty = Type::of_field(parameter);
                set(ty);
                if let Some(second) = ty.second() {
                    set(second);
                }
            }
            self.result = Type::of_result(desc.result);
        }
        self.frame.locals_size = locals;
    }

    pub fn read_maps(&mut self) -> Checked<()> {
        self.maps.clear();
        let Some(span) = self.code.stack_map else {
            return Ok(());
        };
        let limits = Limits {
            class: self.class,
            code: self.bytes,
            starts: &self.starts,
            max_locals: self.code.max_locals,
            max_stack: self.code.max_stack,
        };
        let data = self.class.span(span);
        let outcome = {
            let initial = self.frame.view();
            stack_map::read(&mut self.maps, data, initial, &limits)
        };
        match outcome {
            Ok(()) => Ok(()),
            Err(MapError::Reject(reject)) => Err(reject),
            Err(MapError::Format(message)) => Err(self.bad_format(message.to_owned())),
            Err(MapError::BadOffset(message)) => {
                let fault = Fault::MapFrame(self.maps.view(self.maps.len() - 1));
                Err(self.error(fault, message))
            }
        }
    }

    pub fn step(&mut self, insn: &Insn<'a>) -> Checked<()> {
        let op = insn.opcode;
        if let Some((pops, pushes)) = plain(op) {
            for &ty in pops {
                self.pop(ty)?;
            }
            if let Some(ty) = pushes {
                self.push(ty)?;
            }
            return Ok(());
        }
        match (op, insn.operand) {
            (LDC | LDC_W | LDC2_W, Operand::Constant(index)) => self.load_constant(op, index),
            (ILOAD..=ALOAD, Operand::Local(index)) => self.load(op - ILOAD, index),
            (ILOAD_0..=ALOAD_3, _) => {
                self.load((op - ILOAD_0) / 4, implicit_local(op).unwrap_or(0))
            }
            (ISTORE..=ASTORE, Operand::Local(index)) => self.store(op - ISTORE, index),
            (ISTORE_0..=ASTORE_3, _) => {
                self.store((op - ISTORE_0) / 4, implicit_local(op).unwrap_or(0))
            }
            (IINC, Operand::Increment { local, .. }) => {
                self.local(local, Type::Integer)?;
                self.set_local(local, Type::Integer)
            }
            (IALOAD..=SALOAD, _) => self.array_load(op),
            (IASTORE..=SASTORE, _) => self.array_store(op),
            (POP2..=SWAP, _) => self.shuffle(op),
            (IRETURN..=RETURN, _) => self.return_value(op),
            (GETSTATIC..=PUTFIELD, Operand::Constant(index)) => self.field(op, index),
            (INVOKEVIRTUAL..=INVOKEDYNAMIC, operand) => self.invoke(op, operand),
            (NEW, Operand::Constant(index)) => {
                let ty = self.pool_class(index)?;
                if !matches!(ty, Type::Class(_)) {
                    let fault = Fault::Type {
                        at: self.frame.offset,
                        found: Origin::pool(index, ty),
                        wanted: None,
                    };
                    return Err(self.error(fault, "Illegal new instruction"));
                }
                self.push(Type::Uninitialized(self.frame.offset as u16))
            }
            (NEWARRAY, Operand::ArrayType(code)) => {
                let Some(&letter) = b"ZCFDBSIJ".get(usize::from(code).wrapping_sub(4)) else {
                    return Err(self.bad_code("Illegal newarray instruction"));
                };
                self.pop(Type::Integer)?;
                self.push(Type::Array(1, Element::Primitive(letter)))
            }
            (ANEWARRAY, Operand::Constant(index)) => {
                let component = self.pool_class(index)?;
                self.pop(Type::Integer)?;
                let Some(array) = component.array_of() else {
                    return Err(self.bad_code(
                        "Illegal anewarray instruction, array has more than 255 dimensions",
                    ));
                };
                self.push(array)
            }
            (MULTIANEWARRAY, Operand::MultiArray { index, dimensions }) => {
                let ty = self.pool_class(index)?;
                if !ty.is_array() {
                    let fault = Fault::Type {
                        at: self.frame.offset,
                        found: Origin::pool(index, ty),
                        wanted: None,
                    };
                    let message = "Illegal constant pool index in multianewarray instruction";
                    return Err(self.error(fault, message));
                }
                if ty.dimensions() < dimensions || dimensions == 0 {
                    return Err(self.bad_code(format!(
                        "Illegal dimension in multianewarray instruction: {dimensions}"
                    )));
                }
                for _ in 0..dimensions {
                    self.pop(Type::Integer)?;
                }
                self.push(ty)
            }
            (ARRAYLENGTH, _) => {
                let ty = self.pop(Type::AnyReference)?;
                if ty != Type::Null && !ty.is_array() {
                    return Err(self.bad_operand("arraylength", None));
                }
                self.push(Type::Integer)
            }
            (CHECKCAST | INSTANCEOF, Operand::Constant(index)) => {
                let ty = self.pool_class(index)?;
                self.pop(Type::Class(super::types::OBJECT))?;
                self.push(if op == CHECKCAST { ty } else { Type::Integer })
            }
            (ATHROW, _) => {
                self.pop(Type::Class(THROWABLE))?;
                self.dead = true;
                Ok(())
            }
            (IFEQ..=GOTO | IFNULL | IFNONNULL | GOTO_W, Operand::Branch(target)) => {
                self.branch(op, target)
            }
            (TABLESWITCH | LOOKUPSWITCH, operand) => self.switch(operand),
            // Subroutines are gone since version 50.
            _ => Err(self.bad_code(format!("Bad instruction: {op:02x}"))),
        }
    }

    fn load_constant(&mut self, op: u8, index: u16) -> Checked<()> {
        let wide = op == LDC2_W;
        let pool = &self.class.pool;
        self.pool_index(index)?;
        let ty = match pool.get(index) {
            Constant::Integer(_) if !wide => Type::Integer,
            Constant::Float(_) if !wide => Type::Float,
            Constant::Long(_) if wide => Type::Long,
            Constant::Double(_) if wide => Type::Double,
            Constant::String { .. } if !wide => Type::Class(b"java/lang/String"),
            Constant::Class { .. } if !wide => Type::Class(b"java/lang/Class"),
            Constant::MethodHandle { .. } if !wide => Type::Class(b"java/lang/invoke/MethodHandle"),
            Constant::MethodType { .. } if !wide => Type::Class(b"java/lang/invoke/MethodType"),
            Constant::Dynamic { .. } => {
                let (_, _, desc) = pool.dynamic(index);
                match descriptor::parse_field(desc).map(Type::of_field) {
                    Some(ty) if ty.is_wide() == wide => {
                        return self.push(ty);
                    }
                    _ => return Err(self.pool_kind(index)),
                }
            }
            _ => return Err(self.pool_kind(index)),
        };
        self.push(ty)
    }

    fn load(&mut self, kind: u8, index: u16) -> Checked<()> {
        let ty = self.local(index, KINDS[usize::from(kind)])?;
        self.push(ty)
    }

    fn store(&mut self, kind: u8, index: u16) -> Checked<()> {
        let ty = self.pop(KINDS[usize::from(kind)])?;
        self.set_local(index, ty)
    }

    fn array_load(&mut self, op: u8) -> Checked<()> {
        let (letters, ty) = array_kind(op - IALOAD);
        self.pop(Type::Integer)?;
        let array = self.pop(Type::AnyReference)?;
        self.check_array(op, array, letters)?;
        self.push(match (letters, array) {
            (b"L", Type::Null) => Type::Null,
            (b"L", _) => array.component(),
            _ => ty,
        })
    }

    fn array_store(&mut self, op: u8) -> Checked<()> {
        let (letters, ty) = array_kind(op - IASTORE);
        self.pop(ty)?;
        self.pop(Type::Integer)?;
        let array = self.pop(Type::AnyReference)?;
        // What may be stored in an array of references is checked at run time.
        self.check_array(op, array, letters)
    }

    fn check_array(&mut self, op: u8, array: Type<'a>, letters: &'static [u8]) -> Checked<()> {
        let (right, wanted) = match letters {
            b"L" => (
                array.is_null_or_array_of_references(),
                Some(Type::AnyReference),
            ),
            b"BZ" => (array.is_null_or_array_of(letters), None),
            _ => (
                array.is_null_or_array_of(letters),
                Some(Type::Array(1, Element::Primitive(letters[0]))),
            ),
        };
        if right {
            return Ok(());
        }
        Err(self.bad_operand(mnemonic(op).unwrap_or(""), wanted))
    }

    /// `pop2`, the dups and `swap`. HotSpot looks at whole values only where
    /// one could be split.
    fn shuffle(&mut self, op: u8) -> Checked<()> {
        // Words below those that are repeated, repeated words.
        let (below, repeated) = match op {
            POP2 => {
                self.pop_two_words(op)?;
                return Ok(());
            }
            SWAP => {
                let first = self.pop(Type::Category1)?;
                let second = self.pop(Type::Category1)?;
                self.push_word(first)?;
                return self.push_word(second);
            }
            DUP => (0, 1),
            DUP_X1 => (1, 1),
            DUP_X2 => (2, 1),
            DUP2 => (0, 2),
            DUP2_X1 => (1, 2),
            _ => (2, 2),
        };
        let mut top = [Type::Top; 2];
        let mut rest = [Type::Top; 2];
        for (words, count) in [(&mut top, repeated), (&mut rest, below)] {
            match count {
                1 => words[0] = self.pop(Type::Category1)?,
                2 => *words = self.pop_two_words(op)?,
                _ => {}
            }
        }
        for words in [&top[..repeated], &rest[..below], &top[..repeated]] {
            for &word in words.iter().rev() {
                self.push_word(word)?;
            }
        }
        Ok(())
    }

    /// Two values of one word, or one of two; the topmost word comes first.
    fn pop_two_words(&mut self, op: u8) -> Checked<[Type<'a>; 2]> {
        let first = self.pop_any()?;
        let wanted = if first.is_category1() {
            Type::Category1
        } else if first.is_second() {
            Type::Category2
        } else {
            return Err(self.bad_operand(mnemonic(op).unwrap_or(""), None));
        };
        let popped = self.frame.pop(wanted, self.env);
        Ok([first, self.access(popped)?])
    }

    fn return_value(&mut self, op: u8) -> Checked<()> {
        self.dead = true;
        if op == RETURN {
            if self.result != Type::Top {
                return Err(self.bad_code("Method expects a return value"));
            }
            let constructor = self.class.pool.utf8(self.method.name) == b"<init>";
            if constructor && self.frame.this_uninitialized {
                return Err(self.bad_code("Constructor must call super() or this() before return"));
            }
            return Ok(());
        }
        let ty = self.pop_words(KINDS[usize::from(op - IRETURN)])?;
        let message = if self.result == Type::Top {
            "Method does not expect a return value"
        } else if self.result.accepts(ty, self.env)? {
            return Ok(());
        } else {
            "Bad return type"
        };
        let fault = Fault::Type {
            at: self.frame.offset,
            found: self.popped(),
            wanted: Some(Origin {
                ty: self.result,
                place: Place::Signature,
                frame: None,
            }),
        };
        Err(self.error(fault, message))
    }
}

/// Frame and pool accesses that word their failures.
impl<'a> MethodVerifier<'a> {
    pub fn pop(&mut self, wanted: Type<'a>) -> Checked<Type<'a>> {
        let popped = self.frame.pop_value(wanted, self.env);
        self.access(popped)
    }

    pub fn pop_any(&mut self) -> Checked<Type<'a>> {
        let popped = self.frame.pop_any();
        self.access(popped)
    }

    pub fn push(&mut self, ty: Type<'a>) -> Checked<()> {
        let pushed = self.frame.push_value(ty);
        self.access(pushed)
    }

    pub fn push_word(&mut self, ty: Type<'a>) -> Checked<()> {
        let pushed = self.frame.push(ty);
        self.access(pushed)
    }

    /// Pops word by word, as HotSpot does with what a descriptor names.
    pub fn pop_words(&mut self, ty: Type<'a>) -> Checked<Type<'a>> {
        if let Some(second) = ty.second() {
            let popped = self.frame.pop(second, self.env);
            self.access(popped)?;
        }
        let popped = self.frame.pop(ty, self.env);
        self.access(popped)
    }

    /// Pushes word by word, as HotSpot does with what a descriptor names.
    pub fn push_words(&mut self, ty: Type<'a>) -> Checked<()> {
        self.push_word(ty)?;
        match ty.second() {
            Some(second) => self.push_word(second),
            None => Ok(()),
        }
    }

    fn local(&mut self, index: u16, wanted: Type<'a>) -> Checked<Type<'a>> {
        let found = self.frame.local(index, wanted, self.env);
        self.access(found)
    }

    fn set_local(&mut self, index: u16, ty: Type<'a>) -> Checked<()> {
        let set = self.frame.set_local(index, ty);
        self.access(set)
    }

    fn access<T>(&self, result: Result<T, Access<'a>>) -> Checked<T> {
        result.map_err(|access| self.access_error(access))
    }

    #[cold]
    fn access_error(&self, access: Access<'a>) -> Reject {
        let at = self.frame.offset;
        let frame = self.frame.view();
        let mismatch = |ty, place, wanted| Fault::Type {
            at,
            found: Origin {
                ty,
                place,
                frame: Some(frame),
            },
            wanted: Some(Origin::implicit(wanted)),
        };
        match access {
            Access::Reject(reject) => reject,
            Access::Underflow => {
                self.error(Fault::Underflow { at, frame }, "Operand stack underflow")
            }
            Access::Overflow => self.error(Fault::Overflow { at, frame }, "Operand stack overflow"),
            Access::Operand(top, wanted) => {
                let fault = mismatch(self.frame.stack[top], Place::Stack(top), wanted);
                self.error(fault, "Bad type on operand stack")
            }
            Access::Local(index, wanted) => {
                let fault = mismatch(self.frame.locals[index], Place::Local(index), wanted);
                self.error(fault, "Bad local variable type")
            }
            Access::Index(index, message) => self.error(Fault::Local { at, index }, message),
        }
    }

    /// The operand that was popped last.
    pub fn popped(&self) -> Origin<'_, 'a> {
        let at = self.frame.height;
        Origin {
            ty: self.frame.stack.get(at).copied().unwrap_or(Type::Top),
            place: Place::Stack(at),
            frame: Some(self.frame.view()),
        }
    }

    #[cold]
    pub fn bad_operand(&self, insn: &str, wanted: Option<Type<'a>>) -> Reject {
        let fault = Fault::Type {
            at: self.frame.offset,
            found: self.popped(),
            wanted: wanted.map(Origin::implicit),
        };
        self.error(fault, format!("Bad type on operand stack in {insn}"))
    }

    pub fn pool_index(&self, index: u16) -> Checked<()> {
        if index != 0 && index < self.class.pool.len() {
            return Ok(());
        }
        let name = report::external(self.class.name());
        let at = self.frame.offset;
        let message = format!("Illegal constant pool index {index} in class {name}");
        Err(self.error(Fault::Pool { at, index }, message))
    }

    /// The complaint that an entry is of the wrong kind.
    #[cold]
    pub fn pool_kind(&self, index: u16) -> Reject {
        let name = report::external(self.class.name());
        let at = self.frame.offset;
        let message = format!("Illegal type at constant pool entry {index} in class {name}");
        self.error(Fault::Pool { at, index }, message)
    }

    pub fn pool_class(&self, index: u16) -> Checked<Type<'a>> {
        self.pool_index(index)?;
        if self.class.pool.tag(index) != tag::CLASS {
            return Err(self.pool_kind(index));
        }
        Ok(Type::of_name(self.class.pool.class_name(index)))
    }

    #[cold]
    pub fn bad_code(&self, message: impl Into<String>) -> Reject {
        self.error(Fault::Code(self.frame.offset), message)
    }

    #[cold]
    pub fn error(&self, fault: Fault<'_, 'a>, message: impl Into<String>) -> Reject {
        let mut message = message.into();
        message += &report::details(self.class, self.method, self.code, &fault);
        Reject::Fault {
            kind: VerifyErrorKind::VerifyError,
            message,
            hint: true,
        }
    }

    /// A `ClassFormatError`.
    #[cold]
    pub fn bad_format(&self, message: String) -> Reject {
        let method = report::external_method(self.class, self.method);
        Reject::Fault {
            kind: VerifyErrorKind::ClassFormatError,
            message: format!("{message} in method '{method}'"),
            hint: true,
        }
    }
}

/// The types of `i`, `l`, `f`, `d` and `a` instructions.
const KINDS: [Type<'static>; 5] = [
    Type::Integer,
    Type::Long,
    Type::Float,
    Type::Double,
    Type::AnyReference,
];

/// Component letters and the type of an element, in the order of the opcodes.
fn array_kind(nth: u8) -> (&'static [u8], Type<'static>) {
    match nth {
        0 => (b"I", Type::Integer),
        1 => (b"J", Type::Long),
        2 => (b"F", Type::Float),
        3 => (b"D", Type::Double),
        4 => (b"L", Type::Class(super::types::OBJECT)),
        5 => (b"BZ", Type::Integer),
        6 => (b"C", Type::Integer),
        _ => (b"S", Type::Integer),
    }
}

/// Instructions that only pop some types and push one.
fn plain(op: u8) -> Option<(&'static [Type<'static>], Option<Type<'static>>)> {
    use Type::{Double as D, Float as F, Integer as I, Long as J};
    Some(match op {
        NOP => (&[], None),
        ACONST_NULL => (&[], Some(Type::Null)),
        ICONST_M1..=ICONST_5 | BIPUSH | SIPUSH => (&[], Some(I)),
        LCONST_0 | LCONST_1 => (&[], Some(J)),
        FCONST_0..=FCONST_2 => (&[], Some(F)),
        DCONST_0 | DCONST_1 => (&[], Some(D)),
        POP => (&[Type::Category1], None),
        IADD | ISUB | IMUL | IDIV | IREM | ISHL | ISHR | IUSHR | IAND | IOR | IXOR => {
            (&[I, I], Some(I))
        }
        LADD | LSUB | LMUL | LDIV | LREM | LAND | LOR | LXOR => (&[J, J], Some(J)),
        FADD | FSUB | FMUL | FDIV | FREM => (&[F, F], Some(F)),
        DADD | DSUB | DMUL | DDIV | DREM => (&[D, D], Some(D)),
        LSHL | LSHR | LUSHR => (&[I, J], Some(J)),
        INEG | I2B | I2C | I2S => (&[I], Some(I)),
        LNEG => (&[J], Some(J)),
        FNEG => (&[F], Some(F)),
        DNEG => (&[D], Some(D)),
        I2L => (&[I], Some(J)),
        I2F => (&[I], Some(F)),
        I2D => (&[I], Some(D)),
        L2I => (&[J], Some(I)),
        L2F => (&[J], Some(F)),
        L2D => (&[J], Some(D)),
        F2I => (&[F], Some(I)),
        F2L => (&[F], Some(J)),
        F2D => (&[F], Some(D)),
        D2I => (&[D], Some(I)),
        D2L => (&[D], Some(J)),
        D2F => (&[D], Some(F)),
        LCMP => (&[J, J], Some(I)),
        FCMPL | FCMPG => (&[F, F], Some(I)),
        DCMPL | DCMPG => (&[D, D], Some(I)),
        MONITORENTER | MONITOREXIT => (&[Type::AnyReference], None),
        _ => return None,
    })
}
