/**
 * One waiter is interrupted, then all are notified.
 *
 * Correct: whether the interrupted one throws, or takes a notification and returns with the
 * interrupt pending (JLS 17.2.4), nobody is left behind.
 */
public class InterruptThenNotifyAll {
    static final Object lock = new Object();
    static int waiting;

    public static void main(String[] args) throws InterruptedException {
        Thread impatient = new Thread(InterruptThenNotifyAll::await, "impatient");
        Thread patient = new Thread(InterruptThenNotifyAll::await, "patient");
        impatient.start();
        patient.start();
        synchronized (lock) {
            if (waiting < 2) {
                System.exit(0);
            }
        }
        impatient.interrupt();
        synchronized (lock) {
            lock.notifyAll();
        }
        impatient.join();
        patient.join();
    }

    static void await() {
        synchronized (lock) {
            waiting++;
            try {
                lock.wait();
            } catch (InterruptedException e) {
                // It gives up.
            }
        }
    }
}
