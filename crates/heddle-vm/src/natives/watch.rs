//! sun.nio.fs.LinuxWatchService: inotify and the sockets that wake its thread.
//!
//! The descriptors are queues of the VM (`files/watch.rs`), always without blocking; only
//! `poll` waits. Its thread is parked for that, and tried again when a queue was filled.

use crate::files::{Answer, EVENT};
use crate::native::{Frame, Res, Table, from_int, from_ref};
use crate::natives::nio_files::{c_string, done, guard};
use crate::thread::{ThreadState, Wake};
use crate::vm::{Vm, trap};

pub const TABLE: &[Table] = &[(
    "sun/nio/fs/LinuxWatchService",
    &[
        ("eventSize()I", |_, _| Ok(from_int(EVENT as i32))),
        ("eventOffsets()[I", event_offsets),
        ("inotifyInit()I", |vm, _| Ok(from_int(vm.io().watcher()))),
        ("inotifyAddWatch(IJI)I", |vm, f| guard(vm, f, add_watch)),
        ("inotifyRmWatch(II)V", |vm, f| guard(vm, f, remove_watch)),
        ("configureBlocking(IZ)V", |_, _| Ok(0)),
        ("socketpair([I)V", socket_pair),
        ("poll(II)I", |vm, f| guard(vm, f, poll)),
    ],
)];

/// Descriptor, mask, cookie, length of the name, name.
fn event_offsets(vm: &mut Vm, _: Frame) -> Res<u64> {
    let offsets = [0, 4, 8, 12, EVENT as i32];
    let array = vm.new_primitive_array(crate::class::Basic::Int, offsets.len() as u32)?;
    for (i, offset) in offsets.into_iter().enumerate() {
        vm.heap
            .put(array, crate::heap::ELEMENTS + 4 * i as u64, offset);
    }
    Ok(from_ref(array))
}

fn add_watch(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = c_string(vm, f.raw(1));
    let watch = vm.io().watch(f.int(0), &path, f.int(3) as u32);
    Ok(watch.map(from_int))
}

fn remove_watch(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    done(vm.io().unwatch(f.int(0), f.int(1)))
}

fn socket_pair(vm: &mut Vm, f: Frame) -> Res<u64> {
    let array = f.reference(0);
    for (i, fd) in vm.io().socket_pair().into_iter().enumerate() {
        vm.heap.put(array, crate::heap::ELEMENTS + 4 * i as u64, fd);
    }
    Ok(0)
}

/// How many of two descriptors can be read, once one can.
fn poll(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let fds = [f.int(0), f.int(1)];
    let ready = match vm.files.readable(fds) {
        Ok(ready) => ready.into_iter().filter(|&ready| ready).count(),
        Err(error) => return Ok(Err(error)),
    };
    if ready > 0 {
        return Ok(Ok(from_int(ready as i32)));
    }
    let me = vm.current;
    if let Err(error) = vm.io().wait_readable(me, fds) {
        return Ok(Err(error));
    }
    vm.running().control.wake = Wake::None;
    vm.set_state(me, ThreadState::Parked { deadline: None });
    trap(crate::native::Trap::Block)
}
