//! What steps touch, as lists of small numbers that are compared fast.
//!
//! A place gets a number when it is first seen and keeps it for the whole search. A print
//! is a list of words, one per place, in ascending order: twice the number, plus one if
//! the place was written. 64 bits that stand for the places rule out most comparisons;
//! two of them stand for the end of the program. One that is ended on purpose meets every
//! step, one that ends because its last thread did meets the steps of daemons.

use crate::jobs::Pool;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

/// What a step touched.
#[derive(Clone, Copy, Debug)]
pub struct Print<'a> {
    pub words: &'a [u32],
    pub bits: Bits,
}

/// Which places a print has, with other places mixed in: all, and the written ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Bits {
    touched: u64,
    written: u64,
}

/// A print in a list of words that many share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
    pub bits: Bits,
}

/// All steps touch it, and the end of the program on purpose writes it.
const WORLD: u64 = 1 << 63;
/// The steps of daemons touch it, and the end of the last other thread writes it.
const DAEMONS: u64 = 1 << 62;

impl Print<'_> {
    /// Whether one of the two writes what the other touches.
    #[inline]
    pub fn meets(&self, other: &Print<'_>) -> bool {
        self.bits.may_meet(other.bits) && self.share_a_place(other)
    }

    pub fn hash(&self) -> u64 {
        let mut hasher = WordHasher::default();
        hasher.write_u64(self.bits.touched);
        hasher.write_u64(self.bits.written);
        for word in self.words {
            hasher.write_u64(u64::from(*word));
        }
        hasher.finish()
    }

    fn share_a_place(&self, other: &Print<'_>) -> bool {
        let ends = |a: Bits, b: Bits| a.written & b.touched & (WORLD | DAEMONS) != 0;
        if ends(self.bits, other.bits) || ends(other.bits, self.bits) {
            return true;
        }
        let (mut a, mut b) = (self.words, other.words);
        while let ([x, ..], [y, ..]) = (a, b) {
            match (x >> 1).cmp(&(y >> 1)) {
                std::cmp::Ordering::Less => a = &a[1..],
                std::cmp::Ordering::Greater => b = &b[1..],
                std::cmp::Ordering::Equal if (x | y) & 1 != 0 => return true,
                std::cmp::Ordering::Equal => (a, b) = (&a[1..], &b[1..]),
            }
        }
        false
    }
}

impl Bits {
    /// Of a step that everything meets, or of which nothing is known.
    pub const ALL: Bits = Bits {
        touched: u64::MAX,
        written: u64::MAX,
    };

    pub fn of(words: &[u32]) -> Bits {
        let world = Bits {
            touched: WORLD,
            written: 0,
        };
        words.iter().fold(world, |mut bits, word| {
            let bit = 1 << ((word >> 1) % 62);
            bits.touched |= bit;
            bits.written |= bit * u64::from(word & 1);
            bits
        })
    }

    /// What the words do not tell, in four bits.
    pub fn marks(self) -> u64 {
        let bit = |bits: u64, mark: u64| u64::from(bits & mark != 0);
        bit(self.touched, WORLD)
            | bit(self.written, WORLD) << 1
            | bit(self.touched, DAEMONS) << 2
            | bit(self.written, DAEMONS) << 3
    }

    /// With the marks of [`Bits::marks`].
    pub fn with_marks(mut self, marks: u64) -> Bits {
        let mark = |bit: u64, mark: u64| if marks >> bit & 1 != 0 { mark } else { 0 };
        self.touched |= mark(0, WORLD) | mark(2, DAEMONS);
        self.written |= mark(1, WORLD) | mark(3, DAEMONS);
        self
    }

    /// Of a step that only the end of the program can cut off.
    pub fn are_silent(self) -> bool {
        self.written == 0 && self.touched & !(WORLD | DAEMONS) == 0
    }

    /// Of a step that ended the program.
    pub fn are_an_end(self) -> bool {
        self.written & (WORLD | DAEMONS) != 0
    }

    /// Of places alone, which the end of the program does not meet.
    pub fn of_places(mut self) -> Bits {
        self.touched &= !(WORLD | DAEMONS);
        self
    }

    /// Of a step that a daemon made.
    pub fn of_daemon(mut self) -> Bits {
        self.touched |= DAEMONS;
        self
    }

    /// Of a step after which there are only daemons left.
    pub fn ending_daemons(mut self) -> Bits {
        self.written |= DAEMONS;
        self
    }

    #[inline]
    fn may_meet(self, other: Bits) -> bool {
        self.written & other.touched | other.written & self.touched != 0
    }
}

