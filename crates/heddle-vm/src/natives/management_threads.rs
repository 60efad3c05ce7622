//! What `java.lang.management` says of threads: sun.management.ThreadImpl. What of it a search
//! has to know is in `onlookers.rs`.
//!
//! A snapshot of several threads is taken at once, as rows of what the constructor of
//! `ThreadInfo` wants; then the objects are made, one call after the other, during which
//! threads may go on.

use crate::class::{Basic, ClassPtr};
use crate::heap::{ELEMENTS, Ref};
use crate::interp::NANOS_PER_BYTECODE;
use crate::native::{Entry, Frame, Res, Table, call, from_int, from_ref, throw_null};
use crate::natives::class::nothing;
use crate::natives::system::{LOOK_NANOS, look_at_clock};
use crate::thread::ThreadId;
use crate::vm::Vm;

pub const TABLE: &[Table] = &[("sun/management/ThreadImpl", THREADS)];

const THREADS: &[Entry] = &[
    ("getThreads()[Ljava/lang/Thread;", threads),
    (
        "getThreadInfo1([JI[Ljava/lang/management/ThreadInfo;)V",
        thread_info,
    ),
    (
        "dumpThreads0([JZZI)[Ljava/lang/management/ThreadInfo;",
        dump_threads,
    ),
    (
        "findMonitorDeadlockedThreads0()[Ljava/lang/Thread;",
        |vm, _| deadlocked(vm, false),
    ),
    ("findDeadlockedThreads0()[Ljava/lang/Thread;", |vm, _| {
        deadlocked(vm, true)
    }),
    ("resetPeakThreadCount0()V", reset_peak),
    ("getThreadTotalCpuTime0(J)J", |vm, f| one(vm, f, cpu_time)),
    ("getThreadTotalCpuTime1([J[J)V", |vm, f| {
        each(vm, f, cpu_time)
    }),
    // All that a thread does here is its own work, none the system's for it.
    ("getThreadUserCpuTime0(J)J", |vm, f| one(vm, f, cpu_time)),
    ("getThreadUserCpuTime1([J[J)V", |vm, f| {
        each(vm, f, cpu_time)
    }),
    ("getThreadAllocatedMemory0(J)J", |vm, f| {
        one(vm, f, allocated)
    }),
    ("getThreadAllocatedMemory1([J[J)V", |vm, f| {
        each(vm, f, allocated)
    }),
    ("getTotalThreadAllocatedMemory()J", all_allocated),
    // The VM counts all the time; the library remembers whether anybody wants to know.
    ("setThreadCpuTimeEnabled0(Z)V", nothing),
    ("setThreadAllocatedMemoryEnabled0(Z)V", nothing),
];

fn objects(vm: &mut Vm, threads: &[ThreadId]) -> Res<u64> {
    let objects: Vec<Ref> = threads.iter().map(|t| vm.thread(*t).object).collect();
    Ok(from_ref(vm.new_ref_array(vm.known.thread, &objects)?))
}

fn threads(vm: &mut Vm, _: Frame) -> Res<u64> {
    vm.look_at_roll();
    let live = vm.live_threads();
    objects(vm, &live)
}

fn deadlocked(vm: &mut Vm, locks: bool) -> Res<u64> {
    let found = vm.deadlocked(locks);
    match found.is_empty() {
        true => Ok(from_ref(Ref::NULL)),
        false => objects(vm, &found),
    }
}

fn reset_peak(vm: &mut Vm, _: Frame) -> Res<u64> {
    vm.look_at_roll();
    vm.counts_anew();
    Ok(0)
}

// ---- what threads have used ---------------------------------------------------------

/// A figure of a thread.
type Figure = fn(&mut Vm, ThreadId) -> u64;

/// The figure of the thread with a number; 0 is the running one. -1 if it is not alive.
fn figure(vm: &mut Vm, number: i64, figure: Figure) -> u64 {
    let thread = match number {
        0 => Some(vm.current),
        number => vm.look_for(number),
    };
    let Some(thread) = thread else {
        return -1i64 as u64;
    };
    vm.look_at_course(thread);
    figure(vm, thread)
}

fn one(vm: &mut Vm, f: Frame, of: Figure) -> Res<u64> {
    Ok(figure(vm, f.long(0), of))
}

fn each(vm: &mut Vm, f: Frame, of: Figure) -> Res<u64> {
    let (numbers, results) = (f.reference(0), f.reference(1));
    if numbers.is_null() || results.is_null() {
        return throw_null();
    }
    for at in 0..vm.heap.length(numbers).min(vm.heap.length(results)) {
        let offset = ELEMENTS + u64::from(at) * 8;
        let number = vm.heap.get(numbers, offset);
        let value = figure(vm, number, of);
        vm.heap.put(results, offset, value);
    }
    Ok(0)
}

