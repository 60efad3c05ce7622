import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * A watchdog looks for a deadlock among workers that take their locks in the same order.
 *
 * Correct because: whenever it looks, nobody waits for somebody who waits.
 */
public class WatchdogOrdered {
    static final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    static final Object left = new Object();
    static final Object right = new Object();
    static int count;

    static void both() {
        synchronized (left) {
            synchronized (right) {
                count++;
            }
        }
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
