//! The data-flow verifier (JVMS 4.10.2), for class files before version 50 and
//! for those of version 50 whose maps are wrong.
//!
//! It follows the JDK's `libverify`: types are merged at joins until nothing
//! changes, subroutines remember which locals they touch. [`scan`] checks the
//! instructions one by one, [`flow`] runs the analysis, [`operands`] knows what
//! each instruction pops and pushes, [`types`] is the lattice.
//!
//! Deviation: a method whose analysis would take absurd time or memory is
//! refused. HotSpot would try.

mod flow;
mod operands;
mod scan;
mod types;

use super::trace::{TypesAt, ValueType};
use super::{Checked, Hierarchy, Reject, VerifyErrorKind};
use crate::class::{ClassFile, Code, Method, access};
use crate::code::Insn;
use crate::mutf8::to_string_lossy as text;
use types::{Classes, Ty};

pub(super) fn verify(class: &ClassFile, env: &dyn Hierarchy) -> Checked<()> {
    let mut classes = Classes::new(env);
    for method in &class.methods {
        if let Some(code) = &method.code
            && method.access & (access::NATIVE | access::ABSTRACT) == 0
        {
            let mut context = Context::new(class, method, code, &mut classes);
            context.scan()?;
            context.run()?;
        }
    }
    Ok(())
}

/// Shows the types before every instruction that can be reached, given classes
/// of which nothing need be known.
pub(super) fn show(
    class: &ClassFile,
    method: &Method,
    code: &Code,
    env: &dyn Hierarchy,
    see: &mut dyn FnMut(&TypesAt<'_>),
) -> Checked<()> {
    let mut classes = Classes::new(env);
    let mut context = Context::new(class, method, code, &mut classes);
    context.scan()?;
    let states = context.run()?;
    let mut places = vec![0; context.insns.len()];
    for (pc, number) in context.numbers.iter().enumerate() {
        if let Some(number) = number {
            places[*number as usize] = pc as u32;
        }
    }
    for (state, &pc) in states.iter().zip(&places) {
        let Some(state) = state else { continue };
        let shown = |&ty: &Ty| match ty {
            Ty::New(number) => ValueType::Uninitialized(places[number as usize]),
            _ => context.classes.shown(ty),
        };
        see(&TypesAt {
            pc,
            locals: &state.locals.iter().map(shown).collect::<Vec<_>>(),
            stack: &state.stack.iter().map(shown).collect::<Vec<_>>(),
        });
    }
    Ok(())
}

struct Context<'c, 'e, 'a> {
    class: &'a ClassFile,
    method: &'a Method,
    code: &'a Code,
    bytes: &'a [u8],
    classes: &'c mut Classes<'e>,
    this: Ty,
    super_class: Option<Ty>,
    /// `None` for `void`.
    result: Option<Ty>,
    insns: Vec<Step<'a>>,
    /// The number of the instruction that starts at each byte.
    numbers: Vec<Option<u32>>,
    handlers: Vec<Catch>,
}

/// An instruction and what was found out about its operands.
struct Step<'a> {
    insn: Insn<'a>,
    /// The class that it names: of a member, an array, a new object.
    named: Ty,
    /// Its member is protected, inherited and from another package.
    protected: bool,
}

struct Catch {
    start: u32,
    end: u32,
    target: u32,
    thrown: Ty,
}

impl<'c, 'e, 'a> Context<'c, 'e, 'a> {
    fn new(
        class: &'a ClassFile,
        method: &'a Method,
        code: &'a Code,
        classes: &'c mut Classes<'e>,
    ) -> Self {
        let this = classes.of_name(class.name());
        let super_class = class.super_name().map(|name| classes.of_name(name));
        Context {
            class,
            method,
            code,
            bytes: class.code_bytes(code),
            classes,
            this,
            super_class,
            result: None,
            insns: Vec::new(),
            numbers: Vec::new(),
            handlers: Vec::new(),
        }
    }

    #[cold]
    fn error(&self, message: impl AsRef<str>) -> Reject {
        self.fault(VerifyErrorKind::VerifyError, message.as_ref())
    }

    #[cold]
    fn fault(&self, kind: VerifyErrorKind, message: &str) -> Reject {
        Reject::Fault {
            kind,
            message: format!(
                "(class: {}, method: {} signature: {}) {message}",
                text(self.class.name()),
                text(self.class.pool.utf8(self.method.name)),
                text(self.class.pool.utf8(self.method.desc)),
            ),
            hint: false,
        }
    }
}
