//! The tables of a `Code` attribute for new code (JVMS 4.7.12 to 4.7.14).
//!
//! Places that no instruction starts at, which only a broken compiler makes,
//! count as those of the instruction that they are in. Entries that lie outside
//! of the code, and tables of a wrong length, are dropped: no VM could use them.

use super::code::LineStart;
use super::layout::Layout;
use crate::bytes::u2_at;

/// `LineNumberTable`
pub(super) fn lines(payload: &[u8], layout: &Layout<'_>, start: LineStart) -> Option<Vec<u8>> {
    entries(payload, 4, |entry, out| {
        let (pc, line) = (u2_at(entry, 0), u2_at(entry, 2));
        // A line never starts behind the last instruction.
        if u32::from(pc) >= layout.old_length() {
            return;
        }
        let place = match start {
            LineStart::Inserted if pc == 0 => Some(0),
            LineStart::Inserted => layout.start_around(pc.into()),
            LineStart::Instruction => layout.core_around(pc.into()),
        };
        if let Some(place) = place.filter(|&place| place < layout.length()) {
            out.extend((place as u16).to_be_bytes());
            out.extend(line.to_be_bytes());
        }
    })
}

/// `LocalVariableTable` and `LocalVariableTypeTable`
pub(super) fn locals(payload: &[u8], layout: &Layout<'_>) -> Option<Vec<u8>> {
    entries(payload, 10, |entry, out| {
        if let Some((start, length)) = range(layout, u2_at(entry, 0), u2_at(entry, 2)) {
            out.extend(start.to_be_bytes());
            out.extend(length.to_be_bytes());
            out.extend_from_slice(&entry[4..]);
        }
    })
}

/// `CharacterRangeTable`, which javac makes with `-Xjcov`: the last place of an
/// entry is that of a byte that still belongs to it.
pub(super) fn characters(payload: &[u8], layout: &Layout<'_>) -> Option<Vec<u8>> {
    entries(payload, 14, |entry, out| {
        let (start, last) = (u2_at(entry, 0), u2_at(entry, 2));
        let length = last.saturating_sub(start).saturating_add(1);
        if let Some((start, length)) = range(layout, start, length) {
            out.extend(start.to_be_bytes());
            out.extend((start + length.max(1) - 1).to_be_bytes());
            out.extend_from_slice(&entry[4..]);
        }
    })
}

/// Start and length of a stretch of old code in the new code.
pub(super) fn range(layout: &Layout<'_>, start: u16, length: u16) -> Option<(u16, u16)> {
    let end = u32::from(start) + u32::from(length);
    if u32::from(start) >= layout.old_length() || end > layout.old_length() {
        return None;
    }
    // What is there from the beginning is there in inserted code as well.
    let new_start = match start {
        0 => 0,
        _ => layout.start_around(start.into())?,
    };
    let new_end = match length {
        0 => new_start,
        _ => layout.start_around(end)?,
    };
    // A variable must start at an instruction, also if all were dropped.
    if new_start >= layout.length() {
        return None;
    }
    Some((new_start as u16, new_end.checked_sub(new_start)? as u16))
}

/// Rewrites entries of a fixed size behind their count.
fn entries(
    payload: &[u8],
    size: usize,
    mut each: impl FnMut(&[u8], &mut Vec<u8>),
) -> Option<Vec<u8>> {
    let count = usize::from(u16::from_be_bytes(payload.first_chunk().copied()?));
    if payload.len() != 2 + count * size {
        return None;
    }
    let mut out = Vec::with_capacity(payload.len());
    out.extend([0, 0]);
    for entry in payload[2..].chunks_exact(size) {
        each(entry, &mut out);
    }
    let kept = (out.len() - 2) / size;
    out[..2].copy_from_slice(&(kept as u16).to_be_bytes());
    Some(out)
}
