//! The machine that a search sees: run to a choice, list the options, take one.

use crate::class::Touches;
use crate::frames::bci_at;
use crate::heap::Ref;
use crate::interp::RunEnd;
use crate::thread::{ThreadId, ThreadState, Wake};
use crate::vm::Vm;
use crate::places::is_program;
use heddle_model::schedule::record::Stands;
use heddle_model::schedule::{CodePlace, MethodName};
use heddle_model::{
    Choice, ChoicePoint, End, Event, EventKind, Frame, Machine, MethodId, ObjectId, Observer,
    OpMask, Pause, PendingOp, Pick, Place, Site, Step, Stop, ThreadPath, ThreadView, View,
};

impl Vm {
    /// Reports an event from a native or another place off the hot path.
    pub fn emit(&mut self, kind: EventKind) {
        if self.wanted.has(kind.mask()) {
            let control = &self.thread(self.current).control;
            let bci = bci_at(control.method, control.pc);
            // A native's event belongs to the Java code that called it.
            let mut site = Site {
                method: MethodId(control.method.id),
                bci,
            };
            let calling = self
                .thread(self.current)
                .frames()
                .find(|f| !f.method.is_native());
            if let Some(frame) = calling {
                site = Site {
                    method: MethodId(frame.method.id),
                    bci: frame.bci,
                };
            }
            self.events.push(Event {
                thread: self.current,
                site,
                kind,
            });
        }
    }

    /// Reports that a thread ends by an exception; the site is where the program threw it.
    pub fn emit_uncaught(&mut self, exception: Ref) {
        let kind = EventKind::Uncaught {
            exception: ObjectId(exception.0),
        };
        if !self.wanted.has(kind.mask()) {
            return;
        }
        let frames = self.backtrace(exception).map_or(Vec::new(), |(_, f)| f);
        let thrown = frames
            .iter()
            .find(|(m, _)| !m.class.flags.trusted)
            .or(frames.first());
        let (method, bci) = thrown.copied().unwrap_or((self.stubs().thread, -1));
        let site = Site {
            method: MethodId(method.id),
            bci,
        };
        let thread = self.current;
        self.events.push(Event { thread, site, kind });
    }

    /// The call into trusted code that the running thread is in, as an operation: the
    /// method that the innermost frame of the program called.
    pub fn trusted_call(&mut self) -> PendingOp {
        let mut callee = self.running().control.method;
        for frame in self.running().frames() {
            if !frame.method.class.flags.trusted {
                break;
            }
            if !frame.method.flags.vm_stub {
                callee = frame.method;
            }
        }
        PendingOp::Call(MethodId(callee.id))
    }

    /// Whether a native method is about to do something that other threads can notice.
    pub fn native_noticeable(&self, f: crate::native::Frame) -> bool {
        let shared = |obj: Ref| !obj.is_null() && self.heap.is_shared(obj);
        match f.method().touches.get() {
            Touches::Nothing => false,
            Touches::Always => true,
            Touches::Slot1 => shared(f.reference(1)),
            Touches::Slots02 => shared(f.reference(0)) || shared(f.reference(2)),
        }
    }

    /// Where a thread is: its innermost frame.
    fn stands_in(&self, thread: ThreadId) -> Site {
        let mut frames = self.threads[thread.0 as usize].frames();
        let frame = frames.find(|f| !f.method.flags.vm_stub);
        let (method, bci) = frame.map_or((self.stubs().thread, -1), |f| (f.method, f.bci));
        Site {
            method: MethodId(method.id),
            bci,
        }
    }

    /// How a run of the current thread ends that does nothing.
    fn present_end(&self) -> RunEnd {
        match self.threads[self.current.0 as usize].control.state {
            ThreadState::Runnable => RunEnd::Slice,
            ThreadState::Dead => RunEnd::ThreadEnd,
            _ => RunEnd::Blocked,
        }
    }

