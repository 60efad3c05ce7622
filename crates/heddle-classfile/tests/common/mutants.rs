//! Damaged class files: small changes of the kind that a verifier must notice.

#![allow(dead_code)]

use super::asm::{Asm, Body};
use heddle_classfile::code::Operand;
use heddle_classfile::opcode::*;
use heddle_classfile::{ClassFile, Code, Constant};

/// A generator of pseudo-random numbers (xorshift), so that runs repeat.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub fn pick<'t, T>(&mut self, items: &'t [T]) -> Option<&'t T> {
        items.get(self.below(items.len()))
    }
}

/// A damaged copy of a class file and what was done to it.
pub fn mutate(class: &ClassFile, rng: &mut Rng) -> (Vec<u8>, &'static str) {
    let mut bytes = class.bytes().to_vec();
    let codes: Vec<&Code> = class
        .methods
        .iter()
        .filter_map(|m| m.code.as_ref())
        .collect();
    // The older verifier gets its share.
    let version = match rng.below(10) {
        0 | 1 => Some(49),
        2 => Some(50),
        3 => Some(46),
        4 => Some(51 + rng.below(11) as u16),
        _ => None,
    };
    if let Some(version) = version {
        put2(&mut bytes, 6, version);
    }
    let what = match (rng.pick(&codes).copied(), rng.below(12)) {
        (Some(code), 0) => flip_bit(&mut bytes, code, rng),
        (Some(code), 1 | 2) => change_opcode(&mut bytes, class, code, rng),
        (Some(code), 3..=5) => change_operand(&mut bytes, class, code, rng),
        (Some(code), 6 | 7) => change_map(&mut bytes, class, code, rng),
        (Some(code), 8) => change_limits(&mut bytes, code, rng),
        (Some(code), 9) => move_instructions(&mut bytes, class, code, rng),
        (_, 10) => change_method(&mut bytes, class, rng),
        _ => change_pool(&mut bytes, class, rng),
    };
    (bytes, what)
}

/// A class with a method of random instructions, rich in jumps and subroutines,
/// for the older verifier: javac has not made such code for long.
pub fn tangle(rng: &mut Rng) -> Vec<u8> {
    let mut asm = Asm::new(46);
    asm.super_class = "java/lang/Object";
    asm.interface = "java/lang/Cloneable";
    let mut code = Vec::new();
    // Often a proper subroutine at the start, so that some code is right.
    if rng.below(3) != 0 {
        code.extend([GOTO, 0, 6, ASTORE_3, RET, 3]);
    }
    let mut jumps = Vec::new();
    let mut starts = vec![0];
    for _ in 0..3 + rng.below(10) {
        starts.push(code.len());
        let local = rng.below(4) as u8;
        match rng.below(13) {
            0 | 1 => {
                jumps.push((code.len(), rng.below(3) != 0 && code.len() > 6));
                code.extend([JSR, 0, 0]);
            }
            2 => {
                jumps.push((code.len(), false));
                code.extend([GOTO, 0, 0]);
            }
            3 => {
                jumps.push((code.len() + 1, false));
                code.extend([ICONST_0, IFEQ, 0, 0]);
            }
            4 => code.push(ASTORE_0 + local),
            5 => code.extend([RET, local]),
            6 => code.extend([ICONST_0, ISTORE_0 + local]),
            7 => code.extend([ILOAD_0 + local, POP]),
            8 => code.extend([ACONST_NULL, ASTORE_0 + local]),
            9 => code.extend([ALOAD_0 + local, POP]),
            10 => code.extend([LCONST_0, LSTORE_0 + local.min(2)]),
            11 => code.push([POP, ICONST_0, NOP, DUP][usize::from(local)]),
            _ => code.push(RETURN),
        }
    }
    code.push(RETURN);
    for (at, to_start) in jumps {
        let target = if to_start {
            3
        } else {
            starts[rng.below(starts.len())]
        };
        put2(&mut code, at + 1, (target as i64 - at as i64) as u16);
    }
    asm.body(Body {
        access: 9,
        name: "m",
        desc: "()V",
        max_stack: 3,
        max_locals: 4,
        code,
        ..Body::default()
    });
    asm.finish()
}

