//! What calls do, foreseen from what they did before.
//!
//! A call into trusted code touches other places when other steps come before it, so what it
//! does at the end of a sequence that is planned is not known from what it was seen to do. To
//! be optimal one has to know: a sequence is in vain if a thread that sleeps could begin it.
//!
//! But then it *is* known. Let *v* be a sequence with a call at its end, and let a thread that
//! sleeps be able to begin it. What follows from there has been explored, *v* as well, and
//! with it the call, after the same steps that it depends on. So every step has a name that
//! is the same wherever it depends on the same (a hash of the names of these, of its thread
//! and of its number), and of every call it is kept what it touched, with a hash of the names
//! of the last writers of that. Where a call is planned, these are compared with the writers there:
//! if they are the same, the call will do the same; if nothing that is kept agrees, it has
//! not been run there, nobody who sleeps could begin the sequence, and it is worth running.
//!
//! What is planned before such a call is seen for the first time is looked at again whenever
//! a branch beside it is done.
//!
//! Several workers tell each other what they have seen (`Calls`): who explores what is planned
//! beside the part of another one, once that is done, is to know as much as if it had been its own.
//!
//! Left out: calls in which one of several threads is notified. Of large searches only the
//! last calls are kept; then sequences may be planned in vain, which is counted.

use super::print::{Bits, Print, Prints, WordHasher};
use super::resume::{Reader, Writer};
use super::trace::{Making, NONE, Order, Trace};
use super::wakeup::Forest;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

/// What calls touched.
#[derive(Clone, Debug, Default)]
pub struct Memo {
    prints: Prints,
    /// By where their threads stood: what they did there first, and what else.
    first: HashMap<u64, u32, BuildHasherDefault<WordHasher>>,
    others: HashMap<u64, Vec<u32>, BuildHasherDefault<WordHasher>>,
    /// One number for a thread that stood somewhere, what it did there, and the last writers
    /// of all that.
    seen: HashSet<u64, BuildHasherDefault<WordHasher>>,
    /// What others are to be told of, if there are any, and how much of theirs is known.
    news: Option<Vec<Call>>,
    heard: usize,
}

/// A call as workers tell each other of it: where its thread stood, what it did there, and the
/// number for that in `seen`.
#[derive(Clone, Debug)]
pub struct Call {
    stands: u64,
    words: Box<[u32]>,
    bits: Bits,
    key: u64,
}

/// What all workers have seen, in the order in which they told of it.
#[derive(Debug, Default)]
pub struct Calls {
    last: Vec<Call>,
    /// So many came before those.
    forgotten: usize,
}

impl Calls {
    fn add(&mut self, calls: impl Iterator<Item = Call>) {
        if self.last.len() >= MOST {
            self.forgotten += self.last.len();
            self.last.clear();
        }
        self.last.extend(calls);
    }
}

/// Calls that are kept at most.
const MOST: usize = 1 << 18;

impl Memo {
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// What a thread did from where it stands.
    fn effects(&self, stands: u64) -> impl Iterator<Item = u32> {
        let first = self.first.get(&stands).copied();
        let others = self.others.get(&stands).into_iter().flatten().copied();
        first.into_iter().chain(others)
    }

