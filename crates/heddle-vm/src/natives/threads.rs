//! java.lang.Thread, Object.wait and notify, and Unsafe.park.
//!
//! A wait is a native with phases: it sets the thread's state and blocks; the
//! scheduler, a notifier or an interrupt makes the thread runnable again and says
//! how in `Control::wake`; the native is called again and goes on from there.

use crate::class::Touches;
use crate::heap::{Ref, mix};
use crate::native::{Entry, Frame, Res, Table, Trap, from_bool, from_ref, throw, throw_null};
use crate::stack::STACK_RANGE;
use crate::thread::{ThreadId, ThreadState, Wake};
use crate::vm::{Vm, trap};
use heddle_model::{EventKind, ObjectId, OpMask, Pause, Place};

pub const TABLE: &[Table] = &[("java/lang/Thread", THREAD), ("java/lang/Object", OBJECT)];

const THREAD: &[Entry] = &[
    ("currentThread()Ljava/lang/Thread;", current_thread),
    ("yield()V", yield_now),
    ("sleep(J)V", sleep),
    ("start0()V", start),
    ("isAlive()Z", is_alive),
    ("holdsLock(Ljava/lang/Object;)Z", holds_lock),
    ("setPriority0(I)V", set_priority),
    ("interrupt0()V", interrupt),
    ("clearInterruptEvent()V", clear_interrupt_event),
    ("setNativeName(Ljava/lang/String;)V", set_native_name),
    ("getThreads()[Ljava/lang/Thread;", get_threads),
    (
        "dumpThreads([Ljava/lang/Thread;)[[Ljava/lang/StackTraceElement;",
        dump_threads,
    ),
    ("stop0(Ljava/lang/Object;)V", stop),
    ("suspend0()V", suspend),
    ("resume0()V", resume),
    ("countStackFrames()I", count_stack_frames),
];

const OBJECT: &[Entry] = &[
    ("wait(J)V", wait),
    ("notify()V", notify),
    ("notifyAll()V", notify_all),
];

fn current_thread(vm: &mut Vm, _: Frame) -> Res<u64> {
    Ok(from_ref(vm.running().object))
}

/// A hint for round robin; a search has its own idea of who comes next.
fn yield_now(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.phase() == 0 && !vm.heap.tracking {
        f.set_phase(1);
        return trap(Trap::Yield);
    }
    Ok(0)
}

/// Reads and clears the interrupt flag of the running thread.
fn take_interrupt(vm: &mut Vm) -> bool {
    let (thread, at) = (vm.running().object, vm.known.thread_interrupted);
    let set = look_for_interrupt(vm);
    if set {
        vm.heap.put(thread, at, 0u8);
        if vm.heap.is_shared(thread) {
            let place = flag(thread, at);
            vm.emit(EventKind::Write { place, value: 0 });
        }
    }
    set
}

/// Reads the interrupt flag of the running thread.
fn look_for_interrupt(vm: &mut Vm) -> bool {
    let thread = vm.running().object;
    let set = vm.is_interrupted(thread);
    if vm.heap.is_shared(thread) {
        let place = flag(thread, vm.known.thread_interrupted);
        let value = set as u64;
        vm.emit(EventKind::Read { place, value });
    }
    set
}

fn flag(thread: Ref, at: u64) -> Place {
    Place::Field {
        object: ObjectId(thread.0),
        offset: at as u32,
    }
}

fn sleep(vm: &mut Vm, f: Frame) -> Res<u64> {
    let millis = f.long(0);
    let me = vm.current;
    if f.phase() == 0 {
        if millis < 0 {
            return throw(
                "java/lang/IllegalArgumentException",
                "timeout value is negative",
            );
        }
        if take_interrupt(vm) {
            return throw("java/lang/InterruptedException", "sleep interrupted");
        }
        f.set_phase(1);
        if millis == 0 {
            return yield_now(vm, f);
        }
        let deadline = vm
            .globals
            .clock
            .saturating_add((millis as u64).saturating_mul(1_000_000));
        vm.running().control.wake = Wake::None;
        vm.set_state(me, ThreadState::Sleeping { deadline });
        return trap(Trap::Block);
    }
    if vm.running().control.wake == Wake::Interrupted && take_interrupt(vm) {
        return throw("java/lang/InterruptedException", "sleep interrupted");
    }
    Ok(0)
}

/// Spawn paths give a thread the same region, and so the same addresses, in every
/// interleaving.
pub fn path_seed(path: &[u32]) -> u64 {
    path.iter()
        .fold(0x9d5f_u64, |seed, &step| mix(seed ^ step as u64))
        | 1
}

/// The last step in the path of one of the library's own threads has this bit.
pub const SYSTEM_CHILD: u32 = 1 << 31;

