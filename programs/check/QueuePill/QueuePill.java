import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Ends two consumers with one poison pill.
 *
 * Breaks always: one consumer takes the pill, the other one waits for ever.
 */
public class QueuePill {
    static final int PILL = -1;

    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
        Runnable consumer = () -> {
            try {
                while (queue.take() != PILL) { //~ deadlock condition-deadlock
                    // use it
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        new Thread(consumer, "consumer-1").start();
        new Thread(consumer, "consumer-2").start();
        queue.put(1);
        queue.put(PILL);
    }
}
