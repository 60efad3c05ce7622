/**
 * One waiter is interrupted, and then the other one is notified, so it seems.
 *
 * Breaks when: the interrupted waiter has not left the wait set yet when the notification comes. It
 * may take it then, and return normally with the interrupt pending (JLS 17.2.4), as it does under
 * HotSpot; nobody wakes the other one.
 */
public class InterruptThenNotify {
    static final Object lock = new Object();
    static int waiting;

    public static void main(String[] args) throws InterruptedException {
        Thread impatient = new Thread(InterruptThenNotify::await, "impatient");
        Thread patient = new Thread(InterruptThenNotify::await, "patient");
        impatient.start();
        patient.start();
        synchronized (lock) {
            if (waiting < 2) {
                System.exit(0);
            }
        }
        impatient.interrupt();
        synchronized (lock) {
            lock.notify();
        }
        impatient.join();
        patient.join(); //~ condition-deadlock
    }

    static void await() {
        synchronized (lock) {
            waiting++;
            try {
                lock.wait(); //~ condition-deadlock
            } catch (InterruptedException e) {
                // It gives up.
            }
        }
    }
}
