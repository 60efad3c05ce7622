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
//! other things: a compare-and-set that fails writes nothing. Such a step is *loose*. Where
//! a sequence is covered because a loose step that is planned does not meet it, the step
//! remembers what it must not meet; when it is run, it is seen whether that holds. (For
//! the loose step at the end of the sequence that is to be covered nothing need be
//! remembered. Let *q* be that step, run without those that it was in a race with. Among
//! the steps that *q* then meets and that could begin the sequence otherwise, take the one
//! that it meets last. Up to there it does the same when it is run after that one, so there
//! it is seen to meet all of them.)
//!
//! A notification that can wake one of several threads is a step and then one node per
//! target. A sequence names the targets that its steps chose, but not the last step's: all
//! of them are explored.

use super::print::{Bits, Print, Span};
use super::trace::{NONE, Trace};

/// All wake-up trees, in one list of nodes that are used again.
#[derive(Clone, Debug, Default)]
pub struct Forest {
    nodes: Vec<Node>,
    free: Vec<u32>,
}

/// A step that is planned, or a target of the step above it.
#[derive(Clone, Debug, Default)]
pub struct Node {
    pub thread: u32,
    /// The thread that the step above notifies; `NONE` if this is a step.
    pub target: u32,
    /// What it touches, or was seen to touch if it is loose.
    words: Vec<u32>,
    bits: Bits,
    /// It may touch other places than it was seen to.
    loose: bool,
    /// What it must not meet then.
    against: Vec<u32>,
    /// Where a loose step was planned from.
    pub origin: u32,
    /// The step's name, or where its thread stands if it is loose; 0 if that is not known.
    pub name: u64,
    pub stands: u64,
    /// Sequences were covered by it.
    absorbed: bool,
    /// Of a step with targets below: all others are to be explored too.
    pub open: bool,
    pub child: u32,
    pub next: u32,
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

/// Steps of the present path in their order, and one more step after them.
pub struct Sequence<'a> {
    pub trace: &'a Trace,
    pub steps: &'a mut Vec<u32>,
    pub last: Option<Last<'a>>,
    /// Where it is planned.
    pub frame: u32,
}

/// The step at the end of a sequence.
#[derive(Clone, Copy)]
pub struct Last<'a> {
    pub thread: u32,
    /// Where it stands; 0 if that is not known.
    pub stands: u64,
    pub touches: Touches<'a>,
}

/// What is known of it.
#[derive(Clone, Copy)]
pub enum Touches<'a> {
    /// It touches this wherever it is run.
    These(Print<'a>),
    /// It was seen to touch this.
    Perhaps(Print<'a>),
    /// It has never been run.
    Anything,
}

impl Sequence<'_> {
    /// Whether a thread that was run from here covers the sequence.
    pub fn covered_by(&self, sleepers: &[Sleeper]) -> bool {
        let words = self.trace.words();
        let mut at = 0;
        while at < sleepers.len() {
            let thread = sleepers[at].thread;
            let rest = &sleepers[at..];
            let group = &rest[..rest.iter().take_while(|s| s.thread == thread).count()];
            at += group.len();
            if self.covered_by_group(thread, group, words) {
                return true;
            }
        }
        false
    }

    fn covered_by_group(&self, thread: u32, group: &[Sleeper], words: &[u32]) -> bool {
        let steps = &self.steps;
        let own = steps
            .iter()
            .position(|s| self.trace.step(*s).thread == thread);
        if let Some(own) = own {
            let target = self.trace.targets(steps[own]).first().copied();
            let same = |s: &&Sleeper| s.target == NONE || Some(s.target) == target;
            let Some(sleeper) = group.iter().find(same) else {
                return false;
            };
            let print = sleeper.span.print(words);
            return steps[..own]
                .iter()
                .all(|s| !print.meets(&self.trace.print(*s)));
        }
        if group.iter().any(|s| s.partial) {
            return false;
        }
        group.iter().all(|sleeper| {
            let print = sleeper.span.print(words);
            let free = self
                .steps
                .iter()
                .all(|s| !print.meets(&self.trace.print(*s)));
            free && !self.last_meets(thread, &print)
        })
    }

    /// Whether the last step, if it is another thread's, meets a print.
    fn last_meets(&self, thread: u32, print: &Print<'_>) -> bool {
        match self.last {
            Some(last) if last.thread != thread => match last.touches {
                Touches::These(these) | Touches::Perhaps(these) => these.meets(print),
                Touches::Anything => true,
            },
            _ => false,
        }
    }

    /// Whether a planned step can come first: `Some` with its place in the sequence, or
    /// the length if it is not one of the steps.
    fn begins_with(&self, node: &mut Node) -> Option<usize> {
        let trace = self.trace;
        let own = self
            .steps
            .iter()
            .position(|s| trace.step(*s).thread == node.thread);
        if let Some(own) = own {
            let step = self.steps[own];
            let print = trace.print(step);
            let free = self.steps[..own]
                .iter()
                .all(|s| !trace.before(*s, step) && !print.meets(&trace.print(*s)));
            return free.then_some(own);
        }
        let is_last = self.last.is_some_and(|last| last.thread == node.thread);
        let print = node.print();
        let hindered = self
            .steps
            .iter()
            .any(|s| print.meets(&trace.print(*s)) || is_last && trace.before_the_last(*s));
        if hindered || self.last_meets(node.thread, &print) {
            return None;
        }
        if node.loose {
            self.remember(node, is_last);
        }
        Some(self.steps.len())
    }

    /// A loose step covers the sequence only if it does not meet it.
    #[cold]
    fn remember(&self, node: &mut Node, is_last: bool) {
        for step in self.steps.iter() {
            collect(&mut node.against, &self.trace.print(*step));
        }
        if let Some(last) = self.last
            && let Touches::These(print) | Touches::Perhaps(print) = last.touches
            && !is_last
        {
            collect(&mut node.against, &print);
        }
    }
}

