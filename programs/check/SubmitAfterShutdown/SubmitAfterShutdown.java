import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * One thread submits while another shuts the pool down.
 *
 * Breaks when: the shutdown comes first; the submission is rejected.
 */
public class SubmitAfterShutdown {
    public static void main(String[] args) {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Runnable nothing = () -> { };
        new Thread(() -> {
            pool.execute(nothing); //~ exception
        }, "client").start();
        new Thread(pool::shutdown, "closer").start();
    }
}
