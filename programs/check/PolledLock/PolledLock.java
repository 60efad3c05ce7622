import java.util.concurrent.locks.ReentrantLock;

/**
 * A thread looks under an explicit lock, again and again, whether it may go on.
 *
 * Correct: the other one says so under the same lock.
 */
public class PolledLock {
    static final ReentrantLock lock = new ReentrantLock();
    static boolean ready;

    public static void main(String[] args) {
        new Thread(() -> {
            while (!isReady()) {
            }
        }, "looks").start();
        lock.lock();
        try {
            ready = true;
        } finally {
            lock.unlock();
        }
    }

    static boolean isReady() {
        lock.lock();
        try {
            return ready;
        } finally {
            lock.unlock();
        }
    }
}
