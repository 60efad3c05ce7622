import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/**
 * Asks what a worker is blocked by, if it is.
 *
 * Correct because: only main can have the lock then.
 */
public class InfoBlockedKnown {
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
            if (info != null && info.getThreadState() == Thread.State.BLOCKED) {
                assert info.getLockOwnerId() == Thread.currentThread().getId();
                assert info.getLockInfo().getClassName().equals("java.lang.Object");
            }
        }
        worker.join();
    }
}
