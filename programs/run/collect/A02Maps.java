import java.util.*;

/** HashMap, LinkedHashMap, TreeMap: the whole Map interface. */
public class A02Maps {
    static void exercise(Map<String, Integer> m) {
        for (String s : "the quick brown fox jumps over the lazy dog the end".split(" ")) m.merge(s, 1, Integer::sum);
        System.out.println(m.size() + " " + m.get("the") + m.get("zzz") + m.getOrDefault("zzz", -1) + m.containsKey("fox") + m.containsValue(3));
        System.out.println(new TreeMap<>(m));
        System.out.println(m.put("fox", 9) + " " + m.putIfAbsent("fox", 10) + m.putIfAbsent("cat", 4) + m.remove("dog") + m.remove("end", 5) + m.replace("cat", 5) + m.replace("cat", 5, 6));
        System.out.println(m.computeIfAbsent("new", String::length) + " " + m.computeIfPresent("new", (k, v) -> v * 100) + m.compute("gone", (k, v) -> null) + m.compute("fox", (k, v) -> v == null ? 1 : v + 1) + m.merge("lazy", 0, (a, b) -> null));
        m.replaceAll((k, v) -> v + k.length());
        System.out.println(new TreeMap<>(m) + " " + m.hashCode());
        m.keySet().removeIf(k -> k.length() == 3);
        m.values().removeIf(v -> v > 100);
        m.entrySet().forEach(e -> e.setValue(e.getValue() * 2));
        System.out.println(new TreeMap<>(m) + " " + new TreeSet<>(m.keySet()) + m.equals(new HashMap<>(m)));
        Iterator<Map.Entry<String, Integer>> it = m.entrySet().iterator();
        it.next();
        it.remove();
        System.out.println(m.size());
    }

    public static void main(String[] args) {
        exercise(new HashMap<>());
        exercise(new LinkedHashMap<>());
        exercise(new TreeMap<>());
        exercise(new Hashtable<>());
        Map<Integer, String> h = new HashMap<>();
        for (int i = 0; i < 20; i++) h.put(i * 37 % 101, "v" + i);
        System.out.println(h);
        Map<String, Integer> lru = new LinkedHashMap<>(16, 0.75f, true) { @Override protected boolean removeEldestEntry(Map.Entry<String, Integer> e) { return size() > 3; } };
        for (String s : "a b c a d e a".split(" ")) lru.merge(s, 1, Integer::sum);
        System.out.println(lru);
        h.put(null, "null key");
        System.out.println(h.get(null) + h.containsKey(null));
        class Bad { final int n; Bad(int n) { this.n = n; } @Override public int hashCode() { return n % 2; } @Override public boolean equals(Object o) { return ((Bad) o).n == n; } }
        Map<Bad, Integer> collisions = new HashMap<>();
        for (int i = 0; i < 100; i++) collisions.put(new Bad(i), i);
        int sum = 0;
        for (int i = 0; i < 100; i += 3) sum += collisions.remove(new Bad(i));
        System.out.println(sum + " " + collisions.size() + " " + collisions.get(new Bad(50)));
        IdentityHashMap<String, Integer> id = new IdentityHashMap<>();
        id.put(new String("x"), 1);
        id.put(new String("x"), 2);
        System.out.println(id.size());
        WeakHashMap<String, Integer> weak = new WeakHashMap<>();
        String strong = new String("held");
        weak.put(strong, 1);
        System.out.println(weak.get("held") + strong);
        System.out.println(new TreeMap<>(Map.of(1, "a", 2, "b")) + " " + Map.of().size() + new TreeMap<>(Map.ofEntries(Map.entry("k", "v"), Map.entry("l", "w"))) + new AbstractMap.SimpleEntry<>("a", 1));
    }
}