impl Node {
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    pub fn against(&self) -> &[u32] {
        &self.against
    }

    /// What else a node is: loose, of unknown effect, open, absorbed.
    pub fn flags(&self) -> u64 {
        let unknown = self.bits == Bits::ALL;
        let flags = [self.loose, unknown, self.open, self.absorbed];
        flags
            .iter()
            .rev()
            .fold(0, |all, f| all << 1 | u64::from(*f))
    }

    fn print(&self) -> Print<'_> {
        Print {
            words: &self.words,
            bits: self.bits,
        }
    }

    /// Whether it is not known what the step does here, and might be by now.
    pub fn is_open_question(&self) -> bool {
        let last = self.child == NONE && self.target == NONE;
        last && self.loose && !self.absorbed && self.stands != 0
    }
}

impl Forest {
    /// Adds a sequence to the list of trees that begins with `first`, which is returned,
    /// unless it is covered by them.
    pub fn add(&mut self, first: u32, sequence: &mut Sequence<'_>) -> (u32, bool) {
        let (mut above, mut list) = (NONE, first);
        loop {
            let mut node = list;
            let mut own = None;
            while node != NONE && own.is_none() {
                own = sequence.begins_with(&mut self.nodes[node as usize]);
                if own.is_none() {
                    node = self.nodes[node as usize].next;
                }
            }
            let Some(own) = own else {
                let chain = self.chain(sequence);
                let list = self.append(list, chain);
                if above == NONE {
                    return (list, true);
                }
                self.nodes[above as usize].child = list;
                return (first, true);
            };
            above = match self.follow(node, own, sequence) {
                Follow::Below(node) => node,
                Follow::End { new } => return (first, new),
            };
            list = self.nodes[above as usize].child;
            if list == NONE || sequence.steps.is_empty() && sequence.last.is_none() {
                return (first, false);
            }
        }
    }

