//! What `run` says when it cannot go on: all threads are stuck, or something that
//! Heddle lacks was needed.

use heddle_vm::heap::Ref;
use heddle_vm::thread::{ThreadId, ThreadState};
use heddle_vm::vm::Vm;
use std::fmt::Write;

/// Every thread's state, what it holds, what it waits for, and its stack.
pub fn report(vm: &mut Vm) -> String {
    let mut text = String::from("heddle: deadlock: no thread can run\n");
    for i in 0..vm.threads.len() {
        let id = ThreadId(i as u32);
        let thread = vm.thread(id);
        if thread.system
            || matches!(
                thread.control.state,
                ThreadState::Dead | ThreadState::Draining
            )
        {
            continue;
        }
        let (state, daemon) = (thread.control.state, thread.daemon);
        let name = thread_name(vm, id);
        let waits = describe_state(vm, state);
        let _ = writeln!(
            text,
            "\n\"{name}\"{} {waits}",
            if daemon { " (daemon)" } else { "" }
        );
        for held in held_monitors(vm, id) {
            let _ = writeln!(text, "    holds {}", object_name(vm, held));
        }
        stack(vm, id, &mut text);
    }
    text
}

/// What is missing, and the Java stack that led there.
pub fn unsupported(vm: &mut Vm, what: &str) -> String {
    let mut text = format!("heddle: unsupported: {what}\n");
    let current = vm.current;
    stack(vm, current, &mut text);
    text
}

fn stack(vm: &mut Vm, id: ThreadId, text: &mut String) {
    for frame in vm.java_frames(id) {
        if frame.method.flags.hidden {
            continue;
        }
        let class = vm.external_name(frame.method.class);
        let method = vm.text(frame.method.name);
        let place = source_place(vm, frame.method, frame.bci);
        let _ = writeln!(text, "    at {class}.{method}({place})");
    }
}

fn source_place(vm: &Vm, method: heddle_vm::class::MethodPtr, bci: i32) -> String {
    if method.is_native() {
        return "Native Method".into();
    }
    let file = method.class.file.as_ref();
    let source = file.and_then(|f| f.source_file.map(|i| f.pool.utf8(i)));
    let Some(source) = source else {
        return "Unknown Source".into();
    };
    let source = String::from_utf8_lossy(source);
    match vm.line(method, bci) {
        Some(line) => format!("{source}:{line}"),
        None => source.into_owned(),
    }
}

fn thread_name(vm: &mut Vm, id: ThreadId) -> String {
    let object = vm.thread(id).object;
    if object.is_null() {
        return format!("thread {}", id.0);
    }
    let name = vm.heap.get_ref(object, vm.known.thread_name);
    if name.is_null() {
        format!("thread {}", id.0)
    } else {
        vm.string(name)
    }
}

fn describe_state(vm: &mut Vm, state: ThreadState) -> String {
    match state {
        ThreadState::Blocked(obj) => {
            let wanted = object_name(vm, obj);
            match vm.monitor_owner(obj) {
                Some((owner, _)) => {
                    format!("wants {wanted}, held by \"{}\"", thread_name(vm, owner))
                }
                None => format!("wants {wanted}"),
            }
        }
        ThreadState::Waiting { on, .. } => {
            format!("waits to be notified on {}", object_name(vm, on))
        }
        ThreadState::Parked { .. } => "is parked".into(),
        ThreadState::Sleeping { .. } => "sleeps".into(),
        ThreadState::Initializing(class) => {
            format!(
                "waits for the initialization of class {}",
                vm.external_name(class)
            )
        }
        ThreadState::Runnable => "is suspended".into(),
        ThreadState::Idle | ThreadState::Draining | ThreadState::Dead => "is idle".into(),
    }
}

fn object_name(vm: &mut Vm, obj: Ref) -> String {
    let class = vm.class_of(obj);
    let name = vm.external_name(class);
    let short = name.rsplit('.').next().unwrap_or(&name).to_string();
    if class == vm.known.class {
        let of = vm.mirrored(obj);
        return format!("the class {}", vm.external_name(of));
    }
    format!("{short}@{:x}", vm.identity_hash(obj))
}

/// Monitors that a thread owns, found where others want them and in its own frames.
fn held_monitors(vm: &mut Vm, id: ThreadId) -> Vec<Ref> {
    let wanted: Vec<Ref> = vm.monitors.keys().copied().collect();
    wanted
        .into_iter()
        .filter(|obj| vm.holds_lock(id, *obj))
        .collect()
}
