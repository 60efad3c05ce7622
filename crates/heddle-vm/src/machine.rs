//! The machine that a search sees: run to a choice, list the options, take one.

use crate::census::Census;
use crate::class::{InitState, MethodPtr, access};
use crate::frames::bci_at;
use crate::heap::Ref;
use crate::interp::RunEnd;
use crate::places::{Places, is_program};
use crate::thread::{Awaits, ThreadId, ThreadState, Wake};
use crate::vm::Vm;
use heddle_model::schedule::record::Stands;
use heddle_model::schedule::{CodePlace, MethodName};
use heddle_model::{
    Awaited, Choice, ChoicePoint, Datum, End, Event, EventKind, EventMask, FieldName, Frame,
    GateField, InvariantResult, Link, Machine, MethodId, MutexField, ObjectId, Observer, OpMask,
    OwnFrame, Pause, Pick, Place, Site, Step, Stop, Supposed, ThreadPath, ThreadView, View,
};

impl Vm {
    /// Reports an event from a native or another place off the hot path.
    pub fn emit(&mut self, kind: EventKind) {
        self.emit_all([kind], false);
    }

    /// An access that orders more than itself: see [`Event::orders`].
    pub fn emit_ordering(&mut self, kind: EventKind) {
        self.emit_all([kind], true);
    }

    /// The same for events of one moment: where that is has to be looked up, once for all.
    pub fn emit_all<const N: usize>(&mut self, kinds: [EventKind; N], orders: bool) {
        let mut site = None;
        for kind in kinds {
            if self.wanted.has(kind.mask()) && !self.hides(&kind) {
                let site = *site.get_or_insert_with(|| self.present_site());
                self.events.push(Event {
                    thread: self.current,
                    site,
                    kind,
                    orders,
                });
            }
        }
    }

    /// Where the running thread is. A native's events belong to the Java code that called it.
    fn present_site(&self) -> Site {
        let thread = self.thread(self.current);
        let calling = thread.frames().find(|f| !f.method.is_native());
        let (method, bci) = match calling {
            Some(frame) => (frame.method, frame.bci()),
            None => (
                thread.control.method,
                bci_at(thread.control.method, thread.control.pc),
            ),
        };
        let method = MethodId(method.id);
        Site { method, bci }
    }

    /// Whether all threads of the program have ended, and the initial one can shut it down. If it
    /// has waited for shutdown hooks, that is a step of its own: daemons may still be there, and
    /// whether they are must not make a difference.
    fn nobody_is_left(&self) -> bool {
        let initial = &self.threads[0];
        let runs_hooks = self
            .heap
            .get::<u64>(initial.object, self.known.thread_eetop)
            != 0;
        self.globals.live == 0 && initial.can_run() && !runs_hooks && !self.ends_with_hooks()
    }

    /// Whether the running thread does something for the VM that no program can tell.
    fn hides(&self, kind: &EventKind) -> bool {
        let control = &self.thread(self.current).control;
        let hidden = control.fp as usize >= control.hidden_from;
        hidden
            && control.method.flags.trusted
            && !matches!(kind, EventKind::ThreadStart { .. } | EventKind::ThreadEnd)
    }

    /// Reports that a synchronized method, left by an exception, has given its monitor
    /// back, which ends an atomic block.
    pub fn emit_unlock(&mut self, lock: Ref, method: MethodPtr) {
        let seen = !method.flags.trusted || self.heap.is_shared(lock);
        if seen && !self.holds_lock(self.current, lock) {
            self.running().control.released = true;
            self.emit(EventKind::Unlock {
                object: ObjectId(lock.0),
            });
        }
    }

    /// Reports an exception that nobody catches; the site is where the program threw it.
    pub fn emit_uncaught(&mut self, exception: Ref, handled: bool) {
        if !self.wanted.has(EventMask::UNCAUGHT) {
            return;
        }
        let kind = EventKind::Uncaught {
            exception: ObjectId(exception.0),
            handled,
        };
        let site = self.thrown_at_place(exception).unwrap_or(Site {
            method: MethodId(self.stubs().thread.id),
            bci: -1,
        });
        let thread = self.current;
        self.events.push(Event::new(thread, site, kind));
    }

    /// Where a thread is: its innermost frame.
    fn stands_in(&self, thread: ThreadId) -> Site {
        let mut frames = self.threads[thread.0 as usize].frames();
        let frame = frames.find(|f| !f.method.flags.vm_stub);
        let (method, bci) = frame.map_or((self.stubs().thread, -1), |f| (f.method, f.bci()));
        Site {
            method: MethodId(method.id),
            bci,
        }
    }

