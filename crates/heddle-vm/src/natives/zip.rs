//! java.util.zip: CRC32, Adler32, Inflater, Deflater over `crate::zip`.
//!
//! Answers are packed as the JDK's C code packs them: input used, output
//! produced from bit 31, and two flags on top.

use crate::files::Files;
use crate::heap::ELEMENTS;
use crate::native::{Frame, Res, Table, Trap, from_int, throw, throw_bare, throw_null};
use crate::vm::{Vm, trap};
use crate::zip::checksum::{adler32, crc32};
use crate::zip::deflate::{self, Deflate, Flush, Strategy};
use crate::zip::inflate::{self, Inflate};

pub const TABLE: &[Table] = &[
    (
        "java/util/zip/CRC32",
        &[
            ("update(II)I", |_, f| {
                Ok(from_int(crc32(f.int(0) as u32, &[f.int(1) as u8]) as i32))
            }),
            ("updateBytes0(I[BII)I", |vm, f| array_sum(vm, f, crc32)),
            ("updateByteBuffer0(IJII)I", |vm, f| memory_sum(vm, f, crc32)),
        ],
    ),
    (
        "java/util/zip/Adler32",
        &[
            ("update(II)I", |_, f| {
                Ok(from_int(adler32(f.int(0) as u32, &[f.int(1) as u8]) as i32))
            }),
            ("updateBytes(I[BII)I", |vm, f| array_sum(vm, f, adler32)),
            ("updateByteBuffer(IJII)I", |vm, f| {
                memory_sum(vm, f, adler32)
            }),
        ],
    ),
    (
        "java/util/zip/Inflater",
        &[
            ("initIDs()V", |_, _| Ok(0)),
            ("init(Z)J", |vm, f| {
                Ok(streams(vm).zip.add_inflater(Inflate::new(f.bool(0))) as u64)
            }),
            ("end(J)V", end),
            ("reset(J)V", |vm, f| {
                inflater(vm, f.long(0))?.reset();
                Ok(0)
            }),
            ("getAdler(J)I", |vm, f| {
                Ok(from_int(inflater(vm, f.long(0))?.adler() as i32))
            }),
            ("setDictionary(J[BII)V", |vm, f| {
                let bytes = array(vm, f, 2);
                set_inflate_dictionary(vm, f, &bytes)
            }),
            ("setDictionaryBuffer(JJI)V", |vm, f| {
                let bytes = memory(vm, f, 2);
                set_inflate_dictionary(vm, f, &bytes)
            }),
            ("inflateBytesBytes(J[BII[BII)J", |vm, f| {
                let input = array(vm, f, 3);
                let to = Target::array(f, 6);
                inflate(vm, f, &input, to)
            }),
            ("inflateBytesBuffer(J[BIIJI)J", |vm, f| {
                let input = array(vm, f, 3);
                let to = Target::memory(f, 6);
                inflate(vm, f, &input, to)
            }),
            ("inflateBufferBytes(JJI[BII)J", |vm, f| {
                let input = memory(vm, f, 3);
                let to = Target::array(f, 6);
                inflate(vm, f, &input, to)
            }),
            ("inflateBufferBuffer(JJIJI)J", |vm, f| {
                let input = memory(vm, f, 3);
                let to = Target::memory(f, 6);
                inflate(vm, f, &input, to)
            }),
        ],
    ),
    (
        "java/util/zip/Deflater",
        &[
            ("init(IIZ)J", |vm, f| {
                let state = Deflate::new(f.int(0), strategy(f.int(1)), f.bool(2));
                Ok(streams(vm).zip.add_deflater(state) as u64)
            }),
            ("end(J)V", end),
            ("reset(J)V", |vm, f| {
                deflater(vm, f.long(0))?.reset();
                Ok(0)
            }),
            ("getAdler(J)I", |vm, f| {
                Ok(from_int(deflater(vm, f.long(0))?.adler() as i32))
            }),
            ("setDictionary(J[BII)V", |vm, f| {
                let bytes = array(vm, f, 2);
                set_deflate_dictionary(vm, f, &bytes)
            }),
            ("setDictionaryBuffer(JJI)V", |vm, f| {
                let bytes = memory(vm, f, 2);
                set_deflate_dictionary(vm, f, &bytes)
            }),
            ("deflateBytesBytes(J[BII[BIIII)J", |vm, f| {
                let input = array(vm, f, 3);
                let to = Target::array(f, 6);
                deflate(vm, f, &input, to, 9)
            }),
            ("deflateBytesBuffer(J[BIIJIII)J", |vm, f| {
                let input = array(vm, f, 3);
                let to = Target::memory(f, 6);
                deflate(vm, f, &input, to, 9)
            }),
            ("deflateBufferBytes(JJI[BIIII)J", |vm, f| {
                let input = memory(vm, f, 3);
                let to = Target::array(f, 6);
                deflate(vm, f, &input, to, 9)
            }),
            ("deflateBufferBuffer(JJIJIII)J", |vm, f| {
                let input = memory(vm, f, 3);
                let to = Target::memory(f, 6);
                deflate(vm, f, &input, to, 9)
            }),
        ],
    ),
];

/// A running sum over bytes.
type Sum = fn(u32, &[u8]) -> u32;

fn array_sum(vm: &mut Vm, f: Frame, sum: Sum) -> Res<u64> {
    if f.reference(1).is_null() {
        return throw_null();
    }
    let at = f.reference(1).at() + ELEMENTS + f.int(2) as u64;
    let bytes = vm.heap.arena.bytes(at, f.int(3) as usize);
    Ok(from_int(sum(f.int(0) as u32, bytes) as i32))
}

