//! sun.nio.fs: the system calls of java.nio.file on Linux.
//!
//! Every native either answers or throws `UnixException(errno)`, whose
//! constructor is Java code; [`guard`] does that for all. Paths arrive as
//! addresses of C strings. Watching directories is in `watch.rs`. Left out: `mknod`.

use crate::files::{Answer, Errno, Stat, Time, describe};
use crate::heap::Ref;
use crate::native::{Frame, Res, Table, Trap, call, from_bool, from_int, from_ref};
use crate::natives::platform::{groups, users};
use crate::vm::{Vm, trap};

pub const TABLE: &[Table] = &[
    (
        "sun/nio/fs/UnixNativeDispatcher",
        &[
            ("init()I", init),
            ("getcwd()[B", |vm, f| guard(vm, f, getcwd)),
            ("strerror(I)[B", strerror),
            ("open0(JII)I", |vm, f| guard(vm, f, open)),
            ("openat0(IJII)I", |vm, f| guard(vm, f, open_at)),
            ("close0(I)V", |vm, f| guard(vm, f, close)),
            ("dup(I)I", |vm, f| guard(vm, f, dup)),
            ("read(IJI)I", |vm, f| guard(vm, f, read)),
            ("write(IJI)I", |vm, f| guard(vm, f, write)),
            ("stat0(JLsun/nio/fs/UnixFileAttributes;)V", |vm, f| {
                guard(vm, f, stat)
            }),
            ("lstat0(JLsun/nio/fs/UnixFileAttributes;)V", |vm, f| {
                guard(vm, f, lstat)
            }),
            ("fstat(ILsun/nio/fs/UnixFileAttributes;)V", |vm, f| {
                guard(vm, f, fstat)
            }),
            ("fstatat0(IJILsun/nio/fs/UnixFileAttributes;)V", |vm, f| {
                guard(vm, f, fstatat)
            }),
            ("stat1(J)I", stat_mode),
            ("exists0(J)Z", exists),
            ("access0(JI)V", |vm, f| guard(vm, f, access)),
            ("link0(JJ)V", |vm, f| guard(vm, f, link)),
            ("symlink0(JJ)V", |vm, f| guard(vm, f, symlink)),
            ("readlink0(J)[B", |vm, f| guard(vm, f, readlink)),
            ("realpath0(J)[B", |vm, f| guard(vm, f, realpath)),
            ("unlink0(J)V", |vm, f| guard(vm, f, unlink)),
            ("unlinkat0(IJI)V", |vm, f| guard(vm, f, unlinkat)),
            ("rmdir0(J)V", |vm, f| guard(vm, f, rmdir)),
            ("mkdir0(JI)V", |vm, f| guard(vm, f, mkdir)),
            ("rename0(JJ)V", |vm, f| guard(vm, f, rename)),
            ("renameat0(IJIJ)V", |vm, f| guard(vm, f, renameat)),
            ("chmod0(JI)V", |vm, f| guard(vm, f, chmod)),
            ("fchmod(II)V", |vm, f| guard(vm, f, fchmod)),
            ("fchmod0(II)V", |vm, f| guard(vm, f, fchmod)),
            ("chown0(JII)V", |vm, f| guard(vm, f, chown)),
            ("lchown0(JII)V", |vm, f| guard(vm, f, lchown)),
            ("fchown(III)V", |vm, f| guard(vm, f, fchown)),
            ("fchown0(III)V", |vm, f| guard(vm, f, fchown)),
            ("utimes0(JJJ)V", |vm, f| guard(vm, f, utimes)),
            ("lutimes0(JJJ)V", |vm, f| guard(vm, f, lutimes)),
            ("futimes(IJJ)V", |vm, f| guard(vm, f, futimes)),
            ("futimens(IJJ)V", |vm, f| guard(vm, f, futimens)),
            ("opendir0(J)J", |vm, f| guard(vm, f, opendir)),
            ("fdopendir(I)J", |vm, f| guard(vm, f, fdopendir)),
            ("readdir(J)[B", |vm, f| guard(vm, f, readdir)),
            ("closedir(J)V", |vm, f| guard(vm, f, closedir)),
            ("rewind(J)V", |vm, f| guard(vm, f, rewind)),
            ("getlinelen(J)I", |vm, f| guard(vm, f, line_length)),
            ("getpwuid(I)[B", |vm, f| guard(vm, f, getpwuid)),
            ("getgrgid(I)[B", |vm, f| guard(vm, f, getgrgid)),
            ("getpwnam0(J)I", getpwnam),
            ("getgrnam0(J)I", getgrnam),
            (
                "statvfs0(JLsun/nio/fs/UnixFileStoreAttributes;)V",
                |vm, f| guard(vm, f, statvfs),
            ),
            ("fgetxattr0(IJJI)I", |vm, f| guard(vm, f, fgetxattr)),
            ("fsetxattr0(IJJI)V", |vm, f| guard(vm, f, fsetxattr)),
            ("fremovexattr0(IJ)V", |vm, f| guard(vm, f, fremovexattr)),
            ("flistxattr(IJI)I", |vm, f| guard(vm, f, flistxattr)),
        ],
    ),
    (
        "sun/nio/fs/LinuxNativeDispatcher",
        &[
            ("init()V", |_, _| Ok(0)),
            ("setmntent0(JJ)J", |vm, f| guard(vm, f, set_mounts)),
            ("getmntent0(JLsun/nio/fs/UnixMountEntry;JI)I", |vm, f| {
                guard(vm, f, get_mount)
            }),
            ("endmntent(J)V", |vm, f| guard(vm, f, closedir)),
        ],
    ),
    (
        "sun/nio/fs/UnixCopyFile",
        &[("transfer(IIJ)V", |vm, f| guard(vm, f, transfer))],
    ),
];

