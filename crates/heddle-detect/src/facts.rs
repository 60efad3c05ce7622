//! Facts about methods and classes, asked for once. Both keep their numbers and stay what
//! they are for as long as the machine lives, so facts are no part of what rewinds.

/// One fact for each number that somebody asked about.
#[derive(Clone, Debug)]
pub(crate) struct Facts<T>(Vec<Option<T>>);

impl<T> Default for Facts<T> {
    fn default() -> Self {
        Facts(Vec::new())
    }
}

impl<T: Copy> Facts<T> {
    #[inline]
    pub fn of(&mut self, number: u32, ask: impl FnOnce() -> T) -> T {
        match self.0.get(number as usize) {
            Some(Some(fact)) => *fact,
            _ => self.learn(number, ask()),
        }
    }

    #[cold]
    fn learn(&mut self, number: u32, fact: T) -> T {
        let at = number as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, None);
        }
        self.0[at] = Some(fact);
        fact
    }
}
