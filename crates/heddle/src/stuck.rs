//! What `run` says when it cannot go on: all threads are stuck, or something that
//! Heddle lacks was needed.
//!
//! Who holds what is found by walking the heap: a monitor's owner is in the object's
//! header, the owner of a lock of `java.util.concurrent` in its
//! `AbstractOwnableSynchronizer`. Locks without an owner on record (read locks, stamped
//! locks, semaphores) are named where a thread waits for them, but nobody holds them.

use heddle_model::View;
use heddle_vm::class::{ClassPtr, InitState, MethodPtr};
use heddle_vm::heap::{ClassId, Ref};
use heddle_vm::thread::{ThreadId, ThreadState};
use heddle_vm::vm::Vm;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Who waits for whom, in a sentence; then every thread's state, what it holds, what
/// it waits for, and its stack.
pub fn report(vm: &mut Vm) -> String {
    let mut scene = Scene::of(vm);
    let mut text = format!("heddle: deadlock: {}\n", scene.sentence());
    for index in 0..scene.threads.len() {
        let id = scene.threads[index];
        let daemon = if scene.vm.thread(id).daemon {
            " (daemon)"
        } else {
            ""
        };
        let state = View::thread(scene.vm, id).state;
        let waits = scene.waits(id);
        let _ = writeln!(text, "\n{}{daemon} {state}: {waits}", scene.thread_name(id));
        for held in scene.held_by(id) {
            let _ = writeln!(text, "    holds {}", scene.object_name(held));
        }
        stack(scene.vm, id, &mut text);
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

/// Why a thread does not go on.
#[derive(Clone, Copy)]
enum Want {
    Monitor(Ref),
    /// A lock of `java.util.concurrent`, or whatever else the thread was parked for.
    Blocker(Ref),
    Notification(Ref),
    EndOf(ThreadId),
    Initialization(ClassPtr),
    Unpark,
    Resume,
    Time,
}

/// The stuck program, with what was found out about it.
struct Scene<'a> {
    vm: &'a mut Vm,
    threads: Vec<ThreadId>,
    /// Locked objects and their owners, in the order of addresses.
    held: Vec<(Ref, ThreadId)>,
    /// Numbers for objects that were mentioned, counted by class.
    numbers: BTreeMap<Ref, (String, u32)>,
    ownable: BTreeMap<ClassId, bool>,
}

impl Scene<'_> {
    fn of(vm: &mut Vm) -> Scene<'_> {
        let ended = |s| matches!(s, ThreadState::Dead | ThreadState::Draining);
        let alive = |t: &&heddle_vm::thread::Thread| !t.system && !ended(t.control.state);
        let threads = vm.threads.iter().filter(alive).map(|t| t.id).collect();
        let objects: Vec<Ref> = vm.objects().collect();
        let (held, numbers, ownable) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        let mut scene = Scene {
            vm,
            threads,
            held,
            numbers,
            ownable,
        };
        for object in objects {
            if let Some(owner) = scene.owner(object) {
                scene.held.push((object, owner));
            }
        }
        scene
    }

    /// The threads that wait for each other in circles, if there are such.
    fn sentence(&mut self) -> String {
        let cycles = self.cycles();
        if cycles.is_empty() {
            return "no thread can run, and nothing is left that could wake one".into();
        }
        let mut sentences = Vec::new();
        for cycle in cycles {
            let mut parts = Vec::new();
            for (i, &id) in cycle.iter().enumerate() {
                // What the one before it in the circle is waiting for.
                let before = cycle[(i + cycle.len() - 1) % cycle.len()];
                let holds = match self.want(before) {
                    Want::Monitor(object) | Want::Blocker(object) => {
                        format!("holds {} and ", self.object_name(object))
                    }
                    _ => String::new(),
                };
                let waits = self.waits(id);
                parts.push(format!("{} {holds}{waits}", self.thread_name(id)));
            }
            sentences.push(parts.join("; "));
        }
        sentences.join("\nheddle: deadlock: ")
    }

    /// Circles of threads each of which waits for the next.
    fn cycles(&mut self) -> Vec<Vec<ThreadId>> {
        let mut found: Vec<Vec<ThreadId>> = Vec::new();
        for start in self.threads.clone() {
            let mut path = vec![start];
            while let Some(next) = self.waits_for(path[path.len() - 1]) {
                if next == start && !found.iter().flatten().any(|id| *id == start) {
                    found.push(path);
                    break;
                }
                if path.contains(&next) || !self.threads.contains(&next) {
                    break;
                }
                path.push(next);
            }
        }
        found
    }

    /// The one thread that could let this one go on.
    fn waits_for(&mut self, id: ThreadId) -> Option<ThreadId> {
        match self.want(id) {
            Want::Monitor(object) | Want::Blocker(object) => self.owner(object),
            Want::EndOf(thread) => Some(thread),
            Want::Initialization(class) => match class.state.get() {
                InitState::Running(thread) => Some(thread),
                _ => None,
            },
            Want::Notification(_) | Want::Unpark | Want::Resume | Want::Time => None,
        }
    }

    fn want(&mut self, id: ThreadId) -> Want {
        let thread = self.vm.thread(id);
        if thread.control.suspended {
            return Want::Resume;
        }
        match thread.control.state {
            ThreadState::Blocked(object) => Want::Monitor(object),
            ThreadState::Waiting { on, .. } => match self.joins(id, on) {
                Some(other) => Want::EndOf(other),
                None => Want::Notification(on),
            },
            ThreadState::Parked { .. } => {
                let blocker = self.vm.field_ref(self.vm.thread(id).object, "parkBlocker");
                if blocker.is_null() {
                    Want::Unpark
                } else {
                    Want::Blocker(blocker)
                }
            }
            ThreadState::Initializing(class) => Want::Initialization(class),
            _ => Want::Time,
        }
    }

    /// The thread whose end is waited for, if a wait on `on` is inside `Thread.join`.
    fn joins(&self, id: ThreadId, on: Ref) -> Option<ThreadId> {
        if !self.vm.is_instance(on, self.vm.known.thread) {
            return None;
        }
        let frames = self.vm.java_frames(id);
        let caller = frames.iter().find(|f| !f.method.is_native())?;
        let join = caller.method.class == self.vm.known.thread
            && self.vm.text(caller.method.name) == "join";
        join.then(|| self.vm.thread_of(on)).flatten()
    }

    fn waits(&mut self, id: ThreadId) -> String {
        match self.want(id) {
            Want::Monitor(object) | Want::Blocker(object) => {
                let verb = match self.vm.thread(id).control.state {
                    ThreadState::Blocked(_) => "wants",
                    _ => "waits for",
                };
                let name = self.object_name(object);
                match self.owner(object) {
                    Some(owner) => format!("{verb} {name}, held by {}", self.thread_name(owner)),
                    None => format!("{verb} {name}"),
                }
            }
            Want::Notification(on) => format!("waits to be notified on {}", self.object_name(on)),
            Want::EndOf(other) => format!("waits for {} to end", self.thread_name(other)),
            Want::Initialization(class) => {
                let name = self.vm.external_name(class);
                match class.state.get() {
                    InitState::Running(thread) => format!(
                        "waits for class {name}, being initialized by {}",
                        self.thread_name(thread)
                    ),
                    _ => format!("waits for class {name} to be initialized"),
                }
            }
            Want::Unpark => "is parked until somebody unparks it".into(),
            Want::Resume => "was suspended and waits to be resumed".into(),
            Want::Time => "sleeps".into(),
        }
    }

    /// Owner of an object's monitor, or of the lock that the object implements.
    fn owner(&mut self, object: Ref) -> Option<ThreadId> {
        if let Some((owner, _)) = self.vm.monitor_owner(object) {
            return Some(owner);
        }
        let class = self.vm.class_of(object);
        if !self.is_ownable(class) {
            return None;
        }
        let owner = self.vm.field_ref(object, "exclusiveOwnerThread");
        if owner.is_null() {
            None
        } else {
            self.vm.thread_of(owner)
        }
    }

    fn is_ownable(&mut self, class: ClassPtr) -> bool {
        if let Some(&known) = self.ownable.get(&class.id) {
            return known;
        }
        let mut names = std::iter::successors(Some(class), |c| c.parent).map(|c| self.vm.name(c));
        let base = "java/util/concurrent/locks/AbstractOwnableSynchronizer";
        // A worker of a thread pool locks itself while it has a task: nothing of the program's.
        let worker = "java/util/concurrent/ThreadPoolExecutor$Worker";
        let found = self.vm.name(class) != worker && names.any(|name| name == base);
        self.ownable.insert(class.id, found);
        found
    }

    fn held_by(&self, id: ThreadId) -> Vec<Ref> {
        self.held
            .iter()
            .filter(|(_, owner)| *owner == id)
            .map(|(object, _)| *object)
            .collect()
    }

    /// `Account@1`: class and a number, the same for the same object all over the report.
    fn object_name(&mut self, object: Ref) -> String {
        let class = self.vm.class_of(object);
        if class == self.vm.known.class {
            let of = self.vm.mirrored(object);
            return format!("class {}", self.vm.external_name(of));
        }
        let full = self.vm.external_name(class);
        if full.ends_with("AbstractQueuedSynchronizer$ConditionObject") {
            let lock = self.vm.field_ref(object, "this$0");
            return format!("a condition of {}", self.object_name(lock));
        }
        let name = short_name(&full);
        let next = self.numbers.values().filter(|(n, _)| *n == name).count() as u32 + 1;
        let (name, number) = self.numbers.entry(object).or_insert((name, next));
        format!("{name}@{number}")
    }

    fn thread_name(&self, id: ThreadId) -> String {
        format!("\"{}\"", View::thread(self.vm, id).name)
    }
}

