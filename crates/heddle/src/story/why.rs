//! What a story comes down to, where it is one of the usual ones, and what could be done
//! about it.
//!
//! A cause is looked for in what happened, not proved: a lost update that the story has is
//! likely, but not certain to be, what made an assertion fail. So it is worded as what
//! happened, and stands behind the error itself.

use super::names::{Names, is_atomic};
use super::record::{Call, Happening, Touch, Waits, What};
use heddle_model::{Datum, Finding, FindingKind, ObjectId, Place, ThreadId, View};
use std::collections::BTreeMap;

/// The cause and the hint for an error.
#[derive(Default)]
pub struct Advice {
    pub cause: Option<String>,
    pub hint: Option<String>,
}

/// The threads of the program at the end of the story, and what they wait for.
pub type Stuck = [(ThreadId, Option<Waits>)];

pub fn advice(
    finding: &Finding,
    happenings: &[Happening],
    stuck: &Stuck,
    names: &Names<'_>,
    view: &dyn View,
) -> Advice {
    match finding.kind {
        FindingKind::Assertion
        | FindingKind::Exception
        | FindingKind::ExitCode
        | FindingKind::Invariant => {
            let thread = finding.threads.first().copied();
            if let Some(advice) = thread.and_then(|t| woken_too_early(happenings, t, names)) {
                return advice;
            }
            if let Some(lost) = lost_update(happenings, thread, view) {
                return Advice {
                    cause: Some(lost.told(happenings, names)),
                    hint: said(
                        "make the read and the write one atomic step, or guard both with the same lock",
                    ),
                };
            }
            if let Some(changed) = thread.and_then(|t| changed_between(happenings, t, view)) {
                return Advice {
                    cause: Some(changed.told(happenings, names)),
                    hint: said(
                        "what is read and what depends on it belong into one critical section",
                    ),
                };
            }
            came_back(happenings, names, view)
                .or_else(|| calls_crossed(happenings, names, view))
                .unwrap_or_default()
        }
        FindingKind::Race if in_library(finding, view) => Advice {
            cause: None,
            hint: said(
                "guard all calls with the same lock, or use a class that is made for several \
                 threads (java.util.concurrent)",
            ),
        },
        FindingKind::Race | FindingKind::LockDiscipline => Advice {
            cause: None,
            hint: said(
                "guard both accesses with the same lock, or make the field volatile or atomic if \
                 each access stands for itself",
            ),
        },
        FindingKind::LockCycle => Advice {
            cause: None,
            hint: said("take these locks in the same order everywhere"),
        },
        FindingKind::ConditionDeadlock | FindingKind::Deadlock => {
            deadlock(happenings, stuck, names, view)
        }
        FindingKind::Livelock => Advice::default(),
        // The program has a handler for it.
        FindingKind::SwallowedException if finding.is_handled() => Advice::default(),
        FindingKind::SwallowedException => Advice {
            cause: None,
            hint: said(
                "ask the future (get, join, or a stage that handles exceptions), or catch the \
                 exception in the task",
            ),
        },
    }
}

/// Whether an error is about what an object of the library keeps to itself.
fn in_library(finding: &Finding, view: &dyn View) -> bool {
    let of_library = |object: &ObjectId| view.class_of(*object).starts_with("java.util.");
    finding.objects.first().is_some_and(of_library)
}

fn said(hint: &str) -> Option<String> {
    Some(hint.to_string())
}

/// A thread wrote over what another one had written since it read.
struct Crossed {
    place: Place,
    read: (usize, Touch),
    other: (usize, Touch),
    /// The write over it, or the second look.
    then: (usize, Touch),
}

impl Crossed {
    fn told(&self, happenings: &[Happening], names: &Names<'_>) -> String {
        let by = |(index, _): (usize, Touch)| names.thread(happenings[index].thread);
        let value = |(_, touch): (usize, Touch)| names.value(self.place, touch.value);
        let (place, me, other) = (names.place(self.place), by(self.read), by(self.other));
        let (old, new) = (value(self.read), value(self.other));
        match self.then.1.writes {
            true => format!(
                "{me} read {place} = {old} before {other} wrote {new}, and then wrote {} over it: \
                 the update by {other} is lost",
                value(self.then)
            ),
            false => format!(
                "{me} read {place} = {old}, and found {} when it looked again: {other} had written \
                 {new} in between",
                value(self.then)
            ),
        }
    }
}

