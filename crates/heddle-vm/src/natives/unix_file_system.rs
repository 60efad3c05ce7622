//! java.io.UnixFileSystem: what java.io.File asks the system.

use crate::files::{Answer, Errno, Stat, Time, flags};
use crate::heap::Ref;
use crate::native::{Frame, Res, Table, from_bool, from_int, from_ref, throw, throw_null};
use crate::natives::file_streams::io;
use crate::vm::Vm;

pub const TABLE: &[Table] = &[(
    "java/io/UnixFileSystem",
    &[
        ("initIDs()V", |_, _| Ok(0)),
        (
            "canonicalize0(Ljava/lang/String;)Ljava/lang/String;",
            canonicalize,
        ),
        ("getBooleanAttributes0(Ljava/io/File;)I", attributes),
        ("checkAccess(Ljava/io/File;I)Z", check_access),
        ("getLastModifiedTime(Ljava/io/File;)J", last_modified),
        ("getLength(Ljava/io/File;)J", length),
        ("setPermission(Ljava/io/File;IZZ)Z", set_permission),
        ("createFileExclusively(Ljava/lang/String;)Z", create_file),
        ("delete0(Ljava/io/File;)Z", delete),
        ("list(Ljava/io/File;)[Ljava/lang/String;", list),
        ("createDirectory(Ljava/io/File;)Z", create_directory),
        ("rename0(Ljava/io/File;Ljava/io/File;)Z", rename),
        ("setLastModifiedTime(Ljava/io/File;J)Z", set_last_modified),
        ("setReadOnly(Ljava/io/File;)Z", set_read_only),
        ("getSpace(Ljava/io/File;I)J", space),
        ("getNameMax0(Ljava/lang/String;)J", name_max),
    ],
)];

/// The path of a File object.
fn path(vm: &mut Vm, file: Ref) -> Res<Vec<u8>> {
    if file.is_null() {
        return throw_null();
    }
    let path = vm.field_ref(file, "path");
    if path.is_null() {
        return throw_null();
    }
    Ok(vm.platform_bytes(path))
}

fn stat(vm: &mut Vm, file: Ref) -> Res<Answer<Stat>> {
    let path = path(vm, file)?;
    Ok(vm.files.stat(&path, true))
}

fn canonicalize(vm: &mut Vm, f: Frame) -> Res<u64> {
    let name = f.reference(1);
    if name.is_null() {
        return throw_null();
    }
    let path = vm.platform_bytes(name);
    let found = io(canonical(vm, &path))?;
    vm.platform_string(&found).map(from_ref)
}

/// The real path of the longest part that exists, with the rest appended and its dots
/// taken out.
fn canonical(vm: &Vm, path: &[u8]) -> Answer<Vec<u8>> {
    if path.len() > 4096 {
        return Err(Errno::NAMETOOLONG);
    }
    if let Ok(real) = vm.files.realpath(path) {
        return Ok(collapse(&real));
    }
    let mut end = path.len();
    while let Some(slash) = path[..end].iter().rposition(|&b| b == b'/') {
        end = slash;
        if end == 0 {
            break;
        }
        match vm.files.realpath(&path[..end]) {
            Ok(mut real) => {
                if !real.ends_with(b"/") {
                    real.push(b'/');
                }
                real.extend_from_slice(path[end..].strip_prefix(b"/").unwrap_or(&path[end..]));
                return Ok(collapse(&real));
            }
            Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => {}
            Err(e) => return Err(e),
        }
    }
    Ok(collapse(path))
}

/// Takes `.` and `..` out of an absolute path by text alone.
fn collapse(path: &[u8]) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|&b| b == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let mut out = Vec::new();
    for part in parts {
        out.push(b'/');
        out.extend_from_slice(part);
    }
    if out.is_empty() {
        out.push(b'/');
    }
    out
}

fn attributes(vm: &mut Vm, f: Frame) -> Res<u64> {
    const EXISTS: i32 = 1;
    const REGULAR: i32 = 2;
    const DIRECTORY: i32 = 4;
    let bits = stat(vm, f.reference(1))?.map_or(0, |stat| {
        EXISTS
            | if stat.is_regular() { REGULAR } else { 0 }
            | if stat.is_dir() { DIRECTORY } else { 0 }
    });
    Ok(from_int(bits))
}

fn check_access(vm: &mut Vm, f: Frame) -> Res<u64> {
    let path = path(vm, f.reference(1))?;
    Ok(from_bool(
        vm.files.access(&path, f.int(2) as u32 & 7).is_ok(),
    ))
}

