//! Writing the class: what did not change is copied, the rest made anew.
//!
//! The constant pool is written last, since stack maps ask for class constants
//! while they are made.

use super::code::CodeEdit;
use super::constants::Constants;
use super::error::{EditError, EditErrorKind};
use super::frames::{self, Subject};
use super::layout::Layout;
use super::outline::{Attribute, CodeOutline, Outline, attributes_of};
use super::snippet::Snippet;
use super::{ClassEdit, MethodChange, annotations, tables};
use crate::bytes::{ClassBytes, Span};
use crate::class::{Annotations, ClassFile, Code, Method, MethodFlags, Tables, access};
use crate::descriptor::argument_slots;
use std::cell::OnceCell;

pub(super) fn class(mut edit: ClassEdit<'_>) -> Result<ClassBytes, EditError> {
    let class = edit.class;
    if edit.is_unchanged() {
        return Ok(class.shared_bytes());
    }
    let whole = |kind: EditErrorKind| kind.of_class(class);
    // An index that was given out in vain must not be looked up.
    if let Some(fault) = edit.constants.fault() {
        return Err(whole(fault.clone()));
    }
    let outline = Outline::of(class).map_err(whole)?;
    let bytes = class.bytes();
    let extended = Extended {
        class,
        pool_end: outline.pool_end,
        cell: OnceCell::new(),
    };
    let mut methods = Vec::with_capacity(bytes.len() * 2);
    let mut method_count = edit.class.methods.len() + edit.new_methods.len();
    for (number, span) in outline.methods.iter().enumerate() {
        let code = edit.codes[number].take();
        let mut code = code.filter(|code| !code.is_unchanged());
        if let Some(code) = &mut code {
            code.sort();
        }
        let change = edit.changes.remove(&number);
        if code.is_none() && change.is_none() {
            methods.extend_from_slice(span.of(bytes));
            continue;
        }
        let change = change.unwrap_or_default();
        method_count += usize::from(change.wrapped.is_some());
        let writer = MethodWriter {
            extended: &extended,
            constants: &mut edit.constants,
            out: &mut methods,
        };
        let of_method = |kind: EditErrorKind| kind.of_method(class, &class.methods[number]);
        writer
            .changed(&class.methods[number], *span, code.as_deref(), change)
            .map_err(of_method)?;
    }
    for new in &edit.new_methods {
        let writer = MethodWriter {
            extended: &extended,
            constants: &mut edit.constants,
            out: &mut methods,
        };
        writer.added(new).map_err(whole)?;
    }

    let mut rest = Vec::with_capacity(methods.len() + 64);
    let head = outline.head.of(bytes);
    match edit.access {
        Some(flags) => rest.extend(flags.to_be_bytes()),
        None => rest.extend_from_slice(&head[..2]),
    }
    rest.extend_from_slice(&head[2..]);
    let count = outline.interfaces.len() / 2 + edit.interfaces.len();
    put_count(&mut rest, count, "interfaces").map_err(whole)?;
    rest.extend_from_slice(outline.interfaces.of(bytes));
    for index in &edit.interfaces {
        rest.extend(index.to_be_bytes());
    }
    let count = usize::from(outline.field_count) + edit.fields.len();
    put_count(&mut rest, count, "fields").map_err(whole)?;
    rest.extend_from_slice(outline.fields.of(bytes));
    for field in &edit.fields {
        for part in [field[0], field[1], field[2], 0] {
            rest.extend(part.to_be_bytes());
        }
    }
    put_count(&mut rest, method_count, "methods").map_err(whole)?;
    rest.append(&mut methods);
    let mut attributes = outline.attributes.clone();
    let is_bootstraps = |a: &Attribute| class.pool.try_utf8(a.name) == Some(BOOTSTRAPS);
    if !edit.bootstraps.is_empty() {
        // Those that are there keep their numbers.
        attributes.retain(|a| !is_bootstraps(a));
        let payload = bootstraps(class, &edit.bootstraps).map_err(whole)?;
        edit.add_attribute(BOOTSTRAPS, payload);
    }
    let count = attributes.len() + edit.attributes.len();
    put_count(&mut rest, count, "attributes").map_err(whole)?;
    for attribute in &attributes {
        rest.extend_from_slice(attribute.whole.of(bytes));
    }
    for (name, payload) in &edit.attributes {
        put_attribute(&mut rest, *name, payload);
    }

    if let Some(fault) = edit.constants.fault() {
        return Err(whole(fault.clone()));
    }
    let mut out = pool(class, outline.pool_end, &edit.constants, rest.len());
    out.append(&mut rest);
    Ok(out.into())
}

