//! Statements: assignments, stores, collections, lambdas, jumps, branches, loops, switches,
//! and `try` in all its forms.

use super::program::{Part, Stmt};
use super::types::{STRINGS, Ty, VALUES};
use super::writer::{Scope, Writer};

impl Writer {
    pub fn stmt(&mut self, scope: &Scope) -> Stmt {
        let id = self.id();
        let deep = scope.depth >= 2;
        let parts = match self.rng.below(if deep { 14 } else { 26 }) {
            0..=4 => vec![Part::Text(self.assign(scope))],
            5 => {
                let ty = *self.rng.pick(&VALUES);
                let e = self.expr(ty, scope, 2);
                let shown = if ty == Ty::Str {
                    format!("clip({e})")
                } else {
                    e
                };
                vec![Part::Text(format!("out({shown});"))]
            }
            6..=8 => vec![Part::Text(self.store(scope))],
            9..=11 => vec![Part::Text(self.collection(scope))],
            12 => vec![Part::Text(self.lambda(scope))],
            13 => vec![Part::Text(self.jump(scope))],
            14..=16 => self.branch(scope),
            17..=20 => self.repeat(scope),
            21..=22 => self.switch(scope),
            _ => self.guarded(scope),
        };
        Stmt { id, parts }
    }

    pub fn assign(&mut self, scope: &Scope) -> String {
        let Some((ty, name)) = self.assignable(scope) else {
            return format!("si += {};", self.expr(Ty::Int, scope, 2));
        };
        if self.rng.chance(40) {
            let op = match ty {
                Ty::Bool => *self.rng.pick(&["&=", "|=", "^="]),
                Ty::Str => "+=",
                Ty::Float | Ty::Double => *self.rng.pick(&["+=", "-=", "*=", "/=", "%="]),
                _ => *self.rng.pick(&[
                    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>=",
                ]),
            };
            return match ty {
                Ty::Bool => format!("{name} {op} {};", self.expr(Ty::Bool, scope, 2)),
                Ty::Str => {
                    let other = *self.rng.pick(&VALUES);
                    let e = self.expr(other, scope, 2);
                    format!("{name} = clip({name} + {e});")
                }
                _ => {
                    let bitwise = matches!(op, "&=" | "|=" | "^=" | "<<=" | ">>=" | ">>>=");
                    let other = if bitwise {
                        *self.rng.pick(&[Ty::Int, Ty::Long])
                    } else {
                        *self.rng.pick(&[Ty::Int, Ty::Long, Ty::Double, Ty::Float])
                    };
                    format!("{name} {op} {};", self.expr(other, scope, 2))
                }
            };
        }
        match ty {
            Ty::Byte | Ty::Short | Ty::Char => {
                let from = *self.rng.pick(&[Ty::Int, Ty::Long, Ty::Double]);
                format!("{name} = ({}) ({});", ty.java(), self.expr(from, scope, 2))
            }
            Ty::Str => format!("{name} = clip({});", self.expr(ty, scope, 2)),
            _ => format!("{name} = {};", self.expr(ty, scope, 3)),
        }
    }

    pub fn assignable(&mut self, scope: &Scope) -> Option<(Ty, String)> {
        if scope.vars.is_empty() || self.rng.chance(20) {
            let fields = [
                (Ty::Int, "si"),
                (Ty::Long, "sl"),
                (Ty::Float, "sf"),
                (Ty::Double, "sd"),
                (Ty::Bool, "sz"),
                (Ty::Str, "ss"),
            ];
            let (ty, name) = *self.rng.pick(&fields);
            return Some((ty, name.into()));
        }
        Some(self.rng.pick(&scope.vars).clone())
    }

    pub fn store(&mut self, scope: &Scope) -> String {
        let i = self.index(scope);
        let op = *self.rng.pick(&["=", "=", "+=", "^="]);
        let e = self.expr(Ty::Int, scope, 2);
        match self.rng.below(9) {
            0 | 1 => format!("ia[{}] {op} {e};", self.bounded(&i, 8)),
            2 => {
                let l = self.expr(Ty::Long, scope, 2);
                format!("la[{}] {op} {l};", self.bounded(&i, 5))
            }
            3 => {
                let d = self.expr(Ty::Double, scope, 2);
                format!("da[{}] = {d};", self.bounded(&i, 4))
            }
            4 => format!("ba[{}] {op} (byte) ({e});", self.bounded(&i, 6)),
            5 => {
                let s = self.expr(Ty::Str, scope, 2);
                format!("sa[{}] = clip({s});", self.bounded(&i, 4))
            }
            6 => format!("grid[{}][index({e}, 4)] {op} {e};", self.bounded(&i, 3)),
            7 => format!("objs[{}].v {op} {e};", self.bounded(&i, 4)),
            _ => {
                let field = *self.rng.pick(&["w += ", "w ^= ", "w = "]);
                format!(
                    "objs[{}].{field}{};",
                    self.bounded(&i, 4),
                    self.expr(Ty::Long, scope, 2)
                )
            }
        }
    }

