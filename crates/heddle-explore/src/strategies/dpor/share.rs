//! The part of the tree that several workers explore together.
//!
//! A branch of a choice is shared when others may explore what is beside it, and so are all
//! branches above it, since what is run anywhere may call for others there. Shared branches
//! are the nodes of one forest of wake-up trees: those that were handed out stay where they
//! were planned, with what is left below them. So a sequence that is found anywhere goes to
//! where a search by one would put it: behind the branch in which it was found, below the
//! first branch that can begin it, or nowhere if that is explored for all that it can begin.
//! Only sequences that are not covered by what is known to the worker who found them come
//! here, under a lock; nothing is ever copied but what is handed out.
//!
//! In a search by one, what a branch is explored for is known when all branches before it
//! are done: until then they may add to what is planned below it. Here they are not done. So a
//! worker goes down what is planned, step by step, and the choices on the way stay shared.
//! At the *end* of a sequence nobody sleeps any more: what follows is explored for its own
//! sake, by one worker, and covers all that could begin with that sequence. Where all
//! branches before one are done, all the way up (it is *settled*), nobody can add to it any
//! more, and it is handed out as a whole.
//!
//! A branch is handed out only when it is known what the first step of the one before it
//! did, since that sleeps in it. So what each branch leaves to which other is the same as in
//! a search by one, and every class of schedules is explored by exactly one worker.
//!
//! ## In the order of one
//!
//! With lazy mutexes it counts in which order sequences are planned: other ones are covered then
//! (`lazy`). So they are planned in the order in which a search by one would find them. A worker may be
//! *ahead*: in a branch before which others are not done. What it finds for a choice above, where
//! these may still plan something, is kept with that branch and planned when they are done
//! ([`SharedTree::catch_up`]). What is found at a choice behind the end of a sequence is nobody else's
//! business, and waits for nobody. Nothing else on a worker's own path depends on what the others do:
//! whether a sequence is covered where it is planned is of no interest to who found it.
//!
//! In particular: what begins with a step that touches nothing is dropped when its branch is
//! done, so nothing behind it is handed out before. A branch whose thread sleeps stays where it was
//! planned, and takes with it what begins with it. It was in vain if there is nothing behind it when
//! nobody can add to it any more.
//!
//! Whoever is first in that order never waits. So as long as every count of workers and of what is left
//! is right there is always something to take, unless all is explored. A path that ends before it
//! comes to where it was sent takes away what was planned there (`Dpor::end_of_the_way`); or else
//! that would be counted as left, and those on the way to it as at work, for good.
//!
//! Sequences that notify one of several threads, and those that end with a call of which it is
//! not known what it does there, are handed out when they are settled. Then all is known that a
//! search by one would know, since workers tell each other what calls did (`memo`): whether the
//! sequence is in vain, and what was left to it.
//!
//! Departures: should somebody sleep at the end of a sequence all the same, it was in vain, which
//! is counted; unless other sequences were left to it, which is known when it is settled. Then
//! it is explored for those.
//!
//! `part` is what a worker does with it.

use super::kept::Kept;
use super::memo::Calls;
use super::print::{Bits, Print};
use super::sequence::{Sequence, Steps};
use super::trace::NONE;
use super::wakeup::Forest;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// What the workers of one search have in common.
#[derive(Debug, Default)]
pub struct SharedTree {
    /// The first node is above all others.
    pub(super) forest: Forest,
    /// What else is known of nodes.
    marks: Vec<Mark>,
    threads: Numbers,
    places: Numbers,
    /// What calls did.
    pub(super) calls: Calls,
    /// Branches whose threads slept. That was in vain if there is nothing behind them when nobody
    /// can add to them any more.
    slept: Vec<u32>,
    /// Those that were, and that nobody has counted yet.
    pub(super) in_vain: u64,
    /// The search is one worker's, or will be when it is begun anew: see `lazy`.
    pub(super) by_one: bool,
}

/// The node above all others.
pub(super) const ROOT: u32 = 0;

#[derive(Debug, Default)]
struct Mark {
    stage: Stage,
    /// It was given back, and is to be run once more.
    again: bool,
    /// Its step touches nothing. So it could begin all that is planned behind it, which is
    /// dropped when it is done.
    silent: bool,
    /// Nobody can add to it any more; known for good.
    settled: bool,
    /// Workers at it or below.
    live: u32,
    /// Ends of sequences that nobody has taken yet, at it or below.
    left: u32,
    /// Who sleeps in the branches behind it, if that is not just what it says.
    ran: Option<Box<[Ran]>>,
    /// What was found in it for choices above, while not all before it are done.
    ahead: Option<Box<Ahead>>,
}

