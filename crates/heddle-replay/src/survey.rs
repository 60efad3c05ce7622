//! What is known about the classes of a program before any is changed: which methods may be
//! where a thread begins, which may be called by code that is not the program's, which
//! classes are initialized where somebody looks, and whether the JDK must be redirected.

use crate::calls;
use crate::places::Place;
use crate::program::{Program, parse};
use crate::visible::{self, Signatures};
use heddle_classfile::code::{Operand, decode};
use heddle_classfile::mutf8::to_string_lossy as text;
use heddle_classfile::opcode::*;
use heddle_classfile::{ClassFile, Constant, Method, access};
use std::collections::{BTreeSet, HashSet};

/// What is known about all classes before any is changed.
pub struct Survey {
    /// By file name; only those of the program itself.
    pub classes: Vec<(String, ClassFile)>,
    pub needs_agent: bool,
    /// Bodies of lambdas that are tasks: class, name and descriptor.
    pub tasks: HashSet<(String, String)>,
    /// Methods that method handles refer to: class, name and descriptor.
    pub handles: HashSet<(String, String)>,
    /// Whether methods may be called by reflection.
    pub reflects: bool,
    /// Whether it may look at the states of threads.
    pub asks_for_states: bool,
    /// Signatures of methods that are synchronized wherever the program has them.
    synchronized: Signatures,
    /// Classes whose initialization is to be noticed.
    pub initialized: BTreeSet<String>,
}

impl Survey {
    /// Whether a thread may begin with a method.
    pub fn begins(
        &self,
        program: &Program<'_>,
        name: &str,
        class: &ClassFile,
        number: usize,
        shown: &str,
    ) -> bool {
        let method = &class.methods[number];
        let run = shown == "run()V" && !method.is_static() && program.is_task(name);
        run || self.tasks.contains(&(name.to_string(), shown.to_string()))
    }

    /// Whether code that is not the program's may call a method. (Its own callers say where a
    /// thread is that waits for the monitor.)
    pub fn called_from_elsewhere(
        &self,
        program: &Program<'_>,
        name: &str,
        method: &Method,
        shown: &str,
    ) -> bool {
        let handled = |(owner, method): &(String, String)| {
            method == shown && (program.extends(owner, name) || program.extends(name, owner))
        };
        let main = shown == MAIN;
        if self.reflects || main || self.handles.iter().any(handled) {
            return true;
        }
        if method.is_static() || method.access & access::PRIVATE != 0 {
            return false;
        }
        let known = |(_, class): &(String, ClassFile)| {
            let own = text(class.name());
            program.extends(&own, name) && program.is_known_elsewhere(&own)
        };
        OF_OBJECT.contains(&shown) || self.classes.iter().any(known)
    }

    /// Notes which classes the places may initialize.
    pub fn initialized(&mut self, program: &Program<'_>, places: &[Place]) {
        for place in places {
            let class = program.class(&place.class);
            let initialized = class.and_then(|c| initializes(program, &c, place));
            self.initialized.extend(initialized);
        }
    }

    pub fn of(program: &Program<'_>) -> Result<Survey, String> {
        let mut survey = Survey {
            classes: Vec::new(),
            needs_agent: false,
            tasks: HashSet::new(),
            handles: HashSet::new(),
            reflects: false,
            asks_for_states: false,
            synchronized: Signatures::new(),
            initialized: BTreeSet::new(),
        };
        for (file, bytes) in &program.class_path.files {
            let Some(name) = file.strip_suffix(".class") else {
                continue;
            };
            if program.trusts_all_of(name) || name.starts_with("heddle/replay/") {
                continue;
            }
            // What is no class, or one of another name, no JVM will load either.
            let Ok(class) = parse(bytes) else {
                continue;
            };
            if class.name() != name.as_bytes() {
                continue;
            }
            if class
                .pool
                .iter()
                .any(|(i, _)| class.pool.try_utf8(i) == Some(MARKER.as_bytes()))
            {
                let dotted = name.replace('/', ".");
                return Err(format!(
                    "class {dotted} is instrumented already; give the class path of the program as it was compiled"
                ));
            }
            survey.look_at(program, &class, name)?;
            survey.classes.push((file.clone(), class));
        }
        if survey.asks_for_states {
            survey.synchronized = visible::synchronized_everywhere(&survey.classes);
        }
        Ok(survey)
    }

