/**
 * A thread waits; it is interrupted, and all who wait are notified.
 *
 * Correct because: the interrupt comes to it in any case, before, while or after it waits.
 */
public class InterruptBesideNotifyAll {
    static final Object lock = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread waits = new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    // That will do as well.
                }
            }
        }, "waits");
        Thread interrupts = new Thread(waits::interrupt, "interrupts");
        Thread notifies = new Thread(() -> {
            synchronized (lock) {
                lock.notifyAll();
            }
            synchronized (lock) {
            }
        }, "notifies");
        Thread idle = new Thread(() -> {}, "idle");
        interrupts.start();
        notifies.start();
        idle.start();
        waits.start();
        waits.join();
        notifies.join();
        interrupts.join();
        idle.join();
    }
}
