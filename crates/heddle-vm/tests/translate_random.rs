//! Random bytecode computes the same as a stack and as register code, counts as many
//! bytecodes, and watched bytecodes are come to exactly when the stack machine comes to
//! them.
//!
//! The code is legal but nothing a compiler would write: the whole `dup` family
//! over ints and longs, stores to locals that are still on the stack, branches
//! and loops with values on the stack, calls in the middle.

mod common;

use common::eval::Evaluator;
use common::{Made, class_of, pool};
use heddle_classfile::code::{Operand, decode, implicit_local};
use heddle_classfile::opcode::*;
use heddle_vm::disasm::listing;
use heddle_vm::places::Watched;
use heddle_vm::translate::Translator;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// Locals 0 to 3 are ints, 4 and 6 longs, 8 and up count the rounds of loops.
const LOCALS: u16 = 20;
const STACK: usize = 14;

struct Generator {
    random: Random,
    code: Vec<u8>,
    /// One entry per slot; true for the second half of a long.
    stack: Vec<bool>,
    /// Slots below belong to the surrounding code.
    floor: usize,
    loops: u8,
    /// Loops around this place: head, counter, slots on the stack.
    around: Vec<(usize, u8, usize)>,
}

impl Generator {
    fn push(&mut self, long: bool) {
        self.stack.push(false);
        if long {
            self.stack.push(true);
        }
    }

    fn pop(&mut self, slots: usize) {
        self.stack.truncate(self.stack.len() - slots);
    }

    /// Whether the slots above the floor, from the top, are these: `I`, `J`.
    fn top(&self, kinds: &str) -> bool {
        let mut at = self.stack.len();
        for kind in kinds.chars().rev() {
            let slots = if kind == 'J' { 2 } else { 1 };
            if at < self.floor + slots || self.stack[at - 1] != (kind == 'J') {
                return false;
            }
            at -= slots;
        }
        true
    }