    /// Which monitor a bytecode is about to take, where somebody might ask. Of calls only those
    /// are known that take one whatever the class of the receiver is.
    pub fn enters(
        &self,
        program: &Program<'_>,
        class: &ClassFile,
        opcode: u8,
        operand: Operand<'_>,
    ) -> Option<Enters> {
        let (Operand::Constant(index) | Operand::Interface { index, .. }) = operand else {
            return (opcode == MONITORENTER && self.asks_for_states).then_some(Enters::Top);
        };
        if !self.asks_for_states || !(INVOKEVIRTUAL..=INVOKEINTERFACE).contains(&opcode) {
            return None;
        }
        let (owner, name, desc) = class.pool.member(index);
        let owner = text(owner);
        if opcode == INVOKESTATIC {
            let declares = program.declares(&owner, name, desc)?;
            let method = program.class(&declares)?;
            let flags = method.method(name, desc)?.access;
            let locks = flags & access::STATIC != 0 && flags & access::SYNCHRONIZED != 0;
            // Before version 49 a class cannot name another as a value.
            return (locks && class.major >= 49).then_some(Enters::Class(declares));
        }
        let signature = (name.to_vec(), desc.to_vec());
        let known = !program.trusts(&owner) && self.synchronized.contains(&signature);
        known.then(|| Enters::Receiver(desc.to_vec()))
    }

    fn look_at(
        &mut self,
        program: &Program<'_>,
        class: &ClassFile,
        name: &str,
    ) -> Result<(), String> {
        let pool = &class.pool;
        for (index, constant) in pool.iter() {
            match constant {
                Constant::Class { name } => {
                    self.needs_agent |= calls::needs_agent(pool.utf8(name));
                    self.reflects |= REFLECTION.contains(&pool.utf8(name));
                }
                Constant::MethodHandle { reference, .. } => {
                    let (owner, name, desc) = pool.member(reference);
                    let shown = text(&[name, desc].concat());
                    self.handles.insert((text(owner), shown));
                }
                Constant::MethodRef { .. } | Constant::InterfaceMethodRef { .. } => {
                    let (owner, method, desc) = pool.member(index);
                    self.asks_for_states |= calls::asks_for_states(method, desc);
                    self.needs_agent |= calls::method_needs_agent(owner, method);
                    if calls::makes_virtual_threads(owner, method) {
                        return Err(format!(
                            "class {} makes virtual threads ({}.{}), which replay on a JVM does not support yet",
                            name.replace('/', "."),
                            text(owner).replace('/', "."),
                            text(method)
                        ));
                    }
                }
                Constant::InvokeDynamic { .. } => self.lambda(program, class, index),
                _ => {}
            }
        }
        Ok(())
    }

    /// A call site that makes a task: its body is where a thread may begin.
    fn lambda(&mut self, program: &Program<'_>, class: &ClassFile, index: u16) {
        let (bootstrap, _, desc) = class.pool.dynamic(index);
        let desc = text(desc);
        let made = desc.rsplit(')').next().unwrap_or_default();
        let made = made.strip_prefix('L').and_then(|m| m.strip_suffix(';'));
        if !made.is_some_and(|made| program.is_task(made)) {
            return;
        }
        let Some(method) = class.bootstrap_methods.get(usize::from(bootstrap)) else {
            return;
        };
        let Some(&body) = method.args.get(1) else {
            return;
        };
        if let Constant::MethodHandle { kind, reference } = class.pool.get(body) {
            let (owner, name, desc) = class.pool.member(reference);
            let owner = text(owner);
            // A method of the JDK has no place for a call, and one that is chosen when it is
            // called may be another one.
            let chosen = matches!(kind as u32, 5 | 9) && !name.starts_with(b"lambda$");
            self.needs_agent |= program.trusts(&owner) || chosen;
            self.tasks.insert((owner, text(&[name, desc].concat())));
        }
    }
}

/// Where the monitor is that a bytecode takes.
pub enum Enters {
    /// On the stack.
    Top,
    /// Below the arguments of a call with this descriptor.
    Receiver(Vec<u8>),
    /// It is that of a class.
    Class(String),
}

/// The class of the program that a place may initialize, other than its own.
pub fn initializes(program: &Program<'_>, class: &ClassFile, place: &Place) -> Option<String> {
    let code = class.methods[place.method].code.as_ref()?;
    let insn = decode(class.code_bytes(code), place.index.into()).ok()?;
    let Operand::Constant(index) = insn.operand else {
        return None;
    };
    let owner = match insn.opcode {
        NEW => class.pool.class_name(index),
        GETSTATIC | PUTSTATIC | INVOKESTATIC => class.pool.member(index).0,
        _ => return None,
    };
    let owner = text(owner);
    // Before version 49 a class cannot name another as a value.
    let named = class.major >= 49 && program.class(&owner).is_some();
    (named && !program.trusts(&owner) && !program.extends(&place.class, &owner)).then_some(owner)
}

/// The attribute that marks classes that were instrumented.
pub const MARKER: &str = "heddle.replay.Instrumented";

pub const MAIN: &str = "main([Ljava/lang/String;)V";
/// What `java.lang.Object` has everybody call.
const OF_OBJECT: &[&str] = &[
    "toString()Ljava/lang/String;",
    "hashCode()I",
    "equals(Ljava/lang/Object;)Z",
    "finalize()V",
];
/// Classes by which a program calls methods that it does not name.
const REFLECTION: &[&[u8]] = &[
    b"java/lang/reflect/Method",
    b"java/lang/invoke/MethodHandle",
    b"java/lang/reflect/Proxy",
];
