//! `java.security.AccessController`: the protection domains on the stack.

use crate::heap::Ref;
use crate::native::{Frame, Res, Table, from_ref};
use crate::natives::class::nothing;
use crate::vm::Vm;

pub const TABLE: &[Table] = &[(
    "java/security/AccessController",
    &[
        // Locals are where they are in any case.
        (
            "ensureMaterializedForStackWalk(Ljava/lang/Object;)V",
            nothing,
        ),
        (
            "getStackAccessControlContext()Ljava/security/AccessControlContext;",
            stack_context,
        ),
        (
            "getInheritedAccessControlContext()Ljava/security/AccessControlContext;",
            inherited_context,
        ),
        (
            "getProtectionDomain(Ljava/lang/Class;)Ljava/security/ProtectionDomain;",
            protection_domain,
        ),
    ],
)];

fn protection_domain(vm: &mut Vm, f: Frame) -> Res<u64> {
    let mirror = f.reference(0);
    if mirror.is_null() || !vm.mirrored(mirror).is_instance_kind() {
        return Ok(0);
    }
    Ok(from_ref(vm.field_ref(mirror, "protectionDomain")))
}

fn inherited_context(vm: &mut Vm, _f: Frame) -> Res<u64> {
    let thread = vm.running().object;
    Ok(from_ref(
        vm.field_ref(thread, "inheritedAccessControlContext"),
    ))
}

/// Domains of the callers up to the innermost privileged action, neighbours that are
/// equal taken once; null when there are only system domains.
fn stack_context(vm: &mut Vm, _f: Frame) -> Res<u64> {
    let class = vm.load_boot("java/security/AccessControlContext")?;
    vm.ensure_initialized(class)?;
    let controller = vm.load_boot("java/security/AccessController")?;
    let mut domains: Vec<Ref> = Vec::new();
    let mut privileged_context = None;
    for frame in vm.java_frames(vm.current) {
        let method = frame.method;
        let privileged =
            method.class == controller && vm.symbols.bytes(method.name) == b"executePrivileged";
        let mirror = if privileged {
            // executePrivileged(action, context, caller)
            privileged_context = Some(Ref(frame.local(1) as u32));
            Ref(frame.local(2) as u32)
        } else {
            method.class.mirror.get()
        };
        let domain = vm.field_ref(mirror, "protectionDomain");
        if !domain.is_null() && domains.last() != Some(&domain) {
            domains.push(domain);
        }
        if privileged {
            break;
        }
    }
    let is_privileged = privileged_context.is_some();
    let outer = privileged_context.unwrap_or(Ref::NULL);
    if domains.is_empty() && is_privileged && outer.is_null() {
        return Ok(0);
    }
    let array = if domains.is_empty() {
        Ref::NULL
    } else {
        let element = vm.load_boot("java/security/ProtectionDomain")?;
        vm.new_ref_array(element, &domains)?
    };
    let context = vm.new_object(class)?;
    vm.set_field_ref(context, "context", array);
    vm.set_field_ref(context, "privilegedContext", outer);
    vm.set_field_bool(context, "isPrivileged", is_privileged);
    vm.set_field_bool(context, "isAuthorized", true);
    Ok(from_ref(context))
}
