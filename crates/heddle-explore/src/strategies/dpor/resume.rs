//! Where the search is, as words, and back.
//!
//! For every choice of the present path: what was taken, what has been run from it, and
//! what is planned. The rest follows when the path is run again, which is how a search is
//! resumed: the first path goes to the choice where it left off, and plans nothing on the
//! way.

use super::print::{Bits, Print, settle};
use super::trace::NONE;
use super::wakeup::{Forest, Sleeper};
use super::{Dpor, Frame, Kind, Ranges};

/// The first word of a frontier of this search.
pub(super) const FRONTIER: u64 = 0xd902_0003;

/// The frames that a search is resumed with.
#[derive(Clone, Debug, Default)]
pub(super) struct Replay {
    frames: Vec<Saved>,
}

#[derive(Clone, Debug, Default)]
struct Saved {
    taken: u32,
    flags: u64,
    others: Vec<u32>,
    /// Thread, target, [`mark`] and words.
    ran: Vec<(u32, u32, u64, Vec<u32>)>,
    tree: u32,
}

impl Replay {
    /// Whether a frame is on the way, before the last one.
    pub fn passes(&self, frame: usize) -> bool {
        frame + 1 < self.frames.len()
    }
}

impl Dpor {
    pub(super) fn save(&self) -> Vec<u64> {
        let lazy = u64::from(self.trace.lazy);
        let mut out = Writer(vec![FRONTIER, lazy, self.schedules, self.blocked]);
        let names = self.trace.names.keys();
        out.push(names.len());
        out.0.extend(&names);
        out.push(self.depth);
        for frame in &self.frames[..self.depth] {
            out.push(frame.taken as usize);
            out.0.push(frame.flags());
            self.save_words(frame.others.words(), &mut out);
            let Ranges { own, to, .. } = frame.sleepers;
            let ran = &self.sleepers[own as usize..to as usize];
            out.push(ran.len());
            for sleeper in ran {
                out.0.extend(self.sleeper_words(sleeper));
            }
            let words = |words: &[u32], out: &mut Writer| self.save_words(words, out);
            self.forest.save(frame.tree, &words, &mut out);
        }
        out.0
    }

    /// What was run from a choice.
    pub(super) fn sleeper_words(&self, sleeper: &Sleeper) -> Vec<u64> {
        let Sleeper {
            thread,
            target,
            partial,
            span,
        } = *sleeper;
        let words = self.place_words(span.print(self.trace.words()).words);
        ran(thread, target, partial, span.bits, &words)
    }

    pub(super) fn save_words(&self, words: &[u32], out: &mut Writer) {
        out.push(words.len());
        out.0.extend(self.place_words(words));
    }

    pub(super) fn place_words(&self, words: &[u32]) -> Vec<u64> {
        let places = words.iter().map(|w| self.trace.places.place(*w));
        places.collect()
    }

    pub(super) fn restore(&mut self, words: &[u64]) -> Option<()> {
        let mut from = Reader(words);
        if from.next()? != FRONTIER {
            return None;
        }
        self.trace.lazy = from.next()? != 0;
        self.schedules = from.next()?;
        self.blocked = from.next()?;
        for _ in 0..from.number()? {
            let key = from.next()?;
            self.trace.names.restore(key);
        }
        let frames = from.number()?;
        for _ in 0..frames {
            let mut saved = Saved {
                taken: from.number()? as u32,
                flags: from.next()?,
                others: self.restore_words(&mut from)?,
                ..Saved::default()
            };
            for _ in 0..from.number()? {
                let thread = from.number()? as u32;
                let target = from.number()? as u32;
                let mark = from.next()?;
                let words = self.restore_words(&mut from)?;
                saved.ran.push((thread, target, mark, words));
            }
            let mut forest = std::mem::take(&mut self.forest);
            let tree = forest.restore(&mut from, &mut |from| self.restore_words(from));
            self.forest = forest;
            saved.tree = tree?;
            self.replay.frames.push(saved);
        }
        from.0.is_empty().then_some(())
    }

    pub(super) fn restore_words(&mut self, from: &mut Reader<'_>) -> Option<Vec<u32>> {
        let mut words = Vec::new();
        for _ in 0..from.number()? {
            let place = from.next()?;
            words.push(self.trace.places.number(place & !1) | (place & 1) as u32);
        }
        // Places may have got other numbers.
        settle(&mut words);
        Some(words)
    }

