import java.util.HashMap;
import java.util.Map;

/**
 * Two threads put into one HashMap.
 *
 * Breaks when: the two puts run at once; entries get lost or worse. Nothing orders the two calls.
 */
public class MapShared {
    public static void main(String[] args) throws InterruptedException {
        Map<String, Integer> map = new HashMap<>();
        Thread a = new Thread(() -> map.put("a", 1), "a"); //~ race
        Thread b = new Thread(() -> map.put("b", 2), "b"); //~ race
        a.start();
        b.start();
        a.join();
        b.join();
        assert map.size() == 2 : "lost entry";
    }
}
