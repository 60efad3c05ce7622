import java.util.concurrent.locks.ReentrantLock;

/**
 * Two threads take two explicit locks in opposite orders and give up when the second is taken.
 *
 * Correct: nobody blocks while holding a lock.
 */
public class LockTry {
    static final ReentrantLock left = new ReentrantLock();
    static final ReentrantLock right = new ReentrantLock();

    public static void main(String[] args) {
        new Thread(() -> both(left, right), "left-right").start();
        new Thread(() -> both(right, left), "right-left").start();
    }

    static boolean both(ReentrantLock first, ReentrantLock second) {
        first.lock();
        try {
            if (!second.tryLock()) {
                return false;
            }
            second.unlock();
            return true;
        } finally {
            first.unlock();
        }
    }
}
