//! The interpreter: one loop over register code.
//!
//! The second place with unsafe code: registers and instructions are reached
//! through raw pointers. What it relies on: bodies come from the translator, which
//! only emits registers inside the frame and branches to instruction starts;
//! frames are pushed only after the stack check; references in registers are null
//! or point to objects, which verification (or trust in the JDK) guarantees.
//!
//! The loop never calls itself. Whatever needs Java code to run first is answered
//! with a [`Trap`] (see `native.rs`), handled by `trap.rs`, which pushes frames and
//! lets the loop go on. When the time slice is used up, or the thread has to wait,
//! the loop saves its three registers (pc, frame, method) and returns.
//!
//! A slice is counted in bytecodes, by stretches of code that are paid for in advance
//! (see `isa.rs`). Where the budget does not suffice for the stretch that is entered, the
//! instruction before which the slice ends is replaced by `Break` for as long as the
//! thread runs on. So a slice ends with the first instruction that has used it up.

use crate::class::{Class, ClassPtr, Method, MethodPtr, Touches};
use crate::disasm::op_of;
use crate::edge::Rest;
use crate::frames::{EXACT, after, ahead};
use crate::heap::{CLASS, ClassId, ELEMENTS, EPOCH, Heap, LENGTH, Ref};
use crate::isa::{FRAME_HEADER, Op, insn, insn_imm};
use crate::native::{Frame, Trap};
use crate::places::{Places, is_program};
use crate::stops::init_place;
use crate::thread::{Awaits, ThreadState};
use crate::vm::Vm;
use heddle_model::{
    Event, EventKind, EventMask, MethodId, ObjectId, Observer, OpMask, Pause, PendingOp, Place,
    Site,
};

/// Why the loop returned.
#[derive(Debug)]
pub enum RunEnd {
    /// The slice is over.
    Slice,
    /// The thread waits for something, or yields.
    Blocked,
    /// A choice is due; `Vm::pause` says why.
    Paused,
    ThreadEnd,
    Exit(i32),
    Unsupported(String),
}

/// Why an instruction was not done. What is known from the instruction itself is found
/// out later, which keeps the loop small.
enum Exit {
    /// The budget does not suffice for what comes next.
    Poll,
    /// What it writes has to be logged first.
    Log,
    /// The position was saved.
    Trap(Box<Trap>),
    Null,
    /// Of the array in `b` by the index in `c`.
    Bounds,
    Zero,
    /// Of the stack.
    Overflow,
    Memory,
    /// Of the exception in `a`.
    Throw,
}

/// What to do after a trap.
pub enum Next {
    Continue,
    End(RunEnd),
}

impl Vm {
    /// Runs the current thread for `budget` bytecodes, and to the end of the instruction
    /// that does the last one.
    pub fn run_thread<O: Observer>(&mut self, budget: i64, observer: &mut O) -> RunEnd {
        let id = self.current;
        assert!(
            self.running().control.state != ThreadState::Dead,
            "heddle internal error: a thread that has ended was to run"
        );
        self.touch_thread(id);
        self.wanted = observer.mask();
        if self.learned.stops && self.heap.tracking {
            let place = self.course(self.threads[id.0 as usize].object);
            self.emit(EventKind::Read { place, value: 0 });
        }
        if !self.running().control.stop.is_null()
            && let Some(end) = self.throw_stop(observer)
        {
            return end;
        }
        // SAFETY: the thread has a frame; see the module's contract.
        let (end, left) = unsafe { interpret(self, budget, observer) };
        self.clear_break();
        if O::WANTS != EventMask::NONE {
            report_events(self, observer);
        }
        let used = (budget - left) as u64;
        self.globals.bytecodes += used;
        self.work += used;
        let control = &mut self.running().control;
        control.record.ran(used, control.state);
        if self.heap.tracking {
            self.running().control.steps += used;
        } else {
            // A thread that could do nothing took some time to find out.
            self.globals.clock += used.max(1) * NANOS_PER_BYTECODE;
        }
        end
    }

    /// The running thread, whose position was saved, has `left` bytecodes to go: fewer
    /// than the stretch it is in.
    #[cold]
    fn set_break(&mut self, left: i64) {
        self.clear_break();
        let control = &self.running().control;
        if let Some(at) = after(control.method, control.pc, left) {
            // SAFETY: an instruction of a body; one thread runs at a time.
            unsafe {
                self.broken = Some((at as *mut u64, *at));
                *(at as *mut u64) = insn(Op::Break, 0, 0, 0);
            }
        }
    }

    /// Puts the instruction back that `Break` stands for.
    fn clear_break(&mut self) {
        if let Some((at, word)) = self.broken.take() {
            // SAFETY: as above; bodies are never freed.
            unsafe { *at = word };
        }
    }
}

impl Vm {
    /// A slice that ends where no schedule could say so is drawn out to the next watched
    /// bytecode.
    pub(crate) fn slice_to_place<O: Observer>(&mut self, end: RunEnd, observer: &mut O) -> RunEnd {
        let mut end = end;
        while matches!(end, RunEnd::Slice)
            && self.options.places == Places::All
            && self.running().control.steps <= self.step_limit()
            && self.running().control.state == ThreadState::Runnable
        {
            let (method, pc) = (self.running().control.method, self.running().control.pc);
            // SAFETY: a thread at rest stands at an instruction.
            if is_program(method) && op_of(unsafe { *pc }) == Op::Arrive {
                break;
            }
            end = self.run_thread(1, observer);
        }
        end
    }

    /// An atomic block or a slice is over, and the thread stands before its next bytecode: so it has
    /// come there. That is told now, where the choice falls. Where the block ended in
    /// front of the initializers of a class, the first of them is next.
    pub(crate) fn arrive_behind<O: Observer>(&mut self, observer: &mut O) {
        let initialize = self.stubs().initialize;
        let control = &mut self.running().control;
        let (method, pc) = (control.method, control.pc);
        let (method, bci) = if is_program(method) {
            // SAFETY: a thread at rest stands at an instruction.
            let word = unsafe { *pc };
            if op_of(word) != Op::Arrive {
                return;
            }
            control.pc = pc.wrapping_add(1);
            (method, (word >> 32) as u16)
        } else if method == initialize
            && let Some(clinit) = self.first_initializer()
        {
            self.running().control.arrived = true;
            (clinit, 0)
        } else {
            return;
        };
        let site = Site {
            method: MethodId(method.id),
            bci: i32::from(bci),
        };
        let (thread, kind) = (self.current, EventKind::Arrive);
        if self.wanted.has(kind.mask()) {
            observer.event(&Event::new(thread, site, kind), self);
        }
    }
}

/// Virtual time per bytecode: about the speed of an interpreter.
pub const NANOS_PER_BYTECODE: u64 = 10;

