//! What ExitBlock and ExitBlock-RW have in common: the depth-first search over atomic
//! blocks of Rivet, sections 2.3 to 2.5.
//!
//! An atomic block is what a thread does from one stop of [`OpMask::BLOCK_END`] to the
//! next: it ends where a monitor is given back, a thread started, a wait begun, or where
//! a started thread dies. The death of the initial thread is a stop too, but no branch is
//! stored for it: it notifies nobody and, under the locking discipline, touches nothing
//! that is shared.
//!
//! At every node of the tree each thread that the machine can run is in one of three
//! states: *enabled*, *delayed* (it ran from this state, or from one before it, and what
//! happened since does not call for running it again), or *blocked* (it ran into a lock
//! that another thread holds, and its block was undone). The thread that ran last goes on
//! as long as it is enabled, then the others follow in the machine's order. After one was
//! run with all that follows it is delayed, and the next is run from the same state. So
//! all threads delayed so far stay delayed in a branch, which figure 2.7 of Rivet forgets
//! and which loses schedules of three threads. Which delayed threads are enabled again
//! after a block is all in which the two algorithms differ: see [`Rule`].
//!
//! A path is counted where no thread is enabled, if it got there by a block. A
//! notification of several waiting threads is a choice within a block: one branch each.
//!
//! ## Extra schedules
//!
//! Read literally, the algorithms lose behaviours, and the counts that Rivet published
//! are those of the literal reading. Both are kept: the literal tree is explored and
//! counted as it stands, and where that is not enough a thread is run from a node at
//! which the literal algorithm has no enabled thread left. All below such a branch counts
//! as extra ([`Strategy::extra`]); there the full rule holds. What calls for it:
//!
//! - *A blocked thread* is tried again by Rivet only when the lock is given back. But the
//!   block that was undone may have read something, under another lock that it had taken,
//!   which changed since, and may not want the lock any more. [`Rule::retry`].
//! - *A delayed thread* in ExitBlock-RW: see there.
//!
//! ## Deadlocks
//!
//! *Threads stuck at the ends of blocks* (condition deadlocks, and lock cycles over locks
//! taken in different blocks). Where nobody is enabled, no extra branch is due and no
//! block was run, all who could run are blocked, or delayed with a block that needs a
//! lock that another thread holds now. Then they are all let run into their locks: the
//! machine gets stuck, and the detectors see a real deadlock with a real schedule. If one
//! gets through after all, nothing was stuck.
//!
//! *Threads stuck behind one that is stuck within a block.* `w: l{ k{ wait k } }`,
//! `t: m{ l{} }`, `n: m{} k{ notify k }`: if `t` takes `m` and then wants `l` while `w`
//! waits, `n` never gets to notify. Rivet undoes the block of `t` and sees `n` get through
//! in every schedule; its proof (theorem 5, case 2) overlooks that. Here a thread that ran
//! into a lock with others taken on the way is also left there, as an extra schedule, if
//! the owner of that lock waits or is stopped itself. Once the lock is given back the rest
//! is the same as if the block had begun later, and is not explored. To see these cases
//! ExitBlock-RW runs a delayed thread that would get into one when another begins to wait.
//!
//! *Lock cycles within blocks* cannot be run into, because a block never stops before a
//! lock. They are predicted from what the blocks that leave one node did, and confirmed
//! by a schedule: see `lock_cycles`. Rivet's reverse lock chain analysis looks at the
//! last lock held by each thread when a thread cannot take a lock; it depends on that
//! failure being on an explored path, which the pruning of ExitBlock-RW may have removed
//! (figure 2.17), and it may be wrong where what a thread does depends on what another
//! did under the lock in question.
//!
//! Left out: races are not looked for. The algorithms are complete for programs that
//! follow the locking discipline, which a detector has to watch over.

mod detour;
mod expand;
mod node;

use super::footprint::{Block, Footprints, LockOp, Top};
use super::lock_cycles::{Cycle, LockCycles};
use detour::Detour;
use heddle_model::{
    Choice, ChoicePoint, Decision, Event, EventMask, Next, ObjectId, OpMask, Over, Pause,
    PendingOp, Pick, Strategy, ThreadId, View,
};
use node::{Kind, NO_BLOCK, Node, Slot, State};
use std::marker::PhantomData;

/// In what the algorithms differ.
pub trait Rule {
    /// Reads and writes, if they matter.
    const ACCESSES: EventMask;

