//! Files as the program sees them: open descriptors, and names in two modes.
//!
//! *Through*: changes go to the host at once (`heddle run`, until a mark is
//! live). *Overlay*: every change stays in memory over the host's files
//! (`files/tree.rs`) and nothing reaches the host any more, so a rewind only has to
//! put an older [`Files`] back. All parts are shared between copies and copied
//! when they change. Positions are ours, never the host's, so reads are served
//! again after a rewind; what comes from pipes and terminals is kept for ever for
//! the same reason.
//!
//! Left out: writing an overlay back to the host once no mark is live; locks
//! against other processes; `openat` on a directory that was renamed after it was
//! opened (names are looked up under its old path).

mod bytes;
mod host;
mod names;
mod streams;
#[cfg(test)]
mod tests;
mod told;
mod touched;
mod tree;
mod vm;
mod watch;

pub use bytes::Bytes;
pub use host::{Answer, DIRECTORY, Errno, REGULAR, SYMLINK, Stat, TYPE, Time, describe};
pub use streams::Input;
pub use touched::Spot;
use vm::Mapping;
pub use vm::Protection;
pub use watch::EVENT;

use crate::vm::Stream;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use touched::{Touched, id};
use tree::{Body, Content, NodeId, Place, Tree};
use watch::{Queues, mask};

/// Files as the program sees them. Cloned when a mark must remember them.
#[derive(Clone)]
pub struct Files {
    /// Working directory.
    home: Rc<PathBuf>,
    /// Changes stay inside.
    overlay: bool,
    /// Time for what changes inside.
    now: Time,
    umask: u32,
    tree: Rc<Tree>,
    open: Rc<BTreeMap<i32, Open>>,
    listings: Rc<BTreeMap<i64, Listing>>,
    queues: Rc<Queues>,
    /// Files mapped into memory, by address.
    maps: Rc<BTreeMap<u64, Mapping>>,
    /// Compressors and decompressors, by handle.
    pub zip: crate::zip::Streams,
    /// Signal handlers that the program registered, as `handle0` numbers them.
    pub signals: Rc<BTreeMap<i32, i64>>,
    input: Arc<Mutex<Input>>,
    /// Encoding of paths, once it was asked for.
    pub(crate) encoding: Rc<std::cell::OnceCell<String>>,
}

impl Files {
    /// A hash of what the program can see of its files, for the rewind tests.
    pub fn digest(&self) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut hasher = crate::hash::FastHasher::default();
        format!("{:?}", self.tree).hash(&mut hasher);
        for (fd, open) in self.open.iter() {
            (fd, open.position, open.append, &open.path).hash(&mut hasher);
        }
        for (handle, listing) in self.listings.iter() {
            (handle, listing.next).hash(&mut hasher);
        }
        self.maps.keys().for_each(|at| at.hash(&mut hasher));
        self.signals.hash(&mut hasher);
        self.queues.hash(&mut hasher);
        hasher.finish()
    }
}

/// An open descriptor.
#[derive(Clone)]
struct Open {
    what: What,
    position: u64,
    append: bool,
    readable: bool,
    writable: bool,
    /// Absolute path it was opened with, for `openat`.
    path: Rc<[u8]>,
}

#[derive(Clone)]
enum What {
    Input,
    Output(Stream),
    /// `/dev/random` and `/dev/urandom`: the VM's own numbers.
    Random,
    Host {
        file: Arc<File>,
        id: (u64, u64),
    },
    /// A pipe or device of the host.
    Stream {
        file: Arc<File>,
        input: Arc<Mutex<Input>>,
    },
    Node(NodeId),
    Dir(Place),
    /// A queue to read, and for a socket the one that it writes.
    Queue {
        reads: u32,
        writes: Option<u32>,
    },
}

#[derive(Clone)]
struct Listing {
    names: Rc<Vec<Vec<u8>>>,
    next: usize,
}

/// What reading or writing a descriptor means to the VM.
pub enum Kind {
    Input,
    Output(Stream),
    Random,
    File,
}

