import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Looks for a task among those that are done, when its result is there.
 *
 * Breaks when: the worker has set the result, but has not put the task on the queue of those that
 * are done.
 */
public class CompletionPolled {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        ExecutorCompletionService<Integer> service = new ExecutorCompletionService<>(pool);
        Future<Integer> task = service.submit(() -> 1);
        task.get();
        Future<Integer> done = service.poll();
        pool.shutdown();
        assert done == task; //~ assertion
    }
}
