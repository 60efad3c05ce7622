//! A search that several workers share.
//!
//! A choice of the present path is shared when one of its other branches is given away, and
//! with it all choices before it, since what is run in any branch may call for others there.
//! The trees of shared choices are looked at and extended under a lock, but only for what is
//! news to the worker who planned it, which is rare.
//!
//! In a search by one, what a branch is explored for is known when all branches before it
//! are done: until then they may add to its tree. Here they are not done. So a branch is
//! handed out down to the end of its first planned sequence, and the choices on the way
//! there stay shared: whatever the branches before it add is found there by others. At the
//! end of the sequence nobody sleeps any more, so what follows is explored for its own sake,
//! by one worker, and covers all that could begin with that sequence.
//!
//! A branch is handed out only when it is known what the first step of the one before it
//! did, since that sleeps in it. So what each branch leaves to which other is the same as in
//! a search by one, and every class of schedules is explored by exactly one worker.
//!
//! Departures: sequences that notify one of several threads, and those that end with a step
//! of which nothing is known, are handed out when all branches before them are done. Of calls
//! into trusted code less is known than in a search by one: where one does anything that it
//! was not seen to do, all threads are run from that choice, and where somebody sleeps at the
//! end of a sequence, what was planned in vain is explored all the same.

use super::resume::{self, FRONTIER, Reader, Writer};
use super::sequence::Sequence;
use super::trace::NONE;
use super::wakeup::Forest;
use super::{Dpor, Ended, Frame, Kind, Ranges, Sleeper};
use crate::jobs::Pool;
use std::sync::Arc;

/// The choices that workers have in common.
#[derive(Debug, Default)]
pub struct SharedTree {
    /// Those that are open; others are used again.
    nodes: Vec<Node>,
    free: Vec<usize>,
    /// Numbers of threads, which all workers use: parents and numbers of children.
    threads: Vec<u64>,
}

/// A choice.
#[derive(Debug, Default)]
struct Node {
    open: bool,
    parent: Option<Parent>,
    children: Vec<usize>,
    /// How many choices are before it.
    depth: usize,
    /// It lies on the way to the end of a sequence that was handed out.
    planned: bool,
    flags: u64,
    others: Vec<u64>,
    /// What is still to be explored, a tree each.
    pending: Vec<Vec<u64>>,
    /// What was handed out, or was being run when the choice was shared.
    out: Vec<Out>,
    /// It is not known yet what the last one of them does.
    unknown: bool,
    /// The first steps of what was handed out.
    ran: Vec<Vec<u64>>,
    /// All that could run here, and those who slept from before.
    enabled: Vec<u32>,
    asleep: Vec<u32>,
    /// All are to be run.
    all: bool,
}

/// A branch that was handed out.
#[derive(Debug)]
struct Out {
    /// Its first step, a tree of its own.
    leaf: Vec<u64>,
    /// The next choice, if that is on the way to the end of the sequence.
    child: Option<usize>,
    /// Workers below.
    live: usize,
    /// The same as it was planned.
    planned: Vec<u64>,
    /// It was given back, and so many steps were known when it was handed out.
    again: Option<usize>,
}

/// A branch of a shared choice.
#[derive(Clone, Copy, Debug)]
struct Parent {
    node: usize,
    /// What is taken there.
    taken: u32,
    /// Which of those that were handed out, and how many steps were known by then.
    out: usize,
    ran: usize,
}

/// The shared choices on the way to what a worker explores.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pool: Arc<Pool>,
    /// By depth: the choice, and the branch that is taken.
    way: Vec<Parent>,
    /// Others know what the steps before this depth have done.
    told: usize,
    /// Nobody sleeps at the end of the way.
    awake: bool,
}

/// Choices that are shared at most, as long as nobody has to wait for them.
const CROWD: usize = 200;

impl SharedTree {
    /// The keys of threads from a number on, up to this one, which gets the next number if
    /// it has none.
    pub(super) fn thread(&mut self, key: u64, from: usize) -> Vec<u64> {
        let known = self.threads.iter().position(|k| *k == key);
        let number = known.unwrap_or(self.threads.len());
        if known.is_none() {
            self.threads.push(key);
        }
        self.threads.get(from..=number).unwrap_or(&[]).to_vec()
    }

