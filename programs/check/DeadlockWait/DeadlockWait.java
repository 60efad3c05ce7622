/**
 * A wait that keeps a second lock (Rivet, figure 4.10).
 *
 * Breaks when: First waits on b and still holds a; Second, who would notify, blocks on a. The other
 * order breaks too: the notify is sent before anybody waits. It ends well only when First waits
 * between Second's two critical sections.
 */
public class DeadlockWait implements Runnable {
    static class Lock {
    }

    static final Lock a = new Lock();
    static final Lock b = new Lock();

    private final String name;
    private final boolean ab;

    public static void main(String[] args) {
        new DeadlockWait("First", true);
        new DeadlockWait("Second", false);
    }

    DeadlockWait(String name, boolean ab) {
        this.name = name;
        this.ab = ab;
        new Thread(this, name).start();
    }

    @Override
    public void run() {
        if (ab) {
            synchronized (a) {
                synchronized (b) {
                    try {
                        b.wait(); //~ condition-deadlock
                    } catch (InterruptedException e) {
                        System.out.println(name + " was interrupted");
                    }
                }
            }
        } else {
            synchronized (a) { //~ condition-deadlock
            }
            synchronized (b) {
                b.notify();
            }
        }
    }
}
