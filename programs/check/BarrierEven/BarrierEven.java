import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Two threads write their cell, meet, and read the other's cell.
 *
 * Correct: what happens before await() happens before the return from it, for both.
 */
public class BarrierEven {
    static final int[] cells = new int[2];

    public static void main(String[] args) {
        CyclicBarrier barrier = new CyclicBarrier(2);
        for (int i = 0; i < 2; i++) {
            int me = i;
            new Thread(() -> {
                try {
                    cells[me] = me + 1;
                    barrier.await();
                    assert cells[1 - me] == 2 - me : "other half missing";
                } catch (InterruptedException | BrokenBarrierException e) {
                    throw new AssertionError(e);
                }
            }, "party-" + i).start();
        }
    }
}
