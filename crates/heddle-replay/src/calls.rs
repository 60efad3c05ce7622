//! Calls of the JDK that mean something to a schedule, and what takes their place in
//! instrumented code: methods of `heddle.replay.Replay` with the receiver as their first
//! argument. And which uses of the JDK need its own code to be redirected at run time (the
//! agent, `Agent.java`).

use crate::program::Program;
use heddle_classfile::edit::with_receiver;
use heddle_classfile::mutf8::to_string_lossy as text;
use heddle_classfile::opcode::{INVOKESPECIAL, INVOKESTATIC, INVOKEVIRTUAL};

/// The class that instrumented code calls.
pub const LIBRARY: &str = "heddle/replay/Replay";

const GET_STATE: &[u8] = b"()Ljava/lang/Thread$State;";

/// What is done about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The library's static method of this name and descriptor is called instead.
    Replace { name: String, desc: Vec<u8> },
    /// The library is told which thread is about to be started.
    Start,
}

/// What is done about a call of this method, if anything.
pub fn change(
    program: &Program<'_>,
    opcode: u8,
    owner: &[u8],
    name: &[u8],
    desc: &[u8],
) -> Option<Change> {
    let replace = |name: &[u8], desc: Vec<u8>| {
        Some(Change::Replace {
            name: text(name),
            desc,
        })
    };
    let class = || text(owner);
    match (opcode, name, desc) {
        // Final methods of Object: whatever the owner is called, it is these.
        (INVOKEVIRTUAL | INVOKESPECIAL, b"wait", b"()V" | b"(J)V" | b"(JI)V")
        | (INVOKEVIRTUAL | INVOKESPECIAL, b"notify" | b"notifyAll", b"()V") => {
            replace(name, with_receiver(b"java/lang/Object", desc))
        }
        (INVOKEVIRTUAL | INVOKESPECIAL, b"start", b"()V")
            if program.inherits_from_thread(&class(), name, desc) =>
        {
            Some(Change::Start)
        }
        (
            INVOKEVIRTUAL | INVOKESPECIAL,
            b"join",
            b"()V" | b"(J)V" | b"(JI)V" | b"(Ljava/time/Duration;)Z",
        ) if program.is_thread(&class()) => replace(name, with_receiver(b"java/lang/Thread", desc)),
        // Not through `super`: whoever overrides these is asked by the library.
        (INVOKEVIRTUAL, b"interrupt", b"()V")
        | (INVOKEVIRTUAL, b"isInterrupted", b"()Z")
        | (INVOKEVIRTUAL, b"getState", GET_STATE)
        | (
            INVOKEVIRTUAL,
            b"setUncaughtExceptionHandler",
            b"(Ljava/lang/Thread$UncaughtExceptionHandler;)V",
        ) if program.is_thread(&class()) => replace(name, with_receiver(b"java/lang/Thread", desc)),
        (
            INVOKESTATIC,
            b"sleep" | b"setDefaultUncaughtExceptionHandler",
            b"(J)V"
            | b"(JI)V"
            | b"(Ljava/time/Duration;)V"
            | b"(Ljava/lang/Thread$UncaughtExceptionHandler;)V",
        ) if program.inherits_from_thread(&class(), name, desc) => replace(name, desc.to_vec()),
        (INVOKESTATIC, b"nanoTime" | b"currentTimeMillis", b"()J")
            if owner == b"java/lang/System" =>
        {
            replace(name, desc.to_vec())
        }
        (INVOKESTATIC, _, _)
            if owner == b"java/util/concurrent/locks/LockSupport"
                && (name.starts_with(b"park") || name == b"unpark") =>
        {
            replace(name, desc.to_vec())
        }
        (INVOKEVIRTUAL, b"sleep" | b"timedJoin" | b"timedWait", _)
            if owner == b"java/util/concurrent/TimeUnit" =>
        {
            replace(name, with_receiver(owner, desc))
        }
        _ => None,
    }
}

/// Names of methods that [`change`] may say something about; a class that mentions none of
/// them is left alone.
pub fn may_change(name: &[u8]) -> bool {
    matches!(
        name,
        b"wait"
            | b"notify"
            | b"notifyAll"
            | b"start"
            | b"join"
            | b"interrupt"
            | b"isInterrupted"
            | b"getState"
            | b"setUncaughtExceptionHandler"
            | b"setDefaultUncaughtExceptionHandler"
            | b"sleep"
            | b"nanoTime"
            | b"currentTimeMillis"
            | b"unpark"
            | b"timedJoin"
            | b"timedWait"
    ) || name.starts_with(b"park")
}

/// Whether who calls a method of this name and descriptor may ask for the state of a thread.
pub fn asks_for_states(name: &[u8], desc: &[u8]) -> bool {
    name == b"getState" && desc == GET_STATE
}

/// Whether a program that uses this class of the JDK may wait inside of the JDK's code, or
/// have threads that the JDK starts.
pub fn needs_agent(class: &[u8]) -> bool {
    if let Some(name) = class.strip_prefix(b"java/util/concurrent/") {
        // Data structures and types that never let a thread wait by themselves.
        let harmless = name.starts_with(b"atomic/")
            || name.ends_with(b"Exception")
            || matches!(
                name,
                b"Callable"
                    | b"TimeUnit"
                    | b"ThreadLocalRandom"
                    | b"ConcurrentMap"
                    | b"ConcurrentLinkedQueue"
                    | b"ConcurrentLinkedDeque"
                    | b"CopyOnWriteArrayList"
                    | b"CopyOnWriteArraySet"
                    | b"ConcurrentSkipListMap"
                    | b"ConcurrentSkipListSet"
                    | b"locks/LockSupport"
            );
        return !harmless;
    }
    [
        &b"java/util/Timer"[..],
        b"java/io/Piped",
        b"java/util/stream/",
        b"java/net/",
        b"java/nio/channels/",
        b"java/util/logging/",
        b"java/lang/Process",
        b"java/lang/Thread$Builder",
        b"javax/",
        b"jdk/",
        b"sun/",
    ]
    .iter()
    .any(|prefix| class.starts_with(prefix))
}

/// The same for a method of a class that [`needs_agent`] lets pass.
pub fn method_needs_agent(class: &[u8], name: &[u8]) -> bool {
    match class {
        b"java/lang/Runtime" => name == b"addShutdownHook",
        b"java/util/Arrays" => name.starts_with(b"parallel"),
        _ => name == b"parallelStream",
    }
}

/// Whether a method makes virtual threads, which the library does not know.
pub fn makes_virtual_threads(class: &[u8], name: &[u8]) -> bool {
    match class {
        b"java/lang/Thread" => matches!(name, b"ofVirtual" | b"startVirtualThread"),
        b"java/util/concurrent/Executors" => name == b"newVirtualThreadPerTaskExecutor",
        _ => false,
    }
}