// The negated comparisons are meant: they jump when an operand is NaN.
#[allow(clippy::neg_cmp_op_on_partial_ord)]
unsafe fn interpret<O: Observer>(vm: &mut Vm, slice: i64, observer: &mut O) -> (RunEnd, i64) {
    let wanted = vm.wanted;
    let stops = vm.stops;
    let watched = vm.watched;
    let base = vm.heap.arena.base();
    let thread = vm.current.0 as usize;
    let limit = vm.threads[thread].stack.limit();
    let control: *mut crate::thread::Control = &mut vm.threads[thread].control;
    // SAFETY: for the whole body, by the contract in the module's comment. `control` is
    // reloaded whenever the table of threads may have moved.
    unsafe {
        let mut control = control;
        let mut pc = (*control).pc;
        let mut fp = (*control).fp;
        let mut method: MethodPtr = (*control).method;
        // Whether the operation that the thread stopped before may be done now.
        let mut granted = O::STOPS && std::mem::take(&mut (*control).granted);

        macro_rules! save {
            () => {{
                control = &mut vm.threads[thread].control;
                (*control).pc = pc;
                (*control).fp = fp;
                (*control).method = method;
            }};
        }
        macro_rules! load {
            () => {{
                control = &mut vm.threads[thread].control;
                pc = (*control).pc;
                fp = (*control).fp;
                method = (*control).method;
                come_down!();
            }};
        }
        // The thread is in this frame, perhaps below those that it was in before. Where nobody
        // stops it, all of its stack is taken for changed.
        macro_rules! come_down {
            () => {
                if O::STOPS {
                    (*control).reach.comes_to(fp);
                }
            };
        }
        if !O::STOPS {
            (*control).reach.low = vm.threads[thread].stack.base();
        }
        come_down!();
        // What is left of the slice, less what was paid for in advance.
        let mut budget = slice - ahead(method, pc);
        macro_rules! stop {
            ($end:expr) => {{
                save!();
                return ($end, budget + ahead(method, pc));
            }};
        }
        loop {
            if budget < 0 {
                save!();
                let left = budget + ahead(method, pc);
                if left <= 0 {
                    return (RunEnd::Slice, left);
                }
                vm.set_break(left);
            }
            let exit: Exit = 'run: loop {
                // After the budget was changed and the position is a new one.
                macro_rules! poll {
                    () => {
                        if budget < 0 {
                            break 'run Exit::Poll;
                        }
                        apart();
                    };
                }
                let w = *pc;
                macro_rules! a {
                    () => {
                        (w >> 16) as u16 as usize
                    };
                }
                macro_rules! b {
                    () => {
                        (w >> 32) as u16 as usize
                    };
                }
                macro_rules! c {
                    () => {
                        (w >> 48) as usize
                    };
                }
                macro_rules! imm {
                    () => {
                        (w >> 48) as u16 as i16
                    };
                }
                macro_rules! r {
                    ($i:expr) => {
                        *fp.add($i)
                    };
                }
                // The lower half, which is all that ints, floats and references use.
                macro_rules! half {
                    ($i:expr) => {
                        *fp.add($i).cast::<u32>()
                    };
                }
                macro_rules! int {
                    ($i:expr) => {
                        half!($i) as i32
                    };
                }
                macro_rules! long {
                    ($i:expr) => {
                        r!($i) as i64
                    };
                }
                macro_rules! float {
                    ($i:expr) => {
                        f32::from_bits(half!($i))
                    };
                }
                macro_rules! double {
                    ($i:expr) => {
                        f64::from_bits(r!($i))
                    };
                }
                macro_rules! set_int {
                    ($v:expr) => {{
                        r!(a!()) = ($v) as u32 as u64;
                        pc = pc.add(1);
                    }};
                }
                macro_rules! set_long {
                    ($v:expr) => {{
                        r!(a!()) = ($v) as u64;
                        pc = pc.add(1);
                    }};
                }
                macro_rules! set_float {
                    ($v:expr) => {{
                        r!(a!()) = ($v).to_bits() as u64;
                        pc = pc.add(1);
                    }};
                }
                macro_rules! set_double {
                    ($v:expr) => {{
                        r!(a!()) = ($v).to_bits();
                        pc = pc.add(1);
                    }};
                }
                macro_rules! jump {
                    ($off:expr) => {{
                        budget += w as i16 as i64 >> 8;
                        pc = pc.offset($off as isize);
                        poll!();
                    }};
                }
                macro_rules! branch {
                    ($cond:expr) => {{
                        if $cond {
                            jump!(imm!());
                        } else {
                            pc = pc.add(1);
                            apart();
                        }
                    }};
                }
                // A VM operation that may trap; the position is saved first.
                macro_rules! vm_try {
                    ($e:expr) => {{
                        save!();
                        match $e {
                            Ok(value) => value,
                            Err(trap) => break 'run Exit::Trap(trap),
                        }
                    }};
                }
                macro_rules! fail {
                    ($why:ident) => {
                        break 'run Exit::$why
                    };
                }
                // Reports an event, if this instance of the loop has an observer at all.
                macro_rules! observe {
                    ($mask:ident, $kind:expr) => {
                        if O::WANTS.has(EventMask::$mask) && wanted.has(EventMask::$mask) {
                            save!();
                            let bci = crate::frames::bci_at(method, pc);
                            let site = Site {
                                method: MethodId(method.id),
                                bci,
                            };
                            let event = Event::new(vm.current, site, $kind);
                            observer.event(&event, vm);
                        }
                    };
                }
                // Whether stops concern this thread at all.
                macro_rules! stopping {
                    ($mask:ident) => {
                        O::STOPS && stops.has(OpMask::$mask) && (vm.globals.live > 1 || watched)
                    };
                }
                // Whether the library does something for the VM: loads a class, links a call.
                macro_rules! hidden {
                    () => {
                        fp as usize >= (*control).hidden_from && method.flags.trusted
                    };
                }
                macro_rules! pause {
                    ($pause:expr) => {{
                        vm.pause = $pause;
                        stop!(RunEnd::Paused);
                    }};
                }
                // The thread has come to a bytecode that is watched.
                macro_rules! arrive {
                    ($method:expr, $bci:expr) => {
                        arrive!(Site {
                            method: MethodId($method.id),
                            bci: $bci,
                        })
                    };
                    ($site:expr) => {{
                        let site = $site;
                        if O::WANTS.has(EventMask::ARRIVE) && wanted.has(EventMask::ARRIVE) {
                            save!();
                            let event = Event::new(vm.current, site, EventKind::Arrive);
                            observer.event(&event, vm);
                        }
                        if O::STOPS && stops.has(OpMask::GUIDED.and(OpMask::ARRIVALS)) {
                            pause!(Pause::Arrived(site));
                        }
                    }};
                }
                // A method reference to trusted code is called, or has returned.
                macro_rules! arrive_at_reference {
                    ($method:expr) => {
                        if O::STOPS
                            && $method.class.flags.hands_on
                            && let Some(site) = vm.watched_reference($method)
                        {
                            arrive!(site);
                        }
                    };
                }
                // A synchronized method that the library called has given its monitor back: a
                // place between its return and what the library does next.
                macro_rules! left_monitor {
                    ($left:expr) => {
                        if O::STOPS && c!() != 0 && !is_program(method) {
                            let (left, at): (MethodPtr, *const u64) = $left;
                            arrive!(left, crate::frames::bci_at(left, at));
                        }
                    };
                }
                // An operation that others can notice comes next. In the program's own code
                // it is a choice of its own; in trusted code the whole call is one.
                macro_rules! visible {
                    ($op:expr) => {
                        if O::STOPS && stops.has(OpMask::VISIBLE) {
                            // Not whether somebody could come in between now: steps have to be
                            // the same whatever others did before.
                            let free =
                                std::mem::take(&mut granted) || !(vm.globals.threaded || watched);
                            let within = (*control).holds_in_call();
                            if vm.learning && !free && !(*control).call_open {
                                vm.learn_holding();
                            }
                            if !method.flags.trusted {
                                let mut op = $op;
                                let looks = matches!(op, PendingOp::Read(_));
                                if !free && !(looks && (*control).looking) {
                                    save!();
                                    let awaits = match (op, vm.waits_for_change()) {
                                        (PendingOp::Lock(on), true) => {
                                            op = PendingOp::Poll(on);
                                            Awaits::ChangeThenMonitor(Ref(on.0))
                                        }
                                        (PendingOp::Lock(on), false) => Awaits::Monitor(Ref(on.0)),
                                        (_, true) => Awaits::Change,
                                        (_, false) => vm.threads[thread].control.awaits,
                                    };
                                    let may_wait = matches!(op, PendingOp::Lock(_))
                                        && (*control).may_wait_in(method, stops);
                                    vm.threads[thread].control.may_wait = may_wait;
                                    vm.threads[thread].control.awaits = awaits;
                                    vm.threads[thread].control.at_operation = true;
                                    pause!(Pause::Before(op));
                                }
                            } else if free {
                                (*control).call_open = true;
                                (*control).edge.rest = Rest::Worked;
                            } else if within && let Some(lock) = vm.new_lock($op) {
                                save!();
                                let pending = &mut vm.threads[thread].control;
                                pending.at_operation = true;
                                pending.awaits = Awaits::Monitor(Ref(lock.0));
                                pause!(Pause::Before(PendingOp::LockWithin(lock)));
                            } else if !(*control).call_open {
                                save!();
                                let op = vm.stop_before_call($op);
                                vm.threads[thread].control.at_operation = true;
                                pause!(Pause::Before(op));
                            }
                        } else if O::STOPS && method.flags.trusted {
                            // Nobody asks before every operation, but calls may be left in
                            // their middle.
                            let granted = std::mem::take(&mut granted);
                            if stops.has(OpMask::GUIDED) {
                                let within = (*control).holds_in_call();
                                // A call that waits is not over, but it may be left there.
                                (*control).call_open |= method.touches.get() != Touches::Always;
                                // One that is taken stops the thread anyway.
                                if !granted
                                    && within
                                    && let Some(lock) = vm.new_lock($op)
                                    && vm.monitor_owner(Ref(lock.0)).is_none()
                                {
                                    save!();
                                    let pending = &mut vm.threads[thread].control;
                                    pending.at_operation = true;
                                    pending.awaits = Awaits::Monitor(Ref(lock.0));
                                    pause!(Pause::Before(PendingOp::LockWithin(lock)));
                                }
                            }
                            let halts = vm.is_about_to_halt($op);
                            let ends = halts || (*control).is_between();
                            if !granted && ends && vm.globals.threaded {
                                save!();
                                let control = &mut vm.threads[thread].control;
                                control.call_open |= halts;
                                if stops.has(OpMask::GUIDED) {
                                    control.at_operation = true;
                                    pause!(Pause::Before($op));
                                } else if stops.has(OpMask::BLOCK_END) {
                                    control.at_operation = true;
                                    control.released = false;
                                    pause!(Pause::BlockEnd);
                                }
                            }
                            (*control).edge.rest = Rest::Worked;
                        }
                    };
                }
                // Who is suspended keeps its locks: it matters whether it has given them back.
                macro_rules! stop_before_unlock {
                    ($lock:expr) => {
                        if O::STOPS
                            && vm.learned.stops
                            && !method.flags.trusted
                            && vm.lock_noticeable($lock, method)
                        {
                            let unlock = PendingOp::Unlock(ObjectId($lock.0));
                            visible!(unlock);
                            if stopping!(BLOCK_END) && !std::mem::take(&mut granted) {
                                save!();
                                vm.threads[thread].control.at_operation = true;
                                pause!(Pause::Before(unlock));
                            }
                        }
                    };
                }
                // For the search: the thread looked at a place that others may change.
                macro_rules! looked {
                    ($at:expr, $t:ty, $value:expr) => {
                        if stopping!(VISIBLE) {
                            let size = size_of::<$t>();
                            let value = $value & (u64::MAX >> (64 - 8 * size));
                            (*control).hear(value);
                            (*control).round.look($at as u64 - base as u64, size, value);
                        }
                    };
                }
                // For the search: the thread did more than look.
                macro_rules! disturbed {
                    () => {
                        if O::STOPS {
                            (*control).round.pure = false;
                        }
                    };
                }
                // For the search: the thread is about to write to an element.
                macro_rules! stores {
                    ($array:expr) => {
                        if O::STOPS && (*control).round.pure {
                            (*control).round.pure = vm.is_of_round(Ref($array));
                        }
                    };
                }
                // For the search: the thread is about to write to a field.
                macro_rules! writes {
                    ($holder:expr, $offset:expr, $t:ty, $value:expr) => {
                        if O::STOPS && (*control).round.pure {
                            let old = at!($holder).add($offset).cast::<$t>().read() as u64;
                            let write = (old, $value as $t as u64);
                            let offset = $offset as u64;
                            vm.disturb(Ref($holder), offset, size_of::<$t>(), write);
                        }
                    };
                }
                // For the search: the thread has taken a monitor in which it may wait, and may look
                // around in it without a stop.
                macro_rules! looks_around {
                    () => {
                        if O::STOPS && (*control).may_wait_in(method, stops) {
                            (*control).looking = true;
                        }
                    };
                }
                // For the search: the thread entered or left a monitor.
                macro_rules! entered {
                    ($lock:expr) => {
                        if O::STOPS {
                            (*control).enter_monitor(vm.is_library_lock($lock));
                            if vm.learning {
                                vm.learn_crossing($lock);
                            }
                        }
                    };
                }
                macro_rules! left {
                    ($lock:expr) => {
                        if O::STOPS {
                            (*control).leave_monitor(vm.is_library_lock($lock));
                        }
                    };
                }
                // For the search: what taking a monitor means to the members of a thread group.
                macro_rules! member {
                    ($lock:expr) => {{
                        if O::STOPS && vm.learning && !method.flags.trusted {
                            vm.learn_lock($lock);
                        }
                        match O::STOPS && !hidden!() {
                            true => vm.membership($lock, method),
                            false => None,
                        }
                    }};
                }
                macro_rules! tell_member {
                    ($lock:expr, $group:expr) => {
                        if O::STOPS
                            && let Some(what) = $group
                        {
                            save!();
                            vm.tell_membership($lock, what);
                            report_events(vm, observer);
                        }
                    };
                }
                // After a return: back in the program's code a trusted call is over, and an
                // atomic block if it let others go on.
                macro_rules! returned {
                    () => {
                        if O::STOPS && method.flags.own {
                            control = &mut vm.threads[thread].control;
                            (*control).back_in_program();
                        }
                        if O::STOPS && !method.flags.trusted {
                            if (fp as usize) < (*control).hidden_from {
                                (*control).hidden_from = usize::MAX;
                            }
                            if std::mem::take(&mut (*control).released) && stopping!(BLOCK_END) {
                                pause!(Pause::BlockEnd);
                            }
                        }
                    };
                }
                // A monitor was given back.
                macro_rules! unlocked {
                    ($lock:expr, $by:expr) => {
                        if O::STOPS
                            && !hidden!()
                            && vm.lock_noticeable($lock, $by)
                            && !vm.holds_lock(vm.current, $lock)
                        {
                            if !$by.flags.trusted {
                                if stopping!(BLOCK_END) {
                                    pause!(Pause::BlockEnd);
                                }
                            } else {
                                vm.threads[thread].control.released = true;
                            }
                        }
                    };
                }
                macro_rules! null_check {
                    ($r:expr) => {{
                        if $r == 0 {
                            fail!(Null);
                        }
                    }};
                }
                macro_rules! at {
                    ($r:expr) => {
                        base.add(($r as usize) << 3)
                    };
                }
                // The instruction is done again when what it changes was logged. One that was
                // granted must not be asked for again.
                macro_rules! log {
                    ($object:expr, $offset:expr) => {
                        if O::STOPS {
                            vm.heap.log_object(Ref($object), $offset as u64, 1);
                        } else if !std::mem::take(&mut vm.logged) {
                            break 'run Exit::Log;
                        }
                    };
                }
                macro_rules! barrier {
                    ($r:expr, $offset:expr) => {{
                        if at!($r).add(EPOCH as usize).cast::<u32>().read() < vm.heap.mark_epoch {
                            log!($r, $offset);
                        }
                    }};
                }
                // As `barrier`, for an element: a line of a large array that was logged in this
                // epoch already is told here, without a call.
                macro_rules! element_barrier {
                    ($array:expr, $offset:expr, $shift:expr) => {{
                        if at!($array).add(EPOCH as usize).cast::<u32>().read() < vm.heap.mark_epoch
                        {
                            let length = at!($array).add(LENGTH as usize).cast::<u32>().read();
                            let bytes = (length as u64) << $shift;
                            if !vm.heap.line_logged(Ref($array), bytes, $offset as u64) {
                                log!($array, $offset);
                            }
                        }
                    }};
                }
                // After an access to a field of a thread: one that it clears when it ends, or its status.
                macro_rules! of_thread {
                    ($obj:expr) => {
                        if O::STOPS && vm.is_cleared(Ref($obj), c!() as u64) {
                            vm.learned.asks_for_lives |= vm.learning;
                            let place = vm.life(Ref($obj));
                            observe!(READ, EventKind::Read { place, value: 1 });
                        }
                        if O::STOPS
                            && c!() as u64 == vm.known.thread_status
                            && let Some(place) = vm.behind_status(Ref($obj))
                        {
                            observe!(READ, EventKind::Read { place, value: 0 });
                        }
                    };
                }
                macro_rules! get_field {
                    ($t:ty, $($wide:tt)*) => {{
                        let obj = half!(b!());
                        null_check!(obj);
                        let noticed = !O::STOPS || !hidden!() && vm.noticeable(Ref(obj), c!() as u64);
                        if O::STOPS && noticed {
                            visible!(PendingOp::Read(field_of(obj, c!())));
                        }
                        let value = at!(obj).add(c!()).cast::<$t>().read() $($wide)* as u64;
                        if noticed {
                            looked!(at!(obj).add(c!()), $t, value);
                            observe!(READ, EventKind::Read { place: field_of(obj, c!()), value });
                            of_thread!(obj);
                        }
                        r!(a!()) = value;
                        pc = pc.add(1);
                    }};
                }
                macro_rules! put_field {
                    ($t:ty, $v:expr) => {
                        put_field!($t, $v, ())
                    };
                    ($t:ty, $v:expr, $before:expr) => {{
                        let obj = half!(b!());
                        null_check!(obj);
                        let noticed =
                            !O::STOPS || !hidden!() && vm.noticeable(Ref(obj), c!() as u64);
                        if O::STOPS && noticed {
                            visible!(PendingOp::Write(field_of(obj, c!())));
                        } else if O::STOPS && vm.learning {
                            vm.learn_write(Ref(obj), c!() as u32);
                        }
                        $before;
                        writes!(obj, c!(), $t, $v);
                        barrier!(obj, c!());
                        at!(obj).add(c!()).cast::<$t>().write($v as $t);
                        if noticed {
                            observe!(
                                WRITE,
                                EventKind::Write {
                                    place: field_of(obj, c!()),
                                    value: $v as u64
                                }
                            );
                            of_thread!(obj);
                        }
                        pc = pc.add(1);
                    }};
                }
                macro_rules! get_static {
                    ($t:ty, $($wide:tt)*) => {{
                        let place = *pc.add(1);
                        let at = at!(place as u32).add((place >> 32) as usize);
                        let noticed = !O::STOPS || !hidden!() && vm.noticeable(Ref(place as u32), place >> 32);
                        if O::STOPS && noticed {
                            visible!(PendingOp::Read(field_of(
                                place as u32,
                                (place >> 32) as usize
                            )));
                        }
                        let value = at.cast::<$t>().read() $($wide)* as u64;
                        if noticed {
                            looked!(at, $t, value);
                            observe!(READ, EventKind::Read {
                                place: field_of(place as u32, (place >> 32) as usize),
                                value
                            });
                        }
                        r!(a!()) = value;
                        pc = opaque(pc).add(2);
                    }};
                }
                macro_rules! put_static {
                    ($t:ty, $v:expr) => {
                        put_static!($t, $v, ())
                    };
                    ($t:ty, $v:expr, $before:expr) => {{
                        let place = *pc.add(1);
                        let holder = place as u32;
                        let noticed =
                            !O::STOPS || !hidden!() && vm.noticeable(Ref(holder), place >> 32);
                        if O::STOPS && noticed {
                            visible!(PendingOp::Write(field_of(holder, (place >> 32) as usize)));
                        }
                        $before;
                        writes!(holder, (place >> 32) as usize, $t, $v);
                        barrier!(holder, place >> 32);
                        at!(holder)
                            .add((place >> 32) as usize)
                            .cast::<$t>()
                            .write($v as $t);
                        if noticed {
                            observe!(
                                WRITE,
                                EventKind::Write {
                                    place: field_of(holder, (place >> 32) as usize),
                                    value: $v as u64
                                }
                            );
                        }
                        pc = opaque(pc).add(2);
                    }};
                }
                // Address of an element after the null and bounds checks.
                macro_rules! element {
                    ($shift:expr) => {{
                        let array = half!(b!());
                        null_check!(array);
                        let index = half!(c!());
                        let length = at!(array).add(LENGTH as usize).cast::<u32>().read();
                        if index >= length {
                            fail!(Bounds);
                        }
                        (array, ELEMENTS as usize + ((index as usize) << $shift))
                    }};
                }
                // Whether an access to an element can be noticed; a choice comes before it.
                macro_rules! notice_element {
                    ($array:expr, $kind:ident) => {{
                        let noticed = !O::STOPS || !hidden!() && vm.heap.is_shared(Ref($array));
                        if O::STOPS && noticed {
                            visible!(PendingOp::$kind(element_of($array, half!(c!()))));
                        }
                        noticed
                    }};
                }
                macro_rules! array_load {
                    ($t:ty, $shift:expr, $($wide:tt)*) => {{
                        let (array, offset) = element!($shift);
                        let noticed = notice_element!(array, Read);
                        let value = at!(array).add(offset).cast::<$t>().read() $($wide)* as u64;
                        if noticed {
                            looked!(at!(array).add(offset), $t, value);
                            observe!(READ, EventKind::Read {
                                place: element_of(array, half!(c!())),
                                value
                            });
                        }
                        r!(a!()) = value;
                        pc = pc.add(1);
                    }};
                }
                macro_rules! array_store {
                    ($t:ty, $shift:expr) => {{
                        let (array, offset) = element!($shift);
                        let noticed = notice_element!(array, Write);
                        stores!(array);
                        element_barrier!(array, offset, $shift);
                        at!(array).add(offset).cast::<$t>().write(r!(a!()) as $t);
                        if noticed {
                            observe!(
                                WRITE,
                                EventKind::Write {
                                    place: element_of(array, half!(c!())),
                                    value: r!(a!())
                                }
                            );
                        }
                        pc = pc.add(1);
                    }};
                }
                macro_rules! enter {
                    ($target:expr, $args:expr, $return_to:expr) => {{
                        let target: MethodPtr = $target;
                        let args: *mut u64 = $args;
                        if args.add(target.frame_words.get() as usize) > limit && {
                            save!();
                            vm.stack_overflow(args, target)
                        } {
                            fail!(Overflow);
                        }
                        observe!(CALL, {
                            let slots = (0..target.arg_slots).map(|i| *args.add(i as usize));
                            vm.called.note(target, slots);
                            EventKind::Call {
                                method: MethodId(target.id),
                            }
                        });
                        if O::STOPS {
                            clear_frame(args, target.arg_slots as usize, target);
                        }
                        let header = args.add(target.max_locals as usize);
                        *header = $return_to as u64;
                        *header.add(1) = fp as u64;
                        *header.add(2) = method as *const Method as u64;
                        fp = args;
                        if O::STOPS && target.flags.own {
                            (*control).enter_program(fp);
                        }
                        method = target;
                        pc = target.code.get();
                        budget -= target.ahead.get();
                        arrive_at_reference!(target);
                        poll!();
                    }};
                }
                macro_rules! leave {
                    ($locals:expr) => {{
                        let (header, left) = (fp.add($locals), fp as usize);
                        pc = *header as *const u64;
                        method = &*(*header.add(2) as *const Method);
                        fp = *header.add(1) as *mut u64;
                        come_down!();
                        come_back!();
                        left_edge!(left);
                    }};
                }
                // After a return, before anything else is done in the caller.
                macro_rules! left_edge {
                    ($left:expr) => {
                        if O::STOPS && $left == (*control).edge.frame {
                            (*control).leave_edge(fp, method);
                        }
                    };
                }
                // Behind a call; whoever uses it polls when the instruction is done.
                macro_rules! come_back {
                    () => {
                        budget += (*pc.sub(1) as i64) >> 32
                    };
                }
                // Replaces the present frame by one of the target with the same arguments.
                macro_rules! tail_enter {
                    ($target:expr) => {{
                        let target: MethodPtr = $target;
                        if fp.add(target.frame_words.get() as usize) > limit && {
                            save!();
                            vm.stack_overflow(fp, target)
                        } {
                            fail!(Overflow);
                        }
                        let from = fp.add(method.max_locals as usize);
                        let (back, up, caller) = (*from, *from.add(1), *from.add(2));
                        if O::STOPS {
                            clear_frame(fp, target.arg_slots as usize, target);
                        }
                        let header = fp.add(target.max_locals as usize);
                        *header = back;
                        *header.add(1) = up;
                        *header.add(2) = caller;
                        if O::STOPS && target.flags.own {
                            (*control).enter_program(fp);
                        }
                        method = target;
                        pc = target.code.get();
                        budget -= target.ahead.get();
                        poll!();
                    }};
                }
                // Patches that may outlast rewinds: the target class (initialized, if that
                // matters) is older than all marks.
                macro_rules! look_at_initialization {
                    ($class:expr) => {
                        // Who initialized it knows.
                        if O::STOPS
                            && $class.is_initialized()
                            && vm.init_matters($class)
                            && $class.initialized_by.get() != vm.current
                        {
                            let (place, value) = (init_place($class), 1);
                            observe!(READ, EventKind::Read { place, value });
                        }
                    };
                }
                // Whether a class is initialized for good. Where it matters who did that, every
                // use is a look, and stays one: nothing is linked.
                macro_rules! usable {
                    ($class:expr) => {
                        usable!($class, false)
                    };
                    // The instruction stops for something else, and looks then.
                    ($class:expr, $stops:expr) => {{
                        let mut usable = $class.is_initialized();
                        if O::STOPS && usable && vm.init_matters($class) {
                            if !$stops {
                                if $class.initialized_by.get() != vm.current {
                                    visible!(PendingOp::Read(init_place($class)));
                                }
                                look_at_initialization!($class);
                            }
                            usable = false;
                        }
                        usable
                    }};
                }
                // A reference is about to be stored: what it leads to may be shared from then on.
                macro_rules! publish {
                    ($holder:expr, $value:expr) => {
                        if O::STOPS && vm.heap.tracking && vm.publishes(Ref($holder)) {
                            save!();
                            vm.publish(Ref($value));
                            if O::WANTS != EventMask::NONE {
                                report_events(vm, observer);
                            }
                        }
                    };
                }
                macro_rules! link {
                    ($target:expr, $init:expr, $($at:expr => $new:expr),+) => {{
                        let durable = vm.durable(method.class, c!() as u16, $target, $init);
                        $(vm.patch_durably(durable, ($at) as *mut u64, $new);)+
                    }};
                }
                macro_rules! patch {
                    ($at:expr, $new:expr) => {
                        vm.patch(($at) as *mut u64, $new)
                    };
                }

                // SAFETY: words are made by the translator from `Op` values.
                let op: Op = std::mem::transmute::<u8, Op>(w as u8);
                match op {
                    Op::Invalid => panic!("heddle internal error: invalid instruction"),
                    Op::Move => {
                        r!(a!()) = r!(b!());
                        pc = pc.add(1);
                    }
                    Op::ConstI => {
                        r!(a!()) = w >> 32;
                        pc = pc.add(1);
                    }
                    Op::ConstL => {
                        r!(a!()) = *pc.add(1);
                        pc = opaque(pc).add(2);
                    }
                    Op::LdcU => {
                        let value = vm_try!(vm.resolve_constant(method.class, c!() as u16));
                        patch!(pc.add(1), value);
                        patch!(pc, insn(Op::ConstL, a!() as u16, 0, 0));
                    }

                    Op::IAdd => set_int!(int!(b!()).wrapping_add(int!(c!()))),
                    Op::ISub => set_int!(int!(b!()).wrapping_sub(int!(c!()))),
                    Op::IMul => set_int!(int!(b!()).wrapping_mul(int!(c!()))),
                    Op::IDiv => {
                        let d = int!(c!());
                        if d == 0 {
                            fail!(Zero);
                        }
                        set_int!(int!(b!()).wrapping_div(d))
                    }
                    Op::IRem => {
                        let d = int!(c!());
                        if d == 0 {
                            fail!(Zero);
                        }
                        set_int!(int!(b!()).wrapping_rem(d))
                    }
                    Op::IAnd => set_int!(int!(b!()) & int!(c!())),
                    Op::IOr => set_int!(int!(b!()) | int!(c!())),
                    Op::IXor => set_int!(int!(b!()) ^ int!(c!())),
                    Op::IShl => set_int!(int!(b!()).wrapping_shl(half!(c!()))),
                    Op::IShr => set_int!(int!(b!()).wrapping_shr(half!(c!()))),
                    Op::IUshr => set_int!(half!(b!()).wrapping_shr(half!(c!()))),
                    Op::INeg => set_int!(int!(b!()).wrapping_neg()),
                    Op::IAddI => set_int!(int!(b!()).wrapping_add(imm!() as i32)),
                    Op::IMulI => set_int!(int!(b!()).wrapping_mul(imm!() as i32)),
                    Op::IAndI => set_int!(int!(b!()) & imm!() as i32),
                    Op::IOrI => set_int!(int!(b!()) | imm!() as i32),
                    Op::IXorI => set_int!(int!(b!()) ^ imm!() as i32),
                    Op::IShlI => set_int!(int!(b!()).wrapping_shl(imm!() as u32)),
                    Op::IShrI => set_int!(int!(b!()).wrapping_shr(imm!() as u32)),
                    Op::IUshrI => set_int!(half!(b!()).wrapping_shr(imm!() as u32)),
                    Op::IDivI => set_int!(int!(b!()).wrapping_div(imm!() as i32)),
                    Op::IRemI => set_int!(int!(b!()).wrapping_rem(imm!() as i32)),

                    Op::LAdd => set_long!(long!(b!()).wrapping_add(long!(c!()))),
                    Op::LSub => set_long!(long!(b!()).wrapping_sub(long!(c!()))),
                    Op::LMul => set_long!(long!(b!()).wrapping_mul(long!(c!()))),
                    Op::LDiv => {
                        let d = long!(c!());
                        if d == 0 {
                            fail!(Zero);
                        }
                        set_long!(long!(b!()).wrapping_div(d))
                    }
                    Op::LRem => {
                        let d = long!(c!());
                        if d == 0 {
                            fail!(Zero);
                        }
                        set_long!(long!(b!()).wrapping_rem(d))
                    }
                    Op::LAnd => set_long!(r!(b!()) & r!(c!())),
                    Op::LOr => set_long!(r!(b!()) | r!(c!())),
                    Op::LXor => set_long!(r!(b!()) ^ r!(c!())),
                    Op::LShl => set_long!(long!(b!()).wrapping_shl(half!(c!()))),
                    Op::LShr => set_long!(long!(b!()).wrapping_shr(half!(c!()))),
                    Op::LUshr => set_long!(r!(b!()).wrapping_shr(half!(c!()))),
                    Op::LNeg => set_long!(long!(b!()).wrapping_neg()),
                    Op::LAddI => set_long!(long!(b!()).wrapping_add(imm!() as i64)),
                    Op::LMulI => set_long!(long!(b!()).wrapping_mul(imm!() as i64)),
                    Op::LAndI => set_long!(long!(b!()) & imm!() as i64),
                    Op::LShlI => set_long!(long!(b!()).wrapping_shl(imm!() as u32)),
                    Op::LShrI => set_long!(long!(b!()).wrapping_shr(imm!() as u32)),
                    Op::LUshrI => set_long!(r!(b!()).wrapping_shr(imm!() as u32)),

                    Op::FAdd => set_float!(float!(b!()) + float!(c!())),
                    Op::FSub => set_float!(float!(b!()) - float!(c!())),
                    Op::FMul => set_float!(float!(b!()) * float!(c!())),
                    Op::FDiv => set_float!(float!(b!()) / float!(c!())),
                    Op::FRem => set_float!(float!(b!()) % float!(c!())),
                    Op::FNeg => set_int!(half!(b!()) ^ 0x8000_0000),
                    Op::DAdd => set_double!(double!(b!()) + double!(c!())),
                    Op::DSub => set_double!(double!(b!()) - double!(c!())),
                    Op::DMul => set_double!(double!(b!()) * double!(c!())),
                    Op::DDiv => set_double!(double!(b!()) / double!(c!())),
                    Op::DRem => set_double!(double!(b!()) % double!(c!())),
                    Op::DNeg => set_long!(r!(b!()) ^ (1 << 63)),

                    Op::I2L => set_long!(int!(b!()) as i64),
                    Op::I2F => set_float!(int!(b!()) as f32),
                    Op::I2D => set_double!(int!(b!()) as f64),
                    Op::L2I => set_int!(half!(b!())),
                    Op::L2F => set_float!(long!(b!()) as f32),
                    Op::L2D => set_double!(long!(b!()) as f64),
                    Op::F2I => set_int!(float!(b!()) as i32),
                    Op::F2L => set_long!(float!(b!()) as i64),
                    Op::F2D => set_double!(float!(b!()) as f64),
                    Op::D2I => set_int!(double!(b!()) as i32),
                    Op::D2L => set_long!(double!(b!()) as i64),
                    Op::D2F => set_float!(double!(b!()) as f32),
                    Op::I2B => set_int!(r!(b!()) as i8 as i32),
                    Op::I2C => set_int!(r!(b!()) as u16 as i32),
                    Op::I2S => set_int!(r!(b!()) as i16 as i32),

                    Op::LCmp => {
                        let (x, y) = (long!(b!()), long!(c!()));
                        set_int!((x > y) as i32 - (x < y) as i32)
                    }
                    Op::FCmpL => {
                        let (x, y) = (float!(b!()), float!(c!()));
                        set_int!(if x > y {
                            1
                        } else if x == y {
                            0
                        } else {
                            -1
                        })
                    }
                    Op::FCmpG => {
                        let (x, y) = (float!(b!()), float!(c!()));
                        set_int!(if x < y {
                            -1
                        } else if x == y {
                            0
                        } else {
                            1
                        })
                    }
                    Op::DCmpL => {
                        let (x, y) = (double!(b!()), double!(c!()));
                        set_int!(if x > y {
                            1
                        } else if x == y {
                            0
                        } else {
                            -1
                        })
                    }
                    Op::DCmpG => {
                        let (x, y) = (double!(b!()), double!(c!()));
                        set_int!(if x < y {
                            -1
                        } else if x == y {
                            0
                        } else {
                            1
                        })
                    }

                    Op::JEq => branch!(half!(a!()) == half!(b!())),
                    Op::JNe => branch!(half!(a!()) != half!(b!())),
                    Op::JLt => branch!(int!(a!()) < int!(b!())),
                    Op::JGe => branch!(int!(a!()) >= int!(b!())),
                    Op::JGt => branch!(int!(a!()) > int!(b!())),
                    Op::JLe => branch!(int!(a!()) <= int!(b!())),
                    Op::JEqI => branch!(int!(a!()) == b!() as i16 as i32),
                    Op::JNeI => branch!(int!(a!()) != b!() as i16 as i32),
                    Op::JLtI => branch!(int!(a!()) < b!() as i16 as i32),
                    Op::JGeI => branch!(int!(a!()) >= b!() as i16 as i32),
                    Op::JGtI => branch!(int!(a!()) > b!() as i16 as i32),
                    Op::JLeI => branch!(int!(a!()) <= b!() as i16 as i32),
                    Op::JLEq => branch!(long!(a!()) == long!(b!())),
                    Op::JLNe => branch!(long!(a!()) != long!(b!())),
                    Op::JLLt => branch!(long!(a!()) < long!(b!())),
                    Op::JLGe => branch!(long!(a!()) >= long!(b!())),
                    Op::JLGt => branch!(long!(a!()) > long!(b!())),
                    Op::JLLe => branch!(long!(a!()) <= long!(b!())),
                    Op::JFEq => branch!(float!(a!()) == float!(b!())),
                    Op::JFNe => branch!(float!(a!()) != float!(b!())),
                    Op::JFLt => branch!(float!(a!()) < float!(b!())),
                    Op::JFGe => branch!(float!(a!()) >= float!(b!())),
                    Op::JFGt => branch!(float!(a!()) > float!(b!())),
                    Op::JFLe => branch!(float!(a!()) <= float!(b!())),
                    Op::JFNlt => branch!(!(float!(a!()) < float!(b!()))),
                    Op::JFNge => branch!(!(float!(a!()) >= float!(b!()))),
                    Op::JFNgt => branch!(!(float!(a!()) > float!(b!()))),
                    Op::JFNle => branch!(!(float!(a!()) <= float!(b!()))),
                    Op::JDEq => branch!(double!(a!()) == double!(b!())),
                    Op::JDNe => branch!(double!(a!()) != double!(b!())),
                    Op::JDLt => branch!(double!(a!()) < double!(b!())),
                    Op::JDGe => branch!(double!(a!()) >= double!(b!())),
                    Op::JDGt => branch!(double!(a!()) > double!(b!())),
                    Op::JDLe => branch!(double!(a!()) <= double!(b!())),
                    Op::JDNlt => branch!(!(double!(a!()) < double!(b!()))),
                    Op::JDNge => branch!(!(double!(a!()) >= double!(b!()))),
                    Op::JDNgt => branch!(!(double!(a!()) > double!(b!()))),
                    Op::JDNle => branch!(!(double!(a!()) <= double!(b!()))),
                    Op::Jmp => {
                        budget += (w >> 16) as i16 as i64;
                        pc = pc.offset((w as i64 >> 32) as isize);
                        poll!();
                    }
                    Op::IncJmp => {
                        r!(a!()) = int!(a!()).wrapping_add(b!() as i16 as i32) as u32 as u64;
                        jump!(imm!());
                    }
                    Op::IncJLt => {
                        let next = int!(a!()).wrapping_add(1);
                        r!(a!()) = next as u32 as u64;
                        branch!(next < int!(b!()))
                    }
                    Op::TableSwitch => {
                        let range = *pc.add(1);
                        let index = half!(a!()).wrapping_sub(range as u32);
                        let slot = if index < (range >> 32) as u32 {
                            index as usize + 1
                        } else {
                            0
                        };
                        let way = *pc.add(2 + slot);
                        budget += way as i64 >> 32;
                        pc = pc.offset(way as i32 as isize);
                        poll!();
                    }
                    Op::LookupSwitch => {
                        let head = *pc.add(1);
                        let key = int!(a!());
                        let count = head as u32 as usize;
                        let pairs = std::slice::from_raw_parts(pc.add(2), count);
                        let (way, toll) =
                            match pairs.binary_search_by_key(&key, |p| *p as u32 as i32) {
                                Ok(found) => (pairs[found], found + 1),
                                Err(_) => (head, 0),
                            };
                        budget += *pc.add(2 + count).cast::<i32>().add(toll) as i64;
                        pc = pc.offset((way as i64 >> 32) as isize);
                        poll!();
                    }

                    Op::Ret => {
                        observe!(
                            RETURN,
                            EventKind::Return {
                                method: MethodId(method.id),
                                value: 0
                            }
                        );
                        let left = method;
                        leave!(b!());
                        returned!();
                        arrive_at_reference!(left);
                        poll!();
                    }
                    Op::RetV => {
                        // The result goes where the first argument was; a method without
                        // locals has its header there, so that is read first.
                        let (value, result) = (r!(a!()), fp);
                        observe!(
                            RETURN,
                            EventKind::Return {
                                method: MethodId(method.id),
                                value
                            }
                        );
                        let left = method;
                        leave!(b!());
                        *result = value;
                        returned!();
                        arrive_at_reference!(left);
                        poll!();
                    }
                    Op::RetSync => {
                        let lock = sync_object(fp, method);
                        stop_before_unlock!(lock);
                        vm_try!(vm.monitor_exit(lock));
                        left!(lock);
                        let by = method;
                        if (!O::STOPS || !hidden!() && vm.lock_noticeable(lock, method))
                            && !vm.holds_lock(vm.current, lock)
                        {
                            observe!(
                                UNLOCK,
                                EventKind::Unlock {
                                    object: ObjectId(lock.0)
                                }
                            );
                        }
                        observe!(
                            RETURN,
                            EventKind::Return {
                                method: MethodId(method.id),
                                value: 0
                            }
                        );
                        let left = (method, pc);
                        leave!(b!());
                        left_monitor!(left);
                        unlocked!(lock, by);
                        returned!();
                        poll!();
                    }
                    Op::RetVSync => {
                        let lock = sync_object(fp, method);
                        stop_before_unlock!(lock);
                        let value = r!(a!());
                        vm_try!(vm.monitor_exit(lock));
                        left!(lock);
                        let by = method;
                        if (!O::STOPS || !hidden!() && vm.lock_noticeable(lock, method))
                            && !vm.holds_lock(vm.current, lock)
                        {
                            observe!(
                                UNLOCK,
                                EventKind::Unlock {
                                    object: ObjectId(lock.0)
                                }
                            );
                        }
                        observe!(
                            RETURN,
                            EventKind::Return {
                                method: MethodId(method.id),
                                value
                            }
                        );
                        let (left, result) = ((method, pc), fp);
                        leave!(b!());
                        *result = value;
                        left_monitor!(left);
                        unlocked!(lock, by);
                        returned!();
                        poll!();
                    }

                    Op::GetFieldU => {
                        let (holder, found) =
                            vm_try!(vm.resolve_instance_field(method, c!() as u16));
                        let new = insn(
                            get_op(found.basic),
                            a!() as u16,
                            b!() as u16,
                            found.offset as u16,
                        );
                        link!(holder, false, pc => new);
                    }
                    Op::PutFieldU => {
                        let (holder, found) = vm_try!(vm.resolve_put_field(method, c!() as u16));
                        let new = insn(
                            put_op(found.basic),
                            a!() as u16,
                            b!() as u16,
                            found.offset as u16,
                        );
                        link!(holder, false, pc => new);
                    }
                    Op::GetB => get_field!(i8, as i32 as u32),
                    Op::GetZ => get_field!(u8, as u32),
                    Op::GetC => get_field!(u16, as u32),
                    Op::GetS => get_field!(i16, as i32 as u32),
                    Op::GetW => get_field!(u32, as u32),
                    Op::GetL => get_field!(u64, as u64),
                    Op::PutB => put_field!(u8, r!(a!())),
                    Op::PutZ => put_field!(u8, r!(a!()) & 1),
                    Op::PutC => put_field!(u16, r!(a!())),
                    Op::PutW => put_field!(u32, r!(a!())),
                    Op::PutL => put_field!(u64, r!(a!())),
                    Op::PutA => {
                        let (holder, value) = (half!(b!()), half!(a!()));
                        put_field!(u32, value, publish!(holder, value));
                    }
                    Op::GetStaticU => {
                        let (class, field) =
                            vm_try!(vm.resolve_static_field(method, c!() as u16, false));
                        let place = class.mirror.get().0 as u64 | (field.offset as u64) << 32;
                        if usable!(
                            class,
                            vm.noticeable(class.mirror.get(), field.offset as u64)
                        ) {
                            link!(class, true, pc.add(1) => place, pc => insn(get_static_op(field.basic), a!() as u16, 0, c!() as u16));
                        } else {
                            let noticed = !O::STOPS
                                || !hidden!()
                                    && vm.noticeable(class.mirror.get(), field.offset as u64);
                            if O::STOPS && noticed {
                                visible!(PendingOp::Read(field_of(
                                    class.mirror.get().0,
                                    field.offset as usize
                                )));
                            }
                            if vm.noticeable(class.mirror.get(), field.offset as u64) {
                                look_at_initialization!(class);
                            }
                            let value =
                                vm.load_basic(class.mirror.get(), field.offset as u64, field.basic);
                            if noticed {
                                observe!(
                                    READ,
                                    EventKind::Read {
                                        place: field_of(
                                            class.mirror.get().0,
                                            field.offset as usize
                                        ),
                                        value
                                    }
                                );
                            }
                            r!(a!()) = value;
                            pc = opaque(pc).add(2);
                        }
                    }
                    Op::PutStaticU => {
                        let (class, field) =
                            vm_try!(vm.resolve_static_field(method, c!() as u16, true));
                        let place = class.mirror.get().0 as u64 | (field.offset as u64) << 32;
                        if usable!(
                            class,
                            vm.noticeable(class.mirror.get(), field.offset as u64)
                        ) {
                            link!(class, true, pc.add(1) => place, pc => insn(put_static_op(field.basic), a!() as u16, 0, c!() as u16));
                        } else {
                            let noticed = !O::STOPS
                                || !hidden!()
                                    && vm.noticeable(class.mirror.get(), field.offset as u64);
                            if O::STOPS && noticed {
                                visible!(PendingOp::Write(field_of(
                                    class.mirror.get().0,
                                    field.offset as usize
                                )));
                            }
                            if vm.noticeable(class.mirror.get(), field.offset as u64) {
                                look_at_initialization!(class);
                            }
                            if field.basic == crate::class::Basic::Reference {
                                publish!(class.mirror.get().0, r!(a!()) as u32);
                            }
                            disturbed!();
                            vm.store_basic(
                                class.mirror.get(),
                                field.offset as u64,
                                field.basic,
                                r!(a!()),
                            );
                            if noticed {
                                observe!(
                                    WRITE,
                                    EventKind::Write {
                                        place: field_of(
                                            class.mirror.get().0,
                                            field.offset as usize
                                        ),
                                        value: r!(a!())
                                    }
                                );
                            }
                            pc = opaque(pc).add(2);
                        }
                    }
                    Op::GetStB => get_static!(i8, as i32 as u32),
                    Op::GetStZ => get_static!(u8, as u32),
                    Op::GetStC => get_static!(u16, as u32),
                    Op::GetStS => get_static!(i16, as i32 as u32),
                    Op::GetStW => get_static!(u32, as u32),
                    Op::GetStL => get_static!(u64, as u64),
                    Op::PutStB => put_static!(u8, r!(a!())),
                    Op::PutStZ => put_static!(u8, r!(a!()) & 1),
                    Op::PutStC => put_static!(u16, r!(a!())),
                    Op::PutStW => put_static!(u32, r!(a!())),
                    Op::PutStL => put_static!(u64, r!(a!())),
                    Op::PutStA => {
                        let (holder, value) = (*pc.add(1) as u32, half!(a!()));
                        put_static!(u32, value, publish!(holder, value));
                    }

                    Op::ALoadB => array_load!(i8, 0, as i32 as u32),
                    Op::ALoadC => array_load!(u16, 1, as u32),
                    Op::ALoadS => array_load!(i16, 1, as i32 as u32),
                    Op::ALoadW | Op::ALoadA => array_load!(u32, 2, as u32),
                    Op::ALoadL => array_load!(u64, 3, as u64),
                    Op::AStoreB => {
                        let (array, offset) = element!(0);
                        let noticed = notice_element!(array, Write);
                        stores!(array);
                        element_barrier!(array, offset, 0);
                        let mut value = r!(a!()) as u8;
                        let class = at!(array).add(CLASS as usize).cast::<u32>().read();
                        if class == vm.boolean_array {
                            value &= 1;
                        }
                        at!(array).add(offset).write(value);
                        if noticed {
                            observe!(
                                WRITE,
                                EventKind::Write {
                                    place: element_of(array, half!(c!())),
                                    value: value as u64
                                }
                            );
                        }
                        pc = pc.add(1);
                    }
                    Op::AStoreC => array_store!(u16, 1),
                    Op::AStoreW => array_store!(u32, 2),
                    Op::AStoreL => array_store!(u64, 3),
                    Op::AStoreA => {
                        let (array, offset) = element!(2);
                        let value = half!(a!());
                        if value != 0 {
                            let ac = at!(array).add(CLASS as usize).cast::<u32>().read();
                            let vc = at!(value).add(CLASS as usize).cast::<u32>().read();
                            let element = vm.elements_of[ac as usize];
                            if element != vc && element != vm.known.object.id.0 {
                                save!();
                                if let Err(trap) = vm.check_store(ClassId(ac), ClassId(vc)) {
                                    break 'run Exit::Trap(trap);
                                }
                            }
                        }
                        let noticed = notice_element!(array, Write);
                        publish!(array, value);
                        stores!(array);
                        element_barrier!(array, offset, 2);
                        at!(array).add(offset).cast::<u32>().write(value);
                        if noticed {
                            observe!(
                                WRITE,
                                EventKind::Write {
                                    place: element_of(array, half!(c!())),
                                    value: value as u64
                                }
                            );
                        }
                        pc = pc.add(1);
                    }
                    Op::ArrayLen => {
                        let array = half!(b!());
                        null_check!(array);
                        set_int!(at!(array).add(LENGTH as usize).cast::<u32>().read())
                    }

                    Op::NewU => {
                        let class = vm_try!(vm.resolve_new(method, c!() as u16));
                        if usable!(class) {
                            link!(class, true, pc.add(1) => class as *const Class as u64, pc => insn(Op::New, a!() as u16, 0, c!() as u16));
                        } else {
                            let obj = vm_try!(vm.new_object(class));
                            observe!(
                                ALLOCATE,
                                EventKind::Allocate {
                                    object: ObjectId(obj.0)
                                }
                            );
                            r!(a!()) = obj.0 as u64;
                            pc = opaque(pc).add(2);
                        }
                    }
                    Op::New => {
                        let class: ClassPtr = &*(*pc.add(1) as *const Class);
                        let size = class.instance_size as u64;
                        let region = &mut (*control).region;
                        match vm.heap.allocate(region, class.id, size, 0) {
                            Ok(obj) => {
                                observe!(
                                    ALLOCATE,
                                    EventKind::Allocate {
                                        object: ObjectId(obj.0)
                                    }
                                );
                                r!(a!()) = obj.0 as u64;
                                pc = opaque(pc).add(2);
                            }
                            Err(_) => fail!(Memory),
                        }
                    }
                    Op::NewArray => {
                        let array = vm_try!(vm.new_primitive_checked(c!() as u8, int!(b!())));
                        observe!(
                            ALLOCATE,
                            EventKind::Allocate {
                                object: ObjectId(array.0)
                            }
                        );
                        r!(a!()) = array.0 as u64;
                        pc = pc.add(1);
                    }
                    Op::ANewArrayU => {
                        let class = vm_try!(vm.resolve_class(method.class, c!() as u16));
                        let array = vm.array_class_of(class);
                        link!(array, false, pc.add(1) => array as *const Class as u64, pc => insn(Op::ANewArray, a!() as u16, b!() as u16, c!() as u16));
                    }
                    Op::ANewArray => {
                        let class: ClassPtr = &*(*pc.add(1) as *const Class);
                        let array = vm_try!(vm.new_array_checked(class, int!(b!())));
                        observe!(
                            ALLOCATE,
                            EventKind::Allocate {
                                object: ObjectId(array.0)
                            }
                        );
                        r!(a!()) = array.0 as u64;
                        pc = opaque(pc).add(2);
                    }
                    Op::MultiNewArray => {
                        let class = vm_try!(vm.resolve_class(method.class, c!() as u16));
                        let mut lengths = Vec::with_capacity(b!());
                        for i in 0..b!() {
                            lengths.push(int!(a!() + i));
                        }
                        let array = vm_try!(vm.new_multi_array(class, &lengths));
                        observe!(
                            ALLOCATE,
                            EventKind::Allocate {
                                object: ObjectId(array.0)
                            }
                        );
                        r!(a!()) = array.0 as u64;
                        pc = pc.add(1);
                    }
                    Op::CheckCastU => {
                        // Null passes without resolution.
                        if half!(a!()) == 0 {
                            pc = opaque(pc).add(2);
                        } else {
                            let class = vm_try!(vm.resolve_class(method.class, c!() as u16));
                            link!(class, false, pc.add(1) => class as *const Class as u64, pc => insn(Op::CheckCast, a!() as u16, 0, c!() as u16));
                        }
                    }
                    Op::CheckCast => {
                        let obj = half!(a!());
                        if obj != 0 {
                            let to: ClassPtr = &*(*pc.add(1) as *const Class);
                            let id = at!(obj).add(CLASS as usize).cast::<u32>().read();
                            if id != to.id.0
                                && !vm.classes.get_unchecked(id as usize).is_subtype_of(to)
                            {
                                save!();
                                break 'run Exit::Trap(vm.class_cast(ClassId(id), to));
                            }
                        }
                        pc = opaque(pc).add(2);
                    }
                    Op::InstanceOfU => {
                        if half!(b!()) == 0 {
                            r!(a!()) = 0;
                            pc = opaque(pc).add(2);
                        } else {
                            let class = vm_try!(vm.resolve_class(method.class, c!() as u16));
                            link!(class, false, pc.add(1) => class as *const Class as u64, pc => insn(Op::InstanceOf, a!() as u16, b!() as u16, c!() as u16));
                        }
                    }
                    Op::InstanceOf => {
                        let obj = half!(b!());
                        r!(a!()) = if obj == 0 {
                            0
                        } else {
                            let to: ClassPtr = &*(*pc.add(1) as *const Class);
                            let id = at!(obj).add(CLASS as usize).cast::<u32>().read();
                            (id == to.id.0
                                || vm.classes.get_unchecked(id as usize).is_subtype_of(to))
                                as u64
                        };
                        pc = opaque(pc).add(2);
                    }

                    Op::Throw => {
                        let obj = half!(a!());
                        null_check!(obj);
                        fail!(Throw);
                    }
                    Op::MonitorEnter => {
                        let obj = half!(a!());
                        null_check!(obj);
                        let noticed =
                            !O::STOPS || !hidden!() && vm.lock_noticeable(Ref(obj), method);
                        let group = member!(Ref(obj));
                        if O::STOPS
                            && (noticed
                                || group.is_some()
                                || !hidden!() && vm.is_crossing(Ref(obj)))
                        {
                            visible!(PendingOp::Lock(ObjectId(obj)));
                        }
                        vm_try!(vm.monitor_enter(Ref(obj)));
                        looks_around!();
                        entered!(Ref(obj));
                        tell_member!(Ref(obj), group);
                        if noticed && vm.entered_anew(Ref(obj)) {
                            observe!(
                                LOCK,
                                EventKind::Lock {
                                    object: ObjectId(obj)
                                }
                            );
                        }
                        pc = pc.add(1);
                    }
                    Op::MonitorExit => {
                        let obj = half!(a!());
                        null_check!(obj);
                        stop_before_unlock!(Ref(obj));
                        vm_try!(vm.monitor_exit(Ref(obj)));
                        left!(Ref(obj));
                        if (!O::STOPS || !hidden!() && vm.lock_noticeable(Ref(obj), method))
                            && !vm.holds_lock(vm.current, Ref(obj))
                        {
                            observe!(
                                UNLOCK,
                                EventKind::Unlock {
                                    object: ObjectId(obj)
                                }
                            );
                        }
                        pc = pc.add(1);
                        unlocked!(Ref(obj), method);
                    }

                    Op::InvokeStaticU => {
                        let target = vm_try!(vm.resolve_static_call(method, c!() as u16));
                        if usable!(target.class) {
                            link!(target.class, true, pc.add(1) => target as *const Method as u64, pc => insn(Op::InvokeStatic, a!() as u16, b!() as u16, c!() as u16));
                        } else {
                            enter!(target, fp.add(a!()), pc.add(3));
                        }
                    }
                    Op::InvokeSpecialU => {
                        let target = vm_try!(vm.resolve_special_call(method, c!() as u16));
                        link!(target.class, false, pc.add(1) => target as *const Method as u64, pc => insn(Op::InvokeSpecial, a!() as u16, b!() as u16, c!() as u16));
                    }
                    Op::InvokeVirtualU => {
                        match vm_try!(vm.resolve_virtual_call(method, c!() as u16)) {
                            VirtualCall::Direct(target) => {
                                link!(target.class, false, pc.add(1) => target as *const Method as u64, pc => insn(Op::InvokeSpecial, a!() as u16, b!() as u16, c!() as u16));
                            }
                            VirtualCall::Table(index, named) => {
                                let new = insn(Op::InvokeVirtual, a!() as u16, b!() as u16, index);
                                link!(named, false, pc => new);
                            }
                            VirtualCall::Linked(target, appendix) => {
                                patch!(pc.add(1), target as *const Method as u64);
                                patch!(pc.add(2), *pc.add(2) | appendix.0 as u64);
                                let guarded = vm.is_guarded(method, target, appendix);
                                let kind = 1 + u16::from(guarded);
                                patch!(pc, insn(Op::InvokeLinked, a!() as u16, b!() as u16, kind));
                            }
                        }
                    }
                    Op::InvokeInterfaceU => {
                        match vm_try!(vm.resolve_interface_call(method, c!() as u16)) {
                            InterfaceCall::Interface(target) => {
                                link!(target.class, false, pc.add(1) => target as *const Method as u64, pc => insn( Op::InvokeInterface, a!() as u16, b!() as u16, c!() as u16 ));
                            }
                            InterfaceCall::Object(target) => {
                                // A method of Object through an interface: virtual (or final)
                                // dispatch, one word longer than usual.
                                let obj = half!(a!());
                                null_check!(obj);
                                let id = at!(obj).add(CLASS as usize).cast::<u32>().read();
                                let class = vm.class(ClassId(id));
                                let target = vm.select(class, target).unwrap_or(target);
                                enter!(target, fp.add(a!()), pc.add(4));
                            }
                        }
                    }
                    Op::InvokeDynamicU => {
                        let site = crate::frames::bci_at(method, pc) as u32;
                        let (target, appendix) =
                            vm_try!(vm.resolve_call_site(method.class, c!() as u16, site, method));
                        if target == vm.stubs().link.constant_adapter() {
                            // A lambda that captures nothing: one object, no call.
                            patch!(pc.add(1), insn_imm(Op::JmpFar, 0, 2));
                            patch!(pc.add(2), (*pc.add(2) as i64 >> 32) as u64);
                            patch!(pc, insn_imm(Op::ConstI, a!() as u16, appendix.0));
                            continue;
                        }
                        patch!(pc.add(1), target as *const Method as u64);
                        patch!(pc.add(2), *pc.add(2) | appendix.0 as u64);
                        patch!(pc, insn(Op::InvokeLinked, a!() as u16, b!() as u16, 0));
                    }
                    Op::InvokeStatic => {
                        let target: MethodPtr = &*(*pc.add(1) as *const Method);
                        enter!(target, fp.add(a!()), pc.add(3));
                    }
                    Op::InvokeSpecial => {
                        null_check!(half!(a!()));
                        let target: MethodPtr = &*(*pc.add(1) as *const Method);
                        enter!(target, fp.add(a!()), pc.add(3));
                    }
                    Op::InvokeVirtual => {
                        let obj = half!(a!());
                        null_check!(obj);
                        let id = at!(obj).add(CLASS as usize).cast::<u32>().read();
                        let seen = pc.add(2) as *mut u32;
                        let target: MethodPtr = if id == *seen {
                            &*(*pc.add(1) as *const Method)
                        } else {
                            let table = *vm.vtables.get_unchecked(id as usize);
                            let target = *table.add(c!());
                            if *seen == 0 {
                                // Caches are no state: they need no journal.
                                *seen = id;
                                *(pc.add(1) as *mut u64) = target as *const Method as u64;
                            }
                            target
                        };
                        enter!(target, fp.add(a!()), pc.add(3));
                    }
                    Op::InvokeInterface => {
                        let obj = half!(a!());
                        null_check!(obj);
                        let id = at!(obj).add(CLASS as usize).cast::<u32>().read();
                        let seen = pc.add(3) as *mut u32;
                        let target: MethodPtr = if id == *seen {
                            &*(*pc.add(2) as *const Method)
                        } else {
                            let wanted: MethodPtr = &*(*pc.add(1) as *const Method);
                            let key = (id as u64) << 32 | wanted.id as u64;
                            let slot = (id.wrapping_mul(31) ^ wanted.id) as usize & 4095;
                            let (cached, target) = *vm.interface_cache.get_unchecked(slot);
                            let target = if cached == key {
                                target.unwrap_unchecked()
                            } else {
                                let target = vm_try!(vm.select_interface_call(ClassId(id), wanted));
                                vm.interface_cache[slot] = (key, Some(target));
                                target
                            };
                            if *seen == 0 {
                                *seen = id;
                                *(pc.add(2) as *mut u64) = target as *const Method as u64;
                            }
                            target
                        };
                        enter!(target, fp.add(a!()), pc.add(4));
                    }
                    Op::InvokeLinked => {
                        if c!() != 0 {
                            null_check!(half!(a!()));
                        }
                        let mut target: MethodPtr = &*(*pc.add(1) as *const Method);
                        let appendix = *pc.add(2) as u32;
                        if appendix != 0 {
                            r!(a!() + b!()) = appendix as u64;
                        }
                        if c!() == 2 {
                            let behind = vm.behind_guard(Ref(half!(a!())), Ref(appendix));
                            target = behind.unwrap_or(target);
                        }
                        enter!(target, fp.add(a!()), pc.add(3));
                    }

                    Op::Arrive => {
                        pc = pc.add(1);
                        if !std::mem::take(&mut (*control).arrived) {
                            arrive!(method, (w >> 32) as u16 as i32);
                        }
                    }
                    Op::ArriveSync => {
                        pc = pc.add(1);
                        let header = fp.add(method.max_locals as usize);
                        let caller: MethodPtr = &*(*header.add(2) as *const Method);
                        if !is_program(caller) {
                            arrive!(method, 0);
                        }
                    }
                    Op::Translate => {
                        vm_try!(vm.translate_method(method));
                        if fp.add(method.frame_words.get() as usize) > limit && {
                            save!();
                            vm.stack_overflow(fp, method)
                        } {
                            // The frame below must throw, not this one, and at the call.
                            let header = fp.add(method.max_locals as usize);
                            pc = (*header as *const u64).wrapping_sub(1);
                            fp = *header.add(1) as *mut u64;
                            method = &*(*header.add(2) as *const Method);
                            budget -= ahead(method, pc);
                            save!();
                            break 'run Exit::Trap(stack_overflow());
                        }
                        if O::STOPS {
                            let header = method.max_locals as usize + FRAME_HEADER;
                            clear_frame(fp, header, method);
                        }
                        pc = method.code.get();
                        budget -= method.ahead.get();
                        poll!();
                    }
                    Op::EnterSync => {
                        let lock = sync_object(fp, method);
                        let noticed = !O::STOPS || !hidden!() && vm.lock_noticeable(lock, method);
                        let group = member!(lock);
                        if O::STOPS
                            && (noticed || group.is_some() || !hidden!() && vm.is_crossing(lock))
                        {
                            visible!(PendingOp::Lock(ObjectId(lock.0)));
                        }
                        vm_try!(vm.monitor_enter(lock));
                        looks_around!();
                        entered!(lock);
                        tell_member!(lock, group);
                        if noticed && vm.entered_anew(lock) {
                            observe!(
                                LOCK,
                                EventKind::Lock {
                                    object: ObjectId(lock.0)
                                }
                            );
                        }
                        pc = method.body.get().unwrap_unchecked().words.as_ptr();
                        budget -= ahead(method, pc);
                        poll!();
                    }
                    Op::EnterPrint => {
                        save!();
                        if let Some(stream) = vm.swallowing(method, |at| *fp.add(at)) {
                            let waits = vm.learned.holds_streams;
                            if waits {
                                if O::STOPS && !hidden!() {
                                    visible!(PendingOp::Lock(ObjectId(stream.0)));
                                }
                                vm_try!(vm.monitor_enter(stream));
                                if !hidden!() && vm.entered_anew(stream) {
                                    let object = ObjectId(stream.0);
                                    observe!(LOCK, EventKind::Lock { object });
                                }
                            }
                            if O::STOPS
                                && let Some(place) = vm.printed_place()
                            {
                                visible!(PendingOp::Write(place));
                                disturbed!();
                                observe!(WRITE, EventKind::Write { place, value: 0 });
                            }
                            if waits {
                                vm_try!(vm.monitor_exit(stream));
                                if !hidden!() && !vm.holds_lock(vm.current, stream) {
                                    let object = ObjectId(stream.0);
                                    observe!(UNLOCK, EventKind::Unlock { object });
                                }
                                unlocked!(stream, method);
                            }
                            observe!(
                                RETURN,
                                EventKind::Return {
                                    method: MethodId(method.id),
                                    value: 0
                                }
                            );
                            leave!(method.max_locals as usize);
                            returned!();
                        } else {
                            pc = method.body.get().unwrap_unchecked().words.as_ptr();
                            budget -= ahead(method, pc);
                        }
                        poll!();
                    }
                    Op::EnterHandler => {
                        if O::WANTS != EventMask::NONE {
                            save!();
                            vm.tell_exception(method, |at| *fp.add(at));
                            report_events(vm, observer);
                        }
                        pc = method.body.get().unwrap_unchecked().words.as_ptr();
                        budget -= ahead(method, pc);
                        poll!();
                    }
                    Op::NativeEnter => {
                        Frame::new(fp, method).clear();
                        pc = pc.add(1);
                        if method.is_synchronized() {
                            // Before the first phase; a blocked thread comes back here.
                            pc = pc.sub(1);
                            let lock = sync_object(fp, method);
                            vm_try!(vm.monitor_enter(lock));
                            entered!(lock);
                            pc = pc.add(1);
                        }
                    }
                    Op::Native => {
                        let function = match method.native.get() {
                            Some(function) => function,
                            None => vm_try!(vm.find_native(method)),
                        };
                        if O::STOPS && !hidden!() && vm.native_noticeable(Frame::new(fp, method)) {
                            visible!(PendingOp::Begin);
                        }
                        if O::STOPS && !method.pure.get() && (*control).round.pure {
                            (*control).round.pure = vm.fills_own(Frame::new(fp, method));
                        }
                        save!();
                        let answer = function(vm, Frame::new(fp, method));
                        if matches!(method.touches.get(), Touches::Files | Touches::Stream) {
                            vm.files_used(Frame::new(fp, method));
                        }
                        control = &mut vm.threads[thread].control;
                        if O::WANTS != EventMask::NONE {
                            report_events(vm, observer);
                        }
                        let value = match answer {
                            Ok(value) => value,
                            Err(trap) => break 'run Exit::Trap(trap),
                        };
                        observe!(
                            RETURN,
                            EventKind::Return {
                                method: MethodId(method.id),
                                value
                            }
                        );
                        if method.is_synchronized() {
                            vm_try!(vm.monitor_exit(sync_object(fp, method)));
                            left!(sync_object(fp, method));
                        }
                        if O::STOPS && fp as usize == (*control).hidden_from {
                            (*control).hidden_from = usize::MAX;
                        }
                        let header = fp.add(method.max_locals as usize);
                        let back = *header;
                        let caller = *header.add(2) as *const Method;
                        let up = *header.add(1) as *mut u64;
                        let initialized = O::STOPS
                            && back & EXACT != 0
                            && method == vm.stubs().initialize
                            && vm.has_initializer(vm.class(ClassId(*fp as u32)));
                        let left = fp as usize;
                        *fp = value;
                        pc = (back & !EXACT) as *const u64;
                        method = &*caller;
                        fp = up;
                        come_down!();
                        left_edge!(left);
                        if back & EXACT != 0 {
                            budget -= ahead(method, pc);
                        } else {
                            come_back!();
                        }
                        if initialized && let Some(body) = method.body.get() {
                            // The instruction that needed the class is come to again.
                            let bci = crate::frames::bci_at(method, pc);
                            if body.watched.has(bci as usize) {
                                arrive!(method, bci);
                            }
                        }
                        if !method.is_native() {
                            returned!();
                        }
                        poll!();
                    }
                    Op::InvokeBasic => {
                        let handle = Ref(*fp as u32);
                        null_check!(handle.0);
                        let target = vm.handle_target(handle);
                        tail_enter!(target)
                    }
                    Op::LinkToStatic
                    | Op::LinkToSpecial
                    | Op::LinkToVirtual
                    | Op::LinkToInterface => {
                        let last = method.arg_slots as usize - 1;
                        let member = Ref(r!(last) as u32);
                        null_check!(member.0);
                        let mut target = vm.member_target(member);
                        if op != Op::LinkToStatic {
                            let receiver = *fp as u32;
                            null_check!(receiver);
                            if op == Op::LinkToVirtual || op == Op::LinkToInterface {
                                let class = vm.class_of(Ref(receiver));
                                target = match op {
                                    Op::LinkToInterface => {
                                        vm_try!(vm.select_interface_call(class.id, target))
                                    }
                                    _ => vm.select(class, target).unwrap_or(target),
                                };
                            }
                        } else if !target.class.is_initialized() {
                            vm_try!(vm.ensure_initialized(target.class));
                        }
                        tail_enter!(target)
                    }
                    Op::Abstract => {
                        save!();
                        break 'run Exit::Trap(vm.abstract_call(method, Ref(*fp as u32)));
                    }
                    Op::ThreadEnd => stop!(RunEnd::ThreadEnd),
                    Op::Jsr => {
                        let body = method.body.get().unwrap_unchecked();
                        let here = pc.offset_from(body.words.as_ptr()) as u64;
                        r!(a!()) = here + 2;
                        let way = *pc.add(1);
                        budget += way as i64 >> 32;
                        pc = pc.offset(way as i32 as isize);
                        poll!();
                    }
                    Op::RetSub => {
                        let body = method.body.get().unwrap_unchecked();
                        pc = body.words.as_ptr().add(r!(a!()) as usize);
                        budget -= ahead(method, pc);
                        poll!();
                    }
                    Op::JmpFar => {
                        budget += *pc.add(1) as i64;
                        pc = pc.offset((w as i64 >> 32) as isize);
                        poll!();
                    }
                    Op::Break => {
                        vm.clear_break();
                        poll!();
                    }
                    Op::Nop => pc = pc.add(1),
                    Op::Move2 => {
                        r!(a!()) = r!(b!());
                        r!(a!() + 1) = r!(c!());
                        pc = pc.add(1);
                    }
                    Op::IncJLe => {
                        let next = int!(a!()).wrapping_add(1);
                        r!(a!()) = next as u32 as u64;
                        branch!(next <= int!(b!()))
                    }
                    Op::IncJLtI => {
                        let next = int!(a!()).wrapping_add(1);
                        r!(a!()) = next as u32 as u64;
                        branch!(next < b!() as i16 as i32)
                    }
                    Op::DecJGeI => {
                        let next = int!(a!()).wrapping_sub(1);
                        r!(a!()) = next as u32 as u64;
                        branch!(next >= b!() as i16 as i32)
                    }
                }
            };
            let trap = match exit {
                Exit::Poll => continue,
                Exit::Log => {
                    vm.logged = log_written(&mut vm.heap, pc, fp);
                    continue;
                }
                Exit::Trap(trap) => trap,
                failed => {
                    save!();
                    let register = |n: usize| *fp.add(*pc.cast::<u16>().add(n) as usize) as u32;
                    match failed {
                        Exit::Null => null_pointer(),
                        Exit::Bounds => {
                            let length = base.add((register(2) as usize) << 3).add(LENGTH as usize);
                            out_of_bounds(register(3) as i32, length.cast::<i32>().read())
                        }
                        Exit::Zero => division_by_zero(),
                        Exit::Overflow => stack_overflow(),
                        Exit::Memory => out_of_memory(),
                        _ => Box::new(Trap::Throw(Ref(register(1)))),
                    }
                }
            };
            if O::WANTS.has(EventMask::THROW)
                && wanted.has(EventMask::THROW)
                && let Trap::Throw(exception) = *trap
            {
                vm.emit(EventKind::Throw {
                    exception: ObjectId(exception.0),
                });
                report_events(vm, observer);
            }
            // An instruction that throws is done, too, or an exception could be thrown and
            // caught for ever.
            let thrown = matches!(*trap, Trap::Throw(_)) as i64;
            let left = budget + ahead((*control).method, (*control).pc) - thrown;
            vm.clear_break();
            match vm.handle_trap(*trap) {
                Next::Continue => {
                    load!();
                    budget = left - ahead(method, pc);
                }
                Next::End(end) => return (end, left),
            }
        }
    }
}

