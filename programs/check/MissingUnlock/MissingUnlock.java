import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that is not given back on an early return.
 *
 * Breaks when: the second thread to come sees done, returns without unlocking, and a third one
 * wants the lock.
 */
public class MissingUnlock {
    static final ReentrantLock lock = new ReentrantLock();
    static boolean done;

    public static void main(String[] args) {
        new Thread(MissingUnlock::work, "a").start();
        new Thread(MissingUnlock::work, "b").start();
        new Thread(() -> {
            lock.lock(); //~ deadlock lock-cycle
            lock.unlock();
        }, "c").start();
    }

    static void work() {
        lock.lock();
        if (done) {
            return;
        }
        done = true;
        lock.unlock();
    }
}
