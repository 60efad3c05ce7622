//! From nothing to the program's `main`, in the order of the JDK's own launcher.

use crate::class::ClassPtr;
use crate::files::Files;
use crate::hash::FastMap;
use crate::heap::{Heap, Ref, Region};
use crate::interp::clear_frame;
use crate::known::Known;
use crate::load::BootPath;
use crate::native::{Frame, Res, Trap, call, call_catching, from_bool, from_int, from_ref};
use crate::options::{Main, Options};
use crate::stack::{Reach, Stack};
use crate::thread::{Awaits, Control, Thread, ThreadId, ThreadState, Wake};
use crate::thread_end::MAIN_OVER;
use crate::translate::Translator;
use crate::upcall::Stubs;
use crate::vm::{Globals, Output, Vm, trap};
use heddle_classfile::jimage::Image;
use heddle_model::EventKind;
use std::collections::BTreeMap;

/// Why the VM could not be set up.
#[derive(Debug)]
pub struct BootError(pub String);

impl Vm {
    /// A machine at rest before the first instruction of the initial thread.
    pub fn new(options: Options) -> Result<Vm, BootError> {
        let learned = options.learned.clone();
        let modules = options.java_home.join("lib/modules");
        let image = map_static(&modules)
            .map_err(|e| BootError(format!("{}: {e}", modules.display())))
            .and_then(|data| {
                Image::open(data).map_err(|e| BootError(format!("{}: {e:?}", modules.display())))
            })?;
        let heap = Heap::new(options.heap_limit)
            .map_err(|e| BootError(format!("cannot reserve memory for the heap: {e}")))?;
        let known = Known::none();
        let nothing = known.object;
        let mut vm = Vm {
            globals: Globals {
                clock: 0,
                expired: 0,
                exit: None,
                random: options.seed,
                hidden_classes: 0,
                lambdas: 0,
                init_phase: 0,
                input: 0,
                bytecodes: 0,
                live: 1,
                threaded: false,
                roll: Default::default(),
                main_started: false,
                main_loader: Ref::NULL,
                library_threads: 0,
                state: Default::default(),
            },
            files: Files::new(options.directory.clone()),
            options,
            heap,
            symbols: Default::default(),
            classes: vec![nothing],
            methods: Vec::new(),
            dictionary: FastMap::default(),
            constraints: Vec::new(),
            asked: FastMap::default(),
            unloaded: FastMap::default(),
            natives: FastMap::default(),
            known,
            boot_path: BootPath {
                image,
                packages: FastMap::default(),
                loader_packages: FastMap::default(),
                exports: Default::default(),
                java_base: Ref::NULL,
                unnamed: Ref::NULL,
            },
            threads: Vec::new(),
            current: ThreadId(0),
            monitors: BTreeMap::new(),
            strings: FastMap::default(),
            journal: Default::default(),
            output: Output::default(),
            translator: Translator::new(),
            selections: FastMap::default(),
            polymorphic: FastMap::default(),
            vtables: vec![std::ptr::null()],
            elements_of: vec![0],
            boolean_array: 0,
            interface_cache: vec![(0, None); 4096].into_boxed_slice(),
            lambda_factories: FastMap::default(),
            adapters: FastMap::default(),
            recipes: FastMap::default(),
            records: FastMap::default(),
            call_sites: FastMap::default(),
            spare_stacks: Vec::new(),
            guards: None,
            stubs: None,
            choices: Vec::new(),
            ahead: Vec::new(),
            candidates: Vec::new(),
            work: 0,
            logged: false,
            broken: None,
            stops: heddle_model::OpMask::NONE,
            pause: heddle_model::Pause::Slice,
            standard_streams: [Ref::NULL; 2],
            crossed: Default::default(),
            halting: [Ref::NULL; 2],
            learned,
            learning: false,
            watched: false,
            invariants: Default::default(),
            called: Default::default(),
            wanted: heddle_model::EventMask::NONE,
            events: Vec::new(),
        };
        vm.set_up()
            .map_err(|t| BootError(format!("this JDK cannot be used: {t:?}")))?;
        Ok(vm)
    }

