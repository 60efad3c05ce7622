//! Runs the running thread of the toy machine from one stop to the next.

use super::*;
use heddle_model::{Event, EventKind, EventMask, Observer};

/// Calls into trusted code, as [`PendingOp::Call`] names them.
mod call {
    pub const START: u32 = 0;
    pub const ATOMIC: u32 = 1;
    pub const PARK: u32 = 2;
    pub const TRUSTED: u32 = 3;
    pub const EXIT: u32 = 4;
}

/// What a stop of [`OpMask::VISIBLE`] announces.
fn pending(op: Op) -> Option<PendingOp> {
    let call = |method| PendingOp::Call(MethodId(method));
    Some(match op {
        Op::Lock(l) | Op::Notify(l) | Op::NotifyAll(l) => PendingOp::Lock(lock_object(l)),
        Op::Unlock(l) | Op::Wait(l) | Op::TimedWait(l) => PendingOp::Unlock(lock_object(l)),
        Op::Read(v) | Op::Unless(v, ..) | Op::Assert(v, _) | Op::AssertSame(v) => {
            PendingOp::Read(place(v))
        }
        Op::Write(v, _) | Op::Store(v, _) => PendingOp::Write(place(v)),
        Op::Start(_) => call(call::START),
        Op::Join(t) => PendingOp::Join(ThreadId(t)),
        Op::Add(..) | Op::Cas(..) => call(call::ATOMIC),
        Op::Park | Op::Unpark(_) => call(call::PARK),
        Op::Enter => call(call::TRUSTED),
        Op::Exit => call(call::EXIT),
        Op::Jump(_) | Op::Leave => return None,
    })
}

/// Whether an instruction does nothing but look.
pub(super) fn is_look(op: Op) -> bool {
    matches!(op, Op::Read(_) | Op::Unless(..))
}

pub(super) fn place(variable: u32) -> Place {
    Place::Field {
        object: variable_object(variable),
        offset: 8,
    }
}

impl Toy {
    /// Runs the running thread up to a stop.
    pub(super) fn step<O: Observer>(&mut self, observer: &mut O) -> Pause {
        let t = self.running;
        match self.word(t, STATUS) {
            status::WOKEN => {
                let lock = self.word(t, ON);
                if !self.can_enter(t, lock) {
                    return Pause::Blocked(lock_object(lock));
                }
                self.enter(t, lock, self.word(t, SAVED));
                self.set_word(t, STATUS, status::READY);
                let object = lock_object(lock);
                self.emit(observer, EventKind::Lock { object });
            }
            status::BLOCKED | status::JOINING => self.set_word(t, STATUS, status::READY),
            _ => {}
        }
        loop {
            let pc = self.word(t, PC);
            let Some(&op) = self.program.threads[t as usize].get(pc as usize) else {
                self.set_word(t, STATUS, status::DEAD);
                self.emit(observer, EventKind::ThreadEnd);
                let object = thread_object(t);
                self.emit(
                    observer,
                    EventKind::Notify {
                        object,
                        woken: 0,
                        all: true,
                    },
                );
                return Pause::ThreadEnd;
            };
            self.work += 1;
            let trusted = self.word(t, TRUSTED) != 0;
            if self.word(t, PASSED) != 0 {
                self.set_word(t, PASSED, 0);
            } else if self.stops.has(OpMask::VISIBLE)
                && !trusted
                && let Some(pending) = pending(op)
            {
                let looks = self.word(t, ROUND) != 0 && is_look(op);
                if !looks {
                    self.set_word(t, ROUND, 0);
                    self.set_word(t, PASSED, 1);
                    return Pause::Before(pending);
                }
            }
            match self.execute(op, observer) {
                Went::On(next) => self.set_word(t, PC, next),
                Went::Released(next) => {
                    self.set_word(t, PC, next);
                    if self.stops.has(OpMask::BLOCK_END) && !trusted {
                        return Pause::BlockEnd;
                    }
                }
                Went::Stopped(pause) => return pause,
            }
        }
    }

