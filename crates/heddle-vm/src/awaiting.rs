//! Threads that stand before a monitor in which they may wait in a loop: `while (owner != null)
//! wait();`. A search that asks for it ([`OpMask::AWAITS`]) is told what such a thread would see
//! there, and need not run it only to see it wait.
//!
//! To find out, the thread is run, from a mark to which it is rewound, until it does more than look.
//! If that is to wait in the monitor, it is woken without a reason: if it comes to its first look
//! again and its variables are as they were then, it makes no difference whether it has waited or has just
//! come. (The first look, and not the wait: `boolean waited = false; while (busy) { waited = true; wait(); }`
//! makes a difference.)
//!
//! Considered are methods that call `Object.wait()` themselves, in a monitor that the thread takes
//! there and that is the only one that it has.

use crate::class::MethodPtr;
use crate::heap::{Ref, mix};
use crate::interp::RunEnd;
use crate::thread::{Awaits, Control, Thread, ThreadId, ThreadState, Wake};
use crate::vm::Vm;
use heddle_model::{
    Awaited, Event, EventKind, EventMask, ObjectId, Observer, OpMask, Pause, PendingOp, Place,
    Rewind, View,
};

/// Bytecodes after which a thread is not followed any further.
const BUDGET: i64 = 10_000;

/// What is known of a thread that stands before such a monitor.
pub struct Ahead {
    awaited: Awaited,
    /// The addresses of what it would look at, with the sizes and values.
    at: Vec<u64>,
    values: Vec<u64>,
}

impl Control {
    /// The thread is about to take a monitor: whether it may wait in it.
    pub fn may_wait_in(&self, method: MethodPtr, stops: OpMask) -> bool {
        stops.has(OpMask::AWAITS)
            && method.flags.waits
            && !method.flags.trusted
            && self.monitors == 0
    }

