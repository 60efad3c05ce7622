//! The machine as the search sees it.

use crate::schedule::record::Stands;
use crate::schedule::{CodePlace, MethodName};
use crate::{
    ChoicePoint, ClassName, MethodId, ObjectId, Observer, Pick, Place, Rewind, Site, ThreadId,
    ThreadPath, simple_name,
};

/// A program that can be run from choice to choice, marked and rewound.
pub trait Machine: Rewind + View {
    /// Runs until a choice is due: the running thread waits, ends or has used up its
    /// slice, or is about to do one of the operations in `stops`.
    fn run<O: Observer>(&mut self, stops: OpMask, observer: &mut O) -> Stop;

    /// What can happen next. Valid after `run` returned [`Stop::Choice`], and again after
    /// a rewind to a mark that was taken then. After [`End::Stuck`] it still says who
    /// stopped last and why, without options.
    fn point(&self) -> ChoicePoint<'_>;

    /// Takes one of the options.
    fn take(&mut self, pick: Pick) -> Step;

    /// What a thread that stands before a lock would find there if some places had other values than they
    /// have; `None` if that cannot be told. Nothing changes.
    fn suppose(&mut self, _that: &Supposed) -> Option<Awaited> {
        None
    }

    /// Instructions executed so far, those that were rewound included.
    fn work(&self) -> u64 {
        0
    }
}

/// Operations before which [`Machine::run`] stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpMask(pub u32);

impl OpMask {
    /// Only where the thread cannot go on or its slice is used up.
    pub const NONE: OpMask = OpMask(0);
    /// After each operation that ends an atomic block of the ExitBlock algorithms: a
    /// monitor was given back for good, a thread started, a wait begun, a trusted call
    /// made that lets other threads go on.
    pub const BLOCK_END: OpMask = OpMask(1);
    /// Before each visible operation of the program's own code.
    pub const VISIBLE: OpMask = OpMask(1 << 1);
    /// Where a notification can wake one of several threads.
    pub const NOTIFY: OpMask = OpMask(1 << 2);
    /// Let timed waits end at any moment, not only when nobody can run.
    pub const TIMEOUTS: OpMask = OpMask(1 << 3);
    /// Let waits end without a reason.
    pub const SPURIOUS: OpMask = OpMask(1 << 4);
    /// Somebody follows a schedule: stop before every bytecode that is watched, let every
    /// wait end whenever that is taken, and no timed one by itself.
    pub const GUIDED: OpMask = OpMask(1 << 5);
    /// Let threads run that only look at what does not change.
    pub const SPINS: OpMask = OpMask(1 << 7);
    /// Threads end without a stop where nobody can tell when they do so.
    pub const QUIET_ENDS: OpMask = OpMask(1 << 10);
    /// At every choice [`View::state`] says which state the machine is in.
    pub const STATE: OpMask = OpMask(1 << 9);
    /// Stop at once, before anything is executed: another choice is due first.
    pub const AT_ONCE: OpMask = OpMask(1 << 6);
    /// Locks of the library that are taken as monitors are: a thread stops before the
    /// call with [`crate::PendingOp::Lock`], and cannot go on while another one has the lock, but
    /// where nobody can.
    pub const MUTEXES: OpMask = OpMask(1 << 11);
    /// Threads stand before a lock that they would take only to wait in it, in a loop, for what is
    /// not so yet ([`View::awaits`]): nothing that others can tell. They are no option
    /// unless there is no other. What they look at after they have taken such a lock is looked at
    /// without a stop.
    pub const AWAITS: OpMask = OpMask(1 << 12);
    /// Calls that wait for what happens once and for good: a thread stops before the call with
    /// [`crate::PendingOp::Gate`], and cannot go on before it has happened, but where nobody can.
    pub const GATES: OpMask = OpMask(1 << 13);
    /// Stop before every bytecode that is watched.
    pub const ARRIVALS: OpMask = OpMask(1 << 8);

    pub const fn has(self, other: OpMask) -> bool {
        self.0 & other.0 != 0
    }

    pub const fn without(self, other: OpMask) -> OpMask {
        OpMask(self.0 & !other.0)
    }

    pub const fn and(self, other: OpMask) -> OpMask {
        OpMask(self.0 | other.0)
    }
}

/// Why a run stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    Choice,
    Ended(End),
    /// Something that the machine lacks, named.
    Unsupported(String),
}

impl Stop {
    /// How the execution ended, if it did.
    pub fn end(&self) -> Option<End> {
        match self {
            Stop::Ended(end) => Some(end.clone()),
            Stop::Choice | Stop::Unsupported(_) => None,
        }
    }
}

