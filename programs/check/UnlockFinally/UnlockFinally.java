import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that is given back on every path.
 *
 * Correct: the return leaves through finally.
 */
public class UnlockFinally {
    static final ReentrantLock lock = new ReentrantLock();
    static boolean done;

    public static void main(String[] args) {
        new Thread(UnlockFinally::work, "a").start();
        new Thread(UnlockFinally::work, "b").start();
        new Thread(() -> {
            lock.lock();
            lock.unlock();
        }, "c").start();
    }

    static void work() {
        lock.lock();
        try {
            if (done) {
                return;
            }
            done = true;
        } finally {
            lock.unlock();
        }
    }
}