    /// A part for a worker: the first branch that is left nearest to the root.
    pub(crate) fn take(&mut self) -> Option<Vec<u64>> {
        let all = (0..self.nodes.len()).filter(|at| self.nodes[*at].open);
        let ready = all.filter_map(|at| Some((at, self.next_of(at)?)));
        let (at, next) = ready.min_by_key(|(at, _)| self.nodes[*at].depth)?;
        let node = &mut self.nodes[at];
        let (branch, ran, out) = match next {
            Hand::Again(out) => {
                let ran = node.out[out].again.take();
                let mut branch = node.out[out].planned.clone();
                resume::stand_for_others_like(&mut branch, &node.out[out].leaf);
                (branch, ran.expect("a branch that was given back"), out)
            }
            Hand::Plain | Hand::Settled => {
                if node.pending.is_empty() {
                    node.expand();
                }
                let branch = node.pending.remove(0);
                node.out.push(Out::new(&branch));
                node.unknown = true;
                (branch, node.ran.len(), node.out.len() - 1)
            }
        };
        let mut way = vec![Parent {
            node: at,
            taken: branch[1] as u32,
            out,
            ran,
        }];
        if next == Hand::Plain {
            self.follow(&mut way, &branch);
        }
        let planned = way.split_off(1);
        while let Some(parent) = self.nodes[way[way.len() - 1].node].parent {
            way.push(parent);
        }
        way.reverse();
        let part = self.part(&way, &planned, branch, next);
        for parent in way.iter().chain(&planned) {
            self.nodes[parent.node].out[parent.out].live += 1;
        }
        Some(part)
    }

    /// What of a choice can be handed out now.
    fn next_of(&self, at: usize) -> Option<Hand> {
        let node = &self.nodes[at];
        let again = node.out.iter().position(|out| out.again.is_some());
        if let Some(out) = again.filter(|out| self.is_settled(at, *out)) {
            return Some(Hand::Again(out));
        }
        if node.unknown || !node.has_new() {
            return None;
        }
        // Nothing is shared below one that is settled, so it is the cheaper way.
        if self.is_settled(at, node.out.len()) {
            return Some(Hand::Settled);
        }
        let plain = node.pending.first().is_some_and(|b| resume::is_plain(b));
        (plain && !self.is_crowded()).then_some(Hand::Plain)
    }

    /// Whether so much is shared that keeping it costs more than another worker is worth.
    fn is_crowded(&self) -> bool {
        self.nodes.len() - self.free.len() > CROWD
    }

    /// Shares the choices on the way to the end of a sequence.
    fn follow(&mut self, way: &mut Vec<Parent>, branch: &[u64]) {
        let mut branches = resume::below(branch);
        while !branches.is_empty() {
            let last = way[way.len() - 1];
            let first = branches.remove(0);
            let node = Node {
                open: true,
                parent: Some(last),
                depth: self.nodes[last.node].depth + 1,
                planned: true,
                pending: branches,
                out: vec![Out::new(&first)],
                unknown: true,
                ..Node::default()
            };
            let new = self.add(node);
            self.nodes[last.node].out[last.out].child = Some(new);
            way.push(Parent {
                node: new,
                taken: first[1] as u32,
                out: 0,
                ran: 0,
            });
            branches = resume::below(&first);
        }
    }

    /// Whether all branches before one of a choice are done, and those before it on the way
    /// there.
    fn is_settled(&self, mut at: usize, mut before: usize) -> bool {
        loop {
            let done = |out: &Out| out.live == 0 && out.again.is_none();
            let children = self.nodes[at].children.iter();
            let mut left = children.filter(|c| {
                let parent = self.nodes[**c].parent;
                parent.is_some_and(|p| p.out < before) && self.any_left(**c)
            });
            if !self.nodes[at].out[..before].iter().all(done) || left.next().is_some() {
                return false;
            }
            match self.nodes[at].parent {
                Some(parent) => (at, before) = (parent.node, parent.out),
                None => return true,
            }
        }
    }

    /// Whether anything is left to explore at a choice or below.
    fn any_left(&self, at: usize) -> bool {
        let mut todo = vec![at];
        while let Some(at) = todo.pop() {
            if self.nodes[at].has_more() {
                return true;
            }
            todo.extend(&self.nodes[at].children);
        }
        false
    }

