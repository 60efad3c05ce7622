import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Waits for a worker by the number of threads, when the one that starts it has ended.
 *
 * Correct because: the worker was started then, and if there are no more threads than before, it
 * has ended.
 */
public class ThreadsCountedJoined {
    static final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    static volatile boolean done;

    public static void main(String[] args) throws InterruptedException {
        int before = bean.getThreadCount();
        Thread worker = new Thread(() -> done = true, "worker");
        Thread starter = new Thread(worker::start, "starter");
        starter.start();
        starter.join();
        if (bean.getThreadCount() == before) {
            assert done;
        }
    }
}
