import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Three threads meet at a barrier for two.
 *
 * Breaks always: the third one has nobody to meet.
 */
public class BarrierOdd {
    public static void main(String[] args) {
        CyclicBarrier barrier = new CyclicBarrier(2);
        for (int i = 0; i < 3; i++) {
            new Thread(() -> {
                try {
                    barrier.await(); //~ deadlock condition-deadlock
                } catch (InterruptedException | BrokenBarrierException e) {
                    throw new AssertionError(e);
                }
            }, "party-" + i).start();
        }
    }
}
