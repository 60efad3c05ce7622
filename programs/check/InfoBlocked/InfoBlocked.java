import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/**
 * Asks what a worker is blocked by, and takes for granted that it is.
 *
 * Breaks when: the worker has not come to the lock, got it first, or has ended.
 */
public class InfoBlocked {
    static final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    static final Object lock = new Object();

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> {
            synchronized (lock) {
                Thread.yield();
            }
        }, "worker");
        worker.start();
        synchronized (lock) {
            ThreadInfo info = bean.getThreadInfo(worker.getId());
            assert info != null && info.getThreadState() == Thread.State.BLOCKED; //~ assertion
            assert info.getLockOwnerId() == Thread.currentThread().getId();
        }
        worker.join();
    }
}
