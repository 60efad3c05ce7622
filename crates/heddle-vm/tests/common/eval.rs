//! An evaluator of register code that is as simple as can be: unresolved
//! instructions are resolved by name each time, one class, no strings, no
//! threads. `TRACE=1` prints what is executed.

use std::collections::HashMap;
use std::rc::Rc;

use heddle_classfile::ClassFile;
use heddle_vm::disasm::{line, op_of, targets};
use heddle_vm::isa::{Body, Op, ext_words};
use heddle_vm::places::Watched;
use heddle_vm::translate::Translator;

pub struct Object {
    pub class: String,
    elements: Vec<u64>,
    fields: HashMap<String, u64>,
}

pub struct Evaluator {
    pub class: ClassFile,
    bodies: Vec<Option<(Rc<Body>, u16)>>,
    pub stack: Vec<u64>,
    pub heap: Vec<Object>,
    pub statics: HashMap<String, u64>,
    pub executed: u64,
    /// Bytecodes paid for, by the rules of `isa`.
    pub counted: i64,
    /// The watched bytecodes that were come to.
    pub arrivals: Vec<u16>,
}

/// A reference to the exception.
pub struct Thrown(pub u64);

impl Evaluator {
    pub fn new(class: ClassFile, translator: Translator) -> Evaluator {
        Evaluator::watching(class, translator, Watched::Nothing)
    }

    /// Watches bytecodes of the first method.
    pub fn watching(class: ClassFile, mut translator: Translator, watched: Watched) -> Evaluator {
        let mut watched = Some(watched);
        let bodies = class
            .methods
            .iter()
            .map(|m| {
                let locals = m.code.as_ref()?.max_locals;
                let body = translator
                    .translate(&class, m, watched.take().unwrap_or_default())
                    .expect("translates");
                super::check(&body).expect("well-formed");
                Some((Rc::new(body), locals))
            })
            .collect();
        Evaluator {
            class,
            bodies,
            stack: vec![0xDEAD_BEEF_DEAD_BEEF; 100_000],
            heap: vec![],
            statics: HashMap::new(),
            executed: 0,
            counted: 0,
            arrivals: vec![],
        }
    }

    pub fn call_named(&mut self, name: &str, desc: &str, base: usize) -> Result<(), Thrown> {
        let class = &self.class;
        let index = class
            .methods
            .iter()
            .position(|m| {
                class.pool.utf8(m.name) == name.as_bytes()
                    && class.pool.utf8(m.desc) == desc.as_bytes()
            })
            .unwrap_or_else(|| panic!("no method {name}{desc}"));
        let (body, locals) = self.bodies[index].clone().expect("has code");
        self.run(&body, locals, base)
    }

    fn new_object(&mut self, class: &str, length: usize) -> u64 {
        self.heap.push(Object {
            class: class.into(),
            elements: vec![0; length],
            fields: HashMap::new(),
        });
        self.heap.len() as u64
    }

    fn throw<T>(&mut self, class: &str) -> Result<T, Thrown> {
        Err(Thrown(self.new_object(class, 0)))
    }

    fn object(&mut self, reference: u64) -> Result<&mut Object, Thrown> {
        if reference == 0 {
            return self.throw("java/lang/NullPointerException");
        }
        assert!(reference as usize <= self.heap.len(), "{reference:x}");
        Ok(&mut self.heap[reference as usize - 1])
    }

    fn element(&mut self, array: u64, index: u64) -> Result<&mut u64, Thrown> {
        assert!(index <= u64::from(u32::MAX), "index {index:x}");
        let length = self.object(array)?.elements.len();
        if index as usize >= length {
            return self.throw("java/lang/ArrayIndexOutOfBoundsException");
        }
        Ok(&mut self.object(array)?.elements[index as usize])
    }

    fn multi(&mut self, class: &str, lengths: &[u64]) -> u64 {
        let array = self.new_object(class, lengths[0] as usize);
        if lengths.len() > 1 {
            for i in 0..lengths[0] as usize {
                let inner = self.multi(&class[1..], &lengths[1..]);
                self.heap[array as usize - 1].elements[i] = inner;
            }
        }
        array
    }

