import java.util.concurrent.locks.LockSupport;

/**
 * Counts on one park per unpark.
 *
 * Breaks when: both unparks come before the first park; there is one permit for two parks.
 * (A park may also return for no reason; this program does not guard against that either.)
 */
public class ParkTwice {
    public static void main(String[] args) {
        Thread sleeper = new Thread(() -> {
            LockSupport.park(); //~ deadlock
            LockSupport.park(); //~ deadlock
        }, "sleeper");
        sleeper.start();
        new Thread(() -> LockSupport.unpark(sleeper), "waker-1").start();
        new Thread(() -> LockSupport.unpark(sleeper), "waker-2").start();
    }
}
