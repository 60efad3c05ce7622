//! One VM for many programs that are compiled together: a static field of `Driver` says which
//! of them is run, and is set before each search.

use crate::common::Place;
use crate::toy::classes::{Recorded, Subject};
use heddle_explore::{Limits, Outcome, explore};
use heddle_model::{Mark, ObjectId, OpMask, Rewind, Strategy, ThreadId, View};
use heddle_vm::class::{Basic, Field};
use heddle_vm::heap::Ref;
use heddle_vm::interp::RunEnd;
use heddle_vm::learned::Learned;
use heddle_vm::options::Options;
use heddle_vm::vm::Vm;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Programs with longer schedules are not looked at: loops that never end have such.
const DEEPEST: usize = 200;

/// A VM that stands before the first instruction of `Driver`, and the mark of that place.
pub struct Bench {
    vm: Option<Vm>,
    start: Mark,
    /// Programs with more schedules are not looked at.
    pub most: u64,
}

impl Bench {
    pub fn new(place: &Place, learned: Learned) -> Bench {
        let options = Options {
            slice: 1 << 40,
            learned,
            max_steps: 200_000,
            ..Options::plain(java_home(), &place.0, "Driver")
        };
        let mut trial = Vm::new(options.clone()).expect("a VM");
        advance(&mut trial, |_| false);
        let options = Options {
            preload: trial.preload_list(),
            stop_at_main: true,
            ..options
        };
        let mut vm = Vm::new(options).expect("a VM");
        let begun = |vm: &Vm| vm.globals.main_started && vm.current == ThreadId(0);
        assert!(advance(&mut vm, begun), "main was not reached");
        let system = vm.threads.iter().filter(|t| t.system).map(|t| t.id);
        for id in system.collect::<Vec<_>>() {
            vm.current = id;
            while vm.runnable().any(|t| t == id) {
                vm.run_thread(100_000, &mut ());
            }
        }
        vm.current = ThreadId(0);
        vm.track_sharing();
        vm.output.take();
        let start = vm.mark();
        Bench {
            vm: Some(vm),
            start,
            most: 3_000,
        }
    }

    /// Explores one of the programs.
    pub fn search(
        &mut self,
        number: usize,
        strategy: &mut impl Strategy,
        stops: OpMask,
    ) -> (Outcome, Seen) {
        let mut vm = self.vm.take().expect("a VM");
        let driver = vm
            .classes
            .iter()
            .copied()
            .find(|c| vm.external_name(c) == "Driver");
        let driver = driver.expect("the main class");
        let which = vm.symbol("which");
        let field = driver.fields.iter().find(|f| f.name == which);
        let field = field.expect("a field");
        vm.store_basic(
            driver.mirror.get(),
            field.offset as u64,
            field.basic,
            number as u64,
        );
        let mut machine = Recorded::new(vm);
        let limits = Limits {
            schedules: Some(self.most),
            depth: Some(DEEPEST),
            stops,
            ..Limits::default()
        };
        let outcome = explore(&mut machine, strategy, &mut [], &limits, &mut ());
        let seen = Seen {
            finals: machine.finals,
            classes: machine.classes,
        };
        let mut vm = machine.machine;
        vm.rewind(self.start);
        self.vm = Some(vm);
        (outcome, seen)
    }
}

/// What a search came to.
pub struct Seen {
    pub finals: BTreeSet<(bool, Vec<u32>)>,
    pub classes: BTreeSet<Vec<u64>>,
}

impl Seen {
    /// The outputs of executions that come to an end, and whether some do not.
    pub fn ends(&self) -> (BTreeSet<&[u32]>, bool) {
        let ended = self.finals.iter().filter(|f| f.0).map(|f| &f.1[..]);
        (ended.collect(), self.finals.iter().any(|f| !f.0))
    }
}

/// The values that are left in the static fields of the program: of its `int`s and
/// `AtomicInteger`s.
fn values(vm: &Vm) -> Vec<u32> {
    // What a program loads comes last.
    let mut classes = vm.classes.iter().rev().copied();
    let Some(program) = classes.find(|c| {
        let name = vm.name(c);
        let number = name.strip_prefix('P').unwrap_or_default();
        !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && c.is_initialized()
    }) else {
        return Vec::new();
    };
    let int = |object, field: &Field| vm.load_basic(object, field.offset as u64, Basic::Int) as u32;
    let value = |field: &Field| match field.basic {
        Basic::Int => Some(int(program.mirror.get(), field)),
        Basic::Reference => {
            let held = vm.load_basic(program.mirror.get(), field.offset as u64, field.basic);
            let held = Ref(held as u32);
            let class = (!held.is_null()).then(|| vm.class(vm.heap.class_of(held)))?;
            let atomic = vm.name(class) == "java/util/concurrent/atomic/AtomicInteger";
            let mut fields = class.fields.iter();
            let field =
                fields.find(|f| f.basic == Basic::Int && vm.symbols.text(f.name) == "value");
            atomic.then(|| int(held, field.expect("the value of an AtomicInteger")))
        }
        _ => None,
    };
    program.fields.iter().filter_map(value).collect()
}

impl Subject for Vm {
    /// The lines that were printed, sorted: their order means nothing. Where threads stand. And
    /// the values that are left.
    fn ending(&self) -> Vec<u32> {
        let bytes: Vec<u8> = self.output.bytes.iter().flat_map(|o| o.1.clone()).collect();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        lines.sort();
        let program = (0..self.thread_count() as u32).map(ThreadId);
        let mut program: Vec<ThreadId> = program.filter(|t| !self.is_system(*t)).collect();
        program.sort_by_key(|t| self.name_of(t.0));
        let states = program.into_iter().map(|t| View::thread(self, t).state);
        lines.extend(states.map(|state| state.to_string()));
        let text = lines.join("\n");
        text.chars().map(u32::from).chain(values(self)).collect()
    }

    fn ended_early(&self) -> bool {
        false
    }

    fn is_joined(_: ObjectId) -> bool {
        false
    }

    /// The place of its object, which whoever made it has chosen alone.
    fn name_of(&self, thread: u32) -> u32 {
        self.threads[thread as usize].object.0
    }
}

/// Runs threads in turn until `stop`; whether it came to that.
fn advance(vm: &mut Vm, stop: impl Fn(&Vm) -> bool) -> bool {
    vm.files.keep_inside();
    loop {
        if let RunEnd::Exit(_) | RunEnd::Unsupported(_) = vm.run_thread(100_000, &mut ()) {
            return false;
        }
        if stop(vm) {
            return true;
        }
        vm.expire();
        let after = vm.runnable().find(|id| *id > vm.current);
        let next = after.or_else(|| vm.runnable().next());
        let deadline = vm.next_deadline();
        match (next, deadline) {
            (Some(next), _) => vm.current = next,
            (None, Some(deadline)) => {
                vm.globals.clock = deadline;
                vm.expire();
            }
            (None, None) => return false,
        }
    }
}

fn java_home() -> PathBuf {
    if let Some(home) = std::env::var_os("JAVA_HOME") {
        return home.into();
    }
    let path = std::env::var_os("PATH").expect("a PATH");
    let mut javas = std::env::split_paths(&path).map(|p| p.join("java"));
    let java = javas.find_map(|java| java.canonicalize().ok());
    let home = java.and_then(|java| Some(java.parent()?.parent()?.to_path_buf()));
    home.expect("a JDK")
}
