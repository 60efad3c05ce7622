import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * main waits for three tasks and has submitted two.
 *
 * Broken in every schedule. The workers of the pool wait as well, for work: that is not what is wrong.
 */
public class LatchTooHigh {
    public static void main(String[] args) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CountDownLatch done = new CountDownLatch(3);
        for (int i = 0; i < 2; i++) {
            pool.execute(done::countDown);
        }
        done.await(); //~ deadlock
        pool.shutdown();
    }
}
