//! Helpful NullPointerException messages (JEP 358): what was null, told from the
//! bytecode before the failing instruction.
//!
//! The operand stack is simulated over the whole method: for every slot, which
//! instruction pushed it. Where paths meet that disagree, the origin is unknown.
//! The description then follows the origins backwards, a few steps deep. Follows
//! the JEP's text and HotSpot's output; works on the class file alone.

use heddle_classfile::code::{Operand, decode, implicit_local};
use heddle_classfile::descriptor::MethodDescriptor;
use heddle_classfile::opcode::*;
use heddle_classfile::{ClassFile, Code, Method};

/// The message for a NullPointerException that the instruction at `bci` raised; `None` if
/// the instruction does not dereference anything.
pub fn message(file: &ClassFile, method: &Method, bci: u16) -> Option<String> {
    let code = method.code.as_ref()?;
    let analysis = Analysis::new(file, method, code, bci);
    let slot = analysis.null_slot(bci as usize)?;
    let mut text = analysis.failed_action(bci as usize)?;
    let mut cause = String::new();
    if analysis.cause(
        &mut cause,
        bci as usize,
        slot,
        MAX_DETAIL,
        false,
        " because \"",
    ) {
        text.push_str(&cause);
        text.push_str("\" is null");
    } else {
        text.push_str(&cause);
    }
    Some(text)
}

/// How many steps back a description goes.
const MAX_DETAIL: u32 = 5;
/// Slots kept in all stacks together before the analysis gives up.
const MAX_ENTRIES: usize = 1_000_000;

/// Where a stack slot's value was pushed; `None` if paths disagree.
type Origin = Option<u16>;

/// The simulated stack before an instruction.
#[derive(Clone, Default)]
struct Stack {
    slots: Vec<Origin>,
    /// Locals below 64 that were stored to.
    written: u64,
}

impl Stack {
    fn push(&mut self, origin: usize, count: usize) {
        for _ in 0..count {
            self.slots.push(Some(origin as u16));
        }
    }
    fn pop(&mut self, count: usize) {
        let left = self.slots.len().saturating_sub(count);
        self.slots.truncate(left);
    }
    /// The slot `depth` below the top.
    fn at(&self, depth: usize) -> Origin {
        let index = self.slots.len().checked_sub(depth + 1)?;
        self.slots[index]
    }
    fn merge(&mut self, other: &Stack) {
        for (mine, theirs) in self.slots.iter_mut().zip(&other.slots) {
            if *mine != *theirs {
                *mine = None;
            }
        }
        self.written |= other.written;
    }
    fn store(&mut self, local: u16) {
        if local < 64 {
            self.written |= 1 << local;
        }
    }
    fn was_written(&self, local: u16) -> bool {
        // Locals beyond the mask count as written.
        local >= 64 || self.written & (1 << local) != 0
    }
    /// Re-pushes slots by their depth below the top as it was, deepest result first.
    fn rearrange(&mut self, pops: usize, depths: &[usize]) {
        let copies: Vec<Origin> = depths.iter().map(|&d| self.at(d)).collect();
        self.pop(pops);
        self.slots.extend(copies);
    }
}

struct Analysis<'a> {
    file: &'a ClassFile,
    method: &'a Method,
    code: &'a Code,
    bytes: &'a [u8],
    stacks: Vec<Option<Stack>>,
    entries: usize,
    added: bool,
    all_processed: bool,
}

