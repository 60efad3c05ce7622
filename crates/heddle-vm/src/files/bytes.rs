//! The content of a file in memory, in pages that copies share.
//!
//! Copying costs one pointer a page, so a snapshot of a large file that then
//! changes in one place is cheap. Pages that were never written are holes.

use std::rc::Rc;

const PAGE: usize = 16 << 10;

/// File content.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Bytes {
    pages: Vec<Option<Rc<Vec<u8>>>>,
    len: u64,
}

impl Bytes {
    pub fn new(content: &[u8]) -> Bytes {
        let mut bytes = Bytes::default();
        bytes.write_at(0, content);
        bytes
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Reads up to `buffer.len()` bytes; the count is short at the end of the file only.
    pub fn read_at(&self, at: u64, buffer: &mut [u8]) -> usize {
        let count = self.len.saturating_sub(at).min(buffer.len() as u64) as usize;
        let mut done = 0;
        while done < count {
            let (page, offset) = place(at + done as u64);
            let step = (PAGE - offset).min(count - done);
            let target = &mut buffer[done..done + step];
            match self.pages.get(page).and_then(Option::as_ref) {
                Some(page) => target.copy_from_slice(&page[offset..offset + step]),
                None => target.fill(0),
            }
            done += step;
        }
        count
    }

    pub fn write_at(&mut self, at: u64, bytes: &[u8]) {
        let end = at + bytes.len() as u64;
        if bytes.is_empty() {
            return;
        }
        let pages = end.div_ceil(PAGE as u64) as usize;
        if self.pages.len() < pages {
            self.pages.resize(pages, None);
        }
        let mut done = 0;
        while done < bytes.len() {
            let (page, offset) = place(at + done as u64);
            let step = (PAGE - offset).min(bytes.len() - done);
            let page = self.pages[page].get_or_insert_with(|| Rc::new(vec![0; PAGE]));
            Rc::make_mut(page)[offset..offset + step].copy_from_slice(&bytes[done..done + step]);
            done += step;
        }
        self.len = self.len.max(end);
    }

    /// Cuts the content off, or extends it with zeros.
    pub fn set_len(&mut self, len: u64) {
        if len < self.len {
            let (page, offset) = place(len);
            self.pages.truncate(len.div_ceil(PAGE as u64) as usize);
            // What is cut off must not come back when the file grows again.
            if offset != 0
                && let Some(Some(page)) = self.pages.get_mut(page)
            {
                Rc::make_mut(page)[offset..].fill(0);
            }
        }
        self.len = len;
    }
}

fn place(at: u64) -> (usize, usize) {
    ((at / PAGE as u64) as usize, (at % PAGE as u64) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &Bytes) -> Vec<u8> {
        let mut out = vec![0xee; bytes.len() as usize + 7];
        let count = bytes.read_at(0, &mut out);
        out.truncate(count);
        out
    }

    #[test]
    fn writes_holes_and_cuts_behave_like_a_file() {
        let mut bytes = Bytes::new(b"hello");
        bytes.write_at(3, b"p me");
        assert_eq!(all(&bytes), b"help me");
        bytes.set_len(4);
        bytes.set_len(6);
        assert_eq!(all(&bytes), b"help\0\0");
        let far = PAGE as u64 * 3 + 5;
        bytes.write_at(far, b"x");
        assert_eq!(bytes.len(), far + 1);
        assert_eq!(all(&bytes)[far as usize - 1..], *b"\0x");
        assert_eq!(bytes.read_at(far + 9, &mut [0; 4]), 0);
    }

    #[test]
    fn a_copy_does_not_see_later_writes() {
        let mut bytes = Bytes::new(&vec![7; PAGE * 2]);
        let copy = bytes.clone();
        bytes.write_at(PAGE as u64 - 1, b"ab");
        bytes.set_len(3);
        assert_eq!(all(&copy), vec![7; PAGE * 2]);
        assert_eq!(all(&bytes), [7, 7, 7]);
    }
}
