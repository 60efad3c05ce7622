//! Objects in the arena: layout and allocation. `heap/log.rs` is the way back of writes.
//!
//! **Layout.** Every object starts with a 16-byte header of four 32-bit words:
//! class id, epoch, lock, length. `length` is the array length; plain objects
//! use it for their first field; a class mirror keeps the id of its class there.
//! Array elements start at byte 16.
//!
//! **Regions.** Each thread allocates from chunks of its own, found by hashing
//! its spawn path, so the address of an object depends on what its thread did
//! before and not on the interleaving (two threads whose hashes collide are the
//! exception: they stay correct and lose only that property). The initial
//! thread takes chunks in order. Chunks are filled from the front without gaps,
//! so every object can be walked.

pub mod log;
pub mod sum;

use crate::arena::{Arena, SIZE, Word};

/// A reference: index of an 8-byte word in the arena; 0 is null.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct Ref(pub u32);

impl Ref {
    pub const NULL: Ref = Ref(0);

    #[inline(always)]
    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    /// Byte address of the object.
    #[inline(always)]
    pub fn at(self) -> u64 {
        (self.0 as u64) << 3
    }
}

/// Number of a class; permanent, never reused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct ClassId(pub u32);

/// Byte offsets in the header.
pub const CLASS: u64 = 0;
pub const EPOCH: u64 = 4;
pub const LOCK: u64 = 8;
pub const LENGTH: u64 = 12;
/// Lowest bit of the epoch word: the object is shared. Epochs are even, so comparisons
/// of epochs need not mask it.
pub const SHARED: u32 = 1;
/// Where array elements start.
pub const ELEMENTS: u64 = 16;
/// Where the first field of a plain object may be.
pub const FIRST_FIELD: u32 = 12;

const CHUNK_SHIFT: u32 = 18;
/// Bytes in a chunk of a thread's region.
pub const CHUNK: u64 = 1 << CHUNK_SHIFT;
/// The range of class mirrors: not part of any region, never taken back.
const MIRRORS: u64 = 1 << 16;
const MIRRORS_END: u64 = 1 << 30;
/// First byte behind the mirrors.
pub const MIRRORS_LIMIT: u64 = MIRRORS_END;
/// Host files mapped for Java to read.
pub const FILE_MAPS: u64 = SIZE - (4 << 30);
/// Arrays of at least this many bytes are logged word by word.
const LARGE: u64 = 512;

/// How to tell the size of an object from its class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A plain object of so many bytes.
    Object(u32),
    /// An array whose elements take `1 << shift` bytes.
    Array(u8),
    /// A class mirror: the size is that of the class named in its length word.
    Mirror,
}

/// Below this chunk is what the initial thread makes before the program begins.
const PROGRAM_CHUNK: u32 = 4096;

/// Where a thread allocates next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Region {
    /// Next free byte and end of the current chunk.
    pub top: u64,
    pub end: u64,
    /// Hash of the owner's spawn path; 0 for the initial thread.
    pub seed: u64,
    /// Chunks taken so far.
    pub taken: u32,
}

/// No memory left below the limit.
#[derive(Debug)]
pub struct OutOfMemory;

#[derive(Clone, Copy, PartialEq, Eq)]
enum ChunkUse {
    Free,
    /// Objects from the start up to this byte; while it is some thread's current
    /// chunk, the thread's region knows better.
    Objects(u64),
    /// Inside a run of chunks that belongs to one large object.
    Tail,
}

/// The heap.
pub struct Heap {
    pub arena: Arena,
    /// Objects with a smaller epoch are logged before a write; 0 without marks.
    pub mark_epoch: u32,
    /// Stamped into new objects.
    pub epoch: u32,
    /// Whether somebody wants to know which objects are shared.
    pub tracking: bool,
    shapes: Vec<Shape>,
    /// Sizes of mirrors by class id, in bytes.
    mirror_sizes: Vec<u32>,
    mirrors_top: u64,
    chunks: Vec<ChunkUse>,
    chunk_used: u64,
    chunk_limit: u64,
    maps_top: u64,
    /// Host files mapped so far: path, address, length.
    maps: Vec<(std::path::PathBuf, u64, u64)>,
    reserves_granted: u32,
    /// Saved words, each entry followed by a trailer; see `NO_HEADER`.
    log: Vec<u64>,
    /// Epoch in which a line of a large array was logged last, by the address of its
    /// first byte; empty until the first is.
    lines: Vec<u32>,
    /// Chunks taken since the first mark, for the rewind.
    chunk_log: Vec<u32>,
    /// Mirrors made since memory was summed up last; see `sum.rs`.
    new_mirrors: Vec<Ref>,
}