/// `open(2)` flags.
pub mod flags {
    use rustix::fs::OFlags;
    pub const WRITE_ONLY: i32 = OFlags::WRONLY.bits() as i32;
    pub const READ_WRITE: i32 = OFlags::RDWR.bits() as i32;
    pub const CREATE: i32 = OFlags::CREATE.bits() as i32;
    pub const EXCLUSIVE: i32 = OFlags::EXCL.bits() as i32;
    pub const TRUNCATE: i32 = OFlags::TRUNC.bits() as i32;
    pub const APPEND: i32 = OFlags::APPEND.bits() as i32;
    pub const DIRECTORY: i32 = OFlags::DIRECTORY.bits() as i32;
    pub const NO_FOLLOW: i32 = OFlags::NOFOLLOW.bits() as i32;
    pub const SYNC: i32 = OFlags::SYNC.bits() as i32;
    pub const DATA_SYNC: i32 = OFlags::DSYNC.bits() as i32;
}

impl Default for Files {
    fn default() -> Files {
        Files::new(std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")))
    }
}

impl Files {
    /// Files seen from a working directory, in through mode.
    pub fn new(home: PathBuf) -> Files {
        let standard = |what, readable| Open {
            what,
            position: 0,
            append: false,
            readable,
            writable: !readable,
            path: Rc::from(&b"/"[..]),
        };
        let open = [
            (0, standard(What::Input, true)),
            (1, standard(What::Output(Stream::Out), false)),
            (2, standard(What::Output(Stream::Err), false)),
        ];
        Files {
            home: Rc::new(home),
            overlay: false,
            now: Time::default(),
            umask: umask(),
            tree: Rc::default(),
            open: Rc::new(BTreeMap::from(open)),
            listings: Rc::default(),
            queues: Rc::default(),
            maps: Rc::default(),
            zip: Default::default(),
            signals: Rc::default(),
            encoding: Rc::default(),
            input: Arc::new(Mutex::new(Input::standard())),
        }
    }

    /// What the search has to know about the use of files.
    pub fn touched(&self) -> &Touched {
        &self.tree.touched
    }

    /// From now on nothing reaches the host.
    pub fn keep_inside(&mut self) {
        self.overlay = true;
    }

    pub(crate) fn set_now(&mut self, now: Time) {
        self.now = now;
    }

    /// Standard input comes from here instead of the host.
    pub fn set_input(&mut self, bytes: Vec<u8>) {
        self.input = Arc::new(Mutex::new(Input::given(bytes)));
    }

    /// Standard input, with what came of it so far.
    pub fn input(&self) -> Arc<Mutex<Input>> {
        self.input.clone()
    }

    /// Standard input is that of another machine: both read the same from its beginning.
    pub fn share_input(&mut self, input: Arc<Mutex<Input>>) {
        self.input = input;
    }

    pub fn home(&self) -> &std::path::Path {
        &self.home
    }

    pub fn kind(&self, fd: i32) -> Answer<Kind> {
        Ok(match &self.get(fd)?.what {
            What::Input => Kind::Input,
            What::Output(stream) => Kind::Output(*stream),
            What::Random => Kind::Random,
            _ => Kind::File,
        })
    }

    fn get(&self, fd: i32) -> Answer<&Open> {
        self.open.get(&fd).ok_or(Errno::BADF)
    }

    fn get_mut(&mut self, fd: i32) -> Answer<&mut Open> {
        Rc::make_mut(&mut self.open).get_mut(&fd).ok_or(Errno::BADF)
    }

    /// The node that a descriptor leads to, if the overlay has one.
    fn node_of(&self, what: &What) -> Option<NodeId> {
        match what {
            What::Node(id) => Some(*id),
            What::Host { id, .. } => self.tree.taken(*id),
            _ => None,
        }
    }

    /// Opens a file; the lowest free number is its descriptor.
    pub fn open(&mut self, path: &[u8], flags: i32, mode: u32) -> Answer<i32> {
        let what = self.open_what(path, flags, mode)?;
        let access = flags & 3;
        let open = Open {
            what,
            position: 0,
            append: flags & flags::APPEND != 0,
            readable: access != flags::WRITE_ONLY,
            writable: access != 0,
            path: self.absolute(path).into(),
        };
        Ok(self.add(open))
    }

    /// As [`Files::open`], relative to an open directory.
    pub fn open_at(&mut self, dir: i32, path: &[u8], flags: i32, mode: u32) -> Answer<i32> {
        let path = self.under(dir, path)?;
        self.open(&path, flags, mode)
    }

