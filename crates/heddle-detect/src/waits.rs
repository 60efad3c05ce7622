//! Who waits for whom, read off the machine where it stops.

use crate::wording::{place, whereabouts};
use heddle_model::{MethodId, ObjectId, Site, ThreadId, View, simple_name};

/// What a thread that cannot go on waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wait {
    /// A monitor or other lock, and who holds it.
    Lock(ObjectId, Option<ThreadId>),
    /// The end of a thread.
    Join(ThreadId),
    /// A class, and who initializes it.
    Class(ObjectId, ThreadId),
    /// A notification on an object.
    Notify(ObjectId),
    /// A permit, for the sake of this object.
    Park(Option<ObjectId>),
}

impl Wait {
    /// The thread that could end the wait, if it is a certain one.
    pub fn on(self) -> Option<ThreadId> {
        match self {
            Wait::Lock(_, owner) => owner,
            Wait::Join(thread) | Wait::Class(_, thread) => Some(thread),
            Wait::Notify(_) | Wait::Park(_) => None,
        }
    }
}

/// What a thread waits for with no limit in time.
pub(crate) fn wait_of(view: &dyn View, id: ThreadId) -> Option<Wait> {
    if let Some((class, by)) = view.awaits_class(id) {
        return Some(Wait::Class(class, by));
    }
    match view.state_of(id) {
        ("BLOCKED", Some(object)) => Some(Wait::Lock(object, view.owner(object))),
        ("WAITING", Some(object)) => match view.thread_of(object) {
            // `join` waits on the object of a thread that is alive.
            Some(joined) if is_alive(view, joined) => Some(Wait::Join(joined)),
            _ => Some(Wait::Notify(object)),
        },
        ("WAITING", None) => {
            let reason = view.parked_on(id);
            let owner = reason.and_then(|object| view.synchronizer_owner(object));
            Some(match (reason, owner) {
                (Some(object), Some(_)) => Wait::Lock(object, owner),
                _ => Wait::Park(reason),
            })
        }
        _ => None,
    }
}

/// How the program came to wait.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Manner {
    /// It called `Object.wait` or `Condition.await` itself.
    Condition,
    /// It parked itself.
    Park,
    /// It called this of the library, which waits in its own way, here.
    Library { method: String, at: String },
    /// It is in none of its own code.
    Unknown,
}

impl Manner {
    pub fn of(view: &dyn View, thread: ThreadId) -> Manner {
        let Some(own) = view.own_frame(thread) else {
            return Manner::Unknown;
        };
        // With nothing trusted the innermost frame is the one that waits.
        let called = own.calls.unwrap_or(own.site.method);
        let (class, method) = method_name(view, called);
        match (class.as_str(), method.as_str()) {
            ("java.lang.Object", name) if name.starts_with("wait") => Manner::Condition,
            (class, name) if class.ends_with("$ConditionObject") && name.starts_with("await") => {
                Manner::Condition
            }
            (class, _) if class.ends_with(".LockSupport") || class.ends_with(".Unsafe") => {
                Manner::Park
            }
            (class, name) => Manner::Library {
                method: format!("{}.{name}", simple_name(class)),
                at: whereabouts(view, thread).map_or(String::new(), |site| place(view, site)),
            },
        }
    }
}

fn method_name(view: &dyn View, method: MethodId) -> (String, String) {
    let frame = view.frame(Site { method, bci: -1 });
    (frame.class, frame.method)
}

pub(crate) fn is_alive(view: &dyn View, id: ThreadId) -> bool {
    !matches!(view.state_of(id).0, "TERMINATED" | "NEW")
}

/// Where threads of the library are that have nothing to do: workers of pools between two tasks,
/// timers.
const IDLE: [(&str, &str); 3] = [
    ("java.util.concurrent.ThreadPoolExecutor", "getTask"),
    ("java.util.concurrent.ForkJoinPool", "awaitWork"),
    ("java.util.TimerThread", "mainLoop"),
];

/// Whether a thread waits for work and runs nothing of the program's.
pub(crate) fn is_idle(view: &dyn View, id: ThreadId) -> bool {
    let waits_for_work = |site: &Site| {
        let (class, method) = method_name(view, site.method);
        IDLE.contains(&(class.as_str(), method.as_str()))
    };
    view.own_frame(id).is_none() && view.stack(id).iter().any(waits_for_work)
}

/// Whether a thread goes round a loop that only a change of what it looks at ends. One that is
/// suspended goes nowhere.
pub(crate) fn goes_round(view: &dyn View, id: ThreadId) -> bool {
    view.spins(id) && !view.is_suspended(id)
}

/// From a thread along those it waits for.
pub(crate) struct Chain {
    /// Each thread once, in the order of the chain.
    pub links: Vec<(ThreadId, Wait)>,
    /// Where in `links` the chain comes back to, if it does.
    pub cycle: Option<usize>,
    /// The thread at the end, if it waits for nothing that we know.
    pub end: Option<ThreadId>,
}

impl Chain {
    pub fn from(view: &dyn View, start: ThreadId) -> Chain {
        let mut links: Vec<(ThreadId, Wait)> = Vec::new();
        let mut at = start;
        loop {
            if let Some(back) = links.iter().position(|(thread, _)| *thread == at) {
                return Chain {
                    links,
                    cycle: Some(back),
                    end: None,
                };
            }
            let Some(wait) = wait_of(view, at) else {
                return Chain {
                    links,
                    cycle: None,
                    end: Some(at),
                };
            };
            links.push((at, wait));
            match wait.on() {
                Some(next) => at = next,
                None => {
                    return Chain {
                        links,
                        cycle: None,
                        end: None,
                    };
                }
            }
        }
    }

    /// The cycle it runs into, beginning with the thread of the lowest number, so that it
    /// reads the same in every schedule.
    pub fn cycle(&self) -> Option<Vec<(ThreadId, Wait)>> {
        let mut cycle = self.links[self.cycle?..].to_vec();
        let first = (0..cycle.len()).min_by_key(|&i| cycle[i].0)?;
        cycle.rotate_left(first);
        Some(cycle)
    }
}

/// Whether a cycle consists of locks alone.
pub(crate) fn only_locks(cycle: &[(ThreadId, Wait)]) -> bool {
    cycle.iter().all(|(_, wait)| matches!(wait, Wait::Lock(..)))
}