/// Keeps the compiler from merging the way to the next instruction with those of others:
/// each gets a jump of its own (see `.cargo/config.toml`), which is predicted better.
#[inline(always)]
fn apart() {
    // SAFETY: no instruction at all.
    unsafe { std::arch::asm!("", options(nomem, nostack, preserves_flags)) };
}

/// The same pointer, but the compiler does not know: or it would compute, for every
/// instruction, what only those of two words need.
#[inline(always)]
#[allow(clippy::pointers_in_nomem_asm_block)] // nothing is read through it
fn opaque(mut pc: *const u64) -> *const u64 {
    // SAFETY: no instruction, only a mention of the register.
    unsafe {
        std::arch::asm!("/* {0} */", inout(reg) pc, options(pure, nomem, nostack, preserves_flags));
    }
    pc
}

/// Logs what the instruction at `pc` is about to write to. Whether its barrier will not
/// notice: large objects stay old, and the last line of an array is not looked up.
#[cold]
unsafe fn log_written(heap: &mut Heap, pc: *const u64, fp: *const u64) -> bool {
    // SAFETY: fields of an instruction that name registers of its frame.
    let register = |n: usize| unsafe { *fp.add(*pc.cast::<u16>().add(n) as usize) as u32 };
    // SAFETY: an instruction.
    let word = unsafe { *pc };
    let shift = match op_of(word) {
        Op::AStoreB => Some(0),
        Op::AStoreC => Some(1),
        Op::AStoreW | Op::AStoreA => Some(2),
        Op::AStoreL => Some(3),
        _ => None,
    };
    let (object, offset) = match op_of(word) {
        Op::PutStB | Op::PutStZ | Op::PutStC | Op::PutStW | Op::PutStL | Op::PutStA => {
            // SAFETY: these have another word.
            let place = unsafe { *pc.add(1) };
            (Ref(place as u32), place >> 32)
        }
        _ => match shift {
            Some(shift) => {
                let index = register(3) as u64;
                (Ref(register(2)), ELEMENTS + (index << shift))
            }
            None => (Ref(register(2)), word >> 48),
        },
    };
    heap.log_object(object, offset, 1);
    let logged = shift.is_some_and(|shift| {
        let bytes = (heap.get::<u32>(object, LENGTH) as u64) << shift;
        heap.line_logged(object, bytes, offset)
    });
    heap.get::<u32>(object, EPOCH) < heap.mark_epoch && !logged
}

