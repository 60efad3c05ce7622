//! The process: environment, signals, process handles.
//!
//! Signals from outside are not delivered to Java; those that the program raises
//! itself are. Other processes are out of reach: starting one, or asking about
//! one, is unsupported by name.

use crate::heap::Ref;
use crate::native::{
    Frame, Res, Table, Trap, call, from_int, from_ref, throw, throw_null, unsupported,
};
use crate::natives::platform::users;
use crate::vm::{Vm, trap};
use std::rc::Rc;

pub const TABLE: &[Table] = &[
    ("java/lang/ProcessEnvironment", &[("environ()[[B", environ)]),
    (
        "jdk/internal/misc/Signal",
        &[
            ("findSignal0(Ljava/lang/String;)I", find_signal),
            ("handle0(IJ)J", handle),
            ("raise0(I)V", raise),
        ],
    ),
    (
        "java/lang/ProcessHandleImpl",
        &[
            ("initNative()V", |_, _| Ok(0)),
            ("getCurrentPid0()J", |_, _| Ok(own_pid() as u64)),
            ("isAlive0(J)J", is_alive),
            ("parent0(JJ)J", parent),
        ],
    ),
    (
        "java/lang/ProcessHandleImpl$Info",
        &[("initIDs()V", |_, _| Ok(0)), ("info0(J)V", info)],
    ),
    (
        "java/lang/ProcessImpl",
        &[
            ("init()V", |_, _| Ok(0)),
            ("forkAndExec(I[B[B[BI[BI[B[IZ)I", |_, _| {
                unsupported("starting a process (java.lang.ProcessImpl.forkAndExec)")
            }),
        ],
    ),
];

fn environ(vm: &mut Vm, _: Frame) -> Res<u64> {
    let variables = vm.options.environment.clone();
    let mut arrays = Vec::with_capacity(variables.len() * 2);
    for (key, value) in &variables {
        arrays.push(vm.new_byte_array(key.as_bytes())?);
        arrays.push(vm.new_byte_array(value.as_bytes())?);
    }
    let bytes = vm.known.primitive_array(crate::class::Basic::Byte);
    vm.new_ref_array(bytes, &arrays).map(from_ref)
}

const KILL: i32 = 9;
const QUIT: i32 = 3;

/// Signals by name, with the numbers of Linux.
const SIGNALS: &[(&str, i32)] = &[
    ("HUP", 1),
    ("INT", 2),
    ("QUIT", QUIT),
    ("ILL", 4),
    ("TRAP", 5),
    ("ABRT", 6),
    ("IOT", 6),
    ("BUS", 7),
    ("FPE", 8),
    ("KILL", KILL),
    ("USR1", 10),
    ("SEGV", 11),
    ("USR2", 12),
    ("PIPE", 13),
    ("ALRM", 14),
    ("TERM", 15),
    ("STKFLT", 16),
    ("CHLD", 17),
    ("CLD", 17),
    ("CONT", 18),
    ("STOP", 19),
    ("TSTP", 20),
    ("TTIN", 21),
    ("TTOU", 22),
    ("URG", 23),
    ("XCPU", 24),
    ("XFSZ", 25),
    ("VTALRM", 26),
    ("PROF", 27),
    ("WINCH", 28),
    ("IO", 29),
    ("POLL", 29),
    ("PWR", 30),
    ("SYS", 31),
];

fn find_signal(vm: &mut Vm, f: Frame) -> Res<u64> {
    let name = f.reference(0);
    if name.is_null() {
        return throw_null();
    }
    let name = vm.string(name);
    let found = SIGNALS.iter().find(|(known, _)| *known == name);
    Ok(from_int(found.map_or(-1, |(_, number)| *number)))
}

/// Registers a handler (0 default, 1 ignore, 2 Java); answers the old one, -1 for those
/// that the VM keeps for itself.
fn handle(vm: &mut Vm, f: Frame) -> Res<u64> {
    let (number, handler) = (f.int(0), f.long(1));
    // Those that HotSpot uses, and those that nobody can catch.
    if let 4 | 8 | 11 | QUIT | KILL | 19 = number {
        return Ok(-1i64 as u64);
    }
    let signals = Rc::make_mut(&mut vm.io().signals);
    Ok(signals.insert(number, handler).unwrap_or(0) as u64)
}

fn raise(vm: &mut Vm, f: Frame) -> Res<u64> {
    let number = f.int(0);
    if f.phase() == 1 {
        return Ok(0);
    }
    match vm.files.signals.get(&number).copied().unwrap_or(0) {
        2 => {
            let class = vm.load_boot("jdk/internal/misc/Signal")?;
            let dispatch = vm.method(class, "dispatch", "(I)V");
            f.set_phase(1);
            call(dispatch, vec![from_int(number)])
        }
        1 => Ok(0),
        // Ignored by default: CHLD, CONT, URG, WINCH.
        _ if matches!(number, 17 | 18 | 23 | 28) => Ok(0),
        _ if SIGNALS.iter().any(|(_, known)| *known == number) => trap(Trap::Exit(128 + number)),
        _ => throw("java/lang/IllegalArgumentException", "Unknown signal"),
    }
}

pub(super) fn own_pid() -> i64 {
    std::process::id() as i64
}

/// Start time of a process in milliseconds; -1 when it does not exist.
fn is_alive(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.long(0) == own_pid() {
        return Ok(vm.options.start_millis as u64);
    }
    unsupported("other processes (java.lang.ProcessHandleImpl.isAlive0)")
}

fn parent(_: &mut Vm, f: Frame) -> Res<u64> {
    if f.long(0) == own_pid() {
        return Ok(std::os::unix::process::parent_id() as u64);
    }
    unsupported("other processes (java.lang.ProcessHandleImpl.parent0)")
}

fn info(vm: &mut Vm, f: Frame) -> Res<u64> {
    if f.long(1) != own_pid() {
        return unsupported("other processes (java.lang.ProcessHandleImpl.Info.info0)");
    }
    let object: Ref = f.reference(0);
    let command = vm
        .options
        .java_home
        .join("bin/java")
        .to_string_lossy()
        .into_owned();
    let command = vm.new_string(&command)?;
    vm.set_field_ref(object, "command", command);
    let uid = rustix::process::getuid().as_raw();
    if let Some(user) = users().find(|user| user.id == uid) {
        let name = vm.new_string(&user.name)?;
        vm.set_field_ref(object, "user", name);
    }
    let (start, used) = (vm.options.start_millis, vm.globals.clock as i64);
    vm.set_field_long(object, "startTime", start);
    vm.set_field_long(object, "totalTime", used);
    Ok(0)
}