    fn statement(&mut self, depth: usize) {
        let room = STACK - self.stack.len();
        match self.random.below(36) {
            0..=3 if room > 0 => {
                let op = self.random.of(&[ILOAD_0, ILOAD_1, ILOAD_2, ILOAD_3]);
                self.code.push(op);
                self.push(false);
            }
            4..=5 if room > 1 => {
                let local = self.random.of(&[4, 6]);
                self.code.extend([LLOAD, local]);
                self.push(true);
            }
            6 if room > 0 => {
                let value = self.random.below(256) as u8;
                self.code.extend([BIPUSH, value]);
                self.push(false);
            }
            7 if room > 1 => {
                let op = self.random.of(&[LCONST_0, LCONST_1]);
                self.code.push(op);
                self.push(true);
            }
            8 if room > 0 => {
                self.code.extend([LDC, pool::INT]);
                self.push(false);
            }
            9..=11 if self.top("I") => {
                let op = self.random.of(&[ISTORE_0, ISTORE_1, ISTORE_2, ISTORE_3]);
                self.code.push(op);
                self.pop(1);
            }
            12 if self.top("J") => {
                let local = self.random.of(&[4, 6]);
                self.code.extend([LSTORE, local]);
                self.pop(2);
            }
            13 => {
                let (local, by) = (self.random.below(4) as u8, self.random.below(3) as u8);
                self.code.extend([IINC, local, by]);
            }
            14..=16 if self.top("II") => {
                let op = self
                    .random
                    .of(&[IADD, ISUB, IMUL, IXOR, IAND, IOR, ISHL, IUSHR]);
                self.code.push(op);
                self.pop(1);
            }
            14..=16 if self.top("JJ") => {
                let op = self.random.of(&[LADD, LSUB, LMUL, LXOR, LAND]);
                self.code.push(op);
                self.pop(2);
            }
            17 if self.top("I") && room > 0 => {
                self.code.push(I2L);
                self.stack.push(true);
            }
            17 if self.top("J") => {
                self.code.push(L2I);
                self.pop(1);
            }
            18..=21 => {
                // name, what it needs, slots copied, slots underneath
                let forms = [
                    (DUP, "I", 1, 0),
                    (DUP_X1, "II", 1, 1),
                    (DUP_X2, "III", 1, 2),
                    (DUP_X2, "JI", 1, 2),
                    (DUP2, "II", 2, 0),
                    (DUP2, "J", 2, 0),
                    (DUP2_X1, "III", 2, 1),
                    (DUP2_X1, "IJ", 2, 1),
                    (DUP2_X2, "IIII", 2, 2),
                    (DUP2_X2, "IIJ", 2, 2),
                    (DUP2_X2, "JII", 2, 2),
                    (DUP2_X2, "JJ", 2, 2),
                ];
                let (op, needs, count, under) = self.random.of(&forms);
                if self.top(needs) && room >= count {
                    self.code.push(op);
                    let depth = self.stack.len();
                    self.stack.extend_from_within(depth - count..);
                    self.stack[depth - count - under..depth].rotate_right(count);
                }
            }
            22..=23 if self.top("II") => self.code.push(SWAP),
            24 if self.top("I") => {
                self.code.push(POP);
                self.pop(1);
            }
            25 if self.top("IJ") => {
                self.code.extend([INVOKESTATIC, 0, pool::F]);
                self.pop(2);
            }
            26..=27 if depth < 3 && room > 4 => self.branch(depth),
            30 => self.clear(self.floor),
            31..=33 => {
                // continue
                if self.around.is_empty() {
                    return;
                }
                let n = self.random.below(self.around.len());
                let (head, counter, slots) = self.around[n];
                if self.stack.len() == slots {
                    let jump = self.condition();
                    self.code.extend([IINC, counter, 1]);
                    let back = self.code.len();
                    self.code.extend([GOTO, 0, 0]);
                    self.patch(back, head);
                    self.patch(jump, self.code.len());
                }
            }
            28..=29 if depth < 3 && room > 4 && self.loops < 8 => self.repeat(depth),
            34..=35 if depth < 3 && room > 4 => self.switch(depth),
            _ => {}
        }
    }

    /// Statements that leave the stack as it was.
    fn block(&mut self, depth: usize) {
        let (floor, before) = (self.floor, self.stack.len());
        self.floor = before;
        for _ in 0..self.random.below(12) {
            self.statement(depth + 1);
        }
        self.clear(before);
        self.floor = floor;
    }

    fn clear(&mut self, to: usize) {
        while self.stack.len() > to {
            let long = *self.stack.last().unwrap();
            self.code.push(if long { POP2 } else { POP });
            self.pop(if long { 2 } else { 1 });
        }
    }

    fn patch(&mut self, jump: usize, target: usize) {
        let offset = (target as i32 - jump as i32) as i16;
        self.code[jump + 1..jump + 3].copy_from_slice(&offset.to_be_bytes());
    }

    fn condition(&mut self) -> usize {
        let comparison = match self.random.below(4) {
            0 => vec![ILOAD_0, self.random.of(&[IFEQ, IFNE, IFLT, IFGT])],
            1 => vec![
                LLOAD,
                4,
                LLOAD,
                6,
                LCMP,
                self.random.of(&[IFGE, IFLE, IFLT]),
            ],
            2 => vec![ICONST_5, ILOAD_1, self.random.of(&[IF_ICMPLT, IF_ICMPGE])],
            _ => vec![ILOAD_2, ILOAD_3, self.random.of(&[IF_ICMPEQ, IF_ICMPGT])],
        };
        self.code.extend(comparison);
        self.code.extend([0, 0]);
        self.code.len() - 3
    }

    fn branch(&mut self, depth: usize) {
        let jump = self.condition();
        self.block(depth);
        if self.random.below(2) == 0 {
            let end = self.code.len();
            self.code.extend([GOTO, 0, 0]);
            self.patch(jump, self.code.len());
            self.block(depth);
            self.patch(end, self.code.len());
        } else {
            self.patch(jump, self.code.len());
        }
    }

