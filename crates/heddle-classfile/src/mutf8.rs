//! Modified UTF-8 (JVMS 4.4.7), the encoding of all text in class files.
//!
//! It differs from UTF-8 in two ways: U+0000 is two bytes, and characters
//! beyond U+FFFF are two surrogates of three bytes each.

/// Whether the bytes are legal by HotSpot's rule, which also refuses the byte 0.
pub fn is_legal(bytes: &[u8]) -> bool {
    if bytes.is_ascii() {
        return !bytes.contains(&0);
    }
    let mut at = 0;
    while at < bytes.len() {
        match step(&bytes[at..]) {
            Some((_, length)) => at += length,
            None => return false,
        }
    }
    true
}

/// The UTF-16 code units; malformed bytes become U+FFFD.
pub fn to_utf16(bytes: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match step(&bytes[at..]) {
            Some((unit, length)) => {
                units.push(unit);
                at += length;
            }
            None => {
                units.push(0xFFFD);
                at += 1;
            }
        }
    }
    units
}

/// The text as a Rust string; malformed bytes and lone surrogates become U+FFFD.
pub fn to_string_lossy(bytes: &[u8]) -> String {
    if bytes.is_ascii() {
        bytes.iter().map(|&b| b as char).collect()
    } else {
        String::from_utf16_lossy(&to_utf16(bytes))
    }
}

/// Text in this encoding.
pub fn encode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for unit in text.encode_utf16() {
        let low = 0x80 | (unit & 0x3F) as u8;
        match unit {
            1..0x80 => bytes.push(unit as u8),
            0 | 0x80..0x800 => bytes.extend([0xC0 | (unit >> 6) as u8, low]),
            _ => {
                let middle = 0x80 | (unit >> 6 & 0x3F) as u8;
                bytes.extend([0xE0 | (unit >> 12) as u8, middle, low]);
            }
        }
    }
    bytes
}

/// The first code unit and its length in bytes.
fn step(bytes: &[u8]) -> Option<(u16, usize)> {
    let tail = |i: usize| {
        bytes
            .get(i)
            .filter(|&&b| b & 0xC0 == 0x80)
            .map(|&b| u16::from(b & 0x3F))
    };
    let first = bytes[0];
    match first {
        0 => None,
        1..0x80 => Some((u16::from(first), 1)),
        0xC0..=0xDF => {
            let unit = u16::from(first & 0x1F) << 6 | tail(1)?;
            // Overlong forms are illegal, but for U+0000.
            (unit == 0 || unit >= 0x80).then_some((unit, 2))
        }
        0xE0..=0xEF => {
            let unit = u16::from(first & 0x0F) << 12 | tail(1)? << 6 | tail(2)?;
            (unit >= 0x800).then_some((unit, 3))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legal_and_not() {
        assert!(is_legal(b"abc"));
        assert!(!is_legal(b"a\0c"));
        assert!(is_legal(b"\xC0\x80"));
        assert!(!is_legal(b"\xC1\x80"));
        assert!(!is_legal(b"\xE0\x80\x80"));
        assert!(!is_legal(b"\xF0\x9F\x98\x80"));
        assert!(!is_legal(b"\xE2\x82"));
        assert!(!is_legal(b"\x80"));
    }

    #[test]
    fn encoding_is_undone_by_decoding() {
        let text = "a\0\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{1F600}";
        let bytes = encode(text);
        assert!(is_legal(&bytes));
        assert_eq!(to_string_lossy(&bytes), text);
    }

    #[test]
    fn surrogates_join() {
        assert_eq!(to_string_lossy(b"\xED\xA0\xBD\xED\xB8\x80"), "\u{1F600}");
        assert_eq!(to_utf16(b"a\xC0\x80"), [97, 0]);
    }
}
