//! The text of a `VerifyError`: the complaint, then HotSpot's "Exception
//! Details" with place, reason, frames, bytecode, handlers and stack maps.

use super::frame::View;
use super::types::Type;
use crate::class::{ClassFile, Code, Method};
use crate::descriptor::{FieldType, MethodDescriptor};
use crate::mutf8::to_string_lossy as text;
use crate::opcode;
use std::fmt::Write;

/// What the details say.
pub(super) enum Fault<'f, 'a> {
    Code(u32),
    Type {
        at: u32,
        found: Origin<'f, 'a>,
        wanted: Option<Origin<'f, 'a>>,
    },
    Flags {
        at: u32,
        found: View<'f, 'a>,
        wanted: View<'f, 'a>,
    },
    Pool {
        at: u32,
        index: u16,
    },
    Local {
        at: u32,
        index: u16,
    },
    Height {
        at: u32,
        found: View<'f, 'a>,
        wanted: View<'f, 'a>,
    },
    Overflow {
        at: u32,
        frame: View<'f, 'a>,
    },
    Underflow {
        at: u32,
        frame: View<'f, 'a>,
    },
    MissingMap(u32),
    /// A frame of the map that lies nowhere.
    MapFrame(View<'f, 'a>),
}

/// A type and where it comes from.
pub(super) struct Origin<'f, 'a> {
    pub ty: Type<'a>,
    pub place: Place,
    pub frame: Option<View<'f, 'a>>,
}

#[derive(Clone, Copy)]
pub(super) enum Place {
    Implicit,
    Local(usize),
    Stack(usize),
    MapLocal(usize),
    MapStack(usize),
    Pool(u16),
    Signature,
}

impl<'a> Origin<'_, 'a> {
    pub fn implicit(ty: Type<'a>) -> Self {
        Origin {
            ty,
            place: Place::Implicit,
            frame: None,
        }
    }

    pub fn pool(index: u16, ty: Type<'a>) -> Self {
        Origin {
            ty,
            place: Place::Pool(index),
            frame: None,
        }
    }
}

/// The details that follow the first line.
pub(super) fn details(
    class: &ClassFile,
    method: &Method,
    code: &Code,
    fault: &Fault<'_, '_>,
) -> String {
    let mut out = String::from("\nException Details:\n");
    // Writing to a string cannot fail.
    let _ = write_details(&mut out, class, method, code, fault);
    out
}

fn write_details(
    out: &mut String,
    class: &ClassFile,
    method: &Method,
    code: &Code,
    fault: &Fault<'_, '_>,
) -> std::fmt::Result {
    let bytes = class.code_bytes(code);
    let (at, found, wanted) = match *fault {
        Fault::Code(at)
        | Fault::Pool { at, .. }
        | Fault::Local { at, .. }
        | Fault::MissingMap(at) => (at, None, None),
        Fault::Type {
            at,
            ref found,
            ref wanted,
        } => (at, found.frame, wanted.as_ref().and_then(|w| w.frame)),
        Fault::Flags { at, found, wanted } | Fault::Height { at, found, wanted } => {
            (at, Some(found), Some(wanted))
        }
        Fault::Overflow { at, frame } | Fault::Underflow { at, frame } => (at, Some(frame), None),
        Fault::MapFrame(frame) => (0, Some(frame), None),
    };
    let insn = match bytes.get(at as usize) {
        None => "<invalid>",
        Some(&byte) => opcode::mnemonic(byte)
            .or_else(|| super::internal::mnemonic(byte))
            .unwrap_or("<illegal>"),
    };
    writeln!(
        out,
        "  Location:\n    {}.{}{} @{at}: {insn}",
        text(class.name()),
        text(class.pool.utf8(method.name)),
        text(class.pool.utf8(method.desc)),
    )?;
    write!(out, "  Reason:\n    ")?;
    write_reason(out, fault)?;
    writeln!(out)?;
    if let Some(frame) = found {
        write_frame(out, "Current Frame", frame)?;
    }
    if let Some(frame) = wanted {
        write_frame(out, "Stackmap Frame", frame)?;
    }
    write_bytes(out, bytes)?;
    if !code.handlers.is_empty() {
        writeln!(out, "  Exception Handler Table:")?;
        for h in &code.handlers {
            writeln!(
                out,
                "    bci [{}, {}] => handler: {}",
                h.start, h.end, h.target
            )?;
        }
    }
    if let Some(map) = code.stack_map {
        writeln!(out, "  Stackmap Table:")?;
        write_map(out, class.span(map))?;
    }
    Ok(())
}