fn start(vm: &mut Vm, f: Frame) -> Res<u64> {
    let object = f.reference(0);
    if vm.thread_of(object).is_some() {
        return crate::native::throw_bare("java/lang/IllegalThreadStateException");
    }
    if vm.threads.len() >= 0xfffe {
        return throw(
            "java/lang/OutOfMemoryError",
            "unable to create native thread: possibly out of memory or process/resource limits reached",
        );
    }
    let name = vm.name(vm.class_of(object));
    let daemon = vm.heap.get::<u8>(object, vm.known.thread_daemon) != 0;
    let system = daemon
        && (name.starts_with("java/lang/ref/") || name == "jdk/internal/misc/InnocuousThread");
    // Only the program's threads are numbered: which others there are, and when they come,
    // differs from one JVM to the next.
    let before = vm.threads.len() as u32;
    let parent = vm.running();
    let mut path = parent.path.clone();
    if system {
        path.push(SYSTEM_CHILD | before);
    } else {
        path.push(parent.control.children);
        parent.control.children += 1;
    }
    let seed = path_seed(&path);
    // No wish is 0.
    let stack = match vm.heap.get::<i64>(object, vm.known.thread_stack_size) {
        ..=0 => vm.options.stack,
        wish => (wish as u64).clamp(*STACK_RANGE.start(), *STACK_RANGE.end()) as usize,
    };
    let id = vm.new_thread(path, seed, stack);
    let stub = vm.stubs().thread;
    vm.push_bottom(id, stub, &[from_ref(object)]);
    vm.learned.asks_for_lives |= vm.learning && daemon && !system;
    let known = vm.heap.is_shared(object);
    vm.publish(object);
    vm.running().control.released = true;
    let thread = vm.thread_mut(id);
    thread.object = object;
    thread.daemon = daemon;
    thread.system = system;
    vm.note_group(id.0 as usize);
    if !system {
        vm.globals.live += 1;
        if !vm.globals.threaded {
            vm.globals.threaded = true;
            vm.running().control.steps = 0;
        }
    }
    let eetop = vm.known.thread_eetop;
    vm.heap.put(object, eetop, id.0 as u64 + 1);
    vm.set_state(id, ThreadState::Runnable);
    vm.enters_roll();
    let (place, value) = (flag(object, eetop), 1);
    vm.emit(EventKind::Write { place, value });
    if known {
        let place = flag(object, vm.known.thread_status);
        vm.emit(EventKind::Write { place, value });
    }
    vm.emit(EventKind::ThreadStart { child: id });
    Ok(0)
}

/// The thread that is to be woken or interrupted, and whether it is alive. One that has not
/// been started is not affected: that is a look at its status. Whether one has
/// ended makes no difference to anybody, so the same is told of it.
fn target(vm: &mut Vm, object: Ref) -> Option<(ThreadId, bool)> {
    if vm.heap.is_shared(object) {
        let place = flag(object, vm.known.thread_status);
        vm.emit(EventKind::Read { place, value: 0 });
    }
    if let Some(alive) = vm.thread_of(object) {
        return Some((alive, true));
    }
    let ended = vm.thread_with(object).filter(|_| vm.heap.tracking);
    ended.map(|id| (id, false))
}

fn is_alive(vm: &mut Vm, f: Frame) -> Res<u64> {
    let thread = f.reference(0);
    if vm.heap.is_shared(thread) {
        let at = vm.known.thread_eetop;
        vm.note_look(thread.at() + at, 8);
        let (place, value) = (flag(thread, at), vm.heap.get(thread, at));
        vm.emit(EventKind::Read { place, value });
        vm.see_end(thread);
    }
    Ok(from_bool(vm.thread_of(thread).is_some()))
}

fn holds_lock(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.reference(0).is_null() {
        return throw_null();
    }
    Ok(from_bool(vm.holds_lock(vm.current, f.reference(0))))
}

/// Priorities are hints; the schedulers ignore them.
fn set_priority(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(0)
}

fn set_native_name(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(0)
}

fn clear_interrupt_event(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(0)
}

/// The flag itself is a field that Java code sets first.
fn interrupt(vm: &mut Vm, f: Frame) -> Res<u64> {
    let Some((id, alive)) = target(vm, f.reference(0)) else {
        return Ok(0);
    };
    vm.emit(EventKind::Interrupt { target: id });
    match vm.thread(id).control.state {
        _ if !alive => {}
        ThreadState::Waiting { on, .. } => vm.interrupt_wait(id, on),
        ThreadState::Sleeping { .. } | ThreadState::Parked { .. } => {
            vm.wake(id, Wake::Interrupted);
        }
        _ => {}
    }
    Ok(0)
}