    pub fn collection(&mut self, scope: &Scope) -> String {
        let i = self.expr(Ty::Int, scope, 2);
        let s = self.expr(Ty::Str, scope, 1);
        match self.rng.below(15) {
            0 => format!("list.add({i});"),
            1 => format!("if (list.size() < 50) list.add(index({i}, list.size() + 1), {i});"),
            2 => format!("list.remove(index({i}, Math.max(1, list.size())));"),
            3 => format!("list.remove((Integer) ({i}));"),
            4 => format!("map.merge(clip(str({s})), {i}, Integer::sum);"),
            5 => format!("map.put(\"k\" + ({i}) % 5, {i});"),
            6 => format!("map.remove({s});"),
            7 => format!("tree.put(({i}) % 20, clip(str({s})));"),
            8 => "if (!tree.isEmpty()) out(tree.pollFirstEntry());".into(),
            9 => format!("deque.addLast({});", self.expr(Ty::Long, scope, 2)),
            10 => "out(deque.pollFirst());".into(),
            11 => format!("sb.append({i}).append(clip(str({s})));"),
            12 => format!("sb.insert(index({i}, sb.length() + 1), {i});"),
            13 => {
                format!("if (sb.length() > 3) sb.setCharAt(index({i}, sb.length()), (char) ({i}));")
            }
            _ => {
                let order = *self.rng.pick(&[
                    "Collections.sort(list);",
                    "Collections.reverse(list);",
                    "list.sort(Comparator.reverseOrder());",
                    "list.removeIf(y -> y % 3 == 0);",
                    "list.replaceAll(y -> y * 3);",
                    "Arrays.sort(ia);",
                    "list.add(deque.size());",
                    "out(list.stream().mapToInt(y -> y).max());",
                ]);
                order.into()
            }
        }
    }

    /// A block of its own: captured values, a lambda, its use.
    pub fn lambda(&mut self, scope: &Scope) -> String {
        let (c, f, x, y) = (
            self.name("c"),
            self.name("f"),
            self.name("x"),
            self.name("y"),
        );
        let captured = self.expr(Ty::Int, scope, 2);
        let argument = self.expr(Ty::Int, scope, 1);
        let target = match self.rng.pick(&scope.vars).clone() {
            (Ty::Int, name) => name,
            _ => "si".into(),
        };
        let mut inside = Scope {
            vars: Vec::new(),
            fixed: vec![(Ty::Int, c.clone()), (Ty::Int, x.clone())],
            labels: Vec::new(),
            callable: scope.callable,
            depth: 9,
            object: false,
        };
        let kind = self.rng.below(6);
        if kind == 1 || kind == 5 {
            // Boxed parameters: the plus unboxes them, since no cast narrows an Integer.
            inside.fixed[1].1 = format!("(+{x})");
        }
        match kind {
            0 => {
                let body = self.expr(Ty::Int, &inside, 2);
                format!(
                    "{{ final int {c} = {captured}; IntUnaryOperator {f} = {x} -> {body}; {target} = {f}.andThen({f}).applyAsInt({argument}); }}"
                )
            }
            1 => {
                inside.fixed.push((Ty::Int, format!("(+{y})")));
                let body = self.expr(Ty::Int, &inside, 2);
                format!(
                    "{{ final int {c} = {captured}; BinaryOperator<Integer> {f} = ({x}, {y}) -> {body}; {target} = {f}.apply({argument}, {c}); }}"
                )
            }
            2 => {
                let body = self.expr(Ty::Int, &inside, 1);
                let test = self.expr(Ty::Bool, &inside, 1);
                format!(
                    "{{ final int {c} = {captured}; {target} = IntStream.range(0, 6).filter({x} -> {test}).map({x} -> {body}).sum(); }}"
                )
            }
            3 => {
                inside.fixed.remove(1);
                let body = self.expr(Ty::Str, &inside, 2);
                format!(
                    "{{ final int {c} = {captured}; Supplier<String> {f} = () -> {body}; out(clip({f}.get())); }}"
                )
            }
            4 => {
                let body = self.expr(Ty::Int, &inside, 1);
                format!(
                    "{{ final int {c} = {captured}; Shape {f} = {x} -> {body}; {target} = {f}.twice({argument}) + {f}.area({c}); }}"
                )
            }
            _ => {
                let body = self.expr(Ty::Long, &inside, 1);
                format!(
                    "{{ final int {c} = {captured}; out(list.stream().map({x} -> {body}).map(String::valueOf).limit(4).collect(Collectors.joining(\",\"))); }}"
                )
            }
        }
    }

