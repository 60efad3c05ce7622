//! The decompressor: RFC 1950 and 1951, resumable at every bit.
//!
//! It takes the input bytes that zlib takes at every stop (none beyond the last
//! symbol that was needed) and has zlib's error messages, since Java shows both.

use super::checksum::adler32;

const WINDOW: usize = 1 << 15;
const FAST_BITS: u32 = 10;

/// How a call ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Ok,
    /// The end of the stream.
    End,
    /// Nothing could be done.
    BufferError,
    /// A dictionary must be set; [`Inflate::adler`] says which.
    NeedDictionary,
    Error(&'static str),
}

/// Bytes taken and given by a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub status: Status,
    pub used: usize,
    pub produced: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Header,
    DictionaryId,
    Dictionary,
    Type,
    Stored,
    Copy { left: usize },
    Counts,
    CodeLengths { have: usize },
    Lengths { have: usize },
    Symbol,
    Literal(u8),
    Distance { length: usize },
    Match { length: usize, distance: usize },
    Check,
    Done,
    Bad(&'static str),
}

/// A decompressor.
#[derive(Clone)]
pub struct Inflate {
    mode: Mode,
    wrap: bool,
    last_block: bool,
    have_dictionary: bool,
    adler: u32,
    check: u32,
    bits: u64,
    bit_count: u32,
    /// The last bytes of output, oldest first.
    history: Vec<u8>,
    /// Counts of the codes of a dynamic block: literals, distances, bit lengths.
    counts: [usize; 3],
    lengths: [u8; 320],
    literals: Code,
    distances: Code,
}

/// A prefix code: a table for short codes, canonical decoding for longer ones.
#[derive(Clone)]
struct Code {
    /// Symbol and length by the next bits; length 0: look further.
    fast: Vec<(u16, u8)>,
    counts: [u16; 16],
    symbols: Vec<u16>,
}

/// A decoded symbol and its length in bits; the symbol of an unused code.
enum Found {
    Symbol(u16, u32),
    NeedBits,
    Invalid(u32),
}

impl Code {
    fn empty() -> Code {
        Code {
            fast: vec![(0, 0); 1 << FAST_BITS],
            counts: [0; 16],
            symbols: Vec::new(),
        }
    }

    /// Builds the code; `None` when the lengths do not make one. `incomplete`: a single
    /// code of one bit, or none at all, is allowed.
    fn new(lengths: &[u8], incomplete: bool) -> Option<Code> {
        let mut code = Code::empty();
        for &len in lengths {
            code.counts[len as usize] += 1;
        }
        code.counts[0] = 0;
        let max = (1..16)
            .rev()
            .find(|&len| code.counts[len] != 0)
            .unwrap_or(0);
        if max == 0 {
            return Some(code);
        }
        let mut left = 1i32;
        for len in 1..16 {
            left = (left << 1) - code.counts[len] as i32;
            if left < 0 {
                return None;
            }
        }
        if left > 0 && (!incomplete || max != 1) {
            return None;
        }
        let mut offsets = [0u16; 16];
        let mut next = [0u16; 16];
        let mut first = 0u16;
        for len in 1..16 {
            first = (first + code.counts[len - 1]) << 1;
            next[len] = first;
            offsets[len] = offsets[len - 1] + code.counts[len - 1];
        }
        code.symbols = vec![0; lengths.len()];
        for (symbol, &len) in lengths.iter().enumerate().filter(|(_, len)| **len != 0) {
            let len = len as usize;
            code.symbols[offsets[len] as usize] = symbol as u16;
            offsets[len] += 1;
            if len as u32 <= FAST_BITS {
                let bits = next[len].reverse_bits() >> (16 - len);
                let mut at = bits as usize;
                while at < 1 << FAST_BITS {
                    code.fast[at] = (symbol as u16, len as u8);
                    at += 1 << len;
                }
            }
            next[len] += 1;
        }
        Some(code)
    }

