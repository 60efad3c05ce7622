import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A server thread that nobody ends.
 *
 * Breaks always: after the last job the server waits for ever and keeps the program alive.
 */
public class NonDaemonWaits {
    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<Runnable> jobs = new LinkedBlockingQueue<>();
        Thread server = new Thread(() -> serve(jobs), "server");
        server.start();
        jobs.put(() -> { });
    }

    static void serve(BlockingQueue<Runnable> jobs) {
        try {
            while (true) {
                jobs.take().run(); //~ deadlock condition-deadlock
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
