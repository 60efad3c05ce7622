//! What sequences relied on when they were left out because a step that may do other things
//! elsewhere was planned already (see `wakeup`), and lists of places for that.

use super::print::{Bits, Print};
use super::trace::NONE;

/// What sequences relied on when they were left out because of a loose step.
#[derive(Clone, Debug)]
pub struct Promise {
    /// Where the step was planned from; `NONE` if there is nothing to keep.
    pub origin: u32,
    /// What it was seen to touch.
    pub seen: Vec<u32>,
    /// What it must not meet.
    pub against: Vec<u32>,
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
pub fn collect(words: &mut Vec<u32>, print: &Print<'_>) {
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