/// Runs a system call; an error becomes `new UnixException(errno)`.
pub fn guard(vm: &mut Vm, f: Frame, native: fn(&mut Vm, Frame) -> Res<Answer<u64>>) -> Res<u64> {
    if f.phase() == 1 {
        return trap(Trap::Throw(f.slot_ref(0)));
    }
    match native(vm, f)? {
        Ok(value) => Ok(value),
        Err(error) => {
            let class = vm.load_boot("sun/nio/fs/UnixException")?;
            vm.ensure_initialized(class)?;
            let object = vm.new_object(class)?;
            let constructor = vm.method(class, "<init>", "(I)V");
            f.set_slot(0, from_ref(object));
            f.set_phase(1);
            call(
                constructor,
                vec![from_ref(object), from_int(error.raw_os_error())],
            )
        }
    }
}

/// The C string at an address.
pub fn c_string(vm: &Vm, address: u64) -> Vec<u8> {
    let mut end = address;
    while vm.heap.arena.read::<u8>(end) != 0 {
        end += 1;
    }
    vm.heap
        .arena
        .bytes(address, (end - address) as usize)
        .to_vec()
}

/// C string in argument slot `i`.
fn path(vm: &Vm, f: Frame, i: usize) -> Vec<u8> {
    c_string(vm, f.raw(i))
}

fn new_bytes(vm: &mut Vm, bytes: &[u8]) -> Res<Answer<u64>> {
    vm.new_byte_array(bytes).map(|array| Ok(from_ref(array)))
}

pub fn done(answer: Answer<()>) -> Res<Answer<u64>> {
    Ok(answer.map(|()| 0))
}

/// What of the dispatcher's options Linux has: the *at calls, the ways to set times,
/// extended attributes, times of creation.
fn init(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(from_int(
        1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 16,
    ))
}

fn getcwd(vm: &mut Vm, _: Frame) -> Res<Answer<u64>> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = vm.files.home().as_os_str().as_bytes().to_vec();
    new_bytes(vm, &bytes)
}

fn strerror(vm: &mut Vm, f: Frame) -> Res<u64> {
    let text = describe(Errno::from_raw_os_error(f.int(0)));
    vm.new_byte_array(text.as_bytes()).map(from_ref)
}

fn open(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    Ok(vm.io().open(&path, f.int(2), f.int(3) as u32).map(from_int))
}