    /// Does what the running thread stands before.
    fn execute<O: Observer>(&mut self, op: Op, observer: &mut O) -> Went {
        let t = self.running;
        let pc = self.word(t, PC);
        let next = pc + 1;
        let jump = |by: i32| Went::On((pc as i32 + by) as u32);
        match op {
            Op::Lock(l) => {
                let object = lock_object(l);
                if !self.can_enter(t, l) {
                    self.set_word(t, STATUS, status::BLOCKED);
                    self.set_word(t, ON, l);
                    self.set_word(t, PASSED, 1);
                    return Went::Stopped(Pause::Blocked(object));
                }
                if self.stops.has(OpMask::AWAITS) && self.may_wait_behind(t) {
                    self.set_word(t, ROUND, 1);
                }
                if self.enter(t, l, 1) {
                    self.emit(observer, EventKind::Lock { object });
                }
            }
            Op::Unlock(l) => {
                let cell = self.locks + l as usize * 2;
                assert!(self.cells[cell] == t + 1, "toy: unlock without the lock");
                let entries = self.cells[cell + 1] - 1;
                self.set(cell + 1, entries);
                if entries == 0 {
                    self.set(cell, 0);
                    let object = lock_object(l);
                    self.emit(observer, EventKind::Unlock { object });
                    return Went::Released(next);
                }
            }
            Op::Read(v) => {
                let value = self.read(v, observer);
                self.set_word(t, REGISTER, value);
            }
            Op::Write(v, value) => self.write(v, value, observer),
            Op::Store(v, plus) => {
                let value = self.word(t, REGISTER).wrapping_add(plus);
                self.write(v, value, observer);
            }
            Op::Add(v, plus) => {
                let value = self.read(v, observer);
                self.set_word(t, REGISTER, value);
                self.write(v, value.wrapping_add(plus), observer);
            }
            Op::Cas(v, expected, value, by) => {
                if self.read(v, observer) != expected {
                    return jump(by);
                }
                self.write(v, value, observer);
            }
            Op::Unless(v, wanted, by) => {
                if self.read(v, observer) != wanted {
                    return jump(by);
                }
            }
            Op::Jump(by) => return jump(by),
            Op::Start(child) => {
                self.set_word(child, STATUS, status::READY);
                let child = ThreadId(child);
                self.emit(observer, EventKind::ThreadStart { child });
                return Went::Released(next);
            }
            Op::Join(other) => {
                if self.word(other, STATUS) != status::DEAD {
                    self.set_word(t, STATUS, status::JOINING);
                    self.set_word(t, ON, other);
                    self.set_word(t, PASSED, 1);
                    let object = thread_object(other);
                    self.emit(observer, EventKind::Wait { object });
                    return Went::Stopped(Pause::Waiting);
                }
                let place = Place::Field {
                    object: thread_object(other),
                    offset: 8,
                };
                let of = ThreadId(other);
                self.emit(observer, EventKind::SeesEnd { of, place });
            }
            Op::Wait(l) | Op::TimedWait(l) => {
                let cell = self.locks + l as usize * 2;
                assert!(self.cells[cell] == t + 1, "toy: wait without the lock");
                self.set_word(t, SAVED, self.cells[cell + 1]);
                self.set(cell, 0);
                self.set(cell + 1, 0);
                let state = match op {
                    Op::TimedWait(_) => status::TIMED_WAITING,
                    _ => status::WAITING,
                };
                self.set_word(t, STATUS, state);
                self.set_word(t, ON, l);
                self.set_word(t, PC, next);
                let object = lock_object(l);
                self.emit(observer, EventKind::Wait { object });
                return Went::Stopped(Pause::Waiting);
            }
            Op::Notify(l) => {
                let mut waiting = (0..self.threads()).filter(|w| self.waits_on(*w, l));
                let first = waiting.next();
                let several = waiting.next().is_some();
                let object = lock_object(l);
                if several && self.stops.has(OpMask::NOTIFY) {
                    return Went::Stopped(Pause::Notify(object));
                }
                let woken = first.is_some() as u32;
                if let Some(first) = first {
                    self.wake(first);
                }
                self.emit(
                    observer,
                    EventKind::Notify {
                        object,
                        woken,
                        all: false,
                    },
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
                let object = lock_object(l);
                self.emit(
                    observer,
                    EventKind::Notify {
                        object,
                        woken,
                        all: true,
                    },
                );
            }
            Op::Park => {
                self.emit(observer, EventKind::Park);
                if self.word(t, PERMIT) == 0 {
                    self.set_word(t, STATUS, status::PARKED);
                    self.set_word(t, PASSED, 1);
                    return Went::Stopped(Pause::Waiting);
                }
                self.set_word(t, PERMIT, 0);
            }
            Op::Unpark(other) => {
                let target = ThreadId(other);
                self.emit(observer, EventKind::Unpark { target });
                if self.word(other, STATUS) == status::PARKED {
                    self.set_word(other, STATUS, status::READY);
                    self.set_word(other, PASSED, 0);
                    self.set_word(other, PC, self.word(other, PC) + 1);
                } else {
                    self.set_word(other, PERMIT, 1);
                }
                return Went::Released(next);
            }
            Op::Enter => self.set_word(t, TRUSTED, 1),
            Op::Leave => self.set_word(t, TRUSTED, 0),
            Op::Exit => {
                self.set(self.exited, 1);
                return Went::Stopped(Pause::ThreadEnd);
            }
            Op::Assert(v, _) | Op::AssertSame(v) => {
                let value = self.read(v, observer);
                let wanted = match op {
                    Op::Assert(_, wanted) => wanted,
                    _ => self.word(t, REGISTER),
                };
                if value != wanted {
                    let cell = self.failures + t as usize;
                    self.set(cell, self.cells[cell] | 1 << (pc % 32));
                    let exception = thread_object(t);
                    self.emit(observer, EventKind::Throw { exception });
                }
            }
        }
        Went::On(next)
    }

    fn read<O: Observer>(&mut self, variable: u32, observer: &mut O) -> u32 {
        let value = self.variable(variable);
        let kind = EventKind::Read {
            place: place(variable),
            value: value.into(),
        };
        self.emit(observer, kind);
        value
    }

    fn write<O: Observer>(&mut self, variable: u32, value: u32, observer: &mut O) {
        self.set(self.variables + variable as usize, value);
        let kind = EventKind::Write {
            place: place(variable),
            value: value.into(),
        };
        self.emit(observer, kind);
    }

    #[inline]
    pub(super) fn emit<O: Observer>(&self, observer: &mut O, kind: EventKind) {
        if O::WANTS != EventMask::NONE && observer.mask().has(kind.mask()) {
            let site = Site {
                method: MethodId(self.running),
                bci: self.word(self.running, PC) as i32,
            };
            let thread = ThreadId(self.running);
            observer.event(&Event::new(thread, site, kind), self);
        }
    }
}

/// What an instruction did to the running thread.
enum Went {
    /// It goes on there.
    On(u32),
    /// The same, and the block is over.
    Released(u32),
    Stopped(Pause),
}