    /// A thread is delayed with block `delayed`, and `ran` was run by another.
    fn wake(footprints: &Footprints, delayed: &Block, ran: &Block) -> Wake;

    /// A thread was blocked in the midst of `tried`, `ran` was run by another, and the
    /// lock is still taken: whether to try it again.
    fn retry(footprints: &Footprints, tried: &Block, ran: &Block) -> bool;
}

/// What becomes of a delayed thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wake {
    No,
    /// As published.
    Yes,
    /// Only for what the published algorithm loses.
    Extra,
}

/// The search.
#[derive(Clone, Debug)]
pub struct Blocks<R> {
    /// By depth.
    nodes: Vec<Node>,
    slots: Vec<Slot>,
    blocks: Vec<Block>,
    footprints: Footprints,
    /// For each scheduling node, who holds what.
    held: Vec<(ThreadId, ObjectId)>,
    /// Depth of the node whose block is being run.
    running: usize,
    /// Where that block began in the footprints.
    began: Top,
    cycles: LockCycles,
    detour: Detour,
    initial: Option<ThreadId>,
    /// Picks to follow without exploring what lies before them, from the last to the first.
    resuming: Vec<u32>,
    /// Nodes above this depth are another worker's.
    floor: usize,
    /// The block that is being run was explored before the search was resumed.
    explored: bool,
    /// `next` has said where to go on, and `choose` was not called yet.
    between: bool,
    schedules: u64,
    extra: u64,
    pruned: bool,
    /// The thread that is being run is to stay at the lock that stops it.
    staying: bool,
    /// Threads that stay at a lock, with the depth of the node where they got there.
    stays: Vec<(usize, ThreadId)>,
    rule: PhantomData<R>,
}

impl<R: Rule> Blocks<R> {
    pub fn new() -> Self {
        Blocks {
            nodes: Vec::new(),
            slots: Vec::new(),
            blocks: Vec::new(),
            footprints: Footprints::default(),
            held: Vec::new(),
            running: 0,
            began: Top::default(),
            cycles: LockCycles::default(),
            detour: Detour::None,
            initial: None,
            resuming: Vec::new(),
            floor: 0,
            explored: false,
            between: false,
            schedules: 0,
            extra: 0,
            pruned: false,
            staying: false,
            stays: Vec::new(),
            rule: PhantomData,
        }
    }

    /// Lock cycles that were confirmed by a schedule.
    pub fn confirmed_cycles(&self) -> usize {
        self.cycles.confirmed()
    }

    fn prune(&mut self) -> Decision {
        self.pruned = true;
        Decision::Prune
    }

    /// A block has ended at a new choice point.
    fn arrive(&mut self, at: &ChoicePoint<'_>, view: &dyn View, depth: usize) -> Decision {
        let extra = match self.nodes.is_empty() {
            true => false,
            false => {
                let extra = self.block_done(false);
                self.staying = false;
                if at.pause == Pause::ThreadEnd && self.is_initial(at.by, view) {
                    self.nodes[self.running].closed = true;
                }
                if let Some(cycle) = self.cycles_here() {
                    // Back to the node to confirm it, then here again.
                    let node = &mut self.nodes[self.running];
                    node.redo = Some(node.current);
                    node.ran -= 1;
                    let current = node.current as usize;
                    self.slots[current].block = NO_BLOCK;
                    self.detour = Detour::Planned(self.running, cycle);
                    return self.prune();
                }
                let stays = |c: &Choice| self.stays.iter().any(|s| s.1 == c.thread());
                if self.explored || !self.stays.is_empty() && at.options.iter().any(stays) {
                    return self.prune();
                }
                extra
            }
        };
        self.push_schedule_node(at, extra);
        self.pick(at.by, depth, true)
    }

