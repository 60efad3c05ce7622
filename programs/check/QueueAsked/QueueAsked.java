import java.util.concurrent.locks.ReentrantLock;

/**
 * A thread expects that nobody else wants its lock.
 *
 * Breaks when: the other one calls lock() meanwhile.
 */
public class QueueAsked {
    static final ReentrantLock lock = new ReentrantLock();

    public static void main(String[] args) {
        new Thread(() -> {
            lock.lock();
            try {
                assert !lock.hasQueuedThreads(); //~ assertion
            } finally {
                lock.unlock();
            }
        }, "asks").start();
        new Thread(() -> {
            lock.lock();
            lock.unlock();
        }, "queues").start();
    }
}
