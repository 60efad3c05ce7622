//! Code to insert: instructions with labels and handlers of their own.
//!
//! A snippet is written once with a [`SnippetBuilder`] and inserted any number
//! of times, but only into methods of the class whose [`ClassEdit`] it was
//! built for: its constants are those of that class. Constants are chosen when
//! they are asked for; branches stay symbolic, since they may have to be long.
//!
//! The builder keeps the height of the operand stack, relative to the place of
//! insertion, to find out how much more stack a method needs. What is wrong
//! with a snippet is reported when the class is written.
//!
//! [`ClassEdit`]: super::ClassEdit

use super::constants::Constants;
use crate::descriptor::{FieldType, MethodDescriptor, parse_field};
use crate::opcode::*;
use std::rc::Rc;

/// Finished code to insert; cloning is cheap.
#[derive(Clone, Debug)]
pub struct Snippet(pub(super) Rc<Body>);

/// Writes a snippet, instruction by instruction.
pub struct SnippetBuilder<'e, 'c> {
    constants: &'e mut Constants<'c>,
    body: Body,
    /// Above the height at the start; negative when the snippet consumed what
    /// it found.
    height: i32,
    peak: i32,
    /// The height at each label, once it is known.
    labels: Vec<Option<i32>>,
}

/// A place in a snippet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(pub(super) u16);

/// What a local variable or an element of the stack holds, as far as loads,
/// stores and returns care.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Int,
    Long,
    Float,
    Double,
    Reference,
}

