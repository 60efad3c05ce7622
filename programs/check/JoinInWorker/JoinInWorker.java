import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;

/**
 * The only worker of a pool waits for what it would have to do itself. Correct: a worker that waits for a
 * CompletableFuture does other tasks of its pool meanwhile.
 */
public class JoinInWorker {
    public static void main(String[] args) {
        ForkJoinPool pool = new ForkJoinPool(1);
        CompletableFuture<Integer> sum = CompletableFuture.supplyAsync(() -> {
            CompletableFuture<Integer> part = CompletableFuture.supplyAsync(() -> 1, pool);
            return part.join() + 1;
        }, pool);
        assert sum.join() == 2;
    }
}
