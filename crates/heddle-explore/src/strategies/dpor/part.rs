//! What a worker does with the part of the tree that it shares with others (`share`).
//!
//! The first choices of its path are shared. There it takes what others have left, one branch
//! after the other and the last choice first, as it does at its own choices; who sleeps in a
//! branch is learned when the branch is taken. Where others wait for something to do, it
//! shares further choices: those down to the first that has anything left.

use super::kept::Kept;
use super::memo::Memo;
use super::sequence::{Sequence, Steps};
use super::share::{Choice, Hand, ROOT, Ran, SharedTree};
use super::trace::NONE;
use super::{Dpor, Kind, Ranges, Sleeper};
use crate::jobs::Pool;
use heddle_model::{ChoicePoint, Decision, OpMask};
use std::sync::{Arc, MutexGuard};

/// The shared choices on the path of a worker.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pool: Arc<Pool>,
    /// By depth.
    way: Vec<Way>,
    /// The branch below which the next choice is, if that is shared.
    here: u32,
    /// The branches to where a part begins, the last first, and how that was handed out.
    route: Vec<u32>,
    hand: Hand,
    /// A branch that was taken and is to be run.
    next: Option<(u32, Hand)>,
    /// Others wait to hear what the last step of the way does.
    untold: bool,
    /// Nobody is to sleep after it.
    awake: bool,
    /// Several would not explore what one does: see `lazy`.
    for_one: bool,
    /// There is only one.
    by_one: bool,
}

/// A shared choice.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// The branch above it.
    above: u32,
    /// What is taken; `NONE` if there was nothing to choose.
    node: u32,
    /// Those who sleep because of branches up to this one are known, and where they end.
    loaded: u32,
    sleepers: u32,
}

/// What a worker gets to know of a branch that it takes.
struct Received {
    thread: u32,
    absorbed: bool,
    unknown: bool,
    /// See [`Dpor::plan_if_asleep`].
    perhaps: bool,
    open: bool,
    below: u32,
    left: Vec<Kept>,
    /// It is known to be in vain.
    foreseen: bool,
}

impl Link {
    fn new(pool: Arc<Pool>) -> Link {
        Link {
            pool,
            way: Vec::new(),
            here: NONE,
            route: Vec::new(),
            hand: Hand::Plain,
            next: None,
            untold: false,
            awake: false,
            for_one: false,
            by_one: false,
        }
    }

    fn tree(&self) -> MutexGuard<'_, crate::jobs::State> {
        self.pool.lock()
    }

    /// Whether a choice is shared.
    pub(super) fn shares(&self, frame: usize) -> bool {
        frame < self.way.len()
    }

    /// The last branch that was taken at a shared choice, from one on.
    fn last_branch(&self, frame: usize) -> u32 {
        let taken = self.way[frame..].iter().rev().find(|way| way.node != NONE);
        taken
            .expect("heddle internal error: a choice without a branch")
            .node
    }

    /// Plans to run a thread of which nothing is known from a choice, if that is shared.
    pub(super) fn runs_as_well(&self, frame: usize, thread: u32) -> bool {
        let Some(way) = self.way.get(frame) else {
            return false;
        };
        let from = self.last_branch(frame);
        self.with(|tree| tree.plan_thread(from, way.above, thread));
        true
    }

    /// Plans for a sequence at a shared choice.
    pub(super) fn plan(&self, sequence: &mut Sequence<'_, impl Steps>) {
        let frame = sequence.frame as usize;
        let (from, below) = (self.last_branch(frame), self.way[frame].above);
        let mut state = self.pool.lock();
        if state.tree.plan(from, below, sequence) {
            self.pool.offer(&state);
        }
    }

    /// Uses the shared tree; others may have something to do then.
    pub(super) fn with<R>(&self, with: impl FnOnce(&mut SharedTree) -> R) -> R {
        let mut state = self.pool.lock();
        let result = with(&mut state.tree);
        self.pool.offer(&state);
        result
    }
}

impl Dpor {
    /// One of several workers.
    pub fn sharing(mut self, pool: Arc<Pool>) -> Dpor {
        self.trace.names.share(pool.clone());
        self.trace.places.share(pool.clone());
        self.trace.memo.share();
        self.share = Some(Box::new(Link::new(pool)));
        self
    }

    /// Choices before this depth are shared.
    #[inline]
    pub(super) fn floor(&self) -> usize {
        self.share.as_ref().map_or(0, |link| link.way.len())
    }