    /// Takes a step that can begin a sequence off it, and goes below the step.
    fn follow(&mut self, node: u32, own: usize, sequence: &mut Sequence<'_>) -> Follow {
        let Node {
            thread,
            child,
            mut open,
            ..
        } = self.nodes[node as usize];
        if child == NONE {
            let absorbed = &mut self.nodes[node as usize].absorbed;
            let new = !std::mem::replace(absorbed, true);
            return Follow::End { new };
        }
        if own == sequence.steps.len() {
            if sequence.last.is_some_and(|last| last.thread == thread) {
                sequence.last = None;
                if self.nodes[child as usize].target != NONE {
                    let new = self.open_all(node, sequence);
                    return Follow::End { new };
                }
            }
            return Follow::Below(node);
        }
        let step = sequence.steps.remove(own);
        let mut targets = sequence.trace.targets(step);
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
                let first = self.nodes[above as usize].child;
                self.nodes[above as usize].child = self.append(first, chain);
                return Follow::End { new: true };
            }
            // Further notifications of one step are always explored as a whole.
            (above, open, targets) = (child, true, others);
        }
        Follow::Below(above)
    }

    /// A step with targets ends the sequence, so all its targets are wanted, and what is
    /// left of the sequence after each of them.
    fn open_all(&mut self, node: u32, sequence: &mut Sequence<'_>) -> bool {
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
                let (below, added) = self.add(below, sequence);
                self.nodes[child as usize].child = below;
                new |= added;
            }
            child = next;
        }
        new
    }

    /// A tree without branches; returns its root.
    fn chain(&mut self, sequence: &Sequence<'_>) -> u32 {
        let mut below = NONE;
        if let Some(last) = sequence.last {
            below = match last.touches {
                Touches::These(print) => self.make(last.thread, &print, false, NONE),
                Touches::Perhaps(print) => self.make(last.thread, &print, true, NONE),
                Touches::Anything => self.leaf(last.thread, false),
            };
            self.nodes[below as usize].origin = sequence.frame;
            self.nodes[below as usize].stands = last.stands;
        }
        for step in sequence.steps.iter().rev() {
            let thread = sequence.trace.step(*step).thread;
            for target in sequence.trace.targets(*step).iter().rev() {
                below = self.target(thread, *target, below);
            }
            below = self.make(thread, &sequence.trace.print(*step), false, below);
            self.nodes[below as usize].name = sequence.trace.step(*step).name;
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

    fn target(&mut self, thread: u32, target: u32, child: u32) -> u32 {
        let bits = Bits::default();
        let node = self.make(thread, &Print { words: &[], bits }, false, child);
        self.nodes[node as usize].target = target;
        node
    }

    fn make(&mut self, thread: u32, print: &Print<'_>, loose: bool, child: u32) -> u32 {
        let node = self.free.pop().unwrap_or_else(|| {
            self.nodes.push(Node::default());
            self.nodes.len() as u32 - 1
        });
        let made = &mut self.nodes[node as usize];
        made.thread = thread;
        made.target = NONE;
        made.words.clear();
        made.words.extend_from_slice(print.words);
        made.bits = print.bits;
        made.loose = loose;
        made.against.clear();
        made.origin = NONE;
        made.name = 0;
        made.stands = 0;
        made.absorbed = false;
        made.open = false;
        made.child = child;
        made.next = NONE;
        node
    }

    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// A node with the flags of [`Node::flags`].
    pub fn rebuild(
        &mut self,
        thread: u32,
        target: u32,
        origin: u32,
        flags: u64,
        words: Vec<u32>,
        against: Vec<u32>,
    ) -> u32 {
        let bits = match flags & 2 {
            0 => Bits::of(&words).with_marks(flags >> 4),
            _ => Bits::ALL,
        };
        let print = Print {
            words: &words,
            bits,
        };
        let node = self.make(thread, &print, flags & 1 != 0, NONE);
        let made = &mut self.nodes[node as usize];
        made.target = target;
        made.origin = origin;
        made.open = flags & 4 != 0;
        made.absorbed = flags & 8 != 0;
        made.against = against;
        node
    }

    pub fn hang_below(&mut self, above: u32, node: u32) {
        self.nodes[above as usize].child = node;
    }

    pub fn hang_beside(&mut self, before: u32, node: u32) {
        self.nodes[before as usize].next = node;
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
        let node = &mut self.nodes[at as usize];
        node.words.clear();
        node.words.extend_from_slice(print.words);
        node.bits = print.bits;
        node.loose = false;
        node.against.clear();
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
            } else if node.print().meets(print) {
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
                true => self.drop_all(at),
                false => kept = self.append(kept, at),
            }
            at = next;
        }
        kept
    }

    /// Takes the first tree of a list apart: what it begins with, what is below, the rest.
    /// What was expected of a loose step is put into `promise`.
    pub fn take(&mut self, first: u32, promise: &mut Promise) -> Branch {
        let node = &self.nodes[first as usize];
        promise.origin = NONE;
        if node.loose {
            promise.origin = node.origin;
            promise.against.clone_from(&node.against);
            promise.seen.clone_from(&node.words);
        }
        let branch = Branch {
            thread: node.thread,
            target: node.target,
            absorbed: node.absorbed,
            unknown: node.loose && node.bits == Bits::ALL,
            open: node.open,
            below: node.child,
            rest: node.next,
        };
        self.free.push(first);
        branch
    }

    /// Frees a list of trees.
    pub fn drop_all(&mut self, first: u32) {
        let mut todo = vec![first];
        while let Some(at) = todo.pop() {
            if at != NONE {
                let node = &self.nodes[at as usize];
                todo.extend([node.next, node.child]);
                self.free.push(at);
            }
        }
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

/// What sequences relied on when they were left out because of a loose step.
#[derive(Clone, Debug)]
pub struct Promise {
    /// Where the step was planned from; `NONE` if there is nothing to keep.
    pub origin: u32,
    /// What it was seen to touch.
    seen: Vec<u32>,
    /// What it must not meet.
    against: Vec<u32>,
}

impl Default for Promise {
    fn default() -> Promise {
        Promise {
            origin: NONE,
            seen: Vec::new(),
            against: Vec::new(),
        }
    }
}

impl Promise {
    /// Whether a step that touches this breaks it: it meets what it must not meet, or, with
    /// what it was not seen to touch, one of the others that could have come before it.
    pub fn broken_by(&self, print: &Print<'_>, others: &[u32]) -> bool {
        let meets = |words: &[u32]| {
            let bits = Bits::of(words);
            print.meets(&Print { words, bits })
        };
        let new = |word: &&u32| {
            let seen = find(&self.seen, **word);
            let other = find(others, **word);
            seen.is_none_or(|s| s < **word) && other.is_some_and(|o| (o | **word) & 1 != 0)
        };
        meets(&self.against) || print.words.iter().any(|word| new(&word))
    }

    /// Whether a step touches anything that it was not seen to.
    pub fn exceeded_by(&self, print: &Print<'_>) -> bool {
        let (words, bits) = (&self.seen[..], Bits::default());
        exceeding(print, &Print { words, bits }).next().is_some()
    }
}

/// What one step touches beyond another.
pub fn exceeding<'a>(more: &Print<'a>, less: &Print<'a>) -> impl Iterator<Item = u32> + 'a {
    let less = less.words;
    let new = move |word: &u32| find(less, *word).is_none_or(|known| known < *word);
    more.words.iter().copied().filter(new)
}

/// The word of the same place.
fn find(words: &[u32], word: u32) -> Option<u32> {
    let at = words.partition_point(|w| w >> 1 < word >> 1);
    words.get(at).copied().filter(|w| w >> 1 == word >> 1)
}

/// Adds the places of a print to a list in the order of prints.
fn collect(words: &mut Vec<u32>, print: &Print<'_>) {
    for word in print.words {
        collect_word(words, *word);
    }
}

fn collect_word(words: &mut Vec<u32>, word: u32) {
    let at = words.partition_point(|w| w >> 1 < word >> 1);
    match words.get_mut(at) {
        Some(known) if *known >> 1 == word >> 1 => *known |= word,
        _ => words.insert(at, word),
    }
}

/// What many steps touched, in the order of prints. Every step of every path is added to
/// several of these, and next to none brings anything new.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    words: Vec<u32>,
    /// Words that are known to be there, plus one, each where its number points.
    recent: [u32; RECENT],
}

const RECENT: usize = 32;

impl Gathered {
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    pub fn clear(&mut self) {
        if !self.words.is_empty() {
            self.words.clear();
            self.recent = [0; RECENT];
        }
    }

    #[inline]
    pub fn add(&mut self, print: &Print<'_>) {
        for &word in print.words {
            let known = &mut self.recent[word as usize % RECENT];
            if *known != word + 1 {
                *known = word + 1;
                collect_word(&mut self.words, word);
            }
        }
    }
}

impl From<Vec<u32>> for Gathered {
    fn from(words: Vec<u32>) -> Gathered {
        let recent = [0; RECENT];
        Gathered { words, recent }
    }
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
    pub open: bool,
    pub below: u32,
    pub rest: u32,
}
