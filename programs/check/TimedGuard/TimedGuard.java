/**
 * A waiter looks every ten milliseconds whether the gate is open.
 *
 * Correct: the gate is opened in the end; that nobody notifies costs time only.
 */
public class TimedGuard {
    private final Object lock = new Object();
    private boolean open;

    void pass() throws InterruptedException {
        synchronized (lock) {
            while (!open) {
                lock.wait(10);
            }
        }
    }

    void open() {
        synchronized (lock) {
            open = true;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        TimedGuard gate = new TimedGuard();
        Thread waiter = new Thread(() -> {
            try {
                gate.pass();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, "waiter");
        waiter.start();
        gate.open();
        waiter.join();
    }
}