    /// A switch on the low bits of a local, of either kind; the cases have blocks of their
    /// own, and some fall through.
    fn switch(&mut self, depth: usize) {
        let count = 1 + self.random.below(3);
        self.code.extend([ILOAD_0, BIPUSH, 7, IAND]);
        let start = self.code.len();
        let table = self.random.below(2) == 0;
        self.code
            .push(if table { TABLESWITCH } else { LOOKUPSWITCH });
        while !self.code.len().is_multiple_of(4) {
            self.code.push(0);
        }
        let mut offsets = vec![self.code.len()];
        self.code.extend([0; 4]);
        if table {
            self.code.extend(1i32.to_be_bytes());
            self.code.extend((count as i32).to_be_bytes());
        } else {
            self.code.extend((count as u32).to_be_bytes());
        }
        for n in 0..count {
            if !table {
                self.code.extend((2 * n as i32 + 1).to_be_bytes());
            }
            offsets.push(self.code.len());
            self.code.extend([0; 4]);
        }
        let mut ends = Vec::new();
        for at in offsets {
            let offset = (self.code.len() - start) as u32;
            self.code[at..at + 4].copy_from_slice(&offset.to_be_bytes());
            self.block(depth);
            if self.random.below(3) > 0 {
                ends.push(self.code.len());
                self.code.extend([GOTO, 0, 0]);
            }
        }
        for jump in ends {
            self.patch(jump, self.code.len());
        }
    }

    /// A loop of a few rounds; it may be left early.
    fn repeat(&mut self, depth: usize) {
        let counter = 8 + self.loops;
        self.loops += 1;
        if self.random.below(2) == 0 {
            self.clear(self.floor);
        }
        self.code.extend([ICONST_0, ISTORE, counter]);
        if self.random.below(2) == 0 {
            // Another way into the loop.
            let jump = self.condition();
            self.block(depth);
            self.patch(jump, self.code.len());
        }
        let head = self.code.len();
        self.around.push((head, counter, self.stack.len()));
        self.code.extend([ILOAD, counter]);
        match self.random.below(2) {
            0 => self.code.push(ICONST_3),
            _ => self.code.extend([ILOAD_0, ICONST_3, IAND]),
        }
        let exit = self.code.len();
        self.code.extend([IF_ICMPGE, 0, 0]);
        self.block(depth);
        if self.random.below(3) == 0 {
            let jump = self.condition();
            self.code.extend([IINC, counter, 1]);
            let back = self.code.len();
            self.code.extend([GOTO, 0, 0]);
            self.patch(back, head);
            self.patch(jump, self.code.len());
            self.block(depth);
        }
        self.around.pop();
        self.code.extend([IINC, counter, 1]);
        let back = self.code.len();
        self.code.extend([GOTO, 0, 0]);
        self.patch(back, head);
        self.patch(exit, self.code.len());
    }

    /// Mixes everything that is left into the result.
    fn finish(&mut self) {
        let mix = [ILOAD, 18, BIPUSH, 31, IMUL, IADD, ISTORE, 18];
        while let Some(&long) = self.stack.last() {
            if long {
                self.code.push(L2I);
            }
            self.pop(if long { 2 } else { 1 });
            self.code.extend(mix);
        }
        for local in 0..4 {
            self.code.extend([ILOAD, local]);
            self.code.extend(mix);
        }
        for local in [4, 6] {
            self.code.extend([LLOAD, local, L2I]);
            self.code.extend(mix);
        }
        self.code.extend([ILOAD, 18, IRETURN]);
    }
}

