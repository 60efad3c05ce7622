/**
 * Two guests wait for the same door; the host notifies one.
 *
 * Breaks when: both wait before the host comes; the one that is not notified waits for ever.
 */
public class NotifyOne {
    static final Object door = new Object();
    static boolean open;

    public static void main(String[] args) {
        new Thread(NotifyOne::enter, "guest-1").start();
        new Thread(NotifyOne::enter, "guest-2").start();
        new Thread(() -> {
            synchronized (door) {
                open = true;
                door.notify();
            }
        }, "host").start();
    }

    static void enter() {
        synchronized (door) {
            try {
                while (!open) {
                    door.wait(); //~ condition-deadlock
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