fn open_at(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 1);
    Ok(vm
        .io()
        .open_at(f.int(0), &path, f.int(3), f.int(4) as u32)
        .map(from_int))
}

fn close(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let fd = f.int(0);
    done(vm.write_back(fd).and_then(|()| vm.io().close(fd)))
}

fn dup(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    Ok(vm.io().duplicate(f.int(0)).map(from_int))
}

fn read(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let mut buffer = vec![0; f.int(3) as usize];
    let count = match vm.read_fd(f.int(0), &mut buffer) {
        Ok(count) => count,
        Err(e) => return Ok(Err(e)),
    };
    vm.heap.write_raw(f.raw(1), &buffer[..count]);
    Ok(Ok(from_int(count as i32)))
}

fn write(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let bytes = vm.heap.arena.bytes(f.raw(1), f.int(3) as usize).to_vec();
    Ok(vm
        .write_fd(f.int(0), &bytes)
        .map(|count| from_int(count as i32)))
}

fn fill(vm: &mut Vm, object: Ref, answer: Answer<Stat>) -> Res<Answer<u64>> {
    let stat = match answer {
        Ok(stat) => stat,
        Err(e) => return Ok(Err(e)),
    };
    for (name, value) in [
        ("st_mode", stat.mode),
        ("st_nlink", stat.nlink),
        ("st_uid", stat.uid),
        ("st_gid", stat.gid),
    ] {
        vm.set_field_int(object, name, value as i32);
    }
    for (name, value) in [
        ("st_ino", stat.ino as i64),
        ("st_dev", stat.dev as i64),
        ("st_rdev", stat.rdev as i64),
        ("st_size", stat.size as i64),
        ("st_atime_sec", stat.accessed.seconds),
        ("st_atime_nsec", stat.accessed.nanos),
        ("st_mtime_sec", stat.modified.seconds),
        ("st_mtime_nsec", stat.modified.nanos),
        ("st_ctime_sec", stat.changed.seconds),
        ("st_ctime_nsec", stat.changed.nanos),
        ("st_birthtime_sec", stat.born.seconds),
    ] {
        vm.set_field_long(object, name, value);
    }
    // Not in every update release of 17.
    let name = vm.symbol("st_birthtime_nsec");
    let class = vm.class_of(object);
    if class.fields.iter().any(|field| field.name == name) {
        vm.set_field_long(object, "st_birthtime_nsec", stat.born.nanos);
    }
    Ok(Ok(0))
}

fn stat(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    let answer = vm.files.stat(&path, true);
    fill(vm, f.reference(2), answer)
}

fn lstat(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    let answer = vm.files.stat(&path, false);
    fill(vm, f.reference(2), answer)
}

fn fstat(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let answer = vm.files.fstat(f.int(0));
    fill(vm, f.reference(1), answer)
}

fn fstatat(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    const SYMLINK_NOFOLLOW: i32 = 0x100;
    let path = path(vm, f, 1);
    let follow = f.int(3) & SYMLINK_NOFOLLOW == 0;
    let answer = vm
        .files
        .under(f.int(0), &path)
        .and_then(|path| vm.files.stat(&path, follow));
    fill(vm, f.reference(4), answer)
}

fn stat_mode(vm: &mut Vm, f: Frame) -> Res<u64> {
    let path = path(vm, f, 0);
    Ok(from_int(
        vm.files
            .stat(&path, true)
            .map_or(0, |stat| stat.mode as i32),
    ))
}

fn exists(vm: &mut Vm, f: Frame) -> Res<u64> {
    let path = path(vm, f, 0);
    Ok(from_bool(vm.files.access(&path, 0).is_ok()))
}

fn access(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    done(vm.files.access(&path, f.int(2) as u32))
}

fn link(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let (from, to) = (path(vm, f, 0), path(vm, f, 2));
    done(vm.io().link(&from, &to))
}

fn symlink(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let (target, at) = (path(vm, f, 0), path(vm, f, 2));
    done(vm.io().symlink(&target, &at))
}

