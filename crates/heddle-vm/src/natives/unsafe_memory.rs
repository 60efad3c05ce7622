//! jdk.internal.misc.Unsafe: raw access to fields, elements and memory.
//!
//! An address is a byte offset into the arena, so an access relative to an object
//! and one to raw memory are the same computation. Volatile and plain accesses do
//! the same here: one thread runs at a time, and the order of operations is the
//! scheduler's business.

use crate::class::{Basic, ClassKind, Touches, access};
use crate::heap::{ELEMENTS, Ref};
use crate::native::{
    Entry, Frame, Res, Table, Trap, from_bool, from_int, from_ref, throw, throw_bare, throw_null,
};
use crate::vm::{Vm, trap};
use heddle_model::{EventKind, EventMask};

pub const TABLE: &[Table] = &[("jdk/internal/misc/Unsafe", UNSAFE)];

/// Byte address of `(object, offset)`, checked if it is raw memory.
#[inline(always)]
fn address(vm: &Vm, f: Frame, size: u64) -> Res<u64> {
    let object = f.reference(1);
    let at = object.at().wrapping_add(f.long(2) as u64);
    if object.is_null() && !vm.heap.arena.check(at, size) {
        return bad_address(at);
    }
    Ok(at)
}

#[cold]
fn bad_address<T>(at: u64) -> Res<T> {
    throw(
        "java/lang/InternalError",
        format!("a fault occurred in an unsafe memory access operation (address {at:#x})"),
    )
}

/// Must come before a write at `at`.
#[inline(always)]
fn before_write(vm: &mut Vm, f: Frame, at: u64, size: u64) {
    let object = f.reference(1);
    if object.is_null() {
        vm.heap.barrier_raw(at, size);
    } else {
        vm.heap.barrier_range(object, at - object.at(), size);
    }
}

/// Reports an access to an object's field or element.
#[inline(always)]
fn seen(vm: &mut Vm, f: Frame, write: bool, value: u64, size: usize) {
    if vm.heap.tracking {
        note(vm, f, write, size);
    }
    told(vm, f, write, value, size);
}

#[inline(always)]
fn told(vm: &mut Vm, f: Frame, write: bool, value: u64, size: usize) {
    if vm.wanted.has(EventMask::READ.and(EventMask::WRITE)) {
        report(vm, f, write, value, size);
    }
}

/// The same for a value that was exchanged. Who puts there what is there has only looked: a loop of
/// that waits for a change, and nobody can tell in which order two threads did so. It orders no
/// accesses either that would not be in a race if it came a little later.
#[inline(always)]
fn exchanged(vm: &mut Vm, f: Frame, old: u64, new: u64, size: usize) {
    if old == new {
        return;
    }
    let object = f.reference(1);
    match object.is_null() {
        true => vm.running().control.round.pure = false,
        false => vm.disturb(object, f.long(2) as u64, size, (old, new)),
    }
    told(vm, f, true, new, size);
}

/// For loops that wait for a change: see `waiting.rs`.
#[cold]
fn note(vm: &mut Vm, f: Frame, write: bool, size: usize) {
    let object = f.reference(1);
    if write {
        vm.running().control.round.pure = false;
    } else if object.is_null() || vm.access_noticeable(f) {
        vm.note_look(object.at().wrapping_add(f.long(2) as u64), size);
    }
}

#[cold]
fn report(vm: &mut Vm, f: Frame, write: bool, value: u64, size: usize) {
    let object = f.reference(1);
    let offset = f.long(2) as u64;
    if object.is_null() {
        return vm.tell_memory(object, offset, size as u64, write);
    }
    if !vm.access_noticeable(f) {
        return;
    }
    if let ClassKind::Array { shift, .. } = vm.class_of(object).kind
        && size > 1 << shift
    {
        // Several elements at once.
        let at = object.at().wrapping_add(offset);
        return vm.tell_memory(object, at, size as u64, write);
    }
    let place = vm.place_at(object, offset);
    let orders = f.method().touches.get() == Touches::Slot1Volatile && !vm.is_volatile_place(place);
    let access = match write {
        true => EventKind::Write { place, value },
        false => EventKind::Read { place, value },
    };
    match orders {
        true => vm.emit_ordering(access),
        false => vm.emit(access),
    }
}

