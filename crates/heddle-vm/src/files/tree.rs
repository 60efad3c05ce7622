//! The overlay: what the program changed in the file system while nothing may
//! reach the host.
//!
//! Nodes are files, directories and links that were made or changed. A host file
//! that changes is *taken*: its device and inode number name a node from then on,
//! so every path, hard link and descriptor that leads to it finds the node. A
//! taken directory remembers the host directory beneath and which names in it were
//! added or removed; a removed name is an entry without a node. Paths are walked
//! component by component, links included, over nodes and host alike.

use super::bytes::Bytes;
use super::host::{self, Answer, Errno, Stat, Time};
use super::touched::{Spot, Touched, id};
use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// Number of a node; also its inode number, far above those of any host.
pub type NodeId = u64;

const FIRST_NODE: NodeId = 1 << 48;
/// Symbolic links followed in one walk before it counts as a loop, as in Linux.
const MAX_LINKS: u32 = 40;

/// Where a file is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Node(NodeId),
    Host(PathBuf),
}

/// A file, directory or link that the overlay holds.
#[derive(Clone, Debug)]
pub struct Node {
    pub stat: Stat,
    pub body: Body,
}

#[derive(Clone, Debug)]
pub enum Body {
    File(Content),
    Dir(Dir),
    Link(Vec<u8>),
    /// A device or pipe of the host.
    Other(PathBuf),
}

/// Content of a file: still the host's until it is written.
#[derive(Clone, Debug)]
pub enum Content {
    Host(Arc<File>),
    Memory(Bytes),
}

#[derive(Clone, Debug, Default)]
pub struct Dir {
    entries: BTreeMap<Vec<u8>, Entry>,
    /// The host directory beneath.
    host: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// `None`: the name was removed.
    node: Option<NodeId>,
    /// Order of creation.
    sequence: u64,
}

/// The overlay.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: BTreeMap<NodeId, Rc<Node>>,
    taken: BTreeMap<(u64, u64), NodeId>,
    next: u64,
    pub touched: Touched,
}

/// The end of a walk along a path.
#[derive(Debug)]
pub struct Walk {
    /// Directory of the last component; none for the root itself.
    pub parent: Option<Place>,
    pub name: Vec<u8>,
    pub found: Option<(Place, Stat)>,
    /// The path without links and dots.
    pub real: Vec<u8>,
}

impl Tree {
    /// Follows `path` from the directory `from`; `follow`: also a link at its end.
    pub fn walk(&self, from: &Path, path: &[u8], follow: bool) -> Answer<Walk> {
        if path.is_empty() {
            return Err(Errno::NOENT);
        }
        let mut todo: VecDeque<Vec<u8>> = VecDeque::new();
        if path[0] != b'/' {
            push_components(&mut todo, &host::bytes(from.to_path_buf()));
        }
        push_components(&mut todo, path);
        let directory_wanted = path.ends_with(b"/");
        let root = self.settle(PathBuf::from("/"))?;
        let mut stack: Vec<(Vec<u8>, Place, Stat)> = vec![(Vec::new(), root.0, root.1)];
        let mut links = 0;
        while let Some(name) = todo.pop_front() {
            if name == b"." {
                continue;
            }
            if name == b".." {
                if stack.len() > 1 {
                    stack.pop();
                }
                continue;
            }
            let last = todo.is_empty();
            let (_, dir, of) = &stack[stack.len() - 1];
            let spot = Spot::Name(id(of), &name);
            self.touched.look(spot);
            let Some((place, stat)) = self.child(dir, &name)? else {
                if !last {
                    return Err(Errno::NOENT);
                }
                let real = real_path(&stack, Some(&name));
                self.touched.call(spot, &real);
                return Ok(Walk {
                    parent: Some(dir.clone()),
                    name,
                    found: None,
                    real,
                });
            };
            if stat.is_link() && (!last || follow || directory_wanted) {
                links += 1;
                if links > MAX_LINKS {
                    return Err(Errno::LOOP);
                }
                let target = self.target(&place)?;
                if target.starts_with(b"/") {
                    stack.truncate(1);
                }
                let mut rest = std::mem::take(&mut todo);
                push_components(&mut todo, &target);
                todo.append(&mut rest);
                continue;
            }
            if !last && !stat.is_dir() {
                return Err(Errno::NOTDIR);
            }
            stack.push((name, place, stat));
        }
        let real = real_path(&stack, None);
        let (name, place, stat) = stack.pop().expect("heddle internal error: empty walk");
        if directory_wanted && !stat.is_dir() {
            return Err(Errno::NOTDIR);
        }
        let above = stack.pop();
        if let Some((_, _, above)) = &above {
            self.touched.call(Spot::Name(id(above), &name), &real);
        }
        self.touched.call(Spot::File(id(&stat)), &real);
        let parent = above.map(|(_, place, _)| place);
        Ok(Walk {
            parent,
            name,
            found: Some((place, stat)),
            real,
        })
    }

