import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A worker that catches an interrupt and forgets it.
 *
 * Breaks when: the interrupt comes before or during the sleep; the worker then waits for a message
 * that never comes. An interrupt after the sleep ends the take.
 */
public class InterruptSwallowed {
    static final BlockingQueue<String> queue = new LinkedBlockingQueue<>();

    public static void main(String[] args) {
        Thread worker = new Thread(() -> {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                // forgotten
            }
            try {
                queue.take(); //~ deadlock condition-deadlock
            } catch (InterruptedException e) {
                return;
            }
        }, "worker");
        worker.start();
        worker.interrupt();
    }
}