    /// The way to a branch, as a search is saved; before it the choices that are shared.
    fn part(&self, way: &[Parent], planned: &[Parent], branch: Vec<u64>, hand: Hand) -> Vec<u64> {
        let mut out = Writer(Vec::new());
        out.push(way.len() + planned.len());
        for parent in way.iter().chain(planned) {
            out.push(parent.node);
            out.push(parent.taken as usize);
            out.push(parent.out);
            out.push(parent.ran);
        }
        // Whether nobody sleeps at its end, and how many steps are known.
        out.push(usize::from(hand == Hand::Plain));
        out.push(match hand {
            Hand::Again(_) => way.len(),
            Hand::Plain | Hand::Settled => way.len() - 1,
        });
        out.0.extend([FRONTIER, 0, 0, 0]);
        out.push(self.threads.len());
        out.0.extend(&self.threads);
        out.push(way.len());
        for (i, parent) in way.iter().enumerate() {
            let node = &self.nodes[parent.node];
            out.push(parent.taken as usize);
            out.0.push(node.flags);
            out.push(node.others.len());
            out.0.extend(&node.others);
            out.push(parent.ran);
            node.ran[..parent.ran].iter().for_each(|r| out.0.extend(r));
            if i + 1 == way.len() {
                out.0.extend(&branch);
            }
            out.0.extend(self.tree(parent.node, Some(parent.out)));
        }
        out.0
    }

    /// The whole tree of a choice as the owner of a branch needs it: without that branch.
    fn tree(&self, at: usize, own: Option<usize>) -> Vec<u64> {
        let node = &self.nodes[at];
        let mut words = Vec::new();
        // In the order in which they were planned: the first that can begin a sequence gets
        // it.
        for (i, out) in node.out.iter().enumerate() {
            if Some(i) == own {
                continue;
            }
            words.extend(&out.leaf);
            if let Some(child) = out.child {
                words.pop();
                words.extend(self.tree(child, None));
            }
        }
        words.extend(node.pending.concat());
        words.push(0);
        words
    }

    /// Keeps what was added to a tree that [`SharedTree::tree`] gave.
    fn store(&mut self, at: usize, own: Option<usize>, mut branches: Vec<Vec<u64>>) {
        let node = &mut self.nodes[at];
        let all = node.out.iter().enumerate().filter(|(i, _)| Some(*i) != own);
        let children: Vec<Option<usize>> = all.map(|(_, out)| out.child).collect();
        let out: Vec<Vec<u64>> = branches.drain(..children.len()).collect();
        node.pending = branches;
        let all = node.out.iter_mut().enumerate();
        let others = all.filter(|(i, _)| Some(*i) != own).map(|(_, out)| out);
        for (out, branch) in others.zip(&out) {
            // It stands for another one, perhaps.
            out.leaf = resume::first_step(branch);
        }
        for (child, branch) in children.into_iter().zip(out) {
            if let Some(child) = child {
                self.store(child, None, resume::below(&branch));
            }
        }
    }

    fn add(&mut self, node: Node) -> usize {
        let parent = node.parent;
        let at = match self.free.pop() {
            Some(at) => {
                self.nodes[at] = node;
                at
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        };
        if let Some(parent) = parent {
            self.nodes[parent.node].children.push(at);
        }
        at
    }

    fn remove(&mut self, at: usize) {
        if let Some(parent) = self.nodes[at].parent {
            let parent = &mut self.nodes[parent.node];
            parent.children.retain(|c| *c != at);
            for out in &mut parent.out {
                out.child = out.child.filter(|c| *c != at);
            }
        }
        let mut todo = vec![at];
        while let Some(at) = todo.pop() {
            let node = std::mem::take(&mut self.nodes[at]);
            todo.extend(node.children);
            self.free.push(at);
        }
    }

    /// A worker is done with its branch. What nobody can add to any more is forgotten.
    fn done(&mut self, way: &[Parent]) {
        for parent in way {
            self.nodes[parent.node].out[parent.out].live -= 1;
        }
        for parent in way.iter().rev() {
            let node = &self.nodes[parent.node];
            if node.planned {
                continue;
            }
            if node.out.iter().any(|out| out.live > 0) || self.any_left(parent.node) {
                break;
            }
            self.remove(parent.node);
        }
    }
}

/// How a branch is handed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hand {
    /// At any time, down to the end of its first sequence.
    Plain,
    /// When all before it are done.
    Settled,
    /// The same for this one, which was handed out before.
    Again(usize),
}

impl Node {
    fn has_more(&self) -> bool {
        self.has_new() || self.out.iter().any(|out| out.again.is_some())
    }