    /// What a thread does from where it stands, if the last writers of places are these.
    fn find(&self, stands: u64, writer: &dyn Fn(u32) -> Option<u64>) -> Option<Print<'_>> {
        let found = self.effects(stands).find(|effect| {
            let print = self.prints.print(*effect);
            let mut writers = print.words.iter().map(|word| writer(*word));
            let key = writers.try_fold(start(stands, &print), |key, w| Some(mix(key ^ w?)));
            key.is_some_and(|key| self.seen.contains(&key))
        })?;
        Some(self.prints.print(found))
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.push(self.prints.iter().len());
        self.prints.iter().for_each(|print| out.print(&print));
        let effects = self.first.iter().map(|(k, e)| (k, std::slice::from_ref(e)));
        let others = self.others.iter().map(|(k, e)| (k, &e[..]));
        out.push(self.first.len() + self.others.len());
        for (stands, effects) in effects.chain(others) {
            out.push(*stands as usize);
            out.words(effects);
        }
        out.list(&self.seen.iter().copied().collect::<Vec<u64>>());
    }

    pub(super) fn restore(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.forget();
        for _ in 0..from.number()? {
            let (words, bits) = from.print()?;
            let words = &words;
            self.prints.number(&Print { words, bits });
        }
        for _ in 0..from.number()? {
            let stands = from.next()?;
            for effect in from.words()? {
                self.add(stands, effect);
            }
        }
        self.seen = from.list()?.into_iter().collect();
        Some(())
    }

    /// A thread did this from where it stood.
    fn add(&mut self, stands: u64, effect: u32) {
        if *self.first.entry(stands).or_insert(effect) != effect {
            let others = self.others.entry(stands).or_default();
            if !others.contains(&effect) {
                others.push(effect);
            }
        }
    }

    fn keep(&mut self, stands: u64, print: &Print<'_>, key: u64) {
        if self.learn(stands, print, key)
            && let Some(news) = &mut self.news
        {
            news.push(Call {
                stands,
                words: print.words.into(),
                bits: print.bits,
                key,
            });
        }
    }

    /// Whether it is new.
    fn learn(&mut self, stands: u64, print: &Print<'_>, key: u64) -> bool {
        if self.seen.len() == MOST {
            self.forget();
        }
        // Of what was seen the effect is kept, too. In a large search these tables are nowhere near.
        let is_new = self.seen.insert(key);
        if is_new {
            let effect = self.prints.number(print);
            self.add(stands, effect);
        }
        is_new
    }

    fn forget(&mut self) {
        *self = Memo {
            news: self.news.take(),
            heard: self.heard,
            ..Memo::default()
        };
    }

    /// There are others, who are to be told.
    pub fn share(&mut self) {
        self.news = Some(Vec::new());
    }

    pub fn tell(&mut self, calls: &mut Calls) {
        calls.add(self.news.iter_mut().flat_map(|news| news.drain(..)));
    }

    pub fn hear(&mut self, calls: &Calls) {
        let new = self.heard.saturating_sub(calls.forgotten);
        for call in calls.last.iter().skip(new) {
            let (words, bits) = (&call.words[..], call.bits);
            self.learn(call.stands, &Print { words, bits }, call.key);
        }
        self.heard = calls.forgotten + calls.last.len();
    }
}

/// The same in all workers: places have the same numbers everywhere, prints do not.
fn start(stands: u64, print: &Print<'_>) -> u64 {
    mix(stands ^ mix(print.hash()))
}

impl Trace {
    /// Where a thread stands, as a number that depends only on what led there.
    pub fn place_of(&self, thread: u32, reasons: [u32; 3]) -> u64 {
        let names = reasons.map(|r| self.name_of(r));
        let start = mix(u64::from(thread) + 1);
        names.iter().fold(start, |all, name| mix(all ^ name))
    }

    fn name_of(&self, step: u32) -> u64 {
        match step {
            NONE => 0,
            step => self.step(step).name,
        }
    }

    /// The name of a step that is not on the path yet.
    pub(super) fn name_of_new(&self, stands: u64, making: &Making) -> u64 {
        let mut name = self.name_by_places(stands, making.words(), |_| true);
        for target in making.targets() {
            name = mix(name ^ u64::from(*target));
        }
        if making.order != Order::Nothing {
            for thread in 0..self.thread_count() {
                name = name.wrapping_add(mix(self.name_of(self.thread(thread).last)));
            }
        }
        // 0 is nobody.
        name | 1
    }

    /// The name of a step if these steps are there and no others.
    pub fn name_there(&self, stands: u64, words: &[u32], there: impl Fn(u32) -> bool) -> u64 {
        self.name_by_places(stands, words, there) | 1
    }

