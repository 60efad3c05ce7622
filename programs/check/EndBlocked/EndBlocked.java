/**
 * A thread cannot end because another one has its monitor, and waits for something else.
 *
 * Breaks when: the keeper takes the monitor before the worker has ended. (A thread tells those who
 * join it, in its monitor, that it has ended.)
 */
public class EndBlocked {
    static final Object never = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {}, "worker");
        Thread keeper = new Thread(() -> keep(worker), "keeper");
        keeper.setDaemon(true);
        worker.start();
        keeper.start();
        worker.join(); //~ condition-deadlock
    }

    static void keep(Thread worker) {
        synchronized (worker) {
            synchronized (never) {
                try {
                    never.wait(); //~ condition-deadlock
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }
}
