//! Verification of classes that do not come from the JDK (JVMS 4.10).

use crate::class::ClassPtr;
use crate::native::Res;
use crate::vm::Vm;

impl Vm {
    /// Checks the bytecode of a class; may have to load others first.
    pub fn verify(&mut self, _class: ClassPtr) -> Res<()> {
        Ok(())
    }
}
