import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A task is given to the common pool, and the initial thread waits until the pool has nothing to do.
 *
 * Correct: nobody is at work any more when it goes on.
 */
public class QuietPool {
    public static void main(String[] args) {
        AtomicInteger done = new AtomicInteger();
        ForkJoinPool pool = ForkJoinPool.commonPool();
        pool.execute(done::incrementAndGet);
        pool.execute(done::incrementAndGet);
        boolean quiet = pool.awaitQuiescence(1, TimeUnit.SECONDS);
        assert quiet && done.get() == 2 : done;
    }
}
