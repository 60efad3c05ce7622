import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Computes a value once.
 *
 * Correct: while one thread computes, the other one waits for the bin.
 */
public class MapComputeOnce {
    static final ConcurrentHashMap<String, String> cache = new ConcurrentHashMap<>();
    static final AtomicInteger computed = new AtomicInteger();

    public static void main(String[] args) throws InterruptedException {
        Runnable user = () -> {
            String value = cache.computeIfAbsent("key", k -> {
                computed.incrementAndGet();
                return k + "!";
            });
            assert value.equals("key!");
        };
        Thread a = new Thread(user, "a");
        Thread b = new Thread(user, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        assert computed.get() == 1 : "computed twice";
    }
}