    fn set_up(&mut self) -> Res<()> {
        self.symbol("");
        self.register_natives();
        self.load_known()?;
        self.make_primitives();
        self.boolean_array = self
            .known
            .primitive_array(crate::class::Basic::Boolean)
            .id
            .0;
        let boxes = [
            "Boolean",
            "Character",
            "Float",
            "Double",
            "Byte",
            "Short",
            "Integer",
            "Long",
        ];
        for (name, basic) in boxes.iter().zip(crate::class::Basic::PRIMITIVES) {
            let class = self.load_boot(&format!("java/lang/{name}"))?;
            let offset = self.offset(class, "value") as u32;
            self.known.boxes.push((basic, class, offset));
        }
        self.complete_mirrors();
        let stubs = Stubs::make(self);
        self.stubs = Some(stubs);
        let main = self.new_thread(Vec::new(), 0, self.options.stack);
        self.push_bottom(main, stubs.main, &[]);
        Ok(())
    }

    pub fn stubs(&self) -> Stubs {
        self.stubs
            .expect("heddle internal error: stubs before set-up")
    }

    /// Adds a thread without frames.
    pub fn new_thread(&mut self, path: Vec<u32>, seed: u64, stack_bytes: usize) -> ThreadId {
        let id = ThreadId(self.threads.len() as u32);
        let spare = self
            .spare_stacks
            .iter()
            .rposition(|s| s.serves(stack_bytes));
        let mut stack = match spare {
            Some(spare) => self.spare_stacks.swap_remove(spare),
            None => Stack::new(stack_bytes),
        };
        stack.reset();
        let epoch = self.heap.epoch;
        let method = self.stubs.map_or_else(|| unset_method(self), |s| s.thread);
        self.threads.push(Thread {
            id,
            path,
            object: Ref::NULL,
            group: Ref::NULL,
            daemon: false,
            system: false,
            control: Control {
                state: ThreadState::Runnable,
                wake: Wake::None,
                interrupted: false,
                permit: false,
                suspended: false,
                stop: Ref::NULL,
                stop_within: Ref::NULL,
                region: Region {
                    seed,
                    ..Region::default()
                },
                children: 0,
                pc: std::ptr::null(),
                fp: std::ptr::null_mut(),
                method,
                reach: Reach::all(&stack),
                pending: Ref::NULL,
                counter: 0,
                at_operation: false,
                granted: false,
                may_wait: false,
                looking: false,
                heard: 0,
                awaits: Awaits::Nothing,
                round: Default::default(),
                looks: 0,
                counted: Default::default(),
                steps: 0,
                call_open: false,
                edge: Default::default(),
                monitors: 0,
                crossings: 0,
                hidden_from: usize::MAX,
                released: false,
                arrived: false,
                told: Default::default(),
                chosen: None,
                record: Default::default(),
            },
            stack,
            saved_epoch: epoch,
        });
        self.log_thread_born();
        id
    }

    /// Gives a new thread its first frame.
    pub fn push_bottom(&mut self, id: ThreadId, method: crate::class::MethodPtr, args: &[u64]) {
        let thread = self.thread_mut(id);
        let base = thread.stack.base();
        // SAFETY: the stack is larger than the first frame of a stub.
        unsafe {
            clear_frame(base, 0, method);
            for (i, &arg) in args.iter().enumerate() {
                *base.add(i) = arg;
            }
        }
        thread.control.fp = base;
        thread.control.reach.low = base;
        thread.control.pc = method.code.get();
        thread.control.method = method;
    }
}

fn unset_method(vm: &mut Vm) -> crate::class::MethodPtr {
    vm.methods[0]
}

/// Maps a file for ever.
fn map_static(path: &std::path::Path) -> std::io::Result<&'static [u8]> {
    use std::os::fd::AsRawFd;
    let file = std::fs::File::open(path)?;
    let len = file.metadata()?.len() as usize;
    // SAFETY: a private read-only mapping that is never unmapped. A JDK's image does not
    // change while it is in use.
    unsafe {
        let map = libc::mmap(
            std::ptr::null_mut(),
            len,
            libc::PROT_READ,
            libc::MAP_PRIVATE,
            file.as_raw_fd(),
            0,
        );
        if map == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        Ok(std::slice::from_raw_parts(map.cast(), len))
    }
}

/// The initial thread, from library initialization to the end of the program.
pub fn main_life(vm: &mut Vm, f: Frame) -> Res<u64> {
    let phase = f.phase();
    f.set_phase(phase + 1);
    let result = main_step(vm, f, phase);
    if let Err(trap) = &result
        && matches!(
            **trap,
            Trap::Init(_) | Trap::Load { .. } | Trap::Block | Trap::Pause(_)
        )
    {
        f.set_phase(phase);
    }
    result
}

