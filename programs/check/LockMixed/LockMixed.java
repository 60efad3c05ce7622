import java.util.concurrent.locks.ReentrantLock;

/**
 * A cycle of a monitor and an explicit lock.
 *
 * Breaks when: one thread is inside the monitor and wants the lock that the other holds.
 */
public class LockMixed {
    static final Object monitor = new Object();
    static final ReentrantLock lock = new ReentrantLock();

    public static void main(String[] args) {
        new Thread(() -> {
            synchronized (monitor) {
                lock.lock(); //~ lock-cycle deadlock
                lock.unlock();
            }
        }, "monitor-lock").start();
        new Thread(() -> {
            lock.lock();
            synchronized (monitor) { //~ lock-cycle deadlock
            }
            lock.unlock();
        }, "lock-monitor").start();
    }
}