macro_rules! accessors {
    ($($get:ident, $put:ident, $t:ty, ($($wide:tt)*);)*) => {
        $(
            fn $get(vm: &mut Vm, f: Frame) -> Res<u64> {
                let at = address(vm, f, size_of::<$t>() as u64)?;
                let value = vm.heap.arena.read::<$t>(at) $($wide)* as u64;
                seen(vm, f, false, value, size_of::<$t>());
                Ok(value)
            }
            fn $put(vm: &mut Vm, f: Frame) -> Res<u64> {
                let at = address(vm, f, size_of::<$t>() as u64)?;
                before_write(vm, f, at, size_of::<$t>() as u64);
                vm.heap.arena.write::<$t>(at, f.raw(4) as $t);
                seen(vm, f, true, f.raw(4), size_of::<$t>());
                Ok(0)
            }
        )*
    };
}

accessors! {
    get8, put8, i8, (as i32 as u32);
    get16, put16, i16, (as i32 as u32);
    get_char, put_char, u16, ();
    get32, put32, u32, ();
    get64, put64, u64, ();
}

fn get_bool(vm: &mut Vm, f: Frame) -> Res<u64> {
    let at = address(vm, f, 1)?;
    let value = vm.heap.arena.read::<u8>(at) as u64;
    seen(vm, f, false, value, 1);
    Ok(value)
}

fn put_bool(vm: &mut Vm, f: Frame) -> Res<u64> {
    let at = address(vm, f, 1)?;
    before_write(vm, f, at, 1);
    vm.heap.arena.write(at, (f.raw(4) as u32 != 0) as u8);
    seen(vm, f, true, (f.raw(4) as u32 != 0) as u64, 1);
    Ok(0)
}

/// Compare and exchange of 32 bits (ints and references): (expected, new) in slots 4, 5.
fn exchange32(vm: &mut Vm, f: Frame) -> Res<u64> {
    let at = address(vm, f, 4)?;
    let old: u32 = vm.heap.arena.read(at);
    seen(vm, f, false, old as u64, 4);
    if old == f.raw(4) as u32 {
        before_write(vm, f, at, 4);
        vm.heap.arena.write(at, f.raw(5) as u32);
        exchanged(vm, f, old.into(), (f.raw(5) as u32).into(), 4);
    }
    Ok(old as u64)
}

fn set32(vm: &mut Vm, f: Frame) -> Res<u64> {
    let expected = f.raw(4) as u32;
    Ok(from_bool(exchange32(vm, f)? as u32 == expected))
}

/// 64 bits: (expected, new) in slots 4 and 6.
fn exchange64(vm: &mut Vm, f: Frame) -> Res<u64> {
    let at = address(vm, f, 8)?;
    let old: u64 = vm.heap.arena.read(at);
    seen(vm, f, false, old, 8);
    if old == f.raw(4) {
        before_write(vm, f, at, 8);
        vm.heap.arena.write(at, f.raw(6));
        exchanged(vm, f, old, f.raw(6), 8);
    }
    Ok(old)
}

fn set64(vm: &mut Vm, f: Frame) -> Res<u64> {
    let expected = f.raw(4);
    Ok(from_bool(exchange64(vm, f)? == expected))
}

/// The reference in slot `value` is about to be stored: it may be shared from now on.
fn storing(vm: &mut Vm, f: Frame, value: usize) {
    let holder = f.reference(1);
    if !holder.is_null() {
        vm.storing(holder, f.reference(value));
    }
}

/// A write that lets others go on: volatile, release, compare-and-set.
fn released(vm: &mut Vm, f: Frame) {
    if vm.heap.tracking && !f.reference(1).is_null() && vm.access_noticeable(f) {
        vm.running().control.released = true;
    }
}

macro_rules! releasing {
    ($($name:ident = $plain:ident;)*) => {
        $(fn $name(vm: &mut Vm, f: Frame) -> Res<u64> {
            let answer = $plain(vm, f)?;
            released(vm, f);
            Ok(answer)
        })*
    };
}

releasing! {
    put8_volatile = put8;
    put16_volatile = put16;
    put_char_volatile = put_char;
    put32_volatile = put32;
    put64_volatile = put64;
    put_bool_volatile = put_bool;
    put_reference_volatile = put_reference;
    set32_release = set32;
    exchange32_release = exchange32;
    set64_release = set64;
    exchange64_release = exchange64;
}

fn put_reference(vm: &mut Vm, f: Frame) -> Res<u64> {
    storing(vm, f, 4);
    put32(vm, f)
}

fn set_reference(vm: &mut Vm, f: Frame) -> Res<u64> {
    let expected = f.raw(4) as u32;
    Ok(from_bool(exchange_reference(vm, f)? as u32 == expected))
}