/// Accesses to a place in their order. What one operation both reads and writes is a write:
/// nothing comes in between. What the library keeps to itself is nothing that a program
/// reads or writes; its atomics are.
fn accesses(happenings: &[Happening], place: Place, view: &dyn View) -> Vec<(usize, Touch)> {
    let mut all: Vec<(usize, Touch)> = Vec::new();
    for (index, happening) in happenings.iter().enumerate() {
        let own = match happening.what {
            What::Return(_) => false,
            What::Call(_) => is_atomic(place.object(), view),
            _ => true,
        };
        if !own {
            continue;
        }
        for touch in happening.touches.iter().filter(|t| t.place == place) {
            match all.last_mut() {
                Some((last, earlier)) if *last == index => {
                    // It counts as a write if it wrote at all.
                    if touch.writes || !earlier.writes {
                        *earlier = *touch;
                    }
                }
                _ => all.push((index, *touch)),
            }
        }
    }
    all
}

fn places(happenings: &[Happening]) -> Vec<Place> {
    let mut places = Vec::new();
    for touch in happenings.iter().flat_map(|h| &h.touches) {
        if touch.writes && !places.contains(&touch.place) {
            places.push(touch.place);
        }
    }
    places
}

/// The last update that was lost, of what the thread that found out looked at last if there
/// is one.
fn lost_update(
    happenings: &[Happening],
    thread: Option<ThreadId>,
    view: &dyn View,
) -> Option<Crossed> {
    let looks = |h: &&Happening| Some(h.thread) == thread && !h.touches.is_empty();
    let last = happenings.iter().rev().find(looks);
    let looked = last.map_or(&[][..], |h| &h.touches);
    let (about, others): (Vec<Place>, Vec<Place>) = places(happenings)
        .into_iter()
        .partition(|place| looked.iter().any(|t| t.place == *place));
    last_lost(happenings, &about, view).or_else(|| last_lost(happenings, &others, view))
}

fn last_lost(happenings: &[Happening], places: &[Place], view: &dyn View) -> Option<Crossed> {
    let mut found: Option<Crossed> = None;
    for &place in places {
        let all = accesses(happenings, place, view);
        for (at, &then) in all.iter().enumerate().filter(|(_, (_, t))| t.writes) {
            let me = happenings[then.0].thread;
            // An atomic operation has read what it writes over.
            if reads_too(&happenings[then.0], place) {
                continue;
            }
            let Some(read) = all[..at]
                .iter()
                .rposition(|(i, _)| happenings[*i].thread == me)
                .filter(|r| !all[*r].1.writes)
            else {
                continue;
            };
            let between = all[read + 1..at].iter();
            let other = between.rev().find(|(_, t)| t.writes).copied();
            if let Some(other) = other
                && found.as_ref().is_none_or(|f| f.then.0 < then.0)
            {
                found = Some(Crossed {
                    place,
                    read: all[read],
                    other,
                    then,
                });
            }
        }
    }
    found
}

fn reads_too(happening: &Happening, place: Place) -> bool {
    let mut touches = happening.touches.iter();
    touches.any(|t| t.place == place && !t.writes)
}

/// Two looks of a thread at the same place that saw different things.
fn changed_between(happenings: &[Happening], thread: ThreadId, view: &dyn View) -> Option<Crossed> {
    let mut found: Option<Crossed> = None;
    for place in places(happenings) {
        let all = accesses(happenings, place, view);
        let mine = |i: &usize| happenings[all[*i].0].thread == thread && !all[*i].1.writes;
        let looks: Vec<usize> = (0..all.len()).filter(mine).collect();
        for pair in looks.windows(2) {
            let (read, then) = (all[pair[0]], all[pair[1]]);
            let between = &all[pair[0] + 1..pair[1]];
            let theirs = |i: usize| happenings[i].thread != thread;
            let other = between
                .iter()
                .rev()
                .find(|(i, t)| t.writes && theirs(*i))
                .copied();
            if let Some(other) = other
                && read.1.value != then.1.value
                && found.as_ref().is_none_or(|f| f.then.0 < then.0)
            {
                found = Some(Crossed {
                    place,
                    read,
                    other,
                    then,
                });
            }
        }
    }
    found
}

