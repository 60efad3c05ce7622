//! What a trial run finds out about a program, for all machines that explore it.
//!
//! Some things that next to no program does would make every search dearer: who asks for the
//! states of threads or locks, for what `java.lang.management` tells of them, for the members of thread groups or for what a pool has done, who
//! interrupts or stops threads, who locks `System.out`, adds shutdown hooks, uses settings of the library, whose objects are seen before their
//! constructors are done. A trial run looks for them, and machines are made with what it found
//! ([`crate::options::Options::learned`]). They never learn themselves: what a search is to
//! stop at must not change in its middle. What only other paths than the trial do is missed.

use crate::class::access;
use crate::heap::Ref;
use crate::settings::{Setting, used_by};
use crate::vm::Vm;
use heddle_classfile::code::Operand;
use heddle_classfile::opcode::{
    ASTORE, ASTORE_0, ASTORE_3, DUP, GETSTATIC, INVOKESTATIC, INVOKEVIRTUAL, MONITORENTER,
};
use heddle_classfile::{ClassFile, Constant};
use std::collections::BTreeSet;

/// What was found out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// It calls `Thread.getState`: see `status.rs`.
    pub asks_for_states: bool,
    /// Whether a thread has ended makes a difference other than to those who wait for it: it
    /// asks for that, or has daemons, which are cut off by the end of the last other thread.
    pub asks_for_lives: bool,
    /// It asks `java.lang.management` which threads there are and what they do: see
    /// `onlookers.rs`.
    pub asks_for_threads: bool,
    /// It asks how many threads there were at most: starts and ends depend on each other.
    pub asks_for_peak: bool,
    /// It interrupts threads: who joins one can be woken by that.
    pub interrupts: bool,
    /// It asks whether other threads are interrupted.
    pub asks_for_interrupts: bool,
    /// It stops or suspends threads: whatever these do next depends on it.
    pub stops: bool,
    /// It asks thread groups who is in them, or interrupts all that are: see `groups.rs`.
    pub asks_for_members: bool,
    /// It does things of its own while it holds the monitor of a standard stream: see
    /// `crossings.rs`.
    pub holds_streams: bool,
    /// Other monitors of the library that it holds while it does things of its own.
    pub held: BTreeSet<Ref>,
    /// It takes the monitors of thread groups.
    pub holds_groups: bool,
    /// It takes the monitors of threads: these end under their own, and notify who waits there.
    pub holds_threads: bool,
    /// It asks whether a `ReentrantLock` is taken: see `waiting.rs`.
    pub asks_for_locks: bool,
    /// It may be able to tell a thread in the queue of a lock from one before it: see
    /// `mutexes.rs`.
    pub asks_for_queues: bool,
    /// It asks a fork/join pool what its workers do, makes them itself, or may be able to tell one
    /// worker from another: see `edge.rs`.
    pub asks_for_workers: bool,
    /// It asks a fork/join pool what its workers do: see `common_pool.rs`.
    pub asks_for_pools: bool,
    /// It asks a thread pool how many tasks it has done: see `bookkeeping.rs`.
    pub asks_for_statistics: bool,
    /// It adds or removes shutdown hooks: see `hooks.rs`.
    pub changes_hooks: bool,
    /// Settings of the library that it uses: see `settings.rs`.
    pub settings: BTreeSet<Setting>,
    /// Classes whose final fields are set when others can reach the object already.
    pub leaks: BTreeSet<Vec<u8>>,
}

/// Methods that tell who does not want to wait for a lock that it is taken.
const ASKING_FOR_LOCKS: &[&[u8]] = &[
    b"tryLock",
    b"isLocked",
    b"hasQueuedThread",
    b"hasQueuedThreads",
    b"getQueueLength",
];

/// Methods by which a thread in the queue of a lock can be told from one before it.
const ASKING_FOR_QUEUES: &[&[u8]] = &[
    b"hasQueuedThread",
    b"hasQueuedThreads",
    b"getQueuedThreads",
    b"getQueueLength",
    b"getBlocker",
    b"park",
    b"parkNanos",
    b"parkUntil",
];

