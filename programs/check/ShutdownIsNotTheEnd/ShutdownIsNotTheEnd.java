import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Takes shutdown() for the end of all tasks.
 *
 * Breaks when: main looks at the sum before the worker has added.
 */
public class ShutdownIsNotTheEnd {
    static final AtomicInteger sum = new AtomicInteger();

    public static void main(String[] args) {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        pool.execute(() -> sum.addAndGet(1));
        pool.execute(() -> sum.addAndGet(2));
        pool.shutdown();
        assert sum.get() == 3 : "not done yet"; //~ assertion
    }
}