fn put2(bytes: &mut [u8], at: usize, value: u16) {
    bytes[at..at + 2].copy_from_slice(&value.to_be_bytes());
}

fn flip_bit(bytes: &mut [u8], code: &Code, rng: &mut Rng) -> &'static str {
    let at = code.bytes.start as usize + rng.below(code.bytes.len());
    bytes[at] ^= 1 << rng.below(8);
    "bit of code"
}

fn starts(class: &ClassFile, code: &Code) -> Vec<usize> {
    let insns = class.instructions(code).flatten();
    insns.map(|(pc, _)| pc as usize).collect()
}

fn change_opcode(bytes: &mut [u8], class: &ClassFile, code: &Code, rng: &mut Rng) -> &'static str {
    let starts = starts(class, code);
    if let Some(&pc) = rng.pick(&starts) {
        let near = rng.below(3) == 0;
        let byte = &mut bytes[code.bytes.start as usize + pc];
        *byte = if near {
            byte.wrapping_add(rng.below(7) as u8).wrapping_sub(3)
        } else {
            rng.below(204) as u8
        };
    }
    "opcode"
}

fn change_operand(bytes: &mut [u8], class: &ClassFile, code: &Code, rng: &mut Rng) -> &'static str {
    let insns: Vec<_> = class
        .instructions(code)
        .flatten()
        .filter(|(_, insn)| insn.operand != Operand::None)
        .collect();
    let Some(&(pc, insn)) = rng.pick(&insns) else {
        return "operand (none)";
    };
    let at = code.bytes.start as usize + pc as usize;
    match insn.operand {
        Operand::Branch(_) if insn.length == 3 => {
            let starts = starts(class, code);
            let target = starts[rng.below(starts.len())] + usize::from(rng.below(10) == 0);
            put2(bytes, at + 1, (target as i64 - i64::from(pc)) as u16);
            "branch target"
        }
        Operand::Constant(index) if insn.length == 3 => {
            put2(bytes, at + 1, other_index(class, index, rng));
            "constant"
        }
        Operand::Interface { index, .. }
        | Operand::Dynamic { index, .. }
        | Operand::MultiArray { index, .. }
            if rng.below(3) != 0 =>
        {
            put2(bytes, at + 1, other_index(class, index, rng));
            "constant"
        }
        Operand::Local(_) | Operand::Increment { .. } if !insn.wide => {
            bytes[at + 1] = rng.below(usize::from(code.max_locals) + 2) as u8;
            "local"
        }
        _ => {
            let byte = at + 1 + rng.below(insn.length as usize - 1);
            bytes[byte] = rng.below(256) as u8;
            "operand byte"
        }
    }
}

/// Another entry of the pool, most often of the same kind.
fn other_index(class: &ClassFile, index: u16, rng: &mut Rng) -> u16 {
    let pool = &class.pool;
    if rng.below(5) == 0 {
        return rng.below(usize::from(pool.len()) + 2) as u16;
    }
    let same: Vec<u16> = (1..pool.len())
        .filter(|&i| pool.tag(i) == pool.tag(index))
        .collect();
    rng.pick(&same).copied().unwrap_or(index)
}

fn change_map(bytes: &mut [u8], class: &ClassFile, code: &Code, rng: &mut Rng) -> &'static str {
    let Some(span) = code.stack_map else {
        return flip_bit(bytes, code, rng);
    };
    let at = span.start as usize + rng.below(span.len());
    bytes[at] = match rng.below(4) {
        0 => rng.below(9) as u8,
        1 => bytes[at].wrapping_add(1),
        2 => rng.below(usize::from(class.pool.len()).min(256)) as u8,
        _ => rng.below(256) as u8,
    };
    "stack map"
}