fn exchange_reference(vm: &mut Vm, f: Frame) -> Res<u64> {
    let at = address(vm, f, 4)?;
    if vm.heap.arena.read::<u32>(at) == f.raw(4) as u32 {
        storing(vm, f, 5);
    }
    let old = exchange32(vm, f)?;
    released(vm, f);
    Ok(old)
}

fn fence(_: &mut Vm, _: Frame) -> Res<u64> {
    Ok(0)
}

/// A block of raw memory is a `long[]`, so that the heap can be walked; the address is
/// that of its first element.
fn allocate_memory(vm: &mut Vm, f: Frame) -> Res<u64> {
    let bytes = f.long(1) as u64;
    match raw_block(vm, bytes)? {
        Some(at) => Ok(at),
        None => throw(
            "java/lang/OutOfMemoryError",
            format!("Unable to allocate {bytes} bytes"),
        ),
    }
}

fn raw_block(vm: &mut Vm, bytes: u64) -> Res<Option<u64>> {
    let words = bytes.div_ceil(8).max(1);
    if words > i32::MAX as u64 {
        return Ok(None);
    }
    let block = vm.new_primitive_array(Basic::Long, words as u32)?;
    Ok(Some(block.at() + ELEMENTS))
}

fn reallocate_memory(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (old, bytes) = (f.long(1) as u64, f.long(3) as u64);
    let Some(new) = raw_block(vm, bytes)? else {
        return throw(
            "java/lang/OutOfMemoryError",
            format!("Unable to allocate {bytes} bytes"),
        );
    };
    if old != 0 {
        if !vm.heap.arena.check(old, 8) {
            return bad_address(old);
        }
        let block = Ref(((old - ELEMENTS) >> 3) as u32);
        let len = (vm.heap.length(block) as u64 * 8).min(bytes);
        vm.heap.arena.copy(old, new, len as usize);
    }
    Ok(new)
}

fn free_memory(_: &mut Vm, _: Frame) -> Res<u64> {
    // Blocks are objects; the heap takes them back.
    Ok(0)
}

fn set_memory(vm: &mut Vm, f: Frame) -> Res<u64> {
    let len = f.long(4) as u64;
    let at = address(vm, f, len)?;
    before_write(vm, f, at, len);
    vm.heap
        .arena
        .bytes_mut(at, len as usize)
        .fill(f.int(6) as u8);
    vm.tell_memory(f.reference(1), at, len, true);
    Ok(0)
}

fn copy_addresses(vm: &Vm, f: Frame, len: u64) -> Res<(u64, Ref, u64)> {
    let from = address(vm, f, len)?;
    let object = f.reference(4);
    let to = object.at().wrapping_add(f.long(5) as u64);
    if object.is_null() && !vm.heap.arena.check(to, len) {
        return bad_address(to);
    }
    Ok((from, object, to))
}

fn before_copy(vm: &mut Vm, object: Ref, to: u64, len: u64) {
    if object.is_null() {
        vm.heap.barrier_raw(to, len);
    } else {
        vm.heap.barrier_range(object, to - object.at(), len);
    }
}

fn copy_memory(vm: &mut Vm, f: Frame) -> Res<u64> {
    let len = f.long(7) as u64;
    let (from, object, to) = copy_addresses(vm, f, len)?;
    before_copy(vm, object, to, len);
    vm.heap.arena.copy(from, to, len as usize);
    tell_copy(vm, f, (from, to), len);
    Ok(0)
}

fn tell_copy(vm: &mut Vm, f: Frame, (from, to): (u64, u64), len: u64) {
    vm.tell_memory(f.reference(1), from, len, false);
    vm.tell_memory(f.reference(4), to, len, true);
}

fn copy_swap_memory(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (len, size) = (f.long(7) as u64, f.long(9) as usize);
    let (from, object, to) = copy_addresses(vm, f, len)?;
    before_copy(vm, object, to, len);
    vm.heap.arena.copy(from, to, len as usize);
    for element in vm
        .heap
        .arena
        .bytes_mut(to, len as usize)
        .chunks_exact_mut(size)
    {
        element.reverse();
    }
    tell_copy(vm, f, (from, to), len);
    Ok(0)
}

/// A java.lang.reflect.Field: its class and index there.
fn reflected(vm: &mut Vm, field: Ref) -> Res<(crate::class::ClassPtr, usize)> {
    if field.is_null() {
        return throw_null();
    }
    let mirror = vm.field_ref(field, "clazz");
    let slot = vm.field_int(field, "slot");
    Ok((vm.mirrored(mirror), slot as usize))
}

