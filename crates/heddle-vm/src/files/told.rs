//! Changes of names and attributes, told to whoever watches the directory.

use super::Files;
use super::host::{Answer, Stat, Time};
use super::touched::id;
use super::watch::mask;

impl Files {
    pub fn mkdir(&mut self, path: &[u8], mode: u32) -> Answer<()> {
        self.mkdir_quietly(path, mode)?;
        self.tell(path, mask::CREATE | mask::DIRECTORY);
        Ok(())
    }

    pub fn symlink(&mut self, target: &[u8], path: &[u8]) -> Answer<()> {
        self.symlink_quietly(target, path)?;
        self.tell(path, mask::CREATE);
        Ok(())
    }

    /// A second name for a file.
    pub fn link(&mut self, existing: &[u8], path: &[u8]) -> Answer<()> {
        self.link_quietly(existing, path)?;
        self.tell(path, mask::CREATE);
        Ok(())
    }

    pub fn unlink(&mut self, path: &[u8]) -> Answer<()> {
        self.unlink_quietly(path)?;
        self.tell(path, mask::DELETE);
        Ok(())
    }

    pub fn rmdir(&mut self, path: &[u8]) -> Answer<()> {
        let gone = self.if_watched(path);
        self.rmdir_quietly(path)?;
        gone.iter().for_each(|stat| self.tell_end(stat));
        self.tell(path, mask::DELETE | mask::DIRECTORY);
        Ok(())
    }

    pub fn rename(&mut self, from: &[u8], to: &[u8]) -> Answer<()> {
        let (moved, replaced) = (self.if_watched(from), self.if_watched(to));
        self.rename_quietly(from, to)?;
        let same = moved.zip(replaced).is_some_and(|(a, b)| id(&a) == id(&b));
        if let Some(moved) = moved.filter(|_| !same) {
            let kind = if moved.is_dir() { mask::DIRECTORY } else { 0 };
            self.tell(from, mask::MOVED_FROM | kind);
            self.tell(to, mask::MOVED_TO | kind);
            replaced.iter().for_each(|stat| self.tell_end(stat));
        }
        Ok(())
    }

    pub fn chmod(&mut self, path: &[u8], mode: u32) -> Answer<()> {
        self.chmod_quietly(path, mode)?;
        self.tell(path, mask::ATTRIBUTES);
        Ok(())
    }

    /// Changes the owner or group; `None` leaves it.
    pub fn chown(
        &mut self,
        path: &[u8],
        uid: Option<u32>,
        gid: Option<u32>,
        follow: bool,
    ) -> Answer<()> {
        self.chown_quietly(path, uid, gid, follow)?;
        self.tell(path, mask::ATTRIBUTES);
        Ok(())
    }

    pub fn set_times(
        &mut self,
        path: &[u8],
        accessed: Time,
        modified: Time,
        follow: bool,
    ) -> Answer<()> {
        self.set_times_quietly(path, accessed, modified, follow)?;
        self.tell(path, mask::ATTRIBUTES);
        Ok(())
    }

    pub fn fchmod(&mut self, fd: i32, mode: u32) -> Answer<()> {
        self.fchmod_quietly(fd, mode)?;
        self.tell_open(fd, mask::ATTRIBUTES);
        Ok(())
    }

    pub fn fchown(&mut self, fd: i32, uid: Option<u32>, gid: Option<u32>) -> Answer<()> {
        self.fchown_quietly(fd, uid, gid)?;
        self.tell_open(fd, mask::ATTRIBUTES);
        Ok(())
    }

    pub fn set_times_of(&mut self, fd: i32, accessed: Time, modified: Time) -> Answer<()> {
        self.set_times_of_quietly(fd, accessed, modified)?;
        self.tell_open(fd, mask::ATTRIBUTES);
        Ok(())
    }

    /// What a path leads to before it changes, as far as somebody watches.
    fn if_watched(&self, path: &[u8]) -> Option<Stat> {
        match self.is_watched() {
            true => self.stat(path, false).ok(),
            false => None,
        }
    }
}
