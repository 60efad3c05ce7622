import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A counter changed under the write lock.
 *
 * Correct: write locks exclude each other.
 */
public class WriteUnderWriteLock {
    static final ReadWriteLock lock = new ReentrantReadWriteLock();
    static int hits;

    public static void main(String[] args) throws InterruptedException {
        Runnable hit = () -> {
            lock.writeLock().lock();
            try {
                hits++;
            } finally {
                lock.writeLock().unlock();
            }
        };
        Thread a = new Thread(hit, "a");
        Thread b = new Thread(hit, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert hits == 2 : "lost hit";
    }
}