fn object_field_offset(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (class, slot) = reflected(vm, f.reference(1))?;
    Ok(class.fields[slot].offset as u64)
}

fn object_field_offset_by_name(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (mirror, name) = (f.reference(1), f.reference(2));
    if mirror.is_null() || name.is_null() {
        return throw_null();
    }
    let class = vm.mirrored(mirror);
    let name = vm.string_symbol(name);
    match class
        .fields
        .iter()
        .find(|field| field.name == name && field.index != u16::MAX)
    {
        Some(field) => Ok(field.offset as u64),
        None => throw_bare("java/lang/InternalError"),
    }
}

fn static_field_base(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (class, slot) = reflected(vm, f.reference(1))?;
    debug_assert!(class.fields[slot].access & access::STATIC != 0);
    Ok(from_ref(class.mirror.get()))
}

fn should_be_initialized(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = vm.mirrored(f.reference(1));
    vm.look_at_initialization(class);
    Ok(from_bool(!class.is_initialized()))
}

fn ensure_class_initialized(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = vm.mirrored(f.reference(1));
    vm.ensure_initialized(class)?;
    vm.look_at_initialization(class);
    Ok(0)
}

fn array_base_offset(vm: &mut Vm, f: Frame) -> Res<u64> {
    array_kind(vm, f)?;
    Ok(ELEMENTS)
}

fn array_index_scale(vm: &mut Vm, f: Frame) -> Res<u64> {
    Ok(1 << array_kind(vm, f)?)
}

fn array_kind(vm: &mut Vm, f: Frame) -> Res<u8> {
    match vm.mirrored(f.reference(1)).kind {
        ClassKind::Array { shift, .. } => Ok(shift),
        _ => throw_bare("java/lang/InvalidClassException"),
    }
}

fn allocate_instance(vm: &mut Vm, f: Frame) -> Res<u64> {
    let class = vm.mirrored(f.reference(1));
    if !class.is_instance_kind() || class.is_abstract() || class == vm.known.class {
        return throw("java/lang/InstantiationException", vm.external_name(class));
    }
    vm.ensure_initialized(class)?;
    Ok(from_ref(vm.new_object(class)?))
}

fn throw_exception(_: &mut Vm, f: Frame) -> Res<u64> {
    if f.reference(1).is_null() {
        return throw_null();
    }
    trap(Trap::Throw(f.reference(1)))
}

/// Unsafe.getLoadAverage(loads, how many). The host's load is not part of the world that is
/// searched; -1 is “not obtainable”.
fn load_average(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (loads, count) = (f.reference(1), f.int(2));
    if vm.heap.tracking {
        return Ok(from_int(-1));
    }
    let mut averages = [0.0f64; 3];
    let wanted = count.clamp(0, 3);
    // SAFETY: there is room for as many as are asked for.
    let got = unsafe { libc::getloadavg(averages.as_mut_ptr(), wanted) };
    let got_any = got.max(0) as usize;
    for (at, average) in averages.iter().take(got_any).enumerate() {
        vm.heap
            .put(loads, ELEMENTS + at as u64 * 8, average.to_bits());
    }
    Ok(from_int(got))
}

