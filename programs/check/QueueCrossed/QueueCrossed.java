import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Two threads wait for each other's message before they send their own, unless a hint came first.
 *
 * Breaks when: neither saw the hint; each takes from a queue that only the other one fills.
 */
public class QueueCrossed {
    static final BlockingQueue<String> toA = new ArrayBlockingQueue<>(1);
    static final BlockingQueue<String> toB = new ArrayBlockingQueue<>(1);
    static volatile boolean hint;

    public static void main(String[] args) {
        new Thread(() -> talk(toA, toB, hint), "a").start();
        new Thread(() -> talk(toB, toA, false), "b").start();
        hint = true;
    }

    static void talk(BlockingQueue<String> mine, BlockingQueue<String> theirs, boolean sendFirst) {
        try {
            if (sendFirst) {
                theirs.put("hello");
                mine.take(); //~ deadlock condition-deadlock
            } else {
                mine.take(); //~ deadlock condition-deadlock
                theirs.put("hello");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
