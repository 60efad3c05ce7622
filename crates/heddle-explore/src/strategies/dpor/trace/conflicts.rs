//! What touched a place before, what a new step conflicts with by that, and which of those steps it
//! is in a race with.

use super::super::super::word;
use super::super::locks::Link;
use super::making::{Making, Order, Use};
use super::{NONE, Space, Trace, join, reached};

/// One place that a step touched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    /// Twice the number of the place.
    pub(super) place: u32,
    pub(super) step: u32,
    /// The record of the same place before, and the last one that wrote.
    pub(super) previous: u32,
    pub(super) written: u32,
    pub(super) writes: bool,
    /// Of monitors: it is taken without being given back first; it is held afterwards, if by
    /// another thread; neither, but given back.
    pub(super) takes: bool,
    pub(super) holds: bool,
    pub(super) gives: bool,
    /// Of monitors: it was not what the step touched first.
    pub(super) late: bool,
}

impl Trace {
    /// The steps on the path, of those that are there, that one which touches a place now
    /// depends on by that.
    pub(in super::super) fn for_each_before(
        &self,
        word: u32,
        there: impl Fn(u32) -> bool,
        mut each: impl FnMut(u32),
    ) {
        let mut at = self.heads.get(word as usize >> 1).copied().unwrap_or(NONE);
        while at != NONE {
            let record = &self.records[at as usize];
            let there = there(record.step);
            if there && (record.writes || word & 1 != 0) {
                each(record.step);
            }
            at = match (record.writes && there, word & 1) {
                (true, _) => NONE,
                // One that reads has nothing to do with others, of which there may be many.
                (false, 0) => record.written,
                (false, _) => record.previous,
            };
        }
    }

    /// The steps on the path that wrote a place, the last first, until one is found.
    pub(in super::super) fn find_writer(&self, word: u32, mut found: impl FnMut(u32) -> bool) {
        let mut at = self.heads.get(word as usize >> 1).copied().unwrap_or(NONE);
        while at != NONE {
            let record = &self.records[at as usize];
            if record.writes && found(record.step) {
                return;
            }
            at = record.written;
        }
    }

    /// Finds the steps that a step conflicts with; `first` is what it touched first.
    pub(super) fn find_conflicts(&mut self, making: &Making, first: Option<u32>) {
        let Space {
            candidates,
            conflicts,
            data,
            links,
            freed,
            ..
        } = &mut self.space;
        candidates.clear();
        conflicts.clear();
        data.clear();
        links.clear();
        freed.clear();
        for word in &making.words {
            let number = *word as usize >> 1;
            let Some(&head) = self.heads.get(number) else {
                continue;
            };
            if head == NONE {
                continue;
            }
            let last = &self.records[head as usize];
            if word & 1 == 0 {
                let written = if last.writes { head } else { last.written };
                if written != NONE {
                    let record = &self.records[written as usize];
                    conflicts.push(record.step);
                    let mut from = record.step;
                    if record.gives && !word::is_monitor(self.places.all()[number]) {
                        // Whoever uses a class comes after its initialization as a whole, or
                        // begins it himself.
                        freed.push(written);
                        let Some(taken) = taken_in(&self.records, record.written) else {
                            continue;
                        };
                        from = taken.step;
                    }
                    candidates.push(from);
                    data.push(from);
                }
                continue;
            }
            // A call that does other things before it takes a lock can be run while the
            // lock is held: it stops then in its middle.
            let is_lock = making.locks.iter().any(|l| l.lock == word & !1);
            let takes = is_lock && takes(&making.locks, *word);
            let late = takes && first != Some(*word);
            let takes = takes && !late;
            let mut at = head;
            while at != NONE {
                let record = &self.records[at as usize];
                conflicts.push(record.step);
                let mut from = record.step;
                if takes && record.gives {
                    // It gives the lock back; the race is with the step that took it, if
                    // that was one.
                    freed.push(at);
                    let Some(taken) = taken_in(&self.records, record.written) else {
                        break;
                    };
                    from = taken.step;
                }
                candidates.push(from);
                if !is_lock || !record.writes || late || record.takes && record.late {
                    data.push(from);
                } else if self.steps[record.step as usize].thread != making.thread {
                    links.push(Link {
                        lock: word & !1,
                        from,
                        freed: record.step,
                        to: self.steps.len() as u32,
                    });
                }
                if record.writes {
                    break;
                }
                at = record.previous;
            }
        }
        let all = making.order == Order::Last;
        if all || making.order == Order::LastButDaemons {
            for (t, other) in self.threads.iter().enumerate() {
                let meets = all || self.names.is_daemon(t as u32);
                if meets && t != making.thread as usize && other.last != NONE {
                    conflicts.push(other.last);
                    candidates.push(other.last);
                    data.push(other.last);
                }
            }
        }
    }

