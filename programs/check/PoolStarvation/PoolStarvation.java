import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Tasks that wait for subtasks in the same pool.
 *
 * Breaks when: both workers took an outer task before either subtask was taken; the subtasks stay
 * in the queue for ever.
 */
public class PoolStarvation {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<Integer> first = pool.submit(() -> outer(pool));
        Future<Integer> second = pool.submit(() -> outer(pool));
        assert first.get() + second.get() == 4; //~ deadlock condition-deadlock
        pool.shutdown();
    }

    static int outer(ExecutorService pool) throws Exception {
        Future<Integer> inner = pool.submit(() -> 1);
        return inner.get() + 1; //~ deadlock condition-deadlock
    }
}
