//! Locks in which threads wait, in a loop, for what is not so yet ([`heddle_model::Awaited`]):
//! what such threads have looked at, what was written there on the present path, and whether
//! leaving their waits out of the order of steps can make a difference. `awaits` makes use of it.
//!
//! What is learned here holds for the whole search, but for [`Awaited::written`] and
//! [`Awaited::signals`], which lie in stacks that shrink when the search goes back.

use super::questions::Questions;
use super::resume::{Reader, Writer};
use super::trace::Trace;
use crate::strategies::word;
use heddle_model::{Awaited as Seen, Place};
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Clone, Debug, Default)]
pub struct Awaited {
    /// There are such threads. What is below is kept from then on.
    pub on: bool,
    /// It does make a difference, or may.
    pub matters: bool,
    /// What was written on the present path, and who was notified.
    written: Vec<Written>,
    signals: Vec<Signal>,
    /// By the key of a thread: what it has seen when it had to wait.
    pub fails: HashMap<u64, Vec<Looks>>,
    /// What else it would see if places had other values.
    pub questions: Questions,
    /// By the key of a thread: where it must not have to wait, since nobody would notify it.
    suspects: HashMap<u64, Vec<Looks>>,
    /// What places contain before anybody writes to them.
    initial: BTreeMap<u32, u64>,
    /// The locks that everybody has had who wrote to a place.
    guards: BTreeMap<u32, Vec<u32>>,
    /// The lock in which a place is looked at.
    guarded: BTreeMap<u32, u32>,
    /// The threads that may wait in a lock, and those that have notified one thread there and not all:
    /// locks and threads.
    waiters: BTreeSet<(u32, u32)>,
    chosen_by: BTreeSet<(u32, u32)>,
    /// Locks in which threads wait for other reasons.
    others: BTreeSet<u32>,
}

/// Places, by their numbers, and the values there.
pub type Looks = Vec<(u32, u64)>;

#[derive(Clone, Copy, Debug)]
struct Written {
    step: u32,
    place: u32,
    value: u64,
}

/// All threads that wait in a lock were notified, or the only one that can.
#[derive(Clone, Copy, Debug)]
struct Signal {
    step: u32,
    lock: u32,
}

/// Heights of the stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AwaitedTops {
    written: u32,
    signals: u32,
}

impl Awaited {
    pub fn tops(&self) -> AwaitedTops {
        AwaitedTops {
            written: self.written.len() as u32,
            signals: self.signals.len() as u32,
        }
    }

    pub fn back_to(&mut self, to: AwaitedTops) {
        self.written.truncate(to.written as usize);
        self.signals.truncate(to.signals as usize);
    }

    /// Nothing has happened; what was learned is kept, but for what was there at first: what was written
    /// before anybody had to know may have been taken for that.
    pub fn anew(self) -> Awaited {
        Awaited {
            written: Vec::new(),
            signals: Vec::new(),
            initial: BTreeMap::new(),
            ..self
        }
    }

    /// A step has written to a place, by a thread that has these locks.
    pub fn write(&mut self, step: u32, (place, value): (u32, u64), held: &[u32]) {
        self.written.push(Written { step, place, value });
        let guards = self.guards.entry(place).or_insert_with(|| held.to_vec());
        guards.retain(|lock| held.contains(lock));
        let guarded = self.guarded.get(&place);
        self.matters |= guarded.is_some_and(|lock| !guards.contains(lock));
    }

    /// A thread has notified those who wait in a lock, or one of them.
    pub fn notify(&mut self, step: u32, thread: u32, (lock, all): (u32, bool)) {
        self.signals.push(Signal { step, lock });
        if !all {
            self.chosen_by.insert((lock, thread));
            self.count_waiters(lock);
        }
    }

    /// It makes a difference whether one thread is notified or all if there may be two, other
    /// than the one that notifies.
    fn count_waiters(&mut self, lock: u32) {
        let here = |pair: &&(u32, u32)| pair.0 == lock;
        let others = |by: u32| {
            let waiters = self.waiters.iter().filter(here);
            waiters.filter(|(_, waiter)| *waiter != by).count()
        };
        let mut chosen_by = self.chosen_by.iter().filter(here);
        self.matters |= chosen_by.any(|(_, by)| others(*by) > 1);
    }