/// Methods that tell what the workers of a fork/join pool do.
const ASKING_FOR_POOLS: &[&[u8]] = &[
    b"getActiveThreadCount",
    b"getRunningThreadCount",
    b"getPoolSize",
    b"getStealCount",
    b"getQueuedTaskCount",
    b"getSurplusQueuedTaskCount",
    b"getQueuedSubmissionCount",
    b"hasQueuedSubmissions",
    b"isQuiescent",
    b"awaitQuiescence",
    b"helpQuiesce",
];

/// Methods that may tell one worker from another.
const ASKING_FOR_WORKERS: &[&[u8]] = &[b"currentThread", b"getThreadGroup", b"getAllStackTraces"];

/// What is kept per thread tells one worker from another; whoever makes workers sees how many
/// there are.
fn tells_workers(class_or_desc: &[u8]) -> bool {
    let mentions = |word: &[u8]| class_or_desc.windows(word.len()).any(|w| w == word);
    mentions(b"ThreadLocal") || mentions(b"ForkJoinWorkerThread")
}

/// Methods that tell what a thread pool has done so far.
const ASKING_FOR_STATISTICS: &[&[u8]] = &[
    b"getCompletedTaskCount",
    b"getTaskCount",
    b"getLargestPoolSize",
];

/// The beans that tell what all threads do.
const THREAD_BEANS: &[&[u8]] = &[
    b"java/lang/management/ThreadMXBean",
    b"com/sun/management/ThreadMXBean",
];

/// Methods of these that tell how far other threads are: their stacks, what they hold, what
/// they have used.
fn tells_courses(name: &[u8], desc: &[u8]) -> bool {
    match name {
        b"getThreadInfo" => !desc.starts_with(b"(J)") && !desc.starts_with(b"([J)"),
        b"dumpAllThreads"
        | b"getThreadCpuTime"
        | b"getThreadUserTime"
        | b"getThreadAllocatedBytes"
        | b"getTotalThreadAllocatedBytes" => true,
        _ => false,
    }
}

/// Methods that tell whether threads have ended, or make them daemons.
const ASKING_FOR_LIVES: &[&[u8]] = &[
    b"isAlive",
    b"getState",
    b"activeCount",
    b"activeGroupCount",
    b"enumerate",
    b"getThreadGroup",
    b"getAllStackTraces",
    b"addShutdownHook",
    b"setDaemon",
];

/// Methods that ask a thread group who is in it: of the group itself or, for the group of the
/// running thread, of `Thread`.
const ASKING_FOR_MEMBERS: &[&[u8]] = &[b"activeCount", b"activeGroupCount", b"enumerate"];

/// What else `ThreadGroup` has that makes no difference to its members, or to those that are
/// to come.
const NOT_ASKING: &[&[u8]] = &[
    b"<init>",
    b"getName",
    b"getParent",
    b"parentOf",
    b"checkAccess",
    b"uncaughtException",
    b"toString",
    b"hashCode",
    b"equals",
    b"getClass",
];

/// Methods of the library that interrupt threads.
const INTERRUPTING: &[&[u8]] = &[b"shutdownNow", b"cancel", b"invokeAny"];

impl Vm {
    /// Looks at what a class of the program mentions.
    pub fn learn_class(&mut self, file: &ClassFile) {
        if !self.learning {
            return;
        }
        for (index, constant) in file.pool.iter() {
            if let Constant::MethodRef { .. } = constant
                && let Some((class, name, desc)) = file.pool.try_member(index)
            {
                self.learned.asks_for_workers |= tells_workers(class);
                self.learned.settings.extend(used_by(class, name));
                let group = class == b"java/lang/ThreadGroup";
                let stops = name == b"stop" || name == b"suspend";
                let of_threads = group || class == b"java/lang/Thread";
                self.learned.stops |= of_threads && stops && desc == b"()V";
                self.learned.asks_for_members |= group && !NOT_ASKING.contains(&name);
            }
            if let Constant::InterfaceMethodRef { .. } = constant
                && let Some((class, name, desc)) = file.pool.try_member(index)
                && THREAD_BEANS.contains(&class)
            {
                self.learn_onlooker();
                self.learned.asks_for_peak |= name == b"getPeakThreadCount";
                self.learned.stops |= tells_courses(name, desc);
            }
            if let Constant::NameAndType { name, desc } = constant {
                let (name, desc) = (file.pool.utf8(name), file.pool.utf8(desc));
                let states = name == b"getState" && desc == b"()Ljava/lang/Thread$State;";
                self.learned.asks_for_states |= states;
                let timed = desc.starts_with(b"(J") || desc.starts_with(b"(Ljava/time/");
                let joins = name == b"join" && timed;
                self.learned.asks_for_lives |= joins || ASKING_FOR_LIVES.contains(&name);
                self.learned.asks_for_members |= ASKING_FOR_MEMBERS.contains(&name);
                self.learned.interrupts |= INTERRUPTING.contains(&name);
                self.learned.asks_for_queues |= ASKING_FOR_QUEUES.contains(&name);
                self.learned.asks_for_pools |= ASKING_FOR_POOLS.contains(&name);
                self.learned.asks_for_workers |= ASKING_FOR_POOLS.contains(&name)
                    || ASKING_FOR_WORKERS.contains(&name)
                    || ASKING_FOR_MEMBERS.contains(&name)
                    || tells_workers(desc);
                self.learned.asks_for_statistics |= ASKING_FOR_STATISTICS.contains(&name);
                self.learned.asks_for_locks |= ASKING_FOR_LOCKS.contains(&name);
                self.learned.changes_hooks |= crate::hooks::CHANGING.contains(&name);
            }
        }
        self.learned.interrupts |= calls_on_others(file, b"interrupt");
        self.learned.asks_for_interrupts |= calls_on_others(file, b"isInterrupted");
        self.learned.holds_streams |= locks_streams(file);
    }

