import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Two asynchronous stages that add to one field.
 *
 * Breaks when: both read the sum before either writes it.
 */
public class FutureSideEffects {
    static int sum;

    public static void main(String[] args) {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CompletableFuture<Void> a = CompletableFuture.runAsync(() -> add(1), pool);
        CompletableFuture<Void> b = CompletableFuture.runAsync(() -> add(2), pool);
        CompletableFuture.allOf(a, b).join();
        pool.shutdown();
        assert sum == 3 : "lost update"; //~ assertion
    }

    static void add(int n) {
        sum += n; //~ race
    }
}