    fn link(&mut self) -> &mut Link {
        self.share.as_mut().expect("a shared search")
    }

    /// Begins with a part that [`SharedTree::take`] made, or with all of it, if the part is empty:
    /// see `lazy`.
    pub(super) fn begin_part(&mut self, part: &[u64]) -> Option<()> {
        let mut link = self.share.take()?;
        let Some((hand, route)) = part.split_first() else {
            let mut link = Link::new(link.pool);
            let by_one = link.tree().tree.by_one;
            link.by_one = by_one;
            self.trace.lazy &= link.by_one;
            self.trace.memo = Memo::default();
            self.trace.memo.share();
            *self = Dpor {
                stops: self.stops,
                trace: std::mem::take(&mut self.trace).anew(),
                share: Some(Box::new(link)),
                ..Dpor::new()
            };
            if !self.trace.lazy {
                self.stops = self.stops.without(OpMask::AWAITS);
            }
            self.forget_awaited();
            return Some(());
        };
        link.route = route.iter().rev().map(|node| *node as u32).collect();
        link.hand = [Hand::Plain, Hand::Settled, Hand::Again]
            .into_iter()
            .find(|h| *h as u64 == *hand)?;
        link.here = ROOT;
        *self = Dpor {
            stops: self.stops,
            trace: std::mem::take(&mut self.trace).anew(),
            forest: std::mem::take(&mut self.forest),
            frames: std::mem::take(&mut self.frames),
            share: Some(link),
            ..Dpor::new()
        };
        Some(())
    }

    /// What follows depends on what one worker has seen before it, as long as mutexes are lazy.
    #[inline]
    pub(super) fn is_for_one(&mut self) {
        if self.trace.lazy
            && let Some(link) = &mut self.share
        {
            link.for_one = !link.by_one;
        }
    }

    /// Whatever is explored from now on, one worker does it.
    pub(super) fn goes_on_alone(&mut self) {
        let link = self.link();
        link.tree().tree.by_one = true;
    }

    /// Between two paths: whether several workers have to begin anew, with plain mutexes or as
    /// one.
    pub(super) fn begin_anew_together(&mut self, in_doubt: bool) -> bool {
        let Some(link) = &mut self.share else {
            return false;
        };
        if !in_doubt && !link.for_one {
            return false;
        }
        let mut state = link.pool.lock();
        let tree = &mut state.tree;
        if link.by_one {
            tree.by_one = false;
            return true;
        }
        tree.by_one |= link.for_one;
        if in_doubt || !tree.is_untouched() {
            return true;
        }
        drop(state);
        (link.for_one, link.by_one) = (false, true);
        false
    }

    // At a choice.

    /// A choice is reached that may be shared.
    #[inline]
    pub(super) fn come_to(&mut self) {
        let sleepers = self.sleepers.len() as u32;
        if let Some(link) = &mut self.share
            && link.here != NONE
        {
            link.way.push(Way {
                above: link.here,
                node: NONE,
                loaded: NONE,
                sleepers,
            });
        }
    }

    /// A choice that is not what it was planned to be: what is planned there is lost, and
    /// the choice is not shared. Whether anything was planned.
    #[cold]
    pub(super) fn stray(&mut self) -> bool {
        let link = self.link();
        let above = std::mem::replace(&mut link.here, NONE);
        link.way.pop();
        let lost = !link.route.is_empty();
        self.abandon_route();
        self.link().with(|tree| {
            let lost = tree.clear(above) || lost;
            tree.forest.set_end(above);
            lost
        })
    }

    /// The path is over. If more was planned, it is lost, as it is in a search by one; whoever
    /// comes here next would not get further either.
    #[inline]
    pub(super) fn end_of_the_way(&mut self) {
        if self.is_on_the_way() {
            self.cut_off();
        }
    }

    #[cold]
    fn cut_off(&mut self) {
        self.abandon_route();
        let link = self.link();
        let above = std::mem::replace(&mut link.here, NONE);
        link.with(|tree| {
            tree.clear(above);
            tree.forest.set_end(above);
        });
    }

    /// Whether the last choice of the path is shared and was not expected to be like this.
    pub(super) fn is_on_the_way(&self) -> bool {
        self.share.as_ref().is_some_and(|link| link.here != NONE)
    }

    pub(super) fn is_on_a_route(&self) -> bool {
        self.share
            .as_ref()
            .is_some_and(|link| !link.route.is_empty())
    }

    fn abandon_route(&mut self) {
        let link = self.link();
        let route = std::mem::take(&mut link.route);
        link.with(|tree| route.into_iter().for_each(|node| tree.leave(node)));
    }

