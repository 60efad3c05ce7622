import java.util.concurrent.locks.ReentrantLock;

/**
 * Two daemons take two explicit locks in opposite orders. The program does not wait for them.
 *
 * Breaks when: each holds one of them; main goes on and ends all the same.
 */
public class DaemonLocks {
    static final ReentrantLock left = new ReentrantLock();
    static final ReentrantLock right = new ReentrantLock();
    static volatile int work;

    public static void main(String[] args) throws InterruptedException {
        start("left-right", left, right);
        start("right-left", right, left);
        Thread.sleep(100);
        work++;
    }

    static void start(String name, ReentrantLock first, ReentrantLock second) {
        Thread thread = new Thread(() -> both(first, second), name);
        thread.setDaemon(true);
        thread.start();
    }

    static void both(ReentrantLock first, ReentrantLock second) {
        first.lock();
        try {
            second.lock(); //~ lock-cycle deadlock
            second.unlock();
        } finally {
            first.unlock();
        }
    }
}
