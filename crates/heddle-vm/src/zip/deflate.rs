//! The compressor: RFC 1951 (and RFC 1950 around it), with zlib's choices.
//!
//! What decides the bytes: a window of 32 KiB that slides when less than a match
//! and a bit is left of it, hash chains over three bytes in 15 bits, lazy
//! matching with a table of limits per level, a block of 16383 symbols, and when
//! a call has to stop because the output is full. Memory level and window size
//! are the ones that Java uses (8 and 15); the strategies are Java's three.

mod stored;
mod window;

use super::checksum::adler32;
use super::trees::Trees;

const WINDOW: usize = 1 << 15;
const MASK: usize = WINDOW - 1;
const HASH_SIZE: usize = 1 << 15;
const HASH_SHIFT: u32 = 5;
const MIN_MATCH: usize = 3;
const MAX_MATCH: usize = 258;
const MIN_LOOKAHEAD: usize = MAX_MATCH + MIN_MATCH + 1;
const MAX_DISTANCE: usize = WINDOW - MIN_LOOKAHEAD;
/// Matches of three bytes that are farther away are not worth it.
const TOO_FAR: usize = 4096;
const PENDING: usize = 1 << 16;
const MAX_STORED: usize = 65535;

/// How much of what was given must come out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flush {
    None,
    Sync,
    Full,
    Finish,
    /// The end of a block without alignment: before parameters change.
    Block,
}

impl Flush {
    fn rank(self) -> i32 {
        match self {
            Flush::None => 0,
            Flush::Block => 1,
            Flush::Sync => 4,
            Flush::Full => 6,
            Flush::Finish => 8,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    Default,
    Filtered,
    HuffmanOnly,
}

/// How a call ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Ok,
    /// All is written.
    End,
    /// Nothing could be done.
    BufferError,
    StreamError,
}

/// Bytes taken and given by a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub status: Status,
    pub used: usize,
    pub produced: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Start,
    Busy,
    Finish,
}

/// What a block function did.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    NeedMore,
    BlockDone,
    FinishStarted,
    FinishDone,
}

/// The flush of the last call, as far as the next one wants to know.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Never,
    /// Output was full: asking for the same again is no mistake.
    Again,
    Was(Flush),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Stored,
    Fast,
    Slow,
}

struct Limits {
    /// Search less behind a match of this length.
    good: usize,
    /// Do not look for a better one behind a match of this length.
    lazy: usize,
    /// Stop searching at this length.
    nice: usize,
    chain: usize,
    method: Method,
}

const fn limits(good: usize, lazy: usize, nice: usize, chain: usize, method: Method) -> Limits {
    Limits {
        good,
        lazy,
        nice,
        chain,
        method,
    }
}

const LEVELS: [Limits; 10] = [
    limits(0, 0, 0, 0, Method::Stored),
    limits(4, 4, 8, 4, Method::Fast),
    limits(4, 5, 16, 8, Method::Fast),
    limits(4, 6, 32, 32, Method::Fast),
    limits(4, 4, 16, 16, Method::Slow),
    limits(8, 16, 32, 32, Method::Slow),
    limits(8, 16, 128, 128, Method::Slow),
    limits(8, 32, 128, 256, Method::Slow),
    limits(32, 128, 258, 1024, Method::Slow),
    limits(32, 258, 258, 4096, Method::Slow),
];

/// A compressor.
#[derive(Clone)]
pub struct Deflate {
    phase: Phase,
    /// With zlib's header and trailer.
    wrap: bool,
    trailer_sent: bool,
    last: Last,
    adler: u32,
    level: usize,
    strategy: Strategy,
    window: Vec<u8>,
    prev: Vec<u16>,
    head: Vec<u16>,
    hash: usize,
    block_start: i64,
    match_length: usize,
    prev_match: usize,
    match_available: bool,
    start: usize,
    match_start: usize,
    lookahead: usize,
    prev_length: usize,
    /// Bytes before `start` that are not in the hash chains yet.
    insert: usize,
    /// At level 0: how often the window slid since the chains were right (2: often).
    slides: u32,
    trees: Trees,
    /// Bytes of `trees.pending` that were taken.
    taken: usize,
}

/// The buffers of one call.
struct Io<'a> {
    input: &'a [u8],
    used: usize,
    output: &'a mut [u8],
    produced: usize,
}

impl Io<'_> {
    fn available_in(&self) -> usize {
        self.input.len() - self.used
    }
    fn available_out(&self) -> usize {
        self.output.len() - self.produced
    }
}

