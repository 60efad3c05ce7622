//! What com.sun.management says of the machine: OperatingSystemImpl, and whether the library looks
//! for a container (jdk.internal.platform.CgroupMetrics).
//!
//! Under `run` the figures are the host's. In a search the machine is the VM, so that a result
//! does not depend on where it was found: memory is what objects may take, there is no
//! swap space, no container, and loads, which are the host's alone, are not available.

use crate::native::{Entry, Frame, Res, Table, from_bool, from_double, from_int, unsupported};
use crate::natives::class::nothing;
use crate::vm::Vm;

pub const TABLE: &[Table] = &[
    ("com/sun/management/internal/OperatingSystemImpl", SYSTEM),
    ("jdk/internal/platform/CgroupMetrics", CONTAINER),
];

const SYSTEM: &[Entry] = &[
    ("initialize0()V", nothing),
    ("getCommittedVirtualMemorySize0()J", virtual_memory),
    ("getTotalMemorySize0()J", total_memory),
    ("getFreeMemorySize0()J", free_memory),
    ("getTotalSwapSpaceSize0()J", total_swap),
    ("getFreeSwapSpaceSize0()J", free_swap),
    ("getProcessCpuTime0()J", process_time),
    ("getOpenFileDescriptorCount0()J", open_files),
    ("getMaxFileDescriptorCount0()J", most_files),
    ("getCpuLoad0()D", unavailable),
    ("getProcessCpuLoad0()D", unavailable),
    ("getSingleCpuLoad0(I)D", unavailable),
    ("getHostConfiguredCpuCount0()I", processors),
    ("getHostOnlineCpuCount0()I", processors),
];

const CONTAINER: &[Entry] = &[
    ("isUseContainerSupport()Z", uses_container),
    ("isContainerized0()Z", uses_container),
    ("getTotalMemorySize0()J", total_memory),
    ("getTotalSwapSize0()J", total_swap),
];

/// A line of a file of `/proc`, in kilobytes.
fn kilobytes(file: &str, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let figure = line.trim_start_matches(':').trim();
    figure.trim_end_matches("kB").trim().parse().ok()
}

/// A figure of the host's memory; -1 if it does not say.
fn host_memory(key: &str) -> u64 {
    kilobytes("/proc/meminfo", key).map_or(-1i64 as u64, |figure| figure * 1024)
}

fn total_memory(vm: &mut Vm, _: Frame) -> Res<u64> {
    Ok(match vm.heap.tracking {
        true => vm.heap.limit(),
        false => host_memory("MemTotal"),
    })
}

fn free_memory(vm: &mut Vm, _: Frame) -> Res<u64> {
    Ok(match vm.heap.tracking {
        true => vm.heap.limit().saturating_sub(vm.heap.used()),
        false => host_memory("MemFree"),
    })
}

fn total_swap(vm: &mut Vm, _: Frame) -> Res<u64> {
    Ok(match vm.heap.tracking {
        true => 0,
        false => host_memory("SwapTotal"),
    })
}

fn free_swap(vm: &mut Vm, _: Frame) -> Res<u64> {
    Ok(match vm.heap.tracking {
        true => 0,
        false => host_memory("SwapFree"),
    })
}

fn virtual_memory(vm: &mut Vm, _: Frame) -> Res<u64> {
    Ok(match vm.heap.tracking {
        true => vm.heap.limit(),
        false => kilobytes("/proc/self/status", "VmSize").map_or(-1i64 as u64, |k| k * 1024),
    })
}

/// Of the host, while threads have virtual time: it is the process that is asked about.
fn process_time(vm: &mut Vm, _: Frame) -> Res<u64> {
    if vm.heap.tracking {
        return Ok(vm.now_nanos());
    }
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Ok(used.tv_sec as u64 * 1_000_000_000 + used.tv_nsec as u64)
}

fn open_files(vm: &mut Vm, _: Frame) -> Res<u64> {
    if vm.heap.tracking {
        return unsupported("open files of the process, which a search does not have");
    }
    // The one by which they are counted is none of them.
    let open = std::fs::read_dir("/proc/self/fd").map(|open| open.count().saturating_sub(1));
    Ok(open.map_or(-1i64 as u64, |open| open as u64))
}

fn most_files(vm: &mut Vm, _: Frame) -> Res<u64> {
    if vm.heap.tracking {
        return unsupported("the limit of open files of the process, which a search does not have");
    }
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    Ok(limit.current.unwrap_or(i64::MAX as u64))
}

/// A load needs two looks at the host's counters; a negative one is “not available”.
fn unavailable(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(from_double(-1.0))
}

fn processors(vm: &mut Vm, _: Frame) -> Res<u64> {
    Ok(from_int(vm.options.processors as i32))
}

fn uses_container(vm: &mut Vm, _: Frame) -> Res<u64> {
    Ok(from_bool(!vm.heap.tracking))
}
