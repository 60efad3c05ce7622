//! Hundreds of small generated programs, against a model that shares nothing with the
//! strategies and the toy machine but the instructions.
//!
//! The model interprets the programs on states that are copied. Instruction by
//! instruction, with every state visited once, it gives all final states, all deadlocks
//! and all lock cycles of a program: both algorithms, and `dfs` over blocks, must find
//! exactly those. Block by block, by recursion as the pseudo-code of Rivet's figures 2.7,
//! 2.9 and 2.12 has it (with all delayed threads kept in a branch, and one branch per
//! order instead of one per notification and order), it gives the counts of both.

use crate::common::watched::Watched;
use crate::common::*;
use heddle_explore::strategies::{Dfs, ExitBlock, ExitBlockRw};
use heddle_explore::toy::{Op, Program};
use heddle_explore::{Limits, Outcome, explore};
use heddle_model::*;
use std::collections::{BTreeMap, BTreeSet};

// The model.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Status {
    Unborn,
    Ready,
    Waiting(usize, u32),
    Woken(usize, u32),
    Joining(usize),
    Dead,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct State {
    threads: Vec<(Status, usize, u32)>,
    locks: Vec<Option<(usize, u32)>>,
    variables: Vec<u32>,
    failed: Vec<u32>,
}

enum Did {
    /// The lock it wants.
    Blocked(usize),
    /// One state each that it can lead to.
    Went(Vec<State>),
}

/// What a step, or a block, touched.
#[derive(Clone, Default, Debug)]
struct Touched {
    reads: BTreeSet<u32>,
    writes: BTreeSet<u32>,
    released: Option<usize>,
    ended: bool,
}

impl Touched {
    fn meets(&self, other: &Touched) -> bool {
        let common = |a: &BTreeSet<u32>, b: &BTreeSet<u32>| a.intersection(b).next().is_some();
        common(&self.writes, &other.writes)
            || common(&self.reads, &other.writes)
            || common(&self.writes, &other.reads)
    }
}

impl State {
    fn new(program: &Program) -> State {
        let mut threads = vec![(Status::Unborn, 0, 0); program.threads.len()];
        threads[0].0 = Status::Ready;
        State {
            threads,
            locks: vec![None; program.locks as usize],
            variables: vec![0; program.variables as usize],
            failed: vec![0; program.threads.len()],
        }
    }

    /// The lock that a thread needs for its next step and cannot have.
    fn wants(&self, program: &Program, t: usize) -> Option<usize> {
        let lock = match self.threads[t].0 {
            Status::Woken(l, _) => l,
            Status::Ready => match program.threads[t].get(self.threads[t].1) {
                Some(Lock(l)) => *l as usize,
                _ => return None,
            },
            _ => return None,
        };
        self.locks[lock]
            .is_some_and(|(owner, _)| owner != t)
            .then_some(lock)
    }

    /// Whether a thread would run if it were let, if only into a lock.
    fn alive(&self, t: usize) -> bool {
        match self.threads[t].0 {
            Status::Ready | Status::Woken(..) => true,
            Status::Joining(other) => self.threads[other].0 == Status::Dead,
            _ => false,
        }
    }

