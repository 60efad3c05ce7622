//! Small programs by chance, with everything that the toy machine can do.

use super::*;

pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % sides as u64) as u32
    }

    pub fn one_in(&mut self, sides: u32) -> bool {
        self.roll(sides) == 0
    }
}

/// What programs may contain.
#[derive(Clone, Copy, Debug)]
pub struct Flavour {
    pub locks: u32,
    /// How many pieces of 16 are critical sections.
    pub sections: u32,
    pub nested: bool,
    pub signals: bool,
    pub timed: bool,
    pub atomics: bool,
    pub trusted: bool,
    pub permits: bool,
    pub exits: bool,
    pub joins: bool,
    pub accesses: bool,
}

impl Flavour {
    pub fn roll(dice: &mut Dice) -> Flavour {
        Flavour {
            locks: dice.roll(3),
            sections: 3,
            nested: dice.one_in(2),
            signals: dice.one_in(3),
            timed: dice.one_in(2),
            atomics: dice.one_in(2),
            trusted: dice.one_in(3),
            permits: dice.one_in(5),
            exits: dice.one_in(6),
            joins: dice.one_in(3),
            accesses: !dice.one_in(5),
        }
    }

    /// Mostly calls into trusted code, which may stop in their middle.
    pub fn calls(dice: &mut Dice) -> Flavour {
        Flavour {
            locks: 1 + dice.roll(3),
            sections: 3 + dice.roll(5),
            trusted: true,
            ..Flavour::roll(dice)
        }
    }
}

/// A program of two or three threads besides the initial one.
pub fn program(dice: &mut Dice, flavour: &Flavour) -> Program {
    let threads = 2 + dice.roll(2);
    let length = if threads == 2 { 4 } else { 3 };
    let mut bodies = Vec::new();
    for t in 1..=threads {
        let mut body = Vec::new();
        for _ in 0..1 + dice.roll(length) {
            piece(dice, flavour, threads, t, &mut Vec::new(), false, &mut body);
        }
        bodies.push(body);
    }
    let mut program = started(bodies);
    let main = &mut program.threads[0];
    if flavour.joins {
        main.push(Join(1 + dice.roll(threads)));
    }
    if dice.one_in(3) {
        piece(dice, flavour, threads, 0, &mut Vec::new(), false, main);
    }
    Program::new(program.threads)
}

/// Appends something to do; `held` are the locks held.
fn piece(
    dice: &mut Dice,
    flavour: &Flavour,
    threads: u32,
    me: u32,
    held: &mut Vec<u32>,
    trusted: bool,
    out: &mut Vec<Op>,
) {
    let variable = dice.roll(2 + dice.0 as u32 % 2);
    let value = dice.roll(2);
    match dice.roll(16) {
        kind if kind < flavour.sections
            && flavour.locks > 0
            && (held.is_empty() || flavour.nested && held.len() < 3) =>
        {
            let lock = dice.roll(flavour.locks);
            out.push(Lock(lock));
            held.push(lock);
            for _ in 0..dice.roll(3) {
                piece(dice, flavour, threads, me, held, trusted, out);
            }
            held.pop();
            out.push(Unlock(lock));
        }
        3 | 4 if flavour.signals && !held.is_empty() => {
            let on = held[dice.roll(held.len() as u32) as usize];
            let wait = if flavour.timed {
                TimedWait(on)
            } else {
                Wait(on)
            };
            out.push([wait, Notify(on), NotifyAll(on)][dice.roll(3) as usize]);
        }
        5 | 6 if flavour.atomics => {
            if dice.one_in(2) {
                out.push(Add(variable, 1));
            } else {
                let mut inner = Vec::new();
                if dice.one_in(2) {
                    piece(dice, flavour, threads, me, held, trusted, &mut inner);
                }
                out.push(Cas(variable, value, value + 1, inner.len() as i32 + 1));
                out.extend(inner);
            }
        }
        7 | 8 if flavour.trusted && !trusted => {
            out.push(Enter);
            for _ in 0..1 + dice.roll(3) {
                piece(dice, flavour, threads, me, held, true, out);
            }
            out.push(Leave);
        }
        9 if flavour.permits => {
            // Whoever runs was started after those before him.
            let others = if me == 0 { threads } else { me };
            out.push(match dice.roll(2) {
                0 => Park,
                _ => Unpark(dice.roll(others + 1)),
            });
        }
        10 if flavour.exits && !trusted => out.push(Exit),
        11 if flavour.joins && !trusted => {
            // Whoever comes later can be joined, so that nobody joins himself.
            if me < threads && me > 0 {
                out.push(Join(me + 1 + dice.roll(threads - me)));
            }
        }
        _ if !flavour.accesses => {}
        kind => match kind % 5 {
            0 => out.push(Read(variable)),
            1 => out.push(Write(variable, value)),
            2 => out.push(Store(variable, value)),
            3 => out.push(Assert(variable, value)),
            _ => {
                let mut inner = Vec::new();
                piece(dice, flavour, threads, me, held, trusted, &mut inner);
                out.push(Unless(variable, value, inner.len() as i32 + 1));
                out.extend(inner);
            }
        },
    }
}

