//! Programs of which it is known how many schedules they have up to equivalence: dpor
//! explores exactly as many, and none in vain, by one worker and by two.

mod common;

use common::{HEDDLE, Place, text};
use std::path::Path;

/// Program, argument, schedules.
const KNOWN: &[(&str, &str, u64)] = &[
    // n!
    ("Counter", "4", 24),
    ("Counter", "6", 720),
    // 2^n
    ("Readers", "3", 8),
    ("Readers", "9", 512),
    // (n + 3) * 2^(n - 2)
    ("Lastzero", "5", 64),
    ("Lastzero", "10", 3328),
    // Collisions in a hash table that is filled by compare-and-set.
    ("Indexer", "11", 1),
    ("Indexer", "12", 8),
    ("Indexer", "13", 64),
    ("Indexer", "14", 512),
    // Threads that look for the same free block.
    ("Filesystem", "13", 1),
    ("Filesystem", "14", 2),
    ("Filesystem", "16", 8),
    ("Filesystem", "18", 32),
    ("Filesystem", "19", 64),
    ("Independent", "6", 1),
    // A mutex of the program's own, with a queue: calls that do other things after each other.
    ("OwnMutex", "2", 26),
    ("OwnMutex", "3", 16_482),
];

#[test]
fn as_many_schedules_as_there_are() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/check");
    let place = Place::new("exact-counts");
    let mut compiled = Vec::new();
    for &(class, argument, expected) in KNOWN {
        if !compiled.contains(&class) {
            let file = programs.join(class).join(format!("{class}.java"));
            let source = std::fs::read_to_string(&file).expect("a program");
            place.compile(class, &source);
            compiled.push(class);
        }
        for jobs in ["1", "2"] {
            let out = place.run(
                HEDDLE,
                &[
                    "check",
                    "--strategy",
                    "dpor",
                    "--mutexes",
                    "plain",
                    "--jobs",
                    jobs,
                    "--schedule-dir",
                    "none",
                    "-cp",
                    ".",
                    class,
                    argument,
                ],
            );
            let told = text(&out.stdout);
            let grouped = grouped(expected);
            let (s, what) = (if expected == 1 { "" } else { "s" }, &grouped);
            let wanted = format!(": {what} schedule{s} in ");
            let context = format!("{class} {argument}, {jobs} jobs: {told}");
            assert!(told.contains(&wanted), "{context}");
            assert!(!told.contains("in vain"), "{context}");
            assert_eq!(out.status.code(), Some(0), "{context}");
        }
    }
}

/// `1,234`.
fn grouped(count: u64) -> String {
    match count {
        0..1000 => count.to_string(),
        _ => format!("{},{:03}", count / 1000, count % 1000),
    }
}
