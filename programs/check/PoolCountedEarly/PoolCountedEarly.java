import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Asks a pool how many tasks it has done, when the result of one is there.
 *
 * Breaks when: the worker has handed the exception over, but has not counted the task yet.
 */
public class PoolCountedEarly {
    public static void main(String[] args) throws Exception {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        Future<Integer> result = pool.submit(() -> Integer.parseInt("one"));
        try {
            result.get();
        } catch (ExecutionException expected) {
            long done = pool.getCompletedTaskCount();
            pool.shutdown();
            assert done == 1 : "not counted"; //~ assertion
        }
    }
}
