//! Choices: every source of non-determinism comes in this one form.

use crate::{ObjectId, Place, Site, ThreadId};

/// One thing that can happen next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Choice {
    /// This thread goes on.
    Run(ThreadId),
    /// The timed wait of this thread ends now, and the thread goes on.
    Timeout(ThreadId),
    /// The notification at which the running thread stopped wakes this one.
    Wake(ThreadId),
    /// The wait of this thread ends without a reason, and the thread goes on.
    Spurious(ThreadId),
    /// Nothing happens, and the machine is asked again, with other stops. Only while a
    /// schedule is followed ([`crate::OpMask::GUIDED`]).
    Stay(ThreadId),
}

impl Choice {
    /// The thread that the choice is about.
    pub fn thread(self) -> ThreadId {
        match self {
            Choice::Run(t)
            | Choice::Timeout(t)
            | Choice::Wake(t)
            | Choice::Spurious(t)
            | Choice::Stay(t) => t,
        }
    }
}

/// A point where the execution can go on in more than one way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChoicePoint<'a> {
    /// The thread that ran last.
    pub by: ThreadId,
    /// Why it stopped.
    pub pause: Pause,
    /// Never empty, and always in the same order for the same state.
    pub options: &'a [Choice],
}

impl ChoicePoint<'_> {
    /// Whether nothing happens here but waits that end without a reason, which no wait needs to: an
    /// execution may end here, too ([`crate::End::Stuck`]).
    pub fn is_at_rest(&self) -> bool {
        are_at_rest(self.options)
    }
}

/// Whether all that can happen is that waits end without a reason.
pub fn are_at_rest(options: &[Choice]) -> bool {
    options.iter().all(|c| matches!(c, Choice::Spurious(_)))
}

/// Why the running thread stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pause {
    /// Its slice is used up.
    Slice,
    /// It has ended an atomic block: given a monitor back, started a thread, or made a
    /// trusted call that lets others go on. Stops of [`crate::OpMask::BLOCK_END`].
    BlockEnd,
    /// It is about to do this. Stops of [`crate::OpMask::VISIBLE`].
    Before(PendingOp),
    /// It wants a monitor that another thread holds.
    Blocked(ObjectId),
    /// It waits: for a notification, a permit, time, or the end of an initialization.
    Waiting,
    /// It is over.
    ThreadEnd,
    /// It notifies one of several waiting threads: the options are [`Choice::Wake`]s, and
    /// it goes on itself afterwards. To wake itself is to wake nobody: those that could be
    /// woken were interrupted, and may have left the wait set.
    Notify(ObjectId),
    /// It is about to execute a bytecode that the machine watches. Stops of
    /// [`crate::OpMask::GUIDED`] and [`crate::OpMask::ARRIVALS`].
    Arrived(Site),
}

/// What a thread is about to do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PendingOp {
    Read(Place),
    Write(Place),
    /// Taking a monitor or, with [`crate::OpMask::MUTEXES`], a lock of the library.
    Lock(ObjectId),
    /// Taking this lock once more in a loop that has only looked around so far, in vain: nothing
    /// happens before something has changed.
    Poll(ObjectId),
    /// Taking this lock in the middle of a call into trusted code, which holds another one: what
    /// else the rest of the call does is known when it is done.
    LockWithin(ObjectId),
    Unlock(ObjectId),
    /// Waiting for the end of this thread, for as long as it takes: nothing happens before.
    Join(ThreadId),
    /// The same, of a thread that has not been started yet, by the object that stands for it. If
    /// it is not before that, there is nothing to wait for.
    JoinUnborn(ObjectId),
    /// A call into trusted code that returns once something has happened for good (a latch is
    /// open, a future is done), which this object knows: nothing happens before. With
    /// [`crate::OpMask::GATES`].
    Gate {
        by: crate::MethodId,
        object: ObjectId,
    },
    /// A call into trusted code; what it reads and writes is known when it is done.
    Call(crate::MethodId),
    /// A call into trusted code that does nothing but this access (`AtomicInteger.get`).
    Access {
        by: crate::MethodId,
        place: Place,
        writes: bool,
    },
    /// The first step of a thread.
    Begin,
}

/// Index of the option taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Pick(pub usize);