fn last_modified(vm: &mut Vm, f: Frame) -> Res<u64> {
    Ok(stat(vm, f.reference(1))?.map_or(0, |stat| stat.modified.millis()) as u64)
}

fn length(vm: &mut Vm, f: Frame) -> Res<u64> {
    Ok(stat(vm, f.reference(1))?.map_or(0, |stat| stat.size))
}

fn set_permission(vm: &mut Vm, f: Frame) -> Res<u64> {
    let path = path(vm, f.reference(1))?;
    let (access, enable, owner) = (f.int(2) as u32, f.bool(3), f.bool(4));
    let bits = if owner {
        access << 6
    } else {
        access << 6 | access << 3 | access
    };
    Ok(from_bool(change_mode(vm, &path, |mode| {
        if enable { mode | bits } else { mode & !bits }
    })))
}

fn change_mode(vm: &mut Vm, path: &[u8], change: impl Fn(u32) -> u32) -> bool {
    let files = vm.io();
    files
        .stat(path, true)
        .is_ok_and(|stat| files.chmod(path, change(stat.mode & 0o7777)).is_ok())
}

fn set_read_only(vm: &mut Vm, f: Frame) -> Res<u64> {
    let path = path(vm, f.reference(1))?;
    Ok(from_bool(change_mode(vm, &path, |mode| mode & !0o222)))
}

fn create_file(vm: &mut Vm, f: Frame) -> Res<u64> {
    let name = f.reference(1);
    if name.is_null() {
        return throw_null();
    }
    let path = vm.platform_bytes(name);
    let bits = flags::READ_WRITE | flags::CREATE | flags::EXCLUSIVE;
    let files = vm.io();
    // The root always exists and cannot be opened for writing.
    if path == b"/" {
        return Ok(from_bool(false));
    }
    match files.open(&path, bits, 0o666) {
        Ok(fd) => {
            io(files.close(fd))?;
            Ok(from_bool(true))
        }
        Err(Errno::EXIST) => Ok(from_bool(false)),
        Err(error) => throw("java/io/IOException", crate::files::describe(error)),
    }
}

fn delete(vm: &mut Vm, f: Frame) -> Res<u64> {
    let path = path(vm, f.reference(1))?;
    let files = vm.io();
    let done = match files.unlink(&path) {
        Err(Errno::ISDIR | Errno::PERM) => files.rmdir(&path),
        answer => answer,
    };
    Ok(from_bool(done.is_ok()))
}

fn list(vm: &mut Vm, f: Frame) -> Res<u64> {
    let path = path(vm, f.reference(1))?;
    let Ok(names) = vm.files.list(&path) else {
        return Ok(from_ref(Ref::NULL));
    };
    let mut strings = Vec::with_capacity(names.len());
    for name in names {
        strings.push(vm.platform_string(&name)?);
    }
    vm.new_ref_array(vm.known.string, &strings).map(from_ref)
}

fn create_directory(vm: &mut Vm, f: Frame) -> Res<u64> {
    let path = path(vm, f.reference(1))?;
    Ok(from_bool(vm.io().mkdir(&path, 0o777).is_ok()))
}

fn rename(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (from, to) = (path(vm, f.reference(1))?, path(vm, f.reference(2))?);
    Ok(from_bool(vm.io().rename(&from, &to).is_ok()))
}

fn set_last_modified(vm: &mut Vm, f: Frame) -> Res<u64> {
    let path = path(vm, f.reference(1))?;
    let millis = f.long(2);
    let modified = Time {
        seconds: millis.div_euclid(1000),
        nanos: millis.rem_euclid(1000) * 1_000_000,
    };
    let files = vm.io();
    let done = files
        .stat(&path, true)
        .and_then(|stat| files.set_times(&path, stat.accessed, modified, true));
    Ok(from_bool(done.is_ok()))
}

fn space(vm: &mut Vm, f: Frame) -> Res<u64> {
    let path = path(vm, f.reference(1))?;
    let Ok([unit, all, free, available]) = vm.files.space(&path) else {
        return Ok(0);
    };
    let blocks = match f.int(2) {
        0 => all,
        1 => free,
        _ => available,
    };
    Ok(unit.saturating_mul(blocks).min(i64::MAX as u64))
}

fn name_max(vm: &mut Vm, f: Frame) -> Res<u64> {
    let path = vm.platform_bytes(f.reference(1));
    io(vm.files.name_max(&path))
}
