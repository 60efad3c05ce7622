//! How large the tree of a search is, estimated while it is explored.
//!
//! A depth-first search knows, for every choice of the present path, how large the branches
//! were that are done and how many are left that it knows of. Taking those that are left to
//! be like those that are done gives a size from the bottom up (Knuth: Estimating the
//! efficiency of backtrack programs, 1975, with all that was explored in the place of
//! probes; Kilby, Slaney, Thiébaux, Walsh: Estimating search tree size, AAAI 2006). It is
//! unbiased if the order of the branches has nothing to do with their size, and exact at the
//! end. The error is the standard deviation that follows from how much the branches differ;
//! of a branch that is the only one that is known, the size itself.
//!
//! Under dpor more branches may be called for later, so there it is a lower bound in
//! tendency. Random schedules give Knuth's own estimate, of all schedules: see
//! [`Probes`].

/// A size and its standard error.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    pub size: f64,
    pub error: f64,
}

/// What is known of the present path of a depth-first search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Levels {
    levels: Vec<Level>,
    leaves: u64,
    /// The estimate that was made last, and choice points since.
    last: Option<Estimate>,
    since: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// Leaves when the present branch was begun.
    begun: u64,
    /// Branches that are done, the sum of their sizes and of the squares.
    done: f64,
    sum: f64,
    squares: f64,
}

impl Levels {
    /// A new choice at this depth.
    #[inline]
    pub fn enter(&mut self, depth: usize) {
        self.levels.truncate(depth);
        // Choices that nobody comes back to are not told.
        self.levels.resize(
            depth,
            Level {
                begun: self.leaves,
                ..Level::default()
            },
        );
        self.levels.push(Level {
            begun: self.leaves,
            ..Level::default()
        });
    }

    pub fn leaf(&mut self) {
        self.leaves += 1;
    }

    /// The search goes back to the choice at this depth for another branch.
    pub fn back(&mut self, depth: usize) {
        self.levels.truncate(depth + 1);
        if let Some(level) = self.levels.get_mut(depth) {
            let size = (self.leaves - level.begun) as f64;
            level.done += 1.0;
            level.sum += size;
            level.squares += size * size;
            level.begun = self.leaves;
        }
    }

    /// The same, after so many more choice points. All levels of the path are looked at for it, of
    /// which there may be more than there were points: so it is kept for a while then.
    pub fn estimate_now_and_then(
        &mut self,
        points: usize,
        left: impl Fn(usize) -> Option<usize>,
    ) -> Option<Estimate> {
        self.since += points;
        if self.since >= self.levels.len() {
            self.since = 0;
            self.last = self.estimate(left);
        }
        self.last
    }

    /// The size of the whole tree, if it is known at each depth how many branches are left.
    pub fn estimate(&self, left: impl Fn(usize) -> Option<usize>) -> Option<Estimate> {
        let (mut size, mut variance) = (1.0, 0.0);
        for (depth, level) in self.levels.iter().enumerate().rev() {
            let left = left(depth)? as f64;
            let known = level.done + 1.0;
            let sum = level.sum + size;
            let mean = sum / known;
            let spread = match level.done > 0.0 {
                true => {
                    let squares = level.squares + size * size;
                    ((squares - sum * mean) / level.done).max(0.0)
                }
                false => mean * mean,
            };
            variance *= (1.0 + left / known).powi(2);
            variance += spread * left * (1.0 + left / known);
            size = sum + left * mean;
        }
        Some(Estimate {
            size,
            error: variance.sqrt(),
        })
    }
}

/// Knuth's estimate: the product of the numbers of options along a random schedule is, on
/// average, the number of all schedules.
#[derive(Clone, Debug, Default)]
pub struct Probes {
    product: f64,
    count: f64,
    mean: f64,
    /// The sum of the squares of the deviations from the mean (Welford).
    deviations: f64,
}

impl Probes {
    pub fn begin(&mut self) {
        self.product = 1.0;
    }

    #[inline]
    pub fn choice(&mut self, options: usize) {
        self.product *= options as f64;
    }

    pub fn end(&mut self) {
        self.count += 1.0;
        let off = self.product - self.mean;
        self.mean += off / self.count;
        self.deviations += off * (self.product - self.mean);
    }

    pub fn estimate(&self) -> Option<Estimate> {
        let error = (self.deviations / (self.count - 1.0) / self.count).sqrt();
        let known = self.count > 1.0 && self.mean.is_finite() && error.is_finite();
        known.then_some(Estimate {
            size: self.mean,
            error,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Levels;
    use std::cell::Cell;

    #[test]
    fn an_estimate_of_a_long_path_costs_no_more_than_the_search() {
        const DEPTH: usize = 10_000;
        let mut levels = Levels::default();
        (0..DEPTH).for_each(|depth| levels.enter(depth));
        let looks = Cell::new(0);
        let left = |_| {
            looks.set(looks.get() + 1);
            Some(1)
        };
        let points = 64;
        for _ in 0..DEPTH / points * 4 {
            levels.estimate_now_and_then(points, left);
        }
        assert!((DEPTH..=4 * DEPTH).contains(&looks.get()), "{looks:?}");
    }
}
