//! Legal names and descriptors (JVMS 4.2, 4.3), by HotSpot's rules.
//!
//! Since version 49 a name is almost any text; before, it had to be a Java
//! identifier.

use super::{Parser, Result, failure};
use crate::error::{ClassFileError, ErrorKind};
use crate::mutf8;

/// What a name is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Class,
    Field,
    Method,
}

impl Parser<'_> {
    pub(super) fn legal_class_name(&self, name: &[u8]) -> Result<()> {
        let legal = match name.first() {
            None => false,
            Some(b'[') => self.skip_type(name, false)? == Some(name.len()),
            Some(b'<') if self.major < 49 => false,
            Some(_) if self.major < 49 => skip_identifiers(name, true) == Some(name.len()),
            Some(_) => is_unqualified(name, Kind::Class),
        };
        if legal {
            return Ok(());
        }
        Err(self.error_in_file(format!("Illegal class name \"{}\"", self.text(name))))
    }

    pub(super) fn legal_field_name(&self, name: &[u8]) -> Result<()> {
        let legal = match name.first() {
            None => false,
            Some(b'<') if self.major < 49 => false,
            Some(_) if self.major < 49 => skip_identifiers(name, false) == Some(name.len()),
            Some(_) => is_unqualified(name, Kind::Field),
        };
        if legal {
            return Ok(());
        }
        Err(self.error(&format!(
            "Illegal field name \"{}\" in class",
            self.text(name)
        )))
    }

    pub(super) fn legal_method_name(&self, name: &[u8]) -> Result<()> {
        let legal = match name.first() {
            None => false,
            Some(b'<') => name == b"<init>" || name == b"<clinit>",
            Some(_) if self.major < 49 => skip_identifiers(name, false) == Some(name.len()),
            Some(_) => is_unqualified(name, Kind::Method),
        };
        if legal {
            return Ok(());
        }
        Err(self.error(&format!(
            "Illegal method name \"{}\" in class",
            self.text(name)
        )))
    }

    pub(super) fn legal_field_signature(&self, name: &[u8], desc: &[u8]) -> Result<()> {
        if self.skip_type(desc, false)? == Some(desc.len()) {
            return Ok(());
        }
        Err(self.illegal_signature("Field", name, desc))
    }

    /// Returns the number of slots that the parameters take.
    pub(super) fn legal_method_signature(&self, name: &[u8], desc: &[u8]) -> Result<u32> {
        let illegal = || self.illegal_signature("Method", name, desc);
        if name == b"<clinit>" && desc != b"()V" && self.major >= 51 {
            return Err(illegal());
        }
        let mut rest = desc.strip_prefix(b"(").ok_or_else(illegal)?;
        let mut slots = 0;
        while let Some(length) = self.skip_type(rest, false)? {
            slots += if matches!(rest[0], b'J' | b'D') { 2 } else { 1 };
            rest = &rest[length..];
        }
        let result = rest.strip_prefix(b")").ok_or_else(illegal)?;
        let legal = if name.first() == Some(&b'<') {
            result == b"V"
        } else {
            self.skip_type(result, true)? == Some(result.len()) && !result.is_empty()
        };
        if legal { Ok(slots) } else { Err(illegal()) }
    }

    pub(super) fn illegal_signature(&self, what: &str, name: &[u8], desc: &[u8]) -> ClassFileError {
        let (name, desc, class) = (self.text(name), self.text(desc), self.text(&self.name));
        failure(
            ErrorKind::ClassFormat,
            format!("{what} \"{name}\" in class {class} has illegal signature \"{desc}\""),
        )
    }

    /// The length of the type at the start of a descriptor, if there is one.
    fn skip_type(&self, desc: &[u8], mut void_ok: bool) -> Result<Option<usize>> {
        let mut dimensions = 0;
        for (at, &byte) in desc.iter().enumerate() {
            match byte {
                b'V' if !void_ok => return Ok(None),
                b'V' | b'Z' | b'B' | b'C' | b'S' | b'I' | b'J' | b'F' | b'D' => {
                    return Ok(Some(at + 1));
                }
                b'L' => return Ok(self.skip_class(&desc[at + 1..])?.map(|n| at + 1 + n)),
                b'[' => {
                    dimensions += 1;
                    if dimensions > 255 {
                        return Err(self.error_in_file(
                            "Array type descriptor has more than 255 dimensions".to_owned(),
                        ));
                    }
                    void_ok = false;
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The length of a class name with its semicolon.
    fn skip_class(&self, desc: &[u8]) -> Result<Option<usize>> {
        if self.major < 49 {
            let end = skip_identifiers(desc, true).filter(|&n| n > 0);
            return Ok(end.filter(|&n| desc.get(n) == Some(&b';')).map(|n| n + 1));
        }
        let Some(end) = desc.iter().position(|&b| b == b';') else {
            return Ok(None);
        };
        if !is_unqualified(&desc[..end], Kind::Class) {
            return Err(self.error_in_file(
                "Class name is empty or contains illegal character in descriptor".to_owned(),
            ));
        }
        Ok(Some(end + 1))
    }
}

fn is_unqualified(name: &[u8], kind: Kind) -> bool {
    if name.is_empty() {
        return false;
    }
    name.iter().enumerate().all(|(at, &byte)| match byte {
        b'.' | b';' | b'[' => false,
        b'/' => kind == Kind::Class && at > 0 && name.get(at + 1).is_some_and(|&next| next != b'/'),
        b'<' | b'>' => kind != Kind::Method,
        _ => true,
    })
}

/// Skips a Java identifier, or several between slashes. Returns how far it got,
/// or `None` at a misplaced slash.
fn skip_identifiers(name: &[u8], slash_ok: bool) -> Option<usize> {
    let mut at = 0;
    let mut last_is_slash = false;
    let mut not_first = false;
    while at < name.len() {
        let byte = name[at];
        if byte < 0x80 {
            let letter = byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$';
            if letter || (not_first && byte.is_ascii_digit()) {
                last_is_slash = false;
                not_first = true;
                at += 1;
                continue;
            }
            if slash_ok && byte == b'/' {
                if last_is_slash {
                    return None;
                }
                last_is_slash = true;
                not_first = false;
                at += 1;
                continue;
            }
        } else {
            let rest = &name[at..];
            let length = if byte & 0xE0 == 0xC0 { 2 } else { 3 };
            let units = mutf8::to_utf16(&rest[..length.min(rest.len())]);
            // HotSpot asks Character.isJavaIdentifierStart and -Part.
            let legal = units.len() == 1
                && char::from_u32(u32::from(units[0]))
                    .is_some_and(|c| c.is_alphabetic() || (not_first && c.is_numeric()));
            if legal {
                last_is_slash = false;
                not_first = true;
                at += length;
                continue;
            }
        }
        return if not_first { Some(at) } else { None };
    }
    not_first.then_some(at)
}
