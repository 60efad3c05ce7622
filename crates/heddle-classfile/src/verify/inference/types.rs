//! The lattice of the data-flow verifier: types of values, and the least type
//! above two of them.
//!
//! Classes are numbers, since merging makes names that no class file holds.

use super::super::trace::ValueType;
use super::super::{Checked, Hierarchy};
use crate::descriptor::FieldType;
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Bogus,
    Integer,
    Float,
    Long,
    Long2,
    Double,
    Double2,
    Null,
    /// `this` before another constructor was called.
    Init,
    /// What the `new` with this number makes, not initialized.
    New(u32),
    /// Where a subroutine that starts at this instruction returns to.
    Return(u32),
    /// A class, or with dimensions an array.
    Reference(u8, Element),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Primitive(u8),
    Class(u32),
}

pub(super) const OBJECT: Ty = Ty::Reference(0, Element::Class(0));
pub(super) const THROWABLE: Ty = Ty::Reference(0, Element::Class(1));

impl Ty {
    /// An initialized object, an array or null.
    pub fn is_reference(self) -> bool {
        matches!(self, Ty::Null | Ty::Reference(..))
    }

    pub fn dimensions(self) -> u8 {
        match self {
            Ty::Reference(dimensions, _) => dimensions,
            _ => 0,
        }
    }

    pub fn second(self) -> Option<Ty> {
        match self {
            Ty::Long => Some(Ty::Long2),
            Ty::Double => Some(Ty::Double2),
            _ => None,
        }
    }

    pub fn slots(self) -> u32 {
        1 + u32::from(self.second().is_some())
    }

    pub fn component(self) -> Ty {
        match self {
            Ty::Reference(1, Element::Primitive(letter)) => match letter {
                b'J' => Ty::Long,
                b'F' => Ty::Float,
                b'D' => Ty::Double,
                _ => Ty::Integer,
            },
            Ty::Reference(dimensions @ 1.., element) => Ty::Reference(dimensions - 1, element),
            other => other,
        }
    }
}

/// The names behind the numbers.
pub(super) struct Classes<'e> {
    pub env: &'e dyn Hierarchy,
    names: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u32>,
}

impl<'e> Classes<'e> {
    pub fn new(env: &'e dyn Hierarchy) -> Classes<'e> {
        let mut classes = Classes {
            env,
            names: Vec::new(),
            numbers: HashMap::new(),
        };
        classes.number(b"java/lang/Object");
        classes.number(b"java/lang/Throwable");
        classes
    }

    /// As it is shown outside; places are not known here.
    pub fn shown(&self, ty: Ty) -> ValueType<'_> {
        match ty {
            Ty::Bogus | Ty::Long2 | Ty::Double2 | Ty::New(_) => ValueType::Unusable,
            Ty::Integer => ValueType::Int,
            Ty::Float => ValueType::Float,
            Ty::Long => ValueType::Long,
            Ty::Double => ValueType::Double,
            Ty::Null => ValueType::Null,
            Ty::Init => ValueType::UninitializedThis,
            Ty::Return(_) => ValueType::ReturnAddress,
            Ty::Reference(0, Element::Class(class)) => ValueType::Object(self.name(class)),
            Ty::Reference(dimensions, element) => {
                let element = match element {
                    Element::Class(class) => FieldType::Object(self.name(class)),
                    Element::Primitive(letter) => FieldType::of_letter(letter),
                };
                ValueType::Array(dimensions, element)
            }
        }
    }