/// A thread waited and did not look again when it was woken, while others went on in
/// between.
fn woken_too_early(
    happenings: &[Happening],
    thread: ThreadId,
    names: &Names<'_>,
) -> Option<Advice> {
    let own = |h: &Happening| h.thread == thread;
    let called = |call: &Call, methods: &[&str]| {
        let on = call.arguments.as_ref().and_then(|all| all.first());
        match on {
            Some(Datum::Object(on)) if methods.contains(&names.method(call.method).as_str()) => {
                Some(*on)
            }
            _ => None,
        }
    };
    let waits_on = |h: &Happening| match &h.what {
        What::Wait(on) => Some(*on),
        What::Call(call) => called(call, &["ConditionObject.await"]),
        _ => None,
    };
    let waited = happenings
        .iter()
        .rposition(|h| own(h) && waits_on(h).is_some())?;
    let on = waits_on(&happenings[waited])?;
    let looks = |h: &&Happening| own(h) && !h.touches.is_empty();
    let looked = happenings[..waited].iter().rev().find(looks)?;
    let later = &happenings[waited + 1..];
    let again = |h: &Happening| own(h) && h.at == looked.at;
    const SIGNALS: [&str; 2] = ["ConditionObject.signal", "ConditionObject.signalAll"];
    let woken = later.iter().position(|h| match &h.what {
        What::Notify { on: o, woken } => *o == on && woken.contains(&thread),
        What::Call(call) => called(call, &SIGNALS) == Some(on),
        _ => false,
    })?;
    let goes_on = woken + 1 + later[woken + 1..].iter().position(own)?;
    let before = |h: &&Happening| !own(h) && h.touches.iter().any(|t| t.writes);
    let notifier = later[woken].thread;
    let other = later[woken + 1..goes_on].iter().rev().find(before)?;
    if later.iter().any(again) || other.thread == notifier {
        return None;
    }
    Some(Advice {
        cause: Some(format!(
            "{} was woken, but {} went on before it, and it did not look again at what it had \
             waited for",
            names.thread(thread),
            names.thread(other.thread)
        )),
        hint: said("wait in a loop that looks again: while (…) wait(), not if (…) wait()"),
    })
}

/// A thread compared an atomic with what it had read, and set it: others had changed it in
/// between, and back again.
fn came_back(happenings: &[Happening], names: &Names<'_>, view: &dyn View) -> Option<Advice> {
    let compares =
        |h: &Happening| called(h).is_some_and(|c| names.method(c.method).contains("ompareAndSet"));
    for place in places(happenings).into_iter().rev() {
        let all = accesses(happenings, place, view);
        for (at, &(then, _)) in all.iter().enumerate().rev().filter(|(_, (_, t))| t.writes) {
            let me = happenings[then].thread;
            let expected = happenings[then].touches.iter().find(|t| t.place == place);
            let Some(expected) = expected.filter(|t| !t.writes && compares(&happenings[then]))
            else {
                continue;
            };
            let own = |(i, _): &(usize, Touch)| happenings[*i].thread == me;
            let Some(first) = all[..at].iter().rposition(own) else {
                continue;
            };
            let is_read = !all[first].1.writes && all[first].1.value == expected.value;
            let mut between = all[first + 1..at].iter();
            let changed = between.find(|(_, t)| t.writes && t.value != expected.value);
            if let Some((other, _)) = changed.filter(|_| is_read) {
                return Some(Advice {
                    cause: Some(format!(
                        "{} read {} = {}, and found the same when it compared: {} had changed it \
                         in between, and it was changed back",
                        names.thread(me),
                        names.place(place),
                        names.value(place, expected.value),
                        names.thread(happenings[*other].thread)
                    )),
                    hint: said(
                        "a value that came back looks unchanged: compare a stamp with it, too \
                         (AtomicStampedReference), or never put the same one back",
                    ),
                });
            }
        }
    }
    None
}

