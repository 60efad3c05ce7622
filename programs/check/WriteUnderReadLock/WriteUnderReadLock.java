import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A counter changed under a read lock.
 *
 * Breaks when: both threads hold the read lock and read before either writes.
 */
public class WriteUnderReadLock {
    static final ReadWriteLock lock = new ReentrantReadWriteLock();
    static int hits;

    public static void main(String[] args) throws InterruptedException {
        Runnable hit = () -> {
            lock.readLock().lock();
            try {
                hits++; //~ race
            } finally {
                lock.readLock().unlock();
            }
        };
        Thread a = new Thread(hit, "a");
        Thread b = new Thread(hit, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert hits == 2 : "lost hit"; //~ assertion
    }
}