impl Heap {
    /// A heap that hands out at most `limit` bytes.
    pub fn new(limit: u64) -> std::io::Result<Heap> {
        let count = (FILE_MAPS - MIRRORS_END) >> CHUNK_SHIFT;
        Ok(Heap {
            arena: Arena::reserve()?,
            mark_epoch: 0,
            epoch: 0,
            tracking: false,
            shapes: vec![Shape::Object(16)],
            mirror_sizes: vec![0],
            mirrors_top: MIRRORS,
            chunks: vec![ChunkUse::Free; count as usize],
            chunk_used: 0,
            chunk_limit: (limit >> CHUNK_SHIFT).clamp(8, count),
            maps_top: FILE_MAPS,
            maps: Vec::new(),
            reserves_granted: 0,
            log: Vec::new(),
            lines: Vec::new(),
            chunk_log: Vec::new(),
            new_mirrors: Vec::new(),
        })
    }

    /// Registers the shape of the next class; ids are dense and start at 1.
    pub fn add_shape(&mut self, shape: Shape, mirror_size: u32) -> ClassId {
        self.shapes.push(shape);
        self.mirror_sizes.push(mirror_size);
        ClassId(self.shapes.len() as u32 - 1)
    }

    /// Bytes handed out, and the most that may be.
    pub fn used(&self) -> u64 {
        self.chunk_used << CHUNK_SHIFT
    }
    /// Bytes of class objects, which hold the statics.
    pub fn mirror_bytes(&self) -> u64 {
        self.mirrors_top - MIRRORS
    }
    /// Bytes that were handed out to the owner of a region.
    pub fn handed_to(&self, region: &Region) -> u64 {
        let chunks = match region.seed {
            // The initial thread has left out those that were meant for what comes before `main`.
            0 if region.taken >= PROGRAM_CHUNK => region.taken - PROGRAM_CHUNK,
            _ => region.taken,
        };
        (u64::from(chunks) << CHUNK_SHIFT).saturating_sub(region.end - region.top)
    }
    pub fn limit(&self) -> u64 {
        self.chunk_limit << CHUNK_SHIFT
    }

    /// Raises the limit a little, so that an OutOfMemoryError can be made and handled.
    pub fn grant_reserve(&mut self) {
        if self.reserves_granted < 64 {
            self.reserves_granted += 1;
            self.chunk_limit += 2;
        }
    }

    // ---- headers and fields -------------------------------------------------

    #[inline(always)]
    pub fn class_of(&self, obj: Ref) -> ClassId {
        ClassId(self.arena.read(obj.at() + CLASS))
    }

    #[inline(always)]
    pub fn lock_word(&self, obj: Ref) -> u32 {
        self.arena.read(obj.at() + LOCK)
    }

    #[inline(always)]
    pub fn set_lock_word(&mut self, obj: Ref, value: u32) {
        self.barrier(obj, LOCK);
        self.arena.write(obj.at() + LOCK, value);
    }

    /// Length of an array (or id of the class of a mirror).
    #[inline(always)]
    pub fn length(&self, array: Ref) -> u32 {
        self.arena.read(array.at() + LENGTH)
    }

    /// Reads a field or element at a byte offset from the start of the object.
    #[inline(always)]
    pub fn get<T: Word>(&self, obj: Ref, offset: u64) -> T {
        self.arena.read(obj.at() + offset)
    }

    /// Writes a field or element, logged.
    #[inline(always)]
    pub fn put<T: Word>(&mut self, obj: Ref, offset: u64, value: T) {
        self.barrier(obj, offset);
        self.arena.write(obj.at() + offset, value);
    }

    #[inline(always)]
    pub fn get_ref(&self, obj: Ref, offset: u64) -> Ref {
        Ref(self.get(obj, offset))
    }

    #[inline(always)]
    pub fn put_ref(&mut self, obj: Ref, offset: u64, value: Ref) {
        self.put(obj, offset, value.0);
    }

    /// Element of a reference array.
    #[inline(always)]
    pub fn element(&self, array: Ref, index: u32) -> Ref {
        self.get_ref(array, self.element_offset(index))
    }

    #[inline(always)]
    pub fn set_element(&mut self, array: Ref, index: u32, value: Ref) {
        self.put_ref(array, self.element_offset(index), value);
    }

    /// Where an element of a reference array is.
    #[inline(always)]
    pub fn element_offset(&self, index: u32) -> u64 {
        ELEMENTS + u64::from(index) * 4
    }

    /// The bytes of a primitive array's elements.
    pub fn array_bytes(&self, array: Ref) -> &[u8] {
        let len = self.size_of(array) as usize;
        let count = self.element_bytes(array);
        debug_assert!(count <= len);
        self.arena.bytes(array.at() + ELEMENTS, count)
    }

