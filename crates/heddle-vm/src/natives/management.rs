//! What `java.lang.management` says of the VM itself: sun.management.VMManagementImpl and
//! ClassLoadingImpl, and those parts of com.sun.management that HotSpot has and Heddle has not.
//!
//! A figure is one of this VM, or its native is missing and named: safepoints, times of
//! class loading, compilers. In a search nothing comes from the host: the process has a fixed
//! number, and time is virtual.

use crate::class::ClassPtr;
use crate::native::{Entry, Frame, Res, Table, from_bool, from_int, from_ref};
use crate::natives::class::nothing;
use crate::natives::misc_vm::runtime_arguments;
use crate::natives::process::own_pid;
use crate::natives::system::available_processors;
use crate::vm::Vm;

pub const TABLE: &[Table] = &[
    ("sun/management/VMManagementImpl", MANAGEMENT),
    ("com/sun/management/internal/Flag", FLAG),
];

const MANAGEMENT: &[Entry] = &[
    ("getVersion0()Ljava/lang/String;", version),
    ("initOptionalSupportFields()V", optional_support),
    ("isThreadCpuTimeEnabled()Z", always),
    ("isThreadAllocatedMemoryEnabled()Z", always),
    ("getTotalClassCount()J", class_count),
    ("getUnloadedClassCount()J", none),
    ("getVerboseClass()Z", none),
    ("getVerboseGC()Z", none),
    ("getProcessId()I", process),
    ("getVmArguments0()[Ljava/lang/String;", runtime_arguments),
    ("getStartupTime()J", start_time),
    ("getUptime0()J", uptime),
    ("getAvailableProcessors()I", available_processors),
    ("getTotalThreadCount()J", started_threads),
    ("getLiveThreadCount()I", live_threads),
    ("getPeakThreadCount()I", peak_of_threads),
    ("getDaemonThreadCount()I", daemons),
];

/// Heddle has no flags of HotSpot's: asked for one, the library says that it does not exist.
const FLAG: &[Entry] = &[
    ("initialize()V", nothing),
    ("getAllFlagNames()[Ljava/lang/String;", |vm, _| {
        Ok(from_ref(vm.new_ref_array(vm.known.string, &[])?))
    }),
    ("getInternalFlagCount()I", none),
    (
        "getFlags([Ljava/lang/String;[Lcom/sun/management/internal/Flag;I)I",
        none,
    ),
];

/// The process of a program that is searched.
const VIRTUAL_PROCESS: i32 = 1;

/// What it says is not there: classes that were unloaded, messages about classes and memory.
fn none(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(0)
}

/// What the VM counts, it counts all the time.
fn always(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(from_bool(true))
}

/// The version of the interface between the VM and the library, which goes with the JDK:
/// 4.0 has been there since JDK 21.
fn version(vm: &mut Vm, _: Frame) -> Res<u64> {
    const JAVA_21: u16 = 65;
    let version = match vm.boot_path.image_major() < JAVA_21 {
        true => "3.0",
        false => "4.0",
    };
    Ok(from_ref(vm.new_string(version)?))
}

/// What else this VM can tell. It has no compiler, no collector, and does not measure how long
/// threads are blocked.
fn optional_support(vm: &mut Vm, _: Frame) -> Res<u64> {
    let class = vm.load_boot("sun/management/VMManagementImpl")?;
    for field in [
        "currentThreadCpuTimeSupport",
        "otherThreadCpuTimeSupport",
        "objectMonitorUsageSupport",
        "synchronizerUsageSupport",
        "threadAllocatedMemorySupport",
    ] {
        let offset = vm.offset(class, field);
        vm.heap.put(class.mirror.get(), offset, 1u8);
    }
    Ok(0)
}

/// Classes and interfaces, without arrays, that are loaded.
fn class_count(vm: &mut Vm, _: Frame) -> Res<u64> {
    let defined = |((loader, _), class): (&(crate::heap::Ref, _), &ClassPtr)| {
        class.loader == *loader && !class.is_array() && !class.is_primitive()
    };
    Ok(vm.dictionary.iter().filter(|entry| defined(*entry)).count() as u64)
}

fn process(vm: &mut Vm, _: Frame) -> Res<u64> {
    Ok(from_int(match vm.heap.tracking {
        true => VIRTUAL_PROCESS,
        false => own_pid() as i32,
    }))
}

fn start_time(vm: &mut Vm, _: Frame) -> Res<u64> {
    Ok(vm.options.start_millis as u64)
}

fn uptime(vm: &mut Vm, _: Frame) -> Res<u64> {
    Ok(vm.now_nanos() / 1_000_000)
}

fn started_threads(vm: &mut Vm, _: Frame) -> Res<u64> {
    vm.look_at_roll();
    Ok(vm.globals.roll.started)
}

fn live_threads(vm: &mut Vm, _: Frame) -> Res<u64> {
    vm.look_at_roll();
    Ok(from_int(vm.globals.roll.alive as i32))
}

fn peak_of_threads(vm: &mut Vm, _: Frame) -> Res<u64> {
    vm.learned.asks_for_peak |= vm.learning;
    vm.look_at_roll();
    Ok(from_int(vm.globals.roll.peak as i32))
}

fn daemons(vm: &mut Vm, _: Frame) -> Res<u64> {
    vm.look_at_roll();
    let live = vm.live_threads();
    let daemon = |t: &&_| {
        let object = vm.thread(**t).object;
        vm.heap.get::<u8>(object, vm.known.thread_daemon) != 0
    };
    Ok(from_int(live.iter().filter(daemon).count() as i32))
}
