/**
 * Two threads wait for a notification or until their time is up, and count that.
 *
 * Correct because: whoever waits goes on, sooner or later, and counts under the lock.
 */
public class WaitTimedByTwo {
    static final Object lock = new Object();
    static int count;

    public static void main(String[] args) throws InterruptedException {
        Runnable waits = () -> {
            synchronized (lock) {
                try {
                    lock.wait(10);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                count++;
            }
        };
        Thread first = new Thread(waits);
        Thread second = new Thread(waits);
        first.start();
        second.start();
        synchronized (lock) {
            lock.notify();
        }
        first.join();
        second.join();
        assert count == 2;
    }
}
