//! A small deterministic machine: threads of straight-line code with forward and backward
//! jumps, monitors, wait sets, permits and shared variables.
//!
//! It stands in for the VM in the tests of drivers and strategies, and follows the same
//! rules: `start`, giving a monitor back for good, `wait` and the end of a thread end an
//! atomic block; a failed assertion is reported and the thread goes on; what is between
//! [`Op::Enter`] and [`Op::Leave`] is one operation, as a call into trusted code is. All
//! state lives in one array of words whose writes are logged while a mark lives, so a mark
//! costs nothing and a rewind what has changed.
//!
//! Objects are numbered so that every lock, variable and thread is one of its own; what
//! is left out: exceptions, classes, time except in [`Op::TimedWait`], which may end
//! whenever the machine offers it.

mod await_loop;
mod program;
pub mod programs;
mod step;

pub use program::{Op, Program};

use heddle_model::{
    Awaited, Choice, ChoicePoint, End, EventKind, Frame, Machine, Mark, MethodId, ObjectId,
    Observer, OpMask, Pause, PendingOp, Pick, Place, Rewind, Site, Step, Stop, Supposed, ThreadId,
    ThreadPath, ThreadView, View,
};
use std::hash::{DefaultHasher, Hash, Hasher};

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
    /// Waits for a permit.
    pub const PARKED: u32 = 8;
}

// The words of a thread.
const STATUS: usize = 0;
const PC: usize = 1;
const REGISTER: usize = 2;
const ON: usize = 3;
const SAVED: usize = 4;
/// The instruction that the running thread was stopped before may be done now.
const PASSED: usize = 5;
/// It is inside trusted code.
const TRUSTED: usize = 6;
/// It may park once without waiting.
const PERMIT: usize = 7;
/// It has taken a lock in which it may wait, and has only looked since.
const ROUND: usize = 8;
const WORDS: usize = 9;

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
    /// The word that says that the program was ended.
    exited: usize,
    running: u32,
    pause: Pause,
    options: Vec<Choice>,
    /// By thread.
    awaited: Vec<Option<Awaited>>,
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
        let exited = failures + program.threads.len();
        let mut cells = vec![0; exited + 1];
        cells[STATUS] = status::READY;
        Toy {
            program,
            cells,
            locks,
            variables,
            failures,
            exited,
            running: 0,
            pause: Pause::Slice,
            options: Vec::new(),
            awaited: Vec::new(),
            stops: OpMask::NONE,
            log: Vec::new(),
            marks: Vec::new(),
            next_mark: 0,
            work: 0,
        }
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Everything that the program can tell apart: threads, locks, variables, failures.
    pub fn state(&self) -> &[u32] {
        &self.cells
    }

    /// What is left of an execution: for each thread how it ended, where, and what it last
    /// read; the locks, the variables and the failures. Equal for executions that no
    /// program could tell apart: whether a thread stands before a lock that it cannot have
    /// or has tried to take it, for instance, is the same.
    pub fn summary(&self) -> Vec<u32> {
        let mut summary = Vec::with_capacity(self.cells.len());
        for t in 0..self.threads() {
            let (state, on) = match self.word(t, STATUS) {
                status::BLOCKED | status::JOINING => (status::READY, 0),
                same @ (status::UNBORN | status::READY | status::DEAD | status::PARKED) => {
                    (same, 0)
                }
                same => (same, self.word(t, ON)),
            };
            summary.extend([state, self.word(t, PC), self.word(t, REGISTER), on]);
        }
        summary.extend_from_slice(&self.cells[self.locks..self.exited]);
        summary
    }

    /// Whether an [`Op::Exit`] has ended the program.
    pub fn ended_early(&self) -> bool {
        self.cells[self.exited] != 0
    }

    pub fn variable(&self, variable: u32) -> u32 {
        self.cells[self.variables + variable as usize]
    }

    /// For each thread a bit per failed assertion, by place (modulo 32).
    pub fn failed(&self) -> &[u32] {
        &self.cells[self.failures..self.exited]
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
        self.look_ahead();
        let mut timed = false;
        for t in 0..self.threads() {
            let ready = match self.word(t, STATUS) {
                status::READY => !self.awaits_in_vain(t),
                status::BLOCKED | status::WOKEN => {
                    self.can_enter(t, self.word(t, ON)) && !self.awaits_in_vain(t)
                }
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
        if self.options.is_empty() {
            let awaiting = (0..self.threads()).filter(|t| self.awaits_in_vain(*t));
            let options = awaiting.map(|t| Choice::Run(ThreadId(t))).collect();
            self.options = options;
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
}

impl Machine for Toy {
    fn run<O: Observer>(&mut self, stops: OpMask, observer: &mut O) -> Stop {
        self.stops = stops;
        // The end of a notification whose target was chosen.
        if let Pause::Notify(object) = self.pause {
            let kind = EventKind::Notify {
                object,
                woken: 1,
                all: false,
            };
            self.emit(observer, kind);
            let t = self.running;
            let pc = self.word(t, PC);
            self.set_word(t, PASSED, 0);
            self.set_word(t, PC, pc + 1);
            self.pause = Pause::Slice;
        }
        self.pause = self.step(observer);
        if self.ended_early() {
            self.options.clear();
            return Stop::Ended(End::Exited(0));
        }
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

    fn suppose(&mut self, that: &Supposed) -> Option<Awaited> {
        self.awaited_by(that.thread.0, &that.values)
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
    fn state(&self) -> Option<u128> {
        let waking = match self.pause {
            Pause::Notify(_) => Some(self.running),
            _ => None,
        };
        let half = |salt: u32| {
            let mut hasher = DefaultHasher::new();
            (salt, &self.cells, waking).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        Some(half(0) << 64 | half(1))
    }

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
            status::PARKED => ("WAITING", None),
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

    fn awaits(&self, thread: ThreadId) -> Option<&Awaited> {
        self.awaited.get(thread.0 as usize)?.as_ref()
    }

    fn value(&self, place: Place) -> Option<u64> {
        let mut variables = 0..self.program.variables;
        let variable = variables.find(|v| step::place(*v) == place)?;
        Some(self.variable(variable).into())
    }

    fn owner(&self, object: ObjectId) -> Option<ThreadId> {
        if object.0 >= self.program.locks {
            return None;
        }
        self.owner_of(object.0).checked_sub(1).map(ThreadId)
    }
}
