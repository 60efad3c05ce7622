//! What several workers cost on the toy machine: processor time of all of them against that
//! of one, and how much of it each has used. The machine being next to nothing, this is what
//! sharing the tree costs at most.
//!
//! `cargo run --release -p heddle-explore --example jobs [WORKERS]`

use heddle_explore::strategies::{Dfs, Dpor, ExitBlockRw};
use heddle_explore::toy::{Program, Toy, programs};
use heddle_explore::{Control, Limits, Outcome, Pool, Worker, explore};
use heddle_model::Strategy;
use std::sync::Arc;

fn main() {
    let jobs = std::env::args().nth(1).map_or(2, |n| n.parse().unwrap());
    println!(
        "{:<18}{:<14}{:>11}{:>9}{:>10}{:>10}{:>8}  each",
        "program", "strategy", "schedules", "blocked", "one", "together", "ratio"
    );
    let dpor = |name: &str, program: Program| {
        measure(name, "dpor", &program, jobs, |pool| match pool {
            None => Dpor::new(),
            Some(pool) => Dpor::new().sharing(pool),
        });
    };
    dpor("counter 9", programs::counter(9));
    dpor("readers 16", programs::readers(16));
    dpor("lastzero 15", programs::lastzero(15));
    dpor("indexer 16", programs::indexer(16));
    dpor("filesystem 26", programs::filesystem(26));
    dpor("philosophers 5", programs::philosophers(5, 1, false));
    let rw = programs::performance(8, 3);
    measure("Performance 8 3", "exitblock-rw", &rw, jobs, |_| {
        ExitBlockRw::new()
    });
    let dfs = programs::counter(4);
    measure("counter 4", "dfs", &dfs, jobs, |_| Dfs::new());
}

fn measure<S: Strategy>(
    name: &str,
    kind: &str,
    program: &Program,
    jobs: usize,
    new: impl Fn(Option<Arc<Pool>>) -> S + Sync,
) {
    let one = work(program, Worker::alone(new(None)), &Pool::new(1, None));
    let pool = Pool::new(jobs, None);
    let mut all = std::thread::scope(|scope| {
        let other = || {
            let worker = Worker::other(new(Some(pool.clone())), pool.clone())?;
            Some(work(program, worker, &pool))
        };
        let others: Vec<_> = (1..jobs).map(|_| scope.spawn(other)).collect();
        let first = Worker::first(new(Some(pool.clone())), pool.clone());
        let mut all = vec![work(program, first, &pool)];
        all.extend(others.into_iter().filter_map(|o| o.join().unwrap()));
        all
    });
    let schedules: u64 = all.iter().map(|(o, _)| o.schedules).sum();
    assert_eq!(one.0.schedules, schedules, "{name}");
    let blocked: u64 = all.iter().map(|(o, _)| o.blocked).sum();
    let together: f64 = all.iter().map(|(_, s)| s).sum();
    let each: Vec<String> = all
        .drain(..)
        .map(|(o, s)| format!("{s:.2} s {}", o.schedules))
        .collect();
    println!(
        "{name:<18}{kind:<14}{schedules:>11}{blocked:>9}{:>10.3}{together:>10.3}{:>8.2}  {}",
        one.1,
        together / one.1,
        each.join(", "),
    );
}

fn work<S: Strategy>(program: &Program, mut worker: Worker<S>, pool: &Arc<Pool>) -> (Outcome, f64) {
    let begin = used();
    let outcome = explore(
        &mut Toy::new(program.clone()),
        &mut worker,
        &mut [],
        &Limits::default(),
        &mut Watch(pool.clone()),
    );
    (outcome, used() - begin)
}

struct Watch(Arc<Pool>);

impl Control for Watch {
    fn interrupted(&self) -> bool {
        self.0.stopped()
    }
}

/// Seconds of processor time of this thread.
fn used() -> f64 {
    let used = std::fs::read_to_string("/proc/thread-self/schedstat");
    let used = used.expect("a system that tells what threads have used");
    let used = used.split(' ').next().and_then(|ns| ns.parse::<f64>().ok());
    used.expect("a number") / 1e9
}