/// The obvious interpreter: the result, where it went, and the number of bytecodes, those
/// of the method that is called included; `None` if it takes too long.
fn run(code: &[u8], locals: &mut [u64]) -> Option<(u64, Vec<u16>, i64)> {
    let mut way = Vec::new();
    let mut stack: Vec<u64> = Vec::new();
    let mut pc = 0;
    let int = |v: i32| u64::from(v as u32);
    let mut count = 0;
    for _ in 0..200_000 {
        count += 1;
        way.push(pc as u16);
        let insn = decode(code, pc).unwrap();
        let mut next = pc + insn.length as usize;
        let local = |op: u8| match insn.operand {
            Operand::Local(local) => usize::from(local),
            _ => usize::from(implicit_local(op).unwrap()),
        };
        let mut pop = || stack.pop().unwrap();
        match insn.opcode {
            NOP => {}
            ICONST_M1..=ICONST_5 => stack.push(int(i32::from(insn.opcode) - 3)),
            LCONST_0 | LCONST_1 => stack.extend([u64::from(insn.opcode - LCONST_0), 0]),
            BIPUSH => match insn.operand {
                Operand::Int(value) => stack.push(int(value)),
                _ => unreachable!(),
            },
            LDC => stack.push(70000),
            op @ (ILOAD | ILOAD_0..=ILOAD_3) => stack.push(locals[local(op)]),
            op @ LLOAD => stack.extend([locals[local(op)], 0]),
            op @ (ISTORE | ISTORE_0..=ISTORE_3) => locals[local(op)] = pop(),
            op @ LSTORE => {
                pop();
                locals[local(op)] = pop();
            }
            IINC => match insn.operand {
                Operand::Increment { local, by } => {
                    let value = &mut locals[usize::from(local)];
                    *value = int((*value as i32).wrapping_add(i32::from(by)));
                }
                _ => unreachable!(),
            },
            op @ (IADD | ISUB | IMUL | IXOR | IAND | IOR | ISHL | IUSHR) => {
                let (c, b) = (pop() as i32, pop() as i32);
                stack.push(int(match op {
                    IADD => b.wrapping_add(c),
                    ISUB => b.wrapping_sub(c),
                    IMUL => b.wrapping_mul(c),
                    IXOR => b ^ c,
                    IAND => b & c,
                    IOR => b | c,
                    ISHL => b.wrapping_shl(c as u32),
                    _ => (b as u32).wrapping_shr(c as u32) as i32,
                }));
            }
            op @ (LADD | LSUB | LMUL | LXOR | LAND) => {
                pop();
                let c = pop();
                pop();
                let b = pop();
                let value = match op {
                    LADD => b.wrapping_add(c),
                    LSUB => b.wrapping_sub(c),
                    LMUL => b.wrapping_mul(c),
                    LXOR => b ^ c,
                    _ => b & c,
                };
                stack.extend([value, 0]);
            }
            I2L => {
                let value = pop() as i32;
                stack.extend([i64::from(value) as u64, 0]);
            }
            L2I => {
                pop();
                let value = pop();
                stack.push(int(value as i32));
            }
            DUP..=DUP2_X2 => {
                let n = usize::from(insn.opcode - DUP);
                let (count, under) = (1 + n / 3, n % 3);
                let depth = stack.len();
                stack.extend_from_within(depth - count..);
                stack[depth - count - under..depth].rotate_right(count);
            }
            SWAP => {
                let depth = stack.len();
                stack.swap(depth - 1, depth - 2);
            }
            POP => drop(pop()),
            POP2 => {
                pop();
                pop();
            }
            INVOKESTATIC => {
                pop();
                let (b, a) = (pop() as i32, pop() as i32);
                count += 7;
                stack.push(int(a.wrapping_mul(31).wrapping_add(b)));
            }
            LCMP => {
                pop();
                let c = pop() as i64;
                pop();
                let b = pop() as i64;
                stack.push(int(b.cmp(&c) as i32));
            }
            op @ IFEQ..=GOTO => {
                let (b, c) = match op {
                    GOTO => (0, 0),
                    IFEQ..=IFLE => (pop() as i32, 0),
                    _ => {
                        let c = pop() as i32;
                        (pop() as i32, c)
                    }
                };
                let taken = match op {
                    IFEQ | IF_ICMPEQ => b == c,
                    IFNE | IF_ICMPNE => b != c,
                    IFLT | IF_ICMPLT => b < c,
                    IFGE | IF_ICMPGE => b >= c,
                    IFGT | IF_ICMPGT => b > c,
                    IFLE | IF_ICMPLE => b <= c,
                    _ => true,
                };
                if let (true, Operand::Branch(target)) = (taken, insn.operand) {
                    next = target as usize;
                }
            }
            TABLESWITCH | LOOKUPSWITCH => {
                let key = pop() as i32;
                next = match insn.operand {
                    Operand::Table(switch) => usize::try_from(key - switch.low)
                        .ok()
                        .and_then(|n| switch.targets().nth(n))
                        .unwrap_or(switch.default),
                    Operand::Lookup(switch) => {
                        let mut pairs = switch.pairs();
                        let found = pairs.find(|pair| pair.0 == key);
                        found.map_or(switch.default, |pair| pair.1)
                    }
                    _ => unreachable!(),
                } as usize;
            }
            IRETURN => return Some((pop(), way, count)),
            other => unreachable!("opcode {other}"),
        }
        pc = next;
    }
    None
}