/// Bytecodes at the pace of the virtual clock. In a search only looks at the clock take time, as
/// for `System.nanoTime`: how much of its work a thread has been charged with depends there on
/// where it had to stop.
fn cpu_time(vm: &mut Vm, thread: ThreadId) -> u64 {
    if !vm.heap.tracking {
        return vm.thread(thread).control.record.bytecodes * NANOS_PER_BYTECODE;
    }
    match thread == vm.current {
        true => look_at_clock(vm),
        false => vm.thread(thread).control.looks * LOOK_NANOS + vm.now_nanos(),
    }
}

fn allocated(vm: &mut Vm, thread: ThreadId) -> u64 {
    vm.heap.handed_to(&vm.thread(thread).control.region)
}

fn all_allocated(vm: &mut Vm, _: Frame) -> Res<u64> {
    vm.look_at_roll();
    let all: Vec<ThreadId> = vm.threads.iter().map(|t| t.id).collect();
    let mut sum = 0;
    for thread in all {
        if !vm.thread(thread).object.is_null() {
            vm.look_at_course(thread);
        }
        sum += allocated(vm, thread);
    }
    Ok(sum)
}

// ---- snapshots ----------------------------------------------------------------------

const INFO: &str = "java/lang/management/ThreadInfo";
const INIT: &str = "(Ljava/lang/Thread;ILjava/lang/Object;Ljava/lang/Thread;JJJJ\
[Ljava/lang/StackTraceElement;[Ljava/lang/Object;[I[Ljava/lang/Object;)V";
const SUSPENDED: i32 = 0x0010_0000;
/// The time that a thread was blocked or waited is not measured.
const UNMEASURED: u64 = -1i64 as u64;

/// What is wanted of each thread.
#[derive(Clone, Copy)]
struct Wanted {
    /// Frames, at most.
    depth: usize,
    monitors: bool,
    synchronizers: bool,
}

/// Slots: rows, results, the object that is being made.
const ROWS: usize = 0;
const RESULTS: usize = 1;
const MADE: usize = 2;

fn thread_info(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (numbers, depth, results) = (f.reference(0), f.int(1), f.reference(2));
    let wanted = Wanted {
        // A negative number: all.
        depth: usize::try_from(depth).unwrap_or(usize::MAX),
        monitors: false,
        synchronizers: false,
    };
    if f.phase() == 0 {
        if numbers.is_null() || results.is_null() {
            return throw_null();
        }
        prepare(vm)?;
        let asked = asked(vm, numbers);
        let rows = rows(vm, &asked, wanted)?;
        f.set_slot(ROWS, from_ref(rows));
        f.set_slot(RESULTS, from_ref(results));
    }
    make(vm, f)?;
    Ok(0)
}

fn dump_threads(vm: &mut Vm, f: Frame) -> Res<u64> {
    let numbers = f.reference(0);
    let wanted = Wanted {
        depth: f.int(3).max(0) as usize,
        monitors: f.bool(1),
        synchronizers: f.bool(2),
    };
    if f.phase() == 0 {
        let class = prepare(vm)?;
        let asked = match numbers.is_null() {
            true => {
                vm.look_at_roll();
                vm.live_threads().into_iter().map(Some).collect()
            }
            false => asked(vm, numbers),
        };
        let rows = rows(vm, &asked, wanted)?;
        let results = vm.new_ref_array(class, &vec![Ref::NULL; asked.len()])?;
        f.set_slot(ROWS, from_ref(rows));
        f.set_slot(RESULTS, from_ref(results));
    }
    make(vm, f)?;
    Ok(f.slot(RESULTS))
}

/// Has what is needed loaded, before anything is changed.
fn prepare(vm: &mut Vm) -> Res<ClassPtr> {
    let class = vm.load_boot(INFO)?;
    vm.ensure_initialized(class)?;
    vm.ensure_initialized(vm.known.stack_trace_element)?;
    Ok(class)
}

/// The live threads of these numbers.
fn asked(vm: &mut Vm, numbers: Ref) -> Vec<Option<ThreadId>> {
    let numbers: Vec<i64> = (0..vm.heap.length(numbers))
        .map(|i| vm.heap.get(numbers, ELEMENTS + u64::from(i) * 8))
        .collect();
    numbers
        .into_iter()
        .map(|number| vm.look_for(number))
        .collect()
}

/// One row for each thread; null where there is none.
fn rows(vm: &mut Vm, threads: &[Option<ThreadId>], wanted: Wanted) -> Res<Ref> {
    let mut rows = Vec::new();
    for thread in threads {
        rows.push(match thread {
            Some(thread) => row(vm, *thread, wanted)?,
            None => Ref::NULL,
        });
    }
    vm.new_ref_array(vm.known.object, &rows)
}

