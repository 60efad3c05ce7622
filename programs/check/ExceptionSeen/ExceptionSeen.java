import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The second task starts when the first one has delivered, and its future is asked.
 *
 * Correct: get() of the first future orders the two tasks.
 */
public class ExceptionSeen {
    static final AtomicReference<String> page = new AtomicReference<>();
    static final AtomicInteger printed = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<?> load = pool.submit(() -> page.set("text"));
        load.get();
        Future<?> print = pool.submit(() -> {
            printed.addAndGet(page.get().length());
        });
        print.get();
        pool.shutdown();
        assert printed.get() == 4 : "page is missing";
    }
}
