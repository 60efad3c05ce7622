import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Two asynchronous stages whose results are combined.
 *
 * Correct: the stages share nothing; the completion of both happens before the combination.
 */
public class FutureCombined {
    public static void main(String[] args) {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CompletableFuture<Integer> a = CompletableFuture.supplyAsync(() -> 1, pool);
        CompletableFuture<Integer> b = CompletableFuture.supplyAsync(() -> 2, pool);
        int sum = a.thenCombine(b, Integer::sum).thenApply(n -> n * 2).join();
        pool.shutdown();
        assert sum == 6;
    }
}