    fn run(&mut self, body: &Body, locals: u16, base: usize) -> Result<(), Thrown> {
        let mut pc = 0;
        self.counted += ahead(body, pc);
        loop {
            let before = pc;
            match self.step(body, &mut pc, base) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(Thrown(exception)) => {
                    let class = self.heap[exception as usize - 1].class.clone();
                    let handler = body.handlers.iter().find(|h| {
                        (h.start as usize..h.end as usize).contains(&before)
                            && (h.catch_type == 0
                                || catches(
                                    &class,
                                    std::str::from_utf8(self.class.pool.class_name(h.catch_type))
                                        .unwrap(),
                                ))
                    });
                    let Some(handler) = handler else {
                        return Err(Thrown(exception));
                    };
                    self.stack[base + usize::from(handler.register)] = exception;
                    pc = handler.target as usize;
                    self.counted += ahead(body, pc) - ahead(body, before);
                }
            }
            if std::env::var_os("TRACE").is_some() {
                let words = &body.words[before..];
                let op = op_of(words[0]);
                let length = 1 + ext_words(op, words.get(1).copied().unwrap_or(0));
                eprintln!("{before:4} {}", line(before, op, &words[..length], locals));
            }
        }
    }

    /// Executes one instruction; whether the method returned.
    fn step(&mut self, body: &Body, pc: &mut usize, base: usize) -> Result<bool, Thrown> {
        use Op::*;
        let word = *pc;
        let first = body.words[word];
        let op = op_of(first);
        let ext = |i: usize| body.words[word + i];
        let length = 1 + ext_words(op, body.words.get(word + 1).copied().unwrap_or(0));
        let words = &body.words[word..word + length];
        let (fa, fb, fc) = (
            (first >> 16) as u16,
            (first >> 32) as u16,
            (first >> 48) as u16,
        );
        let r = |n: u16| base + usize::from(n);
        let (ra, rb, rc) = (r(fa), r(fb), r(fc));
        let va = self.stack[ra.min(self.stack.len() - 1)];
        let vb = self.stack[rb.min(self.stack.len() - 1)];
        let vc = self.stack[rc.min(self.stack.len() - 1)];
        let (ia, ib, ic) = (va as i32, vb as i32, vc as i32);
        let (la, lb, lc) = (va as i64, vb as i64, vc as i64);
        let f = |v: u64| f32::from_bits(v as u32);
        let d = f64::from_bits;
        let imm = i32::from(fc as i16);
        let int = |v: i32| u64::from(v as u32);
        let float = |v: f32| u64::from(v.to_bits());
        self.executed += 1;
        assert!(self.executed < 50_000_000, "endless");
        *pc = word + length;
        let counted = &mut self.counted;
        let mut jump = |taken: bool| {
            if taken {
                *pc = targets(word, op, words)[0] as usize;
                *counted -= match op {
                    Jmp => i64::from(fa as i16),
                    JmpFar => words[1] as i64,
                    _ => i64::from((first >> 8) as i8),
                };
            }
        };
        // `Some` is written to register a.
        let value: Option<u64> = match op {
            Move => Some(vb),
            ConstI => Some(first >> 32),
            ConstL => Some(ext(1)),
            IAdd => Some(int(ib.wrapping_add(ic))),
            ISub => Some(int(ib.wrapping_sub(ic))),
            IMul => Some(int(ib.wrapping_mul(ic))),
            IDiv | IRem if ic == 0 => return self.throw("java/lang/ArithmeticException"),
            LDiv | LRem if lc == 0 => return self.throw("java/lang/ArithmeticException"),
            IDiv => Some(int(ib.wrapping_div(ic))),
            IRem => Some(int(ib.wrapping_rem(ic))),
            IAnd => Some(int(ib & ic)),
            IOr => Some(int(ib | ic)),
            IXor => Some(int(ib ^ ic)),
            IShl => Some(int(ib.wrapping_shl(ic as u32))),
            IShr => Some(int(ib.wrapping_shr(ic as u32))),
            IUshr => Some(int((ib as u32).wrapping_shr(ic as u32) as i32)),
            INeg => Some(int(ib.wrapping_neg())),
            IAddI => Some(int(ib.wrapping_add(imm))),
            IMulI => Some(int(ib.wrapping_mul(imm))),
            IAndI => Some(int(ib & imm)),
            IOrI => Some(int(ib | imm)),
            IXorI => Some(int(ib ^ imm)),
            IShlI => Some(int(ib << imm)),
            IShrI => Some(int(ib >> imm)),
            IUshrI => Some(int((ib as u32 >> imm) as i32)),
            IDivI => Some(int(ib.wrapping_div(imm))),
            IRemI => Some(int(ib.wrapping_rem(imm))),
            LAdd => Some(lb.wrapping_add(lc) as u64),
            LSub => Some(lb.wrapping_sub(lc) as u64),
            LMul => Some(lb.wrapping_mul(lc) as u64),
            LDiv => Some(lb.wrapping_div(lc) as u64),
            LRem => Some(lb.wrapping_rem(lc) as u64),
            LAnd => Some(vb & vc),
            LOr => Some(vb | vc),
            LXor => Some(vb ^ vc),
            LShl => Some(lb.wrapping_shl(ic as u32) as u64),
            LShr => Some(lb.wrapping_shr(ic as u32) as u64),
            LUshr => Some(vb.wrapping_shr(ic as u32)),
            LNeg => Some(lb.wrapping_neg() as u64),
            LAddI => Some(lb.wrapping_add(i64::from(imm)) as u64),
            LMulI => Some(lb.wrapping_mul(i64::from(imm)) as u64),
            LAndI => Some((lb & i64::from(imm)) as u64),
            LShlI => Some(vb << imm),
            LShrI => Some((lb >> imm) as u64),
            LUshrI => Some(vb >> imm),
            FAdd => Some(float(f(vb) + f(vc))),
            FSub => Some(float(f(vb) - f(vc))),
            FMul => Some(float(f(vb) * f(vc))),
            FDiv => Some(float(f(vb) / f(vc))),
            FRem => Some(float(f(vb) % f(vc))),
            FNeg => Some(float(-f(vb))),
            DAdd => Some((d(vb) + d(vc)).to_bits()),
            DSub => Some((d(vb) - d(vc)).to_bits()),
            DMul => Some((d(vb) * d(vc)).to_bits()),
            DDiv => Some((d(vb) / d(vc)).to_bits()),
            DRem => Some((d(vb) % d(vc)).to_bits()),
            DNeg => Some((-d(vb)).to_bits()),
            I2L => Some(i64::from(ib) as u64),
            I2F => Some(float(ib as f32)),
            I2D => Some(f64::from(ib).to_bits()),
            L2I => Some(int(lb as i32)),
            L2F => Some(float(lb as f32)),
            L2D => Some((lb as f64).to_bits()),
            F2I => Some(int(f(vb) as i32)),
            F2L => Some(f(vb) as i64 as u64),
            F2D => Some(f64::from(f(vb)).to_bits()),
            D2I => Some(int(d(vb) as i32)),
            D2L => Some(d(vb) as i64 as u64),
            D2F => Some(float(d(vb) as f32)),
            I2B => Some(int(i32::from(ib as i8))),
            I2C => Some(int(i32::from(ib as u16))),
            I2S => Some(int(i32::from(ib as i16))),
            LCmp => Some(int(lb.cmp(&lc) as i32)),
            FCmpL | FCmpG => {
                let nan = if op == FCmpL { -1 } else { 1 };
                let order = f(vb).partial_cmp(&f(vc));
                Some(int(order.map_or(nan, |o| o as i32)))
            }
            DCmpL | DCmpG => {
                let nan = if op == DCmpL { -1 } else { 1 };
                let order = d(vb).partial_cmp(&d(vc));
                Some(int(order.map_or(nan, |o| o as i32)))
            }
            _ => None,
        };
        if let Some(value) = value {
            self.stack[ra] = value;
            return Ok(false);
        }
        let small = i32::from(fb as i16);
        let pool = &self.class.pool;
        let name = |index: u16| {
            let (class, name, desc) = pool.member(index);
            let text = |b: &[u8]| String::from_utf8(b.to_vec()).unwrap();
            (text(class), text(name), text(desc))
        };
        let class_name = |index: u16| String::from_utf8(pool.class_name(index).to_vec()).unwrap();
        match op {
            Arrive => self.arrivals.push(fb),
            JEq => jump(va as u32 == vb as u32),
            JNe => jump(va as u32 != vb as u32),
            JLt => jump(ia < ib),
            JGe => jump(ia >= ib),
            JGt => jump(ia > ib),
            JLe => jump(ia <= ib),
            JEqI => jump(ia == small),
            JNeI => jump(ia != small),
            JLtI => jump(ia < small),
            JGeI => jump(ia >= small),
            JGtI => jump(ia > small),
            JLeI => jump(ia <= small),
            JLEq => jump(la == lb),
            JLNe => jump(la != lb),
            JLLt => jump(la < lb),
            JLGe => jump(la >= lb),
            JLGt => jump(la > lb),
            JLLe => jump(la <= lb),
            JFEq => jump(f(va) == f(vb)),
            JFNe => jump(f(va) != f(vb)),
            JFLt => jump(f(va) < f(vb)),
            JFGe => jump(f(va) >= f(vb)),
            JFGt => jump(f(va) > f(vb)),
            JFLe => jump(f(va) <= f(vb)),
            JFNlt => jump(f(va).partial_cmp(&f(vb)).is_none_or(|o| o.is_ge())),
            JFNge => jump(f(va).partial_cmp(&f(vb)).is_none_or(|o| o.is_lt())),
            JFNgt => jump(f(va).partial_cmp(&f(vb)).is_none_or(|o| o.is_le())),
            JFNle => jump(f(va).partial_cmp(&f(vb)).is_none_or(|o| o.is_gt())),
            JDEq => jump(d(va) == d(vb)),
            JDNe => jump(d(va) != d(vb)),
            JDLt => jump(d(va) < d(vb)),
            JDGe => jump(d(va) >= d(vb)),
            JDGt => jump(d(va) > d(vb)),
            JDLe => jump(d(va) <= d(vb)),
            JDNlt => jump(d(va).partial_cmp(&d(vb)).is_none_or(|o| o.is_ge())),
            JDNge => jump(d(va).partial_cmp(&d(vb)).is_none_or(|o| o.is_lt())),
            JDNgt => jump(d(va).partial_cmp(&d(vb)).is_none_or(|o| o.is_le())),
            JDNle => jump(d(va).partial_cmp(&d(vb)).is_none_or(|o| o.is_gt())),
            Jmp | JmpFar => jump(true),
            IncJmp => {
                self.stack[ra] = int(ia.wrapping_add(small));
                jump(true);
            }
            IncJLt => {
                self.stack[ra] = int(ia.wrapping_add(1));
                jump(ia.wrapping_add(1) < ib);
            }
            IncJLe => {
                self.stack[ra] = int(ia.wrapping_add(1));
                jump(ia.wrapping_add(1) <= ib);
            }
            IncJLtI => {
                self.stack[ra] = int(ia.wrapping_add(1));
                jump(ia.wrapping_add(1) < small);
            }
            DecJGeI => {
                self.stack[ra] = int(ia.wrapping_sub(1));
                jump(ia.wrapping_sub(1) >= small);
            }
            Move2 => {
                self.stack[ra] = vb;
                self.stack[ra + 1] = self.stack[rc];
            }
            TableSwitch => {
                let all = targets(word, op, words);
                let n = i64::from(ia) - i64::from(ext(1) as i32);
                let chosen = usize::try_from(n).ok().filter(|n| n + 1 < all.len());
                let chosen = chosen.map_or(0, |n| n + 1);
                *pc = all[chosen] as usize;
                self.counted -= ext(2 + chosen) as i64 >> 32;
            }
            LookupSwitch => {
                let all = targets(word, op, words);
                let pairs = &words[2..1 + all.len()];
                let found = pairs.iter().position(|&w| w as i32 == ia);
                let chosen = found.map_or(0, |n| n + 1);
                *pc = all[chosen] as usize;
                let tolls = ext(1 + all.len() + chosen / 2);
                self.counted -= i64::from((tolls >> (32 * (chosen % 2))) as i32);
            }
            Ret | RetSync => return Ok(true),
            RetV | RetVSync => {
                self.stack[base] = va;
                return Ok(true);
            }
            GetFieldU => {
                let (_, name, _) = name(fc);
                let value = self.object(vb)?.fields.get(&name).copied().unwrap_or(0);
                self.stack[ra] = value;
            }
            PutFieldU => {
                let (_, name, _) = name(fc);
                self.object(vb)?.fields.insert(name, va);
            }
            GetStaticU => {
                let (_, name, _) = name(fc);
                self.stack[ra] = self.statics.get(&name).copied().unwrap_or(0);
            }
            PutStaticU => {
                let (_, name, _) = name(fc);
                self.statics.insert(name, va);
            }
            ALoadB | ALoadC | ALoadS | ALoadW | ALoadL | ALoadA => {
                self.stack[ra] = *self.element(vb, vc)?;
            }
            AStoreB => *self.element(vb, vc)? = int(i32::from(ia as i8)),
            AStoreC => {
                // char and short share the store; the array knows.
                let short = self.object(vb)?.class == "[S";
                let value = if short {
                    i32::from(ia as i16)
                } else {
                    i32::from(ia as u16)
                };
                *self.element(vb, vc)? = int(value);
            }
            AStoreW | AStoreL | AStoreA => *self.element(vb, vc)? = va,
            ArrayLen => self.stack[ra] = self.object(vb)?.elements.len() as u64,
            NewU => {
                let class = class_name(fc);
                self.stack[ra] = self.new_object(&class, 0);
            }
            NewArray => {
                let class = if fc == 9 { "[S" } else { "[" };
                self.stack[ra] = self.new_object(class, ib as usize);
            }
            ANewArrayU => self.stack[ra] = self.new_object("[L", ib as usize),
            MultiNewArray => {
                let lengths = self.stack[ra..ra + usize::from(fb)].to_vec();
                let class = class_name(fc);
                self.stack[ra] = self.multi(&class, &lengths);
            }
            CheckCastU => {}
            InstanceOfU => {
                let class = class_name(fc);
                self.stack[ra] = u64::from(vb != 0 && self.object(vb)?.class == class);
            }
            Throw => return Err(Thrown(va)),
            MonitorEnter | MonitorExit => drop(self.object(va)?),
            InvokeStaticU | InvokeSpecialU | InvokeVirtualU => {
                let (class, name, desc) = name(fc);
                if op != InvokeStaticU {
                    self.object(va)?;
                }
                if class.as_bytes() == self.class.name() {
                    // Registers above the arguments are the callee's: spoil
                    // them, so that nobody relies on them.
                    self.stack[ra + usize::from(fb)..ra + 60].fill(0xBAD_BAD_BAD);
                    let result = self.call_named(&name, &desc, ra);
                    self.stack[ra + 1..ra + 60].fill(0xBAD_BAD_BAD);
                    result?;
                }
                self.counted -= ext(2) as i64 >> 32;
            }
            other => panic!("not evaluated: {other:?}"),
        }
        Ok(false)
    }
}

fn ahead(body: &Body, word: usize) -> i64 {
    body.origin(word).map_or(0, |o| o.ahead.into())
}

fn catches(class: &str, caught: &str) -> bool {
    let is_runtime = class.starts_with("java/lang/");
    class == caught
        || is_runtime
            && matches!(
                caught,
                "java/lang/RuntimeException" | "java/lang/Exception" | "java/lang/Throwable"
            )
}
