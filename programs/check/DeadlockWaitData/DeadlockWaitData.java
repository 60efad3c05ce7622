/**
 * A wait that keeps a second lock, with data under both locks (JNuke, listing B.29).
 *
 * Breaks when: the first thread waits on b and holds a (the others then block on a), or the second
 * notifies before the first waits.
 */
public class DeadlockWaitData implements Runnable {
    static class Lock {
        int i;
        int j;
    }

    static final Lock a = new Lock();
    static final Lock b = new Lock();

    private final boolean ab;

    public static void main(String[] args) {
        new DeadlockWaitData(true);
        new DeadlockWaitData(false);
        synchronized (a) { //~ condition-deadlock
            a.i = 0;
            a.j = 0;
        }
        synchronized (b) {
            b.i = 0;
            b.j = 0;
        }
    }

    DeadlockWaitData(boolean ab) {
        this.ab = ab;
        new Thread(this).start();
    }

    @Override
    public void run() {
        if (ab) {
            synchronized (a) {
                synchronized (b) {
                    a.i = b.i;
                    a.j = 2;
                    b.j = a.j;
                    b.i = a.j;
                    try {
                        b.wait(); //~ condition-deadlock
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
                a.i = 0;
                a.j = 0;
            }
        } else {
            synchronized (a) { //~ condition-deadlock
                a.i = 1;
                a.j = 1;
            }
            synchronized (b) {
                b.i = 1;
                b.j = 1;
                b.notifyAll();
            }
        }
    }
}
