import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Two threads talk over two queues; a speaks first.
 *
 * Correct: b answers what it gets, and each queue has room for the one message.
 */
public class QueueSameOrder {
    static final BlockingQueue<String> toA = new ArrayBlockingQueue<>(1);
    static final BlockingQueue<String> toB = new ArrayBlockingQueue<>(1);

    public static void main(String[] args) {
        new Thread(() -> talk(toA, toB, true), "a").start();
        new Thread(() -> talk(toB, toA, false), "b").start();
    }

    static void talk(BlockingQueue<String> mine, BlockingQueue<String> theirs, boolean sendFirst) {
        try {
            if (sendFirst) {
                theirs.put("hello");
                mine.take();
            } else {
                mine.take();
                theirs.put("hello");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
