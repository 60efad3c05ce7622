//! CRC-32 (of IEEE 802.3) and Adler-32 (RFC 1950).

/// Updates a CRC with bytes.
pub fn crc32(crc: u32, bytes: &[u8]) -> u32 {
    let mut c = !crc;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let low = c ^ u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
        c = TABLES[7][low as usize & 0xff]
            ^ TABLES[6][low as usize >> 8 & 0xff]
            ^ TABLES[5][low as usize >> 16 & 0xff]
            ^ TABLES[4][low as usize >> 24]
            ^ TABLES[3][chunk[4] as usize]
            ^ TABLES[2][chunk[5] as usize]
            ^ TABLES[1][chunk[6] as usize]
            ^ TABLES[0][chunk[7] as usize];
    }
    for &byte in chunks.remainder() {
        c = TABLES[0][(c as u8 ^ byte) as usize] ^ c >> 8;
    }
    !c
}

/// Updates an Adler-32 sum with bytes; it starts at 1.
pub fn adler32(adler: u32, bytes: &[u8]) -> u32 {
    const BASE: u32 = 65521;
    // The most additions after which the sums still fit.
    const RUN: usize = 5552;
    let (mut a, mut b) = (adler & 0xffff, adler >> 16);
    for run in bytes.chunks(RUN) {
        for &byte in run {
            a += byte as u32;
            b += a;
        }
        a %= BASE;
        b %= BASE;
    }
    b << 16 | a
}

/// `TABLES[k][b]`: what byte `b`, `k` bytes before the end, adds to the CRC.
static TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut i = 0;
    while i < 256 {
        let mut c = i as u32;
        let mut bit = 0;
        while bit < 8 {
            c = if c & 1 != 0 {
                0xedb8_8320 ^ c >> 1
            } else {
                c >> 1
            };
            bit += 1;
        }
        tables[0][i] = c;
        i += 1;
    }
    let mut k = 1;
    while k < 8 {
        let mut i = 0;
        while i < 256 {
            let before = tables[k - 1][i];
            tables[k][i] = tables[0][before as usize & 0xff] ^ before >> 8;
            i += 1;
        }
        k += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_values() {
        assert_eq!(crc32(0, b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(crc32(0, b"1234"), b"56789"), 0xcbf4_3926);
        assert_eq!(adler32(1, b"Wikipedia"), 0x11e6_0398);
    }
}
