//! Threads of the toy machine that stand before a lock in which they may wait in a loop: what
//! they would do with it, found out on a copy ([`OpMask::AWAITS`]).

use super::step::{is_look, place};
use super::*;

/// Looks after which a loop is not followed any further.
const MOST: usize = 20;

impl Toy {
    /// Whether a thread is about to take its only lock and may wait in it.
    pub(super) fn may_wait_behind(&self, thread: u32) -> bool {
        let code = &self.program.threads[thread as usize];
        let pc = self.word(thread, PC) as usize;
        let Some(Op::Lock(lock)) = code.get(pc).copied() else {
            return false;
        };
        let holds = |l| self.owner_of(l) == thread + 1;
        let section = code[pc..].iter().take_while(|op| **op != Op::Unlock(lock));
        let mut waits = section.filter(|op| **op == Op::Wait(lock));
        self.word(thread, TRUSTED) == 0
            && !(0..self.program.locks).any(holds)
            && waits.next().is_some()
    }

    /// Whether a thread would only wait, and is no option therefore.
    pub(super) fn awaits_in_vain(&self, thread: u32) -> bool {
        let awaited = self.awaited.get(thread as usize);
        matches!(awaited, Some(Some(Awaited { fails: true, .. })))
    }

    pub(super) fn look_ahead(&mut self) {
        self.awaited.clear();
        if self.stops.has(OpMask::AWAITS) {
            let awaited = (0..self.threads()).map(|t| self.awaited_by(t, &[]));
            self.awaited = awaited.collect();
        }
    }

    /// What a thread would find if these places had these values.
    pub(super) fn awaited_by(&self, thread: u32, values: &[(Place, u64)]) -> Option<Awaited> {
        let state = self.word(thread, STATUS);
        let stands = matches!(state, status::READY | status::BLOCKED);
        if !stands || self.word(thread, PASSED) == 0 || !self.may_wait_behind(thread) {
            return None;
        }
        let Some(Op::Lock(lock)) = self.op(thread) else {
            return None;
        };
        if !self.can_enter(thread, lock) {
            return None;
        }
        let mut copy = Toy {
            marks: Vec::new(),
            log: Vec::new(),
            stops: OpMask::VISIBLE,
            running: thread,
            pause: Pause::Slice,
            ..self.clone()
        };
        for variable in 0..self.program.variables {
            let supposed = values.iter().find(|(p, _)| *p == place(variable));
            if let Some((_, value)) = supposed {
                copy.cells[self.variables + variable as usize] = *value as u32;
            }
        }
        let at = |toy: &Toy| (toy.word(thread, PC), toy.word(thread, REGISTER));
        let (pc, register) = at(self);
        let key = u64::from(thread) << 48 | u64::from(pc) << 32 | u64::from(register);
        let mut awaited = Awaited {
            lock: lock_object(lock),
            fails: false,
            looks: Vec::new(),
            key,
        };
        copy.step(&mut ());
        let first = at(&copy);
        while let Some(op) = copy.op(thread)
            && is_look(op)
            && awaited.looks.len() < MOST
        {
            if let Op::Read(v) | Op::Unless(v, ..) = op {
                awaited.looks.push((place(v), copy.variable(v).into()));
            }
            copy.step(&mut ());
        }
        if copy.op(thread) == Some(Op::Wait(lock)) {
            copy.step(&mut ());
            copy.wake(thread);
            copy.step(&mut ());
            awaited.fails = at(&copy) == first && !awaited.looks.is_empty();
        }
        Some(awaited)
    }

    /// The instruction that a thread comes to next.
    fn op(&self, thread: u32) -> Option<Op> {
        let pc = self.word(thread, PC) as usize;
        self.program.threads[thread as usize].get(pc).copied()
    }
}