fn change_limits(bytes: &mut [u8], code: &Code, rng: &mut Rng) -> &'static str {
    let start = code.bytes.start as usize;
    let handlers = code.handlers.len();
    if handlers > 0 && rng.below(2) == 0 {
        let at = code.bytes.end as usize + 2 + rng.below(handlers) * 8 + rng.below(4) * 2;
        put2(bytes, at, rng.below(code.bytes.len() + 1) as u16);
        return "handler";
    }
    let (at, value) = match rng.below(2) {
        0 => (start - 8, code.max_stack),
        _ => (start - 6, code.max_locals),
    };
    put2(bytes, at, value.wrapping_sub(rng.below(2) as u16 + 1));
    "max_stack or max_locals"
}

/// Swaps two neighbours or blanks one.
fn move_instructions(
    bytes: &mut [u8],
    class: &ClassFile,
    code: &Code,
    rng: &mut Rng,
) -> &'static str {
    let mut bounds = starts(class, code);
    bounds.push(code.bytes.len());
    if bounds.len() < 3 {
        return "nothing";
    }
    let i = rng.below(bounds.len() - 2);
    let base = code.bytes.start as usize;
    let (a, b, c) = (base + bounds[i], base + bounds[i + 1], base + bounds[i + 2]);
    if rng.below(2) == 0 {
        bytes[a..c].rotate_left(b - a);
        "swapped instructions"
    } else {
        bytes[a..b].fill(0);
        "dropped instruction"
    }
}

fn change_method(bytes: &mut [u8], class: &ClassFile, rng: &mut Rng) -> &'static str {
    // Neither name nor flags of a method keep their place, but a `Code`
    // attribute that comes first, as javac has it, tells where they are.
    let codes: Vec<_> = class
        .methods
        .iter()
        .filter_map(|m| Some((m, m.code.as_ref()?)))
        .collect();
    let Some((method, code)) = rng.pick(&codes) else {
        return "nothing";
    };
    let at = code.bytes.start as usize - 22;
    let read = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
    if read(at + 2) != method.name || read(at + 4) != method.desc {
        return "nothing";
    }
    if rng.below(2) == 0 {
        put2(bytes, at, method.access ^ 8);
        return "static";
    }
    let descs: Vec<u16> = class.methods.iter().map(|m| m.desc).collect();
    put2(bytes, at + 4, *rng.pick(&descs).unwrap_or(&method.desc));
    "method descriptor"
}

fn change_pool(bytes: &mut [u8], class: &ClassFile, rng: &mut Rng) -> &'static str {
    let pool = &class.pool;
    // Where each entry starts: walk over the pool.
    let mut at = 10;
    let mut places = Vec::new();
    let mut index = 1;
    while index < pool.len() {
        let size = match pool.get(index) {
            Constant::Utf8(span) => 3 + span.len(),
            Constant::Long(_) | Constant::Double(_) => 9,
            Constant::Class { .. }
            | Constant::String { .. }
            | Constant::MethodType { .. }
            | Constant::Module { .. }
            | Constant::Package { .. } => 3,
            Constant::MethodHandle { .. } => 4,
            _ => 5,
        };
        match pool.get(index) {
            Constant::Class { name } => places.push((at + 1, name)),
            Constant::FieldRef { class, nat }
            | Constant::MethodRef { class, nat }
            | Constant::InterfaceMethodRef { class, nat } => {
                places.extend([(at + 1, class), (at + 3, nat)]);
            }
            Constant::NameAndType { name, desc } => {
                places.extend([(at + 1, name), (at + 3, desc)]);
            }
            _ => {}
        }
        index += if size == 9 { 2 } else { 1 };
        at += size;
    }
    let Some(&(place, old)) = rng.pick(&places) else {
        return "nothing";
    };
    // Half of the time, something that often fits.
    let candidates: Vec<u16> = places
        .iter()
        .map(|p| p.1)
        .filter(|&i| pool.tag(i) == pool.tag(old))
        .collect();
    let new = match rng.below(4) {
        0 => other_index(class, old, rng),
        _ => *rng.pick(&candidates).unwrap_or(&old),
    };
    put2(bytes, place, new);
    "pool entry"
}
