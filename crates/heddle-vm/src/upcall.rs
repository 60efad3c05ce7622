//! Java code that the VM itself has to run: initializing a class, asking a loader,
//! constructing an exception, a thread from its first to its last frame.
//!
//! Each is a native of the VM's own (a *stub*) with phases, pushed on top of the
//! frame that needs it; when it returns, the instruction below is simply run
//! again. Stubs are invisible to Java.

use crate::class::{ClassPtr, InitState, MethodFlags, MethodPtr, Touches, access};
use crate::heap::{ClassId, Ref};
use crate::native::{Frame, NativeFn, Res, Trap, call, call_catching, from_ref, throw};
use crate::stops::init_place;
use crate::symbol::Symbol;
use crate::thread::{ThreadId, ThreadState};
use crate::vm::{Vm, trap};
use heddle_model::{EventKind, OpMask, Pause};

/// The stub methods.
#[derive(Clone, Copy)]
pub struct Stubs {
    pub initialize: MethodPtr,
    pub load: MethodPtr,
    pub throw: MethodPtr,
    pub thread: MethodPtr,
    pub main: MethodPtr,
    pub signal: MethodPtr,
    pub link: crate::linkage::LinkStubs,
}

impl Stubs {
    pub fn make(vm: &mut Vm) -> Stubs {
        let stubs = Stubs {
            initialize: stub(vm, "<initialize>", "(J)V", initialize),
            load: stub(vm, "<load>", "(Ljava/lang/Object;II)V", load),
            throw: stub(
                vm,
                "<throw>",
                "(ILjava/lang/String;Ljava/lang/Throwable;)V",
                throw_new,
            ),
            thread: stub(vm, "<thread>", "(Ljava/lang/Thread;)V", thread_life),
            main: stub(vm, "<main>", "()V", crate::boot::main_life),
            signal: stub(vm, "<signal>", "(I)V", crate::signal::dispatcher_life),
            link: crate::linkage::LinkStubs::make(vm),
        };
        stubs.initialize.touches.set(Touches::Class0);
        stubs.thread.touches.set(Touches::Life);
        stubs.main.touches.set(Touches::Life);
        stubs
    }
}

/// A method of the VM's own, done by `function`.
pub fn stub(vm: &mut Vm, name: &str, desc: &str, function: NativeFn) -> MethodPtr {
    let (name, desc) = (vm.symbol(name), vm.symbol(desc));
    let flags = MethodFlags {
        hidden: true,
        vm_stub: true,
        ..MethodFlags::default()
    };
    let access = access::STATIC | access::NATIVE;
    let class = vm.known.object;
    let method = vm.make_method(class, name, desc, access, u16::MAX, None, flags);
    method.native.set(Some(function));
    method
}

