//! Verification of classes that do not come from the JDK (JVMS 4.10): the verifier
//! of `heddle-classfile`, with the classes that are loaded as its hierarchy.
//!
//! A class that the verifier asks for and that is not loaded yet is loaded through
//! its loader; verification then starts over. As in HotSpot, classes of the boot
//! loader and the accessors that reflection generates are not verified.

use crate::class::{ClassPtr, access};
use crate::native::{Res, throw};
use crate::resolve::find_field;
use crate::vm::Vm;
use heddle_classfile::verify::{Hierarchy, Member, NeedsClass, VerifyFailure, verify_class};

impl Vm {
    /// Checks the bytecode of a class; may have to load others first.
    pub fn verify(&mut self, class: ClassPtr) -> Res<()> {
        let Some(file) = class.file.as_ref() else {
            return Ok(());
        };
        if class.loader.is_null() || self.is_accessor(class) {
            return Ok(());
        }
        loop {
            match verify_class(file, &Loaded { vm: self, class }) {
                Ok(()) => return Ok(()),
                Err(VerifyFailure::Needs(name)) => {
                    let name = self.symbols.intern(&name);
                    self.load_class(class.loader, name)?;
                }
                Err(VerifyFailure::Error { kind, message }) => {
                    return throw(kind.java_class(), message);
                }
            }
        }
    }
}

/// The classes that the loader of the verified class has found.
struct Loaded<'a> {
    vm: &'a Vm,
    class: ClassPtr,
}

impl Loaded<'_> {
    fn find(&self, name: &[u8]) -> Result<ClassPtr, NeedsClass> {
        // A hidden class is known to itself by the name in its file.
        if self.class.file.as_ref().is_some_and(|f| f.name() == name) {
            return Ok(self.class);
        }
        let symbol = self.vm.symbols.find(name);
        let found = symbol.and_then(|s| self.vm.dictionary.get(&(self.class.loader, s)));
        found.copied().ok_or_else(|| NeedsClass(name.to_vec()))
    }
}

impl Hierarchy for Loaded<'_> {
    fn is_interface(&self, class: &[u8]) -> Result<bool, NeedsClass> {
        Ok(self.find(class)?.is_interface())
    }

    fn is_subclass(&self, class: &[u8], ancestor: &[u8]) -> Result<bool, NeedsClass> {
        let ancestor = self.find(ancestor)?;
        Ok(self.find(class)?.is_subtype_of(ancestor))
    }

    fn superclass(&self, class: &[u8]) -> Result<Option<Vec<u8>>, NeedsClass> {
        let parent = self.find(class)?.parent;
        Ok(parent.map(|p| self.vm.symbols.bytes(p.name).to_vec()))
    }

    fn has_superclass(&self, name: &[u8]) -> bool {
        let mut next = self.class.parent;
        while let Some(class) = next {
            if self.vm.symbols.bytes(class.name) == name {
                return true;
            }
            next = class.parent;
        }
        false
    }

    fn is_protected_elsewhere(&self, class: &[u8], member: Member<'_>) -> Result<bool, NeedsClass> {
        let class = self.find(class)?;
        let (Member::Field(name, desc) | Member::Method(name, desc)) = member;
        let symbols = &self.vm.symbols;
        let (Some(name), Some(desc)) = (symbols.find(name), symbols.find(desc)) else {
            return Ok(false);
        };
        let found = match member {
            Member::Field(..) => find_field(class, name, desc).map(|f| (f.class, f.field().access)),
            Member::Method(..) => self
                .vm
                .find_method(class, name, desc)
                .map(|m| (m.class, m.access)),
        };
        Ok(found.is_some_and(|(declarer, flags)| {
            flags & access::PROTECTED != 0 && !self.vm.same_package(declarer, self.class)
        }))
    }
}
