//! `heddle run`: one execution under a deterministic round robin.

use crate::args::RunArgs;
use crate::rehearse::Rehearsal;
use crate::{CANNOT_ANSWER, class_path, jdk, memory, signals, stuck};
use heddle_model::Trust;
use heddle_vm::interp::RunEnd;
use heddle_vm::options::{Main, Options};
use heddle_vm::signal::Delivery;
use heddle_vm::stack::STACK_BYTES;
use heddle_vm::thread::ThreadId;
use heddle_vm::vm::{Stream, Vm};
use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Runs the program; the exit code is its own.
pub fn run(args: RunArgs) -> ExitCode {
    let (slice, seed, real_time) = (args.slice, args.seed, args.real_time);
    let mut rehearsal = args.rehearse.map(Rehearsal::new);
    if let Main::Jar(jar) = &args.main
        && let Some(complaint) = class_path::complaint(jar)
    {
        eprintln!("{complaint}");
        return ExitCode::from(1);
    }
    let options = match options(args) {
        Ok(options) => options,
        Err(message) => return cannot(&message),
    };
    let mut vm = match Vm::new(options) {
        Ok(vm) => vm,
        Err(error) => return cannot(&error.0),
    };
    if rehearsal.is_some() {
        // What a rewind takes back must not have reached the host.
        vm.files.keep_inside();
    }
    signals::watch();
    let mut robin = RoundRobin {
        slice,
        random: seed,
    };
    loop {
        if let Some(rehearsal) = &mut rehearsal
            && let Err(message) = rehearsal.step(&mut vm)
        {
            return cannot(&message);
        }
        let end = vm.run_thread(robin.slice() as i64, &mut ());
        if let Some(rehearsal) = &mut rehearsal
            && !matches!(
                end,
                RunEnd::Slice | RunEnd::Blocked | RunEnd::ThreadEnd | RunEnd::Paused
            )
        {
            match rehearsal.end(&mut vm) {
                Ok(true) => continue,
                Ok(false) => {}
                Err(message) => return cannot(&message),
            }
        }
        if vm.journal.live() == 0 {
            flush(&mut vm);
        }
        match end {
            RunEnd::Slice | RunEnd::Blocked | RunEnd::ThreadEnd | RunEnd::Paused => {}
            RunEnd::Exit(code) => return ExitCode::from(code as u8),
            RunEnd::Unsupported(what) => {
                eprint!("{}", stuck::unsupported(&mut vm, &what));
                return ExitCode::from(CANNOT_ANSWER);
            }
        }
        vm.expire();
        loop {
            if let Some(number) = signals::take()
                && vm.deliver(number) == Delivery::Fatal
            {
                return ExitCode::from(128 + number as u8);
            }
            if let Some(next) = next_thread(&vm) {
                vm.current = next;
                break;
            }
            // Nobody can run: time passes until somebody's wait ends.
            let Some(deadline) = vm.next_deadline() else {
                flush(&mut vm);
                eprint!("{}", stuck::report(&mut vm));
                return ExitCode::from(1);
            };
            if real_time {
                let left = deadline - vm.globals.clock;
                std::thread::sleep(Duration::from_nanos(left).min(NAP));
                if left > NAP.as_nanos() as u64 {
                    vm.globals.clock += NAP.as_nanos() as u64;
                    continue;
                }
            }
            vm.globals.clock = deadline;
            vm.expire();
        }
    }
}

/// The longest sleep before signals are looked for.
const NAP: Duration = Duration::from_millis(20);

/// Gives the turn to the next thread; time passes until one can run. Whether any ever can.
pub fn pass_turn(vm: &mut Vm) -> bool {
    loop {
        if let Some(next) = next_thread(vm) {
            vm.current = next;
            return true;
        }
        let Some(deadline) = vm.next_deadline() else {
            return false;
        };
        vm.globals.clock = deadline;
        vm.expire();
    }
}

/// The next runnable thread after the current one, in the order of their numbers.
pub fn next_thread(vm: &Vm) -> Option<ThreadId> {
    let current = vm.current;
    let mut first = None;
    for id in vm.runnable() {
        if id > current {
            return Some(id);
        }
        first.get_or_insert(id);
    }
    first
}

/// Slices: all alike, or random ones from a seed.
struct RoundRobin {
    slice: u64,
    random: Option<u64>,
}

impl RoundRobin {
    fn slice(&mut self) -> u64 {
        match &mut self.random {
            None => self.slice,
            Some(state) => {
                *state = heddle_vm::heap::mix(*state);
                1 + *state % (2 * self.slice)
            }
        }
    }
}

pub fn options(args: RunArgs) -> Result<Options, String> {
    let java_home = jdk::find(args.jdk.as_deref())?;
    let class_path = match &args.main {
        // With -jar the jar is the class path.
        Main::Jar(jar) => jar.clone(),
        Main::Class(_) => args
            .class_path
            .or_else(|| std::env::var("CLASSPATH").ok().filter(|p| !p.is_empty()))
            .map_or_else(|| ".".into(), |path| class_path::expand(&path)),
    };
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let mut properties = args.properties;
    let given = &args.module_options;
    for (at, (option, value)) in given.iter().enumerate() {
        let before = given[..at].iter().filter(|(o, _)| o == option).count();
        properties.push((option.property(before), value.clone()));
    }
    Ok(Options {
        java_home,
        class_path,
        properties,
        given: args.given,
        main: args.main,
        args: args.args,
        assertions: args.assertions,
        preview: args.preview,
        stack: args.stack.unwrap_or(STACK_BYTES),
        heap_limit: args.heap.unwrap_or_else(|| memory::available() / 2),
        start_millis: now.as_millis() as i64,
        processors: args.processors.unwrap_or_else(processors),
        asked_for_processors: Default::default(),
        environment: std::env::vars_os()
            .map(|(k, v)| {
                (
                    k.to_string_lossy().into_owned(),
                    v.to_string_lossy().into_owned(),
                )
            })
            .collect(),
        seed: args.seed.unwrap_or(0),
        invariants: Vec::new(),
        max_steps: u64::MAX,
        max_start: u64::MAX,
        printing: Default::default(),
        slice: args.slice,
        stop_at_main: false,
        preload: Default::default(),
        learned: Default::default(),
        places: Default::default(),
        trust: Trust::library(),
        directory: std::env::current_dir().map_err(|e| format!("no working directory: {e}"))?,
    })
}

/// Processors of this machine.
fn processors() -> u32 {
    std::thread::available_parallelism().map_or(1, |n| n.get() as u32)
}

fn flush(vm: &mut Vm) {
    for (stream, bytes) in vm.output.take() {
        // A closed pipe must not end the program; java's streams swallow it too.
        let _ = match stream {
            Stream::Out => {
                let mut out = std::io::stdout().lock();
                out.write_all(&bytes).and_then(|()| out.flush())
            }
            Stream::Err => std::io::stderr().lock().write_all(&bytes),
        };
    }
}

fn cannot(message: &str) -> ExitCode {
    eprintln!("heddle: {message}");
    ExitCode::from(CANNOT_ANSWER)
}
