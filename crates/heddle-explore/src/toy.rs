//! A small deterministic machine: threads of straight-line code with forward and backward
//! jumps, monitors, wait sets and shared variables.
//!
//! It stands in for the VM in the tests of drivers and strategies, and follows the same
//! rules: `start`, giving a monitor back for good, `wait` and the end of a thread end an
//! atomic block; a failed assertion is reported and the thread goes on. All state lives
//! in one array of words whose writes are logged while a mark lives, so a mark costs
//! nothing and a rewind what has changed.
//!
//! Objects are numbered so that every lock, variable and thread is one of its own; what
//! is left out: exceptions, classes, time except in [`Op::TimedWait`], which may end
//! whenever the machine offers it.

use heddle_model::{
    Choice, ChoicePoint, End, Event, EventKind, EventMask, Frame, Machine, Mark, MethodId,
    ObjectId, Observer, OpMask, Pause, PendingOp, Pick, Place, Rewind, Site, Step, Stop, ThreadId,
    ThreadPath, ThreadView, View,
};

/// One instruction. Locks, variables and threads are named by small numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Lock(u32),
    Unlock(u32),
    /// Reads a variable into the thread's register.
    Read(u32),
    /// Writes a constant.
    Write(u32, u32),
    /// Writes the register plus a constant.
    Store(u32, u32),
    /// Reads a variable; jumps by so many instructions unless it has this value.
    Unless(u32, u32, i32),
    Jump(i32),
    Start(u32),
    Join(u32),
    Wait(u32),
    TimedWait(u32),
    Notify(u32),
    NotifyAll(u32),
    /// Reads a variable and fails unless it has this value.
    Assert(u32, u32),
    /// Reads a variable and fails unless it is what the register holds.
    AssertSame(u32),
}

/// A program: the code of each thread, the initial one first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    pub threads: Vec<Vec<Op>>,
    pub locks: u32,
    pub variables: u32,
}

impl Program {
    /// With as many locks and variables as the code mentions.
    pub fn new(threads: Vec<Vec<Op>>) -> Program {
        let (mut locks, mut variables) = (0, 0);
        for op in threads.iter().flatten() {
            match *op {
                Op::Lock(l) | Op::Unlock(l) | Op::Wait(l) | Op::TimedWait(l) => {
                    locks = locks.max(l + 1);
                }
                Op::Notify(l) | Op::NotifyAll(l) => locks = locks.max(l + 1),
                Op::Read(v) | Op::Write(v, _) | Op::Store(v, _) | Op::Unless(v, ..) => {
                    variables = variables.max(v + 1);
                }
                Op::Assert(v, _) | Op::AssertSame(v) => variables = variables.max(v + 1),
                Op::Jump(_) | Op::Start(_) | Op::Join(_) => {}
            }
        }
        Program {
            threads,
            locks,
            variables,
        }
    }
}

/// The object that a lock, a variable or a thread is.
pub fn lock_object(lock: u32) -> ObjectId {
    ObjectId(lock)
}

pub fn variable_object(variable: u32) -> ObjectId {
    ObjectId(0x1_0000 + variable)
}

pub fn thread_object(thread: u32) -> ObjectId {
    ObjectId(0x2_0000 + thread)
}

/// What a thread is up to, as a word of the state.
mod status {
    pub const UNBORN: u32 = 0;
    pub const READY: u32 = 1;
    /// Wants the lock in `ON`.
    pub const BLOCKED: u32 = 2;
    /// In the wait set of the lock in `ON`.
    pub const WAITING: u32 = 3;
    pub const TIMED_WAITING: u32 = 4;
    /// Woken; wants back the lock in `ON`, entered `SAVED` times.
    pub const WOKEN: u32 = 5;
    /// Waits for the end of the thread in `ON`.
    pub const JOINING: u32 = 6;
    pub const DEAD: u32 = 7;
}

// The words of a thread.
const STATUS: usize = 0;
const PC: usize = 1;
const REGISTER: usize = 2;
const ON: usize = 3;
const SAVED: usize = 4;
/// The instruction that the running thread was stopped before may be done now.
const PASSED: usize = 5;
const WORDS: usize = 6;

/// The machine.
#[derive(Clone, Debug)]
pub struct Toy {
    program: Program,
    cells: Vec<u32>,
    /// First word of the locks (owner plus one, entries) and of the variables.
    locks: usize,
    variables: usize,
    /// First word of the bits of failed assertions, one word per thread.
    failures: usize,
    running: u32,
    pause: Pause,
    options: Vec<Choice>,
    stops: OpMask,
    log: Vec<(u32, u32)>,
    marks: Vec<Marked>,
    next_mark: u64,
    work: u64,
}