fn main_step(vm: &mut Vm, f: Frame, phase: u32) -> Res<u64> {
    match phase {
        0 => {
            // The Thread object exists before any Java code runs: currentThread needs it.
            let class = vm.known.thread;
            let object = vm.new_object(class)?;
            let (eetop, priority) = (vm.known.thread_eetop, vm.known.thread_priority);
            vm.heap.put(object, eetop, 1u64);
            vm.heap.put(object, priority, 5i32);
            let main = vm.current;
            vm.thread_mut(main).object = object;
            vm.set_state(main, ThreadState::Runnable);
            vm.enters_roll();
            initialize(vm, vm.known.string)
        }
        1 => initialize(vm, vm.known.system),
        2 => initialize(vm, vm.known.class),
        3 => initialize(vm, vm.known.thread_group),
        4 => initialize(vm, vm.known.thread),
        5 => {
            let class = vm.known.thread_group;
            let system = vm.new_object(class)?;
            f.set_slot(0, from_ref(system));
            let init = vm.method(class, "<init>", "()V");
            call(init, vec![from_ref(system)])
        }
        6 => {
            let class = vm.known.thread_group;
            let main = vm.new_object(class)?;
            f.set_slot(1, from_ref(main));
            let name = vm.new_string("main")?;
            let init = vm.method(
                class,
                "<init>",
                "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
            );
            call(init, vec![from_ref(main), f.slot(0), from_ref(name)])
        }
        7 => {
            let thread = vm.running().object;
            let name = vm.new_string("main")?;
            let init = vm.method(
                vm.known.thread,
                "<init>",
                "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
            );
            call(init, vec![from_ref(thread), f.slot(1), from_ref(name)])
        }
        8 => initialize(vm, vm.known.module),
        9 => initialize(vm, vm.known.reflect_method),
        10 => initialize(vm, vm.known.finalizer),
        11 => {
            let method = vm.method(vm.known.system, "initPhase1", "()V");
            call(method, Vec::new())
        }
        12 => initialize(vm, vm.known.method_handle),
        13 => initialize(vm, vm.known.resolved_method_name),
        14 => initialize(vm, vm.known.member_name),
        15 => initialize(vm, vm.known.method_handle_natives),
        16 => {
            vm.globals.init_phase = 1;
            let method = vm.method(vm.known.system, "initPhase2", "(ZZ)I");
            call(method, vec![from_bool(true), from_bool(true)])
        }
        17 => {
            if f.result() as i32 != 0 {
                return trap(Trap::Exit(1));
            }
            vm.globals.init_phase = 2;
            let method = vm.method(vm.known.system, "initPhase3", "()V");
            call(method, Vec::new())
        }
        18 => {
            vm.globals.init_phase = 3;
            // Slot 0 is the mirror of the main class from here on, 3 counts, 1 the arguments.
            f.set_slot(0, 0);
            f.set_slot(3, 0);
            let helper = vm.load_boot("sun/launcher/LauncherHelper")?;
            vm.ensure_initialized(helper)?;
            let (mode, what) = match &vm.options.main {
                Main::Class(name) => (1, name.clone()),
                Main::Jar(file) => (2, file.clone()),
            };
            let what = vm.new_string(&what)?;
            let method = vm.method(
                helper,
                "checkAndLoadMain",
                "(ZILjava/lang/String;)Ljava/lang/Class;",
            );
            call_catching(
                method,
                vec![from_bool(true), from_int(mode), from_ref(what)],
            )
        }
        19 => {
            if f.slot(0) == 0 {
                let thrown = f.take_exception();
                if !thrown.is_null() {
                    f.set_slot(2, from_ref(thrown));
                    f.set_phase(22);
                    return main_step(vm, f, 21);
                }
                f.set_slot(0, f.result());
                vm.globals.main_loader = vm.mirrored(f.slot_ref(0)).loader;
            }
            if !vm.globals.main_started {
                // Called again after each class; see `preload.rs`.
                f.set_phase(19);
                vm.preload_step(f)?;
                f.set_phase(20);
                vm.globals.main_started = true;
                vm.note_standard_streams();
                vm.note_halting();
                let before = vm.running().control.region;
                vm.running().control.region = vm.heap.program_region(&before);
                vm.globals.library_threads = vm.newest_thread();
                if vm.options.stop_at_main {
                    return trap(Trap::Pause(heddle_model::Pause::Slice));
                }
            }
            let args: Vec<String> = vm.options.args.clone();
            let mut strings = Vec::new();
            for arg in args {
                strings.push(vm.platform_string(arg.as_bytes())?);
            }
            let array = vm.new_ref_array(vm.known.string, &strings)?;
            f.set_slot(1, from_ref(array));
            let main = vm.mirrored(f.slot_ref(0));
            initialize_catching(vm, main)
        }
        20 => {
            let thrown = f.take_exception();
            if !thrown.is_null() {
                f.set_slot(2, from_ref(thrown));
                f.set_phase(MAIN_OVER + 1);
                return main_step(vm, f, MAIN_OVER);
            }
            let class = vm.mirrored(f.slot_ref(0));
            let main = vm.method(class, "main", "([Ljava/lang/String;)V");
            call_catching(main, vec![f.slot(1)])
        }
        MAIN_OVER => {
            // main is over, perhaps with an exception: it goes to the handler.
            let mut thrown = f.take_exception();
            if thrown.is_null() {
                thrown = f.slot_ref(2);
            }
            if thrown.is_null() {
                return main_life(vm, f);
            }
            f.set_slot(3, 1);
            let handled = vm.is_handled();
            vm.emit_uncaught(thrown, handled);
            let thread = vm.running().object;
            let dispatch = vm.method(
                vm.known.thread,
                "dispatchUncaughtException",
                "(Ljava/lang/Throwable;)V",
            );
            call_catching(dispatch, vec![from_ref(thread), from_ref(thrown)])
        }
        22 => {
            vm.handler_is_over(f);
            let thread = vm.running().object;
            if vm.takes_leave(thread) {
                return main_life(vm, f);
            }
            let exit = vm.known_method(vm.known.thread_exit);
            call_catching(exit, vec![from_ref(thread)])
        }
        23 => {
            f.take_exception();
            let thread = vm.running().object;
            // The next step may trap, which runs this one again.
            if f.slot(4) == 0 {
                vm.thread_died(thread)?;
                f.set_slot(4, 1);
                vm.globals.live -= 1;
                vm.emit(EventKind::ThreadEnd);
            }
            main_life(vm, f)
        }
        24 => {
            // DestroyJavaVM: the last non-daemon thread has to end first.
            let me = vm.current;
            if vm.others_keep_it_alive(me) {
                vm.set_state(me, ThreadState::Draining);
                f.set_slot(4, 2);
                return trap(Trap::Block);
            }
            // What follows is a step of its own, whether it had to wait or not.
            if vm.ends_with_hooks() && f.slot(4) == 1 {
                f.set_slot(4, 2);
                return trap(Trap::Pause(heddle_model::Pause::ThreadEnd));
            }
            if vm.heap.tracking && !vm.refuses_hooks() && !vm.has_shutdown_hooks() {
                // Nobody could tell whether it ran.
                return main_life(vm, f);
            }
            let thread = vm.running().object;
            let (eetop, shutdown) = (vm.known.thread_eetop, vm.known.shutdown);
            vm.heap.put(thread, eetop, me.0 as u64 + 1);
            vm.ensure_initialized(shutdown)?;
            vm.enters_roll();
            vm.see_ends();
            let method = vm.method(shutdown, "shutdown", "()V");
            call_catching(method, Vec::new())
        }
        25 if vm.refuses_hooks() && f.slot(4) == 2 => {
            // There are no more hooks, and until it has halted, others find that out.
            f.take_exception();
            f.set_slot(4, 3);
            trap(Trap::Pause(vm.pause_before_halt()))
        }
        _ => trap(Trap::Exit(f.slot(3) as i32)),
    }
}

impl Vm {
    /// Whether there is a thread besides the initial one that must end before the program
    /// does.
    pub fn others_keep_it_alive(&self, initial: ThreadId) -> bool {
        self.threads
            .iter()
            .any(|t| t.id != initial && !t.daemon && t.control.state != ThreadState::Dead)
    }
}

fn initialize(vm: &mut Vm, class: ClassPtr) -> Res<u64> {
    call(vm.stubs().initialize, vec![class.id.0 as u64, 0])
}

fn initialize_catching(vm: &mut Vm, class: ClassPtr) -> Res<u64> {
    call_catching(vm.stubs().initialize, vec![class.id.0 as u64, 0])
}
