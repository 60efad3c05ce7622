//! What the program writes to its standard streams, until somebody takes it.
//!
//! While a mark is live nothing may be taken that a rewind would have to take
//! back, so the caller drains the buffer between marks only, or keeps it.

use crate::vm::{Output, Stream};

impl Output {
    pub fn write(&mut self, stream: Stream, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        match self.bytes.last_mut() {
            Some((last, buffer)) if *last == stream => buffer.extend_from_slice(bytes),
            _ => self.bytes.push((stream, bytes.to_vec())),
        }
    }

    /// Everything written since the last call.
    pub fn take(&mut self) -> Vec<(Stream, Vec<u8>)> {
        std::mem::take(&mut self.bytes)
    }

    pub(crate) fn position(&self) -> (usize, usize) {
        (
            self.bytes.len(),
            self.bytes.last().map_or(0, |(_, b)| b.len()),
        )
    }

    pub(crate) fn truncate(&mut self, to: (usize, usize), total: u64) {
        self.bytes.truncate(to.0);
        if let Some((_, last)) = self.bytes.last_mut() {
            last.truncate(to.1);
        }
        self.total = total;
    }
}
