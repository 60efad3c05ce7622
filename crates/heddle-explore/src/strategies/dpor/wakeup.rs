//! Wake-up trees: what is still to be explored from a choice, as sequences of steps that
//! share their beginnings (Abdulla, Aronis, Jonsson, Sagonas: Source sets, JACM 2017,
//! section 6).
//!
//! A sequence leads from the choice to a step that has to be seen before the one that came
//! first there. It is not planned if it is covered: if a thread that has been run from the
//! choice, or a sequence that is planned, could as well begin it, because nothing in the
//! sequence stands in its way. Otherwise it is added where it leaves what is planned.
//!
//! Steps were seen on the present path and would be the same again, except the last step
//! of a sequence, which is run without the one that it was in a race with. A plain access
//! or a lock touches the same places wherever it is run. A call into trusted code may do
//! other things: a compare-and-set that fails writes nothing. Such a step is *loose*.
//!
//! - Where a loose step that is planned could begin a sequence unless it does more than it was
//!   seen to, the sequence is kept with it and looked at again when it has been run (`kept`).
//!   (The loose step at the end of the sequence that is to be covered is taken to do what it was
//!   seen to do. Let *q* be that step, run without those that it was in a race with. Among
//!   the steps that *q* then meets and that could begin the sequence otherwise, take the one
//!   that it meets last. Up to there it does the same when it is run after that one, so there
//!   it is seen to meet all of them.)
//! - Whatever is explored behind the end of a sequence need not be planned there, as long as
//!   nobody sleeps at that end. If a step before it did less than it was seen to do, somebody
//!   may. So while any step is loose, what is left to the ends of sequences is planned below
//!   them *perhaps*: it is dropped when all are awake there, and followed otherwise.
//!
//! A notification that can wake one of several threads is a step and then one node per
//! target. A sequence names the targets that its steps chose, but not the last step's: all
//! of them are explored.

use super::kept::Kept;
use super::print::{Bits, Print, Prints, Span};
use super::sequence::{Last, Sequence, Steps, Touches};
use super::trace::NONE;

/// All wake-up trees, in one list of nodes that are used again.
///
/// There may be as many nodes as there are schedules, so they are small.
#[derive(Clone, Debug, Default)]
pub struct Forest {
    nodes: Vec<Node>,
    free: Vec<u32>,
    prints: Prints,
    /// The roots of what the last sequence has added.
    added: Vec<u32>,
    /// How many nodes are loose, and of how many it was found out what they do.
    loose: u32,
    answered: u32,
    /// Lists that are to be freed, for their space.
    dropped: Vec<u32>,
}

/// A step that is planned, or a target of the step above it.
#[derive(Clone, Debug)]
pub struct Node {
    pub thread: u32,
    /// The thread that the step above notifies; `NONE` if this is a step.
    pub target: u32,
    /// What it touches, or was seen to touch if it is loose.
    print: u32,
    /// Where a loose step was planned from.
    pub origin: u32,
    /// The thread whose step it is to come before: see `untold`.
    pub rival: u32,
    /// The name of a step with others below, or else where its thread stands; 0 if that is
    /// not known.
    key: u64,
    /// What was left to a loose step.
    #[expect(clippy::box_collection, reason = "next to none has any")]
    kept: Option<Box<Vec<Kept>>>,
    pub above: u32,
    pub child: u32,
    pub next: u32,
    /// It may touch other places than it was seen to.
    loose: bool,
    /// It was loose when it was planned, and is not any more.
    answered: bool,
    /// Sequences were covered by it.
    absorbed: bool,
    /// Of a step with targets below: all others are to be explored too.
    pub open: bool,
    /// What becomes of what is below.
    below: Below,
}

/// Whether sequences go on below a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Below {
    /// If anything is planned there.
    Planned,
    /// They do if anybody sleeps when it has been run: a call may do less than it was seen to,
    /// and then it is explored only for the sequences that were left to it.
    Perhaps,
    /// They do: it is explored there for what is planned.
    Inner,
    /// They do not: all that can follow is explored.
    End,
}

