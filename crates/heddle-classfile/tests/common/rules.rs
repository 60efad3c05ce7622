//! Handmade code in a small world of classes: `T extends p/Base implements I`.

#![allow(dead_code)]

use super::asm::{Asm, Body};
use heddle_classfile::verify::{Hierarchy, Member, NeedsClass, VerifyFailure, verify_class};
use heddle_classfile::{ClassFile, ParseOptions};

pub struct Small;

impl Hierarchy for Small {
    fn is_interface(&self, class: &[u8]) -> Result<bool, NeedsClass> {
        if class == b"Unknown" {
            return Err(NeedsClass(class.to_vec()));
        }
        Ok(matches!(class, b"I" | b"J" | b"java/lang/Cloneable"))
    }

    fn is_subclass(&self, class: &[u8], ancestor: &[u8]) -> Result<bool, NeedsClass> {
        let mut at = Some(class.to_vec());
        while let Some(name) = at {
            if name == ancestor {
                return Ok(true);
            }
            at = self.superclass(&name)?;
        }
        Ok(false)
    }

    fn superclass(&self, class: &[u8]) -> Result<Option<Vec<u8>>, NeedsClass> {
        Ok(match class {
            b"java/lang/Object" => None,
            b"T" => Some(b"p/Base".to_vec()),
            b"E" => Some(b"java/lang/Throwable".to_vec()),
            _ => Some(b"java/lang/Object".to_vec()),
        })
    }

    fn has_superclass(&self, name: &[u8]) -> bool {
        name == b"p/Base" || name == b"java/lang/Object"
    }

    fn is_protected_elsewhere(&self, _: &[u8], member: Member<'_>) -> Result<bool, NeedsClass> {
        let (Member::Field(name, _) | Member::Method(name, _)) = member;
        Ok(name == b"hidden")
    }
}

/// A static method `()V` unless changed.
pub fn body(code: &[u8]) -> Body {
    Body {
        access: 9,
        name: "m",
        desc: "()V",
        max_stack: 4,
        max_locals: 4,
        code: code.to_vec(),
        ..Body::default()
    }
}

/// The whole message; empty if the class is accepted.
pub fn verify(asm: Asm) -> String {
    let class = ClassFile::parse(asm.finish().into(), &ParseOptions::default())
        .expect("the assembler makes proper class files");
    match verify_class(&class, &Small) {
        Ok(()) => String::new(),
        Err(VerifyFailure::Needs(name)) => format!("needs {}", String::from_utf8_lossy(&name)),
        Err(VerifyFailure::Error { message, .. }) => message,
    }
}

/// Checks one method in the version given: the first line of the answer.
pub fn check(major: u16, make: impl FnOnce(&mut Asm) -> Body, wanted: &str) {
    let mut asm = Asm::new(major);
    let body = make(&mut asm);
    let code = body.code.clone();
    asm.body(body);
    let message = verify(asm);
    let line = message.lines().next().unwrap_or("");
    let line = line
        .strip_prefix("(class: T, method: m signature: ()V) ")
        .unwrap_or(line);
    assert_eq!(line, wanted, "version {major}, code {code:02x?}");
}

/// The answers of both verifiers to the same plain code.
pub fn both(code: &[u8], checked: &str, inferred: &str) {
    check(61, |_| body(code), checked);
    check(49, |_| body(code), inferred);
}

pub fn op2(op: u8, index: u16) -> Vec<u8> {
    [&[op][..], &index.to_be_bytes()].concat()
}
