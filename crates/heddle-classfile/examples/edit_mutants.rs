//! Damages class files, edits them, and looks that nothing panics and that what
//! was right stays right.
//!
//! Arguments: how many, and a seed.

#[path = "../tests/common/mod.rs"]
mod common;

use common::edit_mutants::run;
use common::world::World;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default| args.get(i).and_then(|a| a.parse().ok()).unwrap_or(default);
    let world = World::new(&common::image());
    println!(
        "{:?}",
        run(&world, number(0, 100_000) as usize, number(1, 1))
    );
}
