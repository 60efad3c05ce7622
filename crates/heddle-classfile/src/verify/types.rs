//! Verification types (JVMS 4.10.1.2) and what may be assigned to what.
//!
//! Arrays are a number of dimensions and an element, so that taking a component
//! or adding a dimension needs no new name. Next to the types of values there
//! are patterns that only occur as the expectation of an instruction.

use super::{Checked, Hierarchy};
use crate::descriptor::FieldType;
use std::fmt;

pub(crate) const OBJECT: &[u8] = b"java/lang/Object";
pub(crate) const THROWABLE: &[u8] = b"java/lang/Throwable";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type<'a> {
    /// Also what `void` methods return.
    Top,
    Integer,
    Float,
    Long,
    Long2,
    Double,
    Double2,
    Null,
    UninitializedThis,
    /// The object made by the `new` at this place.
    Uninitialized(u16),
    Class(&'a [u8]),
    Array(u8, Element<'a>),
    // Only as components and as results of methods:
    Boolean,
    Byte,
    Char,
    Short,
    // Patterns:
    AnyReference,
    Category1,
    Category2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element<'a> {
    /// By its letter in descriptors.
    Primitive(u8),
    Class(&'a [u8]),
}

impl<'a> Type<'a> {
    /// Of a name as in a `Class` constant: arrays are in descriptor form.
    pub fn of_name(name: &'a [u8]) -> Type<'a> {
        let dimensions = name.iter().take_while(|&&b| b == b'[').count();
        let element = match &name[dimensions..] {
            _ if dimensions == 0 || dimensions > 255 => return Type::Class(name),
            [b'L', class @ .., b';'] => Element::Class(class),
            [letter] if b"ZBCSIJFD".contains(letter) => Element::Primitive(*letter),
            // Only in classes that were parsed in trust.
            _ => return Type::Class(name),
        };
        Type::Array(dimensions as u8, element)
    }

    /// Of a value of a field or parameter: small integers are integers.
    pub fn of_field(ty: FieldType<'a>) -> Type<'a> {
        match ty {
            FieldType::Boolean
            | FieldType::Byte
            | FieldType::Char
            | FieldType::Short
            | FieldType::Int => Type::Integer,
            FieldType::Long => Type::Long,
            FieldType::Float => Type::Float,
            FieldType::Double => Type::Double,
            FieldType::Object(name) => Type::Class(name),
            FieldType::Array(name) => Type::of_name(name),
        }
    }

    /// Of a method's result: small integers stay what they are.
    pub fn of_result(ty: Option<FieldType<'a>>) -> Type<'a> {
        match ty {
            None => Type::Top,
            Some(FieldType::Boolean) => Type::Boolean,
            Some(FieldType::Byte) => Type::Byte,
            Some(FieldType::Char) => Type::Char,
            Some(FieldType::Short) => Type::Short,
            Some(other) => Type::of_field(other),
        }
    }

    /// The second word of a long or double.
    pub fn second(self) -> Option<Type<'a>> {
        match self {
            Type::Long => Some(Type::Long2),
            Type::Double => Some(Type::Double2),
            _ => None,
        }
    }

    pub fn is_second(self) -> bool {
        matches!(self, Type::Long2 | Type::Double2)
    }

    pub fn is_wide(self) -> bool {
        matches!(self, Type::Long | Type::Double)
    }

    /// Top included, as in HotSpot.
    pub fn is_category1(self) -> bool {
        !self.is_wide() && !self.is_second()
    }

    pub fn is_uninitialized(self) -> bool {
        matches!(self, Type::UninitializedThis | Type::Uninitialized(_))
    }

    /// An initialized object, an array or null.
    pub fn is_reference(self) -> bool {
        matches!(self, Type::Null | Type::Class(_) | Type::Array(..))
    }

    pub fn is_array(self) -> bool {
        matches!(self, Type::Array(..))
    }

    /// Null, or an array whose component is described by one of the letters.
    pub fn is_null_or_array_of(self, letters: &[u8]) -> bool {
        match self {
            Type::Null => true,
            Type::Array(1, Element::Primitive(letter)) => letters.contains(&letter),
            _ => false,
        }
    }

    /// Null, or an array of references.
    pub fn is_null_or_array_of_references(self) -> bool {
        match self {
            Type::Array(1, Element::Primitive(_)) => false,
            Type::Null | Type::Array(..) => true,
            _ => false,
        }
    }

    /// The component type of an array; Top for others.
    pub fn component(self) -> Type<'a> {
        match self {
            Type::Array(1, Element::Class(name)) => Type::Class(name),
            Type::Array(1, Element::Primitive(letter)) => match letter {
                b'Z' => Type::Boolean,
                b'B' => Type::Byte,
                b'C' => Type::Char,
                b'S' => Type::Short,
                b'I' => Type::Integer,
                b'J' => Type::Long,
                b'F' => Type::Float,
                _ => Type::Double,
            },
            Type::Array(dimensions, element) => Type::Array(dimensions - 1, element),
            _ => Type::Top,
        }
    }

    /// The array with this component, a class or array; `None` beyond 255 dimensions.
    pub fn array_of(self) -> Option<Type<'a>> {
        match self {
            Type::Array(dimensions, element) => {
                Some(Type::Array(dimensions.checked_add(1)?, element))
            }
            Type::Class(name) => Some(Type::Array(1, Element::Class(name))),
            _ => None,
        }
    }

    pub fn dimensions(self) -> u8 {
        match self {
            Type::Array(dimensions, _) => dimensions,
            _ => 0,
        }
    }

    /// May `from` stand where `self` is expected?
    pub(super) fn accepts(self, from: Type<'a>, env: &dyn Hierarchy) -> Checked<bool> {
        self.accepts_in(from, env, false)
    }

    /// The same for the receiver of a protected member: there, Object is not
    /// taken for an interface.
    pub(super) fn accepts_receiver(self, from: Type<'a>, env: &dyn Hierarchy) -> Checked<bool> {
        self.accepts_in(from, env, true)
    }

    fn accepts_in(self, from: Type<'a>, env: &dyn Hierarchy, receiver: bool) -> Checked<bool> {
        if self == from {
            return Ok(true);
        }
        Ok(match self {
            Type::Top => true,
            Type::Category1 => from.is_category1(),
            Type::Category2 => from.is_wide(),
            Type::AnyReference => from.is_reference() || from.is_uninitialized(),
            Type::Boolean | Type::Byte | Type::Char | Type::Short => from == Type::Integer,
            Type::Class(to) => match from {
                Type::Null => true,
                Type::Class(_) | Type::Array(..) if to == OBJECT => true,
                Type::Class(from) => {
                    if env.is_interface(to)? && !(receiver && from == OBJECT) {
                        return Ok(true);
                    }
                    env.is_subclass(from, to)?
                }
                Type::Array(..) => {
                    let is_super = to == b"java/lang/Cloneable" || to == b"java/io/Serializable";
                    env.is_interface(to)? && is_super
                }
                _ => false,
            },
            Type::Array(..) => match from {
                Type::Null => true,
                Type::Array(..) => {
                    let (mine, theirs) = (self.component(), from.component());
                    match mine {
                        Type::Boolean | Type::Byte | Type::Char | Type::Short => mine == theirs,
                        _ => mine.accepts_in(theirs, env, receiver)?,
                    }
                }
                _ => false,
            },
            _ => false,
        })
    }
}

impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = crate::mutf8::to_string_lossy;
        f.write_str(match self {
            Type::Top => "top",
            Type::Integer => "integer",
            Type::Float => "float",
            Type::Long => "long",
            Type::Long2 => "long_2nd",
            Type::Double => "double",
            Type::Double2 => "double_2nd",
            Type::Null => "null",
            Type::UninitializedThis => "uninitializedThis",
            Type::Uninitialized(pc) => return write!(f, "uninitialized {pc}"),
            Type::Class(name) => return write!(f, "'{}'", text(name)),
            Type::Array(dimensions, element) => {
                let brackets = "[".repeat(usize::from(*dimensions));
                return match element {
                    Element::Class(name) => write!(f, "'{brackets}L{};'", text(name)),
                    Element::Primitive(letter) => write!(f, "'{brackets}{}'", *letter as char),
                };
            }
            Type::Boolean => "boolean",
            Type::Byte => "byte",
            Type::Char => "char",
            Type::Short => "short",
            Type::AnyReference => "reference type",
            Type::Category1 => "category1 type",
            Type::Category2 => "category2 type",
        })
    }
}