const UNSAFE: &[Entry] = &[
    ("getInt(Ljava/lang/Object;J)I", get32),
    ("getIntVolatile(Ljava/lang/Object;J)I", get32),
    ("getFloat(Ljava/lang/Object;J)F", get32),
    ("getFloatVolatile(Ljava/lang/Object;J)F", get32),
    ("getReference(Ljava/lang/Object;J)Ljava/lang/Object;", get32),
    (
        "getReferenceVolatile(Ljava/lang/Object;J)Ljava/lang/Object;",
        get32,
    ),
    ("getLong(Ljava/lang/Object;J)J", get64),
    ("getLongVolatile(Ljava/lang/Object;J)J", get64),
    ("getDouble(Ljava/lang/Object;J)D", get64),
    ("getDoubleVolatile(Ljava/lang/Object;J)D", get64),
    ("getBoolean(Ljava/lang/Object;J)Z", get_bool),
    ("getBooleanVolatile(Ljava/lang/Object;J)Z", get_bool),
    ("getByte(Ljava/lang/Object;J)B", get8),
    ("getByteVolatile(Ljava/lang/Object;J)B", get8),
    ("getShort(Ljava/lang/Object;J)S", get16),
    ("getShortVolatile(Ljava/lang/Object;J)S", get16),
    ("getChar(Ljava/lang/Object;J)C", get_char),
    ("getCharVolatile(Ljava/lang/Object;J)C", get_char),
    ("putInt(Ljava/lang/Object;JI)V", put32),
    ("putIntVolatile(Ljava/lang/Object;JI)V", put32_volatile),
    ("putFloat(Ljava/lang/Object;JF)V", put32),
    ("putFloatVolatile(Ljava/lang/Object;JF)V", put32_volatile),
    (
        "putReference(Ljava/lang/Object;JLjava/lang/Object;)V",
        put_reference,
    ),
    (
        "putReferenceVolatile(Ljava/lang/Object;JLjava/lang/Object;)V",
        put_reference_volatile,
    ),
    ("putLong(Ljava/lang/Object;JJ)V", put64),
    ("putLongVolatile(Ljava/lang/Object;JJ)V", put64_volatile),
    ("putDouble(Ljava/lang/Object;JD)V", put64),
    ("putDoubleVolatile(Ljava/lang/Object;JD)V", put64_volatile),
    ("putBoolean(Ljava/lang/Object;JZ)V", put_bool),
    (
        "putBooleanVolatile(Ljava/lang/Object;JZ)V",
        put_bool_volatile,
    ),
    ("putByte(Ljava/lang/Object;JB)V", put8),
    ("putByteVolatile(Ljava/lang/Object;JB)V", put8_volatile),
    ("putShort(Ljava/lang/Object;JS)V", put16),
    ("putShortVolatile(Ljava/lang/Object;JS)V", put16_volatile),
    ("putChar(Ljava/lang/Object;JC)V", put_char),
    ("putCharVolatile(Ljava/lang/Object;JC)V", put_char_volatile),
    ("compareAndSetInt(Ljava/lang/Object;JII)Z", set32_release),
    (
        "compareAndExchangeInt(Ljava/lang/Object;JII)I",
        exchange32_release,
    ),
    (
        "compareAndSetReference(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Z",
        set_reference,
    ),
    (
        "compareAndExchangeReference(Ljava/lang/Object;JLjava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
        exchange_reference,
    ),
    ("compareAndSetLong(Ljava/lang/Object;JJJ)Z", set64_release),
    (
        "compareAndExchangeLong(Ljava/lang/Object;JJJ)J",
        exchange64_release,
    ),
    ("loadFence()V", fence),
    ("storeFence()V", fence),
    ("fullFence()V", fence),
    ("writeback0(J)V", fence),
    ("writebackPreSync0()V", fence),
    ("writebackPostSync0()V", fence),
    ("allocateMemory0(J)J", allocate_memory),
    ("reallocateMemory0(JJ)J", reallocate_memory),
    ("freeMemory0(J)V", free_memory),
    ("setMemory0(Ljava/lang/Object;JJB)V", set_memory),
    (
        "copyMemory0(Ljava/lang/Object;JLjava/lang/Object;JJ)V",
        copy_memory,
    ),
    (
        "copySwapMemory0(Ljava/lang/Object;JLjava/lang/Object;JJJ)V",
        copy_swap_memory,
    ),
    (
        "objectFieldOffset0(Ljava/lang/reflect/Field;)J",
        object_field_offset,
    ),
    (
        "objectFieldOffset1(Ljava/lang/Class;Ljava/lang/String;)J",
        object_field_offset_by_name,
    ),
    (
        "staticFieldOffset0(Ljava/lang/reflect/Field;)J",
        object_field_offset,
    ),
    (
        "staticFieldBase0(Ljava/lang/reflect/Field;)Ljava/lang/Object;",
        static_field_base,
    ),
    (
        "shouldBeInitialized0(Ljava/lang/Class;)Z",
        should_be_initialized,
    ),
    (
        "ensureClassInitialized0(Ljava/lang/Class;)V",
        ensure_class_initialized,
    ),
    ("arrayBaseOffset0(Ljava/lang/Class;)I", array_base_offset),
    ("arrayIndexScale0(Ljava/lang/Class;)I", array_index_scale),
    (
        "allocateInstance(Ljava/lang/Class;)Ljava/lang/Object;",
        allocate_instance,
    ),
    ("throwException(Ljava/lang/Throwable;)V", throw_exception),
    ("getLoadAverage0([DI)I", load_average),
    ("unpark(Ljava/lang/Object;)V", super::threads::unpark),
    ("park(ZJ)V", super::threads::park),
];
