//! Which classes of a program change, and where calls of the library are inserted: as few
//! as the schedule needs (jreplay, section 4).
//!
//! - Before each bytecode that the schedule mentions: a comparison with the place that is
//!   awaited, and `due` if it is this one (`at`, where every visit counts or a method would
//!   get too long); behind it, if the schedule has a thread blocked in it: `after`.
//! - Where a thread may begin (`run` of threads and tasks, bodies of lambdas that are
//!   tasks): `begin`, in front of everything, the method's own monitor included.
//! - Before `Thread.start`: `starting`.
//! - Calls of the JDK that wait, wake or tell the time are replaced; see `calls.rs`.
//! - At the beginning of `main`: `main`.
//!
//! Three places are come to twice in the VM, and so here. A bytecode that initializes a
//! class of the program: before and after that. The first bytecode of a synchronized method
//! that the library calls: before and with its monitor. And the return of such a method:
//! with its monitor, and when it has been given back.

use crate::calls::{self, Change, LIBRARY};
use crate::places::{Place, method_name};
use crate::program::Program;
use crate::survey::{Enters, MAIN, MARKER, Survey, initializes};
use crate::visible;
use heddle_classfile::code::{Operand, decode};
use heddle_classfile::descriptor::MethodDescriptor;
use heddle_classfile::edit::{ClassEdit, Kind, LineStart, NewMethod, Snippet};
use heddle_classfile::mutf8::to_string_lossy as text;
use heddle_classfile::opcode::*;
use heddle_classfile::{ClassFile, Code, Constant, access};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What became of a program.
#[derive(Debug, Default)]
pub struct Instrumented {
    /// The classes that changed, by file name.
    pub classes: BTreeMap<String, Vec<u8>>,
    /// Whether the JDK's own code must be redirected at run time.
    pub needs_agent: bool,
}

/// What a schedule consists of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One thread runs at a time, and looks out for one place.
    Switches,
    /// Every thread looks out for places of its own.
    Messages,
}

/// Instruments a program for the places of a schedule.
pub fn instrument(
    program: &Program<'_>,
    places: &[Place],
    format: Format,
) -> Result<Instrumented, String> {
    let mut survey = Survey::of(program)?;
    survey.initialized(program, places);
    survey.apply(program, places, Purpose::Follow(format))
}

/// Instruments a program so that it can be recorded; the places at which it may be.
pub fn instrument_to_record(program: &Program<'_>) -> Result<(Instrumented, Vec<Place>), String> {
    let mut survey = Survey::of(program)?;
    let synchronized = visible::synchronized(&survey.classes);
    let mut places = Vec::new();
    for (_, class) in &survey.classes {
        let first = places.len() as i32;
        places.extend(visible::places(program, class, &synchronized, first));
    }
    survey.initialized(program, &places);
    // The JDK's threads and waits must be under control, and ends of threads be told.
    survey.needs_agent = true;
    let done = survey.apply(program, &places, Purpose::Record)?;
    Ok((done, places))
}

/// What the program is instrumented for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Follow(Format),
    /// All monitors are told, too.
    Record,
}

const OBJECT: &str = "(Ljava/lang/Object;)V";

impl Survey {
    fn apply(
        &self,
        program: &Program<'_>,
        places: &[Place],
        purpose: Purpose,
    ) -> Result<Instrumented, String> {
        let mut done = Instrumented {
            needs_agent: self.needs_agent,
            ..Instrumented::default()
        };
        let mut by_class: HashMap<&str, Vec<&Place>> = HashMap::new();
        for place in places {
            by_class.entry(&place.class).or_default().push(place);
        }
        for (file, class) in &self.classes {
            let name = text(class.name());
            let own = by_class.remove(name.as_str()).unwrap_or_default();
            let mut work = ClassWork {
                program,
                survey: self,
                class,
                name: &name,
                places: &own,
                purpose,
                edit: ClassEdit::new(class),
                changed: false,
            };
            work.all().map_err(|e| e.to_string())?;
            if work.changed {
                work.edit.add_attribute(MARKER, Vec::new());
                let bytes = work.edit.finish().map_err(|e| e.to_string())?;
                done.classes.insert(file.clone(), bytes.to_vec());
            }
        }
        Ok(done)
    }
}

/// One class being changed.
struct ClassWork<'a, 'c> {
    program: &'a Program<'a>,
    survey: &'a Survey,
    class: &'c ClassFile,
    name: &'a str,
    places: &'a [&'a Place],
    purpose: Purpose,
    edit: ClassEdit<'c>,
    changed: bool,
}

/// Where a call goes.
enum Side {
    Before,
    After,
}

/// Bytes that a comparison and its call take.
const CHECK: usize = 15;
/// Bytes of a method that HotSpot still compiles (`HugeMethodLimit`).
const COMPILED: usize = 8000;

