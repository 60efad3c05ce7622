import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A worker that fails before it counts down.
 *
 * Breaks when: the first worker reads the reference before the second one set it; it gives up, and
 * main waits for a count that nobody makes.
 */
public class LatchSkipped {
    static final CountDownLatch done = new CountDownLatch(2);
    static final AtomicReference<String> name = new AtomicReference<>();

    public static void main(String[] args) throws InterruptedException {
        new Thread(() -> {
            try {
                name.get().length();
                done.countDown();
            } catch (NullPointerException e) {
                // gives up
            }
        }, "user").start();
        new Thread(() -> {
            name.set("x");
            done.countDown();
        }, "setter").start();
        done.await(); //~ deadlock condition-deadlock
    }
}
