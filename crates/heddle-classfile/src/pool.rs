//! The constant pool (JVMS 4.4).
//!
//! One offset per entry is all that is stored; an entry is decoded from the
//! class file's bytes when asked for. Parsing a pool therefore costs a single
//! allocation.
//!
//! Invariant: every entry lies within the bytes, and every index inside an
//! entry names an entry of the kind that JVMS 4.4 demands (an index into
//! `BootstrapMethods` is below the length of that attribute). The parser checks
//! this in every mode, so the accessors cannot fail on an index of the right
//! kind; on any other index they panic.

use crate::bytes::{ClassBytes, Span, u2_at, u4_at};

/// The entries of a class file's constant pool, numbered from 1.
#[derive(Clone, Debug)]
pub struct ConstantPool {
    bytes: ClassBytes,
    /// Where the tag of each entry is; 0 for entries that cannot be used.
    offsets: Box<[u32]>,
}

/// A decoded entry. The numbers are indexes of other entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    Utf8(Span),
    Integer(i32),
    /// The bits of a float.
    Float(u32),
    Long(i64),
    /// The bits of a double.
    Double(u64),
    Class {
        name: u16,
    },
    String {
        utf8: u16,
    },
    FieldRef {
        class: u16,
        nat: u16,
    },
    MethodRef {
        class: u16,
        nat: u16,
    },
    InterfaceMethodRef {
        class: u16,
        nat: u16,
    },
    NameAndType {
        name: u16,
        desc: u16,
    },
    MethodHandle {
        kind: u8,
        reference: u16,
    },
    MethodType {
        desc: u16,
    },
    /// `bootstrap` counts within the `BootstrapMethods` attribute.
    Dynamic {
        bootstrap: u16,
        nat: u16,
    },
    InvokeDynamic {
        bootstrap: u16,
        nat: u16,
    },
    Module {
        name: u16,
    },
    Package {
        name: u16,
    },
    /// Entry 0, the second half of a long or double, or an index out of range.
    Unusable,
}

/// The tags of JVMS table 4.4-A.
pub mod tag {
    pub const UTF8: u8 = 1;
    pub const INTEGER: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const LONG: u8 = 5;
    pub const DOUBLE: u8 = 6;
    pub const CLASS: u8 = 7;
    pub const STRING: u8 = 8;
    pub const FIELD_REF: u8 = 9;
    pub const METHOD_REF: u8 = 10;
    pub const INTERFACE_METHOD_REF: u8 = 11;
    pub const NAME_AND_TYPE: u8 = 12;
    pub const METHOD_HANDLE: u8 = 15;
    pub const METHOD_TYPE: u8 = 16;
    pub const DYNAMIC: u8 = 17;
    pub const INVOKE_DYNAMIC: u8 = 18;
    pub const MODULE: u8 = 19;
    pub const PACKAGE: u8 = 20;
}

impl ConstantPool {
    pub(crate) fn new(bytes: ClassBytes, offsets: Vec<u32>) -> ConstantPool {
        ConstantPool {
            bytes,
            offsets: offsets.into(),
        }
    }

    /// Where the tag of each entry is; 0 where there is none.
    pub(crate) fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The bytes that the offsets count in.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// `constant_pool_count`: one more than the greatest index.
    pub fn len(&self) -> u16 {
        self.offsets.len() as u16
    }

    pub fn is_empty(&self) -> bool {
        self.offsets.len() <= 1
    }

    /// The tag of an entry; 0 where there is none.
    #[inline]
    pub fn tag(&self, index: u16) -> u8 {
        match self.offsets.get(index as usize) {
            Some(&at) if at != 0 => self.bytes[at as usize],
            _ => 0,
        }
    }

    pub fn get(&self, index: u16) -> Constant {
        let at = match self.offsets.get(index as usize) {
            Some(&at) if at != 0 => at as usize,
            _ => return Constant::Unusable,
        };
        let b = &self.bytes[..];
        let first = || u2_at(b, at + 1);
        let second = || u2_at(b, at + 3);
        let wide = || u64::from(u4_at(b, at + 1)) << 32 | u64::from(u4_at(b, at + 5));
        match b[at] {
            tag::UTF8 => Constant::Utf8(Span::new(at + 3, at + 3 + first() as usize)),
            tag::INTEGER => Constant::Integer(u4_at(b, at + 1) as i32),
            tag::FLOAT => Constant::Float(u4_at(b, at + 1)),
            tag::LONG => Constant::Long(wide() as i64),
            tag::DOUBLE => Constant::Double(wide()),
            tag::CLASS => Constant::Class { name: first() },
            tag::STRING => Constant::String { utf8: first() },
            tag::FIELD_REF => Constant::FieldRef {
                class: first(),
                nat: second(),
            },
            tag::METHOD_REF => Constant::MethodRef {
                class: first(),
                nat: second(),
            },
            tag::INTERFACE_METHOD_REF => Constant::InterfaceMethodRef {
                class: first(),
                nat: second(),
            },
            tag::NAME_AND_TYPE => Constant::NameAndType {
                name: first(),
                desc: second(),
            },
            tag::METHOD_HANDLE => Constant::MethodHandle {
                kind: b[at + 1],
                reference: u2_at(b, at + 2),
            },
            tag::METHOD_TYPE => Constant::MethodType { desc: first() },
            tag::DYNAMIC => Constant::Dynamic {
                bootstrap: first(),
                nat: second(),
            },
            tag::INVOKE_DYNAMIC => Constant::InvokeDynamic {
                bootstrap: first(),
                nat: second(),
            },
            tag::MODULE => Constant::Module { name: first() },
            tag::PACKAGE => Constant::Package { name: first() },
            _ => Constant::Unusable,
        }
    }

