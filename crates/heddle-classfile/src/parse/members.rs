//! Fields and methods with their attributes (JVMS 4.5, 4.6, 4.7).

use super::{Parser, Result, vm_annotations};
use crate::class::{Annotations, Field, Method, MethodFlags, access};
use crate::pool::tag;
use std::collections::HashSet;

impl Parser<'_> {
    pub(super) fn fields(&mut self, is_interface: bool) -> Result<Vec<Field>> {
        let count = self.r.u2()?;
        let mut fields = Vec::with_capacity(self.bounded(count, 8));
        for _ in 0..count {
            fields.push(self.field(is_interface)?);
        }
        if self.strict && count > 1 {
            self.unique("field", fields.iter().map(|f| (f.name, f.desc)))?;
        }
        Ok(fields)
    }

    pub(super) fn methods(&mut self, is_interface: bool) -> Result<Vec<Method>> {
        let count = self.r.u2()?;
        let mut methods = Vec::with_capacity(self.bounded(count, 8));
        for _ in 0..count {
            methods.push(self.method(is_interface)?);
        }
        if self.strict && count > 1 {
            self.unique("method", methods.iter().map(|m| (m.name, m.desc)))?;
        }
        Ok(methods)
    }

    fn unique(&self, what: &str, members: impl Iterator<Item = (u16, u16)>) -> Result<()> {
        let mut seen = HashSet::new();
        for (name, desc) in members {
            let (name, desc) = (self.pool.utf8(name), self.pool.utf8(desc));
            if !seen.insert((name, desc)) {
                let (name, desc) = (self.text(name), self.text(desc).replace('/', "."));
                return Err(self.error_in_file(format!(
                    "Duplicate {what} name \"{name}\" with signature \"{desc}\""
                )));
            }
        }
        Ok(())
    }

    fn field(&mut self, is_interface: bool) -> Result<Field> {
        self.r.need(8)?;
        let access = self.r.u2()? & 0x50DF;
        self.field_modifiers(access, is_interface)?;
        let name = self.r.u2()?;
        if !self.is_utf8(name) {
            return Err(
                self.error_in_file(format!("Invalid constant pool index {name} for field name"))
            );
        }
        if self.strict {
            self.legal_field_name(self.pool.utf8(name))?;
        }
        let desc = self.r.u2()?;
        if !self.is_utf8(desc) {
            return Err(self.error_in_file(format!(
                "Invalid constant pool index {desc} for field signature"
            )));
        }
        if self.strict {
            self.legal_field_signature(self.pool.utf8(name), self.pool.utf8(desc))?;
        }
        let mut field = Field {
            access,
            name,
            desc,
            constant_value: None,
            signature: None,
            annotations: Annotations::default(),
            deprecated: false,
        };
        let mut invisible = (None, None);
        let count = self.r.u2()?;
        for _ in 0..count {
            self.field_attribute(&mut field, &mut invisible)?;
        }
        Ok(field)
    }

    fn field_attribute(
        &mut self,
        field: &mut Field,
        invisible: &mut (Option<crate::Span>, Option<crate::Span>),
    ) -> Result<()> {
        let (name, length) = self.attribute_head("Invalid field attribute index")?;
        let of = " for field";
        match name.of(self.r.bytes) {
            b"ConstantValue" if field.access & access::STATIC != 0 => {
                if field.constant_value.is_some() {
                    return Err(self.error("Duplicate ConstantValue attribute in class file"));
                }
                if length != 2 {
                    return Err(self.error_in_file(format!(
                        "Invalid ConstantValue field attribute length {length}"
                    )));
                }
                let value = self.r.u2()?;
                self.constant_value(value, field.desc)?;
                // HotSpot takes the index 0 for "none"; it is refused above.
                field.constant_value = Some(value);
            }
            b"Synthetic" => {
                self.empty(length, "Synthetic field")?;
                field.access |= access::SYNTHETIC;
            }
            b"Deprecated" => {
                self.empty(length, "Deprecated field")?;
                field.deprecated = true;
            }
            _ if self.major < 49 => {
                self.r.skip(length as usize)?;
            }
            b"Signature" => {
                if field.signature.is_some() {
                    return Err(self.error("Multiple Signature attributes for field in class file"));
                }
                field.signature = Some(self.signature()?);
            }
            b"RuntimeVisibleAnnotations" => {
                let slot = &mut field.annotations.visible;
                self.once(slot, length, "RuntimeVisibleAnnotations", of)?;
            }
            b"RuntimeInvisibleAnnotations" => {
                self.once(&mut invisible.0, length, "RuntimeInvisibleAnnotations", of)?;
            }
            b"RuntimeVisibleTypeAnnotations" => {
                let slot = &mut field.annotations.visible_types;
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
        Ok(())
    }

    fn constant_value(&self, value: u16, desc: u16) -> Result<()> {
        if value == 0 || value >= self.pool.len() {
            return Err(self.error_in_file(format!(
                "Bad initial value index {value} in ConstantValue attribute"
            )));
        }
        let found = self.pool.tag(value);
        let desc = self.pool.utf8(desc);
        let right = match desc.first() {
            Some(b'J') => found == tag::LONG,
            Some(b'F') => found == tag::FLOAT,
            Some(b'D') => found == tag::DOUBLE,
            Some(b'Z' | b'B' | b'C' | b'S' | b'I') => found == tag::INTEGER,
            Some(b'L') => {
                if desc == b"Ljava/lang/String;" && found == tag::STRING {
                    return Ok(());
                }
                return Err(self.error("Bad string initial value in class file"));
            }
            _ => {
                return Err(self.error_in_file(format!("Unable to set initial value {value}")));
            }
        };
        if right {
            return Ok(());
        }
        Err(self.error("Inconsistent constant value type in class file"))
    }

    fn method(&mut self, is_interface: bool) -> Result<Method> {
        self.r.need(8)?;
        let mut access = self.r.u2()?;
        let name = self.r.u2()?;
        if !self.is_utf8(name) {
            return Err(self.error_in_file(format!(
                "Illegal constant pool index {name} for method name"
            )));
        }
        if self.strict {
            self.legal_method_name(self.pool.utf8(name))?;
        }
        let desc = self.r.u2()?;
        if !self.is_utf8(desc) {
            return Err(self.error_in_file(format!(
                "Illegal constant pool index {desc} for method signature"
            )));
        }
        let (name_text, desc_text) = (self.pool.utf8(name), self.pool.utf8(desc));
        if name_text == b"<clinit>" {
            if self.major < 51 {
                access = access::STATIC;
            } else if access & access::STATIC != 0 {
                let strict = if self.major <= 60 { access::STRICT } else { 0 };
                access &= access::STATIC | strict;
            } else {
                return Err(self.error("Method <clinit> is not static in class file"));
            }
        } else {
            self.method_modifiers(access, is_interface, name_text)?;
        }
        if name_text == b"<init>" && is_interface {
            return Err(self.error("Interface cannot have a method named <init>, class file"));
        }
        let mut slots = 0;
        if self.strict {
            slots = u32::from(access & access::STATIC == 0)
                + self.legal_method_signature(name_text, desc_text)?;
            if slots > 255 {
                return Err(self.error("Too many arguments in method signature in class file"));
            }
        }
        let mut state = MethodState {
            method: Method {
                access: access & 0x1DFF,
                name,
                desc,
                code: None,
                exceptions: Vec::new(),
                signature: None,
                annotations: Annotations::default(),
                parameter_annotations: None,
                annotation_default: None,
                method_parameters: None,
                flags: MethodFlags::default(),
                deprecated: false,
            },
            slots,
            exceptions_seen: false,
            invisible: [None; 3],
            local_type_tables: Vec::new(),
        };
        let count = self.r.u2()?;
        for _ in 0..count {
            self.method_attribute(&mut state)?;
        }
        let method = state.method;
        if self.strict {
            let bodiless = method.access & (access::NATIVE | access::ABSTRACT) != 0;
            match &method.code {
                None if !bodiless => {
                    return Err(self.error(
                        "Absent Code attribute in method that is not native or abstract in class file",
                    ));
                }
                Some(code) => self.local_tables(code, &state.local_type_tables)?,
                None => {}
            }
        }
        Ok(method)
    }

    fn method_attribute(&mut self, state: &mut MethodState) -> Result<()> {
        let (name, length) = self.attribute_head("Invalid method attribute name index")?;
        let of = " for method";
        let method = &mut state.method;
        match name.of(self.r.bytes) {
            b"Code" => self.code(state, length)?,
            b"Exceptions" => {
                if state.exceptions_seen {
                    return Err(self.error("Multiple Exceptions attributes in class file"));
                }
                state.exceptions_seen = true;
                state.method.exceptions = self.exceptions(length)?;
            }
            b"MethodParameters" => {
                if method.method_parameters.is_some() {
                    return Err(self.error("Multiple MethodParameters attributes in class file"));
                }
                let count = self.r.u1()?;
                if length != u32::from(count) * 4 + 1 {
                    return Err(self.error_in_file(format!(
                        "Invalid MethodParameters method attribute length {length}"
                    )));
                }
                let mut parameters = Vec::with_capacity(count as usize);
                for _ in 0..count {
                    parameters.push((self.r.u2()?, self.r.u2()?));
                }
                method.method_parameters = Some(parameters);
            }
            b"Synthetic" => {
                self.empty(length, "Synthetic method")?;
                method.access |= access::SYNTHETIC;
            }
            b"Deprecated" => {
                self.empty(length, "Deprecated method")?;
                method.deprecated = true;
            }
            _ if self.major < 49 => {
                self.r.skip(length as usize)?;
            }
            b"Signature" => {
                if method.signature.is_some() {
                    return Err(
                        self.error("Multiple Signature attributes for method in class file")
                    );
                }
                method.signature = Some(self.signature()?);
            }
            b"RuntimeVisibleAnnotations" => {
                let slot = &mut method.annotations.visible;
                self.once(slot, length, "RuntimeVisibleAnnotations", of)?;
                let payload = slot.map_or(&[][..], |s| s.of(self.r.bytes));
                method.flags = vm_annotations::scan(payload, &self.pool);
            }
            b"RuntimeVisibleParameterAnnotations" => {
                let slot = &mut method.parameter_annotations;
                self.once(slot, length, "RuntimeVisibleParameterAnnotations", of)?;
            }
            b"AnnotationDefault" => {
                let slot = &mut method.annotation_default;
                self.once(slot, length, "AnnotationDefault", of)?;
            }
            b"RuntimeVisibleTypeAnnotations" => {
                let slot = &mut method.annotations.visible_types;
                self.once(slot, length, "RuntimeVisibleTypeAnnotations", of)?;
            }
            b"RuntimeInvisibleAnnotations" => {
                let slot = &mut state.invisible[0];
                self.once(slot, length, "RuntimeInvisibleAnnotations", of)?;
            }
            b"RuntimeInvisibleParameterAnnotations" => {
                let slot = &mut state.invisible[1];
                self.once(slot, length, "RuntimeInvisibleParameterAnnotations", of)?;
            }
            b"RuntimeInvisibleTypeAnnotations" => {
                let slot = &mut state.invisible[2];
                self.once(slot, length, "RuntimeInvisibleTypeAnnotations", of)?;
            }
            _ => {
                self.r.skip(length as usize)?;
            }
        }
        Ok(())
    }

    fn exceptions(&mut self, length: u32) -> Result<Vec<u16>> {
        let count = self.r.u2()?;
        self.r.need(count as usize * 2)?;
        let mut exceptions = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let index = self.r.u2()?;
            if !self.is_class(index) {
                return Err(self.error_in_file(format!(
                    "Exception name has bad type at constant pool {index}"
                )));
            }
            exceptions.push(index);
        }
        if self.strict && length != 2 + u32::from(count) * 2 {
            return Err(self.error("Exceptions attribute has wrong length in class file"));
        }
        Ok(exceptions)
    }

    /// Name and length of the attribute that follows.
    pub(super) fn attribute_head(&mut self, complaint: &str) -> Result<(crate::Span, u32)> {
        self.r.need(6)?;
        let name = self.r.u2()?;
        let length = self.r.u4()?;
        match self.pool.utf8_span(name) {
            Some(span) => Ok((span, length)),
            None => Err(self.error_in_file(format!("{complaint} {name}"))),
        }
    }

    pub(super) fn empty(&self, length: u32, what: &str) -> Result<()> {
        if length == 0 {
            return Ok(());
        }
        Err(self.error_in_file(format!("Invalid {what} attribute length {length}")))
    }
}

/// What is known of a method while its attributes are read.
pub(super) struct MethodState {
    pub method: Method,
    /// Of the parameters and the receiver; counted in strict mode only.
    pub slots: u32,
    exceptions_seen: bool,
    /// Annotations, parameter and type annotations that are not kept.
    invisible: [Option<crate::Span>; 3],
    /// `LocalVariableTypeTable`s, kept only to be compared.
    pub local_type_tables: Vec<crate::Span>,
}
