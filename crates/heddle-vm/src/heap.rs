//! Objects in the arena: layout, allocation, and the log of what writes changed.
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
//!
//! **Marks.** A mark starts an epoch. The first write to an object in an epoch
//! copies the object to the log ([`Heap::barrier`]); of large arrays only the
//! lines (256 bytes) that are written, once an epoch each. Objects born in the epoch are never copied: their
//! header carries the epoch already, and a rewind takes the allocation top back.
//! (`facts`: a log of whole objects costs 3 ns a write and 82 ns a rewind, a
//! tenth of any page-based scheme.)

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

/// A position in the logs, kept by a mark.
#[derive(Clone, Copy, Debug)]
pub struct LogPosition {
    log: usize,
    chunk_log: usize,
}

/// Trailer of an entry: index of the first word in bits 0–31, number of words in bits
/// 32–62, and this bit if the words do not start with an object's header.
const NO_HEADER: u64 = 1 << 63;

/// Bytes in a line of a large array.
const LINE_SHIFT: u32 = 8;
const LINE: u64 = 1 << LINE_SHIFT;

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
        self.get_ref(array, ELEMENTS + index as u64 * 4)
    }

    #[inline(always)]
    pub fn set_element(&mut self, array: Ref, index: u32, value: Ref) {
        self.put_ref(array, ELEMENTS + index as u64 * 4, value);
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
            self.arena.bytes_mut(at + 16, size as usize - 16).fill(0);
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

    // ---- marks ------------------------------------------------------------------

    /// Must come before every write to `obj`: saves what the write destroys if the
    /// object is older than the newest mark. `offset` is the byte that will change.
    #[inline(always)]
    pub fn barrier(&mut self, obj: Ref, offset: u64) {
        if self.arena.read::<u32>(obj.at() + EPOCH) < self.mark_epoch {
            self.log_object(obj, offset, 1);
        }
    }

    /// [`Heap::barrier`] for `len` bytes from `offset`.
    #[inline(always)]
    pub fn barrier_range(&mut self, obj: Ref, offset: u64, len: u64) {
        if self.arena.read::<u32>(obj.at() + EPOCH) < self.mark_epoch {
            self.log_object(obj, offset, len);
        }
    }

    /// Logs one word at a raw byte address, whatever object it is in.
    pub fn log_word(&mut self, at: u64) {
        let old: u64 = self.arena.read(at & !7);
        self.log.extend([old, NO_HEADER | 1 << 32 | at >> 3]);
    }

    /// Must come before raw memory changes that may lie in any object or block.
    pub fn barrier_raw(&mut self, at: u64, len: u64) {
        if self.marked() {
            let end = at + len;
            let mut word = at & !7;
            while word < end {
                self.log_word(word);
                word += 8;
            }
        }
    }

    /// Writes raw memory, logged.
    pub fn write_raw(&mut self, at: u64, bytes: &[u8]) {
        self.barrier_raw(at, bytes.len() as u64);
        self.arena.bytes_mut(at, bytes.len()).copy_from_slice(bytes);
    }

    /// Whether there is a live mark, so that raw writes must be logged.
    #[inline(always)]
    pub fn marked(&self) -> bool {
        self.mark_epoch != 0
    }

    #[cold]
    #[inline(never)]
    pub fn log_object(&mut self, obj: Ref, offset: u64, len: u64) {
        let size = self.size_of(obj);
        if size >= LARGE {
            // The object itself stays old, so that its other lines are still logged.
            return match offset {
                ELEMENTS.. => self.log_lines(obj, size, offset, len),
                LOCK.. => self.log_word(obj.at() + offset),
                _ => {
                    let header: u64 = self.arena.read(obj.at());
                    self.log.extend([header, obj.0 as u64 | 1 << 32]);
                }
            };
        }
        let shared = self.arena.read::<u32>(obj.at() + EPOCH) & SHARED;
        let words = size / 8;
        for i in 0..words {
            self.log.push(self.arena.read(obj.at() + i * 8));
        }
        self.log.push(obj.0 as u64 | words << 32);
        self.arena.write(obj.at() + EPOCH, self.epoch | shared);
    }

    /// Whether the line of a large array with `bytes` of elements that holds the byte at
    /// `offset` was logged in this epoch. “No” is always safe: the rest at the end of an
    /// array, which belongs to its last full line, is left to `log_lines`.
    #[inline(always)]
    pub fn line_logged(&self, array: Ref, bytes: u64, offset: u64) -> bool {
        let line = (offset - ELEMENTS) >> LINE_SHIFT;
        let start = array.at() + ELEMENTS + (line << LINE_SHIFT);
        let logged = self.lines.get((start >> LINE_SHIFT) as usize);
        bytes >= LARGE
            && line < bytes >> LINE_SHIFT
            && logged.is_some_and(|epoch| *epoch >= self.mark_epoch)
    }

    /// Logs the lines of a large object that `len` bytes from `offset` on touch.
    fn log_lines(&mut self, obj: Ref, size: u64, offset: u64, len: u64) {
        if self.lines.is_empty() {
            // Untouched pages of it cost nothing.
            self.lines = vec![0; (SIZE >> LINE_SHIFT) as usize];
        }
        // What is left at the end belongs to the last full line: so no two lines, of
        // whatever objects, start within LINE bytes of each other.
        let last = ((size - ELEMENTS) >> LINE_SHIFT) - 1;
        let line_of = |offset: u64| ((offset - ELEMENTS) >> LINE_SHIFT).min(last);
        for line in line_of(offset)..=line_of(offset + len.max(1) - 1) {
            let start = obj.at() + ELEMENTS + line * LINE;
            let logged = &mut self.lines[(start >> LINE_SHIFT) as usize];
            if *logged >= self.mark_epoch {
                continue;
            }
            *logged = self.epoch;
            let end = if line == last {
                obj.at() + size
            } else {
                start + LINE
            };
            let words = (end - start) / 8;
            let saved = (0..words).map(|i| self.arena.read::<u64>(start + i * 8));
            self.log.extend(saved);
            self.log.push(NO_HEADER | words << 32 | start >> 3);
        }
    }

    /// Where the logs stand now; a mark keeps it.
    pub fn position(&self) -> LogPosition {
        LogPosition {
            log: self.log.len(),
            chunk_log: self.chunk_log.len(),
        }
    }

    /// Words in the log.
    pub fn logged_words(&self) -> usize {
        self.log.len()
    }

    /// Undoes all writes since `to`.
    pub fn undo(&mut self, to: LogPosition) {
        let mut at = self.log.len();
        while at > to.log {
            let trailer = self.log[at - 1];
            let words = ((trailer & !NO_HEADER) >> 32) as usize;
            let first = (trailer as u32 as u64) << 3;
            let saved = at - 1 - words;
            for i in 0..words {
                let old = self.log[saved + i];
                self.arena.write(first + i as u64 * 8, old);
            }
            at = saved;
        }
        self.log.truncate(to.log);
        self.new_mirrors.clear();
        while self.chunk_log.len() > to.chunk_log {
            let chunk = self
                .chunk_log
                .pop()
                .expect("heddle internal error: chunk log");
            self.chunks[chunk as usize] = ChunkUse::Free;
            self.chunk_used -= 1;
        }
    }

    /// Starts an epoch, after a mark or a rewind.
    pub fn next_epoch(&mut self) {
        self.epoch += 2;
        self.mark_epoch = self.epoch;
    }

    /// Whether the numbers for epochs are used up: [`Heap::renumber_epochs`] has to come
    /// before the next one.
    pub fn epochs_used_up(&self) -> bool {
        self.epoch >= u32::MAX - 2
    }

    /// No mark is live any more: writes are not logged until the next one.
    pub fn end_marks(&mut self) {
        self.mark_epoch = 0;
        self.log.clear();
        self.chunk_log.clear();
    }

    /// All objects count as old: once in two thousand million marks. The copies in the
    /// log too, or a rewind would bring back epochs that have not come yet. `regions` are
    /// those of the live threads.
    pub fn renumber_epochs(&mut self, regions: &[Region]) {
        for at in self.object_addresses(regions) {
            let shared = self.arena.read::<u32>(at + EPOCH) & SHARED;
            self.arena.write(at + EPOCH, shared);
        }
        let mut at = self.log.len();
        while at > 0 {
            let trailer = self.log[at - 1];
            at -= ((trailer & !NO_HEADER) >> 32) as usize + 1;
            if trailer & NO_HEADER == 0 {
                self.log[at] &= u32::MAX as u64 | (SHARED as u64) << 32;
            }
        }
        self.lines = Vec::new();
        self.epoch = 0;
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
