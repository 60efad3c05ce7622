//! The stack map of edited code (JVMS 4.7.4).
//!
//! Frames that were there move with their instructions. Inserted code may need
//! more: where its branches and handlers lead, and behind long branches. Their
//! types are found by walking over the new code with the steps of the type
//! checker ([`Trace`]); between two frames that is a straight line. Where
//! several ways meet, what they disagree on becomes `java.lang.Object` if all
//! are references, and unusable if not: no classes are asked, and none is
//! needed, since inserted code finds the same types on all its ways.
//!
//! Frames name classes, so the same name is the same class. Only in a class that
//! is defined under another name than that of its file (`defineHiddenClass`) and
//! whose methods take or return the class of that name is this not so; neither
//! could javac make frames there.
//!
//! An instruction that nobody reaches any more, because what was inserted
//! before it does not go on, gets the frame that it had in the old code.

use super::constants::Constants;
use super::error::EditErrorKind;
use super::layout::Layout;
use super::write::Extended;
use crate::class::{ClassFile, Code, Handler, Method};
use crate::code::{Instructions, Operand};
use crate::opcode::*;
use crate::verify::trace::{Element, OBJECT, THROWABLE, Trace, Type, View};

/// A frame, with both words of longs and doubles.
#[derive(Clone, Default, PartialEq)]
struct Frame<'a> {
    locals: Vec<Type<'a>>,
    stack: Vec<Type<'a>>,
}

/// A method under edit, as frames see it.
pub(super) struct Subject<'a, 'l> {
    pub class: &'a ClassFile,
    /// The class with the constants of the snippets.
    pub extended: &'a Extended<'a>,
    pub method: &'a Method,
    /// The old code, without handlers; its limits are the old ones.
    pub old: &'a Code,
    /// The new limits, without handlers.
    pub new: &'a Code,
    pub bytes: &'a [u8],
    pub layout: &'a Layout<'l>,
    /// Locals with a class that all frames have.
    pub kept: &'a [(u16, Vec<u8>)],
}

/// The entries of a new `StackMapTable`, and how many they are.
pub(super) fn stack_map(
    subject: &Subject<'_, '_>,
    constants: &mut Constants<'_>,
) -> Result<(u16, Vec<u8>), EditErrorKind> {
    let frames = all_frames(subject, constants)?;
    let mut trace = Trace::new(subject.class, subject.method, subject.new, subject.bytes);
    trace.enter();
    let mut writer = Writer {
        out: Vec::new(),
        constants,
        locals: trace.types().locals.to_vec(),
        before: None,
    };
    let count = frames.len() as u16;
    for (place, frame) in frames {
        writer.frame(place, frame);
    }
    Ok((count, writer.out))
}