fn get_threads(vm: &mut Vm, _: Frame) -> Res<u64> {
    let live: Vec<Ref> = vm
        .threads
        .iter()
        .filter(|t| t.control.state != ThreadState::Dead && !t.object.is_null())
        .map(|t| t.object)
        .collect();
    Ok(from_ref(vm.new_ref_array(vm.known.thread, &live)?))
}

/// The stacks of the given threads; null for those that are not alive.
fn dump_threads(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.reference(0).is_null() {
        return throw_null();
    }
    let element = vm.known.stack_trace_element;
    vm.ensure_initialized(element)?;
    let mut stacks = Vec::new();
    for object in vm.elements(f.reference(0)) {
        if object.is_null() {
            return throw_null();
        }
        let Some(id) = vm.thread_of(object) else {
            stacks.push(Ref::NULL);
            continue;
        };
        let mut elements = Vec::new();
        for frame in vm.java_frames(id) {
            if !frame.method.flags.hidden {
                let made = vm.new_object(element)?;
                vm.fill_element(made, frame.method, frame.bci())?;
                elements.push(made);
            }
        }
        stacks.push(vm.new_ref_array(element, &elements)?);
    }
    let stack_class = vm.array_class_of(element);
    Ok(from_ref(vm.new_ref_array(stack_class, &stacks)?))
}

/// Somebody stops, suspends or resumes a thread.
fn turns(vm: &mut Vm, thread: Ref) {
    vm.learned.stops |= vm.learning;
    if vm.learned.stops && vm.heap.is_shared(thread) {
        let place = vm.course(thread);
        vm.emit(EventKind::Write { place, value: 0 });
    }
}

fn stop(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (object, error) = (f.reference(0), f.reference(1));
    turns(vm, object);
    let Some(id) = vm.thread_of(object) else {
        // It may yet be started, and ends at once then.
        let stillborn = vm.known.thread_stillborn;
        vm.heap.put(object, stillborn, 1u8);
        return Ok(0);
    };
    if id == vm.current {
        return trap(Trap::Throw(error));
    }
    vm.emit(EventKind::Interrupt { target: id });
    if vm.thread(id).control.method.touches.get() == Touches::Life {
        // It has not begun, and will not, or it is over.
        let stillborn = vm.known.thread_stillborn;
        vm.heap.put(object, stillborn, 1u8);
        return Ok(0);
    }
    vm.stop_thread(id, error);
    Ok(0)
}

fn suspend(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.phase() != 0 {
        return Ok(0);
    }
    turns(vm, f.reference(0));
    let Some(id) = vm.thread_of(f.reference(0)) else {
        return Ok(0);
    };
    vm.emit(EventKind::Interrupt { target: id });
    vm.touch_thread(id);
    vm.thread_mut(id).control.suspended = true;
    if id == vm.current {
        f.set_phase(1);
        return trap(Trap::Yield);
    }
    Ok(0)
}

fn resume(vm: &mut Vm, f: Frame) -> Res<u64> {
    turns(vm, f.reference(0));
    if let Some(id) = vm.thread_of(f.reference(0)) {
        vm.emit(EventKind::Interrupt { target: id });
        vm.touch_thread(id);
        vm.thread_mut(id).control.suspended = false;
    }
    Ok(0)
}

fn count_stack_frames(vm: &mut Vm, f: Frame) -> Res<u64> {
    let Some(id) = vm.thread_of(f.reference(0)) else {
        return Ok(0);
    };
    Ok(vm.java_frames(id).len() as u64)
}

fn not_owner<T>() -> Res<T> {
    throw(
        "java/lang/IllegalMonitorStateException",
        "current thread is not owner",
    )
}

/// Slot 0 keeps the entry count.
fn wait(vm: &mut Vm, f: Frame) -> Res<u64> {
    const REACQUIRE: u32 = 1;
    let (object, millis) = (f.reference(0), f.long(1));
    let me = vm.current;
    match f.phase() {
        0 => {
            if millis < 0 {
                return throw(
                    "java/lang/IllegalArgumentException",
                    "timeout value is negative",
                );
            }
            if !vm.holds_lock(me, object) {
                return not_owner();
            }
            if take_interrupt(vm) {
                return crate::native::throw_bare("java/lang/InterruptedException");
            }
            let deadline = (millis > 0).then(|| {
                vm.globals
                    .clock
                    .saturating_add((millis as u64).saturating_mul(1_000_000))
            });
            let count = vm.wait_begin(object, deadline);
            vm.emit(EventKind::Wait {
                object: ObjectId(object.0),
            });
            f.set_slot(0, count as u64);
            f.set_phase(REACQUIRE);
            trap(Trap::Block)
        }
        _ => {
            vm.monitor_restore(object, f.slot(0) as u32)?;
            vm.emit(EventKind::Lock {
                object: ObjectId(object.0),
            });
            vm.leave_wait_set(me, object);
            let (stop, _) = vm.take_stop();
            if !stop.is_null() {
                return trap(Trap::Throw(stop));
            }
            if vm.running().control.wake == Wake::Interrupted && take_interrupt(vm) {
                return crate::native::throw_bare("java/lang/InterruptedException");
            }
            Ok(0)
        }
    }
}