/// Class initialization, JVMS 5.5; argument: class id.
///
/// Slots: 0: 1 if a supertype failed, 1: the exception to throw, 2: what went wrong,
/// 3: its stack trace, 4: the record of it.
fn initialize(vm: &mut Vm, f: Frame) -> Res<u64> {
    const SUPER: u32 = 1;
    const RUN: u32 = 2;
    const DONE: u32 = 3;
    const FAILED: u32 = 4;
    const TRACED: u32 = 5;
    const RECORD: u32 = 6;
    const RECORDED: u32 = 7;
    let class = vm.class(ClassId(f.raw(0) as u32));
    match f.phase() {
        0 => {
            match class.state.get() {
                InitState::Initialized => return Ok(0),
                InitState::Running(thread) if thread == vm.current => return Ok(0),
                InitState::Running(_) => {
                    let me = vm.current;
                    vm.set_state(me, ThreadState::Initializing(class));
                    if vm.heap.tracking && !class.flags.is_library() {
                        // It has seen that the other one was first.
                        let place = init_place(class);
                        vm.emit(EventKind::Read { place, value: 0 });
                    }
                    return trap(Trap::Block);
                }
                InitState::Failed => {
                    if vm.heap.tracking && !class.flags.is_library() {
                        let place = init_place(class);
                        vm.emit(EventKind::Read { place, value: 1 });
                    }
                    let message = format!("Could not initialize class {}", vm.external_name(class));
                    return trap(Trap::ThrowNew {
                        class: "java/lang/NoClassDefFoundError",
                        message: Some(message),
                        cause: vm.field_ref(class.mirror.get(), "initError"),
                    });
                }
                InitState::Loaded => vm.link(class)?,
                InitState::Linked => {}
            }
            let me = vm.current;
            vm.set_class_state(class, InitState::Running(me));
            class.initialized_alone.set(vm.globals.live <= 1);
            class.initialized_by.set(me);
            report_init(vm, class, 0);
            f.set_phase(SUPER);
            if vm.stops.has(OpMask::BLOCK_END) && vm.init_matters(class) {
                // As if a lock had been given back: others may come to the same class.
                return trap(Trap::Pause(Pause::BlockEnd));
            }
            initialize(vm, f)
        }
        SUPER => {
            let failed = f.take_exception();
            if !failed.is_null() {
                f.set_slot(0, 1);
                f.set_slot(2, from_ref(failed));
                f.set_phase(FAILED);
                return initialize(vm, f);
            }
            if let Some(next) = next_supertype(class, vm.current) {
                let stub = vm.stubs().initialize;
                return call_catching(stub, vec![next.id.0 as u64, 0]);
            }
            f.set_phase(RUN);
            initialize(vm, f)
        }
        RUN => {
            f.set_phase(DONE);
            let (name, desc) = (vm.symbol("<clinit>"), vm.symbol("()V"));
            match class.declared(name, desc).filter(|m| m.is_static()) {
                Some(method) => call_catching(method, Vec::new()),
                None => initialize(vm, f),
            }
        }
        DONE => {
            let failed = f.take_exception();
            if failed.is_null() {
                finish(vm, class, InitState::Initialized);
                return Ok(0);
            }
            f.set_slot(2, from_ref(failed));
            f.set_phase(FAILED);
            initialize(vm, f)
        }
        // What went wrong is kept: later uses of the class name it as their cause.
        FAILED => {
            f.set_phase(TRACED);
            let failed = f.slot_ref(2);
            let declared = vm.method(
                vm.known.throwable,
                "getStackTrace",
                "()[Ljava/lang/StackTraceElement;",
            );
            let method = vm.select(vm.class_of(failed), declared).unwrap_or(declared);
            call_catching(method, vec![from_ref(failed)])
        }
        TRACED => {
            if f.take_exception().is_null() {
                f.set_slot(3, from_ref(f.result_ref()));
            }
            f.set_phase(RECORD);
            initialize(vm, f)
        }
        RECORD => {
            let error = vm.load_boot("java/lang/ExceptionInInitializerError")?;
            vm.ensure_initialized(error)?;
            let record = vm.new_object(error)?;
            let message = describe_failure(vm, f.slot_ref(2));
            let message = vm.new_string(&message)?;
            f.set_slot(4, from_ref(record));
            f.set_phase(RECORDED);
            let init = vm.method(error, "<init>", "(Ljava/lang/String;)V");
            call_catching(init, vec![from_ref(record), from_ref(message)])
        }
        RECORDED => {
            let record = f.slot_ref(4);
            if f.take_exception().is_null() {
                let k = &vm.known;
                let (backtrace, trace) = (k.throwable_backtrace, k.throwable_trace);
                if !f.slot_ref(3).is_null() {
                    vm.heap.put_ref(record, backtrace, Ref::NULL);
                    vm.heap.put_ref(record, trace, f.slot_ref(3));
                }
                vm.set_field_ref(class.mirror.get(), "initError", record);
            }
            finish(vm, class, InitState::Failed);
            let failed = f.slot_ref(2);
            if f.slot(0) == 1 || vm.is_instance(failed, vm.known.error) {
                return trap(Trap::Throw(failed));
            }
            // new ExceptionInInitializerError(Throwable)
            let error = vm.load_boot("java/lang/ExceptionInInitializerError")?;
            let object = vm.new_object(error)?;
            f.set_slot(1, from_ref(object));
            f.set_phase(RECORDED + 1);
            let init = vm.method(error, "<init>", "(Ljava/lang/Throwable;)V");
            call(init, vec![from_ref(object), from_ref(failed)])
        }
        _ => trap(Trap::Throw(f.slot_ref(1))),
    }
}

/// The message of the record of a failed initialization.
fn describe_failure(vm: &mut Vm, failed: Ref) -> String {
    let message = vm.heap.get_ref(failed, vm.known.throwable_message);
    let mut text = format!("Exception {}", vm.external_name(vm.class_of(failed)));
    if !message.is_null() {
        text += &format!(": {}", vm.string(message));
    }
    let thread = vm.running().object;
    let name = vm.heap.get_ref(thread, vm.known.thread_name);
    let name = if name.is_null() {
        String::new()
    } else {
        vm.string(name)
    };
    text + &format!(" [in thread \"{name}\"]")
}

/// The first supertype that must be initialized before `class`: the superclass, then
/// superinterfaces that declare default methods. One that another thread initializes is
/// waited for.
fn next_supertype(class: ClassPtr, by: ThreadId) -> Option<ClassPtr> {
    if class.is_interface() {
        return None;
    }
    let pending = |c: &ClassPtr| match c.state.get() {
        InitState::Initialized => false,
        InitState::Running(thread) => thread != by,
        _ => true,
    };
    if let Some(parent) = class.parent.filter(pending) {
        return Some(parent);
    }
    class
        .all_interfaces
        .iter()
        .copied()
        .filter(|i| {
            i.methods()
                .iter()
                .any(|m| !m.is_abstract() && !m.is_static())
        })
        .find(pending)
}

