//! Files and the rest of the machine: standard streams, random numbers, memory.
//!
//! A mapped file is a block of memory that holds the content. It is kept the same
//! as the file by hand: what goes into the file goes into the block at once; what
//! the program stores in the block goes into the file before anything looks at
//! the file, and at `force`, unmapping and the end of the run. A mapping of a range
//! that is mapped already shares the block; ranges that only overlap have blocks of
//! their own and see each other's stores through the file, not at once.

use super::host::{Answer, Errno, Time};
use super::{Files, Kind, Open, What};
use crate::class::{Basic, Touches};
use crate::heap::{ELEMENTS, Ref};
use crate::native::{Frame, Res};
use crate::thread::{ThreadState, Wake};
use crate::vm::Vm;
use heddle_model::{EventKind, ObjectId, Place};
use std::rc::Rc;

const PAGE: u64 = 4096;

/// A range of a file that is mapped into memory and shared with it.
#[derive(Clone)]
pub struct Mapping {
    open: Open,
    /// Position in the file, and bytes.
    at: u64,
    len: u64,
    writable: bool,
    /// How often it was mapped and not unmapped.
    users: u32,
    /// The array whose elements are the memory.
    #[allow(dead_code, reason = "the root that a collector will need")]
    block: Ref,
}

/// How a file is mapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protection {
    ReadOnly,
    ReadWrite,
    /// Copy on write: the file never changes.
    Private,
}

impl Vm {
    /// After a native that uses files: tells the search what it did there, and wakes who
    /// waited for it.
    pub fn files_used(&mut self, f: Frame) {
        let touched = self.files.touched().take();
        if self.heap.tracking && !touched.is_empty() {
            // Like an atomic: others may go on from what it left.
            self.running().control.released = true;
            let moves = f.method().touches.get() == Touches::Stream;
            if moves && self.heap.is_shared(f.reference(0)) {
                let place = Place::file(ObjectId(f.reference(0).0), 0);
                self.emit(EventKind::Write { place, value: 0 });
            }
            let object = ObjectId(self.known.object.mirror.get().0);
            for touch in touched {
                let (place, value) = (Place::file(object, touch.place), 0);
                match touch.written {
                    true => self.emit(EventKind::Write { place, value }),
                    false => self.emit(EventKind::Read { place, value }),
                }
            }
        }
        if self.files.has_woken() {
            for thread in self.io().woken() {
                if let ThreadState::Parked { .. } = self.thread(thread).control.state {
                    self.running().control.released = true;
                    self.wake(thread, Wake::Unparked);
                }
            }
        }
    }

    /// The files, about to be used: remembers them for a rewind first, and keeps
    /// changes inside once a mark is live.
    pub fn io(&mut self) -> &mut Files {
        self.touch_files();
        let marked = self.heap.marked();
        let now = self.options.start_millis * 1_000_000 + self.globals.clock as i64;
        if marked {
            self.files.keep_inside();
        }
        self.files.set_now(Time::from_nanos(now));
        &mut self.files
    }

    /// Reads at the position of a descriptor; 0 bytes at the end.
    pub fn read_fd(&mut self, fd: i32, buffer: &mut [u8]) -> Answer<usize> {
        match self.files.kind(fd)? {
            Kind::Input => {
                let at = self.globals.input;
                let count = super::lock(&self.files.input).read_at(at, buffer)?;
                self.globals.input += count as u64;
                Ok(count)
            }
            Kind::Output(_) => Err(Errno::BADF),
            Kind::Random => {
                self.random_bytes(buffer);
                Ok(buffer.len())
            }
            Kind::File => {
                self.write_back(fd)?;
                self.io().read(fd, buffer)
            }
        }
    }

    /// Reads at a given position; the descriptor's own stays.
    pub fn read_fd_at(&mut self, fd: i32, at: u64, buffer: &mut [u8]) -> Answer<usize> {
        match self.files.kind(fd)? {
            Kind::File => {
                self.write_back(fd)?;
                self.io().read_at(fd, at, buffer)
            }
            _ => Err(Errno::SPIPE),
        }
    }

