//! Machines at the beginning of a program, with the library classes that it needs loaded.
//!
//! A search goes back to the beginning again and again, so whatever does not depend on
//! the schedule is done before it: a trial run finds out which classes of the library the
//! program needs. All machines of one `Start` are alike to the last bit; they may differ
//! in what they watch. They read the same standard input, whoever read it first.

use crate::run;
use heddle_model::ThreadId;
use heddle_vm::files::Input;
use heddle_vm::interp::RunEnd;
use heddle_vm::options::Options;
use heddle_vm::places::Places;
use heddle_vm::vm::Vm;
use std::io::Write;
use std::sync::{Arc, Mutex};

/// Bytecodes of the trial run.
const TRIAL: u64 = 50_000_000;

/// A slice that never ends.
pub const ENDLESS: u64 = 1 << 40;

/// How to get to the beginning of a program.
pub struct Start {
    options: Options,
    input: Arc<Mutex<Input>>,
}

impl Start {
    /// Makes the trial run.
    pub fn new(mut options: Options) -> Result<Start, String> {
        let mut trial = Vm::new(Options {
            stop_at_main: false,
            ..options.clone()
        })
        .map_err(|e| e.0)?;
        trial.files.keep_inside();
        while trial.work < TRIAL {
            match trial.run_thread(100_000, &mut ()) {
                RunEnd::Exit(_) | RunEnd::Unsupported(_) => break,
                _ => {}
            }
            trial.expire();
            match run::next_thread(&trial) {
                Some(next) => trial.current = next,
                None => match trial.next_deadline() {
                    Some(deadline) => {
                        trial.globals.clock = deadline;
                        trial.expire();
                    }
                    None => break,
                },
            }
        }
        options.preload = trial.preload_list();
        options.stop_at_main = true;
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
        }
        let mut vm = Vm::new(options).map_err(|e| e.0)?;
        vm.files.keep_inside();
        vm.files.share_input(self.input.clone());
        loop {
            match vm.run_thread(1 << 40, &mut ()) {
                RunEnd::Exit(code) => {
                    print_output(&mut vm);
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
            vm.current = run::next_thread(&vm).ok_or("the library's initialization is stuck")?;
        }
        // The library's own threads settle down before the program begins.
        let system: Vec<ThreadId> = vm
            .threads
            .iter()
            .filter(|t| t.system)
            .map(|t| t.id)
            .collect();
        for id in system {
            vm.current = id;
            while vm.runnable().any(|t| t == id) {
                vm.run_thread(100_000, &mut ());
            }
        }
        vm.current = ThreadId(0);
        vm.watch_invariants(&self.options.invariants)?;
        vm.track_sharing();
        vm.output.take();
        Ok(vm)
    }
}

fn print_output(vm: &mut Vm) {
    for (_, bytes) in vm.output.take() {
        let _ = std::io::stderr().write_all(&bytes);
    }
}