#[derive(Debug, Default)]
pub(super) struct Body {
    pub bytes: Vec<u8>,
    pub ops: Vec<Op>,
    pub labels: u16,
    pub catches: Vec<Catch>,
    /// How many words of stack it needs above the height at its start.
    pub peak: u16,
    /// One more than the greatest local variable that it uses.
    pub locals: u32,
    /// The height at its end.
    pub net: i32,
    /// Control reaches its end.
    pub falls_through: bool,
    pub fault: Option<&'static str>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// Instructions without branches: a range of `Body::bytes`. The last may
    /// be a return or a throw.
    Code {
        start: u32,
        end: u32,
        ends: bool,
    },
    Branch {
        op: u8,
        to: To,
    },
    Bind(Label),
    /// The instruction that the snippet stands for.
    Original,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum To {
    Label(Label),
    /// An instruction of the method, with what is inserted before it.
    Instruction(u32),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Catch {
    pub start: Label,
    pub end: Label,
    pub target: Label,
    /// An index of the constant pool, 0 for everything.
    pub class: u16,
}

impl Kind {
    pub fn of(ty: FieldType<'_>) -> Kind {
        match ty {
            FieldType::Long => Kind::Long,
            FieldType::Float => Kind::Float,
            FieldType::Double => Kind::Double,
            FieldType::Object(_) | FieldType::Array(_) => Kind::Reference,
            _ => Kind::Int,
        }
    }

    /// Words on the stack, or local variables.
    pub fn slots(self) -> u16 {
        match self {
            Kind::Long | Kind::Double => 2,
            _ => 1,
        }
    }

    /// The `return` instruction for a value.
    pub fn return_opcode(self) -> u8 {
        IRETURN + self as u8
    }
}

impl Snippet {
    pub fn is_empty(&self) -> bool {
        self.0.ops.is_empty()
    }

    /// Whether control can reach the end.
    pub fn falls_through(&self) -> bool {
        self.0.falls_through
    }
}

/// Constants and locals.
impl<'e, 'c> SnippetBuilder<'e, 'c> {
    pub(super) fn new(constants: &'e mut Constants<'c>) -> Self {
        SnippetBuilder {
            constants,
            body: Body {
                falls_through: true,
                ..Body::default()
            },
            height: 0,
            peak: 0,
            labels: Vec::new(),
        }
    }

    /// The pool that this snippet's constants come from.
    pub fn constants(&mut self) -> &mut Constants<'c> {
        self.constants
    }

    pub fn int(&mut self, value: i32) -> &mut Self {
        match value {
            -1..=5 => self.emit(&[(i32::from(ICONST_0) + value) as u8], 0, 1),
            -128..=127 => self.emit(&[BIPUSH, value as u8], 0, 1),
            -32768..=32767 => {
                let bytes = (value as i16).to_be_bytes();
                self.emit(&[SIPUSH, bytes[0], bytes[1]], 0, 1)
            }
            _ => {
                let index = self.constants.integer(value);
                self.ldc(index)
            }
        }
    }

    pub fn long(&mut self, value: i64) -> &mut Self {
        if value == 0 || value == 1 {
            return self.emit(&[LCONST_0 + value as u8], 0, 2);
        }
        let index = self.constants.long(value);
        self.indexed(LDC2_W, index, 0, 2)
    }

    pub fn string(&mut self, text: &str) -> &mut Self {
        let index = self.constants.string(text);
        self.ldc(index)
    }

    /// A class object; only from version 49 on.
    pub fn class_object(&mut self, name: impl AsRef<[u8]>) -> &mut Self {
        let index = self.constants.class(name);
        self.ldc(index)
    }

    pub fn null(&mut self) -> &mut Self {
        self.op(ACONST_NULL)
    }

    fn ldc(&mut self, index: u16) -> &mut Self {
        match u8::try_from(index) {
            Ok(short) => self.emit(&[LDC, short], 0, 1),
            Err(_) => self.indexed(LDC_W, index, 0, 1),
        }
    }

    pub fn load(&mut self, kind: Kind, local: u16) -> &mut Self {
        self.uses_local(local, kind.slots());
        let short = ILOAD_0 + kind as u8 * 4;
        self.local(ILOAD + kind as u8, short, local, 0, kind.slots().into())
    }

    pub fn store(&mut self, kind: Kind, local: u16) -> &mut Self {
        self.uses_local(local, kind.slots());
        let short = ISTORE_0 + kind as u8 * 4;
        self.local(ISTORE + kind as u8, short, local, kind.slots().into(), 0)
    }

    fn uses_local(&mut self, local: u16, slots: u16) {
        let end = u32::from(local) + u32::from(slots);
        self.body.locals = self.body.locals.max(end);
    }

    fn local(&mut self, op: u8, short: u8, local: u16, pops: i32, pushes: i32) -> &mut Self {
        let [high, low] = local.to_be_bytes();
        match local {
            0..=3 => self.emit(&[short + low], pops, pushes),
            4..=255 => self.emit(&[op, low], pops, pushes),
            _ => self.emit(&[WIDE, op, high, low], pops, pushes),
        }
    }

    /// Adds to an `int` variable.
    pub fn increment(&mut self, local: u16, by: i16) -> &mut Self {
        self.uses_local(local, 1);
        match (u8::try_from(local), i8::try_from(by)) {
            (Ok(local), Ok(by)) => self.emit(&[IINC, local, by as u8], 0, 0),
            _ => {
                let ([a, b], [c, d]) = (local.to_be_bytes(), by.to_be_bytes());
                self.emit(&[WIDE, IINC, a, b, c, d], 0, 0)
            }
        }
    }
}

/// Operations.
impl SnippetBuilder<'_, '_> {
    /// An instruction without operands: stack shuffling, arithmetic, arrays,
    /// `monitorenter`, returns, `athrow`.
    pub fn op(&mut self, opcode: u8) -> &mut Self {
        let Some((pops, pushes)) = super::effect::plain(opcode) else {
            return self.fault("an instruction with operands was given without them");
        };
        self.emit(&[opcode], pops, pushes);
        if let (IRETURN..=RETURN | ATHROW, Some(Op::Code { ends, .. })) =
            (opcode, self.body.ops.last_mut())
        {
            *ends = true;
            self.body.falls_through = false;
        }
        self
    }

    pub fn get_static(
        &mut self,
        class: impl AsRef<[u8]>,
        name: impl AsRef<[u8]>,
        desc: impl AsRef<[u8]>,
    ) -> &mut Self {
        self.field(GETSTATIC, class.as_ref(), name.as_ref(), desc.as_ref())
    }

