//! Deflate and its relatives, written here because their state has to be copied:
//! a mark remembers every compressor and decompressor that is at work.
//!
//! The compressed bytes are those of zlib 1.2.13 at every level and strategy that
//! Java offers, because programs print sizes and digests of compressed data; the
//! decompressor's messages are zlib's too. RFC 1950 and 1951 say what the formats
//! are; `deflate.rs` says which of zlib's decisions matter for the bytes.

pub mod deflate;
#[cfg(test)]
mod tests;
mod trees;

pub use heddle_classfile::zip::{checksum, inflate};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Compressors and decompressors by handle; copies share what does not change.
#[derive(Clone, Default)]
pub struct Streams {
    next: i64,
    deflaters: Rc<BTreeMap<i64, Rc<deflate::Deflate>>>,
    inflaters: Rc<BTreeMap<i64, Rc<inflate::Inflate>>>,
}

impl Streams {
    pub fn add_deflater(&mut self, state: deflate::Deflate) -> i64 {
        self.next += 1;
        Rc::make_mut(&mut self.deflaters).insert(self.next, Rc::new(state));
        self.next
    }

    pub fn add_inflater(&mut self, state: inflate::Inflate) -> i64 {
        self.next += 1;
        Rc::make_mut(&mut self.inflaters).insert(self.next, Rc::new(state));
        self.next
    }

    /// The state behind a handle, to be changed; copied first if a mark shares it.
    pub fn deflater(&mut self, handle: i64) -> Option<&mut deflate::Deflate> {
        Rc::make_mut(&mut self.deflaters)
            .get_mut(&handle)
            .map(Rc::make_mut)
    }

    pub fn inflater(&mut self, handle: i64) -> Option<&mut inflate::Inflate> {
        Rc::make_mut(&mut self.inflaters)
            .get_mut(&handle)
            .map(Rc::make_mut)
    }

    /// Forgets what is behind a handle.
    pub fn end(&mut self, handle: i64) {
        Rc::make_mut(&mut self.deflaters).remove(&handle);
        Rc::make_mut(&mut self.inflaters).remove(&handle);
    }
}
