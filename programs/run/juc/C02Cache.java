import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;

/** A memoizing cache with at most one computation per key, an LRU with a lock, and a counting rate limiter. */
public class C02Cache {
    static class Memo<K, V> {
        final ConcurrentHashMap<K, Future<V>> map = new ConcurrentHashMap<>();
        final Function<K, V> f;
        final AtomicInteger computations = new AtomicInteger();
        Memo(Function<K, V> f) { this.f = f; }
        V get(K k) throws Exception {
            while (true) {
                Future<V> x = map.get(k);
                if (x == null) {
                    FutureTask<V> t = new FutureTask<>(() -> { computations.incrementAndGet(); return f.apply(k); });
                    x = map.putIfAbsent(k, t);
                    if (x == null) { x = t; t.run(); }
                }
                try {
                    return x.get();
                } catch (ExecutionException e) {
                    map.remove(k, x);
                    throw (Exception) e.getCause();
                }
            }
        }
    }
    static class Lru<K, V> {
        final ReentrantLock lock = new ReentrantLock();
        final LinkedHashMap<K, V> map;
        int evictions;
        Lru(int max) { map = new LinkedHashMap<>(16, 0.75f, true) { @Override protected boolean removeEldestEntry(Map.Entry<K, V> e) { boolean b = size() > max; if (b) evictions++; return b; } }; }
        V get(K k, Supplier<V> s) { lock.lock(); try { V v = map.get(k); if (v == null) map.put(k, v = s.get()); return v; } finally { lock.unlock(); } }
    }

    public static void main(String[] args) throws Exception {
        Memo<Integer, Long> m = new Memo<>(n -> { if (n < 0) throw new IllegalArgumentException("negative " + n); long a = 0, b = 1; for (int i = 0; i < n; i++) { long t = a + b; a = b; b = t; Thread.yield(); } return a; });
        ExecutorService ex = Executors.newFixedThreadPool(4);
        List<Callable<Long>> jobs = new ArrayList<>();
        for (int i = 0; i < 40; i++) { int k = i % 8; jobs.add(() -> m.get(k * 10)); }
        long sum = 0;
        for (Future<Long> f : ex.invokeAll(jobs)) sum += f.get();
        System.out.println(sum + " " + m.computations);
        try {
            m.get(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage() + " " + m.map.containsKey(-1));
        }
        Lru<Integer, String> l = new Lru<>(5);
        List<Callable<String>> uses = new ArrayList<>();
        for (int i = 0; i < 100; i++) { int k = i * 7 % 11; uses.add(() -> l.get(k, () -> "v" + k)); }
        boolean right = true;
        List<Future<String>> rs = ex.invokeAll(uses);
        for (int i = 0; i < 100; i++) right &= rs.get(i).get().equals("v" + i * 7 % 11);
        System.out.println(right + " " + l.map.size() + (l.evictions > 0));
        Semaphore permits = new Semaphore(0);
        ScheduledExecutorService refill = Executors.newSingleThreadScheduledExecutor();
        refill.scheduleAtFixedRate(() -> permits.release(2), 0, 1, TimeUnit.MILLISECONDS);
        AtomicInteger passed = new AtomicInteger();
        List<Callable<Void>> limited = Collections.nCopies(12, () -> { permits.acquire(); passed.incrementAndGet(); return null; });
        ex.invokeAll(limited);
        System.out.println(passed);
        refill.shutdownNow();
        ex.shutdown();
        System.out.println(ex.awaitTermination(10, TimeUnit.SECONDS));
    }
}