    /// The path that `path` means under an open directory.
    pub fn under(&self, dir: i32, path: &[u8]) -> Answer<Vec<u8>> {
        // -100 is AT_FDCWD.
        if path.starts_with(b"/") || dir == -100 {
            return Ok(path.to_vec());
        }
        let mut full = self.get(dir)?.path.to_vec();
        full.push(b'/');
        full.extend_from_slice(path);
        Ok(full)
    }

    fn add(&mut self, open: Open) -> i32 {
        let table = Rc::make_mut(&mut self.open);
        let mut fd = 3;
        while table.contains_key(&fd) {
            fd += 1;
        }
        table.insert(fd, open);
        fd
    }

    fn open_what(&mut self, path: &[u8], flags: i32, mode: u32) -> Answer<What> {
        match path {
            b"/dev/random" | b"/dev/urandom" => return Ok(What::Random),
            b"/dev/stdin" | b"/proc/self/fd/0" => return Ok(What::Input),
            b"/dev/stdout" | b"/proc/self/fd/1" => return Ok(What::Output(Stream::Out)),
            b"/dev/stderr" | b"/proc/self/fd/2" => return Ok(What::Output(Stream::Err)),
            _ => {}
        }
        if !self.overlay {
            return self.open_host(path, flags, mode);
        }
        let follow = flags & flags::NO_FOLLOW == 0;
        let writing = flags & 3 != 0 || flags & flags::TRUNCATE != 0;
        let walk = self.tree.walk(&self.home, path, follow)?;
        let Some((place, stat)) = walk.found else {
            if flags & flags::CREATE == 0 || path.ends_with(b"/") {
                return Err(Errno::NOENT);
            }
            let parent = walk.parent.ok_or(Errno::ISDIR)?;
            let mode = REGULAR | (mode & 0o7777 & !self.umask);
            let body = Body::File(Content::Memory(Bytes::default()));
            let made = self.create(&parent, &walk.name, body, mode)?;
            self.tell(path, mask::CREATE);
            return Ok(What::Node(made));
        };
        if flags & flags::CREATE != 0 && flags & flags::EXCLUSIVE != 0 {
            return Err(Errno::EXIST);
        }
        if stat.is_link() {
            return Err(Errno::LOOP);
        }
        if stat.is_dir() {
            if writing || flags & flags::CREATE != 0 {
                return Err(Errno::ISDIR);
            }
            self.check(&place, &stat, 4)?;
            return Ok(What::Dir(place));
        }
        if flags & flags::DIRECTORY != 0 {
            return Err(Errno::NOTDIR);
        }
        let wanted = match flags & 3 {
            0 => 4,
            1 => 2,
            _ => 6,
        };
        self.check(&place, &stat, wanted)?;
        if !stat.is_regular() {
            let path = match &place {
                Place::Host(path) => path.clone(),
                Place::Node(id) => match &self.tree.node(*id).body {
                    Body::Other(path) => path.clone(),
                    _ => return Err(Errno::NXIO),
                },
            };
            return host_file(host::open(&path, flags & !flags::TRUNCATE, mode)?);
        }
        if !writing {
            return Ok(match place {
                Place::Node(id) => What::Node(id),
                Place::Host(path) => {
                    let file = Arc::new(host::open(&path, 0, 0)?);
                    What::Host {
                        file,
                        id: (stat.dev, stat.ino),
                    }
                }
            });
        }
        let now = self.now;
        let tree = Rc::make_mut(&mut self.tree);
        let id = tree.own(&place)?;
        if flags & flags::TRUNCATE != 0 {
            tree.change_at(id);
            let node = tree.node_mut(id);
            node.body = Body::File(Content::Memory(Bytes::default()));
            node.stat.modified = now;
            node.stat.changed = now;
            self.tell(path, mask::MODIFY);
        }
        Ok(What::Node(id))
    }

    fn open_host(&mut self, path: &[u8], flags: i32, mode: u32) -> Answer<What> {
        let at = self.host_path(path)?;
        let fresh = self.is_watched() && flags & flags::CREATE != 0 && !at.exists();
        let file = host::open(&at, flags, mode)?;
        if fresh {
            self.tell(path, mask::CREATE);
        } else if flags & flags::TRUNCATE != 0 {
            self.tell(path, mask::MODIFY);
        }
        host_file(file)
    }

