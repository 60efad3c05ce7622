//! The class-file parser (JVMS 4.1, 4.8).
//!
//! It makes one pass, in the order of the file, and reports the first defect
//! in HotSpot 17's words; the order of the checks follows HotSpot's, so that a
//! file with two defects gets the same error. Checks that need other classes
//! (superclasses, overriding) and checks of bytecode are not made here.
//!
//! Files: [`constants`] reads the pool, [`names`] knows legal names and
//! descriptors, [`modifiers`] legal access flags, [`members`] reads fields and
//! methods, [`code`] the `Code` attribute, [`attributes`] those of the class,
//! [`vm_annotations`] looks for annotations that the VM obeys.

mod attributes;
mod code;
mod constants;
mod members;
mod modifiers;
mod names;
mod vm_annotations;

use crate::bytes::{ClassBytes, Reader, Span, Truncated};
use crate::class::{Annotations, ClassFile, access};
use crate::error::{ClassFileError, ErrorKind};
use crate::mutf8;
use crate::pool::{ConstantPool, tag};

/// What to demand of a class file.
#[derive(Clone, Copy, Debug)]
pub struct ParseOptions<'a> {
    /// The name the class is loaded by; a file with another name is refused.
    pub expected_name: Option<&'a [u8]>,
    /// The newest major version that is accepted (JDK 17: 61).
    pub max_major: u16,
    /// Whether files of version `max_major`.65535 are accepted.
    pub preview: bool,
    pub checks: Checks,
    /// Accept `module-info` files, which a JVM never defines as classes.
    pub modules: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// Everything HotSpot checks for classes of the application.
    Strict,
    /// What HotSpot checks for classes of the boot loader, plus all that keeps
    /// later accesses in bounds.
    Trusted,
}

impl Default for ParseOptions<'_> {
    fn default() -> Self {
        ParseOptions {
            expected_name: None,
            max_major: 61,
            preview: false,
            checks: Checks::Strict,
            modules: false,
        }
    }
}

pub(crate) type Result<T> = std::result::Result<T, ClassFileError>;

pub(crate) fn parse(bytes: ClassBytes, options: &ParseOptions<'_>) -> Result<ClassFile> {
    let shared = bytes.clone();
    let mut p = Parser {
        r: Reader::new(&shared),
        bytes: bytes.clone(),
        name: options.expected_name.unwrap_or(b"<Unknown>").into(),
        major: 0,
        strict: options.checks == Checks::Strict,
        pool: ConstantPool::new(bytes, Vec::new()),
        bootstraps: -1,
    };
    p.class(options)
}

/// The state of one parse. `'a` is the life of the bytes.
struct Parser<'a> {
    r: Reader<'a>,
    bytes: ClassBytes,
    /// The name of the class, for messages.
    name: Box<[u8]>,
    major: u16,
    strict: bool,
    pool: ConstantPool,
    /// The greatest index into `BootstrapMethods` that the pool uses, or -1.
    bootstraps: i32,
}