    /// Bytecodes that the running thread may execute. What a program does while it has but
    /// one thread happens once, on no path in particular.
    pub(crate) fn step_limit(&self) -> u64 {
        match self.globals.threaded {
            true => self.options.max_steps,
            false => self.options.max_start,
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
}

impl Machine for Vm {
    fn run<O: Observer>(&mut self, stops: OpMask, observer: &mut O) -> Stop {
        self.stops = stops;
        self.wanted = observer.mask();
        let end = match stops.has(OpMask::AT_ONCE) {
            true => self.present_end(),
            false => {
                let mut end = self.run_to_stop(observer);
                if matches!(end, RunEnd::ThreadEnd) && self.nobody_is_left() {
                    // What remains is the end of the program, which is no choice.
                    self.current = ThreadId(0);
                    end = self.run_to_stop(observer);
                }
                self.slice_to_place(end, observer)
            }
        };
        match end {
            RunEnd::Slice if self.running().control.steps > self.step_limit() => {
                return Stop::Ended(End::StepLimit(self.current));
            }
            RunEnd::Exit(code) => {
                self.evaluate_invariants();
                return Stop::Ended(End::Exited(code));
            }
            RunEnd::Unsupported(what) => return Stop::Unsupported(what),
            RunEnd::Slice | RunEnd::Blocked | RunEnd::ThreadEnd | RunEnd::Paused => {}
        }
        if stops.has(OpMask::GUIDED) {
            // It did not stop before an operation, whatever it did before, but perhaps in the
            // middle of a call, or stands where it stood.
            let within = matches!(end, RunEnd::Paused) && matches!(self.pause, Pause::Before(_))
                || stops.has(OpMask::AT_ONCE);
            self.running().control.at_operation &= within;
        } else if !stops.has(OpMask::TIMEOUTS) {
            // Where waits may end at any moment, that the time of one has come ends no other.
            for thread in self.expire() {
                let kind = EventKind::TimeUp;
                if self.wanted.has(kind.mask()) {
                    let site = self.stands_in(thread);
                    observer.event(&Event::new(thread, site, kind), self);
                }
            }
        }
        self.pause = match end {
            RunEnd::ThreadEnd => Pause::ThreadEnd,
            RunEnd::Blocked => match self.thread(self.current).control.state {
                ThreadState::Blocked(on) => Pause::Blocked(ObjectId(on.0)),
                ThreadState::Draining => Pause::ThreadEnd,
                _ => Pause::Waiting,
            },
            RunEnd::Paused => self.pause,
            _ => Pause::Slice,
        };
        let between = matches!(self.pause, Pause::BlockEnd | Pause::Slice);
        // Whether anybody listens or not, or the same slices would end elsewhere.
        if between && (self.wanted.has(EventMask::ARRIVE) || self.options.places == Places::All) {
            self.arrive_behind(observer);
        }
        self.update_statuses(observer);
        let mut choices = std::mem::take(&mut self.choices);
        choices.clear();
        match self.pause {
            Pause::Notify(_) => choices.extend(self.candidates.drain(..).map(Choice::Wake)),
            _ => {
                self.look_ahead();
                self.list_options(&mut choices);
            }
        }
        self.choices = choices;
        if stops.has(OpMask::GUIDED) {
            self.invariants.forget();
        } else {
            self.evaluate_invariants();
        }
        if stops.has(OpMask::STATE) {
            self.update_state();
        }
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

    fn suppose(&mut self, that: &Supposed) -> Option<Awaited> {
        self.awaited_if(that.thread, &that.values)
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
        self.thread_mut(thread).control.grant();
        self.current = thread;
        Step {
            thread,
            switched: thread != before,
        }
    }
}

impl View for Vm {
    fn state(&self) -> Option<u128> {
        let asked = self.stops.has(OpMask::STATE);
        asked.then_some(self.globals.state.digest)
    }

    fn thread_count(&self) -> usize {
        self.threads.len()
    }

    fn thread(&self, id: ThreadId) -> ThreadView {
        let thread = &self.threads[id.0 as usize];
        let name = match thread.object {
            Ref::NULL => Ref::NULL,
            object => self.heap.get_ref(object, self.known.thread_name),
        };
        let (state, waits_for) = self.state_of(id);
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
            waits_for,
        }
    }

    fn state_of(&self, id: ThreadId) -> (&'static str, Option<ObjectId>) {
        let thread = &self.threads[id.0 as usize];
        let (state, waits_for) = match thread.control.state {
            ThreadState::Blocked(on) => ("BLOCKED", Some(on)),
            ThreadState::Waiting { on, deadline: None } => ("WAITING", Some(on)),
            ThreadState::Waiting { on, .. } => ("TIMED_WAITING", Some(on)),
            ThreadState::Parked { deadline: None } => ("WAITING", None),
            ThreadState::Parked { .. } | ThreadState::Sleeping { .. } => ("TIMED_WAITING", None),
            // The initial thread is over for the program when `main` is.
            ThreadState::Dead | ThreadState::Draining => ("TERMINATED", None),
            // One that stopped before an operation that it could not do has not tried, but
            // for the program it is as if. Before a lock of the library it is not: it would
            // wait inside the call.
            ThreadState::Runnable if !self.ready(thread) => match thread.control.awaits {
                Awaits::Monitor(on) if self.is_mutex(on) => ("RUNNABLE", None),
                Awaits::Monitor(on) => ("BLOCKED", Some(on)),
                Awaits::ChangeThenMonitor(on) if self.is_taken(on, id) => ("BLOCKED", Some(on)),
                Awaits::ChangeThenMonitor(_) => ("RUNNABLE", None),
                Awaits::Death(on) => ("WAITING", Some(on)),
                Awaits::Class(_) | Awaits::Change | Awaits::Gate(_) | Awaits::Nothing => {
                    ("RUNNABLE", None)
                }
            },
            _ => ("RUNNABLE", None),
        };
        (state, waits_for.map(|on| ObjectId(on.0)))
    }

    fn is_daemon(&self, id: ThreadId) -> bool {
        self.threads[id.0 as usize].daemon
    }

    fn stack(&self, id: ThreadId) -> Vec<Site> {
        let frames = self.java_frames(id);
        let shown = frames.iter().filter(|f| !f.method.flags.hidden);
        shown
            .map(|f| Site {
                method: MethodId(f.method.id),
                bci: f.bci(),
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
            line: Vm::line(self, method, site.bci).map(u32::from),
        }
    }

    fn class_of(&self, object: ObjectId) -> String {
        self.external_name(self.class(self.heap.class_of(Ref(object.0))))
    }

    fn owner(&self, object: ObjectId) -> Option<ThreadId> {
        self.lock_owner(Ref(object.0))
    }

    fn object_name(&self, object: ObjectId) -> String {
        self.object_text(Ref(object.0))
    }

    fn object_names(&self) -> Box<dyn Fn(ObjectId) -> String + '_> {
        let census = Census::new(self);
        Box::new(move |object| census.name(Ref(object.0)))
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

    fn is_system(&self, thread: ThreadId) -> bool {
        self.threads[thread.0 as usize].system
    }

    fn is_suspended(&self, thread: ThreadId) -> bool {
        self.threads[thread.0 as usize].control.suspended
    }

    fn is_imagined(&self, place: Place) -> bool {
        let course = || {
            let object = Ref(place.object().0);
            place == self.course(object)
                && self.thread_with(object).is_some()
                && self.thread_of(object).is_some()
        };
        place.is_monitor() || place == self.roll() || self.learned.stops && course()
    }

    fn spins(&self, thread: ThreadId) -> bool {
        self.only_waits(thread)
    }

    fn value(&self, place: Place) -> Option<u64> {
        self.value_of(place)
    }

    fn awaits(&self, thread: ThreadId) -> Option<&Awaited> {
        self.awaited(thread)
    }

    fn came_round(&self, thread: ThreadId) -> Option<u32> {
        self.steps_of_round(thread)
    }

    fn written_at(&self, method: MethodId) -> Option<Site> {
        self.methods[method.0 as usize].class.written_at.get()
    }

    fn trusted(&self, method: MethodId) -> bool {
        self.methods[method.0 as usize].flags.trusted
    }

    fn stands(&self, thread: ThreadId) -> Stands {
        let seen = &self.threads[thread.0 as usize];
        let control = &seen.control;
        match control.state {
            ThreadState::Dead | ThreadState::Draining => Stands::Ended,
            // Woken, and wants its monitor back, which another thread holds.
            ThreadState::Runnable if !control.at_operation && !self.ready(seen) => Stands::In,
            // The library calls code of a class that another thread initializes.
            ThreadState::Runnable
                if matches!(control.awaits, Awaits::Class(_))
                    && !self.ready(seen)
                    && !is_program(self.methods[self.stands_in(thread).method.0 as usize]) =>
            {
                Stands::In
            }
            ThreadState::Runnable if control.at_operation && control.is_between() => Stands::Within,
            // Before a lock in the middle of a call; one that is taken stops it.
            ThreadState::Runnable if control.at_operation && control.call_open => {
                match self.ready(seen) {
                    true => Stands::Within,
                    false => Stands::In,
                }
            }
            ThreadState::Runnable => Stands::Before,
            // Its own `monitorenter`, or its call of a synchronized method.
            ThreadState::Blocked(_) if is_program(control.method) => Stands::Before,
            _ => Stands::In,
        }
    }

    fn thread_number(&self, thread: ThreadId) -> Option<u32> {
        self.creation_number(thread)
    }

    fn line(&self, site: Site) -> Option<u32> {
        let method = self.methods[site.method.0 as usize];
        Vm::line(self, method, site.bci).map(u32::from)
    }

    fn own_frame(&self, thread: ThreadId) -> Option<OwnFrame> {
        let (mut calls, mut above) = (None, 0);
        for f in self.threads[thread.0 as usize].frames() {
            if f.method.flags.vm_stub || f.method.flags.hidden {
                // A method reference to trusted code: the program calls where it wrote that.
                if let Some(site) = f.method.class.written_at.get().filter(|_| calls.is_some()) {
                    return Some(OwnFrame {
                        site,
                        calls,
                        by_reference: true,
                        above,
                    });
                }
                continue;
            }
            let method = MethodId(f.method.id);
            if !f.method.flags.trusted {
                let bci = f.bci();
                let site = Site { method, bci };
                return Some(OwnFrame {
                    site,
                    calls,
                    by_reference: false,
                    above,
                });
            }
            calls = Some(method);
            above += 1;
        }
        None
    }

    fn can_end(&self, thread: ThreadId) -> bool {
        let mut frames = self.threads[thread.0 as usize].frames();
        frames.all(|f| {
            let code = f.method.info().and_then(|m| m.code.as_ref());
            match (is_program(f.method), f.method.class.file.as_ref(), code) {
                (true, Some(file), Some(code)) => {
                    let from = usize::try_from(f.bci()).unwrap_or(0);
                    heddle_classfile::reach::can_return(file.code_bytes(code), from)
                }
                _ => true,
            }
        })
    }

    fn field(&self, place: Place) -> Option<FieldName> {
        self.field_name(place)
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

    fn awaits_class(&self, thread: ThreadId) -> Option<(ObjectId, ThreadId)> {
        let control = &self.threads[thread.0 as usize].control;
        let class = match (control.state, control.awaits) {
            (ThreadState::Initializing(class), _) => class,
            (ThreadState::Runnable, Awaits::Class(class)) => class,
            _ => return None,
        };
        match class.state.get() {
            InitState::Running(by) if by != thread => Some((ObjectId(class.mirror.get().0), by)),
            _ => None,
        }
    }

    fn parked_on(&self, thread: ThreadId) -> Option<ObjectId> {
        self.park_blocker(thread).map(|object| ObjectId(object.0))
    }

    fn mutex_field(&self, place: Place) -> Option<MutexField> {
        self.mutex_field_at(place)
    }

    fn gate_field(&self, place: Place) -> Option<GateField> {
        self.gate_field_at(place)
    }

    fn is_shut(&self, object: ObjectId) -> bool {
        Vm::is_shut(self, Ref(object.0))
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

    fn invariants(&self) -> &[InvariantResult] {
        &self.invariants.results
    }

    fn throw_stack(&self, exception: ObjectId) -> Vec<Site> {
        let frames = self.backtrace(Ref(exception.0)).map_or(Vec::new(), |b| b.1);
        let shown = frames.into_iter().filter(|(m, _)| !m.flags.hidden);
        let site = |(method, bci): (MethodPtr, i32)| Site {
            method: MethodId(method.id),
            bci,
        };
        shown.map(site).collect()
    }

    fn object_value(&self, object: ObjectId) -> Option<String> {
        self.value_object(Ref(object.0))
    }

    fn arguments(&self) -> Vec<Datum> {
        self.arguments_of_call()
    }

    fn datum(&self, place: Place, value: u64) -> Datum {
        self.datum_of(self.basic_in(place), value)
    }

    fn result(&self, method: MethodId, value: u64) -> Option<Datum> {
        self.result_of_call(self.methods[method.0 as usize], value)
    }

    fn is_static(&self, method: MethodId) -> bool {
        self.methods[method.0 as usize].access & access::STATIC != 0
    }

    fn statics(&self) -> Vec<Link> {
        self.links_of_statics()
    }

    fn links(&self, object: ObjectId) -> Vec<Link> {
        self.links_in(Ref(object.0))
    }

    fn class_number(&self, object: ObjectId) -> Option<u32> {
        Some(self.heap.class_of(Ref(object.0)).0)
    }

    fn thrown_into(&self, future: ObjectId) -> Option<ObjectId> {
        let exception = self.exception_in(Ref(future.0))?;
        Some(ObjectId(exception.0))
    }

    fn thrown_at(&self, exception: ObjectId) -> Option<Site> {
        self.thrown_at_place(Ref(exception.0))
    }

    fn exception_text(&self, exception: ObjectId) -> String {
        self.exception_text_of(Ref(exception.0))
    }
}