    /// Bytes of elements that an array holds (length times element size).
    pub fn element_bytes(&self, array: Ref) -> usize {
        match self.shapes[self.class_of(array).0 as usize] {
            Shape::Array(shift) => (self.length(array) as usize) << shift,
            _ => 0,
        }
    }

    /// Overwrites part of an array's elements with bytes, logged.
    pub fn write_bytes(&mut self, array: Ref, offset: u64, bytes: &[u8]) {
        self.barrier_range(array, offset, bytes.len() as u64);
        self.arena
            .bytes_mut(array.at() + offset, bytes.len())
            .copy_from_slice(bytes);
    }

    /// Copies bytes between objects (or within one), logged.
    pub fn copy_bytes(&mut self, from: Ref, from_at: u64, to: Ref, to_at: u64, len: u64) {
        self.barrier_range(to, to_at, len);
        self.arena
            .copy(from.at() + from_at, to.at() + to_at, len as usize);
    }

    /// Bytes that an object takes, header included, a multiple of 8.
    pub fn size_of(&self, obj: Ref) -> u64 {
        let size = match self.shapes[self.class_of(obj).0 as usize] {
            Shape::Object(size) => size as u64,
            Shape::Array(shift) => ELEMENTS + ((self.length(obj) as u64) << shift),
            Shape::Mirror => self.mirror_sizes[self.length(obj) as usize] as u64,
        };
        (size + 7) & !7
    }

    // ---- allocation -----------------------------------------------------------

    /// Allocates a zeroed object of `size` bytes (a multiple of 8) for the thread
    /// that owns `region`.
    #[inline(always)]
    pub fn allocate(
        &mut self,
        region: &mut Region,
        class: ClassId,
        size: u64,
        length: u32,
    ) -> Result<Ref, OutOfMemory> {
        let at = region.top;
        if at + size > region.end {
            return self.allocate_slow(region, class, size, length);
        }
        region.top = at + size;
        self.init(at, class, size, length);
        Ok(Ref((at >> 3) as u32))
    }

    #[cold]
    fn allocate_slow(
        &mut self,
        region: &mut Region,
        class: ClassId,
        size: u64,
        length: u32,
    ) -> Result<Ref, OutOfMemory> {
        let at = if size > CHUNK / 4 {
            let count = size.div_ceil(CHUNK);
            let first = self.take_chunks(region, count)?;
            self.chunks[first as usize] = ChunkUse::Objects(self.chunk_at(first) + size);
            for tail in 1..count as u32 {
                self.chunks[(first + tail) as usize] = ChunkUse::Tail;
            }
            self.chunk_at(first)
        } else {
            let chunk = self.take_chunks(region, 1)?;
            self.close_region(region);
            self.chunks[chunk as usize] = ChunkUse::Objects(0);
            region.top = self.chunk_at(chunk);
            region.end = region.top + CHUNK;
            let at = region.top;
            region.top += size;
            at
        };
        self.init(at, class, size, length);
        Ok(Ref((at >> 3) as u32))
    }

    /// The region of the initial thread from the beginning of the program on: at addresses
    /// that do not depend on what came before (the environment, the class path), so that
    /// identity hash codes are the same on every machine.
    pub fn program_region(&mut self, before: &Region) -> Region {
        self.close_region(before);
        Region {
            taken: PROGRAM_CHUNK,
            ..Region::default()
        }
    }

    /// Whether the initial thread made an object before the program began.
    pub fn before_program(&self, obj: Ref) -> bool {
        obj.at() < self.chunk_at(PROGRAM_CHUNK)
    }

    /// The owner of a region died: its current chunk stays as it is.
    pub fn close_region(&mut self, region: &Region) {
        if region.end != 0 {
            let last = ((region.end - 1 - MIRRORS_END) >> CHUNK_SHIFT) as usize;
            self.chunks[last] = ChunkUse::Objects(region.top);
        }
    }

    /// Allocates a mirror in the range that is never taken back. `class` is the id
    /// of java.lang.Class, `of` the class it stands for.
    pub fn allocate_mirror(&mut self, class: ClassId, of: ClassId) -> Ref {
        let size = (self.mirror_sizes[of.0 as usize] as u64 + 7) & !7;
        let at = self.mirrors_top;
        assert!(
            at + size <= MIRRORS_END,
            "heddle internal error: too many classes"
        );
        self.mirrors_top += size;
        self.init(at, class, size, of.0);
        let mirror = Ref((at >> 3) as u32);
        if self.marked() {
            self.new_mirrors.push(mirror);
        }
        mirror
    }