/// How an execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// With this exit code.
    Exited(i32),
    /// No thread can run, now or later.
    Stuck,
    /// This thread used up the steps that a path allows it.
    StepLimit(ThreadId),
    /// It has come back to a state that it was in before, and can go on like that for ever;
    /// these threads ran in between.
    Repeats(Vec<ThreadId>),
}

/// What a pick did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The thread that goes on.
    pub thread: ThreadId,
    /// Whether another thread ran before.
    pub switched: bool,
}

/// A frame of a Java stack, in the program's own terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    pub class: ClassName,
    pub method: String,
    pub file: Option<String>,
    pub line: Option<u32>,
}

/// A frame of the program's own code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OwnFrame {
    pub site: Site,
    /// The trusted method that was called there, if the thread is in one.
    pub calls: Option<MethodId>,
    /// The call is made by a method reference that is written there, not by its bytecode.
    pub by_reference: bool,
    /// How many frames of the thread's stack are above it.
    pub above: usize,
}

/// A field, by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldName {
    pub class: ClassName,
    pub name: String,
}

/// A value that a call takes or gives, as a story tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Datum {
    Object(ObjectId),
    /// Anything else, as the program would write it.
    Text(String),
}

/// A reference from a static or a field to an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// `Bank.checking` of a static, `.owner` of a field, `[2]` of an element.
    pub name: String,
    pub place: Place,
    /// It cannot change any more.
    pub is_final: bool,
    pub to: ObjectId,
}

/// A thread, in the program's own terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadView {
    pub id: ThreadId,
    pub path: ThreadPath,
    pub name: String,
    pub daemon: bool,
    /// One of `Thread.State`'s names.
    pub state: &'static str,
    /// The object whose monitor it wants or waits on.
    pub waits_for: Option<ObjectId>,
}

/// The fields of a lock of the library by which threads keep each other out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MutexField {
    /// Who has it: 0 if it is free. Written when it is taken and when it is given back.
    Owner,
    /// How often its owner has it.
    Count,
}

/// The fields of an object of [`OpMask::GATES`] that tell whether what is waited for has happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GateField {
    /// How often a latch is still to be counted down; and whether the thread that runs does that.
    Count { counts_down: bool },
    /// Who waits inside a latch.
    Queue,
    /// How far the task of a future is.
    Progress,
    /// What a future was completed with.
    Outcome,
}

impl GateField {
    /// Whether it has happened with this value.
    pub fn opens(self, value: u64) -> bool {
        match self {
            GateField::Count { .. } => value == 0,
            GateField::Queue => false,
            // 1: the outcome is about to be set.
            GateField::Progress => value > 1,
            GateField::Outcome => value != 0,
        }
    }
}

/// A look at a machine at rest; nothing changes by it.
pub trait View {
    fn thread_count(&self) -> usize;
    fn thread(&self, id: ThreadId) -> ThreadView;

    /// The state of a thread and what it waits for, as [`View::thread`] has them: for whoever
    /// asks at every stop and has no use for its name.
    fn state_of(&self, id: ThreadId) -> (&'static str, Option<ObjectId>) {
        let thread = self.thread(id);
        (thread.state, thread.waits_for)
    }

    fn is_daemon(&self, id: ThreadId) -> bool {
        self.thread(id).daemon
    }

    /// Innermost frame first.
    fn stack(&self, id: ThreadId) -> Vec<Site>;
    /// What a site is in the source.
    fn frame(&self, site: Site) -> Frame;
    fn class_of(&self, object: ObjectId) -> ClassName;
    /// Who owns the monitor of an object, or the lock of [`OpMask::MUTEXES`] that it is.
    fn owner(&self, object: ObjectId) -> Option<ThreadId>;

    // What follows has an answer that is right for a machine that knows no better.

    /// What reports call an object: the class without its package, and a number that
    /// counts the objects of the class from 1 on in the order in which they appear.
    fn object_name(&self, object: ObjectId) -> String {
        let class = self.class_of(object);
        format!("{}@{}", simple_name(&class), object.0)
    }

