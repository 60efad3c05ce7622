//! Where the search is, as words, and back.
//!
//! For every choice of the present path: what was taken, what has been run from it, and
//! what is planned. The rest follows when the path is run again, which is how a search is
//! resumed: the first path goes to the choice where it left off, and plans nothing on the
//! way.
//!
//! Between two paths that choice is where the next one branches off. In the middle of a path
//! it is the last one that was made, and the step that was being run is run again, with what
//! is planned behind it.

use super::kept::Kept;
use super::print::{Bits, Print};
use super::trace::NONE;
use super::wakeup::{Forest, Sleeper};
use super::{Dpor, Frame, Kind, Ranges};
use heddle_model::OpMask;

/// The first word of a frontier of this search.
pub(super) const FRONTIER: u64 = 0xd902_000b;

/// The frames that a search is resumed with.
#[derive(Clone, Debug, Default)]
pub(super) struct Replay {
    frames: Vec<Saved>,
    /// So many frames, from the first, made a step that has been planned for.
    closed: usize,
    /// The step that was being run after the last frame.
    under_way: Option<UnderWay>,
}

/// A step that is being run: what is known of it and planned behind it.
#[derive(Clone, Debug)]
pub(super) struct UnderWay {
    pub plan: u32,
    pub plan_open: bool,
    pub absorbed: bool,
    pub unknown: bool,
    pub plan_if_asleep: bool,
    pub left: Vec<Kept>,
}

