import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One thread writes and then moves a value from a map of the program to the system properties, which
 * the library locks meanwhile. The other moves it back if it finds it there, and then looks.
 *
 * Breaks when the second thread comes first: it finds nothing, and looks too early.
 */
public class KeptByLibrary {
    static final Map<Object, Object> MAP = new ConcurrentHashMap<>(Map.of("key", "value"));
    static volatile int written;
    static volatile int seen;

    public static void main(String[] args) throws InterruptedException {
        Thread writer = new Thread(() -> {
            written = 1;
            System.getProperties().computeIfAbsent("key", MAP::remove);
        }, "writer");
        Thread reader = new Thread(() -> {
            System.getProperties().computeIfPresent("key", MAP::put);
            seen = written;
        }, "reader");
        writer.start();
        reader.start();
        writer.join();
        reader.join();
        assert seen == 1 : "seen too early";
    }
}
