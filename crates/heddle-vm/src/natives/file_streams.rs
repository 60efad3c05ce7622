//! java.io.FileDescriptor, FileInputStream, FileOutputStream, RandomAccessFile,
//! FileCleanable.
//!
//! Messages and their order of precedence follow the JDK's io_util.c: a closed
//! stream first, then the system's error text.

use crate::files::{Answer, Errno, Kind, describe, flags};
use crate::heap::{ELEMENTS, Ref};
use crate::native::{Frame, Res, Table, from_bool, from_int, throw, throw_bare, throw_null};
use crate::natives::platform::throw_io;
use crate::vm::Vm;

pub const TABLE: &[Table] = &[
    (
        "java/io/FileDescriptor",
        &[
            ("initIDs()V", nothing),
            ("getHandle(I)J", get_handle),
            ("getAppend(I)Z", get_append),
            ("close0()V", close),
            ("sync()V", sync),
        ],
    ),
    (
        "java/io/FileCleanable",
        &[("cleanupClose0(IJ)V", cleanup_close)],
    ),
    (
        "java/io/FileInputStream",
        &[
            ("initIDs()V", nothing),
            ("open0(Ljava/lang/String;)V", open_input),
            ("read0()I", read),
            ("readBytes([BII)I", read_bytes),
            ("length0()J", length),
            ("position0()J", position),
            ("skip0(J)J", skip),
            ("available0()I", available),
        ],
    ),
    (
        "java/io/FileOutputStream",
        &[
            ("initIDs()V", nothing),
            ("open0(Ljava/lang/String;Z)V", open_output),
            ("write(IZ)V", write),
            ("writeBytes([BIIZ)V", write_bytes),
        ],
    ),
    (
        "java/io/RandomAccessFile",
        &[
            ("initIDs()V", nothing),
            ("open0(Ljava/lang/String;I)V", open_random),
            ("read0()I", read),
            ("readBytes([BII)I", read_bytes),
            ("write0(I)V", write),
            ("writeBytes([BII)V", write_bytes),
            ("getFilePointer()J", position),
            ("seek0(J)V", seek),
            ("length()J", length),
            ("setLength(J)V", set_length),
        ],
    ),
];

fn nothing(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(0)
}

/// Value of a system call, or its error as an IOException.
pub fn io<T>(answer: Answer<T>) -> Res<T> {
    match answer {
        Ok(value) => Ok(value),
        // A signal came while the host waited for input: others go on, then once more.
        Err(Errno::INTR) => crate::vm::trap(crate::native::Trap::Yield),
        Err(error) => throw_io(error),
    }
}

fn get_handle(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(-1i64 as u64)
}

fn get_append(vm: &mut Vm, f: Frame) -> Res<u64> {
    Ok(from_bool(vm.files.is_append(f.int(0))))
}

/// Closes the descriptor of a FileDescriptor object. Standard streams are pointed at
/// the null device instead, so that no later file gets their numbers.
fn close(vm: &mut Vm, f: Frame) -> Res<u64> {
    let object = f.reference(0);
    let fd = vm.field_int(object, "fd");
    if fd == -1 {
        return Ok(0);
    }
    vm.set_field_int(object, "fd", -1);
    io(close_fd(vm, fd))?;
    Ok(0)
}

pub fn close_fd(vm: &mut Vm, fd: i32) -> Answer<()> {
    if !(0..=2).contains(&fd) {
        vm.write_back(fd)?;
        return vm.io().close(fd);
    }
    let files = vm.io();
    let null = files.open(b"/dev/null", flags::WRITE_ONLY, 0)?;
    files.duplicate_to(null, fd)?;
    files.close(null)
}

fn cleanup_close(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = f.int(0);
    if fd != -1 && close_fd(vm, fd).is_err() {
        return throw("java/io/IOException", "close failed");
    }
    Ok(0)
}

fn sync(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = vm.field_int(f.reference(0), "fd");
    let done = vm.write_back(fd).and_then(|()| vm.files.sync(fd));
    if done.is_err() {
        return throw("java/io/SyncFailedException", "sync failed");
    }
    Ok(0)
}

fn open_input(vm: &mut Vm, f: Frame) -> Res<u64> {
    open(vm, f, 0)
}

fn open_output(vm: &mut Vm, f: Frame) -> Res<u64> {
    let rest = if f.bool(2) {
        flags::APPEND
    } else {
        flags::TRUNCATE
    };
    open(vm, f, flags::WRITE_ONLY | flags::CREATE | rest)
}

fn open_random(vm: &mut Vm, f: Frame) -> Res<u64> {
    let mode = f.int(2);
    let mut bits = 0;
    if mode & 2 != 0 {
        bits = flags::READ_WRITE | flags::CREATE;
        if mode & 4 != 0 {
            bits |= flags::SYNC;
        } else if mode & 8 != 0 {
            bits |= flags::DATA_SYNC;
        }
    }
    open(vm, f, bits)
}