    pub fn put_static(
        &mut self,
        class: impl AsRef<[u8]>,
        name: impl AsRef<[u8]>,
        desc: impl AsRef<[u8]>,
    ) -> &mut Self {
        self.field(PUTSTATIC, class.as_ref(), name.as_ref(), desc.as_ref())
    }

    pub fn get_field(
        &mut self,
        class: impl AsRef<[u8]>,
        name: impl AsRef<[u8]>,
        desc: impl AsRef<[u8]>,
    ) -> &mut Self {
        self.field(GETFIELD, class.as_ref(), name.as_ref(), desc.as_ref())
    }

    pub fn put_field(
        &mut self,
        class: impl AsRef<[u8]>,
        name: impl AsRef<[u8]>,
        desc: impl AsRef<[u8]>,
    ) -> &mut Self {
        self.field(PUTFIELD, class.as_ref(), name.as_ref(), desc.as_ref())
    }

    fn field(&mut self, op: u8, class: &[u8], name: &[u8], desc: &[u8]) -> &mut Self {
        let Some(ty) = parse_field(desc) else {
            return self.fault("a field's descriptor is malformed");
        };
        let index = self.constants.field_ref(class, name, desc);
        let slots = i32::from(ty.slots());
        let (pops, pushes) = match op {
            GETSTATIC => (0, slots),
            PUTSTATIC => (slots, 0),
            GETFIELD => (1, slots),
            _ => (slots + 1, 0),
        };
        self.indexed(op, index, pops, pushes)
    }

    pub fn invoke_static(
        &mut self,
        class: impl AsRef<[u8]>,
        name: impl AsRef<[u8]>,
        desc: impl AsRef<[u8]>,
    ) -> &mut Self {
        let desc = desc.as_ref();
        let index = self.constants.method_ref(class, name, desc);
        self.invoke(INVOKESTATIC, index, desc)
    }

    /// A static method of an interface; only from version 52 on.
    pub fn invoke_static_of_interface(
        &mut self,
        class: impl AsRef<[u8]>,
        name: impl AsRef<[u8]>,
        desc: impl AsRef<[u8]>,
    ) -> &mut Self {
        let desc = desc.as_ref();
        let index = self.constants.interface_method_ref(class, name, desc);
        self.invoke(INVOKESTATIC, index, desc)
    }

    pub fn invoke_virtual(
        &mut self,
        class: impl AsRef<[u8]>,
        name: impl AsRef<[u8]>,
        desc: impl AsRef<[u8]>,
    ) -> &mut Self {
        let desc = desc.as_ref();
        let index = self.constants.method_ref(class, name, desc);
        self.invoke(INVOKEVIRTUAL, index, desc)
    }

    pub fn invoke_special(
        &mut self,
        class: impl AsRef<[u8]>,
        name: impl AsRef<[u8]>,
        desc: impl AsRef<[u8]>,
    ) -> &mut Self {
        let desc = desc.as_ref();
        let index = self.constants.method_ref(class, name, desc);
        self.invoke(INVOKESPECIAL, index, desc)
    }

    pub fn invoke_interface(
        &mut self,
        class: impl AsRef<[u8]>,
        name: impl AsRef<[u8]>,
        desc: impl AsRef<[u8]>,
    ) -> &mut Self {
        let desc = desc.as_ref();
        let index = self.constants.interface_method_ref(class, name, desc);
        self.invoke(INVOKEINTERFACE, index, desc)
    }

    /// A call with a constant that is in the pool already, such as that of an
    /// instruction that is replaced: any call but `invokedynamic`.
    pub fn invoke(&mut self, opcode: u8, index: u16, desc: &[u8]) -> &mut Self {
        let Some(signature) = MethodDescriptor::parse(desc) else {
            return self.fault("a method's descriptor is malformed");
        };
        let receiver = i32::from(opcode != INVOKESTATIC);
        let pops = i32::from(signature.slots) + receiver;
        let pushes = signature.result.map_or(0, |ty| i32::from(ty.slots()));
        if opcode == INVOKEINTERFACE {
            let [high, low] = index.to_be_bytes();
            return self.emit(&[opcode, high, low, pops as u8, 0], pops, pushes);
        }
        self.indexed(opcode, index, pops, pushes)
    }

