//! A readable listing of register code, for debugging and tests.
//!
//! One line per instruction: its word index, the bytecode index where that
//! changes, the operation and its operands. Registers print as `l3` (local) and
//! `s0` (stack slot), constants as `#7`, pool indexes as `cp5`, jump targets as
//! `->12` (a word index).

use std::fmt::Write;

use crate::isa::{Body, FRAME_HEADER, Op, ext_words};

/// What one of the fields `a`, `b`, `c` of an instruction means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// Not used.
    No,
    /// A register that is read.
    Use,
    /// A register that is written.
    Def,
    /// A register that is read and written.
    Both,
    /// A number that stands for itself.
    Number,
    /// A signed 16-bit constant.
    Imm,
    /// A signed 16-bit jump offset.
    Offset,
    /// An index of the constant pool.
    Pool,
    /// With the next field: a 32-bit constant.
    Imm32,
    /// With the next field: a 32-bit jump offset.
    Offset32,
}

impl Field {
    pub fn is_register(self) -> bool {
        matches!(self, Field::Use | Field::Def | Field::Both)
    }
}

/// The meaning of `a`, `b` and `c` of an operation.
pub fn fields(op: Op) -> [Field; 3] {
    use Field::*;
    use Op::*;
    match op {
        Move => [Def, Use, No],
        ConstI => [Def, Imm32, No],
        ConstL => [Def, No, No],
        LdcU => [Def, No, Pool],
        IAdd | ISub | IMul | IDiv | IRem | IAnd | IOr | IXor | IShl | IShr | IUshr | LAdd
        | LSub | LMul | LDiv | LRem | LAnd | LOr | LXor | LShl | LShr | LUshr | FAdd | FSub
        | FMul | FDiv | FRem | DAdd | DSub | DMul | DDiv | DRem | LCmp | FCmpL | FCmpG | DCmpL
        | DCmpG | ALoadB | ALoadC | ALoadS | ALoadW | ALoadL | ALoadA => [Def, Use, Use],
        INeg | LNeg | FNeg | DNeg | I2L | I2F | I2D | L2I | L2F | L2D | F2I | F2L | F2D | D2I
        | D2L | D2F | I2B | I2C | I2S | ArrayLen => [Def, Use, No],
        IAddI | IMulI | IAndI | IOrI | IXorI | IShlI | IShrI | IUshrI | IDivI | IRemI | LAddI
        | LMulI | LAndI | LShlI | LShrI | LUshrI => [Def, Use, Imm],
        JEq | JNe | JLt | JGe | JGt | JLe | JLEq | JLNe | JLLt | JLGe | JLGt | JLLe | JFEq
        | JFNe | JFLt | JFGe | JFGt | JFLe | JFNlt | JFNge | JFNgt | JFNle | JDEq | JDNe | JDLt
        | JDGe | JDGt | JDLe | JDNlt | JDNge | JDNgt | JDNle => [Use, Use, Offset],
        JEqI | JNeI | JLtI | JGeI | JGtI | JLeI => [Use, Imm, Offset],
        Jmp | JmpFar => [No, Offset32, No],
        Arrive => [No, Number, No],
        IncJmp => [Both, Imm, Offset],
        IncJLt | IncJLe => [Both, Use, Offset],
        IncJLtI | DecJGeI => [Both, Imm, Offset],
        // and the register behind a
        Move2 => [Def, Use, Use],
        TableSwitch | LookupSwitch | Throw | MonitorEnter | MonitorExit | RetSub => [Use, No, No],
        Ret | RetSync => [No, Number, No],
        RetV | RetVSync => [Use, Number, No],
        GetFieldU => [Def, Use, Pool],
        PutFieldU => [Use, Use, Pool],
        GetB | GetZ | GetC | GetS | GetW | GetL => [Def, Use, Number],
        PutB | PutZ | PutC | PutW | PutL | PutA => [Use, Use, Number],
        GetStaticU => [Def, No, Pool],
        PutStaticU => [Use, No, Pool],
        GetStB | GetStZ | GetStC | GetStS | GetStW | GetStL => [Def, No, No],
        PutStB | PutStZ | PutStC | PutStW | PutStL | PutStA => [Use, No, No],
        AStoreB | AStoreC | AStoreW | AStoreL | AStoreA => [Use, Use, Use],
        NewU => [Def, No, Pool],
        New => [Def, No, No],
        NewArray => [Def, Use, Number],
        ANewArrayU | InstanceOfU => [Def, Use, Pool],
        ANewArray | InstanceOf => [Def, Use, No],
        MultiNewArray => [Both, Number, Pool],
        CheckCastU => [Use, No, Pool],
        CheckCast => [Use, No, No],
        InvokeStaticU | InvokeSpecialU | InvokeVirtualU | InvokeInterfaceU | InvokeDynamicU => {
            [Both, Number, Pool]
        }
        InvokeStatic | InvokeSpecial | InvokeInterface => [Both, Number, No],
        InvokeVirtual | InvokeLinked => [Both, Number, Number],
        Jsr => [Def, No, No],
        Nop | NativeEnter | EnterSync | EnterPrint | EnterHandler | ArriveSync => [No, Number, No],
        Break => [No, No, No],
        Invalid | Translate | Native | InvokeBasic | LinkToStatic | LinkToVirtual
        | LinkToSpecial | LinkToInterface | Abstract | ThreadEnd => [No, No, No],
    }
}

