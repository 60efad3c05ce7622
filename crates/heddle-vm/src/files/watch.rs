//! Queues of the kernel that a program reads like files: directories that it watches
//! (inotify) and pairs of sockets.
//!
//! A watch notices what the program itself does to the entries of a directory, in the
//! words and the order of Linux. What other processes do there is left out: it could not
//! happen again on the next run. Reading an empty queue answers `AGAIN`; who waits for one
//! is kept here and woken by whoever fills it (`natives/watch.rs`). Left out, too: events
//! about the watched directory itself other than its end, which Java does not ask for.

use super::host::{Answer, Errno, Stat};
use super::touched::{Spot, id};
use super::{Files, Open, What};
use heddle_model::ThreadId;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Bits of an event.
pub mod mask {
    pub const MODIFY: u32 = 0x2;
    pub const ATTRIBUTES: u32 = 0x4;
    pub const MOVED_FROM: u32 = 0x40;
    pub const MOVED_TO: u32 = 0x80;
    pub const CREATE: u32 = 0x100;
    pub const DELETE: u32 = 0x200;
    pub const OVERFLOW: u32 = 0x4000;
    /// The watch is over.
    pub const IGNORED: u32 = 0x8000;
    pub const DIRECTORY: u32 = 0x4000_0000;
}

/// Bytes of an event before its name: descriptor, mask, cookie, length of the name.
pub const EVENT: usize = 16;
/// Events that wait to be read before the others are lost, as Linux has it.
const LONGEST: usize = 16384;

/// Queues by number. A number is never used twice.
#[derive(Clone, Default, Hash)]
pub struct Queues {
    by_number: BTreeMap<u32, Queue>,
    next: u32,
    /// Threads that wait until one of two queues holds something.
    waiting: Vec<(ThreadId, [u32; 2])>,
    /// Whether anything was put into a queue since the waiting threads were last looked at.
    filled: bool,
}

#[derive(Clone, Default, Hash)]
struct Queue {
    messages: VecDeque<Rc<[u8]>>,
    watches: BTreeMap<i32, Watch>,
    last_watch: i32,
}

#[derive(Clone, Hash)]
struct Watch {
    /// The directory's device and inode.
    directory: (u64, u64),
    mask: u32,
}

impl Queue {
    fn tell(&mut self, watch: i32, mask: u32, name: &[u8]) {
        let mut event = Vec::with_capacity(EVENT + name.len() + EVENT);
        event.extend_from_slice(&watch.to_le_bytes());
        event.extend_from_slice(&mask.to_le_bytes());
        event.extend_from_slice(&0u32.to_le_bytes());
        let padded = match name.len() {
            0 => 0,
            len => (len + 1).next_multiple_of(EVENT),
        };
        event.extend_from_slice(&(padded as u32).to_le_bytes());
        event.extend_from_slice(name);
        event.resize(EVENT + padded, 0);
        // The same thing twice in a row is told once.
        if self.messages.back().is_none_or(|last| **last != *event) {
            self.messages.push_back(event.into());
        }
    }
}

impl Queues {
    fn add(&mut self) -> u32 {
        self.next += 1;
        self.by_number.insert(self.next, Queue::default());
        self.next
    }

    fn holds(&self, queue: u32) -> bool {
        self.by_number
            .get(&queue)
            .is_none_or(|queue| !queue.messages.is_empty())
    }
}

impl Files {
    /// Two connected sockets.
    pub fn socket_pair(&mut self) -> [i32; 2] {
        let queues = Rc::make_mut(&mut self.queues);
        let (one, other) = (queues.add(), queues.add());
        [(one, other), (other, one)].map(|(reads, writes)| {
            let writes = Some(writes);
            self.add_queue(What::Queue { reads, writes })
        })
    }

    /// A descriptor to watch directories with.
    pub fn watcher(&mut self) -> i32 {
        let reads = Rc::make_mut(&mut self.queues).add();
        let writes = None;
        self.add_queue(What::Queue { reads, writes })
    }

    fn add_queue(&mut self, what: What) -> i32 {
        let writable = matches!(
            what,
            What::Queue {
                writes: Some(_),
                ..
            }
        );
        self.add(Open {
            what,
            position: 0,
            append: false,
            readable: true,
            writable,
            path: Rc::from(&b"/"[..]),
        })
    }

    /// The queue that a descriptor reads.
    fn queue_of(&self, fd: i32) -> Answer<u32> {
        match self.get(fd)?.what {
            What::Queue { reads, .. } => Ok(reads),
            _ => Err(Errno::INVAL),
        }
    }

    /// From now on what happens in a directory is told; the answer is the watch's number.
    pub fn watch(&mut self, fd: i32, path: &[u8], mask: u32) -> Answer<i32> {
        let queue = self.queue_of(fd)?;
        let directory = id(&self.stat(path, true)?);
        self.note_queue(queue);
        let queue = Rc::make_mut(&mut self.queues).by_number.get_mut(&queue);
        let queue = queue.ok_or(Errno::BADF)?;
        let known = queue
            .watches
            .iter_mut()
            .find(|(_, watch)| watch.directory == directory);
        if let Some((&number, watch)) = known {
            watch.mask = mask;
            return Ok(number);
        }
        queue.last_watch += 1;
        let watch = Watch { directory, mask };
        queue.watches.insert(queue.last_watch, watch);
        Ok(queue.last_watch)
    }

    /// Ends a watch, which is told as its last event.
    pub fn unwatch(&mut self, fd: i32, watch: i32) -> Answer<()> {
        let queue = self.queue_of(fd)?;
        self.note_queue(queue);
        let queues = Rc::make_mut(&mut self.queues);
        let queue = queues.by_number.get_mut(&queue).ok_or(Errno::BADF)?;
        queue.watches.remove(&watch).ok_or(Errno::INVAL)?;
        queue.tell(watch, mask::IGNORED, b"");
        queues.filled = true;
        Ok(())
    }

