//! Which thread runs from a choice, or which one is notified: what is planned, else whoever may.

use super::trace::{NONE, Order, Stands};
use super::wakeup::Branch;
use super::{Dpor, Enabled, FAIR, Kind, Ranges};
use heddle_model::{Choice, ChoicePoint, Decision, Pick};

impl Dpor {
    /// Goes on from a new choice: where the search was before, or to something new.
    pub(super) fn enter(&mut self, at: &ChoicePoint<'_>, frame: usize) -> Decision {
        if let Some((taken, step)) = self.replay(frame) {
            (self.plan, self.plan_open) = (step.plan, step.plan_open);
            self.plan_if_asleep = step.plan_if_asleep;
            self.left = step.left;
            (self.absorbed, self.unknown) = (step.absorbed, step.unknown);
            if let Some(pick) = self.option(at, frame, taken) {
                return self.take(at, frame, taken, pick);
            }
            self.forest.drop_all(self.plan);
            self.astray += 1;
        }
        self.branch(at, frame)
    }

    /// Takes what is to be explored next at a choice.
    pub(super) fn branch(&mut self, at: &ChoicePoint<'_>, frame: usize) -> Decision {
        if frame < self.floor() {
            return self.branch_shared(at, frame);
        }
        let fresh = self.frames[frame].tree == NONE && self.frames[frame].taken == NONE;
        let mut looks = false;
        while self.frames[frame].tree != NONE {
            let (branch, left) = self.forest.take(self.frames[frame].tree);
            let Branch {
                thread,
                target,
                absorbed,
                unknown,
                perhaps,
                open,
                rival,
                below,
                rest,
            } = branch;
            (self.frames[frame].tree, self.frames[frame].rival) = (rest, rival);
            let taken = match self.frames[frame].kind {
                Kind::Targets => target,
                _ => thread,
            };
            if self.frames[frame].kind == Kind::Threads && self.sleeps(frame, thread) {
                // A call before it did less than it was seen to, so this was explored.
                self.forest.drop_all(below);
                self.plan_left(frame, left);
                continue;
            }
            if let Some(pick) = self.option(at, frame, taken) {
                (self.plan, self.plan_open) = (below, open || below == NONE);
                self.plan_if_asleep = perhaps;
                self.left = left;
                (self.absorbed, self.unknown) = (absorbed, unknown);
                return self.take(at, frame, taken, pick);
            }
            if below == NONE && self.only_looks(thread) {
                looks = true;
                continue;
            }
            self.astray += 1;
            self.forest.drop_all(below);
        }
        (self.plan, self.plan_open) = (NONE, true);
        self.plan_if_asleep = false;
        (self.absorbed, self.unknown) = (false, false);
        let free = match self.frames[frame].kind {
            Kind::Targets => self.free_target(at, frame),
            _ if fresh => self.free_thread(at, frame),
            _ => None,
        };
        let Some((taken, pick)) = free else {
            // Whoever could run was run before, in another branch.
            if self.frames[frame].watchful {
                self.wish_for_locks();
            }
            self.looks += u64::from(looks);
            self.blocked += u64::from(!looks && !self.only_ends(frame));
            self.pop();
            return Decision::Prune;
        };
        self.take(at, frame, taken, pick)
    }

    /// The option that stands for a thread that can run, or for a target.
    pub(super) fn option(&self, at: &ChoicePoint<'_>, frame: usize, wanted: u32) -> Option<usize> {
        let frame = &self.frames[frame];
        if frame.kind == Kind::Threads {
            let (from, to) = frame.enabled;
            let enabled = &self.enabled[from as usize..to as usize];
            if !enabled.iter().any(|e| e.thread == wanted) {
                return None;
            }
        }
        let wanted = self.trace.names.machine(wanted);
        at.options.iter().position(|c| c.thread() == wanted)
    }