/// The operation of an instruction's first word.
pub fn op_of(word: u64) -> Op {
    *Op::ALL.get(usize::from(word as u8)).unwrap_or(&Op::Invalid)
}

/// The instructions of a body: (word index, operation, its words).
pub fn instructions(body: &Body) -> impl Iterator<Item = (usize, Op, &[u64])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = body.words.get(at..).filter(|rest| !rest.is_empty())?;
        let op = op_of(rest[0]);
        let length = 1 + ext_words(op, rest.get(1).copied().unwrap_or(0));
        let word = at;
        at += length;
        Some((word, op, &rest[..length.min(rest.len())]))
    })
}

/// The words an instruction may jump to.
pub fn targets(word: usize, op: Op, words: &[u64]) -> Vec<i64> {
    let to = |offset: i64| word as i64 + offset;
    let low = |w: u64| to(i64::from(w as u32 as i32));
    let high = |w: u64| to(i64::from((w >> 32) as i32));
    match op {
        Op::Jmp | Op::JmpFar => vec![high(words[0])],
        Op::Jsr => vec![low(words[1])],
        Op::TableSwitch => words[2..].iter().map(|&w| low(w)).collect(),
        Op::LookupSwitch => {
            let count = words[1] as u32 as usize;
            words[1..2 + count].iter().map(|&w| high(w)).collect()
        }
        _ if fields(op)[2] == Field::Offset => {
            vec![to(i64::from((words[0] >> 48) as i16))]
        }
        _ => Vec::new(),
    }
}

/// The listing of a body; `max_locals` is that of its method.
pub fn listing(body: &Body, max_locals: u16) -> String {
    let mut text = String::new();
    for (word, op, words) in instructions(body) {
        let bci = match body
            .origins
            .binary_search_by_key(&(word as u32), |o| o.word)
        {
            Ok(i) => body.origins[i].bci.to_string(),
            Err(_) => String::new(),
        };
        let _ = writeln!(
            text,
            "{word:4} {bci:>5}  {}",
            line(word, op, words, max_locals)
        );
    }
    for h in &body.handlers {
        let _ = writeln!(
            text,
            "     catch {}..{} -> {} in {} class {}",
            h.start,
            h.end,
            h.target,
            register(h.register, max_locals),
            h.catch_type
        );
    }
    text
}

/// One instruction without its place.
pub fn line(word: usize, op: Op, words: &[u64], max_locals: u16) -> String {
    let mut text = format!("{op:?}");
    let mut separator = " ";
    let mut add = |operand: String| {
        text.push_str(separator);
        text.push_str(&operand);
        separator = ", ";
    };
    let first = words[0];
    for (i, field) in fields(op).into_iter().enumerate() {
        let value = (first >> (16 * (i + 1))) as u16;
        match field {
            Field::No | Field::Offset | Field::Offset32 => {}
            Field::Use | Field::Def | Field::Both => add(register(value, max_locals)),
            Field::Number => add(value.to_string()),
            Field::Imm => add(format!("#{}", value as i16)),
            Field::Pool => add(format!("cp{value}")),
            Field::Imm32 => add(format!("#{}", (first >> 32) as i32)),
        }
    }
    if op == Op::ConstL {
        add(format!("#{}", words[1] as i64));
    }
    if op == Op::TableSwitch {
        add(format!("from {}", words[1] as i32));
    }
    for (i, target) in targets(word, op, words).into_iter().enumerate() {
        match op {
            Op::LookupSwitch if i > 0 => add(format!("{}->{target}", words[i + 1] as i32)),
            _ => add(format!("->{target}")),
        }
    }
    text
}

fn register(number: u16, max_locals: u16) -> String {
    match number.checked_sub(max_locals) {
        None => format!("l{number}"),
        Some(above) => match usize::from(above).checked_sub(FRAME_HEADER) {
            Some(slot) => format!("s{slot}"),
            None => format!("header{above}"),
        },
    }
}
