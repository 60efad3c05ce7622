//! What programs do with names: make, remove, rename, list, and look at files. The
//! operations that change something are told to whoever watches in `told.rs`.

use super::host::{self, Answer, Errno, SYMLINK, Stat, Time};
use super::touched::id;
use super::tree::{Body, NodeId, Place, Tree, Walk};
use super::{Files, Listing, What};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

impl Files {
    /// `path` from the root.
    pub fn absolute(&self, path: &[u8]) -> Vec<u8> {
        if path.starts_with(b"/") {
            return path.to_vec();
        }
        let mut full = host::bytes(self.home.to_path_buf());
        full.push(b'/');
        full.extend_from_slice(path);
        full
    }

    pub(super) fn host_path(&self, path: &[u8]) -> Answer<PathBuf> {
        if path.is_empty() {
            return Err(Errno::NOENT);
        }
        Ok(host::path(&self.absolute(path)).to_path_buf())
    }

    fn walk(&self, path: &[u8], follow: bool) -> Answer<Walk> {
        self.tree.walk(&self.home, path, follow)
    }

    fn find(&self, path: &[u8], follow: bool) -> Answer<(Place, Stat)> {
        let found = self.walk(path, follow)?.found.ok_or(Errno::NOENT)?;
        self.look_at(id(&found.1));
        Ok(found)
    }

    /// `stat`, or `lstat` without `follow`.
    pub fn stat(&self, path: &[u8], follow: bool) -> Answer<Stat> {
        if self.overlay {
            return self.find(path, follow).map(|(_, stat)| stat);
        }
        let path = self.host_path(path)?;
        if follow {
            host::stat(&path)
        } else {
            host::lstat(&path)
        }
    }

    /// Whether the process may read (4), write (2), execute (1) a file.
    pub fn access(&self, path: &[u8], wanted: u32) -> Answer<()> {
        if !self.overlay {
            return host::access(&self.host_path(path)?, wanted);
        }
        let (place, stat) = self.find(path, true)?;
        self.check(&place, &stat, wanted)
    }

    pub(super) fn check(&self, place: &Place, stat: &Stat, wanted: u32) -> Answer<()> {
        if let Place::Host(path) = place {
            return host::access(path, wanted);
        }
        let user = rustix::process::geteuid().as_raw();
        if user == 0 {
            let runs = stat.is_dir() || stat.mode & 0o111 != 0 || wanted & 1 == 0;
            return if runs { Ok(()) } else { Err(Errno::ACCESS) };
        }
        let bits = if stat.uid == user {
            stat.mode >> 6
        } else if stat.gid == rustix::process::getegid().as_raw() {
            stat.mode >> 3
        } else {
            stat.mode
        };
        if bits & wanted == wanted {
            Ok(())
        } else {
            Err(Errno::ACCESS)
        }
    }

    /// A new node under a name in a directory, whose permission is checked.
    pub(super) fn create(
        &mut self,
        parent: &Place,
        name: &[u8],
        body: Body,
        mode: u32,
    ) -> Answer<NodeId> {
        let dir = self.own_dir(parent)?;
        let now = self.now;
        let tree = Rc::make_mut(&mut self.tree);
        let id = tree.make(body, mode, (dir, name), now);
        tree.enter(dir, name, Some(id), now);
        Ok(id)
    }

    /// The node of a directory in which a name is about to change.
    fn own_dir(&mut self, parent: &Place) -> Answer<NodeId> {
        let stat = match parent {
            Place::Host(path) => host::stat(path)?,
            Place::Node(id) => self.tree.node_stat(*id),
        };
        if !stat.is_dir() {
            return Err(Errno::NOTDIR);
        }
        self.check(parent, &stat, 3)?;
        Rc::make_mut(&mut self.tree).own(parent)
    }

    /// Where a new name goes; an error if there is one.
    fn vacancy(&self, path: &[u8]) -> Answer<(Place, Vec<u8>)> {
        let walk = self.walk(path, false)?;
        match (walk.found, walk.parent) {
            (None, Some(parent)) => Ok((parent, walk.name)),
            _ => Err(Errno::EXIST),
        }
    }

    pub(super) fn mkdir_quietly(&mut self, path: &[u8], mode: u32) -> Answer<()> {
        if !self.overlay {
            return host::mkdir(&self.host_path(path)?, mode);
        }
        let trimmed = trim_slashes(path);
        let (parent, name) = self.vacancy(trimmed)?;
        let mode = super::DIRECTORY | (mode & 0o7777 & !self.umask);
        self.create(&parent, &name, Tree::empty_dir(), mode)?;
        let dir = Rc::make_mut(&mut self.tree).own(&parent)?;
        Rc::make_mut(&mut self.tree).node_mut(dir).stat.nlink += 1;
        Ok(())
    }