    /// The place and attributes of a host path, which the overlay may have taken.
    fn settle(&self, path: PathBuf) -> Answer<(Place, Stat)> {
        let stat = host::lstat(&path)?;
        Ok(match self.taken.get(&(stat.dev, stat.ino)) {
            Some(&node) => (Place::Node(node), self.node_stat(node)),
            None => (Place::Host(path), stat),
        })
    }

    fn child(&self, dir: &Place, name: &[u8]) -> Answer<Option<(Place, Stat)>> {
        let beneath = match dir {
            Place::Host(path) => path,
            Place::Node(id) => {
                let Body::Dir(dir) = &self.node(*id).body else {
                    return Err(Errno::NOTDIR);
                };
                match (dir.entries.get(name), &dir.host) {
                    (Some(entry), _) => {
                        return Ok(entry.node.map(|n| (Place::Node(n), self.node_stat(n))));
                    }
                    (None, Some(host)) => host,
                    (None, None) => return Ok(None),
                }
            }
        };
        match self.settle(beneath.join(host::path(name))) {
            Ok(found) => Ok(Some(found)),
            Err(Errno::NOENT) => Ok(None),
            Err(e) => Err(e),
        }
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[&id]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        let node = self
            .nodes
            .get_mut(&id)
            .expect("heddle internal error: no such file node");
        Rc::make_mut(node)
    }

    /// The node that stands for a host file, if it was taken.
    pub fn taken(&self, id: (u64, u64)) -> Option<NodeId> {
        self.taken.get(&id).copied()
    }

    pub fn node_stat(&self, id: NodeId) -> Stat {
        let node = self.node(id);
        let size = match &node.body {
            Body::File(Content::Memory(bytes)) => bytes.len(),
            Body::File(Content::Host(file)) => host::fstat(file).map_or(node.stat.size, |s| s.size),
            Body::Link(target) => target.len() as u64,
            Body::Dir(_) | Body::Other(_) => node.stat.size,
        };
        Stat { size, ..node.stat }
    }

    /// Target of a symbolic link.
    pub fn target(&self, place: &Place) -> Answer<Vec<u8>> {
        match place {
            Place::Host(path) => host::readlink(path),
            Place::Node(id) => match &self.node(*id).body {
                Body::Link(target) => Ok(target.clone()),
                _ => Err(Errno::INVAL),
            },
        }
    }

    /// Names in a directory: the host's in its order, then those added, in theirs.
    pub fn list(&self, place: &Place) -> Answer<Vec<Vec<u8>>> {
        let id = match place {
            Place::Host(path) => {
                self.touched.look(Spot::File(id(&host::stat(path)?)));
                return host::list(path);
            }
            Place::Node(id) => *id,
        };
        self.look_at(id);
        let Body::Dir(dir) = &self.node(id).body else {
            return Err(Errno::NOTDIR);
        };
        let mut names = match &dir.host {
            Some(host) => host::list(host)?,
            None => Vec::new(),
        };
        names.retain(|name| !dir.entries.contains_key(name));
        let mut added: Vec<_> = dir
            .entries
            .iter()
            .filter(|(_, e)| e.node.is_some())
            .collect();
        added.sort_by_key(|(_, e)| e.sequence);
        names.extend(added.into_iter().map(|(name, _)| name.clone()));
        Ok(names)
    }

    /// The node of a place; a host file is taken into the overlay first.
    pub fn own(&mut self, place: &Place) -> Answer<NodeId> {
        let path = match place {
            Place::Node(id) => return Ok(*id),
            Place::Host(path) => path,
        };
        let stat = host::lstat(path)?;
        if let Some(id) = self.taken((stat.dev, stat.ino)) {
            return Ok(id);
        }
        let body = if stat.is_dir() {
            Body::Dir(Dir {
                entries: BTreeMap::new(),
                host: Some(path.clone()),
            })
        } else if stat.is_link() {
            Body::Link(host::readlink(path)?)
        } else if stat.is_regular() {
            Body::File(Content::Host(Arc::new(host::open(path, 0, 0)?)))
        } else {
            Body::Other(path.clone())
        };
        Ok(self.take(stat, body))
    }

    /// As [`Tree::own`], for a host file known by an open descriptor.
    pub fn own_open(&mut self, file: &File) -> Answer<NodeId> {
        let stat = host::fstat(file)?;
        if let Some(id) = self.taken((stat.dev, stat.ino)) {
            return Ok(id);
        }
        let body = Body::File(Content::Host(Arc::new(host::reopen(file)?)));
        Ok(self.take(stat, body))
    }

    fn take(&mut self, stat: Stat, body: Body) -> NodeId {
        let id = self.free_id(Spot::File(id(&stat)));
        self.nodes.insert(id, Rc::new(Node { stat, body }));
        self.taken.insert((stat.dev, stat.ino), id);
        id
    }

