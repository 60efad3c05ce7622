/**
 * A thread waits. Another one says that it is about to notify it, and a third one, who has seen that,
 * interrupts it.
 *
 * Breaks when the interrupt comes between that word and the notification.
 */
public class InterruptDuringNotify {
    static final Object lock = new Object();
    static boolean waiting;
    static volatile boolean soon;

    public static void main(String[] args) throws InterruptedException {
        Thread waits = new Thread(() -> {
            synchronized (lock) {
                waiting = true;
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    assert false; //~ assertion
                }
            }
        }, "waits");
        Thread notifies = new Thread(() -> {
            synchronized (lock) {
                if (waiting) {
                    soon = true;
                    lock.notifyAll();
                }
            }
        }, "notifies");
        Thread interrupts = new Thread(() -> {
            if (soon) {
                waits.interrupt();
            }
        }, "interrupts");
        waits.start();
        notifies.start();
        interrupts.start();
    }
}