    fn step(&self, program: &Program, t: usize, touched: &mut Touched) -> Did {
        if let Some(lock) = self.wants(program, t) {
            return Did::Blocked(lock);
        }
        let mut next = self.clone();
        if let Status::Woken(l, n) = self.threads[t].0 {
            next.locks[l] = Some((t, n));
            next.threads[t].0 = Status::Ready;
            return Did::Went(vec![next]);
        }
        next.threads[t].0 = Status::Ready;
        let pc = self.threads[t].1;
        let Some(op) = program.threads[t].get(pc) else {
            next.threads[t].0 = Status::Dead;
            touched.ended = true;
            return Did::Went(vec![next]);
        };
        next.threads[t].1 = pc + 1;
        match *op {
            Lock(l) => {
                let entries = self.locks[l as usize].map_or(0, |(_, n)| n);
                next.locks[l as usize] = Some((t, entries + 1));
            }
            Unlock(l) => {
                let (_, entries) = self.locks[l as usize].expect("held");
                next.locks[l as usize] = (entries > 1).then_some((t, entries - 1));
                if entries == 1 {
                    touched.released = Some(l as usize);
                    touched.ended = true;
                }
            }
            Read(v) => {
                touched.reads.insert(v);
                next.threads[t].2 = self.variables[v as usize];
            }
            Write(v, value) => {
                touched.writes.insert(v);
                next.variables[v as usize] = value;
            }
            Store(v, plus) => {
                touched.writes.insert(v);
                next.variables[v as usize] = self.threads[t].2 + plus;
            }
            Unless(v, value, by) => {
                touched.reads.insert(v);
                if self.variables[v as usize] != value {
                    next.threads[t].1 = (pc as i32 + by) as usize;
                }
            }
            Jump(by) => next.threads[t].1 = (pc as i32 + by) as usize,
            Start(child) => {
                next.threads[child as usize].0 = Status::Ready;
                touched.ended = true;
            }
            Join(other) => {
                if self.threads[other as usize].0 != Status::Dead {
                    next.threads[t].0 = Status::Joining(other as usize);
                    next.threads[t].1 = pc;
                    touched.ended = true;
                }
            }
            Wait(l) | TimedWait(l) => {
                let (_, entries) = self.locks[l as usize].expect("held");
                next.locks[l as usize] = None;
                next.threads[t].0 = Status::Waiting(l as usize, entries);
                touched.released = Some(l as usize);
                touched.ended = true;
            }
            Notify(l) => {
                let waiting = self.waiting(l as usize);
                if !waiting.is_empty() {
                    let each = waiting.into_iter().map(|(w, n)| {
                        let mut next = next.clone();
                        next.threads[w].0 = Status::Woken(l as usize, n);
                        next
                    });
                    return Did::Went(each.collect());
                }
            }
            NotifyAll(l) => {
                for (w, n) in self.waiting(l as usize) {
                    next.threads[w].0 = Status::Woken(l as usize, n);
                }
            }
            Assert(v, value) => {
                touched.reads.insert(v);
                if self.variables[v as usize] != value {
                    next.failed[t] |= 1 << pc;
                }
            }
            AssertSame(v) => {
                touched.reads.insert(v);
                if self.variables[v as usize] != self.threads[t].2 {
                    next.failed[t] |= 1 << pc;
                }
            }
            Add(..) | Cas(..) | Park | Unpark(_) | Enter | Leave | Exit => {
                unreachable!("not generated here")
            }
        }
        Did::Went(vec![next])
    }

    fn waiting(&self, lock: usize) -> Vec<(usize, u32)> {
        let all = self.threads.iter().enumerate();
        all.filter_map(|(w, thread)| match thread.0 {
            Status::Waiting(l, n) if l == lock => Some((w, n)),
            _ => None,
        })
        .collect()
    }

    /// Runs a thread to the end of its block: the lock that stops it, or all states that
    /// it can lead to.
    fn block(&self, program: &Program, t: usize, touched: &mut Touched) -> Did {
        match self.step(program, t, touched) {
            Did::Blocked(lock) => Did::Blocked(lock),
            Did::Went(states) if touched.ended => Did::Went(states),
            Did::Went(states) => {
                let (mut all, before) = (Vec::new(), touched.clone());
                for state in states {
                    let mut on = before.clone();
                    match state.block(program, t, &mut on) {
                        Did::Blocked(lock) => return Did::Blocked(lock),
                        Did::Went(ends) => all.extend(ends),
                    }
                    *touched = on;
                }
                Did::Went(all)
            }
        }
    }

    /// As [`Toy::summary`] has it.
    fn summary(&self) -> Vec<u32> {
        let mut summary = Vec::new();
        for (status, pc, register) in &self.threads {
            let status = if *status == Status::Dead { 7 } else { 0 };
            summary.extend([status, *pc as u32, *register, 0]);
        }
        for lock in &self.locks {
            let (owner, entries) = lock.map_or((0, 0), |(owner, n)| (owner as u32 + 1, n));
            summary.extend([owner, entries]);
        }
        summary.extend(&self.variables);
        summary.extend(&self.failed);
        summary
    }

    fn cycles(&self, program: &Program) -> BTreeSet<String> {
        let next = |t| {
            self.wants(program, t)
                .and_then(|l| self.locks[l])
                .map(|(owner, _)| owner)
        };
        let mut cycles = BTreeSet::new();
        for first in 0..self.threads.len() {
            let mut path = vec![first];
            while let Some(to) = next(*path.last().expect("a path")) {
                if to == first {
                    path.sort();
                    cycles.insert(format!("{path:?}"));
                }
                if path.contains(&to) {
                    break;
                }
                path.push(to);
            }
        }
        cycles
    }

    fn states(&self) -> String {
        let names = self.threads.iter().map(|(status, ..)| match status {
            Status::Unborn => "NEW",
            Status::Ready | Status::Woken(..) => "BLOCKED",
            Status::Waiting(..) | Status::Joining(_) => "WAITING",
            Status::Dead => "TERMINATED",
        });
        names.collect::<Vec<_>>().join(" ")
    }
}

