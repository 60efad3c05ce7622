/**
 * A notified waiter leaves and passes nothing on.
 *
 * Breaks when: both wait; the one notify goes to the impatient one, which leaves without taking the
 * token, and the patient one is never woken.
 */
public class NotifyStolen {
    static final Object lock = new Object();
    static int tokens;
    static boolean impatientLeft;

    public static void main(String[] args) {
        new Thread(() -> {
            synchronized (lock) {
                try {
                    if (tokens == 0) {
                        lock.wait(); //~ condition-deadlock
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                impatientLeft = true;
            }
        }, "impatient").start();
        new Thread(() -> {
            synchronized (lock) {
                try {
                    while (tokens == 0) {
                        lock.wait(); //~ condition-deadlock
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                tokens--;
            }
        }, "patient").start();
        new Thread(() -> {
            synchronized (lock) {
                tokens++;
                lock.notify();
            }
        }, "giver").start();
    }
}
