import java.util.concurrent.ForkJoinPool;

/**
 * Takes a pool for idle when its only task has a result.
 *
 * Breaks when: the worker has handed the result over and still looks for more to do.
 */
public class ForkJoinStillActive {
    public static void main(String[] args) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(1);
        pool.submit(() -> 1).get();
        int active = pool.getActiveThreadCount();
        pool.shutdown();
        assert active == 0; //~ assertion
    }
}
