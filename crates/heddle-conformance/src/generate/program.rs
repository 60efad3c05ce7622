//! Random Java programs that always compile and always end.
//!
//! Every program is one class with nested classes, static fields and a few
//! methods. Three rules keep it valid. Variables that outlive a statement are
//! declared at the top of their method, so any statement can be deleted (the
//! shrinker relies on it). Jumps and throws stand under an `if`, so no code is
//! unreachable for the compiler. Every loop and call pays from one tank of
//! fuel, so every program ends. Exceptions are welcome: division by zero, bad
//! indices, null, bad casts, bad sizes; they are caught somewhere and printed.
//!
//! Left out: transcendental functions (their last digit is not specified),
//! threads, time, identity hash codes.

use std::collections::HashSet;
use std::fmt::Write;

use super::rng::Rng;

/// A statement: text with nested bodies. Its id is its place in the program.
#[derive(Clone, Debug)]
struct Stmt {
    id: usize,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Body(Vec<Stmt>),
}

/// A method, or any other piece with a fixed head and tail.
#[derive(Clone, Debug)]
struct Method {
    head: String,
    body: Vec<Stmt>,
    tail: String,
}

/// One generated program.
#[derive(Clone, Debug)]
pub struct Program {
    pub class: String,
    prelude: String,
    methods: Vec<Method>,
    /// How many statements the program has in total.
    pub statements: usize,
}

impl Program {
    pub fn generate(seed: u64) -> Program {
        Writer::new(seed).program()
    }

    /// The source without the deleted statements.
    pub fn render(&self, deleted: &HashSet<usize>) -> String {
        let mut text = self.prelude.clone();
        for method in &self.methods {
            let _ = writeln!(text, "\n    {}", method.head);
            render(&method.body, 2, deleted, &mut text);
            let _ = writeln!(text, "        {}\n    }}", method.tail);
        }
        text.push_str("}\n");
        text
    }

    /// The ids of a statement and of everything inside it, largest group first.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        fn collect(body: &[Stmt], groups: &mut Vec<Vec<usize>>) -> Vec<usize> {
            let mut all = Vec::new();
            for stmt in body {
                let mut own = vec![stmt.id];
                for part in &stmt.parts {
                    if let Part::Body(inner) = part {
                        own.extend(collect(inner, groups));
                    }
                }
                all.extend(&own);
                groups.push(own);
            }
            all
        }
        let mut groups = Vec::new();
        for method in &self.methods {
            let whole = collect(&method.body, &mut groups);
            groups.push(whole);
        }
        groups.sort_by_key(|g| std::cmp::Reverse(g.len()));
        groups
    }
}

fn render(body: &[Stmt], indent: usize, deleted: &HashSet<usize>, text: &mut String) {
    for stmt in body.iter().filter(|s| !deleted.contains(&s.id)) {
        for part in &stmt.parts {
            match part {
                Part::Text(line) => {
                    let _ = writeln!(text, "{}{line}", "    ".repeat(indent));
                }
                Part::Body(inner) => render(inner, indent + 1, deleted, text),
            }
        }
    }
}

/// The types that variables and expressions have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    Int,
    Long,
    Float,
    Double,
    Bool,
    Str,
    Byte,
    Short,
    Char,
}

const VALUES: [Ty; 6] = [Ty::Int, Ty::Long, Ty::Float, Ty::Double, Ty::Bool, Ty::Str];
const ALL: [Ty; 9] = [
    Ty::Int,
    Ty::Long,
    Ty::Float,
    Ty::Double,
    Ty::Bool,
    Ty::Str,
    Ty::Byte,
    Ty::Short,
    Ty::Char,
];

impl Ty {
    fn java(self) -> &'static str {
        match self {
            Ty::Int => "int",
            Ty::Long => "long",
            Ty::Float => "float",
            Ty::Double => "double",
            Ty::Bool => "boolean",
            Ty::Str => "String",
            Ty::Byte => "byte",
            Ty::Short => "short",
            Ty::Char => "char",
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            Ty::Int => "i",
            Ty::Long => "l",
            Ty::Float => "f",
            Ty::Double => "d",
            Ty::Bool => "z",
            Ty::Str => "s",
            Ty::Byte => "b",
            Ty::Short => "h",
            Ty::Char => "c",
        }
    }
}

