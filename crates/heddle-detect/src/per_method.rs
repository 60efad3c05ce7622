//! Facts about methods, asked for once. Methods stay what they are for as long as the
//! machine lives, so these are no part of what rewinds.

use heddle_model::MethodId;

/// One fact for each method that somebody asked about.
#[derive(Clone, Debug)]
pub(crate) struct PerMethod<T>(Vec<Option<T>>);

impl<T> Default for PerMethod<T> {
    fn default() -> Self {
        PerMethod(Vec::new())
    }
}

impl<T: Copy> PerMethod<T> {
    #[inline]
    pub fn get(&mut self, method: MethodId, ask: impl FnOnce() -> T) -> T {
        match self.0.get(method.0 as usize) {
            Some(Some(fact)) => *fact,
            _ => self.learn(method, ask()),
        }
    }

    #[cold]
    fn learn(&mut self, method: MethodId, fact: T) -> T {
        let at = method.0 as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, None);
        }
        self.0[at] = Some(fact);
        fact
    }
}
