//! `java.lang.reflect.Array`: element access with unboxing and widening, and new
//! arrays of any type.

use crate::class::{Basic, ClassPtr};
use crate::heap::{ELEMENTS, Ref};
use crate::native::{Frame, Res, Table, from_int, from_ref, throw, throw_bare, throw_null};
use crate::vm::Vm;

pub const TABLE: &[Table] = &[(
    "java/lang/reflect/Array",
    &[
        ("getLength(Ljava/lang/Object;)I", length),
        ("get(Ljava/lang/Object;I)Ljava/lang/Object;", get),
        ("getBoolean(Ljava/lang/Object;I)Z", |vm, f| {
            get_as(vm, f, Basic::Boolean)
        }),
        ("getByte(Ljava/lang/Object;I)B", |vm, f| {
            get_as(vm, f, Basic::Byte)
        }),
        ("getChar(Ljava/lang/Object;I)C", |vm, f| {
            get_as(vm, f, Basic::Char)
        }),
        ("getShort(Ljava/lang/Object;I)S", |vm, f| {
            get_as(vm, f, Basic::Short)
        }),
        ("getInt(Ljava/lang/Object;I)I", |vm, f| {
            get_as(vm, f, Basic::Int)
        }),
        ("getLong(Ljava/lang/Object;I)J", |vm, f| {
            get_as(vm, f, Basic::Long)
        }),
        ("getFloat(Ljava/lang/Object;I)F", |vm, f| {
            get_as(vm, f, Basic::Float)
        }),
        ("getDouble(Ljava/lang/Object;I)D", |vm, f| {
            get_as(vm, f, Basic::Double)
        }),
        ("set(Ljava/lang/Object;ILjava/lang/Object;)V", set),
        ("setBoolean(Ljava/lang/Object;IZ)V", |vm, f| {
            set_as(vm, f, Basic::Boolean)
        }),
        ("setByte(Ljava/lang/Object;IB)V", |vm, f| {
            set_as(vm, f, Basic::Byte)
        }),
        ("setChar(Ljava/lang/Object;IC)V", |vm, f| {
            set_as(vm, f, Basic::Char)
        }),
        ("setShort(Ljava/lang/Object;IS)V", |vm, f| {
            set_as(vm, f, Basic::Short)
        }),
        ("setInt(Ljava/lang/Object;II)V", |vm, f| {
            set_as(vm, f, Basic::Int)
        }),
        ("setLong(Ljava/lang/Object;IJ)V", |vm, f| {
            set_as(vm, f, Basic::Long)
        }),
        ("setFloat(Ljava/lang/Object;IF)V", |vm, f| {
            set_as(vm, f, Basic::Float)
        }),
        ("setDouble(Ljava/lang/Object;ID)V", |vm, f| {
            set_as(vm, f, Basic::Double)
        }),
        ("newArray(Ljava/lang/Class;I)Ljava/lang/Object;", new_array),
        (
            "multiNewArray(Ljava/lang/Class;[I)Ljava/lang/Object;",
            multi_new_array,
        ),
    ],
)];

const ILLEGAL: &str = "java/lang/IllegalArgumentException";

/// A register value of one primitive type as another, where Java widens (JLS 5.1.2).
pub fn widen(value: u64, from: Basic, to: Basic) -> Option<u64> {
    use Basic::*;
    if from == to {
        return Some(value);
    }
    let int = value as u32 as i32;
    Some(match (from, to) {
        (Byte, Short | Int) | (Short | Char, Int) => value,
        (Byte | Short | Char | Int, Long) => int as i64 as u64,
        (Byte | Short | Char | Int, Float) => (int as f32).to_bits() as u64,
        (Byte | Short | Char | Int, Double) => (int as f64).to_bits(),
        (Long, Float) => (value as i64 as f32).to_bits() as u64,
        (Long, Double) => (value as i64 as f64).to_bits(),
        (Float, Double) => (f32::from_bits(value as u32) as f64).to_bits(),
        _ => return None,
    })
}

/// The element class of the array argument.
fn element_of(vm: &Vm, array: Ref) -> Res<ClassPtr> {
    if array.is_null() {
        return throw_null();
    }
    match vm.class_of(array).element() {
        Some(element) => Ok(element),
        None => throw(ILLEGAL, "Argument is not an array"),
    }
}

/// The basic type of a class: `Reference` for all but primitive types.
fn basic_of(class: ClassPtr) -> Basic {
    match class.kind {
        crate::class::ClassKind::Primitive(basic) => basic,
        _ => Basic::Reference,
    }
}

fn primitive_element(vm: &Vm, array: Ref) -> Res<Basic> {
    match basic_of(element_of(vm, array)?) {
        Basic::Reference => throw(ILLEGAL, "Argument is not an array of primitive type"),
        basic => Ok(basic),
    }
}

