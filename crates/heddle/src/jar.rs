//! The look that `java -jar` takes at a jar before it starts the VM, with its messages.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// `Err` with what `java` prints, if the file cannot be opened or is no jar with a
/// manifest.
pub fn check(path: &str) -> Result<(), String> {
    let Ok(mut file) = File::open(path) else {
        return Err(format!("Error: Unable to access jarfile {path}"));
    };
    match has_manifest(&mut file) {
        Ok(true) => Ok(()),
        _ => Err(format!("Error: Invalid or corrupt jarfile {path}")),
    }
}

const END: &[u8] = b"PK\x05\x06";
const END_BYTES: usize = 22;
const ENTRY: &[u8] = b"PK\x01\x02";
const ENTRY_BYTES: usize = 46;

/// Looks the manifest up in the central directory; jars of the 64-bit format, whose
/// directory is elsewhere, are left to the library to judge.
fn has_manifest(file: &mut File) -> std::io::Result<bool> {
    let length = file.seek(SeekFrom::End(0))?;
    let tail = length.min(0xffff + END_BYTES as u64);
    file.seek(SeekFrom::Start(length - tail))?;
    let mut bytes = vec![0; tail as usize];
    file.read_exact(&mut bytes)?;
    let Some(at) = bytes.windows(END_BYTES).rposition(|w| w.starts_with(END)) else {
        return Ok(false);
    };
    let (size, offset) = (word(&bytes, at + 12), word(&bytes, at + 16));
    if offset == u32::MAX {
        return Ok(true);
    }
    // Bytes may have been put in front of the archive: the directory ends where END starts.
    let end = length - tail + at as u64;
    let Some(start) = end.checked_sub(size as u64) else {
        return Ok(false);
    };
    file.seek(SeekFrom::Start(start))?;
    let mut entries = vec![0; size as usize];
    file.read_exact(&mut entries)?;
    let mut rest = &entries[..];
    while rest.len() >= ENTRY_BYTES && rest.starts_with(ENTRY) {
        let (name, extra, comment) = (half(rest, 28), half(rest, 30), half(rest, 32));
        let Some(found) = rest.get(ENTRY_BYTES..ENTRY_BYTES + name) else {
            break;
        };
        if found.eq_ignore_ascii_case(b"META-INF/MANIFEST.MF") {
            return Ok(true);
        }
        rest = rest
            .get(ENTRY_BYTES + name + extra + comment..)
            .unwrap_or(&[]);
    }
    Ok(false)
}

fn half(bytes: &[u8], at: usize) -> usize {
    u16::from_le_bytes([bytes[at], bytes[at + 1]]) as usize
}

fn word(bytes: &[u8], at: usize) -> u32 {
    half(bytes, at) as u32 | (half(bytes, at + 2) as u32) << 16
}
