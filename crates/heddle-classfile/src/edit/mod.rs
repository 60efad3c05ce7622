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

mod code;
mod constants;
mod effect;
mod error;
mod snippet;
mod types;

pub use code::{CodeEdit, Jumps, LineStart, Nesting};
pub use constants::Constants;
pub use error::{EditError, EditErrorKind};
pub use snippet::{Kind, Label, Snippet, SnippetBuilder};
pub use types::{TypesAt, ValueType, visit_types};

use crate::bytes::ClassBytes;
use crate::class::ClassFile;

/// The edits of one class.
pub struct ClassEdit<'c> {
    class: &'c ClassFile,
    constants: Constants<'c>,
    /// By the number of the method; those that were never asked for are `None`.
    codes: Vec<Option<Box<CodeEdit<'c>>>>,
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
            let edit = CodeEdit::new(class, m, code).map_err(|kind| kind.of_method(class, m))?;
            *slot = Some(Box::new(edit));
        }
        Ok(slot.as_mut().expect("it was just made"))
    }

    /// Takes `synchronized` off a method and lets its body do the same by
    /// itself: `enter` runs first, with the lock (`this` or the class object)
    /// on the stack, and consumes it, as `monitorenter` does; `exit` runs in
    /// the same way before each return and when the body throws. With
    /// snippets of `monitorenter` and `monitorexit` alone the method does what
    /// it did.
    pub fn desynchronize(
        &mut self,
        method: usize,
        enter: &Snippet,
        exit: &Snippet,
    ) -> Result<(), EditError> {
        let _ = (method, enter, exit);
        todo!("next commit")
    }

    /// Replaces the access flags of the class.
    pub fn set_access(&mut self, flags: u16) {
        let _ = flags;
        todo!("next commit")
    }

    /// Replaces the access flags of a method.
    pub fn set_method_access(&mut self, method: usize, flags: u16) {
        let _ = (method, flags);
        todo!("next commit")
    }

    /// Gives a method another name. Calls of it keep the old one.
    pub fn rename_method(&mut self, method: usize, name: impl AsRef<[u8]>) {
        let _ = (method, name.as_ref());
        todo!("next commit")
    }

    /// Gives a method another name and puts a new one in its place, with the
    /// old name, descriptor, flags and attributes other than `Code`. The body
    /// finds the parameters in its locals and usually calls the renamed
    /// method, which becomes private and synthetic.
    pub fn wrap_method(
        &mut self,
        method: usize,
        inner_name: impl AsRef<[u8]>,
        body: &Snippet,
    ) {
        let _ = (method, inner_name.as_ref(), body);
        todo!("next commit")
    }

    pub fn add_method(&mut self, method: NewMethod) {
        let _ = method;
        todo!("next commit")
    }

    pub fn add_field(&mut self, access: u16, name: impl AsRef<[u8]>, desc: impl AsRef<[u8]>) {
        let _ = (access, name.as_ref(), desc.as_ref());
        todo!("next commit")
    }

    /// Makes the class implement an interface that it does not name yet.
    pub fn add_interface(&mut self, name: impl AsRef<[u8]>) {
        let _ = name.as_ref();
        todo!("next commit")
    }

    /// Adds an attribute to the class.
    pub fn add_attribute(&mut self, name: impl AsRef<[u8]>, payload: Vec<u8>) {
        let _ = (name.as_ref(), payload);
        todo!("next commit")
    }

    /// Adds an attribute to a method.
    pub fn add_method_attribute(
        &mut self,
        method: usize,
        name: impl AsRef<[u8]>,
        payload: Vec<u8>,
    ) {
        let _ = (method, name.as_ref(), payload);
        todo!("next commit")
    }

    /// Writes the class file.
    pub fn finish(self) -> Result<ClassBytes, EditError> {
        todo!("next commit")
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
