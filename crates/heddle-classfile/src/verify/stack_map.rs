//! The `StackMapTable` attribute (JVMS 4.7.4), expanded to whole frames.
//!
//! All frames are read before the first instruction is looked at, so a defect
//! in the table is found first. Locals and stacks lie on one tape; a frame that
//! repeats or shortens the locals of the one before shares them.

use super::frame::View;
use super::types::Type;
use super::{Checked, Reject, VerifyErrorKind};
use crate::class::ClassFile;
use crate::opcode::NEW;
use crate::pool::tag;
use std::ops::Range;

/// More types than this in one table are refused: no compiler gets near, but a
/// small hostile file could ask for gigabytes.
const MAX_TYPES: usize = 1 << 22;

#[derive(Default)]
pub(super) struct StackMaps<'a> {
    tape: Vec<Type<'a>>,
    frames: Vec<Entry>,
}

struct Entry {
    offset: u32,
    this_uninitialized: bool,
    locals: Range<usize>,
    stack: Range<usize>,
}

impl<'a> StackMaps<'a> {
    pub fn clear(&mut self) {
        self.tape.clear();
        self.frames.clear();
    }

    pub fn len(&self) -> usize {
        self.frames.len()
    }

    pub fn offset(&self, index: usize) -> u32 {
        self.frames[index].offset
    }

    pub fn view(&self, index: usize) -> View<'_, 'a> {
        let entry = &self.frames[index];
        View {
            offset: entry.offset,
            this_uninitialized: entry.this_uninitialized,
            locals: &self.tape[entry.locals.clone()],
            stack: &self.tape[entry.stack.clone()],
        }
    }

    /// The frame for a place in the code. Offsets rise, so this can be quick.
    pub fn at(&self, offset: i64) -> Option<View<'_, 'a>> {
        let found = self
            .frames
            .binary_search_by_key(&offset, |f| i64::from(f.offset));
        found.ok().map(|index| self.view(index))
    }
}

/// What the reader asks of the method it reads for.
pub(super) struct Limits<'s, 'a> {
    pub class: &'a ClassFile,
    pub code: &'a [u8],
    /// Whether an instruction starts at each byte of the code.
    pub starts: &'s [bool],
    pub max_locals: u16,
    pub max_stack: u16,
}

/// A defect that does not end up as it is: the method words it.
pub(super) enum MapError {
    Reject(Reject),
    /// A `ClassFormatError` that names the method.
    Format(&'static str),
    /// The last frame that was read lies nowhere.
    BadOffset(&'static str),
}

impl From<Reject> for MapError {
    fn from(reject: Reject) -> Self {
        MapError::Reject(reject)
    }
}

pub(super) fn read<'a>(
    maps: &mut StackMaps<'a>,
    data: &'a [u8],
    initial: View<'_, 'a>,
    limits: &Limits<'_, 'a>,
) -> Result<(), MapError> {
    maps.clear();
    maps.tape.extend_from_slice(initial.locals);
    let mut reader = Reader {
        data,
        at: 0,
        limits,
        maps,
        offset: None,
        locals: 0..initial.locals.len(),
        this_uninitialized: initial.this_uninitialized,
        pending: None,
    };
    let count = reader.u2()?;
    for _ in 0..count {
        reader.frame()?;
        let offset = reader.offset.unwrap_or(0) as usize;
        if !limits.starts.get(offset).is_some_and(|&s| s) {
            return Err(MapError::BadOffset("StackMapTable error: bad offset"));
        }
    }
    if reader.at != data.len() {
        return Err(thrown("wrong attribute size").into());
    }
    Ok(())
}

struct Reader<'m, 'a> {
    data: &'a [u8],
    at: usize,
    limits: &'m Limits<'m, 'a>,
    maps: &'m mut StackMaps<'a>,
    /// Of the frame before.
    offset: Option<u32>,
    locals: Range<usize>,
    this_uninitialized: bool,
    /// A defect that was seen in the list that is being read.
    pending: Option<&'static str>,
}

/// HotSpot throws these at once, so version 50 gets no second opinion.
fn thrown(what: &str) -> Reject {
    Reject::Fault {
        kind: VerifyErrorKind::ClassFormatError,
        message: format!("StackMapTable format error: {what}"),
        hint: false,
    }
}

impl<'a> Reader<'_, 'a> {
    fn u1(&mut self) -> Checked<u8> {
        let byte = self.data.get(self.at).copied();
        self.at += 1;
        byte.ok_or_else(|| thrown("access beyond the end of attribute"))
    }

    fn u2(&mut self) -> Checked<u16> {
        let raw = self.data.get(self.at..self.at + 2);
        self.at += 2;
        raw.map(|r| u16::from_be_bytes([r[0], r[1]]))
            .ok_or_else(|| thrown("access beyond the end of attribute"))
    }