impl Deflate {
    /// `level`: -1 is the default; `raw`: without header and trailer.
    pub fn new(level: i32, strategy: Strategy, raw: bool) -> Deflate {
        Deflate {
            phase: Phase::Start,
            wrap: !raw,
            trailer_sent: false,
            last: Last::Never,
            adler: 1,
            level: number(level),
            strategy,
            window: vec![0; 2 * WINDOW + MAX_MATCH],
            prev: vec![0; WINDOW],
            head: vec![0; HASH_SIZE],
            hash: 0,
            block_start: 0,
            match_length: MIN_MATCH - 1,
            prev_match: 0,
            match_available: false,
            start: 0,
            match_start: 0,
            lookahead: 0,
            prev_length: MIN_MATCH - 1,
            insert: 0,
            slides: 0,
            trees: Trees::default(),
            taken: 0,
        }
    }

    /// Back to the beginning, with the same parameters.
    pub fn reset(&mut self) {
        *self = Deflate::new(self.level as i32, self.strategy, !self.wrap);
    }

    /// Checksum of what went in (of the dictionary before the first byte).
    pub fn adler(&self) -> u32 {
        self.adler
    }

    /// Compresses as much as fits.
    pub fn deflate(&mut self, input: &[u8], output: &mut [u8], flush: Flush) -> Step {
        let mut io = Io {
            input,
            used: 0,
            output,
            produced: 0,
        };
        let status = self.step(&mut io, flush);
        Step {
            status,
            used: io.used,
            produced: io.produced,
        }
    }

    /// Changes level and strategy, after what was given has been compressed with the old
    /// ones.
    pub fn set_parameters(
        &mut self,
        input: &[u8],
        output: &mut [u8],
        level: i32,
        strategy: Strategy,
    ) -> Step {
        let mut io = Io {
            input,
            used: 0,
            output,
            produced: 0,
        };
        let level = number(level);
        let other = strategy != self.strategy || LEVELS[self.level].method != LEVELS[level].method;
        let mut status = Status::Ok;
        if other && self.last != Last::Never {
            status = self.step(&mut io, Flush::Block);
            let waiting = (self.start as i64 - self.block_start) + self.lookahead as i64;
            if status != Status::StreamError {
                status = Status::Ok;
                if io.available_in() > 0 || waiting != 0 {
                    status = Status::BufferError;
                }
            }
        }
        if status == Status::Ok {
            if self.level != level {
                if self.level == 0 && self.slides != 0 {
                    if self.slides == 1 {
                        self.slide_hash();
                    } else {
                        self.head.fill(0);
                    }
                    self.slides = 0;
                }
                self.level = level;
            }
            self.strategy = strategy;
        }
        Step {
            status,
            used: io.used,
            produced: io.produced,
        }
    }

    /// Bytes to find matches in before the first ones; false when it is too late.
    pub fn set_dictionary(&mut self, dictionary: &[u8]) -> bool {
        if self.wrap && self.phase != Phase::Start || self.lookahead != 0 {
            return false;
        }
        let wrap = self.wrap;
        if wrap {
            self.adler = adler32(self.adler, dictionary);
        }
        // The dictionary is not part of the data's checksum.
        self.wrap = false;
        let mut tail = dictionary;
        if dictionary.len() >= WINDOW {
            if !wrap {
                self.head.fill(0);
                self.start = 0;
                self.block_start = 0;
                self.insert = 0;
            }
            tail = &dictionary[dictionary.len() - WINDOW..];
        }
        let mut io = Io {
            input: tail,
            used: 0,
            output: &mut [],
            produced: 0,
        };
        self.fill_window(&mut io);
        while self.lookahead >= MIN_MATCH {
            let mut at = self.start;
            for _ in 0..self.lookahead - (MIN_MATCH - 1) {
                self.insert_string(at);
                at += 1;
            }
            self.start = at;
            self.lookahead = MIN_MATCH - 1;
            self.fill_window(&mut io);
        }
        self.start += self.lookahead;
        self.block_start = self.start as i64;
        self.insert = self.lookahead;
        self.lookahead = 0;
        self.match_length = MIN_MATCH - 1;
        self.prev_length = MIN_MATCH - 1;
        self.match_available = false;
        self.wrap = wrap;
        true
    }

