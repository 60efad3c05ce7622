//! A constant pool that grows (JVMS 4.4).
//!
//! The entries of the class stay where they are, byte for byte; new ones come
//! behind them. Asking for a constant that is there already, old or new, gives
//! its index. Entries are compared as bytes: tag, then indexes or text.
//!
//! What goes wrong is kept until the class is written, so that asking for a
//! constant needs no error handling.

use super::error::EditErrorKind;
use crate::bytes::u2_at;
use crate::mutf8;
use crate::pool::{ConstantPool, tag};

/// The constants of a class under edit.
pub struct Constants<'c> {
    old: &'c ConstantPool,
    /// The new entries as they will be written.
    added: Vec<u8>,
    /// Where each new index starts in `added`; the second index of a long or
    /// double starts nowhere.
    starts: Vec<Option<u32>>,
    /// An open hash table of indexes, 0 where free; empty until it is needed.
    slots: Vec<u16>,
    used: usize,
    fault: Option<EditErrorKind>,
}

impl<'c> Constants<'c> {
    pub(super) fn new(old: &'c ConstantPool) -> Constants<'c> {
        Constants {
            old,
            added: Vec::new(),
            starts: Vec::new(),
            slots: Vec::new(),
            used: 0,
            fault: None,
        }
    }

    /// Text in modified UTF-8.
    pub fn utf8(&mut self, text: impl AsRef<[u8]>) -> u16 {
        let text = text.as_ref();
        let Ok(length) = u16::try_from(text.len()) else {
            self.fault.get_or_insert(EditErrorKind::TextTooLong);
            return 1;
        };
        let head = length.to_be_bytes();
        self.entry(&[&[tag::UTF8, head[0], head[1]], text])
    }

    /// A class by its internal name; an array by its descriptor.
    pub fn class(&mut self, name: impl AsRef<[u8]>) -> u16 {
        let name = self.utf8(name);
        self.single(tag::CLASS, name)
    }

    pub fn string(&mut self, text: &str) -> u16 {
        let text = self.utf8(mutf8::encode(text));
        self.single(tag::STRING, text)
    }

    pub fn integer(&mut self, value: i32) -> u16 {
        self.entry(&[&[tag::INTEGER], &value.to_be_bytes()])
    }

    pub fn float(&mut self, value: f32) -> u16 {
        self.entry(&[&[tag::FLOAT], &value.to_bits().to_be_bytes()])
    }

    pub fn long(&mut self, value: i64) -> u16 {
        self.entry(&[&[tag::LONG], &value.to_be_bytes()])
    }

    pub fn double(&mut self, value: f64) -> u16 {
        self.entry(&[&[tag::DOUBLE], &value.to_bits().to_be_bytes()])
    }

    pub fn name_and_type(&mut self, name: impl AsRef<[u8]>, desc: impl AsRef<[u8]>) -> u16 {
        let (name, desc) = (self.utf8(name), self.utf8(desc));
        self.pair(tag::NAME_AND_TYPE, name, desc)
    }

    pub fn field_ref(
        &mut self,
        class: impl AsRef<[u8]>,
        name: impl AsRef<[u8]>,
        desc: impl AsRef<[u8]>,
    ) -> u16 {
        self.member(tag::FIELD_REF, class.as_ref(), name.as_ref(), desc.as_ref())
    }

    pub fn method_ref(
        &mut self,
        class: impl AsRef<[u8]>,
        name: impl AsRef<[u8]>,
        desc: impl AsRef<[u8]>,
    ) -> u16 {
        self.member(
            tag::METHOD_REF,
            class.as_ref(),
            name.as_ref(),
            desc.as_ref(),
        )
    }

    pub fn interface_method_ref(
        &mut self,
        class: impl AsRef<[u8]>,
        name: impl AsRef<[u8]>,
        desc: impl AsRef<[u8]>,
    ) -> u16 {
        let kind = tag::INTERFACE_METHOD_REF;
        self.member(kind, class.as_ref(), name.as_ref(), desc.as_ref())
    }

    /// The kind is that of JVMS table 5.4.3.5-A; the reference is an index that
    /// another function of this type gave.
    pub fn method_handle(&mut self, kind: u8, reference: u16) -> u16 {
        let reference = reference.to_be_bytes();
        self.entry(&[&[tag::METHOD_HANDLE, kind], &reference])
    }

    pub fn method_type(&mut self, desc: impl AsRef<[u8]>) -> u16 {
        let desc = self.utf8(desc);
        self.single(tag::METHOD_TYPE, desc)
    }

    /// A call site of the bootstrap method with this number.
    pub fn invoke_dynamic(
        &mut self,
        bootstrap: u16,
        name: impl AsRef<[u8]>,
        desc: impl AsRef<[u8]>,
    ) -> u16 {
        let nat = self.name_and_type(name, desc);
        self.pair(tag::INVOKE_DYNAMIC, bootstrap, nat)
    }

    fn member(&mut self, tag: u8, class: &[u8], name: &[u8], desc: &[u8]) -> u16 {
        let class = self.class(class);
        let nat = self.name_and_type(name, desc);
        self.pair(tag, class, nat)
    }

    fn single(&mut self, tag: u8, index: u16) -> u16 {
        self.entry(&[&[tag], &index.to_be_bytes()])
    }

    fn pair(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        let (first, second) = (first.to_be_bytes(), second.to_be_bytes());
        self.entry(&[&[tag], &first, &second])
    }

    /// The index of an entry with these bytes, found or made.
    fn entry(&mut self, parts: &[&[u8]]) -> u16 {
        if self.slots.is_empty() {
            self.index_old();
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(parts.iter().copied()) & mask;
        while self.slots[slot] != 0 {
            if same(self.raw(self.slots[slot]), parts) {
                return self.slots[slot];
            }
            slot = (slot + 1) & mask;
        }
        let wide = matches!(parts[0][0], tag::LONG | tag::DOUBLE);
        let index = usize::from(self.count());
        if index + usize::from(wide) > 65534 {
            self.fault.get_or_insert(EditErrorKind::PoolFull);
            return 1;
        }
        let index = index as u16;
        self.starts.push(Some(self.added.len() as u32));
        for part in parts {
            self.added.extend_from_slice(part);
        }
        if wide {
            self.starts.push(None);
        }
        self.slots[slot] = index;
        self.used += 1;
        if self.used * 2 > self.slots.len() {
            self.rehash(self.slots.len() * 2);
        }
        index
    }

    /// Nothing is looked up in a class that needs no new constants.
    fn index_old(&mut self) {
        let size = (usize::from(self.old.len()) * 4).next_power_of_two();
        self.rehash(size.max(64));
    }

    fn rehash(&mut self, size: usize) {
        self.slots.clear();
        self.slots.resize(size, 0);
        self.used = 0;
        for index in 1..self.count() {
            let raw = self.raw(index);
            if raw.is_empty() {
                continue;
            }
            let mut slot = hash([raw].into_iter()) & (size - 1);
            // Of equal entries the first is used; the others do no harm.
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = index;
            self.used += 1;
        }
    }

    /// The bytes of an entry; none for an index that cannot be used.
    fn raw(&self, index: u16) -> &[u8] {
        let old = usize::from(self.old.len().max(1));
        let (bytes, at) = match usize::from(index).checked_sub(old) {
            None => match self.old.offsets().get(usize::from(index)) {
                Some(&at) if at != 0 => (self.old.bytes(), at as usize),
                _ => return &[],
            },
            Some(new) => match self.starts.get(new) {
                Some(&Some(at)) => (&self.added[..], at as usize),
                _ => return &[],
            },
        };
        &bytes[at..at + entry_length(bytes, at)]
    }

    /// `constant_pool_count` as it will be written.
    pub(super) fn count(&self) -> u16 {
        (usize::from(self.old.len().max(1)) + self.starts.len()) as u16
    }

    pub(super) fn added(&self) -> &[u8] {
        &self.added
    }

    pub(super) fn fault(&self) -> Option<&EditErrorKind> {
        self.fault.as_ref()
    }

    /// All entries as a pool, given the bytes of a file that begins with them.
    pub(super) fn snapshot(&self, old_end: usize, bytes: Vec<u8>) -> ConstantPool {
        let mut offsets = self.old.offsets().to_vec();
        offsets.resize(usize::from(self.old.len().max(1)), 0);
        let starts = self.starts.iter();
        offsets.extend(starts.map(|start| start.map_or(0, |at| (old_end as u32) + at)));
        ConstantPool::new(bytes.into(), offsets)
    }
}

/// The length of the entry whose tag is at `at`, tag included.
pub(super) fn entry_length(bytes: &[u8], at: usize) -> usize {
    match bytes[at] {
        tag::UTF8 => 3 + usize::from(u2_at(bytes, at + 1)),
        tag::LONG | tag::DOUBLE => 9,
        tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => 3,
        tag::METHOD_HANDLE => 4,
        _ => 5,
    }
}

/// FNV-1a, but the hash of a text must not depend on how it is cut.
fn hash<'b>(parts: impl Iterator<Item = &'b [u8]>) -> usize {
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    for &byte in parts.flatten() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }
    (hash ^ (hash >> 29)) as usize
}

fn same(raw: &[u8], parts: &[&[u8]]) -> bool {
    let mut rest = raw;
    for part in parts {
        match rest.strip_prefix(*part) {
            Some(tail) => rest = tail,
            None => return false,
        }
    }
    rest.is_empty()
}
