import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A task that fails, and a future that nobody asks.
 *
 * Breaks when: the printer runs before the loader; its NullPointerException is lost in the future
 * and the page is missing.
 */
public class ExceptionSwallowed {
    static final AtomicReference<String> page = new AtomicReference<>();
    static final AtomicInteger printed = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.submit(() -> page.set("text"));
        pool.submit(() -> {
            printed.addAndGet(page.get().length()); //~ swallowed-exception
        });
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.HOURS)) {
            // still running
        }
        assert printed.get() == 4 : "page is missing"; //~ assertion
    }
}