    fn note_queue(&self, queue: u32) {
        if self.overlay {
            self.touched().change(Spot::Queue(queue));
        }
    }

    /// Which of two descriptors can be read without waiting.
    pub fn readable(&self, fds: [i32; 2]) -> Answer<[bool; 2]> {
        let mut answer = [false; 2];
        for (fd, ready) in fds.into_iter().zip(&mut answer) {
            let queue = self.queue_of(fd)?;
            if self.overlay {
                self.touched().look(Spot::Queue(queue));
            }
            *ready = self.queues.holds(queue);
        }
        Ok(answer)
    }

    /// A thread waits until one of two descriptors can be read.
    pub fn wait_readable(&mut self, thread: ThreadId, fds: [i32; 2]) -> Answer<()> {
        let queues = [self.queue_of(fds[0])?, self.queue_of(fds[1])?];
        let waiting = &mut Rc::make_mut(&mut self.queues).waiting;
        waiting.retain(|(other, _)| *other != thread);
        waiting.push((thread, queues));
        Ok(())
    }

    /// Whether somebody may have something to read now that waited for it.
    pub fn has_woken(&self) -> bool {
        self.queues.filled
    }

    /// The threads whose wait is over.
    pub fn woken(&mut self) -> Vec<ThreadId> {
        let queues = Rc::make_mut(&mut self.queues);
        queues.filled = false;
        let waiting = std::mem::take(&mut queues.waiting);
        let (over, still) = waiting
            .into_iter()
            .partition(|(_, two)| two.iter().any(|&queue| queues.holds(queue)));
        queues.waiting = still;
        over.into_iter().map(|(thread, _)| thread).collect()
    }

    /// Reads whole messages, as many as fit.
    pub(super) fn read_queue(&mut self, queue: u32, buffer: &mut [u8]) -> Answer<usize> {
        self.note_queue(queue);
        let queues = Rc::make_mut(&mut self.queues);
        let queue = queues.by_number.get_mut(&queue).ok_or(Errno::BADF)?;
        let mut done = 0;
        while let Some(message) = queue.messages.front() {
            let end = done + message.len();
            if end > buffer.len() {
                break;
            }
            buffer[done..end].copy_from_slice(message);
            done = end;
            queue.messages.pop_front();
        }
        match (done, queue.messages.is_empty()) {
            (0, true) => Err(Errno::AGAIN),
            (0, false) => Err(Errno::INVAL),
            _ => Ok(done),
        }
    }

    pub(super) fn write_queue(&mut self, queue: u32, bytes: &[u8]) -> Answer<usize> {
        self.note_queue(queue);
        let queues = Rc::make_mut(&mut self.queues);
        let queue = queues.by_number.get_mut(&queue).ok_or(Errno::PIPE)?;
        queue.messages.push_back(bytes.into());
        queues.filled = true;
        Ok(bytes.len())
    }

    /// Nobody can read a queue any more once its descriptor is closed.
    pub(super) fn forget_queue(&mut self, queue: u32) {
        let still = |open: &Open| matches!(open.what, What::Queue { reads, .. } if reads == queue);
        if !self.open.values().any(still) {
            let queues = Rc::make_mut(&mut self.queues);
            queues.by_number.remove(&queue);
            queues.filled = true;
        }
    }

    /// Whether anybody watches anything: asked before every change.
    pub(super) fn is_watched(&self) -> bool {
        !self.queues.by_number.is_empty()
    }

    /// Tells whoever watches the directory of a path what happened to the file there.
    pub(super) fn tell(&mut self, path: &[u8], mask: u32) {
        if !self.is_watched() {
            return;
        }
        let path = self.absolute(super::names::trim_slashes(path));
        let Some(slash) = path.iter().rposition(|&b| b == b'/') else {
            return;
        };
        let (directory, name) = (&path[..slash.max(1)], &path[slash + 1..]);
        if let Ok(stat) = self.stat(directory, true) {
            self.tell_watchers(id(&stat), mask, name);
        }
    }

    fn tell_watchers(&mut self, directory: (u64, u64), mask: u32, name: &[u8]) {
        let mut told = Vec::new();
        let queues = Rc::make_mut(&mut self.queues);
        for (&number, queue) in &mut queues.by_number {
            let watch = queue.watches.iter();
            let found = watch
                .filter(|(_, watch)| watch.directory == directory && watch.mask & mask != 0)
                .map(|(&watch, _)| watch)
                .next();
            let Some(watch) = found else { continue };
            match queue.messages.len() {
                LONGEST.. => {}
                more if more == LONGEST - 1 => queue.tell(-1, mask::OVERFLOW, b""),
                _ => queue.tell(watch, mask, name),
            }
            told.push(number);
        }
        queues.filled |= !told.is_empty();
        told.into_iter().for_each(|queue| self.note_queue(queue));
    }

    /// A directory is gone, and the watches on it.
    pub(super) fn tell_end(&mut self, directory: &Stat) {
        let gone = id(directory);
        let mut told = Vec::new();
        let queues = Rc::make_mut(&mut self.queues);
        for (&number, queue) in &mut queues.by_number {
            let watch = queue.watches.iter();
            let over: Vec<i32> = watch
                .filter(|(_, watch)| watch.directory == gone)
                .map(|(&number, _)| number)
                .collect();
            for watch in over {
                queue.watches.remove(&watch);
                queue.tell(watch, mask::IGNORED, b"");
                told.push(number);
            }
        }
        queues.filled |= !told.is_empty();
        told.into_iter().for_each(|queue| self.note_queue(queue));
    }
}
