//! One reserved address range that holds all guest memory.
//!
//! A reference is the index of an 8-byte word in this range, so 32 bits reach
//! 32 GiB and a field is one addressing mode away (`base + ref * 8 + offset`).
//! `Unsafe` addresses are byte offsets into the same range, so
//! `Unsafe.getInt(object, offset)` and `Unsafe.getInt(null, address)` are the
//! same access. The range is reserved, not committed: pages cost memory when
//! they are touched first.
//!
//! This is one of the two places with unsafe code. Its contract: every access
//! is below `SIZE`, which the callers guarantee by only using references that
//! the allocator handed out and offsets from class layouts; raw addresses that
//! come from Java are checked with [`Arena::check`]. The feature `checked`
//! asserts it on every access.

use std::ffi::CString;
use std::path::Path;

/// Bytes in the range: what 32-bit word indexes can address.
pub const SIZE: u64 = 32 << 30;

/// The reserved range.
pub struct Arena {
    base: *mut u8,
}

/// A value that can be read from and written to the arena.
pub trait Word: Copy {}
impl Word for u8 {}
impl Word for i8 {}
impl Word for u16 {}
impl Word for i16 {}
impl Word for u32 {}
impl Word for i32 {}
impl Word for u64 {}
impl Word for i64 {}
impl Word for f32 {}
impl Word for f64 {}

impl Arena {
    /// Reserves the range.
    pub fn reserve() -> std::io::Result<Arena> {
        // SAFETY: an anonymous private mapping at an address of the kernel's choice.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                SIZE as usize,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        Ok(Arena { base: base.cast() })
    }

    /// The host address of byte 0; for the interpreter, which keeps it in a register.
    #[inline(always)]
    pub fn base(&self) -> *mut u8 {
        self.base
    }

    /// Reads a value at a byte address.
    #[inline(always)]
    pub fn read<T: Word>(&self, at: u64) -> T {
        self.assert(at, size_of::<T>());
        // SAFETY: see the module's contract; unaligned because Unsafe allows it.
        unsafe { self.base.add(at as usize).cast::<T>().read_unaligned() }
    }

    /// Writes a value at a byte address.
    #[inline(always)]
    pub fn write<T: Word>(&mut self, at: u64, value: T) {
        self.assert(at, size_of::<T>());
        // SAFETY: see the module's contract.
        unsafe {
            self.base
                .add(at as usize)
                .cast::<T>()
                .write_unaligned(value)
        }
    }

    /// The bytes of a range. The borrow ends before the next write.
    pub fn bytes(&self, at: u64, len: usize) -> &[u8] {
        self.assert(at, len);
        // SAFETY: in range; the arena is borrowed for as long as the slice lives.
        unsafe { std::slice::from_raw_parts(self.base.add(at as usize), len) }
    }

    /// The bytes of a range, to be written.
    pub fn bytes_mut(&mut self, at: u64, len: usize) -> &mut [u8] {
        self.assert(at, len);
        // SAFETY: in range; the arena is borrowed mutably for as long as the slice lives.
        unsafe { std::slice::from_raw_parts_mut(self.base.add(at as usize), len) }
    }

    /// The words of a range, which begins at one.
    pub fn words(&self, at: u64, count: usize) -> &[u64] {
        self.assert(at, count * 8);
        debug_assert_eq!(at % 8, 0, "words are aligned");
        // SAFETY: in range, and aligned like the base; the arena is borrowed for as long as the
        // slice lives.
        unsafe { std::slice::from_raw_parts(self.base.add(at as usize).cast(), count) }
    }

    /// The words of a range, to be written.
    pub fn words_mut(&mut self, at: u64, count: usize) -> &mut [u64] {
        self.assert(at, count * 8);
        debug_assert_eq!(at % 8, 0, "words are aligned");
        // SAFETY: as above; the arena is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.base.add(at as usize).cast(), count) }
    }

    /// Makes a range zero. What is large is given back to the host instead, which costs nothing
    /// where it was never used, and comes as zeros when it is touched.
    pub fn zero(&mut self, at: u64, len: usize) {
        const PAGE: u64 = 4096;
        const LARGE: usize = 1 << 20;
        let (from, to) = (at.next_multiple_of(PAGE), (at + len as u64) / PAGE * PAGE);
        if len < LARGE || !self.give_back(from, (to - from) as usize) {
            return self.bytes_mut(at, len).fill(0);
        }
        self.bytes_mut(at, (from - at) as usize).fill(0);
        self.bytes_mut(to, (at + len as u64 - to) as usize).fill(0);
    }

    /// Gives whole pages back; whether the host took them.
    fn give_back(&mut self, at: u64, len: usize) -> bool {
        self.assert(at, len);
        // SAFETY: in range, and nothing but the arena's own anonymous memory is there.
        unsafe { libc::madvise(self.base.add(at as usize).cast(), len, libc::MADV_DONTNEED) == 0 }
    }

    /// Copies bytes inside the arena; the ranges may overlap.
    pub fn copy(&mut self, from: u64, to: u64, len: usize) {
        self.assert(from, len);
        self.assert(to, len);
        // SAFETY: both ranges are in the arena.
        unsafe {
            std::ptr::copy(
                self.base.add(from as usize),
                self.base.add(to as usize),
                len,
            )
        }
    }

    /// Whether a raw address from Java, with `len` bytes after it, may be used:
    /// inside the range and not in the first page, which stays unused so that
    /// small integers are never mistaken for addresses.
    pub fn check(&self, at: u64, len: u64) -> bool {
        at >= 4096 && at.checked_add(len).is_some_and(|end| end <= SIZE)
    }

    /// Maps a host file read-only at byte address `at`, which must be page-aligned
    /// and unused; returns its length.
    pub fn map_file(&mut self, at: u64, file: &Path) -> std::io::Result<u64> {
        use std::os::unix::ffi::OsStrExt;
        let name = CString::new(file.as_os_str().as_bytes())?;
        // SAFETY: plain system calls; MAP_FIXED replaces part of our own mapping only,
        // because `at + len` is checked against the range first.
        unsafe {
            let fd = libc::open(name.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
            if fd < 0 {
                return Err(std::io::Error::last_os_error());
            }
            let mut stat: libc::stat = std::mem::zeroed();
            let failed = libc::fstat(fd, &mut stat) != 0;
            let len = stat.st_size as u64;
            if failed || at + len > SIZE {
                let error = std::io::Error::last_os_error();
                libc::close(fd);
                return Err(error);
            }
            let map = libc::mmap(
                self.base.add(at as usize).cast(),
                len as usize,
                libc::PROT_READ,
                libc::MAP_PRIVATE | libc::MAP_FIXED,
                fd,
                0,
            );
            libc::close(fd);
            if map == libc::MAP_FAILED {
                return Err(std::io::Error::last_os_error());
            }
            Ok(len)
        }
    }

    #[inline(always)]
    fn assert(&self, at: u64, len: usize) {
        if cfg!(feature = "checked") {
            assert!(
                at >= 4096 && at + len as u64 <= SIZE,
                "heddle internal error: arena access at {at:#x}+{len}"
            );
        }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: the mapping made in `reserve`.
        unsafe {
            libc::munmap(self.base.cast(), SIZE as usize);
        }
    }
}
