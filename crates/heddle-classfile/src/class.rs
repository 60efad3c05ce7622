//! A parsed class file (JVMS 4.1) as plain data.
//!
//! Indexes are those of the constant pool; 0 stands for "none" only where the
//! specification says so (`super_class`, a handler's `catch_type`, names of
//! parameters and inner classes). Attributes that reflection hands on
//! unparsed stay [`Span`]s of the file: the payload without name and length.

use crate::bytes::{ClassBytes, Span, u2_at};
use crate::code::Instructions;
use crate::error::ClassFileError;
use crate::parse::{self, ParseOptions};
use crate::pool::ConstantPool;

/// Access and property flags (JVMS tables 4.1-B, 4.5-A, 4.6-A).
pub mod access {
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    pub const SUPER: u16 = 0x0020;
    pub const SYNCHRONIZED: u16 = 0x0020;
    pub const VOLATILE: u16 = 0x0040;
    pub const BRIDGE: u16 = 0x0040;
    pub const TRANSIENT: u16 = 0x0080;
    pub const VARARGS: u16 = 0x0080;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const STRICT: u16 = 0x0800;
    pub const SYNTHETIC: u16 = 0x1000;
    pub const ANNOTATION: u16 = 0x2000;
    pub const ENUM: u16 = 0x4000;
    pub const MODULE: u16 = 0x8000;
}

/// A class or interface as its file describes it.
#[derive(Clone, Debug)]
pub struct ClassFile {
    pub(crate) bytes: ClassBytes,
    pub minor: u16,
    pub major: u16,
    pub pool: ConstantPool,
    /// With a `Synthetic` attribute folded into the flag.
    pub access: u16,
    pub this_class: u16,
    /// 0 for `java.lang.Object` only.
    pub super_class: u16,
    pub interfaces: Vec<u16>,
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
    pub source_file: Option<u16>,
    pub signature: Option<u16>,
    pub inner_classes: Vec<InnerClass>,
    /// Class, and name and type of the method (0: not inside a method).
    pub enclosing_method: Option<(u16, u16)>,
    pub bootstrap_methods: Vec<BootstrapMethod>,
    pub nest_host: Option<u16>,
    pub nest_members: Vec<u16>,
    pub record: Option<Vec<RecordComponent>>,
    pub permitted_subclasses: Option<Vec<u16>>,
    pub annotations: Annotations,
    pub source_debug_extension: Option<Span>,
    pub deprecated: bool,
}

/// The raw payloads of the annotation attributes, as `Class.getRawAnnotations`
/// and its kin return them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    pub visible: Option<Span>,
    pub visible_types: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct InnerClass {
    pub inner: u16,
    /// 0 for local and anonymous classes.
    pub outer: u16,
    /// 0 for anonymous classes.
    pub name: u16,
    pub access: u16,
}

#[derive(Clone, Debug)]
pub struct BootstrapMethod {
    pub handle: u16,
    pub args: Vec<u16>,
}

#[derive(Clone, Debug)]
pub struct RecordComponent {
    pub name: u16,
    pub desc: u16,
    pub signature: Option<u16>,
    pub annotations: Annotations,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub access: u16,
    pub name: u16,
    pub desc: u16,
    /// Only set on static fields, as HotSpot does.
    pub constant_value: Option<u16>,
    pub signature: Option<u16>,
    pub annotations: Annotations,
    pub deprecated: bool,
}

#[derive(Clone, Debug)]
pub struct Method {
    pub access: u16,
    pub name: u16,
    pub desc: u16,
    pub code: Option<Code>,
    pub exceptions: Vec<u16>,
    pub signature: Option<u16>,
    pub annotations: Annotations,
    pub parameter_annotations: Option<Span>,
    pub annotation_default: Option<Span>,
    /// Name (0: none) and access flags.
    pub method_parameters: Option<Vec<(u16, u16)>>,
    pub flags: MethodFlags,
    pub deprecated: bool,
}

/// Annotations that mean something to the VM itself. They count only in
/// classes of the JDK; whether a class is one is for the VM to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MethodFlags {
    /// `jdk.internal.reflect.CallerSensitive`
    pub caller_sensitive: bool,
    /// `jdk.internal.vm.annotation.Hidden`, `java.lang.invoke.LambdaForm$Hidden`
    pub hidden: bool,
    /// `jdk.internal.vm.annotation.ForceInline`
    pub force_inline: bool,
    /// `java.lang.invoke.LambdaForm$Compiled`
    pub compiled_lambda_form: bool,
    /// `jdk.internal.vm.annotation.IntrinsicCandidate`
    pub intrinsic_candidate: bool,
}