    /// `invokedynamic`, with a constant that is in the pool already.
    pub fn invoke_dynamic(&mut self, index: u16, desc: &[u8]) -> &mut Self {
        let Some(signature) = MethodDescriptor::parse(desc) else {
            return self.fault("a call site's descriptor is malformed");
        };
        let pushes = signature.result.map_or(0, |ty| i32::from(ty.slots()));
        let [high, low] = index.to_be_bytes();
        let bytes = [INVOKEDYNAMIC, high, low, 0, 0];
        self.emit(&bytes, i32::from(signature.slots), pushes)
    }

    pub fn new_object(&mut self, class: impl AsRef<[u8]>) -> &mut Self {
        let index = self.constants.class(class);
        self.indexed(NEW, index, 0, 1)
    }

    pub fn check_cast(&mut self, class: impl AsRef<[u8]>) -> &mut Self {
        let index = self.constants.class(class);
        self.indexed(CHECKCAST, index, 1, 1)
    }

    pub fn instance_of(&mut self, class: impl AsRef<[u8]>) -> &mut Self {
        let index = self.constants.class(class);
        self.indexed(INSTANCEOF, index, 1, 1)
    }

    /// An array of references to `class`.
    pub fn new_array_of(&mut self, class: impl AsRef<[u8]>) -> &mut Self {
        let index = self.constants.class(class);
        self.indexed(ANEWARRAY, index, 1, 1)
    }

    /// The instruction that is replaced by this snippet, unchanged. Behind one
    /// that does not go on, what follows is left out up to a label that is
    /// reached otherwise, so that one snippet serves all instructions.
    pub fn original(&mut self) -> &mut Self {
        self.body.ops.push(Op::Original);
        // What it leaves is covered by the method's own limit; what was pushed
        // before still lies below that.
        self.height = self.height.max(0);
        self
    }

    /// The instructions of another snippet of the same class.
    pub fn append(&mut self, other: &Snippet) -> &mut Self {
        let other = &other.0;
        let (bytes, labels) = (self.body.bytes.len() as u32, self.labels.len() as u16);
        let moved = |label: Label| Label(label.0 + labels);
        self.body.bytes.extend_from_slice(&other.bytes);
        self.body.ops.extend(other.ops.iter().map(|op| match *op {
            Op::Code { start, end, ends } => Op::Code {
                start: start + bytes,
                end: end + bytes,
                ends,
            },
            Op::Branch { op, to } => Op::Branch {
                op,
                to: match to {
                    To::Label(label) => To::Label(moved(label)),
                    place => place,
                },
            },
            Op::Bind(label) => Op::Bind(moved(label)),
            Op::Original => Op::Original,
        }));
        self.body
            .catches
            .extend(other.catches.iter().map(|c| Catch {
                start: moved(c.start),
                end: moved(c.end),
                target: moved(c.target),
                class: c.class,
            }));
        self.labels.extend((0..other.labels).map(|_| Some(0)));
        self.peak = self.peak.max(self.height + i32::from(other.peak));
        self.body.locals = self.body.locals.max(other.locals);
        self.height += other.net;
        self.body.falls_through &= other.falls_through;
        self.body.fault = self.body.fault.or(other.fault);
        self
    }
}

/// Control flow.
impl SnippetBuilder<'_, '_> {
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        // More than 65,535 are a fault of the finished snippet.
        Label((self.labels.len() - 1) as u16)
    }

    /// The label is here.
    pub fn bind(&mut self, label: Label) -> &mut Self {
        self.body.ops.push(Op::Bind(label));
        match self.labels.get_mut(usize::from(label.0)) {
            Some(Some(height)) if !self.body.falls_through => self.height = *height,
            Some(height) => *height = Some(self.height),
            None => return self.fault("a label belongs to another snippet"),
        }
        self.body.falls_through = true;
        self
    }

