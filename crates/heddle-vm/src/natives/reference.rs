//! `java.lang.ref`: references. Nothing is ever collected, so nothing is ever
//! pending, and the thread that waits for pending references waits for ever.

use crate::heap::Ref;
use crate::native::{Frame, Res, Table, Trap, from_bool};
use crate::thread::ThreadState;
use crate::vm::{Vm, trap};

pub const TABLE: &[Table] = &[
    (
        "java/lang/ref/Reference",
        &[
            (
                "getAndClearReferencePendingList()Ljava/lang/ref/Reference;",
                pending_list,
            ),
            ("hasReferencePendingList()Z", has_pending_list),
            ("waitForReferencePendingList()V", wait_for_pending_list),
            ("refersTo0(Ljava/lang/Object;)Z", refers_to),
            ("clear0()V", clear),
        ],
    ),
    (
        "java/lang/ref/PhantomReference",
        &[("refersTo0(Ljava/lang/Object;)Z", refers_to)],
    ),
    (
        "java/lang/ref/Finalizer",
        &[("isFinalizationEnabled()Z", finalization_enabled)],
    ),
];

fn pending_list(_vm: &mut Vm, _f: Frame) -> Res<u64> {
    Ok(0)
}

fn has_pending_list(_vm: &mut Vm, _f: Frame) -> Res<u64> {
    Ok(from_bool(false))
}

fn wait_for_pending_list(vm: &mut Vm, _f: Frame) -> Res<u64> {
    let me = vm.current;
    vm.set_state(me, ThreadState::Idle);
    trap(Trap::Block)
}

fn refers_to(vm: &mut Vm, f: Frame) -> Res<u64> {
    let referent = vm.heap.get_ref(f.reference(0), vm.known.referent);
    Ok(from_bool(referent == f.reference(1)))
}

fn clear(vm: &mut Vm, f: Frame) -> Res<u64> {
    let at = vm.known.referent;
    vm.heap.put_ref(f.reference(0), at, Ref::NULL);
    Ok(0)
}

fn finalization_enabled(_vm: &mut Vm, _f: Frame) -> Res<u64> {
    Ok(from_bool(true))
}
