import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * As PoolRejects, with a queue: whoever comes while the worker is busy waits there.
 */
public class PoolQueues {
    public static void main(String[] args) throws Exception {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1));
        try {
            int first = pool.submit(() -> 1).get();
            int second = pool.submit(() -> first + 1).get();
            assert second == 2;
        } finally {
            pool.shutdown();
        }
    }
}
