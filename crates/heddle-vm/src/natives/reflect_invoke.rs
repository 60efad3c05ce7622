//! Calls through reflection: `NativeMethodAccessorImpl.invoke0` and
//! `NativeConstructorAccessorImpl.newInstance0`.
//!
//! Arguments are checked, unboxed and widened; what the callee throws comes out
//! wrapped in an InvocationTargetException; primitive results are boxed in fresh
//! objects, as HotSpot does on this path.

use crate::class::{Basic, ClassPtr, MethodPtr};
use crate::heap::Ref;
use crate::native::{
    Frame, Res, Table, Trap, call, call_catching, from_ref, throw, throw_bare, throw_null,
};
use crate::natives::reflect_array::widen;
use crate::vm::{Vm, trap};

pub const TABLE: &[Table] = &[
    (
        "jdk/internal/reflect/NativeMethodAccessorImpl",
        &[(
            "invoke0(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
            invoke,
        )],
    ),
    (
        "jdk/internal/reflect/NativeConstructorAccessorImpl",
        &[(
            "newInstance0(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;",
            new_instance,
        )],
    ),
    (
        "jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor",
        &[(
            "newInstance0(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;",
            new_instance,
        )],
    ),
    (
        "jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor",
        &[(
            "invoke0(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
            invoke,
        )],
    ),
];

const ILLEGAL: &str = "java/lang/IllegalArgumentException";
const CALLED: u32 = 1;
const WRAPPED: u32 = 2;
/// The failure in slot 1 is to be wrapped; InvocationTargetException needs initialization.
const FAILED: u32 = 3;
/// An error of selection is being made by a catching call.
const NO_METHOD: u32 = 4;

fn invoke(vm: &mut Vm, f: Frame) -> Res<u64> {
    match f.phase() {
        0 => {
            let method = vm.reflected_method(f.reference(0));
            let (receiver, args) = (f.reference(1), f.reference(2));
            vm.ensure_initialized(method.class)?;
            let mut target = method;
            let mut words = Vec::new();
            if !method.is_static() {
                if receiver.is_null() {
                    return throw_null();
                }
                if !vm.is_instance(receiver, method.class) {
                    return throw(ILLEGAL, "object is not an instance of declaring class");
                }
                let class = vm.class_of(receiver);
                let selected = vm.select(class, method);
                words.push(from_ref(receiver));
                match selected.filter(|m| !m.is_abstract()) {
                    Some(selected) => target = selected,
                    None => {
                        // The error of a selection that finds nothing counts as thrown by
                        // the method.
                        let text = vm.method_text(method.class, method.name, method.desc);
                        let message = vm.new_string(&text)?;
                        let error = vm.symbol("java/lang/AbstractMethodError");
                        f.set_phase(NO_METHOD);
                        let stub = vm.stubs().throw;
                        return call_catching(stub, vec![error.0 as u64, from_ref(message), 0]);
                    }
                }
            }
            let types = vm.field_ref(f.reference(0), "parameterTypes");
            push_arguments(vm, types, args, &mut words)?;
            f.set_phase(CALLED);
            call_catching(target, words)
        }
        CALLED => {
            let thrown = f.take_exception();
            if !thrown.is_null() {
                return wrap(vm, f, thrown);
            }
            let method = vm.reflected_method(f.reference(0));
            match method.returns {
                Basic::Void => Ok(0),
                Basic::Reference => Ok(f.result() as u32 as u64),
                basic => Ok(from_ref(vm.box_value(basic, f.result())?)),
            }
        }
        NO_METHOD => {
            let thrown = f.take_exception();
            wrap(vm, f, thrown)
        }
        _ => rethrow(vm, f),
    }
}

fn new_instance(vm: &mut Vm, f: Frame) -> Res<u64> {
    match f.phase() {
        0 => {
            let constructor = vm.reflected_method(f.reference(0));
            let class = constructor.class;
            if class.is_abstract() || class.is_interface() {
                return throw("java/lang/InstantiationException", vm.external_name(class));
            }
            vm.ensure_initialized(class)?;
            let types = vm.field_ref(f.reference(0), "parameterTypes");
            let mut words = vec![0];
            push_arguments(vm, types, f.reference(1), &mut words)?;
            let object = vm.new_object(class)?;
            words[0] = from_ref(object);
            f.set_slot(0, from_ref(object));
            f.set_phase(CALLED);
            call_catching(constructor, words)
        }
        CALLED => {
            let thrown = f.take_exception();
            if !thrown.is_null() {
                return wrap(vm, f, thrown);
            }
            Ok(f.slot(0))
        }
        _ => rethrow(vm, f),
    }
}

/// Checks the arguments against the parameter types and appends their register values.
fn push_arguments(vm: &mut Vm, types: Ref, args: Ref, words: &mut Vec<u64>) -> Res<()> {
    let count = if args.is_null() {
        0
    } else {
        vm.heap.length(args)
    };
    if count != vm.heap.length(types) {
        return throw(ILLEGAL, "wrong number of arguments");
    }
    for i in 0..count {
        let ty: ClassPtr = vm.mirrored(vm.heap.element(types, i));
        let arg = vm.heap.element(args, i);
        let crate::class::ClassKind::Primitive(basic) = ty.kind else {
            if !arg.is_null() && !vm.is_instance(arg, ty) {
                return throw(ILLEGAL, "argument type mismatch");
            }
            words.push(from_ref(arg));
            continue;
        };
        if arg.is_null() {
            return throw_bare(ILLEGAL);
        }
        let value = vm
            .unbox(arg)
            .and_then(|(from, raw)| widen(raw, from, basic));
        let Some(value) = value else {
            return throw(ILLEGAL, "argument type mismatch");
        };
        words.push(value);
        if basic.slots() == 2 {
            words.push(0);
        }
    }
    Ok(())
}

/// Throws `new InvocationTargetException(thrown)`.
fn wrap(vm: &mut Vm, f: Frame, thrown: Ref) -> Res<u64> {
    f.set_slot(1, from_ref(thrown));
    f.set_phase(FAILED);
    rethrow(vm, f)
}

fn rethrow(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.phase() == WRAPPED {
        return trap(Trap::Throw(f.slot_ref(2)));
    }
    let class = vm.load_boot("java/lang/reflect/InvocationTargetException")?;
    vm.ensure_initialized(class)?;
    let object = vm.new_object(class)?;
    f.set_slot(2, from_ref(object));
    f.set_phase(WRAPPED);
    let init: MethodPtr = vm.method(class, "<init>", "(Ljava/lang/Throwable;)V");
    call(init, vec![from_ref(object), f.slot(1)])
}
