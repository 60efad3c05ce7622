//! Zip archives, which is what jars are: the directory at the end, the entries, and the
//! decompressor behind them (RFC 1951), which the VM uses for `java.util.zip` too.
//!
//! Reads what `jar` and the usual build tools write: stored and deflated entries, archives
//! with something in front, and the 64-bit extension. Writes stored entries only, for the
//! small archives that Heddle makes itself. Left out: encryption, several volumes, other methods.

pub mod checksum;
pub mod inflate;

use checksum::crc32;
use inflate::{Inflate, Status};
use std::fmt;

/// An archive in memory.
pub struct Archive<'a> {
    bytes: &'a [u8],
    pub entries: Vec<Entry>,
}

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    method: u16,
    crc: u32,
    compressed: usize,
    size: usize,
    /// Of the local header.
    header: usize,
}

/// Why an archive or an entry cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZipError(pub String);

impl fmt::Display for ZipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ZipError {}

const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x06";
const LOCATOR_64: &[u8] = b"PK\x06\x07";
const CENTRAL: &[u8] = b"PK\x01\x02";
const LOCAL: &[u8] = b"PK\x03\x04";

impl<'a> Archive<'a> {
    /// Reads the directory of an archive.
    pub fn open(bytes: &'a [u8]) -> Result<Archive<'a>, ZipError> {
        let end = end_record(bytes).ok_or_else(|| error("it is not a zip file"))?;
        let broken = || error("its directory is broken");
        let mut count = u64::from(u16_at(bytes, end + 10).ok_or_else(broken)?);
        let mut size = u64::from(u32_at(bytes, end + 12).ok_or_else(broken)?);
        let mut offset = u64::from(u32_at(bytes, end + 16).ok_or_else(broken)?);
        let mut directory_end = end;
        if (count == 0xffff || size == 0xffff_ffff || offset == 0xffff_ffff)
            && let Some(at) = end
                .checked_sub(20)
                .filter(|&at| bytes[at..].starts_with(LOCATOR_64))
        {
            let large = u64_at(bytes, at + 8)
                .and_then(|l| usize::try_from(l).ok())
                .filter(|&l| bytes.get(l..).is_some_and(|b| b.starts_with(END_64)))
                .ok_or_else(broken)?;
            count = u64_at(bytes, large + 32).ok_or_else(broken)?;
            size = u64_at(bytes, large + 40).ok_or_else(broken)?;
            offset = u64_at(bytes, large + 48).ok_or_else(broken)?;
            directory_end = large;
        }
        // Something may stand in front of the archive, which shifts all its offsets.
        let start = usize::try_from(size)
            .ok()
            .and_then(|size| directory_end.checked_sub(size))
            .ok_or_else(broken)?;
        let shift = (start as u64).checked_sub(offset).ok_or_else(broken)?;
        let mut entries = Vec::new();
        let mut at = start;
        for _ in 0..count {
            let (entry, next) = central(bytes, at, shift).ok_or_else(broken)?;
            entries.push(entry);
            at = next;
        }
        Ok(Archive { bytes, entries })
    }

    /// What an entry holds.
    pub fn read(&self, entry: &Entry) -> Result<Vec<u8>, ZipError> {
        let broken = || error(&format!("its entry {} is broken", entry.name));
        let header = self.bytes.get(entry.header..).ok_or_else(broken)?;
        if !header.starts_with(LOCAL) {
            return Err(broken());
        }
        let name = u16_at(header, 26).ok_or_else(broken)? as usize;
        let extra = u16_at(header, 28).ok_or_else(broken)? as usize;
        let data = header.get(30 + name + extra..).ok_or_else(broken)?;
        let data = data.get(..entry.compressed).ok_or_else(broken)?;
        let content = match entry.method {
            0 => data.to_vec(),
            8 => {
                // A size that no such data can have is a lie, and not to be allocated.
                if entry.size / 1032 > data.len() + 1 {
                    return Err(broken());
                }
                let mut content = vec![0; entry.size];
                // One byte more than there should be, to see that there is none.
                let mut surplus = [0];
                let mut stream = Inflate::new(true);
                let step = stream.inflate(data, &mut content);
                let ended = step.status == Status::End || {
                    let rest = stream.inflate(&data[step.used..], &mut surplus);
                    rest.status == Status::End && rest.produced == 0
                };
                if !ended || step.produced != entry.size {
                    return Err(broken());
                }
                content
            }
            other => {
                return Err(error(&format!(
                    "its entry {} is packed by method {other}, which is not supported",
                    entry.name
                )));
            }
        };
        match crc32(0, &content) == entry.crc {
            true => Ok(content),
            false => Err(broken()),
        }
    }
}

/// Writes an archive of stored entries, in this order.
pub fn write(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for (name, content) in entries {
        let header = out.len() as u32;
        // Version, flags (names are UTF-8), method, time and date (1980-01-01), CRC, sizes.
        let mut common = Vec::new();
        common.extend([10, 0, 0, 8, 0, 0, 0, 0, 0x21, 0]);
        common.extend(crc32(0, content).to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        out.extend(LOCAL);
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(*content);
        directory.extend(CENTRAL);
        directory.extend([10, 0]);
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(header.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, size) = (out.len() as u32, directory.len() as u32);
    out.extend(directory);
    out.extend(END);
    out.extend([0; 4]);
    out.extend((entries.len() as u16).to_le_bytes());
    out.extend((entries.len() as u16).to_le_bytes());
    out.extend(size.to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}

/// Where the end record is: last, but for a comment.
fn end_record(bytes: &[u8]) -> Option<usize> {
    const LENGTH: usize = 22;
    let last = bytes.len().checked_sub(LENGTH)?;
    let first = last.saturating_sub(0xffff);
    (first..=last).rev().find(|&at| {
        bytes[at..].starts_with(END)
            && u16_at(bytes, at + 20).is_some_and(|c| at + LENGTH + c as usize == bytes.len())
    })
}

/// An entry of the directory, and where the next one is.
fn central(bytes: &[u8], at: usize, shift: u64) -> Option<(Entry, usize)> {
    let record = bytes.get(at..).filter(|r| r.starts_with(CENTRAL))?;
    let length = |at| u16_at(record, at).map(usize::from);
    let (name, extra, comment) = (length(28)?, length(30)?, length(32)?);
    let text = record.get(46..46 + name)?;
    let mut sizes = [
        u32_at(record, 24)?,
        u32_at(record, 20)?,
        u32_at(record, 42)?,
    ]
    .map(u64::from);
    // The 64-bit extension holds those that did not fit, in this order.
    let mut fields = record.get(46 + name..46 + name + extra)?;
    while let (Some(kind), Some(length)) = (u16_at(fields, 0), u16_at(fields, 2)) {
        let body = fields.get(4..4 + length as usize)?;
        if kind == 1 {
            let missing = sizes.iter_mut().filter(|s| **s == 0xffff_ffff);
            for (i, size) in missing.enumerate() {
                *size = u64_at(body, i * 8)?;
            }
        }
        fields = &fields[4 + length as usize..];
    }
    let [size, compressed, header] = sizes;
    let entry = Entry {
        name: String::from_utf8_lossy(text).into_owned(),
        method: u16_at(record, 10)?,
        crc: u32_at(record, 16)?,
        compressed: usize::try_from(compressed).ok()?,
        size: usize::try_from(size).ok()?,
        header: usize::try_from(header.checked_add(shift)?).ok()?,
    };
    Some((entry, at + 46 + name + extra + comment))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(bytes.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

fn error(text: &str) -> ZipError {
    ZipError(text.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let entries: [(&str, &[u8]); 3] = [("a", b""), ("b/ü.txt", b"text"), ("c", &[7; 70_000])];
        let mut bytes = b"#!/bin/sh\n".to_vec();
        bytes.extend(write(&entries));
        let archive = Archive::open(&bytes).unwrap();
        let read: Vec<_> = (archive.entries.iter())
            .map(|e| (e.name.clone(), archive.read(e).unwrap()))
            .collect();
        let expected: Vec<_> = (entries.iter())
            .map(|(n, c)| (n.to_string(), c.to_vec()))
            .collect();
        assert_eq!(read, expected);
    }

    #[test]
    fn a_packed_entry_is_unpacked() {
        let text = "loom ".repeat(40);
        let packed = deflated();
        let mut bytes = write(&[("a.txt", &packed)]);
        // The same archive with the entry said to be deflated.
        patch(&mut bytes, &text);
        let archive = Archive::open(&bytes).unwrap();
        assert_eq!(archive.read(&archive.entries[0]).unwrap(), text.as_bytes());
    }

    /// A stored block does for a deflated stream.
    fn deflated() -> Vec<u8> {
        let text = "loom ".repeat(40);
        let length = text.len() as u16;
        let mut packed = vec![1];
        packed.extend(length.to_le_bytes());
        packed.extend((!length).to_le_bytes());
        packed.extend(text.as_bytes());
        packed
    }

    fn patch(bytes: &mut [u8], text: &str) {
        let at = bytes.windows(4).position(|w| w == CENTRAL).unwrap();
        bytes[at + 10..at + 12].copy_from_slice(&8u16.to_le_bytes());
        bytes[at + 16..at + 20].copy_from_slice(&crc32(0, text.as_bytes()).to_le_bytes());
        bytes[at + 24..at + 28].copy_from_slice(&(text.len() as u32).to_le_bytes());
    }

    #[test]
    fn broken_archives_are_refused_and_never_panic() {
        let good = write(&[("a", b"one"), ("b", b"two")]);
        assert!(Archive::open(b"no zip").is_err());
        for at in 0..good.len() {
            for value in [0, 0xff, good[at] ^ 1] {
                let mut bad = good.clone();
                bad[at] = value;
                if let Ok(archive) = Archive::open(&bad) {
                    for entry in &archive.entries {
                        let _ = archive.read(entry);
                    }
                }
            }
            let _ = Archive::open(&good[..at]).map(|a| a.entries.len());
        }
    }
}
