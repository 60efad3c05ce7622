import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A daemon that serves a queue for ever.
 *
 * Correct: the program ends when the other threads have; a waiting daemon is no deadlock.
 */
public class DaemonWaits {
    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<Runnable> jobs = new LinkedBlockingQueue<>();
        Thread server = new Thread(() -> serve(jobs), "server");
        server.setDaemon(true);
        server.start();
        jobs.put(() -> { });
    }

    static void serve(BlockingQueue<Runnable> jobs) {
        try {
            while (true) {
                jobs.take().run();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