/// What was found by a worker that is ahead of others, in its order.
#[derive(Debug, Default)]
struct Ahead {
    wanted: VecDeque<Wanted>,
    /// What is there already need not be there twice.
    hashes: HashSet<u64>,
}

/// Something to be planned below a branch.
#[derive(Clone, Hash, Debug)]
struct Wanted {
    below: u32,
    /// The branch there in which it was found, once all of that before it are done.
    behind: Option<u32>,
    what: What,
}

impl Wanted {
    fn new(below: u32, what: What) -> Wanted {
        Wanted {
            below,
            behind: None,
            what,
        }
    }
}

#[derive(Clone, Hash, Debug)]
enum What {
    Sequence(Kept, u32),
    /// A thread of which nothing is known.
    Thread(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stage {
    #[default]
    Planned,
    /// It was handed out, and it is not known yet what its step does.
    Running,
    /// It was handed out, and its step is known.
    Told,
}

/// What a thread did that sleeps.
#[derive(Clone, Debug)]
pub(super) struct Ran {
    pub thread: u32,
    pub target: u32,
    pub partial: bool,
    pub words: Vec<u32>,
    pub bits: Bits,
}

/// How a branch is handed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hand {
    /// One step, with what is planned below it left to all; if that is nothing, nobody is to
    /// sleep after it.
    Plain,
    /// With all that is planned below it.
    Settled,
    /// The same, for one that was handed out before.
    Again,
}

/// Numbers that all workers use for the same things.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    numbers: HashMap<u64, usize>,
    keys: Vec<u64>,
}

impl Numbers {
    /// The keys from a number on, up to this one, which gets the next number if it has none.
    pub fn learn(&mut self, key: u64, from: usize) -> &[u64] {
        let next = self.keys.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.keys.push(key);
        }
        self.keys.get(from..=number).unwrap_or(&[])
    }
}

impl SharedTree {
    /// Nothing is explored; threads and places keep their numbers.
    pub(crate) fn clear_all(&mut self) {
        *self = SharedTree {
            threads: std::mem::take(&mut self.threads),
            places: std::mem::take(&mut self.places),
            by_one: self.by_one,
            ..SharedTree::default()
        };
    }

    pub(super) fn threads(&mut self) -> &mut Numbers {
        &mut self.threads
    }

    pub(super) fn places(&mut self) -> &mut Numbers {
        &mut self.places
    }

    /// A part for a worker who has none: the branches to it from the root, and how it is
    /// handed out. It is the one nearest to the root.
    pub(crate) fn take(&mut self) -> Option<Vec<u64>> {
        if self.marks.is_empty() {
            return None;
        }
        let mut todo = VecDeque::from([ROOT]);
        while let Some(above) = todo.pop_front() {
            if let Some((node, hand)) = self.next_of(above) {
                self.hand_out(node, hand);
                let mut part = vec![hand as u64];
                let mut at = node;
                while at != ROOT {
                    self.marks[at as usize].live += 1;
                    part.push(u64::from(at));
                    at = self.forest.node(at).above;
                }
                part[1..].reverse();
                return Some(part);
            }
            let mut at = self.forest.node(above).child;
            while at != NONE {
                let mark = &self.marks[at as usize];
                if mark.stage == Stage::Told && mark.left > 0 {
                    todo.push_back(at);
                }
                at = self.forest.node(at).next;
            }
        }
        None
    }

    /// Whether there will never be anything for others.
    pub(crate) fn is_for_one(&self) -> bool {
        self.by_one
    }

    /// Whether nothing has been shared.
    pub(super) fn is_untouched(&self) -> bool {
        self.marks.is_empty()
    }

    /// Whether nothing is left, if nobody is at work.
    pub(crate) fn is_explored(&self) -> bool {
        self.marks.first().is_none_or(|root| root.left == 0)
    }

