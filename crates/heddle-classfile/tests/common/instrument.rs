//! Ways to edit a class everywhere at once, to see that the result still
//! verifies and does what it did.

#![allow(dead_code)]

use heddle_classfile::code::Operand;
use heddle_classfile::edit::{
    ClassEdit, EditError, Jumps, Kind, Snippet, ValueType, visit_types, with_receiver,
};
use heddle_classfile::opcode::*;
use heddle_classfile::{ClassBytes, ClassFile, access};

/// The class that inserted code calls; `tests/edit/Probe.java` is its source.
pub const PROBE: &str = "heddle/probe/Probe";

/// What is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// A call before every instruction.
    Before,
    /// The same, but jumps skip it.
    Fall,
    /// A call behind every instruction.
    After,
    /// Calls at entry and before returns.
    Ends,
    /// The topmost value, duplicated and passed to a method.
    Value,
    /// A conditional call before every instruction: frames everywhere.
    Branch,
    /// Every instruction inside a handler of its own.
    Around,
    /// The whole body inside a handler, with a variable that is kept.
    Body,
    /// So much before each instruction that branches become long.
    Far,
    /// `synchronized` done by hand.
    Locks,
    /// Calls on objects turned into calls of static methods.
    Calls,
    /// Every method called through another one.
    Wrap,
    /// A call before every method that is referred to, when the reference is called.
    References,
}

pub const VARIANTS: [Variant; 13] = [
    Variant::Before,
    Variant::Fall,
    Variant::After,
    Variant::Ends,
    Variant::Value,
    Variant::Branch,
    Variant::Around,
    Variant::Body,
    Variant::Far,
    Variant::Locks,
    Variant::Calls,
    Variant::Wrap,
    Variant::References,
];

impl Variant {
    pub fn named(name: &str) -> Option<Variant> {
        let same = |v: &Variant| format!("{v:?}").eq_ignore_ascii_case(name);
        VARIANTS.into_iter().find(same)
    }
}

/// Can a JVM do its work with a class that was edited so, if it needs it?
pub fn may_run_in(variant: Variant, module: &str, name: &str) -> bool {
    match variant {
        // These call what does not exist, or stand between a method and its caller.
        Variant::Calls | Variant::Wrap => module != "java.base",
        // HotSpot asks whether Object.finalize is empty.
        _ => name != "java/lang/Object",
    }
}

pub fn instrument(class: &ClassFile, variant: Variant) -> Result<ClassBytes, EditError> {
    let mut edit = ClassEdit::new(class);
    let hit = edit.snippet().invoke_static(PROBE, "hit", "()V").done();
    for (number, method) in class.methods.iter().enumerate() {
        if method.code.is_none() {
            continue;
        }
        match variant {
            Variant::Before => {
                let code = edit.code(number)?;
                for pc in places(class, number) {
                    code.before(pc, &hit);
                }
            }
            Variant::Fall => {
                let code = edit.code(number)?;
                for pc in places(class, number) {
                    code.before_with(pc, Jumps::Skip, &hit);
                }
            }
            Variant::After => {
                let code = edit.code(number)?;
                for pc in places(class, number) {
                    code.after(pc, &hit);
                }
            }
            Variant::Ends => {
                let code = edit.code(number)?;
                code.at_entry(&hit);
                code.at_returns(&hit);
            }
            Variant::Value => value(&mut edit, number)?,
            Variant::Branch => {
                let mut s = edit.snippet();
                let skip = s.label();
                s.get_static(PROBE, "on", "Z").branch(IFEQ, skip);
                let s = s.invoke_static(PROBE, "hit", "()V").bind(skip).done();
                let code = edit.code(number)?;
                for pc in places(class, number) {
                    code.before(pc, &s);
                }
            }
            Variant::Around => around(&mut edit, number)?,
            Variant::Body => body(&mut edit, number)?,
            Variant::Far => far(&mut edit, number)?,
            Variant::Locks => {
                if method.access & access::SYNCHRONIZED != 0 {
                    let enter = edit.snippet().op(MONITORENTER).done();
                    let exit = edit.snippet().op(MONITOREXIT).done();
                    edit.desynchronize(number, &enter, &exit)?;
                }
            }
            Variant::Calls => calls(&mut edit, number)?,
            Variant::Wrap => wrap(&mut edit, number),
            Variant::References => {
                for pc in places(class, number) {
                    edit.around_referred(number, pc, [&hit, &hit])?;
                }
            }
        }
    }
    edit.finish()
}

fn places(class: &ClassFile, method: usize) -> Vec<u32> {
    let code = class.methods[method].code.as_ref().expect("code");
    let insns = class.instructions(code).flatten();
    insns.map(|(pc, _)| pc).collect()
}

fn value(edit: &mut ClassEdit<'_>, number: usize) -> Result<(), EditError> {
    let class = edit.class();
    let of = |edit: &mut ClassEdit<'_>, dup, desc| {
        let mut s = edit.snippet();
        s.op(dup).invoke_static(PROBE, "see", desc).done()
    };
    let int = of(edit, DUP, "(I)V");
    let long = of(edit, DUP2, "(J)V");
    let float = of(edit, DUP, "(F)V");
    let double = of(edit, DUP2, "(D)V");
    let object = of(edit, DUP, "(Ljava/lang/Object;)V");
    let mut found: Vec<(u32, Snippet)> = Vec::new();
    visit_types(class, &class.methods[number], &mut |types| {
        let snippet = match types.below_top(0) {
            Some(ValueType::Int) => &int,
            Some(ValueType::Long) => &long,
            Some(ValueType::Float) => &float,
            Some(ValueType::Double) => &double,
            Some(ty) if ty.is_initialized_reference() => &object,
            _ => return,
        };
        found.push((types.pc, snippet.clone()));
    })?;
    let code = edit.code(number)?;
    for (pc, snippet) in found {
        code.before(pc, &snippet);
    }
    Ok(())
}