    /// The program asks what other threads do.
    pub fn learn_onlooker(&mut self) {
        self.learned.asks_for_threads |= self.learning;
        self.learned.asks_for_states |= self.learning;
        self.learned.asks_for_lives |= self.learning;
    }

    /// Looks at a write that nobody would notice.
    #[cold]
    pub fn learn_write(&mut self, object: Ref, offset: u32) {
        if !self.heap.is_shared(object) {
            return;
        }
        let chain = self.class_of(object).chain.iter();
        for class in chain.filter(|c| !c.flags.is_library()) {
            let is_it = |f: &&crate::class::Field| {
                f.offset == offset
                    && f.access & access::STATIC == 0
                    && f.access & access::FINAL != 0
            };
            if class.fields.iter().any(|f| is_it(&f)) {
                let name = self.symbols.bytes(class.name).to_vec();
                self.learned.leaks.insert(name);
            }
        }
    }
}

/// Whether a class may call a method of threads other than the one that runs it. A thread that
/// interrupts itself, as those do who may not throw an `InterruptedException`, wakes nobody.
fn calls_on_others(file: &ClassFile, method: &[u8]) -> bool {
    let is = |index: u16, method: &[u8]| {
        let member = file.pool.try_member(index);
        member.is_some_and(|(_, name, _)| name == method)
    };
    let handle = |constant| match constant {
        Constant::MethodHandle { reference, .. } => is(reference, method),
        _ => false,
    };
    let bodies = file.methods.iter().filter_map(|m| m.code.as_ref());
    let calls = |code| {
        let mut own = false;
        file.instructions(code).flatten().any(|(_, insn)| {
            let Operand::Constant(index) = insn.operand else {
                own = false;
                return false;
            };
            let calls = insn.opcode == INVOKEVIRTUAL && is(index, method);
            let others = calls && !own;
            own = insn.opcode == INVOKESTATIC && is(index, b"currentThread");
            others
        })
    };
    file.pool.iter().any(|(_, constant)| handle(constant)) || bodies.into_iter().any(calls)
}

/// Whether a class has `synchronized (System.out)`, or the same of `System.err`. Other ways to
/// hold the monitor of a stream are seen where they are gone (`crossings.rs`).
fn locks_streams(file: &ClassFile) -> bool {
    let is_stream = |index| {
        let member = file.pool.try_member(index);
        matches!(member, Some((b"java/lang/System", b"out" | b"err", _)))
    };
    let bodies = file.methods.iter().filter_map(|m| m.code.as_ref());
    let locks = |code| {
        let mut stream = false;
        file.instructions(code).flatten().any(|(_, insn)| {
            match (insn.opcode, insn.operand) {
                (GETSTATIC, Operand::Constant(index)) => stream = is_stream(index),
                // The variable from which the monitor is given back.
                (DUP | ASTORE | ASTORE_0..=ASTORE_3, _) => {}
                (MONITORENTER, _) => return stream,
                _ => stream = false,
            }
            false
        })
    };
    bodies.into_iter().any(locks)
}
