//! The counts of optimal partial-order reduction that the papers give, exactly.

use crate::common::*;
use heddle_explore::strategies::Dpor;
use heddle_explore::toy::programs;

fn counts(name: &str, program: impl Fn(u32) -> Program, expected: &[(u32, u64)]) {
    for &(n, schedules) in expected {
        let mut dpor = Dpor::new();
        let outcome = run(&program(n), &mut dpor);
        assert_eq!(outcome.schedules, schedules, "{name}({n})");
        assert_eq!(outcome.blocked, 0, "{name}({n})");
        assert!(outcome.complete, "{name}({n})");
        assert!(outcome.found.is_empty(), "{name}({n})");
    }
}

#[test]
fn counter() {
    counts(
        "counter",
        programs::counter,
        &[(1, 1), (2, 2), (3, 6), (5, 120), (8, 40320)],
    );
}

#[test]
fn readers() {
    counts(
        "readers",
        programs::readers,
        &[(1, 2), (2, 4), (5, 32), (12, 4096)],
    );
}

#[test]
fn lastzero() {
    counts(
        "lastzero",
        programs::lastzero,
        &[(2, 5), (3, 12), (5, 64), (10, 3328), (15, 147_456)],
    );
}

#[test]
fn indexer() {
    counts(
        "indexer",
        programs::indexer,
        &[(11, 1), (12, 8), (13, 64), (14, 512), (15, 4096)],
    );
}

#[test]
fn filesystem() {
    counts(
        "filesystem",
        programs::filesystem,
        &[(13, 1), (14, 2), (16, 8), (18, 32), (19, 64)],
    );
}

#[test]
fn independent() {
    counts(
        "independent",
        programs::independent,
        &[(1, 1), (4, 1), (40, 1)],
    );
}
