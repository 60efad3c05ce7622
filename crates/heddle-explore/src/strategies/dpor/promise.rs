//! What several workers rely on when they leave sequences out because a step that may do other
//! things elsewhere was planned already (see `share`), and lists of places for that.

use super::print::{Bits, Print};
use super::trace::NONE;

/// What was expected of a loose step.
#[derive(Clone, Debug)]
pub struct Promise {
    /// Where the step was planned from; `NONE` if there is nothing to keep.
    pub origin: u32,
    /// What it was seen to touch.
    pub seen: Vec<u32>,
    /// Who will not sleep behind it, whatever it does: see `untold`.
    pub rival: u32,
}

impl Default for Promise {
    fn default() -> Promise {
        Promise {
            origin: NONE,
            seen: Vec::new(),
            rival: NONE,
        }
    }
}

impl Promise {
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