    /// Takes a branch of a shared choice.
    pub(super) fn branch_shared(&mut self, at: &ChoicePoint<'_>, frame: usize) -> Decision {
        loop {
            let (node, hand) = match self.next_shared(frame) {
                Some(next) => next,
                None => return self.nothing_shared(at, frame),
            };
            let Received {
                thread,
                absorbed,
                unknown,
                perhaps,
                open,
                below,
                left,
                foreseen,
            } = self.receive(frame, node, hand);
            let asleep = hand.is_some() && (foreseen || self.sleeps(frame, thread));
            let pick = self.option(at, frame, thread).filter(|_| !asleep);
            let Some(pick) = pick else {
                // Who sleeps was run before: a call before it did less than it was seen to.
                self.astray += u64::from(!asleep);
                self.forest.drop_all(below);
                self.plan_left(frame, left);
                let counts = asleep && !foreseen && !self.only_ends(frame);
                let link = self.link();
                (link.untold, link.awake, link.here) = (false, false, NONE);
                link.way[frame].node = NONE;
                let in_vain = link.with(|tree| {
                    match counts {
                        true => tree.leave_asleep(node),
                        false => tree.leave(node),
                    }
                    std::mem::take(&mut tree.in_vain)
                });
                self.blocked += in_vain;
                self.abandon_route();
                continue;
            };
            (self.plan, self.plan_open) = (below, open || below == NONE);
            (self.absorbed, self.unknown) = (absorbed, unknown);
            self.plan_if_asleep = perhaps;
            self.left = left;
            return self.take(at, frame, thread, pick);
        }
    }

    /// The next branch, and how it is handed out, if it is not just on the way.
    fn next_shared(&mut self, frame: usize) -> Option<(u32, Option<Hand>)> {
        let link = self.link();
        if let Some((node, hand)) = link.next.take() {
            return Some((node, Some(hand)));
        }
        if let Some(node) = link.route.pop() {
            let last = link.route.is_empty();
            return Some((node, last.then_some(link.hand)));
        }
        self.reserve(frame).map(|(node, hand)| (node, Some(hand)))
    }

    fn reserve(&mut self, frame: usize) -> Option<(u32, Hand)> {
        let link = self.link();
        let above = link.way[frame].above;
        let mut state = link.tree();
        let (node, hand) = state.tree.next_of(above)?;
        state.tree.hand_out(node, hand);
        state.tree.arrive(node);
        Some((node, hand))
    }

    /// Learns who sleeps in a branch, and what is known of it.
    fn receive(&mut self, frame: usize, node: u32, hand: Option<Hand>) -> Received {
        let mut link = self.share.take().expect("a shared search");
        let mut state = link.pool.lock();
        let tree = &mut state.tree;
        let way = &mut link.way[frame];
        let loaded = tree.ran(way.above, way.loaded, node, |ran| {
            let span = self.trace.keep_words(&ran.print);
            self.sleepers.push(Sleeper {
                thread: ran.thread,
                target: ran.target,
                partial: ran.partial,
                span,
            });
        });
        way.loaded = loaded;
        way.node = node;
        way.sleepers = self.sleepers.len() as u32;
        self.frames[frame].sleepers.to = way.sleepers;
        self.frames[frame].words = self.trace.words_top();
        let branch = tree.forest.look(node);
        self.frames[frame].rival = branch.rival;
        let whole = matches!(hand, Some(Hand::Settled | Hand::Again));
        let mut received = Received {
            thread: branch.thread,
            absorbed: branch.absorbed,
            unknown: branch.unknown && hand.is_some(),
            perhaps: false,
            open: branch.open,
            below: NONE,
            left: Vec::new(),
            foreseen: false,
        };
        let mut settled = NONE;
        if hand.is_some() {
            received.left = tree.forest.take_kept(node);
        }
        if hand == Some(Hand::Settled) {
            let (forest, origin) = (&tree.forest, frame as u32);
            settled = self
                .forest
                .copy_until(forest, node, branch.rest, NONE, origin);
            tree.forest.drop_below(node);
            tree.forest.set_end(node);
            self.trace.memo.hear(&tree.calls);
        }
        let end = tree.forest.is_end(node);
        drop(state);
        link.untold = matches!(hand, Some(Hand::Plain | Hand::Settled));
        link.awake = hand == Some(Hand::Plain) && end;
        link.here = match hand.is_none() || !whole && !end {
            true => node,
            false => NONE,
        };
        self.share = Some(link);
        if settled != NONE {
            self.settle(frame, settled, &mut received);
        }
        received
    }

