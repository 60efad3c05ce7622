//! sun.nio.ch: channels on files, mapped memory, and what class initializers need.
//!
//! Buffers are addresses in the arena. File locks are granted without asking the
//! host: inside one VM Java's own table keeps them apart, other processes are left
//! out. Sockets, pipes and selectors are missing and reported by name.

use crate::files::{Errno, Protection, describe};
use crate::heap::{ELEMENTS, Ref};
use crate::native::{Frame, Res, Table, from_bool, from_int, throw};
use crate::natives::file_streams::{close_fd, io, write_all};
use crate::vm::Vm;

pub const TABLE: &[Table] = &[
    (
        "sun/nio/ch/IOUtil",
        &[
            ("initIDs()V", nothing),
            ("iovMax()I", |_, _| Ok(from_int(1024))),
            ("fdLimit()I", fd_limit),
            ("fdVal(Ljava/io/FileDescriptor;)I", |vm, f| {
                Ok(from_int(vm.field_int(f.reference(0), "fd")))
            }),
            ("setfdVal(Ljava/io/FileDescriptor;I)V", |vm, f| {
                vm.set_field_int(f.reference(0), "fd", f.int(1));
                Ok(0)
            }),
            ("randomBytes([B)Z", random_bytes),
            ("configureBlocking(Ljava/io/FileDescriptor;Z)V", nothing),
        ],
    ),
    (
        "sun/nio/ch/FileDispatcherImpl",
        &[
            ("init()V", nothing),
            ("init0()V", nothing),
            ("read0(Ljava/io/FileDescriptor;JI)I", read),
            ("pread0(Ljava/io/FileDescriptor;JIJ)I", pread),
            ("readv0(Ljava/io/FileDescriptor;JI)J", readv),
            ("write0(Ljava/io/FileDescriptor;JI)I", write),
            ("pwrite0(Ljava/io/FileDescriptor;JIJ)I", pwrite),
            ("writev0(Ljava/io/FileDescriptor;JI)J", writev),
            ("force0(Ljava/io/FileDescriptor;Z)I", force),
            ("seek0(Ljava/io/FileDescriptor;J)J", seek),
            ("truncate0(Ljava/io/FileDescriptor;J)I", truncate),
            ("size0(Ljava/io/FileDescriptor;)J", size),
            ("lock0(Ljava/io/FileDescriptor;ZJJZ)I", nothing),
            ("release0(Ljava/io/FileDescriptor;JJ)V", nothing),
            ("close0(Ljava/io/FileDescriptor;)V", close),
            ("preClose0(Ljava/io/FileDescriptor;)V", nothing),
            ("closeIntFD(I)V", close_number),
            (
                "dup0(Ljava/io/FileDescriptor;Ljava/io/FileDescriptor;)V",
                dup,
            ),
            ("canTransferToFromOverlappedMap0()Z", |_, _| {
                Ok(from_bool(true))
            }),
            ("setDirect0(Ljava/io/FileDescriptor;)I", |_, _| {
                Ok(from_int(4096))
            }),
        ],
    ),
    (
        "sun/nio/ch/FileChannelImpl",
        &[
            ("initIDs()J", |_, _| Ok(4096)),
            ("map0(IJJZ)J", map),
            ("unmap0(JJ)I", unmap),
            (
                "transferTo0(Ljava/io/FileDescriptor;JJLjava/io/FileDescriptor;)J",
                transfer,
            ),
            ("maxDirectTransferSize0()I", |_, _| {
                Ok(from_int(0x7fff_f000))
            }),
        ],
    ),
    (
        "sun/nio/ch/FileKey",
        &[
            ("initIDs()V", nothing),
            ("init(Ljava/io/FileDescriptor;)V", file_key),
        ],
    ),
    (
        "sun/nio/ch/NativeThread",
        &[
            ("init()V", nothing),
            ("current()J", |vm, _| Ok(vm.current.0 as u64 + 1)),
            // No thread ever waits in a system call.
            ("signal(J)V", nothing),
            ("supportPendingSignals0()Z", |_, _| Ok(from_bool(false))),
        ],
    ),
    (
        "java/nio/MappedMemoryUtils",
        &[
            ("isLoaded0(JJJ)Z", |_, _| Ok(from_bool(true))),
            ("load0(JJ)V", nothing),
            ("unload0(JJ)V", nothing),
            ("force0(Ljava/io/FileDescriptor;JJ)V", force_map),
        ],
    ),
];

fn nothing(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(0)
}

fn fd_limit(_: &mut Vm, _: Frame) -> Res<u64> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum;
    Ok(from_int(
        limit.unwrap_or(i32::MAX as u64).min(i32::MAX as u64) as i32,
    ))
}

fn random_bytes(vm: &mut Vm, f: Frame) -> Res<u64> {
    let array = f.reference(0);
    let mut bytes = vec![0; vm.heap.length(array) as usize];
    vm.random_bytes(&mut bytes);
    vm.heap.write_bytes(array, ELEMENTS, &bytes);
    Ok(from_bool(true))
}

fn fd(vm: &mut Vm, descriptor: Ref) -> i32 {
    vm.field_int(descriptor, "fd")
}

const END_OF_FILE: i32 = -1;

/// Bytes read; nothing read means the end.
fn read_result(count: usize, wanted: usize) -> i32 {
    if count == 0 && wanted > 0 {
        END_OF_FILE
    } else {
        count as i32
    }
}

fn read(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (fd, len) = (fd(vm, f.reference(0)), f.int(3) as usize);
    let mut buffer = vec![0; len];
    let count = io(vm.read_fd(fd, &mut buffer))?;
    vm.heap.write_raw(f.raw(1), &buffer[..count]);
    Ok(from_int(read_result(count, len)))
}

