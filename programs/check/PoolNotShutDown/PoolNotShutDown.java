import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A pool that is shut down only when the task came late enough.
 *
 * Breaks when: main looks before the task ran; it leaves the pool open and the worker waits for
 * ever.
 */
public class PoolNotShutDown {
    static final AtomicInteger ran = new AtomicInteger();

    public static void main(String[] args) {
        ExecutorService pool = Executors.newFixedThreadPool(1); //~ deadlock condition-deadlock
        pool.execute(ran::incrementAndGet);
        if (ran.get() == 1) {
            pool.shutdown();
        }
    }
}
