//! Where a search stops, and who may go on from there.
//!
//! A thread stops *before* an operation that others can notice; what it is about to do is
//! known then, and with it whether it could do it at all. A thread that would have to wait
//! (for a monitor that is taken, for a thread that has not ended, for a class that
//! another one initializes) is no option until it would not: that it tried in vain is
//! nothing a program could tell, and leaving it out halves the schedules.
//!
//! A call into trusted code is one operation. It is not known beforehand what it waits
//! for, so it runs until it does; `Thread.join` without a time is the exception. And a call
//! that holds a monitor stops before it takes another one: threads that take them in different
//! orders must be able to meet (`x.addAll(y)` and `y.addAll(x)`).

use crate::class::{ClassPtr, InitState, Touches};
use crate::heap::{ClassId, Ref};
use crate::native::Frame;
use crate::thread::{Awaits, Thread, ThreadState};
use crate::vm::Vm;
use heddle_model::{Choice, EventKind, MethodId, ObjectId, OpMask, PendingOp, Place, are_at_rest};

/// The state of a class's initialization, as a place that is read and written.
pub fn init_place(class: ClassPtr) -> Place {
    Place::initialization(ObjectId(class.mirror.get().0))
}

impl Vm {
    /// The running thread stops before a call into trusted code, which is about to do `first`:
    /// which operation that is. Notes what it waits for.
    pub fn stop_before_call(&mut self, first: PendingOp) -> PendingOp {
        let op = self.trusted_call(first);
        let awaits = self.running().control.awaits;
        let may_spin = matches!(awaits, Awaits::Nothing | Awaits::Monitor(_));
        if !may_spin || !self.waits_for_change() {
            return op;
        }
        let (op, awaits) = match (op, awaits) {
            (PendingOp::Lock(lock), Awaits::Monitor(on)) => {
                (PendingOp::Poll(lock), Awaits::ChangeThenMonitor(on))
            }
            _ => (op, Awaits::Change),
        };
        self.running().control.awaits = awaits;
        op
    }

    /// The call into trusted code that the running thread is in, as an operation: the
    /// method that the innermost frame of the program called, which is about to do `first`.
    /// Notes what it waits for.
    fn trusted_call(&mut self, first: PendingOp) -> PendingOp {
        let running = self.running();
        let mut callee = running.called().unwrap_or(running.control.method);
        if callee == self.stubs().initialize {
            let frame = self.running().frames().next();
            let id = frame.map_or(0, |f| f.local(0)) as u32;
            let class = self.class(ClassId(id));
            self.running().control.awaits = Awaits::Class(class);
            return PendingOp::Write(init_place(class));
        }
        let by = MethodId(callee.id);
        match callee.touches.get() {
            Touches::Life => callee = self.known_method(self.known.thread_exit),
            single @ (Touches::Reads | Touches::Writes) => {
                if let Some(place) = self.place_of(first) {
                    self.running().control.awaits = Awaits::Nothing;
                    let writes = single == Touches::Writes;
                    return PendingOp::Access { by, place, writes };
                }
            }
            Touches::Lock => {
                if let Some(lock) = self.mutex_of(first) {
                    return self.stop_before_mutex(lock);
                }
            }
            Touches::Gate => {
                if let Some(object) = self.gate_of_call() {
                    self.running().control.awaits = Awaits::Gate(object);
                    let object = ObjectId(object.0);
                    return PendingOp::Gate { by, object };
                }
            }
            _ => {}
        }
        let awaits = self.join_target();
        self.running().control.awaits = awaits;
        match awaits {
            Awaits::Death(object) => match self.thread_with(object) {
                Some(thread) => PendingOp::Join(thread),
                None => PendingOp::JoinUnborn(ObjectId(object.0)),
            },
            _ => PendingOp::Call(MethodId(callee.id)),
        }
    }

    /// The lock that an operation takes, if others can notice and the running thread does not
    /// have it yet.
    pub fn new_lock(&self, op: PendingOp) -> Option<ObjectId> {
        let PendingOp::Lock(lock) = op else {
            return None;
        };
        let object = Ref(lock.0);
        let is_new = !self.is_library_lock(object) && !self.holds_lock(self.current, object);
        is_new.then_some(lock)
    }

