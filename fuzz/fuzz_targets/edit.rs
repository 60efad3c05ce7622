//! No class that was parsed makes the editor panic, and what it writes can be read.
#![no_main]

#[path = "../../crates/heddle-classfile/tests/common/instrument.rs"]
mod instrument;

use heddle_classfile::{Checks, ClassFile, ParseOptions};
use instrument::{VARIANTS, Variant};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for checks in [Checks::Strict, Checks::Trusted] {
        let options = ParseOptions {
            checks,
            max_major: 69,
            ..ParseOptions::default()
        };
        let Ok(class) = ClassFile::parse(data.to_vec().into(), &options) else {
            continue;
        };
        // One that only makes code long is too slow here.
        for variant in VARIANTS.into_iter().filter(|v| *v != Variant::Far) {
            if let Ok(edited) = instrument::instrument(&class, variant) {
                let read = ClassFile::parse(edited, &options);
                assert!(read.is_ok(), "{variant:?}: {read:?}");
            }
        }
        // What the strict reader accepts, the trusting one reads alike.
        break;
    }
});
