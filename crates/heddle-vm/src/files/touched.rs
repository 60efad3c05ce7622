//! What a thread looked at and changed in the file system, so that a search knows which
//! operations on files depend on each other.
//!
//! There are three kinds of places: a name in a directory (looked at by every path that
//! leads through it, changed by whoever makes, removes or renames it), what a file holds
//! together with its attributes (for a directory: its names), and a queue of the kernel.
//! Places are hashes; two that collide cost schedules, never behaviours. Only the overlay
//! notes anything: while nothing may reach the host is the only time that a search runs.

use super::host::Stat;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Shared by all copies of the files: it belongs to the native that runs now.
#[derive(Clone, Default)]
pub struct Touched(Rc<RefCell<Notes>>);

#[derive(Default)]
struct Notes {
    touches: Vec<Touch>,
    /// What places are called in reports.
    names: BTreeMap<u32, String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    pub place: u32,
    pub written: bool,
}

#[derive(Clone, Copy, Hash)]
pub enum Spot<'a> {
    /// A name in a directory, which is known by device and inode.
    Name((u64, u64), &'a [u8]),
    /// What a file holds, and its attributes.
    File((u64, u64)),
    Queue(u32),
    /// No file, but numbered like them: eight bytes of memory outside of objects.
    Memory(u64),
}

impl Spot<'_> {
    /// Thirty bits.
    pub fn place(self) -> u32 {
        let mut hasher = crate::hash::FastHasher::default();
        self.hash(&mut hasher);
        (crate::heap::mix(hasher.finish()) >> 34) as u32
    }
}

impl Touched {
    pub fn look(&self, at: Spot) {
        self.note(at, false);
    }

    pub fn change(&self, at: Spot) {
        self.note(at, true);
    }

    fn note(&self, at: Spot, written: bool) {
        let place = at.place();
        let touch = Touch { place, written };
        let touches = &mut self.0.borrow_mut().touches;
        if !touches.contains(&touch) {
            touches.push(touch);
        }
    }

    /// What was noted since it was last asked.
    pub fn take(&self) -> Vec<Touch> {
        std::mem::take(&mut self.0.borrow_mut().touches)
    }

    pub fn call(&self, at: Spot, name: &[u8]) {
        let names = &mut self.0.borrow_mut().names;
        let name = || String::from_utf8_lossy(name).into_owned();
        names.entry(at.place()).or_insert_with(name);
    }

    pub fn name(&self, place: u32) -> Option<String> {
        self.0.borrow().names.get(&place).cloned()
    }
}

impl std::fmt::Debug for Touched {
    /// No part of what the program can see.
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}

/// What names a file in the host and in the overlay alike.
pub fn id(stat: &Stat) -> (u64, u64) {
    (stat.dev, stat.ino)
}
