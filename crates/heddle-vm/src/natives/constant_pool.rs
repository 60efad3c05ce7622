//! `jdk.internal.reflect.ConstantPool` and `Class.getConstantPool`: the pool as
//! annotation parsing and the JDK's lambda deserialization read it.

use crate::class::ClassPtr;
use crate::heap::Ref;
use crate::native::{Frame, Res, Table, from_double, from_float, from_int, from_ref, throw};
use crate::natives::class::receiver;
use crate::vm::Vm;
use heddle_classfile::Constant;

pub const TABLE: &[Table] = &[
    (
        "java/lang/Class",
        &[(
            "getConstantPool()Ljdk/internal/reflect/ConstantPool;",
            constant_pool,
        )],
    ),
    (
        "jdk/internal/reflect/ConstantPool",
        &[
            ("getSize0(Ljava/lang/Object;)I", size),
            (
                "getClassAt0(Ljava/lang/Object;I)Ljava/lang/Class;",
                class_at,
            ),
            (
                "getClassAtIfLoaded0(Ljava/lang/Object;I)Ljava/lang/Class;",
                class_if_loaded,
            ),
            ("getClassRefIndexAt0(Ljava/lang/Object;I)I", class_ref_index),
            (
                "getMethodAt0(Ljava/lang/Object;I)Ljava/lang/reflect/Member;",
                method_at,
            ),
            (
                "getMethodAtIfLoaded0(Ljava/lang/Object;I)Ljava/lang/reflect/Member;",
                method_if_loaded,
            ),
            (
                "getFieldAt0(Ljava/lang/Object;I)Ljava/lang/reflect/Field;",
                field_at,
            ),
            (
                "getFieldAtIfLoaded0(Ljava/lang/Object;I)Ljava/lang/reflect/Field;",
                field_if_loaded,
            ),
            (
                "getMemberRefInfoAt0(Ljava/lang/Object;I)[Ljava/lang/String;",
                member_ref_info,
            ),
            (
                "getNameAndTypeRefIndexAt0(Ljava/lang/Object;I)I",
                name_and_type_index,
            ),
            (
                "getNameAndTypeRefInfoAt0(Ljava/lang/Object;I)[Ljava/lang/String;",
                name_and_type_info,
            ),
            ("getIntAt0(Ljava/lang/Object;I)I", int_at),
            ("getLongAt0(Ljava/lang/Object;I)J", long_at),
            ("getFloatAt0(Ljava/lang/Object;I)F", float_at),
            ("getDoubleAt0(Ljava/lang/Object;I)D", double_at),
            (
                "getStringAt0(Ljava/lang/Object;I)Ljava/lang/String;",
                string_at,
            ),
            ("getUTF8At0(Ljava/lang/Object;I)Ljava/lang/String;", utf8_at),
            ("getTagAt0(Ljava/lang/Object;I)B", tag_at),
        ],
    ),
];

fn constant_pool(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = receiver(vm, f);
    if !class.is_instance_kind() {
        return Ok(0);
    }
    let kind = vm.load_boot("jdk/internal/reflect/ConstantPool")?;
    vm.ensure_initialized(kind)?;
    let pool = vm.new_object(kind)?;
    vm.set_field_ref(pool, "constantPoolOop", class.mirror.get());
    Ok(from_ref(pool))
}

/// Class and entry that the arguments name; the index must be within the pool.
fn entry(vm: &Vm, f: Frame) -> Res<(ClassPtr, u16, Constant)> {
    let class = vm.mirrored(f.reference(1));
    let index = f.int(2);
    let pool = &class
        .file
        .as_ref()
        .expect("heddle internal error: class without file")
        .pool;
    if index < 0 || index >= pool.len() as i32 {
        return throw(
            "java/lang/IllegalArgumentException",
            "Constant pool index out of bounds",
        );
    }
    Ok((class, index as u16, pool.get(index as u16)))
}

fn wrong<T>() -> Res<T> {
    throw(
        "java/lang/IllegalArgumentException",
        "Wrong type at constant pool index",
    )
}

fn size(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = vm.mirrored(f.reference(1));
    let length = class.file.as_ref().map_or(0, |f| f.pool.len());
    Ok(from_int(length as i32))
}

fn class_at(vm: &mut Vm, f: Frame) -> Res<u64> {
    match entry(vm, f)? {
        (class, index, Constant::Class { .. }) => {
            Ok(from_ref(vm.resolve_class(class, index)?.mirror.get()))
        }
        _ => wrong(),
    }
}

fn loaded(vm: &mut Vm, class: ClassPtr, index: u16) -> Option<ClassPtr> {
    let file = class.file.as_ref()?;
    if index == file.this_class {
        return Some(class);
    }
    let name = vm.symbols.find(file.pool.class_name(index))?;
    vm.dictionary.get(&(class.loader, name)).copied()
}

fn class_if_loaded(vm: &mut Vm, f: Frame) -> Res<u64> {
    match entry(vm, f)? {
        (class, index, Constant::Class { .. }) => Ok(from_ref(
            loaded(vm, class, index).map_or(Ref::NULL, |c| c.mirror.get()),
        )),
        _ => wrong(),
    }
}

/// Class and name-and-type index of a member entry.
fn member(constant: Constant) -> Option<(u16, u16)> {
    match constant {
        Constant::FieldRef { class, nat }
        | Constant::MethodRef { class, nat }
        | Constant::InterfaceMethodRef { class, nat } => Some((class, nat)),
        _ => None,
    }
}