/// All that can happen.
#[derive(Default, PartialEq, Eq, Debug)]
struct Behaviour {
    finals: BTreeSet<Vec<u32>>,
    /// Deadlocks without a cycle of locks, as the states of the threads.
    stuck: BTreeSet<String>,
    cycles: BTreeSet<String>,
}

/// Every interleaving of instructions; `None` if there are too many states.
fn behaviour(program: &Program) -> Option<Behaviour> {
    let mut all = Behaviour::default();
    let mut seen = BTreeSet::new();
    let mut todo = vec![State::new(program)];
    while let Some(state) = todo.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        if seen.len() > 40_000 {
            return None;
        }
        let cycles = state.cycles(program);
        let mut moved = false;
        for t in (0..state.threads.len()).filter(|t| state.alive(*t)) {
            if let Did::Went(next) = state.step(program, t, &mut Touched::default()) {
                moved = true;
                todo.extend(next);
            }
        }
        if !moved {
            let over = |t: &(Status, usize, u32)| matches!(t.0, Status::Dead | Status::Unborn);
            if state.threads.iter().all(over) {
                all.finals.insert(state.summary());
            } else if cycles.is_empty() {
                all.stuck.insert(state.states());
            }
        }
        all.cycles.extend(cycles);
    }
    Some(all)
}

/// The counts, as the pseudo-code has them.
struct Counting<'a> {
    program: &'a Program,
    rw: bool,
    paths: u64,
}

const TOO_MANY: u64 = 3_000;

impl Counting<'_> {
    fn explore(
        &mut self,
        state: &State,
        mut enabled: BTreeSet<usize>,
        mut delayed: BTreeMap<usize, Touched>,
        mut blocked: BTreeMap<usize, usize>,
        last: usize,
    ) {
        let mut ran = true;
        loop {
            if self.paths > TOO_MANY {
                return;
            }
            let Some(first) = enabled.first() else {
                self.paths += ran as u64;
                return;
            };
            let t = if ran && enabled.contains(&last) {
                last
            } else {
                *first
            };
            let mut touched = Touched::default();
            let ends = match state.block(self.program, t, &mut touched) {
                Did::Blocked(lock) => {
                    enabled.remove(&t);
                    blocked.insert(t, lock);
                    continue;
                }
                Did::Went(ends) => ends,
            };
            if t == 0 && ends[0].threads[0].0 == Status::Dead {
                enabled.remove(&t);
                self.explore(&ends[0], enabled, delayed, blocked, t);
                return;
            }
            for end in &ends {
                let (mut enabled, mut delayed, mut blocked) =
                    (enabled.clone(), delayed.clone(), blocked.clone());
                delayed.retain(|d, theirs| {
                    let wakes = !self.rw || theirs.meets(&touched);
                    if wakes {
                        enabled.insert(*d);
                    }
                    !wakes
                });
                blocked.retain(|b, lock| {
                    let wakes = touched.released == Some(*lock);
                    if wakes {
                        enabled.insert(*b);
                    }
                    !wakes
                });
                for other in 0..end.threads.len() {
                    let known = delayed.contains_key(&other) || blocked.contains_key(&other);
                    match end.alive(other) {
                        true if !known => enabled.insert(other),
                        true => false,
                        false => enabled.remove(&other),
                    };
                }
                self.explore(end, enabled, delayed, blocked, t);
            }
            enabled.remove(&t);
            delayed.insert(t, touched);
            ran = false;
        }
    }
}

/// The number of paths of an algorithm; `None` if there are too many.
fn count(program: &Program, rw: bool) -> Option<u64> {
    let mut counting = Counting {
        program,
        rw,
        paths: 0,
    };
    let state = State::new(program);
    counting.explore(&state, [0].into(), BTreeMap::new(), BTreeMap::new(), 0);
    (counting.paths <= TOO_MANY).then_some(counting.paths)
}

// The programs.

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % sides as u64) as u32
    }
}

/// A program that follows the locking discipline: variable `v` is touched only under lock
/// `v` modulo the number of locks.
fn generate(dice: &mut Dice) -> Program {
    let locks = 1 + dice.roll(3);
    let threads = 2 + dice.roll(2);
    let signals = dice.roll(3) == 0;
    let mut bodies = Vec::new();
    for _ in 0..threads {
        let mut body = Vec::new();
        for _ in 0..1 + dice.roll(if threads == 2 { 3 } else { 2 }) {
            region(dice, locks, &mut Vec::new(), signals, &mut body);
        }
        bodies.push(body);
    }
    let mut program = started(bodies);
    let main = &mut program.threads[0];
    if dice.roll(3) == 0 {
        main.push(Join(1 + dice.roll(threads)));
        if dice.roll(2) == 0 {
            region(dice, locks, &mut Vec::new(), signals, main);
        }
    } else if dice.roll(4) == 0 {
        region(dice, locks, &mut Vec::new(), signals, main);
    }
    Program::new(program.threads)
}