    pub(super) fn symlink_quietly(&mut self, target: &[u8], path: &[u8]) -> Answer<()> {
        if !self.overlay {
            return host::symlink(target, &self.host_path(path)?);
        }
        let (parent, name) = self.vacancy(path)?;
        self.create(&parent, &name, Body::Link(target.to_vec()), SYMLINK | 0o777)?;
        Ok(())
    }

    /// A second name for a file.
    pub(super) fn link_quietly(&mut self, existing: &[u8], path: &[u8]) -> Answer<()> {
        if !self.overlay {
            return host::link(&self.host_path(existing)?, &self.host_path(path)?);
        }
        let (place, stat) = self.find(existing, false)?;
        if stat.is_dir() {
            return Err(Errno::PERM);
        }
        let (parent, name) = self.vacancy(path)?;
        let dir = self.own_dir(&parent)?;
        let now = self.now;
        let tree = Rc::make_mut(&mut self.tree);
        let id = tree.own(&place)?;
        tree.node_mut(id).stat.nlink += 1;
        tree.node_mut(id).stat.changed = now;
        tree.enter(dir, &name, Some(id), now);
        Ok(())
    }

    pub(super) fn unlink_quietly(&mut self, path: &[u8]) -> Answer<()> {
        if !self.overlay {
            return host::unlink(&self.host_path(path)?);
        }
        let walk = self.walk(path, false)?;
        let (place, stat) = walk.found.ok_or(Errno::NOENT)?;
        if stat.is_dir() {
            return Err(Errno::ISDIR);
        }
        let parent = walk.parent.ok_or(Errno::ISDIR)?;
        let dir = self.own_dir(&parent)?;
        let now = self.now;
        let tree = Rc::make_mut(&mut self.tree);
        if let Place::Node(id) = place {
            tree.unlinked(id, now);
        }
        tree.enter(dir, &walk.name, None, now);
        Ok(())
    }

    pub(super) fn rmdir_quietly(&mut self, path: &[u8]) -> Answer<()> {
        if !self.overlay {
            return host::rmdir(&self.host_path(path)?);
        }
        let walk = self.walk(path, false)?;
        let (place, stat) = walk.found.ok_or(Errno::NOENT)?;
        if !stat.is_dir() {
            return Err(Errno::NOTDIR);
        }
        if !self.tree.list(&place)?.is_empty() {
            return Err(Errno::NOTEMPTY);
        }
        let parent = walk.parent.ok_or(Errno::BUSY)?;
        let dir = self.own_dir(&parent)?;
        let now = self.now;
        let tree = Rc::make_mut(&mut self.tree);
        tree.enter(dir, &walk.name, None, now);
        let count = &mut tree.node_mut(dir).stat.nlink;
        *count = count.saturating_sub(1);
        Ok(())
    }

    pub(super) fn rename_quietly(&mut self, from: &[u8], to: &[u8]) -> Answer<()> {
        if !self.overlay {
            return host::rename(&self.host_path(from)?, &self.host_path(to)?);
        }
        let old = self.walk(trim_slashes(from), false)?;
        let (place, stat) = old.found.ok_or(Errno::NOENT)?;
        let new = self.walk(trim_slashes(to), false)?;
        let (Some(old_parent), Some(new_parent)) = (old.parent, new.parent) else {
            return Err(Errno::BUSY);
        };
        let mut inside = old.real.clone();
        inside.push(b'/');
        if new.real.starts_with(&inside) {
            return Err(Errno::INVAL);
        }
        if let Some((target, replaced)) = &new.found {
            if (replaced.dev, replaced.ino) == (stat.dev, stat.ino) {
                return Ok(());
            }
            match (stat.is_dir(), replaced.is_dir()) {
                (true, false) => return Err(Errno::NOTDIR),
                (false, true) => return Err(Errno::ISDIR),
                (true, true) if !self.tree.list(target)?.is_empty() => return Err(Errno::NOTEMPTY),
                _ => {}
            }
        }
        let from_dir = self.own_dir(&old_parent)?;
        let to_dir = self.own_dir(&new_parent)?;
        let now = self.now;
        let tree = Rc::make_mut(&mut self.tree);
        let id = tree.own(&place)?;
        if let Some((Place::Node(replaced), _)) = new.found {
            tree.unlinked(replaced, now);
        }
        tree.enter(from_dir, &old.name, None, now);
        tree.enter(to_dir, &new.name, Some(id), now);
        tree.node_mut(id).stat.changed = now;
        Ok(())
    }

    pub fn readlink(&self, path: &[u8]) -> Answer<Vec<u8>> {
        if !self.overlay {
            return host::readlink(&self.host_path(path)?);
        }
        let (place, stat) = self.find(path, false)?;
        if !stat.is_link() {
            return Err(Errno::INVAL);
        }
        self.tree.target(&place)
    }

