import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A cache that asks for the write lock while it holds the read lock.
 *
 * Breaks when: a reader comes before the filler; it finds the cache empty and waits for its own
 * read lock to go away.
 */
public class UpgradeLock {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static String cached;

    public static void main(String[] args) {
        new Thread(() -> {
            lock.readLock().lock();
            if (cached == null) {
                lock.writeLock().lock(); //~ deadlock lock-cycle
                cached = "read";
                lock.writeLock().unlock();
            }
            lock.readLock().unlock();
        }, "reader").start();
        new Thread(() -> {
            lock.writeLock().lock(); //~ deadlock lock-cycle
            cached = "filled";
            lock.writeLock().unlock();
        }, "filler").start();
    }
}