    /// Chooses at the last node, which is at `depth`.
    fn pick(&mut self, by: ThreadId, depth: usize, fresh: bool) -> Decision {
        let Some((slot, last)) = self.candidate(fresh.then_some(by)) else {
            self.count_here();
            if fresh && self.seems_stuck() {
                self.detour = Detour::Drain;
                return Decision::Last(Pick(0));
            }
            return self.prune();
        };
        if self.slots[slot].state != State::Enabled && self.nodes[depth].redo.is_none() {
            // The published algorithm ends here.
            self.count_here();
        }
        let node = &mut self.nodes[depth];
        let again = node.redo.is_some();
        let picked = &mut self.slots[slot];
        self.staying = matches!(picked.state, State::Blocked(_)) && !picked.extra;
        picked.stayed |= self.staying;
        node.redo = None;
        node.current = slot as u32;
        node.began = self.footprints.begin();
        self.running = depth;
        self.began = node.began;
        let pick = Pick(self.slots[slot].pick as usize);
        if again {
            // As it was the first time.
        } else if let Some(wanted) = self.resuming.last() {
            self.explored = *wanted != self.slots[slot].code();
            if !self.explored {
                self.resuming.pop();
            }
        } else {
            self.explored = false;
        }
        if last {
            Decision::Last(pick)
        } else {
            Decision::Take(pick)
        }
    }

    /// Counts the path that ends at the last node, if one does.
    fn count_here(&mut self) {
        let node = self.nodes.last_mut().expect("a node");
        if node.ran == 0 && !node.counted {
            node.counted = true;
            if self.explored || !self.resuming.is_empty() {
                // Counted before the search was resumed.
                return;
            }
            match node.extra {
                true => self.extra += 1,
                false => self.schedules += 1,
            }
        }
    }

    /// Schedules and extra ones, with the path that ends at the last node if it is counted as
    /// soon as the search goes on: one that is resumed takes all that it passes for counted.
    fn counts_when_resumed(&self) -> (u64, u64) {
        let (mut schedules, mut extra) = (self.schedules, self.extra);
        let last = self.nodes.last().filter(|_| self.between);
        if let Some(node) = last
            && node.kind == Kind::Schedule
            && (node.ran, node.counted, node.redo) == (0, false, None)
            && let Some((slot, _)) = self.candidate(None)
            && self.slots[slot].state != State::Enabled
        {
            let count = if node.extra {
                &mut extra
            } else {
                &mut schedules
            };
            *count += 1;
        }
        (schedules, extra)
    }

    /// Whether everybody who could run at the last node, from which nobody could, must be
    /// expected to be stopped by a lock.
    fn seems_stuck(&self) -> bool {
        let node = self.nodes.last().expect("a node");
        let held = &self.held[node.held as usize..];
        let stopped = |slot: &Slot| match slot.state {
            State::Enabled => false,
            State::Blocked(_) => true,
            State::Delayed => {
                let locks = self.footprints.locks(&self.blocks[slot.block as usize]);
                held.iter().any(|(owner, lock)| {
                    *owner != slot.choice.thread() && locks.contains(&LockOp::Enter(*lock))
                })
            }
        };
        node.ran == 0 && self.slots[node.slots as usize..].iter().all(stopped)
    }

    /// The block that was being run has come to its end. True if all that follows it is
    /// extra.
    fn block_done(&mut self, exits: bool) -> bool {
        let mut block = self.footprints.finish(self.began);
        block.exits = exits;
        let node = &mut self.nodes[self.running];
        node.ran += 1;
        let slot = &mut self.slots[node.current as usize];
        slot.block = self.blocks.len() as u32;
        self.blocks.push(block);
        node.extra || slot.state != State::Enabled
    }

    /// The block that was being run cannot go on: it is undone.
    fn block_undone(&mut self, lock: ObjectId) {
        self.footprints.record_attempt(lock);
        let block = self.footprints.finish(self.began);
        if !self.staying {
            // Choices within the block do not matter if it is undone.
            self.nodes.truncate(self.running + 1);
        }
        let current = self.nodes[self.running].current as usize;
        let slot = &mut self.slots[current];
        slot.block = self.blocks.len() as u32;
        slot.state = State::Blocked(lock);
        slot.extra = false;
        self.blocks.push(block);
    }

    /// The running thread cannot take a lock.
    fn blocked(&mut self, at: &ChoicePoint<'_>, lock: ObjectId, depth: usize) -> Decision {
        self.block_undone(lock);
        if self.staying {
            if self.explored {
                return self.prune();
            }
            self.push_schedule_node(at, true);
            self.stays.push((depth, at.by));
            return self.pick(at.by, depth, true);
        }
        if let Some(cycle) = self.cycles_here() {
            self.detour = Detour::Planned(self.running, cycle);
            return self.prune();
        }
        if self.candidate(None).is_none() {
            self.count_here();
            if self.seems_stuck() {
                // Nothing was released, so going on from here is as good.
                self.detour = Detour::Drain;
                return Decision::Last(Pick(0));
            }
        }
        self.prune()
    }

