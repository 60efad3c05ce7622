//! The types of locals and stack before each instruction of a method, for who
//! must know what he finds there: whether a receiver is initialized yet, how
//! many words a value has.

use super::error::EditError;
use crate::class::{ClassFile, Method};

/// What is known before one instruction.
pub struct TypesAt<'t> {
    pub pc: u32,
    /// One entry per local variable; the second of a long or double is `Unusable`.
    pub locals: &'t [ValueType<'t>],
    /// One entry per value, the topmost last.
    pub stack: &'t [ValueType<'t>],
}

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
    /// A class by its internal name, or an array by its descriptor. Where
    /// paths meet in files before version 50, this may be `java/lang/Object`
    /// although something narrower is known.
    Object(&'t [u8]),
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
        matches!(self, ValueType::Null | ValueType::Object(_))
    }
}

/// Calls `see` for every instruction that can be reached, in the order of the code.
pub fn visit_types(
    class: &ClassFile,
    method: &Method,
    see: &mut dyn FnMut(&TypesAt<'_>),
) -> Result<(), EditError> {
    let _ = (class, method, see);
    todo!("next commit")
}
