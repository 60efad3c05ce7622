import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A permit that is not given back on one path.
 *
 * Breaks always: the second user to be served returns early with the only permit, and the third
 * one waits for it.
 */
public class SemaphoreLeak {
    static final Semaphore permits = new Semaphore(1);
    static final AtomicInteger served = new AtomicInteger();

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            new Thread(SemaphoreLeak::use, "user-" + i).start();
        }
    }

    static void use() {
        permits.acquireUninterruptibly(); //~ deadlock
        if (served.incrementAndGet() == 2) {
            return;
        }
        permits.release();
    }
}