/// Two calls of a thread on the same collection or atomic, and one of another thread in between
/// that changed it.
fn calls_crossed(happenings: &[Happening], names: &Names<'_>, view: &dyn View) -> Option<Advice> {
    let on = |h: &Happening| {
        let on = called(h).and_then(receiver)?;
        (is_collection(on, view) || is_atomic(on, view)).then_some(on)
    };
    let changes = |h: &Happening| h.touches.iter().any(|t| t.writes);
    for (at, then) in happenings.iter().enumerate().rev() {
        let Some(object) = on(then).filter(|_| changes(then)) else {
            continue;
        };
        let same = |h: &Happening| on(h) == Some(object);
        let before = &happenings[..at];
        let own = |h: &Happening| h.thread == then.thread && same(h);
        let Some(first) = before.iter().rposition(own) else {
            continue;
        };
        let other = |h: &&Happening| h.thread != then.thread && same(h) && changes(h);
        if let Some(other) = before[first + 1..].iter().rev().find(other) {
            let call = |h: &Happening| names.call(called(h).expect("it is a call"));
            return Some(Advice {
                cause: Some(format!(
                    "{} called {} between the calls {} and {} of {}",
                    names.thread(other.thread),
                    call(other),
                    call(&before[first]),
                    call(then),
                    names.thread(then.thread)
                )),
                hint: said(
                    "each call is atomic, the two together are not: use one that does both (as \
                     putIfAbsent, merge, compareAndSet), or a lock around them",
                ),
            });
        }
    }
    None
}

fn is_collection(object: ObjectId, view: &dyn View) -> bool {
    let kinds = ["java.util.Collection", "java.util.Map"];
    kinds.iter().any(|kind| view.instance_of(object, kind))
}

/// Why nobody wakes the ones that wait.
fn deadlock(happenings: &[Happening], stuck: &Stuck, names: &Names<'_>, view: &dyn View) -> Advice {
    let itself = stuck.iter().find_map(|s| held_itself(s, happenings, names));
    if itself.is_some() {
        return Advice {
            cause: None,
            hint: itself,
        };
    }
    if stuck.iter().any(|s| passed_over(s, happenings)) {
        return Advice {
            cause: None,
            hint: said(WAKE_ALL),
        };
    }
    for (thread, waits) in stuck {
        let Some(Waits::Notification(on)) = waits else {
            continue;
        };
        if let Some(held) = needed_by_another(*thread, stuck, view) {
            return Advice {
                cause: None,
                hint: Some(format!(
                    "do not wait on {} while holding {}: nobody gets in to wake the waiter",
                    names.object(*on),
                    names.object(held)
                )),
            };
        }
        let notified = |h: &&Happening| matches!(&h.what, What::Notify { on: o, .. } if o == on);
        let mut notifications = happenings.iter().filter(notified);
        let nobody =
            |h: &Happening| matches!(&h.what, What::Notify { woken, .. } if woken.is_empty());
        if notifications.clone().any(nobody) {
            return Advice {
                cause: None,
                hint: said(FLAG),
            };
        }
        if notifications.any(|h| matches!(&h.what, What::Notify { woken, .. } if woken.len() == 1))
        {
            return Advice {
                cause: None,
                hint: said(WAKE_ALL),
            };
        }
    }
    if let Some((early, await_)) = stuck.iter().find_map(|s| lost_signal(s, happenings, names)) {
        return Advice {
            cause: Some(format!(
                "{} called {} before {} called {}; a signal that nobody waits for is lost",
                names.thread(early.thread),
                names.call(called(early).expect("it is a call")),
                names.thread(await_.0),
                names.call(&await_.1)
            )),
            hint: said(FLAG),
        };
    }
    if let Some(hint) = stuck
        .iter()
        .find_map(|s| not_given_back(s, happenings, names, view))
    {
        return Advice {
            cause: None,
            hint: Some(hint),
        };
    }
    let waiting: Vec<ThreadId> = stuck
        .iter()
        .filter_map(|(thread, waits)| waits.is_some().then_some(*thread))
        .collect();
    let idle = |class: &str| {
        let in_it = |&thread: &ThreadId| is_thread_of(thread, class, view);
        !waiting.is_empty() && waiting.iter().all(in_it)
    };
    if idle("java.util.TimerThread") {
        return Advice {
            cause: None,
            hint: said(
                "the thread of a Timer keeps the program alive: cancel it when it has done its work, \
                 or make it a daemon (new Timer(true))",
            ),
        };
    }
    if idle("java.util.concurrent.ThreadPoolExecutor") {
        return Advice {
            cause: None,
            hint: said(
                "the workers of a pool keep the program alive: shut it down on every path (shutdown), \
                 or have its threads made as daemons",
            ),
        };
    }
    let hint = stuck.iter().any(|(_, waits)| {
        matches!(
            waits,
            Some(Waits::Notification(_) | Waits::Library { owner: None, .. })
        )
    });
    Advice {
        cause: None,
        hint: hint
            .then(|| "see to it that whoever wakes the waiter does so on every path".to_string()),
    }
}

