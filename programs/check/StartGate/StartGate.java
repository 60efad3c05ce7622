import java.util.concurrent.CountDownLatch;

/**
 * Four threads wait for one signal, work on a place of their own each, and say that they are done.
 * Main adds up. Correct: who waits for a latch comes after all who count it down.
 */
public class StartGate {
    static final int THREADS = 4;
    static final int[] results = new int[THREADS];

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch start = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(THREADS);
        for (int i = 0; i < THREADS; i++) {
            int me = i;
            new Thread(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    return;
                }
                results[me] = me + 1;
                done.countDown();
            }).start();
        }
        start.countDown();
        done.await();
        int sum = 0;
        for (int result : results) {
            sum += result;
        }
        assert sum == 10;
    }
}