    /// The same for whoever asks for many of them.
    fn object_names(&self) -> Box<dyn Fn(ObjectId) -> String + '_> {
        Box::new(|object| self.object_name(object))
    }

    /// What reports call a place: `Account@1.balance`, `Counter.total` (a static),
    /// `int[]@2[5]`.
    fn place_name(&self, place: Place) -> String {
        match place {
            Place::Field { object, offset } => format!("{}.+{offset}", self.object_name(object)),
            Place::Element { array, index } => format!("{}[{index}]", self.object_name(array)),
        }
    }

    /// A raw value in a place as the program would write it: `-1`, `true`, `"text"`,
    /// `Account@1`.
    fn value_text(&self, _place: Place, value: u64) -> String {
        (value as i64).to_string()
    }

    /// Whether accesses to a place order threads by themselves: a volatile field.
    fn is_volatile(&self, _place: Place) -> bool {
        false
    }

    /// Whether a thread is the machine's or the library's own: no story mentions it.
    fn is_system(&self, _thread: ThreadId) -> bool {
        false
    }

    /// Whether a thread was suspended (`Thread.suspend`), whatever else it does.
    fn is_suspended(&self, _thread: ThreadId) -> bool {
        false
    }

    /// Whether a place stands for what happens to a thread or a monitor as such, and is none
    /// that the program reads.
    fn is_imagined(&self, _place: Place) -> bool {
        false
    }

    /// Whether a thread does nothing but look again and again at places that have not
    /// changed: it cannot go on until one does.
    fn spins(&self, _thread: ThreadId) -> bool {
        false
    }

    /// What a thread that stands before a lock would do with it, if that may be to wait in a
    /// loop for what is not so yet, the lock is free, and [`OpMask::AWAITS`] asked for it.
    fn awaits(&self, _thread: ThreadId) -> Option<&Awaited> {
        None
    }

    /// What is in a place; `None` if that cannot be told.
    fn value(&self, _place: Place) -> Option<u64> {
        None
    }

    /// In how many steps, at most, a thread has come back to where it was and has done nothing but
    /// look, if it may go on from there because of a change.
    fn came_round(&self, _thread: ThreadId) -> Option<u32> {
        None
    }

    /// The state at a choice, as a digest: equal for states from which the same can follow,
    /// by whichever schedule they were reached. `None` unless [`OpMask::STATE`] asked for it.
    fn state(&self) -> Option<u128> {
        None
    }

    /// Whether a method is trusted: what it does is one operation of its caller's.
    fn trusted(&self, _method: MethodId) -> bool {
        false
    }

    /// Where the program wrote the reference to trusted code that a method was made of by the
    /// library.
    fn written_at(&self, _method: MethodId) -> Option<Site> {
        None
    }

    /// The line of a site in its source file.
    fn line(&self, site: Site) -> Option<u32> {
        self.frame(site).line
    }

    /// Where a thread is in the program's own code: its innermost frame that is not trusted.
    fn own_frame(&self, thread: ThreadId) -> Option<OwnFrame> {
        let stack = self.stack(thread);
        let own = stack.iter().position(|site| !self.trusted(site.method))?;
        let called = own.checked_sub(1).map(|at| stack[at].method);
        Some(OwnFrame {
            site: stack[own],
            calls: called,
            by_reference: false,
            above: own,
        })
    }

    /// Whether the code that a thread is in can come to an end, as far as one can tell from
    /// its loops: `while (true)` without a way out cannot.
    fn can_end(&self, _thread: ThreadId) -> bool {
        true
    }

    /// The name of a field and of the class that declares it.
    fn field(&self, _place: Place) -> Option<FieldName> {
        None
    }

    /// What a schedule file calls a site: with the descriptor of its method.
    fn code_place(&self, site: Site) -> CodePlace {
        let Frame { class, method, .. } = self.frame(site);
        let method = MethodName::Named {
            name: method,
            descriptor: None,
        };
        CodePlace {
            class,
            method,
            index: site.bci.clamp(0, i32::from(u16::MAX)) as u16,
        }
    }

    /// A digest of a method's code in hexadecimal: it changes when and only when the
    /// compiled code does.
    fn code_digest(&self, _method: MethodId) -> Option<String> {
        None
    }

    /// How a thread stands at the last bytecode of the program that it came to.
    fn stands(&self, thread: ThreadId) -> Stands {
        match self.thread(thread).state {
            "TERMINATED" => Stands::Ended,
            "WAITING" | "TIMED_WAITING" => Stands::In,
            _ => Stands::Before,
        }
    }

    /// The number of a thread in a schedule: 0 is the initial one, the others count in the
    /// order in which they were created. `None` for the library's own.
    fn thread_number(&self, thread: ThreadId) -> Option<u32> {
        Some(thread.0)
    }

    /// The class that a thread waits for, as its object, and the thread that initializes it.
    fn awaits_class(&self, _thread: ThreadId) -> Option<(ObjectId, ThreadId)> {
        None
    }

    /// The object that a parked thread gave as the reason (`LockSupport.park(blocker)`).
    fn parked_on(&self, _thread: ThreadId) -> Option<ObjectId> {
        None
    }

    /// Who holds a lock that is not a monitor: an `AbstractOwnableSynchronizer`.
    fn synchronizer_owner(&self, _object: ObjectId) -> Option<ThreadId> {
        None
    }

    /// What a place says of the lock of [`OpMask::MUTEXES`] that it is in.
    fn mutex_field(&self, _place: Place) -> Option<MutexField> {
        None
    }

    /// What a place says of the object of [`OpMask::GATES`] that it is in.
    fn gate_field(&self, _place: Place) -> Option<GateField> {
        None
    }

    /// Whether what threads wait for at an object of [`OpMask::GATES`] has not happened yet.
    fn is_shut(&self, _object: ObjectId) -> bool {
        false
    }

    /// The thread that a `java.lang.Thread` object stands for, once it was started.
    fn thread_of(&self, _object: ObjectId) -> Option<ThreadId> {
        None
    }

    /// Whether an object is an instance of the class of this name or of a subclass.
    fn instance_of(&self, object: ObjectId, class: &str) -> bool {
        self.class_of(object) == class
    }

    /// A number of an object's class, the same for all objects of the class and for ever;
    /// `None` where classes have no numbers.
    fn class_number(&self, _object: ObjectId) -> Option<u32> {
        None
    }

    /// The exception that a future (`FutureTask`, `ForkJoinTask`, `CompletableFuture`) was completed by, if
    /// it was.
    fn thrown_into(&self, _future: ObjectId) -> Option<ObjectId> {
        None
    }

    /// Where the program threw an exception.
    fn thrown_at(&self, _exception: ObjectId) -> Option<Site> {
        None
    }

    /// What `Throwable.toString` says of an exception unless a class overrides it: its
    /// class and its message. No program code is run.
    fn exception_text(&self, exception: ObjectId) -> String {
        self.class_of(exception)
    }

    /// The frames in which an exception was created, innermost first.
    fn throw_stack(&self, _exception: ObjectId) -> Vec<Site> {
        Vec::new()
    }

    /// What an object is if it is nothing but a value: a string, a box, a constant of an
    /// enum.
    fn object_value(&self, _object: ObjectId) -> Option<String> {
        None
    }

    /// The arguments of a call, the receiver first. Only while [`crate::EventKind::Call`] is
    /// being told.
    fn arguments(&self) -> Vec<Datum> {
        Vec::new()
    }

    /// A raw value in a place.
    fn datum(&self, place: Place, value: u64) -> Datum {
        Datum::Text(self.value_text(place, value))
    }

    /// What a method has returned, if it returns anything.
    fn result(&self, _method: MethodId, _value: u64) -> Option<Datum> {
        None
    }

    /// Whether a method has no receiver.
    fn is_static(&self, _method: MethodId) -> bool {
        false
    }

    /// The references in statics of the program's own classes.
    fn statics(&self) -> Vec<Link> {
        Vec::new()
    }

    /// The references in an object.
    fn links(&self, _object: ObjectId) -> Vec<Link> {
        Vec::new()
    }

    /// The invariants (`--invariant`) as they are in the present state, evaluated by the
    /// machine when it stopped.
    fn invariants(&self) -> &[InvariantResult] {
        &[]
    }
}

/// What a thread finds when it takes a lock and looks, before it does anything else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Awaited {
    pub lock: ObjectId,
    /// It would wait, having done nothing but look; and, if it were woken, it would look again as if it
    /// had just come.
    pub fails: bool,
    /// What it would look at, with the values.
    pub looks: Vec<(Place, u64)>,
    /// A number of what else decides what it does: where it stands and what it has in its
    /// variables. Equal on all paths on which that is equal.
    pub key: u64,
}

/// A question: what a thread would find that stands before a lock in which it may wait, if these
/// places had these values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Supposed {
    pub thread: ThreadId,
    pub values: Vec<(Place, u64)>,
}

/// An invariant, and what it gave when the machine last stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvariantResult {
    /// `Class.method`.
    pub name: String,
    pub outcome: Outcome,
}

/// What the method of an invariant did. Its effects were undone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It returned true.
    Holds,
    /// It returned false.
    Broken,
    /// It threw this.
    Threw(String),
    /// It could not be evaluated here: it needs a lock that a thread holds, or its class is
    /// being initialized.
    Unknown,
}
