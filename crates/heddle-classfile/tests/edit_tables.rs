//! The tables of edited code say of every instruction what they said before.

mod common;

use common::instrument::{Variant, instrument};
use heddle_classfile::code::{Insn, Operand};
use heddle_classfile::edit::{ClassEdit, TypesAt, ValueType, visit_types};
use heddle_classfile::opcode::*;
use heddle_classfile::{Checks, ClassBytes, ClassFile, Code, Method, ParseOptions};

fn options() -> ParseOptions<'static> {
    ParseOptions {
        checks: Checks::Trusted,
        max_major: 69,
        ..ParseOptions::default()
    }
}

/// One class in `step` of the JDK.
fn sample(step: usize) -> impl Iterator<Item = ClassFile> {
    let classes = common::classes(&common::image()).into_iter();
    classes.step_by(step).map(|(_, name, bytes)| {
        let class = ClassFile::parse(ClassBytes::Static(bytes), &options());
        class.unwrap_or_else(|e| panic!("{name}: {e}"))
    })
}

fn parse(bytes: ClassBytes) -> ClassFile {
    ClassFile::parse(bytes, &options()).expect("the editor writes class files")
}

fn insns<'c>(class: &'c ClassFile, code: &Code) -> Vec<(u32, Insn<'c>)> {
    let insns: Result<Vec<_>, _> = class.instructions(code).collect();
    insns.expect("code of the JDK can be read")
}

#[test]
fn an_edit_with_nothing_to_do_gives_the_same_bytes() {
    for class in sample(7) {
        let mut edit = ClassEdit::new(&class);
        edit.snippet().string("a text that is not there").done();
        for (number, method) in class.methods.iter().enumerate() {
            if method.code.is_some() {
                edit.code(number).expect("code of the JDK can be read");
            }
        }
        let same = edit.finish().expect("nothing can fail");
        assert_eq!(same.as_ptr(), class.bytes().as_ptr());
        assert_eq!(same.len(), class.bytes().len());
    }
}

#[test]
fn what_is_not_edited_is_copied() {
    let mut seen = 0;
    for class in sample(7) {
        let with_code: Vec<usize> = (0..class.methods.len())
            .filter(|&n| class.methods[n].code.is_some())
            .collect();
        let [first, .., last] = with_code[..] else {
            continue;
        };
        let middle = with_code[with_code.len() / 2];
        if middle == first || middle == last {
            continue;
        }
        let mut edit = ClassEdit::new(&class);
        let nop = edit.snippet().op(NOP).done();
        edit.code(middle).expect("code").at_entry(&nop);
        let new = edit.finish().expect("one byte fits");
        let code = |n: usize| class.methods[n].code.as_ref().expect("code").bytes;
        // A `nop` needs no constant, so that all moves by what the method grew.
        let grown = new.len() - class.bytes().len();
        let head = code(middle).start as usize - 8;
        assert_eq!(new[..8], class.bytes()[..8]);
        // Between pool and method nothing changed, so the first code is in place.
        assert_eq!(
            new[10..code(first).end as usize],
            class.bytes()[10..code(first).end as usize]
        );
        assert_eq!(new[10..head - 6], class.bytes()[10..head - 6]);
        let tail = code(last).start as usize - 8;
        assert_eq!(new[tail + grown..], class.bytes()[tail..]);
        seen += 1;
    }
    assert!(seen > 500, "{seen}");
}

/// With a call before each, instruction `n` is number `2n + 1`, and jumps to it
/// go to number `2n`.
#[test]
fn jumps_handlers_lines_and_variables_are_those_of_the_same_instructions() {
    let (mut methods, mut variables, mut handlers) = (0, 0, 0);
    for class in sample(5) {
        let Ok(edited) = instrument(&class, Variant::Before) else {
            continue;
        };
        let new = parse(edited);
        for (old_method, new_method) in class.methods.iter().zip(&new.methods) {
            let (Some(old_code), Some(new_code)) = (&old_method.code, &new_method.code) else {
                assert!(new_method.code.is_none());
                continue;
            };
            let pair = Pair {
                old: (&class, old_code, insns(&class, old_code)),
                new: (&new, new_code, insns(&new, new_code)),
            };
            pair.check_instructions();
            pair.check_lines();
            variables += pair.check_variables();
            handlers += pair.check_handlers();
            methods += 1;
        }
    }
    let counts = format!("{methods} methods, {variables} variables, {handlers} handlers");
    assert!(
        methods > 20_000 && variables > 20_000 && handlers > 3000,
        "{counts}"
    );
}

