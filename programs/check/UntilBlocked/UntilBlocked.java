/**
 * Holds a lock until another thread is seen to wait for it, as tests do to bring about a certain
 * order.
 */
public class UntilBlocked {
    static final Object lock = new Object();
    static int order;

    public static void main(String[] args) throws InterruptedException {
        Thread second = new Thread(() -> {
            synchronized (lock) {
                order = order * 10 + 2;
            }
        });
        synchronized (lock) {
            second.start();
            while (second.getState() != Thread.State.BLOCKED) {
                Thread.yield();
            }
            order = order * 10 + 1;
        }
        second.join();
        assert order == 12;
        assert second.getState() == Thread.State.TERMINATED;
    }
}
