import java.util.*;
import java.util.stream.*;

/** A JSON reader and writer with error positions, and a query language for paths. */
public class C02Json {
    static class JsonException extends RuntimeException { JsonException(String m, int at) { super(m + " at offset " + at); } }
    static final class Reader {
        final String s;
        int i;
        Reader(String s) { this.s = s; }
        static Object read(String s) {
            Reader r = new Reader(s);
            Object v = r.value(0);
            r.space();
            if (r.i < s.length()) throw new JsonException("trailing '" + s.charAt(r.i) + "'", r.i);
            return v;
        }
        void space() { while (i < s.length() && " \t\r\n".indexOf(s.charAt(i)) >= 0) i++; }
        char peek() { space(); if (i >= s.length()) throw new JsonException("unexpected end", i); return s.charAt(i); }
        void expect(char c) { if (peek() != c) throw new JsonException("expected '" + c + "' but found '" + s.charAt(i) + "'", i); i++; }
        Object value(int depth) {
            if (depth > 50) throw new JsonException("too deep", i);
            char c = peek();
            switch (c) {
                case '{': {
                    Map<String, Object> m = new LinkedHashMap<>();
                    i++;
                    if (peek() == '}') { i++; return m; }
                    do { String k = string(); expect(':'); if (m.put(k, value(depth + 1)) != null) throw new JsonException("duplicate " + k, i); } while (peek() == ',' && i++ >= 0);
                    expect('}');
                    return m;
                }
                case '[': {
                    List<Object> l = new ArrayList<>();
                    i++;
                    if (peek() == ']') { i++; return l; }
                    do l.add(value(depth + 1)); while (peek() == ',' && i++ >= 0);
                    expect(']');
                    return l;
                }
                case '"': return string();
                case 't': return word("true", true);
                case 'f': return word("false", false);
                case 'n': return word("null", null);
                default: return number();
            }
        }
        Object word(String w, Object v) { if (!s.startsWith(w, i)) throw new JsonException("bad word", i); i += w.length(); return v; }
        Object number() {
            int start = i;
            while (i < s.length() && "+-.eE0123456789".indexOf(s.charAt(i)) >= 0) i++;
            String t = s.substring(start, i);
            try {
                return t.matches("-?\\d+") ? (Object) Long.valueOf(t) : (Object) Double.valueOf(t);
            } catch (NumberFormatException e) {
                throw new JsonException("bad number '" + t + "'", start);
            }
        }
        String string() {
            expect('"');
            StringBuilder b = new StringBuilder();
            while (true) {
                if (i >= s.length()) throw new JsonException("unterminated string", i);
                char c = s.charAt(i++);
                if (c == '"') return b.toString();
                if (c != '\\') { b.append(c); continue; }
                char e = s.charAt(i++);
                switch (e) {
                    case 'n' -> b.append('\n');
                    case 't' -> b.append('\t');
                    case 'u' -> { b.append((char) Integer.parseInt(s, i, i + 4, 16)); i += 4; }
                    case '"', '\\', '/' -> b.append(e);
                    default -> throw new JsonException("bad escape \\" + e, i);
                }
            }
        }
    }
    static String write(Object o, int indent) {
        String pad = indent < 0 ? "" : "\n" + "  ".repeat(indent + 1), end = indent < 0 ? "" : "\n" + "  ".repeat(indent);
        int next = indent < 0 ? -1 : indent + 1;
        if (o instanceof Map<?, ?> m) return m.isEmpty() ? "{}" : m.entrySet().stream().map(e -> pad + write(e.getKey(), -1) + ":" + write(e.getValue(), next)).collect(Collectors.joining(",", "{", end + "}"));
        if (o instanceof List<?> l) return l.isEmpty() ? "[]" : l.stream().map(e -> pad + write(e, next)).collect(Collectors.joining(",", "[", end + "]"));
        if (o instanceof String s) return s.chars().mapToObj(c -> c == '"' || c == '\\' ? "\\" + (char) c : c < 32 || c > 126 ? String.format("\\u%04x", c) : String.valueOf((char) c)).collect(Collectors.joining("", "\"", "\""));
        return String.valueOf(o);
    }
    static Object query(Object o, String path) {
        for (String p : path.split("\\.")) {
            if (o instanceof Map<?, ?> m) o = m.get(p);
            else if (o instanceof List<?> l) { if (p.equals("*")) return l.stream().map(e -> query(e, path.substring(path.indexOf("*") + 2))).toList(); o = l.get(Integer.parseInt(p)); }
            else throw new NoSuchElementException(p + " in " + o);
        }
        return o;
    }

    public static void main(String[] args) {
        String text = "{ \"name\": \"w\\u0069dget \\\"x\\\"\", \"n\": [1, -2.5e3, 0.1, 12345678901], \"ok\": true, \"none\": null, \"nested\": {\"a\": [{\"v\": 1}, {\"v\": [2]}, {}], \"e\": {}}, \"euro\": \"\\u20ac\\n\" }";
        Object o = Reader.read(text);
        System.out.println(write(o, -1));
        System.out.println(write(o, 0));
        System.out.println(Reader.read(write(o, 0)).equals(o) + " " + o.hashCode());
        for (String q : new String[] {"name", "n.1", "nested.a.1.v", "nested.a.*.v", "zzz", "n.9", "name.x", "n.q"}) {
            try {
                System.out.println(q + " = " + query(o, q));
            } catch (RuntimeException e) {
                System.out.println(q + ": " + e);
            }
        }
        for (String bad : new String[] {"", "{", "[1,]", "{\"a\" 1}", "tru", "[1 2]", "\"abc", "\"\\x\"", "-", "1.2.3", "{\"a\":1,\"a\":2}", "[".repeat(60), "1 x", "\"\\u12G4\""}) {
            try {
                System.out.println(write(Reader.read(bad), -1));
            } catch (RuntimeException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
    }
}