    /// What can be handed out below a node now.
    pub(super) fn next_of(&mut self, above: u32) -> Option<(u32, Hand)> {
        let first = self.forest.node(above).child;
        let mut at = first;
        while at != NONE {
            let Mark {
                stage,
                again,
                silent,
                ..
            } = &self.marks[at as usize];
            let (stage, again, silent) = (*stage, *again, *silent);
            match stage {
                Stage::Running => return None,
                Stage::Told if again && self.is_settled(at) => {
                    if self.forest.node(at).absorbed() {
                        return Some((at, Hand::Again));
                    }
                    // Nothing else was left to it, so whoever sleeps there explores it.
                    self.marks[at as usize].again = false;
                    self.change_left(at, |left| left - 1);
                    self.catch_up(above);
                }
                Stage::Told if silent => return None,
                Stage::Told => {}
                Stage::Planned => {
                    // Nothing is shared below one that is settled, so it is the cheaper way.
                    // On the way down a sequence that is not, one need not look again.
                    let plain = self.forest.is_plain(at);
                    let (known, look) = (self.marks[above as usize].settled, at != first);
                    return match (known || look || !plain) && self.is_settled(at) {
                        true => Some((at, Hand::Settled)),
                        false => plain.then_some((at, Hand::Plain)),
                    };
                }
            }
            at = self.forest.node(at).next;
        }
        None
    }

    /// Whether anything is planned or was handed out below a node.
    pub(super) fn has_any(&self, above: u32) -> bool {
        self.forest.node(above).child != NONE
    }

    /// Takes what [`SharedTree::next_of`] found.
    pub(super) fn hand_out(&mut self, node: u32, hand: Hand) {
        let interior = hand == Hand::Plain && !self.forest.is_last(node);
        let taken = match hand {
            Hand::Plain if interior => 0,
            Hand::Again => 1,
            Hand::Plain | Hand::Settled => self.marks[node as usize].left,
        };
        if hand == Hand::Plain && !interior && self.has_any(node) {
            // What was left to it is explored with all the rest, unless anybody sleeps there.
            self.forest.drop_below(node);
            self.forest.set_absorbed(node);
        }
        let mark = &mut self.marks[node as usize];
        match hand {
            Hand::Again => mark.again = false,
            Hand::Plain | Hand::Settled => mark.stage = Stage::Running,
        }
        match hand {
            // Until it is received it has to be known what becomes of what is below.
            Hand::Settled => {}
            Hand::Plain if interior => self.forest.set_inner(node),
            Hand::Plain | Hand::Again => self.forest.set_end(node),
        }
        if taken > 0 {
            self.change_left(node, |left| left - taken);
        }
    }

    /// A worker is at a branch.
    pub(super) fn arrive(&mut self, node: u32) {
        self.marks[node as usize].live += 1;
    }

    /// The thread of a branch sleeps: the branch is left without a step.
    pub(super) fn leave_asleep(&mut self, node: u32) {
        self.slept.push(node);
        self.leave(node);
    }

    /// A worker has left a branch. What nobody can add to any more is forgotten.
    pub(super) fn leave(&mut self, node: u32) {
        self.marks[node as usize].live -= 1;
        let above = self.forest.node(node).above;
        if self.marks[node as usize].stage == Stage::Running {
            // It was none.
            let mark = &mut self.marks[node as usize];
            if mark.ahead.is_none() && self.slept.last() != Some(&node) {
                self.remove(node);
            } else {
                mark.stage = Stage::Told;
                mark.ran = Some(Box::new([]));
                let left = mark.left;
                self.change_left(node, |all| all - left);
                self.forest.drop_below(node);
                // What begins with it would have been dropped with it.
                self.forest.set_end(node);
            }
        }
        self.catch_up(above);
        // One without others before it is forgotten with the one above.
        let mut at = self.forest.node(above).child;
        if at == node || !self.is_settled(above) {
            return;
        }
        while at != NONE && self.is_done(at) {
            self.forest.drop_below(at);
            at = self.forest.node(at).next;
        }
    }

    /// Something below a branch is done. What was found ahead of it may be planned now.
    fn catch_up(&mut self, below: u32) {
        let mut above = below;
        while above != NONE {
            let mut at = self.forest.node(above).child;
            while at != NONE {
                // One after the other, since what is planned may let others catch up.
                while let Some(ahead) = &mut self.marks[at as usize].ahead {
                    match ahead.wanted.pop_front() {
                        Some(wanted) => _ = self.want(at, wanted),
                        None => self.marks[at as usize].ahead = None,
                    }
                }
                if !self.is_done(at) {
                    break;
                }
                if std::mem::take(&mut self.marks[at as usize].silent) {
                    self.drop_behind(at);
                }
                at = self.forest.node(at).next;
            }
            above = self.forest.node(above).above;
        }
        for at in (0..self.slept.len()).rev() {
            let node = self.slept[at];
            if self.is_settled(node) {
                self.in_vain += u64::from(self.forest.node(node).next == NONE);
                self.slept.swap_remove(at);
            }
        }
    }

