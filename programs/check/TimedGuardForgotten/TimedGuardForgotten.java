/**
 * A waiter looks every ten milliseconds whether the gate is open.
 *
 * Broken: the keeper leaves the gate alone if he finds somebody waiting already.
 */
public class TimedGuardForgotten {
    private final Object lock = new Object();
    private int waiting;
    private boolean open;

    void pass() throws InterruptedException {
        synchronized (lock) {
            waiting++;
            while (!open) {
                lock.wait(10);
            }
            waiting--;
        }
    }

    void open() {
        synchronized (lock) {
            if (waiting == 0) {
                open = true;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        TimedGuardForgotten gate = new TimedGuardForgotten();
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
