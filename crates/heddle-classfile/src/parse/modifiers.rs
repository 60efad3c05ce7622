//! Legal access flags (JVMS 4.1, 4.5, 4.6), by HotSpot's rules.

use super::{Parser, Result, failure};
use crate::class::access::*;
use crate::error::ErrorKind;

impl Parser<'_> {
    /// Flags of the class itself, or of an entry of `InnerClasses`.
    pub(super) fn class_modifiers(&self, flags: u16) -> Result<()> {
        if flags & MODULE != 0 {
            let name = self.text(&self.name);
            return Err(failure(
                ErrorKind::NoClassDefFound,
                format!("{name} is not a class because access_flag ACC_MODULE is set"),
            ));
        }
        if !self.strict {
            return Ok(());
        }
        let has = |flag| flags & flag != 0;
        let java5 = self.major >= 49;
        let illegal = has(ABSTRACT) && has(FINAL)
            || has(INTERFACE) && !has(ABSTRACT)
            || has(INTERFACE) && java5 && (has(SUPER) || has(ENUM))
            || !has(INTERFACE) && java5 && has(ANNOTATION);
        if !illegal {
            return Ok(());
        }
        let name = self.text(&self.name);
        Err(failure(
            ErrorKind::ClassFormat,
            format!("Illegal class modifiers in class {name}: 0x{flags:X}"),
        ))
    }

    pub(super) fn field_modifiers(&self, flags: u16, is_interface: bool) -> Result<()> {
        if !self.strict {
            return Ok(());
        }
        let has = |flag| flags & flag != 0;
        let illegal = if is_interface {
            flags & (PUBLIC | STATIC | FINAL) != PUBLIC | STATIC | FINAL
                || has(PRIVATE | PROTECTED | VOLATILE | TRANSIENT)
                || self.major >= 49 && has(ENUM)
        } else {
            illegal_visibility(flags) || has(FINAL) && has(VOLATILE)
        };
        if !illegal {
            return Ok(());
        }
        let name = self.text(&self.name);
        Err(failure(
            ErrorKind::ClassFormat,
            format!("Illegal field modifiers in class {name}: 0x{flags:X}"),
        ))
    }

    pub(super) fn method_modifiers(
        &self,
        flags: u16,
        is_interface: bool,
        name: &[u8],
    ) -> Result<()> {
        if !self.strict {
            return Ok(());
        }
        let has = |flag| flags & flag != 0;
        let java5 = self.major >= 49;
        let strict_counts = self.major < 61;
        let illegal = if is_interface {
            if self.major >= 52 {
                has(PUBLIC) == has(PRIVATE)
                    || has(NATIVE | PROTECTED | FINAL | SYNCHRONIZED)
                    || has(ABSTRACT) && (has(PRIVATE | STATIC) || strict_counts && has(STRICT))
            } else if java5 {
                !has(PUBLIC)
                    || has(PRIVATE | PROTECTED | STATIC | FINAL | SYNCHRONIZED | NATIVE)
                    || !has(ABSTRACT)
                    || has(STRICT)
            } else {
                !has(PUBLIC) || has(STATIC | FINAL | NATIVE) || !has(ABSTRACT)
            }
        } else if illegal_visibility(flags) {
            true
        } else if name == b"<init>" {
            has(STATIC | FINAL | SYNCHRONIZED | NATIVE | ABSTRACT) || java5 && has(BRIDGE)
        } else {
            has(ABSTRACT)
                && (has(FINAL | NATIVE | PRIVATE | STATIC)
                    || java5 && (has(SYNCHRONIZED) || strict_counts && has(STRICT)))
        };
        if !illegal {
            return Ok(());
        }
        let (name, class) = (self.text(name), self.text(&self.name));
        Err(failure(
            ErrorKind::ClassFormat,
            format!("Method {name} in class {class} has illegal modifiers: 0x{flags:X}"),
        ))
    }
}

/// More than one of public, protected and private.
fn illegal_visibility(flags: u16) -> bool {
    (flags & (PUBLIC | PROTECTED | PRIVATE)).count_ones() > 1
}
