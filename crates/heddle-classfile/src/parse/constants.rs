//! Reading and checking the constant pool (JVMS 4.4).

use super::{Parser, Result, failure};
use crate::bytes::u2_at;
use crate::error::{ClassFileError, ErrorKind};
use crate::mutf8;
use crate::pool::{Constant, ConstantPool, tag};

impl Parser<'_> {
    /// Reads the pool. A tag that only module files may use is returned, since
    /// HotSpot looks at the access flags before it complains.
    pub(super) fn constants(&mut self) -> Result<Option<u8>> {
        self.r.need(3)?;
        let count = self.r.u2()?;
        if count < 1 {
            return Err(self.error_in_file(format!("Illegal constant pool size {count}")));
        }
        let (offsets, bad_tag) = self.scan(count)?;
        self.pool = ConstantPool::new(self.bytes.clone(), offsets);
        self.cross_references()?;
        if self.strict {
            self.formats()?;
        }
        Ok(bad_tag)
    }

    fn scan(&mut self, count: u16) -> Result<(Vec<u32>, Option<u8>)> {
        let mut offsets = vec![0u32; count as usize];
        let mut bad_tag = None;
        let mut index = 1;
        while index < count {
            let at = self.r.at;
            let tag = self.r.u1()?;
            offsets[index as usize] = at as u32;
            // HotSpot asks for one byte beyond each entry: access flags follow.
            let size = match tag {
                tag::UTF8 => {
                    let length = self.r.u2()? as usize;
                    self.r.need(length + 1)?;
                    if self.strict && !mutf8::is_legal(&self.r.bytes[self.r.at..][..length]) {
                        return Err(
                            self.error("Illegal UTF8 string in constant pool in class file")
                        );
                    }
                    length
                }
                tag::CLASS | tag::STRING => 2,
                tag::FIELD_REF
                | tag::METHOD_REF
                | tag::INTERFACE_METHOD_REF
                | tag::NAME_AND_TYPE
                | tag::INTEGER
                | tag::FLOAT => 4,
                tag::LONG | tag::DOUBLE => {
                    if index + 1 >= count {
                        return Err(
                            self.error_in_file(format!("Invalid constant pool entry {index}"))
                        );
                    }
                    index += 1;
                    8
                }
                tag::METHOD_HANDLE | tag::METHOD_TYPE | tag::INVOKE_DYNAMIC | tag::DYNAMIC => {
                    let since = if tag == tag::DYNAMIC { 55 } else { 51 };
                    if self.major < since {
                        return Err(self.error_in_file(format!(
                            "Class file version does not support constant tag {tag}"
                        )));
                    }
                    match tag {
                        tag::METHOD_HANDLE => 3,
                        tag::METHOD_TYPE => 2,
                        _ => {
                            self.r.need(5)?;
                            let bootstrap = u2_at(self.r.bytes, self.r.at);
                            self.bootstraps = self.bootstraps.max(i32::from(bootstrap));
                            4
                        }
                    }
                }
                tag::MODULE | tag::PACKAGE if self.major >= 53 => {
                    bad_tag = Some(tag);
                    2
                }
                _ => return Err(self.error_in_file(format!("Unknown constant tag {tag}"))),
            };
            self.r.need(size + 1)?;
            self.r.at += size;
            index += 1;
        }
        Ok((offsets, bad_tag))
    }

    /// Every index inside an entry names an entry of the right kind. This reads
    /// the bytes and not the decoded entries: it is a good part of all parsing.
    fn cross_references(&self) -> Result<()> {
        let bytes = self.r.bytes;
        for (index, &at) in self.pool.offsets().iter().enumerate() {
            let at = at as usize;
            if at == 0 {
                continue;
            }
            let first = || u2_at(bytes, at + 1);
            let second = || u2_at(bytes, at + 3);
            match bytes[at] {
                tag::FIELD_REF | tag::METHOD_REF | tag::INTERFACE_METHOD_REF => {
                    self.check_index(first(), tag::CLASS)?;
                    self.check_index(second(), tag::NAME_AND_TYPE)?;
                }
                tag::NAME_AND_TYPE => {
                    self.check_index(first(), tag::UTF8)?;
                    self.check_index(second(), tag::UTF8)?;
                }
                tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => {
                    self.check_index(first(), tag::UTF8)?;
                }
                tag::METHOD_HANDLE => {
                    self.method_handle(index as u16, bytes[at + 1], u2_at(bytes, at + 2))?;
                }
                tag::DYNAMIC | tag::INVOKE_DYNAMIC => {
                    self.check_index(second(), tag::NAME_AND_TYPE)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    #[inline]
    fn check_index(&self, index: u16, wanted: u8) -> Result<()> {
        if self.pool.tag(index) == wanted {
            return Ok(());
        }
        Err(self.error_in_file(format!("Invalid constant pool index {index}")))
    }

    fn method_handle(&self, index: u16, kind: u8, reference: u16) -> Result<()> {
        if reference == 0 || reference >= self.pool.len() {
            return Err(self.error_in_file(format!("Invalid constant pool index {reference}")));
        }
        let found = self.pool.tag(reference);
        let (right, what) = match kind {
            1..=4 => (found == tag::FIELD_REF, "a field"),
            5 | 8 => (found == tag::METHOD_REF, "a method"),
            6 | 7 => (
                found == tag::METHOD_REF || self.major >= 52 && found == tag::INTERFACE_METHOD_REF,
                "a method",
            ),
            9 => (found == tag::INTERFACE_METHOD_REF, "an interface method"),
            _ => {
                return Err(self.error_in_file(format!(
                    "Bad method handle kind at constant pool index {index}"
                )));
            }
        };
        if right {
            return Ok(());
        }
        let name = self.text(&self.name);
        Err(failure(
            ErrorKind::ClassFormat,
            format!("Invalid constant pool index {reference} in class file {name} (not {what})"),
        ))
    }

    /// Names and descriptors are well formed.
    fn formats(&self) -> Result<()> {
        for (_, constant) in self.pool.iter() {
            match constant {
                Constant::Class { name } => self.legal_class_name(self.pool.utf8(name))?,
                Constant::NameAndType { name, desc } => self.name_and_type(name, desc)?,
                Constant::Dynamic { nat, .. } => {
                    let (name, desc) = self.pool.name_and_type(nat);
                    if desc.first() == Some(&b'(') {
                        return Err(self.illegal_signature("CONSTANT_Dynamic", name, desc));
                    }
                }
                Constant::FieldRef { nat, .. } => {
                    let (name, desc) = self.pool.name_and_type(nat);
                    if desc.first() == Some(&b'(') {
                        return Err(self.illegal_signature("Field", name, desc));
                    }
                }
                Constant::MethodRef { nat, .. }
                | Constant::InterfaceMethodRef { nat, .. }
                | Constant::InvokeDynamic { nat, .. } => {
                    let is_method = matches!(constant, Constant::MethodRef { .. });
                    self.method_reference(nat, is_method)?;
                }
                Constant::MethodHandle { kind, reference } => {
                    self.method_handle_name(kind, reference)?;
                }
                Constant::MethodType { desc } => {
                    self.legal_method_signature(b"type", self.pool.utf8(desc))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn name_and_type(&self, name_index: u16, desc_index: u16) -> Result<()> {
        let (name, desc) = (self.pool.utf8(name_index), self.pool.utf8(desc_index));
        for (text, index) in [(desc, desc_index), (name, name_index)] {
            if text.is_empty() {
                return Err(self.error(&format!(
                    "Illegal zero length constant pool entry at {index} in class"
                )));
            }
        }
        if desc[0] == b'(' {
            self.legal_method_name(name)?;
            self.legal_method_signature(name, desc).map(|_| ())
        } else {
            self.legal_field_name(name)?;
            self.legal_field_signature(name, desc)
        }
    }

    fn method_reference(&self, nat: u16, is_method: bool) -> Result<()> {
        let (name, desc) = self.pool.name_and_type(nat);
        if desc.first() != Some(&b'(') {
            return Err(self.illegal_signature("Method", name, desc));
        }
        if is_method && name.first() == Some(&b'<') {
            if name != b"<init>" {
                return Err(self.bad_name("method", nat));
            }
            if !desc.ends_with(b")V") {
                return Err(self.illegal_signature("Method", name, desc));
            }
        }
        Ok(())
    }

    fn method_handle_name(&self, kind: u8, reference: u16) -> Result<()> {
        if !(5..=8).contains(&kind) {
            return Ok(());
        }
        let nat = match self.pool.get(reference) {
            Constant::MethodRef { nat, .. } | Constant::InterfaceMethodRef { nat, .. } => nat,
            _ => return Ok(()),
        };
        let is_init = self.pool.name_and_type(nat).0 == b"<init>";
        match (kind == 8, is_init) {
            (true, false) => Err(self.bad_name("constructor", nat)),
            (false, true) => Err(self.bad_name("method", nat)),
            _ => Ok(()),
        }
    }

    fn bad_name(&self, what: &str, nat: u16) -> ClassFileError {
        let Constant::NameAndType { name, .. } = self.pool.get(nat) else {
            unreachable!("heddle internal error: the entry was checked to be a name and type")
        };
        self.error_in_file(format!("Bad {what} name at constant pool index {name}"))
    }
}
