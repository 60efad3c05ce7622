import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Two lists of the library, each with a lock of its own, are added to each other.
 *
 * Breaks when: each thread has locked the list that it adds to, and wants to copy the other one.
 */
public class CrossedAddAll {
    public static void main(String[] args) throws InterruptedException {
        List<String> here = Collections.synchronizedList(new ArrayList<>(List.of("a")));
        List<String> there = Collections.synchronizedList(new ArrayList<>(List.of("b")));
        Thread fetch = new Thread(() -> here.addAll(there), "fetch"); //~ lock-cycle
        Thread send = new Thread(() -> there.addAll(here), "send"); //~ lock-cycle
        fetch.start();
        send.start();
        fetch.join();
        send.join();
    }
}
