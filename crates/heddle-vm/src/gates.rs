//! Calls that wait for what happens once and for good: until a `CountDownLatch` is open, until a
//! future is done.
//!
//! A call into trusted code is run until it has to wait. A thread that calls `latch.await()` too early
//! would so come into the queue of the latch, and it would count who came first, and whether it was
//! before or after each of those who count down: five threads that wait for one signal and give one each
//! have 234,720 schedules. A strategy that asks for it ([`OpMask::GATES`]) gets the call
//! as [`PendingOp::Gate`], and the thread is not run before it need not wait.
//!
//! Nothing is missed by that. What is waited for stays as it is once it has happened. Between the
//! beginning of such a call and its end the thread does nothing but get into the queue and out of it again, and
//! lets nobody go on; nobody else goes on or not because of what is in the queue. So whatever others do while it
//! is in there they can do while it stands before the call. Where nobody can go on any
//! more, those who stand before such calls are options all the same: sent into them, they
//! show what they wait for.
//!
//! It does not hold for who can tell a thread in such a queue from one before it: see `mutexes.rs`, which has
//! the list, and interrupts belong to it here, since they end these waits. A trial run tells whether a
//! program does any of that (`learned.rs`). Then these calls are calls, and so are those that wait for a
//! limited time, since a time-out ends them, and those of workers of a fork/join pool that wait for a
//! `CompletableFuture`, since they do other tasks meanwhile.

use crate::class::{ClassPtr, Touches};
use crate::heap::Ref;
use crate::symbol::Symbol;
use crate::thread::{Awaits, Thread};
use crate::vm::Vm;
use heddle_model::{GateField, OpMask, Place};

/// What threads wait for at objects of a class, and the offset of the field that tells whether it
/// has happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    Latch { count: u32 },
    Task { state: u32 },
    Future { result: u32 },
}

const LATCH: &[u8] = b"java/util/concurrent/CountDownLatch$Sync";
const TASK: &[u8] = b"java/util/concurrent/FutureTask";
const FUTURE: &[u8] = b"java/util/concurrent/CompletableFuture";
const WORKER: &[u8] = b"java/util/concurrent/ForkJoinWorkerThread";

/// Class, method, descriptor.
const WAITS: &[(&[u8], &[u8], &[u8])] = &[
    (b"java/util/concurrent/CountDownLatch", b"await", b"()V"),
    (TASK, b"get", b"()Ljava/lang/Object;"),
    (FUTURE, b"get", b"()Ljava/lang/Object;"),
    (FUTURE, b"join", b"()Ljava/lang/Object;"),
];

impl Vm {
    /// Whether a method waits for what happens for good, or counts down to it, and does nothing
    /// else.
    pub fn waits_for_good(&self, class: ClassPtr, name: Symbol, desc: Symbol) -> Touches {
        let class = self.symbols.bytes(class.name);
        let name = self.symbols.bytes(name);
        let method = (class, name, self.symbols.bytes(desc));
        match method {
            (b"java/util/concurrent/CountDownLatch", b"countDown", _) => Touches::CountsDown,
            _ if WAITS.contains(&method) => Touches::Gate,
            _ => Touches::Nothing,
        }
    }

    #[inline]
    fn gate_in(&self, class: ClassPtr) -> Option<Gate> {
        match class.gate.get() {
            Some(gate) => *gate,
            None => self.find_gate(class),
        }
    }

    #[cold]
    fn find_gate(&self, class: ClassPtr) -> Option<Gate> {
        // Only where all that is done to it is one operation.
        let whole = self.known.synchronizer.flags.trusted;
        let find = |class: &ClassPtr| {
            let offset = |field| self.instance_field(class, field).map(|f| f.offset);
            match self.symbols.bytes(class.name) {
                _ if !class.flags.trusted => None,
                LATCH if whole => offset("state").map(|count| Gate::Latch { count }),
                TASK => offset("state").map(|state| Gate::Task { state }),
                FUTURE => offset("result").map(|result| Gate::Future { result }),
                _ => None,
            }
        };
        *class.gate.get_or_init(|| class.chain.iter().find_map(find))
    }

    /// Whether the running thread does something else while it waits: a worker of a fork/join pool does
    /// other tasks while it waits for a `CompletableFuture`.
    fn helps(&self, gate: Gate) -> bool {
        let thread = self.class_of(self.thread(self.current).object);
        let is_worker = |c: &ClassPtr| self.symbols.bytes(c.name) == WORKER;
        matches!(gate, Gate::Future { .. }) && thread.chain.iter().any(is_worker)
    }

    /// The object at which the call waits that the running thread, whose position is saved, is in, if
    /// a search may stop before it until the wait is over.
    pub fn gate_of_call(&self) -> Option<Ref> {
        let learned = &self.learned;
        let told_apart = learned.asks_for_queues
            || learned.asks_for_states
            || learned.interrupts
            || learned.stops;
        if !self.stops.has(OpMask::GATES) || told_apart {
            return None;
        }
        let inside = self.thread(self.current).frames();
        let inside = inside.take_while(|f| !f.method.flags.own);
        let call = inside.filter(|f| !f.method.flags.vm_stub).last()?;
        let receiver = Ref(call.local(0) as u32);
        // A latch has what counts in an object of its own.
        [receiver, self.reference_in(receiver, "sync")]
            .into_iter()
            .filter(|o| !o.is_null())
            .find(|o| {
                self.gate_in(self.class_of(*o))
                    .is_some_and(|gate| !self.helps(gate))
            })
    }

    /// Whether what is waited for at an object has not happened yet.
    pub fn is_shut(&self, object: Ref) -> bool {
        match self.gate_in(self.class_of(object)) {
            Some(Gate::Latch { count }) => self.heap.get::<i32>(object, count.into()) != 0,
            Some(Gate::Task { state }) => self.heap.get::<i32>(object, state.into()) <= 1,
            Some(Gate::Future { result }) => self.heap.get_ref(object, result.into()).is_null(),
            None => false,
        }
    }

    /// Whether a thread stands before a call that would wait.
    pub fn is_before_gate(&self, thread: &Thread) -> bool {
        match thread.control.awaits {
            Awaits::Gate(object) => self.is_shut(object),
            _ => false,
        }
    }

    /// What a field says of the object that it is in.
    pub fn gate_field_at(&self, place: Place) -> Option<GateField> {
        let Place::Field { object, offset } = place else {
            return None;
        };
        let counts_down = || {
            let called = self.thread(self.current).called();
            called.is_some_and(|m| m.touches.get() == Touches::CountsDown)
        };
        let class = self.class_of(Ref(object.0));
        match self.gate_in(class)? {
            Gate::Latch { count } if offset == count => Some(GateField::Count {
                counts_down: counts_down(),
            }),
            Gate::Latch { .. } => (offset < class.instance_size).then_some(GateField::Queue),
            Gate::Task { state } => (offset == state).then_some(GateField::Progress),
            Gate::Future { result } => (offset == result).then_some(GateField::Outcome),
        }
    }
}