fn open(vm: &mut Vm, f: Frame, bits: i32) -> Res<u64> {
    let name = f.reference(1);
    if name.is_null() {
        return throw_null();
    }
    let mut path = vm.platform_bytes(name);
    while path.len() > 1 && path.ends_with(b"/") {
        path.pop();
    }
    let files = vm.io();
    let opened = files.open(&path, bits, 0o666).and_then(|fd| {
        if files.fstat(fd).is_ok_and(|stat| stat.is_dir()) {
            files.close(fd)?;
            return Err(Errno::ISDIR);
        }
        Ok(fd)
    });
    match opened {
        Ok(fd) => {
            let object = vm.field_ref(f.reference(0), "fd");
            vm.set_field_int(object, "fd", fd);
            vm.set_field_bool(object, "append", bits & flags::APPEND != 0);
            Ok(0)
        }
        Err(error) => {
            let message = format!("{} ({})", vm.string(name), describe(error));
            throw("java/io/FileNotFoundException", message)
        }
    }
}

/// The descriptor of a stream; an exception when it is closed.
fn descriptor(vm: &mut Vm, stream: Ref) -> Res<i32> {
    let object = vm.field_ref(stream, "fd");
    let fd = if object.is_null() {
        -1
    } else {
        vm.field_int(object, "fd")
    };
    if fd == -1 {
        return throw("java/io/IOException", "Stream Closed");
    }
    Ok(fd)
}

fn read(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = descriptor(vm, f.reference(0))?;
    show_output(vm, f, fd)?;
    let mut byte = [0];
    let count = io(vm.read_fd(fd, &mut byte))?;
    Ok(from_int(if count == 0 { -1 } else { byte[0] as i32 }))
}

/// Before a read of standard input: whoever drains the output gets the chance, so that
/// a prompt is seen before its answer is waited for.
fn show_output(vm: &mut Vm, f: Frame, fd: i32) -> Res<()> {
    if f.phase() == 0 && !vm.output.bytes.is_empty() && matches!(vm.files.kind(fd), Ok(Kind::Input))
    {
        f.set_phase(1);
        return crate::vm::trap(crate::native::Trap::Yield);
    }
    Ok(())
}

/// Checks the range of an array argument as the JDK's C code does.
fn check_range(vm: &Vm, array: Ref, offset: i32, len: i32) -> Res<()> {
    if array.is_null() {
        return throw_null();
    }
    let size = vm.heap.length(array) as i64;
    if offset < 0 || len < 0 || offset as i64 + len as i64 > size {
        return throw_bare("java/lang/IndexOutOfBoundsException");
    }
    Ok(())
}

fn read_bytes(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (array, offset, len) = (f.reference(1), f.int(2), f.int(3));
    check_range(vm, array, offset, len)?;
    if len == 0 {
        return Ok(0);
    }
    let fd = descriptor(vm, f.reference(0))?;
    show_output(vm, f, fd)?;
    let mut buffer = vec![0; len as usize];
    let count = io(vm.read_fd(fd, &mut buffer))?;
    if count == 0 {
        return Ok(from_int(-1));
    }
    vm.heap
        .write_bytes(array, ELEMENTS + offset as u64, &buffer[..count]);
    Ok(from_int(count as i32))
}

fn write(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = descriptor(vm, f.reference(0))?;
    io(write_all(vm, fd, &[f.int(1) as u8]))?;
    Ok(0)
}

fn write_bytes(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (array, offset, len) = (f.reference(1), f.int(2), f.int(3));
    check_range(vm, array, offset, len)?;
    if len == 0 {
        return Ok(0);
    }
    let fd = descriptor(vm, f.reference(0))?;
    let from = array.at() + ELEMENTS + offset as u64;
    let bytes = vm.heap.arena.bytes(from, len as usize).to_vec();
    io(write_all(vm, fd, &bytes))?;
    Ok(0)
}

pub fn write_all(vm: &mut Vm, fd: i32, mut bytes: &[u8]) -> Answer<()> {
    while !bytes.is_empty() {
        let count = vm.write_fd(fd, bytes)?;
        bytes = &bytes[count..];
    }
    Ok(())
}

fn length(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = descriptor(vm, f.reference(0))?;
    io(vm.files.size(fd))
}

fn position(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = descriptor(vm, f.reference(0))?;
    io(vm.files.position(fd))
}

fn skip(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = descriptor(vm, f.reference(0))?;
    let by = f.long(1);
    let at = io(vm.files.position(fd))?;
    let Some(to) = (at as i64).checked_add(by).filter(|&to| to >= 0) else {
        return throw_io(Errno::INVAL);
    };
    io(vm.io().seek(fd, to as u64))?;
    Ok(by as u64)
}

fn available(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = descriptor(vm, f.reference(0))?;
    let count = io(vm.available_fd(fd))?;
    Ok(from_int(count.min(i32::MAX as u64) as i32))
}

fn seek(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = descriptor(vm, f.reference(0))?;
    let to = f.long(1);
    if to < 0 {
        return throw("java/io/IOException", "Negative seek offset");
    }
    io(vm.io().seek(fd, to as u64))?;
    Ok(0)
}

fn set_length(vm: &mut Vm, f: Frame) -> Res<u64> {
    let fd = descriptor(vm, f.reference(0))?;
    let len = f.long(1);
    if len < 0 {
        return throw_io(Errno::INVAL);
    }
    let at = io(vm.files.position(fd))?;
    io(vm.set_len_fd(fd, len as u64))?;
    io(vm.io().seek(fd, at.min(len as u64)))?;
    Ok(0)
}