    pub fn jump(&mut self, scope: &Scope) -> String {
        let test = self.expr(Ty::Bool, scope, 1);
        if !scope.labels.is_empty() && self.rng.chance(60) {
            let label = self.rng.pick(&scope.labels).clone();
            let verb = *self.rng.pick(&["break", "continue"]);
            return format!("if ({test}) {verb} {label};");
        }
        let e = self.expr(Ty::Int, scope, 1);
        match self.rng.below(8) {
            0 => format!("if ({test}) throw new IllegalStateException(\"state \" + ({e}));"),
            1 => format!("if ({test}) throw new UnsupportedOperationException();"),
            2 => format!("out(((A) objs[index({e}, 4)]).v);"),
            3 => format!("ia = new int[Math.max(8, ({e}) % 20)];"),
            4 => format!("out(new long[({e}) % 12].length);"),
            5 => format!(
                "((Object[]) (({e}) % 2 == 0 ? new Integer[2] : new Object[2]))[({e}) & 1] = \"text\";"
            ),
            6 => format!("out(Color.values()[index({e}, 4)].mix({e}));"),
            _ => {
                let s = self.expr(Ty::Str, scope, 1);
                format!("out(Integer.parseInt({s}) + {e});")
            }
        }
    }

    pub fn branch(&mut self, scope: &Scope) -> Vec<Part> {
        let test = self.expr(Ty::Bool, scope, 3);
        let inside = self.inner(scope);
        let (n, m) = (1 + self.rng.below(3), 1 + self.rng.below(2));
        let mut parts = vec![
            Part::Text(format!("if ({test}) {{")),
            Part::Body(self.block(&inside, n)),
        ];
        if self.rng.chance(50) {
            parts.push(Part::Text("} else {".into()));
            parts.push(Part::Body(self.block(&inside, m)));
        }
        parts.push(Part::Text("}".into()));
        parts
    }

    pub fn repeat(&mut self, scope: &Scope) -> Vec<Part> {
        let mut inside = self.inner(scope);
        let (label, k) = (self.name("L"), self.name("k"));
        inside.labels.push(label.clone());
        let bound = 2 + self.rng.below(8);
        let size = 1 + self.rng.below(3);
        let pay = Part::Text("    if (--fuel < 0) break;".into());
        match self.rng.below(6) {
            0 | 1 => {
                inside.fixed.push((Ty::Int, k.clone()));
                let step = *self.rng.pick(&["++", " += 2", " += 3"]);
                vec![
                    Part::Text(format!(
                        "{label}: for (int {k} = 0; {k} < {bound}; {k}{step}) {{"
                    )),
                    pay,
                    Part::Body(self.block(&inside, size)),
                    Part::Text("}".into()),
                ]
            }
            2 => {
                inside.fixed.push((Ty::Long, k.clone()));
                vec![
                    Part::Text(format!(
                        "{label}: for (long {k} = {bound}L; {k} >= -1; {k}--) {{"
                    )),
                    pay,
                    Part::Body(self.block(&inside, size)),
                    Part::Text("}".into()),
                ]
            }
            3 => {
                let test = self.expr(Ty::Bool, scope, 2);
                vec![
                    Part::Text(format!(
                        "{label}: for (int {k} = 0; {k} < {bound} && ({test}); {k}++) {{"
                    )),
                    pay,
                    Part::Body(self.block(&inside, size)),
                    Part::Text("}".into()),
                ]
            }
            4 => {
                let (ty, over) = *self.rng.pick(&[
                    (Ty::Int, "ia"),
                    (Ty::Int, "list"),
                    (Ty::Str, "sa"),
                    (Ty::Double, "da"),
                    (Ty::Str, "map.keySet()"),
                    (Ty::Int, "tree.keySet()"),
                ]);
                inside.fixed.push((ty, k.clone()));
                vec![
                    Part::Text(format!("{label}: for ({} {k} : {over}) {{", ty.java())),
                    pay,
                    Part::Body(self.block(&inside, size)),
                    Part::Text("}".into()),
                ]
            }
            _ => {
                let test = self.expr(Ty::Bool, scope, 2);
                vec![
                    Part::Text(format!("int {k} = {bound};")),
                    Part::Text(format!("{label}: do {{")),
                    pay,
                    Part::Body(self.block(&inside, size)),
                    Part::Text(format!("}} while (--{k} > 0 && ({test}));")),
                ]
            }
        }
    }

