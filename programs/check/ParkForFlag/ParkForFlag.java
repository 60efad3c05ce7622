import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Parks until a counter is reached.
 *
 * Correct: each waker counts before it unparks, so after the last unpark the sleeper sees the full
 * count; an unpark that comes early is kept as a permit.
 */
public class ParkForFlag {
    static final AtomicInteger wakers = new AtomicInteger();

    public static void main(String[] args) {
        Thread sleeper = new Thread(() -> {
            while (wakers.get() < 2) {
                LockSupport.park();
            }
        }, "sleeper");
        sleeper.start();
        Runnable wake = () -> {
            wakers.incrementAndGet();
            LockSupport.unpark(sleeper);
        };
        new Thread(wake, "waker-1").start();
        new Thread(wake, "waker-2").start();
    }
}
