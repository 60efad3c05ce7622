//! A fast hash for the VM's own tables.
//!
//! Deterministic by construction, so nothing in the VM depends on the host's
//! random numbers; tables whose order could become visible are `BTreeMap`s or
//! vectors instead.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A hash map with [`FastHasher`].
pub type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<FastHasher>>;
/// A hash set with [`FastHasher`].
pub type FastSet<K> = HashSet<K, BuildHasherDefault<FastHasher>>;

/// Multiply-and-rotate over 8-byte words.
#[derive(Default, Clone, Copy)]
pub struct FastHasher(u64);

const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;

impl Hasher for FastHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.write_u64(u64::from_le_bytes(chunk.try_into().expect("eight bytes")));
        }
        let mut rest = 0u64;
        for &byte in chunks.remainder() {
            rest = rest << 8 | byte as u64;
        }
        self.write_u64(rest ^ (bytes.len() as u64) << 56);
    }
    fn write_u8(&mut self, value: u8) {
        self.write_u64(value as u64);
    }
    fn write_u16(&mut self, value: u16) {
        self.write_u64(value as u64);
    }
    fn write_u32(&mut self, value: u32) {
        self.write_u64(value as u64);
    }
    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(FACTOR);
    }
    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
}
