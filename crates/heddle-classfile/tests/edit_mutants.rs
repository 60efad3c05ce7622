//! A small run of what `examples/edit_mutants.rs` does at length.

mod common;

use common::edit_mutants::run;
use common::world::World;

#[test]
fn damaged_classes_are_edited_or_refused() {
    let world = World::new(&common::image());
    let tally = run(&world, 8000, 5);
    assert!(tally.refused > 500, "{tally:?}");
    assert!(tally.right > 1000, "{tally:?}");
    assert!(tally.linked > 500, "{tally:?}");
}
