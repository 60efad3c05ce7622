import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Two threads look into collections that lock for themselves until there is something in them.
 *
 * Correct: what was put in first is there.
 */
public class PolledQueue {
    static final List<String> words = Collections.synchronizedList(new ArrayList<>());
    static final ArrayBlockingQueue<String> queue = new ArrayBlockingQueue<>(2);

    public static void main(String[] args) throws InterruptedException {
        Thread lister = new Thread(() -> {
            while (words.isEmpty()) {
                Thread.yield();
            }
            assert words.get(0).equals("warp");
        }, "lister");
        Thread taker = new Thread(() -> {
            while (queue.isEmpty()) {
                Thread.yield();
            }
            assert queue.remove().equals("weft");
        }, "taker");
        lister.start();
        taker.start();
        words.add("warp");
        queue.add("weft");
        lister.join();
        taker.join();
    }
}