    /// A conditional branch, or `goto`, to a label of this snippet.
    pub fn branch(&mut self, opcode: u8, to: Label) -> &mut Self {
        self.jump(opcode, To::Label(to));
        match self.labels.get_mut(usize::from(to.0)) {
            Some(height) => {
                height.get_or_insert(self.height);
            }
            None => return self.fault("a label belongs to another snippet"),
        }
        self
    }

    /// A branch to an instruction of the method, given by its place in the
    /// code as it was; code inserted before that instruction is run.
    pub fn branch_out(&mut self, opcode: u8, pc: u32) -> &mut Self {
        self.jump(opcode, To::Instruction(pc))
    }

    fn jump(&mut self, op: u8, to: To) -> &mut Self {
        let pops = match op {
            IFEQ..=IFLE | IFNULL | IFNONNULL => 1,
            IF_ICMPEQ..=IF_ACMPNE => 2,
            GOTO => 0,
            _ => return self.fault("not a branch"),
        };
        self.body.ops.push(Op::Branch { op, to });
        self.height -= pops;
        if op == GOTO {
            self.body.falls_through = false;
        }
        self
    }

    /// What is thrown from `start` up to `end` and belongs to `class`, or to any
    /// with `None`, goes to `target`, with the thrown object alone on the
    /// stack. Of several handlers the first that was added is asked first, and
    /// all are asked before those of the method. To be called before `target`
    /// is bound.
    pub fn handle(
        &mut self,
        start: Label,
        end: Label,
        target: Label,
        class: Option<&str>,
    ) -> &mut Self {
        let class = class.map_or(0, |name| self.constants.class(name));
        self.body.catches.push(Catch {
            start,
            end,
            target,
            class,
        });
        // Not less than the true height, which is that of an emptied stack.
        let thrown = self.height.max(0) + 1;
        match self.labels.get_mut(usize::from(target.0)) {
            Some(height) => *height = Some(thrown),
            None => return self.fault("a label belongs to another snippet"),
        }
        self.peak = self.peak.max(thrown);
        self
    }

    pub fn done(&mut self) -> Snippet {
        let mut body = std::mem::take(&mut self.body);
        body.labels = self.labels.len() as u16;
        body.peak = self.peak.clamp(0, 65535) as u16;
        body.net = self.height;
        if self.labels.len() > 65535 || self.peak > 65535 {
            body.fault = body.fault.or(Some("too long"));
        }
        let mut bound = vec![false; self.labels.len()];
        for op in &body.ops {
            if let Op::Bind(label) = op
                && let Some(seen) = bound.get_mut(usize::from(label.0))
                && std::mem::replace(seen, true)
            {
                body.fault = body.fault.or(Some("a label is bound twice"));
            }
        }
        if bound.contains(&false) {
            body.fault = body.fault.or(Some("a label is bound nowhere"));
        }
        self.labels.clear();
        (self.height, self.peak) = (0, 0);
        self.body.falls_through = true;
        Snippet(Rc::new(body))
    }

    fn emit(&mut self, bytes: &[u8], pops: i32, pushes: i32) -> &mut Self {
        let start = self.body.bytes.len() as u32;
        self.body.bytes.extend_from_slice(bytes);
        let end = self.body.bytes.len() as u32;
        match self.body.ops.last_mut() {
            Some(Op::Code {
                end: last,
                ends: false,
                ..
            }) if *last == start => *last = end,
            _ => self.body.ops.push(Op::Code {
                start,
                end,
                ends: false,
            }),
        }
        self.height += pushes - pops;
        self.peak = self.peak.max(self.height);
        self
    }

    fn indexed(&mut self, op: u8, index: u16, pops: i32, pushes: i32) -> &mut Self {
        let [high, low] = index.to_be_bytes();
        self.emit(&[op, high, low], pops, pushes)
    }

    #[cold]
    fn fault(&mut self, why: &'static str) -> &mut Self {
        self.body.fault.get_or_insert(why);
        self
    }
}
