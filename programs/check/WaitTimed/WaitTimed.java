/**
 * A timed wait in a loop around its condition.
 *
 * Correct: it leaves when the flag is set; a time-out only makes it look again.
 */
public class WaitTimed {
    static final Object lock = new Object();
    static boolean ready;

    public static void main(String[] args) {
        new Thread(() -> {
            synchronized (lock) {
                try {
                    while (!ready) {
                        lock.wait(10);
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }, "waiter").start();
        new Thread(() -> {
            synchronized (lock) {
                ready = true;
                lock.notifyAll();
            }
        }, "setter").start();
    }
}