fn pread(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (fd, len) = (fd(vm, f.reference(0)), f.int(3) as usize);
    let mut buffer = vec![0; len];
    let count = io(vm.read_fd_at(fd, f.raw(4), &mut buffer))?;
    vm.heap.write_raw(f.raw(1), &buffer[..count]);
    Ok(from_int(read_result(count, len)))
}

/// The buffers of a scattering or gathering call: addresses and lengths.
fn vectors(vm: &Vm, at: u64, count: i32) -> Vec<(u64, usize)> {
    let word = |at: u64| vm.heap.arena.read::<u64>(at);
    (0..count as u64)
        .map(|i| (word(at + i * 16), word(at + i * 16 + 8) as usize))
        .collect()
}

fn readv(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = fd(vm, f.reference(0));
    let vectors = vectors(vm, f.raw(1), f.int(3));
    let len = vectors.iter().map(|(_, len)| len).sum();
    let mut buffer = vec![0; len];
    let count = io(vm.read_fd(fd, &mut buffer))?;
    let mut rest = &buffer[..count];
    for (at, len) in vectors {
        let (now, later) = rest.split_at(len.min(rest.len()));
        vm.heap.write_raw(at, now);
        rest = later;
    }
    Ok(read_result(count, len) as i64 as u64)
}

fn write(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = fd(vm, f.reference(0));
    let bytes = vm.heap.arena.bytes(f.raw(1), f.int(3) as usize).to_vec();
    Ok(from_int(io(vm.write_fd(fd, &bytes))? as i32))
}

fn pwrite(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = fd(vm, f.reference(0));
    let bytes = vm.heap.arena.bytes(f.raw(1), f.int(3) as usize).to_vec();
    Ok(from_int(io(vm.write_fd_at(fd, f.raw(4), &bytes))? as i32))
}

fn writev(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = fd(vm, f.reference(0));
    let mut bytes = Vec::new();
    for (at, len) in vectors(vm, f.raw(1), f.int(3)) {
        bytes.extend_from_slice(vm.heap.arena.bytes(at, len));
    }
    Ok(io(vm.write_fd(fd, &bytes))? as u64)
}

fn force(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = fd(vm, f.reference(0));
    io(vm.write_back(fd))?;
    match vm.files.sync(fd) {
        // What has no disk behind it needs no forcing.
        Ok(()) | Err(Errno::INVAL | Errno::ROFS | Errno::NOTSUP) => Ok(0),
        Err(e) => throw("java/io/IOException", describe(e)),
    }
}

/// Moves the position, or tells it when the offset is negative.
fn seek(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = fd(vm, f.reference(0));
    let to = f.long(1);
    if to < 0 {
        return io(vm.files.position(fd));
    }
    io(vm.io().seek(fd, to as u64))?;
    Ok(to as u64)
}

fn truncate(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = fd(vm, f.reference(0));
    io(vm.set_len_fd(fd, f.raw(1)))?;
    Ok(0)
}

fn size(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = fd(vm, f.reference(0));
    io(vm.files.size(fd))
}

fn close(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = fd(vm, f.reference(0));
    if fd >= 0 {
        io(close_fd(vm, fd))?;
    }
    Ok(0)
}

fn close_number(vm: &mut Vm, f: Frame) -> Res<u64> {
    io(close_fd(vm, f.int(0)))?;
    Ok(0)
}

fn dup(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (from, to) = (fd(vm, f.reference(0)), fd(vm, f.reference(1)));
    io(vm.io().duplicate_to(from, to))?;
    Ok(0)
}

fn map(vm: &mut Vm, f: Frame) -> Res<u64> {
    let descriptor = vm.field_ref(f.reference(0), "fd");
    let fd = fd(vm, descriptor);
    let how = match f.int(1) {
        0 => Protection::ReadOnly,
        1 => Protection::ReadWrite,
        _ => Protection::Private,
    };
    let mapped = vm.map(fd, f.raw(2), f.raw(4), how)?;
    match mapped {
        Ok(address) => Ok(address),
        Err(Errno::NOMEM) => throw("java/lang/OutOfMemoryError", "Map failed"),
        Err(e) => throw("java/io/IOException", describe(e)),
    }
}

fn unmap(vm: &mut Vm, f: Frame) -> Res<u64> {
    io(vm.unmap(f.raw(0)))?;
    Ok(0)
}

fn force_map(vm: &mut Vm, f: Frame) -> Res<u64> {
    io(vm.flush_maps())?;
    let descriptor = f.reference(0);
    if !descriptor.is_null() {
        let fd = fd(vm, descriptor);
        if let Err(e @ Errno::IO) = vm.files.sync(fd) {
            return throw("java/io/IOException", describe(e));
        }
    }
    Ok(0)
}

/// `sendfile`: from a position of one file to the position of another.
fn transfer(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (from, to) = (fd(vm, f.reference(1)), fd(vm, f.reference(6)));
    let mut left = f.raw(4);
    let mut at = f.raw(2);
    let mut buffer = vec![0; left.min(1 << 20) as usize];
    while left > 0 {
        let len = left.min(buffer.len() as u64) as usize;
        let count = io(vm.read_fd_at(from, at, &mut buffer[..len]))?;
        if count == 0 {
            break;
        }
        io(write_all(vm, to, &buffer[..count]))?;
        at += count as u64;
        left -= count as u64;
    }
    Ok(at - f.raw(2))
}

fn file_key(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = fd(vm, f.reference(1));
    let stat = io(vm.files.fstat(fd))?;
    vm.set_field_long(f.reference(0), "st_dev", stat.dev as i64);
    vm.set_field_long(f.reference(0), "st_ino", stat.ino as i64);
    Ok(0)
}