    /// The path without links and dots; the file must exist.
    pub fn realpath(&self, path: &[u8]) -> Answer<Vec<u8>> {
        if !self.overlay {
            return host::realpath(&self.host_path(path)?);
        }
        let walk = self.walk(path, true)?;
        walk.found.ok_or(Errno::NOENT)?;
        Ok(walk.real)
    }

    pub(super) fn chmod_quietly(&mut self, path: &[u8], mode: u32) -> Answer<()> {
        if !self.overlay {
            return host::chmod(&self.host_path(path)?, mode);
        }
        let (place, _) = self.find(path, true)?;
        self.change(&place, |stat| {
            stat.mode = stat.mode & super::TYPE | mode & 0o7777
        })
    }

    /// Changes the owner or group; `None` leaves it.
    pub(super) fn chown_quietly(
        &mut self,
        path: &[u8],
        uid: Option<u32>,
        gid: Option<u32>,
        follow: bool,
    ) -> Answer<()> {
        if !self.overlay {
            return host::chown(&self.host_path(path)?, uid, gid, follow);
        }
        let (place, _) = self.find(path, follow)?;
        self.change(&place, |stat| {
            stat.uid = uid.unwrap_or(stat.uid);
            stat.gid = gid.unwrap_or(stat.gid);
        })
    }

    pub(super) fn set_times_quietly(
        &mut self,
        path: &[u8],
        accessed: Time,
        modified: Time,
        follow: bool,
    ) -> Answer<()> {
        if !self.overlay {
            return host::set_times(&self.host_path(path)?, accessed, modified, follow);
        }
        let (place, _) = self.find(path, follow)?;
        self.change(&place, |stat| {
            stat.accessed = accessed;
            stat.modified = modified;
        })
    }

    /// Changes attributes in the overlay; only the owner and root may.
    fn change(&mut self, place: &Place, what: impl FnOnce(&mut Stat)) -> Answer<()> {
        let now = self.now;
        let user = rustix::process::geteuid().as_raw();
        let tree = Rc::make_mut(&mut self.tree);
        let id = tree.own(place)?;
        tree.change_at(id);
        let stat = &mut tree.node_mut(id).stat;
        if user != 0 && stat.uid != user {
            return Err(Errno::PERM);
        }
        what(stat);
        stat.changed = now;
        Ok(())
    }

    pub(super) fn fchmod_quietly(&mut self, fd: i32, mode: u32) -> Answer<()> {
        if let Some(file) = self.host_file_of(fd)? {
            return host::fchmod(&file, mode);
        }
        let place = self.place_of(fd)?;
        self.change(&place, |stat| {
            stat.mode = stat.mode & super::TYPE | mode & 0o7777
        })
    }

    pub(super) fn fchown_quietly(
        &mut self,
        fd: i32,
        uid: Option<u32>,
        gid: Option<u32>,
    ) -> Answer<()> {
        if let Some(file) = self.host_file_of(fd)? {
            return std::os::unix::fs::fchown(&*file, uid, gid).map_err(host::errno);
        }
        let place = self.place_of(fd)?;
        self.change(&place, |stat| {
            stat.uid = uid.unwrap_or(stat.uid);
            stat.gid = gid.unwrap_or(stat.gid);
        })
    }

    pub(super) fn set_times_of_quietly(
        &mut self,
        fd: i32,
        accessed: Time,
        modified: Time,
    ) -> Answer<()> {
        if let Some(file) = self.host_file_of(fd)? {
            return host::set_file_times(&file, accessed, modified);
        }
        let place = self.place_of(fd)?;
        self.change(&place, |stat| {
            stat.accessed = accessed;
            stat.modified = modified;
        })
    }

    /// Extended attributes: of host files in through mode only.
    pub fn list_attributes(&self, fd: i32, buffer: &mut [u8]) -> Answer<usize> {
        host::list_attributes(&*self.attributed(fd)?, buffer)
    }
    pub fn get_attribute(&self, fd: i32, name: &[u8], buffer: &mut [u8]) -> Answer<usize> {
        host::get_attribute(&*self.attributed(fd)?, name, buffer)
    }
    pub fn set_attribute(&self, fd: i32, name: &[u8], value: &[u8]) -> Answer<()> {
        host::set_attribute(&*self.attributed(fd)?, name, value)
    }
    pub fn remove_attribute(&self, fd: i32, name: &[u8]) -> Answer<()> {
        host::remove_attribute(&*self.attributed(fd)?, name)
    }
    fn attributed(&self, fd: i32) -> Answer<Arc<std::fs::File>> {
        self.host_file_of(fd)?.ok_or(Errno::NOTSUP)
    }

