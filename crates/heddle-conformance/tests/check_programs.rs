//! Every program of `programs/check` gets its verdict, at its places, in exactly as many
//! schedules as it has, with the blessed report; and every error comes again by its schedule.
//!
//! `HEDDLE_BLESS=1 cargo test --release -p heddle-conformance --test check_programs` accepts
//! reports and counts as they come out now; read the difference before you commit it.

use heddle_conformance::check::{self, Settings};
use heddle_conformance::toolchain::{Jdk, find_heddle, target_dir, workspace_root};
use std::time::Duration;

/// What is known to be wrong, and why. An entry that comes out right fails the test too.
const GAPS: &[(&str, &str)] = &[];

#[test]
fn every_program_gets_its_verdict() {
    let root = workspace_root().join("programs").join("check");
    let subjects = check::discover(&root).expect("programs and expectations");
    let enough = subjects.len() >= 170;
    assert!(enough, "the corpus has shrunk to {}", subjects.len());
    let settings = Settings {
        heddle: find_heddle().expect("a heddle binary"),
        scratch: target_dir().join("conformance").join("test-check"),
        jobs: 2,
        limit: Duration::from_secs(60),
        bless: std::env::var_os("HEDDLE_BLESS").is_some(),
    };
    let jdk = Jdk::find().expect("a JDK");
    let wrong = check::run(&subjects, &jdk, &settings).expect("the programs run");
    let known = |line: &str| {
        GAPS.iter()
            .find(|g| line.starts_with(&format!("check/{}:", g.0)))
    };
    let healed = GAPS
        .iter()
        .filter(|gap| !wrong.iter().any(|line| known(line) == Some(gap)));
    let healed: Vec<&str> = healed.map(|gap| gap.0).collect();
    assert!(healed.is_empty(), "right by now: {}", healed.join(", "));
    let new: Vec<&str> = wrong
        .iter()
        .map(String::as_str)
        .filter(|line| known(line).is_none())
        .collect();
    let (count, list) = (new.len(), new.join("\n"));
    assert!(new.is_empty(), "{count} programs:\n{list}");
}