    /// What was found in a branch is planned, or kept until all before that is done. Whether
    /// anything is new.
    fn want(&mut self, from: u32, mut wanted: Wanted) -> bool {
        let below = wanted.below;
        // What is kept above the place where it is to be planned counts as left there.
        let counted = wanted.behind.is_some();
        let place = self.place(from, below, &mut wanted.behind);
        if let Err(late) = place {
            let counts = wanted.behind.is_some();
            let ahead = self.marks[late as usize].ahead.get_or_insert_default();
            let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(&wanted);
            let new = ahead.hashes.insert(hash);
            if new {
                ahead.wanted.push_back(wanted);
            }
            match (counted, counts && new) {
                (false, true) => self.change_left(below, |left| left + 1),
                (true, false) => self.change_left(below, |left| left - 1),
                _ => {}
            }
            return false;
        }
        let branch = wanted.behind.unwrap_or(NONE);
        let new = match wanted.what {
            What::Thread(thread) => {
                self.plan_leaf(below, thread);
                true
            }
            What::Sequence(kept, frame) => {
                let mut steps = kept.all();
                self.plan_behind(branch, &mut kept.sequence(&mut steps, frame))
            }
        };
        if counted {
            self.change_left(below, |left| left - 1);
            self.catch_up(below);
        }
        new
    }

    /// Finds the branch below one that leads to where something was found. Fails with the last
    /// branch that comes before its turn, unless all are done that come before and may plan there:
    /// those from there down, and those above as well, if it is explored for what is planned.
    fn place(&self, from: u32, below: u32, behind: &mut Option<u32>) -> Result<(), u32> {
        let mut at = from;
        while behind.is_none() {
            if !self.is_next(at) {
                return Err(at);
            }
            let above = self.forest.node(at).above;
            if above == below {
                *behind = Some(at);
            }
            at = above;
        }
        while self.forest.is_inner(at) {
            if !self.is_next(at) {
                return Err(at);
            }
            at = self.forest.node(at).above;
        }
        Ok(())
    }

    /// Whether all before a branch of a choice are done.
    fn is_next(&self, branch: u32) -> bool {
        let above = self.forest.node(branch).above;
        let mut before = self.forest.node(above).child;
        while before != branch {
            if !self.is_done(before) {
                return false;
            }
            before = self.forest.node(before).next;
        }
        true
    }

    /// It is known what the step of a branch does. If it has done less than it was planned for,
    /// perhaps, what it covers is dropped.
    pub(super) fn tell(&mut self, node: u32, print: &Print<'_>, sleeps: bool, less: bool) {
        let mark = &mut self.marks[node as usize];
        if mark.stage != Stage::Running {
            return;
        }
        mark.stage = Stage::Told;
        if !sleeps {
            mark.ran = Some(Box::new([]));
        }
        mark.silent = sleeps && print.bits.are_silent();
        self.forest.answer(node, print);
        if less {
            self.drop_behind(node);
            self.catch_up(self.forest.node(node).above);
        }
    }

    /// Drops what is planned behind a branch and could as well begin with its step.
    fn drop_behind(&mut self, branch: u32) {
        let node = self.forest.node(branch);
        let (thread, above, first) = (node.thread, node.above, node.next);
        let was = self.left_of(first);
        let Print { words, bits } = self.forest.print(branch);
        let words = &words.to_vec();
        let rest = self
            .forest
            .drop_covered(first, thread, &Print { words, bits });
        self.forest.set_next(branch, rest);
        self.mark_planned(rest);
        let is = self.left_of(rest);
        self.change_left(above, |left| left + is - was);
    }

    /// The same for a step that has woken one of several threads.
    pub(super) fn tell_all(&mut self, node: u32, ran: Vec<Ran>) {
        let mark = &mut self.marks[node as usize];
        if mark.stage == Stage::Running {
            mark.stage = Stage::Told;
            mark.ran = Some(ran.into());
        }
    }

