import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A watchdog looks for a deadlock, once, and takes what it has not found for what cannot be.
 *
 * Breaks when: both workers have their first lock; whether the watchdog has seen that or not, they
 * are stuck.
 */
public class WatchdogLate {
    static final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    static final ReentrantLock left = new ReentrantLock();
    static final ReentrantLock right = new ReentrantLock();
    static int count;

    static void both(ReentrantLock first, ReentrantLock second) {
        first.lock();
        second.lock(); //~ lock-cycle
        count++;
        second.unlock();
        first.unlock();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread there = new Thread(() -> both(left, right), "there");
        Thread back = new Thread(() -> both(right, left), "back");
        there.start();
        back.start();
        long[] stuck = bean.findDeadlockedThreads();
        assert stuck == null : stuck.length; //~ assertion
        there.join();
        back.join();
    }
}
