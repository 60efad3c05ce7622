/**
 * A wait without a condition.
 *
 * Breaks when: the notify comes first; nobody remembers it.
 */
public class LostWakeup {
    static final Object door = new Object();

    public static void main(String[] args) {
        new Thread(() -> {
            synchronized (door) {
                try {
                    door.wait(); //~ condition-deadlock
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }, "guest").start();
        new Thread(() -> {
            synchronized (door) {
                door.notify();
            }
        }, "host").start();
    }
}
