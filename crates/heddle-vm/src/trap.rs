//! What happens when an instruction or native could not finish: frames are pushed
//! for the Java code it needs, exceptions find their handler, threads stop.

use crate::class::{ClassPtr, Method, MethodPtr};
use crate::frames::{EXACT, bci_at};
use crate::heap::{ClassId, Ref};
use crate::interp::{Next, RunEnd, clear_frame};
use crate::make_class::NATIVE;
use crate::native::{Frame, Trap};
use crate::places::is_program;
use crate::thread::{Control, ThreadId, ThreadState};
use crate::vm::Vm;
use heddle_model::{OpMask, Pause};

impl Vm {
    /// Does what a trap of the running thread asks for. The thread's position was saved
    /// at the instruction that trapped.
    #[cold]
    #[inline(never)]
    pub fn handle_trap(&mut self, trap: Trap) -> Next {
        let stubs = self.stubs();
        match trap {
            Trap::Throw(exception) => self.unwind(exception),
            Trap::ThrowNew {
                class,
                message,
                cause,
            } => {
                if class == "java/lang/OutOfMemoryError" {
                    self.heap.grant_reserve();
                }
                let name = self.symbol(class);
                let message = match message {
                    None => Ref::NULL,
                    Some(text) => match self.new_string(&text) {
                        Ok(string) => string,
                        Err(_) => Ref::NULL,
                    },
                };
                self.push_exact(
                    stubs.throw,
                    &[name.0 as u64, message.0 as u64, cause.0 as u64],
                )
            }
            Trap::Load { loader, name, wrap } => {
                self.push_exact(stubs.load, &[loader.0 as u64, name.0 as u64, wrap as u64])
            }
            Trap::Init(class) => self.push_exact(stubs.initialize, &[class.id.0 as u64, 0]),
            Trap::Call {
                method,
                args,
                catch,
            } => self.push_call(method, &args, catch),
            Trap::TailCall { method, args } => self.replace_frame(method, &args),
            Trap::Block | Trap::Yield => Next::End(RunEnd::Blocked),
            Trap::Pause(pause) => {
                self.pause = pause;
                Next::End(RunEnd::Paused)
            }
            Trap::Unsupported(what) => Next::End(RunEnd::Unsupported(what)),
            Trap::Exit(code) => {
                // As the kernel does: what was stored in mapped files is kept. A file that
                // cannot be written any more has nobody left to be told.
                let _ = self.flush_maps();
                self.globals.exit = Some(code);
                Next::End(RunEnd::Exit(code))
            }
            Trap::ThreadEnd => {
                let id = self.current;
                self.emit(heddle_model::EventKind::ThreadEnd);
                self.end_thread(id);
                Next::End(RunEnd::ThreadEnd)
            }
        }
    }

    fn control(&mut self) -> &mut Control {
        &mut self.running().control
    }

    /// Pushes a frame above the present one; when it returns, the present instruction is
    /// run again.
    fn push_exact(&mut self, method: MethodPtr, args: &[u64]) -> Next {
        let c = self.control();
        let (pc, fp, caller) = (c.pc, c.fp, c.method);
        // SAFETY: the end of the present frame; the check below leaves room.
        let at = unsafe { fp.add(caller.frame_words.get() as usize) };
        self.push(method, args, at, pc as u64 | EXACT)
    }

    /// Pushes a frame for Java code that a native calls (or, from an instruction, a stub).
    fn push_call(&mut self, method: MethodPtr, args: &[u64], catch: bool) -> Next {
        let c = self.control();
        let (fp, caller) = (c.fp, c.method);
        if !caller.is_native() {
            return self.push_exact(method, args);
        }
        // SAFETY: the running frame is a native's.
        let frame = unsafe { Frame::new(fp, caller) };
        frame.set_catches(catch);
        self.push(
            method,
            args,
            frame.outgoing(),
            &NATIVE[1] as *const u64 as u64,
        )
    }

    fn replace_frame(&mut self, method: MethodPtr, args: &[u64]) -> Next {
        let c = self.control();
        let (fp, old) = (c.fp, c.method);
        if c.hidden_from == fp as usize {
            c.hidden_from = usize::MAX;
        }
        // SAFETY: the header of a live frame.
        unsafe {
            let header = fp.add(old.max_locals as usize);
            let back = *header;
            c.fp = *header.add(1) as *mut u64;
            c.method = &*(*header.add(2) as *const Method);
            self.push(method, args, fp, back)
        }
    }

