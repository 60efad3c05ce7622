//! Why a class could not be edited: the class, the method, the reason.

use crate::class::{ClassFile, Method};
use crate::code::CodeError;
use crate::mutf8::to_string_lossy as text;

/// An edit that was not possible. Shown as one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditError {
    /// As in source code: `java.util.Map$Entry`.
    pub class: String,
    /// Name and descriptor, where one method is to blame.
    pub method: Option<String>,
    pub kind: EditErrorKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditErrorKind {
    /// The method's code would exceed 65,535 bytes.
    CodeTooLong { bytes: usize },
    /// The constant pool would exceed 65,534 entries.
    PoolFull,
    /// A text would exceed 65,535 bytes of modified UTF-8.
    TextTooLong,
    /// More local variables, stack words, handlers, frames, members or
    /// interfaces than 16 bits can count.
    TooMany(&'static str),
    /// There is no method with this number.
    NoMethod(usize),
    /// The method is native or abstract.
    NoCode,
    /// No instruction starts there.
    NoInstruction { pc: u32 },
    /// The method's bytecode cannot be read.
    BadCode(CodeError),
    /// A snippet that makes no sense, such as one with a label that is bound nowhere.
    BadSnippet(&'static str),
    /// The types at a place, in the code as it would be, cannot be told, and
    /// its stack map needs them.
    Types { pc: u32, why: String },
    /// The class file is built otherwise than its parser took it to be.
    Malformed(&'static str),
}

impl EditErrorKind {
    pub(super) fn of_class(self, class: &ClassFile) -> EditError {
        EditError {
            class: text(class.name()).replace('/', "."),
            method: None,
            kind: self,
        }
    }

    pub(super) fn of_method(self, class: &ClassFile, method: &Method) -> EditError {
        let pool = &class.pool;
        let named = [pool.utf8(method.name), pool.utf8(method.desc)].concat();
        EditError {
            method: Some(text(&named)),
            ..self.of_class(class)
        }
    }
}

impl std::fmt::Display for EditError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot edit class {}", self.class)?;
        if let Some(method) = &self.method {
            write!(f, ", method {method}")?;
        }
        f.write_str(": ")?;
        match &self.kind {
            EditErrorKind::CodeTooLong { bytes } => {
                write!(
                    f,
                    "its code would take {bytes} bytes, more than the 65535 that the format allows"
                )
            }
            EditErrorKind::PoolFull => f.write_str("its constant pool is full"),
            EditErrorKind::TextTooLong => f.write_str("a text is too long for the constant pool"),
            EditErrorKind::TooMany(what) => write!(f, "too many {what}"),
            EditErrorKind::NoMethod(number) => write!(f, "it has no method number {number}"),
            EditErrorKind::NoCode => f.write_str("it has no code"),
            EditErrorKind::NoInstruction { pc } => write!(f, "no instruction starts at {pc}"),
            EditErrorKind::BadCode(error) => {
                write!(
                    f,
                    "its code cannot be read at {}: {:?}",
                    error.pc, error.kind
                )
            }
            EditErrorKind::BadSnippet(why) => write!(f, "bad code to insert: {why}"),
            EditErrorKind::Types { pc, why } => {
                write!(f, "no stack map can be made at {pc}: {why}")
            }
            EditErrorKind::Malformed(what) => write!(f, "malformed class file: {what}"),
        }
    }
}

impl std::error::Error for EditError {}
