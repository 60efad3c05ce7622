//! No class that was parsed makes the verifier panic or hang.
#![no_main]

use heddle_classfile::verify::{Hierarchy, Member, NeedsClass, verify_class};
use heddle_classfile::{Checks, ClassFile, ParseOptions};
use libfuzzer_sys::fuzz_target;

/// A small made-up world: what a class is depends on its name's first letters.
struct Made<'a>(&'a ClassFile);

const OBJECT: &[u8] = b"java/lang/Object";

impl Hierarchy for Made<'_> {
    fn is_interface(&self, class: &[u8]) -> Result<bool, NeedsClass> {
        if class.len() == 1 {
            return Err(NeedsClass(class.to_vec()));
        }
        Ok(class.len() % 3 == 0 && class != OBJECT)
    }

    fn is_subclass(&self, class: &[u8], ancestor: &[u8]) -> Result<bool, NeedsClass> {
        Ok(class == ancestor || ancestor == OBJECT || class.starts_with(ancestor))
    }

    fn superclass(&self, class: &[u8]) -> Result<Option<Vec<u8>>, NeedsClass> {
        if class == OBJECT {
            return Ok(None);
        }
        Ok(Some(match class.len() {
            0..4 => OBJECT.to_vec(),
            n => class[..n / 2].to_vec(),
        }))
    }

    fn has_superclass(&self, name: &[u8]) -> bool {
        self.0.super_name() == Some(name) || name == OBJECT
    }

    fn is_protected_elsewhere(
        &self,
        _: &[u8],
        member: Member<'_>,
    ) -> Result<bool, NeedsClass> {
        let (Member::Field(name, _) | Member::Method(name, _)) = member;
        Ok(name.len() % 2 == 0)
    }
}

fuzz_target!(|data: &[u8]| {
    for checks in [Checks::Strict, Checks::Trusted] {
        let options = ParseOptions {
            checks,
            max_major: 69,
            ..ParseOptions::default()
        };
        if let Ok(mut class) = ClassFile::parse(data.to_vec().into(), &options) {
            let _ = verify_class(&class, &Made(&class));
            // Both verifiers must stand all code.
            class.major = if class.major < 50 { 61 } else { 48 };
            let _ = verify_class(&class, &Made(&class));
            // What the strict reader accepts, the trusting one reads alike.
            break;
        }
    }
});
