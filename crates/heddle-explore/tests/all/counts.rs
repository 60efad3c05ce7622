//! The counts that Rivet published (tables 4.1 to 4.3), exactly.

use crate::common::*;
use heddle_explore::strategies::{ExitBlock, ExitBlockRw};
use heddle_model::FindingKind;

#[test]
fn performance_with_exitblock_rw() {
    let published = [
        (2, 1, 4),
        (2, 2, 5),
        (2, 3, 6),
        (2, 100, 103),
        (3, 1, 13),
        (3, 2, 21),
        (3, 3, 31),
        (3, 50, 2757),
        (3, 100, 10507),
        (4, 1, 40),
        (4, 3, 156),
        (4, 10, 1885),
        (5, 1, 121),
        (5, 2, 341),
        (5, 3, 781),
        (6, 5, 19608),
        (8, 2, 21845),
        (10, 1, 29524),
        (12, 1, 265720),
    ];
    for (threads, locks, paths) in published {
        let outcome = run(&performance(threads, locks), &mut ExitBlockRw::new());
        assert_eq!(outcome.schedules, paths, "Performance {threads} {locks}");
        let sum: u64 = (0..threads).map(|i| (locks as u64 + 2).pow(i)).sum();
        assert_eq!(sum, paths);
        assert_eq!(outcome.extra, 0);
        assert!(outcome.complete && outcome.found.is_empty());
    }
}

#[test]
fn deadlock3() {
    for (rw, paths) in [(false, 2505), (true, 18)] {
        let outcome = match rw {
            true => run(&crate::common::deadlock3(), &mut ExitBlockRw::new()),
            false => run(&crate::common::deadlock3(), &mut ExitBlock::new()),
        };
        assert_eq!(outcome.schedules, paths, "rw {rw}, extra {}", outcome.extra);
        assert_eq!(
            findings(&outcome),
            [(FindingKind::LockCycle, "[1, 2, 3]".to_string())]
        );
        assert!(outcome.found[0].confirmed && outcome.complete);
    }
}
