//! `jdk.internal.reflect.Reflection`: who called, access flags, nestmates.

use crate::class::MethodPtr;
use crate::native::{Frame, Res, Table, from_bool, from_int, from_ref, throw, throw_null};
use crate::vm::Vm;

pub const TABLE: &[Table] = &[(
    "jdk/internal/reflect/Reflection",
    &[
        ("getCallerClass()Ljava/lang/Class;", caller_class),
        (
            "getClassAccessFlags(Ljava/lang/Class;)I",
            class_access_flags,
        ),
        (
            "areNestMates(Ljava/lang/Class;Ljava/lang/Class;)Z",
            are_nest_mates,
        ),
    ],
)];

impl Vm {
    /// Frames that stand between a caller-sensitive method and who really called it:
    /// reflection's own and those of method handles.
    pub fn is_reflection_frame(&self, method: MethodPtr) -> bool {
        let name = self.symbols.bytes(method.name);
        if name == b"invoke" && method.class == self.known.reflect_method {
            return true;
        }
        let accessor = self
            .symbols
            .find(b"jdk/internal/reflect/MethodAccessorImpl");
        let accessor = accessor.and_then(|n| self.dictionary.get(&(crate::heap::Ref::NULL, n)));
        if accessor.is_some_and(|a| method.class.is_subtype_of(a)) {
            return true;
        }
        self.is_handle_frame(method)
    }

    /// A method-handle intrinsic or a compiled lambda form.
    pub fn is_handle_frame(&self, method: MethodPtr) -> bool {
        method.flags.signature_polymorphic
            || method
                .info()
                .is_some_and(|info| info.flags.compiled_lambda_form)
    }
}

fn caller_class(vm: &mut Vm, _f: Frame) -> Res<u64> {
    let frames = vm
        .thread(vm.current)
        .frames()
        .filter(|f| !f.method.flags.vm_stub);
    for (n, frame) in frames.enumerate() {
        let method = frame.method;
        if n == 1 && !method.flags.caller_sensitive {
            return throw(
                "java/lang/InternalError",
                "CallerSensitive annotation expected at frame 1",
            );
        }
        if n >= 2 && !vm.is_reflection_frame(method) {
            return Ok(from_ref(method.class.mirror.get()));
        }
    }
    Ok(0)
}

fn class_access_flags(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.reference(0).is_null() {
        return throw_null();
    }
    let class = vm.mirrored(f.reference(0));
    Ok(from_int((class.access & 0x7fff) as i32))
}

fn are_nest_mates(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (a, b) = (f.reference(0), f.reference(1));
    if a.is_null() || b.is_null() {
        return throw_null();
    }
    let (a, b) = (vm.mirrored(a), vm.mirrored(b));
    Ok(from_bool(vm.nest_host_of(a) == vm.nest_host_of(b)))
}