fn all_frames<'a>(
    subject: &Subject<'a, '_>,
    constants: &Constants<'_>,
) -> Result<Vec<(u32, Frame<'a>)>, EditErrorKind> {
    let mut old = Trace::new(
        subject.class,
        subject.method,
        subject.old,
        subject.class.code_bytes(subject.old),
    );
    old.read_maps().map_err(|why| types(0, why))?;
    let mut frames: Vec<(u32, Frame<'a>)> = Vec::with_capacity(old.maps().len());
    for map in old.maps() {
        // A frame lies at an instruction, and every instruction has a place.
        let Some(place) = subject.layout.target(map.offset) else {
            continue;
        };
        // Where an instruction was dropped, two may lie at the same place; what
        // fits the first fits the second.
        frames.pop_if(|(last, _)| *last == place);
        frames.push((place, subject.moved(map)?));
    }
    let is_known = |frames: &[(u32, Frame<'a>)], place: &u32| {
        frames.binary_search_by_key(place, |f| f.0).is_ok()
    };
    let mut orphans = subject.layout.orphans();
    orphans.retain(|(place, _)| !is_known(&frames, place));
    if !orphans.is_empty() {
        frames.extend(subject.adopted(old, &orphans)?);
        frames.sort_by_key(|f| f.0);
        frames.dedup_by_key(|f| f.0);
    }
    let mut needed = subject.layout.needed_frames();
    needed.retain(|place| !is_known(&frames, place));
    if needed.is_empty() {
        return Ok(frames);
    }
    if needed.last() == Some(&subject.layout.length()) {
        let why = "a branch leads behind the code";
        return Err(EditErrorKind::BadSnippet(why));
    }
    Walk::new(subject, subject.extended.get(constants), frames, needed).run()
}

fn types(pc: u32, why: String) -> EditErrorKind {
    EditErrorKind::Types { pc, why }
}

impl<'a> Subject<'a, '_> {
    /// A frame of the old code in terms of the new.
    fn moved(&self, frame: View<'_, 'a>) -> Result<Frame<'a>, EditErrorKind> {
        let moved = |&ty: &Type<'a>| match ty {
            Type::Uninitialized(pc) => match self.layout.itself(pc.into()) {
                Some(place) => Ok(Type::Uninitialized(place as u16)),
                None => {
                    let why = "an object is not initialized here, and its `new` was replaced";
                    Err(types(frame.offset, why.to_owned()))
                }
            },
            other => Ok(other),
        };
        let mut locals: Vec<_> = frame.locals.iter().map(moved).collect::<Result<_, _>>()?;
        for (local, class) in self.kept {
            let local = usize::from(*local);
            if locals.len() <= local {
                locals.resize(local + 1, Type::Top);
            }
            locals[local] = Type::of_name(class);
        }
        Ok(Frame {
            locals,
            stack: frame.stack.iter().map(moved).collect::<Result<_, _>>()?,
        })
    }

    /// Gives places that nobody reaches the types that old instructions had.
    fn adopted(
        &self,
        mut old: Trace<'a>,
        orphans: &[(u32, u32)],
    ) -> Result<Vec<(u32, Frame<'a>)>, EditErrorKind> {
        let mut frames = Vec::new();
        follow(self.class.code_bytes(self.old), &mut old, &mut |view| {
            for &(place, pc) in orphans {
                if pc == view.offset {
                    frames.push((place, self.moved(view)?));
                }
            }
            Ok(())
        })?;
        Ok(frames)
    }
}

/// Shows the types before every instruction of code whose stack map was read.
pub(super) fn follow<'a>(
    bytes: &'a [u8],
    trace: &mut Trace<'a>,
    see: &mut dyn FnMut(View<'_, 'a>) -> Result<(), EditErrorKind>,
) -> Result<(), EditErrorKind> {
    trace.enter();
    let mut live = true;
    let mut next = 0;
    for insn in Instructions::new(bytes) {
        let (pc, insn) = insn.map_err(EditErrorKind::BadCode)?;
        while trace.map_place(next).is_some_and(|place| place < pc) {
            next += 1;
        }
        if trace.map_place(next) == Some(pc) {
            trace.assume_map(next);
            live = true;
        }
        if !live {
            return Err(types(pc, "a frame is missing".to_owned()));
        }
        see(View {
            offset: pc,
            ..trace.types()
        })?;
        live = trace.step(pc, &insn).map_err(|why| types(pc, why))?;
    }
    Ok(())
}

/// The search for the types at some places of the new code.
struct Walk<'w, 'a, 'l> {
    subject: &'w Subject<'a, 'l>,
    class: &'a ClassFile,
    frames: Vec<Wanted<'a>>,
    /// For every place one more than the index of its frame, 0 for none.
    numbers: Vec<u16>,
    /// New ones only: where old ones lead, frames are known.
    handlers: Vec<Handler>,
    /// Where the walk is.
    pc: u32,
    /// A frame behind the walk changed, so that it must be made again.
    again: bool,
}

