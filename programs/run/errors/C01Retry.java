import java.util.*;

/** A small transaction system that leans on exceptions: retries, roll-back, cleanup order. */
public class C01Retry {
    static class Conflict extends Exception {
        final String key;
        Conflict(String key) { super("conflict on " + key); this.key = key; }
    }
    static final class Aborted extends RuntimeException {
        Aborted(String m, Throwable cause) { super(m, cause); }
    }
    static class Store {
        final Map<String, Integer> data = new TreeMap<>();
        final Map<String, Integer> versions = new HashMap<>();
        int commits;
        void commit(Map<String, Integer> writes, Map<String, Integer> readVersions) throws Conflict {
            for (var e : readVersions.entrySet()) if (!versions.getOrDefault(e.getKey(), 0).equals(e.getValue())) throw new Conflict(e.getKey());
            for (var e : writes.entrySet()) {
                data.put(e.getKey(), e.getValue());
                versions.merge(e.getKey(), 1, Integer::sum);
            }
            commits++;
        }
    }
    static class Tx implements AutoCloseable {
        static int open;
        final Store store;
        final Map<String, Integer> writes = new HashMap<>(), reads = new HashMap<>();
        Tx(Store s) { store = s; open++; }
        int read(String k) {
            if (writes.containsKey(k)) return writes.get(k);
            reads.putIfAbsent(k, store.versions.getOrDefault(k, 0));
            Integer v = store.data.get(k);
            if (v == null) throw new NoSuchElementException(k);
            return v;
        }
        void write(String k, int v) { if (v < 0) throw new IllegalArgumentException(k + " would be " + v); writes.put(k, v); }
        @Override public void close() { open--; }
    }
    interface Work { void run(Tx tx, int attempt) throws Exception; }

    static int atomically(Store store, Work w) {
        List<Throwable> failures = new ArrayList<>();
        for (int attempt = 0; attempt < 3; attempt++) {
            try (Tx tx = new Tx(store)) {
                w.run(tx, attempt);
                store.commit(tx.writes, tx.reads);
                return attempt;
            } catch (Conflict c) {
                failures.add(c);
            } catch (RuntimeException e) {
                throw new Aborted("aborted in attempt " + attempt, e);
            } catch (Exception e) {
                Aborted a = new Aborted("checked", e);
                failures.forEach(a::addSuppressed);
                throw a;
            }
        }
        Aborted a = new Aborted("too many conflicts", failures.get(0));
        failures.stream().skip(1).forEach(a::addSuppressed);
        throw a;
    }

    public static void main(String[] args) {
        Store s = new Store();
        System.out.println(atomically(s, (tx, n) -> { tx.write("a", 100); tx.write("b", 50); }));
        System.out.println(atomically(s, (tx, n) -> { int a = tx.read("a"); tx.write("a", a - 30); tx.write("b", tx.read("b") + 30); }));
        System.out.println(s.data);
        Work[] bad = {
            (tx, n) -> tx.write("a", tx.read("a") - 1000),
            (tx, n) -> tx.read("zzz"),
            (tx, n) -> { tx.read("a"); if (n < 2) s.versions.merge("a", 1, Integer::sum); tx.write("a", n); },
            (tx, n) -> { tx.read("b"); s.versions.merge("b", 1, Integer::sum); },
            (tx, n) -> { if (n == 1) throw new java.io.IOException("disk"); tx.read("a"); s.versions.merge("a", 1, Integer::sum); },
            (tx, n) -> { Object o = tx; ((Runnable) o).run(); },
        };
        for (Work w : bad) {
            try {
                System.out.println("attempts " + atomically(s, w));
            } catch (Aborted e) {
                System.out.println(e.getMessage() + " <- " + e.getCause().getClass().getSimpleName() + " " + Arrays.toString(e.getSuppressed()));
            }
        }
        System.out.println(s.data + " " + s.commits + " " + Tx.open);
    }
}