    /// All entries from 1 on, unusable ones included.
    pub fn iter(&self) -> impl Iterator<Item = (u16, Constant)> + '_ {
        (1..self.len()).map(|i| (i, self.get(i)))
    }

    /// The text of a `Utf8` entry, in modified UTF-8.
    #[inline]
    pub fn utf8(&self, index: u16) -> &[u8] {
        self.try_utf8(index)
            .unwrap_or_else(|| panic!("heddle internal error: entry {index} is no Utf8"))
    }

    #[inline]
    pub fn try_utf8(&self, index: u16) -> Option<&[u8]> {
        self.utf8_span(index).map(|span| span.of(&self.bytes))
    }

    /// Where the text of a `Utf8` entry is.
    #[inline]
    pub fn utf8_span(&self, index: u16) -> Option<Span> {
        let at = *self.offsets.get(index as usize)? as usize;
        if at == 0 || self.bytes[at] != tag::UTF8 {
            return None;
        }
        let length = u2_at(&self.bytes, at + 1) as usize;
        Some(Span::new(at + 3, at + 3 + length))
    }

    /// The name of a `Class` entry (also of `Module` and `Package` entries).
    pub fn class_name(&self, index: u16) -> &[u8] {
        match self.get(index) {
            Constant::Class { name } | Constant::Module { name } | Constant::Package { name } => {
                self.utf8(name)
            }
            other => panic!("heddle internal error: entry {index} is no class: {other:?}"),
        }
    }

    /// The text of a `String` entry, in modified UTF-8.
    pub fn string(&self, index: u16) -> &[u8] {
        match self.get(index) {
            Constant::String { utf8 } => self.utf8(utf8),
            other => panic!("heddle internal error: entry {index} is no string: {other:?}"),
        }
    }

    /// Name and descriptor of a `NameAndType` entry.
    pub fn name_and_type(&self, index: u16) -> (&[u8], &[u8]) {
        match self.get(index) {
            Constant::NameAndType { name, desc } => (self.utf8(name), self.utf8(desc)),
            other => panic!("heddle internal error: entry {index} is no name and type: {other:?}"),
        }
    }

    /// Class, name and descriptor of a field, method or interface method.
    pub fn member(&self, index: u16) -> (&[u8], &[u8], &[u8]) {
        self.try_member(index)
            .unwrap_or_else(|| panic!("heddle internal error: entry {index} is no member"))
    }

    /// The same for an index that was not checked, such as that of an
    /// instruction before it was verified.
    pub fn try_member(&self, index: u16) -> Option<(&[u8], &[u8], &[u8])> {
        match self.get(index) {
            Constant::FieldRef { class, nat }
            | Constant::MethodRef { class, nat }
            | Constant::InterfaceMethodRef { class, nat } => {
                let (name, desc) = self.name_and_type(nat);
                Some((self.class_name(class), name, desc))
            }
            _ => None,
        }
    }

    /// The descriptor of a `MethodType` entry.
    pub fn method_type(&self, index: u16) -> &[u8] {
        match self.get(index) {
            Constant::MethodType { desc } => self.utf8(desc),
            other => panic!("heddle internal error: entry {index} is no method type: {other:?}"),
        }
    }

    /// Bootstrap method, name and descriptor of a `Dynamic` or `InvokeDynamic` entry.
    pub fn dynamic(&self, index: u16) -> (u16, &[u8], &[u8]) {
        match self.get(index) {
            Constant::Dynamic { bootstrap, nat } | Constant::InvokeDynamic { bootstrap, nat } => {
                let (name, desc) = self.name_and_type(nat);
                (bootstrap, name, desc)
            }
            other => panic!("heddle internal error: entry {index} is not dynamic: {other:?}"),
        }
    }
}