    /// Makes an existing mirror (of a class that a rewind unloaded) new again.
    pub fn reset_mirror(&mut self, mirror: Ref, class: ClassId, of: ClassId) {
        let size = (self.mirror_sizes[of.0 as usize] as u64 + 7) & !7;
        self.init(mirror.at(), class, size, of.0);
        if self.marked() {
            self.new_mirrors.push(mirror);
        }
    }

    /// Sets the size of mirrors of `of`, before its mirror is allocated.
    pub fn set_mirror_size(&mut self, of: ClassId, size: u32) {
        self.mirror_sizes[of.0 as usize] = size;
    }

    /// Maps a host file read-only for Java to read at the address returned; the same
    /// file is mapped once.
    pub fn map_file(&mut self, file: &std::path::Path) -> std::io::Result<(u64, u64)> {
        if let Some((_, at, len)) = self.maps.iter().find(|(path, _, _)| path == file) {
            return Ok((*at, *len));
        }
        let at = self.maps_top;
        let len = self.arena.map_file(at, file)?;
        self.maps_top += (len + 0xffff) & !0xffff;
        self.maps.push((file.to_path_buf(), at, len));
        Ok((at, len))
    }

    #[inline(always)]
    fn init(&mut self, at: u64, class: ClassId, size: u64, length: u32) {
        // Memory above a region's top may be dirty after a rewind.
        if size <= 64 {
            let mut word = 16;
            while word < size {
                self.arena.write(at + word, 0u64);
                word += 8;
            }
        } else {
            self.arena.zero(at + 16, size as usize - 16);
        }
        self.arena
            .write(at, class.0 as u64 | (self.epoch as u64) << 32);
        self.arena.write(at + 8, (length as u64) << 32);
    }

    fn chunk_at(&self, chunk: u32) -> u64 {
        MIRRORS_END + ((chunk as u64) << CHUNK_SHIFT)
    }

    /// Takes `count` neighbouring free chunks, the first as near as possible to
    /// where the thread's hash points.
    fn take_chunks(&mut self, region: &mut Region, count: u64) -> Result<u32, OutOfMemory> {
        if self.chunk_used + count > self.chunk_limit {
            return Err(OutOfMemory);
        }
        let total = self.chunks.len();
        let program = PROGRAM_CHUNK as usize;
        let (lowest, mut first) = match region.seed {
            0 if region.taken < PROGRAM_CHUNK => (0, region.taken as usize),
            0 => (
                program,
                program + (region.taken - PROGRAM_CHUNK) as usize % (total - program),
            ),
            seed => {
                let hash = mix(seed ^ region.taken as u64);
                (
                    program,
                    program + (hash % (total - program) as u64) as usize,
                )
            }
        };
        let mut tried = 0;
        'search: loop {
            if tried > 2 * total {
                return Err(OutOfMemory);
            }
            if first + count as usize > total {
                tried += total - first;
                first = lowest;
            }
            for i in 0..count as usize {
                if self.chunks[first + i] != ChunkUse::Free {
                    tried += i + 1;
                    first += i + 1;
                    continue 'search;
                }
            }
            break;
        }
        region.taken += count as u32;
        self.chunk_used += count;
        if self.mark_epoch != 0 {
            for i in 0..count as u32 {
                self.chunk_log.push(first as u32 + i);
            }
        }
        Ok(first as u32)
    }

    // ---- sharing ----------------------------------------------------------------------

    /// Whether another thread may reach the object; see `sharing.rs`.
    #[inline(always)]
    pub fn is_shared(&self, obj: Ref) -> bool {
        self.arena.read::<u32>(obj.at() + EPOCH) & SHARED != 0
    }

    /// Marks an object as shared; what it refers to is the caller's business.
    pub fn set_shared(&mut self, obj: Ref) {
        self.barrier(obj, EPOCH);
        let old: u32 = self.arena.read(obj.at() + EPOCH);
        self.arena.write(obj.at() + EPOCH, old | SHARED);
    }

    // ---- walking --------------------------------------------------------------------

    /// Byte addresses of all objects; `regions` are those of the live threads, whose
    /// current chunks are only filled up to their tops.
    pub fn object_addresses(&self, regions: &[Region]) -> Vec<u64> {
        let mut found = Vec::new();
        let mut walk = |mut at: u64, end: u64| {
            while at < end {
                found.push(at);
                at += self.size_of(Ref((at >> 3) as u32));
            }
        };
        walk(MIRRORS, self.mirrors_top);
        for (i, chunk) in self.chunks.iter().enumerate() {
            if let ChunkUse::Objects(end) = *chunk {
                let start = self.chunk_at(i as u32);
                let open = regions.iter().find(|r| r.end == start + CHUNK);
                walk(start, open.map_or(end, |r| r.top));
            }
        }
        found
    }
}

/// A 64-bit mixer (the finalizer of splitmix64).
pub fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