    fn step(&mut self, io: &mut Io<'_>, flush: Flush) -> Status {
        if self.phase == Phase::Finish && flush != Flush::Finish {
            return Status::StreamError;
        }
        if io.available_out() == 0 {
            return Status::BufferError;
        }
        let old = self.last;
        self.last = Last::Was(flush);
        if self.has_pending() {
            self.give(io);
            if io.available_out() == 0 {
                self.last = Last::Again;
                return Status::Ok;
            }
        } else if io.available_in() == 0
            && flush != Flush::Finish
            && matches!(old, Last::Was(old) if flush.rank() <= old.rank())
        {
            return Status::BufferError;
        }
        if self.phase == Phase::Finish && io.available_in() > 0 {
            return Status::BufferError;
        }
        if self.phase == Phase::Start {
            self.phase = Phase::Busy;
            if self.wrap {
                self.header();
                self.give(io);
                if self.has_pending() {
                    self.last = Last::Again;
                    return Status::Ok;
                }
            }
        }
        let more = flush != Flush::None && self.phase != Phase::Finish;
        if io.available_in() > 0 || self.lookahead > 0 || more {
            let progress = match (LEVELS[self.level].method, self.strategy) {
                (Method::Stored, _) => self.stored(io, flush),
                (_, Strategy::HuffmanOnly) => self.huffman(io, flush),
                (Method::Fast, _) => self.fast(io, flush),
                (Method::Slow, _) => self.slow(io, flush),
            };
            if let Progress::FinishStarted | Progress::FinishDone = progress {
                self.phase = Phase::Finish;
            }
            if let Progress::NeedMore | Progress::FinishStarted = progress {
                if io.available_out() == 0 {
                    self.last = Last::Again;
                }
                return Status::Ok;
            }
            if progress == Progress::BlockDone {
                if flush != Flush::Block {
                    self.trees.stored_block(&[], false);
                    if flush == Flush::Full {
                        self.head.fill(0);
                        if self.lookahead == 0 {
                            self.start = 0;
                            self.block_start = 0;
                            self.insert = 0;
                        }
                    }
                }
                self.give(io);
                if io.available_out() == 0 {
                    self.last = Last::Again;
                    return Status::Ok;
                }
            }
        }
        if flush != Flush::Finish {
            return Status::Ok;
        }
        if !self.wrap || self.trailer_sent {
            return Status::End;
        }
        self.trees
            .pending
            .extend_from_slice(&self.adler.to_be_bytes());
        self.give(io);
        self.trailer_sent = true;
        if self.has_pending() {
            Status::Ok
        } else {
            Status::End
        }
    }

    fn header(&mut self) {
        let effort = match self.level {
            _ if self.strategy == Strategy::HuffmanOnly => 0,
            0 | 1 => 0,
            2..=5 => 1,
            6 => 2,
            _ => 3,
        };
        let mut header: u32 = 0x7800 | effort << 6;
        if self.start != 0 {
            header |= 0x20;
        }
        header += 31 - header % 31;
        self.trees
            .pending
            .extend_from_slice(&(header as u16).to_be_bytes());
        if self.start != 0 {
            self.trees
                .pending
                .extend_from_slice(&self.adler.to_be_bytes());
        }
        self.adler = 1;
    }

    fn has_pending(&self) -> bool {
        self.taken < self.trees.pending.len()
    }

    /// Hands out what is ready and fits.
    fn give(&mut self, io: &mut Io<'_>) {
        self.trees.flush_bits();
        let ready = &self.trees.pending[self.taken..];
        let count = ready.len().min(io.available_out());
        io.output[io.produced..io.produced + count].copy_from_slice(&ready[..count]);
        io.produced += count;
        self.taken += count;
        if self.taken == self.trees.pending.len() {
            self.trees.pending.clear();
            self.taken = 0;
        }
    }

    // ---- blocks ------------------------------------------------------------------------

    fn end_block(&mut self, io: &mut Io<'_>, last: bool) {
        let len = (self.start as i64 - self.block_start) as usize;
        let stored = usize::try_from(self.block_start)
            .ok()
            .map(|at| &self.window[at..at + len]);
        self.trees
            .end_block(stored, len as u64, self.level > 0, last);
        self.block_start = self.start as i64;
        self.give(io);
    }

    /// What all methods do when the input is over.
    fn wind_up(&mut self, io: &mut Io<'_>, flush: Flush) -> Progress {
        if flush == Flush::Finish {
            self.end_block(io, true);
            return if io.available_out() == 0 {
                Progress::FinishStarted
            } else {
                Progress::FinishDone
            };
        }
        if self.trees.has_symbols() {
            self.end_block(io, false);
            if io.available_out() == 0 {
                return Progress::NeedMore;
            }
        }
        Progress::BlockDone
    }

    /// Makes sure that a match can be as long as it likes. `Some`: stop here.
    fn look_ahead(&mut self, io: &mut Io<'_>, flush: Flush) -> Option<Progress> {
        if self.lookahead < MIN_LOOKAHEAD {
            self.fill_window(io);
            if self.lookahead < MIN_LOOKAHEAD && flush == Flush::None {
                return Some(Progress::NeedMore);
            }
            if self.lookahead == 0 {
                return Some(Progress::BlockDone);
            }
        }
        None
    }

