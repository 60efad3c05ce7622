//! The end of a path, and the way back to the last choice that has something left to explore.

use super::trace::{NONE, Order, Stands};
use super::wakeup::Sleeper;
use super::{Dpor, Frame, Kind, Ranges, can_be_in_the_way};
use heddle_model::{Next, Over, Pause};

impl Dpor {
    pub(super) fn end(&mut self, over: &Over) {
        let running = self.trace.making.active;
        let (frame, thread) = (self.trace.making.frame, self.trace.making.thread);
        let nothing = self.trace.making.order == Order::Nothing;
        if matches!(over, Over::Exited(_)) && running && nothing {
            if !self.trace.ends_thread() {
                self.trace.making.order = Order::Last;
            } else if self.trace.names.any_daemon() {
                self.trace.making.order = Order::LastButDaemons;
            }
        }
        let order = self.trace.making.order;
        let pause = match over {
            Over::Stuck(pause) => Some(*pause),
            _ => None,
        };
        if running {
            self.close(pause);
        }
        let drained = std::mem::take(&mut self.draining);
        if running && matches!(order, Order::Last | Order::LastButDaemons) {
            self.outlive(frame as usize, thread);
        }
        match over {
            Over::Stuck(Pause::Waiting) if running && !drained => {
                self.trace.stand(thread, Stands::Waits(None));
            }
            Over::Stuck(Pause::Before(op)) if running && can_be_in_the_way(*op) => {
                self.trace.stand(thread, Stands::Before(*op));
            }
            _ => {}
        }
        self.wish_for_locks();
        if let Over::Stuck(_) = over {
            self.turn_at_rest();
        }
        self.forest
            .drop_all(std::mem::replace(&mut self.plan, NONE));
    }

    /// A thread has ended the program. Where that was not planned, another one is let run
    /// before it, whoever it is: the rest follows from races with the end.
    fn outlive(&mut self, frame: usize, thread: u32) {
        if !self.only_ends(frame) {
            return;
        }
        let (from, to) = self.frames[frame].enabled;
        let mut others = self.enabled[from as usize..to as usize].iter();
        let other = others.find(|e| e.thread != thread && !self.sleeps(frame, e.thread));
        let Some(other) = other.map(|e| e.thread) else {
            return;
        };
        if let Some(link) = self.share.as_ref()
            && link.runs_as_well(frame, other)
        {
            return;
        }
        let leaf = self.forest.leaf(other, true);
        let Frame { tree, .. } = &mut self.frames[frame];
        *tree = self.forest.append(*tree, leaf);
    }

    /// Whether nobody sleeps at a choice but those who end the program there.
    pub(super) fn only_ends(&self, frame: usize) -> bool {
        let Ranges { from, to, .. } = self.frames[frame].sleepers;
        let asleep = &self.sleepers[from as usize..to as usize];
        asleep.iter().all(|s| s.partial || s.span.bits.are_an_end())
    }

    /// Goes back to the last choice that has something left to explore.
    pub(super) fn back_up(&mut self) -> Next {
        if self.begin_anew_with_waits() {
            return Next::Restart;
        }
        if self.share.is_none() && self.is_in_doubt() {
            self.begin_anew();
            return Next::Restart;
        }
        if self.begin_anew_together(self.is_in_doubt()) {
            return Next::Restart;
        }
        while self.depth > 0 {
            let frame = self.depth - 1;
            let more = match frame < self.floor() {
                true => self.leave_shared(frame),
                false => {
                    self.leave(frame);
                    self.has_more(frame)
                }
            };
            if more {
                return Next::Backtrack { depth: frame };
            }
            self.pop();
        }
        match self.begin_anew_together(self.is_in_doubt()) {
            true => Next::Restart,
            false => Next::Done,
        }
    }

    /// Something was begun in vain, which the argument for lazy mutexes does not allow for.
    fn is_in_doubt(&self) -> bool {
        self.trace.lazy && (self.blocked > 0 || self.astray > 0)
    }

    /// Whether locks are reordered only where that can make a difference; `false` too if
    /// the search has been begun anew without that.
    pub fn is_lazy(&self) -> bool {
        self.trace.lazy
    }

