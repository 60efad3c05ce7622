//! Expressions of every type, up to a depth.

use super::types::{DOUBLES, FLOATS, INTS, LONGS, STRINGS, Ty, VALUES};
use super::writer::{Scope, Writer};

impl Writer {
    pub fn index(&mut self, scope: &Scope) -> String {
        self.expr(Ty::Int, scope, 1)
    }

    /// Mostly inside the bounds, sometimes perhaps not.
    pub fn bounded(&mut self, index: &str, n: usize) -> String {
        if self.rng.chance(88) {
            format!("index({index}, {n})")
        } else {
            format!("({index}) % {}", n + 1)
        }
    }

    pub fn literal(&mut self, ty: Ty) -> String {
        let text = match ty {
            Ty::Int if self.rng.chance(30) => {
                let n = self.rng.next() as i32;
                return if n < 0 {
                    format!("({n})")
                } else {
                    n.to_string()
                };
            }
            Ty::Int | Ty::Byte | Ty::Short | Ty::Char => *self.rng.pick(&INTS),
            Ty::Long => *self.rng.pick(&LONGS),
            Ty::Double => *self.rng.pick(&DOUBLES),
            Ty::Float => *self.rng.pick(&FLOATS),
            Ty::Bool => *self.rng.pick(&["true", "false"]),
            Ty::Str => *self.rng.pick(&STRINGS),
        };
        text.into()
    }

    /// A variable of this type, or a static field, or a literal.
    pub fn readable(&mut self, ty: Ty, scope: &Scope) -> String {
        let mut found: Vec<String> = Vec::new();
        for (t, name) in scope.vars.iter().chain(&scope.fixed) {
            if *t == ty {
                found.push(name.clone());
            } else if ty == Ty::Int && matches!(t, Ty::Byte | Ty::Short | Ty::Char) {
                // The plus makes it an int, also where it would be boxed.
                found.push(format!("(+{name})"));
            }
        }
        let field = match ty {
            Ty::Int => "si",
            Ty::Long => "sl",
            Ty::Float => "sf",
            Ty::Double => "sd",
            Ty::Bool => "sz",
            Ty::Str => "ss",
            Ty::Byte => "ba[0]",
            Ty::Short => "(short) si",
            Ty::Char => "ca[1]",
        };
        found.push(field.into());
        if scope.object && ty == Ty::Int {
            found.push("v".into());
        }
        if scope.object && ty == Ty::Long {
            found.push("w".into());
        }
        self.rng.pick(&found).clone()
    }

    pub fn expr(&mut self, ty: Ty, scope: &Scope, depth: usize) -> String {
        if depth == 0 || self.rng.chance(12) {
            return if self.rng.chance(35) {
                self.literal(ty)
            } else {
                self.readable(ty, scope)
            };
        }
        if self.rng.chance(8) {
            let test = self.expr(Ty::Bool, scope, depth - 1);
            let (a, b) = (
                self.expr(ty, scope, depth - 1),
                self.expr(ty, scope, depth - 1),
            );
            // The cast keeps the compiler from trying every overload around it.
            let java = ty.java();
            return format!("(({java}) ({test} ? {a} : {b}))");
        }
        if scope.callable < self.signatures.len() && self.rng.chance(10) {
            let choices: Vec<usize> = (scope.callable..self.signatures.len())
                .filter(|&i| self.signatures[i] == ty)
                .collect();
            if !choices.is_empty() {
                let index = *self.rng.pick(&choices);
                let i = self.expr(Ty::Int, scope, depth - 1);
                let l = self.expr(Ty::Long, scope, depth - 1);
                let d = self.expr(Ty::Double, scope, 0);
                let s = self.expr(Ty::Str, scope, 0);
                return format!("m{index}({i}, {l}, {d}, {s})");
            }
        }
        match ty {
            Ty::Int | Ty::Byte | Ty::Short | Ty::Char => self.int_expr(scope, depth - 1),
            Ty::Long => self.long_expr(scope, depth - 1),
            Ty::Float | Ty::Double => self.real_expr(ty, scope, depth - 1),
            Ty::Bool => self.bool_expr(scope, depth - 1),
            Ty::Str => self.string_expr(scope, depth - 1),
        }
    }

