import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Concurrent maps and sets under contention, and bulk operations. */
public class B02Maps {
    static void parallel(int n, java.util.function.IntConsumer r) throws InterruptedException {
        Thread[] all = new Thread[n];
        for (int i = 0; i < n; i++) { int id = i; all[i] = new Thread(() -> r.accept(id)); all[i].start(); }
        for (Thread t : all) t.join();
    }

    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Integer> m = new ConcurrentHashMap<>(4);
        AtomicInteger computed = new AtomicInteger();
        parallel(4, id -> {
            for (int i = 0; i < 300; i++) {
                m.merge(i % 50, 1, Integer::sum);
                m.computeIfAbsent(1000 + i % 7, k -> { computed.incrementAndGet(); return k; });
                m.compute(2000, (k, v) -> v == null ? 1 : v + 1);
                if (i % 100 == 0) Thread.yield();
            }
        });
        System.out.println(m.size() + " " + m.get(0) + " " + computed + " " + m.get(2000) + m.mappingCount());
        System.out.println(m.reduceValues(1, Integer::sum) + " " + m.search(1, (k, v) -> k == 1003 ? "found" : null) + m.reduceKeysToLong(1, Integer::longValue, 0, Long::max));
        m.replaceAll((k, v) -> v > 1000 ? 0 : v);
        m.values().removeIf(v -> v == 0);
        System.out.println(m.size() + " " + m.putIfAbsent(5, 1) + m.replace(5, 24, 7) + m.remove(5, 8) + m.get(5) + m.getOrDefault(-1, -2));
        try {
            m.put(null, 1);
        } catch (NullPointerException e) {
            System.out.println("no nulls");
        }
        try {
            m.computeIfAbsent(1, k -> 1);
            m.computeIfAbsent(-5, k -> m.computeIfAbsent(-5, j -> 2));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        ConcurrentSkipListMap<Integer, String> s = new ConcurrentSkipListMap<>();
        parallel(3, id -> { for (int i = 0; i < 100; i++) s.put(i * 3 + id, "v" + id); });
        System.out.println(s.size() + " " + s.firstKey() + s.lastEntry() + s.headMap(5) + s.ceilingKey(150) + s.pollFirstEntry() + s.descendingMap().firstKey());
        Set<Integer> set = ConcurrentHashMap.newKeySet();
        ConcurrentSkipListSet<Integer> ss = new ConcurrentSkipListSet<>();
        CopyOnWriteArrayList<Integer> cow = new CopyOnWriteArrayList<>(List.of(1, 2, 3));
        ConcurrentLinkedQueue<Integer> q = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedDeque<Integer> d = new ConcurrentLinkedDeque<>();
        parallel(4, id -> { for (int i = 0; i < 100; i++) { set.add(i); ss.add(i % 20); q.add(i); if (id % 2 == 0) d.addFirst(i); else d.addLast(i); if (i % 25 == 0) cow.addIfAbsent(i); } });
        long qs = 0, ds = 0;
        for (Integer v; (v = q.poll()) != null;) qs += v;
        for (int v : d) ds += v;
        System.out.println(set.size() + " " + ss + qs + " " + ds + " " + new TreeSet<>(cow));
        for (int v : cow) if (v == 2) cow.remove((Integer) 2);
        System.out.println(cow.contains(2) + " " + new CopyOnWriteArraySet<>(List.of(1, 1, 2)).size());
        ConcurrentMap<String, LongAdder> freq = new ConcurrentHashMap<>();
        parallel(3, id -> { for (String w : "a b a c a b".split(" ")) freq.computeIfAbsent(w, k -> new LongAdder()).increment(); });
        System.out.println(new TreeMap<>(freq));
        ConcurrentHashMap<String, Integer> bulk = new ConcurrentHashMap<>(Map.of("x", 1, "yy", 2));
        AtomicInteger seen = new AtomicInteger();
        bulk.forEach(1, (k, v) -> seen.addAndGet(k.length() * v));
        System.out.println(seen + " " + bulk.reduce(1, (k, v) -> v, Integer::sum));
    }
}
