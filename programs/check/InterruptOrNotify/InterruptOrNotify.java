/**
 * A waiter that may be ended by an interrupt or by a notify.
 *
 * Correct: it leaves either way. When both come, the wait may end by the one or the other, and the
 * interrupt stays pending if the notify won.
 */
public class InterruptOrNotify {
    static final Object lock = new Object();
    static boolean ready;

    public static void main(String[] args) throws InterruptedException {
        Thread waiter = new Thread(() -> {
            boolean interrupted = false;
            synchronized (lock) {
                while (!ready && !interrupted) {
                    try {
                        lock.wait();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
                assert ready || interrupted;
            }
        }, "waiter");
        waiter.start();
        Thread notifier = new Thread(() -> {
            synchronized (lock) {
                ready = true;
                lock.notifyAll();
            }
        }, "notifier");
        notifier.start();
        waiter.interrupt();
        waiter.join();
        notifier.join();
    }
}
