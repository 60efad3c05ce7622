import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Waits for the end of all tasks.
 *
 * Correct: the loop ends only when the pool has terminated, and the tasks happen before that.
 */
public class ShutdownAwaited {
    static final AtomicInteger sum = new AtomicInteger();

    public static void main(String[] args) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        pool.execute(() -> sum.addAndGet(1));
        pool.execute(() -> sum.addAndGet(2));
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.HOURS)) {
            // still running
        }
        assert sum.get() == 3 : "not done yet";
    }
}