    #[inline]
    fn decode(&self, bits: u64, available: u32) -> Found {
        let (symbol, len) = self.fast[bits as usize & ((1 << FAST_BITS) - 1)];
        if len != 0 {
            let len = len as u32;
            return if len <= available {
                Found::Symbol(symbol, len)
            } else {
                Found::NeedBits
            };
        }
        self.decode_slow(bits, available)
    }

    fn decode_slow(&self, bits: u64, available: u32) -> Found {
        let (mut code, mut first, mut index) = (0u32, 0u32, 0u32);
        for len in 1..16u32 {
            if len > available {
                return Found::NeedBits;
            }
            code |= (bits >> (len - 1)) as u32 & 1;
            let count = self.counts[len as usize] as u32;
            if code < first + count {
                return Found::Symbol(self.symbols[(index + code - first) as usize], len);
            }
            // A code of one bit alone, or none: the other is unused.
            if self.symbols.is_empty() || self.counts[2..].iter().all(|&c| c == 0) {
                return Found::Invalid(1);
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        Found::Invalid(15)
    }
}

const LENGTH_BASE: [u16; 29] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
];
const LENGTH_EXTRA: [u8; 29] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
];
const DISTANCE_BASE: [u16; 30] = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
    2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
];
const DISTANCE_EXTRA: [u8; 30] = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
];
const LENGTH_ORDER: [usize; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// The buffers of one call.
struct Io<'a> {
    input: &'a [u8],
    used: usize,
    output: &'a mut [u8],
    produced: usize,
    /// Output up to here is in the checksum.
    checked: usize,
}

/// Why the machine stops.
enum Stop {
    /// More input, or more room for output.
    Starved,
    Full,
    Ended(Status),
}

impl Inflate {
    /// `raw`: without header and trailer.
    pub fn new(raw: bool) -> Inflate {
        Inflate {
            mode: if raw { Mode::Type } else { Mode::Header },
            wrap: !raw,
            last_block: false,
            have_dictionary: false,
            adler: !raw as u32,
            check: 1,
            bits: 0,
            bit_count: 0,
            history: Vec::new(),
            counts: [0; 3],
            lengths: [0; 320],
            literals: Code::empty(),
            distances: Code::empty(),
        }
    }

    /// Back to the beginning.
    pub fn reset(&mut self) {
        *self = Inflate::new(!self.wrap);
    }

    /// Checksum of what came out, or of the dictionary that is wanted.
    pub fn adler(&self) -> u32 {
        self.adler
    }

    /// Sets the dictionary; false when none is wanted or it is another one.
    pub fn set_dictionary(&mut self, dictionary: &[u8]) -> bool {
        if self.wrap && self.mode != Mode::Dictionary {
            return false;
        }
        if self.mode == Mode::Dictionary && adler32(1, dictionary) != self.check {
            return false;
        }
        self.remember(dictionary);
        self.have_dictionary = true;
        true
    }

    /// Decompresses as much as there is and fits.
    pub fn inflate(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let mut io = Io {
            input,
            used: 0,
            output,
            produced: 0,
            checked: 0,
        };
        let stop = loop {
            if let Err(stop) = self.step(&mut io) {
                break stop;
            }
        };
        self.update_check(&mut io);
        let (used, produced) = (io.used, io.produced);
        let fresh = &io.output[..produced];
        let mut status = match stop {
            Stop::Starved | Stop::Full => Status::Ok,
            Stop::Ended(status) => status,
        };
        if status == Status::Ok && used == 0 && produced == 0 {
            status = Status::BufferError;
        }
        if produced > 0 {
            let fresh = fresh.to_vec();
            self.remember(&fresh);
        }
        Step {
            status,
            used,
            produced,
        }
    }

    fn update_check(&mut self, io: &mut Io<'_>) {
        if self.wrap && io.checked < io.produced {
            self.check = adler32(self.check, &io.output[io.checked..io.produced]);
            self.adler = self.check;
            io.checked = io.produced;
        }
    }