    /// A lock cycle between the block that has just ended and the others that leave the
    /// same node.
    fn cycles_here(&mut self) -> Option<Cycle> {
        let within = &self.nodes[self.running + 1..];
        if within.iter().any(|n| matches!(n.kind, Kind::Notify { .. })) {
            // A detour from the node would lose the choices within the block.
            self.nodes[self.running].late = true;
            return None;
        }
        let node = self.nodes[self.running];
        let current = self.slots[node.current as usize];
        let block = self.blocks[current.block as usize];
        let locks = self.footprints.locks(&block);
        let held = &self.held[node.held as usize..self.held_end(self.running)];
        if !LockCycles::nests(locks, held, current.choice.thread()) {
            return None;
        }
        self.cycles.learn(current.choice.thread(), held, locks);
        if !self.cycles.suspects() {
            return None;
        }
        let others = &self.slots[node.slots as usize..self.slots_end(self.running)];
        let others = others.iter().filter(|slot| slot.block != NO_BLOCK);
        let others = others.map(|slot| {
            let block = &self.blocks[slot.block as usize];
            (slot.choice, self.footprints.locks(block))
        });
        let last = (current.choice, locks);
        self.cycles.find(held, last, others, self.running)
    }

    fn is_initial(&mut self, thread: ThreadId, view: &dyn View) -> bool {
        let initial = *self.initial.get_or_insert_with(|| {
            let all = (0..view.thread_count() as u32).map(ThreadId);
            let mut starts = all.filter(|t| view.thread(*t).path.0.is_empty());
            starts.next().unwrap_or(ThreadId(0))
        });
        thread == initial
    }

    /// Goes up to the deepest node with something left to do.
    fn up(&mut self) -> Next {
        // What is above is to be passed once more on the way to what is ours.
        let floor = match self.resuming.is_empty() {
            true => self.floor,
            false => 0,
        };
        while self.nodes.len() > floor {
            let depth = self.nodes.len() - 1;
            let node = self.nodes[depth];
            match node.kind {
                Kind::Forced => {}
                Kind::Notify { targets, present } => {
                    if present + 1 < targets {
                        let kind = Kind::Notify {
                            targets,
                            present: present + 1,
                        };
                        self.nodes[depth].kind = kind;
                        return Next::Backtrack { depth };
                    }
                }
                Kind::Schedule => {
                    if node.redo.is_none() {
                        self.put_aside(node.current as usize);
                    }
                    if node.late {
                        self.nodes[depth].late = false;
                        self.running = depth;
                        if let Some(cycle) = self.cycles_here() {
                            self.detour = Detour::Approach(depth, cycle, 0, 0);
                            return Next::Backtrack { depth };
                        }
                    }
                    if self.candidate(None).is_some() {
                        return Next::Backtrack { depth };
                    }
                    self.count_here();
                    self.slots.truncate(node.slots as usize);
                    self.held.truncate(node.held as usize);
                    self.blocks.truncate(node.blocks as usize);
                    self.footprints.cut(node.top);
                }
            }
            self.nodes.pop();
            self.stays.retain(|s| s.0 < depth);
        }
        Next::Done
    }

    /// A slot was run with all that follows: it is delayed from now on.
    fn put_aside(&mut self, slot: usize) {
        let slot = &mut self.slots[slot];
        if slot.block != NO_BLOCK && (slot.state == State::Enabled || slot.extra) {
            slot.state = State::Delayed;
            slot.extra = false;
        }
    }

    /// Drops all that belongs to what lies below the node at `depth`.
    fn return_to(&mut self, depth: usize) {
        self.nodes.truncate(depth + 1);
        let node = self.nodes[depth];
        match node.kind {
            Kind::Schedule => {
                let last = self.slots[node.slots as usize..].iter().map(|s| s.block);
                let kept = last.filter(|b| *b != NO_BLOCK && *b >= node.blocks).max();
                let (blocks, top) = match kept {
                    Some(block) => (block + 1, self.blocks[block as usize].to),
                    None => (node.blocks, node.top),
                };
                self.blocks.truncate(blocks as usize);
                self.footprints.cut(top);
            }
            Kind::Notify { .. } => {
                // The block is run on from its middle: what it did up to here stays.
                let mut parents = self.nodes[..depth].iter();
                self.running = parents
                    .rposition(|n| n.kind == Kind::Schedule)
                    .expect("a block");
                let parent = &mut self.nodes[self.running];
                self.began = parent.began;
                let slot = &mut self.slots[parent.current as usize];
                self.staying = matches!(slot.state, State::Blocked(_)) && slot.stayed;
                if !self.staying {
                    parent.ran -= 1;
                }
                self.footprints.cut(self.blocks[slot.block as usize].to);
                self.blocks.truncate(slot.block as usize);
                slot.block = NO_BLOCK;
                self.footprints.cut_but_accesses(node.top);
            }
            Kind::Forced => {}
        }
    }

