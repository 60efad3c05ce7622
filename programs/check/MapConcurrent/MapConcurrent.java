import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Two threads put into one ConcurrentHashMap.
 *
 * Correct: puts under different keys do not disturb each other.
 */
public class MapConcurrent {
    public static void main(String[] args) throws InterruptedException {
        Map<String, Integer> map = new ConcurrentHashMap<>();
        Thread a = new Thread(() -> map.put("a", 1), "a");
        Thread b = new Thread(() -> map.put("b", 2), "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert map.size() == 2 : "lost entry";
    }
}