/// Hands on what natives and loading have reported.
#[inline(always)]
fn report_events<O: Observer>(vm: &mut Vm, observer: &mut O) {
    if !vm.events.is_empty() {
        hand_on_events(vm, observer);
    }
}

#[cold]
fn hand_on_events<O: Observer>(vm: &mut Vm, observer: &mut O) {
    let mut events = std::mem::take(&mut vm.events);
    for event in &events {
        observer.event(event, vm);
    }
    // Those who watch make no events: the list is used again.
    events.clear();
    vm.events = events;
}

/// Empties a frame from its `from`th word on. What is left there from earlier calls, of this
/// path or another one, must not be taken for state: loops are recognized and states are
/// matched by what is on the stack.
///
/// # Safety
///
/// The frame is one of `method`'s, inside the stack of its thread.
#[inline(always)]
pub unsafe fn clear_frame(at: *mut u64, from: usize, method: MethodPtr) {
    let words = method.frame_words.get() as usize;
    // SAFETY: the caller's.
    unsafe { at.add(from).write_bytes(0, words - from) };
}

fn field_of(object: u32, offset: usize) -> Place {
    Place::Field {
        object: ObjectId(object),
        offset: offset as u32,
    }
}

fn element_of(array: u32, index: u32) -> Place {
    Place::Element {
        array: ObjectId(array),
        index,
    }
}

