import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A task of a work-stealing pool would fail if it found the queue closed, but that is done when
 * all tasks are.
 */
public class StolenTaskHolds {
    static volatile boolean closed;

    public static void main(String[] args) throws InterruptedException {
        ExecutorService pool = Executors.newWorkStealingPool(1);
        pool.execute(() -> {
            if (closed) {
                throw new IllegalStateException("closed");
            }
        });
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.HOURS);
        closed = true;
    }
}
