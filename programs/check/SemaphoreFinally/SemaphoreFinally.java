import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A permit that is given back on every path.
 *
 * Correct: every acquire has its release, and one permit lets one user in at a time.
 */
public class SemaphoreFinally {
    static final Semaphore permits = new Semaphore(1);
    static final AtomicInteger inside = new AtomicInteger();

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            new Thread(SemaphoreFinally::use, "user-" + i).start();
        }
    }

    static void use() {
        permits.acquireUninterruptibly();
        try {
            assert inside.incrementAndGet() == 1 : "two inside";
            inside.decrementAndGet();
        } finally {
            permits.release();
        }
    }
}
