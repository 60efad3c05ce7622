import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A cache that gives the read lock back before it asks for the write lock, looks again, and takes
 * the read lock before it gives the write lock back.
 *
 * Correct: downgrading is allowed, upgrading is not asked for.
 */
public class DowngradeLock {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static String cached;

    public static void main(String[] args) {
        new Thread(() -> {
            lock.readLock().lock();
            if (cached == null) {
                lock.readLock().unlock();
                lock.writeLock().lock();
                if (cached == null) {
                    cached = "read";
                }
                lock.readLock().lock();
                lock.writeLock().unlock();
            }
            assert cached != null;
            lock.readLock().unlock();
        }, "reader").start();
        new Thread(() -> {
            lock.writeLock().lock();
            cached = "filled";
            lock.writeLock().unlock();
        }, "filler").start();
    }
}
