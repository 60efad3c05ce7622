//! Type annotations in code (JVMS 4.7.20): their places move with the code.

use super::layout::Layout;
use crate::bytes::{Reader, Truncated};

/// The payload of a `RuntimeVisibleTypeAnnotations` or
/// `RuntimeInvisibleTypeAnnotations` attribute of a `Code` attribute for the
/// new code; annotations of what is gone are dropped. `None` if it is
/// malformed.
pub(super) fn moved(payload: &[u8], layout: &Layout<'_>) -> Option<Vec<u8>> {
    let mut r = Reader::new(payload);
    let count = r.u2().ok()?;
    let mut out = vec![0, 0];
    let mut kept = 0u16;
    for _ in 0..count {
        let start = out.len();
        match annotation(&mut r, &mut out, layout) {
            Ok(true) => kept += 1,
            Ok(false) => out.truncate(start),
            Err(Truncated) => return None,
        }
    }
    if r.remaining() != 0 {
        return None;
    }
    out[..2].copy_from_slice(&kept.to_be_bytes());
    Some(out)
}

/// Copies one annotation; whether it still has a place.
fn annotation(
    r: &mut Reader<'_>,
    out: &mut Vec<u8>,
    layout: &Layout<'_>,
) -> Result<bool, Truncated> {
    let target = r.u1()?;
    out.push(target);
    let placed = match target {
        // Local variables: a table of ranges.
        0x40 | 0x41 => {
            let count = r.u2()?;
            let at = out.len();
            out.extend([0, 0]);
            let mut kept = 0u16;
            for _ in 0..count {
                let (start, length, index) = (r.u2()?, r.u2()?, r.u2()?);
                if let Some((start, length)) = super::tables::range(layout, start, length) {
                    for part in [start, length, index] {
                        out.extend(part.to_be_bytes());
                    }
                    kept += 1;
                }
            }
            out[at..at + 2].copy_from_slice(&kept.to_be_bytes());
            kept > 0 || count == 0
        }
        // The class of a handler.
        0x42 => {
            let index = usize::from(r.u2()?);
            let new = layout.old_handlers.get(index).copied().flatten();
            out.extend(new.unwrap_or(0).to_be_bytes());
            new.is_some()
        }
        // An instruction, and of casts and calls an argument.
        0x43..=0x4B => {
            let place = layout.itself(r.u2()?.into());
            out.extend((place.unwrap_or(0) as u16).to_be_bytes());
            if target >= 0x47 {
                out.push(r.u1()?);
            }
            place.is_some()
        }
        // What is not about code does not move, but its length must be known.
        0x00 | 0x01 | 0x16 => {
            out.push(r.u1()?);
            true
        }
        0x10 | 0x11 | 0x12 | 0x17 => {
            out.extend(r.u2()?.to_be_bytes());
            true
        }
        0x13..=0x15 => true,
        _ => return Err(Truncated),
    };
    let start = r.at;
    let steps = r.u1()?;
    r.skip(usize::from(steps) * 2)?;
    skip_annotation(r, 0)?;
    out.extend_from_slice(&r.bytes[start..r.at]);
    Ok(placed)
}

/// No compiler nests deeper; the rest would only serve to exhaust our stack.
const MAX_DEPTH: u32 = 200;

fn skip_annotation(r: &mut Reader<'_>, depth: u32) -> Result<(), Truncated> {
    if depth > MAX_DEPTH {
        return Err(Truncated);
    }
    r.u2()?;
    for _ in 0..r.u2()? {
        r.u2()?;
        skip_value(r, depth + 1)?;
    }
    Ok(())
}

fn skip_value(r: &mut Reader<'_>, depth: u32) -> Result<(), Truncated> {
    if depth > MAX_DEPTH {
        return Err(Truncated);
    }
    match r.u1()? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => {
            r.u2()?;
        }
        b'e' => {
            r.skip(4)?;
        }
        b'@' => skip_annotation(r, depth + 1)?,
        b'[' => {
            for _ in 0..r.u2()? {
                skip_value(r, depth + 1)?;
            }
        }
        _ => return Err(Truncated),
    }
    Ok(())
}