    /// A branch is handed out as a whole: looks at it as one does at one's own.
    fn settle(&mut self, frame: usize, branch: u32, received: &mut Received) {
        let tree = self.without_foreseen(frame, branch);
        received.foreseen = tree == NONE;
        if tree != NONE {
            let (branch, _) = self.forest.take(tree);
            (received.below, received.perhaps) = (branch.below, branch.perhaps);
            received.unknown = branch.unknown;
        }
    }

    /// There is nothing to be taken at a shared choice.
    #[cold]
    fn nothing_shared(&mut self, at: &ChoicePoint<'_>, frame: usize) -> Decision {
        let link = self.link();
        let above = link.way[frame].above;
        let mut state = link.tree();
        if !state.tree.has_any(above) {
            // What was planned was nothing. What follows is explored for its own sake.
            state.tree.forest.set_end(above);
            drop(state);
            link.way.truncate(frame);
            link.here = NONE;
            return self.branch(at, frame);
        }
        drop(state);
        self.frames[frame].all |= self.frames[frame].watchful;
        self.expand_shared(frame, true);
        let link = self.link();
        link.way.truncate(frame);
        link.here = NONE;
        self.pop();
        Decision::Prune
    }

    /// Plans to run everybody from a shared choice, if that is needed.
    fn expand_shared(&mut self, frame: usize, wanted: bool) {
        if !std::mem::take(&mut self.frames[frame].all) || !wanted {
            return;
        }
        let (from, to) = self.frames[frame].enabled;
        let enabled = self.enabled[from as usize..to as usize].iter();
        let awake = enabled
            .map(|e| e.thread)
            .filter(|t| !self.sleeps(frame, *t));
        let awake: Vec<u32> = awake.collect();
        let link = self.link();
        let above = link.way[frame].above;
        link.with(|tree| tree.expand(above, &awake));
    }

    // After a step.

    /// A step is over: others may have waited for it.
    #[inline]
    pub(super) fn step_closed(&mut self, frame: usize, step: u32) {
        let untold = |link: &Link| link.untold && frame + 1 == link.way.len();
        if self.share.as_ref().is_some_and(|link| untold(link)) {
            self.tell_step(frame, step);
        }
    }

    #[cold]
    fn tell_step(&mut self, frame: usize, step: u32) {
        if !self.trace.targets(step).is_empty() {
            // Known when all targets are explored.
            return;
        }
        let link = self.share.as_mut().expect("a shared search");
        link.untold = false;
        let made = self.trace.step(step);
        let print = made.span.print(self.trace.words());
        let less = made.loose;
        let sleeps = !self.frames[frame].timeouts;
        let node = link.way[frame].node;
        link.with(|tree| tree.tell(node, &print, sleeps, less));
    }

    /// Whether nobody is expected to sleep after the step from this frame.
    #[inline]
    pub(super) fn all_awake_after(&self, frame: usize) -> bool {
        let ends = |link: &Link| link.awake && frame + 1 == link.way.len();
        self.share.as_ref().is_some_and(|link| ends(link))
    }

    /// Somebody sleeps at the end of a sequence nevertheless, because a call has done less
    /// than it was seen to do. Whether that is in vain is known when all before are done.
    #[cold]
    pub(super) fn give_back(&mut self) {
        self.gave_back = true;
        let link = self.link();
        link.awake = false;
        let node = link.way[link.way.len() - 1].node;
        let in_vain = link.with(|tree| tree.give_back(node));
        self.blocked += u64::from(in_vain);
    }

    /// The step from a shared choice was none; the next choice is the same.
    #[cold]
    pub(super) fn shared_in_vain(&mut self, frame: usize) {
        let link = self.link();
        let Way { above, node, .. } = link.way[frame];
        if node != NONE {
            link.way[frame].node = NONE;
            (link.untold, link.awake, link.here) = (false, false, above);
            link.with(|tree| tree.leave(node));
        }
    }

    // Going back.

