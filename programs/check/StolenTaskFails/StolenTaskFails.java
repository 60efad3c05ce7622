import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A task of a work-stealing pool may find the queue closed. The worker catches what the task
 * throws, and hands it to the handler of uncaught exceptions itself, which prints it.
 *
 * Breaks when: the queue is closed before the task looks.
 */
public class StolenTaskFails {
    static volatile boolean closed;

    public static void main(String[] args) throws InterruptedException {
        ExecutorService pool = Executors.newWorkStealingPool(1);
        pool.execute(() -> {
            if (closed) {
                throw new IllegalStateException("closed"); //~ exception
            }
        });
        closed = true;
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.HOURS);
    }
}
