//! What a trial run finds out about a program, for all machines that explore it.
//!
//! Some things that next to no program does would make every search dearer: who asks for the
//! states of threads or locks, who interrupts or stops threads, whose objects are seen before their
//! constructors are done. A trial run looks for them, and machines are made with what it found
//! ([`crate::options::Options::learned`]). They never learn themselves: what a search is to
//! stop at must not change in its middle. What only other paths than the trial do is missed.

use crate::class::access;
use crate::heap::Ref;
use crate::vm::Vm;
use heddle_classfile::code::Operand;
use heddle_classfile::opcode::{INVOKESTATIC, INVOKEVIRTUAL};
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
    /// It interrupts threads: who joins one can be woken by that.
    pub interrupts: bool,
    /// It asks whether other threads are interrupted.
    pub asks_for_interrupts: bool,
    /// It stops or suspends threads: whatever these do next depends on it.
    pub stops: bool,
    /// It asks whether a `ReentrantLock` is taken: see `waiting.rs`.
    pub asks_for_locks: bool,
    /// It may be able to tell a thread in the queue of a lock from one before it: see
    /// `mutexes.rs`.
    pub asks_for_queues: bool,
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
                && let Some((b"java/lang/Thread", name, b"()V")) = file.pool.try_member(index)
            {
                self.learned.stops |= name == b"stop" || name == b"suspend";
            }
            if let Constant::NameAndType { name, desc } = constant {
                let (name, desc) = (file.pool.utf8(name), file.pool.utf8(desc));
                let states = name == b"getState" && desc == b"()Ljava/lang/Thread$State;";
                self.learned.asks_for_states |= states;
                let timed = desc.starts_with(b"(J") || desc.starts_with(b"(Ljava/time/");
                let joins = name == b"join" && timed;
                self.learned.asks_for_lives |= joins || ASKING_FOR_LIVES.contains(&name);
                self.learned.interrupts |= INTERRUPTING.contains(&name);
                self.learned.asks_for_queues |= ASKING_FOR_QUEUES.contains(&name);
                self.learned.asks_for_locks |= ASKING_FOR_LOCKS.contains(&name);
            }
        }
        self.learned.interrupts |= calls_on_others(file, b"interrupt");
        self.learned.asks_for_interrupts |= calls_on_others(file, b"isInterrupted");
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
