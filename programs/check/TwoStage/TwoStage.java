/**
 * A value and its copy, each under its own lock.
 *
 * Breaks when: the reader looks at the copy after the first value was set and before the copy was.
 */
public class TwoStage {
    static final Object lock1 = new Object();
    static final Object lock2 = new Object();
    static int value;
    static int copy;

    public static void main(String[] args) {
        new Thread(TwoStage::write, "writer").start();
        new Thread(TwoStage::read, "reader").start();
    }

    static void write() {
        synchronized (lock1) {
            value = 1;
        }
        synchronized (lock2) {
            copy = 2;
        }
    }

    static void read() {
        int seen;
        synchronized (lock1) {
            seen = value;
        }
        if (seen == 0) {
            return;
        }
        synchronized (lock2) {
            assert copy == seen + 1 : "copy lags behind"; //~ assertion
        }
    }
}