    fn number(&mut self, name: &[u8]) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_vec());
        self.numbers.insert(name.to_vec(), number);
        number
    }

    pub fn name(&self, class: u32) -> &[u8] {
        &self.names[class as usize]
    }

    /// Of a `Class` constant.
    pub fn of_name(&mut self, name: &[u8]) -> Ty {
        let dimensions = name.iter().take_while(|&&b| b == b'[').count();
        let element = match &name[dimensions..] {
            _ if dimensions == 0 || dimensions > 255 => Element::Class(self.number(name)),
            [b'L', class @ .., b';'] => Element::Class(self.number(class)),
            [letter] if b"ZBCSIJFD".contains(letter) => Element::Primitive(*letter),
            _ => return Ty::Reference(0, Element::Class(self.number(name))),
        };
        Ty::Reference(dimensions.min(255) as u8, element)
    }

    pub fn of_field(&mut self, ty: FieldType<'_>) -> Ty {
        match ty {
            FieldType::Long => Ty::Long,
            FieldType::Float => Ty::Float,
            FieldType::Double => Ty::Double,
            FieldType::Object(name) | FieldType::Array(name) => self.of_name(name),
            _ => Ty::Integer,
        }
    }

    pub fn is_assignable(&mut self, from: Ty, to: Ty) -> Checked<bool> {
        Ok(self.merge(from, to, true)? == to)
    }

    /// The least type above both; Bogus if there is none. For an assignment
    /// the answer only matters if it is `to`.
    pub fn merge(&mut self, from: Ty, to: Ty, assignment: bool) -> Checked<Ty> {
        if from == to {
            return Ok(to);
        }
        let (from_dims, from_element, to_dims, to_element) = match (from, to) {
            (Ty::Null, Ty::Reference(..)) => return Ok(to),
            (Ty::Reference(..), Ty::Null) => {
                return Ok(if assignment { Ty::Bogus } else { from });
            }
            (Ty::Reference(a, b), Ty::Reference(c, d)) => (a, b, c, d),
            _ => return Ok(Ty::Bogus),
        };
        if to == OBJECT || from == OBJECT && !assignment {
            return Ok(OBJECT);
        }
        if from_dims > 0 || to_dims > 0 {
            return self.merge_arrays((from_dims, from_element), (to_dims, to_element), assignment);
        }
        let (Element::Class(from_class), Element::Class(to_class)) = (from_element, to_element)
        else {
            return Ok(Ty::Bogus);
        };
        if self.env.is_interface(self.name(to_class))? {
            return Ok(if assignment { to } else { OBJECT });
        }
        if self.env.is_interface(self.name(from_class))? {
            return Ok(OBJECT);
        }
        if assignment {
            let is = self
                .env
                .is_subclass(self.name(from_class), self.name(to_class))?;
            return Ok(if is { to } else { OBJECT });
        }
        self.common_superclass(from_class, to_class)
    }

    fn common_superclass(&mut self, from: u32, to: u32) -> Checked<Ty> {
        let mut class = from;
        // The chain of superclasses is finite, but is not ours.
        for _ in 0..10_000 {
            if self.env.is_subclass(self.name(to), self.name(class))? {
                return Ok(Ty::Reference(0, Element::Class(class)));
            }
            match self.env.superclass(self.name(class))? {
                Some(name) => class = self.number(&name),
                None => break,
            }
        }
        Ok(OBJECT)
    }

    fn merge_arrays(
        &mut self,
        from: (u8, Element),
        to: (u8, Element),
        assignment: bool,
    ) -> Checked<Ty> {
        let interface = |classes: &Classes<'_>, element: Element| match element {
            Element::Class(class) => matches!(
                classes.name(class),
                b"java/lang/Cloneable" | b"java/io/Serializable"
            ),
            Element::Primitive(_) => false,
        };
        if from.0 == to.0 {
            if let (Element::Class(a), Element::Class(b)) = (from.1, to.1) {
                let (a, b) = (
                    Ty::Reference(0, Element::Class(a)),
                    Ty::Reference(0, Element::Class(b)),
                );
                if let Ty::Reference(0, element) = self.merge(a, b, assignment)? {
                    return Ok(Ty::Reference(from.0, element));
                }
            }
            // Different primitives, or one of them: arrays of arrays are objects.
            return Ok(Ty::Reference(to.0 - 1, Element::Class(0)));
        }
        let (less, more) = if from.0 < to.0 {
            (from, to)
        } else {
            (to, from)
        };
        // The shallower one must end in a type that arrays belong to.
        if let Element::Class(class) = less.1
            && (class == 0 || interface(self, less.1))
            && (!assignment || more == from)
        {
            return Ok(Ty::Reference(less.0, less.1));
        }
        let dims = match less.1 {
            Element::Primitive(_) => less.0 - 1,
            Element::Class(_) => less.0,
        };
        Ok(Ty::Reference(dims, Element::Class(0)))
    }
}