impl Default for UnderWay {
    fn default() -> UnderWay {
        UnderWay {
            plan: NONE,
            plan_open: true,
            absorbed: false,
            unknown: false,
            plan_if_asleep: false,
            left: Vec::new(),
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Saved {
    taken: u32,
    flags: u64,
    rival: u32,
    ran: Vec<Ran>,
    tree: u32,
}

/// A thread that was run from a frame.
#[derive(Clone, Debug)]
struct Ran {
    thread: u32,
    target: u32,
    partial: bool,
    print: (Vec<u32>, Bits),
}

impl Replay {
    /// Whether the step of a frame on the way has been planned for.
    pub fn passes(&self, frame: usize) -> bool {
        frame < self.closed
    }
}

impl Dpor {
    pub(super) fn save(&self) -> Vec<u64> {
        let flags = [
            self.trace.lazy,
            self.stops.has(OpMask::AWAITS),
            self.begins_anew,
            self.trace.awaited.matters,
            self.stops.has(OpMask::GATES),
        ];
        let flags = flags
            .iter()
            .rev()
            .fold(0, |all, f| all << 1 | u64::from(*f));
        let counts = [self.schedules, self.blocked, self.astray];
        let mut out = Writer(vec![FRONTIER, flags]);
        out.0.extend(counts);
        // Places and threads are to get the same numbers again.
        out.list(self.trace.places.all());
        out.list(&self.trace.names.keys());
        let chosen = |f: &Frame| f.kind != Kind::Forced;
        let last = self.frames[..self.depth].iter().rposition(chosen);
        let depth = last.map_or(0, |last| last + 1);
        out.push(depth);
        for frame in &self.frames[..depth] {
            // Of the two at most one is there.
            out.push(frame.taken.min(frame.in_vain) as usize);
            out.0.push(frame.flags());
            out.push(frame.rival as usize);
            let Ranges { own, to, .. } = frame.sleepers;
            let ran = &self.sleepers[own as usize..to as usize];
            out.push(ran.len());
            for sleeper in ran {
                out.push(sleeper.thread as usize);
                out.push(sleeper.target as usize);
                out.push(sleeper.partial.into());
                out.print(&sleeper.span.print(self.trace.words()));
            }
            self.forest.save(frame.tree, &mut out);
        }
        // Between two paths nothing is taken at the last one.
        let under_way = last.is_some_and(|last| self.frames[last].taken != NONE);
        out.push(under_way.into());
        if under_way {
            out.push(depth.min(self.trace.making.frame as usize));
            self.save_under_way(&mut out);
        }
        self.trace.memo.save(&mut out);
        self.trace.locks.save(&mut out);
        self.trace.awaited.save(&mut out);
        let kept: Vec<u32> = self.trace.gates.kept.iter().copied().collect();
        out.words(&kept);
        out.0
    }

    fn save_under_way(&self, out: &mut Writer) {
        let flags = [self.plan_open, self.absorbed, self.unknown];
        for flag in flags.into_iter().chain([self.plan_if_asleep]) {
            out.push(flag.into());
        }
        save_kept(&self.left, out);
        self.forest.save(self.plan, out);
    }

    pub(super) fn restore(&mut self, words: &[u64]) -> Option<()> {
        let mut from = Reader(words);
        if from.next()? != FRONTIER {
            return None;
        }
        let flags = from.next()?;
        self.trace.lazy = flags & 1 != 0;
        self.begins_anew = flags & 4 != 0;
        self.trace.awaited.matters = flags & 8 != 0;
        if flags & 2 == 0 {
            self.stops = self.stops.without(OpMask::AWAITS);
        }
        if flags & 16 == 0 {
            self.stops = self.stops.without(OpMask::GATES);
        }
        self.schedules = from.next()?;
        self.blocked = from.next()?;
        self.astray = from.next()?;
        for place in from.list()? {
            self.trace.places.number(place);
        }
        for key in from.list()? {
            self.trace.names.restore(key);
        }
        let frames = from.number()?;
        for _ in 0..frames {
            let mut saved = Saved {
                taken: from.number()? as u32,
                flags: from.next()?,
                rival: from.number()? as u32,
                ..Saved::default()
            };
            for _ in 0..from.number()? {
                saved.ran.push(Ran {
                    thread: from.number()? as u32,
                    target: from.number()? as u32,
                    partial: from.next()? != 0,
                    print: from.print()?,
                });
            }
            saved.tree = self.forest.restore(&mut from)?;
            self.replay.frames.push(saved);
        }
        self.replay.closed = frames.saturating_sub(1);
        if from.next()? != 0 {
            self.replay.closed = from.number()?;
            self.replay.under_way = Some(self.restore_under_way(&mut from)?);
        }
        self.trace.memo.restore(&mut from)?;
        self.trace.locks.restore(&mut from)?;
        self.trace.awaited.restore(&mut from)?;
        self.trace.gates.kept = from.words()?.into_iter().collect();
        from.0.is_empty().then_some(())
    }

    fn restore_under_way(&mut self, from: &mut Reader<'_>) -> Option<UnderWay> {
        Some(UnderWay {
            plan_open: from.next()? != 0,
            absorbed: from.next()? != 0,
            unknown: from.next()? != 0,
            plan_if_asleep: from.next()? != 0,
            left: restore_kept(from)?,
            plan: self.forest.restore(from)?,
        })
    }

    /// Gives a frame what it had when the search was left. What was taken there and is to be
    /// taken again, if anything is.
    pub(super) fn replay(&mut self, at: usize) -> Option<(u32, UnderWay)> {
        let last = at + 1 == self.replay.frames.len();
        let saved = std::mem::take(self.replay.frames.get_mut(at)?);
        for ran in saved.ran {
            let (words, bits) = &ran.print;
            let span = self.trace.keep_words(&Print { words, bits: *bits });
            self.sleepers.push(Sleeper {
                thread: ran.thread,
                target: ran.target,
                partial: ran.partial,
                span,
            });
        }
        let frame = &mut self.frames[at];
        frame.sleepers.to = self.sleepers.len() as u32;
        frame.words = self.trace.words_top();
        frame.tree = saved.tree;
        frame.set_flags(saved.flags);
        frame.rival = saved.rival;
        if !last {
            return Some((saved.taken, UnderWay::default()));
        }
        self.replay.frames.clear();
        self.replay.closed = 0;
        let under_way = self.replay.under_way.take()?;
        Some((saved.taken, under_way))
    }
}

impl Frame {
    pub(super) fn flags(&self) -> u64 {
        let flags = [self.all, self.watchful, self.open];
        flags
            .iter()
            .rev()
            .fold(0, |all, f| all << 1 | u64::from(*f))
    }

    fn set_flags(&mut self, flags: u64) {
        self.all = flags & 1 != 0;
        self.watchful = flags & 2 != 0;
        self.open = flags & 4 != 0 && self.kind == Kind::Targets;
    }
}

impl Forest {
    fn save_node(&self, at: u32, out: &mut Writer) {
        let node = self.node(at);
        out.push(1);
        out.push(node.thread as usize);
        out.push(node.target as usize);
        out.push(node.origin as usize);
        out.push(node.rival as usize);
        out.0.push(node.stands());
        out.0.push(self.flags(at));
        out.print(&self.print(at));
        save_kept(node.kept(), out);
    }

    fn save(&self, first: u32, out: &mut Writer) {
        // Depth first; a node is followed by its subtree and then by its sibling.
        let mut todo = vec![first];
        while let Some(at) = todo.pop() {
            if at == NONE {
                out.push(0);
                continue;
            }
            self.save_node(at, out);
            let node = self.node(at);
            todo.extend([node.next, node.child]);
        }
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Option<u32> {
        // Where the next node is hung: below another, beside another, or on top.
        let mut first = NONE;
        let mut places = vec![(NONE, false)];
        while let Some((above, below)) = places.pop() {
            if from.next()? == 0 {
                continue;
            }
            let thread = from.number()? as u32;
            let target = from.number()? as u32;
            let planned = (from.number()? as u32, from.number()? as u32);
            let (key, flags) = (from.next()?, from.next()?);
            let (words, bits) = from.print()?;
            let print = Print {
                words: &words,
                bits,
            };
            let node = self.rebuild(thread, &print, key, flags);
            self.complete(node, target, planned, restore_kept(from)?);
            match (above, below) {
                (NONE, _) => first = node,
                (_, true) => self.hang_below(above, node),
                (_, false) => self.hang_beside(above, node),
            }
            places.extend([(node, false), (node, true)]);
        }
        Some(first)
    }
}

fn save_kept(kept: &[Kept], out: &mut Writer) {
    out.push(kept.len());
    kept.iter().for_each(|kept| kept.save(out));
}

fn restore_kept(from: &mut Reader<'_>) -> Option<Vec<Kept>> {
    (0..from.number()?).map(|_| Kept::restore(from)).collect()
}

/// Words to come out in the order in which they are put in.
pub(super) struct Writer(Vec<u64>);

impl Writer {
    pub(super) fn push(&mut self, number: usize) {
        self.0.push(number as u64);
    }

    pub(super) fn list(&mut self, list: &[u64]) {
        self.push(list.len());
        self.0.extend(list);
    }

    pub(super) fn words(&mut self, words: &[u32]) {
        self.push(words.len());
        self.0.extend(words.iter().map(|w| u64::from(*w)));
    }

    pub(super) fn print(&mut self, print: &Print<'_>) {
        let unknown = print.bits == Bits::ALL;
        self.0.push(print.bits.marks() << 1 | u64::from(unknown));
        self.words(print.words);
    }
}

pub(super) struct Reader<'a>(&'a [u64]);

impl Reader<'_> {
    pub(super) fn next(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(super) fn number(&mut self) -> Option<usize> {
        self.next()?.try_into().ok()
    }

    pub(super) fn list(&mut self) -> Option<Vec<u64>> {
        let length = self.number()?;
        let (list, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(list.to_vec())
    }

    pub(super) fn words(&mut self) -> Option<Vec<u32>> {
        let list = self.list()?;
        list.into_iter().map(|w| w.try_into().ok()).collect()
    }

    pub(super) fn print(&mut self) -> Option<(Vec<u32>, Bits)> {
        let marks = self.next()?;
        let words = self.words()?;
        let bits = match marks & 1 {
            0 => Bits::of(&words).with_marks(marks >> 1),
            _ => Bits::ALL,
        };
        Some((words, bits))
    }
}
