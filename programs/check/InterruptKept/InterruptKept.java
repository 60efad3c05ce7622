import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A worker that catches an interrupt and sets it again.
 *
 * Correct: whenever the interrupt comes, the take sees it.
 */
public class InterruptKept {
    static final BlockingQueue<String> queue = new LinkedBlockingQueue<>();

    public static void main(String[] args) {
        Thread worker = new Thread(() -> {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            try {
                queue.take();
            } catch (InterruptedException e) {
                return;
            }
        }, "worker");
        worker.start();
        worker.interrupt();
    }
}
