/**
 * A notify without the lock, on one path only.
 *
 * Breaks when: the waiter announced itself before the setter looked; the notify is outside the
 * lock, the setter dies, and the waiter waits for ever.
 */
public class NotifyUnlocked {
    static final Object lock = new Object();
    static volatile boolean waiting;
    static volatile boolean ready;

    public static void main(String[] args) {
        new Thread(() -> {
            synchronized (lock) {
                waiting = true;
                try {
                    while (!ready) {
                        lock.wait(); //~ condition-deadlock
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }, "waiter").start();
        new Thread(() -> {
            ready = true;
            if (waiting) {
                lock.notify(); //~ exception
            }
        }, "setter").start();
    }
}
