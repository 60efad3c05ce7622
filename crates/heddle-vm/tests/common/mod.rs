//! What the tests of the translator share: the user's JDK, a checker of the
//! structure of translated bodies, a writer of tiny class files.

#![allow(dead_code)]

use std::path::PathBuf;

use heddle_classfile::jimage::Image;
use heddle_classfile::{Checks, ClassFile, ParseOptions};
use heddle_vm::disasm::{Field, fields, instructions, targets};
use heddle_vm::isa::{Body, Op, ext_words};

/// The home of the JDK: `JAVA_HOME`, else the one `java` on the path belongs to.
pub fn jdk_home() -> PathBuf {
    if let Some(home) = std::env::var_os("JAVA_HOME") {
        return PathBuf::from(home);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|dir| dir.join("java"))
        .find_map(|java| java.canonicalize().ok())
        .and_then(|java| Some(java.parent()?.parent()?.to_owned()))
        .expect("a JDK: set JAVA_HOME or put java on the PATH")
}

/// Every class of a module, parsed.
pub fn classes(module: &str) -> Vec<ClassFile> {
    let path = jdk_home().join("lib").join("modules");
    let data = std::fs::read(&path).expect("the JDK's lib/modules can be read");
    let image = Image::open(Vec::leak(data)).expect("lib/modules is an image");
    let mut locations: Vec<_> = image
        .locations()
        .filter(|l| l.module == module && l.extension == "class" && l.base != "module-info")
        .collect();
    locations.sort_by_key(|l| l.path());
    locations
        .iter()
        .map(|l| {
            let bytes = image.content(l).expect("not compressed");
            parse_trusted(bytes.expect("inside the file").to_vec())
        })
        .collect()
}

pub fn parse_trusted(bytes: Vec<u8>) -> ClassFile {
    try_parse(bytes).expect("a well-formed class file")
}

pub fn try_parse(bytes: Vec<u8>) -> Option<ClassFile> {
    let options = ParseOptions {
        checks: Checks::Trusted,
        max_major: 70,
        ..ParseOptions::default()
    };
    ClassFile::parse(bytes.into(), &options).ok()
}

/// Checks what the interpreter relies on.
pub fn check(body: &Body) -> Result<(), String> {
    let mut starts = vec![false; body.words.len() + 1];
    let mut end = 0;
    let mut last = Op::Invalid;
    for (word, op, words) in instructions(body) {
        starts[word] = true;
        end = word + 1 + ext_words(op, words.get(1).copied().unwrap_or(0));
        last = op;
    }
    if end != body.words.len() {
        return Err("the last instruction is cut off".into());
    }
    let leaves = matches!(
        last,
        Op::Jmp
            | Op::IncJmp
            | Op::Ret
            | Op::RetV
            | Op::RetSync
            | Op::RetVSync
            | Op::Throw
            | Op::TableSwitch
            | Op::LookupSwitch
            | Op::RetSub
    );
    if !leaves {
        return Err(format!("control falls off behind {last:?}"));
    }
    let is_start = |at: i64| at >= 0 && (at as usize) < body.words.len() && starts[at as usize];
    for (word, op, words) in instructions(body) {
        for (i, field) in fields(op).into_iter().enumerate() {
            let value = u32::from((words[0] >> (16 * (i + 1))) as u16);
            let register = matches!(field, Field::Use | Field::Def | Field::Both);
            if register && value >= body.frame_words {
                return Err(format!("{word}: no register {value}"));
            }
        }
        for target in targets(word, op, words) {
            if !is_start(target) {
                return Err(format!("{word}: jump to {target}, no instruction"));
            }
        }
        if op == Op::Invalid {
            return Err(format!("{word}: invalid operation"));
        }
    }
    for pair in body.bcis.windows(2) {
        if pair[0].0 >= pair[1].0 {
            return Err("bytecode indexes are not sorted by word".into());
        }
    }
    if body.bcis.first().map(|b| b.0) != Some(0) || !body.bcis.iter().all(|b| starts[b.0 as usize])
    {
        return Err("bytecode indexes do not start at instructions".into());
    }
    for h in &body.handlers {
        let end = h.end as usize == body.words.len() || is_start(i64::from(h.end));
        if h.start >= h.end || !is_start(i64::from(h.start)) || !end {
            return Err(format!("bad handler range {h:?}"));
        }
        if !is_start(i64::from(h.target)) || u32::from(h.register) >= body.frame_words {
            return Err(format!("bad handler {h:?}"));
        }
    }
    Ok(())
}
