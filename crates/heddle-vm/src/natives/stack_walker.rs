//! `java.lang.StackStreamFactory`: the VM's half of `StackWalker`.
//!
//! A walk is a native that fills the first batch of frames and calls
//! `doStackWalk`, which may ask for more. The stack below the walk does not change
//! meanwhile, so a position is the number of frames that are left, kept in an
//! injected field of the walker. Live frames (locals and operands) are left out.

use crate::class::{MethodPtr, access};
use crate::frames::FrameInfo;
use crate::heap::Ref;
use crate::native::{
    Frame, Res, Table, call, from_bool, from_int, from_ref, throw, throw_null, unsupported,
};
use crate::vm::Vm;

pub const TABLE: &[Table] = &[
    (
        "java/lang/StackStreamFactory",
        &[("checkStackWalkModes()Z", check_modes)],
    ),
    (
        "java/lang/StackStreamFactory$AbstractStackWalker",
        &[
            (
                "callStackWalk(JIII[Ljava/lang/Object;)Ljava/lang/Object;",
                call_stack_walk,
            ),
            ("fetchStackFrames(JJII[Ljava/lang/Object;)I", fetch_frames),
        ],
    ),
];

const CLASSES_ONLY: i64 = 0x2;
const GET_CALLER: i64 = 0x4;
const SHOW_HIDDEN: i64 = 0x20;
const LIVE: i64 = 0x100;

/// Flags of java.lang.invoke.MemberName.
const IS_METHOD: i32 = 0x1_0000;
const IS_CONSTRUCTOR: i32 = 0x2_0000;
const CALLER_SENSITIVE: i32 = 0x10_0000;
const REFERENCE_KIND_SHIFT: i32 = 24;

/// The modes above are those that the library was compiled with.
fn check_modes(_vm: &mut Vm, _f: Frame) -> Res<u64> {
    Ok(from_bool(true))
}

/// callStackWalk(mode, skip, batch, start, frames)
fn call_stack_walk(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.phase() == 1 {
        return Ok(from_ref(f.result_ref()));
    }
    let (walker, mode) = (f.reference(0), f.long(1));
    let (skip, batch, start, frames) = (f.int(3), f.int(4), f.int(5), f.reference(6));
    if frames.is_null() {
        return throw("java/lang/NullPointerException", "frame_buffer is NULL");
    }
    check_buffer(vm, frames, batch, start)?;
    let stack = vm.java_frames(vm.current);
    let abstract_walker = f.method().class;
    let walker_class = vm.load_boot("java/lang/StackWalker")?;
    let mut next = 0;
    while next < stack.len() {
        let class = stack[next].method.class;
        if class != walker_class
            && class != abstract_walker
            && class.parent != Some(abstract_walker)
        {
            break;
        }
        next += 1;
    }
    next = (next + skip as usize).min(stack.len());
    let mut end = start;
    if batch > 0 {
        end = fill(vm, mode, &stack, &mut next, batch, start, frames)?;
        if end == start {
            return throw("java/lang/InternalError", "stack walk: decode failed");
        }
    }
    vm.set_field_long(walker, "position", (stack.len() - next) as i64);
    f.set_phase(1);
    let walk = vm.method(abstract_walker, "doStackWalk", "(JIIII)Ljava/lang/Object;");
    // Any value but 0 and -1 says that the walk has begun.
    let anchor = stack.len() as u64;
    call(
        walk,
        vec![
            from_ref(walker),
            anchor,
            0,
            from_int(skip),
            from_int(batch),
            from_int(start),
            from_int(end),
        ],
    )
}

/// fetchStackFrames(mode, anchor, batch, start, frames)
fn fetch_frames(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (walker, mode) = (f.reference(0), f.long(1));
    let (batch, start, frames) = (f.int(5), f.int(6), f.reference(7));
    if frames.is_null() {
        return throw_null();
    }
    check_buffer(vm, frames, batch, start)?;
    let stack = vm.java_frames(vm.current);
    let left = vm.field_long(walker, "position") as usize;
    if left > stack.len() {
        return throw("java/lang/InternalError", "doStackWalk: corrupted buffers");
    }
    let mut next = stack.len() - left;
    let end = fill(vm, mode, &stack, &mut next, batch, start, frames)?;
    vm.set_field_long(walker, "position", (stack.len() - next) as i64);
    Ok(from_int(end))
}

fn check_buffer(vm: &Vm, frames: Ref, batch: i32, start: i32) -> Res<()> {
    if (vm.heap.length(frames) as i64) < start as i64 + batch as i64 {
        return throw(
            "java/lang/IllegalArgumentException",
            "not enough space in buffers",
        );
    }
    Ok(())
}

/// Fills the buffer from `start` on with at most `batch` frames; returns the end.
fn fill(
    vm: &mut Vm,
    mode: i64,
    stack: &[FrameInfo],
    next: &mut usize,
    batch: i32,
    start: i32,
    frames: Ref,
) -> Res<i32> {
    if mode & LIVE != 0 {
        return unsupported("live stack frames (java.lang.LiveStackFrame)");
    }
    let mut end = start;
    while *next < stack.len() && end - start < batch {
        let frame = stack[*next];
        *next += 1;
        let method = frame.method;
        if method.flags.hidden && (mode & SHOW_HIDDEN == 0 || mode & GET_CALLER != 0) {
            continue;
        }
        if mode & CLASSES_ONLY != 0 {
            if mode & GET_CALLER != 0 && end == start && method.flags.caller_sensitive {
                let text = vm.method_text(method.class, method.name, method.desc);
                let message = format!(
                    "StackWalker::getCallerClass called from @CallerSensitive '{text}' method"
                );
                return throw("java/lang/UnsupportedOperationException", message);
            }
            vm.heap
                .set_element(frames, end as u32, method.class.mirror.get());
        } else {
            let info = vm.heap.element(frames, end as u32);
            fill_info(vm, info, method, frame.bci())?;
        }
        end += 1;
    }
    Ok(end)
}

/// Fills a StackFrameInfo: its member name, complete so that nothing has to be asked for
/// later, and the place.
fn fill_info(vm: &mut Vm, info: Ref, method: MethodPtr, bci: i32) -> Res<()> {
    let member = vm.field_ref(info, "memberName");
    let name = vm.intern_symbol(method.name)?;
    let desc = vm.intern_symbol(method.desc)?;
    let k = &vm.known;
    let (clazz, name_at, type_at, flags_at) = (
        k.member_clazz,
        k.member_name_field,
        k.member_type,
        k.member_flags,
    );
    vm.heap.put_ref(member, clazz, method.class.mirror.get());
    vm.heap.put_ref(member, name_at, name);
    vm.heap.put_ref(member, type_at, desc);
    let constructor = vm.symbols.bytes(method.name) == b"<init>";
    let kind = if constructor {
        8
    } else if method.is_static() {
        6
    } else if method.is_private() {
        7
    } else if method.class.access & access::INTERFACE != 0 {
        9
    } else {
        5
    };
    let mut flags = method.access as i32 & 0x1fff | kind << REFERENCE_KIND_SHIFT;
    flags |= if constructor {
        IS_CONSTRUCTOR
    } else {
        IS_METHOD
    };
    if method.flags.caller_sensitive {
        flags |= CALLER_SENSITIVE;
    }
    vm.heap.put(member, flags_at, flags);
    vm.set_field_int(info, "bci", bci);
    vm.set_field_long(info, "vmframe", method.id as i64);
    Ok(())
}
