import java.util.concurrent.locks.LockSupport;

/**
 * A thread is woken by one that was started after it.
 *
 * Correct: a permit that comes before {@code park} is kept.
 */
public class UnparkStarted {
    public static void main(String[] args) {
        Thread sleeper = new Thread(() -> LockSupport.park(), "sleeper");
        Thread waker = new Thread(() -> LockSupport.unpark(sleeper), "waker");
        sleeper.start();
        waker.start();
    }
}
