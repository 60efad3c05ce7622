//! What the `java` launcher does with class paths and jars before the VM starts.
//!
//! An element `*` or `dir/*` stands for the jars in the directory, in the order
//! in which the host lists them; without any it stays as it is. A jar to run must
//! be readable and have a manifest.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// The class path with its wildcards replaced.
pub fn expand(path: &str) -> String {
    let elements = path
        .split(':')
        .map(|element| jars(element).unwrap_or_else(|| element.into()));
    elements.collect::<Vec<String>>().join(":")
}

/// What a wildcard stands for; `None` if it is none or nothing is there.
fn jars(element: &str) -> Option<String> {
    let dir = element
        .strip_suffix('*')
        .filter(|dir| dir.is_empty() || dir.ends_with('/'))?;
    let entries = std::fs::read_dir(if dir.is_empty() { "." } else { dir }).ok()?;
    let names = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    let jars: Vec<String> = names
        .filter(|name| name.ends_with(".jar") || name.ends_with(".JAR"))
        .map(|name| format!("{dir}{name}"))
        .collect();
    (!jars.is_empty()).then(|| jars.join(":"))
}

/// The launcher's complaint about a jar that cannot be run.
pub fn complaint(jar: &str) -> Option<String> {
    let Ok(mut file) = File::open(jar) else {
        return Some(format!("Error: Unable to access jarfile {jar}"));
    };
    match has_manifest(&mut file) {
        Some(true) => None,
        _ => Some(format!("Error: Invalid or corrupt jarfile {jar}")),
    }
}

/// Whether the directory at the end of a zip file names a manifest. `None`: no zip file.
fn has_manifest(file: &mut File) -> Option<bool> {
    const END_RECORD: usize = 22;
    let len = file.seek(SeekFrom::End(0)).ok()?;
    // The end record comes last, but for a comment of at most 65535 bytes.
    let tail_len = len.min(65535 + END_RECORD as u64);
    file.seek(SeekFrom::Start(len - tail_len)).ok()?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail).ok()?;
    let end = (0..=tail.len().checked_sub(END_RECORD)?)
        .rev()
        .find(|&at| {
            let comment = u16::from_le_bytes([tail[at + 20], tail[at + 21]]) as usize;
            tail[at..].starts_with(b"PK\x05\x06") && at + END_RECORD + comment == tail.len()
        })?;
    let word = |at: usize| u32::from_le_bytes([tail[at], tail[at + 1], tail[at + 2], tail[at + 3]]);
    let (size, offset) = (word(end + 12) as u64, word(end + 16) as u64);
    if size == u32::MAX as u64 || offset == u32::MAX as u64 {
        // A large archive: the library reads it.
        return Some(true);
    }
    // A jar may have something in front of it, which shifts its offsets.
    let start = (len - tail_len + end as u64).checked_sub(size)?;
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut directory = vec![0; size as usize];
    file.read_exact(&mut directory).ok()?;
    let mut rest = &directory[..];
    while rest.len() >= 46 && rest.starts_with(b"PK\x01\x02") {
        let part = |at: usize| u16::from_le_bytes([rest[at], rest[at + 1]]) as usize;
        let (name, skip) = (part(28), part(28) + part(30) + part(32));
        if rest
            .get(46..46 + name)?
            .eq_ignore_ascii_case(b"META-INF/MANIFEST.MF")
        {
            return Some(true);
        }
        rest = rest.get(46 + skip..)?;
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_wildcards_are_replaced() {
        assert_eq!(
            expand("a:b/c.jar:no-such-dir/*:x*"),
            "a:b/c.jar:no-such-dir/*:x*"
        );
    }

    #[test]
    fn a_missing_jar_is_named() {
        let said = complaint("no-such.jar");
        assert_eq!(
            said.as_deref(),
            Some("Error: Unable to access jarfile no-such.jar")
        );
    }
}
