/**
 * Main waits for a notification that may have come before. A wake-up without a reason may help it
 * out, but no JVM has to give it one.
 *
 * Breaks when: the other thread notifies before main waits.
 */
public class WokenOrNot {
    static final Object lock = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> {
            synchronized (lock) {
                lock.notify();
            }
        });
        other.start();
        synchronized (lock) {
            lock.wait(); //~ condition-deadlock
        }
    }
}