fn region(dice: &mut Dice, locks: u32, held: &mut Vec<u32>, signals: bool, out: &mut Vec<Op>) {
    let lock = dice.roll(locks);
    out.push(Lock(lock));
    held.push(lock);
    for _ in 0..dice.roll(4) {
        let on = held[dice.roll(held.len() as u32) as usize];
        let variable = if dice.roll(2) == 0 { on } else { on + locks };
        match dice.roll(9) {
            0 => out.push(Read(variable)),
            1 => out.push(Write(variable, dice.roll(2))),
            2 => out.push(Store(variable, dice.roll(2))),
            3 => out.push(Assert(variable, dice.roll(2))),
            4 | 5 if held.len() < 3 => region(dice, locks, held, signals, out),
            6 => {
                let mut inner = Vec::new();
                match dice.roll(3) {
                    0 if held.len() < 3 => region(dice, locks, held, signals, &mut inner),
                    1 if signals => inner.push(Wait(on)),
                    _ => inner.push(Write(variable, 1)),
                }
                out.push(Unless(variable, dice.roll(2), inner.len() as i32 + 1));
                out.extend(inner);
            }
            7 if signals => out.push([Wait(on), Notify(on), NotifyAll(on)][dice.roll(3) as usize]),
            _ => {}
        }
    }
    held.pop();
    out.push(Unlock(lock));
}

// The comparison.

fn watch(program: &Program, strategy: &mut impl Strategy, limits: &Limits) -> (Outcome, Behaviour) {
    let mut machine = Watched::new(program);
    let outcome = explore(&mut machine, strategy, &mut [&mut Judge], limits, &mut ());
    assert!(outcome.found.iter().all(|f| f.confirmed));
    let of = |kind| {
        let found = outcome.found.iter().filter(|f| f.finding.kind == kind);
        found.map(|f| f.finding.message.clone()).collect()
    };
    let stuck = of(FindingKind::ConditionDeadlock);
    let cycles = of(FindingKind::LockCycle);
    (
        outcome,
        Behaviour {
            finals: machine.exits,
            stuck,
            cycles,
        },
    )
}

#[test]
fn counts_and_behaviours() {
    let mut dice = Dice(0x5eed_1234_abcd_0001);
    let (mut compared, mut extras, mut deadlocks, mut counted) = (0, 0, 0, 0);
    let (mut total, mut most) = (0, 0);
    let wanted = std::env::var("HEDDLE_PROGRAMS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(600);
    while compared < wanted {
        let program = generate(&mut dice);
        let Some(exit_block) = count(&program, false) else {
            continue;
        };
        let exit_block_rw = count(&program, true).expect("not more than without reduction");
        let Some(expected) = behaviour(&program) else {
            continue;
        };
        // Marks at every other depth only, so that prefixes are run again as well.
        let limits = Limits {
            mark_every: 1 + compared % 2,
            ..Limits::default()
        };

        let (outcome, found) = watch(&program, &mut ExitBlock::new(), &limits);
        assert_eq!(outcome.schedules, exit_block, "exitblock on {program:#?}");
        assert_eq!(found, expected, "exitblock on {program:#?}");

        let (outcome, found) = watch(&program, &mut ExitBlockRw::new(), &limits);
        assert_eq!(
            outcome.schedules, exit_block_rw,
            "exitblock-rw on {program:#?}"
        );
        assert_eq!(found, expected, "exitblock-rw on {program:#?}");
        assert!(outcome.complete);

        let limits = Limits {
            schedules: Some(100_000),
            ..limits
        };
        let (dfs, found) = watch(&program, &mut Dfs::of_blocks(), &limits);
        if dfs.complete {
            assert_eq!(found.finals, expected.finals, "dfs on {program:#?}");
        }
        compared += 1;
        counted += dfs.complete as u64;
        extras += (outcome.extra > 0) as u64;
        deadlocks += (!expected.stuck.is_empty() || !expected.cycles.is_empty()) as u64;
        total += exit_block;
        most = most.max(exit_block);
    }
    println!(
        "{compared} programs, {total} schedules of exitblock (at most {most}), {extras} with extra \
         schedules of exitblock-rw, {deadlocks} with deadlocks, {counted} with dfs"
    );
    assert!(extras > 10 && deadlocks > 10);
}