    fn remember(&mut self, bytes: &[u8]) {
        if bytes.len() >= WINDOW {
            self.history.clear();
            self.history
                .extend_from_slice(&bytes[bytes.len() - WINDOW..]);
            return;
        }
        let over = (self.history.len() + bytes.len()).saturating_sub(WINDOW);
        self.history.drain(..over);
        self.history.extend_from_slice(bytes);
    }

    fn pull(&mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        let Some(&byte) = io.input.get(io.used) else {
            return Err(Stop::Starved);
        };
        self.bits |= (byte as u64) << self.bit_count;
        self.bit_count += 8;
        io.used += 1;
        Ok(())
    }

    fn need(&mut self, io: &mut Io<'_>, count: u32) -> Result<(), Stop> {
        while self.bit_count < count {
            self.pull(io)?;
        }
        Ok(())
    }

    fn drop_bits(&mut self, count: u32) {
        self.bits >>= count;
        self.bit_count -= count;
    }

    fn take(&mut self, count: u32) -> usize {
        let value = self.bits & ((1 << count) - 1);
        self.drop_bits(count);
        value as usize
    }

    fn bad(&mut self, message: &'static str) -> Result<(), Stop> {
        self.mode = Mode::Bad(message);
        Ok(())
    }

    fn step(&mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        match self.mode {
            Mode::Header => self.header(io),
            Mode::DictionaryId => {
                self.need(io, 32)?;
                self.check = (self.take(32) as u32).swap_bytes();
                self.adler = self.check;
                self.mode = Mode::Dictionary;
                Ok(())
            }
            Mode::Dictionary => {
                if !self.have_dictionary {
                    return Err(Stop::Ended(Status::NeedDictionary));
                }
                self.check = 1;
                self.adler = 1;
                self.mode = Mode::Type;
                Ok(())
            }
            Mode::Type => self.block_type(io),
            Mode::Stored => {
                self.need(io, 32)?;
                let both = self.take(32);
                let (len, inverse) = (both & 0xffff, both >> 16);
                if len != inverse ^ 0xffff {
                    return self.bad("invalid stored block lengths");
                }
                self.mode = Mode::Copy { left: len };
                Ok(())
            }
            Mode::Copy { left } => self.copy(io, left),
            Mode::Counts => {
                self.need(io, 14)?;
                self.counts = [self.take(5) + 257, self.take(5) + 1, self.take(4) + 4];
                if self.counts[0] > 286 || self.counts[1] > 30 {
                    return self.bad("too many length or distance symbols");
                }
                self.lengths = [0; 320];
                self.mode = Mode::CodeLengths { have: 0 };
                Ok(())
            }
            Mode::CodeLengths { have } => self.code_lengths(io, have),
            Mode::Lengths { have } => self.code_length_codes(io, have),
            Mode::Symbol => self.symbol(io),
            Mode::Literal(byte) => {
                if io.produced == io.output.len() {
                    return Err(Stop::Full);
                }
                io.output[io.produced] = byte;
                io.produced += 1;
                self.mode = Mode::Symbol;
                Ok(())
            }
            Mode::Distance { length } => self.distance(io, length),
            Mode::Match { length, distance } => self.repeat(io, length, distance),
            Mode::Check => {
                if self.wrap {
                    self.need(io, 32)?;
                    self.update_check(io);
                    let expected = (self.bits as u32).swap_bytes();
                    if expected != self.check {
                        return self.bad("incorrect data check");
                    }
                    self.drop_bits(32);
                }
                self.mode = Mode::Done;
                Ok(())
            }
            Mode::Done => Err(Stop::Ended(Status::End)),
            Mode::Bad(message) => Err(Stop::Ended(Status::Error(message))),
        }
    }

    fn header(&mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        self.need(io, 16)?;
        let (first, second) = (self.bits as u32 & 0xff, self.bits as u32 >> 8 & 0xff);
        if (first << 8 | second) % 31 != 0 {
            return self.bad("incorrect header check");
        }
        if first & 15 != 8 {
            return self.bad("unknown compression method");
        }
        if (first >> 4) + 8 > 15 {
            return self.bad("invalid window size");
        }
        self.drop_bits(16);
        self.check = 1;
        self.adler = 1;
        self.mode = if second & 0x20 != 0 {
            Mode::DictionaryId
        } else {
            Mode::Type
        };
        Ok(())
    }

