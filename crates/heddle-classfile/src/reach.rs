//! Whether code can come to an end: which bytecodes can follow one another.
//!
//! Exceptions are left out: a loop that only an exception ends is one that goes on for ever
//! if nothing goes wrong.

use crate::code::{Operand, decode};
use crate::opcode::*;

/// Whether a `return` can be reached from the instruction at `from`.
pub fn can_return(code: &[u8], from: usize) -> bool {
    let mut seen = vec![false; code.len()];
    let mut left = vec![from as i64];
    while let Some(at) = left.pop() {
        let Ok(pc) = usize::try_from(at) else {
            continue;
        };
        if pc >= code.len() || std::mem::replace(&mut seen[pc], true) {
            continue;
        }
        let Ok(insn) = decode(code, pc) else {
            continue;
        };
        let next = at + i64::from(insn.length);
        match (insn.opcode, insn.operand) {
            (IRETURN..=RETURN, _) => return true,
            (ATHROW | RET, _) => {}
            (GOTO | GOTO_W, Operand::Branch(target)) => left.push(target.into()),
            (_, Operand::Branch(target)) => left.extend([target.into(), next]),
            (_, Operand::Table(table)) => {
                left.push(table.default.into());
                left.extend(table.targets().map(i64::from));
            }
            (_, Operand::Lookup(lookup)) => {
                left.push(lookup.default.into());
                left.extend(lookup.pairs().map(|(_, target)| i64::from(target)));
            }
            _ => left.push(next),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_with_and_without_an_end() {
        // 0: iload_0; 1: ifeq 0; 4: return
        let ends = [0x1a, IFEQ, 0xff, 0xff, RETURN];
        assert!(can_return(&ends, 0));
        // 0: nop; 1: goto 0; 4: return
        let endless = [NOP, GOTO, 0xff, 0xff, RETURN];
        assert!(!can_return(&endless, 0));
        assert!(can_return(&endless, 4));
        // 0: aconst_null; 1: athrow
        assert!(!can_return(&[ACONST_NULL, ATHROW], 0));
    }
}
