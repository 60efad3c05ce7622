//! The compressor's bytes against zlib's, the way back, and copies of states at work.

use super::checksum::crc32;
use super::deflate::{Deflate, Flush, Status, Strategy};
use super::inflate::{self, Inflate};

const EXPECTED: [(i32, usize, u32); 3] = [
    (1, 91482, 0xb7786132),
    (6, 91407, 0x2efc4b3a),
    (9, 91407, 0xcf0e6d8b),
];

fn data() -> Vec<u8> {
    let byte = |i: usize| {
        if !i.is_multiple_of(3) {
            (i * i / 7 + i / 13) as u8
        } else {
            (97 + i % 11) as u8
        }
    };
    (0..100_000).map(byte).collect()
}

fn compress(level: i32) -> Vec<u8> {
    let mut out = vec![0; 200_000];
    let step =
        Deflate::new(level, Strategy::Default, false).deflate(&data(), &mut out, Flush::Finish);
    assert_eq!((step.status, step.used), (Status::End, 100_000));
    out.truncate(step.produced);
    out
}

#[test]
fn bytes_are_those_of_zlib() {
    // Lengths and checksums of what zlib 1.2.13 makes of the same bytes.
    for (level, len, sum) in EXPECTED {
        let out = compress(level);
        assert_eq!((out.len(), crc32(0, &out)), (len, sum), "level {level}");
    }
}

#[test]
fn copies_of_states_go_on_alike() {
    let packed = compress(6);
    let (mut first, mut out) = (Inflate::new(false), vec![0; 1000]);
    let step = first.inflate(&packed, &mut out);
    assert_eq!(step.produced, 1000);
    for mut copy in [first.clone(), first] {
        let mut rest = vec![0; 100_000];
        let end = copy.inflate(&packed[step.used..], &mut rest);
        assert_eq!((end.status, end.produced), (inflate::Status::End, 99_000));
        assert_eq!(rest[..99_000], data()[1000..]);
    }
}
