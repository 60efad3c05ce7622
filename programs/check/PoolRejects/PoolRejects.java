import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Two tasks, one after the other, for a pool of one thread that has no queue.
 *
 * Breaks when: the result of the first task is there, but its worker is not back for the next one
 * yet; the pool has nobody who could take the second task.
 */
public class PoolRejects {
    public static void main(String[] args) throws Exception {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>());
        try {
            int first = pool.submit(() -> 1).get();
            int second = pool.submit(() -> first + 1).get(); //~ exception
            assert second == 2;
        } finally {
            pool.shutdown();
        }
    }
}
