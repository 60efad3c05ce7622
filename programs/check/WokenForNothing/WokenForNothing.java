/**
 * A waiter that asks for its flag only once.
 *
 * Breaks when: it is woken without a reason before the flag is set.
 */
public class WokenForNothing {
    static final Object lock = new Object();
    static boolean ready;

    public static void main(String[] args) {
        Thread waiter = new Thread(() -> {
            synchronized (lock) {
                if (!ready) {
                    try {
                        lock.wait();
                    } catch (InterruptedException e) {
                        return;
                    }
                }
                assert ready; //~ assertion
            }
        });
        waiter.start();
        synchronized (lock) {
            ready = true;
            lock.notify();
        }
    }
}
