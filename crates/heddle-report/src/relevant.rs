//! What of a story matters.
//!
//! Accesses and locks matter if more than one thread touches the same thing: the rest
//! would be the same in any schedule. What starts, ends, wakes or stops a thread always
//! does, and so does the last thing that each thread did.

use heddle_model::report::{Act, Deed};
use std::collections::{HashMap, HashSet};

/// For each act whether it matters.
pub(crate) fn relevant(trace: &[Act]) -> Vec<bool> {
    let mut users: HashMap<&str, HashSet<usize>> = HashMap::new();
    let mut last: HashMap<usize, usize> = HashMap::new();
    for (index, act) in trace.iter().enumerate() {
        if let Some(thing) = touched(&act.deed) {
            users.entry(thing).or_default().insert(act.thread);
        }
        if !matches!(act.deed, Deed::Switch { .. }) {
            last.insert(act.thread, index);
        }
    }
    let matters = |(index, act): (usize, &Act)| {
        last.get(&act.thread) == Some(&index)
            || match &act.deed {
                Deed::Call(_) | Deed::Return(_) => false,
                deed => touched(deed).is_none_or(|thing| users[thing].len() > 1),
            }
    };
    trace.iter().enumerate().map(matters).collect()
}

/// The place or lock that an act is about.
fn touched(deed: &Deed) -> Option<&str> {
    match deed {
        Deed::Read { place, .. } | Deed::Write { place, .. } => Some(place),
        Deed::Lock(lock) | Deed::Unlock(lock) | Deed::Blocked { lock, .. } => Some(lock),
        _ => None,
    }
}
