//! From the places of a schedule to bytecodes of the program's class files.
//!
//! Each place gets a number, which the inserted call carries; the table of numbers goes
//! with the instrumented program, so that a schedule that is changed by hand still works as
//! long as it keeps to the places that were instrumented.

use crate::program::Program;
use heddle_classfile::code::decode;
use heddle_classfile::mutf8::to_string_lossy as text;
use heddle_classfile::opcode::{INVOKESTATIC, INVOKEVIRTUAL};
use heddle_classfile::{ClassFile, Method};
use heddle_model::Trust;
use heddle_model::schedule::words::Word;
use heddle_model::schedule::{CodePlace, Command, MethodName, Schedule, ScheduleError};
use std::collections::HashMap;
use std::fmt::Write as _;

/// A bytecode that a schedule mentions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What the call before it carries.
    pub number: i32,
    /// The call before a place in front of it tells of it, too; see `stretches.rs`.
    pub shares: bool,
    /// With slashes.
    pub class: String,
    /// Its number in the class file.
    pub method: usize,
    /// Name and descriptor.
    pub name: String,
    pub index: u16,
    /// Whether an `in` mentions it.
    pub blocks: bool,
    /// File and line, as far as the class file tells.
    pub source: Option<String>,
    /// Whether it is a call that ends the program.
    pub exits: bool,
    /// Whether what it reads or writes is to be told.
    pub watched: bool,
}

/// The places of a schedule in the program; those in trusted code are left out. Fails with
/// the line of the first one that does not exist.
pub fn resolve(
    file: &str,
    schedule: &Schedule,
    program: &Program<'_>,
) -> Result<Vec<Place>, ScheduleError> {
    let mut places: Vec<Place> = Vec::new();
    let mut known: HashMap<&CodePlace, usize> = HashMap::new();
    let within = |(_, command): &(u32, &Command)| matches!(command, Command::Within(_));
    if let Some((line, _)) = schedule.commands().find(within) {
        let message = "a JVM cannot be stopped in the middle of what its library does (within); \
                       the schedule can be replayed without --jvm";
        return Err(ScheduleError {
            file: file.to_string(),
            line,
            message: message.to_string(),
        });
    }
    let events = schedule
        .commands()
        .filter_map(|(line, command)| match command {
            Command::Before(point) => Some((line, &point.place, false, false)),
            Command::In(point) => Some((line, &point.place, true, false)),
            _ => None,
        });
    let accesses = schedule.header.iter().flat_map(|h| &h.accesses);
    let accesses = accesses.map(|access| (0, &access.place, false, true));
    for (line, mentioned, blocks, watched) in events.chain(accesses) {
        if program.trusts_at(mentioned) {
            continue;
        }
        let at = match known.get(mentioned) {
            Some(&at) => at,
            None => {
                let fail = |message| ScheduleError {
                    file: file.to_string(),
                    line,
                    message,
                };
                let class = &mentioned.class;
                let of_jdk = Trust::library().class(class);
                if of_jdk && program.class(&class.replace('.', "/")).is_none() {
                    return Err(fail(format!(
                        "a JVM cannot be stopped in the code of its library ({class}); the schedule \
                         can be replayed without --jvm"
                    )));
                }
                let place = find(mentioned, program).map_err(fail)?;
                // The same bytecode may be written in several ways.
                let same = |p: &Place| {
                    (&p.class, p.method, p.index) == (&place.class, place.method, place.index)
                };
                let at = places.iter().position(same).unwrap_or_else(|| {
                    places.push(Place {
                        number: places.len() as i32,
                        ..place
                    });
                    places.len() - 1
                });
                known.insert(mentioned, at);
                at
            }
        };
        places[at].blocks |= blocks;
        places[at].watched |= watched;
    }
    Ok(places)
}

/// The table that the library reads; see `Places.java`.
pub fn table(places: &[Place], program: &Program<'_>) -> String {
    let mut table = String::new();
    for word in program.trust().trusted() {
        let _ = writeln!(table, "trust {}", Word(word));
    }
    for word in program.trust().distrusted() {
        let _ = writeln!(table, "distrust {}", Word(word));
    }
    for place in places {
        let class = place.class.replace('/', ".");
        let source = place.source.as_deref().unwrap_or("-");
        let kind = if place.exits { "exit" } else { "-" };
        let _ = writeln!(
            table,
            "place {} {} {} {} {} {} {kind}",
            place.number,
            Word(&class),
            Word(&place.name),
            place.index,
            place.method,
            Word(source),
        );
    }
    table
}

