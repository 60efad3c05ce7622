//! A reader for bytecode (JVMS 4.9, 6.5).
//!
//! It decodes one instruction at a time, folds `wide` into the instruction
//! behind it and turns branch offsets into absolute targets. It checks only
//! what it needs to go on; the verifier checks the rest. No input makes it
//! panic.

use crate::bytes::u4_at;
use crate::opcode::*;

/// Iterates over `(pc, instruction)`; ends after the first error.
#[derive(Clone)]
pub struct Instructions<'a> {
    code: &'a [u8],
    pc: usize,
    failed: bool,
}

/// An instruction. Constants and locals that are part of the opcode
/// (`iconst_1`, `aload_0`) are not repeated as operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Insn<'a> {
    /// With `wide`, the opcode behind it.
    pub opcode: u8,
    pub wide: bool,
    /// In bytes, `wide` and padding included.
    pub length: u32,
    pub operand: Operand<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand<'a> {
    None,
    /// `bipush`, `sipush`
    Int(i32),
    /// `newarray`
    ArrayType(u8),
    /// An index into the constant pool.
    Constant(u16),
    Local(u16),
    /// `iinc`
    Increment {
        local: u16,
        by: i16,
    },
    /// The target; it may lie outside of the code.
    Branch(i32),
    /// `invokeinterface`
    Interface {
        index: u16,
        count: u8,
        zero: u8,
    },
    /// `invokedynamic`
    Dynamic {
        index: u16,
        zero: u16,
    },
    /// `multianewarray`
    MultiArray {
        index: u16,
        dimensions: u8,
    },
    Table(TableSwitch<'a>),
    Lookup(LookupSwitch<'a>),
}

/// Targets are absolute and may lie outside of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSwitch<'a> {
    pub default: i32,
    pub low: i32,
    pub high: i32,
    pub padding_is_zero: bool,
    pc: i32,
    offsets: &'a [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookupSwitch<'a> {
    pub default: i32,
    pub padding_is_zero: bool,
    pc: i32,
    pairs: &'a [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeError {
    pub pc: u32,
    pub kind: CodeErrorKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeErrorKind {
    BadOpcode(u8),
    /// The code ends within the instruction.
    Truncated,
    /// `high < low` or a negative number of pairs.
    BadSwitch,
}

impl<'a> Instructions<'a> {
    pub fn new(code: &'a [u8]) -> Instructions<'a> {
        Instructions::starting_at(code, 0)
    }

    pub fn starting_at(code: &'a [u8], pc: usize) -> Instructions<'a> {
        Instructions {
            code,
            pc,
            failed: false,
        }
    }
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<(u32, Insn<'a>), CodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.pc >= self.code.len() {
            return None;
        }
        let pc = self.pc as u32;
        match decode(self.code, self.pc) {
            Ok(insn) => {
                self.pc += insn.length as usize;
                Some(Ok((pc, insn)))
            }
            Err(kind) => {
                self.failed = true;
                Some(Err(CodeError { pc, kind }))
            }
        }
    }
}

/// The length of the instruction at `pc`, if it is whole and its opcode exists.
pub fn length_at(code: &[u8], pc: usize) -> Option<usize> {
    decode(code, pc).ok().map(|insn| insn.length as usize)
}

/// The local variable that is part of opcodes such as `aload_0`.
pub fn implicit_local(opcode: u8) -> Option<u16> {
    match opcode {
        ILOAD_0..=ALOAD_3 => Some(u16::from(opcode - ILOAD_0) & 3),
        ISTORE_0..=ASTORE_3 => Some(u16::from(opcode - ISTORE_0) & 3),
        _ => None,
    }
}

/// Decodes the instruction at `pc`.
pub fn decode(code: &[u8], pc: usize) -> Result<Insn<'_>, CodeErrorKind> {
    let opcode = *code.get(pc).ok_or(CodeErrorKind::Truncated)?;
    let u1 = |i: usize| code.get(pc + i).copied().ok_or(CodeErrorKind::Truncated);
    let u2 = |i: usize| -> Result<u16, CodeErrorKind> {
        let raw = code
            .get(pc + i..pc + i + 2)
            .ok_or(CodeErrorKind::Truncated)?;
        Ok(u16::from_be_bytes([raw[0], raw[1]]))
    };
    let i4 = |i: usize| -> Result<i32, CodeErrorKind> {
        let raw = code
            .get(pc + i..pc + i + 4)
            .ok_or(CodeErrorKind::Truncated)?;
        Ok(u4_at(raw, 0) as i32)
    };
    let here = pc as i32;
    let (length, operand) = match opcode {
        BIPUSH => (2, Operand::Int(i32::from(u1(1)? as i8))),
        SIPUSH => (3, Operand::Int(i32::from(u2(1)? as i16))),
        LDC => (2, Operand::Constant(u16::from(u1(1)?))),
        LDC_W | LDC2_W | GETSTATIC..=INVOKESTATIC | NEW | ANEWARRAY | CHECKCAST | INSTANCEOF => {
            (3, Operand::Constant(u2(1)?))
        }
        ILOAD..=ALOAD | ISTORE..=ASTORE | RET => (2, Operand::Local(u16::from(u1(1)?))),
        IINC => (
            3,
            Operand::Increment {
                local: u16::from(u1(1)?),
                by: i16::from(u1(2)? as i8),
            },
        ),
        IFEQ..=JSR | IFNULL | IFNONNULL => (
            3,
            Operand::Branch(here.wrapping_add(i32::from(u2(1)? as i16))),
        ),
        GOTO_W | JSR_W => (5, Operand::Branch(here.wrapping_add(i4(1)?))),
        TABLESWITCH | LOOKUPSWITCH => return decode_switch(code, pc),
        INVOKEINTERFACE => (
            5,
            Operand::Interface {
                index: u2(1)?,
                count: u1(3)?,
                zero: u1(4)?,
            },
        ),
        INVOKEDYNAMIC => (
            5,
            Operand::Dynamic {
                index: u2(1)?,
                zero: u2(3)?,
            },
        ),
        NEWARRAY => (2, Operand::ArrayType(u1(1)?)),
        MULTIANEWARRAY => (
            4,
            Operand::MultiArray {
                index: u2(1)?,
                dimensions: u1(3)?,
            },
        ),
        WIDE => {
            let opcode = u1(1)?;
            let (length, operand) = match opcode {
                ILOAD..=ALOAD | ISTORE..=ASTORE | RET => (4, Operand::Local(u2(2)?)),
                IINC => (
                    6,
                    Operand::Increment {
                        local: u2(2)?,
                        by: u2(4)? as i16,
                    },
                ),
                _ => return Err(CodeErrorKind::BadOpcode(WIDE)),
            };
            return Ok(Insn {
                opcode,
                wide: true,
                length,
                operand,
            });
        }
        0..=JSR_W => (1, Operand::None),
        _ => return Err(CodeErrorKind::BadOpcode(opcode)),
    };
    Ok(Insn {
        opcode,
        wide: false,
        length,
        operand,
    })
}

fn decode_switch(code: &[u8], pc: usize) -> Result<Insn<'_>, CodeErrorKind> {
    let opcode = code[pc];
    let aligned = (pc + 4) & !3;
    let i4 = |at: usize| -> Result<i32, CodeErrorKind> {
        let raw = code.get(at..at + 4).ok_or(CodeErrorKind::Truncated)?;
        Ok(u4_at(raw, 0) as i32)
    };
    let here = pc as i32;
    let default = here.wrapping_add(i4(aligned)?);
    let padding_is_zero = code[pc + 1..aligned].iter().all(|&b| b == 0);
    let (head, count, width) = if opcode == TABLESWITCH {
        let (low, high) = (i4(aligned + 4)?, i4(aligned + 8)?);
        (12, i64::from(high) - i64::from(low) + 1, 4)
    } else {
        (8, i64::from(i4(aligned + 4)?), 8)
    };
    if count < 0 || (opcode == TABLESWITCH && count == 0) {
        return Err(CodeErrorKind::BadSwitch);
    }
    let start = aligned + head;
    let bytes = usize::try_from(count)
        .ok()
        .and_then(|n| n.checked_mul(width))
        .and_then(|n| start.checked_add(n))
        .and_then(|end| code.get(start..end))
        .ok_or(CodeErrorKind::Truncated)?;
    let operand = if opcode == TABLESWITCH {
        Operand::Table(TableSwitch {
            default,
            low: i4(aligned + 4)?,
            high: i4(aligned + 8)?,
            padding_is_zero,
            pc: here,
            offsets: bytes,
        })
    } else {
        Operand::Lookup(LookupSwitch {
            default,
            padding_is_zero,
            pc: here,
            pairs: bytes,
        })
    };
    Ok(Insn {
        opcode,
        wide: false,
        length: (start + bytes.len() - pc) as u32,
        operand,
    })
}

impl<'a> TableSwitch<'a> {
    /// The targets of `low`, `low + 1` and so on.
    pub fn targets(&self) -> impl ExactSizeIterator<Item = i32> + 'a {
        let pc = self.pc;
        self.offsets
            .chunks_exact(4)
            .map(move |raw| pc.wrapping_add(u4_at(raw, 0) as i32))
    }
}

