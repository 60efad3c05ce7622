//! The host's file system, as far as Java programs can reach it: thin, safe calls
//! that answer with error numbers.

use rustix::fs::{self as rfs, AtFlags, CWD, Mode, OFlags, Timespec, Timestamps};
pub use rustix::io::Errno;
use std::fs::File;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

pub type Answer<T> = Result<T, Errno>;

/// What `stat` tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Stat {
    /// Type and permission bits.
    pub mode: u32,
    pub ino: u64,
    pub dev: u64,
    pub rdev: u64,
    pub nlink: u32,
    pub uid: u32,
    pub gid: u32,
    pub size: u64,
    pub accessed: Time,
    pub modified: Time,
    pub changed: Time,
    /// Time of creation; where the host does not know it, of the last change.
    pub born: Time,
}

/// Seconds and nanoseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, PartialOrd, Ord)]
pub struct Time {
    pub seconds: i64,
    pub nanos: i64,
}

impl Time {
    pub fn from_nanos(nanos: i64) -> Time {
        Time {
            seconds: nanos.div_euclid(1_000_000_000),
            nanos: nanos.rem_euclid(1_000_000_000),
        }
    }

    pub fn millis(self) -> i64 {
        self.seconds * 1000 + self.nanos / 1_000_000
    }
}

/// File type bits of a mode.
pub const TYPE: u32 = 0o170000;
pub const DIRECTORY: u32 = 0o040000;
pub const REGULAR: u32 = 0o100000;
pub const SYMLINK: u32 = 0o120000;

impl Stat {
    pub fn is_dir(&self) -> bool {
        self.mode & TYPE == DIRECTORY
    }
    pub fn is_regular(&self) -> bool {
        self.mode & TYPE == REGULAR
    }
    pub fn is_link(&self) -> bool {
        self.mode & TYPE == SYMLINK
    }

    fn of(meta: &std::fs::Metadata) -> Stat {
        Stat {
            mode: meta.mode(),
            ino: meta.ino(),
            dev: meta.dev(),
            rdev: meta.rdev(),
            nlink: meta.nlink() as u32,
            uid: meta.uid(),
            gid: meta.gid(),
            size: meta.size(),
            accessed: Time {
                seconds: meta.atime(),
                nanos: meta.atime_nsec(),
            },
            modified: Time {
                seconds: meta.mtime(),
                nanos: meta.mtime_nsec(),
            },
            changed: Time {
                seconds: meta.ctime(),
                nanos: meta.ctime_nsec(),
            },
            born: match meta
                .created()
                .map(|t| t.duration_since(std::time::UNIX_EPOCH))
            {
                Ok(Ok(since)) => Time {
                    seconds: since.as_secs() as i64,
                    nanos: since.subsec_nanos() as i64,
                },
                _ => Time {
                    seconds: meta.mtime(),
                    nanos: meta.mtime_nsec(),
                },
            },
        }
    }
}

/// An error number from a library error.
pub fn errno(error: std::io::Error) -> Errno {
    Errno::from_raw_os_error(error.raw_os_error().unwrap_or(5))
}

/// The text of an error number, as the C library has it.
pub fn describe(error: Errno) -> String {
    let text = std::io::Error::from_raw_os_error(error.raw_os_error()).to_string();
    match text.rfind(" (os error") {
        Some(end) => text[..end].to_string(),
        None => text,
    }
}

pub fn path(bytes: &[u8]) -> &Path {
    Path::new(std::ffi::OsStr::from_bytes(bytes))
}

pub fn bytes(path: PathBuf) -> Vec<u8> {
    path.into_os_string().into_vec()
}

pub fn stat(path: &Path) -> Answer<Stat> {
    std::fs::metadata(path).map(|m| Stat::of(&m)).map_err(errno)
}

pub fn lstat(path: &Path) -> Answer<Stat> {
    std::fs::symlink_metadata(path)
        .map(|m| Stat::of(&m))
        .map_err(errno)
}

pub fn fstat(file: &File) -> Answer<Stat> {
    file.metadata().map(|m| Stat::of(&m)).map_err(errno)
}

/// Whether reading such a file means waiting for somebody to write it.
pub fn is_stream(file: &File) -> bool {
    file.metadata().is_ok_and(|m| {
        let kind = m.file_type();
        kind.is_fifo() || kind.is_socket() || kind.is_char_device()
    })
}

/// `open(2)`; flags and mode are the system's bits.
pub fn open(path: &Path, flags: i32, mode: u32) -> Answer<File> {
    let flags = OFlags::from_bits_retain(flags as u32) | OFlags::CLOEXEC;
    rfs::open(path, flags, Mode::from_raw_mode(mode)).map(File::from)
}

pub fn read_at(file: &File, at: u64, buffer: &mut [u8]) -> Answer<usize> {
    loop {
        match file.read_at(buffer, at) {
            Ok(count) => return Ok(count),
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(errno(e)),
        }
    }
}

