//! Level 0: blocks of bytes as they are.

use super::super::checksum::adler32;
use super::{Deflate, Flush, Io, MAX_STORED, PENDING, Progress, WINDOW};

impl Deflate {
    /// Level 0: from input to output without a detour through the window where that is
    /// possible.
    pub(super) fn stored(&mut self, io: &mut Io<'_>, flush: Flush) -> Progress {
        let smallest = (PENDING - 5).min(WINDOW);
        let used_before = io.used;
        let mut last = false;
        while !last {
            let header = (self.trees.bit_count() as usize + 42) >> 3;
            if io.available_out() < header {
                break;
            }
            let room = io.available_out() - header;
            let mut left = (self.start as i64 - self.block_start) as usize;
            let all = left + io.available_in();
            let mut len = MAX_STORED.min(all).min(room);
            if len < smallest
                && (len == 0 && flush != Flush::Finish || flush == Flush::None || len != all)
            {
                break;
            }
            last = flush == Flush::Finish && len == all;
            self.trees.stored_header(len as u16, last);
            self.give(io);
            if left > 0 {
                left = left.min(len);
                let from = self.block_start as usize;
                io.output[io.produced..io.produced + left]
                    .copy_from_slice(&self.window[from..from + left]);
                io.produced += left;
                self.block_start += left as i64;
                len -= left;
            }
            if len > 0 {
                let bytes = &io.input[io.used..io.used + len];
                io.output[io.produced..io.produced + len].copy_from_slice(bytes);
                if self.wrap {
                    self.adler = adler32(self.adler, bytes);
                }
                io.used += len;
                io.produced += len;
            }
        }
        let used = io.used - used_before;
        if used > 0 {
            // The window follows, for a later change of the level.
            let recent = &io.input[..io.used];
            if used >= WINDOW {
                self.slides = 2;
                self.window[..WINDOW].copy_from_slice(&recent[recent.len() - WINDOW..]);
                self.start = WINDOW;
                self.insert = self.start;
            } else {
                if 2 * WINDOW - self.start <= used {
                    self.slide_stored();
                }
                self.window[self.start..self.start + used]
                    .copy_from_slice(&recent[recent.len() - used..]);
                self.start += used;
                self.insert += used.min(WINDOW - self.insert);
            }
            self.block_start = self.start as i64;
        }
        if last {
            return Progress::FinishDone;
        }
        let done = io.available_in() == 0 && self.start as i64 == self.block_start;
        if flush != Flush::None && flush != Flush::Finish && done {
            return Progress::BlockDone;
        }
        let mut room = 2 * WINDOW - self.start;
        if io.available_in() > room && self.block_start >= WINDOW as i64 {
            self.block_start -= WINDOW as i64;
            self.slide_stored();
            room += WINDOW;
        }
        let room = room.min(io.available_in());
        if room > 0 {
            let at = self.start;
            self.read(io, at, room);
            self.start += room;
            self.insert += room.min(WINDOW - self.insert);
        }
        let header = (self.trees.bit_count() as usize + 42) >> 3;
        let most = (PENDING - header).min(MAX_STORED);
        let smallest = most.min(WINDOW);
        let left = (self.start as i64 - self.block_start) as usize;
        let ends = (left > 0 || flush == Flush::Finish)
            && flush != Flush::None
            && io.available_in() == 0
            && left <= most;
        if left >= smallest || ends {
            let len = left.min(most);
            last = flush == Flush::Finish && io.available_in() == 0 && len == left;
            let from = self.block_start as usize;
            self.trees
                .stored_block(&self.window[from..from + len], last);
            self.block_start += len as i64;
            self.give(io);
        }
        if last {
            Progress::FinishStarted
        } else {
            Progress::NeedMore
        }
    }

    fn slide_stored(&mut self) {
        self.start -= WINDOW;
        self.window.copy_within(WINDOW..WINDOW + self.start, 0);
        if self.slides < 2 {
            self.slides += 1;
        }
        self.insert = self.insert.min(self.start);
    }
}
