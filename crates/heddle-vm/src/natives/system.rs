//! java.lang.System, Runtime, Shutdown: time, copying, memory figures, the end.

use crate::class::{Basic, ClassKind, ClassPtr};
use crate::heap::{ELEMENTS, Ref};
use crate::native::{Entry, Frame, Res, Table, Trap, call, from_int, from_ref, throw, throw_null};
use crate::vm::{Vm, trap};
use heddle_model::EventMask;
use std::sync::atomic::Ordering::Relaxed;

pub const TABLE: &[Table] = &[
    ("java/lang/System", SYSTEM),
    ("java/lang/Runtime", RUNTIME),
    ("java/lang/Shutdown", SHUTDOWN),
    ("jdk/internal/perf/Perf", PERF),
    ("java/util/concurrent/atomic/AtomicLong", ATOMIC_LONG),
];

const SYSTEM: &[Entry] = &[
    ("currentTimeMillis()J", current_time_millis),
    ("nanoTime()J", nano_time),
    (
        "arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V",
        arraycopy,
    ),
    ("identityHashCode(Ljava/lang/Object;)I", identity_hash_code),
    ("setIn0(Ljava/io/InputStream;)V", set_in),
    ("setOut0(Ljava/io/PrintStream;)V", set_out),
    ("setErr0(Ljava/io/PrintStream;)V", set_err),
    (
        "mapLibraryName(Ljava/lang/String;)Ljava/lang/String;",
        map_library_name,
    ),
];

const RUNTIME: &[Entry] = &[
    ("availableProcessors()I", available_processors),
    ("freeMemory()J", free_memory),
    ("totalMemory()J", total_memory),
    ("maxMemory()J", max_memory),
    ("gc()V", gc),
];

const SHUTDOWN: &[Entry] = &[("beforeHalt()V", before_halt), ("halt0(I)V", halt)];

const PERF: &[Entry] = &[
    (
        "createLong(Ljava/lang/String;IIJ)Ljava/nio/ByteBuffer;",
        perf_create_long,
    ),
    ("highResCounter()J", nano_time),
    ("highResFrequency()J", perf_frequency),
];

const ATOMIC_LONG: &[Entry] = &[("VMSupportsCS8()Z", supports_cs8)];

/// A look at the clock takes a moment too: a loop that waits for time to pass ends.
pub const LOOK_NANOS: u64 = 100;

fn current_time_millis(vm: &mut Vm, _: Frame) -> Res<u64> {
    let now = look_at_clock(vm);
    Ok((vm.options.start_millis + (now / 1_000_000) as i64) as u64)
}

fn nano_time(vm: &mut Vm, _: Frame) -> Res<u64> {
    Ok(look_at_clock(vm))
}

/// In a search each thread pays for its own looks only: what one sees of the time does not
/// depend on how often others looked before.
pub fn look_at_clock(vm: &mut Vm) -> u64 {
    if vm.heap.tracking {
        let control = &mut vm.running().control;
        control.looks += 1;
        return control.looks * LOOK_NANOS + vm.globals.clock;
    }
    vm.globals.clock += LOOK_NANOS;
    vm.globals.clock
}

fn identity_hash_code(vm: &mut Vm, f: Frame) -> Res<u64> {
    Ok(from_int(vm.identity_hash(f.reference(0))))
}

fn set_stream(vm: &mut Vm, name: &str, stream: Ref) -> Res<u64> {
    let class = vm.known.system;
    let offset = vm.offset(class, name);
    vm.publish(stream);
    vm.heap.put_ref(class.mirror.get(), offset, stream);
    Ok(0)
}

fn set_in(vm: &mut Vm, f: Frame) -> Res<u64> {
    set_stream(vm, "in", f.reference(0))
}
fn set_out(vm: &mut Vm, f: Frame) -> Res<u64> {
    set_stream(vm, "out", f.reference(0))
}
fn set_err(vm: &mut Vm, f: Frame) -> Res<u64> {
    set_stream(vm, "err", f.reference(0))
}

fn map_library_name(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.reference(0).is_null() {
        return throw_null();
    }
    let name = format!("lib{}.so", vm.string(f.reference(0)));
    Ok(from_ref(vm.new_string(&name)?))
}

pub fn available_processors(vm: &mut Vm, _: Frame) -> Res<u64> {
    if vm.globals.main_started {
        vm.options.asked_for_processors.store(true, Relaxed);
    }
    Ok(vm.options.processors as u64)
}

fn free_memory(vm: &mut Vm, _: Frame) -> Res<u64> {
    Ok(vm.heap.limit().saturating_sub(vm.heap.used()))
}

fn total_memory(vm: &mut Vm, _: Frame) -> Res<u64> {
    Ok(vm.heap.limit())
}

fn max_memory(vm: &mut Vm, _: Frame) -> Res<u64> {
    Ok(vm.heap.limit())
}

/// A request, not a command; nothing is reclaimed yet.
fn gc(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(0)
}

fn before_halt(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(0)
}

fn halt(_: &mut Vm, f: Frame) -> Res<u64> {
    trap(Trap::Exit(f.int(0)))
}

fn supports_cs8(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(1)
}

fn perf_frequency(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(1_000_000_000)
}