fn memory_sum(vm: &mut Vm, f: Frame, sum: Sum) -> Res<u64> {
    let at = f.raw(1) + f.int(3) as u64;
    let bytes = vm.heap.arena.bytes(at, f.int(4) as usize);
    Ok(from_int(sum(f.int(0) as u32, bytes) as i32))
}

fn streams(vm: &mut Vm) -> &mut Files {
    vm.io()
}

fn inflater(vm: &mut Vm, handle: i64) -> Res<&mut Inflate> {
    match streams(vm).zip.inflater(handle) {
        Some(state) => Ok(state),
        None => throw("java/lang/InternalError", "no such Inflater"),
    }
}

fn deflater(vm: &mut Vm, handle: i64) -> Res<&mut Deflate> {
    match streams(vm).zip.deflater(handle) {
        Some(state) => Ok(state),
        None => throw("java/lang/InternalError", "no such Deflater"),
    }
}

fn end(vm: &mut Vm, f: Frame) -> Res<u64> {
    streams(vm).zip.end(f.long(0));
    Ok(0)
}

/// Array, offset and length in the slots from `i`.
fn array(vm: &Vm, f: Frame, i: usize) -> Vec<u8> {
    let at = f.reference(i).at() + ELEMENTS + f.int(i + 1) as u64;
    vm.heap.arena.bytes(at, f.int(i + 2) as usize).to_vec()
}

/// Address and length in the slots from `i`.
fn memory(vm: &Vm, f: Frame, i: usize) -> Vec<u8> {
    vm.heap
        .arena
        .bytes(f.raw(i), f.int(i + 2) as usize)
        .to_vec()
}

/// Where output goes.
struct Target {
    at: u64,
    len: usize,
}

impl Target {
    fn array(f: Frame, i: usize) -> Target {
        let at = f.reference(i).at() + ELEMENTS + f.int(i + 1) as u64;
        Target {
            at,
            len: f.int(i + 2) as usize,
        }
    }

    fn memory(f: Frame, i: usize) -> Target {
        Target {
            at: f.raw(i),
            len: f.int(i + 2) as usize,
        }
    }
}

fn set_inflate_dictionary(vm: &mut Vm, f: Frame, bytes: &[u8]) -> Res<u64> {
    if !inflater(vm, f.long(0))?.set_dictionary(bytes) {
        return throw_bare("java/lang/IllegalArgumentException");
    }
    Ok(0)
}

fn set_deflate_dictionary(vm: &mut Vm, f: Frame, bytes: &[u8]) -> Res<u64> {
    if !deflater(vm, f.long(0))?.set_dictionary(bytes) {
        return throw_bare("java/lang/IllegalArgumentException");
    }
    Ok(0)
}

fn pack(used: usize, produced: usize, low: bool, high: bool) -> u64 {
    used as u64 | (produced as u64) << 31 | (low as u64) << 62 | (high as u64) << 63
}

fn inflate(vm: &mut Vm, f: Frame, input: &[u8], to: Target) -> Res<u64> {
    let mut output = vec![0; to.len];
    let step = inflater(vm, f.long(1))?.inflate(input, &mut output);
    vm.heap.write_raw(to.at, &output[..step.produced]);
    match step.status {
        inflate::Status::BufferError => Ok(0),
        inflate::Status::Ok => Ok(pack(step.used, step.produced, false, false)),
        inflate::Status::End => Ok(pack(step.used, step.produced, true, false)),
        inflate::Status::NeedDictionary => Ok(pack(step.used, step.produced, false, true)),
        inflate::Status::Error(message) => {
            vm.set_field_int(f.reference(0), "inputConsumed", step.used as i32);
            vm.set_field_int(f.reference(0), "outputConsumed", step.produced as i32);
            trap(Trap::ThrowNew {
                class: "java/util/zip/DataFormatException",
                message: Some(message.to_string()),
                cause: crate::heap::Ref::NULL,
            })
        }
    }
}

fn strategy(number: i32) -> Strategy {
    match number {
        1 => Strategy::Filtered,
        2 => Strategy::HuffmanOnly,
        _ => Strategy::Default,
    }
}

/// `i`: slot of the flush argument; the parameters follow it.
fn deflate(vm: &mut Vm, f: Frame, input: &[u8], to: Target, i: usize) -> Res<u64> {
    let (flush, parameters) = (f.int(i), f.int(i + 1));
    let flush = match flush {
        2 => Flush::Sync,
        3 => Flush::Full,
        4 => Flush::Finish,
        _ => Flush::None,
    };
    let mut output = vec![0; to.len];
    let state = deflater(vm, f.long(1))?;
    let change = parameters & 1 != 0;
    let step = if change {
        let (level, kind) = (parameters >> 3, strategy(parameters >> 1 & 3));
        state.set_parameters(input, &mut output, level, kind)
    } else {
        state.deflate(input, &mut output, flush)
    };
    vm.heap.write_raw(to.at, &output[..step.produced]);
    let (used, produced) = (step.used, step.produced);
    match (change, step.status) {
        (true, deflate::Status::Ok) => Ok(pack(used, produced, false, false)),
        (true, deflate::Status::BufferError) => Ok(pack(used, produced, false, true)),
        (false, deflate::Status::End) => Ok(pack(used, produced, true, false)),
        (false, deflate::Status::Ok) => Ok(pack(used, produced, false, false)),
        (false, deflate::Status::BufferError) => Ok(pack(0, 0, false, false)),
        _ => throw_bare("java/lang/InternalError"),
    }
}
