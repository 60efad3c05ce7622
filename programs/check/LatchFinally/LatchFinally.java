import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A worker that counts down even when it fails.
 *
 * Correct: each of the two workers counts exactly once on every path.
 */
public class LatchFinally {
    static final CountDownLatch done = new CountDownLatch(2);
    static final AtomicReference<String> name = new AtomicReference<>();

    public static void main(String[] args) throws InterruptedException {
        new Thread(() -> {
            try {
                name.get().length();
            } catch (NullPointerException e) {
                // gives up
            } finally {
                done.countDown();
            }
        }, "user").start();
        new Thread(() -> {
            name.set("x");
            done.countDown();
        }, "setter").start();
        done.await();
        assert done.getCount() == 0;
    }
}