    fn push(&mut self, method: MethodPtr, args: &[u64], at: *mut u64, back: u64) -> Next {
        let thread = self.running();
        let (limit, hard) = (thread.stack.limit(), thread.stack.hard_limit());
        let end = at.wrapping_add(method.frame_words.get() as usize + 16);
        if end > limit && (end > hard || !self.near_throw()) {
            if end > hard {
                panic!("heddle internal error: the stack reserve is used up");
            }
            if !method.flags.vm_stub {
                // The native that calls gets the error.
                return self.handle_trap(Trap::ThrowNew {
                    class: "java/lang/StackOverflowError",
                    message: None,
                    cause: Ref::NULL,
                });
            }
        }
        let hides = self.heap.tracking && method.flags.vm_stub && self.works_for_vm(method, args);
        let c = self.control();
        if hides && c.hidden_from == usize::MAX {
            c.hidden_from = at as usize;
        }
        if method.flags.own {
            // What it does is no part of the call into the library.
            c.enter_program(at);
        }
        debug_assert_eq!(args.len(), method.arg_slots as usize, "arguments of a call");
        // SAFETY: the frame ends before the hard limit of the stack.
        unsafe {
            clear_frame(at, 0, method);
            for (i, &arg) in args.iter().enumerate() {
                *at.add(i) = arg;
            }
            let header = at.add(method.max_locals as usize);
            *header = back;
            *header.add(1) = c.fp as u64;
            *header.add(2) = c.method as *const Method as u64;
        }
        c.fp = at;
        c.method = method;
        c.pc = method.code.get();
        Next::Continue
    }

    /// Whether a stub does something that no program can tell: which thread loads a class,
    /// links a call or initializes a class of the library.
    fn works_for_vm(&self, stub: MethodPtr, args: &[u64]) -> bool {
        let stubs = self.stubs();
        if stub == stubs.initialize {
            return self.class(ClassId(args[0] as u32)).flags.is_library();
        }
        stub != stubs.throw && stub != stubs.thread && stub != stubs.main && stub != stubs.signal
    }

    /// Whether one of the innermost frames is about to throw: it may use the reserve.
    fn near_throw(&mut self) -> bool {
        let throw = self.stubs().throw;
        self.running().frames().take(24).any(|f| f.method == throw)
    }

    /// Whether a frame of `method` at `at` really does not fit; the position was saved.
    #[cold]
    pub fn stack_overflow(&mut self, at: *mut u64, method: MethodPtr) -> bool {
        let hard = self.running().stack.hard_limit();
        let end = at.wrapping_add(method.frame_words.get() as usize);
        end > hard || !self.near_throw()
    }

