import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Waits with a time-out and does not look whether it timed out.
 *
 * Breaks when: the setter makes the worker slow; the await gives up after a tenth of the worker's
 * sleep. With the worker fast it breaks only if time-outs may fire at any moment.
 */
public class TimedAwait {
    static final CountDownLatch done = new CountDownLatch(1);
    static final AtomicBoolean slow = new AtomicBoolean();
    static final AtomicInteger result = new AtomicInteger();

    public static void main(String[] args) throws InterruptedException {
        new Thread(() -> {
            if (slow.get()) {
                sleep(500);
            }
            result.set(1);
            done.countDown();
        }, "worker").start();
        new Thread(() -> slow.set(true), "setter").start();
        done.await(50, TimeUnit.MILLISECONDS);
        assert result.get() == 1 : "not done in time"; //~ assertion
    }

    static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
