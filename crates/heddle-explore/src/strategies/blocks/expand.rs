//! Which threads can be run from a node, and which of them is next.

use super::super::footprint::{Block, LockOp, Top};
use super::node::{ABSENT, Kind, NO_BLOCK, Node, Slot, State, hold};
use super::{Blocks, Rule, Wake};
use heddle_model::{Choice, ChoicePoint, ObjectId, Pause, ThreadId};
use std::ops::Range;

impl<R: Rule> Blocks<R> {
    pub(super) fn push_schedule_node(&mut self, at: &ChoicePoint<'_>, extra: bool) {
        let slots = self.slots.len() as u32;
        let held = self.held.len() as u32;
        if self.nodes.is_empty() {
            // All before the first choice was done by one thread.
            hold(
                &mut self.held,
                0,
                at.by,
                self.footprints.locks_since(Top::default()),
            );
            let options = at.options.iter().enumerate();
            self.slots.extend(options.map(|(i, c)| Slot {
                pick: i as u32,
                ..Slot::fresh(*c)
            }));
        } else {
            let parent = self.nodes[self.running];
            let ran = self.slots[parent.current as usize];
            let block = self.blocks[ran.block as usize];
            self.held
                .extend_from_within(parent.held as usize..self.held_end(self.running));
            let mut locks = self.footprints.locks(&block);
            if self.staying {
                // The last one is what it did not get.
                locks = &locks[..locks.len() - 1];
            }
            hold(&mut self.held, held as usize, ran.choice.thread(), locks);
            let above = parent.slots as usize..slots as usize;
            // The death of the initial thread ends no block, so it wakes nobody.
            let inherit = |all: &Self, slot: Slot| match parent.closed {
                true => slot,
                false => all.inherit(slot, &block),
            };
            // Both are in the same order most of the time.
            let (mut cursor, mut met) = (above.start, 0);
            for (i, choice) in at.options.iter().enumerate() {
                if cursor == above.end || self.slots[cursor].choice != *choice {
                    let found = self.slots[above.clone()]
                        .iter()
                        .position(|s| s.choice == *choice);
                    cursor = found.map_or(above.end, |at| above.start + at);
                }
                let mut slot = Slot::fresh(*choice);
                if cursor != above.end {
                    if choice.thread() != ran.choice.thread() {
                        slot = inherit(self, self.slots[cursor]);
                    }
                    cursor += 1;
                    met += 1;
                }
                self.slots.push(Slot {
                    pick: i as u32,
                    ..slot
                });
            }
            if met < above.len() {
                self.keep_absent(above, at, ran.choice.thread(), inherit);
            }
            if at.pause == Pause::Waiting || self.staying {
                self.wake_for_stays(slots as usize, held as usize, ran.choice.thread());
            }
        }
        self.nodes.push(Node {
            kind: Kind::Schedule,
            slots,
            held,
            current: slots,
            ran: 0,
            top: self.footprints.top(),
            began: self.footprints.top(),
            late: false,
            blocks: self.blocks.len() as u32,
            extra,
            counted: false,
            closed: false,
            given: false,
            redo: None,
        });
    }

    /// A thread has stopped, perhaps for good: runs those that would get stuck behind it and
    /// keep other locks.
    pub(super) fn wake_for_stays(&mut self, slots: usize, held: usize, stopped: ThreadId) {
        if !self.held[held..].iter().any(|h| h.0 == stopped) {
            return;
        }
        let held: Vec<_> = self.held[held..]
            .iter()
            .filter(|h| h.0 == stopped)
            .copied()
            .collect();
        for slot in &mut self.slots[slots..] {
            if slot.state == State::Delayed {
                let block = &self.blocks[slot.block as usize];
                slot.extra |= self.footprints.takes_after_others(block, &held);
            }
        }
    }

    /// One that was woken from a wait cannot run while somebody has the lock that it needs,
    /// but what is known about it stays true.
    pub(super) fn keep_absent(
        &mut self,
        above: Range<usize>,
        at: &ChoicePoint<'_>,
        ran: ThreadId,
        inherit: impl Fn(&Self, Slot) -> Slot,
    ) {
        for i in above {
            let slot = self.slots[i];
            if slot.state != State::Enabled
                && slot.choice.thread() != ran
                && !at.options.contains(&slot.choice)
            {
                let slot = inherit(self, slot);
                if slot.state != State::Enabled {
                    self.slots.push(Slot {
                        pick: ABSENT,
                        ..slot
                    });
                }
            }
        }
    }