#[derive(Clone, Copy, Debug)]
struct Marked {
    mark: Mark,
    log: usize,
    running: u32,
    pause: Pause,
    stops: OpMask,
}

impl Toy {
    pub fn new(program: Program) -> Toy {
        let locks = program.threads.len() * WORDS;
        let variables = locks + program.locks as usize * 2;
        let failures = variables + program.variables as usize;
        let mut cells = vec![0; failures + program.threads.len()];
        cells[STATUS] = status::READY;
        Toy {
            program,
            cells,
            locks,
            variables,
            failures,
            running: 0,
            pause: Pause::Slice,
            options: Vec::new(),
            stops: OpMask::NONE,
            log: Vec::new(),
            marks: Vec::new(),
            next_mark: 0,
            work: 0,
        }
    }

    /// Everything that the program can tell apart: threads, locks, variables, failures.
    pub fn state(&self) -> &[u32] {
        &self.cells
    }

    /// What is left of an execution: for each thread how it ended, where, and what it last
    /// read; the locks, the variables and the failures. Equal for executions that no
    /// program could tell apart.
    pub fn summary(&self) -> Vec<u32> {
        let mut summary = Vec::with_capacity(self.cells.len());
        for t in 0..self.threads() {
            let state = self.word(t, STATUS);
            let on = match state {
                status::UNBORN | status::READY | status::DEAD => 0,
                _ => self.word(t, ON),
            };
            summary.extend([state, self.word(t, PC), self.word(t, REGISTER), on]);
        }
        summary.extend_from_slice(&self.cells[self.locks..]);
        summary
    }

    pub fn variable(&self, variable: u32) -> u32 {
        self.cells[self.variables + variable as usize]
    }

    /// For each thread a bit per failed assertion, by place (modulo 32).
    pub fn failed(&self) -> &[u32] {
        &self.cells[self.failures..]
    }

    #[inline]
    fn set(&mut self, cell: usize, value: u32) {
        if !self.marks.is_empty() {
            self.log.push((cell as u32, self.cells[cell]));
        }
        self.cells[cell] = value;
    }

    #[inline]
    fn word(&self, thread: u32, word: usize) -> u32 {
        self.cells[thread as usize * WORDS + word]
    }

    #[inline]
    fn set_word(&mut self, thread: u32, word: usize, value: u32) {
        self.set(thread as usize * WORDS + word, value);
    }

    fn owner_of(&self, lock: u32) -> u32 {
        self.cells[self.locks + lock as usize * 2]
    }

    /// Whether a thread could take a lock.
    fn can_enter(&self, thread: u32, lock: u32) -> bool {
        let owner = self.owner_of(lock);
        owner == 0 || owner == thread + 1
    }

    fn threads(&self) -> u32 {
        self.program.threads.len() as u32
    }

    fn find_options(&mut self) {
        self.options.clear();
        if let Pause::Notify(object) = self.pause {
            for t in 0..self.threads() {
                if self.waits_on(t, object.0) {
                    self.options.push(Choice::Wake(ThreadId(t)));
                }
            }
            return;
        }
        let mut timed = false;
        for t in 0..self.threads() {
            let ready = match self.word(t, STATUS) {
                status::READY => true,
                status::BLOCKED | status::WOKEN => self.can_enter(t, self.word(t, ON)),
                status::JOINING => self.word(self.word(t, ON), STATUS) == status::DEAD,
                status::TIMED_WAITING => {
                    timed = true;
                    false
                }
                _ => false,
            };
            if ready {
                self.options.push(Choice::Run(ThreadId(t)));
            }
        }
        if timed && (self.options.is_empty() || self.stops.has(OpMask::TIMEOUTS)) {
            for t in 0..self.threads() {
                if self.word(t, STATUS) == status::TIMED_WAITING {
                    self.options.push(Choice::Timeout(ThreadId(t)));
                }
            }
        }
    }

    fn waits_on(&self, thread: u32, lock: u32) -> bool {
        let state = self.word(thread, STATUS);
        matches!(state, status::WAITING | status::TIMED_WAITING) && self.word(thread, ON) == lock
    }

    fn wake(&mut self, thread: u32) {
        self.set_word(thread, STATUS, status::WOKEN);
    }

    fn enter(&mut self, thread: u32, lock: u32, entries: u32) -> bool {
        let cell = self.locks + lock as usize * 2;
        if self.cells[cell] == thread + 1 {
            self.set(cell + 1, self.cells[cell + 1] + entries);
            return false;
        }
        self.set(cell, thread + 1);
        self.set(cell + 1, entries);
        true
    }