    fn frame(&mut self) -> Result<(), MapError> {
        let kind = self.u1()?;
        let mut stack = 0..0;
        match kind {
            0..64 => self.advance(u16::from(kind)),
            64..128 => {
                stack = self.one_item()?;
                self.advance(u16::from(kind - 64));
            }
            128..247 => {
                self.u2()?;
                return Err(thrown("reserved frame type").into());
            }
            247 => {
                let delta = self.u2()?;
                stack = self.one_item()?;
                self.advance(delta);
            }
            248..=251 => {
                let delta = self.u2()?;
                self.chop(251 - kind)?;
                self.advance(delta);
            }
            252..=254 => {
                let delta = self.u2()?;
                self.append(kind - 251)?;
                self.advance(delta);
            }
            255 => {
                let delta = self.u2()?;
                self.this_uninitialized = false;
                let count = self.u2()?;
                let locals = self.items(count, true)?;
                self.fits(locals.len(), self.limits.max_locals)?;
                self.locals = locals;
                let count = self.u2()?;
                stack = self.items(count, false)?;
                self.fits(stack.len(), self.limits.max_stack)?;
                self.advance(delta);
            }
        }
        self.maps.frames.push(Entry {
            offset: self.offset.unwrap_or(0),
            this_uninitialized: self.this_uninitialized,
            locals: self.locals.clone(),
            stack,
        });
        Ok(())
    }

    fn advance(&mut self, delta: u16) {
        self.offset = Some(match self.offset {
            None => u32::from(delta),
            Some(before) => before + u32::from(delta) + 1,
        });
    }

    fn one_item(&mut self) -> Result<Range<usize>, MapError> {
        let stack = self.items(1, false)?;
        self.fits(stack.len(), self.limits.max_stack)?;
        Ok(stack)
    }

    fn chop(&mut self, count: u8) -> Result<(), MapError> {
        if count == 0 {
            return Ok(());
        }
        for _ in 0..count {
            if self.locals.is_empty() {
                return Err(bad_size());
            }
            let last = self.maps.tape[self.locals.end - 1];
            self.locals.end -= if last.is_second() { 2 } else { 1 };
        }
        self.fits(self.locals.len(), self.limits.max_locals)?;
        let rest = &self.maps.tape[self.locals.clone()];
        self.this_uninitialized = rest.contains(&Type::UninitializedThis);
        Ok(())
    }

    fn append(&mut self, count: u8) -> Result<(), MapError> {
        // Shared locals can grow in place only at the end of the tape.
        if self.locals.end != self.maps.tape.len() {
            let start = self.maps.tape.len();
            self.room(self.locals.len())?;
            self.maps.tape.extend_from_within(self.locals.clone());
            self.locals = start..self.maps.tape.len();
        }
        let more = self.items(u16::from(count), true)?;
        self.locals.end = more.end;
        self.fits(self.locals.len(), self.limits.max_locals)
    }

    /// Reads types onto the tape, two words for each long and double.
    fn items(&mut self, count: u16, locals: bool) -> Result<Range<usize>, MapError> {
        let start = self.maps.tape.len();
        for _ in 0..count {
            let ty = self.item()?;
            if locals && ty == Type::UninitializedThis {
                self.this_uninitialized = true;
            }
            self.room(2)?;
            self.maps.tape.push(ty);
            self.maps.tape.extend(ty.second());
        }
        Ok(start..self.maps.tape.len())
    }

    fn item(&mut self) -> Result<Type<'a>, MapError> {
        Ok(match self.u1()? {
            0 => Type::Top,
            1 => Type::Integer,
            2 => Type::Float,
            3 => Type::Double,
            4 => Type::Long,
            5 => Type::Null,
            6 => Type::UninitializedThis,
            7 => {
                let index = self.u2()?;
                let pool = &self.limits.class.pool;
                if pool.tag(index) != tag::CLASS {
                    return Err(thrown("bad class index").into());
                }
                Type::of_name(pool.class_name(index))
            }
            8 => {
                let pc = self.u2()?;
                let at = usize::from(pc);
                let is_start = self.limits.starts.get(at).is_some_and(|&s| s);
                if !is_start || self.limits.code[at] != NEW {
                    // HotSpot reads on to the end of the list.
                    self.pending = Some("StackMapTable format error: bad offset for Uninitialized");
                }
                Type::Uninitialized(pc)
            }
            _ => return Err(thrown("bad verification type").into()),
        })
    }

    fn fits(&self, size: usize, max: u16) -> Result<(), MapError> {
        if size > usize::from(max) {
            return Err(bad_size());
        }
        match self.pending {
            None => Ok(()),
            Some(message) => Err(MapError::Format(message)),
        }
    }

    fn room(&self, more: usize) -> Result<(), MapError> {
        if self.maps.tape.len() + more <= MAX_TYPES {
            return Ok(());
        }
        Err(bad_size())
    }
}

fn bad_size() -> MapError {
    MapError::Format("StackMapTable format error: bad type array size")
}