/// What can be named where the next piece of code stands.
#[derive(Clone, Debug)]
struct Scope {
    vars: Vec<(Ty, String)>,
    /// Loop counters and captured values: readable only.
    fixed: Vec<(Ty, String)>,
    labels: Vec<String>,
    /// Methods from this index on may be called.
    callable: usize,
    /// Nesting of blocks.
    depth: usize,
    /// Whether `this.v` and `this.w` exist.
    object: bool,
}

struct Writer {
    rng: Rng,
    class: String,
    next_id: usize,
    next_name: usize,
    signatures: Vec<Ty>,
}

const INTS: [&str; 14] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "31",
    "32",
    "100",
    "65536",
    "(-1)",
    "(-2)",
    "1000003",
    "Integer.MAX_VALUE",
    "Integer.MIN_VALUE",
];
const LONGS: [&str; 9] = [
    "0L",
    "1L",
    "(-1L)",
    "63L",
    "4294967296L",
    "1234567890123L",
    "Long.MAX_VALUE",
    "Long.MIN_VALUE",
    "0x5555555555555555L",
];
const DOUBLES: [&str; 11] = [
    "0.0",
    "(-0.0)",
    "1.0",
    "0.1",
    "(-2.5)",
    "1e10",
    "1e300",
    "4.9e-324",
    "Double.NaN",
    "Double.POSITIVE_INFINITY",
    "3.141592653589793",
];
const FLOATS: [&str; 8] = [
    "0f",
    "1f",
    "0.1f",
    "(-2.5f)",
    "1e30f",
    "Float.NaN",
    "Float.NEGATIVE_INFINITY",
    "16777217f",
];
const STRINGS: [&str; 9] = [
    "\"\"",
    "\"a\"",
    "\"hello\"",
    "\"42\"",
    "\"-7\"",
    "\"Aa\"",
    "\"BB\"",
    "\"x,y,,z\"",
    "\"caf\\u00e9 \\u20ac\"",
];

impl Writer {
    fn new(seed: u64) -> Writer {
        Writer {
            rng: Rng::new(seed),
            class: format!("G{seed}"),
            next_id: 0,
            next_name: 0,
            signatures: Vec::new(),
        }
    }

    fn program(mut self) -> Program {
        let count = 1 + self.rng.below(4);
        for _ in 0..count {
            let ty = *self.rng.pick(&VALUES);
            self.signatures.push(ty);
        }
        let prelude = self.prelude();
        let mut methods = Vec::new();
        for index in 0..count {
            methods.push(self.method(index));
        }
        methods.push(self.run());
        let statements = self.next_id;
        Program {
            class: self.class,
            prelude,
            methods,
            statements,
        }
    }

