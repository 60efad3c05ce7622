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
    let Some((hidden, frames)) = vm.backtrace(f.reference(0)) else {
        return Ok(0);
    };
    let Some(&(method, bci)) = frames.first() else {
        return Ok(0);
    };
    let accessor = b"jdk/internal/reflect/NativeConstructorAccessorImpl";
    if hidden || method.is_native() || bci < 0 || vm.symbols.bytes(method.class.name) == accessor {
        return Ok(0);
    }
    let text = method
        .class
        .file
        .as_ref()
        .zip(method.info())
        .and_then(|(file, info)| crate::npe::message(file, info, bci as u16));
    let message = match text {
        Some(text) => vm.new_string(&text)?,
        None => Ref::NULL,
    };
    Ok(from_ref(message))
}