    pub fn close(&mut self, fd: i32) -> Answer<()> {
        let closed = Rc::make_mut(&mut self.open).remove(&fd);
        if let What::Queue { reads, .. } = closed.ok_or(Errno::BADF)?.what {
            self.forget_queue(reads);
        }
        Ok(())
    }

    /// A second descriptor for the same file; it has a position of its own.
    pub fn duplicate(&mut self, fd: i32) -> Answer<i32> {
        let copy = self.get(fd)?.clone();
        Ok(self.add(copy))
    }

    /// Makes `to` another descriptor of the file of `from`.
    pub fn duplicate_to(&mut self, from: i32, to: i32) -> Answer<()> {
        let copy = self.get(from)?.clone();
        Rc::make_mut(&mut self.open).insert(to, copy);
        Ok(())
    }

    pub fn is_append(&self, fd: i32) -> bool {
        self.get(fd).is_ok_and(|open| open.append)
    }

    /// Reads at the descriptor's position and moves it on.
    pub fn read(&mut self, fd: i32, buffer: &mut [u8]) -> Answer<usize> {
        let open = self.get(fd)?;
        if let What::Queue { reads, .. } = open.what {
            return self.read_queue(reads, buffer);
        }
        let at = open.position;
        let count = self.read_at(fd, at, buffer)?;
        self.get_mut(fd)?.position = at + count as u64;
        Ok(count)
    }

    pub fn read_at(&self, fd: i32, at: u64, buffer: &mut [u8]) -> Answer<usize> {
        let open = self.get(fd)?;
        if !open.readable {
            return Err(Errno::BADF);
        }
        if let Some(id) = self.node_of(&open.what) {
            return self.tree.read_at(id, at, buffer);
        }
        match &open.what {
            What::Host { file, id } => {
                self.look_at(*id);
                host::read_at(file, at, buffer)
            }
            What::Stream { input, .. } => lock(input).read_at(at, buffer),
            What::Dir(_) => Err(Errno::ISDIR),
            _ => Err(Errno::BADF),
        }
    }

    /// Writes at the descriptor's position (or the end, when it appends).
    pub fn write(&mut self, fd: i32, bytes: &[u8]) -> Answer<usize> {
        let open = self.get(fd)?;
        if let What::Queue {
            writes: Some(queue),
            ..
        } = open.what
        {
            return self.write_queue(queue, bytes);
        }
        let at = if open.append {
            self.size(fd)?
        } else {
            open.position
        };
        let count = self.write_at(fd, at, bytes)?;
        self.get_mut(fd)?.position = at + count as u64;
        Ok(count)
    }

    pub fn write_at(&mut self, fd: i32, at: u64, bytes: &[u8]) -> Answer<usize> {
        let open = self.get(fd)?;
        if !open.writable {
            return Err(Errno::BADF);
        }
        let what = open.what.clone();
        if let What::Stream { file, .. } = &what {
            // Devices swallow; a pipe cannot take back, so it gets nothing while inside.
            let device = host::fstat(file)?.rdev != 0;
            return if self.overlay && !device {
                Err(Errno::PERM)
            } else {
                host::write(file, bytes)
            };
        }
        let id = match (self.node_of(&what), &what) {
            (Some(id), _) => id,
            (None, What::Host { file, .. }) if !self.overlay => {
                let count = host::write_at(file, at, bytes)?;
                self.tell_open(fd, mask::MODIFY);
                return Ok(count);
            }
            (None, What::Host { file, .. }) => Rc::make_mut(&mut self.tree).own_open(file)?,
            _ => return Err(Errno::BADF),
        };
        let now = self.now;
        let tree = Rc::make_mut(&mut self.tree);
        tree.content_mut(id)?.write_at(at, bytes);
        let stat = &mut tree.node_mut(id).stat;
        stat.modified = now;
        stat.changed = now;
        self.tell_open(fd, mask::MODIFY);
        Ok(bytes.len())
    }