    /// What a slot becomes after another thread has run a block.
    #[inline]
    pub(super) fn inherit(&self, mut slot: Slot, ran: &Block) -> Slot {
        match slot.state {
            State::Enabled => return slot,
            State::Delayed => {
                let delayed = &self.blocks[slot.block as usize];
                match R::wake(&self.footprints, delayed, ran) {
                    Wake::Yes => {
                        slot = Slot {
                            state: State::Enabled,
                            extra: false,
                            ..slot
                        }
                    }
                    Wake::Extra => slot.extra = true,
                    Wake::No => {}
                }
            }
            State::Blocked(lock) => {
                if self.footprints.locks(ran).contains(&LockOp::Leave(lock)) {
                    slot = Slot {
                        state: State::Enabled,
                        extra: false,
                        ..slot
                    };
                } else if !slot.extra {
                    let tried = &self.blocks[slot.block as usize];
                    slot.extra = R::retry(&self.footprints, tried, ran);
                }
            }
        }
        if slot.state == State::Enabled {
            slot.block = NO_BLOCK;
        }
        slot
    }

    pub(super) fn held_end(&self, depth: usize) -> usize {
        let later = self.nodes[depth + 1..]
            .iter()
            .find(|n| n.kind == Kind::Schedule);
        later.map_or(self.held.len(), |n| n.held as usize)
    }

    pub(super) fn slots_end(&self, depth: usize) -> usize {
        let later = self.nodes[depth + 1..]
            .iter()
            .find(|n| n.kind == Kind::Schedule);
        later.map_or(self.slots.len(), |n| n.slots as usize)
    }

    /// The slot to run next from the last node: the one of the thread that has just run,
    /// then the enabled ones, then the extra ones. And how many are left after it.
    pub(super) fn candidate(&self, by: Option<ThreadId>) -> Option<(usize, bool)> {
        let node = self.nodes.last().expect("a node");
        if let Some(redo) = node.redo {
            return Some((redo as usize, false));
        }
        if node.closed || node.given {
            return None;
        }
        let first = node.slots as usize;
        let (mut enabled, mut extra, mut left) = (None, None, 0);
        for (i, slot) in self.slots[first..].iter().enumerate() {
            if slot.state == State::Enabled {
                left += 1;
                if enabled.is_none() || by.is_some_and(|by| slot.choice == Choice::Run(by)) {
                    enabled = Some(first + i);
                }
            } else if slot.extra && slot.pick != ABSENT {
                left += 1;
                extra = extra.or(Some(first + i));
            }
        }
        match enabled.or(extra) {
            Some(slot) => Some((slot, left == 1)),
            None => self.stay_candidate().map(|slot| (slot, false)),
        }
    }

    /// A slot of the last node to be left at the lock that stops it.
    pub(super) fn stay_candidate(&self) -> Option<usize> {
        let node = self.nodes.last().expect("a node");
        let first = node.slots as usize;
        let slots = &self.slots[first..];
        let fits = |slot: &Slot| match slot.state {
            State::Blocked(lock) if !slot.stayed && slot.pick != ABSENT => {
                self.footprints
                    .took_before_it_stopped(&self.blocks[slot.block as usize])
                    && self.stopped_for_good(lock, slots.len())
            }
            _ => false,
        };
        slots.iter().position(fits).map(|i| first + i)
    }

    /// Whether the owner of a lock cannot run at the last node, or only into a lock whose
    /// owner cannot, and so on.
    pub(super) fn stopped_for_good(&self, lock: ObjectId, budget: usize) -> bool {
        let node = self.nodes.last().expect("a node");
        let owner = self.held[node.held as usize..].iter().find(|h| h.1 == lock);
        let Some((owner, _)) = owner else {
            return false;
        };
        let slots = &self.slots[node.slots as usize..];
        let mut own = slots
            .iter()
            .filter(|s| s.pick != ABSENT && s.choice.thread() == *owner);
        own.all(|slot| match slot.state {
            State::Blocked(next) => budget > 0 && self.stopped_for_good(next, budget - 1),
            _ => false,
        })
    }
}