    pub(super) fn find_races(&mut self) {
        self.races.clear();
        self.hidden.clear();
        if self.space.candidates.is_empty() {
            return;
        }
        let mut candidates = std::mem::take(&mut self.space.candidates);
        let mut reach = std::mem::take(&mut self.space.reach);
        candidates.sort_unstable_by(|a, b| b.cmp(a));
        candidates.dedup();
        reach.clear();
        reach.extend_from_slice(&self.before);
        for &candidate in &candidates {
            let step = &self.steps[candidate as usize];
            if reached(&reach, step.thread) >= step.number {
                continue;
            }
            let mut freed = self.space.freed.iter();
            if freed.any(|f| self.is_needed_for(candidate, *f)) {
                continue;
            }
            self.races.push(candidate);
            if Some(&candidate) != candidates.last() {
                let clock = &self.clocks[step.clock as usize..(step.clock + step.width) as usize];
                join(&mut reach, clock);
            }
        }
        self.space.candidates = candidates;
        self.space.reach = reach;
    }

    /// Whether a lock that was given back at last in this record would be held by somebody
    /// without the step and what comes after it.
    fn is_needed_for(&self, step: u32, freed: u32) -> bool {
        let mut at = freed;
        while let Some(record) = self.records.get(at as usize) {
            if record.step < step || !self.before(step, record.step) {
                return false;
            }
            // It may have been taken before the first choice.
            let taken = taken_in(&self.records, record.written);
            let stays = |taken: &Record| taken.step < step || !self.before(step, taken.step);
            if record.gives && taken.is_none_or(stays) {
                return true;
            }
            at = record.written;
        }
        false
    }

    pub(super) fn record(&mut self, making: &Making, first: Option<u32>, step: u32) {
        if self.heads.len() < self.places.len() {
            self.heads.resize(self.places.len(), NONE);
        }
        let had = self.had.len();
        for word in &making.words {
            let head = &mut self.heads[*word as usize >> 1];
            let previous = *head;
            *head = self.records.len() as u32;
            let written = match self.records.get(previous as usize) {
                Some(record) if !record.writes => record.written,
                _ => previous,
            };
            let mut uses = making.locks.iter().filter(|l| l.lock == word & !1);
            let first_use = uses.next();
            let takes = first_use.is_some_and(|l| l.takes);
            let holds = match (uses.next_back().or(first_use), word & 1) {
                (Some(last), _) => last.takes,
                // The end of a timed wait, say, for which somebody has the lock.
                (None, 0) => false,
                (None, _) => self.records.get(written as usize).is_some_and(|r| r.holds),
            };
            let held = (word & !1, making.thread);
            if first_use.is_some() && !takes && written == NONE && !self.had.contains(&held) {
                self.had.push(held);
            }
            self.records.push(Record {
                place: word & !1,
                step,
                previous,
                written,
                writes: word & 1 != 0,
                takes,
                holds,
                gives: first_use.is_some() && !takes && !holds,
                late: first != Some(*word),
            });
        }
        if self.lazy && self.had.len() > had {
            self.hold_again();
        }
    }

    /// The step that took a lock that is held at the end of the path by another thread.
    pub fn holder(&mut self, lock: u64, thread: u32) -> Option<u32> {
        let word = self.places.number(lock);
        let head = *self.heads.get(word as usize >> 1)?;
        let last = self.records.get(head as usize)?;
        let written = if last.writes { head } else { last.written };
        let holds = self.records.get(written as usize)?.holds;
        let taken = taken_in(&self.records, written).filter(|_| holds)?;
        let other = self.steps[taken.step as usize].thread != thread;
        other.then_some(taken.step)
    }
}

/// The record in which the lock was taken that is held in this one. A step that gives it back and
/// takes it again had it before: nobody can have it in its place.
pub(super) fn taken_in(records: &[Record], at: u32) -> Option<&Record> {
    let mut record = records.get(at as usize)?;
    while record.holds && !record.takes {
        record = records.get(record.written as usize)?;
    }
    Some(record)
}

/// Whether the first thing that a step does with a monitor is to take it.
fn takes(locks: &[Use], word: u32) -> bool {
    let first = locks.iter().find(|l| l.lock == word & !1);
    first.is_some_and(|l| l.takes)
}