struct Wanted<'a> {
    place: u32,
    frame: Option<Frame<'a>>,
    /// It was there before and does not change.
    fixed: bool,
}

impl<'w, 'a, 'l> Walk<'w, 'a, 'l> {
    fn new(
        subject: &'w Subject<'a, 'l>,
        class: &'a ClassFile,
        known: Vec<(u32, Frame<'a>)>,
        needed: Vec<u32>,
    ) -> Walk<'w, 'a, 'l> {
        let known = known.into_iter().map(|(place, frame)| Wanted {
            place,
            frame: Some(frame),
            fixed: true,
        });
        let needed = needed.into_iter().map(|place| Wanted {
            place,
            frame: None,
            fixed: false,
        });
        let mut frames: Vec<Wanted<'a>> = known.chain(needed).collect();
        frames.sort_by_key(|f| f.place);
        let mut numbers = vec![0; subject.bytes.len() + 1];
        for (number, wanted) in frames.iter().enumerate() {
            numbers[wanted.place as usize] = number as u16 + 1;
        }
        Walk {
            subject,
            class,
            frames,
            numbers,
            handlers: subject.layout.new_handlers().collect(),
            pc: 0,
            again: true,
        }
    }

    fn run(mut self) -> Result<Vec<(u32, Frame<'a>)>, EditErrorKind> {
        // Types only ever rise, and not far.
        for _ in 0..64 {
            if std::mem::take(&mut self.again) {
                self.round()?;
                continue;
            }
            let found = self.frames.into_iter().map(|wanted| {
                let missing = || types(wanted.place, "it is never reached".to_owned());
                Ok((wanted.place, wanted.frame.ok_or_else(missing)?))
            });
            return found.collect();
        }
        Err(types(0, "the types do not settle".to_owned()))
    }