    /// What a stop of [`OpMask::VISIBLE`] announces.
    fn pending(&self, op: Op) -> Option<PendingOp> {
        let place = |v: u32| Place::Field {
            object: variable_object(v),
            offset: 0,
        };
        Some(match op {
            Op::Lock(l) | Op::Notify(l) | Op::NotifyAll(l) => PendingOp::Lock(lock_object(l)),
            Op::Unlock(l) | Op::Wait(l) | Op::TimedWait(l) => PendingOp::Unlock(lock_object(l)),
            Op::Read(v) | Op::Unless(v, ..) | Op::Assert(v, _) | Op::AssertSame(v) => {
                PendingOp::Read(place(v))
            }
            Op::Write(v, _) | Op::Store(v, _) => PendingOp::Write(place(v)),
            Op::Start(_) | Op::Join(_) => PendingOp::Call(MethodId(0)),
            Op::Jump(_) => return None,
        })
    }

    /// Runs the running thread up to a stop.
    fn step<O: Observer>(&mut self, observer: &mut O) -> Pause {
        let t = self.running;
        let mask = observer.mask();
        macro_rules! emit {
            ($pc:expr, $bit:ident, $kind:expr) => {
                if mask.has(EventMask::$bit) {
                    let site = Site {
                        method: MethodId(t),
                        bci: $pc as i32,
                    };
                    let event = Event {
                        thread: ThreadId(t),
                        site,
                        kind: $kind,
                    };
                    observer.event(&event, &*self);
                }
            };
        }
        let place = |v: u32| Place::Field {
            object: variable_object(v),
            offset: 0,
        };
        match self.word(t, STATUS) {
            status::WOKEN => {
                let lock = self.word(t, ON);
                if !self.can_enter(t, lock) {
                    return Pause::Blocked(lock_object(lock));
                }
                self.enter(t, lock, self.word(t, SAVED));
                self.set_word(t, STATUS, status::READY);
                emit!(
                    self.word(t, PC),
                    LOCK,
                    EventKind::Lock {
                        object: lock_object(lock)
                    }
                );
            }
            status::BLOCKED | status::JOINING => self.set_word(t, STATUS, status::READY),
            _ => {}
        }
        loop {
            let pc = self.word(t, PC);
            let Some(&op) = self.program.threads[t as usize].get(pc as usize) else {
                self.set_word(t, STATUS, status::DEAD);
                emit!(pc, THREAD, EventKind::ThreadEnd);
                let object = thread_object(t);
                emit!(pc, NOTIFY, EventKind::Notify { object, woken: 0 });
                return Pause::ThreadEnd;
            };
            self.work += 1;
            if self.word(t, PASSED) != 0 {
                self.set_word(t, PASSED, 0);
            } else if self.stops.has(OpMask::VISIBLE)
                && let Some(pending) = self.pending(op)
            {
                self.set_word(t, PASSED, 1);
                return Pause::Before(pending);
            }
            let mut next = pc + 1;
            let mut ends = false;
            match op {
                Op::Lock(l) => {
                    if !self.can_enter(t, l) {
                        self.set_word(t, STATUS, status::BLOCKED);
                        self.set_word(t, ON, l);
                        self.set_word(t, PASSED, 1);
                        return Pause::Blocked(lock_object(l));
                    }
                    if self.enter(t, l, 1) {
                        emit!(
                            pc,
                            LOCK,
                            EventKind::Lock {
                                object: lock_object(l)
                            }
                        );
                    }
                }
                Op::Unlock(l) => {
                    let cell = self.locks + l as usize * 2;
                    assert!(self.cells[cell] == t + 1, "toy: unlock without the lock");
                    let entries = self.cells[cell + 1] - 1;
                    self.set(cell + 1, entries);
                    if entries == 0 {
                        self.set(cell, 0);
                        emit!(
                            pc,
                            UNLOCK,
                            EventKind::Unlock {
                                object: lock_object(l)
                            }
                        );
                        ends = true;
                    }
                }
                Op::Read(v) => {
                    let value = self.variable(v);
                    self.set_word(t, REGISTER, value);
                    emit!(
                        pc,
                        READ,
                        EventKind::Read {
                            place: place(v),
                            value: value.into()
                        }
                    );
                }
                Op::Write(v, value) => {
                    self.set(self.variables + v as usize, value);
                    emit!(
                        pc,
                        WRITE,
                        EventKind::Write {
                            place: place(v),
                            value: value.into()
                        }
                    );
                }
                Op::Store(v, plus) => {
                    let value = self.word(t, REGISTER).wrapping_add(plus);
                    self.set(self.variables + v as usize, value);
                    emit!(
                        pc,
                        WRITE,
                        EventKind::Write {
                            place: place(v),
                            value: value.into()
                        }
                    );
                }
                Op::Unless(v, wanted, by) => {
                    let value = self.variable(v);
                    emit!(
                        pc,
                        READ,
                        EventKind::Read {
                            place: place(v),
                            value: value.into()
                        }
                    );
                    if value != wanted {
                        next = (pc as i32 + by) as u32;
                    }
                }
                Op::Jump(by) => next = (pc as i32 + by) as u32,
                Op::Start(child) => {
                    self.set_word(child, STATUS, status::READY);
                    emit!(
                        pc,
                        THREAD,
                        EventKind::ThreadStart {
                            child: ThreadId(child)
                        }
                    );
                    ends = true;
                }
                Op::Join(other) => {
                    if self.word(other, STATUS) != status::DEAD {
                        self.set_word(t, STATUS, status::JOINING);
                        self.set_word(t, ON, other);
                        self.set_word(t, PASSED, 1);
                        let object = thread_object(other);
                        emit!(pc, WAIT, EventKind::Wait { object });
                        return Pause::Waiting;
                    }
                }
                Op::Wait(l) | Op::TimedWait(l) => {
                    let cell = self.locks + l as usize * 2;
                    assert!(self.cells[cell] == t + 1, "toy: wait without the lock");
                    self.set_word(t, SAVED, self.cells[cell + 1]);
                    self.set(cell, 0);
                    self.set(cell + 1, 0);
                    let timed = matches!(op, Op::TimedWait(_));
                    let state = if timed {
                        status::TIMED_WAITING
                    } else {
                        status::WAITING
                    };
                    self.set_word(t, STATUS, state);
                    self.set_word(t, ON, l);
                    self.set_word(t, PC, next);
                    emit!(
                        pc,
                        WAIT,
                        EventKind::Wait {
                            object: lock_object(l)
                        }
                    );
                    return Pause::Waiting;
                }
                Op::Notify(l) => {
                    let mut waiting = (0..self.threads()).filter(|w| self.waits_on(*w, l));
                    let first = waiting.next();
                    let several = waiting.next().is_some();
                    if several && self.stops.has(OpMask::NOTIFY) {
                        return Pause::Notify(lock_object(l));
                    }
                    let woken = first.is_some() as u32;
                    if let Some(first) = first {
                        self.wake(first);
                    }
                    emit!(
                        pc,
                        NOTIFY,
                        EventKind::Notify {
                            object: lock_object(l),
                            woken
                        }
                    );
                }
                Op::NotifyAll(l) => {
                    let mut woken = 0;
                    for w in 0..self.threads() {
                        if self.waits_on(w, l) {
                            self.wake(w);
                            woken += 1;
                        }
                    }
                    emit!(
                        pc,
                        NOTIFY,
                        EventKind::Notify {
                            object: lock_object(l),
                            woken
                        }
                    );
                }
                Op::Assert(v, _) | Op::AssertSame(v) => {
                    let value = self.variable(v);
                    emit!(
                        pc,
                        READ,
                        EventKind::Read {
                            place: place(v),
                            value: value.into()
                        }
                    );
                    let wanted = match op {
                        Op::Assert(_, wanted) => wanted,
                        _ => self.word(t, REGISTER),
                    };
                    if value != wanted {
                        let cell = self.failures + t as usize;
                        self.set(cell, self.cells[cell] | 1 << (pc % 32));
                        let exception = thread_object(t);
                        emit!(pc, THROW, EventKind::Throw { exception });
                    }
                }
            }
            self.set_word(t, PC, next);
            if ends && self.stops.has(OpMask::BLOCK_END) {
                return Pause::BlockEnd;
            }
        }
    }
}

