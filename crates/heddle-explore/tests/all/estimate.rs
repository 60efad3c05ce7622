//! Sizes of trees, estimated on the way, against what they turn out to be.

use crate::common::*;
use heddle_explore::strategies::{Dfs, Dpor, ExitBlock, Random};
use heddle_explore::toy::{Program, Toy, programs};
use heddle_explore::{Control, Estimate, Limits, Outcome, Progress, Tick, explore};
use heddle_model::Strategy;

#[derive(Default)]
struct Notes(Vec<(u64, Estimate, f64)>);

impl Control for Notes {
    fn tick(&mut self, progress: &Progress) -> Tick {
        let size = progress.size.expect("a walk through a tree has a size");
        let share = progress.explored.expect("and a share");
        self.0.push((progress.schedules, size, share));
        Tick::GoOn
    }
}

fn watch(
    program: &Program,
    strategy: &mut impl Strategy,
    schedules: Option<u64>,
) -> (Outcome, Notes) {
    let mut notes = Notes::default();
    let limits = Limits {
        schedules,
        ..Limits::default()
    };
    let mut toy = Toy::new(program.clone());
    let outcome = explore(&mut toy, strategy, &mut [], &limits, &mut notes);
    (outcome, notes)
}

/// Knuth's estimate, from random schedules, of what an exhaustive search counts.
#[test]
fn random_schedules_tell_how_many_there_are() {
    let body = vec![Write(0, 1), Read(1), Write(1, 1)];
    let locked = vec![Lock(0), Write(0, 1), Unlock(0)];
    for program in [
        started(vec![vec![Write(0, 1), Write(0, 2)]; 2]),
        started(vec![body.clone(), body, vec![Read(0)]]),
        started(vec![locked.clone(), locked.clone(), locked]),
    ] {
        let exact = run(&program, &mut Dfs::new()).schedules as f64;
        let (mut off, mut errors) = (0.0, 0.0);
        for seed in 0..5 {
            let (_, notes) = watch(&program, &mut Random::new(seed), Some(4_000));
            let (_, size, _) = notes.0[notes.0.len() - 1];
            assert!(
                (size.size - exact).abs() < 5.0 * size.error,
                "{size:?} {exact}"
            );
            assert!(size.error < 0.1 * exact, "{size:?} {exact}");
            off += size.size - exact;
            errors += size.error;
        }
        // Too high as often as too low.
        assert!(off.abs() < 2.5 * errors / 5.0f64.sqrt(), "{off} {errors}");
    }
}

#[test]
fn searches_tell_how_large_their_trees_are() {
    fn check(name: &str, program: &Program, strategy: &mut impl Strategy) {
        let (outcome, notes) = watch(program, strategy, None);
        let exact = outcome.schedules as f64;
        let half = notes.0.iter().filter(|n| n.0 * 2 > outcome.schedules);
        let (mut near, mut all) = (0, 0);
        for (done, size, share) in half {
            all += 1;
            near += u32::from((size.size - exact).abs() <= (3.0 * size.error).max(exact / 4.0));
            assert!(
                size.size >= *done as f64 - 0.5,
                "{name}: {done} of {size:?}"
            );
            assert!((0.0..=1.0).contains(share), "{name}: {share}");
        }
        assert!(all > 3 && near * 10 >= all * 9, "{name}: {near} of {all}");
        // Detours end paths that do not count.
        assert!(outcome.explored.is_some_and(|share| share > 0.99), "{name}");
    }
    let body = vec![Write(0, 1), Read(1), Write(1, 1)];
    let threads = started(vec![body.clone(), body.clone(), vec![Read(0), Write(2, 1)]]);
    check("dfs", &threads, &mut Dfs::new());
    check("dpor", &programs::readers(11), &mut Dpor::new());
    check("exitblock", &deadlock3(), &mut ExitBlock::new());
}
