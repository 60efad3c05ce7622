//! How many words instructions without operands pop and push.

use crate::opcode::*;

/// `None` for instructions that have operands.
pub(super) fn plain(opcode: u8) -> Option<(i32, i32)> {
    Some(match opcode {
        NOP => (0, 0),
        ACONST_NULL..=ICONST_5 | FCONST_0..=FCONST_2 => (0, 1),
        LCONST_0 | LCONST_1 | DCONST_0 | DCONST_1 => (0, 2),
        LALOAD | DALOAD => (2, 2),
        IALOAD..=SALOAD => (2, 1),
        LASTORE | DASTORE => (4, 0),
        IASTORE..=SASTORE => (3, 0),
        POP | MONITORENTER | MONITOREXIT | ATHROW => (1, 0),
        POP2 => (2, 0),
        DUP => (1, 2),
        DUP_X1 => (2, 3),
        DUP_X2 => (3, 4),
        DUP2 => (2, 4),
        DUP2_X1 => (3, 5),
        DUP2_X2 => (4, 6),
        SWAP => (2, 2),
        IADD | ISUB | IMUL | IDIV | IREM | IAND | IOR | IXOR | ISHL | ISHR | IUSHR => (2, 1),
        FADD | FSUB | FMUL | FDIV | FREM | FCMPL | FCMPG => (2, 1),
        LADD | LSUB | LMUL | LDIV | LREM | LAND | LOR | LXOR => (4, 2),
        DADD | DSUB | DMUL | DDIV | DREM => (4, 2),
        LSHL | LSHR | LUSHR => (3, 2),
        INEG | FNEG | I2F | F2I | I2B | I2C | I2S | ARRAYLENGTH => (1, 1),
        LNEG | DNEG | L2D | D2L => (2, 2),
        I2L | I2D | F2L | F2D => (1, 2),
        L2I | L2F | D2I | D2F => (2, 1),
        LCMP | DCMPL | DCMPG => (4, 1),
        IRETURN | FRETURN | ARETURN => (1, 0),
        LRETURN | DRETURN => (2, 0),
        RETURN => (0, 0),
        _ => return None,
    })
}
