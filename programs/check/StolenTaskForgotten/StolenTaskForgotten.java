import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A task that is submitted to a work-stealing pool may fail, and nobody asks its future. */
public class StolenTaskForgotten {
    static volatile boolean closed;

    public static void main(String[] args) throws InterruptedException {
        ExecutorService pool = Executors.newWorkStealingPool(1);
        pool.submit(() -> {
            if (closed) {
                throw new IllegalStateException("closed");
            }
        });
        closed = true;
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.HOURS);
    }
}
