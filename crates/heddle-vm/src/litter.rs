//! What a loop has made on its way and left behind, as the exception that it throws and catches.
//!
//! `while (!ready) try { check(); } catch (NotReady e) { }` only looks, but it makes an object
//! in every round, and the one of the last round is still in a local variable when the next
//! begins. Where an object lies makes no difference as long as no other thread can reach it.
//! So a thread is where it was if its stack is, with such objects called by the order in which
//! they are met and compared by what is in them. Older objects do not refer to them: a write to
//! one begins a new round (`waiting.rs`).
//!
//! References on the stack and in objects are told by their values, which may be those of numbers
//! too. Two stacks are taken for equal by mistake only if such a number grows by as much as
//! was allocated.
//!
//! Left out: large arrays, and loops that begin a new chunk in every round.

use crate::heap::{CHUNK, EPOCH, Ref, mix};
use crate::native::Frame;
use crate::vm::Vm;

/// Objects that are looked through; who makes more does more than look.
const MOST: usize = 1_000;

impl Vm {
    /// Whether the running thread has made an object in the present round, and nobody else
    /// can reach it.
    pub fn is_of_round(&self, object: Ref) -> bool {
        let control = &self.thread(self.current).control;
        let (from, region) = (control.round.from, &control.region);
        from + CHUNK >= region.end
            && (from..region.top).contains(&object.at())
            && !self.heap.is_shared(object)
    }

    /// Whether a native changes nothing but an object that the present round has made.
    pub fn fills_own(&self, f: Frame) -> bool {
        let slot = match self.symbols.bytes(f.method().name) {
            b"fillInStackTrace" => 0,
            b"arraycopy" => 2,
            _ => return false,
        };
        let filled = f.reference(slot);
        !filled.is_null() && self.is_of_round(filled)
    }

    /// The objects that the running thread has made since its region went up to `from` and
    /// that nobody else can reach, by address. None if there are many, or it is not known.
    pub fn litter(&self, from: u64) -> Vec<u32> {
        let mut found = Vec::new();
        let region = &self.thread(self.current).control.region;
        if from + CHUNK < region.end {
            return found;
        }
        let mut at = from;
        while at < region.top {
            let object = Ref((at >> 3) as u32);
            if found.len() == MOST {
                return Vec::new();
            }
            if !self.heap.is_shared(object) {
                found.push(object.0);
            }
            at += self.heap.size_of(object);
        }
        found
    }

    /// A digest of the running thread's stack that is the same wherever these objects lie.
    pub fn digest_with(&self, litter: &[u32]) -> u64 {
        let thread = self.thread(self.current);
        let mut names = Names {
            litter,
            met: Vec::new(),
        };
        let mut digest = mix(thread.control.looks);
        for &word in thread.live() {
            let word = u32::try_from(word).map_or(word, |word| names.of(word));
            digest = mix(digest ^ word);
        }
        let mut next = 0;
        while let Some(&object) = names.met.get(next) {
            let object = Ref(object);
            let words = (0..self.heap.size_of(object)).step_by(4);
            // When it was written to first is not part of it.
            for offset in words.filter(|offset| *offset != EPOCH) {
                let word = self.heap.arena.read::<u32>(object.at() + offset);
                digest = mix(digest ^ names.of(word));
            }
            next += 1;
        }
        digest
    }
}

/// Names for objects that do not depend on where they lie.
struct Names<'a> {
    /// Those that get one, by address.
    litter: &'a [u32],
    /// Those that have one, in the order in which they were met.
    met: Vec<u32>,
}

impl Names<'_> {
    /// What stands for a word, which may be a reference.
    fn of(&mut self, word: u32) -> u64 {
        if self.litter.binary_search(&word).is_err() {
            return word.into();
        }
        let known = self.met.iter().position(|met| *met == word);
        let number = known.unwrap_or_else(|| {
            self.met.push(word);
            self.met.len() - 1
        });
        1 << 32 | number as u64
    }
}