    pub fn int_expr(&mut self, scope: &Scope, depth: usize) -> String {
        let a = self.expr(Ty::Int, scope, depth);
        let b = self.expr(Ty::Int, scope, depth);
        match self.rng.below(26) {
            0..=6 => {
                let op = *self
                    .rng
                    .pick(&["+", "-", "*", "&", "|", "^", "<<", ">>", ">>>"]);
                format!("({a} {op} {b})")
            }
            7 => format!("({a} / ({b} | 1))"),
            8 => format!("({a} % {b})"),
            9 => format!("({}{a})", self.rng.pick(&["- ", "~", "+ "])),
            10 => format!("(int) ({})", self.expr(Ty::Long, scope, depth)),
            11 => format!("(int) ({})", self.expr(Ty::Double, scope, depth)),
            12 => format!("(int) ({})", self.expr(Ty::Float, scope, depth)),
            13 => format!(
                "(int) ({}) ({a})",
                self.rng.pick(&["byte", "short", "char"])
            ),
            14 => format!("str({}).length()", self.expr(Ty::Str, scope, depth)),
            15 => format!("str({}).hashCode()", self.expr(Ty::Str, scope, depth)),
            16 => {
                let i = self.bounded(&a, 8);
                format!("ia[{i}]")
            }
            17 => {
                // Inside the classes a virtual call could recurse for ever.
                if scope.object {
                    return format!("(x - {a})");
                }
                let i = self.bounded(&a, 4);
                let call = *self.rng.pick(&["virt", "plain", "twice", "area"]);
                format!("objs[{i}].{call}({b})")
            }
            18 => format!("grid[{}][{}]", self.bounded(&a, 3), self.bounded(&b, 4)),
            19 => format!(
                "Integer.{}({a})",
                self.rng.pick(&[
                    "bitCount",
                    "reverse",
                    "numberOfLeadingZeros",
                    "signum",
                    "highestOneBit"
                ])
            ),
            20 => format!(
                "Math.{}({a}, {b})",
                self.rng.pick(&["max", "min", "floorMod"])
            ),
            21 => format!(
                "Integer.{}({a}, {b})",
                self.rng
                    .pick(&["compare", "rotateLeft", "compareUnsigned", "divideUnsigned"])
            ),
            22 => format!(
                "(int) map.getOrDefault({}, {b})",
                self.expr(Ty::Str, scope, 0)
            ),
            23 => "list.size()".into(),
            24 => format!("new Pair({a}, {}).hashCode()", self.expr(Ty::Str, scope, 0)),
            _ => match scope.vars.iter().find(|(t, _)| *t == Ty::Int) {
                Some((_, name)) => {
                    let name = name.clone();
                    match self.rng.below(3) {
                        0 => format!("{name}++"),
                        1 => format!("--{name}"),
                        _ => format!("({name} ^= {b})"),
                    }
                }
                None => format!("Color.GREEN.mix({a})"),
            },
        }
    }

    pub fn long_expr(&mut self, scope: &Scope, depth: usize) -> String {
        let a = self.expr(Ty::Long, scope, depth);
        let b = self.expr(Ty::Long, scope, depth);
        match self.rng.below(15) {
            0..=5 => {
                let op = *self.rng.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({a} {op} {b})")
            }
            6 => format!(
                "({a} {} {})",
                self.rng.pick(&["<<", ">>", ">>>"]),
                self.expr(Ty::Int, scope, depth)
            ),
            7 => format!("({a} / ({b} | 1L))"),
            8 => format!("({a} % {b})"),
            9 => format!("(long) ({})", self.expr(Ty::Int, scope, depth)),
            10 => format!("(long) ({})", self.expr(Ty::Double, scope, depth)),
            11 => format!("la[index({}, 5)]", self.expr(Ty::Int, scope, depth)),
            12 => format!(
                "Long.{}({a}, 7)",
                self.rng.pick(&["rotateLeft", "rotateRight"])
            ),
            13 => format!(
                "Math.{}({a}, {b})",
                self.rng.pick(&["max", "min", "multiplyHigh", "floorDiv"])
            ),
            _ => format!(
                "Double.doubleToLongBits({})",
                self.expr(Ty::Double, scope, depth)
            ),
        }
    }

