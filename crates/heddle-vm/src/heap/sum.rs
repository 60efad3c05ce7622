//! A sum over all memory, kept up as memory changes.
//!
//! Every word that is not zero adds a 128-bit hash of its address and value; the epochs in
//! headers are left out. What was written since the sum was taken last stands in the log
//! with the values of before; what was allocated since lies above the tops of the regions.
//! So bringing the sum up to date costs what has changed, and it is saved and restored
//! with the marks as plain data.
//!
//! The log holds the old value of a word only the first time that it is written in an
//! epoch: whoever takes the sum starts an epoch.

use super::log::NO_HEADER;
use super::{CHUNK, CHUNK_SHIFT, CLASS, ChunkUse, Heap, MIRRORS_END, Ref, Region, mix};

/// The sum as it was taken last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sum {
    pub value: u128,
    /// What of the logs is in it.
    log: usize,
    chunks: usize,
}

impl Heap {
    /// Brings a sum up to date. `regions` are those of all threads, dead ones too, as they
    /// were when it was taken last and as they are.
    pub fn update_sum(&mut self, sum: &mut Sum, regions: &[(Region, Region)]) {
        let new = self.new_ranges(sum.chunks, regions);
        for &(start, end) in &new {
            let mut at = start;
            while at < end {
                let size = self.size_of(Ref((at >> 3) as u32));
                let class: u32 = self.arena.read(at + CLASS);
                let rest = (1..size / 8).map(|i| (at + i * 8, self.arena.read(at + i * 8)));
                for (at, word) in std::iter::once((at, u64::from(class))).chain(rest) {
                    sum.value = sum.value.wrapping_add(hash(at, word));
                }
                at += size;
            }
        }
        for (at, old) in self.overwritten(sum.log) {
            let now = self.arena.read(at);
            let is_new = new.iter().any(|&(start, end)| (start..end).contains(&at));
            if now != old && !is_new {
                let change = hash(at, now).wrapping_sub(hash(at, old));
                sum.value = sum.value.wrapping_add(change);
            }
        }
        self.new_mirrors.clear();
        sum.log = self.log.len();
        sum.chunks = self.chunk_log.len();
    }

    /// The same from nothing: over all objects but these.
    pub fn whole_sum(&self, regions: &[Region], gone: &[Ref]) -> u128 {
        let mut total = 0u128;
        let mut all = self.object_addresses(regions);
        all.retain(|&at| !gone.contains(&Ref((at >> 3) as u32)));
        for at in all {
            let class: u32 = self.arena.read(at + CLASS);
            total = total.wrapping_add(hash(at, u64::from(class)));
            for i in 1..self.size_of(Ref((at >> 3) as u32)) / 8 {
                total = total.wrapping_add(hash(at + i * 8, self.arena.read(at + i * 8)));
            }
        }
        total
    }

    /// Where there are objects now and were none.
    fn new_ranges(&self, chunks: usize, regions: &[(Region, Region)]) -> Vec<(u64, u64)> {
        let mut ranges = Vec::new();
        for &(before, now) in regions {
            if before.end == now.end {
                ranges.push((before.top, now.top));
            } else if before.end != 0 {
                let chunk = (before.end - 1 - MIRRORS_END) >> CHUNK_SHIFT;
                if let ChunkUse::Objects(end) = self.chunks[chunk as usize] {
                    ranges.push((before.top, end));
                }
            }
        }
        for &chunk in &self.chunk_log[chunks..] {
            if let ChunkUse::Objects(end) = self.chunks[chunk as usize] {
                let start = self.chunk_at(chunk);
                let open = regions.iter().find(|(_, now)| now.end == start + CHUNK);
                ranges.push((start, open.map_or(end, |(_, now)| now.top)));
            }
        }
        let mirrors = self.new_mirrors.iter();
        ranges.extend(mirrors.map(|m| (m.at(), m.at() + self.size_of(*m))));
        ranges.retain(|(start, end)| start < end);
        ranges
    }

    /// The words that were written since the log stood at `from`, with what they held then.
    fn overwritten(&self, from: usize) -> Vec<(u64, u64)> {
        let mut words = Vec::new();
        let mut end = self.log.len();
        while end > from {
            let trailer = self.log[end - 1];
            let count = ((trailer & !NO_HEADER) >> 32) as usize;
            let first = u64::from(trailer as u32) << 3;
            let saved = end - 1 - count;
            // The first word of a header does not change but for the epoch.
            let skip = usize::from(trailer & NO_HEADER == 0);
            words.extend((skip..count).map(|i| (first + i as u64 * 8, self.log[saved + i])));
            end = saved;
        }
        // Newest first: the last one of a word is the oldest.
        words.reverse();
        words.sort_by_key(|word| word.0);
        words.dedup_by_key(|word| word.0);
        words
    }
}

/// Zero adds nothing: memory that was never written need not be looked at.
fn hash(at: u64, word: u64) -> u128 {
    if word == 0 {
        return 0;
    }
    let high = mix(at ^ mix(word));
    let low = mix(high ^ word.rotate_left(29).wrapping_add(at));
    u128::from(high) << 64 | u128::from(low)
}
