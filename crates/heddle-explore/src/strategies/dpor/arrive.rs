//! Arriving at a choice: where the threads stand by now, and who can run.

use super::trace::{NONE, Stands};
use super::{Dpor, Enabled, Frame, Kind, Ranges, can_be_in_the_way};
use crate::strategies::word;
use heddle_model::{Choice, ChoicePoint, Decision, OpMask, Pause, PendingOp, Pick, View};

impl Dpor {
    pub(super) fn arrive(
        &mut self,
        at: &ChoicePoint<'_>,
        view: &dyn View,
        depth: usize,
    ) -> Decision {
        let running = self.trace.making.active;
        match at.pause {
            Pause::Notify(_) if running => return self.arrive_at_targets(at, depth),
            Pause::Slice if running && !self.draining => {
                let own = at.options.iter().position(|c| c.thread() == at.by);
                if let Some(own) = own {
                    self.push(depth, Kind::Forced);
                    return Decision::Last(Pick(own));
                }
            }
            _ => {}
        }
        self.close(Some(at.pause));
        if std::mem::take(&mut self.gave_back) || self.trace.awaited.matters || self.begins_anew {
            return Decision::Prune;
        }
        let by = self.trace.names.number(at.by);
        match at.pause {
            Pause::Before(_) if self.draining && self.only_looks(by) => {
                // It is on its way into its lock, to wait there.
                if let Some(own) = at.options.iter().position(|c| c.thread() == at.by) {
                    let frame = self.push(depth, Kind::Forced);
                    self.trace.begin(by, frame as u32);
                    return Decision::Last(Pick(own));
                }
            }
            Pause::Before(op) => {
                // If it cannot go on, and not for a lock, an initialization or the end of a
                // thread, it waits for a change that another thread makes.
                let stands = match op {
                    _ if can_be_in_the_way(op) => Stands::Before(op),
                    _ if at.options.iter().any(|c| c.thread() == at.by) => Stands::Before(op),
                    _ => Stands::Spins(op),
                };
                self.trace.stand(by, stands);
                self.learn_value(op, view);
                if let Some(steps) = view.came_round(at.by) {
                    self.trace.come_round(by, steps);
                }
                self.spins |= matches!(stands, Stands::Spins(_));
                self.polls |= matches!(op, PendingOp::Poll(_));
                if let PendingOp::Lock(_) | PendingOp::LockWithin(_) = op
                    && self.trace.locks.holds(by)
                {
                    let site = match op {
                        PendingOp::Lock(_) => view.own_frame(at.by).map(|own| own.site),
                        _ => view.stack(at.by).first().copied(),
                    };
                    site.into_iter().for_each(|s| self.trace.stand_at(by, s));
                }
                self.unborn |= matches!(op, PendingOp::JoinUnborn(_));
                if let PendingOp::Join(_) | PendingOp::Gate { .. } = op {
                    self.keep_locks(by);
                }
            }
            Pause::Waiting if !self.draining => {
                self.waits_otherwise(at);
                let on = self.trace.ends_in_wait_set();
                self.trace.stand(by, Stands::Waits(on));
                self.keep_locks(by);
            }
            _ => {}
        }
        self.draining = false;
        self.arrive_at_threads(at, view, depth)
    }

    fn arrive_at_threads(
        &mut self,
        at: &ChoicePoint<'_>,
        view: &dyn View,
        depth: usize,
    ) -> Decision {
        self.lost_timeouts(at);
        self.end_polls(view);
        self.follow_suspensions(view);
        self.follow_starts(view);
        self.follow_awaits(view);
        let from = self.enabled.len() as u32;
        let mut in_vain = None;
        for (pick, option) in at.options.iter().enumerate() {
            let thread = self.trace.names.number(option.thread());
            let machine = option.thread();
            let is_daemon = || view.thread(machine).daemon;
            self.trace.names.learn_daemon(thread, is_daemon);
            let timeout = matches!(option, Choice::Timeout(_) | Choice::Spurious(_));
            if !timeout && !self.can_run(thread, view) {
                in_vain = in_vain.or(Some((thread, pick)));
                continue;
            }
            self.enabled.push(Enabled { thread, timeout });
        }
        if self.enabled.len() > from as usize
            && let Some((thread, pick)) = in_vain
            && let Stands::Before(PendingOp::Lock(_)) = self.trace.thread(thread).stands
        {
            // It would be no option if it were not stuck for ever, though others are not.
            self.enabled.truncate(from as usize);
            let frame = self.push(depth, Kind::Forced);
            self.trace.begin(thread, frame as u32);
            self.draining = true;
            return Decision::Last(Pick(pick));
        }
        self.lost_changes(from as usize);
        let frame = self.push(depth, Kind::Threads);
        let to = self.enabled.len() as u32;
        self.frames[frame].enabled = (from, to);
        if from == to {
            self.astray += u64::from(self.is_on_the_way() && self.stray());
            let lost = std::mem::replace(&mut self.frames[frame].tree, NONE);
            self.astray += u64::from(lost != NONE);
            self.forest.drop_all(lost);
            // Everybody is before a lock that is taken or a thread that lives. They are
            // sent there, so that the machine can say what happens then.
            self.frames[frame].kind = Kind::Forced;
            let thread = self.trace.names.number(at.options[0].thread());
            self.trace.begin(thread, frame as u32);
            self.draining = true;
            return Decision::Last(Pick(0));
        }
        let enabled = &self.enabled[from as usize..];
        if enabled.iter().all(|e| e.timeout) && !self.stops.has(OpMask::TIMEOUTS) {
            self.frames[frame].timeouts = true;
            self.turn_at_rest();
            if self.is_on_a_route() {
                return self.enter(at, frame);
            }
            if self.is_on_the_way() {
                self.stray();
            }
            let enabled = &self.enabled[from as usize..];
            let mut tree = NONE;
            for enabled in enabled {
                let leaf = self.forest.leaf(enabled.thread, false);
                tree = self.forest.append(tree, leaf);
            }
            self.frames[frame].tree = tree;
        }
        self.enter(at, frame)
    }