    /// Writes at the position of a descriptor.
    pub fn write_fd(&mut self, fd: i32, bytes: &[u8]) -> Answer<usize> {
        match self.files.kind(fd)? {
            Kind::Input => Err(Errno::BADF),
            Kind::Output(stream) => {
                self.output.write(stream, bytes);
                Ok(bytes.len())
            }
            Kind::Random => Ok(bytes.len()),
            Kind::File => {
                self.write_back(fd)?;
                let count = self.io().write(fd, bytes)?;
                let end = self.files.position(fd).unwrap_or(0);
                self.write_through(fd, end.saturating_sub(count as u64), &bytes[..count]);
                Ok(count)
            }
        }
    }

    /// Writes at a given position; the descriptor's own stays.
    pub fn write_fd_at(&mut self, fd: i32, at: u64, bytes: &[u8]) -> Answer<usize> {
        match self.files.kind(fd)? {
            Kind::File => {
                let count = self.io().write_at(fd, at, bytes)?;
                self.write_through(fd, at, &bytes[..count]);
                Ok(count)
            }
            _ => Err(Errno::SPIPE),
        }
    }

    /// Bytes that can be read without waiting.
    pub fn available_fd(&mut self, fd: i32) -> Answer<u64> {
        match self.files.kind(fd)? {
            Kind::Input => super::lock(&self.files.input).available(self.globals.input),
            _ => self.files.available(fd),
        }
    }

    /// The next bytes of the random numbers that the system gives the program.
    pub fn random_bytes(&mut self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            self.globals.random = self.globals.random.wrapping_add(1);
            let word = crate::heap::mix(self.globals.random).to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }

