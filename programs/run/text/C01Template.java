import java.util.*;
import java.util.function.*;
import java.util.regex.*;

/** A template engine with loops and conditions: regex, maps, recursion, StringBuilder. */
public class C01Template {
    private static final Pattern TAG = Pattern.compile("\\{\\{\\s*(#each|#if|/each|/if|else)?\\s*([\\w.]*)\\s*(?:\\|\\s*(\\w+))?\\s*\\}\\}");
    private static final Map<String, UnaryOperator<String>> FILTERS = Map.of("upper", s -> s.toUpperCase(Locale.ROOT),
        "trim", String::strip, "quote", s -> '"' + s.replace("\"", "\\\"") + '"', "reverse", s -> new StringBuilder(s).reverse().toString());

    interface Part { void render(StringBuilder out, Deque<Map<String, ?>> scope); }

    static Object lookup(String path, Deque<Map<String, ?>> scope) {
        String[] keys = path.split("\\.");
        for (Map<String, ?> m : scope) {
            if (!m.containsKey(keys[0])) continue;
            Object v = m.get(keys[0]);
            for (int i = 1; i < keys.length; i++) v = v instanceof Map<?, ?> inner ? inner.get(keys[i]) : null;
            return v;
        }
        return null;
    }
    static boolean truthy(Object o) {
        return !(o == null || o.equals(false) || o.equals(0) || o.equals("") || o instanceof Collection<?> c && c.isEmpty());
    }

    static class Compiler {
        final String text;
        final Matcher m;
        int at;
        String closing;
        Compiler(String t) { text = t; m = TAG.matcher(t); }
        Part block(String... until) {
            List<Part> parts = new ArrayList<>();
            while (m.find()) {
                String lit = text.substring(at, m.start());
                parts.add((o, s) -> o.append(lit));
                at = m.end();
                String kind = m.group(1), path = m.group(2), filter = m.group(3);
                if (kind == null) {
                    UnaryOperator<String> f = filter == null ? UnaryOperator.identity() : Objects.requireNonNull(FILTERS.get(filter), "no filter " + filter);
                    parts.add((o, s) -> o.append(f.apply(String.valueOf(lookup(path, s)))));
                } else if (kind.equals("#each")) {
                    Part body = block("/each");
                    parts.add((o, s) -> {
                        int i = 0;
                        for (Object item : (Iterable<?>) lookup(path, s)) {
                            s.push(Map.of("this", item, "index", i++));
                            body.render(o, s);
                            s.pop();
                        }
                    });
                } else if (kind.equals("#if")) {
                    Part yes = block("else", "/if");
                    Part no = closing.equals("else") ? block("/if") : (o, s) -> { };
                    parts.add((o, s) -> (truthy(lookup(path, s)) ? yes : no).render(o, s));
                } else if (Arrays.asList(until).contains(kind)) {
                    closing = kind;
                    return all(parts);
                } else {
                    throw new IllegalArgumentException("unexpected " + kind + " at " + m.start());
                }
            }
            if (until.length > 0) throw new IllegalArgumentException("missing " + Arrays.toString(until));
            String rest = text.substring(at);
            parts.add((o, s) -> o.append(rest));
            return all(parts);
        }
        static Part all(List<Part> parts) { return (o, s) -> parts.forEach(p -> p.render(o, s)); }
    }
    static String render(String template, Map<String, ?> data) {
        StringBuilder out = new StringBuilder();
        new Compiler(template).block().render(out, new ArrayDeque<>(List.of(data)));
        return out.toString();
    }

    public static void main(String[] args) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("name", "World");
        data.put("user", Map.of("first", " Ada ", "address", Map.of("city", "London")));
        data.put("items", List.of("x", "y", "z"));
        data.put("rows", List.of(List.of(1, 2), List.of(3)));
        data.put("none", List.of());
        String[] templates = {"Hello {{name}}!", "{{ name | upper }} {{user.first|trim}} {{user.address.city | reverse}} {{missing.x}}",
            "{{#each items}}{{index}}={{this}};{{/each}}", "{{#if none}}some{{else}}none{{/if}} {{#if name}}named{{/if}}",
            "{{#each rows}}[{{#each this}}{{this}},{{/each}}]{{/each}}", "{{#each items}}", "{{/if}}", "{{name | nope}}", "plain"};
        for (String t : templates) {
            try {
                System.out.println(render(t, data));
            } catch (RuntimeException e) {
                System.out.println(e);
            }
        }
    }
}
