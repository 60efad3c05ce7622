//! Editing class files: code inserted, replaced and guarded, members added, all
//! tables kept right (JVMS chapter 4).
//!
//! A [`ClassEdit`] collects what is to be done to one class and writes the new
//! class file in the end. What is not touched stays byte for byte; if nothing
//! is to be done, the result is the same bytes.
//!
//! ```
//! use heddle_classfile::edit::ClassEdit;
//! # use heddle_classfile::{ClassBytes, ClassFile, EditError};
//! # fn example(class: &ClassFile) -> Result<ClassBytes, EditError> {
//! let mut edit = ClassEdit::new(class);
//! let call = edit
//!     .snippet()
//!     .int(7)
//!     .invoke_static("demo/Counter", "hit", "(I)V")
//!     .done();
//! for (number, method) in class.methods.iter().enumerate() {
//!     if method.code.is_some() {
//!         let code = edit.code(number)?;
//!         let places: Vec<u32> = code.instructions().iter().map(|i| i.0).collect();
//!         for pc in places {
//!             code.before(pc, &call);
//!         }
//!     }
//! }
//! edit.finish()
//! # }
//! ```
//!
//! Files: `code` is what is asked of one method, `snippet` the code to insert,
//! `constants` the pool; `layout` orders and places the new code, `emit`
//! writes it, `tables`, `annotations` and `frames` make what describes it;
//! `outline` finds the parts of a file and `write` puts them together;
//! `sync` is about synchronized methods, `references` about method references,
//! `types` about the types in code.
//!
//! Left out: references to members that were renamed.

mod annotations;
mod code;
mod constants;
mod effect;
mod emit;
mod error;
mod frames;
mod layout;
mod outline;
mod references;
mod snippet;
mod sync;
mod tables;
mod types;
mod write;

pub use code::{CodeEdit, Jumps, LineStart, Nesting};
pub use constants::Constants;
pub use error::{EditError, EditErrorKind};
pub use snippet::{Kind, Label, Snippet, SnippetBuilder};
pub use types::{TypesAt, ValueType, visit_types};

use crate::bytes::ClassBytes;
use crate::class::{ClassFile, access};
use crate::descriptor::argument_slots;
use std::collections::BTreeMap;
use write::AddedMethod;

/// The edits of one class.
pub struct ClassEdit<'c> {
    class: &'c ClassFile,
    constants: Constants<'c>,
    /// By the number of the method; those that were never asked for are `None`.
    codes: Vec<Option<Box<CodeEdit<'c>>>>,
    changes: BTreeMap<usize, MethodChange>,
    new_methods: Vec<AddedMethod>,
    /// Flags, name, descriptor.
    fields: Vec<[u16; 3]>,
    interfaces: Vec<u16>,
    /// Handles and arguments of bootstrap methods to add.
    bootstraps: Vec<(u16, Vec<u16>)>,
    /// Names and payloads.
    attributes: Vec<(u16, Vec<u8>)>,
    access: Option<u16>,
    fault: Option<EditErrorKind>,
}

/// What changes about a method beside its code.
#[derive(Default)]
struct MethodChange {
    access: Option<u16>,
    /// Flags to take away.
    cleared: u16,
    name: Option<u16>,
    attributes: Vec<(u16, Vec<u8>)>,
    /// The name of the old code, and the new code.
    wrapped: Option<(u16, Snippet)>,
}

/// A method to add.
pub struct NewMethod {
    pub access: u16,
    pub name: Vec<u8>,
    pub desc: Vec<u8>,
    /// The code of a method that is neither native nor abstract; it finds the
    /// parameters in its locals, may use more locals behind them, and must not
    /// run off its end.
    pub body: Option<Snippet>,
}

impl<'c> ClassEdit<'c> {
    pub fn new(class: &'c ClassFile) -> ClassEdit<'c> {
        ClassEdit {
            class,
            constants: Constants::new(&class.pool),
            codes: class.methods.iter().map(|_| None).collect(),
            changes: BTreeMap::new(),
            new_methods: Vec::new(),
            fields: Vec::new(),
            interfaces: Vec::new(),
            bootstraps: Vec::new(),
            attributes: Vec::new(),
            access: None,
            fault: None,
        }
    }

    /// The class as it was.
    pub fn class(&self) -> &'c ClassFile {
        self.class
    }