impl<'a> Analysis<'a> {
    fn new(file: &'a ClassFile, method: &'a Method, code: &'a Code, bci: u16) -> Analysis<'a> {
        let bytes = file.code_bytes(code);
        let mut analysis = Analysis {
            file,
            method,
            code,
            bytes,
            stacks: vec![None; bytes.len() + 1],
            entries: 0,
            added: true,
            all_processed: false,
        };
        analysis.stacks[0] = Some(Stack::default());
        for handler in &code.handlers {
            let target = handler.target as usize;
            if analysis.stacks[target].is_none() {
                let mut stack = Stack::default();
                stack.push(target, 1);
                analysis.stacks[target] = Some(stack);
            }
        }
        while !analysis.all_processed && analysis.added {
            analysis.all_processed = true;
            analysis.added = false;
            let mut at = 0;
            while at < bytes.len() {
                at += analysis.step(at);
                if at == bci as usize && analysis.stacks[at].is_some() {
                    analysis.all_processed = true;
                    break;
                }
                if analysis.entries > MAX_ENTRIES {
                    return analysis;
                }
            }
        }
        analysis
    }

    fn arrive(&mut self, at: i64, stack: &Stack) {
        let Some(old) = usize::try_from(at)
            .ok()
            .and_then(|at| self.stacks.get_mut(at))
        else {
            return;
        };
        let mut merged = stack.clone();
        match old {
            Some(old) => merged.merge(old),
            None => {
                self.added = true;
                self.entries += merged.slots.len();
            }
        }
        *old = Some(merged);
    }

    /// Simulates the instruction at `at`; returns its length.
    fn step(&mut self, at: usize) -> usize {
        let Ok(insn) = decode(self.bytes, at) else {
            return self.bytes.len() - at;
        };
        let length = insn.length as usize;
        let Some(mut stack) = self.stacks[at].clone() else {
            self.all_processed = false;
            return length;
        };
        let mut targets: Vec<i32> = Vec::new();
        let mut falls_through = true;
        let s = &mut stack;
        match insn.opcode {
            NOP | IINC | CHECKCAST | INEG | LNEG | FNEG | DNEG | I2F | L2D | F2I | D2L | I2B
            | I2C | I2S => {
                if let Operand::Increment { local, .. } = insn.operand {
                    s.store(local);
                }
                // Negations and conversions of equal size make new values.
                if !matches!(insn.opcode, NOP | IINC | CHECKCAST) {
                    let size = if matches!(insn.opcode, LNEG | DNEG | L2D | D2L) {
                        2
                    } else {
                        1
                    };
                    s.pop(size);
                    s.push(at, size);
                }
            }
            ACONST_NULL..=ICONST_5 | FCONST_0..=FCONST_2 | BIPUSH | SIPUSH => s.push(at, 1),
            LCONST_0 | LCONST_1 | DCONST_0 | DCONST_1 | LDC2_W => s.push(at, 2),
            LDC | LDC_W => s.push(at, 1),
            ILOAD | FLOAD | ALOAD | ILOAD_0..=ILOAD_3 | FLOAD_0..=FLOAD_3 | ALOAD_0..=ALOAD_3 => {
                s.push(at, 1)
            }
            LLOAD | DLOAD | LLOAD_0..=LLOAD_3 | DLOAD_0..=DLOAD_3 => s.push(at, 2),
            IALOAD | FALOAD | AALOAD | BALOAD | CALOAD | SALOAD => {
                s.pop(2);
                s.push(at, 1);
            }
            LALOAD | DALOAD => {
                s.pop(2);
                s.push(at, 2);
            }
            ISTORE
            | FSTORE
            | ASTORE
            | ISTORE_0..=ISTORE_3
            | FSTORE_0..=FSTORE_3
            | ASTORE_0..=ASTORE_3
            | LSTORE
            | DSTORE
            | LSTORE_0..=LSTORE_3
            | DSTORE_0..=DSTORE_3 => {
                let local = local_of(insn.opcode, insn.operand);
                let wide = matches!(
                    insn.opcode,
                    LSTORE | DSTORE | LSTORE_0..=LSTORE_3 | DSTORE_0..=DSTORE_3
                );
                s.store(local);
                if wide {
                    s.store(local + 1);
                }
                s.pop(1 + wide as usize);
            }
            IASTORE | FASTORE | AASTORE | BASTORE | CASTORE | SASTORE => s.pop(3),
            LASTORE | DASTORE => s.pop(4),
            POP | MONITORENTER | MONITOREXIT => s.pop(1),
            POP2 => s.pop(2),
            DUP => s.rearrange(0, &[0]),
            DUP_X1 => s.rearrange(2, &[0, 1, 0]),
            DUP_X2 => s.rearrange(3, &[0, 2, 1, 0]),
            DUP2 => s.rearrange(0, &[1, 0]),
            DUP2_X1 => s.rearrange(3, &[1, 0, 2, 1, 0]),
            DUP2_X2 => s.rearrange(4, &[1, 0, 3, 2, 1, 0]),
            SWAP => s.rearrange(2, &[0, 1]),
            IADD | FADD | ISUB | FSUB | IMUL | FMUL | IDIV | FDIV | IREM | FREM | IAND | IOR
            | IXOR | ISHL | ISHR | IUSHR | FCMPL | FCMPG => {
                s.pop(2);
                s.push(at, 1);
            }
            LADD | DADD | LSUB | DSUB | LMUL | DMUL | LDIV | DDIV | LREM | DREM | LAND | LOR
            | LXOR => {
                s.pop(4);
                s.push(at, 2);
            }
            LSHL | LSHR | LUSHR => {
                s.pop(3);
                s.push(at, 2);
            }
            I2L | I2D | F2L | F2D => {
                s.pop(1);
                s.push(at, 2);
            }
            L2I | L2F | D2I | D2F => {
                s.pop(2);
                s.push(at, 1);
            }
            LCMP | DCMPL | DCMPG => {
                s.pop(4);
                s.push(at, 1);
            }
            IFEQ..=IFLE | IFNULL | IFNONNULL => {
                s.pop(1);
                targets.extend(branch(insn.operand));
            }
            IF_ICMPEQ..=IF_ACMPNE => {
                s.pop(2);
                targets.extend(branch(insn.operand));
            }
            GOTO | GOTO_W => {
                targets.extend(branch(insn.operand));
                falls_through = false;
            }
            JSR | JSR_W => {
                s.push(at, 1);
                targets.extend(branch(insn.operand));
                falls_through = false;
            }
            RET | IRETURN..=RETURN | ATHROW => falls_through = false,
            TABLESWITCH | LOOKUPSWITCH => {
                s.pop(1);
                falls_through = false;
                match insn.operand {
                    Operand::Table(table) => {
                        targets.push(table.default);
                        targets.extend(table.targets());
                    }
                    Operand::Lookup(lookup) => {
                        targets.push(lookup.default);
                        targets.extend(lookup.pairs().map(|(_, target)| target));
                    }
                    _ => {}
                }
            }
            GETSTATIC => s.push(at, self.field_size(insn.operand)),
            PUTSTATIC => s.pop(self.field_size(insn.operand)),
            GETFIELD => {
                s.pop(1);
                s.push(at, self.field_size(insn.operand));
            }
            PUTFIELD => s.pop(1 + self.field_size(insn.operand)),
            INVOKEVIRTUAL | INVOKESPECIAL | INVOKESTATIC | INVOKEINTERFACE | INVOKEDYNAMIC => {
                let (args, result) = self.call_sizes(insn.operand);
                let receiver = !matches!(insn.opcode, INVOKESTATIC | INVOKEDYNAMIC) as usize;
                s.pop(args + receiver);
                s.push(at, result);
            }
            NEW => s.push(at, 1),
            NEWARRAY | ANEWARRAY | ARRAYLENGTH | INSTANCEOF => {
                s.pop(1);
                s.push(at, 1);
            }
            MULTIANEWARRAY => {
                if let Operand::MultiArray { dimensions, .. } = insn.operand {
                    s.pop(dimensions as usize);
                }
                s.push(at, 1);
            }
            _ => falls_through = false,
        }
        let after = stack;
        if falls_through {
            self.arrive((at + length) as i64, &after);
        }
        for target in targets {
            self.arrive(target as i64, &after);
        }
        length
    }

    fn field_size(&self, operand: Operand<'_>) -> usize {
        match operand {
            Operand::Constant(index) => match self.file.pool.member(index).2.first() {
                Some(b'J' | b'D') => 2,
                _ => 1,
            },
            _ => 1,
        }
    }

    /// Argument and result slots of a call, without the receiver.
    fn call_sizes(&self, operand: Operand<'_>) -> (usize, usize) {
        let desc = match operand {
            Operand::Constant(index) | Operand::Interface { index, .. } => {
                self.file.pool.member(index).2
            }
            Operand::Dynamic { index, .. } => self.file.pool.dynamic(index).2,
            _ => return (0, 0),
        };
        match MethodDescriptor::parse(desc) {
            Some(parsed) => (
                parsed.slots as usize,
                parsed.result.map_or(0, |r| r.slots() as usize),
            ),
            None => (0, 0),
        }
    }

    /// Depth of the stack slot that must have been null.
    fn null_slot(&self, bci: usize) -> Option<usize> {
        let insn = decode(self.bytes, bci).ok()?;
        Some(match insn.opcode {
            GETFIELD | ARRAYLENGTH | ATHROW | MONITORENTER | MONITOREXIT => 0,
            IALOAD | LALOAD | FALOAD | DALOAD | AALOAD | BALOAD | CALOAD | SALOAD => 1,
            IASTORE | FASTORE | AASTORE | BASTORE | CASTORE | SASTORE => 2,
            LASTORE | DASTORE => 3,
            PUTFIELD => self.field_size(insn.operand),
            INVOKEVIRTUAL | INVOKESPECIAL | INVOKEINTERFACE => {
                // A constructor's receiver is never null: the exception was made by `new`.
                if self.member(insn.operand)?.1 == b"<init>" {
                    return None;
                }
                self.call_sizes(insn.operand).0
            }
            _ => return None,
        })
    }

    fn member(&self, operand: Operand<'_>) -> Option<(&'a [u8], &'a [u8], &'a [u8])> {
        match operand {
            Operand::Constant(index) | Operand::Interface { index, .. } => {
                Some(self.file.pool.member(index))
            }
            _ => None,
        }
    }

    /// What could not be done.
    fn failed_action(&self, bci: usize) -> Option<String> {
        let insn = decode(self.bytes, bci).ok()?;
        let array = match insn.opcode {
            IALOAD | IASTORE => "int",
            LALOAD | LASTORE => "long",
            FALOAD | FASTORE => "float",
            DALOAD | DASTORE => "double",
            AALOAD | AASTORE => "object",
            BALOAD | BASTORE => "byte/boolean",
            CALOAD | CASTORE => "char",
            SALOAD | SASTORE => "short",
            _ => "",
        };
        Some(match insn.opcode {
            IALOAD..=SALOAD => format!("Cannot load from {array} array"),
            IASTORE..=SASTORE => format!("Cannot store to {array} array"),
            ARRAYLENGTH => "Cannot read the array length".into(),
            ATHROW => "Cannot throw exception".into(),
            MONITORENTER => "Cannot enter synchronized block".into(),
            MONITOREXIT => "Cannot exit synchronized block".into(),
            GETFIELD => format!(
                "Cannot read field \"{}\"",
                text(self.member(insn.operand)?.1)
            ),
            PUTFIELD => format!(
                "Cannot assign field \"{}\"",
                text(self.member(insn.operand)?.1)
            ),
            INVOKEVIRTUAL | INVOKESPECIAL | INVOKEINTERFACE => {
                format!("Cannot invoke \"{}\"", self.method_name(insn.operand)?)
            }
            _ => return None,
        })
    }

    fn method_name(&self, operand: Operand<'_>) -> Option<String> {
        let (class, name, desc) = self.member(operand)?;
        let mut at = 1;
        let mut params = Vec::new();
        while at < desc.len() && desc[at] != b')' {
            params.push(well_known(&crate::resolve::java_type(desc, &mut at)));
        }
        Some(format!(
            "{}.{}({})",
            class_text(class),
            text(name),
            params.join(", ")
        ))
    }

    /// Appends what the slot `depth` below the top before `bci` holds; false if that is
    /// not known. `prefix` goes before the outermost description.
    fn cause(
        &self,
        out: &mut String,
        bci: usize,
        depth: usize,
        detail: u32,
        inner: bool,
        prefix: &str,
    ) -> bool {
        if detail == 0 {
            return false;
        }
        let Some(stack) = &self.stacks[bci] else {
            return false;
        };
        let Some(source) = stack.at(depth) else {
            return false;
        };
        let source = source as usize;
        let Ok(insn) = decode(self.bytes, source) else {
            return false;
        };
        let is_call = matches!(insn.opcode, INVOKEVIRTUAL..=INVOKEINTERFACE);
        if detail == MAX_DETAIL && !is_call {
            out.push_str(prefix);
        }
        match insn.opcode {
            ILOAD | ALOAD | ILOAD_0..=ILOAD_3 | ALOAD_0..=ALOAD_3 => {
                let local = local_of(insn.opcode, insn.operand);
                out.push_str(&self.local_name(source, local, !stack.was_written(local)));
            }
            ACONST_NULL => out.push_str("null"),
            ICONST_M1..=ICONST_5 => {
                out.push_str(&(insn.opcode as i32 - ICONST_0 as i32).to_string());
            }
            BIPUSH | SIPUSH => {
                if let Operand::Int(value) = insn.operand {
                    out.push_str(&value.to_string());
                }
            }
            GETSTATIC => {
                let Some((class, name, _)) = self.member(insn.operand) else {
                    return false;
                };
                out.push_str(&format!("{}.{}", class_text(class), text(name)));
            }
            GETFIELD => {
                if self.cause(out, source, 0, detail - 1, inner, "") {
                    out.push('.');
                }
                let Some((_, name, _)) = self.member(insn.operand) else {
                    return false;
                };
                out.push_str(&text(name));
            }
            INVOKEVIRTUAL | INVOKESPECIAL | INVOKESTATIC | INVOKEINTERFACE => {
                if detail == MAX_DETAIL && !inner {
                    out.push_str(" because the return value of \"");
                }
                let Some(name) = self.method_name(insn.operand) else {
                    return false;
                };
                out.push_str(&name);
            }
            IALOAD | AALOAD => {
                if !self.cause(out, source, 1, detail - 1, inner, "") {
                    out.push_str("<array>");
                }
                out.push('[');
                if !self.cause(out, source, 0, detail, true, "") {
                    out.push_str("...");
                }
                out.push(']');
            }
            _ => return false,
        }
        true
    }

    fn local_name(&self, bci: usize, local: u16, is_parameter: bool) -> String {
        let named = self.file.local_variables(self.code).find(|v| {
            v.index == local
                && bci >= v.start as usize
                && bci < v.start as usize + v.length as usize
        });
        if let Some(variable) = named {
            return text(self.file.pool.utf8(variable.name));
        }
        let first = !self.method.is_static() as u16;
        if first == 1 && local == 0 && is_parameter {
            return "this".into();
        }
        let desc = self.file.pool.utf8(self.method.desc);
        let mut slot = first;
        if is_parameter && let Some(parsed) = MethodDescriptor::parse(desc) {
            for (i, ty) in parsed.parameters().enumerate() {
                let size = ty.slots();
                if local >= slot && local < slot + size {
                    return format!("<parameter{}>", i + 1);
                }
                slot += size;
            }
        }
        format!("<local{local}>")
    }
}

fn local_of(opcode: u8, operand: Operand<'_>) -> u16 {
    match operand {
        Operand::Local(local) => local,
        _ => implicit_local(opcode).unwrap_or(0),
    }
}

fn branch(operand: Operand<'_>) -> Option<i32> {
    match operand {
        Operand::Branch(target) => Some(target),
        _ => None,
    }
}

fn text(bytes: &[u8]) -> String {
    heddle_classfile::mutf8::to_string_lossy(bytes)
}

/// The Java name of a class in a member reference.
fn class_text(class: &[u8]) -> String {
    if class.first() == Some(&b'[') {
        let mut at = 0;
        return well_known(&crate::resolve::java_type(class, &mut at));
    }
    well_known(&text(class).replace('/', "."))
}

/// The two classes that everybody knows go without their package.
fn well_known(name: &str) -> String {
    let base = name.trim_end_matches("[]");
    let short = match base {
        "java.lang.Object" => "Object",
        "java.lang.String" => "String",
        _ => return name.into(),
    };
    format!("{short}{}", &name[base.len()..])
}
