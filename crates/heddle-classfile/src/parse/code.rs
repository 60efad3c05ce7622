//! The `Code` attribute and the tables inside it (JVMS 4.7.3, 4.7.12-14).

use super::members::MethodState;
use super::{Parser, Result};
use crate::bytes::{Span, u2_at};
use crate::class::{Code, Handler, Tables, access};
use std::collections::HashMap;

impl Parser<'_> {
    pub(super) fn code(&mut self, state: &mut MethodState, length: u32) -> Result<()> {
        let flags = state.method.access;
        if self.strict && flags & (access::NATIVE | access::ABSTRACT) != 0 {
            return Err(self.error("Code attribute in native or abstract methods in class file"));
        }
        if state.method.code.is_some() {
            return Err(self.error("Multiple Code attributes in class file"));
        }
        self.r.need(8)?;
        let start = self.r.at;
        let max_stack = self.r.u2()?;
        let max_locals = self.r.u2()?;
        let code_length = self.r.u4()?;
        if self.strict {
            if state.slots > u32::from(max_locals) {
                return Err(self.error("Arguments can't fit into locals in class file"));
            }
            if code_length == 0 || code_length > 65535 {
                return Err(self.error_in_file(format!("Invalid method Code length {code_length}")));
            }
        }
        let bytes = self.r.skip(code_length as usize)?;
        let handlers = self.handlers(code_length)?;
        let mut code = Code {
            max_stack,
            max_locals,
            bytes,
            handlers,
            line_tables: Tables::default(),
            local_tables: Tables::default(),
            stack_map: None,
            visible_type_annotations: None,
        };
        let count = self.r.u2()?;
        // HotSpot sums up in 32 bits.
        let mut total = (self.r.at - start) as u32;
        let mut stack_map_seen = false;
        for _ in 0..count {
            let (name, length) = self.attribute_head("Invalid code attribute name index")?;
            total = total.wrapping_add(length).wrapping_add(6);
            match name.of(self.r.bytes) {
                b"LineNumberTable" => {
                    let span = self.line_table(length, code_length)?;
                    code.line_tables.push(span);
                }
                b"LocalVariableTable" => {
                    let span = self.local_table(length, &code, "LocalVariableTable")?;
                    code.local_tables.push(span);
                }
                b"LocalVariableTypeTable" if self.major >= 49 => {
                    let span = self.local_table(length, &code, "LocalVariableTypeTable")?;
                    state.local_type_tables.push(span);
                }
                b"StackMapTable" if self.major >= 50 => {
                    if stack_map_seen {
                        return Err(self.error("Multiple StackMapTable attributes in class file"));
                    }
                    stack_map_seen = true;
                    let span = self.r.skip(length as usize)?;
                    code.stack_map = (length != 0).then_some(span);
                }
                b"RuntimeVisibleTypeAnnotations" => {
                    code.visible_type_annotations = Some(self.r.skip(length as usize)?);
                }
                _ => {
                    self.r.skip(length as usize)?;
                }
            }
        }
        if self.strict && total != length {
            return Err(self.error("Code segment has wrong length in class file"));
        }
        state.method.code = Some(code);
        Ok(())
    }

    fn handlers(&mut self, code_length: u32) -> Result<Vec<Handler>> {
        let count = self.r.u2()?;
        self.r.need(count as usize * 8)?;
        let mut handlers = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let handler = Handler {
                start: self.r.u2()?,
                end: self.r.u2()?,
                target: self.r.u2()?,
                catch_type: self.r.u2()?,
            };
            // These keep later code in bounds, so they do not depend on the mode.
            if handler.start >= handler.end || u32::from(handler.end) > code_length {
                return Err(self.error("Illegal exception table range in class file"));
            }
            if u32::from(handler.target) >= code_length {
                return Err(self.error("Illegal exception table handler in class file"));
            }
            if handler.catch_type != 0 && !self.is_class(handler.catch_type) {
                return Err(
                    self.error("Catch type in exception table has bad constant type in class file")
                );
            }
            handlers.push(handler);
        }
        Ok(handlers)
    }

    fn line_table(&mut self, length: u32, code_length: u32) -> Result<Span> {
        let count = u32::from(self.r.u2()?);
        if length != 2 + count * 4 {
            return Err(self.error("LineNumberTable attribute has wrong length in class file"));
        }
        let span = self.r.skip(count as usize * 4)?;
        if self.strict {
            let mut entries = span.of(self.r.bytes).chunks_exact(4);
            if entries.any(|e| u32::from(u2_at(e, 0)) >= code_length) {
                return Err(self.error("Invalid pc in LineNumberTable in class file"));
            }
        }
        Ok(span)
    }

    fn local_table(&mut self, length: u32, code: &Code, table: &str) -> Result<Span> {
        let count = u32::from(self.r.u2()?);
        if self.strict && length != 2 + count * 10 {
            return Err(self.error_in_file(format!("{table} has wrong length")));
        }
        let span = self.r.skip(count as usize * 10)?;
        for entry in span.of(self.r.bytes).chunks_exact(10) {
            self.local_entry(entry, code, table)?;
        }
        Ok(span)
    }

    fn local_entry(&self, entry: &[u8], code: &Code, table: &str) -> Result<()> {
        let [start, length, name, desc, index] = [0, 2, 4, 6, 8].map(|at| u2_at(entry, at));
        if self.strict {
            let code_length = code.bytes.len() as u32;
            if u32::from(start) >= code_length {
                return Err(self.error_in_file(format!("Invalid start_pc {start} in {table}")));
            }
            if u32::from(start) + u32::from(length) > code_length {
                return Err(self.error_in_file(format!("Invalid length {length} in {table}")));
            }
        }
        for (what, index) in [("Name", name), ("Signature", desc)] {
            if !self.is_utf8(index) {
                return Err(self.error_in_file(format!(
                    "{what} index {index} in {table} has bad constant type"
                )));
            }
        }
        if !self.strict {
            return Ok(());
        }
        let (name, desc) = (self.pool.utf8(name), self.pool.utf8(desc));
        self.legal_field_name(name)?;
        let mut last = u32::from(index);
        if table == "LocalVariableTable" {
            self.legal_field_signature(name, desc)?;
            last += u32::from(desc == b"J" || desc == b"D");
        }
        if last >= u32::from(code.max_locals) {
            return Err(self.error_in_file(format!("Invalid index {index} in {table}")));
        }
        Ok(())
    }

    /// No variable is described twice, and every entry of a type table has a
    /// partner in a variable table.
    pub(super) fn local_tables(&self, code: &Code, type_tables: &[Span]) -> Result<()> {
        if code.local_tables.spans().all(Span::is_empty) {
            return Ok(());
        }
        // Start, length, name and slot make the key; the value says whether a
        // type was seen.
        let key = |e: &[u8]| (u2_at(e, 0), u2_at(e, 2), u2_at(e, 4), u2_at(e, 8));
        let name = |e: &[u8]| self.text(self.pool.utf8(u2_at(e, 4)));
        let mut seen = HashMap::new();
        for span in code.local_tables.spans() {
            for entry in span.of(self.r.bytes).chunks_exact(10) {
                if seen.insert(key(entry), false).is_some() && self.major >= 49 {
                    let name = name(entry);
                    return Err(self.error_in_file(format!(
                        "Duplicated LocalVariableTable attribute entry for '{name}'"
                    )));
                }
            }
        }
        for span in type_tables {
            for entry in span.of(self.r.bytes).chunks_exact(10) {
                match seen.get_mut(&key(entry)) {
                    None => {
                        let (name, class) = (name(entry), self.text(&self.name));
                        return Err(super::failure(
                            crate::error::ErrorKind::ClassFormat,
                            format!(
                                "LVTT entry for '{name}' in class file {class} does not match \
                                 any LVT entry"
                            ),
                        ));
                    }
                    Some(typed) if *typed => {
                        let name = name(entry);
                        return Err(self.error_in_file(format!(
                            "Duplicated LocalVariableTypeTable attribute entry for '{name}'"
                        )));
                    }
                    Some(typed) => *typed = true,
                }
            }
        }
        Ok(())
    }
}
