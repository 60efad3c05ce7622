//! What marks cost: a mark and its rewind, and running on with marks that are taken
//! now and then.
//!
//! The price of a mark is spread over the mark itself, the first writes after it, and
//! the rewind. So the same steps are taken with and without, and the difference is
//! what is reported.

use std::time::Duration;

use heddle_conformance::launch::quiet;
use heddle_conformance::toolchain::{target_dir, workspace_root};
use heddle_model::{Machine, Mark, OpMask, Pick, Rewind, Stop};
use heddle_vm::vm::Vm;

use crate::inside::{best, has_printed, machine, run_until, timed};
use crate::measure::Bench;
use crate::report::Figure;

const ROUNDS: u32 = 200_000;
const RUNS: usize = 5;
/// Bytecodes between a mark and its rewind: a round of the loop of `Depth`, of five
/// writes.
const BUDGET: i64 = 34;

pub fn run(bench: &Bench) -> Result<Vec<Figure>, String> {
    let classes = target_dir().join("bench").join("marks");
    std::fs::create_dir_all(&classes).map_err(|e| e.to_string())?;
    let sources = workspace_root().join("bench").join("marks");
    for class in ["Depth", "Philosophers"] {
        let source = sources.join(format!("{class}.java"));
        let mut javac = quiet(&bench.jdk.javac, &classes);
        let done = javac.args(["-d", "."]).arg(source).status();
        if !done.is_ok_and(|status| status.success()) {
            return Err(format!("javac failed on {class}"));
        }
    }
    let mut figures = Vec::new();
    if bench.wants("Depth") {
        let mut vm = machine(&bench.jdk, &classes, "Depth")?;
        run_until(&mut vm, &mut (), has_printed)?;
        figures.push(at_depth_ten(&mut vm)?);
    }
    if bench.wants("Philosophers") {
        let mut vm = machine(&bench.jdk, &classes, "Philosophers")?;
        run_until(&mut vm, &mut (), has_printed)?;
        figures.push(transitions(&mut vm)?);
    }
    for class in ["Fields", "Collections", "Sorting", "Virtual"] {
        if bench.wants(class) {
            figures.push(now_and_then(bench, class)?);
        }
    }
    Ok(figures)
}

/// A mark, a few writes, a rewind; the loop never gets on.
fn at_depth_ten(vm: &mut Vm) -> Result<Figure, String> {
    let base = vm.mark();
    let with = best(RUNS, || {
        timed(|| {
            for _ in 0..ROUNDS {
                let mark = vm.mark();
                vm.run_thread(BUDGET, &mut ());
                vm.rewind(mark);
                vm.forget(mark);
            }
            Ok(())
        })
    })?;
    vm.rewind(base);
    vm.forget(base);
    let without = best(RUNS, || {
        timed(|| {
            for _ in 0..ROUNDS {
                vm.run_thread(BUDGET, &mut ());
            }
            Ok(())
        })
    })?;
    let each = (with.as_secs_f64() - without.as_secs_f64()) * 1e6 / f64::from(ROUNDS);
    Ok(Figure::new("mark and rewind, depth 10", each, "µs").at_most(2.0))
}

/// A path of transitions with a mark before each, taken back one by one, as a search
/// does it; against the same path without the marks.
fn transitions(vm: &mut Vm) -> Result<Figure, String> {
    const STEPS: usize = 40;
    const PATHS: u32 = 2_000;
    let step = |vm: &mut Vm, i: usize| -> Result<(), String> {
        let options = vm.point().options.len();
        vm.take(Pick(i % options));
        match vm.run(OpMask::NONE, &mut ()) {
            Stop::Choice => Ok(()),
            other => Err(format!("philosophers: {other:?}")),
        }
    };
    // Steps as short as those of a search; first past what is linked only once.
    vm.options.slice = 40;
    vm.run(OpMask::NONE, &mut ());
    for i in 0..10_000 {
        step(vm, i)?;
    }
    let base = vm.mark();
    let choices = vm.choices.clone();
    let with = best(RUNS, || {
        timed(|| {
            for _ in 0..PATHS {
                let mut marks: Vec<Mark> = Vec::new();
                for i in 0..STEPS {
                    marks.push(vm.mark());
                    step(vm, i)?;
                }
                for mark in marks.into_iter().rev() {
                    vm.rewind(mark);
                    vm.forget(mark);
                }
                vm.choices.clone_from(&choices);
            }
            Ok(())
        })
    })?;
    let without = best(RUNS, || {
        timed(|| {
            for _ in 0..PATHS {
                for i in 0..STEPS {
                    step(vm, i)?;
                }
                vm.rewind(base);
                vm.choices.clone_from(&choices);
            }
            Ok(())
        })
    })?;
    let steps = f64::from(PATHS) * STEPS as f64;
    let each = (with.as_secs_f64() - without.as_secs_f64()) * 1e6 / steps;
    let all = with.as_secs_f64() * 1e6 / steps;
    let figure = Figure::new("mark and rewind, philosophers", each, "µs").at_most(2.0);
    Ok(figure.with_note(format!("{all:.2} µs with the step itself")))
}

/// A CPU-bound program with a mark every few slices, against the same without any.
fn now_and_then(bench: &Bench, class: &str) -> Result<Figure, String> {
    const EVERY: u32 = 10;
    let whole = |marks: bool| {
        let mut vm = machine(&bench.jdk, &bench.classes, class)?;
        let (mut slices, mut last) = (0, None);
        timed(|| {
            run_until(&mut vm, &mut (), |vm| {
                slices += 1;
                if marks && slices % EVERY == 0 {
                    if let Some(mark) = last {
                        vm.forget(mark);
                    }
                    last = Some(vm.mark());
                }
                false
            })
        })
    };
    // Alternately, so that a change of the machine's speed touches both.
    let (mut without, mut with) = (Duration::MAX, Duration::MAX);
    for _ in 0..bench.runs(5) {
        without = without.min(whole(false)?);
        with = with.min(whole(true)?);
    }
    let more = (with.as_secs_f64() / without.as_secs_f64() - 1.0) * 100.0;
    let name = format!("a mark every {EVERY} slices, {class}");
    Ok(Figure::new(&name, more, "%").at_most(10.0))
}