    /// Whether the stub that initializes a class of the program would run its initializer
    /// or wait for another thread that does.
    fn init_noticeable(&self, f: Frame) -> bool {
        let class = self.class(ClassId(f.raw(0) as u32));
        let me = InitState::Running(self.current);
        self.heap.tracking
            && !class.is_initialized()
            && class.state.get() != me
            && self.has_initializer(class)
    }

    /// Whether initializing a class of the program, or one of its superclasses, runs code.
    pub fn has_initializer(&self, class: ClassPtr) -> bool {
        let clinit = |c: &&ClassPtr| {
            !c.flags.is_library()
                && c.methods()
                    .iter()
                    .any(|m| self.symbols.bytes(m.name) == b"<clinit>")
        };
        class.chain.iter().any(|c| clinit(&c))
    }

    /// Whether who initialized a class is something that other threads can notice. Then
    /// every use of the class is a look at [`init_place`].
    pub fn init_matters(&self, class: ClassPtr) -> bool {
        self.heap.tracking && !class.initialized_alone.get() && self.has_initializer(class)
    }

    /// A native has asked for a class to be initialized, or whether it is.
    pub fn look_at_initialization(&mut self, class: ClassPtr) {
        // Who initialized it knows.
        let knows = class.is_initialized() && class.initialized_by.get() == self.current;
        if self.init_matters(class) && !knows {
            let (place, value) = (init_place(class), 1);
            self.emit(EventKind::Read { place, value });
        }
    }

    /// The thread whose end the running one is about to wait for: it stands at the entry of
    /// `Thread.join(0)`.
    fn join_target(&mut self) -> Awaits {
        if self.learned.interrupts || self.learned.asks_for_states {
            // It may be woken before, or seen on its way there.
            return Awaits::Nothing;
        }
        let join = self.known.thread_join;
        let innermost = self.running().frames().next();
        let Some(frame) = innermost.filter(|f| Some(f.method) == join) else {
            return Awaits::Nothing;
        };
        // Locals: the thread, the time (a long, in its first slot).
        let (thread, time) = (Ref(frame.local(0) as u32), frame.local(1));
        // The thread cannot end before who holds its monitor waits, which gives it up.
        match time == 0 && !self.holds_lock(self.current, thread) {
            true => Awaits::Death(thread),
            false => Awaits::Nothing,
        }
    }

    /// Whether a native method is about to do something that other threads can notice.
    pub fn native_noticeable(&self, f: Frame) -> bool {
        let shared = |obj: Ref| !obj.is_null() && self.heap.is_shared(obj);
        match f.method().touches.get() {
            Touches::Nothing
            | Touches::Reads
            | Touches::Writes
            | Touches::Lock
            | Touches::Gate
            | Touches::CountsDown => false,
            Touches::Always => true,
            Touches::Yield => !self.thread(self.current).control.round.has_looked(),
            Touches::Slot0 => shared(f.reference(0)),
            Touches::Slot1 | Touches::Slot1Volatile if f.reference(1).is_null() => {
                self.heap.tracking
            }
            Touches::Slot1 | Touches::Slot1Volatile => self.access_noticeable(f),
            Touches::Memory => self.memory_noticeable(f.reference(1)),
            Touches::Memories => {
                self.memory_noticeable(f.reference(1)) || self.memory_noticeable(f.reference(4))
            }
            Touches::Threads => {
                f.phase() == 0 && self.heap.tracking && self.learned.asks_for_threads
            }
            Touches::Files => f.phase() == 0 && self.heap.tracking,
            Touches::Stream => f.phase() == 0 && self.heap.tracking && self.stream_noticeable(f),
            Touches::Life => self.is_over(f) && !self.ends_quietly(),
            Touches::Class0 => f.phase() == 0 && self.init_noticeable(f),
            Touches::Mirror1 => self.init_matters(self.mirrored(f.reference(1))),
            Touches::Slots02 => shared(f.reference(0)) || shared(f.reference(2)),
        }
    }