    /// The host's file, in through mode.
    fn host_file_of(&self, fd: i32) -> Answer<Option<Arc<std::fs::File>>> {
        Ok(match &self.get(fd)?.what {
            What::Host { file, .. } if !self.overlay => Some(file.clone()),
            _ => None,
        })
    }

    /// Where an open file is in the overlay.
    fn place_of(&mut self, fd: i32) -> Answer<Place> {
        let what = self.get(fd)?.what.clone();
        if let Some(id) = self.node_of(&what) {
            return Ok(Place::Node(id));
        }
        match what {
            What::Dir(place) => Ok(place),
            What::Host { file, .. } => {
                let stat = host::fstat(&file)?;
                if stat.is_dir() {
                    let path = self.get(fd)?.path.to_vec();
                    return Ok(Place::Host(host::path(&path).to_path_buf()));
                }
                Rc::make_mut(&mut self.tree)
                    .own_open(&file)
                    .map(Place::Node)
            }
            _ => Err(Errno::INVAL),
        }
    }

    /// Names in a directory, without `.` and `..`.
    pub fn list(&self, path: &[u8]) -> Answer<Vec<Vec<u8>>> {
        if !self.overlay {
            return host::list(&self.host_path(path)?);
        }
        let (place, stat) = self.find(path, true)?;
        if !stat.is_dir() {
            return Err(Errno::NOTDIR);
        }
        self.check(&place, &stat, 4)?;
        self.tree.list(&place)
    }

    /// Starts to read a directory; the answer is a handle for [`Files::next_name`].
    pub fn open_listing(&mut self, path: &[u8]) -> Answer<i64> {
        let names = self.list(path)?;
        Ok(self.add_listing(names))
    }

    /// As [`Files::open_listing`], for an open directory, which is closed.
    pub fn open_listing_of(&mut self, fd: i32) -> Answer<i64> {
        let open = self.get(fd)?;
        if let What::Stream { .. } | What::Node(_) | What::Input = open.what {
            return Err(Errno::NOTDIR);
        }
        let path = open.path.to_vec();
        let handle = self.open_listing(&path)?;
        self.close(fd)?;
        Ok(handle)
    }

    pub fn next_name(&mut self, handle: i64) -> Answer<Option<Vec<u8>>> {
        let listing = Rc::make_mut(&mut self.listings)
            .get_mut(&handle)
            .ok_or(Errno::BADF)?;
        let name = listing.names.get(listing.next).cloned();
        listing.next += 1;
        Ok(name)
    }

    /// As [`Files::open_listing`], over the lines of a file of the host.
    pub fn open_lines(&mut self, path: &[u8]) -> Answer<i64> {
        let content = std::fs::read(self.host_path(path)?).map_err(host::errno)?;
        let lines = content
            .split(|&b| b == b'\n')
            .filter(|l| !l.is_empty())
            .map(<[u8]>::to_vec);
        Ok(self.add_listing(lines.collect()))
    }

    /// Back to the first name.
    pub fn rewind_listing(&mut self, handle: i64) -> Answer<()> {
        let listing = Rc::make_mut(&mut self.listings)
            .get_mut(&handle)
            .ok_or(Errno::BADF)?;
        listing.next = 0;
        Ok(())
    }

    fn add_listing(&mut self, names: Vec<Vec<u8>>) -> i64 {
        let listings = Rc::make_mut(&mut self.listings);
        let handle = listings.last_key_value().map_or(1, |(last, _)| last + 1);
        listings.insert(
            handle,
            Listing {
                names: Rc::new(names),
                next: 0,
            },
        );
        handle
    }

    pub fn close_listing(&mut self, handle: i64) -> Answer<()> {
        Rc::make_mut(&mut self.listings)
            .remove(&handle)
            .map(|_| ())
            .ok_or(Errno::BADF)
    }

    /// Block size, and blocks in all, free, available, of the file system of a path.
    pub fn space(&self, path: &[u8]) -> Answer<[u64; 4]> {
        host::space(&self.existing_host(path)?)
    }

    /// Longest name in the file system of a path.
    pub fn name_max(&self, path: &[u8]) -> Answer<u64> {
        host::name_max(&self.existing_host(path)?)
    }

    /// The path itself, or for what exists in the overlay only, its nearest ancestor
    /// on the host.
    fn existing_host(&self, path: &[u8]) -> Answer<PathBuf> {
        if !self.overlay {
            return self.host_path(path);
        }
        let walk = self.walk(path, true)?;
        walk.found.ok_or(Errno::NOENT)?;
        let mut path = host::path(&walk.real).to_path_buf();
        while !path.exists() && path.pop() {}
        Ok(path)
    }
}

pub(super) fn trim_slashes(path: &[u8]) -> &[u8] {
    let mut end = path.len();
    while end > 1 && path[end - 1] == b'/' {
        end -= 1;
    }
    &path[..end]
}
