//! The log of what writes changed, and the way back.
//!
//! A mark starts an epoch. The first write to an object in an epoch
//! copies the object to the log ([`Heap::barrier`]); of large arrays only the
//! lines (256 bytes) that are written, once an epoch each. Objects born in the epoch are never copied: their
//! header carries the epoch already, and a rewind takes the allocation top back.
//! (`facts`: a log of whole objects costs 3 ns a write and 82 ns a rewind, a
//! tenth of any page-based scheme.)

use super::{ChunkUse, ELEMENTS, EPOCH, Heap, LARGE, LOCK, Ref, Region, SHARED};
use crate::arena::SIZE;

/// A position in the logs, kept by a mark.
#[derive(Clone, Copy, Debug)]
pub struct LogPosition {
    log: usize,
    chunk_log: usize,
}

/// Trailer of an entry: index of the first word in bits 0–31, number of words in bits
/// 32–62, and this bit if the words do not start with an object's header.
pub const NO_HEADER: u64 = 1 << 63;

/// Bytes in a line of a large array.
const LINE_SHIFT: u32 = 8;
const LINE: u64 = 1 << LINE_SHIFT;

impl Heap {
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
        self.log_words(obj.at(), words);
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
            self.log_words(start, words);
            self.log.push(NO_HEADER | words << 32 | start >> 3);
        }
    }

    /// Copies words to the log, all at once: they are what a mark costs.
    #[inline]
    fn log_words(&mut self, at: u64, words: u64) {
        let old = self.arena.words(at, words as usize);
        self.log.extend_from_slice(old);
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
            let now = self.arena.words_mut(first, words);
            now.copy_from_slice(&self.log[saved..at - 1]);
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
}
