//! The attributes of a class (JVMS 4.7).
//!
//! HotSpot reads some of them only after all were seen (inner classes, nest
//! members, record components, permitted subclasses); so does this.

use super::{Parser, Result};
use crate::bytes::{Reader, Span};
use crate::class::{Annotations, BootstrapMethod, ClassFile, InnerClass, RecordComponent, access};
use crate::pool::{ConstantPool, tag};
use std::collections::HashSet;

/// Attributes seen so far that are not kept as they are.
#[derive(Default)]
struct Seen {
    source_file: bool,
    bootstrap_methods: bool,
    inner_classes: Option<Span>,
    nest_members: Option<Span>,
    record: Option<Span>,
    permitted_subclasses: Option<Span>,
    invisible: (Option<Span>, Option<Span>),
}

impl Parser<'_> {
    pub(super) fn class_attributes(&mut self, class: &mut ClassFile) -> Result<()> {
        let count = self.r.u2()?;
        let mut seen = Seen::default();
        for _ in 0..count {
            self.class_attribute(class, &mut seen)?;
        }
        if let Some(span) = seen.inner_classes {
            class.inner_classes = self.inner_classes(span)?;
        }
        if let Some(span) = seen.nest_members {
            class.nest_members = self.class_list(span, "Nest member", "NestMembers")?;
        }
        if let Some(span) = seen.record {
            class.record = Some(self.record(span)?);
        }
        if let Some(span) = seen.permitted_subclasses {
            let list = self.class_list(span, "Permitted subclass", "PermittedSubclasses")?;
            class.permitted_subclasses = Some(list);
        }
        if self.bootstraps >= 0 && !seen.bootstrap_methods {
            return Err(self.error("Missing BootstrapMethods attribute in class file"));
        }
        Ok(())
    }

    fn class_attribute(&mut self, class: &mut ClassFile, seen: &mut Seen) -> Result<()> {
        let (name, length) = self.attribute_head("Attribute name has bad constant pool index")?;
        match name.of(self.r.bytes) {
            b"SourceFile" => {
                if self.strict && length != 2 {
                    return Err(self.error("Wrong SourceFile attribute length in class file"));
                }
                if seen.source_file {
                    return Err(self.error("Multiple SourceFile attributes in class file"));
                }
                seen.source_file = true;
                let index = self.r.u2()?;
                if !self.is_utf8(index) {
                    return Err(self.error_in_file(format!(
                        "Invalid SourceFile attribute at constant pool index {index}"
                    )));
                }
                class.source_file = Some(index);
            }
            b"SourceDebugExtension" => {
                let slot = &mut class.source_debug_extension;
                self.once(slot, length, "SourceDebugExtension", "")?;
            }
            b"InnerClasses" => {
                self.once(&mut seen.inner_classes, length, "InnerClasses", "")?;
            }
            b"Synthetic" => {
                self.empty(length, "Synthetic classfile")?;
                class.access |= access::SYNTHETIC;
            }
            b"Deprecated" => {
                self.empty(length, "Deprecated classfile")?;
                class.deprecated = true;
            }
            _ if self.major < 49 => {
                self.r.skip(length as usize)?;
            }
            b"Signature" => {
                if class.signature.is_some() {
                    return Err(self.error("Multiple Signature attributes in class file"));
                }
                class.signature = Some(self.signature()?);
            }
            b"RuntimeVisibleAnnotations" => {
                let slot = &mut class.annotations.visible;
                self.once(slot, length, "RuntimeVisibleAnnotations", "")?;
            }
            b"RuntimeInvisibleAnnotations" => {
                let slot = &mut seen.invisible.0;
                self.once(slot, length, "RuntimeInvisibleAnnotations", "")?;
            }
            b"RuntimeVisibleTypeAnnotations" => {
                let slot = &mut class.annotations.visible_types;
                self.once(slot, length, "RuntimeVisibleTypeAnnotations", "")?;
            }
            b"RuntimeInvisibleTypeAnnotations" => {
                let slot = &mut seen.invisible.1;
                self.once(slot, length, "RuntimeInvisibleTypeAnnotations", "")?;
            }
            b"EnclosingMethod" => {
                if class.enclosing_method.is_some() {
                    return Err(self.error("Multiple EnclosingMethod attributes in class file"));
                }
                class.enclosing_method = Some(self.enclosing_method(length)?);
            }
            b"BootstrapMethods" if self.major >= 51 => {
                if seen.bootstrap_methods {
                    return Err(self.error("Multiple BootstrapMethods attributes in class file"));
                }
                seen.bootstrap_methods = true;
                class.bootstrap_methods = self.bootstrap_methods(length)?;
            }
            b"NestMembers" if self.major >= 55 => {
                if class.nest_host.is_some() {
                    return Err(
                        self.error("Conflicting NestHost and NestMembers attributes in class file")
                    );
                }
                self.once(&mut seen.nest_members, length, "NestMembers", "")?;
            }
            b"NestHost" if self.major >= 55 => {
                if class.nest_host.is_some() {
                    return Err(self.error("Multiple NestHost attributes in class file"));
                }
                if seen.nest_members.is_some() {
                    return Err(
                        self.error("Conflicting NestMembers and NestHost attributes in class file")
                    );
                }
                if self.strict && length != 2 {
                    return Err(self.error("Wrong NestHost attribute length in class file"));
                }
                let index = self.r.u2()?;
                if !self.is_class(index) {
                    return Err(self.error_in_file(format!(
                        "Nest-host class_info_index {index} has bad constant type"
                    )));
                }
                class.nest_host = Some(index);
            }
            b"Record" if self.major >= 60 => {
                self.once(&mut seen.record, length, "Record", "")?;
            }
            b"PermittedSubclasses" if self.major >= 61 => {
                if class.access & access::FINAL != 0 && seen.permitted_subclasses.is_none() {
                    return Err(self.error("PermittedSubclasses attribute in final class file"));
                }
                let slot = &mut seen.permitted_subclasses;
                self.once(slot, length, "PermittedSubclasses", "")?;
            }
            _ => {
                self.r.skip(length as usize)?;
            }
        }
        Ok(())
    }

    fn enclosing_method(&mut self, length: u32) -> Result<(u16, u16)> {
        if length != 4 {
            return Err(
                self.error_in_file(format!("Wrong EnclosingMethod attribute length {length}"))
            );
        }
        self.r.need(4)?;
        let (class, method) = (self.r.u2()?, self.r.u2()?);
        if class == 0 {
            return Err(
                self.error("Invalid class index in EnclosingMethod attribute in class file")
            );
        }
        if !self.is_class(class) {
            return Err(self.error(
                "Invalid or out-of-bounds class index in EnclosingMethod attribute in class file",
            ));
        }
        if method != 0 && self.pool.tag(method) != tag::NAME_AND_TYPE {
            return Err(self.error(
                "Invalid or out-of-bounds method index in EnclosingMethod attribute in class file",
            ));
        }
        Ok((class, method))
    }

    fn bootstrap_methods(&mut self, length: u32) -> Result<Vec<BootstrapMethod>> {
        let start = self.r.at;
        if length < 2 {
            return Err(self.error_in_file(format!(
                "Invalid BootstrapMethods attribute length {length}"
            )));
        }
        self.r.need(length as usize)?;
        let count = self.r.u2()?;
        if self.bootstraps >= i32::from(count) {
            return Err(self.error("Short length on BootstrapMethods in class file"));
        }
        // HotSpot copies the attribute, each method behind two more words, and
        // words that would not fit are refused.
        let operands = (length as usize - 2) / 2;
        let mut filled = 0;
        let mut methods = Vec::with_capacity(self.bounded(count, 4));
        for _ in 0..count {
            self.r.need(4)?;
            let (handle, arguments) = (self.r.u2()?, self.r.u2()?);
            if self.pool.tag(handle) != tag::METHOD_HANDLE {
                return Err(self.error_in_file(format!(
                    "bootstrap_method_index {handle} has bad constant type"
                )));
            }
            if filled + 1 + arguments as usize >= operands {
                return Err(self.error(
                    "Invalid BootstrapMethods num_bootstrap_methods or num_bootstrap_arguments \
                     value in class file",
                ));
            }
            filled += 2 + arguments as usize;
            self.r.need(arguments as usize * 2)?;
            let mut args = Vec::with_capacity(arguments as usize);
            for _ in 0..arguments {
                let index = self.r.u2()?;
                if !is_loadable(&self.pool, index) {
                    return Err(
                        self.error_in_file(format!("argument_index {index} has bad constant type"))
                    );
                }
                args.push(index);
            }
            methods.push(BootstrapMethod { handle, args });
        }
        if self.r.at != start + length as usize {
            return Err(self.error("Bad length on BootstrapMethods in class file"));
        }
        Ok(methods)
    }

    fn inner_classes(&self, span: Span) -> Result<Vec<InnerClass>> {
        // HotSpot reads beyond the attribute if its count says so and finds out
        // by the length; only the end of the file stops it before.
        let mut r = Reader::new(self.r.bytes);
        r.at = span.start as usize;
        let count = r.u2()?;
        r.need(count as usize * 8)?;
        let mut classes = Vec::with_capacity(count as usize);
        for _ in 0..count {
            classes.push(self.inner_class(&mut r)?);
        }
        if self.has_circularity(&classes)? {
            // As HotSpot does: the attribute is ignored.
            classes.clear();
        }
        if (self.strict && self.major >= 49 || span.len() < 2 + count as usize * 8)
            && span.len() != 2 + count as usize * 8
        {
            return Err(self.error("Wrong InnerClasses attribute length in class file"));
        }
        Ok(classes)
    }

    fn inner_class(&self, r: &mut Reader<'_>) -> Result<InnerClass> {
        let bad = |what: &str, index: u16| {
            self.error_in_file(format!("{what} {index} has bad constant type"))
        };
        let inner = r.u2()?;
        if !self.is_class(inner) {
            return Err(bad("inner_class_info_index", inner));
        }
        let outer = r.u2()?;
        if outer != 0 {
            if !self.is_class(outer) {
                return Err(bad("outer_class_info_index", outer));
            }
            if self.pool.class_name(outer).first() == Some(&b'[') {
                return Err(self.error("Outer class is an array class in class file"));
            }
        }
        let name = r.u2()?;
        if name != 0 && !self.is_utf8(name) {
            return Err(bad("inner_name_index", name));
        }
        if self.strict && inner == outer {
            return Err(self.error("Class is both outer and inner class in class file"));
        }
        let mut flags = r.u2()?;
        flags &= if self.major >= 53 { 0xF61F } else { 0x761F };
        if flags & access::INTERFACE != 0 && self.major < 50 {
            flags |= access::ABSTRACT;
        }
        self.class_modifiers(flags)?;
        Ok(InnerClass {
            inner,
            outer,
            name,
            access: flags,
        })
    }

    /// Whether a class is nested in itself through others; an entry that occurs
    /// twice is an error.
    fn has_circularity(&self, classes: &[InnerClass]) -> Result<bool> {
        let mut indexes = HashSet::new();
        for class in classes {
            if self.strict && !indexes.insert(class.inner) {
                return Err(self.error("Duplicate entry in InnerClasses attribute in class file"));
            }
        }
        let outer_of = |index: u16| {
            let class = classes.iter().find(|c| c.inner == index);
            class.map(|c| c.outer).filter(|&outer| outer != 0)
        };
        for class in classes {
            let mut at = class.outer;
            // A walk longer than the table has met an entry twice.
            for _ in 0..=classes.len() {
                if at == class.inner {
                    return Ok(true);
                }
                match outer_of(at) {
                    Some(outer) => at = outer,
                    None => break,
                }
            }
        }
        Ok(false)
    }

    fn class_list(&self, span: Span, what: &str, attribute: &str) -> Result<Vec<u16>> {
        let mut r = Reader::new(self.r.bytes);
        r.at = span.start as usize;
        let count = r.u2()?;
        r.need(count as usize * 2)?;
        let mut list = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let index = r.u2()?;
            if !self.is_class(index) {
                return Err(self.error_in_file(format!(
                    "{what} class_info_index {index} has bad constant type"
                )));
            }
            list.push(index);
        }
        if self.strict && span.len() != 2 + count as usize * 2 {
            return Err(self.error_in_file(format!("Wrong {attribute} attribute length")));
        }
        Ok(list)
    }

    fn record(&mut self, span: Span) -> Result<Vec<RecordComponent>> {
        let end = self.r.at;
        self.r.at = span.start as usize;
        let count = self.r.u2()?;
        let mut components = Vec::with_capacity(self.bounded(count, 6));
        for _ in 0..count {
            components.push(self.record_component()?);
        }
        if self.r.at != span.end as usize {
            return Err(self.error("Record attribute has wrong length in class file"));
        }
        self.r.at = end;
        Ok(components)
    }

    fn record_component(&mut self) -> Result<RecordComponent> {
        self.r.need(6)?;
        let name = self.r.u2()?;
        if !self.is_utf8(name) {
            return Err(self.error_in_file(format!(
                "Invalid constant pool index {name} for name in Record attribute"
            )));
        }
        let desc = self.r.u2()?;
        if self.strict {
            self.legal_field_name(self.pool.utf8(name))?;
        }
        if !self.is_utf8(desc) {
            return Err(self.error_in_file(format!(
                "Invalid constant pool index {desc} for descriptor in Record attribute"
            )));
        }
        if self.strict {
            self.legal_field_signature(self.pool.utf8(name), self.pool.utf8(desc))?;
        }
        let mut component = RecordComponent {
            name,
            desc,
            signature: None,
            annotations: Annotations::default(),
        };
        let of = " for Record component";
        let mut invisible = (None, None);
        for _ in 0..self.r.u2()? {
            let (name, length) = self.attribute_head("Invalid Record attribute name index")?;
            match name.of(self.r.bytes) {
                b"Signature" => {
                    if component.signature.is_some() {
                        return Err(self.error(
                            "Multiple Signature attributes for Record component in class file",
                        ));
                    }
                    component.signature = Some(self.signature()?);
                }
                b"RuntimeVisibleAnnotations" => {
                    let slot = &mut component.annotations.visible;
                    self.once(slot, length, "RuntimeVisibleAnnotations", of)?;
                }
                b"RuntimeInvisibleAnnotations" => {
                    self.once(&mut invisible.0, length, "RuntimeInvisibleAnnotations", of)?;
                }
                b"RuntimeVisibleTypeAnnotations" => {
                    let slot = &mut component.annotations.visible_types;
                    self.once(slot, length, "RuntimeVisibleTypeAnnotations", of)?;
                }
                b"RuntimeInvisibleTypeAnnotations" => {
                    let slot = &mut invisible.1;
                    self.once(slot, length, "RuntimeInvisibleTypeAnnotations", of)?;
                }
                _ => {
                    self.r.skip(length as usize)?;
                }
            }
        }
        Ok(component)
    }
}

/// Whether `ldc` could load the entry (JVMS table 4.4-C).
fn is_loadable(pool: &ConstantPool, index: u16) -> bool {
    matches!(
        pool.tag(index),
        tag::INTEGER
            | tag::FLOAT
            | tag::LONG
            | tag::DOUBLE
            | tag::CLASS
            | tag::STRING
            | tag::METHOD_HANDLE
            | tag::METHOD_TYPE
            | tag::DYNAMIC
    )
}