/// A `Code` attribute (JVMS 4.7.3).
#[derive(Clone, Debug)]
pub struct Code {
    pub max_stack: u16,
    pub max_locals: u16,
    pub bytes: Span,
    pub handlers: Vec<Handler>,
    /// The entries of all `LineNumberTable`s, four bytes each, in file order.
    pub line_tables: Tables,
    /// The entries of all `LocalVariableTable`s, ten bytes each.
    pub local_tables: Tables,
    /// The payload of `StackMapTable`, entry count included.
    pub stack_map: Option<Span>,
    pub visible_type_annotations: Option<Span>,
}

/// Tables that may be split over several attributes; nearly always there is
/// one, so one needs no allocation.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    pub(crate) first: Option<Span>,
    pub(crate) more: Vec<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    pub start: u16,
    /// One past the last instruction that is covered.
    pub end: u16,
    pub target: u16,
    /// A class, or 0 for everything.
    pub catch_type: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalVariable {
    pub start: u16,
    pub length: u16,
    pub name: u16,
    pub desc: u16,
    pub index: u16,
}

impl ClassFile {
    /// Reads a class file. The whole file is checked as far as `options` ask;
    /// what later code relies on for its own safety is checked always.
    pub fn parse(
        bytes: ClassBytes,
        options: &ParseOptions<'_>,
    ) -> Result<ClassFile, ClassFileError> {
        parse::parse(bytes, options)
    }

    /// A copy for who only wants to know what methods can see of their class.
    pub(crate) fn without_methods(&self) -> ClassFile {
        ClassFile {
            bytes: self.bytes.clone(),
            pool: self.pool.clone(),
            interfaces: self.interfaces.clone(),
            fields: self.fields.clone(),
            methods: Vec::new(),
            inner_classes: Vec::new(),
            bootstrap_methods: Vec::new(),
            nest_members: Vec::new(),
            record: None,
            permitted_subclasses: None,
            ..*self
        }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same bytes, to be kept.
    pub fn shared_bytes(&self) -> ClassBytes {
        self.bytes.clone()
    }

    pub fn name(&self) -> &[u8] {
        self.pool.class_name(self.this_class)
    }

    pub fn super_name(&self) -> Option<&[u8]> {
        (self.super_class != 0).then(|| self.pool.class_name(self.super_class))
    }

    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }

    pub fn span(&self, span: Span) -> &[u8] {
        span.of(&self.bytes)
    }

    /// The bytecode of a method of this class.
    pub fn code_bytes(&self, code: &Code) -> &[u8] {
        code.bytes.of(&self.bytes)
    }

    pub fn instructions(&self, code: &Code) -> Instructions<'_> {
        Instructions::new(self.code_bytes(code))
    }

    pub fn method(&self, name: &[u8], desc: &[u8]) -> Option<&Method> {
        self.methods
            .iter()
            .find(|m| self.pool.utf8(m.name) == name && self.pool.utf8(m.desc) == desc)
    }

    pub fn field(&self, name: &[u8], desc: &[u8]) -> Option<&Field> {
        self.fields
            .iter()
            .find(|f| self.pool.utf8(f.name) == name && self.pool.utf8(f.desc) == desc)
    }

    /// `(start_pc, line)` in the order of the file.
    pub fn line_numbers<'a>(&'a self, code: &'a Code) -> impl Iterator<Item = (u16, u16)> + 'a {
        code.line_tables.spans().flat_map(|span| {
            self.span(span)
                .chunks_exact(4)
                .map(|e| (u2_at(e, 0), u2_at(e, 2)))
        })
    }

    /// The source line of the instruction at `pc`: of the entry that starts
    /// closest before it. Ties go as in HotSpot: the first exact entry, else
    /// the last.
    pub fn line_of(&self, code: &Code, pc: u16) -> Option<u16> {
        let mut best = None;
        for (start, line) in self.line_numbers(code) {
            if start == pc {
                return Some(line);
            }
            if start < pc && best.is_none_or(|(b, _)| start >= b) {
                best = Some((start, line));
            }
        }
        best.map(|(_, line)| line)
    }

    pub fn local_variables<'a>(
        &'a self,
        code: &'a Code,
    ) -> impl Iterator<Item = LocalVariable> + 'a {
        code.local_tables.spans().flat_map(|span| {
            self.span(span).chunks_exact(10).map(|e| LocalVariable {
                start: u2_at(e, 0),
                length: u2_at(e, 2),
                name: u2_at(e, 4),
                desc: u2_at(e, 6),
                index: u2_at(e, 8),
            })
        })
    }
}

impl Method {
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }
}

impl Tables {
    pub fn spans(&self) -> impl Iterator<Item = Span> + '_ {
        self.first.into_iter().chain(self.more.iter().copied())
    }

    pub(crate) fn push(&mut self, span: Span) {
        if self.first.is_none() {
            self.first = Some(span);
        } else {
            self.more.push(span);
        }
    }
}
