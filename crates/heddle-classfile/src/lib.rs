//! Class files: read, verify and edit; the JDK's image file: read.
//!
//! The reader ([`ClassFile::parse`]) follows chapter 4 of the Java Virtual
//! Machine Specification (JVMS, Java SE 17) and words its errors as HotSpot 17
//! does. [`verify`] is the bytecode verifier of JVMS 4.10. [`jimage`] finds
//! classes in the `lib/modules` file of a JDK. [`edit`] inserts code and members
//! and writes class files. [`zip`] reads jars.
//!
//! Left out: the attributes that only
//! describe modules (`Module`, `ModulePackages` and their kin).

#![forbid(unsafe_code)]

pub mod bytes;
pub mod class;
pub mod code;
pub mod descriptor;
pub mod digest;
pub mod edit;
pub mod error;
pub mod jimage;
pub mod mutf8;
pub mod opcode;
mod parse;
pub mod pool;
pub mod reach;
pub mod verify;
pub mod zip;

pub use bytes::{ClassBytes, Span};
pub use class::{
    Annotations, BootstrapMethod, ClassFile, Code, Field, Handler, InnerClass, LocalVariable,
    Method, MethodFlags, RecordComponent, access,
};
pub use edit::{ClassEdit, EditError};
pub use error::{ClassFileError, ErrorKind};
pub use parse::{Checks, ParseOptions};
pub use pool::{Constant, ConstantPool};