/// A counter is eight bytes of memory behind a buffer.
fn perf_create_long(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.phase() == 1 {
        return Ok(f.slot(0));
    }
    let class = vm.load_boot("java/nio/DirectByteBuffer")?;
    vm.ensure_initialized(class)?;
    let block = vm.new_primitive_array(Basic::Long, 1)?;
    vm.heap.put(block, ELEMENTS, f.long(4));
    let buffer = vm.new_object(class)?;
    f.set_slot(0, from_ref(buffer));
    f.set_phase(1);
    let init = vm.method(class, "<init>", "(JI)V");
    call(init, vec![from_ref(buffer), block.at() + ELEMENTS, 0, 8])
}

/// Reports the reads and writes of a copy, as far as other threads can notice them. The
/// values are left out.
fn report_copy(vm: &mut Vm, from: (Ref, i32), to: (Ref, i32), count: i32) {
    let wanted = EventMask::READ.and(EventMask::WRITE);
    if !vm.wanted.has(wanted) {
        return;
    }
    for i in 0..count {
        vm.element_read(from.0, (from.1 + i) as u32);
        vm.element_written(to.0, (to.1 + i) as u32);
    }
}

// ---- arraycopy -------------------------------------------------------------------------

fn arraycopy(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (src, src_pos, dst, dst_pos, count) =
        (f.reference(0), f.int(1), f.reference(2), f.int(3), f.int(4));
    if src.is_null() || dst.is_null() {
        return throw_null();
    }
    let (from, to) = (vm.class_of(src), vm.class_of(dst));
    let (
        ClassKind::Array {
            element: source,
            shift,
        },
        ClassKind::Array {
            element: target, ..
        },
    ) = (from.kind, to.kind)
    else {
        return store_error(vm, from, to);
    };
    if from != to && (source.is_primitive() || target.is_primitive()) {
        return store_error(vm, from, to);
    }
    let (src_len, dst_len) = (vm.heap.length(src) as i64, vm.heap.length(dst) as i64);
    if src_pos < 0
        || dst_pos < 0
        || count < 0
        || src_pos as i64 + count as i64 > src_len
        || dst_pos as i64 + count as i64 > dst_len
    {
        return bounds_error(vm, f, from, to, src_len, dst_len);
    }
    let at = |pos: i32| ELEMENTS + ((pos as u64) << shift);
    if from == to || source.is_subtype_of(target) {
        if vm.heap.tracking {
            if !source.is_primitive() && vm.publishes(dst) {
                for i in 0..count {
                    vm.publish(vm.heap.get_ref(src, at(src_pos + i)));
                }
            }
            report_copy(vm, (src, src_pos), (dst, dst_pos), count);
        }
        vm.heap
            .copy_bytes(src, at(src_pos), dst, at(dst_pos), (count as u64) << shift);
        return Ok(0);
    }
    // Element by element: those before the first that does not fit are copied.
    for i in 0..count {
        let value = vm.heap.get_ref(src, at(src_pos + i));
        if vm.heap.tracking {
            report_copy(vm, (src, src_pos + i), (dst, dst_pos + i), 1);
        }
        if !value.is_null() && !vm.is_instance(value, target) {
            let message = format!(
                "arraycopy: element type mismatch: can not cast one of the elements of {}[] to the type of the destination array, {}",
                java_name(vm, source),
                java_name(vm, target)
            );
            return throw("java/lang/ArrayStoreException", message);
        }
        vm.storing(dst, value);
        vm.heap.put_ref(dst, at(dst_pos + i), value);
    }
    Ok(0)
}

fn java_name(vm: &Vm, class: ClassPtr) -> String {
    match class.element() {
        Some(element) => java_name(vm, element) + "[]",
        None => vm.external_name(class),
    }
}

/// `int` for `int[]`, `object array` for arrays of references.
fn kind_name(vm: &Vm, class: ClassPtr) -> String {
    match class.element() {
        Some(element) if element.is_primitive() => vm.external_name(element),
        _ => "object array".into(),
    }
}

fn store_error<T>(vm: &Vm, from: ClassPtr, to: ClassPtr) -> Res<T> {
    let message = if !from.is_array() {
        format!(
            "arraycopy: source type {} is not an array",
            vm.external_name(from)
        )
    } else if !to.is_array() {
        format!(
            "arraycopy: destination type {} is not an array",
            vm.external_name(to)
        )
    } else {
        format!(
            "arraycopy: type mismatch: can not copy {}[] into {}[]",
            kind_name(vm, from),
            kind_name(vm, to)
        )
    };
    throw("java/lang/ArrayStoreException", message)
}

fn bounds_error<T>(
    vm: &Vm,
    f: Frame,
    from: ClassPtr,
    to: ClassPtr,
    src_len: i64,
    dst_len: i64,
) -> Res<T> {
    let (src_pos, dst_pos, count) = (f.int(1), f.int(3), f.int(4));
    let (from, to) = (kind_name(vm, from), kind_name(vm, to));
    let message = if src_pos < 0 {
        format!("arraycopy: source index {src_pos} out of bounds for {from}[{src_len}]")
    } else if dst_pos < 0 {
        format!("arraycopy: destination index {dst_pos} out of bounds for {to}[{dst_len}]")
    } else if count < 0 {
        format!("arraycopy: length {count} is negative")
    } else if src_pos as i64 + count as i64 > src_len {
        format!(
            "arraycopy: last source index {} out of bounds for {from}[{src_len}]",
            src_pos as u32 as i64 + count as i64
        )
    } else {
        format!(
            "arraycopy: last destination index {} out of bounds for {to}[{dst_len}]",
            dst_pos as u32 as i64 + count as i64
        )
    };
    throw("java/lang/ArrayIndexOutOfBoundsException", message)
}
