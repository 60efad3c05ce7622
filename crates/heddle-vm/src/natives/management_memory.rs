//! What `java.lang.management` says of memory: sun.management.MemoryImpl, MemoryPoolImpl.
//!
//! The heap is one pool, under a name of its own, since what programs know of the pools of
//! HotSpot's collectors would be wrong here. There is no collector, and so none is listed;
//! thresholds are not watched, and the library says so. Nothing is reclaimed: the most that was
//! ever used is what is used now.

use crate::heap::Ref;
use crate::native::{Entry, Frame, Res, Table, call, from_bool, from_ref};
use crate::natives::class::nothing;
use crate::vm::Vm;

pub const TABLE: &[Table] = &[
    ("sun/management/MemoryImpl", MEMORY),
    ("sun/management/MemoryPoolImpl", POOL),
];

const MEMORY: &[Entry] = &[
    (
        "getMemoryPools0()[Ljava/lang/management/MemoryPoolMXBean;",
        pools,
    ),
    (
        "getMemoryManagers0()[Ljava/lang/management/MemoryManagerMXBean;",
        managers,
    ),
    (
        "getMemoryUsage0(Z)Ljava/lang/management/MemoryUsage;",
        |vm, f| match f.bool(1) {
            true => heap_usage(vm, f),
            false => other_usage(vm, f),
        },
    ),
];

const POOL: &[Entry] = &[
    ("getUsage0()Ljava/lang/management/MemoryUsage;", heap_usage),
    (
        "getPeakUsage0()Ljava/lang/management/MemoryUsage;",
        heap_usage,
    ),
    // What was left after the last collection: there was none.
    (
        "getCollectionUsage0()Ljava/lang/management/MemoryUsage;",
        nothing,
    ),
    ("resetPeakUsage0()V", nothing),
    (
        "getMemoryManagers0()[Ljava/lang/management/MemoryManagerMXBean;",
        managers,
    ),
];

const POOL_NAME: &str = "Heddle Heap";

fn pools(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.phase() == 0 {
        let helper = vm.load_boot("sun/management/ManagementFactoryHelper")?;
        vm.ensure_initialized(helper)?;
        let create = vm.method(
            helper,
            "createMemoryPool",
            "(Ljava/lang/String;ZJJ)Ljava/lang/management/MemoryPoolMXBean;",
        );
        let name = vm.new_string(POOL_NAME)?;
        f.set_phase(1);
        // Thresholds below 0 are not supported ones.
        let none = -1i64 as u64;
        let args = vec![from_ref(name), from_bool(true), none, 0, none, 0];
        return call(create, args);
    }
    let class = vm.load_boot("java/lang/management/MemoryPoolMXBean")?;
    Ok(from_ref(vm.new_ref_array(class, &[f.result_ref()])?))
}

fn managers(vm: &mut Vm, _: Frame) -> Res<u64> {
    let class = vm.load_boot("java/lang/management/MemoryManagerMXBean")?;
    Ok(from_ref(vm.new_ref_array(class, &[])?))
}

/// As `Runtime` has it: all that there may be is there from the beginning.
fn heap_usage(vm: &mut Vm, f: Frame) -> Res<u64> {
    let limit = vm.heap.limit() as i64;
    let used = (vm.heap.used() as i64).min(limit);
    usage(vm, f, [limit, used, limit, limit])
}

/// Memory of the program that is not for objects: the statics of classes. It grows as
/// classes are loaded.
fn other_usage(vm: &mut Vm, f: Frame) -> Res<u64> {
    const UNDEFINED: i64 = -1;
    let used = vm.heap.mirror_bytes() as i64;
    usage(vm, f, [0, used, used, UNDEFINED])
}

/// A `MemoryUsage`: what there was initially, is used, is there, and may be there at most.
fn usage(vm: &mut Vm, f: Frame, figures: [i64; 4]) -> Res<u64> {
    if f.phase() == 1 {
        return Ok(f.slot(0));
    }
    let class = vm.load_boot("java/lang/management/MemoryUsage")?;
    vm.ensure_initialized(class)?;
    let made: Ref = vm.new_object(class)?;
    f.set_slot(0, from_ref(made));
    f.set_phase(1);
    let init = vm.method(class, "<init>", "(JJJJ)V");
    let figures = figures.iter().flat_map(|figure| [*figure as u64, 0]);
    call(
        init,
        std::iter::once(from_ref(made)).chain(figures).collect(),
    )
}
