import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Tasks that wait for subtasks in the same pool, which has a worker to spare.
 *
 * Correct: two workers at most wait, the third one runs the subtasks.
 */
public class PoolRoomy {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        Future<Integer> first = pool.submit(() -> outer(pool));
        Future<Integer> second = pool.submit(() -> outer(pool));
        assert first.get() + second.get() == 4;
        pool.shutdown();
    }

    static int outer(ExecutorService pool) throws Exception {
        Future<Integer> inner = pool.submit(() -> 1);
        return inner.get() + 1;
    }
}
