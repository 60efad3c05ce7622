//! The window, its hash chains, and the search in them.

use super::super::checksum::adler32;
use super::{
    Deflate, HASH_SHIFT, HASH_SIZE, Io, LEVELS, MASK, MAX_DISTANCE, MAX_MATCH, MIN_LOOKAHEAD,
    MIN_MATCH, WINDOW,
};

impl Deflate {
    pub(super) fn read(&mut self, io: &mut Io<'_>, at: usize, most: usize) -> usize {
        let count = io.available_in().min(most);
        let bytes = &io.input[io.used..io.used + count];
        self.window[at..at + count].copy_from_slice(bytes);
        if self.wrap {
            self.adler = adler32(self.adler, bytes);
        }
        io.used += count;
        count
    }

    pub(super) fn fill_window(&mut self, io: &mut Io<'_>) {
        loop {
            let mut room = 2 * WINDOW - self.lookahead - self.start;
            if self.start >= WINDOW + MAX_DISTANCE {
                self.window.copy_within(WINDOW..2 * WINDOW, 0);
                self.match_start = self.match_start.saturating_sub(WINDOW);
                self.start -= WINDOW;
                self.block_start -= WINDOW as i64;
                self.insert = self.insert.min(self.start);
                self.slide_hash();
                room += WINDOW;
            }
            if io.available_in() == 0 {
                return;
            }
            let at = self.start + self.lookahead;
            self.lookahead += self.read(io, at, room);
            if self.lookahead + self.insert >= MIN_MATCH {
                let mut at = self.start - self.insert;
                self.hash = self.window[at] as usize;
                self.update_hash(self.window[at + 1]);
                while self.insert > 0 {
                    self.insert_string(at);
                    at += 1;
                    self.insert -= 1;
                    if self.lookahead + self.insert < MIN_MATCH {
                        break;
                    }
                }
            }
            if self.lookahead >= MIN_LOOKAHEAD {
                return;
            }
        }
    }

    pub(super) fn slide_hash(&mut self) {
        for at in self.head.iter_mut().chain(&mut self.prev) {
            *at = at.saturating_sub(WINDOW as u16);
        }
    }

    #[inline]
    pub(super) fn update_hash(&mut self, byte: u8) {
        self.hash = (self.hash << HASH_SHIFT ^ byte as usize) & (HASH_SIZE - 1);
    }

    /// Enters the three bytes at `at`; answers where they were last.
    #[inline]
    pub(super) fn insert_string(&mut self, at: usize) -> usize {
        self.update_hash(self.window[at + MIN_MATCH - 1]);
        let before = self.head[self.hash];
        self.prev[at & MASK] = before;
        self.head[self.hash] = at as u16;
        before as usize
    }

    pub(super) fn longest_match(&mut self, mut candidate: usize) -> usize {
        let limits = &LEVELS[self.level];
        let mut chain = limits.chain;
        let mut best = self.prev_length;
        let nice = limits.nice.min(self.lookahead);
        let limit = self.start.saturating_sub(MAX_DISTANCE);
        if self.prev_length >= limits.good {
            chain >>= 2;
        }
        let window = &self.window[..];
        let scan = &window[self.start..self.start + MAX_MATCH];
        loop {
            let other = &window[candidate..candidate + MAX_MATCH];
            // After a change from lazy to fast matching `best` can be 0; the byte before
            // takes part then, as in zlib.
            if other[best] == scan[best]
                && window[candidate + best - 1] == window[self.start + best - 1]
                && other[0] == scan[0]
                && other[1] == scan[1]
            {
                let mut len = 2;
                while len < MAX_MATCH && scan[len] == other[len] {
                    len += 1;
                }
                if len > best {
                    self.match_start = candidate;
                    best = len;
                    if len >= nice {
                        break;
                    }
                }
            }
            candidate = self.prev[candidate & MASK] as usize;
            chain -= 1;
            if candidate <= limit || chain == 0 {
                break;
            }
        }
        best.min(self.lookahead)
    }
}
