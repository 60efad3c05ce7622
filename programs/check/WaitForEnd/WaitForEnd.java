/**
 * A thread waits on another one's object for its end, which notifies.
 *
 * Breaks when that one has ended before: the notification is lost.
 */
public class WaitForEnd {
    public static void main(String[] args) {
        Thread worker = new Thread(() -> {}, "worker");
        Thread waiter = new Thread(() -> {
            synchronized (worker) {
                try {
                    worker.wait(); //~ condition-deadlock
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }, "waiter");
        waiter.start();
        worker.start();
    }
}