    /// Notes who was suspended or resumed by the last step. Who was suspended could have made
    /// its next step before: nothing else on the path shows that, since the one that lets it
    /// go on comes after.
    fn follow_suspensions(&mut self, view: &dyn View) {
        if !self.trace.interrupts {
            return;
        }
        for thread in 0..self.trace.thread_count() {
            let machine = self.trace.names.machine(thread);
            let is_there = (machine.0 as usize) < view.thread_count();
            let suspended = is_there && view.is_suspended(machine);
            if suspended && !self.trace.thread(thread).suspended {
                self.lost_step(thread);
            }
            self.trace.suspend(thread, suspended);
        }
    }

    /// Threads that stand before the end of another one, which the last step has started, have
    /// to wait for it now. They could have gone on before.
    fn follow_starts(&mut self, view: &dyn View) {
        if !self.unborn {
            return;
        }
        for thread in 0..self.trace.thread_count() {
            if let Stands::Before(PendingOp::JoinUnborn(object)) = self.trace.thread(thread).stands
                && let Some(other) = view.thread_of(object)
            {
                self.lost_step(thread);
                let stands = Stands::Before(PendingOp::Join(other));
                self.trace.stand(thread, stands);
                self.keep_locks(thread);
            }
        }
    }

    /// A thread cannot go on because of the last step, and could before it.
    fn lost_step(&mut self, thread: u32) {
        let Some(last) = self.trace.len().checked_sub(1) else {
            return;
        };
        let last = *self.trace.step(last as u32);
        if last.frame == NONE || last.thread == thread {
            return;
        }
        let (from, to) = self.frames[last.frame as usize].enabled;
        let could = self.enabled[from as usize..to as usize]
            .iter()
            .any(|e| e.thread == thread && !e.timeout);
        if could {
            self.steps.clear();
            // Whatever it does, it does it while it may.
            self.imagine_with(last.frame, thread, Some(word::thread(thread)));
        }
    }

    /// Threads that look around again and again under a lock, and for which the last step has
    /// changed something, want the lock now.
    fn end_polls(&mut self, view: &dyn View) {
        if !self.polls {
            return;
        }
        for thread in 0..self.trace.thread_count() {
            let spins = || view.spins(self.trace.names.machine(thread));
            match self.trace.thread(thread).stands {
                Stands::Before(PendingOp::Poll(lock)) if !spins() => {
                    self.trace.end_poll(thread, lock);
                }
                // All is as it was again: see `lost_changes`.
                Stands::Before(PendingOp::Lock(lock)) if spins() => {
                    self.lost_change(thread);
                    self.wish_for_lock(thread);
                    let stands = Stands::Before(PendingOp::Poll(lock));
                    self.trace.stand(thread, stands);
                }
                _ => {}
            }
        }
    }

    /// Whether a thread would get on if it were run; notes if it was woken.
    fn can_run(&mut self, thread: u32, view: &dyn View) -> bool {
        match self.trace.thread(thread).stands {
            Stands::Before(PendingOp::Lock(lock) | PendingOp::LockWithin(lock)) => {
                let me = self.trace.names.machine(thread);
                let free = view.owner(lock).is_none_or(|owner| owner == me);
                free && !self.only_looks(thread)
            }
            Stands::Before(PendingOp::Join(other)) => {
                let other = self.trace.names.number(other);
                self.trace.thread(other).ended != NONE
            }
            Stands::Before(PendingOp::Gate { object, .. }) => !view.is_shut(object),
            Stands::Waits(lock) => {
                self.trace.wake(thread, lock);
                true
            }
            Stands::Spins(op) => {
                self.trace.end_spin(thread, op);
                true
            }
            _ => true,
        }
    }

