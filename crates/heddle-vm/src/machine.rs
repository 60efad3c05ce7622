//! The machine that a search sees: run to a choice, list the options, take one.

use crate::frames::bci_at;
use crate::heap::Ref;
use crate::interp::RunEnd;
use crate::thread::{ThreadId, ThreadState, Wake};
use crate::vm::Vm;
use heddle_model::{
    Choice, ChoicePoint, End, Event, EventKind, Frame, Machine, MethodId, ObjectId, Observer,
    OpMask, Pause, Pick, Site, Step, Stop, ThreadPath, ThreadView, View,
};

impl Vm {
    /// Reports an event from a native or another place off the hot path.
    pub fn emit(&mut self, kind: EventKind) {
        if self.wanted.has(kind.mask()) {
            let control = &self.thread(self.current).control;
            let bci = bci_at(control.method, control.pc);
            // A native's event belongs to the Java code that called it.
            let mut site = Site { method: MethodId(control.method.id), bci };
            let calling = self.thread(self.current).frames().find(|f| !f.method.is_native());
            if let Some(frame) = calling {
                site = Site { method: MethodId(frame.method.id), bci: frame.bci };
            }
            self.events.push(Event { thread: self.current, site, kind });
        }
    }

    /// What can happen next, in a fixed order: threads by number; if none can run, the
    /// waits that end first.
    fn options(&self) -> Vec<Choice> {
        let mut options: Vec<Choice> = self.runnable().map(Choice::Run).collect();
        if options.is_empty()
            && let Some(first) = self.next_deadline()
        {
            let due = self.threads.iter().filter(|t| !t.system && t.deadline() == Some(first));
            options.extend(due.map(|t| Choice::Timeout(t.id)));
        }
        options
    }
}

impl Machine for Vm {
    fn run<O: Observer>(&mut self, _stops: OpMask, observer: &mut O) -> Stop {
        let end = self.run_thread(self.options.slice as i64, observer);
        match end {
            RunEnd::Exit(code) => return Stop::Ended(End::Exited(code)),
            RunEnd::Unsupported(what) => return Stop::Unsupported(what),
            RunEnd::Slice | RunEnd::Blocked | RunEnd::ThreadEnd => {}
        }
        self.expire();
        self.pause = match end {
            RunEnd::ThreadEnd => Pause::ThreadEnd,
            RunEnd::Blocked => match self.thread(self.current).control.state {
                ThreadState::Blocked(on) => Pause::Blocked(ObjectId(on.0)),
                _ => Pause::Waiting,
            },
            _ => Pause::Slice,
        };
        self.choices = self.options();
        if self.choices.is_empty() { Stop::Ended(End::Stuck) } else { Stop::Choice }
    }

    fn point(&self) -> ChoicePoint<'_> {
        ChoicePoint { by: self.current, pause: self.pause, options: &self.choices }
    }

    fn take(&mut self, pick: Pick) -> Step {
        let before = self.current;
        let thread = match self.choices[pick.0] {
            Choice::Run(thread) => thread,
            Choice::Wake(thread) | Choice::Spurious(thread) => {
                self.wake(thread, Wake::Notified);
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
        self.current = thread;
        Step { thread, switched: thread != before }
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
            ThreadState::Dead => ("TERMINATED", None),
            _ => ("RUNNABLE", None),
        };
        ThreadView {
            id,
            path: ThreadPath(thread.path.clone().into()),
            name: if name.is_null() { format!("thread {}", id.0) } else { self.string(name) },
            daemon: thread.daemon,
            state,
            waits_for: waits_for.map(|on| ObjectId(on.0)),
        }
    }

    fn stack(&self, id: ThreadId) -> Vec<Site> {
        let frames = self.java_frames(id);
        let shown = frames.iter().filter(|f| !f.method.flags.hidden);
        shown.map(|f| Site { method: MethodId(f.method.id), bci: f.bci }).collect()
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
}
