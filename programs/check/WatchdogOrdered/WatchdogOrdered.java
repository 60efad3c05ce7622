import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A watchdog looks for a deadlock among workers that take their locks in the same order.
 *
 * Correct because: whenever it looks, nobody waits for somebody who waits.
 */
public class WatchdogOrdered {
    static final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    static final ReentrantLock left = new ReentrantLock();
    static final ReentrantLock right = new ReentrantLock();
    static int count;

    static void both() {
        left.lock();
        right.lock();
        count++;
        right.unlock();
        left.unlock();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread there = new Thread(WatchdogOrdered::both, "there");
        Thread back = new Thread(WatchdogOrdered::both, "back");
        there.start();
        back.start();
        assert bean.findDeadlockedThreads() == null;
        there.join();
        back.join();
        assert count == 2;
    }
}