    pub fn switch(&mut self, scope: &Scope) -> Vec<Part> {
        let inside = self.inner(scope);
        let mut parts = Vec::new();
        match self.rng.below(4) {
            0 => {
                let e = self.expr(Ty::Int, scope, 2);
                let dense = self.rng.chance(60);
                parts.push(Part::Text(format!(
                    "switch ({}) {{",
                    if dense { format!("({e}) & 7") } else { e }
                )));
                for n in 0..2 + self.rng.below(4) {
                    let label = if dense {
                        n as i64
                    } else {
                        [0, -1, 7, 100, 65536, 1000003][n]
                    };
                    parts.push(Part::Text(format!("case {label}:")));
                    parts.push(Part::Body(self.block(&inside, 1)));
                    if self.rng.chance(70) {
                        parts.push(Part::Text("    break;".into()));
                    }
                }
                parts.push(Part::Text("default:".into()));
                parts.push(Part::Body(self.block(&inside, 1)));
            }
            1 => {
                let e = self.expr(Ty::Str, scope, 1);
                parts.push(Part::Text(format!("switch (str({e})) {{")));
                for label in &STRINGS[..3 + self.rng.below(5)] {
                    parts.push(Part::Text(format!("case {label}:")));
                    parts.push(Part::Body(self.block(&inside, 1)));
                    if self.rng.chance(70) {
                        parts.push(Part::Text("    break;".into()));
                    }
                }
                parts.push(Part::Text("default:".into()));
            }
            2 => {
                let e = self.expr(Ty::Int, scope, 1);
                parts.push(Part::Text(format!(
                    "switch (Color.values()[index({e}, 3)]) {{"
                )));
                for label in ["RED", "BLUE"] {
                    parts.push(Part::Text(format!("case {label} -> {{")));
                    parts.push(Part::Body(self.block(&inside, 1)));
                    parts.push(Part::Text("}".into()));
                }
                parts.push(Part::Text("default -> out(\"green\");".into()));
            }
            _ => {
                let ty = *self.rng.pick(&[Ty::Int, Ty::Long, Ty::Str]);
                let e = self.expr(Ty::Int, scope, 2);
                let arms: Vec<String> = (0..4).map(|_| self.expr(ty, scope, 1)).collect();
                parts.push(Part::Text(format!(
                    "{{ {} y = switch (({e}) & 3) {{ case 0 -> {}; case 1, 2 -> {}; default -> {{ if ({e} == 3) yield {}; yield {}; }} }}; out({}); }}",
                    ty.java(),
                    arms[0],
                    arms[1],
                    arms[2],
                    arms[3],
                    if ty == Ty::Str { "clip(y)" } else { "y" }
                )));
                return parts;
            }
        }
        parts.push(Part::Text("}".into()));
        parts
    }

    pub fn guarded(&mut self, scope: &Scope) -> Vec<Part> {
        let inside = self.inner(scope);
        if self.rng.chance(10) {
            let e = self.expr(Ty::Int, scope, 1);
            return vec![
                Part::Text(format!("synchronized (objs[index({e}, 4)]) {{")),
                Part::Body(self.block(&inside, 2)),
                Part::Text("}".into()),
            ];
        }
        let size = 1 + self.rng.below(3);
        let mut parts = vec![
            Part::Text("try {".into()),
            Part::Body(self.block(&inside, size)),
        ];
        let kinds = [
            "ArithmeticException",
            "ArrayIndexOutOfBoundsException",
            "NullPointerException",
            "ClassCastException",
            "IllegalStateException | NegativeArraySizeException",
            "IndexOutOfBoundsException",
        ];
        let e = self.name("e");
        let caught = self.rng.below(3);
        let first = self.rng.below(kinds.len() - 1);
        for kind in kinds.iter().skip(first).take(caught) {
            parts.push(Part::Text(format!("}} catch ({kind} {e}) {{")));
            parts.push(Part::Text(format!(
                "    out(\"caught \" + clip({e}.getMessage()));"
            )));
            parts.push(Part::Body(self.block(&inside, 1)));
        }
        if caught == 0 || self.rng.chance(40) {
            if self.rng.chance(30) {
                parts.push(Part::Text(format!("}} catch (RuntimeException {e}) {{")));
                parts.push(Part::Text(format!(
                    "    out({e}.getClass() + \" \" + {e}.getStackTrace()[{e}.getStackTrace().length - 1].getMethodName());"
                )));
                parts.push(Part::Body(self.block(&inside, 1)));
            }
            // A jump out of finally would swallow exceptions, which is legal and wanted.
            parts.push(Part::Text("} finally {".into()));
            parts.push(Part::Body(self.block(&inside, 1)));
        }
        parts.push(Part::Text("}".into()));
        parts
    }
}