/// Byte offset of the element that the arguments name.
fn place(vm: &Vm, f: Frame, basic: Basic) -> Res<u64> {
    let index = f.int(1);
    if index < 0 || index as u32 >= vm.heap.length(f.reference(0)) {
        return throw_bare("java/lang/ArrayIndexOutOfBoundsException");
    }
    Ok(ELEMENTS + ((index as u64) << basic.shift()))
}

fn length(vm: &mut Vm, f: Frame) -> Res<u64> {
    element_of(vm, f.reference(0))?;
    Ok(from_int(vm.heap.length(f.reference(0)) as i32))
}

fn get(vm: &mut Vm, f: Frame) -> Res<u64> {
    let basic = basic_of(element_of(vm, f.reference(0))?);
    let at = place(vm, f, basic)?;
    vm.element_read(f.reference(0), f.int(1) as u32);
    let value = vm.load_basic(f.reference(0), at, basic);
    if basic == Basic::Reference {
        return Ok(value);
    }
    Ok(from_ref(vm.box_value(basic, value)?))
}

fn get_as(vm: &mut Vm, f: Frame, want: Basic) -> Res<u64> {
    let basic = primitive_element(vm, f.reference(0))?;
    let at = place(vm, f, basic)?;
    vm.element_read(f.reference(0), f.int(1) as u32);
    match widen(vm.load_basic(f.reference(0), at, basic), basic, want) {
        Some(value) => Ok(value),
        None => throw(ILLEGAL, "argument type mismatch"),
    }
}

fn set(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (array, value) = (f.reference(0), f.reference(2));
    let element = element_of(vm, array)?;
    let basic = basic_of(element);
    if basic == Basic::Reference {
        let at = place(vm, f, basic)?;
        if !value.is_null() && !vm.is_instance(value, element) {
            return throw(ILLEGAL, "array element type mismatch");
        }
        vm.storing(array, value);
        vm.element_written(array, f.int(1) as u32);
        vm.heap.put_ref(array, at, value);
        return Ok(0);
    }
    if value.is_null() {
        return throw_bare(ILLEGAL);
    }
    let Some((from, raw)) = vm.unbox(value) else {
        return throw(ILLEGAL, "argument type mismatch");
    };
    store(vm, f, basic, from, raw)
}

fn set_as(vm: &mut Vm, f: Frame, from: Basic) -> Res<u64> {
    let basic = primitive_element(vm, f.reference(0))?;
    store(vm, f, basic, from, f.raw(2))
}

fn store(vm: &mut Vm, f: Frame, basic: Basic, from: Basic, raw: u64) -> Res<u64> {
    let at = place(vm, f, basic)?;
    match widen(raw, from, basic) {
        Some(value) => {
            vm.element_written(f.reference(0), f.int(1) as u32);
            vm.store_basic(f.reference(0), at, basic, value);
            Ok(0)
        }
        None => throw(ILLEGAL, "argument type mismatch"),
    }
}

fn dimensions(class: ClassPtr) -> usize {
    class.element().map_or(0, |e| 1 + dimensions(e))
}

fn new_array(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.reference(0).is_null() {
        return throw_null();
    }
    let element = vm.mirrored(f.reference(0));
    let length = f.int(1);
    if length < 0 {
        return throw("java/lang/NegativeArraySizeException", length.to_string());
    }
    if element == vm.known.primitive(Basic::Void) || dimensions(element) >= 255 {
        return throw_bare(ILLEGAL);
    }
    let class = vm.array_class_of(element);
    Ok(from_ref(vm.new_array(class, length as u32)?))
}

fn multi_new_array(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (mirror, lengths) = (f.reference(0), f.reference(1));
    if mirror.is_null() || lengths.is_null() {
        return throw_null();
    }
    let element = vm.mirrored(mirror);
    let count = vm.heap.length(lengths) as usize;
    let lengths: Vec<i32> = (0..count)
        .map(|i| vm.heap.get(lengths, ELEMENTS + i as u64 * 4))
        .collect();
    if count == 0 || count + dimensions(element) > 255 || element == vm.known.primitive(Basic::Void)
    {
        return throw_bare(ILLEGAL);
    }
    if let Some(negative) = lengths.iter().find(|&&l| l < 0) {
        return throw("java/lang/NegativeArraySizeException", negative.to_string());
    }
    let mut class = element;
    for _ in 0..count {
        class = vm.array_class_of(class);
    }
    Ok(from_ref(nested(vm, class, &lengths)?))
}

fn nested(vm: &mut Vm, class: ClassPtr, lengths: &[i32]) -> Res<Ref> {
    let array = vm.new_array(class, lengths[0] as u32)?;
    if lengths.len() > 1 {
        let element = class
            .element()
            .expect("heddle internal error: not an array class");
        for i in 0..lengths[0] as u32 {
            let inner = nested(vm, element, &lengths[1..])?;
            vm.heap.set_element(array, i, inner);
        }
    }
    Ok(array)
}