    fn back_up(&mut self) -> Next {
        let next = self.up();
        if let Next::Backtrack { depth } = next {
            self.return_to(depth);
            self.cycles.forget_below(depth);
        }
        next
    }
}

impl<R: Rule> Default for Blocks<R> {
    fn default() -> Self {
        Blocks::new()
    }
}

impl<R: Rule> Strategy for Blocks<R> {
    fn stops(&self) -> OpMask {
        match self.detour {
            Detour::Approach(..) => OpMask::VISIBLE.and(OpMask::NOTIFY),
            _ => OpMask::BLOCK_END.and(OpMask::NOTIFY),
        }
    }

    fn wants(&self) -> EventMask {
        Footprints::SYNC.and(R::ACCESSES)
    }

    #[inline]
    fn event(&mut self, event: &Event, _: &dyn View, _depth: usize) {
        if self.detour == Detour::None {
            self.footprints.record(event);
        }
    }

    fn choose(&mut self, at: &ChoicePoint<'_>, view: &dyn View, depth: usize) -> Decision {
        self.between = false;
        if self.detour != Detour::None {
            return self.detour_choose(at, depth);
        }
        if depth < self.nodes.len() {
            return match self.nodes[depth].kind {
                Kind::Schedule => self.pick(at.by, depth, false),
                Kind::Notify { present, .. } => Decision::Take(Pick(present as usize)),
                Kind::Forced => unreachable!("nothing is chosen at a forced point"),
            };
        }
        let node = |kind, all: &Self| Node {
            kind,
            slots: 0,
            held: 0,
            current: 0,
            ran: 0,
            top: all.footprints.top(),
            began: all.footprints.top(),
            late: false,
            blocks: 0,
            extra: false,
            counted: false,
            closed: false,
            given: false,
            redo: None,
        };
        match at.pause {
            // Before a lock is given back a block ends only if somebody may be suspended there.
            Pause::BlockEnd
            | Pause::Waiting
            | Pause::ThreadEnd
            | Pause::Before(PendingOp::Unlock(_)) => self.arrive(at, view, depth),
            Pause::Blocked(lock) => self.blocked(at, lock, depth),
            Pause::Notify(_) => {
                let targets = at.options.len() as u32;
                let mut present = 0;
                if !self.explored {
                    present = self.resuming.pop().unwrap_or(0);
                }
                let node = node(Kind::Notify { targets, present }, self);
                self.nodes.push(node);
                Decision::Take(Pick(present as usize))
            }
            Pause::Slice | Pause::Before(_) | Pause::Arrived(_) => {
                let node = node(Kind::Forced, self);
                self.nodes.push(node);
                self.take_or_prune(at, Choice::Run(at.by))
            }
        }
    }

    fn next(&mut self, over: &Over) -> Next {
        self.between = true;
        if self.detour != Detour::None {
            self.pruned = false;
            return self.detour_over(over);
        }
        let pruned = std::mem::take(&mut self.pruned);
        if !pruned {
            if self.nodes.is_empty() {
                // It never came to a choice.
                self.schedules += 1;
                return Next::Done;
            }
            match over {
                Over::Stuck(Pause::Blocked(lock)) => {
                    self.block_undone(*lock);
                    if let Some(cycle) = self.cycles_here() {
                        self.detour = Detour::Planned(self.running, cycle);
                        return self.detour_over(over);
                    }
                }
                Over::Exited(_) | Over::Stuck(_) | Over::Cut | Over::Pruned => {
                    let exits = matches!(over, Over::Exited(_) | Over::Cut);
                    match self.block_done(exits) {
                        _ if self.explored => {}
                        true => self.extra += 1,
                        false => self.schedules += 1,
                    }
                    if let Some(cycle) = self.cycles_here() {
                        self.detour = Detour::Planned(self.running, cycle);
                        return self.detour_over(over);
                    }
                }
            }
        }
        self.back_up()
    }