const FLAG: &str =
    "let the one who wakes set a flag under the lock, and wait only while it is not set";
const WAKE_ALL: &str =
    "notify wakes one thread, perhaps the wrong one: notifyAll wakes all that wait";

/// Whether a thread was waiting when a notification woke another one, which went back to wait.
fn passed_over((thread, waits): &(ThreadId, Option<Waits>), happenings: &[Happening]) -> bool {
    let Some(Waits::Notification(on)) = waits else {
        return false;
    };
    let waits = |h: &Happening, who| h.thread == who && h.what == What::Wait(*on);
    let Some(began) = happenings.iter().rposition(|h| waits(h, *thread)) else {
        return false;
    };
    let since = &happenings[began..];
    since.iter().enumerate().any(|(at, h)| match &h.what {
        What::Notify { on: o, woken } if o == on && woken.len() == 1 => {
            since[at..].iter().any(|later| waits(later, woken[0]))
        }
        _ => false,
    })
}

/// What to say of a thread that waits for a lock of the library which it holds itself in another
/// way: its last call before that changed the same lock, and did not give it back.
fn held_itself(
    (thread, waits): &(ThreadId, Option<Waits>),
    happenings: &[Happening],
    names: &Names<'_>,
) -> Option<String> {
    let Some(Waits::Library {
        call: Some(call),
        on: Some(on),
        ..
    }) = waits
    else {
        return None;
    };
    let method = names.method(call.method);
    let (kind, why) = if method.contains("WriteLock.") {
        let why = "a read lock does not become a write lock: give it back first";
        ("ReadLock.", why)
    } else if method.contains("StampedLock.") {
        ("StampedLock.", "a StampedLock can be taken only once")
    } else {
        return None;
    };
    let changes = |h: &&Happening| {
        let mut written = h.touches.iter().filter(|t| t.writes);
        h.thread == *thread && written.any(|t| t.place.object() == *on)
    };
    // The one that it is in is no call that has taken the lock.
    let is_over = |c: &&Call| c.method != call.method || c.result.is_some();
    let calls = happenings.iter().filter(changes).filter_map(called);
    let mut held = 0;
    for name in calls.filter(is_over).map(|c| names.method(c.method)) {
        let does = name.rsplit('.').next().unwrap_or_default();
        match does {
            _ if !name.contains(kind) => {}
            "lock" | "tryLock" | "readLock" | "writeLock" | "tryReadLock" | "tryWriteLock" => {
                held += 1;
            }
            _ if does.starts_with("unlock") => held -= 1,
            _ => {}
        }
    }
    let who = names.thread(*thread);
    (held > 0).then(|| format!("{who} holds the lock itself: {why}"))
}