    fn has_new(&self) -> bool {
        !self.pending.is_empty() || self.all && self.left().next().is_some()
    }

    /// Who is to be run if all are.
    fn left(&self) -> impl Iterator<Item = u32> {
        let ran = |thread: u32| {
            let mut ran = self.ran.iter();
            ran.any(|r| r[0] == u64::from(thread) && r[2] & 1 == 0)
        };
        let enabled = self.enabled.iter().copied();
        enabled.filter(move |t| !self.asleep.contains(t) && !ran(*t))
    }

    fn expand(&mut self) {
        self.all = false;
        let leaves: Vec<Vec<u64>> = self.left().map(resume::unknown_leaf).collect();
        self.pending.extend(leaves);
    }
}

impl Out {
    fn new(branch: &[u64]) -> Out {
        let leaf = resume::first_step(branch);
        Out {
            planned: leaf.clone(),
            leaf,
            child: None,
            live: 0,
            again: None,
        }
    }
}

impl Dpor {
    /// One of several workers.
    pub fn sharing(mut self, pool: Arc<Pool>) -> Dpor {
        self.trace.names.share(pool.clone());
        self.share = Some(Box::new(Link {
            pool,
            way: Vec::new(),
            told: 0,
            awake: false,
        }));
        self
    }

    /// Choices before this depth are shared.
    #[inline]
    pub(super) fn floor(&self) -> usize {
        self.share.as_ref().map_or(0, |link| link.way.len())
    }

    /// Shares the first choice with something left, and all before it.
    pub(super) fn offer(&mut self) {
        let floor = self.floor();
        let told = self.share.as_ref().is_some_and(|link| link.told == floor);
        if !told {
            return;
        }
        // The last frame is where this worker goes on itself.
        let Some(last) = self.depth.checked_sub(1) else {
            return;
        };
        let Some(found) = self.left_between(floor, last) else {
            return;
        };
        let mut link = self.share.take().expect("a shared search");
        let pool = link.pool.clone();
        let mut state = pool.lock();
        if state.tree.is_crowded() {
            drop(state);
            self.share = Some(link);
            return;
        }
        for at in floor..=found {
            let mut node = self.node_of(at);
            node.parent = link.way.last().copied();
            link.way.push(Parent {
                node: state.tree.add(node),
                taken: self.frames[at].taken,
                out: 0,
                ran: self.own_count(at),
            });
        }
        (link.told, link.awake) = (link.way.len(), false);
        pool.offer(&state);
        drop(state);
        self.share = Some(link);
    }

    /// The first choice with something left for others.
    fn left_between(&self, floor: usize, last: usize) -> Option<usize> {
        for at in floor..last {
            let frame = &self.frames[at];
            let known = self.trace.len() > frame.tops.step() as usize;
            let plain = match frame.kind {
                Kind::Threads => frame.taken != NONE && known,
                Kind::Forced => frame.tree == NONE && frame.taken == NONE,
                Kind::Targets => false,
            };
            if !plain || self.frames[at + 1].kind == Kind::Targets {
                return None;
            }
            if frame.kind == Kind::Threads {
                let silent = self.trace.step(frame.tops.step()).span.bits.are_silent();
                let all = frame.all && !frame.timeouts;
                if !silent && (frame.tree != NONE || all) {
                    return Some(at);
                }
            }
        }
        None
    }

    fn own_count(&self, at: usize) -> usize {
        let Ranges { own, to, .. } = self.frames[at].sleepers;
        (to - own) as usize
    }

    /// A choice of the present path, as others need it.
    fn node_of(&self, at: usize) -> Node {
        let frame = &self.frames[at];
        let Ranges { own, to, .. } = frame.sleepers;
        let ran = self.sleepers[own as usize..to as usize].iter();
        let mut node = Node {
            open: true,
            depth: at,
            others: self.place_words(frame.others.words()),
            ran: ran.map(|s| self.sleeper_words(s)).collect(),
            all: frame.all && !frame.timeouts,
            ..Node::default()
        };
        self.describe(at, &mut node);
        let mut leaf = resume::unknown_leaf(NONE);
        if frame.kind == Kind::Threads {
            let step = *self.trace.step(frame.tops.step());
            let words = self.place_words(step.span.print(self.trace.words()).words);
            leaf = resume::leaf(step.thread, step.span.bits, &words);
            node.pending = self.branches(frame.tree);
            // It could begin everything but the end of the program.
            node.all &= !step.span.bits.are_silent();
            if !frame.timeouts {
                let ran = resume::ran(step.thread, NONE, false, step.span.bits, &words);
                node.ran.push(ran);
            }
        }
        node.out = vec![Out {
            live: 1,
            ..Out::new(&leaf)
        }];
        node
    }

