/**
 * Two guests wait for the same door; the host notifies all.
 *
 * Correct: whoever waits is woken, whoever comes later sees the door open.
 */
public class NotifyEverybody {
    static final Object door = new Object();
    static boolean open;

    public static void main(String[] args) {
        new Thread(NotifyEverybody::enter, "guest-1").start();
        new Thread(NotifyEverybody::enter, "guest-2").start();
        new Thread(() -> {
            synchronized (door) {
                open = true;
                door.notifyAll();
            }
        }, "host").start();
    }

    static void enter() {
        synchronized (door) {
            try {
                while (!open) {
                    door.wait();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