impl Machine for Toy {
    fn run<O: Observer>(&mut self, stops: OpMask, observer: &mut O) -> Stop {
        self.stops = stops;
        // The end of a notification whose target was chosen.
        if let Pause::Notify(object) = self.pause {
            let t = self.running;
            let pc = self.word(t, PC);
            if observer.mask().has(EventMask::NOTIFY) {
                let site = Site {
                    method: MethodId(t),
                    bci: pc as i32,
                };
                let kind = EventKind::Notify { object, woken: 1 };
                observer.event(
                    &Event {
                        thread: ThreadId(t),
                        site,
                        kind,
                    },
                    &*self,
                );
            }
            self.set_word(t, PASSED, 0);
            self.set_word(t, PC, pc + 1);
            self.pause = Pause::Slice;
        }
        self.pause = self.step(observer);
        self.find_options();
        if !self.options.is_empty() {
            return Stop::Choice;
        }
        let over = |t| matches!(self.word(t, STATUS), status::DEAD | status::UNBORN);
        Stop::Ended(if (0..self.threads()).all(over) {
            End::Exited(0)
        } else {
            End::Stuck
        })
    }

    fn point(&self) -> ChoicePoint<'_> {
        ChoicePoint {
            by: ThreadId(self.running),
            pause: self.pause,
            options: &self.options,
        }
    }

    fn take(&mut self, pick: Pick) -> Step {
        let before = self.running;
        match self.options[pick.0] {
            Choice::Stay(_) => {}
            Choice::Wake(thread) => self.wake(thread.0),
            Choice::Run(thread) => {
                self.running = thread.0;
                self.pause = Pause::Slice;
            }
            Choice::Timeout(thread) | Choice::Spurious(thread) => {
                self.wake(thread.0);
                self.running = thread.0;
                self.pause = Pause::Slice;
            }
        }
        Step {
            thread: ThreadId(self.running),
            switched: self.running != before,
        }
    }

    fn work(&self) -> u64 {
        self.work
    }
}