    fn fast(&mut self, io: &mut Io<'_>, flush: Flush) -> Progress {
        loop {
            match self.look_ahead(io, flush) {
                Some(Progress::NeedMore) => return Progress::NeedMore,
                Some(_) => break,
                None => {}
            }
            let mut before = 0;
            if self.lookahead >= MIN_MATCH {
                before = self.insert_string(self.start);
            }
            if before != 0 && self.start - before <= MAX_DISTANCE {
                self.match_length = self.longest_match(before);
            }
            let full;
            if self.match_length >= MIN_MATCH {
                let distance = (self.start - self.match_start) as u16;
                full = self
                    .trees
                    .repeat(distance, (self.match_length - MIN_MATCH) as u8);
                self.lookahead -= self.match_length;
                if self.match_length <= LEVELS[self.level].lazy && self.lookahead >= MIN_MATCH {
                    for _ in 1..self.match_length {
                        self.start += 1;
                        self.insert_string(self.start);
                    }
                    self.start += 1;
                    self.match_length = 0;
                } else {
                    self.start += self.match_length;
                    self.match_length = 0;
                    self.hash = self.window[self.start] as usize;
                    self.update_hash(self.window[self.start + 1]);
                }
            } else {
                full = self.trees.literal(self.window[self.start]);
                self.lookahead -= 1;
                self.start += 1;
            }
            if full {
                self.end_block(io, false);
                if io.available_out() == 0 {
                    return Progress::NeedMore;
                }
            }
        }
        self.insert = self.start.min(MIN_MATCH - 1);
        self.wind_up(io, flush)
    }

    fn slow(&mut self, io: &mut Io<'_>, flush: Flush) -> Progress {
        let lazy = LEVELS[self.level].lazy;
        loop {
            match self.look_ahead(io, flush) {
                Some(Progress::NeedMore) => return Progress::NeedMore,
                Some(_) => break,
                None => {}
            }
            let mut before = 0;
            if self.lookahead >= MIN_MATCH {
                before = self.insert_string(self.start);
            }
            self.prev_length = self.match_length;
            self.prev_match = self.match_start;
            self.match_length = MIN_MATCH - 1;
            if before != 0 && self.prev_length < lazy && self.start - before <= MAX_DISTANCE {
                self.match_length = self.longest_match(before);
                let far = self.match_length == MIN_MATCH && self.start - self.match_start > TOO_FAR;
                if self.match_length <= 5 && (self.strategy == Strategy::Filtered || far) {
                    self.match_length = MIN_MATCH - 1;
                }
            }
            if self.prev_length >= MIN_MATCH && self.match_length <= self.prev_length {
                // The match at the byte before is at least as good: take that one.
                let end = self.start + self.lookahead - MIN_MATCH;
                let distance = (self.start - 1 - self.prev_match) as u16;
                let full = self
                    .trees
                    .repeat(distance, (self.prev_length - MIN_MATCH) as u8);
                self.lookahead -= self.prev_length - 1;
                for _ in 0..self.prev_length - 2 {
                    self.start += 1;
                    if self.start <= end {
                        self.insert_string(self.start);
                    }
                }
                self.prev_length = 0;
                self.match_available = false;
                self.match_length = MIN_MATCH - 1;
                self.start += 1;
                if full {
                    self.end_block(io, false);
                    if io.available_out() == 0 {
                        return Progress::NeedMore;
                    }
                }
            } else if self.match_available {
                if self.trees.literal(self.window[self.start - 1]) {
                    self.end_block(io, false);
                }
                self.start += 1;
                self.lookahead -= 1;
                if io.available_out() == 0 {
                    return Progress::NeedMore;
                }
            } else {
                self.match_available = true;
                self.start += 1;
                self.lookahead -= 1;
            }
        }
        if self.match_available {
            self.trees.literal(self.window[self.start - 1]);
            self.match_available = false;
        }
        self.insert = self.start.min(MIN_MATCH - 1);
        self.wind_up(io, flush)
    }

    fn huffman(&mut self, io: &mut Io<'_>, flush: Flush) -> Progress {
        loop {
            if self.lookahead == 0 {
                self.fill_window(io);
                if self.lookahead == 0 {
                    if flush == Flush::None {
                        return Progress::NeedMore;
                    }
                    break;
                }
            }
            self.match_length = 0;
            let full = self.trees.literal(self.window[self.start]);
            self.lookahead -= 1;
            self.start += 1;
            if full {
                self.end_block(io, false);
                if io.available_out() == 0 {
                    return Progress::NeedMore;
                }
            }
        }
        self.insert = 0;
        self.wind_up(io, flush)
    }
}

fn number(level: i32) -> usize {
    if (0..=9).contains(&level) {
        level as usize
    } else {
        6
    }
}
