//! Verifies every class of the JDK, or of the modules named as arguments, and
//! prints what fails and the time per class.

#[path = "../tests/common/mod.rs"]
mod common;

use common::world::{Loader, World};
use heddle_classfile::verify::verify_class;
use std::time::Instant;

fn main() {
    let modules: Vec<String> = std::env::args().skip(1).collect();
    let image = common::image();
    let world = World::new(&image);
    let names: Vec<String> = common::classes(&image)
        .into_iter()
        .filter(|c| modules.is_empty() || modules.iter().any(|m| m == c.0))
        .map(|c| c.1)
        .collect();
    let classes: Vec<_> = names
        .iter()
        .filter_map(|n| n.strip_suffix(".class"))
        .filter_map(|n| world.classes.get(n.as_bytes()))
        .collect();
    let (mut best, mut failures) = (f64::MAX, 0);
    for round in 0..3 {
        let start = Instant::now();
        for class in &classes {
            let loader = Loader {
                world: &world,
                class,
                same_loader: true,
            };
            if let Err(failure) = verify_class(class, &loader)
                && round == 0
            {
                failures += 1;
                println!("{}: {failure:?}", String::from_utf8_lossy(class.name()));
            }
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    let micros = best * 1e6 / classes.len() as f64;
    println!(
        "{} classes, {failures} refused, {micros:.1} us/class",
        classes.len()
    );
}
