/**
 * A wait for a condition, tested under the lock.
 *
 * Correct: when the host comes first, the guest sees the flag and does not wait.
 */
public class LostWakeupGuarded {
    static final Object door = new Object();
    static boolean open;

    public static void main(String[] args) {
        new Thread(() -> {
            synchronized (door) {
                try {
                    while (!open) {
                        door.wait();
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }, "guest").start();
        new Thread(() -> {
            synchronized (door) {
                open = true;
                door.notify();
            }
        }, "host").start();
    }
}