    /// What can happen next, in a fixed order: threads by number; if none can run, the
    /// waits that end first; if a schedule is followed, every wait. The library's own
    /// threads have no part in it.
    fn options(&self) -> Vec<Choice> {
        let program = self
            .runnable()
            .filter(|t| !self.threads[t.0 as usize].system);
        let mut options: Vec<Choice> = program.map(Choice::Run).collect();
        if self.stops.has(OpMask::GUIDED) {
            let program = self.threads.iter().filter(|t| !t.system);
            for thread in program {
                if thread.deadline().is_some() {
                    options.push(Choice::Timeout(thread.id));
                }
                if thread.waits_for_others() {
                    options.push(Choice::Spurious(thread.id));
                }
            }
            options.push(Choice::Stay(self.current));
        } else if options.is_empty()
            && let Some(first) = self.next_deadline()
        {
            let due = self
                .threads
                .iter()
                .filter(|t| !t.system && t.deadline() == Some(first));
            options.extend(due.map(|t| Choice::Timeout(t.id)));
        }
        options
    }
}

impl Machine for Vm {
    fn run<O: Observer>(&mut self, stops: OpMask, observer: &mut O) -> Stop {
        self.stops = stops;
        let end = match stops.has(OpMask::AT_ONCE) {
            true => self.present_end(),
            false => self.run_thread(self.options.slice as i64, observer),
        };
        match end {
            RunEnd::Exit(code) => return Stop::Ended(End::Exited(code)),
            RunEnd::Unsupported(what) => return Stop::Unsupported(what),
            RunEnd::Slice | RunEnd::Blocked | RunEnd::ThreadEnd | RunEnd::Paused => {}
        }
        if !stops.has(OpMask::GUIDED) {
            for thread in self.expire() {
                let kind = EventKind::TimeUp;
                if self.wanted.has(kind.mask()) {
                    let site = self.stands_in(thread);
                    observer.event(&Event { thread, site, kind }, self);
                }
            }
        }
        self.pause = match end {
            RunEnd::ThreadEnd => Pause::ThreadEnd,
            RunEnd::Blocked => match self.thread(self.current).control.state {
                ThreadState::Blocked(on) => Pause::Blocked(ObjectId(on.0)),
                _ => Pause::Waiting,
            },
            RunEnd::Paused => self.pause,
            _ => Pause::Slice,
        };
        self.choices = match self.pause {
            Pause::Notify(on) => self
                .waiters(Ref(on.0))
                .iter()
                .map(|t| Choice::Wake(*t))
                .collect(),
            _ => self.options(),
        };
        if self.choices.is_empty() {
            Stop::Ended(End::Stuck)
        } else {
            Stop::Choice
        }
    }

    fn point(&self) -> ChoicePoint<'_> {
        ChoicePoint {
            by: self.current,
            pause: self.pause,
            options: &self.choices,
        }
    }

    fn work(&self) -> u64 {
        self.work
    }

    fn take(&mut self, pick: Pick) -> Step {
        let before = self.current;
        let thread = match self.choices[pick.0] {
            Choice::Stay(thread) => {
                return Step {
                    thread,
                    switched: false,
                };
            }
            Choice::Run(thread) => {
                self.touch_thread(thread);
                thread
            }
            Choice::Wake(thread) => {
                self.touch_thread(before);
                self.thread_mut(before).control.chosen = Some(thread);
                before
            }
            Choice::Spurious(thread) => {
                self.wake(thread, Wake::Spurious);
                thread
            }
            Choice::Timeout(thread) => {
                if let Some(deadline) = self.thread(thread).deadline() {
                    self.globals.clock = self.globals.clock.max(deadline);
                }
                self.wake(thread, Wake::TimedOut);
                thread
            }
        };
        // A thread that stopped before an operation may do it now.
        self.thread_mut(thread).control.granted = true;
        self.current = thread;
        Step {
            thread,
            switched: thread != before,
        }
    }
}

impl View for Vm {
    fn thread_count(&self) -> usize {
        self.threads.len()
    }