impl Span {
    #[inline]
    pub fn print(self, words: &[u32]) -> Print<'_> {
        Print {
            words: &words[self.start as usize..self.end as usize],
            bits: self.bits,
        }
    }

    /// Whether its print meets another one. Most do not, which the bits alone say.
    #[inline]
    pub fn meets(self, words: &[u32], other: &Print<'_>) -> bool {
        self.bits.may_meet(other.bits) && self.print(words).share_a_place(other)
    }
}

/// Brings words into the order of a print, one per place.
pub fn settle(words: &mut Vec<u32>) {
    if words.len() < 2 {
        return;
    }
    // The read of a place comes right before its write.
    words.sort_unstable();
    let mut kept = 0;
    for i in 1..words.len() {
        if words[i] >> 1 != words[kept] >> 1 {
            kept += 1;
        }
        words[kept] = words[i];
    }
    words.truncate(kept + 1);
}

/// The numbers of the places.
#[derive(Clone, Debug, Default)]
pub struct Places {
    numbers: HashMap<u64, u32, BuildHasherDefault<WordHasher>>,
    places: Vec<u64>,
    /// Those who search with us use the same numbers.
    shared: Option<Arc<Pool>>,
}

impl Places {
    /// The number of a place, in the place of a word: twice it.
    #[inline]
    pub fn number(&mut self, place: u64) -> u32 {
        match self.numbers.get(&place) {
            Some(number) => number << 1,
            None => self.learn(place),
        }
    }

    #[cold]
    fn learn(&mut self, place: u64) -> u32 {
        match self.shared.clone() {
            None => self.append(place),
            Some(pool) => {
                let mut state = pool.lock();
                let new = state.tree.places().learn(place, self.places.len());
                new.iter().for_each(|place| self.append(*place));
            }
        }
        (self.places.len() as u32 - 1) << 1
    }

    fn append(&mut self, place: u64) {
        self.numbers.insert(place, self.places.len() as u32);
        self.places.push(place);
    }

    /// Uses the numbers that all workers of a search use.
    pub fn share(&mut self, pool: Arc<Pool>) {
        self.shared = Some(pool);
    }

    /// All of them, by number.
    pub fn all(&self) -> &[u64] {
        &self.places
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }
}

/// Prints that many steps have, each kept once.
#[derive(Clone, Debug, Default)]
pub struct Prints {
    spans: Vec<Span>,
    words: Vec<u32>,
    /// By a hash the last print that has it, and by print the one before with the same hash.
    last: HashMap<u64, u32, BuildHasherDefault<WordHasher>>,
    before: Vec<u32>,
}

impl Prints {
    pub fn number(&mut self, print: &Print<'_>) -> u32 {
        let hash = print.hash();
        let last = self.last.get(&hash).copied();
        let mut at = last;
        while let Some(number) = at {
            let known = self.print(number);
            if known.bits == print.bits && known.words == print.words {
                return number;
            }
            at = Some(self.before[number as usize]).filter(|b| *b != number);
        }
        let number = self.spans.len() as u32;
        let start = self.words.len() as u32;
        self.words.extend_from_slice(print.words);
        self.spans.push(Span {
            start,
            end: self.words.len() as u32,
            bits: print.bits,
        });
        self.before.push(last.unwrap_or(number));
        self.last.insert(hash, number);
        number
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = Print<'_>> {
        self.spans.iter().map(|span| span.print(&self.words))
    }

    #[inline]
    pub fn print(&self, number: u32) -> Print<'_> {
        self.spans[number as usize].print(&self.words)
    }
}

/// Spreads one word; the keys come from the program and not from an adversary.
#[derive(Clone, Copy, Default)]
pub struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 29;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(words: &[u32]) -> Print<'_> {
        let bits = Bits::of(words);
        Print { words, bits }
    }

    /// Every pair of steps over three places, two of which share a bit.
    #[test]
    fn meetings_as_defined() {
        let places = [1, 2, 63];
        let accesses = |bits: u32| -> Vec<(u32, bool)> {
            let both = (0..6).filter(|b| bits >> b & 1 != 0);
            both.map(|b| (places[b as usize / 2], b % 2 == 1)).collect()
        };
        for a in (0..64).map(accesses) {
            for b in (0..64).map(accesses) {
                let words = |list: &[(u32, bool)]| {
                    let words = list.iter().rev().map(|(p, w)| p << 1 | u32::from(*w));
                    let mut words = words.collect();
                    settle(&mut words);
                    words
                };
                let (x, y) = (words(&a), words(&b));
                let defined = a
                    .iter()
                    .any(|p| b.iter().any(|q| p.0 == q.0 && (p.1 || q.1)));
                assert_eq!(print(&x).meets(&print(&y)), defined, "{a:?} {b:?}");
            }
        }
    }
}
