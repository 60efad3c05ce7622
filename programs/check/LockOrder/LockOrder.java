import java.util.concurrent.locks.ReentrantLock;

/**
 * Two threads take two explicit locks in opposite orders.
 *
 * Breaks when: each holds one of them.
 */
public class LockOrder {
    static final ReentrantLock left = new ReentrantLock();
    static final ReentrantLock right = new ReentrantLock();

    public static void main(String[] args) {
        new Thread(() -> both(left, right), "left-right").start();
        new Thread(() -> both(right, left), "right-left").start();
    }

    static void both(ReentrantLock first, ReentrantLock second) {
        first.lock();
        try {
            second.lock(); //~ lock-cycle deadlock
            second.unlock();
        } finally {
            first.unlock();
        }
    }
}
