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

use std::fmt::Write;

use super::program::{Method, Part, Program, Stmt};
use super::rng::Rng;
use super::types::{ALL, Ty, VALUES};

/// What can be named where the next piece of code stands.
#[derive(Clone, Debug)]
pub struct Scope {
    pub vars: Vec<(Ty, String)>,
    /// Loop counters and captured values: readable only.
    pub fixed: Vec<(Ty, String)>,
    pub labels: Vec<String>,
    /// Methods from this index on may be called.
    pub callable: usize,
    /// Nesting of blocks.
    pub depth: usize,
    /// Whether `this.v` and `this.w` exist.
    pub object: bool,
}

/// Writes one program, from a seed.
pub struct Writer {
    pub rng: Rng,
    pub class: String,
    pub next_id: usize,
    pub next_name: usize,
    pub signatures: Vec<Ty>,
}

impl Writer {
    pub fn new(seed: u64) -> Writer {
        Writer {
            rng: Rng::new(seed),
            class: format!("G{seed}"),
            next_id: 0,
            next_name: 0,
            signatures: Vec::new(),
        }
    }

    pub fn program(mut self) -> Program {
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

    pub fn prelude(&mut self) -> String {
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

    pub fn method(&mut self, index: usize) -> Method {
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
    pub fn run(&mut self) -> Method {
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
    pub fn locals(&mut self) -> (String, Scope) {
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

    pub fn block(&mut self, scope: &Scope, size: usize) -> Vec<Stmt> {
        (0..size).map(|_| self.stmt(scope)).collect()
    }

    pub fn id(&mut self) -> usize {
        self.next_id += 1;
        self.next_id
    }

    pub fn name(&mut self, prefix: &str) -> String {
        self.next_name += 1;
        format!("{prefix}_{}", self.next_name)
    }

    pub fn inner(&mut self, scope: &Scope) -> Scope {
        Scope {
            depth: scope.depth + 1,
            ..scope.clone()
        }
    }
}