    fn schedules(&self) -> u64 {
        self.schedules
    }

    fn extra(&self) -> u64 {
        self.extra
    }

    fn left(&self, depth: usize) -> Option<usize> {
        let node = self.nodes.get(depth);
        let Some(node) = node else { return Some(0) };
        Some(match node.kind {
            Kind::Forced => 0,
            Kind::Notify { targets, present } => (targets - present - 1) as usize,
            Kind::Schedule if node.closed || node.given => 0,
            Kind::Schedule => {
                let slots = node.slots as usize..self.slots_end(depth);
                let others = slots.filter(|i| *i != node.current as usize);
                let left = |i: &usize| {
                    let slot = &self.slots[*i];
                    slot.state == State::Enabled || slot.extra
                };
                others.filter(left).count()
            }
        })
    }

    fn complete(&self) -> bool {
        true
    }

    fn frontier(&self) -> Option<Vec<u64>> {
        let (schedules, extra) = self.counts_when_resumed();
        let mut words = vec![FRONTIER, schedules, extra];
        for (depth, node) in self.nodes.iter().enumerate() {
            let last = depth + 1 == self.nodes.len();
            match node.kind {
                Kind::Forced => {}
                Kind::Notify { present, .. } => words.push(present.into()),
                Kind::Schedule if last && self.between => {
                    // What comes next, not what was explored.
                    let (slot, _) = self.candidate(None)?;
                    words.push(self.slots[slot].code().into());
                }
                Kind::Schedule => words.push(self.slots[node.current as usize].code().into()),
            }
        }
        Some(words)
    }

    fn resume(&mut self, frontier: &[u64]) -> bool {
        let [FRONTIER, schedules, extra, picks @ ..] = frontier else {
            return false;
        };
        (self.schedules, self.extra) = (*schedules, *extra);
        self.resuming = picks.iter().rev().map(|p| *p as u32).collect();
        true
    }

    /// All other threads to be run from the first node with any. What was run from it is run
    /// again by the other worker, as when a search is resumed, but not what follows.
    fn split(&mut self) -> Option<Vec<u64>> {
        if self.detour != Detour::None || !self.resuming.is_empty() {
            return None;
        }
        let last = self.nodes.len().checked_sub(1)?;
        for depth in self.floor..last {
            let node = &self.nodes[depth];
            let below = self.nodes[depth + 1..].iter();
            let done = below.clone().any(|n| n.kind == Kind::Schedule);
            if node.kind != Kind::Schedule || node.given || node.redo.is_some() || !done {
                continue;
            }
            let Some(next) = self.after_this(depth) else {
                continue;
            };
            let mut words = vec![FRONTIER, depth as u64];
            words.extend(self.codes(depth));
            words.push(next.into());
            self.nodes[depth].given = true;
            return Some(words);
        }
        None
    }

    fn explore_part(&mut self, part: &[u64]) -> bool {
        let [FRONTIER, floor, picks @ ..] = part else {
            return false;
        };
        *self = Blocks::new();
        self.floor = *floor as usize;
        self.resuming = picks.iter().rev().map(|p| *p as u32).collect();
        true
    }
}

impl<R: Rule> Blocks<R> {
    /// What is run from a node when all that follows the present block is explored.
    fn after_this(&self, depth: usize) -> Option<u32> {
        let mut later = Blocks::<R> {
            nodes: self.nodes[..=depth].to_vec(),
            slots: self.slots[..self.slots_end(depth)].to_vec(),
            held: self.held[..self.held_end(depth)].to_vec(),
            blocks: self.blocks.clone(),
            footprints: self.footprints.clone(),
            ..Blocks::new()
        };
        later.put_aside(self.nodes[depth].current as usize);
        let (slot, _) = later.candidate(None)?;
        Some(later.slots[slot].code())
    }

    /// What is taken at the choices above a depth, for those who follow.
    fn codes(&self, depth: usize) -> impl Iterator<Item = u64> {
        self.nodes[..depth]
            .iter()
            .filter_map(|node| match node.kind {
                Kind::Forced => None,
                Kind::Notify { present, .. } => Some(present.into()),
                Kind::Schedule => Some(self.slots[node.current as usize].code().into()),
            })
    }
}

/// The first word of a frontier of this search.
const FRONTIER: u64 = 0xb10c_0001;