pub fn write_at(file: &File, at: u64, bytes: &[u8]) -> Answer<usize> {
    loop {
        match file.write_at(bytes, at) {
            Ok(count) => return Ok(count),
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(errno(e)),
        }
    }
}

/// Writes at the file's own offset: for pipes and terminals.
pub fn write(mut file: &File, bytes: &[u8]) -> Answer<usize> {
    use std::io::Write;
    file.write(bytes).map_err(errno)
}

/// Reads at the file's own offset.
pub fn read(mut file: &File, buffer: &mut [u8]) -> Answer<usize> {
    use std::io::Read;
    file.read(buffer).map_err(errno)
}

pub fn mkdir(path: &Path, mode: u32) -> Answer<()> {
    rfs::mkdir(path, Mode::from_raw_mode(mode))
}

pub fn rmdir(path: &Path) -> Answer<()> {
    rfs::rmdir(path)
}

pub fn unlink(path: &Path) -> Answer<()> {
    rfs::unlink(path)
}

pub fn rename(from: &Path, to: &Path) -> Answer<()> {
    rfs::rename(from, to)
}

/// A hard link; a symbolic link at the end of `from` is not followed.
pub fn link(from: &Path, to: &Path) -> Answer<()> {
    rfs::linkat(CWD, from, CWD, to, AtFlags::empty())
}

pub fn symlink(target: &[u8], at: &Path) -> Answer<()> {
    rfs::symlink(path(target), at)
}

pub fn readlink(path: &Path) -> Answer<Vec<u8>> {
    std::fs::read_link(path).map(bytes).map_err(errno)
}

pub fn realpath(path: &Path) -> Answer<Vec<u8>> {
    std::fs::canonicalize(path).map(bytes).map_err(errno)
}

/// `access(2)`: bits 4 read, 2 write, 1 execute.
pub fn access(path: &Path, wanted: u32) -> Answer<()> {
    rfs::access(path, rfs::Access::from_bits_retain(wanted))
}

pub fn chmod(path: &Path, mode: u32) -> Answer<()> {
    rfs::chmod(path, Mode::from_raw_mode(mode))
}

/// `None`: unchanged.
pub fn chown(path: &Path, uid: Option<u32>, gid: Option<u32>, follow: bool) -> Answer<()> {
    let change = if follow {
        std::os::unix::fs::chown
    } else {
        std::os::unix::fs::lchown
    };
    change(path, uid, gid).map_err(errno)
}

pub fn set_times(path: &Path, accessed: Time, modified: Time, follow: bool) -> Answer<()> {
    let flags = if follow {
        AtFlags::empty()
    } else {
        AtFlags::SYMLINK_NOFOLLOW
    };
    let spec = |t: Time| Timespec {
        tv_sec: t.seconds,
        tv_nsec: t.nanos as _,
    };
    let times = Timestamps {
        last_access: spec(accessed),
        last_modification: spec(modified),
    };
    rfs::utimensat(CWD, path, &times, flags)
}

pub fn set_file_times(file: &File, accessed: Time, modified: Time) -> Answer<()> {
    let spec = |t: Time| Timespec {
        tv_sec: t.seconds,
        tv_nsec: t.nanos as _,
    };
    let times = Timestamps {
        last_access: spec(accessed),
        last_modification: spec(modified),
    };
    rfs::futimens(file, &times)
}

pub fn fchmod(file: &File, mode: u32) -> Answer<()> {
    rfs::fchmod(file, Mode::from_raw_mode(mode))
}

/// Names in a directory, in the order in which the host gives them.
pub fn list(path: &Path) -> Answer<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path).map_err(errno)? {
        names.push(entry.map_err(errno)?.file_name().into_vec());
    }
    Ok(names)
}

/// Block size, and blocks in all, free, and available.
pub fn space(path: &Path) -> Answer<[u64; 4]> {
    let found = rfs::statvfs(path)?;
    Ok([
        found.f_frsize,
        found.f_blocks,
        found.f_bfree,
        found.f_bavail,
    ])
}

/// Longest file name in a directory's file system.
pub fn name_max(path: &Path) -> Answer<u64> {
    rfs::statvfs(path).map(|found| found.f_namemax)
}

/// The file behind an open one, opened once more for reading whatever its mode.
pub fn reopen(file: &File) -> Answer<File> {
    use std::os::fd::AsRawFd;
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    File::open(path).map_err(errno)
}

// ---- extended attributes ------------------------------------------------------------

pub fn list_attributes(file: &File, buffer: &mut [u8]) -> Answer<usize> {
    rfs::flistxattr(file, buffer)
}

pub fn get_attribute(file: &File, name: &[u8], buffer: &mut [u8]) -> Answer<usize> {
    rfs::fgetxattr(file, path(name), buffer)
}

pub fn set_attribute(file: &File, name: &[u8], value: &[u8]) -> Answer<()> {
    rfs::fsetxattr(file, path(name), value, rfs::XattrFlags::empty())
}

pub fn remove_attribute(file: &File, name: &[u8]) -> Answer<()> {
    rfs::fremovexattr(file, path(name))
}
