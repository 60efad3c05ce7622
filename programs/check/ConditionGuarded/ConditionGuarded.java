import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An await in a loop around its condition.
 *
 * Correct: a signal that came first left its state behind.
 */
public class ConditionGuarded {
    static final ReentrantLock lock = new ReentrantLock();
    static final Condition opened = lock.newCondition();
    static boolean open;

    public static void main(String[] args) {
        new Thread(() -> {
            lock.lock();
            try {
                while (!open) {
                    opened.await();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                lock.unlock();
            }
        }, "guest").start();
        new Thread(() -> {
            lock.lock();
            try {
                open = true;
                opened.signal();
            } finally {
                lock.unlock();
            }
        }, "host").start();
    }
}