/// What the instructions for array elements move, in the order of their opcodes. A byte
/// array may be one of booleans.
const ELEMENTS: [u8; 8] = *b"IJFDLICI";

type Edited<T> = Result<T, heddle_classfile::edit::EditError>;

impl ClassWork<'_, '_> {
    fn all(&mut self) -> Edited<()> {
        let pool = &self.class.pool;
        let calls: HashSet<u16> = pool
            .iter()
            .filter(|(index, constant)| {
                let member = matches!(
                    constant,
                    Constant::MethodRef { .. } | Constant::InterfaceMethodRef { .. }
                );
                member && calls::may_change(pool.member(*index).1)
            })
            .map(|(index, _)| index)
            .collect();
        for number in 0..self.class.methods.len() {
            if self.class.methods[number].code.is_some() {
                self.method(number, &calls)?;
            }
        }
        if self.survey.initialized.contains(self.name) {
            self.initializer()?;
        }
        Ok(())
    }

    fn method(&mut self, number: usize, calls: &HashSet<u16>) -> Edited<()> {
        let class = self.class;
        let method = &class.methods[number];
        let shown = method_name(class, method);
        let places: Vec<&Place> = (self.places.iter().copied())
            .filter(|p| p.method == number)
            .collect();
        let begins = (self.survey).begins(self.program, self.name, class, number, &shown);
        if begins || !places.is_empty() || self.purpose == Purpose::Record {
            self.entry(number, begins, &places)?;
        }
        if shown == MAIN && method.is_static() {
            let mut snippet = self.edit.snippet();
            snippet.load(Kind::Reference, 0);
            let desc = "([Ljava/lang/String;)V";
            let main = snippet.invoke_static(LIBRARY, "main", desc).done();
            self.edit.code(number)?.at_entry(&main);
            self.changed = true;
        }
        let calls_at: Vec<&&Place> = places.iter().filter(|p| !p.shares).collect();
        let code = method.code.as_ref().expect("it was asked for");
        let length = class.code_bytes(code).len() + CHECK * calls_at.len();
        let checked = self.purpose == Purpose::Follow(Format::Switches) && length <= COMPILED;
        for place in calls_at {
            self.place(number, place, checked)?;
        }
        if !calls.is_empty() {
            self.calls(number, calls)?;
        }
        if self.purpose == Purpose::Record {
            self.exits(number)?;
        }
        Ok(())
    }

    /// What happens before a method does anything.
    fn entry(&mut self, number: usize, begins: bool, places: &[&Place]) -> Edited<()> {
        let method = &self.class.methods[number];
        if method.access & access::SYNCHRONIZED == 0 {
            if begins {
                let begin = self.call("begin", "()V");
                self.edit.code(number)?.at_entry(&begin);
                self.changed = true;
            }
            return Ok(());
        }
        let code = method.code.as_ref().expect("it was asked for");
        let bytes = self.class.code_bytes(code);
        let returns = |p: &&&Place| (IRETURN..=RETURN).contains(&bytes[usize::from(p.index)]);
        let shown = method_name(self.class, method);
        let elsewhere =
            (self.survey).called_from_elsewhere(self.program, self.name, method, &shown);
        let twice = || places.iter().filter(|_| elsewhere);
        let first = twice().find(|p| p.index == 0).map(|p| p.number);
        let last = twice().find(returns).map(|p| p.number);
        let record = self.purpose == Purpose::Record;
        if !begins && first.is_none() && last.is_none() && !record {
            return Ok(());
        }
        // The monitor must be taken and given back in the open, for something to happen
        // before and after.
        let mut enter = self.edit.snippet();
        if begins {
            enter.invoke_static(LIBRARY, "begin", "()V");
        }
        if let Some(place) = first {
            enter.int(place).invoke_static(LIBRARY, "entering", "(I)V");
        }
        if record {
            enter.op(DUP).invoke_static(LIBRARY, "enter", OBJECT);
        }
        let enter = enter.op(MONITORENTER).done();
        let mut exit = self.edit.snippet();
        if record {
            exit.op(DUP).op(MONITOREXIT);
            exit.invoke_static(LIBRARY, "exit", OBJECT);
        } else {
            exit.op(MONITOREXIT);
        }
        if let Some(place) = last {
            exit.int(place).invoke_static(LIBRARY, "left", "(I)V");
        }
        let exit = exit.done();
        self.edit.desynchronize(number, &enter, &exit)?;
        self.changed = true;
        Ok(())
    }

    /// Tells when a monitor is given back.
    fn exits(&mut self, number: usize) -> Edited<()> {
        let class = self.class;
        let code = class.methods[number]
            .code
            .as_ref()
            .expect("it was asked for");
        for step in class.instructions(code) {
            let Ok((pc, insn)) = step else {
                break;
            };
            if insn.opcode == MONITOREXIT {
                let mut snippet = self.edit.snippet();
                snippet.op(DUP).original();
                let snippet = snippet.invoke_static(LIBRARY, "exit", OBJECT).done();
                self.edit.code(number)?.replace(pc, &snippet);
                self.changed = true;
            }
        }
        Ok(())
    }

