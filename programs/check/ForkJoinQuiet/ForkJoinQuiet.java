import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/**
 * As ForkJoinStillActive, but waits until nobody has anything to do.
 */
public class ForkJoinQuiet {
    public static void main(String[] args) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(1);
        pool.submit(() -> 1).get();
        pool.awaitQuiescence(1, TimeUnit.MINUTES);
        int active = pool.getActiveThreadCount();
        pool.shutdown();
        assert active == 0;
    }
}