    /// Forgets what was run from a choice but for what it did there.
    pub(super) fn leave(&mut self, at: usize) {
        let frame = &mut self.frames[at];
        let step = frame.tops.step();
        let ran = frame.taken != NONE && !frame.noted && self.trace.len() > step as usize;
        self.sleepers.truncate(frame.sleepers.to as usize);
        if ran && !frame.timeouts && frame.kind != Kind::Forced {
            let step = self.trace.step(step);
            frame.words = step.span.end;
            let targets = frame.kind == Kind::Targets;
            self.sleepers.push(Sleeper {
                thread: step.thread,
                target: if targets { frame.taken } else { NONE },
                partial: targets,
                span: step.span,
            });
            frame.sleepers.to += 1;
            let silent = step.span.bits.are_silent();
            if !targets && (silent || step.loose || self.forest.any_answered()) {
                // It has done less than it was planned for, perhaps, or others will.
                let print = step.span.print(self.trace.words());
                frame.tree = self.forest.drop_covered(frame.tree, step.thread, &print);
                frame.all &= !silent;
            }
            self.look_again = frame.tree != NONE && self.forest.any_loose();
        }
        (frame.taken, frame.in_vain) = (NONE, NONE);
        frame.noted = false;
        self.enabled.truncate(frame.enabled.1 as usize);
        self.trace.back_to(frame.tops);
        self.trace.cut_words(frame.words);
        self.trace.abandon();
        if let Some(saved) = &frame.saved {
            self.trace.making.clone_from(saved);
        }
        self.cut_watches(self.trace.len() as u32);
        if std::mem::take(&mut self.look_again) {
            self.drop_foreseen(at);
        }
    }

    /// A call has done less than it was planned for, perhaps: what is planned beside it may be
    /// covered by it. That is looked at before anything that it does not cover is left to the
    /// same sequences.
    pub(super) fn drop_covered_by(&mut self, at: usize, step: u32) {
        let frame = &mut self.frames[at];
        if frame.kind == Kind::Threads
            && !frame.timeouts
            && frame.tree != NONE
            && self.trace.targets(step).is_empty()
        {
            let thread = self.trace.step(step).thread;
            let print = self.trace.print(step);
            frame.tree = self.forest.drop_covered(frame.tree, thread, &print);
        }
    }

    /// Calls that are planned may have been seen by now, and with that to be in vain.
    fn drop_foreseen(&mut self, at: usize) {
        if self.frames[at].kind == Kind::Threads {
            let tree = self.frames[at].tree;
            self.frames[at].tree = self.without_foreseen(at, tree);
        }
    }

    /// A list of trees that is planned at a choice, without what is known by now to be in vain.
    pub(super) fn without_foreseen(&mut self, at: usize, mut tree: u32) -> u32 {
        if self.forest.foresee(tree, &mut Vec::new(), &self.trace) {
            for sleeper in &self.sleepers[self.frames[at].sleepers.all()] {
                if !sleeper.partial && sleeper.target == NONE {
                    let print = sleeper.span.print(self.trace.words());
                    tree = self.forest.drop_covered(tree, sleeper.thread, &print);
                }
            }
        }
        tree
    }

    fn has_more(&mut self, at: usize) -> bool {
        let frame = &mut self.frames[at];
        if frame.tree != NONE {
            return true;
        }
        match frame.kind {
            Kind::Forced => false,
            Kind::Targets => {
                let Ranges { from, to, .. } = frame.sleepers;
                frame.open && to - from < frame.targets
            }
            Kind::Threads => std::mem::take(&mut frame.all) && self.expand(at),
        }
    }

    /// Plans to run everybody: sequences were left out that may be needed after all.
    pub(super) fn expand(&mut self, at: usize) -> bool {
        let (from, to) = self.frames[at].enabled;
        for i in from..to {
            let thread = self.enabled[i as usize].thread;
            if !self.sleeps(at, thread) {
                let leaf = self.forest.leaf(thread, true);
                self.frames[at].tree = self.forest.append(self.frames[at].tree, leaf);
            }
        }
        self.frames[at].tree != NONE
    }

    /// Takes the last frame away.
    pub(super) fn pop(&mut self) {
        self.depth -= 1;
        let frame = &mut self.frames[self.depth];
        let Ranges { from, own, to } = frame.sleepers;
        self.enabled.truncate(frame.enabled.0 as usize);
        if frame.kind == Kind::Targets && own < to {
            let (open, words) = (frame.open, frame.words);
            let owner = frame.saved.take().expect("a notification").frame;
            let ran = own as usize..to as usize;
            for sleeper in &mut self.sleepers[ran.clone()] {
                sleeper.partial = !open;
            }
            let outer = self.outer_targets(self.depth, owner);
            let owner = &mut self.frames[outer.unwrap_or(owner as usize)];
            if outer.is_some() {
                // All targets of a later notification of a step are explored together.
                let last = Sleeper {
                    target: owner.taken,
                    partial: true,
                    ..self.sleepers[ran.end - 1]
                };
                self.sleepers[owner.sleepers.to as usize] = last;
                owner.sleepers.to += 1;
            } else {
                self.sleepers.copy_within(ran, owner.sleepers.to as usize);
                owner.sleepers.to += to - own;
            }
            self.sleepers.truncate(owner.sleepers.to as usize);
            owner.words = words;
            owner.noted = true;
        } else {
            self.sleepers.truncate(from as usize);
        }
    }
}
