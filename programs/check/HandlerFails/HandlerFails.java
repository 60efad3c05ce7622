import java.util.concurrent.atomic.AtomicInteger;

/**
 * The handler of uncaught exceptions takes it that there is but one.
 *
 * Breaks when: the queue is closed before either worker looks; the assertion fails in the handler,
 * and the JVM only prints that it did.
 */
public class HandlerFails {
    static final AtomicInteger failures = new AtomicInteger();
    static volatile boolean closed;

    static void ask() {
        if (closed) {
            throw new IllegalStateException("closed");
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            int count = failures.incrementAndGet();
            assert count == 1 : "another failure"; //~ assertion
        });
        Thread first = new Thread(HandlerFails::ask);
        Thread second = new Thread(HandlerFails::ask);
        first.start();
        second.start();
        closed = true;
        first.join();
        second.join();
    }
}
