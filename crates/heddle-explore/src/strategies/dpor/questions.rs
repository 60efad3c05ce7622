//! What threads that may wait in a lock would find there if places had other values: asked of the
//! machine while the thread stands before the lock, so that it is known, when an order is planned that
//! the path has not shown, whether the thread would have to wait there.
//!
//! On another order of the same steps a place has one of the values that it has had before. Which places a
//! thread looks at depends on what it sees: what it does is a tree with a place in each inner node, a branch
//! for each value, and in each leaf whether it waits. The tree is explored as values become known, each leaf
//! once in a search.

use super::Dpor;
use super::awaited::Looks;
use super::resume::{Reader, Writer};
use super::trace::NONE;
use crate::strategies::word;
use heddle_model::{Awaited, OpMask, Place, Supposed, ThreadId, View};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

/// Leaves of a tree that are asked for at most. What is not asked for is tried.
const LEAVES: usize = 256;

#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// The values that places have had that threads look at.
    had: BTreeMap<u32, Vec<u64>>,
    /// How many there are.
    values: usize,
    /// The places by their numbers.
    places: HashMap<u32, Place>,
    /// By the key of a thread: what it sees where it need not wait.
    passes: HashMap<u64, Vec<Looks>>,
    /// By the key of a thread: how many values there were when all of its tree was known.
    answered: HashMap<u64, usize>,
    /// What was asked last.
    asked: (u64, Looks),
}

impl Questions {
    /// A place has had a value.
    pub fn have(&mut self, place: u32, value: u64) {
        if let Some(had) = self.had.get_mut(&place)
            && !had.contains(&value)
        {
            had.push(value);
            self.values += 1;
        }
    }

    /// A place is looked at. These are the values it has had so far on the path.
    pub fn meet(&mut self, number: u32, place: Place, values: impl Iterator<Item = u64>) {
        self.places.insert(number, place);
        if let Entry::Vacant(entry) = self.had.entry(number) {
            entry.insert(Vec::new());
            values.for_each(|value| self.have(number, value));
        }
    }

    /// A thread that sees this need not wait, or it is not known.
    fn pass(&mut self, key: u64, looks: Looks) {
        let known = self.passes.entry(key).or_default();
        if !known.contains(&looks) {
            known.push(looks);
        }
    }

    /// What is to be asked next about a thread: the beginning of a way through its tree.
    fn next(&mut self, key: u64, fails: &[Looks]) -> Option<Looks> {
        if self.answered.get(&key) == Some(&self.values) {
            return None;
        }
        let passes = self.passes.get(&key).map_or(&[][..], |p| p);
        let known = || fails.iter().chain(passes);
        let mut ways = vec![Looks::new()];
        let mut all = true;
        while let Some(way) = ways.pop() {
            let leaves = known().filter(|leaf| leaf.starts_with(&way));
            let Some(leaf) = leaves.max_by_key(|leaf| leaf.len()) else {
                if !way.iter().all(|l| self.places.contains_key(&l.0)) {
                    // It goes on from where it was saved, and nobody has looked there yet.
                    all = false;
                } else if known().count() < LEAVES {
                    return Some(way);
                }
                continue;
            };
            let Some((place, _)) = leaf.get(way.len()) else {
                continue;
            };
            let seen = way.iter().find(|l| l.0 == *place);
            let had = match seen {
                Some((_, value)) => std::slice::from_ref(value),
                None => self.had.get(place).map_or(&[][..], |had| had),
            };
            ways.extend(had.iter().map(|v| [&way[..], &[(*place, *v)]].concat()));
        }
        if all {
            self.answered.insert(key, self.values);
        }
        None
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.push(self.had.len());
        for (place, values) in &self.had {
            out.push(*place as usize);
            out.push(values.len());
            values.iter().for_each(|v| out.push(*v as usize));
        }
    }

    pub(super) fn restore(&mut self, from: &mut Reader<'_>) -> Option<()> {
        for _ in 0..from.number()? {
            let place = from.number()? as u32;
            for _ in 0..from.number()? {
                let value = from.next()?;
                self.had.entry(place).or_default();
                self.have(place, value);
            }
        }
        Some(())
    }
}

impl Dpor {
    /// What is to be asked about the threads that stand before locks.
    pub(super) fn question(&mut self, view: &dyn View) -> Option<Supposed> {
        if !self.stops.has(OpMask::AWAITS) || !self.trace.awaited.on || self.begins_anew {
            return None;
        }
        for thread in (0..view.thread_count() as u32).map(ThreadId) {
            let Some(key) = view.awaits(thread).map(|a| a.key) else {
                continue;
            };
            let awaited = &mut self.trace.awaited;
            let fails = awaited.fails.get(&key).map_or(&[][..], |f| f);
            if let Some(way) = awaited.questions.next(key, fails) {
                let questions = &mut awaited.questions;
                let values = way.iter().map(|(p, v)| (questions.places[p], *v));
                let values = values.collect();
                questions.asked = (key, way);
                return Some(Supposed { thread, values });
            }
        }
        None
    }

    pub(super) fn answer(&mut self, answer: Option<Awaited>) {
        let (key, asked) = std::mem::take(&mut self.trace.awaited.questions.asked);
        let mut looks = Looks::new();
        let lock = answer.as_ref().map(|a| word::monitor(a.lock));
        let lock = lock.map_or(NONE, |lock| self.trace.places.number(lock));
        for (place, value) in answer.iter().flat_map(|a| &a.looks) {
            let number = self.trace.places.number(word::place(*place));
            looks.push((number, *value));
            self.trace.awaited.look(number, lock);
            if asked.iter().all(|l| l.0 != number) {
                self.trace.see_value(*place, *value);
            }
            self.trace.meet_place(number, *place);
            self.trace.awaited.questions.have(number, *value);
        }
        let awaited = &mut self.trace.awaited;
        let answer = answer.filter(|a| a.key == key && looks.starts_with(&asked));
        match answer {
            Some(Awaited { fails: true, .. }) => awaited.fail(key, &looks),
            Some(_) => awaited.questions.pass(key, looks),
            // It cannot be told.
            None => awaited.questions.pass(key, asked),
        }
    }
}