    fn thread(&self, id: ThreadId) -> ThreadView {
        let thread = &self.threads[id.0 as usize];
        let name = match thread.object {
            Ref::NULL => Ref::NULL,
            object => self.heap.get_ref(object, self.known.thread_name),
        };
        let (state, waits_for) = match thread.control.state {
            ThreadState::Blocked(on) => ("BLOCKED", Some(on)),
            ThreadState::Waiting { on, deadline: None } => ("WAITING", Some(on)),
            ThreadState::Waiting { on, .. } => ("TIMED_WAITING", Some(on)),
            ThreadState::Parked { deadline: None } => ("WAITING", None),
            ThreadState::Parked { .. } | ThreadState::Sleeping { .. } => ("TIMED_WAITING", None),
            // The initial thread is over for the program when `main` is.
            ThreadState::Dead | ThreadState::Draining => ("TERMINATED", None),
            _ => ("RUNNABLE", None),
        };
        ThreadView {
            id,
            path: ThreadPath(thread.path.clone().into()),
            name: if name.is_null() {
                format!("thread {}", id.0)
            } else {
                self.string(name)
            },
            daemon: thread.daemon,
            state,
            waits_for: waits_for.map(|on| ObjectId(on.0)),
        }
    }

    fn stack(&self, id: ThreadId) -> Vec<Site> {
        let frames = self.java_frames(id);
        let shown = frames.iter().filter(|f| !f.method.flags.hidden);
        shown
            .map(|f| Site {
                method: MethodId(f.method.id),
                bci: f.bci,
            })
            .collect()
    }

    fn frame(&self, site: Site) -> Frame {
        let method = self.methods[site.method.0 as usize];
        let file = method.class.file.as_ref();
        let source = file.and_then(|f| f.source_file.map(|i| f.pool.utf8(i)));
        Frame {
            class: self.external_name(method.class),
            method: self.text(method.name),
            file: source.map(|s| String::from_utf8_lossy(s).into_owned()),
            line: self.line(method, site.bci).map(u32::from),
        }
    }

    fn class_of(&self, object: ObjectId) -> String {
        self.external_name(self.class(self.heap.class_of(Ref(object.0))))
    }

    fn owner(&self, object: ObjectId) -> Option<ThreadId> {
        self.monitor_owner(Ref(object.0)).map(|(owner, _)| owner)
    }

    fn object_name(&self, object: ObjectId) -> String {
        self.object_text(Ref(object.0))
    }

    fn value_text(&self, place: Place, value: u64) -> String {
        self.value_in(place, value)
    }

    fn place_name(&self, place: Place) -> String {
        self.place_text(place)
    }

    fn is_volatile(&self, place: Place) -> bool {
        self.is_volatile_place(place)
    }

    fn trusted(&self, method: MethodId) -> bool {
        self.methods[method.0 as usize].class.flags.trusted
    }

    fn stands(&self, thread: ThreadId) -> Stands {
        let control = &self.threads[thread.0 as usize].control;
        match control.state {
            ThreadState::Dead | ThreadState::Draining => Stands::Ended,
            ThreadState::Runnable => Stands::Before,
            // Its own `monitorenter`, or its call of a synchronized method.
            ThreadState::Blocked(_) if is_program(control.method) => Stands::Before,
            _ => Stands::In,
        }
    }

    fn thread_number(&self, thread: ThreadId) -> Option<u32> {
        self.creation_number(thread)
    }

    fn code_place(&self, site: Site) -> CodePlace {
        let method = self.methods[site.method.0 as usize];
        let descriptor = Some(self.text(method.desc));
        CodePlace {
            class: self.external_name(method.class),
            method: MethodName::Named {
                name: self.text(method.name),
                descriptor,
            },
            index: u16::try_from(site.bci).unwrap_or(0),
        }
    }

    fn code_digest(&self, method: MethodId) -> Option<String> {
        let method = self.methods[method.0 as usize];
        let file = method.class.file.as_ref()?;
        file.code_digest(method.info()?)
    }

    fn parked_on(&self, thread: ThreadId) -> Option<ObjectId> {
        self.park_blocker(thread).map(|object| ObjectId(object.0))
    }

    fn synchronizer_owner(&self, object: ObjectId) -> Option<ThreadId> {
        self.exclusive_owner(Ref(object.0))
    }

    fn thread_of(&self, object: ObjectId) -> Option<ThreadId> {
        self.thread_with(Ref(object.0))
    }

    fn instance_of(&self, object: ObjectId, class: &str) -> bool {
        self.is_instance_named(Ref(object.0), class)
    }

    fn exception_text(&self, exception: ObjectId) -> String {
        self.exception_text_of(Ref(exception.0))
    }
}