    /// Maps part of an open file; the answer is the address.
    pub fn map(&mut self, fd: i32, at: u64, len: u64, how: Protection) -> Res<Answer<u64>> {
        let open = match self.files.get(fd) {
            Ok(open) => open.clone(),
            Err(e) => return Ok(Err(e)),
        };
        if how != Protection::Private
            && let Some(address) = self.share(&open, at, len, how)
        {
            return Ok(Ok(address));
        }
        let Ok(length) = u32::try_from(len + PAGE) else {
            return Ok(Err(Errno::NOMEM));
        };
        let mut content = vec![0; len as usize];
        let mut done = 0;
        while done < content.len() {
            match self.read_fd_at(fd, at + done as u64, &mut content[done..]) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(e) => return Ok(Err(e)),
            }
        }
        let block = self.new_primitive_array(Basic::Byte, length)?;
        let address = (block.at() + ELEMENTS).next_multiple_of(PAGE);
        self.heap.write_raw(address, &content);
        if how != Protection::Private {
            let writable = how == Protection::ReadWrite;
            let mapping = Mapping {
                open,
                at,
                len,
                writable,
                users: 1,
                block,
            };
            Rc::make_mut(&mut self.io().maps).insert(address, mapping);
        }
        Ok(Ok(address))
    }

    /// An address in memory that maps the range already.
    fn share(&mut self, open: &Open, at: u64, len: u64, how: Protection) -> Option<u64> {
        let found = self.files.mapped(&open.what).find(|address| {
            let m = &self.files.maps[address];
            m.at <= at && at + len <= m.at + m.len
        })?;
        let open = open.clone();
        let mapping = Rc::make_mut(&mut self.io().maps).get_mut(&found)?;
        mapping.users += 1;
        if how == Protection::ReadWrite && !mapping.writable {
            mapping.writable = true;
            mapping.open = open;
        }
        Some(found + at - mapping.at)
    }

    /// Ends a mapping, given its address.
    pub fn unmap(&mut self, address: u64) -> Answer<()> {
        let Some((&base, mapping)) = self.files.maps.range(..=address).next_back() else {
            return Ok(());
        };
        if address >= base + mapping.len.max(1) {
            return Ok(());
        }
        self.write_mapping(base)?;
        let maps = Rc::make_mut(&mut self.io().maps);
        if let Some(mapping) = maps.get_mut(&base) {
            mapping.users -= 1;
            if mapping.users == 0 {
                maps.remove(&base);
            }
        }
        Ok(())
    }

    /// Changes the length of an open file; memory that maps what is cut off is cleared.
    pub fn set_len_fd(&mut self, fd: i32, len: u64) -> Answer<()> {
        self.write_back(fd)?;
        self.io().set_len(fd, len)?;
        let open = self.files.get(fd)?;
        let same: Vec<u64> = self.files.mapped(&open.what).collect();
        for address in same {
            let mapping = &self.files.maps[&address];
            let keep = len.saturating_sub(mapping.at).min(mapping.len);
            let zeros = vec![0; (mapping.len - keep) as usize];
            self.heap.write_raw(address + keep, &zeros);
        }
        Ok(())
    }

    /// Writes what the program stored in mapped memory to the files.
    pub fn flush_maps(&mut self) -> Answer<()> {
        let addresses: Vec<u64> = self.files.maps.keys().copied().collect();
        for address in addresses {
            self.write_mapping(address)?;
        }
        Ok(())
    }

    /// What the program stored in memory that maps this file goes into the file.
    pub fn write_back(&mut self, fd: i32) -> Answer<()> {
        if self.files.maps.is_empty() {
            return Ok(());
        }
        let open = self.files.get(fd)?;
        let same: Vec<u64> = self.files.mapped(&open.what).collect();
        for address in same {
            self.write_mapping(address)?;
        }
        Ok(())
    }

    fn write_mapping(&mut self, address: u64) -> Answer<()> {
        let mapping = self.files.maps[&address].clone();
        if !mapping.writable {
            return Ok(());
        }
        // The descriptor may be closed by now; the mapping keeps the file open.
        let len = mapping.len as usize;
        let fresh = self.heap.arena.bytes(address, len).to_vec();
        let files = self.io();
        let fd = files.add(mapping.open);
        let mut old = vec![0; len];
        // What lies behind the end of the file is not part of it.
        let mut result = files
            .read_at(fd, mapping.at, &mut old)
            .map(|count| old.truncate(count));
        if result.is_ok() && old != fresh[..old.len()] {
            result = files
                .write_at(fd, mapping.at, &fresh[..old.len()])
                .map(|_| ());
        }
        files.close(fd)?;
        result
    }

    /// What was just written to a file goes into the memory that maps it.
    fn write_through(&mut self, fd: i32, at: u64, bytes: &[u8]) {
        if self.files.maps.is_empty() {
            return;
        }
        let Ok(open) = self.files.get(fd) else { return };
        let same: Vec<u64> = self.files.mapped(&open.what).collect();
        for address in same {
            let mapping = &self.files.maps[&address];
            let from = at.max(mapping.at);
            let to = (at + bytes.len() as u64).min(mapping.at + mapping.len);
            if from < to {
                let target = address + from - mapping.at;
                self.heap
                    .write_raw(target, &bytes[(from - at) as usize..(to - at) as usize]);
            }
        }
    }
}

impl Files {
    /// Addresses of the mappings of a file.
    fn mapped<'a>(&'a self, what: &'a What) -> impl Iterator<Item = u64> + 'a {
        let same = move |other: &What| match (self.node_of(what), self.node_of(other)) {
            (Some(a), Some(b)) => a == b,
            (None, None) => match (what, other) {
                (What::Host { id: a, .. }, What::Host { id: b, .. }) => a == b,
                _ => false,
            },
            _ => false,
        };
        self.maps
            .iter()
            .filter(move |(_, m)| same(&m.open.what))
            .map(|(address, _)| *address)
    }
}