impl<'a> LookupSwitch<'a> {
    /// Keys and targets.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = (i32, i32)> + 'a {
        let pc = self.pc;
        self.pairs.chunks_exact(8).map(move |raw| {
            let target = pc.wrapping_add(u4_at(raw, 4) as i32);
            (u4_at(raw, 0) as i32, target)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(code: &[u8]) -> Vec<(u32, Insn<'_>)> {
        Instructions::new(code).map(|i| i.unwrap()).collect()
    }

    #[test]
    fn plain_and_wide() {
        let code = [
            ALOAD_0, BIPUSH, 0xFF, WIDE, IINC, 1, 0, 0xFF, 0xFE, GOTO, 0xFF, 0xF7,
        ];
        let got = all(&code);
        assert_eq!(got[1].1.operand, Operand::Int(-1));
        assert_eq!(
            got[2],
            (
                3,
                Insn {
                    opcode: IINC,
                    wide: true,
                    length: 6,
                    operand: Operand::Increment { local: 256, by: -2 }
                }
            )
        );
        assert_eq!(got[3].1.operand, Operand::Branch(0));
        assert_eq!(implicit_local(ALOAD_0 + 3), Some(3));
        assert_eq!(implicit_local(DSTORE_2), Some(2));
    }

    #[test]
    fn switches() {
        let mut code = vec![NOP, LOOKUPSWITCH, 0, 0];
        for word in [20i32, 1, 7, 30] {
            code.extend(word.to_be_bytes());
        }
        code.extend([TABLESWITCH, 0, 0, 0]);
        for word in [1i32, -1, 0, 2, 3] {
            code.extend(word.to_be_bytes());
        }
        let got = all(&code);
        let Operand::Lookup(lookup) = got[1].1.operand else {
            panic!()
        };
        assert_eq!(lookup.default, 21);
        assert_eq!(lookup.pairs().collect::<Vec<_>>(), [(7, 31)]);
        let Operand::Table(table) = got[2].1.operand else {
            panic!()
        };
        assert_eq!((table.low, table.high), (-1, 0));
        assert_eq!(table.targets().collect::<Vec<_>>(), [22, 23]);
    }

    #[test]
    fn garbage_ends_with_an_error() {
        let cases: [(&[u8], CodeErrorKind); 5] = [
            (&[0xCA], CodeErrorKind::BadOpcode(0xCA)),
            (&[SIPUSH, 0], CodeErrorKind::Truncated),
            (&[WIDE, NOP], CodeErrorKind::BadOpcode(WIDE)),
            (&[TABLESWITCH, 0, 0], CodeErrorKind::Truncated),
            (
                &[LOOKUPSWITCH, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0, 0, 0],
                CodeErrorKind::BadSwitch,
            ),
        ];
        for (code, kind) in cases {
            let mut insns = Instructions::new(code);
            assert_eq!(insns.next(), Some(Err(CodeError { pc: 0, kind })));
            assert_eq!(insns.next(), None);
        }
    }
}