fn write_reason(out: &mut String, fault: &Fault<'_, '_>) -> std::fmt::Result {
    out.write_str(match fault {
        Fault::Code(_) => "Error exists in the bytecode",
        Fault::Type {
            found,
            wanted: Some(wanted),
            ..
        } => {
            write!(out, "Type {}", found.ty)?;
            write_place(out, found.place)?;
            write!(out, " is not assignable to {}", wanted.ty)?;
            return write_place(out, wanted.place);
        }
        Fault::Type { found, .. } => {
            write!(out, "Invalid type: {}", found.ty)?;
            return write_place(out, found.place);
        }
        Fault::Flags { .. } => "Current frame's flags are not assignable to stack map frame's.",
        Fault::Pool { index, .. } => {
            return write!(out, "Constant pool index {index} is invalid");
        }
        Fault::Local { index, .. } => return write!(out, "Local index {index} is invalid"),
        Fault::Height { .. } => "Current frame's stack size doesn't match stackmap.",
        Fault::Overflow { .. } => "Exceeded max stack size.",
        Fault::Underflow { .. } => "Attempt to pop empty stack.",
        Fault::MissingMap(_) => "Expected stackmap frame at this location.",
        Fault::MapFrame(_) => "Invalid stackmap specification.",
    })
}

fn write_place(out: &mut String, place: Place) -> std::fmt::Result {
    match place {
        Place::Implicit => Ok(()),
        Place::Local(i) => write!(out, " (current frame, locals[{i}])"),
        Place::Stack(i) => write!(out, " (current frame, stack[{i}])"),
        Place::MapLocal(i) => write!(out, " (stack map, locals[{i}])"),
        Place::MapStack(i) => write!(out, " (stack map, stack[{i}])"),
        Place::Pool(i) => write!(out, " (constant pool {i})"),
        Place::Signature => write!(out, " (from method signature)"),
    }
}

fn write_frame(out: &mut String, title: &str, frame: View<'_, '_>) -> std::fmt::Result {
    let flags = if frame.this_uninitialized {
        " flagThisUninit"
    } else {
        ""
    };
    writeln!(
        out,
        "  {title}:\n    bci: @{}\n    flags: {{{flags} }}",
        frame.offset
    )?;
    for (name, types) in [("locals", frame.locals), ("stack", frame.stack)] {
        write!(out, "    {name}: {{")?;
        for (i, ty) in types.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(out, "{comma} {ty}")?;
        }
        writeln!(out, " }}")?;
    }
    Ok(())
}

fn write_bytes(out: &mut String, bytes: &[u8]) -> std::fmt::Result {
    writeln!(out, "  Bytecode:")?;
    // HotSpot starts another row even if nothing is left for it.
    for row in 0..=bytes.len() / 16 {
        let line = &bytes[row * 16..bytes.len().min(row * 16 + 16)];
        let mut hex = String::with_capacity(40);
        for (i, byte) in line.iter().enumerate() {
            let space = if i % 2 == 0 { " " } else { "" };
            write!(hex, "{space}{byte:02x}")?;
        }
        writeln!(out, "    {:07x}:{hex:40}", row * 16)?;
    }
    Ok(())
}

/// Prints the table as it is in the file, without expanding it.
fn write_map(out: &mut String, data: &[u8]) -> std::fmt::Result {
    let mut map = RawMap { data, at: 0 };
    let Some(count) = map.u2() else { return Ok(()) };
    let mut offset: i64 = -1;
    for _ in 0..count {
        let mut line = String::new();
        let Some(delta) = map.frame(&mut line, offset) else {
            return writeln!(out, "    {}", map.truncated(offset));
        };
        writeln!(out, "    {line}")?;
        offset += i64::from(delta) + 1;
    }
    Ok(())
}

