//! Parses every class of java.base and prints the time per class.

#[path = "../tests/common/mod.rs"]
mod common;

use heddle_classfile::{Checks, ClassBytes, ClassFile, ParseOptions};
use std::time::Instant;

fn main() {
    let image = common::image();
    let classes: Vec<_> = common::classes(&image)
        .into_iter()
        .filter(|c| c.0 == "java.base")
        .collect();
    let bytes: usize = classes.iter().map(|c| c.2.len()).sum();
    println!(
        "{} classes, {} bytes each",
        classes.len(),
        bytes / classes.len()
    );
    for checks in [Checks::Trusted, Checks::Strict] {
        let options = ParseOptions {
            checks,
            max_major: 69,
            ..ParseOptions::default()
        };
        let mut best = f64::MAX;
        for _ in 0..5 {
            let start = Instant::now();
            for (_, name, bytes) in &classes {
                let class = ClassFile::parse(ClassBytes::Static(bytes), &options);
                if let Err(error) = class {
                    println!("{name}: {error}");
                }
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        let micros = best * 1e6 / classes.len() as f64;
        println!("{checks:?}: {micros:.1} us/class");
    }
}