    /// What is known of a choice when it is reached.
    fn describe(&self, at: usize, node: &mut Node) {
        let frame = &self.frames[at];
        // That all are to be run is the node's own business.
        node.flags = frame.flags() & !1;
        let Ranges { from, own, .. } = frame.sleepers;
        let inherited = self.sleepers[from as usize..own as usize].iter();
        node.asleep = inherited.filter(|s| !s.partial).map(|s| s.thread).collect();
        let (first, last) = frame.enabled;
        let enabled = self.enabled[first as usize..last as usize].iter();
        node.enabled = enabled.map(|e| e.thread).collect();
    }

    /// The trees of a list, each by itself.
    fn branches(&self, first: u32) -> Vec<Vec<u64>> {
        let words = |words: &[u32], out: &mut Writer| self.save_words(words, out);
        let mut branches = Vec::new();
        let mut at = first;
        while at != NONE {
            let mut out = Writer(Vec::new());
            self.forest.save_branch(at, &words, &mut out);
            branches.push(out.0);
            at = self.forest.node(at).next;
        }
        branches
    }

    /// Begins with a part that [`SharedTree::take`] made.
    pub(super) fn begin_part(&mut self, part: &[u64]) -> Option<()> {
        let link = self.share.take()?;
        *self = self.fresh().sharing(link.pool.clone());
        let mut from = Reader(part);
        let mut way = Vec::new();
        for _ in 0..from.number()? {
            way.push(Parent {
                node: from.number()?,
                taken: from.number()? as u32,
                out: from.number()?,
                ran: from.number()?,
            });
        }
        let awake = from.number()? != 0;
        let told = from.number()?;
        self.restore(from.0)?;
        let link = self.share.as_mut()?;
        (link.way, link.told, link.awake) = (way, told, awake);
        Some(())
    }

    /// Whether nobody is expected to sleep after the step from this frame.
    #[inline]
    pub(super) fn all_awake_after(&self, frame: usize) -> bool {
        let ends = |link: &Link| link.awake && frame + 1 == link.way.len();
        self.share.as_ref().is_some_and(|link| ends(link))
    }

    /// Somebody sleeps at the end of a sequence nevertheless, because a call has done less
    /// than it was seen to do. Whether that is in vain is known when all before are done.
    #[cold]
    pub(super) fn give_back(&mut self) {
        let mut link = self.share.take().expect("a shared search");
        let pool = link.pool.clone();
        let mut state = pool.lock();
        let last = link.way[link.way.len() - 1];
        let out = &mut state.tree.nodes[last.node].out[last.out];
        out.again = Some(last.ran);
        link.awake = false;
        self.gave_back = true;
        drop(state);
        self.share = Some(link);
    }

    /// A step is over: others may have waited for it.
    #[inline]
    pub(super) fn step_closed(&mut self, frame: usize, step: u32) {
        let untold = |link: &Link| link.told <= frame && frame < link.way.len();
        if self.share.as_ref().is_some_and(|link| untold(link)) {
            self.tell_step(frame, step);
        }
    }

    #[cold]
    fn tell_step(&mut self, frame: usize, step: u32) {
        if !self.trace.targets(step).is_empty() {
            // Known when all targets are explored.
            return;
        }
        let made = *self.trace.step(step);
        let words = self.place_words(made.span.print(self.trace.words()).words);
        let ran = resume::ran(made.thread, NONE, false, made.span.bits, &words);
        let mut link = self.share.take().expect("a shared search");
        let pool = link.pool.clone();
        let mut state = pool.lock();
        let Parent { node, out, .. } = link.way[frame];
        let node = &mut state.tree.nodes[node];
        self.describe(frame, node);
        let mut leaf = resume::leaf(made.thread, made.span.bits, &words);
        resume::stand_for_others_like(&mut leaf, &node.out[out].leaf);
        node.out[out].leaf = leaf;
        if !self.frames[frame].timeouts {
            node.ran.push(ran);
        }
        node.all |= self.frames[frame].all;
        if made.span.bits.are_silent() || made.loose {
            node.all &= !made.span.bits.are_silent();
            let mut words = std::mem::take(&mut node.pending).concat();
            words.push(0);
            let tree = self.tree_of(&words);
            let print = made.span.print(self.trace.words());
            let tree = self.forest.drop_covered(tree, made.thread, &print);
            node.pending = self.branches(tree);
            self.forest.drop_all(tree);
        }
        node.unknown = false;
        link.told = frame + 1;
        pool.offer(&state);
        drop(state);
        self.share = Some(link);
    }

