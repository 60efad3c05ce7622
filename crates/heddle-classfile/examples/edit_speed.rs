//! How long it takes to edit 1,000 classes of the JDK, parsing and writing
//! included: the best of several rounds, per way to edit.

#[path = "../tests/common/mod.rs"]
mod common;

use common::instrument::{VARIANTS, Variant, instrument};
use heddle_classfile::{Checks, ClassBytes, ClassFile, ParseOptions};
use std::time::Instant;

fn main() {
    let image = common::image();
    let all = common::classes(&image);
    // Without the tables of texts that no program has.
    let all: Vec<_> = all
        .iter()
        .filter(|c| !c.1.contains("/resources/"))
        .collect();
    let classes: Vec<_> = all.iter().step_by(all.len() / 1000).take(1000).collect();
    let size: usize = classes.iter().map(|c| c.2.len()).sum();
    println!("{} classes, {size} bytes", classes.len());
    let options = ParseOptions {
        checks: Checks::Strict,
        max_major: 69,
        ..ParseOptions::default()
    };
    for variant in VARIANTS {
        if variant == Variant::Far {
            continue;
        }
        let (mut best, mut bytes) = (f64::MAX, 0);
        for _ in 0..5 {
            let start = Instant::now();
            bytes = 0;
            for (_, name, content) in &classes {
                let class = ClassFile::parse(ClassBytes::Static(content), &options)
                    .unwrap_or_else(|e| panic!("{name}: {e}"));
                bytes += instrument(&class, variant).map_or(0, |b| b.len());
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{variant:?}: {best:.3} s, {bytes} bytes");
    }
}
