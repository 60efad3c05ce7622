//! The types of locals and stack before each instruction of a method, for who
//! must know what he finds there: whether a receiver is initialized yet, how
//! many words a value has.

use super::error::{EditError, EditErrorKind};
use super::frames::follow;
use crate::class::{ClassFile, Code, Method};
use crate::verify::trace::{Trace, infer};

pub use crate::verify::trace::{TypesAt, ValueType};

/// Calls `see` for every instruction that can be reached, in the order of the code.
pub fn visit_types(
    class: &ClassFile,
    method: &Method,
    see: &mut dyn FnMut(&TypesAt<'_>),
) -> Result<(), EditError> {
    let fail = |kind: EditErrorKind| kind.of_method(class, method);
    let Some(code) = &method.code else {
        return Err(fail(EditErrorKind::NoCode));
    };
    let inferred = |see| infer(class, method, code, see);
    if class.major < 50 {
        return inferred(see).map_err(|why| fail(EditErrorKind::Types { pc: 0, why }));
    }
    // The maps of version 50 are only hints, and may be missing.
    if class.major == 50 && mapped(class, method, code, &mut |_| ()).is_err() {
        return inferred(see).map_err(|why| fail(EditErrorKind::Types { pc: 0, why }));
    }
    mapped(class, method, code, see).map_err(fail)
}

fn mapped(
    class: &ClassFile,
    method: &Method,
    code: &Code,
    see: &mut dyn FnMut(&TypesAt<'_>),
) -> Result<(), EditErrorKind> {
    let code = Code {
        handlers: Vec::new(),
        ..code.clone()
    };
    let bytes = class.code_bytes(&code);
    let mut trace = Trace::new(class, method, &code, bytes);
    let maps = trace.read_maps();
    maps.map_err(|why| EditErrorKind::Types { pc: 0, why })?;
    let (mut locals, mut stack) = (Vec::new(), Vec::new());
    follow(bytes, &mut trace, &mut |view| {
        locals.clear();
        locals.extend(view.locals.iter().map(|ty| ty.shown()));
        stack.clear();
        let values = view.stack.iter().filter(|ty| !ty.is_second());
        stack.extend(values.map(|ty| ty.shown()));
        see(&TypesAt {
            pc: view.offset,
            locals: &locals,
            stack: &stack,
        });
        Ok(())
    })
}