impl Rewind for Toy {
    fn mark(&mut self) -> Mark {
        let mark = Mark(self.next_mark);
        self.next_mark += 1;
        let (running, pause, stops) = (self.running, self.pause, self.stops);
        self.marks.push(Marked {
            mark,
            log: self.log.len(),
            running,
            pause,
            stops,
        });
        mark
    }

    fn rewind(&mut self, to: Mark) {
        while self.marks.last().is_some_and(|m| m.mark > to) {
            self.marks.pop();
        }
        let marked = *self.marks.last().expect("a live mark");
        assert!(marked.mark == to, "toy: rewind to a mark that is not live");
        while self.log.len() > marked.log {
            let (cell, value) = self.log.pop().expect("the log is longer");
            self.cells[cell as usize] = value;
        }
        (self.running, self.pause) = (marked.running, marked.pause);
        self.stops = marked.stops;
        self.find_options();
    }

    fn forget(&mut self, mark: Mark) {
        self.marks.retain(|m| m.mark != mark);
        if self.marks.is_empty() {
            self.log.clear();
        }
    }
}

impl View for Toy {
    fn thread_count(&self) -> usize {
        self.program.threads.len()
    }

    fn thread(&self, id: ThreadId) -> ThreadView {
        let on = lock_object(self.word(id.0, ON));
        let (state, waits_for) = match self.word(id.0, STATUS) {
            status::UNBORN => ("NEW", None),
            status::READY => ("RUNNABLE", None),
            status::BLOCKED | status::WOKEN => ("BLOCKED", Some(on)),
            status::WAITING => ("WAITING", Some(on)),
            status::TIMED_WAITING => ("TIMED_WAITING", Some(on)),
            status::JOINING => ("WAITING", Some(thread_object(self.word(id.0, ON)))),
            _ => ("TERMINATED", None),
        };
        // Who starts whom is not recorded; the number tells the initial thread from others.
        let path = if id.0 == 0 { Vec::new() } else { vec![id.0] };
        let path = ThreadPath(path.into());
        ThreadView {
            id,
            path,
            name: format!("T{}", id.0),
            daemon: false,
            state,
            waits_for,
        }
    }

    fn stack(&self, id: ThreadId) -> Vec<Site> {
        vec![Site {
            method: MethodId(id.0),
            bci: self.word(id.0, PC) as i32,
        }]
    }

    fn frame(&self, site: Site) -> Frame {
        Frame {
            class: "Toy".to_string(),
            method: format!("T{}", site.method.0),
            file: None,
            line: u32::try_from(site.bci).ok(),
        }
    }

    fn class_of(&self, object: ObjectId) -> String {
        match object.0 >> 16 {
            0 => format!("Lock{}", object.0),
            1 => format!("Variable{}", object.0 & 0xffff),
            _ => format!("Thread{}", object.0 & 0xffff),
        }
    }

    fn owner(&self, object: ObjectId) -> Option<ThreadId> {
        if object.0 >= self.program.locks {
            return None;
        }
        self.owner_of(object.0).checked_sub(1).map(ThreadId)
    }
}
