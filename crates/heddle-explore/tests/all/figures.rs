//! The deadlocks of Rivet's figures 2.14 to 2.23, the published errors of its programs,
//! and behaviours that the published algorithms lose.

use crate::common::*;
use heddle_explore::strategies::{Dfs, ExitBlock, ExitBlockRw};
use heddle_explore::toy::{Op, Program};
use heddle_model::FindingKind::{self, Assertion, ConditionDeadlock, LockCycle};

/// Both algorithms find errors of exactly these kinds, and `dfs` agrees.
fn check(name: &str, program: &Program, kinds: &[FindingKind]) {
    let outcomes = [
        run(program, &mut ExitBlock::new()),
        run(program, &mut ExitBlockRw::new()),
        run(program, &mut Dfs::new()),
    ];
    for (outcome, strategy) in outcomes.iter().zip(["exitblock", "exitblock-rw", "dfs"]) {
        let mut found: Vec<_> = outcome.found.iter().map(|f| f.finding.kind).collect();
        found.sort();
        found.dedup();
        assert_eq!(
            found,
            kinds,
            "{name} with {strategy}: {:?}",
            findings(outcome)
        );
        assert!(
            outcome.found.iter().all(|f| f.confirmed),
            "{name} with {strategy}"
        );
        assert!(outcome.complete);
    }
}

fn check2(name: &str, first: Vec<Op>, second: Vec<Op>, kinds: &[FindingKind]) {
    check(name, &started(vec![first, second]), kinds);
}

const A: u32 = 0;
const B: u32 = 1;
const C: u32 = 2;

#[test]
fn figure_2_14_lock_cycle() {
    let first = vec![Lock(A), Lock(B), Unlock(B), Unlock(A)];
    let second = vec![Lock(B), Lock(A), Unlock(A), Unlock(B)];
    check2("2.14", first, second, &[LockCycle]);
}

#[test]
fn figure_2_16_no_nesting_no_cycle() {
    let first = vec![Lock(A), Unlock(A), Lock(B), Unlock(B)];
    let second = vec![Lock(B), Unlock(B), Lock(A), Unlock(A)];
    check2("2.16", first, second, &[]);
}

#[test]
fn figure_2_17_cycle_that_rw_with_chain_analysis_misses() {
    let first = vec![Lock(A), Lock(B), Unlock(B), Unlock(A)];
    let second = vec![Lock(A), Unlock(A), Lock(B), Lock(A), Unlock(A), Unlock(B)];
    check2("2.17", first, second, &[LockCycle]);
}

#[test]
fn figure_2_20_condition_deadlock() {
    let first = vec![Lock(A), Wait(A), Notify(A), Unlock(A)];
    let second = vec![Lock(A), Notify(A), Wait(A), Unlock(A)];
    check2("2.20", first, second, &[ConditionDeadlock]);
}

#[test]
fn figure_2_21_apparent_condition_deadlock() {
    let both = vec![Lock(A), Notify(A), Wait(A), Notify(A), Unlock(A)];
    check2("2.21", both.clone(), both, &[]);
}

#[test]
fn figure_2_23_both_kinds() {
    let first = vec![Lock(A), Lock(B), Wait(A), Unlock(B), Unlock(A)];
    let second = vec![Lock(B), Lock(A), Wait(A), Unlock(A), Unlock(B)];
    check2("2.23", first, second, &[LockCycle, ConditionDeadlock]);
}

/// A lock that guards the cycle keeps it from happening.
#[test]
fn guarded_cycle() {
    let nest = |a, b| vec![Lock(C), Lock(a), Lock(b), Unlock(b), Unlock(a), Unlock(C)];
    check2("guarded", nest(A, B), nest(B, A), &[]);
}

/// A cycle over locks that are taken in different blocks.
#[test]
fn cycle_across_blocks() {
    let nest = |a, b| vec![Lock(a), Lock(C), Unlock(C), Lock(b), Unlock(b), Unlock(a)];
    check2("across", nest(A, B), nest(B, A), &[LockCycle]);
}

/// Cycles of four and five.
#[test]
fn dining_philosophers() {
    for n in [3, 4] {
        let eat = |i: u32, left: u32, right: u32| {
            vec![
                Lock(left),
                Lock(right),
                Read(i),
                Store(i, 1),
                Unlock(right),
                Unlock(left),
            ]
        };
        let all = (0..n).map(|i| eat(i, i, (i + 1) % n)).collect();
        let program = started(all);
        let mut left_handed = (0..n).map(|i| eat(i, i, (i + 1) % n)).collect::<Vec<_>>();
        left_handed[0] = eat(0, 1, 0);
        let left_handed = started(left_handed);
        for rw in [false, true] {
            if n == 4 && !rw {
                continue;
            }
            let go = |program| match rw {
                true => run(program, &mut ExitBlockRw::new()),
                false => run(program, &mut ExitBlock::new()),
            };
            let outcome = go(&program);
            let everybody = format!("{:?}", (1..=n).collect::<Vec<_>>());
            assert_eq!(findings(&outcome), [(LockCycle, everybody)], "{n} {rw}");
            let outcome = go(&left_handed);
            assert_eq!(findings(&outcome), [], "{n} {rw}");
        }
    }
}