/// One place, without a number.
pub fn find(place: &CodePlace, program: &Program<'_>) -> Result<Place, String> {
    let name = place.class.replace('.', "/");
    let class = &place.class;
    let Some(file) = program.class(&name) else {
        return Err(program.problem(&name));
    };
    let method = method_number(&file, &place.method, class)?;
    let found = &file.methods[method];
    let shown = method_name(&file, found);
    let bad = || {
        format!(
            "no bytecode of {class}.{shown} begins at {}; `javap -c -p` shows where they do",
            place.index
        )
    };
    let code = found.code.as_ref().ok_or_else(bad)?;
    let mut instructions = file.instructions(code);
    if !instructions.any(|i| i.is_ok_and(|(pc, _)| pc == u32::from(place.index))) {
        return Err(bad());
    }
    Ok(at(&file, method, place))
}

/// A place that is known to exist, by the number of its method; without a number itself.
pub(crate) fn at(file: &ClassFile, method: usize, place: &CodePlace) -> Place {
    let found = &file.methods[method];
    let source = file.source_file.map(|i| text(file.pool.utf8(i)));
    let code = found.code.as_ref();
    let line = code.and_then(|code| file.line_of(code, place.index));
    Place {
        number: 0,
        shares: false,
        class: place.class.replace('.', "/"),
        method,
        name: method_name(file, found),
        index: place.index,
        blocks: false,
        source: source
            .zip(line)
            .map(|(file, line)| format!("{file}:{line}")),
        exits: exits(file, found, place.index),
        watched: false,
    }
}

/// A digest of each method that has places, as a schedule's header writes it.
pub fn digests(places: &[Place], program: &Program<'_>) -> String {
    let mut lines = String::new();
    let mut last = None;
    for place in places {
        if last == Some((&place.class, place.method)) {
            continue;
        }
        last = Some((&place.class, place.method));
        let file = program.class(&place.class);
        let digest = file.and_then(|f| f.code_digest(&f.methods[place.method]));
        if let Some(digest) = digest {
            let class = place.class.replace('/', ".");
            let _ = writeln!(
                lines,
                "code {} {} {digest}",
                Word(&class),
                Word(&place.name)
            );
        }
    }
    lines
}

fn method_number(file: &ClassFile, wanted: &MethodName, class: &str) -> Result<usize, String> {
    let count = file.methods.len();
    match wanted {
        MethodName::Position(position) => match *position as usize {
            position if position < count => Ok(position),
            position => Err(format!(
                "class {class} has {count} methods; expected a position below that, found {position}"
            )),
        },
        MethodName::Named { name, descriptor } => {
            let fits = |m: &&(usize, &Method)| {
                text(file.pool.utf8(m.1.name)) == *name
                    && (descriptor.as_ref()).is_none_or(|d| text(file.pool.utf8(m.1.desc)) == *d)
            };
            let all: Vec<(usize, &Method)> = file.methods.iter().enumerate().collect();
            let found: Vec<usize> = all.iter().filter(fits).map(|m| m.0).collect();
            let shown = format!("{name}{}", descriptor.as_deref().unwrap_or_default());
            match found[..] {
                [one] => Ok(one),
                [] => Err(format!("class {class} has no method {shown}")),
                _ => Err(format!(
                    "class {class} has {} methods {shown}; expected a descriptor behind the name",
                    found.len()
                )),
            }
        }
    }
}

pub(crate) fn method_name(file: &ClassFile, method: &Method) -> String {
    text(&[file.pool.utf8(method.name), file.pool.utf8(method.desc)].concat())
}

/// Whether the bytecode is a call of `System.exit` or its like.
fn exits(file: &ClassFile, method: &Method, index: u16) -> bool {
    let Some(code) = &method.code else {
        return false;
    };
    let Ok(insn) = decode(file.code_bytes(code), index.into()) else {
        return false;
    };
    let heddle_classfile::code::Operand::Constant(constant) = insn.operand else {
        return false;
    };
    if !matches!(insn.opcode, INVOKESTATIC | INVOKEVIRTUAL) {
        return false;
    }
    let (owner, name, _) = file.pool.member(constant);
    matches!(
        (owner, name),
        (b"java/lang/System", b"exit") | (b"java/lang/Runtime", b"exit" | b"halt")
    )
}