    /// Goes once over the code.
    fn round(&mut self) -> Result<(), EditErrorKind> {
        let s = self.subject;
        let mut trace = Trace::new(self.class, s.method, s.new, s.bytes);
        let mut live = true;
        let mut starts = self.handlers.clone();
        starts.sort_by_key(|h| std::cmp::Reverse(h.start));
        let mut active: Vec<Handler> = Vec::new();
        for insn in Instructions::new(s.bytes) {
            let (pc, insn) = insn.map_err(EditErrorKind::BadCode)?;
            let fail = |why| types(pc, why);
            self.pc = pc;
            live = self.arrive(&mut trace, live)?;
            active.retain(|h| u32::from(h.end) > pc);
            while let Some(handler) = starts.pop_if(|h| u32::from(h.start) <= pc) {
                active.push(handler);
            }
            if !live {
                continue;
            }
            self.throw(&active, &trace)?;
            live = trace.step(pc, &insn).map_err(fail)?;
            let init = insn.opcode == INVOKESPECIAL;
            if init && self.is_constructor_call(insn.operand) {
                self.throw(&active, &trace)?;
            }
            match insn.operand {
                Operand::Branch(target) => self.jump(target, trace.types())?,
                Operand::Table(switch) => {
                    for target in switch.targets().chain([switch.default]) {
                        self.jump(target, trace.types())?;
                    }
                }
                Operand::Lookup(switch) => {
                    for (_, target) in switch.pairs() {
                        self.jump(target, trace.types())?;
                    }
                    self.jump(switch.default, trace.types())?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The types before the instruction here; whether there are any.
    fn arrive(&mut self, trace: &mut Trace<'a>, live: bool) -> Result<bool, EditErrorKind> {
        let number = self.numbers[self.pc as usize];
        if number == 0 {
            return Ok(live);
        }
        if live {
            self.join(self.pc, trace.types())?;
        }
        let Some(frame) = &self.frames[usize::from(number) - 1].frame else {
            return Ok(false);
        };
        let view = View {
            offset: self.pc,
            this_uninitialized: frame.locals.contains(&Type::UninitializedThis),
            locals: &frame.locals,
            stack: &frame.stack,
        };
        if !trace.assume(view) {
            let why = "a frame exceeds the method's limits";
            return Err(types(self.pc, why.to_owned()));
        }
        Ok(true)
    }

    /// A jump from here.
    fn jump(&mut self, target: i32, types: View<'_, 'a>) -> Result<(), EditErrorKind> {
        if let Ok(target) = u32::try_from(target) {
            let changed = self.join(target, types)?;
            self.again |= changed && target <= self.pc;
        }
        Ok(())
    }

    /// What is thrown from here.
    fn throw(&mut self, active: &[Handler], trace: &Trace<'a>) -> Result<(), EditErrorKind> {
        for handler in active {
            let thrown = match handler.catch_type {
                0 => Type::Class(THROWABLE),
                index => Type::of_name(self.class.pool.class_name(index)),
            };
            let types = View {
                stack: &[thrown],
                ..trace.types()
            };
            self.jump(handler.target.into(), types)?;
        }
        Ok(())
    }

    fn is_constructor_call(&self, operand: Operand<'_>) -> bool {
        let Operand::Constant(index) = operand else {
            return false;
        };
        let member = self.class.pool.try_member(index);
        member.is_some_and(|(_, name, _)| name == b"<init>")
    }

    /// One more way to a place, if it is one of those that are looked for.
    /// Whether that changes what is known of it.
    fn join(&mut self, place: u32, new: View<'_, 'a>) -> Result<bool, EditErrorKind> {
        let number = self.numbers.get(place as usize).copied().unwrap_or(0);
        let Some(number) = number.checked_sub(1) else {
            return Ok(false);
        };
        let wanted = &mut self.frames[usize::from(number)];
        if wanted.fixed {
            return Ok(false);
        }
        let merged = match &wanted.frame {
            None => Frame::of(new),
            Some(old) if old.stack == new.stack && old.locals == used(new.locals) => {
                return Ok(false);
            }
            Some(old) => {
                let merged = old.merged(&Frame::of(new));
                merged.map_err(|why| types(place, why))?
            }
        };
        let changed = wanted.frame.as_ref() != Some(&merged);
        wanted.frame = Some(merged);
        Ok(changed)
    }
}

impl<'a> Frame<'a> {
    fn of(view: View<'_, 'a>) -> Frame<'a> {
        Frame {
            locals: used(view.locals).to_vec(),
            stack: view.stack.to_vec(),
        }
    }

    fn merged(&self, other: &Frame<'a>) -> Result<Frame<'a>, String> {
        if self.stack.len() != other.stack.len() {
            return Err("the stack has different heights".to_owned());
        }
        let pairs = self.stack.iter().zip(&other.stack);
        let stack: Vec<_> = pairs.map(|(&a, &b)| merge(a, b)).collect();
        if stack.contains(&Type::Top) {
            return Err("the stack holds different types".to_owned());
        }
        let half = |f: &Frame<'a>| f.locals.contains(&Type::UninitializedThis);
        if half(self) != half(other) {
            return Err("`this` is initialized on one way and not on another".to_owned());
        }
        let pairs = self.locals.iter().zip(&other.locals);
        let mut locals: Vec<_> = pairs.map(|(&a, &b)| merge(a, b)).collect();
        // A long or double without its other half is no value.
        for i in 0..locals.len() {
            let next = locals.get(i + 1).copied();
            if locals[i].second().is_some() && locals[i].second() != next {
                locals[i] = Type::Top;
            }
            let before = i.checked_sub(1).map(|b| locals[b]);
            if locals[i].is_second() && before.and_then(Type::second) != Some(locals[i]) {
                locals[i] = Type::Top;
            }
        }
        locals.truncate(used(&locals).len());
        Ok(Frame { locals, stack })
    }
}

/// Without unusable ones at the end.
fn used<'f, 'a>(locals: &'f [Type<'a>]) -> &'f [Type<'a>] {
    let last = locals.iter().rposition(|&ty| ty != Type::Top);
    &locals[..last.map_or(0, |last| last + 1)]
}

/// A type above both that needs no classes to be found; Top if there is none.
fn merge<'a>(a: Type<'a>, b: Type<'a>) -> Type<'a> {
    match (a, b) {
        _ if a == b => a,
        (Type::Null, _) if b.is_reference() => b,
        (_, Type::Null) if a.is_reference() => a,
        _ if a.is_reference() && b.is_reference() => Type::Class(OBJECT),
        _ => Type::Top,
    }
}

/// Writes frames in the shortest form.
struct Writer<'w, 'c, 'a> {
    out: Vec<u8>,
    constants: &'w mut Constants<'c>,
    /// Of the frame before, or on entry.
    locals: Vec<Type<'a>>,
    before: Option<u32>,
}

impl<'a> Writer<'_, '_, 'a> {
    fn frame(&mut self, place: u32, frame: Frame<'a>) {
        let delta = match self.before {
            None => place,
            Some(before) => place - before - 1,
        } as u16;
        self.before = Some(place);
        let mut locals = frame.locals;
        locals.truncate(used(&locals).len());
        let common = self.locals.iter().zip(&locals);
        let common = common.take_while(|(a, b)| a == b).count();
        let gone = entries(&self.locals[common..]);
        let come = entries(&locals[common..]);
        let small = u8::try_from(delta).ok().filter(|&delta| delta < 64);
        let values = entries(&frame.stack);
        // A shared half of a long is no common entry, but then the other half
        // differs too, and neither list is empty.
        match (gone, come, values, small) {
            (0, 0, 0, Some(delta)) => self.out.push(delta),
            (0, 0, 0, None) => self.head(251, delta),
            (0, 0, 1, Some(delta)) => {
                self.out.push(64 + delta);
                self.items(&frame.stack);
            }
            (0, 0, 1, None) => {
                self.head(247, delta);
                self.items(&frame.stack);
            }
            (1..=3, 0, 0, _) => self.head(251 - gone as u8, delta),
            (0, 1..=3, 0, _) => {
                self.head(251 + come as u8, delta);
                self.items(&locals[common..]);
            }
            _ => {
                self.head(255, delta);
                self.count(entries(&locals));
                self.items(&locals);
                self.count(values);
                self.items(&frame.stack);
            }
        }
        self.locals = locals;
    }