/// Is it a call of a constructor? Some of these are on `this`, and no handler
/// may cover such a call.
fn is_init(class: &ClassFile, operand: Operand<'_>) -> bool {
    let Operand::Constant(index) = operand else {
        return false;
    };
    let member = class.pool.try_member(index);
    member.is_some_and(|(_, name, _)| name == b"<init>")
}

fn around(edit: &mut ClassEdit<'_>, number: usize) -> Result<(), EditError> {
    let class = edit.class();
    let mut s = edit.snippet();
    let (start, end, target, past) = (s.label(), s.label(), s.label(), s.label());
    s.bind(start).original().bind(end);
    s.handle(start, end, target, Some("java/lang/Throwable"));
    s.invoke_static(PROBE, "hit", "()V").branch(GOTO, past);
    s.bind(target)
        .op(DUP)
        .invoke_static(PROBE, "thrown", "(Ljava/lang/Throwable;)V")
        .op(ATHROW);
    let s = s.bind(past).done();
    let code = edit.code(number)?;
    let constructor = class.pool.utf8(class.methods[number].name) == b"<init>";
    for (pc, insn) in code.instructions().to_vec() {
        let on_this = constructor && insn.opcode == INVOKESPECIAL && is_init(class, insn.operand);
        if !on_this {
            code.replace(pc, &s);
        }
    }
    Ok(())
}

fn body(edit: &mut ClassEdit<'_>, number: usize) -> Result<(), EditError> {
    let class = edit.class();
    let method = &class.methods[number];
    let length = method.code.as_ref().map_or(0, |c| c.bytes.len()) as u32;
    // Only behind the call of another constructor is there an object.
    if class.pool.utf8(method.name) == b"<init>" {
        return Ok(());
    }
    let kept = edit.code(number)?.kept_local("java/lang/String");
    let mut s = edit.snippet();
    let entry = s.string("kept").store(Kind::Reference, kept).done();
    let desc = "(Ljava/lang/Throwable;Ljava/lang/String;)V";
    let mut s = edit.snippet();
    s.op(DUP)
        .load(Kind::Reference, kept)
        .invoke_static(PROBE, "left", desc);
    let handler = s.op(ATHROW).done();
    let code = edit.code(number)?;
    code.at_entry(&entry);
    code.guard(
        0..length,
        0,
        heddle_classfile::edit::Nesting::Outermost,
        &handler,
    );
    Ok(())
}

fn far(edit: &mut ClassEdit<'_>, number: usize) -> Result<(), EditError> {
    let class = edit.class();
    let code = class.methods[number].code.as_ref().expect("code");
    let places = places(class, number);
    // Leave room for branches and switches to grow.
    let room = 60_000usize.saturating_sub(code.bytes.len() + 6 * places.len());
    let each = room / places.len().max(1);
    let mut s = edit.snippet();
    for _ in 0..each {
        s.op(NOP);
    }
    let s = s.done();
    let code = edit.code(number)?;
    for pc in places {
        code.before(pc, &s);
    }
    Ok(())
}

fn calls(edit: &mut ClassEdit<'_>, number: usize) -> Result<(), EditError> {
    let class = edit.class();
    let insns = edit.code(number)?.instructions().to_vec();
    for (pc, insn) in insns {
        let index = match (insn.opcode, insn.operand) {
            (INVOKEVIRTUAL, Operand::Constant(index)) => index,
            (INVOKEINTERFACE, Operand::Interface { index, .. }) => index,
            _ => continue,
        };
        let Some((owner, name, desc)) = class.pool.try_member(index) else {
            continue;
        };
        let desc = with_receiver(owner, desc);
        let s = edit.snippet().invoke_static(PROBE, name, &desc).done();
        edit.code(number)?.replace(pc, &s);
    }
    Ok(())
}

fn wrap(edit: &mut ClassEdit<'_>, number: usize) {
    let class = edit.class();
    let method = &class.methods[number];
    let (name, desc) = (class.pool.utf8(method.name), class.pool.utf8(method.desc));
    // An interface's private methods came with version 52, and a native
    // method is found by its name.
    if name.starts_with(b"<") || class.is_interface() {
        return;
    }
    let inner = [name, b"$heddle"].concat();
    let Some(parsed) = heddle_classfile::descriptor::MethodDescriptor::parse(desc) else {
        return;
    };
    let mut s = edit.snippet();
    let mut local = 0;
    if !method.is_static() {
        s.load(Kind::Reference, 0);
        local = 1;
    }
    for parameter in parsed.parameters() {
        s.load(Kind::of(parameter), local);
        local += parameter.slots();
    }
    if method.is_static() {
        s.invoke_static(class.name(), &inner, desc);
    } else {
        s.invoke_special(class.name(), &inner, desc);
    }
    s.invoke_static(PROBE, "hit", "()V");
    let s = s
        .op(parsed
            .result
            .map_or(RETURN, |ty| Kind::of(ty).return_opcode()))
        .done();
    edit.wrap_method(number, inner, &s);
}