    pub fn real_expr(&mut self, ty: Ty, scope: &Scope, depth: usize) -> String {
        let a = self.expr(ty, scope, depth);
        let b = self.expr(ty, scope, depth);
        let java = ty.java();
        match self.rng.below(11) {
            0..=4 => format!("({a} {} {b})", self.rng.pick(&["+", "-", "*", "/", "%"])),
            5 => format!("({java}) ({})", self.expr(Ty::Int, scope, depth)),
            6 => format!("({java}) ({})", self.expr(Ty::Long, scope, depth)),
            7 => {
                let other = if ty == Ty::Float {
                    Ty::Double
                } else {
                    Ty::Float
                };
                format!("({java}) ({})", self.expr(other, scope, depth))
            }
            8 => format!(
                "({java}) Math.{}({a})",
                self.rng
                    .pick(&["sqrt", "abs", "floor", "ceil", "rint", "signum", "ulp"])
            ),
            9 => format!("Math.{}({a}, {b})", self.rng.pick(&["max", "min"])),
            _ => format!("(- {a})"),
        }
    }

    pub fn bool_expr(&mut self, scope: &Scope, depth: usize) -> String {
        match self.rng.below(12) {
            0..=4 => {
                let ty = *self
                    .rng
                    .pick(&[Ty::Int, Ty::Int, Ty::Long, Ty::Float, Ty::Double]);
                let (a, b) = (self.expr(ty, scope, depth), self.expr(ty, scope, depth));
                format!(
                    "({a} {} {b})",
                    self.rng.pick(&["<", "<=", ">", ">=", "==", "!="])
                )
            }
            5 | 6 => {
                let (a, b) = (
                    self.expr(Ty::Bool, scope, depth),
                    self.expr(Ty::Bool, scope, depth),
                );
                format!(
                    "({a} {} {b})",
                    self.rng.pick(&["&&", "||", "&", "|", "^", "==", "!="])
                )
            }
            7 => format!("!({})", self.expr(Ty::Bool, scope, depth)),
            8 => {
                let (a, b) = (
                    self.expr(Ty::Str, scope, depth),
                    self.expr(Ty::Str, scope, depth),
                );
                format!("Objects.equals({a}, {b})")
            }
            9 => format!(
                "str({}).{}(\"a\")",
                self.expr(Ty::Str, scope, depth),
                self.rng.pick(&["startsWith", "contains", "endsWith"])
            ),
            10 => {
                let i = self.expr(Ty::Int, scope, depth);
                format!(
                    "(objs[index({i}, 4)] instanceof {})",
                    self.rng.pick(&["A", "B", "C", "Shape"])
                )
            }
            _ => format!("list.contains({})", self.expr(Ty::Int, scope, depth)),
        }
    }

    pub fn string_expr(&mut self, scope: &Scope, depth: usize) -> String {
        let s = self.expr(Ty::Str, scope, depth);
        match self.rng.below(12) {
            0..=3 => {
                let (t, u) = (*self.rng.pick(&VALUES), *self.rng.pick(&VALUES));
                let (a, b) = (self.expr(t, scope, depth), self.expr(u, scope, depth));
                format!("({s} + {a} + {b})")
            }
            4 => {
                let ty = *self.rng.pick(&VALUES);
                format!("String.valueOf({})", self.expr(ty, scope, depth))
            }
            5 => format!(
                "clip(str({s}).{}())",
                self.rng.pick(&["toUpperCase", "trim", "strip", "intern"])
            ),
            6 => format!(
                "str({s}).substring(({}) & 7)",
                self.expr(Ty::Int, scope, depth)
            ),
            7 => format!(
                "str({s}).replace('a', (char) ('b' + index({}, 9)))",
                self.expr(Ty::Int, scope, depth)
            ),
            8 => format!("sa[index({}, 4)]", self.expr(Ty::Int, scope, depth)),
            9 => format!(
                "String.format(\"%d|%5x|%s\", {}, {}, clip({s}))",
                self.expr(Ty::Int, scope, depth),
                self.expr(Ty::Long, scope, depth)
            ),
            10 => format!("Integer.toString({}, 7)", self.expr(Ty::Int, scope, depth)),
            _ => format!("new StringBuilder(str({s})).reverse().toString()"),
        }
    }
}
