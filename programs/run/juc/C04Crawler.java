import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

/** A crawler over a made-up web with failures, retries and a limit on concurrency. */
public class C04Crawler {
    static final int PAGES = 60;
    static List<Integer> links(int page) { return IntStream.of(page * 2 + 1, page * 3 + 2, page / 2, (page * 7 + 3) % PAGES).filter(p -> p < PAGES).boxed().toList(); }

    static class Site {
        final AtomicInteger fetches = new AtomicInteger(), inside = new AtomicInteger(), most = new AtomicInteger();
        final ConcurrentHashMap<Integer, Integer> attempts = new ConcurrentHashMap<>();
        List<Integer> fetch(int page) {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            try {
                Thread.yield();
                fetches.incrementAndGet();
                int n = attempts.merge(page, 1, Integer::sum);
                if (page % 10 == 9) throw new CompletionException(new java.io.FileNotFoundException("page " + page));
                if (page % 7 == 3 && n < 3) throw new IllegalStateException("busy " + page);
                return links(page);
            } finally {
                inside.decrementAndGet();
            }
        }
    }

    final Site site = new Site();
    final Set<Integer> seen = ConcurrentHashMap.newKeySet();
    final ConcurrentSkipListMap<Integer, String> failed = new ConcurrentSkipListMap<>();
    final ExecutorService pool;
    final Semaphore limit = new Semaphore(3);
    C04Crawler(ExecutorService p) { pool = p; }

    CompletableFuture<Void> visit(int page) {
        if (!seen.add(page)) return CompletableFuture.completedFuture(null);
        return attempt(page, 1).thenCompose(next -> CompletableFuture.allOf(next.stream().map(this::visit).toArray(CompletableFuture[]::new)));
    }
    CompletableFuture<List<Integer>> attempt(int page, int n) {
        return CompletableFuture.supplyAsync(() -> {
            limit.acquireUninterruptibly();
            try {
                return site.fetch(page);
            } finally {
                limit.release();
            }
        }, pool).handle((v, t) -> {
            if (t == null) return CompletableFuture.completedFuture(v);
            Throwable cause = t instanceof CompletionException && t.getCause() != null ? t.getCause() : t;
            if (cause instanceof IllegalStateException && n < 4) return attempt(page, n + 1);
            failed.put(page, cause.getClass().getSimpleName() + " " + cause.getMessage());
            return CompletableFuture.<List<Integer>>completedFuture(List.of());
        }).thenCompose(f -> f);
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(5);
        C04Crawler c = new C04Crawler(pool);
        c.visit(0).get(60, TimeUnit.SECONDS);
        System.out.println(c.seen.size() + " " + new TreeSet<>(c.seen));
        System.out.println(c.failed);
        System.out.println(c.site.fetches + " " + (c.site.most.get() <= 3) + " " + c.limit.availablePermits());
        pool.shutdown();
        System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS));
    }
}