#[test]
fn random_code() {
    let mut finished = 0;
    // SEEDS=n tries more.
    let seeds = std::env::var("SEEDS").map_or(4000, |n| n.parse().expect("a number"));
    for seed in 1..=seeds {
        let mut generator = Generator {
            random: Random(u64::wrapping_mul(seed, 0x9E37_79B9_7F4A_7C15)),
            code: Vec::new(),
            stack: Vec::new(),
            floor: 0,
            loops: 0,
            around: Vec::new(),
        };
        for local in 0..4 {
            generator.code.extend([BIPUSH, 3 * local, ISTORE, local]);
        }
        generator
            .code
            .extend([LCONST_1, LSTORE, 4, LCONST_0, LSTORE, 6]);
        generator.code.extend([ICONST_0, ISTORE, 18]);
        for _ in 0..generator.random.below(80) {
            generator.statement(0);
        }
        generator.finish();
        let code = generator.code;
        let Some((expected, way, count)) = run(&code, &mut [0; LOCALS as usize]) else {
            continue;
        };
        finished += 1;
        let made = Made {
            desc: "()I",
            stack: STACK as u16 + 4,
            locals: LOCALS,
            ..Made::default()
        };
        let translator = match seed % 4 {
            0 => Translator::with_far_jumps(),
            _ => Translator::new(),
        };
        let mut evaluator = Evaluator::new(class_of(&made, &code), translator);
        let got = evaluator
            .call_named("m", "()I", 0)
            .map(|()| evaluator.stack[0]);
        if got.as_ref().ok() != Some(&expected) || evaluator.counted != count {
            let body =
                heddle_vm::translate::translate(&evaluator.class, &evaluator.class.methods[0]);
            println!("{code:?}\n{}", listing(&body.unwrap(), LOCALS));
            let counted = evaluator.counted;
            panic!("seed {seed}: expected {expected}; {counted} of {count} bytecodes");
        }
        // The same with some bytecodes watched, or all.
        let some: Vec<u16> = (0..code.len() as u16)
            .filter(|at| seed % 3 == 0 || (seed ^ (u64::from(*at) * 7)) % 5 == 0)
            .collect();
        let watched = match seed % 3 {
            0 => Watched::Everything,
            _ => Watched::These(some.clone()),
        };
        let class = class_of(&made, &code);
        let mut watching = Evaluator::watching(class, Translator::new(), watched);
        let got = watching
            .call_named("m", "()I", 0)
            .map(|()| watching.stack[0]);
        assert_eq!(got.ok(), Some(expected), "seed {seed}, watched");
        let seen = way.iter().copied().filter(|at| some.contains(at));
        assert!(
            seen.eq(watching.arrivals.iter().copied()),
            "seed {seed}: {way:?} and {:?}",
            watching.arrivals
        );
    }
    assert!(finished > seeds / 2, "only {finished}");
}
