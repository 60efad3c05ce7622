//! What a schedule says about the code of a program, held against its class files.
//!
//! Places get the names that the VM knows them by, and whatever does not exist is told
//! with its line. The digests in the header say whether the program is still the one that
//! the schedule was written for, or at least the code that the schedule mentions.

use heddle_classfile::code::decode;
use heddle_classfile::digest::Digest;
use heddle_classfile::opcode::*;
use heddle_classfile::{ClassFile, Method, access};
use heddle_explore::strategies::PlaceKind;
use heddle_model::Trust;
use heddle_model::schedule::{
    CodePlace, Command, Header, MethodName, Point, Schedule, ScheduleError,
};
use heddle_replay::class_path::ClassPath;
use heddle_replay::places;
use heddle_replay::program::Program;
use std::collections::BTreeMap;

/// A schedule whose places all exist, and what they are.
pub struct Placed {
    /// With every place named by name and descriptor.
    pub schedule: Schedule,
    pub kinds: BTreeMap<CodePlace, PlaceKind>,
}

/// Finds the places of a schedule. Fails with the first that does not exist.
pub fn place(
    file: &str,
    mut schedule: Schedule,
    program: &Program<'_>,
) -> Result<Placed, ScheduleError> {
    let mut kinds = BTreeMap::new();
    for line in &mut schedule.lines {
        let Some(
            Command::Before(Point { place, .. })
            | Command::In(Point { place, .. })
            | Command::Within(Point { place, .. }),
        ) = &mut line.command
        else {
            continue;
        };
        match find(place, program) {
            Ok((found, kind)) => {
                kinds.insert(found.clone(), kind);
                *place = found;
            }
            Err(message) => {
                return Err(ScheduleError {
                    file: file.to_string(),
                    line: line.number,
                    message,
                });
            }
        }
    }
    Ok(Placed { schedule, kinds })
}

fn find(place: &CodePlace, program: &Program<'_>) -> Result<(CodePlace, PlaceKind), String> {
    let class = &place.class;
    if *place == CodePlace::begin() {
        return Ok((place.clone(), PlaceKind::Other));
    }
    if program.trusts_at(place) {
        return Err(format!(
            "{class} is trusted code, where no schedule can stop; expected a class of the program, \
             or an option --distrust that names it"
        ));
    }
    if program.class(&class.replace('.', "/")).is_none() && is_library(class) {
        // The JDK's own, explored because it is not trusted: the VM knows it.
        return Ok((place.clone(), PlaceKind::Unknown));
    }
    let found = places::find(place, program)?;
    let file = program
        .class(&found.class)
        .expect("heddle internal error: a class was found and is gone");
    let method = &file.methods[found.method];
    let at = found.name.find('(').unwrap_or(found.name.len());
    let (name, descriptor) = found.name.split_at(at);
    let named = CodePlace {
        class: class.clone(),
        method: MethodName::Named {
            name: name.to_string(),
            descriptor: Some(descriptor.to_string()),
        },
        index: place.index,
    };
    Ok((named, kind(&file, method, place.index)))
}

fn is_library(class: &str) -> bool {
    Trust::library().class(class)
}

fn kind(file: &ClassFile, method: &Method, index: u16) -> PlaceKind {
    let code = method.code.as_ref().map_or(&[][..], |c| file.code_bytes(c));
    let opcode = decode(code, index.into()).map_or(NOP, |insn| insn.opcode);
    match opcode {
        _ if index == 0 && method.access & access::SYNCHRONIZED != 0 => PlaceKind::Enters,
        MONITORENTER | INVOKEVIRTUAL..=NEW | GETSTATIC | PUTSTATIC => PlaceKind::Enters,
        IRETURN..=RETURN | ATHROW => PlaceKind::Leaves,
        _ => PlaceKind::Other,
    }
}

/// The methods of the header whose code is not what it was.
pub fn changed(header: &Header, program: &Program<'_>) -> Vec<String> {
    let is_same = |entry: &heddle_model::schedule::CodeEntry| {
        let Some(file) = program.class(&entry.class.replace('.', "/")) else {
            return is_library(&entry.class) || program.trusts(&entry.class);
        };
        let place = CodePlace {
            class: entry.class.clone(),
            method: entry.method.clone(),
            index: 0,
        };
        let found = places::find(&place, program).ok();
        let digest = found.and_then(|f| file.code_digest(&file.methods[f.method]));
        digest.as_ref() == Some(&entry.digest)
    };
    let changed = header.code.iter().filter(|entry| !is_same(entry));
    changed
        .map(|entry| format!("{}.{}", entry.class, entry.method))
        .collect()
}

/// A digest of all class files of a program.
pub fn program_digest(class_path: &ClassPath) -> String {
    let mut digest = Digest::default();
    for (name, bytes) in &class_path.files {
        if name.ends_with(".class") {
            digest.text(name.as_bytes());
            digest.text(bytes);
        }
    }
    digest.hex()
}
