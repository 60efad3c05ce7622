//! Finds the annotations that the VM itself obeys among a method's
//! `RuntimeVisibleAnnotations` (JVMS 4.7.16).
//!
//! A malformed attribute ends the scan without an error, as in HotSpot:
//! reflection will complain when somebody asks.

use crate::bytes::{Reader, Truncated};
use crate::class::MethodFlags;
use crate::pool::ConstantPool;

pub(super) fn scan(payload: &[u8], pool: &ConstantPool) -> MethodFlags {
    let mut flags = MethodFlags::default();
    let mut r = Reader::new(payload);
    let _ = (|| {
        for _ in 0..r.u2()? {
            let name = r.u2()?;
            match pool.try_utf8(name).unwrap_or(b"") {
                b"Ljdk/internal/reflect/CallerSensitive;" => flags.caller_sensitive = true,
                b"Ljdk/internal/vm/annotation/Hidden;"
                | b"Ljava/lang/invoke/LambdaForm$Hidden;" => {
                    flags.hidden = true;
                }
                b"Ljdk/internal/vm/annotation/ForceInline;" => flags.force_inline = true,
                b"Ljava/lang/invoke/LambdaForm$Compiled;" => flags.compiled_lambda_form = true,
                b"Ljdk/internal/vm/annotation/IntrinsicCandidate;" => {
                    flags.intrinsic_candidate = true;
                }
                _ => {}
            }
            skip_pairs(&mut r, 0)?;
        }
        Ok::<(), Truncated>(())
    })();
    flags
}

/// Deeper nesting than this is taken for garbage.
const MAX_DEPTH: u32 = 64;

fn skip_pairs(r: &mut Reader<'_>, depth: u32) -> Result<(), Truncated> {
    for _ in 0..r.u2()? {
        r.u2()?;
        skip_value(r, depth)?;
    }
    Ok(())
}

fn skip_value(r: &mut Reader<'_>, depth: u32) -> Result<(), Truncated> {
    if depth > MAX_DEPTH {
        return Err(Truncated);
    }
    match r.u1()? {
        b'e' => r.skip(4).map(|_| ()),
        b'@' => {
            r.u2()?;
            skip_pairs(r, depth + 1)
        }
        b'[' => {
            for _ in 0..r.u2()? {
                skip_value(r, depth + 1)?;
            }
            Ok(())
        }
        _ => r.skip(2).map(|_| ()),
    }
}