    /// Somebody sleeps at the end of a sequence; whether it was in vain, as far as is known.
    pub(super) fn give_back(&mut self, node: u32) -> bool {
        self.marks[node as usize].again = true;
        self.change_left(node, |left| left + 1);
        !self.forest.node(node).absorbed()
    }

    /// Takes a branch out that cannot be run or was run in vain.
    pub(super) fn remove(&mut self, node: u32) {
        let left = self.marks[node as usize].left;
        let above = self.forest.node(node).above;
        self.change_left(node, |all| all - left);
        self.forest.remove(node);
        self.catch_up(above);
    }

    /// Takes everything out that is planned below a node; whether there was anything.
    pub(super) fn clear(&mut self, above: u32) -> bool {
        let first = self.forest.node(above).child;
        let mut at = first;
        while at != NONE {
            if self.marks[at as usize].stage != Stage::Planned {
                // Somebody else has begun with it.
                return true;
            }
            at = self.forest.node(at).next;
        }
        let left = self.left_of(first);
        self.change_left(above, |all| all - left);
        self.forest.drop_below(above);
        self.catch_up(above);
        first != NONE
    }

    /// Plans for a sequence that was found in a branch, below another one; whether it is new.
    pub(super) fn plan(
        &mut self,
        from: u32,
        below: u32,
        sequence: &mut Sequence<'_, impl Steps>,
    ) -> bool {
        let mut behind = None;
        match (self.place(from, below, &mut behind), behind) {
            (Ok(()), Some(branch)) => self.plan_behind(branch, sequence),
            _ => {
                let what = What::Sequence(Kept::of(sequence), sequence.frame);
                self.want(from, Wanted::new(below, what))
            }
        }
    }

    /// The same for a thread of which nothing is known.
    pub(super) fn plan_thread(&mut self, from: u32, below: u32, thread: u32) {
        self.want(from, Wanted::new(below, What::Thread(thread)));
    }

    fn plan_behind(&mut self, branch: u32, sequence: &mut Sequence<'_, impl Steps>) -> bool {
        let new = self.forest.add_behind(branch, sequence);
        for i in 0..self.forest.added().len() {
            let root = self.forest.added()[i];
            self.mark_planned(root);
            let above = self.forest.node(root).above;
            self.change_left(above, |left| left + 1);
        }
        new
    }

    /// Plans to run a thread of which nothing is known, behind all others.
    fn plan_leaf(&mut self, above: u32, thread: u32) {
        let leaf = self.forest.leaf(thread, true);
        self.forest.append_below(above, leaf);
        self.mark_planned(leaf);
        self.change_left(above, |left| left + 1);
    }

    /// Plans to run these threads below a node, but for those who have been or will be.
    pub(super) fn expand(&mut self, above: u32, threads: &[u32]) {
        for &thread in threads {
            let (mut known, mut at) = (false, self.forest.node(above).child);
            while at != NONE && !known {
                let mark = &self.marks[at as usize];
                let node = self.forest.node(at);
                known = match (&mark.ran, mark.stage) {
                    (Some(ran), _) => ran.iter().any(|r| r.thread == thread && !r.partial),
                    (None, Stage::Planned) => node.thread == thread && node.child == NONE,
                    (None, _) => node.thread == thread,
                };
                at = node.next;
            }
            if !known {
                self.plan_leaf(above, thread);
            }
        }
    }

    /// Shares a choice below a branch: what was run from it, the branch that is being
    /// explored, and what is planned. Returns the branch above, what stands for what was
    /// run, and the branch.
    pub(super) fn share(&mut self, above: Option<u32>, choice: Choice<'_>) -> (u32, u32, u32) {
        let above = above.unwrap_or_else(|| self.root());
        if choice.watchful {
            self.forest.set_absorbed(above);
        }
        let (mut before, mut ran) = (Vec::new(), NONE);
        if !choice.ran.is_empty() {
            let nobody = self.forest.nobody();
            self.mark(nobody, Stage::Told);
            self.marks[nobody as usize].ran = Some(choice.ran.into());
            before.push(nobody);
            ran = nobody;
        }
        let branch = self.forest.step(choice.thread, &choice.print);
        self.mark(branch, Stage::Told);
        let mark = &mut self.marks[branch as usize];
        mark.live = 1;
        mark.silent = choice.sleeps && choice.print.bits.are_silent();
        if !choice.sleeps {
            mark.ran = Some(Box::new([]));
        }
        before.push(branch);
        for node in before {
            self.forest.set_end(node);
            self.forest.append_below(above, node);
        }
        let planned = self.forest.copy(choice.forest, choice.tree, above, NONE);
        self.forest.set_next(branch, planned);
        self.mark_planned(planned);
        let left = self.left_of(planned);
        self.change_left(above, |all| all + left);
        (above, ran, branch)
    }