/// A thread that has been run from a choice and need not be run again until something
/// meets what it did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sleeper {
    pub thread: u32,
    /// The target that its step notified, one entry each; `NONE` if it chose none.
    pub target: u32,
    /// Other targets have not been explored.
    pub partial: bool,
    pub span: Span,
}

impl Node {
    /// What was left to a loose step.
    pub fn kept(&self) -> &[Kept] {
        self.kept.as_ref().map_or(&[], |kept| kept)
    }

    pub fn absorbed(&self) -> bool {
        self.absorbed
    }

    /// The name of a step with others below; 0 if that is not known.
    pub fn name(&self) -> u64 {
        match self.below {
            Below::Perhaps => 0,
            _ => self.key,
        }
    }

    /// Where the thread of a step at the end of a sequence stands; 0 if that is not known.
    pub fn stands(&self) -> u64 {
        self.key
    }

    /// Whether it is not known what the step does here, and might be by now.
    pub fn is_open_question(&self) -> bool {
        let last = self.child == NONE || self.below == Below::Perhaps;
        last && self.target == NONE && self.loose && !self.absorbed && self.key != 0
    }
}

impl Forest {
    /// Adds a sequence to the list of trees that begins with `first`, which is returned,
    /// unless it is covered by them.
    pub fn add(&mut self, first: u32, sequence: &mut Sequence<'_, impl Steps>) -> (u32, bool) {
        self.added.clear();
        self.add_below(NONE, first, sequence)
    }

    fn add_below(
        &mut self,
        top: u32,
        first: u32,
        sequence: &mut Sequence<'_, impl Steps>,
    ) -> (u32, bool) {
        let (mut above, mut list) = (NONE, first);
        loop {
            let mut node = list;
            let mut own = None;
            while node != NONE && own.is_none() {
                own = sequence.begins_with(self, node);
                if own.is_none() {
                    node = self.nodes[node as usize].next;
                }
            }
            let Some(own) = own else {
                let chain = self.chain(sequence);
                self.added.push(chain);
                let list = self.append(list, chain);
                if above == NONE {
                    self.nodes[chain as usize].above = top;
                    return (list, true);
                }
                self.nodes[above as usize].child = list;
                self.nodes[chain as usize].above = above;
                return (first, true);
            };
            let stranger = own == sequence.steps.len();
            if stranger && self.nodes[node as usize].loose {
                let thread = self.nodes[node as usize].thread;
                let same = |last: Last<'_>| last.thread == thread && sequence.steps.is_empty();
                if !sequence.last.is_some_and(same) {
                    let kept = &mut self.nodes[node as usize].kept;
                    kept.get_or_insert_default().push(Kept::of(sequence));
                }
                return (first, false);
            }
            above = match self.follow(node, own, sequence) {
                Follow::Below(node) => node,
                Follow::End { new } => return (first, new),
            };
            list = self.nodes[above as usize].child;
            let nothing = list == NONE && self.nodes[above as usize].below == Below::Planned;
            if nothing || sequence.is_empty() {
                return (first, false);
            }
        }
    }

