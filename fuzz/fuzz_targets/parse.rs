//! No bytes make the parser panic, and what it accepts can be looked at.
#![no_main]

use heddle_classfile::{Checks, ClassFile, ParseOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for checks in [Checks::Strict, Checks::Trusted] {
        let options = ParseOptions {
            checks,
            max_major: 69,
            preview: true,
            modules: true,
            ..ParseOptions::default()
        };
        if let Ok(class) = ClassFile::parse(data.to_vec().into(), &options) {
            look(&class);
        }
    }
});

fn look(class: &ClassFile) {
    let _ = (class.name(), class.super_name());
    for (_, constant) in class.pool.iter() {
        std::hint::black_box(constant);
    }
    for method in &class.methods {
        let Some(code) = &method.code else { continue };
        for insn in class.instructions(code) {
            std::hint::black_box(insn.is_ok());
        }
        std::hint::black_box(class.line_of(code, 0));
        std::hint::black_box(class.local_variables(code).count());
    }
}