/// Initialization is over: the threads that wait for it go on.
fn finish(vm: &mut Vm, class: ClassPtr, state: InitState) {
    if class.loader.is_null() && vm.symbols.bytes(class.name) == UNSAFE_CONSTANTS {
        unsafe_constants(vm, class);
    }
    vm.set_class_state(class, state);
    report_init(vm, class, 1);
    for i in 0..vm.threads.len() {
        if vm.threads[i].control.state == ThreadState::Initializing(class) {
            let id = vm.threads[i].id;
            vm.set_state(id, ThreadState::Runnable);
        }
    }
}

/// Reports a step of the initialization of a class of the program, if others may notice.
fn report_init(vm: &mut Vm, class: ClassPtr, value: u64) {
    if vm.heap.tracking && !class.flags.is_library() && !class.initialized_alone.get() {
        let place = init_place(class);
        vm.emit(EventKind::Write { place, value });
        vm.running().control.released = true;
    }
}

const UNSAFE_CONSTANTS: &[u8] = b"jdk/internal/misc/UnsafeConstants";

/// Facts about the machine that the library expects the VM to fill in once the class
/// has set them to zero.
fn unsafe_constants(vm: &mut Vm, class: ClassPtr) {
    let mirror = class.mirror.get();
    let mut set = |name: &str, value: i32| {
        let symbol = vm.symbol(name);
        if let Some(field) = class.fields.iter().find(|f| f.name == symbol) {
            vm.store_basic(
                mirror,
                field.offset as u64,
                field.basic,
                value as u32 as u64,
            );
        }
    };
    set("ADDRESS_SIZE0", 8);
    set("PAGE_SIZE", 4096);
    set("BIG_ENDIAN", cfg!(target_endian = "big") as i32);
    set("UNALIGNED_ACCESS", 1);
    // No cache-line write-back: it is for persistent memory.
    set("DATA_CACHE_LINE_FLUSH_SIZE", 0);
}

/// Asks a loader for a class; arguments: loader, name, whether to wrap.
fn load(vm: &mut Vm, f: Frame) -> Res<u64> {
    let loader = f.reference(0);
    let name = Symbol(f.raw(1) as u32);
    if f.phase() == 0 {
        let text = vm.text(name).replace('/', ".");
        let string = vm.new_string(&text)?;
        let declared = vm.method(
            vm.known.class_loader,
            "loadClass",
            "(Ljava/lang/String;)Ljava/lang/Class;",
        );
        let class = vm.class_of(loader);
        let method = vm.select(class, declared).unwrap_or(declared);
        f.set_phase(1);
        return call_catching(method, vec![from_ref(loader), from_ref(string)]);
    }
    let failed = f.take_exception();
    if !failed.is_null() {
        let missing = vm.load_boot("java/lang/ClassNotFoundException")?;
        if f.raw(2) as u32 != 0 && vm.is_instance(failed, missing) {
            return trap(Trap::ThrowNew {
                class: "java/lang/NoClassDefFoundError",
                message: Some(vm.text(name)),
                cause: failed,
            });
        }
        return trap(Trap::Throw(failed));
    }
    let mirror = f.result_ref();
    if mirror.is_null() {
        let text = vm.text(name);
        if f.raw(2) as u32 != 0 {
            return throw("java/lang/NoClassDefFoundError", text);
        }
        return throw("java/lang/ClassNotFoundException", text.replace('/', "."));
    }
    let class = vm.mirrored(mirror);
    if class.name != name {
        let message = format!("{} (wrong name: {})", vm.text(name), vm.name(class));
        return throw("java/lang/NoClassDefFoundError", message);
    }
    if !vm.dictionary.contains_key(&(loader, name)) {
        vm.check_constraints(loader, name, Some(class), class.is_interface())?;
        vm.dictionary.insert((loader, name), class);
        vm.meet_constraint(loader, name, class);
        vm.asked.insert((loader, name), vm.heap.epoch);
        vm.log_loaded(loader, name, false);
    }
    Ok(0)
}