    /// Takes a step that can begin a sequence off it, and goes below the step.
    fn follow(&mut self, node: u32, own: usize, sequence: &mut Sequence<'_, impl Steps>) -> Follow {
        let Node {
            thread,
            child,
            mut open,
            ..
        } = self.nodes[node as usize];
        if self.is_end(node) {
            if self.loose + self.answered == 0 {
                return Follow::End { new: false };
            }
            let targets = sequence.steps.get(own).map(|s| sequence.source.targets(*s));
            let Node {
                absorbed, below, ..
            } = self.nodes[node as usize];
            let begun = below == Below::End;
            if absorbed || begun || targets.is_some_and(|t| !t.is_empty()) {
                self.nodes[node as usize].absorbed = true;
                return Follow::End { new: !absorbed };
            }
            self.nodes[node as usize].below = Below::Perhaps;
        }
        if own == sequence.steps.len() {
            if sequence.last.is_some_and(|last| last.thread == thread) {
                sequence.last = None;
                if child != NONE && self.nodes[child as usize].target != NONE {
                    let new = self.open_all(node, sequence);
                    return Follow::End { new };
                }
            }
            return Follow::Below(node);
        }
        let step = sequence.steps.remove(own);
        let mut targets = sequence.source.targets(step);
        let mut above = node;
        while let Some((target, others)) = targets.split_first() {
            let mut child = self.nodes[above as usize].child;
            if child == NONE {
                return Follow::End { new: false };
            }
            while child != NONE && self.nodes[child as usize].target != *target {
                child = self.nodes[child as usize].next;
            }
            if child == NONE && open {
                return Follow::End { new: false };
            }
            if child == NONE {
                let chain = self.chain(sequence);
                let chain = targets
                    .iter()
                    .rfold(chain, |below, target| self.target(thread, *target, below));
                self.added.push(chain);
                let first = self.nodes[above as usize].child;
                self.nodes[above as usize].child = self.append(first, chain);
                self.nodes[chain as usize].above = above;
                return Follow::End { new: true };
            }
            // Further notifications of one step are always explored as a whole.
            (above, open, targets) = (child, true, others);
        }
        Follow::Below(above)
    }

    /// A step with targets ends the sequence, so all its targets are wanted, and what is
    /// left of the sequence after each of them.
    fn open_all(&mut self, node: u32, sequence: &mut Sequence<'_, impl Steps>) -> bool {
        let mut new = !std::mem::replace(&mut self.nodes[node as usize].open, true);
        let steps = sequence.steps.clone();
        let mut child = self.nodes[node as usize].child;
        while child != NONE {
            let Node {
                child: below, next, ..
            } = self.nodes[child as usize];
            sequence.steps.clone_from(&steps);
            if below != NONE && self.nodes[below as usize].target != NONE {
                new |= self.open_all(child, sequence);
            } else if below != NONE && !steps.is_empty() {
                let (below, added) = self.add_below(child, below, sequence);
                self.nodes[child as usize].child = below;
                new |= added;
            }
            child = next;
        }
        new
    }

    /// A tree without branches; returns its root.
    fn chain(&mut self, sequence: &Sequence<'_, impl Steps>) -> u32 {
        let mut below = NONE;
        if let Some(last) = sequence.last {
            below = match last.touches {
                Touches::These(print) => self.make(last.thread, &print, false, NONE),
                Touches::Perhaps(print) => self.make(last.thread, &print, true, NONE),
                Touches::Anything => self.leaf(last.thread, false),
            };
            self.nodes[below as usize].origin = sequence.frame;
            self.nodes[below as usize].rival = last.rival;
            self.nodes[below as usize].key = last.stands;
        }
        for step in sequence.steps.iter().rev() {
            let thread = sequence.source.thread(*step);
            for target in sequence.source.targets(*step).iter().rev() {
                below = self.target(thread, *target, below);
            }
            below = self.make(thread, &sequence.source.print(*step), false, below);
            self.nodes[below as usize].key = sequence.source.name(*step);
        }
        below
    }

    /// A step of which nothing is known; whether it stands for others that are not planned.
    pub fn leaf(&mut self, thread: u32, absorbed: bool) -> u32 {
        let bits = Bits::ALL;
        let node = self.make(thread, &Print { words: &[], bits }, true, NONE);
        self.nodes[node as usize].absorbed = absorbed;
        node
    }

    /// A step of nobody, with which nothing begins.
    pub fn nobody(&mut self) -> u32 {
        let bits = Bits::ALL;
        self.make(NONE, &Print { words: &[], bits }, false, NONE)
    }

    fn target(&mut self, thread: u32, target: u32, child: u32) -> u32 {
        let bits = Bits::default();
        let node = self.make(thread, &Print { words: &[], bits }, false, child);
        self.nodes[node as usize].target = target;
        node
    }