/// A program whose threads wait in loops for what others do under a lock, mostly as it should be
/// done: every way to get it wrong is in some.
pub fn guarded(dice: &mut Dice) -> Program {
    let threads = 2 + dice.roll(2);
    let locks = 1 + dice.roll(2);
    let variables = 1 + dice.roll(2);
    let slips = dice.roll(3) * 4;
    let notify = match dice.one_in(3) {
        true => Notify,
        false => NotifyAll,
    };
    let mut bodies = Vec::new();
    for _ in 0..threads {
        let mut body = Vec::new();
        for _ in 0..1 + dice.roll(if threads == 2 { 3 } else { 2 }) {
            guarded_section(dice, (locks, variables), (slips, notify), &mut body);
        }
        bodies.push(body);
    }
    started(bodies)
}

/// A critical section in which the thread may wait first. Each lock has variables of its own.
fn guarded_section(
    dice: &mut Dice,
    (locks, variables): (u32, u32),
    (slips, notify): (u32, fn(u32) -> Op),
    out: &mut Vec<Op>,
) {
    let slip = |dice: &mut Dice| slips > 0 && dice.roll(40) < slips;
    let lock = dice.roll(locks);
    let nested = slip(dice).then(|| dice.roll(locks));
    out.extend(nested.map(Lock));
    out.push(Lock(lock));
    if slip(dice) {
        out.push(Read(lock * 2));
    }
    if dice.one_in(2) {
        let wait = Wait(lock);
        let own = |dice: &mut Dice| lock * 2 + dice.roll(variables);
        let (first, second) = (own(dice), own(dice));
        let (value, other) = (dice.roll(2), dice.roll(3));
        match dice.roll(4) {
            // while (!(first == value && second == other)) wait();
            0 => out.extend([
                Unless(first, value, 3),
                Unless(second, other, 2),
                Jump(3),
                wait,
                Jump(-4),
            ]),
            // if (first != value) wait();
            1 if slip(dice) => {
                let timed = [wait, TimedWait(lock)][dice.roll(2) as usize];
                out.extend([Unless(first, value, 2), Jump(2), timed]);
            }
            // do wait(); while (first != value);
            2 if slip(dice) => out.extend([wait, Unless(first, value, -1)]),
            // while (first != value) { register = second; wait(); }
            3 if slip(dice) => out.extend([
                Unless(first, value, 2),
                Jump(4),
                Read(second),
                wait,
                Jump(-4),
            ]),
            // while (first != value) wait();
            _ => out.extend([Unless(first, value, 2), Jump(3), wait, Jump(-3)]),
        }
    }
    for _ in 0..dice.roll(3) {
        let variable = match slip(dice) {
            true => dice.roll(locks) * 2,
            false => lock * 2 + dice.roll(variables),
        };
        out.push(match dice.roll(4) {
            0 => Add(variable, 1),
            1 => Assert(variable, dice.roll(2)),
            _ => Write(variable, dice.roll(3)),
        });
    }
    match slip(dice) {
        true if dice.one_in(2) => out.push(Notify(lock)),
        true => {}
        false => out.push(notify(lock)),
    }
    out.push(Unlock(lock));
    out.extend(nested.map(Unlock));
    if slip(dice) {
        out.push(Write(lock * 2, dice.roll(2)));
    }
}