    /// A thread waits in a lock in a way that can make a difference.
    pub fn wait_otherwise(&mut self, lock: u32) {
        self.others.insert(lock);
        self.matters |= self.waiters.iter().any(|(at, _)| *at == lock);
    }

    /// A thread may wait in a lock.
    fn may_wait_in(&mut self, lock: u32, thread: u32) {
        if self.waiters.insert((lock, thread)) {
            self.matters |= self.others.contains(&lock);
            self.count_waiters(lock);
        }
    }

    /// A place is looked at in a lock: nobody may write to it without.
    pub fn look(&mut self, place: u32, lock: u32) {
        let guarded = *self.guarded.entry(place).or_insert(lock);
        let guards = self.guards.get(&place);
        self.matters |= guarded != lock || guards.is_some_and(|g| !g.contains(&lock));
    }

    /// A thread has to wait if it sees this.
    pub fn fail(&mut self, key: u64, looks: &Looks) {
        let suspects = self.suspects.get(&key).into_iter().flatten();
        for places in suspects {
            // What is not known there may be what it sees.
            let differs = |l: &&(u32, u64)| places.iter().any(|p| p.0 == l.0 && p.1 != l.1);
            self.matters |= !looks.iter().any(|l| differs(&l));
        }
        let known = self.fails.entry(key).or_default();
        if !known.contains(looks) {
            known.push(looks.clone());
        }
    }

    /// The last write to a place by one of those steps that are there.
    fn last_write(&self, place: u32, there: impl Fn(u32) -> bool) -> Option<Written> {
        let mut writes = self.written.iter().rev();
        let found = writes.find(|w| w.place == place && there(w.step));
        found.copied()
    }

    /// This is in a place now. What is there before anybody writes to it, if nobody has.
    fn learn_initial(&mut self, place: u32, value: u64) -> Option<u64> {
        if self.last_write(place, |_| true).is_some() {
            return None;
        }
        self.questions.have(place, value);
        Some(*self.initial.entry(place).or_insert(value))
    }

    /// What is in a place after the steps that are there; `None` if that is not known.
    fn value(&self, place: u32, there: impl Fn(u32) -> bool) -> Option<u64> {
        let written = self.last_write(place, there).map(|w| w.value);
        written.or_else(|| self.initial.get(&place).copied())
    }

    /// The last writers of what a thread sees that has to wait after the steps that are there; `None` if
    /// it is not known that it has to.
    pub fn fails_after(&self, key: u64, there: impl Fn(u32) -> bool + Copy) -> Option<Vec<u32>> {
        let known = self.fails.get(&key)?;
        let is_so = |(place, value): &(u32, u64)| self.value(*place, there) == Some(*value);
        let looks = known.iter().find(|looks| looks.iter().all(is_so))?;
        let writers = looks.iter().filter_map(|l| self.last_write(l.0, there));
        Some(writers.map(|w| w.step).collect())
    }

    /// The last step that wrote to one of these places.
    pub fn last_writer(&self, places: &[u32]) -> Option<u32> {
        let mut writes = self.written.iter().rev();
        let last = writes.find(|w| places.contains(&w.place))?;
        Some(last.step)
    }

    /// Whether all who wait in a lock were notified in these steps.
    pub fn is_signalled(&self, lock: u32, steps: std::ops::RangeInclusive<u32>) -> bool {
        let mut signals = self.signals.iter();
        signals.any(|s| s.lock == lock && steps.contains(&s.step))
    }

