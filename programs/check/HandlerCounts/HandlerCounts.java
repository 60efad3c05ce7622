import java.util.concurrent.atomic.AtomicInteger;

/**
 * The handler of uncaught exceptions counts them.
 */
public class HandlerCounts {
    static final AtomicInteger failures = new AtomicInteger();
    static volatile boolean closed;

    static void ask() {
        if (closed) {
            throw new IllegalStateException("closed");
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            failures.incrementAndGet();
        });
        Thread first = new Thread(HandlerCounts::ask);
        Thread second = new Thread(HandlerCounts::ask);
        first.start();
        second.start();
        closed = true;
        first.join();
        second.join();
    }
}