const BOOTSTRAPS: &[u8] = b"BootstrapMethods";

/// The bootstrap methods of a class, and those that are added.
fn bootstraps(class: &ClassFile, added: &[(u16, Vec<u16>)]) -> Result<Vec<u8>, EditErrorKind> {
    let mut out = Vec::new();
    let old = class.bootstrap_methods.iter();
    let old = old.map(|b| (b.handle, &b.args[..]));
    let new = added.iter().map(|(handle, args)| (*handle, &args[..]));
    let count = class.bootstrap_methods.len() + added.len();
    put_count(&mut out, count, "bootstrap methods")?;
    for (handle, args) in old.chain(new) {
        out.extend(handle.to_be_bytes());
        put_count(&mut out, args.len(), "arguments of a bootstrap method")?;
        for arg in args {
            out.extend(arg.to_be_bytes());
        }
    }
    Ok(out)
}

/// The file up to the end of its constant pool.
fn pool(class: &ClassFile, old_end: usize, constants: &Constants<'_>, more: usize) -> Vec<u8> {
    let bytes = class.bytes();
    let mut out = Vec::with_capacity(old_end + constants.added().len() + more);
    out.extend_from_slice(&bytes[..8]);
    out.extend(constants.count().to_be_bytes());
    out.extend_from_slice(&bytes[10..old_end]);
    out.extend_from_slice(constants.added());
    out
}

/// The class with its new constants, made when a frame needs it.
pub(super) struct Extended<'c> {
    class: &'c ClassFile,
    pool_end: usize,
    cell: OnceCell<ClassFile>,
}

impl Extended<'_> {
    /// With those that are asked for by now.
    pub fn get(&self, constants: &Constants<'_>) -> &ClassFile {
        self.cell.get_or_init(|| {
            let bytes = pool(self.class, self.pool_end, constants, 0);
            ClassFile {
                pool: constants.snapshot(self.pool_end, bytes),
                ..self.class.without_methods()
            }
        })
    }
}

/// A method that is ready to be added: indexes of its texts, and its code.
pub(super) struct AddedMethod {
    pub access: u16,
    pub name: u16,
    pub desc: u16,
    pub slots: u32,
    pub body: Option<Snippet>,
}

struct MethodWriter<'w, 'c> {
    extended: &'w Extended<'c>,
    constants: &'w mut Constants<'c>,
    out: &'w mut Vec<u8>,
}

