import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Waits with a time-out and looks whether it timed out.
 *
 * Correct: the result is used only when the latch was opened.
 */
public class TimedAwaitChecked {
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
        if (done.await(50, TimeUnit.MILLISECONDS)) {
            assert result.get() == 1 : "not done in time";
        }
    }

    static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