    /// A number for a node. It depends on what the node is, not on what else was made
    /// before: threads that have nothing to do with each other do not number each other's.
    fn free_id(&self, of: Spot) -> NodeId {
        let mut id = FIRST_NODE + (u64::from(of.place()) << 16);
        while self.nodes.contains_key(&id) {
            id += 1;
        }
        id
    }

    /// A new node that gets a name in a directory.
    pub fn make(
        &mut self,
        body: Body,
        mode: u32,
        (dir, name): (NodeId, &[u8]),
        now: Time,
    ) -> NodeId {
        let above = self.node(dir).stat;
        let dev = above.dev;
        let id = self.free_id(Spot::Name(id(&above), name));
        let is_dir = matches!(body, Body::Dir(_));
        let stat = Stat {
            mode,
            ino: id,
            dev,
            rdev: 0,
            nlink: if is_dir { 2 } else { 1 },
            uid: rustix::process::geteuid().as_raw(),
            gid: rustix::process::getegid().as_raw(),
            size: if is_dir { 4096 } else { 0 },
            accessed: now,
            modified: now,
            changed: now,
            born: now,
        };
        self.nodes.insert(id, Rc::new(Node { stat, body }));
        id
    }

    /// Gives a directory's name to a node, or takes the name away.
    pub fn enter(&mut self, dir: NodeId, name: &[u8], node: Option<NodeId>, now: Time) {
        self.next += 1;
        let sequence = self.next;
        let above = id(&self.node(dir).stat);
        self.touched.change(Spot::Name(above, name));
        self.touched.change(Spot::File(above));
        let parent = self.node_mut(dir);
        parent.stat.modified = now;
        parent.stat.changed = now;
        let Body::Dir(dir) = &mut parent.body else {
            panic!("heddle internal error: names belong to directories")
        };
        let beneath = dir
            .host
            .as_ref()
            .is_some_and(|h| host::lstat(&h.join(host::path(name))).is_ok());
        if node.is_none() && !beneath {
            dir.entries.remove(name);
        } else {
            dir.entries.insert(name.to_vec(), Entry { node, sequence });
        }
    }

    /// The content of a file node, in memory.
    pub fn content_mut(&mut self, id: NodeId) -> Answer<&mut Bytes> {
        self.change_at(id);
        let node = self.node_mut(id);
        let Body::File(content) = &mut node.body else {
            return Err(Errno::INVAL);
        };
        if let Content::Host(file) = content {
            *content = Content::Memory(read_all(file)?);
        }
        match content {
            Content::Memory(bytes) => Ok(bytes),
            Content::Host(_) => Err(Errno::IO),
        }
    }

    pub fn read_at(&self, id: NodeId, at: u64, buffer: &mut [u8]) -> Answer<usize> {
        self.look_at(id);
        match &self.node(id).body {
            Body::File(Content::Memory(bytes)) => Ok(bytes.read_at(at, buffer)),
            Body::File(Content::Host(file)) => host::read_at(file, at, buffer),
            Body::Dir(_) => Err(Errno::ISDIR),
            Body::Link(_) | Body::Other(_) => Err(Errno::INVAL),
        }
    }

    /// One name fewer for a node.
    pub fn unlinked(&mut self, id: NodeId, now: Time) {
        self.change_at(id);
        let stat = &mut self.node_mut(id).stat;
        stat.nlink = stat.nlink.saturating_sub(1);
        stat.changed = now;
    }

    fn look_at(&self, node: NodeId) {
        self.touched.look(Spot::File(id(&self.node(node).stat)));
    }

    /// What a node holds, or its attributes, are about to change.
    pub fn change_at(&self, node: NodeId) {
        self.touched.change(Spot::File(id(&self.node(node).stat)));
    }

    /// A new empty directory's body.
    pub fn empty_dir() -> Body {
        Body::Dir(Dir::default())
    }
}

fn read_all(file: &File) -> Answer<Bytes> {
    let mut bytes = Bytes::default();
    let mut buffer = vec![0; 1 << 16];
    let mut at = 0;
    loop {
        let count = host::read_at(file, at, &mut buffer)?;
        if count == 0 {
            return Ok(bytes);
        }
        bytes.write_at(at, &buffer[..count]);
        at += count as u64;
    }
}

fn push_components(todo: &mut VecDeque<Vec<u8>>, path: &[u8]) {
    todo.extend(
        path.split(|&b| b == b'/')
            .filter(|c| !c.is_empty())
            .map(<[u8]>::to_vec),
    );
}

fn real_path(stack: &[(Vec<u8>, Place, Stat)], last: Option<&[u8]>) -> Vec<u8> {
    let mut path = Vec::new();
    for name in stack[1..].iter().map(|(name, _, _)| &name[..]).chain(last) {
        path.push(b'/');
        path.extend_from_slice(name);
    }
    if path.is_empty() {
        path.push(b'/');
    }
    path
}
