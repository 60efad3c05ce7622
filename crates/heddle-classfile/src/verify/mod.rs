//! The bytecode verifier (JVMS 4.10), with the answers and the words of HotSpot 17.
//!
//! Class files from version 50 on are checked against their `StackMapTable`
//! (JVMS 4.10.1) in one pass over each method: [`method`] walks the
//! instructions, [`members`] knows fields and calls, [`flow`] branches, switches
//! and handlers, [`stack_map`] reads the maps, [`frame`] is the state between
//! two instructions, [`types`] the lattice, and [`report`] words the errors.
//! [`trace`] lets the editor of class files follow types by the same steps.
//! Older files, and files of version 50 that fail, go to the data-flow verifier
//! of JVMS 4.10.2 in [`inference`].
//!
//! Where HotSpot is laxer or stricter than the specification, HotSpot is
//! followed; the places say so. Deviation: HotSpot looks at methods in an order
//! that depends on addresses; here it is the order of the file, so a class with
//! two bad methods may get the other error.

mod flow;
mod frame;
mod inference;
mod internal;
mod members;
mod method;
mod report;
mod stack_map;
pub(crate) mod trace;
mod types;

use crate::class::{ClassFile, access};

/// What the verifier must know about other classes, as the defining loader of
/// the verified class sees them. Names are internal (`java/lang/Object`) and
/// never those of arrays.
pub trait Hierarchy {
    fn is_interface(&self, class: &[u8]) -> Result<bool, NeedsClass>;

    /// Is `class` the same as or a subclass of `ancestor`, which is no interface?
    fn is_subclass(&self, class: &[u8], ancestor: &[u8]) -> Result<bool, NeedsClass>;

    /// The superclass; `None` for `java/lang/Object`. For an interface, Object.
    fn superclass(&self, class: &[u8]) -> Result<Option<Vec<u8>>, NeedsClass>;

    /// Is one of the proper superclasses of the verified class called so?
    /// These are loaded before a class is verified.
    fn has_superclass(&self, name: &[u8]) -> bool;

    /// Does looking up the member in `class`, a superclass of the verified
    /// class, give a protected one that is declared in another run-time package
    /// than that of the verified class? A missing member is none.
    fn is_protected_elsewhere(&self, class: &[u8], member: Member<'_>) -> Result<bool, NeedsClass>;

    /// May a value of `from` be assigned to `to`? Interfaces count as Object.
    /// HotSpot loads `to` first and then, if it is no interface, `from`.
    fn is_assignable(&self, from: &[u8], to: &[u8]) -> Result<bool, NeedsClass> {
        if from == to || to == b"java/lang/Object" || self.is_interface(to)? {
            return Ok(true);
        }
        self.is_subclass(from, to)
    }
}

/// A field or method by name and descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member<'a> {
    Field(&'a [u8], &'a [u8]),
    Method(&'a [u8], &'a [u8]),
}

/// The VM must load this class and verify again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeedsClass(pub Vec<u8>);

/// Why a class was not verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifyFailure {
    /// Nothing is wrong so far, but this class must be loaded first. If it
    /// cannot be loaded, the error of loading it is the outcome.
    Needs(Vec<u8>),
    Error {
        kind: VerifyErrorKind,
        message: String,
    },
}

/// The Java error to throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerifyErrorKind {
    VerifyError,
    ClassFormatError,
}

impl VerifyErrorKind {
    /// The internal name of the Java error class.
    pub fn java_class(self) -> &'static str {
        match self {
            VerifyErrorKind::VerifyError => "java/lang/VerifyError",
            VerifyErrorKind::ClassFormatError => "java/lang/ClassFormatError",
        }
    }
}

/// Verifies all methods of a class. No class file that was parsed makes this
/// panic or run for ever.
pub fn verify_class(class: &ClassFile, env: &dyn Hierarchy) -> Result<(), VerifyFailure> {
    let result = if class.major >= 50 {
        match check_types(class, env) {
            // The maps of version 50 are only hints (JVMS 4.10). If there is no
            // other way, HotSpot shows the message of the type checker.
            Err(Reject::Fault {
                hint: true,
                message,
                ..
            }) if class.major == 50 => match inference::verify(class, env) {
                Err(Reject::Fault { kind, .. }) => Err(Reject::Fault {
                    kind,
                    message,
                    hint: false,
                }),
                other => other,
            },
            other => other,
        }
    } else {
        inference::verify(class, env)
    };
    result.map_err(|reject| match reject {
        Reject::Needs(name) => VerifyFailure::Needs(name),
        Reject::Fault { kind, message, .. } => VerifyFailure::Error { kind, message },
    })
}

fn check_types(class: &ClassFile, env: &dyn Hierarchy) -> Checked<()> {
    let mut scratch = method::Scratch::default();
    for m in &class.methods {
        if let Some(code) = &m.code
            && m.access & (access::NATIVE | access::ABSTRACT) == 0
        {
            method::verify(class, env, m, code, &mut scratch)?;
        }
    }
    Ok(())
}

/// Why checking stopped.
#[derive(Debug)]
enum Reject {
    Needs(Vec<u8>),
    Fault {
        kind: VerifyErrorKind,
        message: String,
        /// In version 50, ask the other verifier before believing it.
        hint: bool,
    },
}

type Checked<T> = Result<T, Reject>;

impl From<NeedsClass> for Reject {
    fn from(needs: NeedsClass) -> Self {
        Reject::Needs(needs.0)
    }
}