    /// The thread has read this where others can write.
    #[inline]
    pub fn hear(&mut self, value: u64) {
        self.heard = (self.heard.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Vm {
    /// Finds out about all threads that stand before monitors in which they may wait.
    pub fn look_ahead(&mut self) {
        if !self.stops.has(OpMask::AWAITS) {
            return;
        }
        if self.ahead.len() < self.threads.len() {
            self.ahead.resize_with(self.threads.len(), || None);
        }
        for at in 0..self.threads.len() {
            let thread = &self.threads[at];
            let Awaits::Monitor(on) = thread.control.awaits else {
                continue;
            };
            let id = thread.id;
            if !thread.control.may_wait || !thread.can_run() || self.is_taken(on, id) {
                continue;
            }
            let key = self.key_of(id);
            if !self.ahead[at]
                .as_ref()
                .is_some_and(|a| self.is_as_seen(a, key))
            {
                let ahead = self.follow(id, on, key, &[]);
                self.ahead[at] = Some(ahead);
            }
        }
    }

    /// What a thread would see in the monitor that it stands before if places had these values.
    pub fn awaited_if(&mut self, id: ThreadId, values: &[(Place, u64)]) -> Option<Awaited> {
        self.awaited(id)?;
        let Awaits::Monitor(on) = self.thread(id).control.awaits else {
            return None;
        };
        let current = self.current;
        let pause = self.pause;
        let key = self.key_of(id);
        let ahead = self.follow(id, on, key, values);
        (self.current, self.pause) = (current, pause);
        Some(ahead.awaited)
    }

    /// Whether a thread would only wait, and is no option therefore.
    pub fn awaits_in_vain(&self, thread: &Thread) -> bool {
        thread.control.may_wait && self.awaited(thread.id).is_some_and(|a| a.fails)
    }

    /// What a thread would see in the monitor that it stands before.
    pub fn awaited(&self, id: ThreadId) -> Option<&Awaited> {
        let thread = &self.threads[id.0 as usize];
        let Awaits::Monitor(on) = thread.control.awaits else {
            return None;
        };
        let stands = self.stops.has(OpMask::AWAITS)
            && thread.control.may_wait
            && thread.can_run()
            && !self.is_taken(on, id);
        let ahead = self.ahead.get(id.0 as usize)?.as_ref()?;
        stands.then_some(&ahead.awaited)
    }

    fn is_as_seen(&self, ahead: &Ahead, key: u64) -> bool {
        let mut looks = ahead.at.iter().zip(&ahead.values);
        ahead.awaited.key == key && looks.all(|(at, value)| self.value_at(*at) == *value)
    }

    /// What a thread does next depends on this alone, and on what it looks at. What is in objects that
    /// nobody else can reach depends on what it has read, and there are none before it makes some.
    fn key_of(&self, thread: ThreadId) -> u64 {
        let control = &self.thread(thread).control;
        let heard = match control.region.taken {
            0 => 0,
            _ => control.heard,
        };
        mix(self.digest_of_variables(thread) ^ heard)
    }

    /// Where a thread is and what is in its local variables. What is left on the stacks of operands
    /// from earlier is not its state; what is not left from earlier depends on the variables.
    fn digest_of_variables(&self, thread: ThreadId) -> u64 {
        let mut digest = 0;
        for frame in self.thread(thread).frames() {
            let place = u64::from(frame.method.id) << 32 | u64::from(frame.bci() as u32);
            digest = mix(digest ^ place);
            for at in 0..frame.method.max_locals as usize {
                digest = mix(digest ^ frame.local(at));
            }
        }
        digest
    }

    fn follow(&mut self, thread: ThreadId, on: Ref, key: u64, values: &[(Place, u64)]) -> Ahead {
        let mark = self.mark();
        // It looks as if there were others, so that what is found out holds where there are.
        self.globals.live += 1;
        for (place, value) in values {
            self.put_value(*place, *value);
        }
        let stops = std::mem::replace(&mut self.stops, OpMask::VISIBLE);
        let wanted = self.wanted;
        self.current = thread;
        self.touch_thread(thread);
        self.thread_mut(thread).control.grant();
        let mut looker = Looker(Vec::new());
        let first = self.run_to_look(&mut looker);
        while self.is_before_look() && self.running().control.round.pure {
            self.running().control.grant();
            self.run_to_stop_alone(&mut looker);
        }
        let round = self.running().control.round;
        let looked = round.pure && looker.0.len() == round.seen().0.len();
        let fails = looked && first.is_some() && self.waits_in(thread, on) && {
            self.wake(thread, Wake::Spurious);
            self.running().control.grant();
            self.run_to_look(&mut looker) == first
        };
        let (at, values) = round.seen();
        let ahead = Ahead {
            awaited: Awaited {
                lock: ObjectId(on.0),
                fails,
                looks: looker.0[..looker.0.len().min(at.len())].to_vec(),
                key,
            },
            at: at.to_vec(),
            values: values.to_vec(),
        };
        self.rewind(mark);
        self.forget(mark);
        (self.stops, self.wanted) = (stops, wanted);
        ahead
    }

    /// Runs the running thread until it stops before it looks at something others can write; where it
    /// is then, if it has done nothing else so far.
    fn run_to_look(&mut self, looker: &mut Looker) -> Option<u64> {
        self.running().control.round = crate::waiting::Round::begun();
        self.run_to_stop_alone(looker);
        let here = self.is_before_look() && self.running().control.round.pure;
        here.then(|| self.digest_of_variables(self.current))
    }

    fn run_to_stop_alone(&mut self, looker: &mut Looker) {
        self.pause = Pause::Slice;
        let end = self.run_thread(BUDGET, looker);
        if !matches!(end, RunEnd::Paused) {
            self.pause = Pause::Slice;
        }
    }

    fn is_before_look(&self) -> bool {
        matches!(self.pause, Pause::Before(PendingOp::Read(_)))
    }

    /// The running thread stands before a call: whether that is to wait in a monitor, for as long
    /// as it takes. It waits then.
    fn waits_in(&mut self, thread: ThreadId, on: Ref) -> bool {
        let Pause::Before(PendingOp::Call(_)) = self.pause else {
            return false;
        };
        let called = self.running().called();
        let waits = called.is_some_and(|method| {
            self.symbols.bytes(method.name) == b"wait"
                && self.symbols.bytes(method.class.name) == b"java/lang/Object"
        });
        if !waits {
            return false;
        }
        self.running().control.grant();
        self.run_thread(BUDGET, &mut Looker(Vec::new()));
        let state = ThreadState::Waiting { on, deadline: None };
        self.thread(thread).control.state == state
    }
}

/// Notes what a thread looks at.
struct Looker(Vec<(Place, u64)>);

impl Observer for Looker {
    const WANTS: EventMask = EventMask::READ;

    fn event(&mut self, event: &Event, _: &dyn View) {
        if let EventKind::Read { place, value } = event.kind {
            self.0.push((place, value));
        }
    }
}