fn class_ref_index(vm: &mut Vm, f: Frame) -> Res<u64> {
    match member(entry(vm, f)?.2) {
        Some((class, _)) => Ok(from_int(class as i32)),
        None => wrong(),
    }
}

fn name_and_type_index(vm: &mut Vm, f: Frame) -> Res<u64> {
    let constant = entry(vm, f)?.2;
    match (member(constant), constant) {
        (Some((_, nat)), _)
        | (None, Constant::InvokeDynamic { nat, .. } | Constant::Dynamic { nat, .. }) => {
            Ok(from_int(nat as i32))
        }
        _ => wrong(),
    }
}

fn method(vm: &mut Vm, f: Frame, force: bool) -> Res<u64> {
    let (class, index, constant) = entry(vm, f)?;
    if !matches!(
        constant,
        Constant::MethodRef { .. } | Constant::InterfaceMethodRef { .. }
    ) {
        return wrong();
    }
    let (owner_index, _) = member(constant).expect("heddle internal error: member");
    if !force && loaded(vm, class, owner_index).is_none() {
        return Ok(0);
    }
    let owner = vm.resolve_class(class, owner_index)?;
    let reference = vm.member_ref(class, index);
    match owner.declared(reference.name, reference.desc) {
        Some(found) => Ok(from_ref(vm.new_executable(found)?)),
        None => throw(
            "java/lang/RuntimeException",
            "Unable to look up method in target class",
        ),
    }
}

fn method_at(vm: &mut Vm, f: Frame) -> Res<u64> {
    method(vm, f, true)
}

fn method_if_loaded(vm: &mut Vm, f: Frame) -> Res<u64> {
    method(vm, f, false)
}

fn field(vm: &mut Vm, f: Frame, force: bool) -> Res<u64> {
    let (class, index, constant) = entry(vm, f)?;
    let Constant::FieldRef {
        class: owner_index, ..
    } = constant
    else {
        return wrong();
    };
    if !force && loaded(vm, class, owner_index).is_none() {
        return Ok(0);
    }
    let owner = vm.resolve_class(class, owner_index)?;
    let reference = vm.member_ref(class, index);
    match crate::resolve::find_field(owner, reference.name, reference.desc) {
        Some(found) => Ok(from_ref(vm.new_field(found)?)),
        None => throw(
            "java/lang/RuntimeException",
            "Unable to look up field in target class",
        ),
    }
}

fn field_at(vm: &mut Vm, f: Frame) -> Res<u64> {
    field(vm, f, true)
}

fn field_if_loaded(vm: &mut Vm, f: Frame) -> Res<u64> {
    field(vm, f, false)
}

fn strings(vm: &mut Vm, parts: &[&[u8]]) -> Res<u64> {
    let mut items = Vec::new();
    for part in parts {
        items.push(vm.new_string_mutf8(part)?);
    }
    Ok(from_ref(vm.new_ref_array(vm.known.string, &items)?))
}

fn member_ref_info(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (class, _, constant) = entry(vm, f)?;
    let Some((owner, nat)) = member(constant) else {
        return wrong();
    };
    let pool = &class
        .file
        .as_ref()
        .expect("heddle internal error: class without file")
        .pool;
    let (name, desc) = pool.name_and_type(nat);
    strings(vm, &[pool.class_name(owner), name, desc])
}

fn name_and_type_info(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (class, index, constant) = entry(vm, f)?;
    let Constant::NameAndType { .. } = constant else {
        return wrong();
    };
    let pool = &class
        .file
        .as_ref()
        .expect("heddle internal error: class without file")
        .pool;
    let (name, desc) = pool.name_and_type(index);
    strings(vm, &[name, desc])
}

fn int_at(vm: &mut Vm, f: Frame) -> Res<u64> {
    match entry(vm, f)?.2 {
        Constant::Integer(value) => Ok(from_int(value)),
        _ => wrong(),
    }
}

fn long_at(vm: &mut Vm, f: Frame) -> Res<u64> {
    match entry(vm, f)?.2 {
        Constant::Long(value) => Ok(value as u64),
        _ => wrong(),
    }
}

fn float_at(vm: &mut Vm, f: Frame) -> Res<u64> {
    match entry(vm, f)?.2 {
        Constant::Float(bits) => Ok(from_float(f32::from_bits(bits))),
        _ => wrong(),
    }
}

fn double_at(vm: &mut Vm, f: Frame) -> Res<u64> {
    match entry(vm, f)?.2 {
        Constant::Double(bits) => Ok(from_double(f64::from_bits(bits))),
        _ => wrong(),
    }
}

fn string_at(vm: &mut Vm, f: Frame) -> Res<u64> {
    match entry(vm, f)? {
        (class, _, Constant::String { utf8 }) => Ok(from_ref(vm.pool_string(class, Some(utf8))?)),
        _ => wrong(),
    }
}

fn utf8_at(vm: &mut Vm, f: Frame) -> Res<u64> {
    match entry(vm, f)? {
        (class, index, Constant::Utf8(_)) => Ok(from_ref(vm.pool_string(class, Some(index))?)),
        _ => wrong(),
    }
}

fn tag_at(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (class, index, _) = entry(vm, f)?;
    let pool = &class
        .file
        .as_ref()
        .expect("heddle internal error: class without file")
        .pool;
    Ok(from_int(pool.tag(index) as i32))
}
