import java.util.concurrent.locks.LockSupport;

/**
 * A thread parks for a while, to be woken when a flag is set.
 *
 * Broken where time may be up at any moment: main parks, its time is up, and the other thread has
 * not set the flag yet. The permit comes after that, and nobody needs it any more.
 */
public class ParkImpatient {
    static volatile boolean ready;

    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        new Thread(() -> {
            ready = true;
            LockSupport.unpark(main);
        }, "waker").start();
        LockSupport.parkNanos(1_000_000);
        assert ready; //~ assertion
    }
}
