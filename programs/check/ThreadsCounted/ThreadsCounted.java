import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Waits for a worker by the number of threads: if there are no more than before, it is done.
 *
 * Breaks when: main counts while the starter has not started the worker, or has ended before it.
 */
public class ThreadsCounted {
    static final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    static volatile boolean done;

    public static void main(String[] args) {
        int before = bean.getThreadCount();
        Thread worker = new Thread(() -> done = true, "worker");
        Thread starter = new Thread(worker::start, "starter");
        starter.start();
        if (bean.getThreadCount() - before < 2) {
            assert done; //~ assertion
        }
    }
}
