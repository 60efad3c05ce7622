/**
 * DeadlockWait repaired: nothing else is held during the wait, and a flag remembers the notify.
 *
 * Correct: Second always gets a, sets the flag under b and notifies; First waits only while the
 * flag is down, under the same lock.
 */
public class DeadlockWaitFlag implements Runnable {
    static class Lock {
        boolean set;
    }

    static final Lock a = new Lock();
    static final Lock b = new Lock();

    private final boolean ab;

    public static void main(String[] args) {
        new DeadlockWaitFlag("First", true);
        new DeadlockWaitFlag("Second", false);
    }

    DeadlockWaitFlag(String name, boolean ab) {
        this.ab = ab;
        new Thread(this, name).start();
    }

    @Override
    public void run() {
        if (ab) {
            synchronized (a) {
            }
            synchronized (b) {
                try {
                    while (!b.set) {
                        b.wait();
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        } else {
            synchronized (a) {
            }
            synchronized (b) {
                b.set = true;
                b.notify();
            }
        }
    }
}
