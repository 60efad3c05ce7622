//! Loops that wait for a change, which comes in their middle.
//!
//! A thread that looks around and comes back to where it was goes on only if something has changed
//! that it had looked at. If it stands there already, who makes the change lets it go on
//! ([`Trace::end_spin`]). If it is still under way, nobody sees it stand: it looks at the one,
//! the one changes, it looks at the other and comes round. Yet without the change it would not
//! go on from there, so what it does next comes after the change all the same.
//!
//! There may be several changes, of which any would do. It comes after the first if that comes before
//! all others; else after none of them.

use super::{NONE, Stands, Trace};
use heddle_model::PendingOp;

impl Trace {
    /// A thread has come round in its last steps, and may go on.
    pub fn come_round(&mut self, thread: u32, steps: u32) {
        let change = self.first_change(thread, steps);
        if let Some(change) =
            change.filter(|first| self.leads_to_all_changes(*first, thread, steps))
        {
            let ran = self.change(thread);
            (ran.enabler, ran.changed) = (change, false);
            if let Stands::Before(PendingOp::Poll(lock)) = ran.stands {
                ran.stands = Stands::Before(PendingOp::Lock(lock));
            }
        }
    }

    /// Whether a thread that goes on because of a change has not come to where that is yet.
    pub fn is_on_its_way(&self, thread: u32) -> bool {
        let ran = self.thread(thread);
        if !ran.changed || ran.last == NONE || ran.last <= ran.enabler {
            return false;
        }
        let change = self.print(ran.enabler);
        let mut look = ran.last;
        while look != NONE && look > ran.enabler {
            if self.print(look).meets(&change) {
                return false;
            }
            look = self.steps[look as usize].reasons.steps[0];
        }
        true
    }

    fn first_change(&self, thread: u32, steps: u32) -> Option<u32> {
        let mut first = None;
        self.each_change(thread, steps, |step| {
            first = Some(first.map_or(step, |f: u32| f.min(step)));
        });
        first
    }

    fn leads_to_all_changes(&self, first: u32, thread: u32, steps: u32) -> bool {
        let mut all = true;
        self.each_change(thread, steps, |step| all &= self.before(first, step));
        all
    }

    /// The steps of others that wrote to what a thread had looked at in its last steps.
    fn each_change(&self, thread: u32, steps: u32, mut each: impl FnMut(u32)) {
        let mut look = self.thread(thread).last;
        for _ in 0..steps {
            if look == NONE {
                return;
            }
            for word in self.print(look).words {
                self.find_writer(*word, |step| {
                    let later = step > look;
                    if later && self.step(step).thread != thread {
                        each(step);
                    }
                    !later
                });
            }
            look = self.steps[look as usize].reasons.steps[0];
        }
    }
}