    /// `checked`: the comparison is here and not in the library, which makes the difference
    /// as long as code is interpreted, and for what the JVM's compilers have to look through.
    fn place(&mut self, number: usize, place: &Place, checked: bool) -> Edited<()> {
        let pc = u32::from(place.index);
        let code = self.class.methods[number]
            .code
            .as_ref()
            .expect("it has places");
        let opcode = self.class.code_bytes(code)[usize::from(place.index)];
        let entering = match self.purpose {
            Purpose::Record if opcode == MONITORENTER => Some(("enter", Enters::Top)),
            Purpose::Record => None,
            Purpose::Follow(_) => {
                let insn = decode(self.class.code_bytes(code), place.index.into()).ok();
                let enters = insn.and_then(|insn| {
                    let (program, class) = (self.program, self.class);
                    (self.survey).enters(program, class, opcode, insn.operand)
                });
                enters.map(|enters| ("entering", enters))
            }
        };
        let at = if let Some((name, enters)) = entering {
            self.entering(number, place, name, &enters)?
        } else if checked {
            let mut snippet = self.edit.snippet();
            let elsewhere = snippet.label();
            snippet
                .get_static(LIBRARY, "awaited", "I")
                .int(place.number);
            snippet.branch(IF_ICMPNE, elsewhere);
            snippet.int(place.number);
            snippet.invoke_static(LIBRARY, "due", "(I)V");
            snippet.bind(elsewhere).done()
        } else {
            self.numbered("at", place)
        };
        let initializes = initializes(self.program, self.class, place).map(|class| {
            let mut snippet = self.edit.snippet();
            snippet.class_object(class).int(place.number);
            let desc = "(Ljava/lang/Class;I)V";
            snippet.invoke_static(LIBRARY, "initialize", desc).done()
        });
        let after = place.blocks.then(|| self.numbered("after", place));
        // A method reference is no call of the program, but what it refers to will be called.
        let told = match (place.watched, opcode) {
            (watched, INVOKEDYNAMIC) => {
                self.referred(number, place, watched)?;
                None
            }
            (watched, _) => watched.then(|| self.told(code, place)),
        };
        let code = self.edit.code(number)?;
        // A breakpoint on the line is hit when it is the thread's turn.
        code.set_line_start(LineStart::Instruction);
        code.before(pc, &at);
        if let Some(initialize) = initializes {
            code.before(pc, &initialize);
        }
        match told {
            Some((Side::Before, told)) => code.before(pc, &told),
            Some((Side::After, told)) => code.after(pc, &told),
            None => {}
        }
        if let Some(after) = after {
            code.after(pc, &after);
        }
        self.changed = true;
        Ok(())
    }

    /// Tells of calls of the method that a method reference refers to. If that is trusted, to
    /// call it is to come to the reference again, and so is to return from it.
    fn referred(&mut self, number: usize, place: &Place, watched: bool) -> Edited<()> {
        let pc = u32::from(place.index);
        let owner = self.edit.referred_owner(number, pc);
        let comes = owner.is_some_and(|owner| self.program.trusts(&text(owner)));
        if !comes && !watched {
            return Ok(());
        }
        let tell = |one: &mut Self, names: &[(bool, &str)]| {
            let mut snippet = one.edit.snippet();
            for (_, name) in names.iter().filter(|(tells, _)| *tells) {
                snippet.int(place.number);
                snippet.invoke_static(LIBRARY, name, "(I)V");
            }
            snippet.done()
        };
        let before = tell(self, &[(comes, "at"), (watched, "called")]);
        let after = tell(self, &[(comes, "at")]);
        self.edit.around_referred(number, pc, [&before, &after])?;
        Ok(())
    }

    /// Tells which monitor the bytecode at a place is about to take.
    fn entering(
        &mut self,
        number: usize,
        place: &Place,
        name: &str,
        enters: &Enters,
    ) -> Edited<Snippet> {
        let mut arguments = Vec::new();
        if let Enters::Receiver(desc) = enters {
            let signature = MethodDescriptor::parse(desc);
            for parameter in signature.iter().flat_map(|s| s.parameters()) {
                let kind = Kind::of(parameter);
                let local = self.edit.code(number)?.scratch_local(kind.slots());
                arguments.push((kind, local));
            }
        }
        let mut snippet = self.edit.snippet();
        for (kind, local) in arguments.iter().rev() {
            snippet.store(*kind, *local);
        }
        match enters {
            Enters::Top | Enters::Receiver(_) => snippet.op(DUP),
            Enters::Class(class) => snippet.class_object(class),
        };
        snippet.int(place.number);
        snippet.invoke_static(LIBRARY, name, "(Ljava/lang/Object;I)V");
        for (kind, local) in &arguments {
            snippet.load(*kind, *local);
        }
        Ok(snippet.done())
    }

