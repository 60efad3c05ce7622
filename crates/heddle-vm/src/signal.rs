//! Signals from outside, told to Java.
//!
//! HotSpot keeps a thread for it; here one is made when a signal comes. It calls
//! `jdk.internal.misc.Signal.dispatch`, which starts a thread for the handler: the
//! program's own, or the JDK's, which runs the shutdown hooks and exits with 128 plus
//! the signal's number. The VM never looks for signals itself: the caller delivers
//! them between two slices.

use crate::heap::Ref;
use crate::native::{Frame, Res, Trap, call_catching, from_int, from_ref};
use crate::stack::STACK_BYTES;
use crate::thread::ThreadState;
use crate::vm::{Vm, trap};

/// `handle0`'s number for a handler in Java, and for none at all.
const IN_JAVA: i64 = 2;
const IGNORE: i64 = 1;

/// What became of a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// Java code takes care of it, or it is to be ignored.
    Taken,
    /// Nobody handles it: the process is to end as the signal would end it.
    Fatal,
}

impl Vm {
    /// Tells the program of a signal. To be called while no thread runs.
    pub fn deliver(&mut self, number: i32) -> Delivery {
        match self.files.signals.get(&number) {
            Some(&IN_JAVA) if self.globals.init_phase == 3 => {}
            Some(&IGNORE) => return Delivery::Taken,
            _ => return Delivery::Fatal,
        }
        self.touch_thread(self.threads[0].id);
        // A child of the initial thread, like any other that it started.
        let initial = &mut self.threads[0];
        let mut path = initial.path.clone();
        path.push(initial.control.children);
        initial.control.children += 1;
        let seed = crate::natives::threads::path_seed(&path);
        let id = self.new_thread(path, seed, STACK_BYTES);
        self.thread_mut(id).daemon = true;
        let stub = self.stubs().signal;
        self.push_bottom(id, stub, &[from_int(number)]);
        Delivery::Taken
    }
}

/// The dispatcher's life; argument: the number of the signal.
pub fn dispatcher_life(vm: &mut Vm, f: Frame) -> Res<u64> {
    match f.phase() {
        0 => {
            let group = system_group(vm);
            let (class, me) = (vm.known.thread, vm.current);
            let object = vm.new_object(class)?;
            let name = vm.new_string("Signal Dispatcher")?;
            let (eetop, priority) = (vm.known.thread_eetop, vm.known.thread_priority);
            vm.heap.put(object, eetop, me.0 as u64 + 1);
            vm.heap.put(object, priority, 9i32);
            vm.heap.put(object, vm.known.thread_daemon, 1u8);
            vm.thread_mut(me).object = object;
            vm.set_state(me, ThreadState::Runnable);
            vm.enters_roll();
            f.set_phase(1);
            let init = vm.method(
                class,
                "<init>",
                "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V",
            );
            call_catching(
                init,
                vec![from_ref(object), from_ref(group), from_ref(name)],
            )
        }
        1 => {
            f.take_exception();
            let class = vm.load_boot("jdk/internal/misc/Signal")?;
            vm.ensure_initialized(class)?;
            f.set_phase(2);
            let dispatch = vm.method(class, "dispatch", "(I)V");
            call_catching(dispatch, vec![from_int(f.int(0))])
        }
        _ => {
            f.take_exception();
            let thread = vm.running().object;
            vm.thread_died(thread)?;
            trap(Trap::ThreadEnd)
        }
    }
}

/// The group at the top, found from any thread that is still in one.
fn system_group(vm: &mut Vm) -> Ref {
    let threads: Vec<Ref> = vm.threads.iter().map(|t| t.object).collect();
    for object in threads.into_iter().filter(|o| !o.is_null()) {
        let mut group = vm.field_ref(object, "group");
        while !group.is_null() {
            let parent = vm.field_ref(group, "parent");
            if parent.is_null() {
                return group;
            }
            group = parent;
        }
    }
    Ref::NULL
}