    fn name_by_places(&self, stands: u64, words: &[u32], there: impl Fn(u32) -> bool) -> u64 {
        let mut name = mix(stands);
        for word in words {
            self.for_each_before(*word, &there, |step| {
                let pair = u64::from(*word) << 1 | 1;
                name = name.wrapping_add(mix(self.name_of(step) ^ mix(pair)));
            });
        }
        name
    }

    /// The same as [`Trace::foresee`], if a step that touches these places and has this name
    /// comes in between.
    pub fn foresee_behind(
        &self,
        stands: u64,
        before: u32,
        kept: &[u32],
        (words, name): (&[u32], u64),
    ) -> Option<Print<'_>> {
        if self.memo.is_empty() {
            return None;
        }
        let there = |step: u32| step < before || kept.binary_search(&step).is_ok();
        let writer = |word: u32| {
            let written = words.binary_search(&(word | 1)).is_ok();
            Some(if written {
                name
            } else {
                self.last_writer(word, there)
            })
        };
        self.memo.find(stands, &writer)
    }

    /// Keeps what a call does that is not on the path yet.
    pub(super) fn keep_call(&mut self, stands: u64, making: &Making, bits: Bits) {
        if making.order != Order::Nothing || !making.targets().is_empty() {
            return;
        }
        let words = making.words();
        let print = Print { words, bits };
        let writers = words.iter().map(|word| self.last_writer(*word, |_| true));
        let key = writers.fold(start(stands, &print), |key, writer| mix(key ^ writer));
        self.memo.keep(stands, &print, key);
    }

    /// The name of the last step on the path that wrote a place, of those that are there.
    fn last_writer(&self, word: u32, there: impl Fn(u32) -> bool) -> u64 {
        let mut writer = 0;
        self.find_writer(word, |step| {
            let found = there(step);
            if found {
                writer = self.name_of(step);
            }
            found
        });
        writer
    }

    /// What a thread does from where it stands, after the steps before one and some of those
    /// behind it; `None` if that has never been seen.
    pub fn foresee(&self, stands: u64, before: u32, kept: &[u32]) -> Option<Print<'_>> {
        if self.memo.is_empty() {
            return None;
        }
        let there = |step: u32| step < before || kept.binary_search(&step).is_ok();
        let writer = |word: u32| Some(self.last_writer(word, there));
        self.memo.find(stands, &writer)
    }
}

impl Forest {
    /// Looks again at calls at the ends of sequences; whether any is known by now.
    pub fn foresee(&mut self, first: u32, above: &mut Vec<u32>, trace: &Trace) -> bool {
        let (mut any, mut at) = (false, first);
        while at != NONE {
            let (child, next) = (self.node(at).child, self.node(at).next);
            if self.node(at).is_open_question() {
                let writer = |word: u32| self.writer_above(word, above, trace);
                if let Some(print) = trace.memo.find(self.node(at).stands(), &writer) {
                    self.answer(at, &print);
                    any = true;
                }
            }
            if self.node(at).target == NONE && child != NONE {
                above.push(at);
                any |= self.foresee(child, above, trace);
                above.pop();
            }
            at = next;
        }
        any
    }

    /// The name of the last step that wrote a place, in the middle of a sequence; `None` if
    /// it cannot be told.
    fn writer_above(&self, word: u32, above: &[u32], trace: &Trace) -> Option<u64> {
        let written = |at: &&u32| {
            let words = self.print(**at).words;
            words.binary_search(&(word | 1)).is_ok()
        };
        match above.iter().rev().find(written) {
            Some(at) => Some(self.node(*at).name()).filter(|name| *name != 0),
            None => Some(trace.last_writer(word, |_| true)),
        }
    }
}

fn mix(word: u64) -> u64 {
    let mixed = (word ^ word >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ mixed >> 32
}
