import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Asks whether a concurrent queue is empty, then removes.
 *
 * Breaks when: both threads see the one element; the second remove finds nothing.
 */
public class QueuePeekRemove {
    public static void main(String[] args) {
        Queue<String> queue = new ConcurrentLinkedQueue<>();
        queue.add("only");
        Runnable taker = () -> {
            if (!queue.isEmpty()) {
                queue.remove(); //~ exception
            }
        };
        new Thread(taker, "taker-1").start();
        new Thread(taker, "taker-2").start();
    }
}
