/**
 * Two threads take two locks in opposite orders (Rivet, figure 4.6).
 *
 * Breaks when: First holds a, Second holds b, and each wants the other's lock.
 */
public class Deadlock implements Runnable {
    static class Lock {
    }

    static final Lock a = new Lock();
    static final Lock b = new Lock();

    private final boolean ab;

    public static void main(String[] args) {
        new Deadlock("First", true);
        new Deadlock("Second", false);
    }

    Deadlock(String name, boolean ab) {
        this.ab = ab;
        new Thread(this, name).start();
    }

    @Override
    public void run() {
        if (ab) {
            synchronized (a) {
                synchronized (b) { //~ lock-cycle
                }
            }
        } else {
            synchronized (b) {
                synchronized (a) { //~ lock-cycle
                }
            }
        }
    }
}
