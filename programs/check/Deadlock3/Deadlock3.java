/**
 * Three threads take two of three locks each, in a circle (Rivet, figure 4.8).
 *
 * Breaks when: First holds a, Second holds b, Third holds c.
 */
public class Deadlock3 implements Runnable {
    static class Lock {
    }

    static final Lock a = new Lock();
    static final Lock b = new Lock();
    static final Lock c = new Lock();

    private final int order;

    public static void main(String[] args) {
        new Deadlock3("First", 0);
        new Deadlock3("Second", 1);
        new Deadlock3("Third", 2);
    }

    Deadlock3(String name, int order) {
        this.order = order;
        new Thread(this, name).start();
    }

    @Override
    public void run() {
        if (order == 0) {
            synchronized (a) {
                synchronized (b) { //~ lock-cycle
                }
            }
        } else if (order == 1) {
            synchronized (b) {
                synchronized (c) { //~ lock-cycle
                }
            }
        } else {
            synchronized (c) {
                synchronized (a) { //~ lock-cycle
                }
            }
        }
    }
}
