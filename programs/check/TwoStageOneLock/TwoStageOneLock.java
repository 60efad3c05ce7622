/**
 * A value and its copy under one lock.
 *
 * Correct: outside the lock they always agree.
 */
public class TwoStageOneLock {
    static final Object lock = new Object();
    static int value;
    static int copy;

    public static void main(String[] args) {
        new Thread(TwoStageOneLock::write, "writer").start();
        new Thread(TwoStageOneLock::read, "reader").start();
    }

    static void write() {
        synchronized (lock) {
            value = 1;
            copy = 2;
        }
    }

    static void read() {
        synchronized (lock) {
            if (value != 0) {
                assert copy == value + 1 : "copy lags behind";
            }
        }
    }
}