fn notify(vm: &mut Vm, f: Frame) -> Res<u64> {
    let object = f.reference(0);
    if !vm.holds_lock(vm.current, object) {
        return not_owner();
    }
    let chooses = vm.stops.has(OpMask::NOTIFY);
    let mut able = vm.waiters(object).to_vec();
    let leaving = vm.leaving(object).to_vec();
    if chooses && !leaving.is_empty() {
        if able.is_empty() {
            // All have left, or else one that has not gets it.
            able.push(vm.current);
        }
        able.extend(&leaving);
    }
    let first = match able.len() > 1 && chooses {
        true => Some(choose(vm, object, able)?),
        false => able.first().copied(),
    };
    let first = first.filter(|first| *first != vm.current);
    match first {
        Some(first) => vm.notify_one(first, object),
        None if chooses => leaving.iter().for_each(|t| vm.leave_wait_set(*t, object)),
        None => {}
    }
    let woken = first.is_some() as u32;
    emit_notify(vm, object, woken, false);
    Ok(0)
}

/// Which of these threads a notification wakes. The running one stands for nobody.
fn choose(vm: &mut Vm, object: Ref, able: Vec<ThreadId>) -> Res<ThreadId> {
    match vm.running().control.chosen.take() {
        Some(chosen) => Ok(chosen),
        None => {
            vm.candidates = able;
            trap(Trap::Pause(Pause::Notify(ObjectId(object.0))))
        }
    }
}

fn notify_all(vm: &mut Vm, f: Frame) -> Res<u64> {
    let object = f.reference(0);
    if !vm.holds_lock(vm.current, object) {
        return not_owner();
    }
    let leaving = vm.leaving(object).to_vec();
    if !leaving.is_empty() && vm.stops.has(OpMask::NOTIFY) {
        // Who was interrupted first leaves first: not every subset, but one choice.
        let able = [&[vm.current], &leaving[..]].concat();
        let first = choose(vm, object, able)?;
        let mut there = false;
        for thread in leaving {
            there |= thread == first;
            match there {
                true => vm.notify_one(thread, object),
                false => vm.leave_wait_set(thread, object),
            }
        }
    }
    let woken = vm.waiters(object).len() as u32;
    vm.notify_all(object);
    emit_notify(vm, object, woken, true);
    Ok(0)
}

/// A notification that no other thread could be waiting for is nobody's business.
fn emit_notify(vm: &mut Vm, object: Ref, woken: u32, all: bool) {
    if !vm.heap.tracking || vm.heap.is_shared(object) {
        let object = ObjectId(object.0);
        vm.emit(EventKind::Notify { object, woken, all });
    }
}

/// Unsafe.park(isAbsolute, time): slots 1 and 2.
pub fn park(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (absolute, time) = (f.bool(1), f.long(2));
    let me = vm.current;
    if f.phase() != 0 {
        vm.running().control.permit = false;
        return Ok(0);
    }
    let permit = std::mem::take(&mut vm.running().control.permit);
    let interrupted = !permit && look_for_interrupt(vm);
    // The last thing that is told before the thread waits: what comes next from it came
    // after `park` returned.
    vm.emit(EventKind::Park);
    if permit || interrupted || time < 0 || (absolute && time == 0) {
        return Ok(0);
    }
    let now = vm.globals.clock;
    let deadline = if absolute {
        let ahead = (time - vm.options.start_millis).max(0) as u64;
        Some(ahead.saturating_mul(1_000_000))
    } else if time > 0 {
        Some(now.saturating_add(time as u64))
    } else {
        None
    };
    if deadline.is_some_and(|d| d <= now) {
        return Ok(0);
    }
    f.set_phase(1);
    vm.running().control.wake = Wake::None;
    vm.set_state(me, ThreadState::Parked { deadline });
    trap(Trap::Block)
}

pub fn unpark(vm: &mut Vm, f: Frame) -> Res<u64> {
    let object = f.reference(1);
    if object.is_null() {
        return Ok(0);
    }
    let Some((id, alive)) = target(vm, object) else {
        return Ok(0);
    };
    vm.emit(EventKind::Unpark { target: id });
    vm.running().control.released = true;
    if !alive {
        return Ok(0);
    }
    vm.touch_thread(id);
    vm.thread_mut(id).control.permit = true;
    if matches!(vm.thread(id).control.state, ThreadState::Parked { .. }) {
        vm.wake(id, Wake::Unparked);
    }
    Ok(0)
}