impl Parser<'_> {
    fn class(&mut self, options: &ParseOptions<'_>) -> Result<ClassFile> {
        // Offsets are kept as `u32`; Java arrays cannot be larger anyway.
        if self.r.bytes.len() > i32::MAX as usize {
            return Err(Truncated.into());
        }
        self.r.need(8)?;
        let magic = self.r.u4()?;
        if magic != 0xCAFE_BABE {
            return Err(self.error_in_file(format!("Incompatible magic value {magic}")));
        }
        let minor = self.r.u2()?;
        self.major = self.r.u2()?;
        self.version(minor, options)?;
        let bad_tag = self.constants()?;

        self.r.need(8)?;
        let mut access = self.r.u2()?;
        access &= if self.major >= 53 { 0xF631 } else { 0x7631 };
        if access & access::INTERFACE != 0 && self.major < 50 {
            access |= access::ABSTRACT;
        }
        if !(options.modules && access & access::MODULE != 0) {
            self.class_modifiers(access)?;
            if let Some(bad) = bad_tag {
                return Err(self.error_in_file(format!("Unknown constant tag {bad}")));
            }
        }
        let this_class = self.r.u2()?;
        if !self.is_class(this_class) {
            return Err(self.error_in_file(format!(
                "Invalid this class index {this_class} in constant pool"
            )));
        }
        self.this_name(this_class, options)?;
        let super_class = self.r.u2()?;
        self.super_class(super_class, access)?;
        let interfaces = self.interfaces()?;
        let is_interface = access & access::INTERFACE != 0;
        let fields = self.fields(is_interface)?;
        let methods = self.methods(is_interface)?;
        let mut class = ClassFile {
            bytes: self.bytes.clone(),
            minor,
            major: self.major,
            pool: ConstantPool::new(self.bytes.clone(), Vec::new()),
            access,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            source_file: None,
            signature: None,
            inner_classes: Vec::new(),
            enclosing_method: None,
            bootstrap_methods: Vec::new(),
            nest_host: None,
            nest_members: Vec::new(),
            record: None,
            permitted_subclasses: None,
            annotations: Annotations::default(),
            source_debug_extension: None,
            deprecated: false,
        };
        self.class_attributes(&mut class)?;
        if self.r.remaining() != 0 {
            return Err(self.error("Extra bytes at the end of class file"));
        }
        std::mem::swap(&mut class.pool, &mut self.pool);
        self.supertypes(&class)?;
        Ok(class)
    }

    /// What HotSpot demands of supertypes before it loads them.
    fn supertypes(&self, class: &ClassFile) -> Result<()> {
        if class.is_interface()
            && class
                .super_name()
                .is_some_and(|name| name != b"java/lang/Object")
        {
            return Err(
                self.error("Interfaces must have java.lang.Object as superclass in class file")
            );
        }
        if class.name() == b"java/lang/Object" && !class.interfaces.is_empty() {
            return Err(self.error("java.lang.Object cannot implement an interface in class file"));
        }
        Ok(())
    }

    fn version(&self, minor: u16, options: &ParseOptions<'_>) -> Result<()> {
        let major = self.major;
        // All of 45.* is accepted.
        if major == 45 {
            return Ok(());
        }
        let name = self.text(&self.name);
        let max = options.max_major;
        let message = if minor == 0xFFFF {
            if major != max {
                format!(
                    "{name} (class file version {major}.{minor}) was compiled with preview \
                     features that are unsupported. This version of the Java Runtime only \
                     recognizes preview features for class file version {max}.65535"
                )
            } else if !options.preview {
                format!(
                    "Preview features are not enabled for {name} (class file version \
                     {major}.{minor}). Try running with '--enable-preview'"
                )
            } else {
                return Ok(());
            }
        } else if major > max {
            format!(
                "{name} has been compiled by a more recent version of the Java Runtime (class \
                 file version {major}.{minor}), this version of the Java Runtime only \
                 recognizes class file versions up to {max}.0"
            )
        } else if major < 45 {
            format!(
                "{name} (class file version {major}.{minor}) was compiled with an invalid \
                 major version"
            )
        } else if minor != 0 {
            format!(
                "{name} (class file version {major}.{minor}) was compiled with an invalid \
                 non-zero minor version"
            )
        } else {
            return Ok(());
        };
        Err(failure(ErrorKind::UnsupportedVersion, message))
    }

    fn this_name(&mut self, this_class: u16, options: &ParseOptions<'_>) -> Result<()> {
        let found = self.pool.class_name(this_class);
        if self.strict && found.first() == Some(&b'[') {
            return Err(self.error("Bad class name in class file"));
        }
        match options.expected_name {
            Some(expected) if expected != found => Err(failure(
                ErrorKind::NoClassDefFound,
                format!("{} (wrong name: {})", self.text(expected), self.text(found)),
            )),
            Some(_) => Ok(()),
            None => {
                self.name = found.into();
                Ok(())
            }
        }
    }

    fn super_class(&self, index: u16, access: u16) -> Result<()> {
        let right = match index {
            0 => &self.name[..] == b"java/lang/Object" || access & access::MODULE != 0,
            _ => self.is_class(index),
        };
        if !right {
            return Err(self.error_in_file(format!("Invalid superclass index {index}")));
        }
        if self.strict && index != 0 && self.pool.class_name(index).first() == Some(&b'[') {
            return Err(self.error("Bad superclass name in class file"));
        }
        Ok(())
    }

    fn interfaces(&mut self) -> Result<Vec<u16>> {
        let count = self.r.u2()?;
        let mut interfaces = Vec::with_capacity(self.bounded(count, 2));
        for _ in 0..count {
            let index = self.r.u2()?;
            if !self.is_class(index) {
                return Err(self.error_in_file(format!(
                    "Interface name has bad constant pool index {index}"
                )));
            }
            if self.pool.class_name(index).first() == Some(&b'[') {
                return Err(self.error("Bad interface name in class file"));
            }
            interfaces.push(index);
        }
        if self.strict && interfaces.len() > 1 {
            let mut seen = std::collections::HashSet::new();
            for &index in &interfaces {
                let name = self.pool.class_name(index);
                if !seen.insert(name) {
                    let name = self.text(name);
                    return Err(self.error_in_file(format!("Duplicate interface name \"{name}\"")));
                }
            }
        }
        Ok(interfaces)
    }

    /// A `Signature` attribute's payload; HotSpot ignores its stated length.
    fn signature(&mut self) -> Result<u16> {
        let index = self.r.u2()?;
        if !self.is_utf8(index) {
            return Err(self.error_in_file(format!(
                "Invalid Signature attribute at constant pool index {index}"
            )));
        }
        Ok(index)
    }

    /// Keeps the payload of an attribute that may occur once.
    fn once(&mut self, slot: &mut Option<Span>, length: u32, what: &str, of: &str) -> Result<()> {
        if slot.is_some() {
            return Err(self.error_in_file(format!("Multiple {what} attributes{of}")));
        }
        *slot = Some(self.r.skip(length as usize)?);
        Ok(())
    }

    /// How much to reserve for `count` items of at least `size` bytes: no more
    /// than the file can hold.
    fn bounded(&self, count: u16, size: usize) -> usize {
        (count as usize).min(self.r.remaining() / size)
    }

    fn is_utf8(&self, index: u16) -> bool {
        self.pool.tag(index) == tag::UTF8
    }

    fn is_class(&self, index: u16) -> bool {
        self.pool.tag(index) == tag::CLASS
    }

    fn text(&self, bytes: &[u8]) -> String {
        mutf8::to_string_lossy(bytes)
    }

    /// "`what` `name`"
    #[cold]
    fn error(&self, what: &str) -> ClassFileError {
        failure(
            ErrorKind::ClassFormat,
            format!("{what} {}", self.text(&self.name)),
        )
    }

    /// "`what` in class file `name`"
    #[cold]
    fn error_in_file(&self, what: String) -> ClassFileError {
        self.error(&format!("{what} in class file"))
    }
}

/// An error whose text is cut where HotSpot's buffer ends.
#[cold]
fn failure(kind: ErrorKind, mut message: String) -> ClassFileError {
    let mut end = 1023;
    if message.len() > end {
        while !message.is_char_boundary(end) {
            end -= 1;
        }
        message.truncate(end);
    }
    ClassFileError { kind, message }
}

impl From<Truncated> for ClassFileError {
    fn from(_: Truncated) -> Self {
        failure(ErrorKind::ClassFormat, "Truncated class file".to_owned())
    }
}
