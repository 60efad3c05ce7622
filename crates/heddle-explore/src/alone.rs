//! Paths on which nobody has a choice any more.
//!
//! Where every stop has one option, what follows is certain: if such a path comes back to a
//! state that it was in, it goes round for ever. That is how loops of timed waits are told that
//! nobody is left to end (`while (!done) lock.wait(10);`), whatever the strategy.
//!
//! Knowing the state costs a little at each stop, so a path has to be without a choice for a
//! while first, and for longer each time that this was in vain. States are compared in Brent's
//! way: with one of before, which is exchanged each time its distance has doubled.

/// The stretch without a choice that a path is on.
#[derive(Debug)]
pub struct Alone {
    /// The depth at which it began.
    pub since: usize,
    /// How long it has to be before states are compared.
    patience: usize,
    /// A state of before, its depth, and until when it is kept.
    kept: Option<(u128, usize, usize)>,
}

impl Alone {
    pub fn new() -> Alone {
        Alone {
            since: 0,
            patience: 256,
            kept: None,
        }
    }

    /// Whether the machine is to say at the next stop in which state it is.
    pub fn asks_for_state(&self, depth: usize) -> bool {
        depth >= self.since + self.patience
    }

    /// There was a choice before this depth, or the path goes on from it.
    pub fn begins(&mut self, depth: usize) {
        self.since = depth;
        if self.kept.take().is_some() {
            self.patience = self.patience.saturating_mul(2);
        }
    }

    /// A stop without a choice: how many stops ago the state was the same.
    pub fn meets(&mut self, depth: usize, state: Option<u128>) -> Option<usize> {
        let state = state.filter(|_| self.asks_for_state(depth))?;
        match self.kept {
            Some((kept, at, _)) if kept == state => {
                self.kept = None;
                Some(depth - at)
            }
            Some((_, _, until)) if depth < until => None,
            _ => {
                let length = depth - self.since;
                self.kept = Some((state, depth, depth + length));
                None
            }
        }
    }
}
