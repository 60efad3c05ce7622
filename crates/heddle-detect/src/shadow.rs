//! What is remembered of a place to find races on it: the last write, and the reads since
//! that a later write could be in a race with.
//!
//! As in FastTrack one epoch is enough while reads are ordered; only when two reads are not
//! is there a list with one read of each thread. A write ends them: whatever comes after
//! it in order comes after them too.

use crate::clocks::{Clocks, Epoch};
use crate::table::SavedList;
use heddle_model::{Mark, MethodId, Rewind, Site, ThreadId};

/// An access that is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    pub epoch: Epoch,
    pub site: Site,
    /// Trusted code made it that the program called for something else.
    pub indirect: bool,
}

/// One place. Small, since there are many.
#[derive(Clone, Copy, Debug)]
pub struct Shadow {
    pub write: Access,
    /// The last read, or in `time` the first of a list and in `thread` [`LIST`].
    read: Access,
}

/// Lists of reads. Entry 0 stands for no entry, and leads to those that are free.
#[derive(Clone, Debug)]
pub struct Reads {
    list: SavedList<Read>,
}

#[derive(Clone, Copy, Debug)]
struct Read {
    access: Access,
    next: u32,
}

const LIST: u32 = u32::MAX;

impl Access {
    /// None at all.
    pub const NEVER: Access = Access {
        epoch: Epoch { thread: 0, time: 0 },
        site: Site {
            method: MethodId(0),
            bci: 0,
        },
        indirect: false,
    };
}

impl Shadow {
    pub fn new(write: Access) -> Shadow {
        let read = Access::NEVER;
        Shadow { write, read }
    }

    /// Whether a read at this epoch tells nothing new.
    #[inline]
    pub fn has_read(&self, now: Epoch) -> bool {
        self.read.epoch == now || self.write.epoch == now
    }

    /// The place with one more read.
    pub fn read(mut self, by: Access, clocks: &Clocks, reads: &mut Reads) -> Shadow {
        let thread = ThreadId(by.epoch.thread);
        if self.read.epoch.thread == LIST {
            self.read.epoch.time = reads.note(self.read.epoch.time, by);
        } else if clocks.knows(thread, self.read.epoch) {
            self.read = by;
        } else {
            let first = reads.note(0, self.read);
            self.read.epoch = Epoch {
                thread: LIST,
                time: reads.note(first, by),
            };
        }
        self
    }

    /// The reads that a thread does not know of.
    pub fn unknown_reads(&self, thread: ThreadId, clocks: &Clocks, reads: &Reads) -> Vec<Access> {
        if self.read.epoch.thread != LIST {
            let known = clocks.knows(thread, self.read.epoch);
            return if known { Vec::new() } else { vec![self.read] };
        }
        let unknown = |access: &Access| !clocks.knows(thread, access.epoch);
        reads.walk(self.read.epoch.time).filter(unknown).collect()
    }

    /// The place after a write.
    pub fn written(self, by: Access, reads: &mut Reads) -> Shadow {
        if self.read.epoch.thread == LIST {
            reads.free(self.read.epoch.time);
        }
        Shadow::new(by)
    }
}

impl Default for Reads {
    fn default() -> Self {
        let mut list = SavedList::default();
        list.push(Read {
            access: Access::NEVER,
            next: 0,
        });
        Reads { list }
    }
}

impl Reads {
    fn walk(&self, first: u32) -> impl Iterator<Item = Access> {
        let mut next = first;
        std::iter::from_fn(move || {
            let read = *self.list.get(next as usize);
            let is = next != 0;
            next = read.next;
            is.then_some(read.access)
        })
    }

    /// Notes a read in a list; the list's first entry then.
    fn note(&mut self, first: u32, access: Access) -> u32 {
        let mut at = first;
        while at != 0 {
            let read = self.list.get(at as usize);
            if read.access.epoch.thread == access.epoch.thread {
                if read.access.epoch != access.epoch {
                    self.list.change(at as usize).access = access;
                }
                return first;
            }
            at = read.next;
        }
        let read = Read {
            access,
            next: first,
        };
        match self.list.get(0).next {
            0 => self.list.push(read) as u32,
            free => {
                self.list.change(0).next = self.list.get(free as usize).next;
                *self.list.change(free as usize) = read;
                free
            }
        }
    }

    /// Gives all entries of a list back.
    fn free(&mut self, first: u32) {
        let mut last = first;
        while self.list.get(last as usize).next != 0 {
            last = self.list.get(last as usize).next;
        }
        self.list.change(last as usize).next = self.list.get(0).next;
        self.list.change(0).next = first;
    }
}

impl Rewind for Reads {
    fn mark(&mut self) -> Mark {
        self.list.mark()
    }

    fn rewind(&mut self, to: Mark) {
        self.list.rewind(to);
    }

    fn forget(&mut self, mark: Mark) {
        self.list.forget(mark);
    }
}