fn readlink(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    match vm.files.readlink(&path) {
        Ok(target) => new_bytes(vm, &target),
        Err(e) => Ok(Err(e)),
    }
}

fn realpath(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    match vm.files.realpath(&path) {
        Ok(real) => new_bytes(vm, &real),
        Err(e) => Ok(Err(e)),
    }
}

fn unlink(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    done(vm.io().unlink(&path))
}

fn unlinkat(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    const REMOVE_DIR: i32 = 0x200;
    let path = path(vm, f, 1);
    let path = match vm.files.under(f.int(0), &path) {
        Ok(path) => path,
        Err(e) => return Ok(Err(e)),
    };
    let files = vm.io();
    done(if f.int(3) & REMOVE_DIR != 0 {
        files.rmdir(&path)
    } else {
        files.unlink(&path)
    })
}

fn rmdir(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    done(vm.io().rmdir(&path))
}

fn mkdir(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    done(vm.io().mkdir(&path, f.int(2) as u32))
}

fn rename(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let (from, to) = (path(vm, f, 0), path(vm, f, 2));
    done(vm.io().rename(&from, &to))
}

fn renameat(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let (from, to) = (path(vm, f, 1), path(vm, f, 4));
    let files = vm.io();
    let from = files.under(f.int(0), &from);
    let to = files.under(f.int(3), &to);
    done(from.and_then(|from| files.rename(&from, &to?)))
}

fn chmod(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    done(vm.io().chmod(&path, f.int(2) as u32))
}

fn fchmod(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    done(vm.io().fchmod(f.int(0), f.int(1) as u32))
}

/// -1 means: leave it.
fn id(value: i32) -> Option<u32> {
    (value != -1).then_some(value as u32)
}

fn chown(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    done(vm.io().chown(&path, id(f.int(2)), id(f.int(3)), true))
}

fn lchown(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    done(vm.io().chown(&path, id(f.int(2)), id(f.int(3)), false))
}

fn fchown(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    done(vm.io().fchown(f.int(0), id(f.int(1)), id(f.int(2))))
}

fn micros(value: i64) -> Time {
    Time {
        seconds: value.div_euclid(1_000_000),
        nanos: value.rem_euclid(1_000_000) * 1000,
    }
}

fn utimes(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    done(
        vm.io()
            .set_times(&path, micros(f.long(2)), micros(f.long(4)), true),
    )
}

fn lutimes(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    done(
        vm.io()
            .set_times(&path, micros(f.long(2)), micros(f.long(4)), false),
    )
}

fn futimes(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    done(
        vm.io()
            .set_times_of(f.int(0), micros(f.long(1)), micros(f.long(3))),
    )
}

fn futimens(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let (accessed, modified) = (Time::from_nanos(f.long(1)), Time::from_nanos(f.long(3)));
    done(vm.io().set_times_of(f.int(0), accessed, modified))
}

fn opendir(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    Ok(vm.io().open_listing(&path).map(|handle| handle as u64))
}

fn fdopendir(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    Ok(vm
        .io()
        .open_listing_of(f.int(0))
        .map(|handle| handle as u64))
}

fn readdir(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    match vm.io().next_name(f.long(0)) {
        Ok(Some(name)) => new_bytes(vm, &name),
        Ok(None) => Ok(Ok(from_ref(Ref::NULL))),
        Err(e) => Ok(Err(e)),
    }
}

fn closedir(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    done(vm.io().close_listing(f.long(0)))
}

fn rewind(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    done(vm.io().rewind_listing(f.long(0)))
}

fn line_length(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let line = vm.io().next_name(f.long(0));
    Ok(line.map(|line| from_int(line.map_or(-1, |line| line.len() as i32 + 1))))
}

fn getpwuid(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    match users().find(|user| user.id == f.int(0) as u32) {
        Some(user) => new_bytes(vm, user.name.as_bytes()),
        None => Ok(Err(Errno::NOENT)),
    }
}

fn getgrgid(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    match groups().find(|(_, id)| *id == f.int(0) as u32) {
        Some((name, _)) => new_bytes(vm, name.as_bytes()),
        None => Ok(Err(Errno::NOENT)),
    }
}