/// Makes and throws an exception; arguments: class name, message or null, cause or null.
fn throw_new(vm: &mut Vm, f: Frame) -> Res<u64> {
    let name = Symbol(f.raw(0) as u32);
    let (message, cause) = (f.reference(1), f.reference(2));
    match f.phase() {
        0 => {
            let class = vm.load_class(Ref::NULL, name)?;
            if !class.is_initialized() && class.state.get() != InitState::Running(vm.current) {
                return trap(Trap::Init(class));
            }
            let object = vm.new_object(class)?;
            f.set_slot(0, from_ref(object));
            f.set_phase(1);
            if message.is_null() {
                let init = vm.method(class, "<init>", "()V");
                return call(init, vec![from_ref(object)]);
            }
            let (n, d) = (vm.symbol("<init>"), vm.symbol("(Ljava/lang/String;)V"));
            match class.declared(n, d) {
                Some(init) => call(init, vec![from_ref(object), from_ref(message)]),
                None => {
                    // A few exceptions have no such constructor: set the message directly.
                    let init = vm.method(class, "<init>", "()V");
                    let at = vm.known.throwable_message;
                    vm.heap.put_ref(object, at, message);
                    call(init, vec![from_ref(object)])
                }
            }
        }
        _ => {
            let object = f.slot_ref(0);
            if !cause.is_null() {
                let at = vm.known.throwable_cause;
                vm.heap.put_ref(object, at, cause);
            }
            trap(Trap::Throw(object))
        }
    }
}

/// A started thread: run, the handler of uncaught exceptions, exit. Argument: the
/// Thread object.
fn thread_life(vm: &mut Vm, f: Frame) -> Res<u64> {
    const RUN_OVER: u32 = crate::thread_end::RUN_OVER;
    const HANDLED: u32 = RUN_OVER + 1;
    let thread = f.reference(0);
    let class = vm.class_of(thread);
    match f.phase() {
        0 if vm.heap.get::<u8>(thread, vm.known.thread_stillborn) != 0 => {
            // It was stopped before it was started.
            f.set_phase(HANDLED);
            thread_life(vm, f)
        }
        0 => {
            f.set_phase(RUN_OVER);
            let declared = vm.known_method(vm.known.thread_run);
            let run = vm.select(class, declared).unwrap_or(declared);
            call_catching(run, vec![from_ref(thread)])
        }
        RUN_OVER => {
            f.set_phase(HANDLED);
            let thrown = f.take_exception();
            if thrown.is_null() {
                return thread_life(vm, f);
            }
            let handled = vm.is_handled();
            vm.emit_uncaught(thrown, handled);
            let dispatch = vm.method(
                vm.known.thread,
                "dispatchUncaughtException",
                "(Ljava/lang/Throwable;)V",
            );
            call_catching(dispatch, vec![from_ref(thread), from_ref(thrown)])
        }
        HANDLED => {
            vm.handler_is_over(f);
            f.set_phase(3);
            // The end of a thread is one operation, with the library's part in it: also with
            // what the library has done since the program's last bytecode, because nobody
            // can name a moment in between.
            if vm.takes_leave(thread) {
                return thread_life(vm, f);
            }
            let exit = vm.known_method(vm.known.thread_exit);
            call_catching(exit, vec![from_ref(thread)])
        }
        3 => {
            f.take_exception();
            vm.thread_died(thread)?;
            trap(Trap::ThreadEnd)
        }
        _ => trap(Trap::ThreadEnd),
    }
}

impl Vm {
    /// Verification and preparation (JVMS 5.4.1, 5.4.2); initializes nothing.
    pub fn link(&mut self, class: ClassPtr) -> Res<()> {
        if class.state.get() != InitState::Loaded {
            return Ok(());
        }
        if let Some(parent) = class.parent {
            self.link(parent)?;
        }
        if !class.flags.from_jdk {
            self.verify(class)?;
            self.constrain_supertypes(class)?;
        }
        self.string_constants(class)?;
        self.set_class_state(class, InitState::Linked);
        Ok(())
    }

    /// Statics with a String constant, at preparation.
    fn string_constants(&mut self, class: ClassPtr) -> Res<()> {
        let Some(file) = class.file.as_ref() else {
            return Ok(());
        };
        for (field, index) in class.constant_values() {
            if let heddle_classfile::Constant::String { utf8 } = file.pool.get(index) {
                let symbol = self.symbols.intern(file.pool.utf8(utf8));
                let string = self.intern_symbol(symbol)?;
                self.heap
                    .put_ref(class.mirror.get(), field.offset as u64, string);
            }
        }
        Ok(())
    }

    /// Initializes a class if that is needed: `Ok` when it is (or is being initialized by
    /// the running thread), else a trap.
    #[inline]
    pub fn ensure_initialized(&mut self, class: ClassPtr) -> Res<()> {
        match class.state.get() {
            InitState::Initialized => Ok(()),
            InitState::Running(thread) if thread == self.current => Ok(()),
            _ => trap(Trap::Init(class)),
        }
    }

    /// Wakes every thread in the wait set of an object.
    pub fn notify_all(&mut self, obj: Ref) {
        for thread in self.waiters(obj).to_vec() {
            self.wake(thread, crate::thread::Wake::Notified);
        }
    }
}