    /// Gives a frame what it had when the search was left. What was taken there, unless it
    /// is the last one, or `None` if nothing was saved for it.
    pub(super) fn replay(&mut self, at: usize) -> Option<Option<u32>> {
        let last = at + 1 == self.replay.frames.len();
        let saved = std::mem::take(self.replay.frames.get_mut(at)?);
        for (thread, target, mark, words) in saved.ran {
            let bits = Bits::of(&words).with_marks(mark >> 1);
            let partial = mark & 1 != 0;
            let span = self.trace.keep_words(&Print {
                words: &words,
                bits,
            });
            self.sleepers.push(Sleeper {
                thread,
                target,
                partial,
                span,
            });
        }
        let frame = &mut self.frames[at];
        frame.sleepers.to = self.sleepers.len() as u32;
        frame.words = self.trace.words_top();
        frame.tree = saved.tree;
        frame.others = saved.others.into();
        frame.set_flags(saved.flags);
        if frame.loose {
            self.loose.push(at as u32);
        }
        if last {
            self.replay.frames.clear();
            return Some(None);
        }
        Some(Some(saved.taken))
    }
}

impl Frame {
    pub(super) fn flags(&self) -> u64 {
        let flags = [self.all, self.watchful, self.open, self.loose];
        flags
            .iter()
            .rev()
            .fold(0, |all, f| all << 1 | u64::from(*f))
    }

    fn set_flags(&mut self, flags: u64) {
        self.all = flags & 1 != 0;
        self.watchful = flags & 2 != 0;
        self.open = flags & 4 != 0 && self.kind == Kind::Targets;
        self.loose = flags & 8 != 0;
    }
}

impl Forest {
    fn save_node(&self, at: u32, words: &dyn Fn(&[u32], &mut Writer), out: &mut Writer) {
        let node = self.node(at);
        out.push(1);
        out.push(node.thread as usize);
        out.push(node.target as usize);
        out.push(node.origin as usize);
        out.0.push(self.flags(at));
        words(self.print(at).words, out);
        words(node.against(), out);
    }

    fn save(&self, first: u32, words: &dyn Fn(&[u32], &mut Writer), out: &mut Writer) {
        // Depth first; a node is followed by its subtree and then by its sibling.
        let mut todo = vec![first];
        while let Some(at) = todo.pop() {
            if at == NONE {
                out.push(0);
                continue;
            }
            self.save_node(at, words, out);
            let node = self.node(at);
            todo.extend([node.next, node.child]);
        }
    }

    pub(super) fn restore(
        &mut self,
        from: &mut Reader<'_>,
        words: &mut dyn FnMut(&mut Reader<'_>) -> Option<Vec<u32>>,
    ) -> Option<u32> {
        // Where the next node is hung: below another, beside another, or on top.
        let mut first = NONE;
        let mut places = vec![(NONE, false)];
        while let Some((above, below)) = places.pop() {
            if from.next()? == 0 {
                continue;
            }
            let thread = from.number()? as u32;
            let target = from.number()? as u32;
            let origin = from.number()? as u32;
            let flags = from.next()?;
            let touched = words(from)?;
            let against = words(from)?;
            let node = self.rebuild(thread, target, origin, flags, touched, against);
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

/// What was run from a choice, in words: thread, target, marks, places.
pub(super) fn ran(thread: u32, target: u32, partial: bool, bits: Bits, words: &[u64]) -> Vec<u64> {
    let mark = u64::from(partial) | bits.marks() << 1;
    let mut out = vec![thread.into(), target.into(), mark, words.len() as u64];
    out.extend(words);
    out
}

/// Words to come out in the order in which they are put in.
pub(super) struct Writer(pub Vec<u64>);

impl Writer {
    pub(super) fn push(&mut self, number: usize) {
        self.0.push(number as u64);
    }
}

pub(super) struct Reader<'a>(pub &'a [u64]);

impl Reader<'_> {
    fn next(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(super) fn number(&mut self) -> Option<usize> {
        self.next()?.try_into().ok()
    }
}
