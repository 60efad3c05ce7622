import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One list of the library with a lock of its own is added to another one, twice.
 *
 * Correct: both threads lock the list that they add to first.
 */
public class OneWayAddAll {
    public static void main(String[] args) throws InterruptedException {
        List<String> here = Collections.synchronizedList(new ArrayList<>(List.of("a")));
        List<String> there = Collections.synchronizedList(new ArrayList<>(List.of("b")));
        Thread fetch = new Thread(() -> here.addAll(there), "fetch");
        Thread again = new Thread(() -> here.addAll(there), "again");
        fetch.start();
        again.start();
        fetch.join();
        again.join();
    }
}
