import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A thread takes a lock, gives it back, and parks; its permit is given while the lock is taken.
 *
 * Breaks when: it is parked in the queue of the lock by then, and uses up the permit there.
 */
public class PermitInQueue {
    static final ReentrantLock lock = new ReentrantLock();

    public static void main(String[] args) {
        Thread parks = new Thread(() -> {
            lock.lock();
            lock.unlock();
            LockSupport.park(); //~ deadlock
        }, "parks");
        lock.lock();
        parks.start();
        LockSupport.unpark(parks);
        lock.unlock();
    }
}