/// A method before and after the edit.
struct Pair<'c> {
    old: (&'c ClassFile, &'c Code, Vec<(u32, Insn<'c>)>),
    new: (&'c ClassFile, &'c Code, Vec<(u32, Insn<'c>)>),
}

impl Pair<'_> {
    /// The new place of jumps to an old place.
    fn target(&self, pc: u32) -> u32 {
        let (old, new) = (&self.old.2, &self.new.2);
        match old.binary_search_by_key(&pc, |i| i.0) {
            Ok(n) => new[2 * n].0,
            Err(_) => {
                assert_eq!(pc as usize, self.old.1.bytes.len());
                self.new.1.bytes.len() as u32
            }
        }
    }

    fn check_instructions(&self) {
        let (old, new) = (&self.old.2, &self.new.2);
        assert_eq!(old.len() * 2, new.len());
        for (n, (_, a)) in old.iter().enumerate() {
            let b = &new[2 * n + 1].1;
            assert_eq!(a.opcode, b.opcode);
            match (a.operand, b.operand) {
                (Operand::Branch(a), Operand::Branch(b)) => {
                    assert_eq!(self.target(a as u32), b as u32);
                }
                (Operand::Table(a), Operand::Table(b)) => {
                    assert_eq!((a.low, a.high), (b.low, b.high));
                    assert!(b.padding_is_zero);
                    let moved: Vec<u32> = a.targets().map(|t| self.target(t as u32)).collect();
                    assert!(b.targets().map(|t| t as u32).eq(moved));
                    assert_eq!(self.target(a.default as u32), b.default as u32);
                }
                (Operand::Lookup(a), Operand::Lookup(b)) => {
                    let moved = |(key, t)| (key, self.target(t as u32) as i32);
                    assert!(b.pairs().eq(a.pairs().map(moved)));
                    assert_eq!(self.target(a.default as u32), b.default as u32);
                }
                (a, b) => assert_eq!(a, b),
            }
        }
    }

    fn check_lines(&self) {
        for (n, (pc, _)) in self.old.2.iter().enumerate() {
            let line = self.old.0.line_of(self.old.1, *pc as u16);
            for place in [2 * n, 2 * n + 1] {
                let pc = self.new.2[place].0 as u16;
                assert_eq!(line, self.new.0.line_of(self.new.1, pc));
            }
        }
    }

    fn check_variables(&self) -> usize {
        let old: Vec<_> = self.old.0.local_variables(self.old.1).collect();
        let new: Vec<_> = self.new.0.local_variables(self.new.1).collect();
        assert_eq!(old.len(), new.len());
        for (a, b) in old.iter().zip(&new) {
            assert_eq!((a.name, a.desc, a.index), (b.name, b.desc, b.index));
            assert_eq!(self.target(a.start.into()), b.start.into());
            let end = u32::from(a.start) + u32::from(a.length);
            assert_eq!(self.target(end), u32::from(b.start) + u32::from(b.length));
        }
        old.len()
    }

    fn check_handlers(&self) -> usize {
        assert_eq!(self.old.1.handlers.len(), self.new.1.handlers.len());
        let pairs = self.old.1.handlers.iter().zip(&self.new.1.handlers);
        for (a, b) in pairs {
            assert_eq!(a.catch_type, b.catch_type);
            assert_eq!(self.target(a.start.into()), b.start.into());
            assert_eq!(self.target(a.target.into()), b.target.into());
            assert_eq!(self.target(a.end.into()), b.end.into());
        }
        self.old.1.handlers.len()
    }
}

/// javac puts annotations on types in code only if the source has some.
#[test]
fn annotations_in_code_follow_their_instructions() {
    let folder = common::hotspot::scratch("annotated");
    let source = common::hotspot::source("Annotated.java");
    common::hotspot::compile(&[source], &folder, &["-g"]);
    let bytes = std::fs::read(folder.join("Annotated.class")).expect("compiled");
    let _ = std::fs::remove_dir_all(&folder);
    let old = parse(bytes.into());
    let new = parse(instrument(&old, Variant::Around).expect("small"));
    let mut kinds = std::collections::BTreeSet::new();
    for (a, b) in old.methods.iter().zip(&new.methods) {
        let (Some(a), Some(b)) = (&a.code, &b.code) else {
            continue;
        };
        let (before, after) = (annotations(&old, a), annotations(&new, b));
        assert_eq!(before, after);
        kinds.extend(before.iter().map(|entry| entry.0));
    }
    // Variables, resources, handlers, instanceof, new, method references, casts.
    let all = [0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49];
    assert!(kinds.iter().eq(&all), "{kinds:x?}");
}

/// For every annotation its kind and what it is about: opcodes, variables, the
/// class of a handler. The class has annotations without elements only.
fn annotations(class: &ClassFile, code: &Code) -> Vec<(u8, Vec<u32>)> {
    let Some(span) = code.visible_type_annotations else {
        return Vec::new();
    };
    let payload = class.span(span);
    let u2 = |at: usize| u16::from_be_bytes([payload[at], payload[at + 1]]);
    let bytes = class.code_bytes(code);
    let mut at = 2;
    let mut found = Vec::new();
    for _ in 0..u2(0) {
        let kind = payload[at];
        at += 1;
        let about = match kind {
            0x40 | 0x41 => {
                let count = usize::from(u2(at));
                at += 2;
                let entries = (0..count).map(|i| {
                    let entry = at + i * 6;
                    let (start, length, index) = (u2(entry), u2(entry + 2), u2(entry + 4));
                    let mut variables = class.local_variables(code);
                    let same =
                        variables.find(|v| (v.start, v.length, v.index) == (start, length, index));
                    u32::from(same.expect("a variable of the table").name)
                });
                let entries = entries.collect();
                at += count * 6;
                entries
            }
            0x42 => {
                at += 2;
                vec![code.handlers[usize::from(u2(at - 2))].catch_type.into()]
            }
            0x43..=0x46 => {
                at += 2;
                vec![bytes[usize::from(u2(at - 2))].into()]
            }
            _ => {
                at += 3;
                vec![
                    bytes[usize::from(u2(at - 3))].into(),
                    payload[at - 1].into(),
                ]
            }
        };
        at += 1 + 2 * usize::from(payload[at]);
        assert_eq!(u2(at + 2), 0, "no elements");
        at += 4;
        found.push((kind, about));
    }
    assert_eq!(at, payload.len());
    found
}

/// Types read from stack maps and types inferred without them agree, as far as
/// they can: merged classes are less exact without.
#[test]
fn types_are_the_same_with_and_without_stack_maps() {
    let mut compared = 0;
    for class in sample(10) {
        let mut old = class.clone();
        old.major = 49;
        for method in class.methods.iter().filter(|m| m.code.is_some()) {
            let with = shapes(&class, method).expect("the JDK's code has right maps");
            // Newer instructions and constants are unknown to the older verifier.
            let Ok(without) = shapes(&old, method) else {
                continue;
            };
            assert_eq!(with, without, "{}", String::from_utf8_lossy(class.name()));
            compared += with.len();
        }
    }
    assert!(compared > 200_000, "{compared}");
}

/// Place and kinds of the stack of every instruction.
fn shapes(class: &ClassFile, method: &Method) -> Result<Vec<(u32, Vec<u8>)>, String> {
    let mut found = Vec::new();
    let mut see = |types: &TypesAt<'_>| {
        let kind = |ty: &ValueType<'_>| match ty {
            ValueType::Unusable => b'-',
            ValueType::Int => b'I',
            ValueType::Long => b'J',
            ValueType::Float => b'F',
            ValueType::Double => b'D',
            ValueType::UninitializedThis => b'T',
            ValueType::Uninitialized(_) => b'N',
            ValueType::ReturnAddress => b'R',
            ValueType::Null | ValueType::Object(_) | ValueType::Array(..) => b'L',
        };
        found.push((types.pc, types.stack.iter().map(kind).collect()));
    };
    visit_types(class, method, &mut see).map_err(|e| e.to_string())?;
    Ok(found)
}
