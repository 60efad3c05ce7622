//! Schedules per second on the toy machine: what the driver and the strategies cost, the
//! machine being next to nothing.
//!
//! `cargo run --release -p heddle-explore --example schedules`

use heddle_explore::strategies::{Dfs, Dpor, ExitBlock, ExitBlockRw, Random};
use heddle_explore::toy::programs;
use heddle_explore::toy::{Op, Op::*, Program, Toy};
use heddle_explore::{Limits, explore};
use heddle_model::Strategy;
use std::sync::LazyLock;
use std::time::Instant;

fn main() {
    println!(
        "{:<28}{:<14}{:>11}{:>9}{:>12}{:>9}{:>11}{:>10}",
        "program", "strategy", "schedules", "extra", "points", "seconds", "per s", "ns/point"
    );
    let dpor = |name: &str, program: Program| {
        measure(name, "dpor", &program, &mut Dpor::new(), 3_000_000);
    };
    dpor("counter 9", programs::counter(9));
    dpor("readers 18", programs::readers(18));
    dpor("lastzero 15", programs::lastzero(15));
    dpor("indexer 16", programs::indexer(16));
    dpor("filesystem 26", programs::filesystem(26));
    dpor("philosophers 6", programs::philosophers(6, 1, false));
    dpor("Performance 3 4", programs::performance(3, 4));
    let both = |name: &str, program: &Program, most: u64| {
        measure(name, "exitblock-rw", program, &mut ExitBlockRw::new(), most);
        measure(name, "exitblock", program, &mut ExitBlock::new(), most);
    };
    both("Performance 8 3", &performance(8, 3), 3_000_000);
    both("Performance 6 5", &performance(6, 5), 3_000_000);
    both("Performance 12 1", &performance(12, 1), 3_000_000);
    both("philosophers 5", &philosophers(5), 3_000_000);
    both("counter 4 threads", &counter(4), 3_000_000);
    let longer = performance(8, 3);
    measure(
        "Performance 8 3, longer",
        "exitblock",
        &longer,
        &mut ExitBlock::new(),
        10_000_000,
    );
    both("long start-up", &long_start(100_000), 3_000_000);
    measure(
        "counter 4 threads",
        "dfs",
        &counter(4),
        &mut Dfs::new(),
        3_000_000,
    );
    measure(
        "counter 4 threads",
        "random",
        &counter(4),
        &mut Random::new(1),
        300_000,
    );
}

fn measure<S: Strategy>(name: &str, kind: &str, program: &Program, strategy: &mut S, most: u64) {
    let mut toy = Toy::new(program.clone());
    let limits = Limits {
        schedules: Some(most),
        ..Limits::default()
    };
    let begin = now();
    let outcome = explore(&mut toy, strategy, &mut [], &limits, &mut ());
    let seconds = now() - begin;
    let schedules = outcome.schedules + outcome.extra;
    println!(
        "{name:<28}{kind:<14}{:>11}{:>9}{:>12}{seconds:>9.3}{:>11.0}{:>10.1}",
        outcome.schedules,
        outcome.extra,
        outcome.choice_points,
        schedules as f64 / seconds,
        seconds * 1e9 / outcome.choice_points as f64,
    );
}

/// Seconds of processor time where the system tells them (others may be busy on the same
/// machine), else of the clock.
fn now() -> f64 {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let used = std::fs::read_to_string("/proc/self/schedstat").ok();
    let used = used.and_then(|s| s.split(' ').next()?.parse::<f64>().ok());
    used.map_or_else(|| BEGIN.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

fn performance(threads: u32, locks: u32) -> Program {
    let body: Vec<Op> = (0..locks).flat_map(|l| [Lock(l), Unlock(l)]).collect();
    Program::started(vec![body; threads as usize])
}

fn philosophers(n: u32) -> Program {
    let eat = |i: u32| {
        let (left, right) = (i, (i + 1) % n);
        vec![
            Lock(left),
            Lock(right),
            Read(i),
            Store(i, 1),
            Unlock(right),
            Unlock(left),
        ]
    };
    Program::started((0..n).map(eat).collect())
}

/// Threads that all depend on each other.
fn counter(threads: usize) -> Program {
    let body = vec![Lock(0), Read(0), Unlock(0), Lock(0), Store(0, 1), Unlock(0)];
    Program::started(vec![body; threads])
}

/// A start-up that all schedules share must not be paid by each of them.
fn long_start(steps: usize) -> Program {
    let mut program = performance(8, 3);
    let prelude = std::iter::repeat_n([Read(0), Store(0, 1)], steps / 2).flatten();
    program.threads[0].splice(0..0, prelude);
    Program::new(program.threads)
}
