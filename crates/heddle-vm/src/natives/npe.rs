//! `NullPointerException.getExtendedNPEMessage`; the message itself is made in
//! `npe.rs` of the VM.

use crate::heap::Ref;
use crate::native::{Frame, Res, Table, from_ref};
use crate::vm::Vm;

pub const TABLE: &[Table] = &[(
    "java/lang/NullPointerException",
    &[(
        "getExtendedNPEMessage()Ljava/lang/String;",
        extended_message,
    )],
)];

fn extended_message(vm: &mut Vm, f: Frame) -> Res<u64> {
    let message = match vm.what_was_null(f.reference(0)) {
        Some(text) => vm.new_string(&text)?,
        None => Ref::NULL,
    };
    Ok(from_ref(message))
}
