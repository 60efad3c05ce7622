import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Polls a concurrent queue.
 *
 * Correct: exactly one thread gets the element, the other one gets null.
 */
public class QueuePoll {
    public static void main(String[] args) throws InterruptedException {
        Queue<String> queue = new ConcurrentLinkedQueue<>();
        AtomicInteger taken = new AtomicInteger();
        queue.add("only");
        Runnable taker = () -> {
            if (queue.poll() != null) {
                taken.incrementAndGet();
            }
        };
        Thread a = new Thread(taker, "taker-1");
        Thread b = new Thread(taker, "taker-2");
        a.start();
        b.start();
        a.join();
        b.join();
        assert taken.get() == 1;
    }
}