/// Rivet, figures 1.1 and 4.2.
#[test]
fn split_sync() {
    let body = vec![
        Lock(A),
        Read(0),
        Unlock(A),
        Lock(A),
        AssertSame(0),
        Store(0, 1),
        Unlock(A),
    ];
    check(
        "SplitSync",
        &started(vec![body.clone(), body]),
        &[Assertion],
    );
}

/// Rivet, figure 4.10.
#[test]
fn deadlock_wait() {
    let first = vec![Lock(A), Lock(B), Wait(B), Unlock(B), Unlock(A)];
    let second = vec![Lock(A), Unlock(A), Lock(B), Notify(B), Unlock(B)];
    check2("DeadlockWait", first, second, &[ConditionDeadlock]);
}

/// A buffer with one place (variable 0), two consumers and a producer that fills it twice.
fn buffer(test_again: bool, wake_all: bool) -> Program {
    let wake = if wake_all { NotifyAll(A) } else { Notify(A) };
    let again = if test_again { Jump(-2) } else { Jump(1) };
    let take = vec![
        Lock(A),
        Unless(0, 0, 3),
        Wait(A),
        again,
        Assert(0, 1),
        Write(0, 0),
        wake,
        Unlock(A),
    ];
    let put = vec![
        Lock(A),
        Unless(0, 1, 3),
        Wait(A),
        again,
        Assert(0, 0),
        Write(0, 1),
        wake,
        Unlock(A),
    ];
    let twice = [put.clone(), put].concat();
    started(vec![take.clone(), take, twice])
}

#[test]
fn buffers() {
    check("BufferWhile", &buffer(true, true), &[]);
    check("BufferNotify", &buffer(true, false), &[ConditionDeadlock]);
    let outcome = run(&buffer(false, true), &mut ExitBlockRw::new());
    assert!(outcome.found.iter().any(|f| f.finding.kind == Assertion));
    let outcome = run(&buffer(false, true), &mut ExitBlock::new());
    assert!(outcome.found.iter().any(|f| f.finding.kind == Assertion));
}

/// ExitBlock-RW as published never runs the first thread after the second: their first
/// blocks share nothing but a lock, which the first one keeps.
#[test]
fn lock_kept_at_the_end_of_a_block() {
    let first = vec![
        Lock(A),
        Lock(B),
        Unlock(B),
        Lock(C),
        Assert(0, 0),
        Unlock(C),
        Unlock(A),
    ];
    let second = vec![Lock(A), Unlock(A), Lock(C), Write(0, 1), Unlock(C)];
    check2("kept", first, second, &[Assertion]);
}

/// A thread that was blocked does not want the lock any more after another has run, which
/// in turn depends on what the owner of the lock has done: no other order shows it.
#[test]
fn blocked_thread_changes_its_mind() {
    let owner = vec![
        Lock(A),
        Lock(B),
        Write(0, 1),
        Unlock(B),
        Lock(B),
        Assert(2, 0),
        Unlock(B),
        Unlock(A),
    ];
    let nested = vec![
        Lock(B),
        Unless(1, 0, 4),
        Lock(A),
        Unlock(A),
        Jump(2),
        Write(2, 1),
        Unlock(B),
    ];
    let third = vec![Lock(B), Unless(0, 1, 2), Write(1, 1), Unlock(B)];
    // It is a lock cycle as well.
    check(
        "mind",
        &started(vec![owner, nested, third]),
        &[Assertion, LockCycle],
    );
}

/// The second thread takes a lock and then runs into one whose owner waits; the third, who
/// would notify, does not get past it. Rivet undoes the second and never sees it.
#[test]
fn stuck_behind_one_that_is_stuck_within_a_block() {
    let waits = vec![Lock(A), Lock(B), Wait(B), Unlock(B), Unlock(A)];
    let between = vec![Lock(C), Lock(A), Unlock(A), Unlock(C)];
    let notifies = vec![Lock(C), Unlock(C), Lock(B), Notify(B), Unlock(B)];
    let program = started(vec![waits, between, notifies]);
    let stuck = "TERMINATED WAITING BLOCKED BLOCKED".to_string();
    for outcome in [
        run(&program, &mut ExitBlock::new()),
        run(&program, &mut ExitBlockRw::new()),
    ] {
        assert!(findings(&outcome).contains(&(ConditionDeadlock, stuck.clone())));
    }
}
