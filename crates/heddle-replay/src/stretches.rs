//! Places that one call can tell of.
//!
//! A schedule that was captured in the VM may switch before every bytecode of an innermost
//! loop (jreplay, section 5.2.2), and a call before each of them costs more than the loop.
//! Between two bytecodes of one basic block, with nothing in between that another thread
//! could notice, that could throw, or that begins a line of the source, it makes no
//! difference where a thread stands: it comes to the one as often as to the other. Such
//! places share the call before the first of them. Which one is meant matters only for how
//! to count (`Follower.java`): behind the place where it stands a thread comes to in the
//! same round, to what lies in front of it in the next.
//!
//! Left alone: places with a second call of their own (blocking, initializing, accesses of
//! races), those that tell which monitor is wanted, and synchronized methods, whose first and
//! last bytecodes are come to twice.

use crate::places::Place;
use crate::program::Program;
use crate::survey::initializes;
use heddle_classfile::code::{Insn, Operand};
use heddle_classfile::opcode::*;
use heddle_classfile::{ClassFile, Code, Constant, access};
use std::collections::{BTreeMap, BTreeSet};

/// Lets places share calls: those of a stretch get the number of its first one.
pub fn share(places: &mut [Place], program: &Program<'_>) {
    let mut methods: BTreeMap<(String, usize), Vec<usize>> = BTreeMap::new();
    for (at, place) in places.iter().enumerate() {
        let method = (place.class.clone(), place.method);
        methods.entry(method).or_default().push(at);
    }
    for ((name, method), mut own) in methods {
        let Some(class) = program.class(&name) else {
            continue;
        };
        let method = &class.methods[method];
        let Some(code) = &method.code else {
            continue;
        };
        if method.access & access::SYNCHRONIZED != 0 {
            continue;
        }
        own.retain(|&at| {
            let place = &places[at];
            let enters = class.code_bytes(code)[usize::from(place.index)] == MONITORENTER;
            let alone = place.blocks || place.watched || place.exits || enters;
            !alone && initializes(program, &class, place).is_none()
        });
        own.sort_by_key(|&at| places[at].index);
        let starts = starts(&class, code);
        for pair in own.windows(2) {
            let [from, to] = [places[pair[0]].index, places[pair[1]].index];
            let breaks = starts.range(from + 1..=to).next().is_some();
            if !breaks {
                places[pair[1]].number = places[pair[0]].number;
                places[pair[1]].shares = true;
            }
        }
    }
}

/// Where stretches begin: at targets of jumps and handlers, at lines of the source, behind
/// whatever is more than moving and computing the thread's own values.
fn starts(class: &ClassFile, code: &Code) -> BTreeSet<u16> {
    let lines = class.line_numbers(code).map(|(start, _)| start);
    let handlers = code.handlers.iter().map(|h| h.target);
    let mut starts: BTreeSet<i32> = lines.chain(handlers).map(i32::from).collect();
    let mut divisor = false;
    for step in class.instructions(code) {
        let Ok((pc, insn)) = step else {
            break;
        };
        match insn.operand {
            Operand::Branch(target) => {
                starts.insert(target);
            }
            Operand::Table(switch) => {
                starts.insert(switch.default);
                starts.extend(switch.targets());
            }
            Operand::Lookup(switch) => {
                starts.insert(switch.default);
                starts.extend(switch.pairs().map(|(_, target)| target));
            }
            _ => {}
        }
        // Only a division by zero throws.
        let divides = matches!(insn.opcode, IDIV | LDIV | IREM | LREM);
        if !is_private(class, &insn) || divides && !divisor {
            starts.insert((pc + insn.length) as i32);
        }
        divisor = is_divisor(class, &insn) && !starts.contains(&((pc + insn.length) as i32));
    }
    let inside = starts.into_iter().filter_map(|s| u16::try_from(s).ok());
    inside.collect()
}

/// Whether an instruction goes on to the next one in any case, and only the thread itself
/// can tell that it was executed.
fn is_private(class: &ClassFile, insn: &Insn<'_>) -> bool {
    match (insn.opcode, insn.operand) {
        (LDC | LDC_W | LDC2_W, Operand::Constant(index)) => matches!(
            class.pool.get(index),
            Constant::Integer(_) | Constant::Float(_) | Constant::Long(_) | Constant::Double(_)
        ),
        (NOP..=SIPUSH | ILOAD..=ALOAD_3 | ISTORE..=ASTORE_3 | POP..=DCMPG, _) => true,
        _ => false,
    }
}

/// Whether an instruction pushes a constant that one can divide by.
fn is_divisor(class: &ClassFile, insn: &Insn<'_>) -> bool {
    match (insn.opcode, insn.operand) {
        (ICONST_M1 | ICONST_1..=ICONST_5 | LCONST_1, _) => true,
        (BIPUSH | SIPUSH, Operand::Int(value)) => value != 0,
        (LDC | LDC_W | LDC2_W, Operand::Constant(index)) => match class.pool.get(index) {
            Constant::Integer(value) => value != 0,
            Constant::Long(value) => value != 0,
            _ => false,
        },
        _ => false,
    }
}
