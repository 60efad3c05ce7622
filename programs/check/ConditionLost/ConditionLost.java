import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An await without a condition to look at.
 *
 * Breaks when: the signal comes first.
 */
public class ConditionLost {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition opened = lock.newCondition();

    public static void main(String[] args) {
        new Thread(() -> {
            lock.lock();
            try {
                opened.await(); //~ condition-deadlock deadlock
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                lock.unlock();
            }
        }, "guest").start();
        new Thread(() -> {
            lock.lock();
            try {
                opened.signal();
            } finally {
                lock.unlock();
            }
        }, "host").start();
    }
}
