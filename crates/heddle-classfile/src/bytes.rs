//! The bytes of a class file and the reader that walks over them.
//!
//! Classes of the JDK live in a mapping that is never undone, so they are
//! borrowed for ever; all others are shared. Parsed structures refer to the
//! bytes by [`Span`], which keeps them free of lifetimes.

use std::ops::{Deref, Range};
use std::sync::Arc;

/// The bytes of one class file; cloning is cheap.
#[derive(Clone)]
pub enum ClassBytes {
    /// Bytes that live as long as the process, such as a mapped JDK image.
    Static(&'static [u8]),
    Shared(Arc<[u8]>),
}

impl Deref for ClassBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            ClassBytes::Static(bytes) => bytes,
            ClassBytes::Shared(bytes) => bytes,
        }
    }
}

impl From<Vec<u8>> for ClassBytes {
    fn from(bytes: Vec<u8>) -> Self {
        ClassBytes::Shared(bytes.into())
    }
}

impl From<&'static [u8]> for ClassBytes {
    fn from(bytes: &'static [u8]) -> Self {
        ClassBytes::Static(bytes)
    }
}

impl std::fmt::Debug for ClassBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ClassBytes({} bytes)", self.len())
    }
}

/// A part of a class file: offsets from its first byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Span {
        Span {
            start: start as u32,
            end: end as u32,
        }
    }

    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The bytes of this part, given those of the whole class file.
    pub fn of(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.range()]
    }
}

/// The file ended within an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Truncated;

/// A big-endian cursor.
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }

    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Fails unless `n` more bytes follow.
    pub fn need(&self, n: usize) -> Result<(), Truncated> {
        if n <= self.remaining() {
            Ok(())
        } else {
            Err(Truncated)
        }
    }

    #[inline]
    pub fn u1(&mut self) -> Result<u8, Truncated> {
        let value = *self.bytes.get(self.at).ok_or(Truncated)?;
        self.at += 1;
        Ok(value)
    }

    #[inline]
    pub fn u2(&mut self) -> Result<u16, Truncated> {
        let raw = self.bytes.get(self.at..self.at + 2).ok_or(Truncated)?;
        self.at += 2;
        Ok(u16::from_be_bytes([raw[0], raw[1]]))
    }

    #[inline]
    pub fn u4(&mut self) -> Result<u32, Truncated> {
        let raw = self.bytes.get(self.at..self.at + 4).ok_or(Truncated)?;
        self.at += 4;
        Ok(u32::from_be_bytes([raw[0], raw[1], raw[2], raw[3]]))
    }

    pub fn skip(&mut self, n: usize) -> Result<Span, Truncated> {
        self.need(n)?;
        let start = self.at;
        self.at += n;
        Ok(Span::new(start, self.at))
    }
}

/// Reads a big-endian `u2` at a place known to be inside.
#[inline]
pub(crate) fn u2_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

#[inline]
pub(crate) fn u4_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
