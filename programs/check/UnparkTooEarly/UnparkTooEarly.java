import java.util.concurrent.locks.LockSupport;

/**
 * A thread is woken by one that was started before it.
 *
 * Breaks when: the waker calls {@code unpark} before main has started the sleeper. That has no
 * effect, and the sleeper parks for ever.
 */
public class UnparkTooEarly {
    public static void main(String[] args) {
        Thread sleeper = new Thread(() -> LockSupport.park(), "sleeper"); //~ deadlock
        Thread waker = new Thread(() -> LockSupport.unpark(sleeper), "waker");
        waker.start();
        sleeper.start();
    }
}
