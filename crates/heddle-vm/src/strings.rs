//! java.lang.String objects: made from and turned into Rust text.
//!
//! The JDK keeps a string's characters as Latin-1 bytes when they fit and as
//! UTF-16 (host order) otherwise; both sides here follow it.

use crate::class::Basic;
use crate::heap::{ELEMENTS, Ref};
use crate::native::Res;
use crate::symbol::Symbol;
use crate::vm::Vm;

impl Vm {
    /// A new String.
    pub fn new_string(&mut self, text: &str) -> Res<Ref> {
        if text.is_ascii() {
            return self.new_latin1(text.as_bytes());
        }
        let units: Vec<u16> = text.encode_utf16().collect();
        self.new_string_utf16(&units)
    }

    /// A new String from UTF-16 units.
    pub fn new_string_utf16(&mut self, units: &[u16]) -> Res<Ref> {
        if units.iter().all(|&u| u < 256) {
            let bytes: Vec<u8> = units.iter().map(|&u| u as u8).collect();
            return self.new_latin1(&bytes);
        }
        let bytes: Vec<u8> = units.iter().flat_map(|u| u.to_ne_bytes()).collect();
        self.new_string_raw(&bytes, 1)
    }

    /// A new String from modified UTF-8.
    pub fn new_string_mutf8(&mut self, bytes: &[u8]) -> Res<Ref> {
        if bytes.is_ascii() {
            return self.new_latin1(bytes);
        }
        self.new_string_utf16(&decode_mutf8(bytes))
    }

    fn new_latin1(&mut self, bytes: &[u8]) -> Res<Ref> {
        self.new_string_raw(bytes, 0)
    }

    /// A new String from the bytes of its `value` and its coder.
    pub fn new_string_raw(&mut self, bytes: &[u8], coder: u8) -> Res<Ref> {
        let value = self.new_primitive_array(Basic::Byte, bytes.len() as u32)?;
        self.heap.write_bytes(value, ELEMENTS, bytes);
        let string = self.new_object(self.known.string)?;
        let (v, c) = (self.known.string_value, self.known.string_coder);
        self.heap.put_ref(string, v, value);
        self.heap.put(string, c, coder);
        Ok(string)
    }

    /// The UTF-16 units of a String.
    pub fn utf16(&self, string: Ref) -> Vec<u16> {
        let value = self.heap.get_ref(string, self.known.string_value);
        let bytes = self.heap.array_bytes(value);
        if self.heap.get::<u8>(string, self.known.string_coder) == 0 {
            bytes.iter().map(|&b| b as u16).collect()
        } else {
            bytes
                .chunks_exact(2)
                .map(|p| u16::from_ne_bytes([p[0], p[1]]))
                .collect()
        }
    }

    /// A String as Rust text; lone surrogates are replaced.
    pub fn string(&self, string: Ref) -> String {
        String::from_utf16_lossy(&self.utf16(string))
    }

    /// A String as modified UTF-8.
    pub fn mutf8(&self, string: Ref) -> Vec<u8> {
        encode_mutf8(&self.utf16(string))
    }

    /// The symbol for a String's text.
    pub fn string_symbol(&mut self, string: Ref) -> Symbol {
        let bytes = self.mutf8(string);
        self.symbols.intern(&bytes)
    }

    /// The one String with this text (`String.intern`).
    pub fn intern_utf16(&mut self, units: &[u16]) -> Res<Ref> {
        if let Some(&found) = self.strings.get(units) {
            return Ok(found);
        }
        let string = self.new_string_utf16(units)?;
        self.intern_as(units, string);
        Ok(string)
    }

    /// Makes `string` the interned one unless there is one; returns the one.
    pub fn intern(&mut self, string: Ref) -> Ref {
        let units = self.utf16(string);
        if let Some(&found) = self.strings.get(&units[..]) {
            return found;
        }
        self.intern_as(&units, string);
        string
    }

    /// The interned String of a symbol: constants, member names.
    pub fn intern_symbol(&mut self, symbol: Symbol) -> Res<Ref> {
        let units = decode_mutf8(self.symbols.bytes(symbol));
        self.intern_utf16(&units)
    }

    /// As [`Vm::intern_symbol`], from text.
    pub fn intern_text(&mut self, text: &str) -> Res<Ref> {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.intern_utf16(&units)
    }

    fn intern_as(&mut self, units: &[u16], string: Ref) {
        // Whoever interns the same text gets it. That is nobody's doing: no event.
        if self.heap.tracking && !self.of_library(string) {
            self.heap.set_shared(string);
        }
        self.strings.insert(units.into(), string);
        self.log_interned(units);
    }
}

/// Modified UTF-8 (JVMS 4.4.7) to UTF-16; ill-formed bytes become U+FFFD.
pub fn decode_mutf8(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let b = bytes[i] as u16;
        let next = |k: usize| bytes.get(i + k).map_or(0, |&b| b as u16 & 0x3f);
        if b < 0x80 {
            units.push(b);
            i += 1;
        } else if b & 0xe0 == 0xc0 {
            units.push((b & 0x1f) << 6 | next(1));
            i += 2;
        } else if b & 0xf0 == 0xe0 {
            units.push((b & 0x0f) << 12 | next(1) << 6 | next(2));
            i += 3;
        } else {
            units.push(0xfffd);
            i += 1;
        }
    }
    units
}

/// UTF-16 to modified UTF-8.
pub fn encode_mutf8(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(units.len());
    for &u in units {
        match u {
            1..=0x7f => bytes.push(u as u8),
            0 | 0x80..=0x7ff => bytes.extend([0xc0 | (u >> 6) as u8, 0x80 | (u & 0x3f) as u8]),
            _ => bytes.extend([
                0xe0 | (u >> 12) as u8,
                0x80 | (u >> 6 & 0x3f) as u8,
                0x80 | (u & 0x3f) as u8,
            ]),
        }
    }
    bytes
}