    fn prelude(&mut self) -> String {
        let class = self.class.clone();
        let outside = Scope {
            vars: Vec::new(),
            fixed: Vec::new(),
            labels: Vec::new(),
            callable: usize::MAX,
            depth: 9,
            object: false,
        };
        let mut inside = outside.clone();
        inside.fixed.push((Ty::Int, "x".into()));
        inside.object = true;
        let bodies: Vec<String> = (0..6).map(|_| self.expr(Ty::Int, &inside, 2)).collect();
        let statics: Vec<String> = VALUES.iter().map(|&ty| self.literal(ty)).collect();
        let null = if self.rng.chance(30) {
            "null"
        } else {
            "new C(6)"
        };
        format!(
            "import java.util.*;
import java.util.function.*;
import java.util.stream.*;

@SuppressWarnings(\"all\")
public class {class} {{
    interface Shape {{
        int area(int x);
        default int twice(int x) {{ return area(x) ^ area(x + 1); }}
    }}
    static abstract class Base implements Shape {{
        int v;
        long w = 3;
        Base(int v) {{ this.v = v; w += v; }}
        abstract int virt(int x);
        int plain(int x) {{ w += x; return {}; }}
        public int area(int x) {{ return {}; }}
        @Override public String toString() {{ return getClass().getSimpleName() + v + \":\" + w; }}
    }}
    static class A extends Base {{
        A(int v) {{ super(v); }}
        int virt(int x) {{ v += 1; return {}; }}
    }}
    static class B extends Base {{
        B(int v) {{ super(v * 2); }}
        int virt(int x) {{ return super.plain(x) + {}; }}
        @Override public int twice(int x) {{ return {}; }}
    }}
    static class C extends A {{
        C(int v) {{ super(v); w = -v; }}
        @Override int virt(int x) {{ return super.virt(x ^ 5) + 1; }}
        @Override public int area(int x) {{ return {}; }}
    }}
    enum Color {{ RED, GREEN, BLUE; int mix(int x) {{ return ordinal() * 31 + x; }} }}
    record Pair(int a, String b) {{}}

    static int fuel;
    static int lines;
    static long check;
    static int si = {};
    static long sl = {};
    static float sf = {};
    static double sd = {};
    static boolean sz = {};
    static String ss = {};
    static int[] ia = {{5, -3, 0, 9, Integer.MAX_VALUE, 2, 8, -1}};
    static long[] la = new long[5];
    static double[] da = {{0.5, -1.5, Double.NaN, 3e9}};
    static byte[] ba = new byte[6];
    static char[] ca = \"chars!\".toCharArray();
    static String[] sa = {{\"zero\", \"one\", null, \"three\"}};
    static int[][] grid = new int[3][4];
    static Base[] objs = {{new A(1), new B(2), new C(3), {null}}};
    static ArrayList<Integer> list = new ArrayList<>(List.of(4, 5, 6));
    static HashMap<String, Integer> map = new HashMap<>();
    static TreeMap<Integer, String> tree = new TreeMap<>();
    static ArrayDeque<Long> deque = new ArrayDeque<>();
    static StringBuilder sb = new StringBuilder();

    static void out(Object o) {{
        String text = String.valueOf(o);
        check = check * 31 + text.hashCode();
        if (lines++ < 40) System.out.println(text);
    }}
    static String clip(String s) {{ return s == null || s.length() <= 40 ? s : s.substring(0, 20) + s.length(); }}
    static String str(String s) {{ return s == null ? \"nil\" : s; }}
    static int index(int i, int n) {{ return Math.floorMod(i, n); }}
",
            bodies[0],
            bodies[1],
            bodies[2],
            bodies[3],
            bodies[4],
            bodies[5],
            statics[0],
            statics[1],
            statics[2],
            statics[3],
            statics[4],
            statics[5],
        )
    }

    fn method(&mut self, index: usize) -> Method {
        let ty = self.signatures[index];
        let (decls, mut scope) = self.locals();
        scope.callable = index + 1;
        for (ty, name) in [
            (Ty::Int, "p"),
            (Ty::Long, "q"),
            (Ty::Double, "r"),
            (Ty::Str, "t"),
        ] {
            scope.vars.push((ty, name.into()));
        }
        let head = format!(
            "static {} m{index}(int p, long q, double r, String t) {{\n        if (--fuel < 0) return {};\n{decls}",
            ty.java(),
            self.literal(ty)
        );
        let size = 2 + self.rng.below(4);
        let body = self.block(&scope, size);
        let tail = format!("return {};", self.expr(ty, &scope, 2));
        Method { head, body, tail }
    }

    /// The top level: every statement is guarded, and its exception printed.
    fn run(&mut self) -> Method {
        let (decls, mut scope) = self.locals();
        scope.callable = 0;
        let mut body = Vec::new();
        for step in 0..4 + self.rng.below(4) {
            let id = self.id();
            let size = 1 + self.rng.below(3);
            let inner = self.block(&scope, size);
            let watched = *self.rng.pick(&ALL);
            let name = self.readable(watched, &scope);
            let parts = vec![
                Part::Text("try {".into()),
                Part::Body(inner),
                Part::Text(format!("    out(\"{step} \" + {name});")),
                Part::Text(format!(
                    "}} catch (RuntimeException e) {{ out(\"{step} \" + e.getClass().getName() + \": \" + clip(e.getMessage())); }}"
                )),
            ];
            body.push(Stmt { id, parts });
        }
        let state = "out(si + \" \" + sl + \" \" + sf + \" \" + sd + \" \" + sz + \" \" + ss);
        out(Arrays.toString(ia) + Arrays.toString(la) + Arrays.toString(da) + Arrays.toString(ba) + new String(ca).length() + Arrays.toString(sa) + Arrays.deepToString(grid));
        out(list + \" \" + map + \" \" + tree + \" \" + deque + \" \" + sb.length() + \" \" + sb.toString().hashCode() + \" \" + Arrays.toString(objs));
        System.out.println(\"check \" + check + \" fuel \" + fuel + \" lines \" + lines);";
        Method {
            head: format!("static void run() {{\n        fuel = 3000;\n{decls}"),
            body,
            tail: state.into(),
        }
    }

    /// Declares one or two variables of every type.
    fn locals(&mut self) -> (String, Scope) {
        let mut decls = String::from("       ");
        let mut vars = Vec::new();
        for ty in ALL {
            for n in 0..1 + self.rng.below(2) {
                let name = format!("{}{n}", ty.prefix());
                let value = match ty {
                    Ty::Byte => "(byte) 200".into(),
                    Ty::Short => "(short) -3".into(),
                    Ty::Char => "'k'".into(),
                    _ => self.literal(ty),
                };
                let _ = write!(decls, " {} {name} = {value};", ty.java());
                vars.push((ty, name));
            }
        }
        let scope = Scope {
            vars,
            fixed: Vec::new(),
            labels: Vec::new(),
            callable: 0,
            depth: 0,
            object: false,
        };
        (decls, scope)
    }

    fn block(&mut self, scope: &Scope, size: usize) -> Vec<Stmt> {
        (0..size).map(|_| self.stmt(scope)).collect()
    }

    fn id(&mut self) -> usize {
        self.next_id += 1;
        self.next_id
    }

    fn name(&mut self, prefix: &str) -> String {
        self.next_name += 1;
        format!("{prefix}_{}", self.next_name)
    }

    fn inner(&mut self, scope: &Scope) -> Scope {
        Scope {
            depth: scope.depth + 1,
            ..scope.clone()
        }
    }

    fn stmt(&mut self, scope: &Scope) -> Stmt {
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

    fn assign(&mut self, scope: &Scope) -> String {
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

    fn assignable(&mut self, scope: &Scope) -> Option<(Ty, String)> {
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

    fn store(&mut self, scope: &Scope) -> String {
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

    fn collection(&mut self, scope: &Scope) -> String {
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
    fn lambda(&mut self, scope: &Scope) -> String {
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

    fn jump(&mut self, scope: &Scope) -> String {
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

    fn branch(&mut self, scope: &Scope) -> Vec<Part> {
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

    fn repeat(&mut self, scope: &Scope) -> Vec<Part> {
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

    fn switch(&mut self, scope: &Scope) -> Vec<Part> {
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

    fn guarded(&mut self, scope: &Scope) -> Vec<Part> {
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

    fn index(&mut self, scope: &Scope) -> String {
        self.expr(Ty::Int, scope, 1)
    }

    /// Mostly inside the bounds, sometimes perhaps not.
    fn bounded(&mut self, index: &str, n: usize) -> String {
        if self.rng.chance(88) {
            format!("index({index}, {n})")
        } else {
            format!("({index}) % {}", n + 1)
        }
    }

    fn literal(&mut self, ty: Ty) -> String {
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
    fn readable(&mut self, ty: Ty, scope: &Scope) -> String {
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

    fn expr(&mut self, ty: Ty, scope: &Scope, depth: usize) -> String {
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

    fn int_expr(&mut self, scope: &Scope, depth: usize) -> String {
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

    fn long_expr(&mut self, scope: &Scope, depth: usize) -> String {
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

    fn real_expr(&mut self, ty: Ty, scope: &Scope, depth: usize) -> String {
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

    fn bool_expr(&mut self, scope: &Scope, depth: usize) -> String {
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

    fn string_expr(&mut self, scope: &Scope, depth: usize) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_names_one_program() {
        let none = HashSet::new();
        assert_eq!(
            Program::generate(7).render(&none),
            Program::generate(7).render(&none)
        );
        assert_ne!(
            Program::generate(7).render(&none),
            Program::generate(8).render(&none)
        );
    }

    #[test]
    fn deleting_everything_leaves_the_frame() {
        let program = Program::generate(3);
        let all: HashSet<usize> = (0..=program.statements).collect();
        let text = program.render(&all);
        assert!(
            text.contains("static void run()")
                && text.len() < program.render(&HashSet::new()).len()
        );
    }
}
