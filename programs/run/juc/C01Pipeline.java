import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

/** A word-count pipeline: readers, mappers and reducers joined by queues, with poison pills. */
public class C01Pipeline {
    static final String POISON = new String("poison");
    static final String TEXT = """
        It was the best of times it was the worst of times it was the age of wisdom
        it was the age of foolishness it was the epoch of belief it was the epoch of incredulity
        it was the season of light it was the season of darkness it was the spring of hope
        it was the winter of despair""";

    static class Stage<I, O> implements Runnable {
        final BlockingQueue<I> in; final BlockingQueue<O> out; final java.util.function.Function<I, List<O>> f; final I poison; final CountDownLatch done;
        Stage(BlockingQueue<I> in, BlockingQueue<O> out, java.util.function.Function<I, List<O>> f, I poison, CountDownLatch done) { this.in = in; this.out = out; this.f = f; this.poison = poison; this.done = done; }
        @Override public void run() {
            try {
                for (I i; (i = in.take()) != poison;) for (O o : f.apply(i)) out.put(o);
                in.put(poison);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                done.countDown();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<String> lines = new ArrayBlockingQueue<>(2), words = new LinkedBlockingQueue<>(5), counted = new LinkedBlockingQueue<>();
        ConcurrentHashMap<String, LongAdder> counts = new ConcurrentHashMap<>();
        ExecutorService pool = Executors.newCachedThreadPool();
        CountDownLatch splitters = new CountDownLatch(2), counters = new CountDownLatch(3);
        for (int i = 0; i < 2; i++) pool.execute(new Stage<>(lines, words, l -> List.of(l.toLowerCase().split("\\s+")), POISON, splitters));
        for (int i = 0; i < 3; i++) pool.execute(new Stage<>(words, counted, w -> { counts.computeIfAbsent(w, k -> new LongAdder()).increment(); return w.length() > 7 ? List.of(w) : List.of(); }, POISON, counters));
        for (int round = 0; round < 10; round++) for (String l : TEXT.split("\n")) lines.put(l);
        lines.put(POISON);
        splitters.await();
        words.put(POISON);
        counters.await();
        pool.shutdown();
        System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS));
        System.out.println(new TreeMap<>(counts));
        Map<String, Long> longWords = counted.stream().collect(Collectors.groupingBy(w -> w, TreeMap::new, Collectors.counting()));
        System.out.println(longWords);
        System.out.println(counts.values().stream().mapToLong(LongAdder::sum).sum());
    }
}
