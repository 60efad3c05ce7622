//! `java.lang.Object` (but for wait and notify), and the small natives of
//! `String`, `StringUTF16`, `Float` and `Double`.

use crate::heap::{ELEMENTS, FIRST_FIELD};
use crate::native::{Frame, Res, Table, from_bool, from_int, from_ref, throw};
use crate::vm::Vm;

pub const TABLE: &[Table] = &[
    (
        "java/lang/Object",
        &[
            ("getClass()Ljava/lang/Class;", get_class),
            ("hashCode()I", hash_code),
            ("clone()Ljava/lang/Object;", clone),
        ],
    ),
    (
        "java/lang/String",
        &[("intern()Ljava/lang/String;", intern)],
    ),
    (
        "java/lang/StringUTF16",
        &[("isBigEndian()Z", is_big_endian)],
    ),
    (
        "java/lang/Float",
        &[
            ("floatToRawIntBits(F)I", same_word),
            ("intBitsToFloat(I)F", same_word),
        ],
    ),
    (
        "java/lang/Double",
        &[
            ("doubleToRawLongBits(D)J", same_bits),
            ("longBitsToDouble(J)D", same_bits),
        ],
    ),
];

fn get_class(vm: &mut Vm, f: Frame) -> Res<u64> {
    Ok(from_ref(vm.class_of(f.reference(0)).mirror.get()))
}

fn hash_code(vm: &mut Vm, f: Frame) -> Res<u64> {
    Ok(from_int(vm.identity_hash(f.reference(0))))
}

fn clone(vm: &mut Vm, f: Frame) -> Res<u64> {
    let object = f.reference(0);
    let class = vm.class_of(object);
    vm.object_read(object);
    if class.is_array() {
        let copy = vm.new_array(class, vm.heap.length(object))?;
        let bytes = vm.heap.element_bytes(object) as u64;
        vm.heap.copy_bytes(object, ELEMENTS, copy, ELEMENTS, bytes);
        return Ok(from_ref(copy));
    }
    if !class.is_subtype_of(vm.known.cloneable) || class.flags.reference {
        return throw(
            "java/lang/CloneNotSupportedException",
            vm.external_name(class),
        );
    }
    let copy = vm.new_object(class)?;
    // The header stays the copy's own: a new object is not locked.
    let from = FIRST_FIELD as u64;
    vm.heap
        .copy_bytes(object, from, copy, from, class.instance_size as u64 - from);
    Ok(from_ref(copy))
}

fn intern(vm: &mut Vm, f: Frame) -> Res<u64> {
    Ok(from_ref(vm.intern(f.reference(0))))
}

fn is_big_endian(_vm: &mut Vm, _f: Frame) -> Res<u64> {
    Ok(from_bool(cfg!(target_endian = "big")))
}

/// Registers hold the bits of floats and ints alike.
fn same_word(_vm: &mut Vm, f: Frame) -> Res<u64> {
    Ok(f.raw(0) as u32 as u64)
}

fn same_bits(_vm: &mut Vm, f: Frame) -> Res<u64> {
    Ok(f.raw(0))
}