    /// A thread to run where nothing is planned: the one that ran, or the next one.
    fn free_thread(&mut self, at: &ChoicePoint<'_>, frame: usize) -> Option<(u32, usize)> {
        let Ranges { from, to, .. } = self.frames[frame].sleepers;
        let asleep = &self.sleepers[from as usize..to as usize];
        if asleep.iter().any(|s| !s.partial) {
            let on_its_way = self.on_its_way(at, frame);
            return on_its_way.or_else(|| self.awake_thread(at, frame));
        }
        let before = frame.checked_sub(1).map_or(0, |f| self.frames[f].streak);
        let own = Choice::Run(at.by);
        let (from, to) = self.frames[frame].enabled;
        let enabled = &self.enabled[from as usize..to as usize];
        let newborn = |e: &&Enabled| self.trace.thread(e.thread).stands == Stands::Begin;
        if let Some(newborn) = enabled.iter().find(newborn) {
            let thread = newborn.thread;
            return Some((thread, self.option(at, frame, thread)?));
        }
        let by = self.trace.names.number(at.by);
        if self.trace.thread(by).count == 1
            && let Some(before) = frame.checked_sub(2).map(|f| &self.frames[f])
            && before.kind == Kind::Threads
        {
            let starter = enabled.iter().find(|e| e.thread == before.taken);
            let thread = starter.unwrap_or(&enabled[0]).thread;
            return Some((thread, self.option(at, frame, thread)?));
        }
        let stays = enabled.iter().any(|e| e.thread == by) && at.options.contains(&own);
        let alone = enabled.len() == 1;
        let thread = if stays && (before < FAIR || alone) {
            self.frames[frame].streak = before + 1;
            by
        } else {
            let later = enabled.iter().find(|e| e.thread > by);
            later.unwrap_or(&enabled[0]).thread
        };
        let pick = self.option(at, frame, thread)?;
        Some((thread, pick))
    }

    /// The thread that ran, if it goes round because something has changed, and has looked at other places
    /// only. It was let go on before the change is undone (see `lost_change`), to see it.
    fn on_its_way(&self, at: &ChoicePoint<'_>, frame: usize) -> Option<(u32, usize)> {
        let last = (self.trace.len() as u32).checked_sub(1)?;
        let by = self.trace.step(last).thread;
        let goes_on = self.trace.is_on_its_way(by) && !self.sleeps(frame, by);
        goes_on.then_some(())?;
        Some((by, self.option(at, frame, by)?))
    }

    /// A thread to run where some sleep: nobody, unless sequences were left out because
    /// this one was planned. Then everybody who is awake.
    fn awake_thread(&mut self, at: &ChoicePoint<'_>, frame: usize) -> Option<(u32, usize)> {
        let before = frame
            .checked_sub(1)
            .is_some_and(|f| self.frames[f].watchful);
        if !self.frames[frame].watchful && !before {
            return None;
        }
        self.frames[frame].watchful = true;
        self.frames[frame].all = true;
        let (from, to) = self.frames[frame].enabled;
        let enabled = &self.enabled[from as usize..to as usize];
        let awake = |e: &&Enabled| !self.sleeps(frame, e.thread);
        let thread = enabled.iter().find(awake)?.thread;
        let pick = self.option(at, frame, thread)?;
        Some((thread, pick))
    }

    /// Whether a thread was run before, and nothing met what it did since.
    pub(super) fn sleeps(&self, frame: usize, thread: u32) -> bool {
        let Ranges { from, to, .. } = self.frames[frame].sleepers;
        let asleep = &self.sleepers[from as usize..to as usize];
        asleep.iter().any(|s| s.thread == thread && !s.partial)
    }

    /// A target that was not explored yet, if all are to be.
    fn free_target(&mut self, at: &ChoicePoint<'_>, frame: usize) -> Option<(u32, usize)> {
        let frame = &self.frames[frame];
        if !frame.open {
            return None;
        }
        let Ranges { from, to, .. } = frame.sleepers;
        let explored = &self.sleepers[from as usize..to as usize];
        for (pick, option) in at.options.iter().enumerate() {
            let target = self.trace.names.number(option.thread());
            if explored.iter().all(|s| s.target != target) {
                return Some((target, pick));
            }
        }
        None
    }

    pub(super) fn take(
        &mut self,
        at: &ChoicePoint<'_>,
        frame: usize,
        taken: u32,
        pick: usize,
    ) -> Decision {
        self.frames[frame].taken = taken;
        let options = match self.frames[frame].kind {
            Kind::Targets => {
                self.trace.choose_target(taken);
                at.options.len()
            }
            _ => {
                self.trace.begin(taken, frame as u32);
                if matches!(at.options[pick], Choice::Timeout(_) | Choice::Spurious(_)) {
                    self.trace.begin_with_timeout();
                }
                if self.frames[frame].timeouts {
                    self.trace.making.order = Order::After;
                }
                let (from, to) = self.frames[frame].enabled;
                (to - from) as usize
            }
        };
        match options {
            1 => Decision::Last(Pick(pick)),
            _ => Decision::Take(Pick(pick)),
        }
    }
}
