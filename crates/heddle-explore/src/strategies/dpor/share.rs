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

use super::memo::Calls;
use super::print::{Bits, Print};
use super::sequence::{Sequence, Steps};
use super::trace::NONE;
use super::wakeup::Forest;
use std::collections::HashMap;

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
}

/// The node above all others.
pub(super) const ROOT: u32 = 0;

#[derive(Debug, Default)]
struct Mark {
    stage: Stage,
    /// It was given back, and is to be run once more.
    again: bool,
    /// Nobody can add to it any more; known for good.
    settled: bool,
    /// Workers at it or below.
    live: u32,
    /// Ends of sequences that nobody has taken yet, at it or below.
    left: u32,
    /// Who sleeps in the branches behind it, if that is not just what it says.
    ran: Option<Box<[Ran]>>,
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
        let mut todo = std::collections::VecDeque::from([ROOT]);
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

    /// Whether nothing is left, if nobody is at work.
    pub(crate) fn is_explored(&self) -> bool {
        self.marks.first().is_none_or(|root| root.left == 0)
    }

    /// What can be handed out below a node now.
    pub(super) fn next_of(&mut self, above: u32) -> Option<(u32, Hand)> {
        let first = self.forest.node(above).child;
        let mut at = first;
        while at != NONE {
            let Mark { stage, again, .. } = self.marks[at as usize];
            match stage {
                Stage::Running => return None,
                Stage::Told if again && self.is_settled(at) => {
                    if self.forest.node(at).absorbed() {
                        return Some((at, Hand::Again));
                    }
                    // Nothing else was left to it, so whoever sleeps there explores it.
                    self.marks[at as usize].again = false;
                    self.change_left(at, |left| left - 1);
                }
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
        match interior {
            true => self.forest.set_inner(node),
            false => self.forest.set_end(node),
        }
        if taken > 0 {
            self.change_left(node, |left| left - taken);
        }
    }

    /// A worker is at a branch.
    pub(super) fn arrive(&mut self, node: u32) {
        self.marks[node as usize].live += 1;
    }

    /// A worker has left a branch. What nobody can add to any more is forgotten.
    pub(super) fn leave(&mut self, node: u32) {
        self.marks[node as usize].live -= 1;
        let above = self.forest.node(node).above;
        if self.marks[node as usize].stage == Stage::Running {
            // It was none.
            self.remove(node);
        }
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
        self.forest.answer(node, print);
        if less {
            let (above, rest) = {
                let node = self.forest.node(node);
                (node.above, node.next)
            };
            let was = self.left_of(rest);
            let thread = self.forest.node(node).thread;
            let rest = self.forest.drop_covered(rest, thread, print);
            self.forest.set_next(node, rest);
            self.mark_planned(rest);
            let is = self.left_of(rest);
            self.change_left(above, |left| left + is - was);
        }
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
        self.change_left(node, |all| all - left);
        self.forest.remove(node);
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
        first != NONE
    }

    /// Plans for a sequence behind a branch, unless it is covered; whether it is new.
    pub(super) fn plan(&mut self, node: u32, sequence: &mut Sequence<'_, impl Steps>) -> bool {
        let new = self.forest.add_behind(node, sequence);
        for i in 0..self.forest.added().len() {
            let root = self.forest.added()[i];
            self.mark_planned(root);
            let above = self.forest.node(root).above;
            self.change_left(above, |left| left + 1);
        }
        new
    }

    /// Plans to run a thread of which nothing is known, behind all others.
    pub(super) fn plan_leaf(&mut self, above: u32, thread: u32) {
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
            let nobody = self.forest.leaf(NONE, false);
            self.mark(nobody, Stage::Told);
            self.marks[nobody as usize].ran = Some(choice.ran.into());
            before.push(nobody);
            ran = nobody;
        }
        let branch = self.forest.step(choice.thread, &choice.print);
        self.mark(branch, Stage::Told);
        let mark = &mut self.marks[branch as usize];
        mark.live = 1;
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
            let root = self.forest.leaf(NONE, false);
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
            let mut before = self.forest.node(above).child;
            while before != at {
                if !self.is_done(before) {
                    return false;
                }
                before = self.forest.node(before).next;
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
            stage, live, left, ..
        } = self.marks[node as usize];
        stage == Stage::Told && live == 0 && left == 0
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
