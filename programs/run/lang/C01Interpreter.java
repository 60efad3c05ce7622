import java.util.*;
import java.util.function.*;

/** A small language: tokenizer, recursive-descent parser, closures, exceptions for control. */
public class C01Interpreter {
    enum Kind { NUMBER, NAME, SYMBOL, END }
    record Token(Kind kind, String text, int at) {}
    static class SyntaxError extends RuntimeException {
        SyntaxError(String m, int at) { super(m + " at " + at); }
    }
    static class Return extends RuntimeException {
        final long value;
        Return(long v) { super(null, null, false, false); value = v; }
    }

    static List<Token> tokenize(String s) {
        List<Token> out = new ArrayList<>();
        int i = 0;
        while (i < s.length()) {
            char c = s.charAt(i);
            int start = i;
            if (Character.isWhitespace(c)) { i++; continue; }
            if (Character.isDigit(c)) {
                while (i < s.length() && Character.isDigit(s.charAt(i))) i++;
                out.add(new Token(Kind.NUMBER, s.substring(start, i), start));
            } else if (Character.isLetter(c)) {
                while (i < s.length() && Character.isLetterOrDigit(s.charAt(i))) i++;
                out.add(new Token(Kind.NAME, s.substring(start, i), start));
            } else {
                String two = i + 1 < s.length() ? s.substring(i, i + 2) : "";
                String sym = Set.of("==", "<=", ">=", "!=").contains(two) ? two : String.valueOf(c);
                if ("+-*/%(){};,=<>".indexOf(sym.charAt(0)) < 0 && !sym.equals("!=")) throw new SyntaxError("unexpected " + c, i);
                i += sym.length();
                out.add(new Token(Kind.SYMBOL, sym, start));
            }
        }
        out.add(new Token(Kind.END, "", s.length()));
        return out;
    }

    interface Node extends ToLongFunction<Map<String, Long>> {}
    static final Map<String, Function<long[], Long>> FUNCTIONS = new HashMap<>();

    static class Parser {
        final List<Token> tokens;
        int pos;
        Parser(String s) { tokens = tokenize(s); }
        Token peek() { return tokens.get(pos); }
        boolean accept(String t) { if (peek().kind() != Kind.NUMBER && peek().text().equals(t) && peek().kind() != Kind.END) { pos++; return true; } return false; }
        void expect(String t) { if (!accept(t)) throw new SyntaxError("expected " + t + " but found '" + peek().text() + "'", peek().at()); }
        String name() { Token t = peek(); if (t.kind() != Kind.NAME) throw new SyntaxError("expected a name", t.at()); pos++; return t.text(); }

        Node program() {
            List<Node> all = new ArrayList<>();
            while (peek().kind() != Kind.END) all.add(statement());
            return env -> { long r = 0; for (Node n : all) r = n.applyAsLong(env); return r; };
        }
        Node statement() {
            if (accept("{")) {
                List<Node> all = new ArrayList<>();
                while (!accept("}")) all.add(statement());
                return env -> { long r = 0; for (Node n : all) r = n.applyAsLong(env); return r; };
            }
            if (accept("while")) {
                Node c = expression(), b = statement();
                return env -> { long r = 0; while (c.applyAsLong(env) != 0) r = b.applyAsLong(env); return r; };
            }
            if (accept("if")) {
                Node c = expression(), a = statement(), b = accept("else") ? statement() : env -> 0;
                return env -> c.applyAsLong(env) != 0 ? a.applyAsLong(env) : b.applyAsLong(env);
            }
            if (accept("return")) {
                Node v = expression();
                expect(";");
                return env -> { throw new Return(v.applyAsLong(env)); };
            }
            if (accept("fun")) {
                String f = name();
                expect("(");
                List<String> params = new ArrayList<>();
                while (!accept(")")) { params.add(name()); accept(","); }
                Node body = statement();
                FUNCTIONS.put(f, args -> {
                    Map<String, Long> env = new HashMap<>();
                    for (int i = 0; i < params.size(); i++) env.put(params.get(i), args[i]);
                    try { return body.applyAsLong(env); } catch (Return r) { return r.value; }
                });
                return env -> 0;
            }
            Node e = expression();
            expect(";");
            return e;
        }
        Node expression() {
            Node left = sum();
            for (String op : List.of("==", "!=", "<=", ">=", "<", ">")) {
                if (accept(op)) {
                    Node l = left, r = sum();
                    return env -> {
                        int c = Long.compare(l.applyAsLong(env), r.applyAsLong(env));
                        boolean b = switch (op) { case "==" -> c == 0; case "!=" -> c != 0; case "<=" -> c <= 0; case ">=" -> c >= 0; case "<" -> c < 0; default -> c > 0; };
                        return b ? 1 : 0;
                    };
                }
            }
            return left;
        }
        Node sum() {
            Node left = product();
            while (true) {
                Node l = left;
                if (accept("+")) { Node r = product(); left = env -> l.applyAsLong(env) + r.applyAsLong(env); }
                else if (accept("-")) { Node r = product(); left = env -> l.applyAsLong(env) - r.applyAsLong(env); }
                else return left;
            }
        }
        Node product() {
            Node left = atom();
            while (true) {
                Node l = left;
                if (accept("*")) { Node r = atom(); left = env -> l.applyAsLong(env) * r.applyAsLong(env); }
                else if (accept("/")) { Node r = atom(); left = env -> l.applyAsLong(env) / r.applyAsLong(env); }
                else if (accept("%")) { Node r = atom(); left = env -> l.applyAsLong(env) % r.applyAsLong(env); }
                else return left;
            }
        }
        Node atom() {
            if (accept("(")) { Node e = expression(); expect(")"); return e; }
            if (accept("-")) { Node e = atom(); return env -> -e.applyAsLong(env); }
            if (peek().kind() == Kind.NUMBER) { long v = Long.parseLong(tokens.get(pos++).text()); return env -> v; }
            String n = name();
            if (accept("(")) {
                List<Node> args = new ArrayList<>();
                while (!accept(")")) { args.add(expression()); accept(","); }
                return env -> FUNCTIONS.get(n).apply(args.stream().mapToLong(a -> a.applyAsLong(env)).toArray());
            }
            if (accept("=")) { Node v = expression(); return env -> { long r = v.applyAsLong(env); env.put(n, r); return r; }; }
            return env -> { Long v = env.get(n); if (v == null) throw new NoSuchElementException("no variable " + n); return v; };
        }
    }

    public static void main(String[] args) {
        FUNCTIONS.put("print", a -> { System.out.println("> " + Arrays.toString(a)); return (long) a.length; });
        String[] programs = {
            "1 + 2 * 3 - 4 / 2;", "x = 5; y = x * x; print(x, y, x - -y);",
            "fun fact(n) { if n <= 1 return 1; return n * fact(n - 1); } fact(15);",
            "fun gcd(a, b) { while b != 0 { t = a % b; a = b; b = t; } return a; } gcd(1071, 462);",
            "fun fib(n) if n < 2 return n; else return fib(n-1) + fib(n-2); fib(18);",
            "i = 0; s = 0; while i < 100 { i = i + 1; if i % 3 == 0 s = s + i; } s;",
            "1 / 0;", "unknown + 1;", "f(", "3 $ 4;", "print(1,2"};
        for (String p : programs) {
            try {
                System.out.println(new Parser(p).program().applyAsLong(new HashMap<>()));
            } catch (RuntimeException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
    }
}
