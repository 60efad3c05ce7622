//! A small run of the comparison that `examples/mutants.rs` makes at length.

mod common;

use common::differential::run;
use common::world::World;

#[test]
fn damaged_classes_get_the_answers_of_the_jvm() {
    let world = World::new(&common::image());
    // The words are those of one JVM; other versions may use others.
    if jdk_version() != Some(17) {
        return;
    }
    let tally = run(&world, 1500, 3);
    assert_eq!(tally.mutants, 1500);
    assert!(tally.accepted > 100 && tally.same_line > 700, "{tally:?}");
    // In version 50, two bad methods can give an answer that depends on the
    // order in which HotSpot happens to take them.
    let wrong: Vec<_> = tally.differences.iter().filter(|d| !d.details).collect();
    assert!(wrong.len() <= 2, "{wrong:#?}");
}

fn jdk_version() -> Option<u32> {
    let release = std::fs::read_to_string(common::jdk_home().join("release")).ok()?;
    let line = release
        .lines()
        .find_map(|l| l.strip_prefix("JAVA_VERSION=\""))?;
    line.split(['.', '"']).next()?.parse().ok()
}