    /// Tells what a bytecode reads or writes: the value is on top of the stack, after the
    /// one or before the other. A call tells only that it comes.
    fn told(&mut self, code: &Code, place: &Place) -> (Side, Snippet) {
        let bytes = self.class.code_bytes(code);
        let field = |operand| match operand {
            Operand::Constant(index) => self.class.pool.member(index).2[0],
            _ => b'I',
        };
        let insn = decode(bytes, place.index.into()).ok();
        let (side, kind) = match insn.map(|insn| (insn.opcode, insn.operand)) {
            Some((GETSTATIC | GETFIELD, operand)) => (Side::After, field(operand)),
            Some((PUTSTATIC | PUTFIELD, operand)) => (Side::Before, field(operand)),
            Some((load @ IALOAD..=SALOAD, _)) => {
                (Side::After, ELEMENTS[usize::from(load - IALOAD)])
            }
            Some((store @ IASTORE..=SASTORE, _)) => {
                (Side::Before, ELEMENTS[usize::from(store - IASTORE)])
            }
            _ => return (Side::Before, self.numbered("called", place)),
        };
        let (copy, desc) = match kind {
            b'J' => (DUP2, "(JI)V"),
            b'D' => (DUP2, "(DI)V"),
            b'F' => (DUP, "(FI)V"),
            b'Z' => (DUP, "(ZI)V"),
            b'C' => (DUP, "(CI)V"),
            b'B' | b'S' | b'I' => (DUP, "(II)V"),
            _ => (DUP, "(Ljava/lang/Object;I)V"),
        };
        let mut snippet = self.edit.snippet();
        snippet.op(copy).int(place.number);
        (
            side,
            snippet.invoke_static(LIBRARY, "accessed", desc).done(),
        )
    }

    fn calls(&mut self, number: usize, calls: &HashSet<u16>) -> Edited<()> {
        let class = self.class;
        let method = &class.methods[number];
        let code = method.code.as_ref().expect("it was asked for");
        let bytes = class.code_bytes(code);
        // Most methods have none: look before the editor takes the code apart.
        for step in heddle_classfile::code::Instructions::new(bytes) {
            let Ok((pc, insn)) = step else {
                break;
            };
            let (INVOKEVIRTUAL..=INVOKEINTERFACE, Operand::Constant(index)) =
                (insn.opcode, insn.operand)
            else {
                continue;
            };
            if !calls.contains(&index) {
                continue;
            }
            let (owner, name, desc) = class.pool.member(index);
            match calls::change(self.program, insn.opcode, owner, name, desc) {
                None => {}
                Some(Change::Replace { name, desc }) => {
                    let snippet = self
                        .edit
                        .snippet()
                        .invoke_static(LIBRARY, name, desc)
                        .done();
                    self.edit.code(number)?.replace(pc, &snippet);
                    self.changed = true;
                }
                Some(Change::Start) => {
                    let mut snippet = self.edit.snippet();
                    snippet.op(DUP);
                    let desc = "(Ljava/lang/Thread;)V";
                    let snippet = snippet.invoke_static(LIBRARY, "starting", desc).done();
                    self.edit.code(number)?.before(pc, &snippet);
                    self.changed = true;
                }
            }
        }
        Ok(())
    }

    /// Lets the class tell that it is being initialized.
    fn initializer(&mut self) -> Edited<()> {
        let methods = self.class.methods.iter();
        let existing = methods
            .enumerate()
            .find(|(_, m)| self.class.pool.utf8(m.name) == b"<clinit>")
            .map(|(number, _)| number);
        self.changed = true;
        match existing {
            Some(number) => {
                let tell = self.call("initializing", "()V");
                self.edit.code(number)?.at_entry(&tell);
            }
            None => {
                let mut body = self.edit.snippet();
                body.invoke_static(LIBRARY, "initializing", "()V");
                let body = body.op(RETURN).done();
                self.edit.add_method(NewMethod {
                    access: access::STATIC,
                    name: b"<clinit>".to_vec(),
                    desc: b"()V".to_vec(),
                    body: Some(body),
                });
            }
        }
        Ok(())
    }

    fn call(&mut self, name: &str, desc: &str) -> Snippet {
        self.edit
            .snippet()
            .invoke_static(LIBRARY, name, desc)
            .done()
    }

    fn numbered(&mut self, name: &str, place: &Place) -> Snippet {
        let mut snippet = self.edit.snippet();
        snippet.int(place.number);
        snippet.invoke_static(LIBRARY, name, "(I)V").done()
    }
}