    pub(super) fn root(&mut self) -> u32 {
        if self.marks.is_empty() {
            let root = self.forest.nobody();
            assert_eq!(root, ROOT);
            self.mark(root, Stage::Told);
            self.marks[root as usize].settled = true;
            self.forest.set_end(root);
        }
        ROOT
    }

    /// What was run from a choice before a branch of it, from behind another one on; the
    /// last of these.
    pub(super) fn ran(
        &self,
        above: u32,
        from: u32,
        to: u32,
        mut each: impl FnMut(Sleeps<'_>),
    ) -> u32 {
        let mut last = from;
        let mut at = match from {
            NONE => self.forest.node(above).child,
            from => self.forest.node(from).next,
        };
        while at != to && at != NONE {
            match &self.marks[at as usize].ran {
                Some(all) => all.iter().for_each(|ran| each(ran.sleeps())),
                None => each(Sleeps {
                    thread: self.forest.node(at).thread,
                    target: NONE,
                    partial: false,
                    print: self.forest.print(at),
                }),
            }
            last = at;
            at = self.forest.node(at).next;
        }
        last
    }

    /// Whether all branches before one are done, all the way up.
    fn is_settled(&mut self, node: u32) -> bool {
        let mut at = node;
        while !self.marks[at as usize].settled {
            let above = self.forest.node(at).above;
            if !self.is_next(at) {
                return false;
            }
            at = above;
        }
        let mut at = node;
        while !std::mem::replace(&mut self.marks[at as usize].settled, true) {
            at = self.forest.node(at).above;
        }
        true
    }

    fn is_done(&self, node: u32) -> bool {
        let Mark {
            stage,
            live,
            left,
            ahead,
            ..
        } = &self.marks[node as usize];
        *stage == Stage::Told && *live == 0 && *left == 0 && ahead.is_none()
    }

    fn mark(&mut self, node: u32, stage: Stage) {
        if self.marks.len() <= node as usize {
            self.marks.resize_with(node as usize + 1, Mark::default);
        }
        self.marks[node as usize] = Mark {
            stage,
            ..Mark::default()
        };
    }

    /// A list of trees is new, or parts of it are gone.
    fn mark_planned(&mut self, first: u32) {
        if first == NONE {
            return;
        }
        let top = self.forest.node(first).above;
        let mut todo = vec![first];
        while let Some(at) = todo.pop() {
            self.mark(at, Stage::Planned);
            let (child, next) = (self.forest.node(at).child, self.forest.node(at).next);
            if child == NONE {
                let mut up = at;
                while up != top {
                    self.marks[up as usize].left += 1;
                    up = self.forest.node(up).above;
                }
            }
            todo.extend([next, child].into_iter().filter(|n| *n != NONE));
        }
    }

    fn left_of(&self, first: u32) -> u32 {
        let (mut all, mut at) = (0, first);
        while at != NONE {
            all += self.marks[at as usize].left;
            at = self.forest.node(at).next;
        }
        all
    }

    fn change_left(&mut self, node: u32, change: impl Fn(u32) -> u32) {
        let mut at = node;
        while at != NONE {
            let left = &mut self.marks[at as usize].left;
            *left = change(*left);
            at = self.forest.node(at).above;
        }
    }
}

/// A choice of the present path of a worker, to be shared.
pub(super) struct Choice<'a> {
    pub ran: Vec<Ran>,
    pub watchful: bool,
    /// What is being explored.
    pub thread: u32,
    pub print: Print<'a>,
    /// Whether it sleeps in the branches behind it.
    pub sleeps: bool,
    /// What is planned.
    pub forest: &'a Forest,
    pub tree: u32,
}

/// The same as [`Ran`], to be looked at.
pub(super) struct Sleeps<'a> {
    pub thread: u32,
    pub target: u32,
    pub partial: bool,
    pub print: Print<'a>,
}

impl Ran {
    fn sleeps(&self) -> Sleeps<'_> {
        Sleeps {
            thread: self.thread,
            target: self.target,
            partial: self.partial,
            print: Print {
                words: &self.words,
                bits: self.bits,
            },
        }
    }
}
