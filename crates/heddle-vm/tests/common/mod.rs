//! What the tests of the translator share: the user's JDK, a checker of the
//! structure of translated bodies, a writer of tiny class files.

#![allow(dead_code)]

pub mod eval;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use heddle_classfile::jimage::Image;
use heddle_classfile::{Checks, ClassFile, ParseOptions};
use heddle_vm::disasm::{fields, instructions, targets};
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
            | Op::JmpFar
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
            if field.is_register() && value >= body.frame_words {
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
    for pair in body.origins.windows(2) {
        if pair[0].word >= pair[1].word {
            return Err("origins are not sorted by word".into());
        }
    }
    let first = body.origins.first().map(|o| o.word);
    if first != Some(0) || !body.origins.iter().all(|o| starts[o.word as usize]) {
        return Err("origins do not start at instructions".into());
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

/// The constants of classes made by [`class_of`].
pub mod pool {
    /// `static int f(int, long)` of the class itself.
    pub const F: u8 = 11;
    /// `static int i`
    pub const FIELD: u8 = 14;
    pub const LONG: u8 = 15;
    pub const STRING: u8 = 17;
    pub const CLASS: u8 = 2;
    pub const INT: u8 = 18;
}

/// What is special about a method made by [`class_of`].
pub struct Made<'a> {
    pub desc: &'a str,
    pub access: u16,
    pub stack: u16,
    pub locals: u16,
    pub handlers: &'a [[u16; 4]],
}

impl Default for Made<'_> {
    fn default() -> Self {
        Made {
            desc: "(IIJ)I",
            access: 8,
            stack: 12,
            locals: 8,
            handlers: &[],
        }
    }
}

/// A class `T` with a method `m` of the given code, and a method `f` that
/// returns 31 times its first argument plus its second.
pub fn class_of(made: &Made<'_>, code: &[u8]) -> ClassFile {
    let mut out = Vec::new();
    let utf8 = |out: &mut Vec<u8>, text: &str| {
        out.push(1);
        out.extend((text.len() as u16).to_be_bytes());
        out.extend(text.as_bytes());
    };
    // Version 49: no stack maps, and jsr is still allowed.
    out.extend([0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 49, 0, 19]);
    utf8(&mut out, "T"); // 1
    out.extend([7, 0, 1]); // 2
    utf8(&mut out, "java/lang/Object"); // 3
    out.extend([7, 0, 3]); // 4
    utf8(&mut out, "m"); // 5
    utf8(&mut out, made.desc); // 6
    utf8(&mut out, "Code"); // 7
    utf8(&mut out, "f"); // 8
    utf8(&mut out, "(IJ)I"); // 9
    out.extend([12, 0, 8, 0, 9]); // 10
    out.extend([10, 0, 2, 0, 10]); // 11
    utf8(&mut out, "I"); // 12
    out.extend([12, 0, 8, 0, 12]); // 13
    out.extend([9, 0, 2, 0, 13]); // 14
    out.extend([5, 0, 0, 0, 1, 0, 0, 0, 2]); // 15, 16
    out.extend([8, 0, 1]); // 17
    out.extend([3, 0, 1, 0x11, 0x70]); // 18: 70000
    out.extend([0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0, 0, 2]);
    let mut method = |access: u16, name: u8, desc: u8, made: &Made<'_>, code: &[u8]| {
        out.extend(access.to_be_bytes());
        out.extend([0, name, 0, desc, 0, 1, 0, 7]);
        let length = 12 + code.len() + 8 * made.handlers.len();
        out.extend((length as u32).to_be_bytes());
        out.extend(made.stack.to_be_bytes());
        out.extend(made.locals.to_be_bytes());
        out.extend((code.len() as u32).to_be_bytes());
        out.extend(code);
        out.extend((made.handlers.len() as u16).to_be_bytes());
        for handler in made.handlers {
            for field in handler {
                out.extend(field.to_be_bytes());
            }
        }
        out.extend([0, 0]);
    };
    method(made.access, 5, 6, made, code);
    // iload_0, bipush 31, imul, lload_1, l2i, iadd, ireturn
    let f = [26, 16, 31, 104, 31, 136, 96, 172];
    method(
        8,
        8,
        9,
        &Made {
            stack: 4,
            locals: 3,
            ..Made::default()
        },
        &f,
    );
    out.extend([0, 0]);
    parse_trusted(out)
}

/// A program of `tests/java`, compiled into a folder. The tests of a file run side by side and
/// share it; each file has its own.
pub fn compiled(source: &str, classes: &str) -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
        let classes = PathBuf::from(classes);
        std::fs::create_dir_all(&classes).unwrap();
        let javac = Command::new(jdk_home().join("bin/javac"))
            .args(["-g", "-d"])
            .arg(&classes)
            .arg(tests.join(source))
            .status();
        assert!(javac.expect("javac runs").success());
        classes
    })
}