    /// Timed waits that the last step has ended could have ended by themselves before it. To be
    /// asked while these threads still stand where they waited.
    fn lost_timeouts(&mut self, at: &ChoicePoint<'_>) {
        if !self.stops.has(OpMask::TIMEOUTS) || self.depth == 0 || self.trace.len() == 0 {
            return;
        }
        let last = *self.trace.step(self.trace.len() as u32 - 1);
        if last.frame == NONE {
            return;
        }
        let (from, to) = self.frames[last.frame as usize].enabled;
        for i in from..to {
            let Enabled { thread, timeout } = self.enabled[i as usize];
            let machine = self.trace.names.machine(thread);
            let ends = [Choice::Timeout(machine), Choice::Spurious(machine)];
            let still = at.options.iter().any(|option| ends.contains(option));
            if timeout && !still && thread != last.thread {
                self.steps.clear();
                self.imagine(last.frame, thread);
            }
        }
    }

    /// Threads that spin could go on before the last step, which has put back what they look at.
    /// They could have looked before it: nothing else on the path shows that, since what lets
    /// them go on later, if anything does, comes after it.
    fn lost_changes(&mut self, now: usize) {
        if !self.spins {
            return;
        }
        let Some(last) = self.trace.len().checked_sub(1) else {
            return;
        };
        let last = *self.trace.step(last as u32);
        let Some(frame) = self.frames[..self.depth].get(last.frame as usize) else {
            return;
        };
        for i in frame.enabled.0..frame.enabled.1 {
            let Enabled { thread, timeout } = self.enabled[i as usize];
            if timeout || thread == last.thread {
                continue;
            }
            let Stands::Before(op) = self.trace.thread(thread).stands else {
                continue;
            };
            let can_go_on = self.enabled[now..].iter().any(|e| e.thread == thread);
            if !can_go_on && !can_be_in_the_way(op) {
                self.lost_change(thread);
                self.trace.stand(thread, Stands::Spins(op));
            }
        }
    }

    /// Plans for a thread to go on before the last step, if it could.
    fn lost_change(&mut self, thread: u32) {
        let last = self.trace.step(self.trace.len() as u32 - 1).frame;
        if last == NONE || self.replay.passes(last as usize) {
            return;
        }
        let (from, to) = self.frames[last as usize].enabled;
        let enabled = &self.enabled[from as usize..to as usize];
        if enabled.iter().any(|e| e.thread == thread && !e.timeout) {
            self.steps.clear();
            self.imagine(last, thread);
        }
    }

    fn arrive_at_targets(&mut self, at: &ChoicePoint<'_>, depth: usize) -> Decision {
        let making = self.trace.making.clone();
        let nested = self.outer_targets(depth, making.frame).is_some();
        let owner = self.frames[making.frame as usize].sleepers;
        let from = self.sleepers.len() as u32;
        // What was run was run for targets of the first notification of the step.
        for i in owner.from..owner.to {
            let sleeper = self.sleepers[i as usize];
            if sleeper.thread == making.thread && sleeper.target != NONE && !nested {
                self.sleepers.push(sleeper);
            }
        }
        let to = self.sleepers.len() as u32;
        if std::mem::take(&mut self.plan_if_asleep) {
            // What was left to a step goes on behind its targets.
            self.forest
                .drop_all(std::mem::replace(&mut self.plan, NONE));
            (self.plan_open, self.absorbed) = (true, true);
        }
        let open = self.plan_open || self.plan == NONE || nested;
        let frame = self.push(depth, Kind::Targets);
        self.astray += u64::from(self.is_on_the_way() && self.stray());
        let pushed = &mut self.frames[frame];
        pushed.sleepers = Ranges { from, own: to, to };
        pushed.targets = at.options.len() as u32;
        pushed.open = open;
        pushed.saved = Some(making);
        self.enter(at, frame)
    }

    /// The choice of a target before this depth that belongs to the same step, which was taken at
    /// `frame`.
    pub(super) fn outer_targets(&self, depth: usize, frame: u32) -> Option<usize> {
        let within = frame as usize + 1..depth;
        within.rev().find(|f| self.frames[*f].kind == Kind::Targets)
    }

    /// A new frame for a choice, which inherits what is planned.
    pub(super) fn push(&mut self, depth: usize, kind: Kind) -> usize {
        if self.frames.len() == depth {
            self.frames.push(Frame::default());
        }
        self.depth = depth + 1;
        let top = self.sleepers.len() as u32;
        let before = depth.checked_sub(1).map(|d| self.frames[d].sleepers.to);
        let from = before.unwrap_or(0);
        let frame = &mut self.frames[depth];
        frame.kind = kind;
        frame.tops = self.trace.tops();
        frame.words = self.trace.words_top();
        frame.sleepers = Ranges {
            from,
            own: top,
            to: top,
        };
        let enabled = self.enabled.len() as u32;
        frame.enabled = (enabled, enabled);
        frame.tree = NONE;
        if kind != Kind::Forced {
            frame.tree = std::mem::replace(&mut self.plan, NONE);
        }
        frame.taken = NONE;
        frame.in_vain = NONE;
        frame.noted = false;
        frame.open = false;
        frame.timeouts = false;
        frame.saved = None;
        frame.rival = NONE;
        frame.all = false;
        frame.watchful = self.absorbed;
        frame.streak = 0;
        self.come_to();
        depth
    }
}