    fn block_type(&mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        if self.last_block {
            let odd = self.bit_count & 7;
            self.drop_bits(odd);
            self.mode = Mode::Check;
            return Ok(());
        }
        self.need(io, 3)?;
        self.last_block = self.take(1) != 0;
        match self.take(2) {
            0 => {
                let odd = self.bit_count & 7;
                self.drop_bits(odd);
                self.mode = Mode::Stored;
            }
            1 => {
                let mut lengths = [8u8; 288];
                lengths[144..256].fill(9);
                lengths[256..280].fill(7);
                self.literals = Code::new(&lengths, false).unwrap_or_else(Code::empty);
                self.distances = Code::new(&[5; 32], false).unwrap_or_else(Code::empty);
                self.mode = Mode::Symbol;
            }
            2 => self.mode = Mode::Counts,
            _ => return self.bad("invalid block type"),
        }
        Ok(())
    }

    fn copy(&mut self, io: &mut Io<'_>, mut left: usize) -> Result<(), Stop> {
        // Bytes that are in the bit buffer already.
        while left > 0 && self.bit_count >= 8 && io.produced < io.output.len() {
            io.output[io.produced] = self.take(8) as u8;
            io.produced += 1;
            left -= 1;
        }
        let count = left
            .min(io.input.len() - io.used)
            .min(io.output.len() - io.produced);
        io.output[io.produced..io.produced + count]
            .copy_from_slice(&io.input[io.used..io.used + count]);
        io.used += count;
        io.produced += count;
        left -= count;
        if left == 0 {
            self.mode = Mode::Type;
            return Ok(());
        }
        self.mode = Mode::Copy { left };
        Err(if io.produced == io.output.len() {
            Stop::Full
        } else {
            Stop::Starved
        })
    }

    fn code_lengths(&mut self, io: &mut Io<'_>, mut have: usize) -> Result<(), Stop> {
        while have < self.counts[2] {
            if let Err(stop) = self.need(io, 3) {
                self.mode = Mode::CodeLengths { have };
                return Err(stop);
            }
            self.lengths[LENGTH_ORDER[have]] = self.take(3) as u8;
            have += 1;
        }
        let Some(code) = Code::new(&self.lengths[..19], false) else {
            return self.bad("invalid code lengths set");
        };
        self.literals = code;
        self.lengths = [0; 320];
        self.mode = Mode::Lengths { have: 0 };
        Ok(())
    }

    fn code_length_codes(&mut self, io: &mut Io<'_>, mut have: usize) -> Result<(), Stop> {
        let total = self.counts[0] + self.counts[1];
        while have < total {
            self.mode = Mode::Lengths { have };
            let (symbol, len) = loop {
                match self.literals.decode(self.bits, self.bit_count) {
                    Found::Symbol(symbol, len) => break (symbol as usize, len),
                    Found::NeedBits => self.pull(io)?,
                    // An empty code: zlib reads it as length zero.
                    Found::Invalid(len) => break (0, len),
                }
            };
            let (extra, base) = match symbol {
                0..16 => {
                    self.drop_bits(len);
                    self.lengths[have] = symbol as u8;
                    have += 1;
                    continue;
                }
                16 => (2, 3),
                17 => (3, 3),
                _ => (7, 11),
            };
            self.need(io, len + extra)?;
            self.drop_bits(len);
            let value = match symbol {
                16 if have == 0 => return self.bad("invalid bit length repeat"),
                16 => self.lengths[have - 1],
                _ => 0,
            };
            let count = base + self.take(extra);
            if have + count > total {
                return self.bad("invalid bit length repeat");
            }
            self.lengths[have..have + count].fill(value);
            have += count;
        }
        if self.lengths[256] == 0 {
            return self.bad("invalid code -- missing end-of-block");
        }
        let Some(literals) = Code::new(&self.lengths[..self.counts[0]], true) else {
            return self.bad("invalid literal/lengths set");
        };
        let Some(distances) = Code::new(&self.lengths[self.counts[0]..total], true) else {
            return self.bad("invalid distances set");
        };
        self.literals = literals;
        self.distances = distances;
        self.mode = Mode::Symbol;
        Ok(())
    }

