import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Ends each of two consumers with a poison pill of its own.
 *
 * Correct: a consumer takes one pill at most.
 */
public class QueuePills {
    static final int PILL = -1;

    public static void main(String[] args) throws InterruptedException {
        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(2);
        Runnable consumer = () -> {
            try {
                while (queue.take() != PILL) {
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
        queue.put(PILL);
    }
}