struct RawMap<'a> {
    data: &'a [u8],
    at: usize,
}

impl RawMap<'_> {
    fn u1(&mut self) -> Option<u8> {
        let byte = self.data.get(self.at).copied();
        self.at += 1;
        byte
    }

    fn u2(&mut self) -> Option<u16> {
        Some(u16::from(self.u1()?) << 8 | u16::from(self.u1()?))
    }

    fn frame(&mut self, out: &mut String, before: i64) -> Option<u16> {
        let at = |delta: u16| before + i64::from(delta) + 1;
        let kind = self.u1()?;
        let delta = match kind {
            0..64 => u16::from(kind),
            64..128 => u16::from(kind - 64),
            128..247 => return None,
            _ => self.u2()?,
        };
        let place = at(delta);
        *out = match kind {
            0..64 => format!("same_frame(@{place})"),
            251 => format!("same_frame_extended(@{place})"),
            64..128 => format!(
                "same_locals_1_stack_item_frame(@{place},{})",
                self.items(1)?
            ),
            247 => format!(
                "same_locals_1_stack_item_extended(@{place},{})",
                self.items(1)?
            ),
            248..251 => format!("chop_frame(@{place},{})", 251 - kind),
            252..=254 => format!(
                "append_frame(@{place},{})",
                self.items(u16::from(kind - 251))?
            ),
            _ => {
                let count = self.u2()?;
                let locals = self.items(count)?;
                let count = self.u2()?;
                let stack = self.items(count)?;
                format!("full_frame(@{place},{{{locals}}},{{{stack}}})")
            }
        };
        Some(delta)
    }

    fn truncated(&self, before: i64) -> String {
        format!("<truncated>(@{})", before + 1)
    }

    fn items(&mut self, count: u16) -> Option<String> {
        let mut out = String::new();
        for i in 0..count {
            if i != 0 {
                out.push(',');
            }
            match self.u1()? {
                0 => out.push_str("Top"),
                1 => out.push_str("Integer"),
                2 => out.push_str("Float"),
                3 => out.push_str("Double"),
                4 => out.push_str("Long"),
                5 => out.push_str("Null"),
                6 => out.push_str("UninitializedThis"),
                7 => out.push_str(&format!("Object[#{}]", self.u2()?)),
                8 => out.push_str(&format!("Uninitialized[#{}]", self.u2()?)),
                bad => out.push_str(&format!("BAD:{bad}")),
            }
        }
        Some(out)
    }
}

/// A class name as Java programs write it.
pub(super) fn external(name: &[u8]) -> String {
    text(name).replace('/', ".")
}

/// A method as HotSpot names it, such as `int Foo.bar(long, java.lang.String)`.
pub(super) fn external_method(class: &ClassFile, method: &Method) -> String {
    let desc = class.pool.utf8(method.desc);
    let (mut result, mut parameters) = (String::new(), String::new());
    if let Some(parsed) = MethodDescriptor::parse(desc) {
        result = parsed
            .result
            .map_or_else(|| "void".to_owned(), external_type);
        let list: Vec<String> = parsed.parameters().map(external_type).collect();
        parameters = list.join(", ");
    }
    let name = text(class.pool.utf8(method.name));
    format!("{result} {}.{name}({parameters})", external(class.name()))
}

fn external_type(ty: FieldType<'_>) -> String {
    match ty {
        FieldType::Boolean => "boolean".to_owned(),
        FieldType::Byte => "byte".to_owned(),
        FieldType::Char => "char".to_owned(),
        FieldType::Short => "short".to_owned(),
        FieldType::Int => "int".to_owned(),
        FieldType::Long => "long".to_owned(),
        FieldType::Float => "float".to_owned(),
        FieldType::Double => "double".to_owned(),
        FieldType::Object(name) => external(name),
        FieldType::Array(desc) => {
            let dimensions = desc.iter().take_while(|&&b| b == b'[').count();
            let element = crate::descriptor::parse_field(&desc[dimensions..]);
            let element = element.map_or_else(String::new, external_type);
            element + &"[]".repeat(dimensions)
        }
    }
}
