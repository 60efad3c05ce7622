//! Where fields go: packed by size, as small as alignment allows.
//!
//! Instance fields follow those of the superclass; the gap that its last field
//! leaves is filled first. Statics live in the class mirror, behind the fields of
//! java.lang.Class, so that `Unsafe` reaches them like any other field.

use crate::class::{ClassPtr, Field, access};
use crate::heap::FIRST_FIELD;

/// Where the statics start in a mirror: no JDK's java.lang.Class is larger.
pub const STATICS_START: u32 = 128;

/// The fields of a class with their offsets.
pub struct Layout {
    pub fields: Vec<Field>,
    pub instance_size: u32,
    pub mirror_size: u32,
}

impl Layout {
    /// Lays out declared fields behind those of `parent`. Mirrors keep their first word
    /// behind the header's lock for the id of their class.
    pub fn of(mut fields: Vec<Field>, parent: Option<ClassPtr>, is_class_class: bool) -> Layout {
        let start = match parent {
            Some(parent) if parent.parent.is_some() || !is_class_class => parent_end(parent),
            _ => FIRST_FIELD,
        };
        let start = if is_class_class { 16 } else { start };
        let instance_end = place(&mut fields, start, |f| f.access & access::STATIC == 0);
        let mirror_end = place(&mut fields, STATICS_START, |f| {
            f.access & access::STATIC != 0
        });
        let instance_size = (instance_end.max(16) + 7) & !7;
        if is_class_class {
            assert!(
                instance_size <= STATICS_START,
                "heddle internal error: Class is too large"
            );
        }
        Layout {
            fields,
            instance_size,
            mirror_size: (mirror_end + 7) & !7,
        }
    }
}

/// First byte that no field of the class or its superclasses takes.
fn parent_end(parent: ClassPtr) -> u32 {
    let mut end = FIRST_FIELD;
    let mut next = Some(parent);
    while let Some(class) = next {
        for field in class
            .fields
            .iter()
            .filter(|f| f.access & access::STATIC == 0)
        {
            end = end.max(field.offset + (1 << field.basic.shift()));
        }
        next = class.parent;
    }
    end
}

/// Assigns offsets from `start` on to the fields that `which` selects; returns the end.
fn place(fields: &mut [Field], start: u32, which: impl Fn(&Field) -> bool) -> u32 {
    let mut end = start;
    let mut placed = vec![false; fields.len()];
    loop {
        // The largest field that is aligned at the current end, or else the largest.
        let next = (0..fields.len())
            .filter(|&i| !placed[i] && which(&fields[i]))
            .max_by_key(|&i| {
                let size = 1u32 << fields[i].basic.shift();
                (end.is_multiple_of(size), size, usize::MAX - i)
            });
        let Some(i) = next else { return end };
        let size = 1u32 << fields[i].basic.shift();
        end = (end + size - 1) & !(size - 1);
        fields[i].offset = end;
        end += size;
        placed[i] = true;
    }
}