    /// Leaves the branch of a shared choice; whether there is another one to take.
    pub(super) fn leave_shared(&mut self, frame: usize) -> bool {
        let at = self.frames[frame].tops.step();
        let made = self.trace.len() > at as usize;
        let silent = made && self.trace.step(at).span.bits.are_silent();
        let way = self.link().way[frame];
        self.link().way.truncate(frame + 1);
        if way.node != NONE && self.frames[frame].noted {
            let Ranges { to, .. } = self.frames[frame].sleepers;
            let new = &self.sleepers[way.sleepers as usize..to as usize];
            let ran: Vec<Ran> = new.iter().map(|s| self.ran(s)).collect();
            self.frames[frame].sleepers.to = way.sleepers;
            self.link().with(|tree| tree.tell_all(way.node, ran));
        }
        self.expand_shared(frame, !silent);
        // Who slept is learned from the others.
        self.frames[frame].noted = true;
        self.leave(frame);
        let link = self.link();
        (link.untold, link.awake, link.here) = (false, false, NONE);
        link.way[frame].node = NONE;
        if way.node != NONE {
            let pool = link.pool.clone();
            let mut state = pool.lock();
            self.trace.memo.tell(&mut state.tree.calls);
            state.tree.leave(way.node);
            self.blocked += std::mem::take(&mut state.tree.in_vain);
            pool.offer(&state);
        }
        if self.frames[frame].kind == Kind::Threads {
            let next = self.reserve(frame);
            self.link().next = next;
            if next.is_some() {
                return true;
            }
        }
        self.link().way.truncate(frame);
        false
    }

    fn ran(&self, sleeper: &Sleeper) -> Ran {
        let print = sleeper.span.print(self.trace.words());
        Ran {
            thread: sleeper.thread,
            target: sleeper.target,
            partial: sleeper.partial,
            words: print.words.to_vec(),
            bits: print.bits,
        }
    }

    // Giving.

    /// Shares the first choice with something left, and all before it.
    pub(super) fn offer(&mut self) {
        let floor = self.floor();
        // The last frame is where this worker goes on itself.
        let Some(last) = self.depth.checked_sub(1) else {
            return;
        };
        if self.link().untold || self.link().by_one {
            return;
        }
        let Some(found) = self.left_between(floor, last) else {
            return;
        };
        let mut link = self.share.take().expect("a shared search");
        let pool = link.pool.clone();
        let mut state = pool.lock();
        for at in floor..=found {
            let above = match link.way.last() {
                None => None,
                Some(Way {
                    above, node: NONE, ..
                }) => Some(*above),
                Some(way) => Some(way.node),
            };
            let way = self.share_choice(at, above, &mut state.tree);
            link.way.push(way);
        }
        pool.offer(&state);
        drop(state);
        self.share = Some(link);
        for at in floor..=found {
            let frame = &self.frames[at];
            let silent = match frame.kind {
                Kind::Threads => self.trace.step(frame.tops.step()).span.bits.are_silent(),
                _ => true,
            };
            self.expand_shared(at, !silent);
        }
    }

    fn share_choice(&mut self, at: usize, above: Option<u32>, tree: &mut SharedTree) -> Way {
        let frame = &self.frames[at];
        let Ranges { own, to, .. } = frame.sleepers;
        if frame.kind != Kind::Threads {
            return Way {
                above: above.unwrap_or_else(|| tree.root()),
                node: NONE,
                loaded: NONE,
                sleepers: to,
            };
        }
        let ran = self.sleepers[own as usize..to as usize].iter();
        let step = self.trace.step(frame.tops.step());
        let choice = Choice {
            ran: ran.map(|s| self.ran(s)).collect(),
            watchful: frame.watchful,
            thread: step.thread,
            print: step.span.print(self.trace.words()),
            sleeps: !frame.timeouts,
            forest: &self.forest,
            tree: frame.tree,
        };
        let (above, loaded, node) = tree.share(above, choice);
        let planned = std::mem::replace(&mut self.frames[at].tree, NONE);
        self.forest.drop_all(planned);
        Way {
            above,
            node,
            loaded,
            sleepers: to,
        }
    }

    /// The first choice with something left for others.
    fn left_between(&self, floor: usize, last: usize) -> Option<usize> {
        for at in floor..last {
            let frame = &self.frames[at];
            let known = self.trace.len() > frame.tops.step() as usize;
            let plain = match frame.kind {
                Kind::Threads => frame.taken != NONE && known,
                Kind::Forced => frame.tree == NONE && frame.taken == NONE,
                Kind::Targets => false,
            };
            if !plain || self.frames[at + 1].kind == Kind::Targets {
                return None;
            }
            if frame.kind == Kind::Threads {
                let silent = self.trace.step(frame.tops.step()).span.bits.are_silent();
                let all = frame.all && !frame.timeouts;
                if !silent && (frame.tree != NONE || all) {
                    return Some(at);
                }
            }
        }
        None
    }
}
