import java.util.concurrent.CountDownLatch;

/**
 * Threads wait for one signal, say that they are done, and work on a place of their own each after that.
 *
 * Breaks when: main adds up before all have worked.
 */
public class StartGateEarly {
    static final int THREADS = 2;
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
                done.countDown();
                results[me] = me + 1; //~ race
            }).start();
        }
        start.countDown();
        done.await();
        assert results[0] + results[1] == 3; //~ assertion race
    }
}
