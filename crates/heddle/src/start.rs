//! Machines at the beginning of a program, with the library classes that it needs loaded.
//!
//! A search goes back to the beginning again and again, so whatever does not depend on
//! the schedule is done before it: trial runs find out which classes of the library the
//! program needs, also when an exception that nobody catches has to be reported, which may
//! happen on many paths and not on the one that is tried, and what else is worth knowing of
//! it (`learned.rs` of the VM). All machines of one `Start` are
//! alike to the last bit; they may differ in what they watch. They read the same standard
//! input, whoever read it first.

use crate::{run, terminal};
use heddle_model::{
    Choice, Event, EventMask, Machine, OpMask, Pick, Rewind, Stop, ThreadId, View, Watch,
};
use heddle_vm::files::Input;
use heddle_vm::interp::RunEnd;
use heddle_vm::options::Options;
use heddle_vm::places::Places;
use heddle_vm::preload::Preload;
use heddle_vm::vm::Vm;
use std::cell::Cell;
use std::io::Write;
use std::sync::{Arc, Mutex};

/// Bytecodes of a trial run, and those that it may take to the program's first one.
const TRIAL: u64 = 50_000_000;
const BEFORE_MAIN: u64 = 1_000_000;

/// A slice that never ends.
pub const ENDLESS: u64 = 1 << 40;

/// How to get to the beginning of a program.
pub struct Start {
    options: Options,
    input: Arc<Mutex<Input>>,
}

impl Start {
    /// Makes the trial runs, as far as there is time.
    pub fn new(mut options: Options, clock: &terminal::Watch) -> Result<Start, String> {
        options.stop_at_main = true;
        let mut trial = Vm::new(options.clone()).map_err(|e| e.0)?;
        trial.files.keep_inside();
        trial.learning = true;
        if go_to_main(&mut trial).is_ok() {
            options.preload = try_out(&mut trial, clock);
        }
        options.learned = trial.learned.clone();
        let input = trial.files.input();
        Ok(Start { options, input })
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// A machine that stands before the first instruction of the program.
    pub fn machine(&self, places: Places) -> Result<Vm, String> {
        let mut options = Options {
            places,
            ..self.options.clone()
        };
        if options.places == Places::All && options.slice >= ENDLESS {
            // Steps are instructions, and there are more of them: routes are not to end early.
            options.max_steps = u64::MAX;
            options.max_start = u64::MAX;
        }
        let mut vm = Vm::new(options).map_err(|e| e.0)?;
        vm.files.keep_inside();
        vm.files.share_input(self.input.clone());
        if let Err(problem) = go_to_main(&mut vm) {
            print_output(&mut vm);
            return Err(problem);
        }
        vm.watch_invariants(&self.options.invariants)?;
        vm.track_sharing();
        vm.output.take();
        Ok(vm)
    }
}

/// Runs to the beginning of the program's `main`.
fn go_to_main(vm: &mut Vm) -> Result<(), String> {
    loop {
        match vm.run_thread(1 << 40, &mut ()) {
            RunEnd::Exit(code) => {
                return Err(format!(
                    "the program ended with exit code {code} before its main method"
                ));
            }
            RunEnd::Unsupported(what) => return Err(format!("unsupported: {what}")),
            _ => {}
        }
        if vm.globals.main_started && vm.current == ThreadId(0) {
            break;
        }
        vm.current = run::next_thread(vm).ok_or("the library's initialization is stuck")?;
    }
    // The library's own threads settle down before the program begins.
    let system = vm.threads.iter().filter(|t| t.system).map(|t| t.id);
    for id in system.collect::<Vec<ThreadId>>() {
        vm.current = id;
        while vm.runnable().any(|t| t == id) {
            vm.run_thread(100_000, &mut ());
        }
    }
    vm.current = ThreadId(0);
    Ok(())
}

/// What a program needs of the library: on one path, and to report an exception that ends
/// its initial thread.
fn try_out(vm: &mut Vm, clock: &terminal::Watch) -> Preload {
    let root = vm.mark();
    fail_in_main(vm, clock);
    let failing = vm.preload_list();
    vm.rewind(root);
    search_path(vm, clock);
    vm.rewind(root);
    vm.forget(root);
    run_path(vm, clock);
    let mut needs = vm.preload_list();
    needs.add(failing);
    needs
}

/// Runs the path that a search begins with, as far as a tenth of a trial goes, or to the first
/// operation that a second thread could notice.
fn search_path(vm: &mut Vm, clock: &terminal::Watch) {
    vm.track_sharing();
    let end = vm.work + TRIAL / 10;
    let mut hurry = Hurry {
        clock,
        asked: Cell::new(0),
    };
    let mut nobody: Vec<&mut dyn Watch> = vec![&mut hurry];
    while vm.work < end && !clock.is_over() && vm.run(OpMask::VISIBLE, &mut nobody) == Stop::Choice
    {
        let point = vm.point();
        let goes_on = point
            .options
            .iter()
            .position(|c| *c == Choice::Run(point.by));
        vm.take(Pick(goes_on.unwrap_or(0)));
    }
    vm.heap.tracking = false;
}

/// How often it is asked whether to go on, of a thread that never stops: as long as a trial.
const ASKED: u32 = 100;

/// Watches nothing but the clock, and has the machine stop.
struct Hurry<'a> {
    clock: &'a terminal::Watch,
    asked: Cell<u32>,
}

impl Watch for Hurry<'_> {
    fn wants(&self) -> EventMask {
        EventMask::NONE
    }

    fn event(&mut self, _: &Event, _: &dyn View) {}

    fn gives_up(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.clock.is_over() || self.asked.get() >= ASKED
    }
}

/// Runs to the end of the program, or as long as a trial lasts, all threads in turn.
fn run_path(vm: &mut Vm, clock: &terminal::Watch) {
    let end = vm.work + TRIAL;
    while vm.work < end && !clock.is_over() {
        if let RunEnd::Exit(_) | RunEnd::Unsupported(_) = vm.run_thread(100_000, &mut ()) {
            return;
        }
        vm.expire();
        if !run::pass_turn(vm) {
            return;
        }
    }
}

/// Ends the program by an exception at the beginning of its `main`.
fn fail_in_main(vm: &mut Vm, clock: &terminal::Watch) {
    for _ in 0..BEFORE_MAIN {
        if vm.is_in_program() {
            vm.throw_error();
            return run_path(vm, clock);
        }
        // It can end or wait before its first bytecode: then nothing is learned.
        let RunEnd::Slice = vm.run_thread(1, &mut ()) else {
            return;
        };
    }
}

fn print_output(vm: &mut Vm) {
    for (_, bytes) in vm.output.take() {
        let _ = std::io::stderr().write_all(&bytes);
    }
}