/// How an invokevirtual is to be run.
pub enum VirtualCall {
    /// Final or private: no dispatch.
    Direct(MethodPtr),
    /// Index in the vtable of the class named.
    Table(u16, ClassPtr),
    /// Signature-polymorphic, linked: adapter and appendix.
    Linked(MethodPtr, Ref),
}

/// How an invokeinterface is to be run.
pub enum InterfaceCall {
    Interface(MethodPtr),
    /// One of Object's methods.
    Object(MethodPtr),
}

/// What a synchronized method locks.
unsafe fn sync_object(fp: *mut u64, method: MethodPtr) -> Ref {
    if method.is_static() {
        method.class.mirror.get()
    } else {
        // SAFETY: the receiver is local 0.
        Ref(unsafe { *fp } as u32)
    }
}

fn get_op(basic: crate::class::Basic) -> Op {
    use crate::class::Basic::*;
    match basic {
        Boolean => Op::GetZ,
        Byte => Op::GetB,
        Char => Op::GetC,
        Short => Op::GetS,
        Long | Double => Op::GetL,
        _ => Op::GetW,
    }
}

fn put_op(basic: crate::class::Basic) -> Op {
    use crate::class::Basic::*;
    match basic {
        Boolean => Op::PutZ,
        Byte => Op::PutB,
        Char | Short => Op::PutC,
        Long | Double => Op::PutL,
        Reference => Op::PutA,
        _ => Op::PutW,
    }
}