    pub fn constants(&mut self) -> &mut Constants<'c> {
        &mut self.constants
    }

    /// Starts a snippet for this class.
    pub fn snippet(&mut self) -> SnippetBuilder<'_, 'c> {
        SnippetBuilder::new(&mut self.constants)
    }

    /// The code of a method, by its number in [`ClassFile::methods`].
    pub fn code(&mut self, method: usize) -> Result<&mut CodeEdit<'c>, EditError> {
        let class = self.class;
        let Some(m) = class.methods.get(method) else {
            return Err(EditErrorKind::NoMethod(method).of_class(class));
        };
        let Some(code) = &m.code else {
            return Err(EditErrorKind::NoCode.of_method(class, m));
        };
        let slot = &mut self.codes[method];
        if slot.is_none() {
            let edit = CodeEdit::new(class, code).map_err(|kind| kind.of_method(class, m))?;
            *slot = Some(Box::new(edit));
        }
        Ok(slot.as_mut().expect("it was just made"))
    }

    /// Replaces the access flags of the class.
    pub fn set_access(&mut self, flags: u16) {
        self.access = Some(flags);
    }

    /// Replaces the access flags of a method.
    pub fn set_method_access(&mut self, method: usize, flags: u16) {
        self.change(method).access = Some(flags);
    }

    /// Gives a method another name. Calls of it keep the old one.
    pub fn rename_method(&mut self, method: usize, name: impl AsRef<[u8]>) {
        let name = self.constants.utf8(name);
        self.change(method).name = Some(name);
    }

    /// Gives a method another name and puts a new one in its place, with the
    /// old name, descriptor, flags and attributes other than `Code`. The body
    /// finds the parameters in its locals and usually calls the renamed
    /// method, which becomes private and synthetic; it must not run off its
    /// end.
    pub fn wrap_method(&mut self, method: usize, inner_name: impl AsRef<[u8]>, body: &Snippet) {
        let name = self.constants.utf8(inner_name);
        self.change(method).wrapped = Some((name, body.clone()));
    }

    pub fn add_method(&mut self, method: NewMethod) {
        let Some(slots) = argument_slots(&method.desc) else {
            let why = "a method's descriptor is malformed";
            self.fault.get_or_insert(EditErrorKind::BadSnippet(why));
            return;
        };
        let receiver = method.access & access::STATIC == 0;
        self.new_methods.push(AddedMethod {
            access: method.access,
            name: self.constants.utf8(method.name),
            desc: self.constants.utf8(method.desc),
            slots: u32::from(slots) + u32::from(receiver),
            body: method.body,
        });
    }

    pub fn add_field(&mut self, access: u16, name: impl AsRef<[u8]>, desc: impl AsRef<[u8]>) {
        let (name, desc) = (self.constants.utf8(name), self.constants.utf8(desc));
        self.fields.push([access, name, desc]);
    }

    /// Makes the class implement an interface, if it does not name it yet.
    pub fn add_interface(&mut self, name: impl AsRef<[u8]>) {
        let (class, name) = (self.class, name.as_ref());
        let mut named = class.interfaces.iter();
        if named.any(|&index| class.pool.class_name(index) == name) {
            return;
        }
        let index = self.constants.class(name);
        if !self.interfaces.contains(&index) {
            self.interfaces.push(index);
        }
    }

    /// Adds a bootstrap method: the constants of its handle and arguments. Its number.
    pub fn add_bootstrap(&mut self, handle: u16, arguments: Vec<u16>) -> u16 {
        let number = self.class.bootstrap_methods.len() + self.bootstraps.len();
        self.bootstraps.push((handle, arguments));
        // Too many are noticed when they are written.
        number as u16
    }

    /// Adds an attribute to the class.
    pub fn add_attribute(&mut self, name: impl AsRef<[u8]>, payload: Vec<u8>) {
        let name = self.constants.utf8(name);
        self.attributes.push((name, payload));
    }

    /// Adds an attribute to a method.
    pub fn add_method_attribute(
        &mut self,
        method: usize,
        name: impl AsRef<[u8]>,
        payload: Vec<u8>,
    ) {
        let name = self.constants.utf8(name);
        self.change(method).attributes.push((name, payload));
    }

    /// Writes the class file.
    pub fn finish(self) -> Result<ClassBytes, EditError> {
        match &self.fault {
            Some(fault) => Err(fault.clone().of_class(self.class)),
            None => write::class(self),
        }
    }

    fn change(&mut self, method: usize) -> &mut MethodChange {
        if method >= self.class.methods.len() {
            self.fault.get_or_insert(EditErrorKind::NoMethod(method));
        }
        self.changes.entry(method).or_default()
    }

    fn is_unchanged(&self) -> bool {
        self.codes.iter().flatten().all(|code| code.is_unchanged())
            && self.changes.is_empty()
            && self.new_methods.is_empty()
            && self.fields.is_empty()
            && self.interfaces.is_empty()
            && self.bootstraps.is_empty()
            && self.attributes.is_empty()
            && self.access.is_none()
    }
}

/// The descriptor of a static method that takes the receiver of a call before
/// its arguments: `wait (J)V` of `java/lang/Object` becomes
/// `(Ljava/lang/Object;J)V`.
pub fn with_receiver(class: &[u8], desc: &[u8]) -> Vec<u8> {
    let arguments = desc.strip_prefix(b"(").unwrap_or(desc);
    let (open, close): (&[u8], &[u8]) = match class.first() {
        Some(b'[') => (b"(", b""),
        _ => (b"(L", b";"),
    };
    [open, class, close, arguments].concat()
}