/// The class's name as the program would say it: without its package and enclosing
/// classes; a lock's inner class stands for the lock.
fn short_name(full: &str) -> String {
    let name = full.rsplit('.').next().unwrap_or(full);
    let Some((outer, inner)) = name.rsplit_once('$') else {
        return name.into();
    };
    if full.starts_with("java.util.concurrent.") && inner.ends_with("Sync") {
        return outer.into();
    }
    if inner.starts_with(|c: char| c.is_ascii_digit()) {
        name.into()
    } else {
        inner.into()
    }
}

fn stack(vm: &mut Vm, id: ThreadId, text: &mut String) {
    for frame in vm.java_frames(id) {
        if frame.method.flags.hidden {
            continue;
        }
        let class = vm.external_name(frame.method.class);
        let method = vm.text(frame.method.name);
        let place = source_place(vm, frame.method, frame.bci());
        let _ = writeln!(text, "    at {class}.{method}({place})");
    }
}

fn source_place(vm: &Vm, method: MethodPtr, bci: i32) -> String {
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

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn names_are_short() {
        assert_eq!(short_name("bank.Account"), "Account");
        assert_eq!(short_name("bank.Bank$Account"), "Account");
        assert_eq!(short_name("bank.Bank$1"), "Bank$1");
        let lock = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
        assert_eq!(short_name(lock), "ReentrantLock");
        assert_eq!(short_name("[I"), "[I");
    }
}
