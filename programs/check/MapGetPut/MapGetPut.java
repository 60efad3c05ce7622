import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts words with get and put on a concurrent map.
 *
 * Breaks when: both threads get before either puts.
 */
public class MapGetPut {
    static final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();

    public static void main(String[] args) throws InterruptedException {
        Runnable count = () -> {
            Integer seen = counts.get("word");
            counts.put("word", seen == null ? 1 : seen + 1);
        };
        Thread a = new Thread(count, "a");
        Thread b = new Thread(count, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert counts.get("word") == 2 : "lost count"; //~ assertion
    }
}
