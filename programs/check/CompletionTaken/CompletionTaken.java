import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * As CompletionPolled, but waits for the queue.
 */
public class CompletionTaken {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        ExecutorCompletionService<Integer> service = new ExecutorCompletionService<>(pool);
        Future<Integer> task = service.submit(() -> 1);
        task.get();
        Future<Integer> done = service.take();
        pool.shutdown();
        assert done == task;
    }
}
