//! `java.lang.invoke.MethodHandleNatives`: MemberName support, field layout
//! queries, call-site targets and the arguments of bootstrap methods; and what
//! the signature-polymorphic methods do when core reflection calls them.
//!
//! The rules are in `member.rs` and `linkage.rs`. `getNamedCon` answers as
//! HotSpot's product build does: it advertises no constants.

use crate::class::{Basic, ClassPtr, FieldRef, MethodPtr, access};
use crate::heap::{ELEMENTS, Ref};
use crate::member::{Query, flag, kind};
use crate::native::{Frame, Res, Table, Trap, from_int, from_ref, throw, throw_null};
use crate::polymorphic::{Polymorphic, kind_of};
use crate::resolve::find_field;
use crate::vm::Vm;

const OBJECTS: &str = "([Ljava/lang/Object;)Ljava/lang/Object;";

pub const TABLE: &[Table] = &[
    (
        "java/lang/invoke/MethodHandleNatives",
        &[
            ("registerNatives()V", register_natives),
            (
                "init(Ljava/lang/invoke/MemberName;Ljava/lang/Object;)V",
                init,
            ),
            ("expand(Ljava/lang/invoke/MemberName;)V", expand),
            (
                "resolve(Ljava/lang/invoke/MemberName;Ljava/lang/Class;IZ)Ljava/lang/invoke/MemberName;",
                resolve,
            ),
            (
                "getMembers(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;ILjava/lang/Class;I[Ljava/lang/invoke/MemberName;)I",
                get_members,
            ),
            (
                "objectFieldOffset(Ljava/lang/invoke/MemberName;)J",
                object_field_offset,
            ),
            (
                "staticFieldOffset(Ljava/lang/invoke/MemberName;)J",
                static_field_offset,
            ),
            (
                "staticFieldBase(Ljava/lang/invoke/MemberName;)Ljava/lang/Object;",
                static_field_base,
            ),
            (
                "getMemberVMInfo(Ljava/lang/invoke/MemberName;)Ljava/lang/Object;",
                member_vm_info,
            ),
            (
                "setCallSiteTargetNormal(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V",
                set_target,
            ),
            (
                "setCallSiteTargetVolatile(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V",
                set_target,
            ),
            (
                "copyOutBootstrapArguments(Ljava/lang/Class;[III[Ljava/lang/Object;IZLjava/lang/Object;)V",
                copy_out_bootstrap_arguments,
            ),
            (
                "clearCallSiteContext(Ljava/lang/invoke/MethodHandleNatives$CallSiteContext;)V",
                clear_context,
            ),
            ("getNamedCon(I[Ljava/lang/Object;)I", named_constant),
        ],
    ),
    (
        "java/lang/invoke/MethodHandle",
        &[
            (
                "invoke([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_handle,
            ),
            (
                "invokeExact([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_handle,
            ),
        ],
    ),
    (
        "java/lang/invoke/VarHandle",
        &[
            (
                "getVolatile([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getOpaque([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAcquire([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "get([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "compareAndExchange([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "compareAndExchangeAcquire([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "compareAndExchangeRelease([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAndSet([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAndSetAcquire([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAndSetRelease([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAndAdd([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAndAddAcquire([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAndAddRelease([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAndBitwiseOr([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAndBitwiseOrAcquire([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAndBitwiseOrRelease([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAndBitwiseAnd([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAndBitwiseAndAcquire([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAndBitwiseAndRelease([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAndBitwiseXor([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAndBitwiseXorAcquire([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            (
                "getAndBitwiseXorRelease([Ljava/lang/Object;)Ljava/lang/Object;",
                reflective_accessor,
            ),
            ("set([Ljava/lang/Object;)V", reflective_accessor),
            ("setVolatile([Ljava/lang/Object;)V", reflective_accessor),
            ("setOpaque([Ljava/lang/Object;)V", reflective_accessor),
            ("setRelease([Ljava/lang/Object;)V", reflective_accessor),
            ("compareAndSet([Ljava/lang/Object;)Z", reflective_accessor),
            (
                "weakCompareAndSetPlain([Ljava/lang/Object;)Z",
                reflective_accessor,
            ),
            (
                "weakCompareAndSet([Ljava/lang/Object;)Z",
                reflective_accessor,
            ),
            (
                "weakCompareAndSetAcquire([Ljava/lang/Object;)Z",
                reflective_accessor,
            ),
            (
                "weakCompareAndSetRelease([Ljava/lang/Object;)Z",
                reflective_accessor,
            ),
        ],
    ),
];

fn register_natives(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(0)
}

/// No dependencies of compiled code to invalidate.
fn clear_context(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(0)
}

fn named_constant(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(0)
}

fn reflective_handle(vm: &mut Vm, f: Frame) -> Res<u64> {
    debug_assert_eq!(vm.text(f.method().desc), OBJECTS);
    let name = vm.text(f.method().name);
    throw(
        "java/lang/UnsupportedOperationException",
        format!("MethodHandle.{name} cannot be invoked reflectively"),
    )
}

/// HotSpot has no natives behind these.
fn reflective_accessor(vm: &mut Vm, f: Frame) -> Res<u64> {
    let m = f.method();
    let text = vm.method_text(m.class, m.name, m.desc);
    throw("java/lang/UnsatisfiedLinkError", format!("'{text}'"))
}

fn init(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (member, target) = (f.reference(0), f.reference(1));
    if member.is_null() {
        return throw("java/lang/InternalError", "mname is null");
    }
    if target.is_null() {
        return throw("java/lang/InternalError", "target is null");
    }
    let class = vm.class_of(target);
    let field = class == vm.known.reflect_field;
    if !field && class != vm.known.reflect_method && class != vm.known.reflect_constructor {
        return Ok(0);
    }
    let mirror = vm.field_ref(target, "clazz");
    let slot = vm.field_int(target, "slot") as u16;
    let declarer = vm.mirrored(mirror);
    if field {
        let found = FieldRef {
            class: declarer,
            index: slot,
        };
        vm.set_field_member(member, found, false)?;
        let (name, ty) = (vm.field_ref(target, "name"), vm.field_ref(target, "type"));
        let (name_at, type_at) = (vm.known.member_name_field, vm.known.member_type);
        vm.heap.put_ref(member, name_at, name);
        vm.heap.put_ref(member, type_at, ty);
        return Ok(0);
    }
    let Some(&method) = declarer.methods().get(slot as usize) else {
        return Ok(0);
    };
    if method.flags.signature_polymorphic {
        // Not resolved without a concrete type: Java code sees that nothing was filled in.
        return Ok(0);
    }
    let callee = vm.callee(method, declarer);
    vm.set_method_member(member, callee)?;
    Ok(0)
}

fn expand(vm: &mut Vm, f: Frame) -> Res<u64> {
    let member = f.reference(0);
    if member.is_null() {
        return throw("java/lang/InternalError", "mname is null");
    }
    let flags: u32 = vm.heap.get(member, vm.known.member_flags);
    let name_at = vm.known.member_name_field;
    let type_at = vm.known.member_type;
    let clazz_at = vm.known.member_clazz;
    let no_name = vm.heap.get_ref(member, name_at).is_null();
    let no_type = vm.heap.get_ref(member, type_at).is_null();
    match flags & flag::ALL_KINDS {
        flag::IS_METHOD | flag::IS_CONSTRUCTOR => {
            if vm.heap.get_ref(member, vm.known.member_method).is_null() {
                return throw("java/lang/IllegalArgumentException", "nothing to expand");
            }
            let method = vm.member_target(member);
            if vm.heap.get_ref(member, clazz_at).is_null() {
                vm.heap.put_ref(member, clazz_at, method.class.mirror.get());
            }
            if no_name {
                let name = vm.intern_symbol(method.name)?;
                vm.heap.put_ref(member, name_at, name);
            }
            if no_type {
                let ty = vm.new_string_mutf8(vm.symbols.bytes(method.desc))?;
                vm.heap.put_ref(member, type_at, ty);
            }
        }
        flag::IS_FIELD => {
            let Some(found) = vm.member_field(member) else {
                return throw("java/lang/IllegalArgumentException", "nothing to expand");
            };
            let field = found.field();
            if no_name {
                let name = vm.intern_symbol(field.name)?;
                vm.heap.put_ref(member, name_at, name);
            }
            if no_type {
                let desc = vm.symbols.bytes(field.desc);
                let mut ty = vm.primitive_mirror(desc);
                if ty.is_null() {
                    ty = vm.new_string_mutf8(desc)?;
                }
                vm.heap.put_ref(member, type_at, ty);
            }
        }
        _ => return throw("java/lang/InternalError", "unrecognized MemberName format"),
    }
    Ok(0)
}

fn resolve(vm: &mut Vm, f: Frame) -> Res<u64> {
    let member = f.reference(0);
    if member.is_null() {
        return throw("java/lang/InternalError", "mname is null");
    }
    let speculative = f.bool(3);
    let found = match resolve_member(vm, member, f.reference(1)) {
        Err(trap) if speculative && is_error(&trap) => return Ok(0),
        other => other?,
    };
    if found {
        return Ok(from_ref(member));
    }
    if speculative {
        return Ok(0);
    }
    let flags: u32 = vm.heap.get(member, vm.known.member_flags);
    match flags & flag::ALL_KINDS {
        flag::IS_FIELD => throw("java/lang/NoSuchFieldError", "field resolution failed"),
        flag::IS_METHOD | flag::IS_CONSTRUCTOR => {
            throw("java/lang/NoSuchMethodError", "method resolution failed")
        }
        _ => throw("java/lang/LinkageError", "resolution failed"),
    }
}

fn is_error(trap: &Trap) -> bool {
    matches!(trap, Trap::Throw(_) | Trap::ThrowNew { .. })
}

/// Resolves the name in place; false where there is nothing that could be resolved.
fn resolve_member(vm: &mut Vm, member: Ref, caller: Ref) -> Res<bool> {
    if !vm.heap.get_ref(member, vm.known.member_method).is_null() {
        return Ok(true);
    }
    let flags: u32 = vm.heap.get(member, vm.known.member_flags);
    let reference_kind = flags >> flag::KIND_SHIFT & flag::KIND_MASK;
    if !(kind::GET_FIELD..=kind::INVOKE_INTERFACE).contains(&reference_kind) {
        return throw("java/lang/InternalError", "obsolete MemberName format");
    }
    let clazz = vm.heap.get_ref(member, vm.known.member_clazz);
    let name = vm.heap.get_ref(member, vm.known.member_name_field);
    let ty = vm.heap.get_ref(member, vm.known.member_type);
    if clazz.is_null() || name.is_null() || ty.is_null() {
        return throw("java/lang/IllegalArgumentException", "nothing to resolve");
    }
    let mut owner = vm.mirrored(clazz);
    if owner.is_primitive() {
        return Ok(false);
    }
    if owner.is_array() {
        owner = vm.known.object;
    }
    vm.link(owner)?;
    let name = vm.string_symbol(name);
    let text = vm.symbols.bytes(name);
    if text == b"<clinit>" {
        return Ok(false);
    }
    let desc = vm.type_descriptor(ty)?;
    let caller = (!caller.is_null()).then(|| vm.mirrored(caller));
    let q = Query {
        owner,
        name,
        desc,
        caller,
    };
    let callee = match flags & flag::ALL_KINDS {
        flag::IS_METHOD => match reference_kind {
            kind::INVOKE_STATIC => vm.query_static(q)?,
            kind::INVOKE_INTERFACE => vm.query_interface(q)?,
            kind::INVOKE_VIRTUAL | kind::INVOKE_SPECIAL
                if is_linked_polymorphic(vm, owner, text) =>
            {
                return throw("java/lang/InternalError", "appendix");
            }
            kind::INVOKE_SPECIAL => vm.query_special(q)?,
            kind::INVOKE_VIRTUAL => vm.query_virtual(q)?,
            _ => return throw("java/lang/InternalError", "unrecognized MemberName format"),
        },
        flag::IS_CONSTRUCTOR if text == b"<init>" => vm.query_special(q)?,
        flag::IS_CONSTRUCTOR => return Ok(false),
        flag::IS_FIELD => {
            let Some(found) = find_field(owner, name, desc) else {
                return throw("java/lang/NoSuchFieldError", vm.text(name));
            };
            let setter = matches!(reference_kind, kind::PUT_FIELD | kind::PUT_STATIC);
            vm.set_field_member(member, found, setter)?;
            return Ok(true);
        }
        _ => return throw("java/lang/InternalError", "unrecognized MemberName format"),
    };
    vm.set_method_member(member, callee)?;
    Ok(true)
}

fn is_linked_polymorphic(vm: &Vm, owner: ClassPtr, name: &[u8]) -> bool {
    let declared = owner
        .methods()
        .iter()
        .find(|m| vm.symbols.bytes(m.name) == name);
    declared.is_some_and(|m| m.flags.signature_polymorphic) && kind_of(name) == Polymorphic::Linked
}

const SEARCH_SUPERCLASSES: u32 = 0x0010_0000;
const SEARCH_INTERFACES: u32 = 0x0020_0000;

fn get_members(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (defc, match_name, match_sig) = (f.reference(0), f.reference(1), f.reference(2));
    let mut flags = f.raw(3) as u32;
    let (skip, results) = (f.int(5).max(0) as usize, f.reference(6));
    if defc.is_null() || results.is_null() {
        return Ok(from_int(-1));
    }
    let class = vm.mirrored(defc);
    if !class.is_instance_kind() {
        return Ok(from_int(0));
    }
    let name = (!match_name.is_null()).then(|| vm.string_symbol(match_name));
    let desc = (!match_sig.is_null()).then(|| vm.string_symbol(match_sig));
    if let Some(desc) = desc {
        if vm.symbols.bytes(desc).first() == Some(&b'(') {
            flags &= !(flag::IS_FIELD | flag::IS_TYPE);
        } else {
            flags &= !(flag::IS_CONSTRUCTOR | flag::IS_METHOD);
        }
    }
    let mut classes = vec![class];
    if flags & SEARCH_SUPERCLASSES != 0 {
        classes.extend(class.chain.iter().rev().skip(1));
    }
    if flags & SEARCH_INTERFACES != 0 {
        classes.extend(class.all_interfaces.iter());
    }
    enum Found {
        Field(FieldRef),
        Method(MethodPtr),
    }
    let mut found = Vec::new();
    for class in classes {
        for (i, field) in class.fields.iter().enumerate() {
            if flags & flag::IS_FIELD != 0
                && field.index != u16::MAX
                && name.is_none_or(|n| n == field.name)
                && desc.is_none_or(|d| d == field.desc)
            {
                found.push(Found::Field(FieldRef {
                    class,
                    index: i as u16,
                }));
            }
        }
        for &method in class.methods() {
            let wanted = match vm.symbols.bytes(method.name) {
                b"<clinit>" => 0,
                b"<init>" => flag::IS_CONSTRUCTOR,
                _ => flag::IS_METHOD,
            };
            if flags & wanted != 0
                && name.is_none_or(|n| n == method.name)
                && desc.is_none_or(|d| d == method.desc)
            {
                found.push(Found::Method(method));
            }
        }
    }
    let limit = vm.heap.length(results) as usize;
    for (i, item) in found.iter().skip(skip).take(limit).enumerate() {
        let member = vm.heap.element(results, i as u32);
        if member.is_null() {
            return Ok(from_int(-99));
        }
        match *item {
            Found::Field(field) => vm.set_field_member(member, field, false)?,
            Found::Method(method) => {
                let callee = vm.callee(method, method.class);
                vm.set_method_member(member, callee)?;
            }
        }
    }
    Ok(from_int(found.len().saturating_sub(skip) as i32))
}

fn field_offset(vm: &mut Vm, f: Frame, is_static: bool, error: &str) -> Res<u64> {
    let member = f.reference(0);
    if !member.is_null() {
        let flags: u32 = vm.heap.get(member, vm.known.member_flags);
        let clazz = vm.heap.get_ref(member, vm.known.member_clazz);
        if flags & flag::IS_FIELD != 0
            && (flags & access::STATIC as u32 != 0) == is_static
            && !clazz.is_null()
        {
            return Ok(vm.heap.get::<u64>(member, vm.known.member_vmindex));
        }
    }
    throw("java/lang/InternalError", error)
}

fn object_field_offset(vm: &mut Vm, f: Frame) -> Res<u64> {
    field_offset(vm, f, false, "non-static field required")
}

fn static_field_offset(vm: &mut Vm, f: Frame) -> Res<u64> {
    field_offset(vm, f, true, "static field required")
}

fn static_field_base(vm: &mut Vm, f: Frame) -> Res<u64> {
    field_offset(vm, f, true, "static field required")?;
    Ok(from_ref(
        vm.heap.get_ref(f.reference(0), vm.known.member_clazz),
    ))
}

fn member_vm_info(vm: &mut Vm, f: Frame) -> Res<u64> {
    let member = f.reference(0);
    if member.is_null() {
        return Ok(0);
    }
    let index: u64 = vm.heap.get(member, vm.known.member_vmindex);
    let index = vm.box_value(Basic::Long, index)?;
    let flags: u32 = vm.heap.get(member, vm.known.member_flags);
    let clazz = vm.heap.get_ref(member, vm.known.member_clazz);
    let target = if flags & flag::IS_FIELD != 0 {
        clazz
    } else {
        member
    };
    let info = vm.new_ref_array(vm.known.object, &[index, target])?;
    Ok(from_ref(info))
}

fn set_target(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (site, target) = (f.reference(0), f.reference(1));
    if site.is_null() {
        return throw_null();
    }
    vm.set_field_ref(site, "target", target);
    Ok(0)
}

/// Arguments of a bootstrap method that Java code pulls: pool indexes `start..end` of the
/// list, with the method, the name, the type and the count at -4 … -1.
fn copy_out_bootstrap_arguments(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (caller, info) = (f.reference(0), f.reference(1));
    let (mut start, end) = (f.int(2), f.int(3));
    let (buffer, mut pos) = (f.reference(4), f.int(5));
    let (resolve, missing) = (f.bool(6), f.reference(7));
    let class = if caller.is_null() {
        None
    } else {
        Some(vm.mirrored(caller))
    };
    let Some(class) = class.filter(|c| c.file.is_some()) else {
        return throw("java/lang/InternalError", "bad caller");
    };
    if info.is_null() || vm.heap.length(info) < 2 {
        return throw("java/lang/InternalError", "bad index info (0)");
    }
    let index: i32 = vm.heap.get(info, ELEMENTS + 4);
    let count: i32 = vm.heap.get(info, ELEMENTS);
    let Some(arguments) = vm
        .bootstrap_arguments(class, index)
        .filter(|a| a.len() as i32 == count)
    else {
        return throw("java/lang/InternalError", "bad index info (1)");
    };
    let index = index as u16;
    if buffer.is_null() {
        return throw_null();
    }
    let room = vm.heap.length(buffer) as i32;
    // First everything that may need Java code, so that nothing is stored twice.
    if resolve {
        for i in start.max(0)..end.min(count) {
            vm.resolve_argument(class, arguments[i as usize])?;
        }
    }
    while start < 0 && start < end {
        if pos < 0 || pos >= room {
            break;
        }
        if start >= -4 {
            let value = vm.bootstrap_part(f, class, index, start)?;
            vm.heap.set_element(buffer, pos as u32, value);
            pos += 1;
        }
        start += 1;
    }
    if start >= end {
        return Ok(0);
    }
    if start < 0 || end > count || pos < 0 || pos + (end - start) > room {
        return throw(
            "java/lang/ArrayIndexOutOfBoundsException",
            "index out of range",
        );
    }
    for i in start..end {
        let index = arguments[i as usize];
        let value = if resolve || vm.is_resolved(class, index) {
            vm.bootstrap_argument(class, index)?
        } else {
            missing
        };
        vm.heap.set_element(buffer, (pos + i - start) as u32, value);
    }
    Ok(0)
}
