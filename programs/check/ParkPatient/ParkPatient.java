import java.util.concurrent.locks.LockSupport;

/**
 * A thread parks for a while, to be woken when a flag is set, and looks at the flag.
 *
 * Correct: whoever parks has to look again, since time may be up at any moment.
 */
public class ParkPatient {
    static volatile boolean ready;

    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        new Thread(() -> {
            ready = true;
            LockSupport.unpark(main);
        }, "waker").start();
        LockSupport.parkNanos(1_000_000);
        if (!ready) {
            LockSupport.park();
        }
        assert ready;
    }
}
