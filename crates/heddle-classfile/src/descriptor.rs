//! Field and method descriptors (JVMS 4.3).
//!
//! Class names inside descriptors are taken as they are; whether they are
//! legal is checked where class files are parsed.

/// A type, as a descriptor names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldType<'a> {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    /// The internal name of a class.
    Object(&'a [u8]),
    /// The whole descriptor, which starts with `[`.
    Array(&'a [u8]),
}

impl FieldType<'_> {
    /// The primitive type of a letter; `int` for letters that mean none.
    pub(crate) fn of_letter(letter: u8) -> FieldType<'static> {
        match letter {
            b'Z' => FieldType::Boolean,
            b'B' => FieldType::Byte,
            b'C' => FieldType::Char,
            b'S' => FieldType::Short,
            b'J' => FieldType::Long,
            b'F' => FieldType::Float,
            b'D' => FieldType::Double,
            _ => FieldType::Int,
        }
    }

    /// How many local variables or stack entries a value takes.
    pub fn slots(self) -> u16 {
        match self {
            FieldType::Long | FieldType::Double => 2,
            _ => 1,
        }
    }

    pub fn is_reference(self) -> bool {
        matches!(self, FieldType::Object(_) | FieldType::Array(_))
    }
}

/// A checked method descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodDescriptor<'a> {
    parameters: &'a [u8],
    /// `None` for `void`.
    pub result: Option<FieldType<'a>>,
    /// The slots of all parameters, without the receiver.
    pub slots: u16,
}

impl<'a> MethodDescriptor<'a> {
    pub fn parse(descriptor: &'a [u8]) -> Option<MethodDescriptor<'a>> {
        let inner = descriptor.strip_prefix(b"(")?;
        let mut rest = inner;
        let mut slots = 0u16;
        while *rest.first()? != b')' {
            let (ty, after) = split_type(rest)?;
            slots = slots.checked_add(ty.slots())?;
            rest = after;
        }
        let parameters = &inner[..inner.len() - rest.len()];
        let result = match &rest[1..] {
            b"V" => None,
            other => Some(parse_field(other)?),
        };
        Some(MethodDescriptor {
            parameters,
            result,
            slots,
        })
    }

    pub fn parameters(&self) -> Parameters<'a> {
        Parameters(self.parameters)
    }
}

/// The parameter types of a method descriptor.
#[derive(Clone)]
pub struct Parameters<'a>(&'a [u8]);

impl<'a> Iterator for Parameters<'a> {
    type Item = FieldType<'a>;

    fn next(&mut self) -> Option<FieldType<'a>> {
        let (ty, rest) = split_type(self.0)?;
        self.0 = rest;
        Some(ty)
    }
}

/// Parses a field descriptor; nothing may follow it.
pub fn parse_field(descriptor: &[u8]) -> Option<FieldType<'_>> {
    match split_type(descriptor)? {
        (ty, []) => Some(ty),
        _ => None,
    }
}

/// The slots of a method's parameters, without the receiver.
pub fn argument_slots(descriptor: &[u8]) -> Option<u16> {
    MethodDescriptor::parse(descriptor).map(|m| m.slots)
}

/// The type at the start and what follows it.
pub fn split_type(descriptor: &[u8]) -> Option<(FieldType<'_>, &[u8])> {
    let (&first, rest) = descriptor.split_first()?;
    let ty = match first {
        b'Z' | b'B' | b'C' | b'S' | b'I' | b'J' | b'F' | b'D' => FieldType::of_letter(first),
        b'L' => {
            let end = rest.iter().position(|&b| b == b';')?;
            return Some((FieldType::Object(&rest[..end]), &rest[end + 1..]));
        }
        b'[' => {
            let dimensions = descriptor.iter().take_while(|&&b| b == b'[').count();
            if dimensions > 255 {
                return None;
            }
            let (_, after) = split_type(&descriptor[dimensions..])?;
            let length = descriptor.len() - after.len();
            return Some((FieldType::Array(&descriptor[..length]), after));
        }
        _ => return None,
    };
    Some((ty, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods() {
        let m = MethodDescriptor::parse(b"(I[[JLjava/lang/String;D)[B").unwrap();
        assert_eq!(
            m.parameters().collect::<Vec<_>>(),
            [
                FieldType::Int,
                FieldType::Array(b"[[J"),
                FieldType::Object(b"java/lang/String"),
                FieldType::Double
            ]
        );
        assert_eq!(m.slots, 5);
        assert_eq!(m.result, Some(FieldType::Array(b"[B")));
        assert_eq!(argument_slots(b"()V"), Some(0));
    }

    #[test]
    fn malformed() {
        for bad in [
            "", "(", "()", "(V)V", "()VV", "(L)V", "(I", "I", "([)V", "()[V",
        ] {
            assert!(MethodDescriptor::parse(bad.as_bytes()).is_none(), "{bad}");
        }
        assert_eq!(parse_field(b"II"), None);
        assert_eq!(parse_field(&[b'['; 300]), None);
    }
}
