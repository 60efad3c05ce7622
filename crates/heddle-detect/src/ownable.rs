//! Locks of `java.util.concurrent`: taken and given back where their owner is set.
//!
//! The library's own synchronizers note their owner for the sake of those who look
//! (`AbstractOwnableSynchronizer`): once when a thread gets the lock, not when it enters it
//! again, and once when it is free. So a write by that method is what `Lock` and `Unlock`
//! are for monitors. Locks that keep no owner (read locks, `StampedLock`) are not seen.

use crate::facts::Facts;
use heddle_model::{MethodId, Site, ThreadId, View};

/// What methods do to locks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ownable(Facts<Role>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    SetsOwner,
    /// Takes a lock only if that needs no waiting, or not for ever.
    TriesLock,
    /// Does something else only if that needs no waiting.
    Tries,
    Other,
}

impl Ownable {
    /// Whether a method writes nothing but the owner of a lock.
    #[inline]
    pub fn sets_owner(&mut self, method: MethodId, view: &dyn View) -> bool {
        self.role(method, view) == Role::SetsOwner
    }

    /// Whether the method that the program called does not wait for a lock without end.
    pub fn only_tries(&mut self, called: Option<MethodId>, view: &dyn View) -> bool {
        let role = called.map(|method| self.role(method, view));
        matches!(role, Some(Role::Tries | Role::TriesLock))
    }

    /// Whether the library, in what it does for a thread now, only tries to take a lock.
    pub fn library_tries(&mut self, thread: ThreadId, view: &dyn View) -> bool {
        let stack = view.stack(thread);
        let mut library = stack.iter().take_while(|site| view.trusted(site.method));
        library.any(|site| self.role(site.method, view) == Role::TriesLock)
    }

    #[inline]
    fn role(&mut self, method: MethodId, view: &dyn View) -> Role {
        self.0.of(method.0, || {
            let frame = view.frame(Site { method, bci: -1 });
            let ownable = frame.class.ends_with(".AbstractOwnableSynchronizer");
            match frame.method.as_str() {
                "setExclusiveOwnerThread" if ownable => Role::SetsOwner,
                "tryLock" => Role::TriesLock,
                name if name.starts_with("try") => Role::Tries,
                _ => Role::Other,
            }
        })
    }
}