fn get_static_op(basic: crate::class::Basic) -> Op {
    use crate::class::Basic::*;
    match basic {
        Boolean => Op::GetStZ,
        Byte => Op::GetStB,
        Char => Op::GetStC,
        Short => Op::GetStS,
        Long | Double => Op::GetStL,
        _ => Op::GetStW,
    }
}

fn put_static_op(basic: crate::class::Basic) -> Op {
    use crate::class::Basic::*;
    match basic {
        Boolean => Op::PutStZ,
        Byte => Op::PutStB,
        Char | Short => Op::PutStC,
        Long | Double => Op::PutStL,
        Reference => Op::PutStA,
        _ => Op::PutStW,
    }
}

fn new_trap(class: &'static str, message: Option<String>) -> Box<Trap> {
    Box::new(Trap::ThrowNew {
        class,
        message,
        cause: Ref::NULL,
    })
}

#[cold]
fn null_pointer() -> Box<Trap> {
    new_trap("java/lang/NullPointerException", None)
}
#[cold]
fn out_of_bounds(index: i32, length: i32) -> Box<Trap> {
    let message = format!("Index {index} out of bounds for length {length}");
    new_trap("java/lang/ArrayIndexOutOfBoundsException", Some(message))
}
#[cold]
fn division_by_zero() -> Box<Trap> {
    new_trap("java/lang/ArithmeticException", Some("/ by zero".into()))
}
#[cold]
fn stack_overflow() -> Box<Trap> {
    new_trap("java/lang/StackOverflowError", None)
}
#[cold]
fn out_of_memory() -> Box<Trap> {
    new_trap("java/lang/OutOfMemoryError", Some("Java heap space".into()))
}
