//! Places, monitors, wait sets and threads as words, so that what steps touch can be
//! compared as numbers.
//!
//! The lowest bit is free: it says whether a place was written.

use heddle_model::{ObjectId, Place};

/// An index that no field and no element has.
const WAIT_SET: u64 = 0x7fff_fffe;
/// An object that threads are the elements of.
const THREADS: u64 = 0xffff_ffff;
/// The same for whether they wait to be notified.
const WAITS: u64 = 0xffff_fffe;

/// Offsets and indices fit into 31 bits. An object has fields or elements, never both.
pub fn place(place: Place) -> u64 {
    let (object, at) = match place {
        Place::Field { object, offset } => (object, offset),
        Place::Element { array, index } => (array, index),
    };
    word(object.0 as u64, at as u64)
}

pub fn monitor(object: ObjectId) -> u64 {
    place(Place::monitor(object))
}

/// Whether a word is what [`monitor`] gives.
pub fn is_monitor(word: u64) -> bool {
    word as u32 == monitor(ObjectId(0)) as u32
}

/// The object that a word belongs to.
pub fn object(word: u64) -> u64 {
    word >> 32
}

pub fn wait_set(object: ObjectId) -> u64 {
    word(object.0 as u64, WAIT_SET)
}

/// What parking, unparking and interrupting a thread act on.
pub fn thread(thread: u32) -> u64 {
    word(THREADS, thread as u64)
}

/// Whether a thread waits to be notified, which it does not find out itself.
pub fn waits(thread: u32) -> u64 {
    word(WAITS, thread as u64)
}

fn word(object: u64, at: u64) -> u64 {
    object << 32 | at << 1
}

/// One of 64 bits for a word.
pub fn bit(word: u64) -> u64 {
    1 << (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)
}
