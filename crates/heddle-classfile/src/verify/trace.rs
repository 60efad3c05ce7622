//! The types in a method, followed by the steps of the type checker.
//!
//! Who edits a method must know the types at some places, but has no classes to
//! ask: here every class may stand for every other. Code that the verifier
//! accepts has the same types without its checks; code that it does not accept
//! may have any.

use super::method::{MethodVerifier, Scratch};
use super::{Checked, Hierarchy, Member, NeedsClass, Reject};
use crate::class::{ClassFile, Code, Method};
use crate::code::{Insn, Operand};
use crate::descriptor::FieldType;
use crate::opcode::{JSR, JSR_W};

pub(crate) use super::frame::View;
pub(crate) use super::types::{Element, OBJECT, THROWABLE, Type};

/// The types before the next instruction of a method.
pub(crate) struct Trace<'a> {
    v: MethodVerifier<'a>,
}

/// Everything is an interface, and interfaces take everything.
struct Unknown;

impl Hierarchy for Unknown {
    fn is_interface(&self, _: &[u8]) -> Result<bool, NeedsClass> {
        Ok(true)
    }

    fn is_subclass(&self, _: &[u8], _: &[u8]) -> Result<bool, NeedsClass> {
        Ok(true)
    }

    fn superclass(&self, _: &[u8]) -> Result<Option<Vec<u8>>, NeedsClass> {
        Ok(None)
    }

    fn has_superclass(&self, _: &[u8]) -> bool {
        false
    }

    fn is_protected_elsewhere(&self, _: &[u8], _: Member<'_>) -> Result<bool, NeedsClass> {
        Ok(false)
    }
}

impl<'a> Trace<'a> {
    /// At the entry of a method. `code` gives the limits and the stack map and
    /// must have no handlers, for which the frames would be asked; `bytes` are
    /// the instructions.
    pub fn new(
        class: &'a ClassFile,
        method: &'a Method,
        code: &'a Code,
        bytes: &'a [u8],
    ) -> Trace<'a> {
        debug_assert!(code.handlers.is_empty());
        let scratch = &mut Scratch::default();
        let mut v = MethodVerifier::new(class, &Unknown, method, code, bytes, scratch);
        v.enter();
        Trace { v }
    }

    /// Back to the entry.
    pub fn enter(&mut self) {
        self.v.enter();
    }

    /// Reads the stack map.
    pub fn read_maps(&mut self) -> Result<(), String> {
        let read = self.v.find_instructions();
        read.and_then(|()| self.v.read_maps()).map_err(words)
    }

    pub fn maps(&self) -> impl ExactSizeIterator<Item = View<'_, 'a>> {
        (0..self.v.maps.len()).map(|i| self.v.maps.view(i))
    }

    /// Where the frame with this number is.
    pub fn map_place(&self, number: usize) -> Option<u32> {
        (number < self.v.maps.len()).then(|| self.v.maps.offset(number))
    }

    /// Goes on with the frame with this number, which must exist.
    pub fn assume_map(&mut self, number: usize) {
        self.v.frame.become_view(self.v.maps.view(number));
    }

    /// Locals are shown up to the last that was used.
    pub fn types(&self) -> View<'_, 'a> {
        let frame = &self.v.frame;
        View {
            stack: &frame.stack[..frame.height],
            ..frame.view()
        }
    }

    /// Goes on with these types; `false` if the method has no room for them.
    pub fn assume(&mut self, types: View<'_, 'a>) -> bool {
        let frame = &mut self.v.frame;
        if types.locals.len() > frame.locals.len() || types.stack.len() > frame.stack.len() {
            return false;
        }
        frame.become_view(types);
        true
    }

    /// Follows one instruction. Whether the next can be reached from it.
    pub fn step(&mut self, pc: u32, insn: &Insn<'a>) -> Result<bool, String> {
        self.v.frame.offset = pc;
        self.v.frame.mark = self.v.frame.height;
        self.v.dead = false;
        self.advance(insn).map_err(words)?;
        Ok(!self.v.dead)
    }

    fn advance(&mut self, insn: &Insn<'a>) -> Checked<()> {
        match insn.operand {
            Operand::Branch(_) if insn.opcode != JSR && insn.opcode != JSR_W => {
                self.v.pop_condition(insn.opcode)
            }
            Operand::Table(_) | Operand::Lookup(_) => {
                self.v.pop(Type::Integer)?;
                self.v.dead = true;
                Ok(())
            }
            _ => self.v.step(insn),
        }
    }
}

/// What is known before one instruction.
pub struct TypesAt<'t> {
    pub pc: u32,
    /// One entry per local variable; the second of a long or double is
    /// `Unusable`, and so are those beyond the end.
    pub locals: &'t [ValueType<'t>],
    /// One entry per value, the topmost last.
    pub stack: &'t [ValueType<'t>],
}

/// The type of a value, to be shown outside of the verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType<'t> {
    Unusable,
    Int,
    Long,
    Float,
    Double,
    Null,
    /// `this` in a constructor that has not called another yet.
    UninitializedThis,
    /// The object of the `new` at this place, whose constructor was not called yet.
    Uninitialized(u32),
    /// The address that a subroutine returns to (before version 50).
    ReturnAddress,
    /// A class by its internal name. Where paths meet in files before version
    /// 50, this may be `java/lang/Object` although more could be known.
    Object(&'t [u8]),
    /// Dimensions and element.
    Array(u8, FieldType<'t>),
}

impl TypesAt<'_> {
    /// The value `depth` values below the top.
    pub fn below_top(&self, depth: usize) -> Option<ValueType<'_>> {
        self.stack.iter().rev().nth(depth).copied()
    }
}

impl ValueType<'_> {
    /// Can it be passed to a method that takes an object?
    pub fn is_initialized_reference(self) -> bool {
        matches!(
            self,
            ValueType::Null | ValueType::Object(_) | ValueType::Array(..)
        )
    }

    /// Words on the stack.
    pub fn slots(self) -> u16 {
        match self {
            ValueType::Long | ValueType::Double => 2,
            _ => 1,
        }
    }
}

impl<'a> Type<'a> {
    pub(crate) fn shown(self) -> ValueType<'a> {
        match self {
            Type::Integer => ValueType::Int,
            Type::Float => ValueType::Float,
            Type::Long => ValueType::Long,
            Type::Double => ValueType::Double,
            Type::Null => ValueType::Null,
            Type::UninitializedThis => ValueType::UninitializedThis,
            Type::Uninitialized(pc) => ValueType::Uninitialized(pc.into()),
            Type::Class(name) => ValueType::Object(name),
            Type::Array(dimensions, element) => {
                let element = match element {
                    Element::Class(name) => FieldType::Object(name),
                    Element::Primitive(letter) => FieldType::of_letter(letter),
                };
                ValueType::Array(dimensions, element)
            }
            _ => ValueType::Unusable,
        }
    }
}

/// The types in the code of a method that has no stack map, found by inference
/// and shown for what can be reached.
pub(crate) fn infer(
    class: &ClassFile,
    method: &Method,
    code: &Code,
    see: &mut dyn FnMut(&TypesAt<'_>),
) -> Result<(), String> {
    super::inference::show(class, method, code, &Unknown, see).map_err(words)
}

/// The first line: the rest shows the method.
fn words(reject: Reject) -> String {
    match reject {
        Reject::Needs(name) => crate::mutf8::to_string_lossy(&name),
        Reject::Fault { message, .. } => message.lines().next().unwrap_or("").to_owned(),
    }
}