impl<'c> MethodWriter<'_, 'c> {
    fn changed(
        mut self,
        method: &'c Method,
        span: Span,
        code: Option<&CodeEdit<'c>>,
        change: MethodChange,
    ) -> Result<(), EditErrorKind> {
        let bytes = self.extended.class.bytes();
        let attributes = attributes_of(bytes, span)?;
        let mut head = [0, 2, 4].map(|at| {
            let start = span.start as usize + at;
            u16::from_be_bytes([bytes[start], bytes[start + 1]])
        });
        head[0] = change.access.unwrap_or(head[0]) & !change.cleared;
        if let Some((inner, body)) = &change.wrapped {
            let inner_access = head[0] & access::STATIC | access::PRIVATE | access::SYNTHETIC;
            self.head([inner_access, *inner, head[2]]);
            let only_code = |a: &&Attribute| self.is_code(a);
            let own: Vec<Attribute> = attributes.iter().filter(only_code).copied().collect();
            self.attributes(method, &own, code, &[])?;
            self.head(head);
            let others = |a: &&Attribute| !self.is_code(a);
            let others: Vec<Attribute> = attributes.iter().filter(others).copied().collect();
            let count = others.len() + change.attributes.len() + 1;
            put_count(self.out, count, "attributes")?;
            for attribute in &others {
                self.out.extend_from_slice(attribute.whole.of(bytes));
            }
            for (name, payload) in &change.attributes {
                put_attribute(self.out, *name, payload);
            }
            let slots = argument_slots(self.extended.class.pool.utf8(method.desc)).unwrap_or(0);
            return self.new_code(&AddedMethod {
                access: head[0],
                name: head[1],
                desc: head[2],
                slots: u32::from(slots) + u32::from(!method.is_static()),
                body: Some(body.clone()),
            });
        }
        head[1] = change.name.unwrap_or(head[1]);
        self.head(head);
        self.attributes(method, &attributes, code, &change.attributes)
    }

    fn added(mut self, new: &AddedMethod) -> Result<(), EditErrorKind> {
        self.head([new.access, new.name, new.desc]);
        put_count(self.out, usize::from(new.body.is_some()), "attributes")?;
        if new.body.is_some() {
            self.new_code(new)?;
        }
        Ok(())
    }

    fn head(&mut self, parts: [u16; 3]) {
        for part in parts {
            self.out.extend(part.to_be_bytes());
        }
    }

    fn is_code(&self, attribute: &Attribute) -> bool {
        self.extended.class.pool.try_utf8(attribute.name) == Some(b"Code")
    }

    fn attributes(
        &mut self,
        method: &'c Method,
        attributes: &[Attribute],
        code: Option<&CodeEdit<'c>>,
        more: &[(u16, Vec<u8>)],
    ) -> Result<(), EditErrorKind> {
        let bytes = self.extended.class.bytes();
        put_count(self.out, attributes.len() + more.len(), "attributes")?;
        for attribute in attributes {
            match (code, &method.code) {
                (Some(edit), Some(old)) if self.is_code(attribute) => {
                    let outline = CodeOutline::of(bytes, attribute.payload, old.bytes)?;
                    let payload = self.code(method, edit, &outline)?;
                    put_attribute(self.out, attribute.name, &payload);
                }
                _ => self.out.extend_from_slice(attribute.whole.of(bytes)),
            }
        }
        for (name, payload) in more {
            put_attribute(self.out, *name, payload);
        }
        Ok(())
    }

    /// The payload of an edited `Code` attribute.
    fn code(
        &mut self,
        method: &Method,
        edit: &CodeEdit<'c>,
        outline: &CodeOutline,
    ) -> Result<Vec<u8>, EditErrorKind> {
        if let Some(fault) = &edit.fault {
            return Err(fault.clone());
        }
        let class = self.extended.class;
        let layout = Layout::of(edit)?;
        let code = layout.write()?;
        let mut payload = Vec::with_capacity(code.len() * 2);
        let old = edit.code.expect("an edit of old code");
        let limits = limits(old.max_stack, &layout)?;
        put_code(&mut payload, limits, &code, &layout);
        let count_at = payload.len();
        payload.extend([0, 0]);
        let mut count = 0;
        let mut map = self.stack_map(class, method, edit, limits, &code, &layout)?;
        for attribute in &outline.attributes {
            let old = attribute.payload.of(class.bytes());
            let new = match class.pool.try_utf8(attribute.name).unwrap_or(b"") {
                b"LineNumberTable" => tables::lines(old, &layout, edit.lines),
                b"LocalVariableTable" | b"LocalVariableTypeTable" => tables::locals(old, &layout),
                b"CharacterRangeTable" => tables::characters(old, &layout),
                b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                    annotations::moved(old, &layout)
                }
                b"StackMapTable" => map.take(),
                // The stack maps of small devices; no verifier of today looks.
                b"StackMap" => None,
                _ => {
                    payload.extend_from_slice(attribute.whole.of(class.bytes()));
                    count += 1;
                    continue;
                }
            };
            if let Some(new) = new {
                put_attribute(&mut payload, attribute.name, &new);
                count += 1;
            }
        }
        if let Some(map) = map {
            put_attribute(&mut payload, self.constants.utf8("StackMapTable"), &map);
            count += 1;
        }
        payload[count_at..count_at + 2].copy_from_slice(&u16::to_be_bytes(count));
        Ok(payload)
    }

    /// A whole `Code` attribute for a new method.
    fn new_code(&mut self, new: &AddedMethod) -> Result<(), EditErrorKind> {
        let mut edit = CodeEdit::fresh(self.extended.class, new.slots);
        let body = new.body.as_ref().expect("the caller looked");
        if body.falls_through() {
            let why = "a method's code runs off its end";
            return Err(EditErrorKind::BadSnippet(why));
        }
        edit.at_entry(body);
        let layout = Layout::of(&edit)?;
        let code = layout.write()?;
        let limits = limits(0, &layout)?;
        let mut payload = Vec::new();
        put_code(&mut payload, limits, &code, &layout);
        let method = Method {
            access: new.access,
            name: new.name,
            desc: new.desc,
            code: None,
            exceptions: Vec::new(),
            signature: None,
            annotations: Annotations::default(),
            parameter_annotations: None,
            annotation_default: None,
            method_parameters: None,
            flags: MethodFlags::default(),
            deprecated: false,
        };
        let extended = self.extended;
        let class = extended.get(self.constants);
        let map = self.stack_map(class, &method, &edit, limits, &code, &layout)?;
        payload.extend(u16::from(map.is_some()).to_be_bytes());
        if let Some(map) = map {
            put_attribute(&mut payload, self.constants.utf8("StackMapTable"), &map);
        }
        put_attribute(self.out, self.constants.utf8("Code"), &payload);
        Ok(())
    }

    /// The payload of the new `StackMapTable`; `None` where none is needed.
    fn stack_map(
        &mut self,
        class: &ClassFile,
        method: &Method,
        edit: &CodeEdit<'_>,
        (max_stack, max_locals): (u16, u16),
        bytes: &[u8],
        layout: &Layout<'_>,
    ) -> Result<Option<Vec<u8>>, EditErrorKind> {
        // Older files are verified without.
        if class.major < 50 {
            return Ok(None);
        }
        let without_handlers = |max_stack, max_locals, bytes, stack_map| Code {
            max_stack,
            max_locals,
            bytes,
            handlers: Vec::new(),
            line_tables: Tables::default(),
            local_tables: Tables::default(),
            stack_map,
            visible_type_annotations: None,
        };
        let old = match edit.code {
            Some(c) => without_handlers(c.max_stack, c.max_locals, c.bytes, c.stack_map),
            None => without_handlers(0, max_locals, Span::default(), None),
        };
        let new = without_handlers(max_stack, max_locals, Span::default(), None);
        let subject = Subject {
            class,
            extended: self.extended,
            method,
            old: &old,
            new: &new,
            bytes,
            layout,
            kept: &edit.kept,
        };
        match frames::stack_map(&subject, self.constants) {
            Ok((0, _)) => Ok(None),
            Ok((count, entries)) => {
                let mut payload = count.to_be_bytes().to_vec();
                payload.extend(entries);
                Ok(Some(payload))
            }
            // The maps of version 50 are only hints; without one, or with a
            // wrong one, the older verifier does the work.
            Err(EditErrorKind::Types { .. }) if class.major == 50 => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn limits(old_stack: u16, layout: &Layout<'_>) -> Result<(u16, u16), EditErrorKind> {
    let stack = (u32::from(old_stack) + layout.extra_stack).max(layout.least_stack);
    let stack = u16::try_from(stack).map_err(|_| EditErrorKind::TooMany("words of stack"))?;
    let locals = u16::try_from(layout.locals);
    Ok((
        stack,
        locals.map_err(|_| EditErrorKind::TooMany("local variables"))?,
    ))
}

/// A `Code` attribute up to its exception table.
fn put_code(
    out: &mut Vec<u8>,
    (max_stack, max_locals): (u16, u16),
    code: &[u8],
    layout: &Layout<'_>,
) {
    out.extend(max_stack.to_be_bytes());
    out.extend(max_locals.to_be_bytes());
    out.extend((code.len() as u32).to_be_bytes());
    out.extend_from_slice(code);
    out.extend((layout.handlers.len() as u16).to_be_bytes());
    for handler in &layout.handlers {
        for part in [
            handler.start,
            handler.end,
            handler.target,
            handler.catch_type,
        ] {
            out.extend(part.to_be_bytes());
        }
    }
}

fn put_attribute(out: &mut Vec<u8>, name: u16, payload: &[u8]) {
    out.extend(name.to_be_bytes());
    out.extend((payload.len() as u32).to_be_bytes());
    out.extend_from_slice(payload);
}

fn put_count(out: &mut Vec<u8>, count: usize, what: &'static str) -> Result<(), EditErrorKind> {
    let count = u16::try_from(count).map_err(|_| EditErrorKind::TooMany(what))?;
    out.extend(count.to_be_bytes());
    Ok(())
}