    /// Finds the handler of an exception, popping frames.
    fn unwind(&mut self, exception: Ref) -> Next {
        let class = self.class_of(exception);
        let mut first = true;
        // Where the program was left, and whether it gave a monitor back on the way.
        let (mut left, mut released) = (None, false);
        // Whether a frame whose end matters to threads of the library was left (`edge.rs`).
        let mut edge = false;
        loop {
            let c = self.control();
            let (fp, method) = (c.fp, c.method);
            let mut pc = c.pc;
            // Below the innermost frame, pcs are saved ones.
            if !first {
                pc = if pc as u64 & EXACT != 0 {
                    (pc as u64 & !EXACT) as *const u64
                } else {
                    pc.wrapping_sub(1)
                };
            }
            if is_program(method) {
                left = left.or_else(|| Some((method, bci_at(method, pc))));
            }
            let left = left.filter(|_| released);
            if method.is_native() {
                // SAFETY: the running frame is a native's.
                let frame = unsafe { Frame::new(fp, method) };
                if frame.catches() {
                    frame.set_catches(false);
                    frame.set_exception(exception);
                    self.control().pc = &NATIVE[1];
                    return self.caught(method, left, edge);
                }
                if method.is_synchronized() {
                    let lock = self.locked_by(fp, method);
                    let _ = self.monitor_exit(lock);
                    let crosses = self.is_library_lock(lock);
                    self.control().leave_monitor(crosses);
                }
            } else if let Some(body) = method.body.get() {
                let word = (pc as usize).wrapping_sub(body.words.as_ptr() as usize) / 8;
                let inside = word < body.words.len();
                if inside {
                    let word = word as u32;
                    for handler in body.handlers.iter() {
                        if handler.start <= word
                            && word < handler.end
                            && (handler.catch_type == 0
                                || self.catches(method.class, handler.catch_type, class))
                        {
                            // SAFETY: a register of the frame and a word of the body.
                            unsafe {
                                *fp.add(handler.register as usize) = exception.0 as u64;
                                let target = body.words.as_ptr().add(handler.target as usize);
                                self.control().pc = target;
                            }
                            return self.caught(method, left, edge);
                        }
                    }
                    if method.is_synchronized() {
                        let lock = self.locked_by(fp, method);
                        if self.monitor_exit(lock).is_ok() {
                            let crosses = self.is_library_lock(lock);
                            self.control().leave_monitor(crosses);
                            released |= is_program(method);
                            self.emit_unlock(lock, method);
                        }
                    }
                }
            }
            // SAFETY: the header of a live frame; the bottom frame is a stub that catches.
            unsafe {
                let header = fp.add(method.max_locals as usize);
                let c = self.control();
                if c.hidden_from == fp as usize {
                    c.hidden_from = usize::MAX;
                }
                assert!(
                    *header.add(1) != 0,
                    "heddle internal error: exception leaves a thread"
                );
                c.pc = *header as *const u64;
                c.fp = *header.add(1) as *mut u64;
                c.method = &*(*header.add(2) as *const Method);
                if c.edge.frame == fp as usize {
                    c.move_edge(c.fp, c.method);
                    edge = true;
                }
            }
            first = false;
        }
    }

    /// A handler in `method` was found. Back in the program's code, a call into trusted
    /// code is over, and an atomic block if a monitor was given back on the way. In the
    /// library, if a synchronized method of the program was left, the thread has come again
    /// to the bytecode (`left`) that threw.
    fn caught(&mut self, method: MethodPtr, left: Option<(MethodPtr, i32)>, edge: bool) -> Next {
        if method.flags.trusted {
            if edge && !method.flags.vm_stub {
                self.control().end_operation(method);
            }
            return match left {
                Some((method, bci)) => self.arrive_again(method, bci),
                None => Next::Continue,
            };
        }
        let control = self.control();
        control.back_in_program();
        let released = std::mem::take(&mut control.released);
        if released && self.stops.has(OpMask::BLOCK_END) && self.globals.live > 1 {
            self.pause = Pause::BlockEnd;
            return Next::End(RunEnd::Paused);
        }
        Next::Continue
    }

    fn locked_by(&self, fp: *mut u64, method: MethodPtr) -> Ref {
        if method.is_static() {
            return method.class.mirror.get();
        }
        // SAFETY: the receiver of a live frame.
        Ref(unsafe { *fp } as u32)
    }

    /// Whether a handler for pool class `index` takes an exception of class `thrown`. A
    /// class that is not loaded cannot be a superclass of the exception's, so nothing is
    /// loaded here; the name decides where the loader has not been asked yet.
    fn catches(&mut self, class: ClassPtr, index: u16, thrown: ClassPtr) -> bool {
        let file = class
            .file
            .as_ref()
            .expect("heddle internal error: class without file");
        let name = self.symbols.intern(file.pool.class_name(index));
        if let Some(found) = self.dictionary.get(&(class.loader, name)) {
            return thrown.is_subtype_of(found);
        }
        thrown.chain.iter().any(|c| c.name == name)
    }

    /// A thread's last frame is gone.
    pub fn end_thread(&mut self, id: ThreadId) {
        self.touch_thread(id);
        if !self.thread(id).system {
            self.globals.live -= 1;
        }
        let region = self.thread(id).control.region;
        self.heap.close_region(&region);
        let thread = self.thread_mut(id);
        thread.control.state = ThreadState::Dead;
        thread.control.fp = std::ptr::null_mut();
        // The initial thread may have waited for this one.
        let initial = ThreadId(0);
        if self.thread(initial).control.state == ThreadState::Draining
            && !self.others_keep_it_alive(initial)
        {
            self.touch_thread(initial);
            self.thread_mut(initial).control.state = ThreadState::Runnable;
        }
    }
}