    /// A thread can go on that would not be notified if it had had to wait in a lock after the steps
    /// that are there.
    pub fn suspect(&mut self, key: u64, lock: u32, there: impl Fn(u32) -> bool + Copy) {
        if self.fails_after(key, there).is_some() {
            self.matters = true;
            return;
        }
        let looked_at = self.guarded.iter().filter(|(_, l)| **l == lock);
        let places = looked_at.filter_map(|(place, _)| Some((*place, self.value(*place, there)?)));
        let places: Looks = places.collect();
        let known = self.suspects.entry(key).or_default();
        if !known.contains(&places) {
            known.push(places);
        }
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.push(self.on.into());
        out.push(self.initial.len());
        for (place, value) in &self.initial {
            out.push(*place as usize);
            out.push(*value as usize);
        }
        out.push(self.guards.len());
        for (place, locks) in &self.guards {
            out.push(*place as usize);
            out.words(locks);
        }
        out.push(self.guarded.len());
        for (place, lock) in &self.guarded {
            out.words(&[*place, *lock]);
        }
        for known in [&self.fails, &self.suspects] {
            out.push(known.values().map(Vec::len).sum());
            for (key, looks) in known
                .iter()
                .flat_map(|(key, all)| all.iter().map(move |l| (key, l)))
            {
                out.push(*key as usize);
                out.push(looks.len());
                for (place, value) in looks {
                    out.push(*place as usize);
                    out.push(*value as usize);
                }
            }
        }
        self.questions.save(out);
        for pairs in [&self.waiters, &self.chosen_by] {
            out.push(pairs.len());
            pairs
                .iter()
                .for_each(|(lock, thread)| out.words(&[*lock, *thread]));
        }
        out.words(&self.others.iter().copied().collect::<Vec<u32>>());
    }

    pub(super) fn restore(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.on = from.number()? != 0;
        for _ in 0..from.number()? {
            let place = from.number()? as u32;
            self.initial.insert(place, from.next()?);
        }
        for _ in 0..from.number()? {
            let place = from.number()? as u32;
            self.guards.insert(place, from.words()?);
        }
        for _ in 0..from.number()? {
            let pair = from.words()?;
            self.guarded.insert(*pair.first()?, *pair.get(1)?);
        }
        for known in [&mut self.fails, &mut self.suspects] {
            for _ in 0..from.number()? {
                let key = from.next()?;
                let mut looks = Looks::new();
                for _ in 0..from.number()? {
                    looks.push((from.number()? as u32, from.next()?));
                }
                known.entry(key).or_default().push(looks);
            }
        }
        self.questions.restore(from)?;
        for pairs in [&mut self.waiters, &mut self.chosen_by] {
            for _ in 0..from.number()? {
                let pair = from.words()?;
                pairs.insert((*pair.first()?, *pair.get(1)?));
            }
        }
        self.others = from.words()?.into_iter().collect();
        Some(())
    }
}

impl Trace {
    /// A thread stands before a lock in which it may wait: what it would see there.
    pub fn meet_awaited(&mut self, thread: u32, seen: &Seen) -> Looks {
        let lock = self.places.number(word::monitor(seen.lock));
        self.awaited.may_wait_in(lock, thread);
        let mut looks = Looks::new();
        for (place, value) in &seen.looks {
            let number = self.places.number(word::place(*place));
            looks.push((number, *value));
            self.awaited.look(number, lock);
            self.meet_place(number, *place);
            let initial = self.awaited.learn_initial(number, *value);
            self.awaited.matters |= initial.is_some_and(|initial| initial != *value);
        }
        if seen.fails {
            self.awaited.fail(seen.key, &looks);
        }
        looks
    }

    /// Somebody looks at a place in a lock in which threads may wait.
    pub fn meet_place(&mut self, number: u32, place: Place) {
        let Awaited {
            questions,
            written,
            initial,
            ..
        } = &mut self.awaited;
        let written = written.iter().map(|w| (w.place, w.value));
        let all = written.chain(self.making.written.iter().copied());
        let own = all.filter(|w| w.0 == number).map(|w| w.1);
        questions.meet(number, place, own.chain(initial.get(&number).copied()));
    }

    /// A thread looks at a place or is about to write to it, and this is there.
    pub fn see_value(&mut self, place: Place, value: u64) {
        let number = self.places.number(word::place(place));
        let is_written = self.making.written.iter().any(|w| w.0 == number);
        if !self.awaited.initial.contains_key(&number) && !is_written {
            self.awaited.learn_initial(number, value);
        }
    }

    /// Whoever has locks keeps them for a while, or for ever: it is a difference whether others wait
    /// in them or before them.
    pub fn keep_awaited(&mut self) {
        for held in self.locks.held() {
            self.awaited.wait_otherwise(held.lock);
        }
    }
}