    pub fn set_len(&mut self, fd: i32, len: u64) -> Answer<()> {
        let open = self.get(fd)?;
        if !open.writable {
            return Err(Errno::INVAL);
        }
        let what = open.what.clone();
        let id = match (self.node_of(&what), &what) {
            (Some(id), _) => id,
            (None, What::Host { file, .. }) if !self.overlay => {
                file.set_len(len).map_err(host::errno)?;
                self.tell_open(fd, mask::MODIFY);
                return Ok(());
            }
            (None, What::Host { file, .. }) => Rc::make_mut(&mut self.tree).own_open(file)?,
            _ => return Err(Errno::INVAL),
        };
        let now = self.now;
        let tree = Rc::make_mut(&mut self.tree);
        tree.content_mut(id)?.set_len(len);
        let stat = &mut tree.node_mut(id).stat;
        stat.modified = now;
        stat.changed = now;
        self.tell_open(fd, mask::MODIFY);
        Ok(())
    }

    pub fn position(&self, fd: i32) -> Answer<u64> {
        let open = self.get(fd)?;
        match open.what {
            What::Stream { .. } | What::Input | What::Output(_) | What::Queue { .. } => {
                Err(Errno::SPIPE)
            }
            _ => Ok(open.position),
        }
    }

    pub fn seek(&mut self, fd: i32, to: u64) -> Answer<()> {
        self.position(fd)?;
        if to > i64::MAX as u64 {
            return Err(Errno::INVAL);
        }
        self.get_mut(fd)?.position = to;
        Ok(())
    }

    pub fn size(&self, fd: i32) -> Answer<u64> {
        self.fstat(fd).map(|stat| stat.size)
    }

    /// Bytes that can be read without waiting.
    pub fn available(&self, fd: i32) -> Answer<u64> {
        let open = self.get(fd)?;
        match &open.what {
            What::Stream { input, .. } => lock(input).available(open.position),
            What::Random => Ok(0),
            _ => Ok(self.size(fd)?.saturating_sub(open.position)),
        }
    }

    /// Waits until the host has the file on disk (through mode only).
    pub fn sync(&self, fd: i32) -> Answer<()> {
        match &self.get(fd)?.what {
            What::Host { file, .. } if !self.overlay => file.sync_all().map_err(host::errno),
            What::Host { .. } | What::Node(_) | What::Dir(_) => Ok(()),
            _ => Err(Errno::INVAL),
        }
    }

    pub fn fstat(&self, fd: i32) -> Answer<Stat> {
        let open = self.get(fd)?;
        if let Some(node) = self.node_of(&open.what) {
            let stat = self.tree.node_stat(node);
            self.look_at(id(&stat));
            return Ok(stat);
        }
        match &open.what {
            What::Host { file, id } => {
                self.look_at(*id);
                host::fstat(file)
            }
            What::Stream { file, .. } => host::fstat(file),
            What::Dir(Place::Host(path)) => host::stat(path),
            What::Dir(Place::Node(id)) => Ok(self.tree.node_stat(*id)),
            What::Input => streams::standard_stat(0),
            What::Output(Stream::Out) => streams::standard_stat(1),
            What::Output(Stream::Err) => streams::standard_stat(2),
            What::Random => host::stat(std::path::Path::new("/dev/urandom")),
            What::Queue { .. } => Ok(Stat {
                mode: 0o600,
                ..Stat::default()
            }),
            What::Node(_) => Err(Errno::BADF),
        }
    }

    /// The program looks at what a file holds.
    fn look_at(&self, file: (u64, u64)) {
        if self.overlay {
            self.touched().look(Spot::File(file));
        }
    }

    /// As [`Files::tell`], for an open file.
    fn tell_open(&mut self, fd: i32, mask: u32) {
        if self.is_watched()
            && let Ok(open) = self.get(fd)
        {
            let path = open.path.clone();
            self.tell(&path, mask);
        }
    }
}

/// The descriptor of a file that the host opened.
fn host_file(file: File) -> Answer<What> {
    let stat = host::fstat(&file)?;
    if host::is_stream(&file) {
        let file = Arc::new(file);
        let input = Arc::new(Mutex::new(Input::of(file.clone())));
        return Ok(What::Stream { file, input });
    }
    Ok(What::Host {
        file: Arc::new(file),
        id: (stat.dev, stat.ino),
    })
}

/// The process's file-creation mask, read without changing it.
fn umask() -> u32 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("Umask:"));
    line.and_then(|l| u32::from_str_radix(l.trim(), 8).ok())
        .unwrap_or(0o022)
}

/// Nothing is half done when a reader panics.
fn lock(input: &Mutex<Input>) -> MutexGuard<'_, Input> {
    input.lock().unwrap_or_else(PoisonError::into_inner)
}
