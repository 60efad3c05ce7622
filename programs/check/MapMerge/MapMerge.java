import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts words with merge.
 *
 * Correct: merge is atomic; its function runs under the lock of the bin.
 */
public class MapMerge {
    static final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();

    public static void main(String[] args) throws InterruptedException {
        Runnable count = () -> counts.merge("word", 1, Integer::sum);
        Thread a = new Thread(count, "a");
        Thread b = new Thread(count, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert counts.get("word") == 2 : "lost count";
    }
}