    /// What can happen next, in a fixed order: threads by number, then, where they may end
    /// at any moment, waits. If nothing else can happen, the waits that end first. That a wait
    /// may end without a reason does not count: it need not. The library's own threads have no
    /// part in it. On threads that stand before locks in vain, see `mutexes.rs`; before what
    /// has not happened yet, `gates.rs`.
    pub fn list_options(&self, options: &mut Vec<Choice>) {
        let guided = self.stops.has(OpMask::GUIDED);
        let program = || self.threads.iter().filter(|t| !t.system);
        for thread in &self.threads {
            let can_run = !thread.system && thread.can_run();
            if can_run && (self.ready(thread) || self.is_stuck_before_mutex(thread)) {
                options.push(Choice::Run(thread.id));
            }
        }
        // Who follows a schedule may end a wait and let another thread run then.
        let could = |t: &&Thread| guided || self.could_go_on(t);
        if guided || self.stops.has(OpMask::TIMEOUTS) {
            let timed = program().filter(|t| t.deadline().is_some());
            options.extend(timed.filter(could).map(|t| Choice::Timeout(t.id)));
        }
        if guided || self.stops.has(OpMask::SPURIOUS) {
            let waiting = program().filter(|t| guided || self.is_told_of_wakes(t));
            let waiting = waiting.filter(|t| t.waits_in_vain()).filter(could);
            options.extend(waiting.map(|t| Choice::Spurious(t.id)));
        }
        if guided {
            options.push(Choice::Stay(self.current));
            return;
        }
        // Those who only look around keep nobody's time from being up, also if they may go on.
        let running = |c: &Choice| match c {
            Choice::Run(thread) => !self.only_waits(*thread),
            _ => matches!(c, Choice::Timeout(_)),
        };
        if !options.iter().any(running)
            && let Some(first) = self.next_deadline()
        {
            let due = program().filter(|t| t.deadline() == Some(first));
            options.extend(due.map(|t| Choice::Timeout(t.id)));
        }
        if are_at_rest(options) {
            let in_vain = |t: &&Thread| self.is_before_mutex(t) || self.is_before_gate(t);
            let waiting = program().filter(|t| t.can_run()).filter(in_vain);
            options.extend(waiting.map(|t| Choice::Run(t.id)));
        }
        if are_at_rest(options) {
            let waiting = program().filter(|t| t.can_run() && self.awaits_in_vain(t));
            options.extend(waiting.map(|t| Choice::Run(t.id)));
        }
    }

    /// Whether a wait of this thread that ends without a reason returns to the program. What the
    /// library waits for itself, in locks and queues, it waits for in a loop.
    fn is_told_of_wakes(&self, thread: &Thread) -> bool {
        const WAITS: [&[u8]; 2] = [
            b"java/lang/Object",
            b"java/util/concurrent/locks/LockSupport",
        ];
        let by = thread.called().map(|m| self.symbols.bytes(m.class.name));
        by.is_none_or(|by| WAITS.contains(&by))
    }

    #[cold]
    fn is_stuck_before_mutex(&self, thread: &Thread) -> bool {
        self.is_before_mutex(thread) && self.is_in_cycle(thread)
    }

    /// Whether a thread that waits would not have to wait for a monitor after that.
    fn could_go_on(&self, thread: &Thread) -> bool {
        match thread.control.state {
            ThreadState::Waiting { on, .. } => self.monitor_owner(on).is_none(),
            _ => true,
        }
    }

    /// Whether a thread that can run would not have to wait at once.
    pub fn ready(&self, thread: &Thread) -> bool {
        match thread.control.awaits {
            Awaits::Nothing => true,
            Awaits::Monitor(on) => !self.is_taken(on, thread.id) && !self.awaits_in_vain(thread),
            Awaits::Death(object) => {
                self.thread_of(object).is_none() || self.is_interrupted(thread.object)
            }
            Awaits::Change => self.stops.has(OpMask::SPINS) || self.change_came(thread.id),
            Awaits::ChangeThenMonitor(on) => {
                let goes = self.stops.has(OpMask::SPINS) || self.change_came(thread.id);
                goes && !self.is_taken(on, thread.id)
            }
            Awaits::Class(class) => !class.is_being_initialized_by_another(thread.id),
            Awaits::Gate(object) => !self.is_shut(object),
        }
    }

    /// The interrupt flag of a thread.
    pub fn is_interrupted(&self, thread: Ref) -> bool {
        self.heap.get::<u8>(thread, self.known.thread_interrupted) != 0
    }
}