    fn make(&mut self, thread: u32, print: &Print<'_>, loose: bool, child: u32) -> u32 {
        self.loose += u32::from(loose);
        let made = Node {
            thread,
            target: NONE,
            print: self.prints.number(print),
            origin: NONE,
            rival: NONE,
            key: 0,
            kept: None,
            above: NONE,
            child,
            next: NONE,
            loose,
            answered: false,
            absorbed: false,
            open: false,
            below: Below::Planned,
        };
        let node = match self.free.pop() {
            Some(node) => {
                self.nodes[node as usize] = made;
                node
            }
            None => {
                self.nodes.push(made);
                self.nodes.len() as u32 - 1
            }
        };
        if child != NONE {
            self.nodes[child as usize].above = node;
        }
        node
    }

    /// Whether a sequence that comes to a node is covered there.
    pub fn is_end(&self, node: u32) -> bool {
        let node = &self.nodes[node as usize];
        match node.below {
            Below::Planned => node.child == NONE,
            Below::Perhaps | Below::Inner => false,
            Below::End => true,
        }
    }

    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// What a step touches, or was seen to touch.
    pub fn print(&self, node: u32) -> Print<'_> {
        self.prints.print(self.nodes[node as usize].print)
    }

    /// What else a node is: loose, open, absorbed, explored for what is below it perhaps.
    pub fn flags(&self, node: u32) -> u64 {
        let node = self.node(node);
        let perhaps = node.below == Below::Perhaps;
        let flags = [node.loose, node.open, node.absorbed, perhaps];
        flags
            .iter()
            .rev()
            .fold(0, |all, f| all << 1 | u64::from(*f))
    }

    /// A node with the key of [`Node::stands`] and the flags of [`Forest::flags`].
    pub fn rebuild(&mut self, thread: u32, print: &Print<'_>, key: u64, flags: u64) -> u32 {
        let node = self.make(thread, print, flags & 1 != 0, NONE);
        let made = &mut self.nodes[node as usize];
        made.key = key;
        made.open = flags & 2 != 0;
        made.absorbed = flags & 4 != 0;
        if flags & 8 != 0 {
            made.below = Below::Perhaps;
        }
        node
    }

    /// What else belongs to a node that was rebuilt.
    pub fn complete(
        &mut self,
        node: u32,
        target: u32,
        (origin, rival): (u32, u32),
        kept: Vec<Kept>,
    ) {
        let made = &mut self.nodes[node as usize];
        made.rival = rival;
        made.kept = Some(kept).filter(|k| !k.is_empty()).map(Box::new);
        made.target = target;
        made.origin = origin;
    }

    pub fn hang_below(&mut self, above: u32, node: u32) {
        self.nodes[above as usize].child = node;
        self.nodes[node as usize].above = above;
    }

    pub fn hang_beside(&mut self, before: u32, node: u32) {
        self.nodes[before as usize].next = node;
        self.nodes[node as usize].above = self.nodes[before as usize].above;
    }

    /// Puts a tree at the end of a list; returns the list.
    pub fn append(&mut self, first: u32, node: u32) -> u32 {
        if first == NONE {
            return node;
        }
        let mut at = first;
        while self.nodes[at as usize].next != NONE {
            at = self.nodes[at as usize].next;
        }
        self.nodes[at as usize].next = node;
        first
    }

    /// It is known what a loose step does.
    pub fn answer(&mut self, at: u32, print: &Print<'_>) {
        let print = self.prints.number(print);
        let node = &mut self.nodes[at as usize];
        node.print = print;
        if std::mem::take(&mut node.loose) {
            self.loose -= 1;
            self.answered += u32::from(!std::mem::replace(&mut node.answered, true));
        }
    }

    /// Takes those sequences out of a list of trees that a step which was run instead could
    /// begin as well; returns the list.
    pub fn drop_covered(&mut self, first: u32, thread: u32, print: &Print<'_>) -> u32 {
        let (mut kept, mut at) = (NONE, first);
        while at != NONE {
            let node = &self.nodes[at as usize];
            let (child, next) = (node.child, node.next);
            let covered = if node.target != NONE {
                false
            } else if node.thread == thread {
                true
            } else if self.print(at).meets(print) {
                false
            } else if child == NONE {
                !node.absorbed
            } else {
                let below = self.drop_covered(child, thread, print);
                self.nodes[at as usize].child = below;
                below == NONE
            };
            self.nodes[at as usize].next = NONE;
            match covered {
                true => {
                    let node = &mut self.nodes[at as usize];
                    let (above, origin) = (node.above, node.origin);
                    let left = node.kept.take().map_or(Vec::new(), |left| *left);
                    self.drop_all(at);
                    for left in left {
                        let mut steps = left.all();
                        let mut sequence = left.sequence(&mut steps, origin);
                        if !sequence.can_begin(thread, print) {
                            (kept, _) = self.add_below(above, kept, &mut sequence);
                        }
                    }
                }
                false => kept = self.append(kept, at),
            }
            at = next;
        }
        kept
    }

    /// Takes the first tree of a list apart: what it begins with, what is below, the rest.
    /// What was left to a loose step comes last.
    pub fn take(&mut self, first: u32) -> (Branch, Vec<Kept>) {
        let branch = self.look(first);
        let kept = self.take_kept(first);
        self.release(first);
        (branch, kept)
    }

    /// Takes what was left to a loose step away from it.
    pub fn take_kept(&mut self, node: u32) -> Vec<Kept> {
        let kept = self.nodes[node as usize].kept.take();
        kept.map_or(Vec::new(), |kept| *kept)
    }

    /// The same, and leaves it where it is.
    pub fn look(&self, first: u32) -> Branch {
        let node = &self.nodes[first as usize];
        Branch {
            thread: node.thread,
            target: node.target,
            absorbed: node.absorbed,
            unknown: node.loose && self.print(first).bits == Bits::ALL,
            perhaps: node.below == Below::Perhaps,
            open: node.open,
            rival: node.rival,
            below: node.child,
            rest: node.next,
        }
    }

    /// The same as [`Forest::add`] for the trees behind a node; whether anything is new.
    pub fn add_behind(&mut self, node: u32, sequence: &mut Sequence<'_, impl Steps>) -> bool {
        self.added.clear();
        let Node { above, next, .. } = self.nodes[node as usize];
        let (list, new) = self.add_below(above, next, sequence);
        self.nodes[node as usize].next = list;
        new
    }

    /// The roots of what the last sequence has added.
    pub fn added(&self) -> &[u32] {
        &self.added
    }

    /// Puts a tree at the end of those below a node.
    pub fn append_below(&mut self, above: u32, node: u32) {
        let first = self.nodes[above as usize].child;
        self.nodes[above as usize].child = self.append(first, node);
        self.nodes[node as usize].above = above;
    }

    /// A step that does this.
    pub fn step(&mut self, thread: u32, print: &Print<'_>) -> u32 {
        self.make(thread, print, false, NONE)
    }

    /// All that can follow a node is explored.
    pub fn set_end(&mut self, node: u32) {
        self.nodes[node as usize].below = Below::End;
    }

    /// What follows a node is explored for what is planned there.
    pub fn set_inner(&mut self, node: u32) {
        self.nodes[node as usize].below = Below::Inner;
    }

    pub fn is_inner(&self, node: u32) -> bool {
        self.nodes[node as usize].below == Below::Inner
    }

    pub fn set_absorbed(&mut self, node: u32) {
        self.nodes[node as usize].absorbed = true;
    }

    pub fn set_next(&mut self, node: u32, next: u32) {
        self.nodes[node as usize].next = next;
    }

    /// Whether the first sequence of a tree chooses no targets, and it is known of all its steps
    /// what they do.
    pub fn is_plain(&self, first: u32) -> bool {
        let mut at = first;
        loop {
            let node = self.node(at);
            if node.target != NONE || node.loose {
                return false;
            }
            if self.is_last(at) {
                return true;
            }
            at = node.child;
        }
    }

    /// Whether a sequence ends with a node, be it that others perhaps go on there.
    pub fn is_last(&self, node: u32) -> bool {
        let node = self.node(node);
        node.child == NONE || node.below == Below::Perhaps
    }

    /// Copies a list of trees from elsewhere, to be below a node, with loose steps planned
    /// from here.
    pub fn copy(&mut self, from: &Forest, first: u32, above: u32, origin: u32) -> u32 {
        self.copy_until(from, first, NONE, above, origin)
    }

    /// The same of those before another one.
    pub fn copy_until(
        &mut self,
        from: &Forest,
        first: u32,
        end: u32,
        above: u32,
        origin: u32,
    ) -> u32 {
        let mut root = NONE;
        let mut todo = vec![(first, above, NONE)];
        while let Some((at, above, before)) = todo.pop() {
            if at == NONE || at == end {
                continue;
            }
            let node = from.node(at);
            let copy = self.make(node.thread, &from.print(at), node.loose, NONE);
            let made = &mut self.nodes[copy as usize];
            made.target = node.target;
            made.origin = if node.origin == NONE { NONE } else { origin };
            (made.key, made.rival) = (node.key, node.rival);
            made.above = above;
            (made.absorbed, made.open) = (node.absorbed, node.open);
            made.kept.clone_from(&node.kept);
            if node.below == Below::Perhaps {
                made.below = Below::Perhaps;
            }
            self.answered += u32::from(node.answered);
            self.nodes[copy as usize].answered = node.answered;
            if root == NONE {
                root = copy;
            } else if before == NONE {
                self.nodes[above as usize].child = copy;
            } else {
                self.nodes[before as usize].next = copy;
            }
            todo.extend([(node.next, above, copy), (node.child, copy, NONE)]);
        }
        root
    }

    /// Takes a tree out of those below the node above it.
    pub fn remove(&mut self, node: u32) {
        let Node { above, next, .. } = self.nodes[node as usize];
        let mut at = self.nodes[above as usize].child;
        if at == node {
            self.nodes[above as usize].child = next;
        } else {
            while self.nodes[at as usize].next != node {
                at = self.nodes[at as usize].next;
            }
            self.nodes[at as usize].next = next;
        }
        self.nodes[node as usize].next = NONE;
        self.drop_all(node);
    }

    /// Frees what is below a node.
    pub fn drop_below(&mut self, node: u32) {
        let child = std::mem::replace(&mut self.nodes[node as usize].child, NONE);
        self.drop_all(child);
    }

    /// Frees a list of trees.
    pub fn drop_all(&mut self, first: u32) {
        if first == NONE {
            return;
        }
        self.dropped.push(first);
        while let Some(at) = self.dropped.pop() {
            let node = &self.nodes[at as usize];
            let others = [node.next, node.child];
            self.dropped.extend(others.iter().filter(|n| **n != NONE));
            self.release(at);
        }
    }

    /// Frees a node that nothing leads to any more.
    fn release(&mut self, at: u32) {
        let node = &mut self.nodes[at as usize];
        node.kept = None;
        self.loose -= u32::from(std::mem::take(&mut node.loose));
        self.answered -= u32::from(std::mem::take(&mut node.answered));
        self.free.push(at);
    }

    /// Whether it is not known of any step what it does.
    pub fn any_loose(&self) -> bool {
        self.loose > 0
    }

    /// Whether it was found out of any step that is planned what it does.
    pub fn any_answered(&self) -> bool {
        self.answered > 0
    }
}

/// Where a sequence goes on below a step.
enum Follow {
    Below(u32),
    /// Nowhere; whether something was added, or stands for others now.
    End {
        new: bool,
    },
}

/// The first tree of a list.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    pub thread: u32,
    pub target: u32,
    /// Sequences were covered by it.
    pub absorbed: bool,
    /// Nothing is known of the step.
    pub unknown: bool,
    /// What is below is to be explored only if anybody sleeps then.
    pub perhaps: bool,
    pub open: bool,
    /// See `untold`.
    pub rival: u32,
    pub below: u32,
    pub rest: u32,
}
