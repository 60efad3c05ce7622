//! The visible operations of a program (rstest, section 3): the places at which a recorded
//! run may go on with another thread.
//!
//! Accesses to fields that are not final and to arrays, `monitorenter`, calls of
//! synchronized methods, calls into trusted code that others can notice or that may block.
//! And two kinds of places that schedules need to say where a thread is: the first bytecode
//! of synchronized methods, and all returns, because the library may have called the method.
//!
//! Which objects are shared is not asked: a switch that makes no difference costs a line.

use crate::calls;
use crate::places::{self, Place};
use crate::program::Program;
use heddle_classfile::code::{Insn, Operand};
use heddle_classfile::mutf8::to_string_lossy as text;
use heddle_classfile::opcode::*;
use heddle_classfile::{ClassFile, access};
use heddle_model::schedule::{CodePlace, MethodName};
use std::collections::HashSet;

/// Methods by name and descriptor.
pub type Signatures = HashSet<(Vec<u8>, Vec<u8>)>;

/// The signatures of all synchronized methods of these classes.
pub fn synchronized(classes: &[(String, ClassFile)]) -> Signatures {
    signatures(classes, |flags| flags & access::SYNCHRONIZED != 0)
}

/// The signatures of methods of objects that are synchronized in all classes that have them.
pub fn synchronized_everywhere(classes: &[(String, ClassFile)]) -> Signatures {
    let not = signatures(classes, |flags| {
        let concrete = flags & (access::ABSTRACT | access::STATIC) == 0;
        concrete && flags & access::SYNCHRONIZED == 0
    });
    let mut found = synchronized(classes);
    found.retain(|signature| !not.contains(signature));
    found
}

/// The signatures of methods with such flags.
fn signatures(classes: &[(String, ClassFile)], wanted: impl Fn(u16) -> bool) -> Signatures {
    let mut found = Signatures::new();
    for (_, class) in classes {
        let methods = class.methods.iter().filter(|m| wanted(m.access));
        found.extend(methods.map(|m| {
            let pool = &class.pool;
            (pool.utf8(m.name).to_vec(), pool.utf8(m.desc).to_vec())
        }));
    }
    found
}

/// The visible operations of one class. Numbers start at `first`.
pub fn places(
    program: &Program<'_>,
    class: &ClassFile,
    synchronized: &Signatures,
    first: i32,
) -> Vec<Place> {
    let mut found = Vec::new();
    for (number, method) in class.methods.iter().enumerate() {
        let Some(code) = &method.code else {
            continue;
        };
        let locked = method.access & access::SYNCHRONIZED != 0;
        for step in class.instructions(code) {
            let Ok((pc, insn)) = step else {
                break;
            };
            let kind = match visible(program, class, &insn, synchronized) {
                Kind::Nothing if pc == 0 && locked => Kind::Visible,
                Kind::Nothing if (IRETURN..=RETURN).contains(&insn.opcode) => Kind::Visible,
                kind => kind,
            };
            if kind == Kind::Nothing {
                continue;
            }
            let pool = &class.pool;
            let place = CodePlace {
                class: text(class.name()).replace('/', "."),
                method: MethodName::Named {
                    name: text(pool.utf8(method.name)),
                    descriptor: Some(text(pool.utf8(method.desc))),
                },
                index: pc as u16,
            };
            found.push(Place {
                number: first + found.len() as i32,
                blocks: kind == Kind::MayBlock,
                ..places::at(class, number, &place)
            });
        }
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nothing,
    Visible,
    MayBlock,
}

fn visible(
    program: &Program<'_>,
    class: &ClassFile,
    insn: &Insn<'_>,
    synchronized: &Signatures,
) -> Kind {
    let constant = match insn.operand {
        Operand::Constant(index) | Operand::Interface { index, .. } => index,
        _ => 0,
    };
    match insn.opcode {
        IALOAD..=SALOAD | IASTORE..=SASTORE | MONITORENTER => Kind::Visible,
        GETSTATIC..=PUTFIELD => {
            let (owner, name, _) = class.pool.member(constant);
            match is_final(program, &text(owner), name) {
                true => Kind::Nothing,
                false => Kind::Visible,
            }
        }
        INVOKEVIRTUAL..=INVOKEINTERFACE => {
            let (owner, name, desc) = class.pool.member(constant);
            if calls::change(program, insn.opcode, owner, name, desc).is_some() {
                return Kind::MayBlock;
            }
            let trusted = program.trusts(&text(owner));
            if trusted && name != b"<init>" && !is_harmless(owner, name) {
                Kind::MayBlock
            } else if !trusted && synchronized.contains(&(name.to_vec(), desc.to_vec())) {
                Kind::Visible
            } else {
                Kind::Nothing
            }
        }
        _ => Kind::Nothing,
    }
}

/// Whether a field never changes. Those of the JDK that a program names are constants.
fn is_final(program: &Program<'_>, owner: &str, name: &[u8]) -> bool {
    let mut class = owner.to_string();
    for _ in 0..100 {
        let Some(file) = program.class(&class) else {
            return true;
        };
        let field = file.fields.iter().find(|f| file.pool.utf8(f.name) == name);
        if let Some(field) = field {
            return field.access & access::FINAL != 0;
        }
        match file.super_name() {
            Some(next) => class = text(next),
            None => return true,
        }
    }
    true
}

/// Calls of the JDK that never block and that no other thread notices.
fn is_harmless(owner: &[u8], name: &[u8]) -> bool {
    if let Some(class) = owner.strip_prefix(b"java/lang/") {
        let noticed = matches!(class, b"Thread" | b"Runtime" | b"ThreadGroup" | b"Iterable")
            || class.starts_with(b"Process")
            || (class == b"System" && name == b"exit");
        return !noticed;
    }
    [
        &b"java/util/function/"[..],
        b"java/io/PrintStream",
        b"java/util/Objects",
        b"java/time/",
        b"java/math/",
    ]
    .iter()
    .any(|prefix| owner.starts_with(prefix))
}