/// What the constructor wants to know of a thread: references, and at the end an array of
/// numbers.
fn row(vm: &mut Vm, thread: ThreadId, wanted: Wanted) -> Res<Ref> {
    vm.look_at_state(thread);
    if wanted.depth > 0 || wanted.monitors || wanted.synchronizers {
        vm.look_at_course(thread);
    }
    let object = vm.thread(thread).object;
    let obstacle = vm.obstacle(thread);
    let owner = obstacle.and_then(|on| vm.owner_of(on));
    let owner = owner.map_or(Ref::NULL, |owner| vm.thread(owner).object);
    let on = obstacle.map_or(Ref::NULL, |on| on.object());
    let (stack, monitors, depths) = stack(vm, thread, wanted)?;
    let synchronizers = match wanted.synchronizers {
        true => vm.synchronizers_of(object),
        false => Vec::new(),
    };
    let synchronizers = vm.new_ref_array(vm.known.object, &synchronizers)?;
    let control = &vm.thread(thread).control;
    let suspended = if control.suspended { SUSPENDED } else { 0 };
    let status = vm.heap.get::<i32>(object, vm.known.thread_status) | suspended;
    let numbers = [status as u64, control.record.blocked, control.record.waited];
    let array = vm.new_primitive_array(Basic::Long, numbers.len() as u32)?;
    for (i, number) in numbers.into_iter().enumerate() {
        vm.heap.put(array, ELEMENTS + i as u64 * 8, number);
    }
    let row = [
        object,
        on,
        owner,
        stack,
        monitors,
        depths,
        synchronizers,
        array,
    ];
    vm.new_ref_array(vm.known.object, &row)
}

/// The stack of a thread, the monitors that it holds, and which frame holds each.
fn stack(vm: &mut Vm, thread: ThreadId, wanted: Wanted) -> Res<(Ref, Ref, Ref)> {
    let element = vm.known.stack_trace_element;
    let (mut elements, mut monitors, mut depths) = (Vec::new(), Vec::new(), Vec::new());
    let frames = vm.java_frames(thread).into_iter();
    let shown = frames.filter(|f| !f.method.flags.hidden);
    for frame in shown.take(wanted.depth) {
        if wanted.monitors {
            let held = vm.monitors_in(thread, frame);
            depths.extend(held.iter().map(|_| elements.len() as i32));
            monitors.extend(held);
        }
        let made = vm.new_object(element)?;
        vm.fill_element(made, frame.method, frame.bci())?;
        elements.push(made);
    }
    let array = vm.new_primitive_array(Basic::Int, depths.len() as u32)?;
    for (i, depth) in depths.into_iter().enumerate() {
        vm.heap.put(array, ELEMENTS + i as u64 * 4, depth);
    }
    let elements = vm.new_ref_array(element, &elements)?;
    let monitors = vm.new_ref_array(vm.known.object, &monitors)?;
    Ok((elements, monitors, array))
}

/// Makes the objects of the rows that are left.
fn make(vm: &mut Vm, f: Frame) -> Res<()> {
    let (rows, results) = (f.slot_ref(ROWS), f.slot_ref(RESULTS));
    let done = f.phase();
    if done > 0 {
        let made = f.slot_ref(MADE);
        vm.storing(results, made);
        vm.heap.set_element(results, done - 1, made);
    }
    let count = vm.heap.length(rows).min(vm.heap.length(results));
    let left = (done..count).find(|at| !vm.heap.element(rows, *at).is_null());
    let Some(at) = left else {
        return Ok(());
    };
    let row = vm.elements(vm.heap.element(rows, at));
    let [
        thread,
        on,
        owner,
        stack,
        monitors,
        depths,
        synchronizers,
        numbers,
    ] = row[..]
    else {
        unreachable!("heddle internal error: a row has eight entries");
    };
    let number = |i: u64| vm.heap.get::<u64>(numbers, ELEMENTS + i * 8);
    let (status, blocked, waited) = (number(0), number(1), number(2));
    let class = prepare(vm)?;
    let init = vm.method(class, "<init>", INIT);
    let made = vm.new_object(class)?;
    f.set_slot(MADE, from_ref(made));
    f.set_phase(at + 1);
    let mut args = vec![from_ref(made), from_ref(thread), from_int(status as i32)];
    args.extend([on, owner].map(from_ref));
    for long in [blocked, UNMEASURED, waited, UNMEASURED] {
        args.extend([long, 0]);
    }
    args.extend([stack, monitors, depths, synchronizers].map(from_ref));
    call(init, args)
}
