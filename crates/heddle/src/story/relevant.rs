//! What of a story matters.
//!
//! Accesses and locks matter if more than one thread touches the same thing and one changes
//! it: the rest would be the same in any schedule. What the initial thread does before it
//! starts another one is common to all schedules too, and matters only if the error is
//! about it. What starts, wakes or stops a thread always does; that one ends does if another
//! one looks for that. Of a loop that does the same again and again the first and the last
//! round say it all.

use super::record::{Happening, Touch, Waits, What, Why};
use heddle_model::{Finding, FindingKind, ObjectId, Place, ThreadId, View};
use std::collections::{BTreeMap, BTreeSet};

/// For each happening whether it matters.
pub fn relevant(
    happenings: &[Happening],
    finding: &Finding,
    named: &[usize],
    view: &dyn View,
) -> Vec<bool> {
    let common = Common::new(happenings);
    let joined: BTreeSet<ThreadId> = happenings
        .iter()
        .filter_map(|h| match &h.what {
            What::Joined(thread) => view.thread_of(*thread),
            What::Switch {
                why: Why::Waits(Waits::End(thread)),
                ..
            } => Some(*thread),
            _ => None,
        })
        .collect();
    let about = |object: ObjectId| finding.objects.contains(&object);
    let touched = named.iter().flat_map(|&at| &happenings[at].touches);
    let places: BTreeSet<Place> = touched.map(|t| t.place).collect();
    let matters = |(index, happening): (usize, &Happening)| {
        let touched = happening.touches.iter().map(|t| t.place);
        if index < common.first_start {
            let mut touched = touched;
            return match happening.what {
                What::Lock(on) | What::Unlock(on) => about(on),
                What::Throw(exception) => about(exception),
                What::Write { .. } => {
                    finding.kind == FindingKind::Race && touched.any(|p| places.contains(&p))
                }
                _ => false,
            };
        }
        match &happening.what {
            What::Read { .. } | What::Write { .. } => {
                let mut touched = touched;
                touched.any(|place| common.contested(place))
            }
            What::Call(call) | What::Return(call) => {
                let mut touched = touched;
                call.unparks || touched.any(|place| common.contested(place))
            }
            // Of a deadlock's locks each may have been taken by one thread only.
            What::Lock(on) | What::Unlock(on) => common.is_common(*on) || about(*on),
            What::Throw(exception) => {
                let own = happening.at.is_some_and(|at| !view.trusted(at.method));
                own || about(*exception)
            }
            What::End => joined.contains(&happening.thread),
            _ => true,
        }
    };
    let mut shown: Vec<bool> = happenings.iter().enumerate().map(matters).collect();
    keep_the_last_look(happenings, finding, &mut shown);
    leave_out_rounds(happenings, named, &mut shown);
    keep_the_end(happenings, finding, &mut shown);
    shown
}

/// What the thread that throws looked at last is why it does, whether others have changed
/// it on this path or not.
fn keep_the_last_look(happenings: &[Happening], finding: &Finding, shown: &mut [bool]) {
    let thrown = |h: &Happening| matches!(h.what, What::Throw(e) if finding.objects.contains(&e));
    let Some(at) = happenings.iter().rposition(thrown) else {
        return;
    };
    let looks = |h: &Happening| {
        let told = matches!(h.what, What::Read { .. } | What::Call(_));
        h.thread == happenings[at].thread && told && !h.touches.is_empty()
    };
    if let Some(last) = happenings[..at].iter().rposition(looks) {
        shown[last] = true;
    }
}

/// Things that a round of a loop may consist of.
const LONGEST_ROUND: usize = 8;

fn leave_out_rounds(happenings: &[Happening], named: &[usize], shown: &mut [bool]) {
    let told: Vec<usize> = (0..shown.len()).filter(|&at| shown[at]).collect();
    let does = |at: usize| {
        let happening = &happenings[told[at]];
        (happening.thread, happening.at, &happening.what)
    };
    let mut at = 0;
    while at < told.len() {
        let rounds = |length: usize| {
            let again = |k: &usize| does(*k) == does(k - length);
            let same = (at + length..told.len()).take_while(again).count();
            (length, 1 + same / length)
        };
        let mut most = (1..=LONGEST_ROUND.min(told.len() - at)).map(rounds);
        let Some((length, count)) = most.find(|(_, count)| *count > 2) else {
            at += 1;
            continue;
        };
        let end = at + length * count;
        for &left_out in &told[at + length..end - length] {
            shown[left_out] = named.contains(&left_out);
        }
        at = end;
    }
}

/// The last thing that each thread of the error did is part of it.
fn keep_the_end(happenings: &[Happening], finding: &Finding, shown: &mut [bool]) {
    for &thread in &finding.threads {
        let own = |h: &Happening| {
            h.thread == thread && !matches!(h.what, What::Switch { .. } | What::End)
        };
        if let Some(last) = happenings.iter().rposition(own) {
            shown[last] = true;
        }
    }
}

/// Who uses what, from the first start of a thread on.
pub struct Common {
    /// Index of the happening by which a second thread comes into being.
    pub first_start: usize,
    users: BTreeMap<Place, Users>,
    locks: BTreeMap<ObjectId, BTreeSet<ThreadId>>,
}

#[derive(Default)]
struct Users {
    threads: BTreeSet<ThreadId>,
    written: bool,
}

impl Common {
    pub fn new(happenings: &[Happening]) -> Common {
        let starts = |h: &Happening| matches!(h.what, What::Start(_));
        let first_start = happenings.iter().position(starts);
        let mut common = Common {
            first_start: first_start.unwrap_or(happenings.len()),
            users: BTreeMap::new(),
            locks: BTreeMap::new(),
        };
        for happening in &happenings[common.first_start..] {
            for touch in &happening.touches {
                common.note(happening.thread, touch);
            }
            if let What::Lock(on) = happening.what {
                let users = common.locks.entry(on).or_default();
                users.insert(happening.thread);
            }
        }
        common
    }

    pub fn note(&mut self, thread: ThreadId, touch: &Touch) {
        let users = self.users.entry(touch.place).or_default();
        users.threads.insert(thread);
        users.written |= touch.writes;
    }

    /// Whether more than one thread uses a place, and one of them changes it.
    pub fn contested(&self, place: Place) -> bool {
        let users = self.users.get(&place);
        users.is_some_and(|users| users.threads.len() > 1 && users.written)
    }

    /// Whether more than one thread takes a lock.
    pub fn is_common(&self, lock: ObjectId) -> bool {
        self.locks.get(&lock).is_some_and(|users| users.len() > 1)
    }
}
