import java.util.concurrent.CountDownLatch;

/**
 * Three threads count down a latch that waits for two.
 *
 * Breaks when: the third one has not written when main goes on.
 */
public class LatchTooOften {
    static volatile int written;

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch two = new CountDownLatch(2);
        for (int i = 1; i <= 4; i *= 2) {
            int mine = i;
            new Thread(() -> {
                synchronized (two) {
                    written += mine;
                }
                two.countDown();
            }).start();
        }
        two.await();
        assert written != 6; //~ assertion
    }
}