    /// The branch that was to be taken at a shared choice cannot be.
    pub(super) fn tell_blocked(&mut self, frame: usize) {
        let mut link = self.share.take().expect("a shared search");
        let pool = link.pool.clone();
        let mut state = pool.lock();
        let node = &mut state.tree.nodes[link.way[frame].node];
        self.describe(frame, node);
        node.unknown = false;
        link.told = frame + 1;
        drop(state);
        self.share = Some(link);
    }

    /// The branch of this worker is explored, as far as it could be.
    pub(super) fn part_done(&mut self) {
        let Some(mut link) = self.share.take() else {
            return;
        };
        if !link.way.is_empty() {
            let pool = link.pool.clone();
            let mut state = pool.lock();
            for at in link.told..link.way.len() {
                let Parent { node, ran, .. } = link.way[at];
                let node = &mut state.tree.nodes[node];
                if at < self.depth {
                    self.describe(at, node);
                    let Ranges { own, to, .. } = self.frames[at].sleepers;
                    let new = &self.sleepers[own as usize + ran..to as usize];
                    node.ran.extend(new.iter().map(|s| self.sleeper_words(s)));
                } else if node.planned && at > self.depth {
                    // It was never reached.
                    node.pending.clear();
                }
                node.unknown = false;
            }
            state.tree.done(&link.way);
            pool.offer(&state);
            link.way.clear();
        }
        self.share = Some(link);
    }

    /// The step from a shared choice was none: what is left there is explored from where it
    /// led, by this worker.
    pub(super) fn reclaim(&mut self, frame: usize) -> u32 {
        let mut link = self.share.take().expect("a shared search");
        let pool = link.pool.clone();
        let mut state = pool.lock();
        let node = &mut state.tree.nodes[link.way[frame].node];
        let mut words = std::mem::take(&mut node.pending).concat();
        words.push(0);
        if let Some(below) = link.way.get(frame + 1) {
            state.tree.remove(below.node);
        }
        link.way.truncate(frame + 1);
        link.awake = false;
        drop(state);
        self.share = Some(link);
        self.tree_of(&words)
    }

    fn tree_of(&mut self, words: &[u64]) -> u32 {
        let mut forest = std::mem::take(&mut self.forest);
        let mut from = Reader(words);
        let tree = forest.restore(&mut from, &mut |from| self.restore_words(from));
        self.forest = forest;
        tree.expect("heddle internal error: a tree of another worker was not understood")
    }

    /// Plans for the sequence in `self.steps` and its last step at a choice that is shared.
    #[cold]
    pub(super) fn plan_shared(&mut self, frame: u32, last: Ended) {
        let at = frame as usize;
        let steps = self.steps.clone();
        if !self.add_sequence(frame, last) {
            return;
        }
        // It is news here; perhaps not to others.
        let link = self.share.take().expect("a shared search");
        let pool = link.pool.clone();
        let mut state = pool.lock();
        let Parent { node, out, .. } = link.way[at];
        let words = state.tree.tree(node, Some(out));
        let old = std::mem::replace(&mut self.frames[at].tree, NONE);
        self.forest.drop_all(old);
        self.frames[at].tree = self.tree_of(&words);
        self.steps = steps;
        if self.add_sequence(frame, last) {
            let branches = self.branches(self.frames[at].tree);
            state.tree.store(node, Some(out), branches);
            pool.offer(&state);
        }
        drop(state);
        self.share = Some(link);
    }
}

impl Frame {
    /// Plans for a sequence, unless it is covered; whether it was new.
    pub(super) fn plan(
        &mut self,
        forest: &mut Forest,
        sleepers: &[Sleeper],
        mut sequence: Sequence<'_>,
    ) -> bool {
        let Ranges { from, to, .. } = self.sleepers;
        if sequence.covered_by(&sleepers[from as usize..to as usize]) {
            return false;
        }
        let (tree, new) = forest.add(self.tree, &mut sequence);
        self.tree = tree;
        new
    }
}