    fn head(&mut self, kind: u8, delta: u16) {
        self.out.push(kind);
        self.out.extend(delta.to_be_bytes());
    }

    fn count(&mut self, count: usize) {
        self.out.extend((count as u16).to_be_bytes());
    }

    fn items(&mut self, types: &[Type<'a>]) {
        for &ty in types.iter().filter(|ty| !ty.is_second()) {
            let tag = match ty {
                Type::Integer => 1,
                Type::Float => 2,
                Type::Double => 3,
                Type::Long => 4,
                Type::Null => 5,
                Type::UninitializedThis => 6,
                Type::Class(_) | Type::Array(..) => 7,
                Type::Uninitialized(_) => 8,
                _ => 0,
            };
            self.out.push(tag);
            let index = match ty {
                Type::Class(name) => self.constants.class(name),
                Type::Array(dimensions, element) => {
                    let mut name = vec![b'['; usize::from(dimensions)];
                    match element {
                        Element::Primitive(letter) => name.push(letter),
                        Element::Class(class) => {
                            name.push(b'L');
                            name.extend(class);
                            name.push(b';');
                        }
                    }
                    self.constants.class(name)
                }
                Type::Uninitialized(place) => place,
                _ => continue,
            };
            self.out.extend(index.to_be_bytes());
        }
    }
}

/// How many values the words make.
fn entries(words: &[Type<'_>]) -> usize {
    words.iter().filter(|ty| !ty.is_second()).count()
}
