//! Where the parts of a class file are, so that most of them can be copied.
//!
//! The parser keeps what a VM needs; here it is the places: members, attributes.
//! A file that was parsed in trust may have attributes whose lengths lie, and
//! is then refused.

use super::constants::entry_length;
use super::error::EditErrorKind;
use crate::bytes::{Reader, Span, Truncated};
use crate::class::ClassFile;
use crate::pool::tag;

/// The places of a class file, in its order.
pub(super) struct Outline {
    /// One past the constant pool: the access flags of the class.
    pub pool_end: usize,
    /// Flags, this class, superclass.
    pub head: Span,
    /// The indexes, without their count.
    pub interfaces: Span,
    pub fields: Span,
    pub field_count: u16,
    pub methods: Vec<Span>,
    /// Of the class.
    pub attributes: Vec<Attribute>,
}

/// An attribute: the index of its name, and its payload.
#[derive(Clone, Copy)]
pub(super) struct Attribute {
    pub name: u16,
    /// With name and length.
    pub whole: Span,
    pub payload: Span,
}

/// The places of a `Code` attribute.
pub(super) struct CodeOutline {
    pub attributes: Vec<Attribute>,
}

const CUT: EditErrorKind = EditErrorKind::Malformed("it ends within an item");

impl From<Truncated> for EditErrorKind {
    fn from(_: Truncated) -> Self {
        CUT
    }
}

impl Outline {
    pub fn of(class: &ClassFile) -> Result<Outline, EditErrorKind> {
        let bytes = class.bytes();
        let mut r = Reader::new(bytes);
        r.at = pool_end(class)?;
        let pool_end = r.at;
        let head = r.skip(6)?;
        let count = r.u2()?;
        let interfaces = r.skip(usize::from(count) * 2)?;
        let field_count = r.u2()?;
        let start = r.at;
        for _ in 0..field_count {
            member(&mut r)?;
        }
        let fields = Span::new(start, r.at);
        let count = r.u2()?;
        let mut methods = Vec::with_capacity(class.methods.len());
        for _ in 0..count {
            methods.push(member(&mut r)?);
        }
        let count = r.u2()?;
        let mut attributes = Vec::with_capacity(usize::from(count));
        for _ in 0..count {
            attributes.push(attribute(&mut r)?);
        }
        if r.remaining() != 0 || methods.len() != class.methods.len() {
            return Err(EditErrorKind::Malformed(
                "the length of an attribute is wrong",
            ));
        }
        Ok(Outline {
            pool_end,
            head,
            interfaces,
            fields,
            field_count,
            methods,
            attributes,
        })
    }
}

/// The attributes of a field or method.
pub(super) fn attributes_of(bytes: &[u8], member: Span) -> Result<Vec<Attribute>, EditErrorKind> {
    list(bytes, member.start as usize + 6, member.end as usize)
}

impl CodeOutline {
    /// Of the payload of a `Code` attribute whose instructions are `code`.
    pub fn of(bytes: &[u8], payload: Span, code: Span) -> Result<CodeOutline, EditErrorKind> {
        if payload.start + 8 != code.start || code.end + 4 > payload.end {
            return Err(EditErrorKind::Malformed(
                "the length of an attribute is wrong",
            ));
        }
        let mut r = Reader::new(&bytes[..payload.end as usize]);
        r.at = code.end as usize;
        let handlers = usize::from(r.u2()?);
        r.skip(handlers * 8)?;
        Ok(CodeOutline {
            attributes: list(bytes, r.at, payload.end as usize)?,
        })
    }
}

fn list(bytes: &[u8], at: usize, end: usize) -> Result<Vec<Attribute>, EditErrorKind> {
    let mut r = Reader::new(bytes.get(..end).ok_or(CUT)?);
    r.at = at.min(end);
    let count = r.u2()?;
    let attributes: Result<Vec<_>, _> = (0..count).map(|_| attribute(&mut r)).collect();
    if r.remaining() != 0 {
        return Err(EditErrorKind::Malformed(
            "the length of an attribute is wrong",
        ));
    }
    Ok(attributes?)
}

fn pool_end(class: &ClassFile) -> Result<usize, EditErrorKind> {
    let bytes = class.bytes();
    let offsets = class.pool.offsets();
    let last = offsets.iter().rev().find(|&&at| at != 0);
    let Some(&last) = last else { return Ok(10) };
    let last = last as usize;
    if last + 3 > bytes.len() || bytes[last] == tag::UTF8 && last + 3 > bytes.len() {
        return Err(CUT);
    }
    Ok(last + entry_length(bytes, last))
}

fn member(r: &mut Reader<'_>) -> Result<Span, Truncated> {
    let start = r.at;
    r.skip(6)?;
    for _ in 0..r.u2()? {
        attribute(r)?;
    }
    Ok(Span::new(start, r.at))
}

fn attribute(r: &mut Reader<'_>) -> Result<Attribute, Truncated> {
    let start = r.at;
    let name = r.u2()?;
    let length = r.u4()?;
    let payload = r.skip(length as usize)?;
    Ok(Attribute {
        name,
        whole: Span::new(start, r.at),
        payload,
    })
}