fn getpwnam(vm: &mut Vm, f: Frame) -> Res<u64> {
    let name = path(vm, f, 0);
    let found = users().find(|user| user.name.as_bytes() == name);
    Ok(from_int(found.map_or(-1, |user| user.id as i32)))
}

fn getgrnam(vm: &mut Vm, f: Frame) -> Res<u64> {
    let name = path(vm, f, 0);
    let found = groups().find(|(group, _)| group.as_bytes() == name);
    Ok(from_int(found.map_or(-1, |(_, id)| id as i32)))
}

fn statvfs(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    let object = f.reference(2);
    match vm.files.space(&path) {
        Ok(values) => {
            for (name, value) in ["f_frsize", "f_blocks", "f_bfree", "f_bavail"]
                .iter()
                .zip(values)
            {
                vm.set_field_long(object, name, value as i64);
            }
            Ok(Ok(0))
        }
        Err(e) => Ok(Err(e)),
    }
}

fn fgetxattr(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let name = path(vm, f, 1);
    let mut buffer = vec![0; f.int(5) as usize];
    let answer = vm.files.get_attribute(f.int(0), &name, &mut buffer);
    Ok(answer.map(|count| {
        if !buffer.is_empty() {
            vm.heap.write_raw(f.raw(3), &buffer[..count]);
        }
        from_int(count as i32)
    }))
}

fn fsetxattr(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let name = path(vm, f, 1);
    let value = vm.heap.arena.bytes(f.raw(3), f.int(5) as usize).to_vec();
    done(vm.io().set_attribute(f.int(0), &name, &value))
}

fn fremovexattr(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let name = path(vm, f, 1);
    done(vm.io().remove_attribute(f.int(0), &name))
}

fn flistxattr(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let mut buffer = vec![0; f.int(3) as usize];
    let answer = vm.files.list_attributes(f.int(0), &mut buffer);
    Ok(answer.map(|count| {
        if !buffer.is_empty() {
            vm.heap.write_raw(f.raw(1), &buffer[..count]);
        }
        from_int(count as i32)
    }))
}

fn set_mounts(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let path = path(vm, f, 0);
    Ok(vm.io().open_lines(&path).map(|handle| handle as u64))
}

/// The next line of the mount table into a UnixMountEntry.
fn get_mount(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let line = match vm.io().next_name(f.long(0)) {
        Ok(Some(line)) => line,
        Ok(None) => return Ok(Ok(from_int(-1))),
        Err(e) => return Ok(Err(e)),
    };
    let mut parts = line.split(|&b| b == b' ');
    for name in ["name", "dir", "fstype", "opts"] {
        let part = unescape(parts.next().unwrap_or(b""));
        let array = vm.new_byte_array(&part)?;
        vm.set_field_ref(f.reference(2), name, array);
    }
    Ok(Ok(0))
}

/// `\040` and the like in the mount table.
fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((&first, tail)) = rest.split_first() {
        let octal = tail
            .get(..3)
            .filter(|d| first == b'\\' && d.iter().all(|b| (b'0'..=b'7').contains(b)));
        match octal {
            Some(d) => {
                out.push((d[0] - b'0') << 6 | (d[1] - b'0') << 3 | (d[2] - b'0'));
                rest = &tail[3..];
            }
            None => {
                out.push(first);
                rest = tail;
            }
        }
    }
    out
}

/// Copies the rest of one open file to another.
fn transfer(vm: &mut Vm, f: Frame) -> Res<Answer<u64>> {
    let (to, from) = (f.int(0), f.int(1));
    let mut buffer = vec![0; 1 << 16];
    loop {
        let copied = vm.read_fd(from, &mut buffer).and_then(|count| {
            crate::natives::file_streams::write_all(vm, to, &buffer[..count]).map(|()| count)
        });
        match copied {
            Ok(0) => return Ok(Ok(0)),
            Ok(_) => {}
            Err(e) => return Ok(Err(e)),
        }
    }
}
