import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Releases in finally what it may not have acquired.
 *
 * Breaks when: one user fails to acquire and releases all the same while another one is inside;
 * then a third one comes in.
 */
public class SemaphoreExtra {
    static final Semaphore permits = new Semaphore(1);
    static final AtomicInteger inside = new AtomicInteger();

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            new Thread(SemaphoreExtra::use, "user-" + i).start();
        }
    }

    static void use() {
        try {
            if (permits.tryAcquire()) {
                assert inside.incrementAndGet() == 1 : "two inside"; //~ assertion
                inside.decrementAndGet();
            }
        } finally {
            permits.release();
        }
    }
}
