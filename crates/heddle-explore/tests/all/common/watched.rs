//! A toy that keeps the summaries of its ends.

use heddle_explore::toy::{Program, Toy};
use heddle_model::*;
use std::collections::BTreeSet;

/// See the module.
pub struct Watched {
    toy: Toy,
    /// Of programs that ended, and of those that went on no more in another way.
    pub exits: BTreeSet<Vec<u32>>,
    pub others: BTreeSet<Vec<u32>>,
}

impl Watched {
    pub fn new(program: &Program) -> Watched {
        Watched {
            toy: Toy::new(program.clone()),
            exits: BTreeSet::new(),
            others: BTreeSet::new(),
        }
    }
}

impl Machine for Watched {
    fn run<O: Observer>(&mut self, stops: OpMask, observer: &mut O) -> Stop {
        let stop = self.toy.run(stops, observer);
        match stop {
            Stop::Ended(End::Exited(_)) => self.exits.insert(self.toy.summary()),
            Stop::Ended(_) => self.others.insert(self.toy.summary()),
            _ => false,
        };
        stop
    }
    fn point(&self) -> ChoicePoint<'_> {
        self.toy.point()
    }
    fn take(&mut self, pick: Pick) -> Step {
        self.toy.take(pick)
    }
}

impl Rewind for Watched {
    fn mark(&mut self) -> Mark {
        self.toy.mark()
    }
    fn rewind(&mut self, to: Mark) {
        self.toy.rewind(to);
    }
    fn forget(&mut self, mark: Mark) {
        self.toy.forget(mark);
    }
}

impl View for Watched {
    fn thread_count(&self) -> usize {
        self.toy.thread_count()
    }
    fn thread(&self, id: ThreadId) -> ThreadView {
        self.toy.thread(id)
    }
    fn stack(&self, id: ThreadId) -> Vec<Site> {
        self.toy.stack(id)
    }
    fn frame(&self, site: Site) -> Frame {
        self.toy.frame(site)
    }
    fn class_of(&self, object: ObjectId) -> String {
        self.toy.class_of(object)
    }
    fn owner(&self, object: ObjectId) -> Option<ThreadId> {
        self.toy.owner(object)
    }
}
