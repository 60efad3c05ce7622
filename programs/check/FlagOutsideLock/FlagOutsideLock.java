/**
 * The condition is tested before the lock is taken.
 *
 * Breaks when: the guest sees the door closed; then the host opens it and notifies; then the guest
 * takes the lock and waits.
 */
public class FlagOutsideLock {
    static final Object door = new Object();
    static volatile boolean open;

    public static void main(String[] args) {
        new Thread(() -> {
            if (!open) {
                synchronized (door) {
                    try {
                        door.wait(); //~ condition-deadlock
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        }, "guest").start();
        new Thread(() -> {
            open = true;
            synchronized (door) {
                door.notifyAll();
            }
        }, "host").start();
    }
}