/// Whether a thread is one of the library's, in code of this class, and in none of the program.
fn is_thread_of(thread: ThreadId, class: &str, view: &dyn View) -> bool {
    let stack = view.stack(thread);
    let mut frames = stack.iter().map(|site| view.frame(*site).class);
    view.own_frame(thread).is_none() && frames.any(|c| c == class)
}

/// What to say of a thread that waits for a lock or a permit which another one has taken with it
/// to its end. A semaphore that is released by whom has not acquired it is a signal, and nothing
/// is to be given back.
fn not_given_back(
    (_, waits): &(ThreadId, Option<Waits>),
    happenings: &[Happening],
    names: &Names<'_>,
    view: &dyn View,
) -> Option<String> {
    let Some(Waits::Library { on: Some(on), .. }) = waits else {
        return None;
    };
    let mut taken: BTreeMap<ThreadId, (i32, ObjectId)> = BTreeMap::new();
    for happening in happenings {
        let mut touches = happening.touches.iter();
        let Some(call) = called(happening) else {
            continue;
        };
        if !touches.any(|t| t.writes && t.place.object() == *on) {
            continue;
        }
        let method = names.method(call.method);
        let does = method.rsplit('.').next().unwrap_or_default();
        let gives = GIVES.iter().any(|word| does.starts_with(word));
        let takes = TAKES.iter().any(|word| does.contains(word));
        let lock = receiver(call).filter(|_| gives || takes)?;
        let taken = taken.entry(happening.thread).or_insert((0, lock));
        taken.0 += if gives { -1 } else { 1 };
        if taken.0 < 0 {
            return None;
        }
    }
    let ended = |thread: ThreadId| view.state_of(thread).0 == "TERMINATED";
    let mut taken = taken.into_iter();
    let (thread, (_, lock)) = taken.find(|(thread, (left, _))| *left > 0 && ended(*thread))?;
    let what = match view.class_of(lock).ends_with(".Semaphore") {
        true => ("a permit of ", "release"),
        false => ("", "unlock"),
    };
    Some(format!(
        "{} ended and kept {}{}: give it back in a finally block ({})",
        names.thread(thread),
        what.0,
        names.object(lock),
        what.1
    ))
}

/// Methods that take a lock or a permit, and that give it back.
const TAKES: [&str; 4] = ["lock", "Lock", "acquire", "Acquire"];
const GIVES: [&str; 2] = ["unlock", "release"];

/// A signal of a condition that came before the wait for it, and the wait.
fn lost_signal<'h>(
    (thread, waits): &(ThreadId, Option<Waits>),
    happenings: &'h [Happening],
    names: &Names<'_>,
) -> Option<(&'h Happening, (ThreadId, Call))> {
    let Some(Waits::Library {
        call: Some(call), ..
    }) = waits
    else {
        return None;
    };
    let on = receiver(call).filter(|_| names.method(call.method).ends_with(".await"))?;
    let is_signal = |h: &&Happening| {
        called(h).is_some_and(|c| {
            let name = names.method(c.method);
            receiver(c) == Some(on) && (name.ends_with(".signal") || name.ends_with(".signalAll"))
        })
    };
    let began = happenings
        .iter()
        .rposition(|h| h.thread == *thread && called(h).is_some_and(|c| receiver(c) == Some(on)))?;
    let early = happenings[..began].iter().rev().find(is_signal)?;
    Some((early, (*thread, call.clone())))
}

/// The object that a call is made on.
fn receiver(call: &Call) -> Option<ObjectId> {
    match call.arguments.as_ref()?.first()? {
        Datum::Object(on) if !call.is_static => Some(*on),
        _ => None,
    }
}

fn called(happening: &Happening) -> Option<&Call> {
    match &happening.what {
        What::Call(call) => Some(call),
        _ => None,
    }
}

/// A lock of a thread's that another one wants.
fn needed_by_another(thread: ThreadId, stuck: &Stuck, view: &dyn View) -> Option<ObjectId> {
    stuck.iter().find_map(|(other, waits)| match waits {
        Some(Waits::Lock(lock, _)) if *other != thread && view.owner(*lock) == Some(thread) => {
            Some(*lock)
        }
        _ => None,
    })
}