    /// Whole bytes that were looked at and not needed go back.
    fn put_back(&mut self, io: &mut Io<'_>) {
        let back = (self.bit_count / 8) as usize;
        io.used -= back.min(io.used);
        self.bit_count %= 8;
        self.bits &= (1 << self.bit_count) - 1;
    }

    fn symbol(&mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        let result = self.symbols(io);
        if !matches!(result, Err(Stop::Starved)) {
            self.put_back(io);
        }
        result
    }

    fn symbols(&mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        loop {
            if self.bit_count < 48 && io.input.len() - io.used >= 8 {
                // Many bits at once; what is not needed goes back at the end.
                while self.bit_count <= 56 {
                    self.pull(io)?;
                }
            }
            let (symbol, len) = loop {
                match self.literals.decode(self.bits, self.bit_count) {
                    Found::Symbol(symbol, len) => break (symbol, len),
                    Found::NeedBits => self.pull(io)?,
                    Found::Invalid(len) => {
                        self.drop_bits(len.min(self.bit_count));
                        return self.bad("invalid literal/length code");
                    }
                }
            };
            if symbol < 256 {
                self.drop_bits(len);
                if io.produced == io.output.len() {
                    self.mode = Mode::Literal(symbol as u8);
                    return Ok(());
                }
                io.output[io.produced] = symbol as u8;
                io.produced += 1;
                continue;
            }
            if symbol == 256 {
                self.drop_bits(len);
                self.mode = Mode::Type;
                return Ok(());
            }
            let index = symbol as usize - 257;
            if index >= LENGTH_BASE.len() {
                self.drop_bits(len);
                return self.bad("invalid literal/length code");
            }
            let extra = LENGTH_EXTRA[index] as u32;
            self.need(io, len + extra)?;
            self.drop_bits(len);
            let length = LENGTH_BASE[index] as usize + self.take(extra);
            self.mode = Mode::Distance { length };
            self.distance(io, length)?;
            let Mode::Match { length, distance } = self.mode else {
                return Ok(());
            };
            self.repeat(io, length, distance)?;
            if self.mode != Mode::Symbol {
                return Ok(());
            }
        }
    }

    fn distance(&mut self, io: &mut Io<'_>, length: usize) -> Result<(), Stop> {
        let (symbol, len) = loop {
            match self.distances.decode(self.bits, self.bit_count) {
                Found::Symbol(symbol, len) => break (symbol as usize, len),
                Found::NeedBits => self.pull(io)?,
                Found::Invalid(len) => {
                    self.drop_bits(len.min(self.bit_count));
                    return self.bad("invalid distance code");
                }
            }
        };
        if symbol >= DISTANCE_BASE.len() {
            self.drop_bits(len);
            return self.bad("invalid distance code");
        }
        let extra = DISTANCE_EXTRA[symbol] as u32;
        self.need(io, len + extra)?;
        self.drop_bits(len);
        let distance = DISTANCE_BASE[symbol] as usize + self.take(extra);
        self.mode = Mode::Match { length, distance };
        Ok(())
    }

    fn repeat(&mut self, io: &mut Io<'_>, mut length: usize, distance: usize) -> Result<(), Stop> {
        if io.produced == io.output.len() {
            return Err(Stop::Full);
        }
        if distance > io.produced + self.history.len() {
            return self.bad("invalid distance too far back");
        }
        while length > 0 && io.produced < io.output.len() {
            let byte = if distance <= io.produced {
                io.output[io.produced - distance]
            } else {
                self.history[self.history.len() + io.produced - distance]
            };
            io.output[io.produced] = byte;
            io.produced += 1;
            length -= 1;
        }
        self.mode = if length == 0 {
            Mode::Symbol
        } else {
            Mode::Match { length, distance }
        };
        Ok(())
    }
}
