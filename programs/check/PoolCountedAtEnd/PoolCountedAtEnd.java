import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * As PoolCountedEarly, but asks when the pool has come to its end.
 */
public class PoolCountedAtEnd {
    public static void main(String[] args) throws Exception {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        Future<Integer> result = pool.submit(() -> Integer.parseInt("one"));
        try {
            result.get();
        } catch (ExecutionException expected) {
            pool.shutdown();
            pool.awaitTermination(1, TimeUnit.MINUTES);
            long done = pool.getCompletedTaskCount();
            assert done == 1 : "not counted";
        }
    }
}
